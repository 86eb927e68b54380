/* Preparing ligands, as `berth prep ligands` does. */
#include <limits.h>
#include <math.h>
#include <unistd.h>

#include "api/api.h"
#include "base/parallel.h"
#include "format/failures.h"
#include "prep/ligands/ligands.h"
#include "prep/ligands/request.h"

void berth_prepare_ligands_defaults(struct berth_prepare_ligands_options *options, size_t size)
{
    const struct berth_ligands_request request = berth_ligands_request_defaults();
    const struct berth_prepare_ligands_options defaults = {.size = sizeof defaults,
                                                           .builder = request.builder,
                                                           .ph = request.ph,
                                                           .conformers = (size_t)request.conformers,
                                                           .structures = (size_t)request.structures,
                                                           .protomers = (size_t)request.protomers,
                                                           .stereo = (size_t)request.stereo,
                                                           .energy_window = request.energy_window,
                                                           .conformer_rmsd = request.conformer_rmsd,
                                                           .memory_limit =
                                                               (size_t)request.memory_limit,
                                                           .time_limit = request.time_limit};
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
                                   .seconds = progress->seconds};
}

static void show(void *context, const struct berth_ligands_progress *progress, bool last)
{
    struct telling *telling = context;
    const struct berth_progress told = progress_of(progress, false);
    if (!last && telling->call(telling->context, &told)) {
        atomic_store(&telling->stop, true);
    }
}

/* What is asked for, as `berth prep ligands` would be asked. */
static struct berth_ligands_request request_of(const struct berth_prepare_ligands_options *options,
                                               const char *const *inputs, size_t count)
{
    struct berth_ligands_request request = berth_ligands_request_defaults();
    request.inputs = (struct berth_arguments){inputs, count};
    request.format = options->format;
    request.builder = options->builder;
    request.ph = options->ph;
    request.keep_protonation = isnan(options->ph);
    request.conformers = (long long)options->conformers;
    request.structures = (long long)options->structures;
    request.protomers = (long long)options->protomers;
    request.stereo = (long long)options->stereo;
    request.exclude = options->exclude;
    request.mw = options->mw;
    request.elements = options->elements;
    request.properties = options->properties;
    request.memory_limit = (long long)options->memory_limit;
    request.rebuild = options->rebuild;
    request.smiles = options->smiles;
    request.energy_window = options->energy_window;
    request.conformer_rmsd = options->conformer_rmsd;
    request.max_heavy = options->max_heavy;
    request.max_rotors = options->max_rotors;
    request.time_limit = options->time_limit;
    request.unique = options->drop_duplicates;
    return request;
}

static bool is_within(size_t value, size_t least, size_t most)
{
    return value >= least && value <= most;
}

/* What `berth prep ligands` takes, too. */
static bool is_sound(const struct berth_prepare_ligands_options *options)
{
    return is_within(options->conformers, 1, 1000) && is_within(options->structures, 1, 100) &&
           is_within(options->protomers, 1, BERTH_PROTOMERS_MAX) &&
           is_within(options->stereo, 1, BERTH_STEREOISOMERS_MAX) &&
           is_within(options->memory_limit, 500, 1000000) && options->time_limit > 0;
}

static enum berth_status check(const struct berth_prepare_ligands_options *options, size_t count,
                               const char *out, struct berth_error *error)
{
    if (berth_builder_check(options->builder, error) || !count || !is_sound(options) ||
        (options->resume && options->overwrite)) {
        return berth_fail(
            error, BERTH_E_USAGE,
            "struct berth_prepare_ligands_options: builder is NULL, rdkit, openbabel, "
            "med, slow, best or dg, conformers from 1 to 1000, structures to 100, protomers "
            "to %d, stereo to %d, memory_limit from 500, time_limit above 0, resume and overwrite "
            "not both set, and there is an input",
            BERTH_PROTOMERS_MAX, BERTH_STEREOISOMERS_MAX);
    }
    if (!options->resume && !options->overwrite && access(out, F_OK) == 0) {
        return berth_fail(error, BERTH_E_USAGE,
                          "%s: exists already; give another name, or set overwrite to replace it",
                          out);
    }
    return BERTH_OK;
}

static struct berth_ligands_settings
settings_of(const struct berth_prepare_ligands_options *options,
            const struct berth_ligands_plan *plan, struct telling *telling)
{
    return (struct berth_ligands_settings){.preparation = plan->preparation,
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

enum berth_status berth_prepare_ligands(const char *const *inputs, size_t count, const char *out,
                                        const struct berth_prepare_ligands_options *options,
                                        struct berth_progress *done, struct berth_error *error)
{
    struct berth_prepare_ligands_options mine;
    struct berth_ligand_inputs files = {.count = 0};
    struct berth_ligands_progress progress = {0};
    struct berth_ligands_plan plan = {.note = NULL};
    char failures[PATH_MAX];
    berth_prepare_ligands_defaults(&mine, sizeof mine);
    enum berth_status status =
        berth_api_take(options, "berth_prepare_ligands_defaults", &mine, sizeof mine, error);
    BERTH_THEN(check(&mine, count, out, error));
    if (!status) {
        const struct berth_ligands_request request = request_of(&mine, inputs, count);
        status = berth_ligands_plan_create(&request, &plan, error);
    }
    struct telling telling = {.call = mine.progress, .context = mine.context};
    atomic_init(&telling.stop, false);
    const struct berth_ligand_sources sources = {.items = inputs,
                                                 .count = count,
                                                 .format = mine.format,
                                                 .limit = 10 * mine.time_limit,
                                                 .stop = &telling.stop,
                                                 .log = mine.log};
    BERTH_THEN(berth_ligand_inputs_create(&sources, &files, error));
    if (!status) {
        struct berth_ligands_settings settings = settings_of(&mine, &plan, &telling);
        berth_failures_path(out, failures, sizeof failures);
        settings.out = out;
        settings.failures = mine.failures ? mine.failures : failures;
        status = berth_ligands_prepare(&settings, &files, &progress, error);
    }
    berth_ligand_inputs_clear(&files);
    berth_ligands_plan_clear(&plan);
    if (done) {
        *done = progress_of(&progress, !status);
    }
    return status;
}
