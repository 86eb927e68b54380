#include "cli/search_options.h"

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

enum berth_status cli_search_complete(const struct berth_option *table,
                                      const struct berth_parsed *parsed, struct cli_search *search,
                                      struct berth_error *error)
{
    const struct berth_search_level *level = berth_search_level_find(search->level);
    if (!level) {
        return berth_fail(error, BERTH_E_USAGE,
                          "--search: '%s' is not a search: take fast, balanced, thorough or "
                          "published",
                          search->level);
    }
    complete(table, parsed, "poses", level->poses, &search->poses);
    complete(table, parsed, "generations", level->generations, &search->generations);
    complete(table, parsed, "parents", level->parents, &search->parents);
    complete(table, parsed, "refine", level->refine, &search->refine.poses);
    complete(table, parsed, "refine_evaluations", level->evaluations, &search->refine.evaluations);
    complete(table, parsed, "hops", level->hops, &search->refine.hops);
    return BERTH_OK;
}

struct berth_search_settings cli_search_settings(const struct cli_search *search)
{
    struct berth_search_settings settings = berth_search_at(berth_search_level_find(search->level));
    settings.poses = (size_t)search->poses;
    settings.generations = (size_t)search->generations;
    settings.parents = (size_t)search->parents;
    settings.refine = cli_refine_settings(&search->refine, settings.parents);
    return settings;
}
