/* berth prep ligands: molecules of any format to a library of conformers. */
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/common.h"

static const struct cli_usage USAGE = {
    "prep ligands", "IN... --out LIB.blib [options]",
    "Prepares ligands for screening: the largest fragment of each molecule, protonated, with 3D\n"
    "conformers, atom types and rotatable bonds, in one library file.\n"
    "\n"
    "One molecule's failure, crash or hang in RDKit or Open Babel costs that molecule: it is a "
    "row\n"
    "of the failures file."};

/* What a run holds. */
struct run {
    bool terminal; /* progress is a line that is written over */
    double shown;  /* s: when progress was, last */
    struct berth_progress done;
};

/* ", 0:12:34 left", where it is known. */
static void write_time_left(const struct berth_progress *progress, char *text, size_t size)
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

/* Twice a second on a terminal, twice a minute in a log; a signal asks for the end. */
static bool tell_progress(void *context, const struct berth_progress *progress)
{
    struct run *run = context;
    const bool last = progress->computed;
    char total[48] = "", left[48];
    const double pause = progress->seconds - run->shown;
    if (run->terminal ? !last && pause < 0.5 : pause < 30) {
        return cli_interrupted();
    }
    run->shown = progress->seconds;
    if (progress->total) {
        snprintf(total, sizeof total, " of %s%llu", progress->estimated ? "about " : "",
                 (unsigned long long)progress->total);
    }
    write_time_left(progress, left, sizeof left);
    fprintf(stderr, "%s%llu%s molecules, %llu failed, %llu dropped, %.1f molecules/s%s%s",
            run->terminal ? "\r" : "berth: ", (unsigned long long)progress->done, total,
            (unsigned long long)progress->failed, (unsigned long long)progress->dropped,
            (double)(progress->done - progress->before) / (progress->seconds + 1e-9), left,
            last || !run->terminal ? "\n" : "   ");
    return cli_interrupted();
}

static void print_end(const struct berth_progress *progress)
{
    printf("%llu ligand%s prepared, %llu conformer%s, %llu failed, %llu dropped; %.2f s, %.3g "
           "molecules/s\n",
           (unsigned long long)progress->ligands, progress->ligands == 1 ? "" : "s",
           (unsigned long long)progress->conformers, progress->conformers == 1 ? "" : "s",
           (unsigned long long)progress->failed, (unsigned long long)progress->dropped,
           progress->seconds,
           (double)(progress->records - progress->before) / (progress->seconds + 1e-9));
}

static enum berth_status prepare(void *context, int *code, struct berth_error *error)
{
    struct berth_options *options = context;
    struct run run = {.terminal = isatty(STDERR_FILENO)};
    char failures[PATH_MAX];
    cli_failures_path(options->failures, options->out, failures);
    const struct cli_file files[] = {{"list", options->prepare.list, false},
                                     {"forcefield", options->forcefield, false},
                                     {"exclude", options->prepare.exclude, false},
                                     {"out", options->out, true},
                                     {"failures", failures, true}};
    BERTH_TRY(cli_check_files(files, sizeof files / sizeof *files, error));
    options->stop = cli_stop();
    cli_set_environment();
    cli_catch_signals();
    enum berth_status status =
        berth_prepare_ligands(options->inputs.items, options->inputs.count, options, cli_log(),
                              tell_progress, &run, &run.done, error);
    if (!status) {
        print_end(&run.done);
        *code = run.done.failed ? CLI_SOME_FAILED : CLI_DONE;
    }
    return status;
}

int cmd_prep_ligands(int argc, char **argv)
{
    return cli_run_options(&USAGE, prepare, argc, argv);
}
