/* What the files that prepare ligands share: inputs, journal, workers. */
#ifndef BERTH_PREP_LIGANDS_LIGANDS_INTERNAL_H
#define BERTH_PREP_LIGANDS_LIGANDS_INTERNAL_H

#include "format/failures.h"
#include "prep/ligands/ligands.h"

/* What the file of this index holds, by its format's name. */
enum berth_record_kind berth_ligand_inputs_kind(const struct berth_ligand_inputs *inputs,
                                                size_t index);

/* The next record of all files, and the path of its file; *end behind the last.  A record without a
 * title is called FILE:NUMBER.  Errors: those of one record or file, after which the next call goes
 * on; BERTH_E_MEMORY. */
enum berth_status berth_ligand_inputs_next(struct berth_ligand_inputs *inputs,
                                           struct berth_record *record, const char **path,
                                           bool *end, struct berth_error *error);
/* How many records the files hold, by counting them, where that takes no time beside preparing
 * them; else 0. */
uint64_t berth_ligand_inputs_total(const struct berth_ligand_inputs *inputs);

/* The same whatever time it takes.  Errors: BERTH_E_USAGE (a file whose records cannot be told
 * apart without converting it, or that can be read once; stopped), BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_ligand_inputs_count(const struct berth_ligand_inputs *inputs,
                                            uint64_t *total, struct berth_error *error);

/* What part of the files' bytes was read so far, 0 to 1; 0 where that cannot be told. */
double berth_ligand_inputs_part(const struct berth_ligand_inputs *inputs);

/* --- Preparing many at once, in order --- */

/* A record on its way. */
struct berth_ligand_slot {
    struct berth_record record;
    const char *path;  /* borrowed */
    uint64_t consumed; /* records up to this one, of all files */
    bool known;        /* a resumed run did it: only its SMILES is wanted */
    bool unread;       /* it could not be read: its own failure, whatever the status */
    bool done;
    enum berth_status status; /* of reading, then of preparing; error says why */
    struct berth_error error;
    struct berth_prepared prepared;
};

/* Starts a worker; others start where slots wait, up to `jobs` of them.  preparation is borrowed;
 * once its cancel is true, what is not prepared fails.  The caller destroys *queue, also after an
 * error.  Errors: BERTH_E_MEMORY, BERTH_E_IO (no thread). */
enum berth_status berth_ligand_queue_create(const struct berth_preparation *preparation,
                                            size_t jobs, struct berth_ligand_queue **queue,
                                            struct berth_error *error);

/* A free slot to be filled, or NULL where all are taken. */
struct berth_ligand_slot *berth_ligand_queue_free(struct berth_ligand_queue *queue);

/* Hands the slot that berth_ligand_queue_free gave to the workers (its status is BERTH_OK), or
 * marks it as done. */
void berth_ligand_queue_push(struct berth_ligand_queue *queue);

/* Waits up to a tenth of a second for the oldest slot; NULL where it is not done yet or there is
 * none. */
struct berth_ligand_slot *berth_ligand_queue_oldest(struct berth_ligand_queue *queue);

/* Puts file and line in front of what is wrong with a record that was read, or with a form of it.
 */
void berth_ligand_slot_place(const struct berth_ligand_slot *slot, struct berth_error *error);

/* How many ligands there were, and how many of these have another charge than drawn; says so at the
 * end, if there is one. */
struct berth_charges {
    size_t ligands, changed;
};
void berth_charges_tell(const struct berth_charges *charges, double ph,
                        const struct berth_log *log);

/* Says the remarks on the slot's form of this number, each a kind of warning that is counted, but
 * those that an earlier form of the molecule had: they are about molecules.  Of the first form
 * whose bonds were perceived, which they are. */
void berth_ligand_slot_remark(const struct berth_ligand_slot *slot, size_t form,
                              const struct berth_log *log);

/* Frees the oldest slot, clearing it. */
void berth_ligand_queue_pop(struct berth_ligand_queue *queue);

bool berth_ligand_queue_is_empty(const struct berth_ligand_queue *queue);

/* Waits for the slots that were pushed, and frees them all. */
void berth_ligand_queue_drain(struct berth_ligand_queue *queue);

/* Waits for the workers, who end what they are at; the processor time that their threads, but not
 * their processes, have used (s).  NULL is accepted. */
double berth_ligand_queue_destroy(struct berth_ligand_queue *queue);

#endif
