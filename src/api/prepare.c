/* Preparing ligands, as `berth prep ligands` does. */
#include <limits.h>
#include <sys/stat.h>

#include "api/api.h"
#include "base/parallel.h"
#include "format/failures.h"
#include "options/tables.h"
#include "prep/ligands/ligands.h"
#include "prep/ligands/request.h"

void berth_prepare_ligands_defaults(struct berth_prepare_ligands_options *options, size_t size)
{
    const struct berth_prepare_ligands_options defaults = berth_prepare_ligands_request().prepare;
    berth_api_give(&defaults, sizeof defaults, options, size);
}

/* The caller's progress, and what it answered. */
struct telling {
    berth_progress_call call;
    void *context;
    atomic_bool stop;
};

static struct berth_progress progress_of(const struct berth_ligands_progress *progress, bool last)
{
    return (struct berth_progress){.total = progress->total,
                                   .before = progress->before,
                                   .done = progress->done,
                                   .failed = progress->failed,
                                   .finished = last,
                                   .seconds = progress->seconds,
                                   .conformers = progress->conformers,
                                   .dropped = progress->dropped,
                                   .ligands = progress->ligands,
                                   .records = progress->records,
                                   .estimated = progress->estimated};
}

static void show(void *context, const struct berth_ligands_progress *progress, bool last)
{
    struct telling *telling = context;
    struct berth_progress told = progress_of(progress, false);
    told.computed = last;
    if (telling->call(telling->context, &told) && !last) {
        atomic_store(&telling->stop, true);
    }
}

/* request: complete. */
static enum berth_status check(const struct berth_prepare_ligands_request *request,
                               const char *failures, struct berth_error *error)
{
    const struct berth_prepare_ligands_options *options = &request->prepare;
    enum berth_status status = berth_options_check(BERTH_PREPARE_LIGANDS_TABLE, request, error);
    if (!status && options->resume && options->overwrite) {
        status = berth_fail_option(error, BERTH_E_USAGE, "overwrite",
                                   "resume and overwrite exclude each other");
    }
    BERTH_THEN(berth_output_probe(options->out, error));
    BERTH_THEN(berth_output_probe(failures, error));
    struct stat facts;
    if (!status && !options->resume && !options->overwrite && stat(options->out, &facts) == 0 &&
        S_ISREG(facts.st_mode)) {
        status = berth_fail_option(error, BERTH_E_USAGE, "overwrite",
                                   "%s: exists already; give another name, or overwrite it",
                                   options->out);
    }
    return status;
}

/* No input is what is to be written. */
static enum berth_status check_inputs(const struct berth_ligand_inputs *inputs, const char *out,
                                      const char *failures, struct berth_error *error)
{
    for (size_t i = 0; i < inputs->count; i++) {
        const char *path = inputs->files[i].path;
        const bool library = berth_output_is_file(out, path);
        if (library || berth_output_is_file(failures, path)) {
            return berth_fail_option(error, BERTH_E_USAGE, library ? "out" : "failures",
                                     "an input and an output are the same file, %s; give the "
                                     "output another name",
                                     path);
        }
    }
    return BERTH_OK;
}

static struct berth_ligands_settings
settings_of(const struct berth_prepare_ligands_options *options,
            const struct berth_ligands_plan *plan, struct telling *telling)
{
    return (struct berth_ligands_settings){.preparation = plan->preparation,
                                           .out = options->out,
                                           .note = plan->note,
                                           .forcefield = options->forcefield,
                                           .mode = options->resume      ? BERTH_LIBRARY_RESUME
                                                   : options->overwrite ? BERTH_LIBRARY_REPLACE
                                                                        : BERTH_LIBRARY_NEW,
                                           .jobs =
                                               options->jobs ? options->jobs : berth_processors(),
                                           .unique = options->drop_duplicates,
                                           .log = options->log,
                                           .stop = &telling->stop,
                                           .show = telling->call ? show : NULL,
                                           .context = telling};
}

/* request: complete, and checked. */
static enum berth_status prepare(const struct berth_prepare_ligands_request *request,
                                 const char *failures, struct berth_ligands_progress *progress,
                                 struct berth_error *error)
{
    const struct berth_prepare_ligands_options *options = &request->prepare;
    struct telling telling = {.call = options->progress, .context = options->context};
    const struct berth_ligand_sources sources = {.items = request->inputs.items,
                                                 .count = request->inputs.count,
                                                 .list = options->list,
                                                 .format = options->format,
                                                 .limit = 10 * options->time_limit,
                                                 .stop = &telling.stop,
                                                 .log = options->log};
    struct berth_ligand_inputs files = {.count = 0};
    struct berth_ligands_plan plan = {.note = NULL};
    atomic_init(&telling.stop, false);
    enum berth_status status = berth_ligands_plan_create(options, request->inputs.items,
                                                         request->inputs.count, &plan, error);
    BERTH_THEN(check(request, failures, error));
    BERTH_THEN(berth_ligand_inputs_create(&sources, &files, error));
    BERTH_THEN(check_inputs(&files, options->out, failures, error));
    if (!status) {
        struct berth_ligands_settings settings = settings_of(options, &plan, &telling);
        settings.failures = failures;
        status = berth_ligands_prepare(&settings, &files, progress, error);
    }
    berth_ligand_inputs_clear(&files);
    berth_ligands_plan_clear(&plan);
    return status;
}

enum berth_status berth_prepare_ligands(const char *const *inputs, size_t count,
                                        const struct berth_prepare_ligands_options *options,
                                        struct berth_progress *done, struct berth_error *error)
{
    struct berth_prepare_ligands_request mine = berth_prepare_ligands_request();
    struct berth_ligands_progress progress = {0};
    char failures[PATH_MAX];
    enum berth_status status = BERTH_NEED(error, BERTH_ARGUMENT(options));
    BERTH_THEN(berth_api_need_texts("inputs", inputs, count, error));
    BERTH_THEN(berth_api_take(options, "berth_prepare_ligands_defaults", &mine.prepare,
                              sizeof mine.prepare, error));
    if (!status) {
        status = BERTH_NEED(error, {"options->out", mine.prepare.out});
    }
    if (!status) {
        mine.inputs = (struct berth_arguments){inputs, count};
        berth_failures_path(mine.prepare.out, failures, sizeof failures);
        status = prepare(&mine, mine.prepare.failures ? mine.prepare.failures : failures, &progress,
                         error);
    }
    if (done) {
        *done = progress_of(&progress, !status);
    }
    return status;
}
