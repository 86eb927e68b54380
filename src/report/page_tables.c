/* The tables of a run on the page: that of scores, where a million rows become a histogram, a map
 * of scores against size, and a curve; the failures by reason; others as they stand. */
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/text_set.h"
#include "format/csv.h"
#include "format/failures.h"
#include "eval/screen/evaluation.h"
#include "eval/screen/ligands.h"
#include "eval/statistics.h"
#include "report/page_internal.h"
#include "score/fields.h"

/* --- Tables as they stand --- */

static void write_row(struct berth_json *json, const char *name, const struct berth_csv *csv)
{
    berth_json_open(json, name, '[');
    for (size_t i = 0; i < berth_csv_columns(csv); i++) {
        /* the table has escaped what it holds */
        berth_json_text(json, NULL, name ? berth_csv_column(csv, i) : berth_csv_field(csv, i));
    }
    berth_json_close(json, ']');
}

enum berth_status page_table_write(struct page *page, const char *name, const char *path,
                                   size_t most, struct berth_error *error)
{
    struct berth_json *json = &page->json;
    struct berth_csv *csv = NULL;
    size_t rows = 0;
    bool end = false;
    enum berth_status status = BERTH_OK;
    BERTH_TRY(berth_csv_open(path, ',', &csv, error));
    berth_json_open(json, name, '{');
    write_row(json, "columns", csv);
    berth_json_open(json, "rows", '[');
    while (!status && !(status = berth_csv_next(csv, &end, error)) && !end) {
        if (rows++ < most) {
            write_row(json, NULL, csv);
        }
    }
    berth_json_close(json, ']');
    berth_json_count(json, "all", rows);
    berth_json_shown(json, "file", path);
    berth_json_close(json, '}');
    berth_csv_close(csv);
    return status;
}

/* --- Failures by reason --- */

/* Reasons that are told apart; those that come later are one. */
enum { REASONS = 500, SHOWN = 12, REASON_SIZE = 200, REASON_NAMED = 3 };

struct reason {
    char text[REASON_SIZE], first[REASON_SIZE]; /* generalised, and the first as it stands */
    char names[REASON_SIZE];                    /* of the first ligands that have it */
    size_t count;
};

struct reasons {
    struct reason items[REASONS];
    size_t count, others, all;
    size_t dropped; /* of all; they did not fail */
};

/* What the reason of a molecule says that was left out as asked, and of one that came before; the
 * latter names that one, too. */
static const char DROPPED[] = BERTH_FAILURE_DROPPED, DUPLICATE[] = "a duplicate",
                  ONCE_MORE[] = "dropped: a duplicate, its canonical SMILES came before";

/* Numbers and the ligand's own name tell the same reason apart: they become '#' and "...". */
static void generalise(const char *reason, const char *ligand, char text[REASON_SIZE])
{
    const size_t length = strlen(ligand);
    size_t used = 0;
    while (*reason && used + 4 < REASON_SIZE) {
        if (length > 1 && strncmp(reason, ligand, length) == 0) {
            memcpy(text + used, "...", 3);
            used += 3;
            reason += length;
        } else if (isdigit((unsigned char)*reason)) {
            text[used++] = '#';
            reason += strspn(reason, "0123456789.");
        } else {
            text[used++] = *reason++;
        }
    }
    text[used] = '\0';
}

/* The reason of this text, given as it stands; NULL: there is no room for another one. */
static struct reason *find_reason(struct reasons *reasons, const char *text, const char *given)
{
    for (size_t i = 0; i < reasons->count; i++) {
        if (strcmp(reasons->items[i].text, text) == 0) {
            return &reasons->items[i];
        }
    }
    if (reasons->count == REASONS) {
        return NULL;
    }
    struct reason *reason = &reasons->items[reasons->count++];
    strcpy(reason->text, text);
    snprintf(reason->first, REASON_SIZE, "%s", given);
    return reason;
}

static void count_reason(struct reasons *reasons, const char *text, const char *given,
                         const char *ligand)
{
    struct reason *reason = find_reason(reasons, text, given);
    reasons->all++;
    if (!reason) {
        reasons->others++;
    } else if (reason->count++ < REASON_NAMED) {
        berth_text_append(reason->names, REASON_SIZE, "%s%s", *reason->names ? ", " : "", ligand);
    } else if (reason->count == REASON_NAMED + 1) {
        berth_text_append(reason->names, REASON_SIZE, " ...");
    }
}

static int compare_counts(const void *a, const void *b)
{
    const struct reason *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp(x->text, y->text);
}

static enum berth_status read_reasons(const char *path, const char *table, struct reasons *reasons,
                                      struct berth_error *error)
{
    struct berth_csv *csv = NULL;
    char text[REASON_SIZE];
    bool end = false;
    enum berth_status status = page_table_open(path, table, &csv, error);
    const size_t reason = status ? SIZE_MAX : berth_csv_find(csv, "reason");
    const size_t ligand = status ? SIZE_MAX : berth_csv_find(csv, "ligand");
    while (!status && reason != SIZE_MAX && ligand != SIZE_MAX &&
           !(status = berth_csv_next(csv, &end, error)) && !end) {
        const char *given = berth_csv_field(csv, reason), *dropped = strstr(given, DROPPED);
        reasons->dropped += dropped != NULL;
        if (dropped && strncmp(dropped + strlen(DROPPED), DUPLICATE, strlen(DUPLICATE)) == 0) {
            given = ONCE_MORE;
        }
        generalise(given, berth_csv_field(csv, ligand), text);
        count_reason(reasons, text, given, berth_csv_field(csv, ligand));
    }
    berth_csv_close(csv);
    return status;
}

/* The table of what failed while the library of this screen was prepared; false: none did, or it is
 * not there, or this is a part of the library. */
static bool find_prepared(const struct page *page, char path[PATH_MAX])
{
    const struct berth_run_card *run = &page->run;
    const char *shard = run->identity.shard;
    berth_failures_path(run->files.library, path, PATH_MAX);
    return (!*shard || strcmp(shard, "1/1") == 0) &&
           (run->files.prepare_failed > 0 || run->files.prepare_dropped > 0) &&
           access(path, R_OK) == 0;
}

static void write_reason(struct berth_json *json, const char *text, size_t count, const char *names)
{
    berth_json_open(json, NULL, '[');
    berth_json_text(json, NULL, text);
    berth_json_count(json, NULL, count);
    berth_json_text(json, NULL, names);
    berth_json_close(json, ']');
}

enum berth_status page_reasons_write(struct page *page, struct berth_error *error)
{
    struct berth_json *json = &page->json;
    struct reasons *reasons;
    char prepared[PATH_MAX];
    BERTH_TRY(berth_make(&reasons, 1, sizeof *reasons, NULL, error));
    enum berth_status status =
        *page->files.failures
            ? read_reasons(page->files.failures, page->failures_text, reasons, error)
            : BERTH_OK;
    const size_t failed = reasons->all - reasons->dropped, dropped = reasons->dropped;
    if (!status && find_prepared(page, prepared)) {
        status = read_reasons(prepared, NULL, reasons, error);
    }
    page->told.failed = failed;
    page->told.dropped = dropped;
    qsort(reasons->items, reasons->count, sizeof *reasons->items, compare_counts);
    berth_json_count(json, "failed", failed);
    berth_json_count(json, "dropped", dropped);
    berth_json_open(json, "failures", '[');
    for (size_t i = 0; i < reasons->count; i++) {
        const struct reason *reason = &reasons->items[i];
        if (strncmp(reason->first, ONCE_MORE, sizeof ONCE_MORE - 1) == 0) {
            page->told.duplicates = reason->count;
        }
        if (i >= SHOWN) {
            reasons->others += reason->count;
        } else { /* the table escaped it */
            write_reason(json, reason->first, reason->count, reason->names);
        }
    }
    if (reasons->others) {
        write_reason(json, "other reasons", reasons->others, "");
    }
    berth_json_close(json, ']');
    free(reasons);
    return status;
}

/* --- Scores --- */

enum { BINS = 60, SIZES = 200 };

/* Of each ligand its best pose, mode 1; of a table of poses the further ones count among the hits
 * alone, and by the score of the best: a ligand's poses stay together. */
struct rows {
    double *all; /* owned; scores of all rows */
    size_t all_count, all_capacity;
    struct row { /* of a ligand */
        double score;
        unsigned char heavy;
    } * ligands; /* owned */
    size_t count, capacity;
    size_t open_stereo;           /* molecules of which some isomers were left out */
    size_t molecules;             /* whose states the ligands are; those of one follow each other */
    uint32_t molecule;            /* of the last ligand: its key */
    struct berth_text_set smiles; /* of the ligands, canonical */
    size_t repeated;              /* ligands whose SMILES another had before them */
    struct page_best best;        /* of the ligand whose rows are being read */
};

/* --- Reading --- */

void page_best_note(struct page_best *best, bool further, double ordinal, double score)
{
    if (!further || best->ordinal != ordinal) { /* NAN, not known, is of no ligand */
        *best = (struct page_best){ordinal, score};
    }
}

/* Counts the row's molecule of the input, unless the last ligand was a state of it: of the same
 * SMILES where they are known, since molecules may share a name. */
static enum berth_status count_molecule(struct rows *rows, const struct berth_csv *csv,
                                        const size_t columns[BERTH_SCORES_COLUMNS],
                                        struct berth_error *error)
{
    if (columns[BERTH_SCORES_NAME] == SIZE_MAX) {
        return BERTH_OK;
    }
    char *name = berth_ligand_molecule(csv, columns);
    if (!name) {
        return berth_out_of_memory(error, NULL);
    }
    const char *given = berth_scores_field(csv, columns[BERTH_SCORES_INPUT_SMILES]);
    const uint32_t molecule = berth_ligand_key(name) + 31 * berth_ligand_key(given);
    const bool is_state = *berth_scores_field(csv, columns[BERTH_SCORES_STATE_OF]);
    const bool is_new = !is_state || !rows->molecules || molecule != rows->molecule;
    rows->molecules += is_new;
    rows->open_stereo += is_new && *berth_scores_field(csv, columns[BERTH_SCORES_OPEN_STEREO]);
    rows->molecule = molecule;
    free(name);
    return BERTH_OK;
}

/* Counts the ligand if another had its SMILES before. */
static enum berth_status count_repeated(struct rows *rows, const struct berth_csv *csv,
                                        size_t column, struct berth_error *error)
{
    const char *smiles = berth_scores_field(csv, column);
    uint64_t number = 0;
    bool met = false;
    BERTH_TRY(*smiles ? berth_text_set_add(&rows->smiles, smiles, &number, &met, error) : BERTH_OK);
    rows->repeated += met;
    return BERTH_OK;
}

static enum berth_status add_row(struct rows *rows, const struct berth_csv *csv,
                                 const size_t columns[BERTH_SCORES_COLUMNS],
                                 struct berth_error *error)
{
    const double score = berth_scores_number(csv, columns[BERTH_SCORES_RANK], NAN);
    if (isnan(score)) {
        return BERTH_OK;
    }
    const bool further = berth_scores_number(csv, columns[BERTH_SCORES_MODE], 1) > 1;
    BERTH_TRY(berth_reserve(&rows->all, &rows->all_capacity, rows->all_count + 1, sizeof *rows->all,
                            error));
    page_best_note(&rows->best, further,
                   berth_scores_number(csv, columns[BERTH_SCORES_ORDINAL], NAN), score);
    rows->all[rows->all_count++] = rows->best.score;
    if (further) {
        return BERTH_OK;
    }
    BERTH_TRY(count_molecule(rows, csv, columns, error));
    BERTH_TRY(count_repeated(rows, csv, columns[BERTH_SCORES_SMILES], error));
    BERTH_TRY(berth_reserve(&rows->ligands, &rows->capacity, rows->count + 1, sizeof *rows->ligands,
                            error));
    const double heavy = berth_scores_number(csv, columns[BERTH_SCORES_HEAVY_ATOMS], 0);
    rows->ligands[rows->count++] =
        (struct row){score, (unsigned char)fmin(fmax(heavy, 0), SIZES - 1)};
    return BERTH_OK;
}

static enum berth_status read_rows(struct page *page, struct rows *rows, struct berth_error *error)
{
    struct berth_csv *csv = NULL;
    bool end = false;
    BERTH_TRY(page_table_open(page->files.scores, page->scores_text, &csv, error));
    enum berth_status status = BERTH_OK;
    size_t columns[BERTH_SCORES_COLUMNS];
    berth_scores_columns_find(csv, columns);
    if (columns[BERTH_SCORES_RANK] == SIZE_MAX) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: no column score, total or energy",
                            page->files.scores);
    } else {
        snprintf(page->ranked_by, sizeof page->ranked_by, "%s",
                 berth_csv_column(csv, columns[BERTH_SCORES_RANK]));
        berth_json_shown(&page->json, "ranked_by", page->ranked_by);
    }
    for (size_t n = 0; !status && !(status = berth_csv_next(csv, &end, error)) && !end; n++) {
        status = add_row(rows, csv, columns, error);
        if (n % 4096 == 0) {
            BERTH_THEN(berth_check_stop(page->settings->stop, error));
        }
    }
    berth_csv_close(csv);
    return status;
}

/* --- What is drawn --- */

/* Begins an object with where its bins lie. */
static void open_bins(struct berth_json *json, const char *name, double low, double step)
{
    berth_json_open(json, name, '{');
    berth_json_print(json, "low", "%.6g", low);
    berth_json_print(json, "step", "%.6g", step);
}

/* How many ligands there are in each bin, and by heavy atoms: [heavy atoms, bin, count] where there
 * are any.  Scores above the 99.5th percentile, clashes, are the last bin's. */
static enum berth_status write_maps(struct page *page, const struct rows *rows,
                                    struct berth_error *error)
{
    struct berth_json *json = &page->json;
    const size_t last = (size_t)((double)(rows->all_count - 1) * 0.995);
    const double low = rows->all[0], high = rows->all[last];
    const double step = high > low ? (high - low) / (BINS - 1) : 1;
    size_t counts[BINS] = {0}, (*cells)[BINS];
    BERTH_TRY(berth_make(&cells, SIZES, sizeof *cells, NULL, error));
    for (size_t i = 0; i < rows->count; i++) {
        const double place = floor((rows->ligands[i].score - low) / step);
        const size_t bin = (size_t)fmin(fmax(place, 0), BINS - 1);
        counts[bin]++;
        cells[rows->ligands[i].heavy][bin]++;
    }
    open_bins(json, "histogram", low, step);
    berth_json_open(json, "counts", '[');
    for (size_t bin = 0; bin < BINS; bin++) {
        berth_json_count(json, NULL, counts[bin]);
    }
    berth_json_close(json, ']');
    berth_json_close(json, '}');
    open_bins(json, "sizes", low, step);
    berth_json_open(json, "cells", '[');
    for (size_t heavy = 1; heavy < SIZES; heavy++) { /* 0: not known */
        for (size_t bin = 0; bin < BINS; bin++) {
            if (cells[heavy][bin]) {
                berth_json_print(json, NULL, "[%zu,%zu,%zu]", heavy, bin, cells[heavy][bin]);
            }
        }
    }
    berth_json_close(json, ']');
    berth_json_close(json, '}');
    free(cells);
    return BERTH_OK;
}

/* How early the actives are, if any are asked for. */
static enum berth_status write_actives(struct page *page, struct berth_error *error)
{
    const struct berth_known_setup actives = {.path = page->settings->actives,
                                              .rdkit = page->worker ? &page->rdkit : NULL,
                                              .log = page->settings->log};
    struct berth_csv *csv = NULL;
    char *json = NULL;
    if (!actives.path) {
        return BERTH_OK;
    }
    enum berth_status status = page_table_open(page->files.scores, page->scores_text, &csv, error);
    BERTH_THEN(berth_evaluation_json(csv, page->files.scores, &actives, page->settings->states,
                                     &json, error));
    if (json) {
        berth_json_print(&page->json, "roc", "%s", json);
    }
    free(json);
    berth_csv_close(csv);
    return status;
}

/* The score of the last of so many rows, which are sorted. */
static double worst_of(const struct rows *rows, size_t top)
{
    if (!rows->all_count) {
        return INFINITY;
    }
    return top < rows->all_count ? rows->all[top ? top - 1 : 0] : rows->all[rows->all_count - 1];
}

enum berth_status page_scores_write(struct page *page, double *worst, struct berth_error *error)
{
    struct rows rows = {0};
    enum berth_status status = read_rows(page, &rows, error);
    if (!status) {
        qsort(rows.all, rows.all_count, sizeof *rows.all, berth_compare_numbers);
        *worst = worst_of(&rows, page->settings->top);
        page->worst_viewed = worst_of(&rows, page->view_top);
        berth_json_count(&page->json, "rows", rows.all_count);
        berth_json_count(&page->json, "ligands", rows.count);
        page->counted = true;
        page->told.ranked = strcmp(page->ranked_by, BERTH_COLUMN_RANKING) == 0;
        page->told.ligands = rows.count;
        page->told.molecules = rows.molecules;
        page->told.open_stereo = rows.open_stereo;
        page->told.repeated = rows.repeated;
        page->has_smiles = rows.smiles.count > 0;
        berth_json_shown(&page->json, "table", page->files.scores);
        status = rows.all_count ? write_maps(page, &rows, error) : BERTH_OK;
    }
    BERTH_THEN(write_actives(page, error));
    free(rows.all);
    free(rows.ligands);
    berth_text_set_clear(&rows.smiles);
    return status;
}
