/* berth eval: how good the poses are, measured on complexes whose answer is known. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/eval.h"
#include "io/bhff.h"

static const struct cli_usage USAGE = {
    "eval redock", "SET --out DIR [options]",
    "Docks the ligand of each complex of a set back into its receptor, from the crystal's own\n"
    "conformer and from conformers that know nothing of the crystal, and reports how often the\n"
    "right pose comes first, at 1, 2 and 3 \xc3\x85, and whose failure each miss is: the search's, "
    "the\nenergy's or the conformers'.  Bonds that a file lacks come from --smiles, else from "
    "Open\n"
    "Babel's perception; where that contradicts the file, the complex fails and is listed."};

/* Everything a run holds. */
struct run {
    const struct eval_values *values;
    struct eval_set set;
    struct berth_forcefield forcefield;
    struct berth_devices devices;
    struct cli_failures failures;
    struct eval_report report;
};

static enum berth_status check_values(const struct eval_values *values, struct berth_error *error)
{
    if (values->inputs.count != 1) {
        return berth_fail(error, BERTH_E_USAGE, "one folder is a set; %zu are given",
                          values->inputs.count);
    }
    if (strcmp(values->mode, "both") != 0 &&
        strcmp(values->mode, eval_mode_name(EVAL_CRYSTAL)) != 0 &&
        strcmp(values->mode, eval_mode_name(EVAL_GENERATED)) != 0) {
        return berth_fail(error, BERTH_E_USAGE,
                          "--mode: '%s' is none of crystal, generated and both", values->mode);
    }
    return BERTH_OK;
}

/* Makes the folder where it is missing; the one that it lies in must be there. */
static enum berth_status make_folder(const char *path, struct berth_error *error)
{
    struct stat facts;
    if (mkdir(path, 0777) != 0 && (stat(path, &facts) != 0 || !S_ISDIR(facts.st_mode))) {
        return berth_fail(error, BERTH_E_IO, "%s: cannot make the folder: %s", path,
                          strerror(errno));
    }
    return BERTH_OK;
}

/* The structures as they were docked, to look at and to use elsewhere. */
static enum berth_status write_structures(const struct eval_values *values,
                                          const struct eval_complex *complex,
                                          struct berth_error *error)
{
    const char *name = complex->entry->name;
    char path[PATH_MAX];
    eval_path(values, NULL, name, path);
    enum berth_status status = make_folder(path, error);
    if (!status) {
        eval_path(values, name, "receptor.mol2", path);
        status = berth_mol2_write_one(path, &complex->receptor, error);
    }
    if (!status) {
        eval_path(values, name, "crystal.mol2", path);
        status = berth_mol2_write_one(path, &complex->crystal, error);
    }
    return status;
}

/* One line a complex, as it is done. */
static void say_done(const struct eval_complex *complex, const struct eval_row *rows, size_t count)
{
    fprintf(stderr, "berth: %s:", complex->entry->name);
    for (size_t i = 0; i < count; i++) {
        fprintf(stderr, "%s %s %.2f \xc3\x85 (%s)", i ? "," : "", eval_mode_name(rows[i].mode),
                rows[i].top[0], berth_redock_name(rows[i].outcome));
    }
    fprintf(stderr, "\n");
    if (complex->removed) {
        fprintf(stderr,
                "berth: warning: %s: %zu heavy atoms of the receptor are the ligand itself, and "
                "were left out with their residues\n",
                complex->entry->name, complex->removed);
    }
}

/* Errors of one complex are a row of the failures; others end the run. */
static bool is_fatal(enum berth_status status)
{
    return status == BERTH_E_MEMORY || status == BERTH_E_DEVICE || status == BERTH_E_USAGE;
}

static enum berth_status do_complex(struct run *run, const struct eval_entry *entry,
                                    struct berth_error *error)
{
    const struct eval_docking docking = {run->values, &run->forcefield, &run->devices};
    struct eval_complex complex;
    struct eval_row rows[EVAL_MODES];
    size_t count = 0;
    enum berth_status status =
        eval_complex_read(run->values, &run->set, &run->forcefield, entry, &complex, error);
    if (!status) {
        status = write_structures(run->values, &complex, error);
    }
    if (!status) {
        status = eval_dock(&docking, &complex, rows, &count, error);
    }
    if (!status) {
        say_done(&complex, rows, count);
        status = eval_report_add(&run->report, rows, count, error);
    } else {
        for (size_t i = 0; i < count; i++) {
            free(rows[i].smiles);
        }
    }
    eval_complex_clear(&complex);
    if (status && !is_fatal(status)) {
        run->report.failed++;
        cli_failures_add(&run->failures, entry->name, error);
        status = BERTH_OK;
    }
    return status ? status : cli_check_signals(error);
}

static enum berth_status open_run(struct run *run, struct berth_error *error)
{
    const struct eval_values *values = run->values;
    const struct berth_log log = cli_log();
    char failures[PATH_MAX];
    eval_path(values, NULL, "failures.csv", failures);
    enum berth_status status = eval_set_read(values, &run->set, error);
    if (!status) {
        status = berth_bhff_read(values->forcefield, &log, &run->forcefield, error);
    }
    if (!status) {
        status = berth_devices_list(&run->devices, error);
    }
    if (!status) {
        status = berth_devices_choose(&run->devices, values->device, error);
    }
    if (!status) {
        status = make_folder(values->out, error);
    }
    return status ? status : cli_failures_create(failures, &run->failures, error);
}

static enum berth_status execute(struct run *run, struct berth_error *error)
{
    enum berth_status status = check_values(run->values, error);
    if (!status) {
        status = open_run(run, error);
    }
    if (status) {
        return status;
    }
    run->report.values = run->values;
    run->report.device = run->devices.devices[0].name;
    for (size_t i = 0; i < run->devices.count; i++) {
        fprintf(stderr, "berth: device %zu: %s\n", run->devices.devices[i].index,
                run->devices.devices[i].name);
    }
    cli_catch_signals();
    for (size_t i = 0; !status && i < run->set.count; i++) {
        status = do_complex(run, &run->set.entries[i], error);
    }
    if (!status) {
        status = berth_output_commit(run->failures.output, error);
        run->failures.output = NULL;
    }
    if (!status && !run->report.count) {
        status =
            berth_fail(error, BERTH_E_FORMAT, "%s: no complex could be docked", run->set.folder);
    }
    return status ? status : eval_report_write(&run->report, error);
}

static void close_run(struct run *run)
{
    eval_report_clear(&run->report);
    berth_output_discard(run->failures.output);
    berth_devices_clear(&run->devices);
    berth_forcefield_clear(&run->forcefield);
    eval_set_clear(&run->set);
}

static int redock(int argc, char **argv)
{
    struct eval_values values = eval_defaults();
    struct berth_parsed parsed = {0};
    struct berth_error error;
    int code = cli_parse(&USAGE, EVAL_OPTIONS, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON) {
        struct run run = {.values = &values};
        code = execute(&run, &error) ? cli_fatal(&error)
               : run.failures.count  ? CLI_SOME_FAILED
                                     : CLI_DONE;
        close_run(&run);
    }
    berth_parsed_clear(&parsed);
    return code;
}

int cmd_eval(int argc, char **argv)
{
    static const struct cli_command COMMANDS[] = {
        {"redock", "dock the ligands of known complexes back, and count what comes out right",
         redock},
        {NULL, NULL, NULL}};
    return cli_run_one_of("eval", COMMANDS, argc, argv);
}
