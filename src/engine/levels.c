#include "engine/levels.h"

#include <stdio.h>
#include <string.h>

#define LEVEL_ROW(name, ...) {#name, __VA_ARGS__},
const struct berth_search_level BERTH_SEARCH_LEVELS[] = {BERTH_SEARCH_LEVEL_LIST(LEVEL_ROW){0}};

struct berth_search_settings berth_search_published(void)
{
    struct berth_search_settings settings =
        (struct berth_search_settings){.seed = 1,
                                       .poses = 65536,
                                       .generations = 8,
                                       .parents = 256,
                                       .exchange = 0.1f,
                                       .shift_first = 4.0f,
                                       .shift_last = 0.04f,
                                       .turn_first = 1.5f,
                                       .turn_last = 0.012f,
                                       .temperature_first = 2.0f,
                                       .temperature_last = 0.1f,
                                       .distinct_first = 0.5f,
                                       .distinct_last = 0.3f,
                                       .distinct_modes = 1.0f,
                                       .niche = 1.5f,
                                       .niche_places = 8,
                                       .steric_first = 0.2f,
                                       .soft_generations = 3,
                                       .refine = berth_refine_defaults()};
    settings.refine.poses = 0;
    return settings;
}

const struct berth_search_level *berth_search_level_find(const char *name)
{
    for (const struct berth_search_level *level = BERTH_SEARCH_LEVELS; level->name; level++) {
        if (strcmp(level->name, name) == 0) {
            return level;
        }
    }
    return NULL;
}

void berth_search_level_names(bool on_maps, char text[BERTH_SEARCH_LEVEL_NAMES])
{
    const char *names[sizeof BERTH_SEARCH_LEVELS / sizeof *BERTH_SEARCH_LEVELS];
    size_t count = 0, used = 0;
    for (const struct berth_search_level *level = BERTH_SEARCH_LEVELS; level->name; level++) {
        if (level->maps || !on_maps) {
            names[count++] = level->name;
        }
    }
    for (size_t i = 0; i < count && used < BERTH_SEARCH_LEVEL_NAMES; i++) {
        const char *before = i == 0 ? "" : i + 1 < count ? ", " : " or ";
        used += (size_t)snprintf(text + used, BERTH_SEARCH_LEVEL_NAMES - used, "%s%s", before,
                                 names[i]);
    }
}

static struct berth_search_settings rigid_at(const struct berth_search_level *level)
{
    struct berth_search_settings settings = berth_search_published();
    settings.poses = level->poses;
    settings.generations = level->generations;
    settings.parents = level->parents;
    settings.refine.hops = level->hops;
    if (level->refine > 0) {
        settings.shift_last = 0.3f;
        settings.turn_last = 0.1f;
        settings.distinct_first = 1;
        settings.distinct_last = 1;
        settings.niche_places = 2;
    }
    return settings;
}

struct berth_mapped_settings berth_mapped_defaults(void)
{
    return (struct berth_mapped_settings){.poses = 0,
                                          .parents = 32,
                                          .fresh = 0.4f,
                                          .generations = 16,
                                          .hops = 4,
                                          .evaluations = 40,
                                          .temperature = 0.12f,
                                          .distinct = 1.5f,
                                          .maps = berth_maps_defaults()};
}

/* What is refined was at the bottom of the maps already, so that it takes neither hops nor shakes;
 * the rigid search has nothing to do but to be there. */
static struct berth_search_settings mapped_at(const struct berth_search_level *level)
{
    struct berth_search_settings settings = berth_search_published();
    settings.mapped = berth_mapped_defaults();
    settings.mapped.poses = level->poses;
    settings.mapped.generations = level->generations;
    settings.mapped.parents = level->parents;
    settings.mapped.hops = level->hops;
    settings.mapped.closes = level->closes;
    settings.poses = settings.generations = 1;
    settings.refine.shakes = 0;
    settings.refine.torsions = true;
    return settings;
}

bool berth_pool_has(unsigned pool, size_t f)
{
    return (pool ? pool : 1U) >> f & 1;
}

size_t berth_pool_count(unsigned pool)
{
    size_t count = 0;
    for (size_t f = 0; f < BERTH_FUNCTIONS_MAX; f++) {
        count += berth_pool_has(pool, f);
    }
    return count;
}

/* Conformers per batch: enough poses to fill the device, never more than an eighth of its
 * memory (two batches are on their way at a time) or its largest buffer. */
size_t berth_search_fit(const struct berth_search_settings *settings,
                        const struct berth_device *device)
{
    if (settings->batch) {
        return settings->batch;
    }
    if (settings->mapped.poses) {
        const size_t of_cores = 512 * device->compute_units; /* 32 vectors of 16 poses each */
        const size_t mapped_poses = device->kind == BERTH_DEVICE_GPU ? 65536 : of_cores;
        const size_t batch = mapped_poses / settings->mapped.poses;
        return batch < 1 ? 1 : batch;
    }
    const size_t wanted_poses =
        device->kind == BERTH_DEVICE_GPU ? (size_t)1 << 22 : (size_t)1 << 17;
    size_t batch = wanted_poses / settings->poses;
    const uint64_t bytes_per_conformer = (uint64_t)settings->poses * 36;
    const uint64_t largest =
        device->memory / 8 < device->memory_block ? device->memory / 8 : device->memory_block;
    if (batch > largest / bytes_per_conformer) {
        batch = (size_t)(largest / bytes_per_conformer);
    }
    return batch < 1 ? 1 : batch > 4096 ? 4096 : batch;
}

double berth_search_pairs_per_atom(const struct berth_search_settings *settings, size_t receptor)
{
    return settings->mapped.poses
               ? 0
               : (double)receptor * (double)settings->poses * (double)settings->generations;
}

struct berth_search_settings berth_search_at(const struct berth_search_level *level)
{
    struct berth_search_settings settings = level->maps ? mapped_at(level) : rigid_at(level);
    settings.refine.poses = level->refine < level->parents ? level->refine : level->parents;
    settings.refine.evaluations = level->evaluations;
    return settings;
}
