/* What the files of `berth dock` share: its options, its reports. */
#ifndef BERTH_CLI_DOCK_H
#define BERTH_CLI_DOCK_H

#include "cli/common.h"
#include "cli/search_options.h"
#include "dock/docking.h"
#include "dock/modes.h"

/* The options of `berth dock`, with their defaults in dock_defaults(). */
struct dock_values {
    struct berth_scoring_choice forcefield;
    const char *receptor, *ligand, *reference, *autobox_ligand;
    const char *out, *scores, *failures, *device, *variant, *config;
    double center[3], size[3], autobox_add, min_rmsd, energy_range, max_clash, strain_weight;
    double batch_limit; /* s */
    long long num_modes, cpu, batch, check;
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

/* What was done, and what the terminal shows of it. */
struct dock_report {
    const struct dock_values *values; /* borrowed */
    bool table;                       /* print to the terminal */
    size_t ligands;                   /* so far */
    size_t unmatched;                 /* of them that the reference says nothing about */
    size_t unweighted;                /* of them that --strain_weight could not be applied to */
    char *first_name;                 /* owned; of the first ligand, which is not printed yet */
    struct berth_modes first;         /* its modes */
};

struct dock_report dock_report_begin(const struct dock_values *values);

/* Counts a ligand, whose modes may be moved from, and prints a line of it.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status dock_report_add(struct dock_report *report, const char *name,
                                  struct berth_modes *modes, struct berth_error *error);

/* Prints the only ligand's table, where there was but one. */
void dock_report_end_table(struct dock_report *report);

void dock_report_clear(struct dock_report *report);

#endif
