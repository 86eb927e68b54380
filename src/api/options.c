#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/locale.h"
#include "base/memory.h"
#include "device/device.h"
#include "options/options.h"
#include "run/search.h"
#include "score/ranking.h"

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

enum berth_status berth_options_ranking(const berth_options *options, const char **rank,
                                        char *functions, size_t size, struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    struct berth_ranking_texts texts = {0};
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(options), BERTH_ARGUMENT(rank),
                         BERTH_ARGUMENT(functions)));
    *rank = berth_search_options_ranking(options);
    enum berth_status status = *rank && !berth_options_has(options, "scoring")
                                   ? berth_ranking_find(*rank, &texts, error)
                                   : BERTH_OK;
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

/* The bit of a run that programs can have. */
static enum berth_status run_named(const char *run, unsigned *bit, struct berth_error *error)
{
    *bit = berth_run_of(run) & ~(BERTH_RUN_CAMPAIGN | BERTH_RUN_REDOCK | BERTH_RUN_SERVE);
    return *bit ? BERTH_OK
                : berth_fail(error, BERTH_E_USAGE,
                             "'%s' is no run: dock, screen, score, merge, prep ligands, prep "
                             "receptor and selftest are",
                             run);
}

enum berth_status berth_options_create(const char *run, berth_options **options,
                                       struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    if (options) {
        *options = NULL;
    }
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(run), BERTH_ARGUMENT(options)));
    unsigned bit;
    BERTH_TRY(run_named(run, &bit, error));
    BERTH_TRY(berth_make(options, 1, sizeof **options, NULL, error));
    const enum berth_status status = berth_options_begin(bit, false, *options, error);
    if (status) {
        berth_options_free(*options);
        *options = NULL;
    }
    return status;
}

enum berth_status berth_options_set(berth_options *options, const char *name, const char *value,
                                    struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(options), BERTH_ARGUMENT(name)));
    return berth_options_put(options->rows, options, &options->parsed, name, value, error);
}

void berth_options_stop_at(berth_options *options, const void *stop)
{
    if (options) {
        options->stop = stop;
    }
}

void berth_options_free(berth_options *options)
{
    if (options) {
        berth_options_clear(options);
        free(options);
    }
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
    struct berth_options options;
    unsigned bit;
    const char *group = "";
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(run), BERTH_ARGUMENT(take)));
    BERTH_TRY(run_named(run, &bit, error));
    BERTH_TRY(berth_options_begin(bit, false, &options, error));
    for (const struct berth_option *row = options.rows; !berth_option_is_end(row); row++) {
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
                                               .required = row->required,
                                               .fallback = row->fallback};
        take(context, &info);
    }
    berth_options_clear(&options);
    return BERTH_OK;
}

enum berth_status berth_api_copy(const char *text, char **copy, struct berth_error *error)
{
    *copy = text ? berth_copy_text(text) : NULL;
    return text && !*copy ? berth_out_of_memory(error, NULL) : BERTH_OK;
}
