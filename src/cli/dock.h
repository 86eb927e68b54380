/* What the files of `berth dock` share: its options, its reports. */
#ifndef BERTH_CLI_DOCK_H
#define BERTH_CLI_DOCK_H

#include "cli/common.h"
#include "cli/search_options.h"
#include "cli/site.h"
#include "dock/docking.h"
#include "dock/modes.h"

/* The options of `berth dock`, with their defaults in dock_defaults(). */
struct dock_values {
    struct berth_scoring_choice forcefield;
    const char *receptor, *ligand, *reference;
    const char *out, *scores, *failures, *config;
    double min_rmsd, energy_range, max_clash, strain_weight;
    long long num_modes;
    unsigned long long seed;
    struct cli_box box;
    struct cli_search search;
    struct cli_devices devices;
    bool separate;
};

extern const struct berth_option DOCK_OPTIONS[];

struct dock_values dock_defaults(void);

/* What was done, and what the terminal shows of it. */
struct dock_report {
    const struct dock_values *values; /* borrowed */
    bool table;                       /* print to the terminal */
    size_t ligands;                   /* so far */
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
