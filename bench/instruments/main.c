/* berth-bench: throughput of the energy kernel, verified, against what the device could do at best
 * and against the published pair loop in plain C; and whole dockings at the published benchmark's
 * size.  An instrument for who works on the kernels, built by `make bench`. */
#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "dock/open_devices.h"
#include "table.h"
#include "text.h"

/* Numbers are 0 where they were not given. */
struct values {
    struct berth_scoring_choice forcefield;
    const char *deck, *data, *csv, *svg, *device, *variant;
    long long poses, repeats, generations, conformers;
    bool baseline, terms, paper;
};

/* What a run holds. */
struct run {
    const struct values *values;  /* borrowed */
    struct berth_devices devices; /* those that --device asks for, all by default */
    struct berth_variant variant; /* --variant, on each */
    bool table;                   /* to the terminal; not where the CSV goes there */
    bool valid;                   /* all energies agree with the reference */
};

static const char USAGE[] =
    "Usage: berth-bench [--deck DIR] [options]\n\n"
    "Times the energy kernel on each device and checks every energy, as `berth bench` does.  floor "
    "%\n"
    "is the part reached of the speed that the rates of multiply-adds, operations and square "
    "roots,\n"
    "measured in the same run, allow at most.  `berth bench -h` explains --variant.\n\n";

static void take_line(void *context, const struct berth_log_line *line)
{
    (void)context;
    fprintf(stderr, "berth-bench: %s\n", line->text);
}

static const struct berth_log LOG = {take_line, NULL};

static const struct berth_option OPTIONS[] = {
    {"deck", BERTH_FIELD(struct values, deck), .argument = "DIR",
     .help = "folder of a miniBUDE deck", .fallback = "the demo complex"},
    {"poses", BERTH_FIELD(struct values, poses), .argument = "N",
     .help = "poses in a launch; those of the data are repeated as needed",
     .fallback = "as many as the deck has, else 65536", .min = 1, .max = 1 << 26},
    {"repeats", BERTH_FIELD(struct values, repeats), .argument = "K",
     .help = "timed launches, after one that is not timed", .min = 1, .max = 100000},
    {"baseline", BERTH_FIELD(struct values, baseline),
     .help = "run the published pair loop in plain C, too, on all cores (`make bench` builds "
             "it), and give each device's speed as a multiple of its speed"},
    {"terms", BERTH_FIELD(struct values, terms),
     .help = "measure each class of pairs of atoms, those that have the same terms, by itself"},
    {"csv", BERTH_FIELD(struct values, csv), .argument = "FILE",
     .help = "write the table as CSV too (- for standard output instead)", .fallback = "none"},
    {"svg", BERTH_FIELD(struct values, svg), .argument = "FILE",
     .help = "draw the devices' speeds and their floors", .fallback = "none"},
    {.help = "The published benchmark's size"},
    {"paper", BERTH_FIELD(struct values, paper),
     .help = "dock 128 conformers of ten drugs into a site of 938 receptor atoms, end to end"},
    {"generations", BERTH_FIELD(struct values, generations), .argument = "N",
     .help = "with --paper: generations of --poses each", .min = 1, .max = 10000},
    {"conformers", BERTH_FIELD(struct values, conformers), .argument = "N",
     .help = "with --paper: conformers to dock, the first ones", .min = 1, .max = 128},
    {.help = "Device and data"},
    {"device", BERTH_FIELD(struct values, device), .argument = "D", .words = "all",
     .help =
         "numbers or parts of names, as `berth devices` prints them, with commas between; or all",
     .fallback = "all"},
    {"variant", BERTH_FIELD(struct values, variant), .argument = "TEXT",
     .help = "tunables of the energy kernel, for example \"ppwi=2 unroll=8\"",
     .fallback = "as tuned, else by device"},
    {"data", BERTH_FIELD(struct values, data), .argument = "DIR", .help = "folder of the demo data",
     .fallback = "that beside the program"},
    {"forcefield", BERTH_FIELD(struct values, forcefield.path), .argument = "FILE",
     .help = "BUDE parameter file (.bhff)", .fallback = "built in: by-atom-2017"},
    {"scoring", BERTH_FIELD(struct values, forcefield.scoring), .argument = "S",
     .help = "scoring function, as `berth bench` has it"},
    {"config", BERTH_OPTION_CONFIG, .argument = "FILE",
     .help = "read options from a file: lines `name = value`"},
    {0}};

/* BERTH_E_USAGE for options that do not go together. */
static enum berth_status check(const struct values *values, const struct berth_parsed *parsed,
                               struct berth_error *error)
{
    static const char *const PAPER_ONLY[] = {"generations", "conformers"};
    static const char *const DEMO_ONLY[] = {"scoring", "forcefield"};
    const char *other = values->deck       ? "--deck"
                        : values->baseline ? "--baseline"
                        : values->terms    ? "--terms"
                        : values->svg      ? "--svg"
                                           : NULL;
    if (values->paper && other) {
        return berth_fail(error, BERTH_E_USAGE,
                          "--paper docks the demo's site and reports that alone; leave out %s",
                          other);
    }
    for (size_t i = 0; i < sizeof PAPER_ONLY / sizeof *PAPER_ONLY; i++) {
        if (!values->paper && berth_options_given(OPTIONS, parsed, PAPER_ONLY[i])) {
            return berth_fail(error, BERTH_E_USAGE, "--%s goes with --paper", PAPER_ONLY[i]);
        }
    }
    const char *bude = values->deck ? "--deck" : values->baseline ? "--baseline" : "--paper";
    for (size_t i = 0; i < sizeof DEMO_ONLY / sizeof *DEMO_ONLY; i++) {
        if ((values->deck || values->paper || values->baseline) &&
            berth_options_given(OPTIONS, parsed, DEMO_ONLY[i])) {
            return berth_fail(error, BERTH_E_USAGE, "--%s: %s is for BUDE's own energies",
                              DEMO_ONLY[i], bude);
        }
    }
    return BERTH_OK;
}

/* --- The energy kernel --- */

static void print_suite(void *context, const struct berth_bench_suite *suite, const char *name)
{
    if (((const struct run *)context)->table) {
        berth_bench_print_head(stdout, name, suite);
    }
}

static void print_result(void *context, const struct berth_bench_suite *suite,
                         const struct berth_bench_row *row)
{
    if (((const struct run *)context)->table) {
        berth_bench_print_row(stdout, &suite->work, row);
    }
}

static enum berth_status bench_kernel(struct run *run, struct berth_error *error)
{
    const struct values *values = run->values;
    const struct berth_bench_settings settings = {.deck = values->deck,
                                                  .scoring = &values->forcefield,
                                                  .data = values->data,
                                                  .csv = values->csv,
                                                  .svg = values->svg,
                                                  .log = &LOG,
                                                  .suite = {.devices = &run->devices,
                                                            .variant = run->variant,
                                                            .poses = (size_t)values->poses,
                                                            .repeats = (size_t)values->repeats,
                                                            .baseline = values->baseline,
                                                            .terms = values->terms}};
    const struct berth_bench_printer printer = {run, print_suite, print_result};
    return berth_bench_decks(&settings, &printer, &run->valid, error);
}

/* --- Dockings --- */

static void print_docking(void *context, const struct berth_device *device,
                          const struct berth_variant *variant,
                          const struct berth_paper_result *result)
{
    if (!((const struct run *)context)->table) {
        return;
    }
    berth_paper_print(stdout, device, variant, result);
}

static enum berth_status bench_paper(struct run *run, struct berth_error *error)
{
    const struct values *values = run->values;
    const struct berth_paper_settings settings = {.data = values->data,
                                                  .log = &LOG,
                                                  .poses = (size_t)values->poses,
                                                  .generations = (size_t)values->generations,
                                                  .conformers = (size_t)values->conformers,
                                                  .repeats = (size_t)values->repeats};
    const struct berth_paper_runs runs = {&settings,    values->csv,   &run->devices,
                                          run->variant, print_docking, run};
    if (run->table) {
        printf("%lld conformers x %lld generations x %lld poses, site of %d receptor atoms\n",
               values->conformers, values->generations, values->poses, BERTH_PAPER_SITE);
    }
    return berth_paper_measure(&runs, error);
}

static enum berth_status execute(struct run *run, struct berth_error *error)
{
    const struct values *values = run->values;
    enum berth_status status =
        values->variant ? berth_variant_parse(values->variant, &run->variant, error) : BERTH_OK;
    if (!status) {
        const char *wanted = values->device ? values->device : "all";
        status = berth_devices_look(wanted, &LOG, &run->devices, error);
        status = status ? status : berth_devices_keep(wanted, &LOG, &run->devices, error);
    }
    if (!status) {
        status = values->paper ? bench_paper(run, error) : bench_kernel(run, error);
    }
    return status;
}

static int bench(const struct values *values, const struct berth_parsed *parsed)
{
    struct berth_error error;
    struct run run = {.values = values,
                      .variant = berth_variant_unset(),
                      .table = !values->csv || strcmp(values->csv, "-") != 0,
                      .valid = true};
    enum berth_status status = check(values, parsed, &error);
    status = status ? status : execute(&run, &error);
    berth_devices_clear(&run.devices);
    if (status || !run.valid) {
        fprintf(stderr, "berth-bench: %s\n",
                status ? error.message
                       : "energies differ from the reference; run `berth selftest`");
    }
    return status || !run.valid;
}

int main(int argc, char **argv)
{
    struct values values = {.repeats = 10,
                            .generations = 8,
                            .conformers = 128,
                            .forcefield = berth_scoring_published()};
    const struct values defaults = values;
    struct berth_parsed parsed = {0};
    struct berth_error error;
    int code = 1;
    if (berth_options_parse(OPTIONS, argc - 1, argv + 1, &values, &parsed, &error)) {
        fprintf(stderr, "berth-bench: %s\n", error.message);
    } else if (parsed.help) {
        fputs(USAGE, stdout);
        berth_options_help(OPTIONS, &defaults, stdout);
        code = 0;
    } else {
        if (!values.poses && (values.paper || !values.deck)) {
            values.poses = 65536;
        }
        code = bench(&values, &parsed);
    }
    berth_parsed_clear(&parsed);
    return code;
}
