/* What dock and screen print first. */
#ifndef BERTH_CLI_HEAD_H
#define BERTH_CLI_HEAD_H

#include "cli/common.h"
#include "cli/search_options.h"
#include "dock/docking.h"

/* The receptor, how it scores, and the site. */
struct head_target {
    const char *path;
    const struct berth_typed_receptor *receptor;
    const struct berth_scoring_choice *forcefield;
    const struct berth_site *site;
};

void head_print_target(const struct head_target *target);

/* The devices, and the variants that they run. */
void head_print_devices(const struct berth_devices *devices, const struct berth_docking *docking);

/* The search and the refinement. */
void head_print_search(unsigned long long seed, const struct cli_search *search,
                       const struct berth_docking *docking);

#endif
