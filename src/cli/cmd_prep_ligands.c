/* berth prep ligands: molecules of any format to a library of conformers. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/parallel.h"
#include "cli/prep.h"
#include "prep/ligands/ligands.h"

static const struct cli_usage USAGE = {
    "prep ligands", "IN... --out LIB.blib [options]",
    "Prepares ligands for screening: the largest fragment of each molecule, protonated, with 3D\n"
    "conformers, atom types and rotatable bonds, in one library file.  One molecule's failure, "
    "crash\n"
    "or hang in RDKit or Open Babel costs that molecule: it is a row of the failures file."};

/* No file of the run is another's, and the library may be written. */
static enum berth_status check_files(const struct prep_values *values, const char *failures,
                                     struct berth_error *error)
{
    const struct cli_file files[] = {{"list", values->request.list, false},
                                     {"forcefield", values->forcefield, false},
                                     {"exclude", values->request.exclude, false},
                                     {"out", values->out, true},
                                     {"failures", failures, true}};
    if (values->resume && values->overwrite) {
        return berth_fail(error, BERTH_E_USAGE, "--resume and --overwrite exclude each other");
    }
    const enum berth_status status = cli_check_files(files, sizeof files / sizeof *files, error);
    return status ? status : cli_check_new(values->out, values->overwrite || values->resume, error);
}

static enum berth_status list_inputs(const struct prep_values *values, const char *failures,
                                     struct berth_ligand_inputs *inputs, struct berth_error *error)
{
    const struct berth_ligand_sources sources = {.items = values->request.inputs.items,
                                                 .count = values->request.inputs.count,
                                                 .list = values->request.list,
                                                 .format = values->request.format,
                                                 .limit = 10 * values->request.time_limit,
                                                 .stop = cli_stop(),
                                                 .log = cli_log()};
    enum berth_status status = berth_ligand_inputs_create(&sources, inputs, error);
    for (size_t i = 0; !status && i < inputs->count; i++) {
        const struct cli_file files[] = {{"IN", inputs->files[i].path, false},
                                         {"out", values->out, true},
                                         {"failures", failures, true}};
        status = cli_check_files(files, sizeof files / sizeof *files, error);
    }
    return status;
}

/* ", 0:12:34 left", where it is known. */
static void write_time_left(const struct berth_ligands_progress *progress, char *text, size_t size)
{
    const double done = (double)(progress->done - progress->before);
    *text = '\0';
    if (done > 0 && progress->total >= progress->done) {
        const double left = (double)(progress->total - progress->done) / done * progress->seconds;
        const unsigned long long whole = (unsigned long long)(left + 0.5);
        snprintf(text, size, ", %llu:%02llu:%02llu left", whole / 3600, whole / 60 % 60,
                 whole % 60);
    }
}

/* On a terminal, twice a second; context: the seconds at which it was done last. */
static void show_progress(void *context, const struct berth_ligands_progress *progress, bool last)
{
    double *shown = context;
    char total[48] = "", left[48];
    if (!last && progress->seconds - *shown < 0.5) {
        return;
    }
    *shown = progress->seconds;
    if (progress->total) {
        snprintf(total, sizeof total, " of %s%llu", progress->estimated ? "about " : "",
                 (unsigned long long)progress->total);
    }
    write_time_left(progress, left, sizeof left);
    fprintf(stderr, "\r%llu%s molecules, %zu failed, %zu dropped, %.1f molecules/s%s%s",
            (unsigned long long)progress->done, total, progress->failed, progress->dropped,
            (double)(progress->done - progress->before) / (progress->seconds + 1e-9), left,
            last ? "\n" : "   ");
}

static enum berth_status execute(const struct prep_values *values,
                                 const struct berth_ligands_plan *plan,
                                 struct berth_ligands_progress *progress, struct berth_error *error)
{
    char failures[PATH_MAX];
    double shown = 0;
    struct berth_ligand_inputs inputs = {.count = 0};
    cli_failures_path(values->failures, values->out, failures);
    enum berth_status status = check_files(values, failures, error);
    BERTH_THEN(list_inputs(values, failures, &inputs, error));
    if (!status) {
        const struct berth_ligands_settings settings = {
            .preparation = plan->preparation,
            .out = values->out,
            .failures = failures,
            .forcefield = values->forcefield,
            .note = plan->note,
            .mode = values->resume      ? BERTH_LIBRARY_RESUME
                    : values->overwrite ? BERTH_LIBRARY_REPLACE
                                        : BERTH_LIBRARY_NEW,
            .jobs = values->jobs ? (size_t)values->jobs : berth_processors(),
            .unique = values->request.unique,
            .log = cli_log(),
            .stop = cli_stop(),
            .show = isatty(STDERR_FILENO) ? show_progress : NULL,
            .context = &shown};
        prep_set_environment();
        cli_catch_signals(); /* from here on there is something to tidy up */
        status = berth_ligands_prepare(&settings, &inputs, progress, error);
    }
    berth_ligand_inputs_clear(&inputs);
    return status;
}

static void print_end(const struct berth_ligands_progress *progress)
{
    printf("%llu ligands, %llu conformers, %zu failed, %zu dropped; %.2f s, %.3g molecules/s\n",
           (unsigned long long)progress->ligands, (unsigned long long)progress->conformers,
           progress->failed, progress->dropped, progress->seconds,
           (double)(progress->records - progress->before) / (progress->seconds + 1e-9));
}

int cmd_prep_ligands(int argc, char **argv)
{
    struct prep_values values = prep_defaults();
    struct berth_parsed parsed = {0};
    struct berth_error error;
    int code = cli_parse(&USAGE, PREP_OPTIONS, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON) {
        struct berth_ligands_plan plan;
        struct berth_ligands_progress progress;
        enum berth_status status = berth_ligands_plan_create(&values.request, &plan, &error);
        BERTH_THEN(execute(&values, &plan, &progress, &error));
        if (!status) {
            print_end(&progress);
        }
        code = status ? cli_fatal(&error) : progress.failed ? CLI_SOME_FAILED : CLI_DONE;
        berth_ligands_plan_clear(&plan);
    }
    berth_parsed_clear(&parsed);
    return code;
}
