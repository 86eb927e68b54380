/* The table of scores on the page: a million rows as a histogram, a map of energy against size, and
 * a curve. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "format/csv.h"
#include "eval/screen/enrichment.h"
#include "eval/screen/ligands.h"
#include "report/page_internal.h"

enum { BINS = 60, CURVE_MOST = 400, SIZES = 200 };

/* Of each ligand its best pose; of a table of poses the further ones count among the hits alone. */
struct rows {
    double *all; /* owned; scores of all rows */
    size_t all_count, all_capacity;
    double *scores; /* owned; of ligands */
    float *energies;
    unsigned char *heavy;
    bool *active;
    size_t count, score_capacity, energy_capacity, heavy_capacity, active_capacity;
    size_t actives;
};

static void clear_rows(struct rows *rows)
{
    free(rows->all);
    free(rows->scores);
    free(rows->energies);
    free(rows->heavy);
    free(rows->active);
}

/* --- Reading --- */

struct columns {
    size_t score, energy, heavy, mode, name;
};

static enum berth_status reserve_row(struct rows *rows, struct berth_error *error)
{
    const size_t needed = rows->count + 1;
    enum berth_status status =
        berth_reserve(&rows->scores, &rows->score_capacity, needed, sizeof(double), error);
    if (!status) {
        status =
            berth_reserve(&rows->energies, &rows->energy_capacity, needed, sizeof(float), error);
    }
    BERTH_THEN(berth_reserve(&rows->heavy, &rows->heavy_capacity, needed, 1, error));
    return status
               ? status
               : berth_reserve(&rows->active, &rows->active_capacity, needed, sizeof(bool), error);
}

static bool is_active(const struct berth_csv *csv, size_t column,
                      const struct berth_known_set *actives)
{
    char *name = actives->count && column != SIZE_MAX ? berth_csv_text(csv, column) : NULL;
    const bool found = name && berth_known_find(actives, name);
    free(name);
    return found;
}

static enum berth_status add_row(struct rows *rows, const struct berth_csv *csv,
                                 const struct columns *columns,
                                 const struct berth_known_set *actives, struct berth_error *error)
{
    double score, energy = NAN, heavy = 0, mode = 1;
    if (!berth_csv_real(csv, columns->score, &score)) {
        return BERTH_OK;
    }
    enum berth_status status = berth_reserve(&rows->all, &rows->all_capacity, rows->all_count + 1,
                                             sizeof *rows->all, error);
    if (status) {
        return status;
    }
    rows->all[rows->all_count++] = score;
    if (columns->mode != SIZE_MAX && berth_csv_real(csv, columns->mode, &mode) && mode > 1) {
        return BERTH_OK;
    }
    if (columns->energy != SIZE_MAX && !berth_csv_real(csv, columns->energy, &energy)) {
        energy = NAN;
    }
    if (columns->heavy != SIZE_MAX && !berth_csv_real(csv, columns->heavy, &heavy)) {
        heavy = 0;
    }
    status = reserve_row(rows, error);
    if (!status) {
        rows->scores[rows->count] = score;
        rows->energies[rows->count] = (float)energy;
        rows->heavy[rows->count] = (unsigned char)fmin(fmax(heavy, 0), SIZES - 1);
        rows->active[rows->count] = is_active(csv, columns->name, actives);
        rows->actives += rows->active[rows->count++];
    }
    return status;
}

static enum berth_status read_rows(const struct page *page, const struct berth_known_set *actives,
                                   struct rows *rows, struct berth_error *error)
{
    struct berth_csv *csv = NULL;
    bool end = false;
    enum berth_status status = berth_csv_open(page->scores, &csv, error);
    if (status) {
        return status;
    }
    const struct columns columns = {berth_scores_ranking_column(csv), berth_csv_find(csv, "energy"),
                                    berth_csv_find(csv, "heavy_atoms"), berth_csv_find(csv, "mode"),
                                    berth_scores_name_column(csv)};
    if (columns.score == SIZE_MAX) {
        status =
            berth_fail(error, BERTH_E_FORMAT, "%s: no column score, total or energy", page->scores);
    }
    for (size_t n = 0; !status; n++) {
        status = n % 4096 == 0 && page->settings->check ? page->settings->check(error) : BERTH_OK;
        status = status ? status : berth_csv_next(csv, &end, error);
        if (status || end) {
            break;
        }
        status = add_row(rows, csv, &columns, actives, error);
    }
    berth_csv_close(csv);
    return status;
}

/* --- What is drawn --- */

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Where bins lie: those above the 99.5th percentile, clashes, are the last one's. */
struct scale {
    double low, step;
};

static size_t bin_of(const struct scale *scale, double value)
{
    const double bin = floor((value - scale->low) / scale->step);
    return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : (size_t)bin;
}

static void write_histogram(const struct page *page, const struct rows *rows,
                            const struct scale *scale)
{
    size_t counts[BINS] = {0};
    for (size_t i = 0; i < rows->count; i++) {
        counts[bin_of(scale, rows->scores[i])]++;
    }
    page_name(page->output, "histogram");
    berth_output_print(page->output, "{\"low\":%.6g,\"step\":%.6g,\"counts\":[", scale->low,
                       scale->step);
    for (size_t i = 0; i < BINS; i++) {
        berth_output_print(page->output, "%s%zu", i ? "," : "", counts[i]);
    }
    berth_output_print(page->output, "]}");
}

/* Ligands by heavy atoms and energy: [heavy atoms, bin, count] where there are any. */
static enum berth_status write_sizes(const struct page *page, const struct rows *rows,
                                     const struct scale *scale, struct berth_error *error)
{
    size_t(*counts)[BINS] = berth_alloc(SIZES, sizeof *counts);
    if (!counts) {
        return berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->heavy[i] && !isnan(rows->energies[i])) {
            counts[rows->heavy[i]][bin_of(scale, (double)rows->energies[i])]++;
        }
    }
    page_name(page->output, "sizes");
    berth_output_print(page->output, "{\"low\":%.6g,\"step\":%.6g,\"cells\":[", scale->low,
                       scale->step);
    const char *comma = "";
    for (size_t heavy = 0; heavy < SIZES; heavy++) {
        for (size_t bin = 0; bin < BINS; bin++) {
            if (counts[heavy][bin]) {
                berth_output_print(page->output, "%s[%zu,%zu,%zu]", comma, heavy, bin,
                                   counts[heavy][bin]);
                comma = ",";
            }
        }
    }
    berth_output_print(page->output, "]}");
    free(counts);
    return BERTH_OK;
}

/* The curve, thinned, and the measures. */
static enum berth_status write_roc(const struct page *page, const struct rows *rows,
                                   struct berth_error *error)
{
    double measures[BERTH_MEASURES];
    struct berth_roc_point *points = NULL;
    size_t count = 0;
    enum berth_status status =
        berth_enrichment_measure(rows->active, rows->scores, rows->count, measures, error);
    BERTH_THEN(berth_roc_curve(rows->active, rows->scores, rows->count, &points, &count, error));
    if (status) {
        return status;
    }
    page_name(page->output, "roc");
    berth_output_print(page->output, "{\"actives\":%zu,\"ligands\":%zu,\"measures\":[",
                       rows->actives, rows->count);
    for (int i = 0; i < BERTH_MEASURES; i++) {
        berth_output_print(page->output, "%s[", i ? "," : "");
        page_text(page->output, berth_measure_title((enum berth_measure)i));
        berth_output_print(page->output, ",");
        page_number(page->output, measures[i], 4);
        berth_output_print(page->output, "]");
    }
    berth_output_print(page->output, "],\"points\":[");
    const size_t stride = count / CURVE_MOST + 1;
    for (size_t i = 0; i < count; i += stride) {
        berth_output_print(page->output, "[%.5f,%.5f],", points[i].decoys, points[i].actives);
    }
    berth_output_print(page->output, "[1,1]");
    berth_output_print(page->output, "]}");
    free(points);
    return BERTH_OK;
}

/* Sorts the scores of all rows, and finds those that the page can show. */
static double find_worst(const struct page *page, struct rows *rows)
{
    const size_t top = page->settings->top;
    if (!rows->all_count) {
        return INFINITY;
    }
    qsort(rows->all, rows->all_count, sizeof *rows->all, compare_numbers);
    return top < rows->all_count ? rows->all[top ? top - 1 : 0] : rows->all[rows->all_count - 1];
}

/* The bins for values of which some are far above all others. */
static struct scale scale_of(const double *sorted, size_t count)
{
    if (!count) {
        return (struct scale){0, 1};
    }
    const double low = sorted[0], high = sorted[(size_t)((double)(count - 1) * 0.995)];
    return (struct scale){low, high > low ? (high - low) / (BINS - 1) : 1};
}

static enum berth_status write_maps(const struct page *page, struct rows *rows,
                                    struct berth_error *error)
{
    const struct scale scores = scale_of(rows->all, rows->all_count);
    size_t count = 0;
    write_histogram(page, rows, &scores);
    for (size_t i = 0; i < rows->count; i++) { /* the sorted scores are done with */
        if (!isnan(rows->energies[i])) {
            rows->all[count++] = (double)rows->energies[i];
        }
    }
    qsort(rows->all, count, sizeof *rows->all, compare_numbers);
    const struct scale energies = scale_of(rows->all, count);
    return write_sizes(page, rows, &energies, error);
}

static enum berth_status read_actives(const struct page *page, struct berth_known_set *actives,
                                      struct berth_error *error)
{
    const struct berth_known_reading reading = {.path = page->settings->actives,
                                                .rdkit = page->worker ? &page->rdkit : NULL,
                                                .log = page->settings->log};
    return page->settings->actives ? berth_known_read(&reading, actives, error) : BERTH_OK;
}

enum berth_status page_scores_write(const struct page *page, double *worst,
                                    struct berth_error *error)
{
    struct berth_known_set actives = {0};
    struct rows rows = {0};
    enum berth_status status = read_actives(page, &actives, error);
    BERTH_THEN(read_rows(page, &actives, &rows, error));
    if (!status) {
        *worst = find_worst(page, &rows);
        berth_output_print(page->output, ",\n\"rows\":%zu,\"ligands\":%zu", rows.all_count,
                           rows.count);
        page_name(page->output, "table");
        page_text(page->output, page->scores);
        status = rows.all_count ? write_maps(page, &rows, error) : BERTH_OK;
    }
    if (!status && rows.actives && rows.actives < rows.count) {
        status = write_roc(page, &rows, error);
    } else if (!status && page->settings->actives) {
        berth_warn(page->settings->log, NULL, "%s: none, or all, of the ligands in %s are actives",
                   page->settings->actives, page->scores);
    }
    berth_known_clear(&actives);
    clear_rows(&rows);
    return status;
}
