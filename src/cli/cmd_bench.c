/* berth bench: throughput of the energy kernel, verified, against what the device could do at best;
 * and whole dockings at the published benchmark's size. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/bench.h"

static const struct cli_usage USAGE = {
    "bench", "[--deck DIR] [options]",
    "Times the energy kernel on each device and checks every energy: valid is yes where all agree\n"
    "with the reference within 0.05 % or 0.01 kJ/mol.  The data are the demo complex (HIV-1\n"
    "protease and amprenavir at random poses, with the energies of a double-precision reference) "
    "or\n"
    "a miniBUDE deck (protein.in, ligand.in, forcefield.in, poses.in, ref_energies.out).  Times "
    "are\n"
    "device time, from profiling events.  floor % is the part reached of the speed that the rates\n"
    "of multiply-adds, operations and square roots, measured in the same run, allow at most.\n"
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
    {"deck", BERTH_FIELD(struct bench_values, deck), .argument = "DIR",
     .help = "folder of a miniBUDE deck", .fallback = "the demo complex"},
    {"poses", BERTH_FIELD(struct bench_values, poses), .argument = "N",
     .help = "poses in a launch; those of the data are repeated as needed",
     .fallback = "as many as the deck has, else 65536", .min = 1, .max = 1 << 26},
    {"repeats", BERTH_FIELD(struct bench_values, repeats), .argument = "K",
     .help = "timed launches, after one that is not timed", .min = 1, .max = 100000},
    {"baseline", BERTH_FIELD(struct bench_values, baseline),
     .help = "run the published pair loop in plain C, too, on all cores (`make baseline` builds "
             "it), and give each device's speed as a multiple of its speed"},
    {"terms", BERTH_FIELD(struct bench_values, terms),
     .help = "measure each class of pairs of atoms by itself: steric only, with the electrostatic "
             "term, with desolvation, with all"},
    {"csv", BERTH_FIELD(struct bench_values, csv), .argument = "FILE",
     .help = "write the table as CSV too (- for standard output instead)", .fallback = "none"},
    {"svg", BERTH_FIELD(struct bench_values, svg), .argument = "FILE",
     .help = "draw the devices' speeds and their floors", .fallback = "none"},
    {.help = "The published benchmark's size"},
    {"paper", BERTH_FIELD(struct bench_values, paper),
     .help = "dock 128 conformers of ten drugs into a site of 938 receptor atoms, end to end"},
    {"generations", BERTH_FIELD(struct bench_values, generations), .argument = "N",
     .help = "with --paper: generations of --poses each", .min = 1, .max = 10000},
    {"conformers", BERTH_FIELD(struct bench_values, conformers), .argument = "N",
     .help = "with --paper: conformers to dock, the first ones", .min = 1, .max = 128},
    {.help = "Device and data"},
    {"device", BERTH_FIELD(struct bench_values, device), .argument = "D", .help = CLI_DEVICES_HELP,
     .fallback = "all"},
    {"variant", BERTH_FIELD(struct bench_values, variant), .argument = "TEXT",
     .help = "tunables of the energy kernel, for example \"ppwi=2 unroll=8\"",
     .fallback = "as tuned, else by device"},
    {"data", BERTH_FIELD(struct bench_values, data), .argument = "DIR",
     .help = "folder of the demo data", .fallback = "that beside the program"},
    {"config", BERTH_FIELD(struct bench_values, config), .argument = "FILE",
     .help = "read options from a file: lines `name = value`"},
    {0}};

/* The setup of a launch on the device; everything is borrowed from deck. */
static struct berth_bench_setup setup_for(const struct bench_values *values,
                                          const struct berth_deck *deck)
{
    return (struct berth_bench_setup){.target = {&deck->forcefield, &deck->protein, {{0}, {0}}},
                                      .ligand = &deck->ligand,
                                      .poses = deck->poses,
                                      .pose_count = deck->pose_count,
                                      .energies = deck->energies,
                                      .energy_count = deck->energy_count,
                                      .poses_wanted =
                                          values->poses ? (size_t)values->poses : deck->pose_count,
                                      .repeats = (size_t)values->repeats};
}

/* Rates of the classes of pairs, each on the same atoms with parameters that give all pairs that
 * class. */
static enum berth_status measure_classes(const struct berth_device *device,
                                         const struct berth_bench_setup *setup,
                                         double rates[BERTH_PAIR_CLASSES],
                                         struct berth_error *error)
{
    struct berth_forcefield forcefield = *setup->target.forcefield;
    struct berth_bench_setup reduced = *setup;
    forcefield.types = berth_alloc(forcefield.type_count, sizeof *forcefield.types);
    if (!forcefield.types) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    memcpy(forcefield.types, setup->target.forcefield->types,
           forcefield.type_count * sizeof *forcefield.types);
    reduced.target.forcefield = &forcefield;
    reduced.energy_count = 0;
    enum berth_status status = BERTH_OK;
    for (int k = 0; !status && k < BERTH_PAIR_CLASSES; k++) {
        for (size_t i = 0; i < forcefield.type_count; i++) {
            forcefield.types[i].charge = k & BERTH_PAIR_ELECTROSTATIC ? 0.5 : 0;
            forcefield.types[i].hydrophobic = k & BERTH_PAIR_DESOLVATION ? -0.5 : 0;
        }
        struct berth_bench_result result = {0};
        status = berth_bench_run(device, &reduced, &result, error);
        rates[k] = result.interactions_per_s;
    }
    free(forcefield.types);
    return status;
}

/* One device's row: its ceilings, its speed, the classes where they are asked for. */
static enum berth_status bench_device(const struct bench_values *values,
                                      const struct berth_bench_setup *setup,
                                      const struct berth_work *work, struct bench_row *row,
                                      struct berth_error *error)
{
    enum berth_status status = berth_ceiling_measure(row->device, NULL, &row->ceiling, error);
    if (!status) {
        const bool saturates = row->device->kind == BERTH_DEVICE_GPU;
        row->floor = berth_floor_of(work, &row->ceiling, saturates);
        row->own = berth_floor_by(work, &row->ceiling, saturates, row->variant.square_root);
        status = berth_bench_run(row->device, setup, &row->result, error);
    }
    if (!status && values->terms) {
        status = measure_classes(row->device, setup, row->class_rates, error);
    }
    return status;
}

/* The baseline, where it is asked for, then the devices one after the other; *all_valid tells of
 * all. */
static enum berth_status run_all(const struct bench_values *values,
                                 const struct bench_devices *devices, const struct berth_deck *deck,
                                 struct bench_report *report, bool *all_valid,
                                 struct berth_error *error)
{
    struct berth_bench_setup setup = setup_for(values, deck);
    struct bench_baseline baseline = {0};
    enum berth_status status = BERTH_OK;
    if (values->baseline) {
        status = bench_baseline_run(&setup, &baseline, error);
        if (!status) {
            const struct bench_row row = {
                .baseline = &baseline, .poses = setup.poses_wanted, .result = baseline.result};
            *all_valid = baseline.result.valid;
            status = bench_report_add(report, &row, error);
        }
    }
    for (size_t i = 0; !status && i < devices->list.count; i++) {
        struct bench_row row = {.device = &devices->list.devices[i],
                                .baseline = values->baseline ? &baseline : NULL,
                                .poses = setup.poses_wanted};
        setup.variant = berth_variant_with(row.device, &devices->given);
        if (devices->given.lists < 0) {
            setup.variant.lists = 0; /* every interaction of the deck is to be done */
        }
        row.variant = setup.variant;
        status = bench_device(values, &setup, &report->work, &row, error);
        if (!status) {
            *all_valid = *all_valid && row.result.valid;
            status = bench_report_add(report, &row, error);
        }
    }
    return status ? status : bench_report_commit(report, error);
}

static enum berth_status bench_kernel(const struct bench_values *values,
                                      const struct bench_devices *devices, bool *all_valid,
                                      struct berth_error *error)
{
    struct berth_deck deck = {0};
    struct bench_report report = {0};
    enum berth_status status = values->deck ? berth_deck_read(values->deck, &deck, error)
                                            : bench_demo_deck(values, &deck, error);
    if (!status) {
        status = bench_report_create(values, &deck, &report, error);
    }
    if (!status) {
        status = run_all(values, devices, &deck, &report, all_valid, error);
    }
    bench_report_clear(&report);
    berth_deck_clear(&deck);
    return status;
}

/* BERTH_E_USAGE for options that do not go together. */
static enum berth_status check(const struct bench_values *values, const struct berth_parsed *parsed,
                               struct berth_error *error)
{
    static const char *const PAPER_ONLY[] = {"generations", "conformers"};
    const struct cli_file files[] = {{"csv", values->csv, true}, {"svg", values->svg, true}};
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
    return cli_check_files(files, sizeof files / sizeof *files, error);
}

static int bench(struct bench_values *values, const struct berth_parsed *parsed)
{
    struct berth_error error;
    struct bench_devices devices = {.given = berth_variant_unset()};
    bool all_valid = true;
    enum berth_status status = check(values, parsed, &error);
    if (!status && values->variant) {
        status = berth_variant_parse(values->variant, &devices.given, &error);
    }
    if (!status) {
        status = cli_devices_list(&devices.list, &error);
    }
    if (!status) {
        status =
            berth_devices_choose(&devices.list, values->device ? values->device : "all", &error);
    }
    if (!values->poses && (values->paper || !values->deck)) {
        values->poses = 65536;
    }
    if (!status) {
        cli_check_tuning(&devices.list);
        status = values->paper ? bench_paper(values, &devices, &error)
                               : bench_kernel(values, &devices, &all_valid, &error);
    }
    berth_devices_clear(&devices.list);
    if (status) {
        return cli_fatal(&error);
    }
    if (!all_valid) {
        cli_say("energies differ from the reference; run `berth selftest`");
    }
    return all_valid ? CLI_DONE : CLI_FATAL;
}

int cmd_bench(int argc, char **argv)
{
    struct bench_values values = {.repeats = 10, .generations = 8, .conformers = 128};
    struct berth_parsed parsed = {0};
    int code = cli_parse(&USAGE, OPTIONS, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON) {
        code = bench(&values, &parsed);
    }
    berth_parsed_clear(&parsed);
    return code;
}
