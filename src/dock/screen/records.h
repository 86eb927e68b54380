/* Results of a screen as records of its journal, and reading them back. */
#ifndef BERTH_DOCK_SCREEN_RECORDS_H
#define BERTH_DOCK_SCREEN_RECORDS_H

#include "dock/modes.h"
#include "format/journal.h"
#include "score/fields.h"

struct berth_required;

/* What the journal says of a device, in its order. */
enum {
    BERTH_KNOWN_NAME,
    BERTH_KNOWN_PLATFORM,
    BERTH_KNOWN_DRIVER,
    BERTH_KNOWN_VARIANT,
    BERTH_KNOWN
};

/* A device as the journal names it; equal ones, which round alike, are one. */
struct berth_known_device {
    const char *texts[BERTH_KNOWN];
    char *owned; /* these texts; NULL where they are borrowed */
};

struct berth_known_devices {
    struct berth_known_device *devices; /* owned */
    size_t count, capacity;
};

/* The number of a device in the list, which it is added to where it is not in it.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_known_devices_find(struct berth_known_devices *devices,
                                           const struct berth_known_device *wanted, size_t *number,
                                           struct berth_error *error);

void berth_known_devices_clear(struct berth_known_devices *devices);

/* Conformers that a device docked. */
struct berth_run_share {
    size_t device; /* its number in the list */
    size_t index;  /* which of equal ones: as `berth devices` numbers them */
    uint64_t conformers;
    bool failed; /* it was given up */
};

/* What was docked, and what that took. */
struct berth_run_work {
    uint64_t ligands; /* failed ones, too */
    double seconds;
    double atoms;                   /* of conformers, in each receptor */
    struct berth_run_share *shares; /* owned; [count]: of the ligands that did not fail */
    size_t count, capacity;
};

/* Adds to the share of the same device.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_run_work_add(struct berth_run_work *work,
                                     const struct berth_run_share *share,
                                     struct berth_error *error);

/* Nothing is done; the devices stay. */
void berth_run_work_rewind(struct berth_run_work *work);

/* Functions whose scores are recorded: where they are more than one, or ranked; else 0. */
size_t berth_run_recorded(const struct berth_judges *judges);

/* Records of a journal: a device, whose number is how many came before it, or a ligand, with the
 * fields that the run's journal has (score/fields.h); what was done since the last such record, or
 * the begin of the run that wrote it; or, behind all ligands, and their ordinals rising, what a
 * model says of a ligand's modes, which has so many outputs. */
void berth_run_put_device(struct berth_bytes *bytes, const struct berth_known_device *device);
void berth_run_put_result(struct berth_bytes *bytes, const struct berth_result *result,
                          const struct berth_score_columns *run);
void berth_run_put_work(struct berth_bytes *bytes, const struct berth_run_work *work);
void berth_run_put_learned(struct berth_bytes *bytes, const struct berth_result *result,
                           size_t outputs);

/* What a model said of the modes of ligands, as far as records were read. */
struct berth_learned {
    struct berth_learned_ligand {
        uint64_t ordinal;
        size_t first, modes; /* first: of its values */
    } * ligands;             /* owned; [count], their ordinals rising */
    size_t count, capacity;
    float *values; /* owned; [modes of all][outputs] */
    size_t value_count, value_capacity;
};

/* The results of one journal or of those of all shards, one after the other. */
struct berth_run_records {
    const char *const *paths;           /* borrowed; [count] */
    size_t count, next;                 /* next: the journal that comes next */
    struct berth_journal *journal;      /* the one being read; owned where paths is not NULL */
    struct berth_known_devices devices; /* of all journals */
    size_t *numbers; /* owned; [number_count]: in devices, of this journal's devices */
    size_t number_count, number_capacity;
    struct berth_term_names terms; /* of the run's energies */
    struct berth_receptor_names receptors;
    struct berth_judges judges;
    size_t functions; /* whose scores are recorded */
    struct berth_learned learned;
    const struct berth_required *required; /* borrowed: poses that do not make what is asked for are
                                              left out; NULL: nothing is */
    double max_clash;           /* Å: poses that clash by more are left out; INFINITY: none are */
    uint64_t left_out;          /* poses so far */
    size_t num_modes;           /* that a ligand was to have */
    uint64_t few;               /* ligands so far that were docked and have fewer in the journal */
    uint64_t conformers;        /* so far, of ligands that were docked */
    struct berth_run_work work; /* so far; of fewer ligands than there are: not all is known */
    char reason[BERTH_CLASH_REASON]; /* of the ligands whose poses all are */
    bool apart;             /* each journal numbers its ligands from 0: shards of a preparation */
    uint64_t base, ordinal; /* added to the journal's ordinals; that the next ligand must have */
    struct berth_result result; /* the last one */
};

/* The run, as its tables and records have it; it borrows from the records. */
struct berth_score_columns berth_run_records_columns(const struct berth_run_records *records);

/* Goes back to the first record, which has this ordinal. */
void berth_run_records_rewind(struct berth_run_records *records, uint64_t ordinal);

/* The next result, without the modes that clash too much, in records->result, whose texts are
 * borrowed until the next call; *end behind the last.  Errors: BERTH_E_IO, BERTH_E_FORMAT (a ligand
 * is missing), BERTH_E_MEMORY. */
enum berth_status berth_run_records_next(struct berth_run_records *records, bool *end,
                                         struct berth_error *error);

/* Reads on to the end, where there is what a model says: before that it is not known of the
 * results. ordinal: see berth_run_records_rewind.  Errors: as above. */
enum berth_status berth_run_records_learn(struct berth_run_records *records, uint64_t ordinal,
                                          struct berth_error *error);

/* Of a result that is not read from a journal: leaves out what clashes too much; where
 * nothing is left, it fails. */
void berth_run_records_leave_out(struct berth_run_records *records, struct berth_result *result);

void berth_run_records_clear(struct berth_run_records *records);

#endif
