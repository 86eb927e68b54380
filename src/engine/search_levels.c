#include <string.h>

#include "engine/search.h"

/* Rigid searches: `rigid_balanced` spends a quarter of the published evaluations.  bench/RESULTS.md
 * has what each level finds, and what it costs. */
const struct berth_search_level BERTH_SEARCH_LEVELS[] = {
    {"fast", true, 96, 10, 16, 4, 60, 4, false},
    {"balanced", true, 256, 16, 32, 12, 100, 4, true},
    {"thorough", true, 512, 32, 64, 16, 200, 4, true},
    {"rigid_fast", false, 4096, 8, 64, 8, 400, 0, false},
    {"rigid_balanced", false, 16384, 7, 128, 16, 340, 2, false},
    {"rigid_thorough", false, 65536, 8, 256, 32, 400, 2, false},
    {"published", false, 65536, 8, 256, 0, 400, 0, false},
    {0},
};

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
