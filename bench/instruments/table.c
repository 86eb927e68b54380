#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check/deck.h"
#include "bars.h"

void berth_bench_row_name(const struct berth_bench_row *row, char *name, size_t size)
{
    if (row->device) {
        snprintf(name, size, "%s", row->device->name);
    } else {
        snprintf(name, size, "plain C, %.24s, %d thread%s", row->baseline->compiler,
                 row->baseline->threads, row->baseline->threads == 1 ? "" : "s");
    }
}

/* --- The energy kernel --- */

static void bench_head(struct berth_output *csv)
{
    berth_output_print(csv, "device,driver,poses,vector_width,ppwi,wgsize,variant,ms_median,ms_min,"
                            "interactions_per_s,valid,max_diff_pct,multiply_adds_per_s,"
                            "operations_per_s,roots_per_s,floor_interactions_per_s,floor_pct,"
                            "classes_per_s,"
                            "baseline_ratio\n");
}

/* A field, empty where there is no such figure. */
static void csv_number(struct berth_output *csv, double number, char separator)
{
    if (number > 0) {
        berth_output_print(csv, "%.5g", number);
    }
    berth_output_print(csv, "%c", separator);
}

static void bench_row(struct berth_output *csv, const struct berth_bench_row *row)
{
    const struct berth_bench_result *result = &row->result;
    char name[160], variant[BERTH_VARIANT_TEXT];
    berth_bench_row_name(row, name, sizeof name);
    berth_output_csv(csv, name, ',');
    berth_output_csv(csv, row->device ? row->device->driver : row->baseline->compiler, ',');
    berth_output_print(csv, "%zu,", row->poses);
    if (row->device) {
        berth_variant_print(&row->variant, variant);
        berth_output_print(csv, "%d,%d,%d,%s", row->variant.vector_width, row->variant.ppwi,
                           row->variant.wgsize, variant);
    } else {
        berth_output_print(csv, ",,,block=%d", row->baseline->block);
    }
    berth_output_print(csv, ",%.4f,%.4f,%.5g,%s,%.5f,", result->ms_median, result->ms_min,
                       result->interactions_per_s, result->valid ? "yes" : "no",
                       result->max_diff_pct);
    csv_number(csv, row->ceiling.multiply_adds_per_s, ',');
    csv_number(csv, row->ceiling.operations_per_s, ',');
    csv_number(csv, row->ceiling.roots_per_s[row->floor.way], ',');
    csv_number(csv, row->floor.interactions_per_s, ',');
    csv_number(csv, row->device ? berth_bench_floor_percent(row) : 0, ',');
    for (size_t k = 0; k < row->work->count && row->class_rates[k] > 0; k++) {
        berth_output_print(csv, "%s%s=%.5g", k ? ";" : "", row->work->names[k],
                           row->class_rates[k]);
    }
    berth_output_print(csv, ",");
    csv_number(csv, row->baseline ? berth_bench_ratio(row) : 0, '\n');
}

/* The text of a row's bar. */
struct bar_text {
    char label[160], note[96];
};

static void make_bar(const struct berth_bench_row *row, struct bar_text *text,
                     struct berth_svg_bar *bar)
{
    berth_bench_row_name(row, text->label, sizeof text->label);
    size_t used =
        (size_t)snprintf(text->note, sizeof text->note, "%.3g/s", row->result.interactions_per_s);
    if (row->device) {
        used += (size_t)snprintf(text->note + used, sizeof text->note - used, ", %.0f %% of floor",
                                 berth_bench_floor_percent(row));
    }
    if (row->device && row->baseline) {
        snprintf(text->note + used, sizeof text->note - used, ", %.2g x plain C",
                 berth_bench_ratio(row));
    }
    *bar = (struct berth_svg_bar){.label = text->label,
                                  .note = text->note,
                                  .value = row->result.interactions_per_s,
                                  .limit = row->floor.interactions_per_s,
                                  .pale = !row->device};
}

static enum berth_status plot(const char *path, const char *deck,
                              const struct berth_bench_rows *rows, struct berth_error *error)
{
    char subtitle[256];
    struct berth_svg_bar *bars = berth_alloc(rows->count, sizeof *bars);
    struct bar_text *texts = berth_alloc(rows->count, sizeof *texts);
    enum berth_status status = BERTH_OK;
    if (!bars || !texts) {
        status = berth_fail(error, BERTH_E_MEMORY, "out of memory for the plot");
    } else {
        for (size_t i = 0; i < rows->count; i++) {
            make_bar(&rows->rows[i], &texts[i], &bars[i]);
        }
        const char *slash = strrchr(deck, '/');
        snprintf(subtitle, sizeof subtitle, "deck %.100s, %zu poses in a launch; %s",
                 slash && slash[1] ? slash + 1 : deck, rows->rows[0].poses,
                 berth_bench_rows_valid(rows) ? "all energies verified" : "ENERGIES ARE WRONG");
        const struct berth_svg_chart chart = {.title = "berth: energies of poses",
                                              .subtitle = subtitle,
                                              .axis = "interactions/s",
                                              .limit = "floor that the ceilings measured in the "
                                                       "same run allow",
                                              .bars = bars,
                                              .count = rows->count};
        status = berth_svg_write(path, &chart, error);
    }
    free(bars);
    free(texts);
    return status;
}

/* A suite on its way. */
struct measuring {
    struct berth_bench_suite suite;
    const struct berth_bench_printer *printer;
    struct berth_output *csv; /* NULL: not asked for */
};

static void take_row(void *context, const struct berth_bench_row *row)
{
    const struct measuring *measuring = context;
    measuring->printer->row(measuring->printer->context, &measuring->suite, row);
    if (measuring->csv) {
        bench_row(measuring->csv, row);
    }
}

static enum berth_status measure(const struct berth_bench_settings *settings,
                                 const struct berth_deck *deck, struct measuring *measuring,
                                 bool *valid, struct berth_error *error)
{
    const char *name = settings->deck ? settings->deck : "of the demo complex";
    struct berth_bench_rows rows;
    measuring->suite = settings->suite;
    measuring->suite.deck = deck;
    measuring->suite.report = take_row;
    measuring->suite.context = measuring;
    berth_work_count(&deck->scoring, &deck->protein, &deck->ligand, &measuring->suite.work);
    if (measuring->csv) {
        bench_head(measuring->csv);
    }
    measuring->printer->head(measuring->printer->context, &measuring->suite, name);
    enum berth_status status = berth_bench_suite_run(&measuring->suite, &rows, error);
    *valid = berth_bench_rows_valid(&rows);
    if (!status && settings->svg) {
        status = plot(settings->svg, name, &rows, error);
    }
    berth_bench_rows_clear(&rows);
    return status;
}

/* Gives the table its name, or removes it after an error. */
static enum berth_status end_table(struct berth_output *csv, enum berth_status status,
                                   struct berth_error *error)
{
    if (status || !csv) {
        berth_output_discard(csv);
        return status;
    }
    return berth_output_commit(csv, error);
}

enum berth_status berth_bench_decks(const struct berth_bench_settings *settings,
                                    const struct berth_bench_printer *printer, bool *valid,
                                    struct berth_error *error)
{
    struct measuring measuring = {.printer = printer};
    struct berth_deck deck = {0};
    enum berth_status status =
        settings->csv ? berth_output_create(settings->csv, &measuring.csv, error) : BERTH_OK;
    if (!status) {
        status = settings->deck ? berth_deck_read(settings->deck, &deck, error)
                                : berth_demo_deck(settings->data, settings->scoring, settings->log,
                                                  &deck, error);
    }
    if (!status) {
        status = measure(settings, &deck, &measuring, valid, error);
    }
    berth_deck_clear(&deck);
    return end_table(measuring.csv, status, error);
}

/* --- Dockings --- */

static void paper_head(struct berth_output *csv)
{
    berth_output_print(csv, "device,driver,conformers,poses,generations,variant,seconds,"
                            "docking_seconds,interactions_per_s,conformers_per_s,done_per_s,"
                            "kernel_interactions_per_s,ratio,busy_pct,energy_pct\n");
}

double berth_profile_seconds(const struct berth_profile *profile)
{
    double seconds = 0;
    for (size_t i = 0; i < profile->kernel_count; i++) {
        seconds += 1e-9 * (double)profile->kernels[i].nanoseconds;
    }
    return seconds;
}

/* Device time of the energy kernels, %. */
static double energy_share(const struct berth_profile *profile)
{
    double energy = 0;
    for (size_t i = 0; i < profile->kernel_count; i++) {
        if (strncmp(profile->kernels[i].kernel, "energy", strlen("energy")) == 0) {
            energy += 1e-9 * (double)profile->kernels[i].nanoseconds;
        }
    }
    return 100 * energy / berth_profile_seconds(profile);
}

static void paper_row(struct berth_output *csv, const struct berth_paper_settings *settings,
                      const struct berth_device *device, const struct berth_variant *variant,
                      const struct berth_paper_result *result)
{
    const double seconds = result->reading + result->preparing + result->docking;
    char text[BERTH_VARIANT_TEXT];
    berth_variant_print(variant, text);
    berth_output_csv(csv, device->name, ',');
    berth_output_csv(csv, device->driver, ',');
    berth_output_print(csv, "%zu,%zu,%zu,%s,%.4f,%.4f,%.5g,%.5g,%.5g,%.5g,%.3f,%.2f,%.2f\n",
                       result->conformers, settings->poses, settings->generations, text, seconds,
                       result->docking, result->interactions_per_s,
                       (double)result->conformers / seconds, result->met_per_s, result->bench_per_s,
                       result->interactions_per_s / result->bench_per_s, 100 * result->busy,
                       energy_share(&result->profile));
}

enum berth_status berth_paper_measure(const struct berth_paper_runs *runs,
                                      struct berth_error *error)
{
    struct berth_output *csv = NULL;
    enum berth_status status = runs->csv ? berth_output_create(runs->csv, &csv, error) : BERTH_OK;
    if (!status && csv) {
        paper_head(csv);
    }
    for (size_t i = 0; !status && i < runs->devices->count; i++) {
        const struct berth_device *device = &runs->devices->devices[i];
        const struct berth_variant variant = berth_variant_with(device, &runs->variant);
        struct berth_paper_result result;
        status = berth_paper_run(runs->settings, device, &variant, &result, error);
        if (!status && csv) {
            paper_row(csv, runs->settings, device, &variant, &result);
        }
        if (!status) {
            runs->report(runs->context, device, &variant, &result);
        }
    }
    return end_table(csv, status, error);
}
