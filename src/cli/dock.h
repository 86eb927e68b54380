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
    double rotation_spacing;
    long long starts;
    bool separate, protein;
};

extern const struct berth_option DOCK_OPTIONS[];

struct dock_values dock_defaults(void);

/* Whether a protein is to be docked, or one of its options is given. */
bool dock_is_protein(const struct dock_values *values, const struct berth_parsed *parsed);

/* `berth dock --protein`; gives the exit code. */
int dock_protein(struct dock_values *values, const struct berth_parsed *parsed);

#endif
