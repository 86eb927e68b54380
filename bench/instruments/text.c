#include "text.h"

/* A table of the kernels' device times, and the busy part of the devices' time. */
static void print_profile(FILE *file, const struct berth_profile *profile, double busy)
{
    const double all = berth_profile_seconds(profile);
    fprintf(file, "%-16s %8s %12s %7s\n", "kernel", "launches", "device s", "share");
    for (size_t i = 0; i < profile->kernel_count; i++) {
        const struct berth_kernel_time *time = &profile->kernels[i];
        const double seconds = 1e-9 * (double)time->nanoseconds;
        fprintf(file, "%-16s %8zu %12.6f %6.2f%%\n", time->kernel, time->launches, seconds,
                100 * seconds / all);
    }
    fprintf(file,
            "busy %.2f %% of the time between the first kernel's start and the last one's end\n",
            100 * busy);
}

void berth_bench_print_head(FILE *file, const char *name, const struct berth_bench_suite *suite)
{
    const struct berth_work *work = &suite->work;
    double all = 0;
    for (size_t k = 0; k < work->count; k++) {
        all += work->pairs[k];
    }
    fprintf(file, "deck %s: %zu receptor atoms, %zu ligand atoms\n", name,
            suite->deck->protein.count, suite->deck->ligand.count);
    fprintf(file, "%.0f interactions a pose:", all);
    for (size_t k = 0; k < work->count; k++) {
        fprintf(file, "%s %.1f %% %s", k ? "," : "", 100 * work->pairs[k] / all, work->names[k]);
    }
    fprintf(file, "\n");
    fprintf(file, "%-40s %9s %8s %6s %10s %10s %12s %7s  %-5s %-10s %s\n", "device", "poses",
            "w x ppwi", "wgsize", "ms median", "ms min", "interact./s", "floor %", "valid",
            "max diff %", "x plain C");
    fflush(file);
}

/* Where the device's time goes, by class of pair, at the rates measured for each class. */
static void print_classes(FILE *file, const struct berth_work *work,
                          const struct berth_bench_row *row)
{
    double seconds = 0;
    for (size_t k = 0; k < work->count; k++) {
        seconds += work->pairs[k] / row->class_rates[k];
    }
    for (size_t k = 0; k < work->count; k++) {
        fprintf(file, "  %-38s %10.4g interactions/s, %5.1f %% of the time\n", work->names[k],
                row->class_rates[k], 100 * work->pairs[k] / row->class_rates[k] / seconds);
    }
}

/* The ceilings, and the floor that they set. */
static void print_ceilings(FILE *file, const struct berth_bench_row *row)
{
    const struct berth_ceiling *ceiling = &row->ceiling;
    fprintf(file, "  ceilings: %.4g multiply-adds/s, %.4g operations/s; roots/s:",
            ceiling->multiply_adds_per_s, ceiling->operations_per_s);
    const char *before = " ";
    for (int way = 0; way < BERTH_ROOT_WAYS; way++) {
        if (ceiling->roots_per_s[way] > 0) {
            fprintf(file, "%s%.4g (%s)", before, ceiling->roots_per_s[way], berth_root_name(way));
            before = ", ";
        }
    }
    fprintf(
        file,
        "\n  floor: %.4g interactions/s, of %.2f operations each (%.2f of them multiply); bound "
        "by %s (%s)\n",
        row->floor.interactions_per_s, row->floor.operations, row->floor.multipliers,
        row->floor.bound, berth_root_name(row->floor.way));
    if (row->own.way != row->floor.way) {
        fprintf(
            file,
            "  the variant's own way (%s): %.4g interactions/s at the floor, bound by %s; %.1f %% "
            "reached\n",
            berth_root_name(row->own.way), row->own.interactions_per_s, row->own.bound,
            100 * row->result.interactions_per_s / row->own.interactions_per_s);
    }
}

void berth_bench_print_row(FILE *file, const struct berth_work *work,
                           const struct berth_bench_row *row)
{
    const struct berth_bench_result *result = &row->result;
    char name[160], shape[32] = "-", group[16] = "-", percent[16] = "-", ratio[16] = "-";
    berth_bench_row_name(row, name, sizeof name);
    if (row->device) {
        snprintf(shape, sizeof shape, "%d x %-2d", row->variant.vector_width, row->variant.ppwi);
        snprintf(group, sizeof group, "%d", row->variant.wgsize);
        snprintf(percent, sizeof percent, "%.1f", berth_bench_floor_percent(row));
    }
    if (row->baseline) {
        snprintf(ratio, sizeof ratio, "%.2f", berth_bench_ratio(row));
    }
    fprintf(file, "%-40.40s %9zu %8s %6s %10.3f %10.3f %12.4g %7s  %-5s %-10.4f %s\n", name,
            row->poses, shape, group, result->ms_median, result->ms_min, result->interactions_per_s,
            percent, result->valid ? "yes" : "NO", result->max_diff_pct, ratio);
    if (row->device) {
        print_ceilings(file, row);
    }
    if (row->class_rates[0] > 0) {
        print_classes(file, work, row);
    }
    fflush(file);
}

void berth_paper_print(FILE *file, const struct berth_device *device,
                       const struct berth_variant *variant, const struct berth_paper_result *result)
{
    const double seconds = result->reading + result->preparing + result->docking;
    char text[BERTH_VARIANT_TEXT];
    berth_variant_print(variant, text);
    fprintf(file, "\ndevice %zu: %s, variant %s\n", device->index, device->name, text);
    fprintf(file, "%.3f s end to end: reading %.3f, preparing the device %.3f, docking %.3f\n",
            seconds, result->reading, result->preparing, result->docking);
    fprintf(file, "%.4g interactions/s, %.4g conformers/s; while docking %.4g interactions/s\n",
            result->interactions_per_s, (double)result->conformers / seconds,
            result->interactions_per_s * seconds / result->docking);
    fprintf(file, "of these %.4g/s done; neighbour lists show the others to be 0\n",
            result->met_per_s);
    fprintf(file, "the energy kernel alone: %.4g interactions/s; end to end is %.1f %% of that\n",
            result->bench_per_s, 100 * result->interactions_per_s / result->bench_per_s);
    print_profile(file, &result->profile, result->busy);
    fflush(file);
}
