/* What a restrained run costs each ligand, beside a free one: the column `cost` of `berth show`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "format/run_json.h"
#include "eval/screen/ligands.h"
#include "report/show.h"
#include "score/fields.h"

/* Columns of a table that a pose's sum is made of: energy, what is inside ligand and receptor, and
 * what sites of metals and displaced waters are worth. */
static const char *const SUMMED[] = {"energy", "strain", "receptor_strain", "coordination",
                                     "displacement"};
enum { SUMMED_COUNT = sizeof SUMMED / sizeof *SUMMED };

static void forget(double *lowest, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        lowest[i] = NAN;
    }
}

/* The number of the ligand of this name, which may be a new one. */
static enum berth_status find_ligand(struct berth_free_run *run, const char *name, size_t *number,
                                     struct berth_error *error)
{
    uint64_t kept = run->count;
    bool met;
    BERTH_TRY(berth_text_set_add(&run->names, name, &kept, &met, error));
    *number = (size_t)kept;
    if (!met) {
        const size_t before = run->capacity[0];
        BERTH_TRY(berth_reserve(&run->lowest[0], &run->capacity[0], run->count + 1,
                                sizeof *run->lowest[0], error));
        BERTH_TRY(berth_reserve(&run->lowest[1], &run->capacity[1], run->count + 1,
                                sizeof *run->lowest[1], error));
        forget(run->lowest[0], before, run->capacity[0]);
        forget(run->lowest[1], before, run->capacity[1]);
        run->count++;
    }
    return BERTH_OK;
}

/* Whether the row's pose of the restrained run meets the restraints that are required, and makes
 * the interactions. */
static bool is_kept(const struct berth_shown *shown, struct berth_csv *csv)
{
    const size_t unmet = berth_csv_find(csv, "unmet");
    double value, ordinal, mode;
    if (unmet != SIZE_MAX && berth_csv_real(csv, unmet, &value) && value > 0) {
        return false;
    }
    return !shown->settings->require ||
           (berth_csv_real(csv, berth_csv_find(csv, "ordinal"), &ordinal) &&
            berth_csv_real(csv, berth_csv_find(csv, "mode"), &mode) &&
            berth_required_poses_have(&shown->required, ordinal, mode));
}

/* Takes the lowest sum of each ligand of the table, of the restrained run (0) among the poses that
 * do what is required.  Errors: BERTH_E_USAGE (it has no energies). */
static enum berth_status read_table(struct berth_shown *shown, const char *path, size_t which,
                                    struct berth_error *error)
{
    struct berth_free_run *run = &shown->free;
    struct berth_csv *csv;
    size_t columns[SUMMED_COUNT], number;
    bool end = false;
    BERTH_TRY(berth_csv_open(path, ',', &csv, error));
    const size_t ligand = berth_scores_name_column(csv);
    for (size_t k = 0; k < SUMMED_COUNT; k++) {
        columns[k] = berth_csv_find(csv, SUMMED[k]);
    }
    enum berth_status status = BERTH_OK;
    if (ligand == SIZE_MAX || columns[0] == SIZE_MAX) {
        status = berth_fail_option(error, BERTH_E_USAGE, "free",
                                   "free: %s has no columns of ligands and energy", path);
    }
    while (!status && !(status = berth_csv_next(csv, &end, error)) && !end) {
        double sum = 0, value;
        for (size_t k = 0; k < SUMMED_COUNT; k++) {
            const bool known = columns[k] != SIZE_MAX && berth_csv_real(csv, columns[k], &value);
            sum += known ? value : k ? 0 : NAN; /* without torsions there is no strain */
        }
        if (which == 0 && !is_kept(shown, csv)) {
            continue;
        }
        status = find_ligand(run, berth_csv_field(csv, ligand), &number, error);
        if (!status && !isnan(sum)) {
            run->lowest[which][number] = fmin(run->lowest[which][number], sum);
        }
    }
    berth_csv_close(csv);
    return status;
}

/* Two runs by different functions have nothing to compare. */
static enum berth_status check_functions(const char *own, const char *free,
                                         struct berth_error *error)
{
    const char *const paths[] = {own, free};
    char functions[2][PATH_MAX];
    for (int i = 0; i < 2; i++) {
        struct berth_run_card run;
        const enum berth_status status = berth_run_json_beside(paths[i], &run, error);
        snprintf(functions[i], sizeof functions[i], "%s", run.identity.scoring);
        berth_run_card_clear(&run);
        BERTH_TRY(status);
    }
    return !*functions[0] || !*functions[1] || strcmp(functions[0], functions[1]) == 0
               ? BERTH_OK
               : berth_fail_option(error, BERTH_E_USAGE, "free",
                                   "free: %s has energies by %s, %s by %s", own, functions[0], free,
                                   functions[1]);
}

/* Takes the lowest sums of the free runs, with commas between, unless one is called so. */
static enum berth_status read_free(struct berth_shown *shown, struct berth_error *error)
{
    const char *rest = shown->settings->free;
    const bool one = access(rest, F_OK) == 0;
    enum berth_status status = BERTH_OK;
    while (!status && *rest) {
        char results[PATH_MAX], path[PATH_MAX];
        const size_t length = one ? strlen(rest) : strcspn(rest, ",");
        snprintf(results, sizeof results, "%.*s", (int)length, rest);
        status = berth_scores_find(results, path, error);
        BERTH_THEN(check_functions(shown->table, path, error));
        BERTH_THEN(read_table(shown, path, 1, error));
        rest += length + (rest[length] == ',');
    }
    return status;
}

enum berth_status berth_free_add(struct berth_shown *shown, struct berth_error *error)
{
    struct berth_free_run *run = &shown->free;
    if (!shown->settings->free) {
        return BERTH_OK;
    }
    if (strcmp(shown->settings->results, "-") == 0) {
        return berth_fail_option(error, BERTH_E_USAGE, "free",
                                 "free: the table is read twice, which standard input cannot be");
    }
    BERTH_TRY(read_table(shown, shown->table, 0, error));
    BERTH_TRY(read_free(shown, error));
    run->ligand = berth_scores_name_column(shown->csv);
    run->column = berth_csv_columns(shown->csv);
    return berth_csv_add_column(shown->csv, "cost", error);
}

enum berth_status berth_free_set(struct berth_shown *shown, struct berth_error *error)
{
    struct berth_free_run *run = &shown->free;
    char text[32] = "";
    size_t number;
    if (!shown->settings->free) {
        return BERTH_OK;
    }
    BERTH_TRY(find_ligand(run, berth_csv_field(shown->csv, run->ligand), &number, error));
    const double cost = run->lowest[0][number] - run->lowest[1][number];
    if (!isnan(cost)) {
        snprintf(text, sizeof text, "%.4f", cost);
    }
    return berth_csv_set(shown->csv, run->column, text, error);
}

void berth_free_clear(struct berth_free_run *run)
{
    berth_text_set_clear(&run->names);
    free(run->lowest[0]);
    free(run->lowest[1]);
}
