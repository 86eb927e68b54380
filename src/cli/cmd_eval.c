/* berth eval: how good the poses are, measured on complexes whose answer is known. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/eval.h"
#include "score/bhff.h"

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
    struct berth_failures failures;
    struct berth_output *sites; /* owned; OUT/sites.tsv: the complexes that were prepared */
    size_t prepared;            /* complexes in it */
    struct eval_report report;
    struct berth_gatherer warnings;
    struct berth_log log; /* gathers in warnings */
    bool at_work;         /* a device still is, and is left to it */
};

static enum berth_status check_values(const struct eval_values *values, struct berth_error *error)
{
    if (values->inputs.count != 1) {
        return berth_fail(error, BERTH_E_USAGE, "one folder is a set; %zu are given",
                          values->inputs.count);
    }
    if (strcmp(values->mode, "both") != 0 && strcmp(values->mode, "none") != 0 &&
        strcmp(values->mode, eval_mode_name(EVAL_CRYSTAL)) != 0 &&
        strcmp(values->mode, eval_mode_name(EVAL_GENERATED)) != 0) {
        return berth_fail(error, BERTH_E_USAGE,
                          "--mode: '%s' is none of crystal, generated, both and none",
                          values->mode);
    }
    return cli_check_builder(values->builder, error);
}

/* Results must not fall into the set: they would replace its files. */
static enum berth_status check_folders(const struct eval_values *values, struct berth_error *error)
{
    struct stat set, out;
    if (stat(values->inputs.items[0], &set) == 0 && stat(values->out, &out) == 0 &&
        set.st_dev == out.st_dev && set.st_ino == out.st_ino) {
        return berth_fail(error, BERTH_E_USAGE,
                          "--out: %s is the set itself; choose another folder", values->out);
    }
    return BERTH_OK;
}

static bool is_prepare_only(const struct run *run)
{
    return strcmp(run->values->mode, "none") == 0;
}

/* One line a complex, as it is done. */
static void say_done(const struct eval_complex *complex, const struct eval_row *rows, size_t count)
{
    char text[256] = " prepared";
    size_t used = 0;
    for (size_t i = 0; i < count && used < sizeof text; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s %s %.2f \xc3\x85 (%s)",
                                 i ? "," : "", eval_mode_name(rows[i].mode), rows[i].top[0],
                                 berth_redock_name(rows[i].outcome));
    }
    cli_say("%s:%s", complex->entry->name, text);
    if (complex->removed) {
        cli_say("warning: %s: %zu heavy atoms of the receptor are the ligand itself, and "
                "were left out with their residues",
                complex->entry->name, complex->removed);
    }
}

/* Errors of one complex are a row of the failures; others end the run. */
static bool is_fatal(enum berth_status status)
{
    return status == BERTH_E_MEMORY || status == BERTH_E_DEVICE || status == BERTH_E_USAGE;
}

static enum berth_status interrupted(const struct run *run, struct berth_error *error)
{
    return berth_fail(error, BERTH_E_USAGE,
                      "interrupted after %zu of %zu complexes; what was prepared and docked is in "
                      "%s, of the tables none: start the run again",
                      run->prepared + run->report.failed, run->set.count, run->values->out);
}

static enum berth_status do_complex(struct run *run, const struct eval_entry *entry,
                                    struct berth_error *error)
{
    const struct eval_docking docking = {run->values, &run->forcefield, &run->devices,
                                         &run->at_work};
    struct eval_complex complex = {.log = &run->log};
    struct eval_row rows[EVAL_MODES];
    size_t count = 0;
    enum berth_status status =
        eval_complex_read(run->values, &run->set, &run->forcefield, entry, &complex, error);
    if (!status) {
        status = eval_complex_write(run->values, &run->forcefield, &complex, error);
    }
    if (!status && !is_prepare_only(run)) {
        status = eval_dock(&docking, &complex, rows, &count, error);
    }
    if (!status) {
        say_done(&complex, rows, count);
        berth_output_print(run->sites, "%s\t%.10g\t%.10g\t%.10g\n", entry->name, entry->center[0],
                           entry->center[1], entry->center[2]);
        run->prepared++;
        status = eval_report_add(&run->report, rows, count, error);
    } else {
        for (size_t i = 0; i < count; i++) {
            free(rows[i].smiles);
        }
    }
    eval_complex_clear(&complex);
    if (status && !is_fatal(status) && !cli_interrupted()) {
        run->report.failed++;
        berth_failures_add(&run->failures, entry->name, error);
        status = BERTH_OK;
    }
    return cli_interrupted() ? interrupted(run, error) : status;
}

static enum berth_status open_run(struct run *run, struct berth_error *error)
{
    const struct eval_values *values = run->values;
    char failures[PATH_MAX], sites[PATH_MAX];
    eval_path(values, NULL, "failures.csv", failures);
    eval_path(values, NULL, "sites.tsv", sites);
    enum berth_status status = eval_set_read(values, &run->set, error);
    if (!status) {
        status = check_folders(values, error);
    }
    if (!status) {
        status = eval_check_out(values, error);
    }
    if (!status) {
        status = berth_scoring_read(&values->forcefield, cli_log(), &run->forcefield, error);
    }
    if (!status && !is_prepare_only(run)) {
        status = cli_devices_list(&run->devices, error);
        status = status ? status : berth_devices_choose(&run->devices, values->device, error);
        if (!status) {
            cli_check_tuning(&run->devices);
        }
    }
    if (!status) {
        status = eval_make_folder(values->out, error);
    }
    if (!status) {
        run->failures.log = cli_log();
        status = berth_failures_create(failures, &run->failures, error);
    }
    if (!status) {
        status = berth_output_create(sites, &run->sites, error);
    }
    if (!status) {
        berth_output_print(run->sites, "pdb\tcenter_x\tcenter_y\tcenter_z\n");
    }
    return status;
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
    run->report.device = run->devices.count ? run->devices.devices[0].name : "none";
    for (size_t i = 0; i < run->devices.count; i++) {
        cli_say("device %zu: %s", run->devices.devices[i].index, run->devices.devices[i].name);
    }
    cli_catch_signals();
    for (size_t i = 0; !status && i < run->set.count; i++) {
        status = do_complex(run, &run->set.entries[i], error);
    }
    if (!status) {
        status = berth_output_commit(run->failures.output, error);
        run->failures.output = NULL;
    }
    if (!status && !run->prepared) {
        status =
            berth_fail(error, BERTH_E_FORMAT, "%s: no complex could be docked", run->set.folder);
    }
    if (!status) {
        status = berth_output_commit(run->sites, error);
        run->sites = NULL;
    }
    return status || is_prepare_only(run) ? status : eval_report_write(&run->report, error);
}

static void close_run(struct run *run)
{
    eval_report_clear(&run->report);
    berth_output_discard(run->failures.output);
    berth_output_discard(run->sites);
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
        run.warnings.next = cli_log();
        run.log = berth_gather(&run.warnings);
        enum berth_status status =
            cli_search_complete(EVAL_OPTIONS, &parsed, &values.search, &error);
        status = status ? status : execute(&run, &error);
        berth_gatherer_flush(&run.warnings);
        code = status ? cli_fatal(&error) : run.failures.count ? CLI_SOME_FAILED : CLI_DONE;
        close_run(&run);
        if (run.at_work) {
            cli_leave_devices(code);
        }
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
