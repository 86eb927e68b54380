/* Results of a screen as records of its journal, and reading them back.  Contents of records
 * (format/journal.h):
 *
 *     device  = 'D', text name, text platform, text driver, text variant
 *     docked  = 'L', varint ordinal, text title, varint heavy atoms, varint conformers,
 *               varint poses, poses
 *     failed  = 'F', varint ordinal, text title, text reason
 *     pose    = its fields, varint torsions, f32 each (rad; side chains' last)
 *     work    = 'T', varint ligands, f64 seconds, f64 atoms, varint devices; each varint device,
 *               varint index, varint conformers, u8 failed (since the last of these)
 *     learned = 'M', varint ordinal, varint poses; each f32 outputs
 *
 * Devices, receptors and conformers count from 0; unknown numbers are NaN.  A pose's fields are
 * those of score/fields.c that have a place in a record, in the order of these places, as far as
 * the run has them: varint for a size, f32 for a float or a field that is `single`, else f64. */
#ifndef BERTH_SCREEN_RECORDS_H
#define BERTH_SCREEN_RECORDS_H

#include "dock/modes.h"
#include "format/journal.h"
#include "run/work.h"
#include "score/fields.h"

enum { BERTH_MADE_REASON = 464 };

/* Which poses make the interactions that are asked for. */
struct berth_made_poses {
    uint64_t first;                 /* ordinal of the first ligand */
    size_t ligand_count, modes;     /* how many; of each, at most */
    unsigned char *made;            /* [ligand_count][modes]: 1: it makes all */
    char reason[BERTH_MADE_REASON]; /* why ligands without such a pose are left out */
};

/* The byte of a ligand's mode. */
static inline unsigned char *berth_made_pose(const struct berth_made_poses *poses, uint64_t ordinal,
                                             size_t mode)
{
    return &poses->made[(size_t)(ordinal - poses->first) * poses->modes + mode];
}

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
    const struct berth_made_poses *made; /* borrowed: poses that do not make what is asked for are
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
