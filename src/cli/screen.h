/* The options of `berth screen`. */
#ifndef BERTH_CLI_SCREEN_H
#define BERTH_CLI_SCREEN_H

#include "cli/common.h"
#include "cli/search_options.h"
#include "cli/site.h"

struct screen_values {
    struct berth_scoring_choice forcefield;
    const char *receptor, *library;
    const char *out, *shard, *config;
    double min_rmsd, max_clash, strain_weight;
    double time_limit, checkpoint; /* s; time_limit 0: none */
    long long num_modes, top;
    unsigned long long seed;
    struct cli_box box;
    struct cli_search search;
    struct cli_devices devices;
    bool resume;
};

extern const struct berth_option SCREEN_OPTIONS[];

struct screen_values screen_defaults(void);

/* How the options say to search: the one place that says how a screen searches by default. */
struct berth_search_settings screen_search(const struct screen_values *values);

#endif
