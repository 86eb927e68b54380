/* berth bench: throughput on a miniBUDE deck, verified against its reference energies. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/common.h"
#include "engine/bench.h"
#include "io/deck.h"

struct values {
    const char *deck, *csv, *device, *config;
    long long poses, repeats;
    struct {
        long long vector_width, ppwi, wgsize, tile, expanded, saturate, square_root, unroll;
    } variant;
};

static const struct cli_usage USAGE = {
    "bench", "--deck DIR [options]",
    "Times the energy kernel on a miniBUDE deck (protein.in, ligand.in, forcefield.in, poses.in,\n"
    "ref_energies.out) and checks every energy against the deck's: valid is yes where all agree\n"
    "within 0.05 % or 0.01 kJ/mol.  Times are device time, from profiling events."};

#define VARIANT(field, text, most)                                                                 \
    {                                                                                              \
#field, BERTH_FIELD(struct values, variant.field),                                         \
            .argument = "N", .help = text, .fallback = "by device", .min = 0, .max = most          \
    }

static const struct berth_option OPTIONS[] = {
    {"deck", BERTH_FIELD(struct values, deck), .argument = "DIR", .help = "folder of the deck",
     .required = true},
    {"poses", BERTH_FIELD(struct values, poses), .argument = "N", .help = "poses in a launch",
     .fallback = "as many as the deck has", .min = 1, .max = 1 << 26},
    {"repeats", BERTH_FIELD(struct values, repeats), .argument = "K",
     .help = "timed launches, after one that is not timed", .min = 1, .max = 100000},
    {"csv", BERTH_FIELD(struct values, csv), .argument = "FILE",
     .help = "write the table as CSV too (- for standard output instead)", .fallback = "none"},
    {"device", BERTH_FIELD(struct values, device), .argument = "D",
     .help = "number or part of a name, as `berth devices` prints them, or all", .fallback = "all"},
    {.help = "Variant of the energy kernel (kernels/energy.cl explains each)"},
    VARIANT(vector_width, "poses in a vector: 1, 2, 4, 8 or 16", 16),
    VARIANT(ppwi, "vectors of poses per work-item", 16),
    VARIANT(wgsize, "work-items in a work-group", 65536),
    VARIANT(tile, "receptor atoms in local memory at a time, 0 for none", 65536),
    VARIANT(expanded, "1: squared distances expanded, 0: direct", 1),
    VARIANT(saturate, "1: clamp the ramps, 0: clamp the distance", 1),
    VARIANT(square_root, "0: full precision, 1: native, 2: x86 estimate and Newton step, 3: PTX",
            3),
    VARIANT(unroll, "receptor atoms per turn of the innermost loop", 16),
    {"config", BERTH_FIELD(struct values, config), .argument = "FILE",
     .help = "read options from a file: lines `name = value`"},
    {0}};

static struct berth_variant chosen_variant(const struct values *values,
                                           const struct berth_device *device)
{
    const struct berth_variant given = {
        (int)values->variant.vector_width, (int)values->variant.ppwi,
        (int)values->variant.wgsize,       (int)values->variant.tile,
        (int)values->variant.expanded,     (int)values->variant.saturate,
        (int)values->variant.square_root,  (int)values->variant.unroll};
    return berth_variant_with(device, &given);
}

/* True where standard output is for people; `--csv -` gives it to the CSV table. */
static bool prints_table(const struct values *values)
{
    return !values->csv || strcmp(values->csv, "-") != 0;
}

/* One device's row, on the terminal and in the CSV file. */
static void print_row(const struct berth_device *device, const struct berth_bench_setup *setup,
                      const struct berth_bench_result *result, bool table, struct berth_output *csv)
{
    const struct berth_variant *variant = &setup->variant;
    if (table) {
        printf("%-40.40s %9zu %3d x %-2d %6d %10.3f %10.3f %12.4g  %-5s %.4f\n", device->name,
               setup->poses_wanted, variant->vector_width, variant->ppwi, variant->wgsize,
               result->ms_median, result->ms_min, result->interactions_per_s,
               result->valid ? "yes" : "NO", result->max_diff_pct);
    }
    if (csv) {
        berth_output_csv(csv, device->name, ',');
        berth_output_csv(csv, device->driver, ',');
        berth_output_print(csv, "%zu,%d,%d,%d,%.4f,%.4f,%.5g,%s,%.5f\n", setup->poses_wanted,
                           variant->vector_width, variant->ppwi, variant->wgsize, result->ms_median,
                           result->ms_min, result->interactions_per_s, result->valid ? "yes" : "no",
                           result->max_diff_pct);
    }
}

/* Measures the chosen devices one after the other; *all_valid tells of all. */
static enum berth_status bench_devices(const struct values *values, const struct berth_deck *deck,
                                       struct berth_output *csv, bool *all_valid,
                                       struct berth_error *error)
{
    struct berth_devices devices = {0};
    enum berth_status status = berth_devices_list(&devices, error);
    if (!status) {
        status = berth_devices_choose(&devices, values->device ? values->device : "all", error);
    }
    for (size_t i = 0; !status && i < devices.count; i++) {
        const struct berth_device *device = &devices.devices[i];
        struct berth_bench_setup setup = {.target = {&deck->forcefield, &deck->protein, {0, 0, 0}},
                                          .ligand = &deck->ligand,
                                          .poses = deck->poses,
                                          .pose_count = deck->pose_count,
                                          .energies = deck->energies,
                                          .energy_count = deck->energy_count,
                                          .poses_wanted = values->poses ? (size_t)values->poses
                                                                        : deck->pose_count,
                                          .repeats = (size_t)values->repeats,
                                          .variant = chosen_variant(values, device)};
        struct berth_bench_result result = {0};
        status = berth_bench_run(device, &setup, &result, error);
        if (!status) {
            print_row(device, &setup, &result, prints_table(values), csv);
            *all_valid = *all_valid && result.valid;
        }
    }
    berth_devices_clear(&devices);
    return status;
}

static int bench(const struct values *values)
{
    struct berth_error error;
    struct berth_deck deck = {0};
    struct berth_output *csv = NULL;
    bool all_valid = true;
    enum berth_status status = berth_deck_read(values->deck, &deck, &error);
    if (!status && values->csv) {
        status = berth_output_create(values->csv, &csv, &error);
    }
    if (csv) {
        berth_output_print(csv, "device,driver,poses,vector_width,ppwi,wgsize,ms_median,ms_min,"
                                "interactions_per_s,valid,max_diff_pct\n");
    }
    if (!status && prints_table(values)) {
        printf("deck %s: %zu receptor atoms, %zu ligand atoms\n", values->deck, deck.protein.count,
               deck.ligand.count);
        printf("%-40s %9s %8s %6s %10s %10s %12s  %-5s %s\n", "device", "poses", "w x ppwi",
               "wgsize", "ms median", "ms min", "interact./s", "valid", "max diff %");
    }
    if (!status) {
        status = bench_devices(values, &deck, csv, &all_valid, &error);
    }
    if (!status && csv) {
        status = berth_output_commit(csv, &error);
        csv = NULL;
    }
    berth_output_discard(csv);
    berth_deck_clear(&deck);
    if (status) {
        return cli_fatal(&error);
    }
    if (!all_valid) {
        fprintf(stderr, "berth: energies differ from the deck's reference; run `berth selftest`\n");
    }
    return all_valid ? CLI_DONE : CLI_FATAL;
}

int cmd_bench(int argc, char **argv)
{
    struct values values = {.repeats = 10, .variant = {-1, -1, -1, -1, -1, -1, -1, -1}};
    struct berth_parsed parsed = {0};
    int code = cli_parse(&USAGE, OPTIONS, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON) {
        code = bench(&values);
    }
    berth_parsed_clear(&parsed);
    return code;
}
