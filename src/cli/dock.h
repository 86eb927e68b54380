/* What the files of `berth dock` share: its options. */
#ifndef BERTH_CLI_DOCK_H
#define BERTH_CLI_DOCK_H

#include "cli/common.h"
#include "cli/search_options.h"
#include "cli/site.h"
#include "dock/docking.h"

/* The options of `berth dock`, with their defaults in dock_defaults(). */
struct dock_values {
    struct berth_scoring_choice forcefield;
    const char *receptor, *ligand, *reference;
    const char *site, *out, *scores, *failures, *config;
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

#endif
