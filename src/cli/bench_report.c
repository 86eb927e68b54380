/* The reports of `berth bench`: the table on the terminal, CSV, and a plot. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/bench.h"
#include "report/svg.h"

static const char *const CLASS_NAMES[BERTH_PAIR_CLASSES] = {"steric", "electrostatic",
                                                            "desolvation", "all"};

static double all_pairs(const struct berth_work *work)
{
    double sum = 0;
    for (int k = 0; k < BERTH_PAIR_CLASSES; k++) {
        sum += work->pairs[k];
    }
    return sum;
}

static double floor_percent(const struct bench_row *row)
{
    return 100 * row->result.interactions_per_s / row->floor.interactions_per_s;
}

static double baseline_ratio(const struct bench_row *row)
{
    return row->result.interactions_per_s / row->baseline->result.interactions_per_s;
}

/* What stands for the device. */
static void row_name(const struct bench_row *row, char *name, size_t size)
{
    if (row->device) {
        snprintf(name, size, "%s", row->device->name);
    } else {
        snprintf(name, size, "plain C, %.24s, %d thread%s", row->baseline->compiler,
                 row->baseline->threads, row->baseline->threads == 1 ? "" : "s");
    }
}

/* The deck's work by class of pair. */
static void print_work(const struct bench_report *report, const struct berth_deck *deck)
{
    const double *pairs = report->work.pairs, all = all_pairs(&report->work);
    cli_print("deck %s: %zu receptor atoms, %zu ligand atoms", report->name, deck->protein.count,
              deck->ligand.count);
    printf(
        "%.0f interactions a pose: %.1f %% steric only, %.1f %% with electrostatic, %.1f %% with "
        "desolvation, %.1f %% with both\n",
        all, 100 * pairs[BERTH_PAIR_STERIC] / all, 100 * pairs[BERTH_PAIR_ELECTROSTATIC] / all,
        100 * pairs[BERTH_PAIR_DESOLVATION] / all, 100 * pairs[BERTH_PAIR_BOTH] / all);
}

enum berth_status bench_report_create(const struct bench_values *values,
                                      const struct berth_deck *deck, struct bench_report *report,
                                      struct berth_error *error)
{
    memset(report, 0, sizeof *report);
    report->table = !values->csv || strcmp(values->csv, "-") != 0;
    report->svg = values->svg;
    report->name = values->deck ? values->deck : "of the demo complex";
    berth_work_count(&deck->forcefield, &deck->protein, &deck->ligand, &report->work);
    enum berth_status status = BERTH_OK;
    if (values->csv) {
        status = berth_output_create(values->csv, &report->csv, error);
    }
    if (!status && report->csv) {
        berth_output_print(report->csv,
                           "device,driver,poses,vector_width,ppwi,wgsize,variant,ms_median,ms_min,"
                           "interactions_per_s,valid,max_diff_pct,multiply_adds_per_s,"
                           "operations_per_s,roots_per_s,floor_interactions_per_s,floor_pct,"
                           "steric_per_s,electrostatic_per_s,desolvation_per_s,all_per_s,"
                           "baseline_ratio\n");
    }
    if (!status && report->table) {
        print_work(report, deck);
        printf("%-40s %9s %8s %6s %10s %10s %12s %7s  %-5s %-10s %s\n", "device", "poses",
               "w x ppwi", "wgsize", "ms median", "ms min", "interact./s", "floor %", "valid",
               "max diff %", "x plain C");
        fflush(stdout);
    }
    return status;
}

/* Where the device's time goes, by class of pair, at the rates measured for each class. */
static void print_classes(const struct berth_work *work, const struct bench_row *row)
{
    double seconds = 0;
    for (int k = 0; k < BERTH_PAIR_CLASSES; k++) {
        seconds += work->pairs[k] / row->class_rates[k];
    }
    for (int k = 0; k < BERTH_PAIR_CLASSES; k++) {
        printf("  %-13s %10.4g interactions/s, %5.1f %% of the time\n", CLASS_NAMES[k],
               row->class_rates[k], 100 * work->pairs[k] / row->class_rates[k] / seconds);
    }
}

/* The ceilings, and the floor that they set. */
static void print_ceilings(const struct bench_row *row)
{
    const struct berth_ceiling *ceiling = &row->ceiling;
    printf("  ceilings: %.4g multiply-adds/s, %.4g operations/s; roots/s:",
           ceiling->multiply_adds_per_s, ceiling->operations_per_s);
    const char *before = " ";
    for (int way = 0; way < BERTH_ROOT_WAYS; way++) {
        if (ceiling->roots_per_s[way] > 0) {
            printf("%s%.4g (%s)", before, ceiling->roots_per_s[way], berth_root_name(way));
            before = ", ";
        }
    }
    printf("\n  floor: %.4g interactions/s, of %.2f operations each (%.2f of them multiply); bound "
           "by %s (%s)\n",
           row->floor.interactions_per_s, row->floor.operations, row->floor.multipliers,
           row->floor.bound, berth_root_name(row->floor.way));
    if (row->own.way != row->floor.way) {
        printf(
            "  the variant's own way (%s): %.4g interactions/s at the floor, bound by %s; %.1f %% "
            "reached\n",
            berth_root_name(row->own.way), row->own.interactions_per_s, row->own.bound,
            100 * row->result.interactions_per_s / row->own.interactions_per_s);
    }
}

static void print_row(const struct bench_report *report, const struct bench_row *row)
{
    const struct berth_bench_result *result = &row->result;
    char name[160], shape[32] = "-", group[16] = "-", percent[16] = "-", ratio[16] = "-";
    row_name(row, name, sizeof name);
    if (row->device) {
        snprintf(shape, sizeof shape, "%d x %-2d", row->variant.vector_width, row->variant.ppwi);
        snprintf(group, sizeof group, "%d", row->variant.wgsize);
        snprintf(percent, sizeof percent, "%.1f", floor_percent(row));
    }
    if (row->baseline) {
        snprintf(ratio, sizeof ratio, "%.2f", baseline_ratio(row));
    }
    printf("%-40.40s %9zu %8s %6s %10.3f %10.3f %12.4g %7s  %-5s %-10.4f %s\n", name, row->poses,
           shape, group, result->ms_median, result->ms_min, result->interactions_per_s, percent,
           result->valid ? "yes" : "NO", result->max_diff_pct, ratio);
    if (row->device) {
        print_ceilings(row);
    }
    if (row->class_rates[0] > 0) {
        print_classes(&report->work, row);
    }
    fflush(stdout);
}

/* A field, empty where there is no such figure. */
static void csv_number(struct berth_output *csv, double number, char separator)
{
    if (number > 0) {
        berth_output_print(csv, "%.5g", number);
    }
    berth_output_print(csv, "%c", separator);
}

static void write_row(struct berth_output *csv, const struct bench_row *row)
{
    const struct berth_bench_result *result = &row->result;
    char name[160], variant[BERTH_VARIANT_TEXT];
    row_name(row, name, sizeof name);
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
    csv_number(csv, row->device ? floor_percent(row) : 0, ',');
    for (int k = 0; k < BERTH_PAIR_CLASSES; k++) {
        csv_number(csv, row->class_rates[k], ',');
    }
    csv_number(csv, row->baseline ? baseline_ratio(row) : 0, '\n');
}

enum berth_status bench_report_add(struct bench_report *report, const struct bench_row *row,
                                   struct berth_error *error)
{
    enum berth_status status = berth_reserve(&report->rows, &report->capacity, report->count + 1,
                                             sizeof *report->rows, error);
    if (status) {
        return status;
    }
    report->rows[report->count++] = *row;
    if (report->table) {
        print_row(report, row);
    }
    if (report->csv) {
        write_row(report->csv, row);
    }
    return BERTH_OK;
}

/* The text of a row's bar. */
struct bar_text {
    char label[160], note[96];
};

static void make_bar(const struct bench_row *row, struct bar_text *text, struct berth_svg_bar *bar)
{
    row_name(row, text->label, sizeof text->label);
    size_t used =
        (size_t)snprintf(text->note, sizeof text->note, "%.3g/s", row->result.interactions_per_s);
    if (row->device) {
        used += (size_t)snprintf(text->note + used, sizeof text->note - used, ", %.0f %% of floor",
                                 floor_percent(row));
    }
    if (row->device && row->baseline) {
        snprintf(text->note + used, sizeof text->note - used, ", %.2g x plain C",
                 baseline_ratio(row));
    }
    *bar = (struct berth_svg_bar){.label = text->label,
                                  .note = text->note,
                                  .value = row->result.interactions_per_s,
                                  .limit = row->floor.interactions_per_s,
                                  .pale = !row->device};
}

static bool all_valid(const struct bench_report *report)
{
    bool valid = true;
    for (size_t i = 0; i < report->count; i++) {
        valid = valid && report->rows[i].result.valid;
    }
    return valid;
}

static enum berth_status write_plot(const struct bench_report *report, struct berth_error *error)
{
    char subtitle[256];
    struct berth_svg_bar *bars = berth_alloc(report->count, sizeof *bars);
    struct bar_text *texts = berth_alloc(report->count, sizeof *texts);
    enum berth_status status = BERTH_OK;
    if (!bars || !texts) {
        status = berth_fail(error, BERTH_E_MEMORY, "out of memory for the plot");
    } else {
        for (size_t i = 0; i < report->count; i++) {
            make_bar(&report->rows[i], &texts[i], &bars[i]);
        }
        const char *slash = strrchr(report->name, '/');
        snprintf(subtitle, sizeof subtitle, "deck %.100s, %zu poses in a launch; %s",
                 slash && slash[1] ? slash + 1 : report->name, report->rows[0].poses,
                 all_valid(report) ? "all energies verified" : "ENERGIES ARE WRONG");
        const struct berth_svg_chart chart = {.title = "berth: energies of poses",
                                              .subtitle = subtitle,
                                              .axis = "interactions/s",
                                              .limit = "floor that the ceilings measured in the "
                                                       "same run allow",
                                              .bars = bars,
                                              .count = report->count};
        status = berth_svg_write(report->svg, &chart, error);
    }
    free(bars);
    free(texts);
    return status;
}

enum berth_status bench_report_commit(struct bench_report *report, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    if (report->svg) {
        status = write_plot(report, error);
    }
    if (!status && report->csv) {
        status = berth_output_commit(report->csv, error);
        report->csv = NULL;
    }
    return status;
}

void bench_report_clear(struct bench_report *report)
{
    berth_output_discard(report->csv);
    free(report->rows);
    memset(report, 0, sizeof *report);
}
