#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "base/locale.h"
#include "base/memory.h"
#include "device/device.h"
#include "options/tables.h"
#include "score/ranking_file.h"

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

enum berth_status berth_rank_functions(const char *rank, char *functions, size_t size,
                                       struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    struct berth_ranking_texts texts = {0};
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(rank), BERTH_ARGUMENT(functions)));
    enum berth_status status = berth_ranking_find(rank, &texts, error);
    if (!status &&
        (size_t)snprintf(functions, size, "%s", texts.scoring ? texts.scoring : "") >= size) {
        status =
            berth_fail_option(error, BERTH_E_USAGE, "rank",
                              "rank: the functions that it names do not fit in %zu bytes", size);
    }
    berth_ranking_texts_clear(&texts);
    return status;
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

void berth_search_defaults(struct berth_search_options *options, size_t size)
{
    struct berth_search_options defaults = berth_screen_request().search;
    defaults.search = NULL; /* dockings and screens differ in it */
    berth_api_give(&defaults, sizeof defaults, options, size);
}

enum berth_status berth_api_search(const struct berth_search_options *options,
                                   struct berth_search_options *search, struct berth_error *error)
{
    const char *level = search->search;
    const enum berth_status status =
        berth_api_take(options, "berth_search_defaults", search, sizeof *search, error);
    search->search = search->search ? search->search : level;
    return status;
}

static enum berth_value_kind kind_of(const struct berth_option *option)
{
    switch (option->kind) {
    case BERTH_OPTION_FLAG:
        return BERTH_VALUE_FLAG;
    case BERTH_OPTION_INTEGER:
    case BERTH_OPTION_UNSIGNED:
        return BERTH_VALUE_WHOLE;
    case BERTH_OPTION_REAL:
        return BERTH_VALUE_REAL;
    default:
        return BERTH_VALUE_TEXT;
    }
}

enum berth_status berth_options_list(const char *run,
                                     void (*take)(void *context,
                                                  const struct berth_option_info *option),
                                     void *context, struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    const enum berth_status status = BERTH_NEED(error, BERTH_ARGUMENT(run), BERTH_ARGUMENT(take));
    const struct berth_option *row = status ? NULL : berth_options_table(run);
    const char *group = "";
    if (status || !row) {
        return status ? status
                      : berth_fail(error, BERTH_E_USAGE,
                                   "'%s' is no run: dock, screen, score, merge, prep ligands, prep "
                                   "receptor and selftest are",
                                   run);
    }
    for (; !berth_option_is_end(row); row++) {
        group = row->name ? group : row->help;
        if (!row->name || berth_option_is_foreign(row) || row->kind == BERTH_OPTION_CONFIG) {
            continue;
        }
        const struct berth_option_info info = {.name = row->name,
                                               .kind = kind_of(row),
                                               .group = group,
                                               .help = row->help,
                                               .argument = row->argument,
                                               .unit = row->unit,
                                               .standard = row->initial,
                                               .standard_text = row->initial_text,
                                               .min = row->min,
                                               .max = row->max,
                                               .required = row->required};
        take(context, &info);
    }
    return BERTH_OK;
}

enum berth_status berth_api_copy(const char *text, char **copy, struct berth_error *error)
{
    *copy = text ? berth_copy_text(text) : NULL;
    return text && !*copy ? berth_out_of_memory(error, NULL) : BERTH_OK;
}
