#include "cli/head.h"

#include <stdio.h>

void head_print_target(const struct head_target *target)
{
    const double *center = target->site->center, *size = target->site->size;
    const struct berth_scoring *scoring = &target->receptor->scoring;
    const char *forcefield = scoring->forcefield.name; /* that of BUDE's types */
    cli_print("receptor %s: %zu heavy atoms, %s%s%sscoring %s", target->path,
              target->receptor->heavy.count, forcefield ? "forcefield " : "",
              forcefield ? forcefield : "", forcefield ? ", " : "", scoring->name);
    printf("site (%.3f, %.3f, %.3f), edges %.2f x %.2f x %.2f \xc3\x85\n", center[0], center[1],
           center[2], size[0], size[1], size[2]);
}

void head_print_devices(const struct berth_devices *devices, const struct berth_docking *docking)
{
    for (size_t i = 0; i < devices->count; i++) {
        char text[BERTH_VARIANT_TEXT];
        const struct berth_variant variant = berth_docking_variant(docking, i);
        berth_variant_print(&variant, text);
        printf("device %zu: %s, variant %s\n", devices->devices[i].index, devices->devices[i].name,
               text);
    }
}

void head_print_search(unsigned long long seed, const struct cli_search *search,
                       const struct berth_docking *docking)
{
    const struct berth_refine_settings *refine = &berth_docking_settings(docking)->refine;
    printf("seed %llu, %lld poses x %lld generations\n", seed, search->poses, search->generations);
    if (refine->poses) {
        printf("refined: the best %zu poses of each conformer, %s, %zu hop%s\n", refine->poses,
               refine->torsions ? "with torsions" : "rigid", refine->hops,
               refine->hops == 1 ? "" : "s");
    }
}
