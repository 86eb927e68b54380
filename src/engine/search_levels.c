#include <string.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/search.h"

/* The search and the refinement of `balanced` spend a quarter of the published evaluations. */
const struct berth_search_level BERTH_SEARCH_LEVELS[] = {
    {"fast", 4096, 8, 64, 8, 400, 0},
    {"balanced", 16384, 7, 128, 16, 340, 2},
    {"thorough", 65536, 8, 256, 32, 400, 2},
    {"published", 65536, 8, 256, 0, 400, 0},
    {0},
};

const struct berth_search_level *berth_search_level_find(const char *name)
{
    for (const struct berth_search_level *level = BERTH_SEARCH_LEVELS; level->name; level++) {
        if (strcmp(level->name, name) == 0) {
            return level;
        }
    }
    return NULL;
}

struct berth_search_settings berth_search_at(const struct berth_search_level *level)
{
    struct berth_search_settings settings = berth_search_defaults();
    settings.poses = level->poses;
    settings.generations = level->generations;
    settings.parents = level->parents;
    settings.refine.poses = level->refine;
    if (getenv("BERTH_MAPPED")) {
        settings.mapped = berth_mapped_defaults();
        const char *text = getenv("BERTH_MAPPED");
        sscanf(text, "%zu,%zu,%f,%f,%zu,%zu,%zu,%f,%f,%f,%f,%f", &settings.mapped.poses, &settings.mapped.parents, &settings.mapped.fresh, &settings.mapped.distinct, &settings.mapped.generations, &settings.mapped.hops, &settings.mapped.evaluations, &settings.mapped.temperature, &settings.mapped.maps.spacing, &settings.mapped.maps.margin, &settings.mapped.maps.wall, &settings.mapped.maps.most);
        settings.poses = 256;
        settings.refine.torsions = true;
    }
    settings.refine.evaluations = level->evaluations;
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
