/* What the files of `berth screen` and `berth merge` share.
 *
 * A run writes what comes out for each ligand to the journal (screen_run.h); when all are done, the
 * journal becomes the results, and so do the journals of all shards of a run. */
#ifndef BERTH_CLI_SCREEN_H
#define BERTH_CLI_SCREEN_H

#include "cli/common.h"
#include "cli/search_options.h"
#include "dock/docking.h"
#include "dock/modes.h"
#include "format/journal.h"

/* --- Options (screen_options.c) --- */

struct screen_values {
    struct berth_scoring_choice forcefield;
    const char *receptor, *library, *autobox_ligand;
    const char *out, *device, *variant, *shard, *config;
    double center[3], size[3], autobox_add, min_rmsd, strain_weight;
    double time_limit, checkpoint, batch_limit; /* s; time_limit 0: none */
    long long num_modes, top, batch, check;
    unsigned long long seed;
    struct cli_search search;
    bool resume, profile;
};

extern const struct berth_option SCREEN_OPTIONS[];

struct screen_values screen_defaults(void);

/* A part of a library: number of count, from 1; 1 of 1 is all of it. */
struct screen_shard {
    uint64_t number, count;
};

/* Reads "K/N"; NULL is 1/1.  Errors: BERTH_E_USAGE. */
enum berth_status screen_shard_parse(const char *text, struct screen_shard *shard,
                                     struct berth_error *error);

/* How the options say to search: the one place that says how a screen searches by default. */
struct berth_search_settings screen_search(const struct screen_values *values);

/* --- What came out for a ligand (screen_record.c) --- */

/* A pose of a ligand that is kept. */
struct screen_mode {
    size_t conformer;             /* from 0 */
    size_t device;                /* number in the list of devices that it goes with */
    double value;                 /* what it is ranked by, kJ/mol: see struct berth_mode */
    double strain;                /* kJ/mol, likewise; NAN where nothing turned */
    double conformer_strain;      /* kJ/mol; NAN where unknown */
    struct berth_pose pose;       /* without its strain, which is relative to the conformer */
    size_t torsions;              /* that turn */
    float angles[BERTH_TORSIONS]; /* [torsions], rad; else 0 */
};

struct screen_result {
    uint64_t ordinal;
    const char *title;   /* "" where it could not be read */
    const char *failure; /* why there are no modes; NULL: it was docked */
    size_t heavy_count, conformer_count;
    struct screen_mode *modes; /* owned; [mode_count], best first */
    size_t mode_count, mode_capacity;
};

/* kJ/mol */
double screen_mode_energy(const struct screen_mode *mode);

/* A device as the journal names it; equal ones, which round alike, are one. */
struct screen_device {
    const char *name, *platform, *driver, *variant;
    char *texts; /* owned: these texts; NULL where they are borrowed */
};

struct screen_devices {
    struct screen_device *devices; /* owned */
    size_t count, capacity;
};

/* The number of a device in the list, which it is added to where it is not in it.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status screen_devices_find(struct screen_devices *devices,
                                      const struct screen_device *wanted, size_t *number,
                                      struct berth_error *error);

void screen_devices_clear(struct screen_devices *devices);

/* Records of the journal: a device, whose number is how many came before it, or a ligand. */
void screen_put_device(struct berth_bytes *bytes, const struct screen_device *device);
void screen_put_result(struct berth_bytes *bytes, const struct screen_result *result);

/* The results of one journal or of those of all shards, one after the other. */
struct screen_records {
    const char *const *paths;      /* borrowed; [count] */
    size_t count, next;            /* next: the journal that comes next */
    struct berth_journal *journal; /* the one being read; owned where paths is not NULL */
    struct screen_devices devices; /* of all journals */
    size_t *numbers; /* owned; [number_count]: in devices, of this journal's devices */
    size_t number_count, number_capacity;
    uint64_t ordinal;            /* that the next ligand must have */
    struct screen_result result; /* the last one */
};

/* Goes back to the first record, which has this ordinal. */
void screen_records_rewind(struct screen_records *records, uint64_t ordinal);

/* The next result, in records->result, whose texts are borrowed until the next call; *end behind
 * the last.  Errors: BERTH_E_IO, BERTH_E_FORMAT (a ligand is missing), BERTH_E_MEMORY. */
enum berth_status screen_records_next(struct screen_records *records, bool *end,
                                      struct berth_error *error);

void screen_records_clear(struct screen_records *records);

/* --- From journals to results (screen_results.c, screen_hits.c) --- */

/* What the results are made of and where they go. */
struct screen_outcome {
    const char *folder;                         /* borrowed */
    const struct berth_library_reader *library; /* borrowed */
    struct berth_library_range range;           /* the ligands that the records are of */
    struct screen_records *records;             /* borrowed */
    size_t top;                                 /* ligands in hits.sdf */
    double center[3];                           /* Å: of the site */
    unsigned long long seed;
    uint64_t failed; /* out: ligands that are rows of failures.csv */
};

/* Writes failures.csv, hits.sdf and scores.csv, all or none of them.  Errors: BERTH_E_IO,
 * BERTH_E_FORMAT, BERTH_E_MEMORY. */
enum berth_status screen_results_write(struct screen_outcome *outcome, struct berth_error *error);

/* A property of the library as a column of scores.csv and a tag of hits.sdf: by its name, unless
 * that is one of ours. */
enum { SCREEN_COLUMN_SIZE = 256 };
void screen_property_column(const char *name, char column[SCREEN_COLUMN_SIZE]);

/* A walk over a library's ligands, forward; zeroed but for the first three. */
struct screen_walk {
    const struct berth_library_reader *reader; /* borrowed */
    struct berth_library_range range;          /* the ligands that it may come to */
    bool whole;                                /* not their properties alone */
    struct berth_docking_block block;          /* owned */
    struct berth_write_out_block rest;         /* owned */
    uint64_t begin, end;                       /* ordinals that were read last */
    enum berth_status status;                  /* of reading them: BERTH_OK or BERTH_E_FORMAT */
    struct berth_error error;
};

/* The ligand of this ordinal, no smaller than the last one's.  The caller clears *ligand.  Errors:
 * BERTH_E_FORMAT (its block is corrupt), BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status screen_walk_to(struct screen_walk *walk, uint64_t ordinal,
                                 struct berth_library_ligand *ligand, struct berth_error *error);

void screen_walk_clear(struct screen_walk *walk);

/* The best ligands so far: a heap of bounded size. */
struct screen_hit {
    double value; /* of its best mode, kJ/mol */
    uint64_t ordinal;
    struct screen_mode *modes; /* owned; [mode_count] */
    size_t mode_count;
};

struct screen_hits {
    struct screen_hit *hits; /* owned; a heap with the worst on top, until they are sorted */
    size_t count, capacity, most;
};

/* Adds the result, unless there are enough that are better.  Errors: BERTH_E_MEMORY. */
enum berth_status screen_hits_add(struct screen_hits *hits, const struct screen_result *result,
                                  struct berth_error *error);

/* Best first; ties in the library's order. */
void screen_hits_sort(struct screen_hits *hits);

/* Writes the poses of the hits, which are sorted; a ligand that cannot be read is left out.  They
 * are made in the library's order, whose blocks are large, in a file beside the output's. Errors:
 * BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status screen_hits_write(const struct screen_hits *hits,
                                    const struct screen_outcome *outcome,
                                    struct berth_output *output, struct berth_error *error);

void screen_hits_clear(struct screen_hits *hits);

/* BERTH_E_IO where the results could not be written to the folder: see cli_check_folder. */
enum berth_status screen_folder_check(const char *path, struct berth_error *error);

/* Makes the folder where it is missing, but not those above it.  Errors: BERTH_E_IO. */
enum berth_status screen_folder_make(const char *path, struct berth_error *error);

/* Removes what a run that was killed while it wrote results has left half written in the folder,
 * which nobody else may write to. */
void screen_folder_sweep(const char *path);

/* DIR/NAME into path (size bytes).  Errors: BERTH_E_USAGE where it does not fit. */
enum berth_status screen_path(const char *folder, const char *name, char *path, size_t size,
                              struct berth_error *error);

#endif
