#include "run/search.h"

#include <string.h>

#include "base/text.h"
#include "surface/surface_scan.h"

/* exhaustiveness is another way to say poses. */
static enum berth_status take_exhaustiveness(const struct berth_options *options, bool surface,
                                             struct berth_search_level *level,
                                             struct berth_error *error)
{
    if (options->exhaustiveness < 0) {
        return BERTH_OK;
    }
    if (!level->maps) {
        char names[BERTH_SEARCH_LEVEL_NAMES];
        berth_search_level_names(true, names);
        return berth_fail_option(error, BERTH_E_USAGE, "exhaustiveness",
                                 "exhaustiveness: the search %s is not on maps; take poses there, "
                                 "or the search %s",
                                 level->name, names);
    }
    if (options->poses >= 0) {
        return berth_fail_option(error, BERTH_E_USAGE, "exhaustiveness",
                                 "exhaustiveness and poses say the same twice; give one of them");
    }
    level->poses = (size_t)options->exhaustiveness *
                   (surface ? BERTH_EXHAUSTIVENESS_SURFACE : BERTH_EXHAUSTIVENESS_POSES);
    return BERTH_OK;
}

static void replace(size_t *number, int64_t given)
{
    *number = given < 0 ? *number : (size_t)given;
}

enum berth_status berth_search_options_level(const struct berth_options *options, bool surface,
                                             struct berth_search_level *level,
                                             struct berth_error *error)
{
    const struct berth_search_level *found =
        (surface ? berth_surface_level : berth_search_level_find)(options->search);
    if (!found) {
        char names[BERTH_SEARCH_LEVEL_NAMES];
        berth_search_level_names(surface, names);
        return berth_fail_option(error, BERTH_E_USAGE, "search",
                                 "search: '%s' is not a search%s: take %s", options->search,
                                 surface ? " of a whole surface" : "", names);
    }
    *level = *found;
    replace(&level->poses, options->poses);
    replace(&level->generations, options->generations);
    replace(&level->parents, options->parents);
    replace(&level->refine, options->refine);
    replace(&level->evaluations, options->refine_evaluations);
    replace(&level->hops, options->hops);
    return take_exhaustiveness(options, surface, level, error);
}

enum berth_status berth_search_options_metals(const struct berth_options *options,
                                              const struct berth_search_level *level,
                                              enum berth_metal_sites *metals,
                                              struct berth_error *error)
{
    static const char *const NAMES[] = {[BERTH_METAL_SITES_OFF] = "off",
                                        [BERTH_METAL_SITES_AUTO] = "auto",
                                        [BERTH_METAL_SITES_ON] = "on"};
    const char *sites = options->metal_sites ? options->metal_sites : "auto";
    *metals = BERTH_METAL_SITES_OFF;
    for (int i = 0; i < 3; i++) {
        if (strcmp(sites, NAMES[i]) == 0) {
            *metals = level->maps ? (enum berth_metal_sites)i : BERTH_METAL_SITES_OFF;
            return BERTH_OK;
        }
    }
    return berth_fail_option(error, BERTH_E_USAGE, "metal_sites",
                             "metal_sites: auto, on or off, not \"%s\"", sites);
}

const char *berth_search_options_ranking(const struct berth_options *options)
{
    struct berth_search_level level;
    struct berth_error ignored;
    const bool searches = options->run & (BERTH_RUNS_DOCK | BERTH_RUN_REDOCK);
    return options->rank || !searches || options->site || berth_options_has(options, "scoring") ||
                   berth_options_has(options, "strain_weight") ||
                   berth_search_options_level(options, false, &level, &ignored) || !level.maps ||
                   !level.refine
               ? options->rank
           : options->run & (BERTH_RUNS_SCREEN | BERTH_RUN_SERVE) ? "screening"
                                                                  : "consensus";
}

/* The number of the function with that name, of length; their count where there is none. */
static size_t function_named(const struct berth_judges *functions, const char *name, size_t length)
{
    size_t f = 0;
    while (f < functions->count && (strncmp(functions->names[f], name, length) != 0 ||
                                    functions->names[f][length] != '\0')) {
        f++;
    }
    return f;
}

enum berth_status berth_search_options_pool(const struct berth_options *options,
                                            const char *ranking,
                                            const struct berth_judges *functions, unsigned *pool,
                                            struct berth_error *error)
{
    const char *rest = options->pool ? options->pool : ranking;
    *pool = 0;
    while (rest) {
        const size_t length = strcspn(rest, ",");
        const size_t f = function_named(functions, rest, length);
        if (f == functions->count) {
            berth_fail_option(error, BERTH_E_USAGE, options->pool ? "pool" : "rank",
                              "pool: %.*s is none of the scoring functions", (int)length, rest);
            for (size_t k = 0; k < functions->count; k++) {
                berth_text_append(error->message, sizeof error->message, "%s%s",
                                  k ? ", " : "; there are ", functions->names[k]);
            }
            return BERTH_E_USAGE;
        }
        *pool |= 1U << f;
        rest = rest[length] ? rest + length + 1 : NULL;
    }
    return BERTH_OK;
}

struct berth_search_settings berth_search_options_settings(const struct berth_options *options,
                                                           const struct berth_search_level *level,
                                                           double min_rmsd, unsigned pool)
{
    struct berth_search_settings settings = berth_search_at(level);
    settings.seed = options->seed;
    settings.batch = options->batch;
    settings.in_turn = options->profile;
    settings.pool = options->pool || settings.refine.poses ? pool : 0;
    settings.refine.torsions = level->maps || options->refine_torsions;
    if (min_rmsd < settings.distinct_modes) {
        settings.distinct_modes = (float)min_rmsd;
    }
    return settings;
}

enum berth_status berth_search_options_bound(const struct berth_site *site,
                                             struct berth_search_settings *settings,
                                             struct berth_error *error)
{
    if (!site->atoms) {
        return BERTH_OK;
    }
    settings->mapped.maps.margin = settings->mapped.maps.radius = 0;
    return settings->mapped.poses
               ? BERTH_OK
               : berth_fail_option(error, BERTH_E_USAGE, "box",
                                   "box: atoms are kept in it by a search on maps (search fastest, "
                                   "fast, balanced or thorough)");
}

enum berth_status berth_search_options_template(const struct berth_options *options,
                                                struct berth_template_setup *setup,
                                                struct berth_error *error)
{
    const char *no_core = options->no_core ? options->no_core : "free";
    *setup = (struct berth_template_setup){.path = options->template_file,
                                           .core = options->core,
                                           .tolerance = options->core_tolerance,
                                           .weight = options->core_weight,
                                           .least = options->min_core,
                                           .refuses = strcmp(no_core, "refuse") == 0};
    return setup->refuses || strcmp(no_core, "free") == 0
               ? BERTH_OK
               : berth_fail_option(error, BERTH_E_USAGE, "no_core",
                                   "no_core: free or refuse, not \"%s\"", no_core);
}
