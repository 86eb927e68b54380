/* Preparing ligands: the options, and the note that says in the library how it was made. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/api.h"
#include "prep/ligands/ligands.h"

void berth_prepare_ligands_defaults(struct berth_prepare_ligands_options *options, size_t size)
{
    const struct berth_prepare_ligands_options defaults = {.size = sizeof defaults,
                                                           .ph = 7.4,
                                                           .conformers = 20,
                                                           .energy_window = 100,
                                                           .conformer_rmsd = 0.5,
                                                           .time_limit = 120};
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

/* Everything that decides what is in the library; the caller frees *note. */
static enum berth_status write_note(const struct berth_prepare_ligands_options *options,
                                    const char *const *inputs, size_t count, char **note,
                                    struct berth_error *error)
{
    size_t size = 0;
    FILE *file = open_memstream(note, &size);
    if (!file) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    fprintf(file, "berth_prepare_ligands");
    for (size_t i = 0; i < count && i < 10; i++) {
        fprintf(file, " %.1000s", inputs[i]);
    }
    fprintf(file,
            " (%zu inputs) builder %.100s format %.100s ph %g conformers %zu energy_window %g "
            "conformer_rmsd %g max_heavy %" PRId64 " max_rotors %" PRId64 "%s",
            count, options->builder ? options->builder : "any",
            options->format ? options->format : "by ending", options->ph, options->conformers,
            options->energy_window, options->conformer_rmsd, options->max_heavy,
            options->max_rotors, options->unique ? " unique" : "");
    const bool bad = ferror(file);
    return fclose(file) || bad ? berth_fail(error, BERTH_E_MEMORY, "out of memory") : BERTH_OK;
}

static enum berth_status check(const struct berth_prepare_ligands_options *options, size_t count,
                               const char *out, struct berth_error *error)
{
    const bool known = !options->builder || berth_prepare_knows(options->builder);
    if (!known || !count || !options->conformers || !(options->time_limit > 0) ||
        (options->resume && options->overwrite)) {
        return berth_fail(
            error, BERTH_E_USAGE,
            "struct berth_prepare_ligands_options: builder is NULL, rdkit, openbabel, "
            "med, slow, best or dg, conformers and time_limit above 0, resume and overwrite not "
            "both set, "
            "and there is an input");
    }
    if (!options->resume && !options->overwrite && access(out, F_OK) == 0) {
        return berth_fail(error, BERTH_E_USAGE,
                          "%s: exists already; give another name, or set overwrite to replace it",
                          out);
    }
    return BERTH_OK;
}

static void failures_path(const struct berth_prepare_ligands_options *options, const char *out,
                          char path[PATH_MAX])
{
    const char *slash = strrchr(out, '/');
    if (options->failures) {
        snprintf(path, PATH_MAX, "%s", options->failures);
    } else {
        snprintf(path, PATH_MAX, "%.*sfailures.csv", slash ? (int)(slash - out + 1) : 0, out);
    }
}

static struct berth_ligands_settings
settings_of(const struct berth_prepare_ligands_options *options, struct telling *telling)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return (struct berth_ligands_settings){
        .preparation = {.ph = options->ph,
                        .builder = options->builder,
                        .conformers = options->conformers,
                        .ring_conformers = BERTH_RING_CONFORMERS,
                        .memory = (size_t)BERTH_WORKER_MEMORY * 1000000,
                        .energy_window = options->energy_window,
                        .min_rmsd = options->conformer_rmsd,
                        .limit = options->time_limit,
                        .smiles = options->unique,
                        .filter = {.max_heavy = options->max_heavy,
                                   .max_rotors = options->max_rotors}},
        .forcefield = options->forcefield,
        .mode = options->resume      ? BERTH_LIBRARY_RESUME
                : options->overwrite ? BERTH_LIBRARY_REPLACE
                                     : BERTH_LIBRARY_NEW,
        .jobs = options->jobs ? options->jobs
                : cores > 0   ? (size_t)cores
                              : 1,
        .unique = options->unique,
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
    char *note = NULL, failures[PATH_MAX];
    berth_prepare_ligands_defaults(&mine, sizeof mine);
    enum berth_status status =
        berth_api_take(options, "berth_prepare_ligands_defaults", &mine, sizeof mine, error);
    if (!status) {
        status = check(&mine, count, out, error);
    }
    if (!status) {
        status = write_note(&mine, inputs, count, &note, error);
    }
    struct telling telling = {.call = mine.progress, .context = mine.context};
    atomic_init(&telling.stop, false);
    const struct berth_ligand_sources sources = {.items = inputs,
                                                 .count = count,
                                                 .format = mine.format,
                                                 .limit = 10 * mine.time_limit,
                                                 .stop = &telling.stop,
                                                 .log = mine.log};
    if (!status) {
        status = berth_ligand_inputs_create(&sources, &files, error);
    }
    if (!status) {
        struct berth_ligands_settings settings = settings_of(&mine, &telling);
        failures_path(&mine, out, failures);
        settings.out = out;
        settings.failures = failures;
        settings.note = note;
        status = berth_ligands_prepare(&settings, &files, &progress, error);
    }
    berth_ligand_inputs_clear(&files);
    free(note);
    if (done) {
        *done = progress_of(&progress, !status);
    }
    return status;
}
