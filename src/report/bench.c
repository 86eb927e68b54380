#include "report/bench.h"

#include "base/text.h"
#include "check/bench.h"
#include "check/demo.h"
#include "format/output.h"

static void print_head(FILE *file, const char *name, const struct berth_deck *deck)
{
    berth_text_print(file, "deck %s: %zu receptor atoms, %zu ligand atoms", name,
                     deck->protein.count, deck->ligand.count);
    fprintf(file, "%-40s %9s %8s %6s %10s %10s %12s  %-5s %s\n", "device", "poses", "w x ppwi",
            "wgsize", "ms median", "ms min", "interact./s", "valid", "max diff %");
    fflush(file);
}

static void print_row(FILE *file, const struct berth_device *device,
                      const struct berth_bench_setup *setup,
                      const struct berth_bench_result *result)
{
    char shape[32];
    snprintf(shape, sizeof shape, "%d x %-2d", setup->variant.vector_width, setup->variant.ppwi);
    fprintf(file, "%-40.40s %9zu %8s %6d %10.3f %10.3f %12.4g  %-5s %.4f\n", device->name,
            setup->poses_wanted, shape, setup->variant.wgsize, result->ms_median, result->ms_min,
            result->interactions_per_s, result->valid ? "yes" : "NO", result->max_diff_pct);
    fflush(file);
}

static void csv_row(struct berth_output *csv, const struct berth_device *device,
                    const struct berth_bench_setup *setup, const struct berth_bench_result *result)
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

static enum berth_status measure(const struct berth_bench_settings *settings,
                                 const struct berth_deck *deck, struct berth_output *csv,
                                 bool *valid, struct berth_error *error)
{
    struct berth_bench_setup setup = {.target = {&deck->scoring, &deck->protein, {{0}, {0}}},
                                      .ligand = &deck->ligand,
                                      .poses = deck->poses,
                                      .pose_count = deck->pose_count,
                                      .energies = deck->energies,
                                      .energy_count = deck->energy_count,
                                      .poses_wanted =
                                          settings->poses ? settings->poses : deck->pose_count,
                                      .repeats = settings->repeats};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < settings->devices->count; i++) {
        const struct berth_device *device = &settings->devices->devices[i];
        struct berth_bench_result result;
        setup.variant = berth_variant_with(device, &settings->variant);
        if (settings->variant.lists < 0) {
            setup.variant.lists = 0; /* every interaction of the deck is to be done */
        }
        status = berth_bench_run(device, &setup, &result, error);
        if (!status && settings->table) {
            print_row(settings->table, device, &setup, &result);
        }
        if (!status && csv) {
            csv_row(csv, device, &setup, &result);
        }
        *valid = *valid && (status || result.valid);
    }
    return status;
}

enum berth_status berth_bench_devices(const struct berth_bench_settings *settings, bool *valid,
                                      struct berth_error *error)
{
    struct berth_output *csv = NULL;
    struct berth_deck deck = {0};
    enum berth_status status =
        settings->csv ? berth_output_create(settings->csv, &csv, error) : BERTH_OK;
    *valid = true;
    BERTH_THEN(settings->deck ? berth_deck_read(settings->deck, &deck, error)
                              : berth_demo_deck(settings->data, settings->scoring, settings->log,
                                                &deck, error));
    if (!status && settings->table) {
        print_head(settings->table, settings->deck ? settings->deck : "of the demo complex", &deck);
    }
    if (!status && csv) {
        berth_output_print(csv, "device,driver,poses,vector_width,ppwi,wgsize,variant,ms_median,"
                                "ms_min,interactions_per_s,valid,max_diff_pct\n");
    }
    BERTH_THEN(measure(settings, &deck, csv, valid, error));
    berth_deck_clear(&deck);
    if (!status && csv) {
        return berth_output_commit(csv, error);
    }
    berth_output_discard(csv);
    return status;
}
