/* What the files of `berth dock` share: its options, its reports. */
#ifndef BERTH_CLI_DOCK_H
#define BERTH_CLI_DOCK_H

#include "cli/common.h"
#include "cli/search_options.h"
#include "dock/docking.h"
#include "dock/modes.h"
#include "dock/queue.h"
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
