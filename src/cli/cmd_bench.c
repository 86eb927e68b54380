/* berth bench: throughput of the energy kernel, verified. */
#include <string.h>

#include "check/bench.h"
#include "check/deck.h"
#include "cli/common.h"
#include "format/output.h"
#include "cli/rows.h"

/* Numbers are 0 where they were not given. */
struct values {
    struct berth_scoring_choice forcefield;
    const char *deck, *data, *csv, *device, *variant;
    long long poses, repeats;
};

static const struct cli_usage USAGE = {
    "bench", "[--deck DIR] [options]",
    "Times the energy kernel on each device and checks every energy: valid is yes where all agree\n"
    "with the reference within 0.05 % or 0.01 kJ/mol.  The data are the demo complex (HIV-1\n"
    "protease and amprenavir at random poses, with the energies of a double-precision reference) "
    "or\n"
    "a miniBUDE deck (protein.in, ligand.in, forcefield.in, poses.in, ref_energies.out).  Times "
    "are\n"
    "device time, from profiling events.\n"
    "\n"
    "Tunables for --variant: vector_width (poses in a vector: 1, 2, 4, 8 or 16), ppwi (vectors of\n"
    "poses per work-item), wgsize (work-items in a work-group), tile (receptor atoms in local "
    "memory\n"
    "at a time, 0 for none), lists (1: neighbour lists, 0: every atom of the receptor), expanded\n"
    "(1: squared distances expanded, 0: direct), saturate (1: clamp the ramps, 0: clamp the\n"
    "distance), square_root (0: full precision, 1: native, 2: x86 estimate and Newton step, 3: "
    "PTX),\n"
    "unroll (receptor atoms per turn of the innermost loop); kernels/variant.cl explains each."};

static const struct berth_option OPTIONS[] = {
    {"deck", BERTH_FIELD(struct values, deck), .argument = "DIR",
     .help = "folder of a miniBUDE deck", .fallback = "the demo complex"},
    {"poses", BERTH_FIELD(struct values, poses), .argument = "N",
     .help = "poses in a launch; those of the data are repeated as needed",
     .fallback = "as many as the deck has, else 65536", .min = 1, .max = 1 << 26},
    {"repeats", BERTH_FIELD(struct values, repeats), .argument = "K",
     .help = "timed launches, after one that is not timed", .min = 1, .max = 100000},
    {"csv", BERTH_FIELD(struct values, csv), .argument = "FILE",
     .help = "write the table as CSV too (- for standard output instead)", .fallback = "none"},
    {.help = "Device and data"},
    {"device", BERTH_FIELD(struct values, device), .argument = "D", .words = "all",
     .help = CLI_DEVICES_HELP, .fallback = "all"},
    {"variant", BERTH_FIELD(struct values, variant), .argument = "TEXT",
     .help = "tunables of the energy kernel, for example \"ppwi=2 unroll=8\"",
     .fallback = "as tuned, else by device"},
    {"data", BERTH_FIELD(struct values, data), .argument = "DIR", .help = "folder of the demo data",
     .fallback = "that beside the program"},
    CLI_SCORING_ROWS(struct values, forcefield.path, forcefield.scoring),
    CLI_CONFIG_ROW,
    {0}};

/* BERTH_E_USAGE for options that do not go together. */
static enum berth_status check(const struct values *values, const struct berth_parsed *parsed,
                               struct berth_error *error)
{
    static const char *const DEMO_ONLY[] = {"scoring", "forcefield"};
    const struct cli_file file = {"csv", values->csv, true};
    for (size_t i = 0; i < sizeof DEMO_ONLY / sizeof *DEMO_ONLY; i++) {
        if (values->deck && berth_options_given(OPTIONS, parsed, DEMO_ONLY[i])) {
            return berth_fail(error, BERTH_E_USAGE, "--%s: --deck is for BUDE's own energies",
                              DEMO_ONLY[i]);
        }
    }
    return cli_check_files(&file, 1, error);
}

static void print_head(const char *name, const struct berth_deck *deck)
{
    cli_print("deck %s: %zu receptor atoms, %zu ligand atoms", name, deck->protein.count,
              deck->ligand.count);
    printf("%-40s %9s %8s %6s %10s %10s %12s  %-5s %s\n", "device", "poses", "w x ppwi", "wgsize",
           "ms median", "ms min", "interact./s", "valid", "max diff %");
    fflush(stdout);
}

static void print_row(const struct berth_device *device, const struct berth_bench_setup *setup,
                      const struct berth_bench_result *result)
{
    char shape[32];
    snprintf(shape, sizeof shape, "%d x %-2d", setup->variant.vector_width, setup->variant.ppwi);
    printf("%-40.40s %9zu %8s %6d %10.3f %10.3f %12.4g  %-5s %.4f\n", device->name,
           setup->poses_wanted, shape, setup->variant.wgsize, result->ms_median, result->ms_min,
           result->interactions_per_s, result->valid ? "yes" : "NO", result->max_diff_pct);
    fflush(stdout);
}

static void write_row(struct berth_output *csv, const struct berth_device *device,
                      const struct berth_bench_setup *setup,
                      const struct berth_bench_result *result)
{
    char variant[BERTH_VARIANT_TEXT];
    berth_variant_print(&setup->variant, variant);
    berth_output_csv(csv, device->name, ',');
    berth_output_csv(csv, device->driver, ',');
    berth_output_print(csv, "%zu,%d,%d,%d,%s,%.4f,%.4f,%.5g,%s,%.5f\n", setup->poses_wanted,
                       setup->variant.vector_width, setup->variant.ppwi, setup->variant.wgsize,
                       variant, result->ms_median, result->ms_min, result->interactions_per_s,
                       result->valid ? "yes" : "no", result->max_diff_pct);
}

/* What a run holds. */
struct run {
    const struct values *values;
    bool quiet;                  /* the table on standard output is the CSV alone */
    struct berth_variant wanted; /* tunables to set; those below 0 are left to the device */
    struct berth_devices devices;
    struct berth_deck deck;
    struct berth_output *csv;
    bool valid; /* all energies agree with the reference */
};

static enum berth_status bench_all(struct run *run, struct berth_error *error)
{
    const struct values *values = run->values;
    struct berth_bench_setup setup =
        berth_bench_of_deck(&run->deck, (size_t)values->poses, (size_t)values->repeats);
    for (size_t i = 0; i < run->devices.count; i++) {
        const struct berth_device *device = &run->devices.devices[i];
        struct berth_bench_result result;
        setup.variant = berth_variant_with(device, &run->wanted);
        if (run->wanted.lists < 0) {
            setup.variant.lists = 0; /* every interaction of the deck is to be done */
        }
        BERTH_TRY(berth_bench_run(device, &setup, &result, error));
        if (!run->quiet) {
            print_row(device, &setup, &result);
        }
        if (run->csv) {
            write_row(run->csv, device, &setup, &result);
        }
        run->valid = run->valid && result.valid;
    }
    return BERTH_OK;
}

static enum berth_status execute(struct run *run, struct berth_error *error)
{
    const struct values *values = run->values;
    run->wanted = berth_variant_unset();
    run->quiet = values->csv && strcmp(values->csv, "-") == 0;
    if (values->variant) {
        BERTH_TRY(berth_variant_parse(values->variant, &run->wanted, error));
    }
    BERTH_TRY(cli_devices_choose(&run->devices, values->device ? values->device : "all", error));
    if (values->csv) {
        BERTH_TRY(berth_output_create(values->csv, &run->csv, error));
    }
    BERTH_TRY(values->deck ? berth_deck_read(values->deck, &run->deck, error)
                           : berth_demo_deck(values->data, &values->forcefield, cli_log(),
                                             &run->deck, error));
    if (!run->quiet) {
        print_head(values->deck ? values->deck : "of the demo complex", &run->deck);
    }
    if (run->csv) {
        berth_output_print(run->csv,
                           "device,driver,poses,vector_width,ppwi,wgsize,variant,ms_median,"
                           "ms_min,interactions_per_s,valid,max_diff_pct\n");
    }
    return bench_all(run, error);
}

int cmd_bench(int argc, char **argv)
{
    struct values values = {.repeats = 10, .forcefield = berth_scoring_published()};
    struct berth_parsed parsed = {0};
    struct berth_error error;
    int code = cli_parse(&USAGE, OPTIONS, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON) {
        struct run run = {.values = &values, .valid = true};
        if (!values.poses && !values.deck) {
            values.poses = 65536;
        }
        enum berth_status status = check(&values, &parsed, &error);
        BERTH_THEN(execute(&run, &error));
        status = berth_output_finish(run.csv, status, &error);
        if (!run.valid) {
            cli_say("energies differ from the reference; run `berth selftest`");
        }
        code = status ? cli_fatal(&error) : run.valid ? CLI_DONE : CLI_FATAL;
        berth_deck_clear(&run.deck);
        berth_devices_clear(&run.devices);
    }
    berth_parsed_clear(&parsed);
    return code;
}
