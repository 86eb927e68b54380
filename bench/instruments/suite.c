#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Rates of the classes of pairs, each on the same atoms, all of which take its loop body. */
static enum berth_status measure_classes(const struct berth_device *device,
                                         const struct berth_bench_setup *setup,
                                         const struct berth_work *work,
                                         double rates[BERTH_CLASSES_MAX], struct berth_error *error)
{
    struct berth_bench_setup reduced = *setup;
    enum berth_status status = BERTH_OK;
    char options[40];
    reduced.energy_count = 0;
    reduced.build_options = options;
    for (size_t k = 0; !status && k < work->count; k++) {
        struct berth_bench_result result = {0};
        snprintf(options, sizeof options, "-DBERTH_ONE_BODY=%u", work->parts[k]);
        status = berth_bench_run(device, &reduced, &result, error);
        rates[k] = result.interactions_per_s;
    }
    return status;
}

/* One device's row: its ceilings, its speed, the classes where they are asked for. */
static enum berth_status measure_device(const struct berth_bench_suite *suite,
                                        const struct berth_bench_setup *setup,
                                        struct berth_bench_row *row, struct berth_error *error)
{
    enum berth_status status = berth_ceiling_measure(row->device, &row->ceiling, error);
    if (!status) {
        const bool saturates = row->device->kind == BERTH_DEVICE_GPU;
        row->floor = berth_floor_of(&suite->work, &row->ceiling, saturates);
        row->own = berth_floor_by(&suite->work, &row->ceiling, saturates, row->variant.square_root);
        status = berth_bench_run(row->device, setup, &row->result, error);
    }
    if (!status && suite->terms) {
        status = measure_classes(row->device, setup, &suite->work, row->class_rates, error);
    }
    return status;
}

static void add(const struct berth_bench_suite *suite, const struct berth_bench_row *row,
                struct berth_bench_rows *rows)
{
    rows->rows[rows->count++] = *row;
    suite->report(suite->context, row);
}

enum berth_status berth_bench_suite_run(const struct berth_bench_suite *suite,
                                        struct berth_bench_rows *rows, struct berth_error *error)
{
    struct berth_bench_setup setup = berth_bench_of_deck(suite->deck, suite->poses, suite->repeats);
    *rows = (struct berth_bench_rows){
        .rows = berth_alloc(suite->devices->count + 1, sizeof *rows->rows)};
    enum berth_status status =
        rows->rows ? BERTH_OK : berth_fail(error, BERTH_E_MEMORY, "out of memory");
    if (!status && suite->baseline) {
        status = berth_baseline_run(&setup, &rows->baseline, error);
        if (!status) {
            const struct berth_bench_row row = {.baseline = &rows->baseline,
                                                .work = &suite->work,
                                                .poses = setup.poses_wanted,
                                                .result = rows->baseline.result};
            add(suite, &row, rows);
        }
    }
    for (size_t i = 0; !status && i < suite->devices->count; i++) {
        struct berth_bench_row row = {.device = &suite->devices->devices[i],
                                      .baseline = suite->baseline ? &rows->baseline : NULL,
                                      .work = &suite->work,
                                      .poses = setup.poses_wanted};
        setup.variant = berth_variant_with(row.device, &suite->variant);
        if (suite->variant.lists < 0) {
            setup.variant.lists = 0; /* every interaction of the deck is to be done */
        }
        row.variant = setup.variant;
        status = measure_device(suite, &setup, &row, error);
        if (!status) {
            add(suite, &row, rows);
        }
    }
    return status;
}

void berth_bench_rows_clear(struct berth_bench_rows *rows)
{
    free(rows->rows);
    memset(rows, 0, sizeof *rows);
}

bool berth_bench_rows_valid(const struct berth_bench_rows *rows)
{
    bool valid = true;
    for (size_t i = 0; i < rows->count; i++) {
        valid = valid && rows->rows[i].result.valid;
    }
    return valid;
}

double berth_bench_floor_percent(const struct berth_bench_row *row)
{
    return 100 * row->result.interactions_per_s / row->floor.interactions_per_s;
}

double berth_bench_ratio(const struct berth_bench_row *row)
{
    return row->result.interactions_per_s / row->baseline->result.interactions_per_s;
}
