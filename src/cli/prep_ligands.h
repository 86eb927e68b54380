/* What the files of `berth prep ligands` share: its options, its inputs, its workers. */
#ifndef BERTH_CLI_PREP_LIGANDS_H
#define BERTH_CLI_PREP_LIGANDS_H

#include <limits.h>
#include <stdio.h>

#include "cli/prep.h"
#include "prep/prepare.h"

/* The options, with their defaults in prep_defaults(). */
struct prep_values {
    struct berth_arguments inputs;
    const char *list, *format, *builder, *mw, *elements, *properties;
    const char *out, *failures, *forcefield, *config;
    double ph, energy_window, conformer_rmsd, time_limit;
    long long conformers, max_heavy, max_rotors, jobs;
    bool keep_protonation, rebuild, smiles, unique, resume, overwrite;
};

extern const struct berth_option PREP_OPTIONS[];

struct prep_values prep_defaults(void);

/* What the options ask for, and the texts that it borrows from. */
struct prep_plan {
    struct berth_preparation preparation;
    char *property_text;     /* owned; the names, cut apart */
    const char **properties; /* owned; [preparation.property_count] */
    bool *met;               /* owned; of each: a ligand has it */
    char *note;              /* owned; for the library: everything that decides what is in it */
};

/* The caller clears *plan.  Errors: BERTH_E_USAGE, BERTH_E_MEMORY. */
enum berth_status prep_plan_create(const struct prep_values *values, struct prep_plan *plan,
                                   struct berth_error *error);

/* Notes which of the properties asked for a ligand has; says which none had. */
void prep_plan_meet(struct prep_plan *plan, const struct berth_library_ligand *ligand);
void prep_plan_warn(const struct prep_plan *plan);

void prep_plan_clear(struct prep_plan *plan);

/* --- The files to read --- */

struct prep_inputs {
    char **paths; /* owned; files, one by one */
    size_t count, capacity;
    const char *format;            /* borrowed; NULL: by ending */
    double limit;                  /* seconds for a file that Open Babel converts as a whole */
    size_t current;                /* the file being read, or next to be opened */
    struct berth_records *records; /* owned; of it; NULL: not open */
    struct berth_bytes converted;  /* what Open Babel made of it */
};

/* Lists the files: inputs, folders' files, those that "@file" and --list name.  The caller clears
 * *inputs.  Errors: BERTH_E_USAGE (no format), BERTH_E_IO (one cannot be read), BERTH_E_MEMORY. */
enum berth_status prep_inputs_create(const struct prep_values *values, struct prep_inputs *inputs,
                                     struct berth_error *error);

/* What the file of this index holds, by its format's name. */
enum berth_record_kind prep_inputs_kind(const struct prep_inputs *inputs, size_t index);

/* Says, of the first file for which it is so, that its format leaves bonds to be guessed. */
void prep_inputs_warn(const struct prep_inputs *inputs);

/* The next record of all files, and the path of its file; *end behind the last.  A record without a
 * title is called FILE:NUMBER.  Errors: those of one record or file, after which the next call goes
 * on; BERTH_E_MEMORY. */
enum berth_status prep_inputs_next(struct prep_inputs *inputs, struct berth_record *record,
                                   const char **path, bool *end, struct berth_error *error);
void prep_inputs_clear(struct prep_inputs *inputs);

/* --- What failed, for a run that goes on --- */

struct prep_journal {
    FILE *file; /* owned; NULL: none */
    char path[PATH_MAX];
};

/* Begins the journal beside the library that is being written.  resumed: records that an earlier
 * run has done; what failed among them is taken over into failures.  The caller closes *journal.
 * Errors: BERTH_E_IO, BERTH_E_FORMAT, BERTH_E_MEMORY. */
enum berth_status prep_journal_open(struct prep_journal *journal, const char *library,
                                    uint64_t resumed, struct berth_failures *failures,
                                    struct berth_error *error);

/* Notes that the record with which this many are consumed failed, or was dropped. */
void prep_journal_add(struct prep_journal *journal, uint64_t consumed, bool dropped,
                      const char *ligand, const char *reason);

/* keep: leaves the file for --resume. */
void prep_journal_close(struct prep_journal *journal, bool keep);

/* --- Preparing many at once, in order --- */

/* A record on its way. */
struct prep_slot {
    struct berth_record record;
    const char *path;  /* borrowed */
    uint64_t consumed; /* records up to this one, of all files */
    bool known;        /* a resumed run did it: only its SMILES is wanted */
    bool done;
    enum berth_status status; /* of reading, then of preparing; error says why */
    struct berth_error error;
    struct berth_prepared prepared;
};

struct prep_queue; /* opaque */

/* Starts `jobs` workers.  preparation is borrowed.  The caller destroys *queue.  Errors:
 * BERTH_E_MEMORY, BERTH_E_IO (no thread). */
enum berth_status prep_queue_create(const struct berth_preparation *preparation, size_t jobs,
                                    struct prep_queue **queue, struct berth_error *error);

/* A free slot to be filled, or NULL where all are taken. */
struct prep_slot *prep_queue_free(struct prep_queue *queue);

/* Hands the slot that prep_queue_free gave to the workers (its status is BERTH_OK), or marks it as
 * done. */
void prep_queue_push(struct prep_queue *queue);

/* Waits up to a tenth of a second for the oldest slot; NULL where it is not done yet or there is
 * none. */
struct prep_slot *prep_queue_oldest(struct prep_queue *queue);

/* Frees the oldest slot, clearing it. */
void prep_queue_pop(struct prep_queue *queue);

bool prep_queue_is_empty(const struct prep_queue *queue);

/* Waits for the workers, who end what they are at.  NULL is accepted. */
void prep_queue_destroy(struct prep_queue *queue);

#endif
