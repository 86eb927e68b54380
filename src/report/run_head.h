/* What dock and screen print first. */
#ifndef BERTH_REPORT_RUN_HEAD_H
#define BERTH_REPORT_RUN_HEAD_H

#include <stdio.h>

#include "chem/site.h"
#include "dock/docking.h"
#include "dock/ensemble.h"
#include "dock/surface/surface.h"

/* Everything is borrowed. */
struct berth_run_head {
    FILE *file;
    const struct berth_ensemble *receptors;
    const struct berth_site *site;
};

/* The receptors, how they score, and the site. */
void berth_run_head_target(const struct berth_run_head *head);

/* Of a docking to a whole surface: how many searches, and the memory that they take. */
void berth_run_head_surface(FILE *file, const struct berth_surface *surface);

/* The devices, and the variants that they run. */
void berth_run_head_devices(FILE *file, const struct berth_devices *devices,
                            const struct berth_docking *docking);

/* The search (poses of a conformer, generations) and the refinement. */
void berth_run_head_search(FILE *file, unsigned long long seed, const long long effort[2],
                           const struct berth_docking *docking);

#endif
