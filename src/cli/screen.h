/* The options of `berth screen`. */
#ifndef BERTH_CLI_SCREEN_H
#define BERTH_CLI_SCREEN_H

#include "cli/common.h"
#include "cli/search_options.h"

struct screen_values {
    struct berth_scoring_choice forcefield;
    const char *receptor, *library, *autobox_ligand;
    const char *out, *device, *variant, *shard, *config;
    double center[3], size[3], autobox_add, min_rmsd, max_clash, strain_weight;
    double time_limit, checkpoint, batch_limit; /* s; time_limit 0: none */
    long long num_modes, top, cpu, batch, check;
    unsigned long long seed;
    struct cli_search search;
    bool resume, profile;
};

extern const struct berth_option SCREEN_OPTIONS[];

struct screen_values screen_defaults(void);

/* How the options say to search: the one place that says how a screen searches by default. */
struct berth_search_settings screen_search(const struct screen_values *values);

#endif
