#include "report/run_head.h"

#include "base/text.h"

void berth_run_head_target(const struct berth_run_head *head)
{
    const double *center = head->site->center, *size = head->site->size;
    const struct berth_ensemble *receptors = head->receptors;
    const struct berth_scoring *scoring = &receptors->receptors[0]->scoring;
    const char *forcefield = scoring->forcefield.name; /* that of BUDE's types */
    for (size_t i = 0; i < receptors->count; i++) {
        const char *name = berth_receptor_name(&receptors->names, i);
        berth_text_print(head->file, "receptor %s%s%s: %zu heavy atoms, %s%s%sscoring %s",
                         receptors->paths[i], *name ? ", called " : "", name,
                         receptors->receptors[i]->heavy.count, forcefield ? "forcefield " : "",
                         forcefield ? forcefield : "", forcefield ? ", " : "", scoring->name);
    }
    fprintf(head->file, "site (%.3f, %.3f, %.3f), edges %.2f x %.2f x %.2f \xc3\x85\n", center[0],
            center[1], center[2], size[0], size[1], size[2]);
}

void berth_run_head_surface(FILE *file, const struct berth_surface *surface)
{
    fprintf(file, "surface: %zu searches in %zu part%s, whose maps take %.0f MiB\n",
            surface->place_count, surface->part_count, surface->part_count == 1 ? "" : "s",
            surface->bytes / 1048576);
}

void berth_run_head_devices(FILE *file, const struct berth_devices *devices,
                            const struct berth_docking *docking)
{
    for (size_t i = 0; i < devices->count; i++) {
        char text[BERTH_VARIANT_TEXT];
        const struct berth_variant variant = berth_docking_variant(docking, i);
        berth_variant_print(&variant, text);
        fprintf(file, "device %zu: %s, variant %s\n", devices->devices[i].index,
                devices->devices[i].name, text);
    }
}

void berth_run_head_search(FILE *file, unsigned long long seed, const long long effort[2],
                           const struct berth_docking *docking)
{
    const struct berth_search_settings *settings = berth_docking_settings(docking);
    const struct berth_refine_settings *refine = &settings->refine;
    fprintf(file, "seed %llu, %lld poses x %lld generations\n", seed, effort[0], effort[1]);
    if (settings->mapped.poses) {
        fprintf(file,
                "refined: the best %zu poses, which a ligand's conformers share, with torsions\n",
                refine->poses);
    } else if (refine->poses) {
        fprintf(file, "refined: the best %zu poses of each conformer, %s, %zu hop%s\n",
                refine->poses, refine->torsions ? "with torsions" : "rigid", refine->hops,
                refine->hops == 1 ? "" : "s");
    }
}
