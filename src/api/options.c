#include <string.h>

#include "api/api.h"
#include "base/memory.h"
#include "device/process.h"
#include "engine/search.h"

const char *berth_version(void)
{
    return BERTH_VERSION;
}

const char *berth_status_text(enum berth_status status)
{
    static const char *const TEXTS[] = {[BERTH_OK] = "no error",
                                        [BERTH_E_USAGE] = "an argument that makes no sense",
                                        [BERTH_E_MEMORY] = "out of memory",
                                        [BERTH_E_IO] = "a file cannot be read or written",
                                        [BERTH_E_FORMAT] = "a file is not what its format says",
                                        [BERTH_E_TYPE] = "an atom type that the forcefield lacks",
                                        [BERTH_E_DEVICE] = "an OpenCL device, or none",
                                        [BERTH_E_DEVICE_MEMORY] = "out of a device's memory",
                                        [BERTH_E_RESULT] =
                                            "a device computed something that cannot be right"};
    return (size_t)status < sizeof TEXTS / sizeof *TEXTS ? TEXTS[status] : "an unknown status";
}

enum berth_status berth_api_need(const struct berth_api_argument *arguments,
                                 struct berth_error *error)
{
    while (arguments->name && arguments->given) {
        arguments++;
    }
    return arguments->name ? berth_fail(error, BERTH_E_USAGE,
                                        "the argument %s is NULL, and is needed: berth.h says what "
                                        "it is to be",
                                        arguments->name)
                           : BERTH_OK;
}

enum berth_status berth_api_need_texts(const char *name, const char *const *texts, size_t count,
                                       struct berth_error *error)
{
    bool given = texts || !count;
    for (size_t i = 0; given && i < count; i++) {
        given = texts[i] != NULL;
    }
    return berth_api_need((const struct berth_api_argument[]){{name, given}, {NULL, true}}, error);
}

enum { IN_CALL = 1, TO_BE_FREED = 2 };

enum berth_status berth_api_enter(struct berth_api_use *use, const char *what,
                                  struct berth_error *error)
{
    enum berth_status status = berth_process_check(error);
    if (!status && (atomic_fetch_or(&use->state, IN_CALL) & IN_CALL)) {
        status = berth_fail(error, BERTH_E_USAGE,
                            "the %s is in use, by another thread or by the call whose callback "
                            "this is: a handle is for one call at a time",
                            what);
    }
    return status;
}

bool berth_api_leave(struct berth_api_use *use)
{
    return atomic_fetch_and(&use->state, ~IN_CALL) & TO_BE_FREED;
}

bool berth_api_is_free(struct berth_api_use *use)
{
    return !(atomic_fetch_or(&use->state, TO_BE_FREED) & IN_CALL) && !berth_process_check(NULL);
}

enum berth_status berth_api_take(const void *options, const char *name, void *mine, size_t size,
                                 struct berth_error *error)
{
    size_t given = 0;
    if (!options) {
        return BERTH_OK;
    }
    memcpy(&given, options, sizeof given);
    if (given < sizeof given || given > size) {
        return berth_fail(error, BERTH_E_USAGE,
                          "the options have a size of %zu bytes, where libberth %s knows %zu: fill "
                          "them by %s, of this version or an earlier one, first",
                          given, BERTH_VERSION, size, name);
    }
    memcpy(mine, options, given);
    memcpy(mine, &size, sizeof size);
    return BERTH_OK;
}

void berth_api_give(const void *defaults, size_t all, void *options, size_t size)
{
    const size_t known = size < all ? size : all;
    if (!options || size < sizeof known) {
        return;
    }
    memset(options, 0, size);
    memcpy(options, defaults, known);
    memcpy(options, &known, sizeof known);
}

enum berth_status berth_search_level(const char *level, struct berth_search_options *options,
                                     size_t size, struct berth_error *error)
{
    enum berth_status status = BERTH_NEED(error, BERTH_ARGUMENT(level), BERTH_ARGUMENT(options));
    if (status) {
        return status;
    }
    const struct berth_search_level *found = berth_search_level_find(level);
    if (!found) {
        char names[BERTH_SEARCH_LEVEL_NAMES];
        berth_search_level_names(false, names);
        return berth_fail(error, BERTH_E_USAGE, "'%s' is not a search: take %s", level, names);
    }
    const struct berth_search_options defaults = {.size = sizeof defaults,
                                                  .level = found->name,
                                                  .poses = found->poses,
                                                  .generations = found->generations,
                                                  .parents = found->parents,
                                                  .refine = found->refine,
                                                  .evaluations = found->evaluations,
                                                  .hops = found->hops,
                                                  .torsions = found->maps,
                                                  .seed = 1,
                                                  .check_every = 100,
                                                  .patience = 600};
    berth_api_give(&defaults, sizeof defaults, options, size);
    return BERTH_OK;
}

enum berth_status berth_api_search(const struct berth_search_options *options, const char *level,
                                   struct berth_search_options *search, struct berth_error *error)
{
    enum berth_status status = berth_search_level(level, search, sizeof *search, error);
    BERTH_THEN(berth_api_take(options, "berth_search_level", search, sizeof *search, error));
    if (!status && !(search->level && berth_search_level_find(search->level))) {
        status = berth_fail(error, BERTH_E_USAGE,
                            "the level of a search is changed by berth_search_level alone");
    }
    return status;
}

struct berth_search_settings berth_api_settings(const struct berth_search_options *search,
                                                double min_rmsd)
{
    struct berth_search_level level = *berth_search_level_find(search->level);
    level.poses = search->poses;
    level.generations = search->generations;
    level.parents = search->parents;
    level.refine = search->refine;
    level.evaluations = search->evaluations;
    level.hops = search->hops;
    struct berth_search_settings settings = berth_search_at(&level);
    settings.seed = search->seed;
    settings.batch = search->batch;
    settings.refine.torsions = level.maps || search->torsions;
    if (min_rmsd < settings.distinct_modes) {
        settings.distinct_modes = (float)min_rmsd;
    }
    return settings;
}

enum berth_status berth_api_copy(const char *text, char **copy, struct berth_error *error)
{
    *copy = text ? berth_copy_text(text) : NULL;
    return text && !*copy ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

void *berth_api_new(size_t size, struct berth_error *error)
{
    void *made = berth_alloc(1, size);
    if (!made) {
        berth_out_of_memory(error, NULL);
    }
    return made;
}
