/* What the files of `berth dock` share: its options, its ligands on their way, its reports. */
#ifndef BERTH_CLI_DOCK_H
#define BERTH_CLI_DOCK_H

#include "cli/common.h"
#include "cli/search_options.h"
#include "dock/docking.h"
#include "dock/modes.h"
#include "format/poses.h"

/* The options of `berth dock`, with their defaults in dock_defaults(). */
struct dock_values {
    struct berth_scoring_choice forcefield;
    const char *receptor, *ligand, *reference, *autobox_ligand;
    const char *out, *scores, *failures, *device, *variant, *config;
    double center[3], size[3], autobox_add, min_rmsd, energy_range, strain_weight;
    long long num_modes;
    long long batch;
    unsigned long long seed;
    struct cli_search search;
    bool separate, profile;
};

extern const struct berth_option DOCK_OPTIONS[];

struct dock_values dock_defaults(void);

/* The site that the options ask for, else the receptor's own.  Errors: BERTH_E_USAGE (too little or
 * too much was given), and those of reading the autobox ligand. */
enum berth_status dock_site(const struct dock_values *values, const struct berth_parsed *parsed,
                            const struct berth_typed_receptor *receptor, struct berth_site *site,
                            struct berth_error *error);

/* A ligand on its way: read and packed, then docked. */
struct dock_ligand {
    struct berth_ligand ligand;
    struct berth_packed_conformer *packed; /* owned; [ligand.conformer_count] */
    double *strains;                       /* owned; [ligand.conformer_count]: kJ/mol above the
                                              ligand's best conformer; NAN where unknown */
    size_t packed_capacity, strain_capacity;
    struct berth_torsion_tree tree;     /* of all atoms; empty where nothing is to turn */
    struct berth_packed_flexible words; /* the same for the device */
};

/* Ligands that are docked in one go. */
struct dock_queue {
    struct dock_ligand *ligands; /* owned */
    size_t count, capacity, conformer_count;
    bool turns;                  /* the ligands' torsions are to turn */
    const struct berth_log *log; /* borrowed, or NULL */
};

/* A conformer to queue. */
struct dock_conformer {
    struct berth_molecule *molecule;       /* moved from */
    const struct berth_heavy_atoms *heavy; /* borrowed for the call */
    double strain;                         /* kJ/mol; NAN where unknown */
};

/* Adds a conformer: to the last ligand where it is one of its conformers and not `separate`, else
 * as a new ligand.  Errors: BERTH_E_MEMORY, BERTH_E_USAGE (see
 * berth_pack_conformer). */
enum berth_status dock_queue_add(struct dock_queue *queue, const struct dock_conformer *conformer,
                                 bool separate, struct berth_error *error);

/* True where molecule would begin a new ligand. */
bool dock_queue_begins(const struct dock_queue *queue, const struct berth_molecule *molecule,
                       bool separate);

/* Lets the packed conformers know what turns in them, where anything does.  No ligand may be added
 * any more. */
void dock_queue_close(struct dock_queue *queue);

/* Closes the queue.  The packed conformers of all its ligands in one array that the caller frees;
 * their atoms stay the queue's.  NULL when out of memory. */
struct berth_packed_conformer *dock_queue_gather(struct dock_queue *queue);

/* Empties the queue, for new ligands. */
void dock_queue_clear(struct dock_queue *queue);

/* Where the results go, and what was done. */
struct dock_report {
    struct berth_output *poses, *scores; /* owned; NULL: not asked for */
    const struct berth_pose_format *format;
    const struct dock_values *values; /* borrowed */
    bool table;                       /* print to the terminal */
    size_t ligands, conformers;
    size_t unmatched;    /* ligands that the reference says nothing about */
    size_t unweighted;   /* ligands that --strain_weight could not be applied to */
    size_t evaluations;  /* energies with gradients in refinements */
    double interactions; /* receptor atom × ligand atom × pose */
};

/* Opens the outputs.  Errors: BERTH_E_USAGE, BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status dock_report_create(const struct dock_values *values, struct dock_report *report,
                                     struct berth_error *error);

/* Writes a ligand's modes to all outputs; whole: as a table of its own (the only ligand), else one
 * line.  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status dock_report_add(struct dock_report *report, const struct berth_ligand *ligand,
                                  const struct berth_modes *modes, bool whole,
                                  struct berth_error *error);

/* Gives the outputs their final names; the outputs are gone afterwards either way. */
enum berth_status dock_report_commit(struct dock_report *report, struct berth_error *error);
void dock_report_discard(struct dock_report *report);

#endif
