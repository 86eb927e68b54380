#include "cli/search_options.h"

#include "dock/surface/surface.h"

struct cli_search cli_search_defaults(const char *level)
{
    return (struct cli_search){.level = level, .refine = cli_refine_defaults()};
}

struct cli_devices cli_devices_defaults(void)
{
    return (struct cli_devices){.batch_limit = 600, .check = 100};
}

static void complete(const struct berth_option *table, const struct berth_parsed *parsed,
                     const char *name, size_t level, long long *value)
{
    if (!berth_options_given(table, parsed, name)) {
        *value = (long long)level;
    }
}

/* --exhaustiveness is another way to say --poses. */
static enum berth_status take_exhaustiveness(const struct berth_option *table,
                                             const struct berth_parsed *parsed,
                                             const struct berth_search_level *level,
                                             struct cli_search *search, struct berth_error *error)
{
    if (!berth_options_given(table, parsed, "exhaustiveness")) {
        return BERTH_OK;
    }
    if (!level->maps) {
        char names[BERTH_SEARCH_LEVEL_NAMES];
        berth_search_level_names(true, names);
        return berth_fail(error, BERTH_E_USAGE,
                          "--exhaustiveness: --search %s is not on maps; take --poses there, or "
                          "--search %s",
                          level->name, names);
    }
    if (berth_options_given(table, parsed, "poses")) {
        return berth_fail(error, BERTH_E_USAGE,
                          "--exhaustiveness and --poses say the same twice; give one of them");
    }
    search->poses = search->exhaustiveness *
                    (search->surface ? CLI_EXHAUSTIVENESS_SURFACE : CLI_EXHAUSTIVENESS_POSES);
    return BERTH_OK;
}

static const struct berth_search_level *level_of(const struct cli_search *search)
{
    return (search->surface ? berth_surface_level : berth_search_level_find)(search->level);
}

enum berth_status cli_search_complete(const struct berth_option *table,
                                      const struct berth_parsed *parsed, struct cli_search *search,
                                      struct berth_error *error)
{
    const struct berth_search_level *level = level_of(search);
    if (!level) {
        char names[BERTH_SEARCH_LEVEL_NAMES];
        berth_search_level_names(search->surface, names);
        return berth_fail(error, BERTH_E_USAGE, "--search: '%s' is not a search%s: take %s",
                          search->level, search->surface ? " of --site surface" : "", names);
    }
    complete(table, parsed, "poses", level->poses, &search->poses);
    complete(table, parsed, "generations", level->generations, &search->generations);
    complete(table, parsed, "parents", level->parents, &search->parents);
    complete(table, parsed, "refine", level->refine, &search->refine.poses);
    complete(table, parsed, "refine_evaluations", level->evaluations, &search->refine.evaluations);
    complete(table, parsed, "hops", level->hops, &search->refine.hops);
    return take_exhaustiveness(table, parsed, level, search, error);
}

struct berth_search_settings cli_search_settings(const struct cli_search *search)
{
    struct berth_search_level level = *level_of(search);
    level.poses = (size_t)search->poses;
    level.generations = (size_t)search->generations;
    level.parents = (size_t)search->parents;
    level.refine = (size_t)search->refine.poses;
    level.evaluations = (size_t)search->refine.evaluations;
    level.hops = (size_t)search->refine.hops;
    struct berth_search_settings settings = berth_search_at(&level);
    settings.refine.torsions = level.maps || search->refine.torsions;
    return settings;
}
