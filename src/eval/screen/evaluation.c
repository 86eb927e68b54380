#include "eval/screen/evaluation.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "eval/analysis.h"
#include "format/output.h"

/* Results that may be compared. */
enum { COMPARED_MAX = 6 };

static const char *const FILES[] = {"summary.txt", "enrichment.csv", "differences.csv",
                                    "actives.csv", "scaffolds.csv",  "roc.svg",
                                    "roc_log.svg"};

/* Reads one more of the results, of which there are so many, into a request.  by: what ranks; NULL:
 * what its table says. */
static enum berth_status read_result(const char *path, const char *by, size_t before,
                                     struct berth_bytes *request, struct berth_error *error)
{
    struct berth_score_table table;
    if (before == COMPARED_MAX) {
        return berth_fail_option(error, BERTH_E_USAGE, "compare",
                                 "compare: at most %d results in all", COMPARED_MAX);
    }
    const enum berth_status status = berth_score_table_read(path, by, &table, error);
    berth_score_table_put(&table, request);
    berth_score_table_clear(&table);
    return status;
}

/* Reads the results and those of --compare. */
static enum berth_status read_compared(const struct berth_evaluation_settings *settings,
                                       struct berth_bytes *request, struct berth_error *error)
{
    char *list = berth_copy_text(settings->compare ? settings->compare : "");
    char *rest = list;
    size_t count = 0;
    enum berth_status status = list ? BERTH_OK : berth_out_of_memory(error, NULL);
    for (const char *path = settings->results; !status && path; path = strtok_r(NULL, ",", &rest)) {
        status = read_result(path, settings->column, count++, request, error);
    }
    free(list);
    return status;
}

/* Reads the results once for each of several columns. */
static enum berth_status read_columns(const struct berth_evaluation_settings *settings,
                                      struct berth_bytes *request, struct berth_error *error)
{
    struct berth_bytes columns = {0};
    enum berth_status status = BERTH_OK;
    size_t count = 0;
    if (settings->compare) {
        return berth_fail_option(error, BERTH_E_USAGE, "column",
                                 "column: several columns are compared, or the results of the "
                                 "option compare, not both");
    }
    for (const char *rest = settings->column; !status && rest;) {
        char *column = berth_text_next_expression(&rest);
        berth_bytes_put_text(&columns, column);
        status = column ? read_result(settings->results, column, count++, request, error)
                        : berth_out_of_memory(error, NULL);
        free(column);
    }
    berth_request_put_bytes(request, "columns", &columns);
    berth_bytes_clear(&columns);
    return status;
}

/* Reads what is known of the ligands. */
static enum berth_status read_known(const struct berth_evaluation_settings *settings,
                                    const struct berth_log *log, struct berth_bytes *request,
                                    struct berth_error *error)
{
    const bool molecules = berth_known_takes(settings->actives);
    const bool any =
        molecules || settings->ligands || (settings->decoys && berth_known_takes(settings->decoys));
    char library[PATH_MAX]; /* knows masses, if no scaffolds, of all that was docked */
    bool docked = false;
    struct berth_rdkit rdkit;
    struct berth_error why;
    if (!settings->ligands) {
        BERTH_TRY(berth_screen_library_find(settings->results, library, &docked, error));
    }
    const bool has_rdkit = any && berth_rdkit_find(&rdkit, &why) == BERTH_OK;
    if (any && !has_rdkit) {
        berth_warn(log, NULL, "no scaffolds, and no masses of SMILES and SDF: %s", why.message);
        berth_request_put_text(request, "no_rdkit", "");
    }
    const struct {
        const char *name, *path;
        bool scaffolds;
    } sets[] = {{"actives", settings->actives, true},
                {"decoys", settings->decoys, false},
                {"molecules", docked ? library : settings->ligands, !molecules && !docked}};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        const struct berth_known_setup setup = {sets[i].path, has_rdkit ? &rdkit : NULL,
                                                sets[i].scaffolds, log};
        BERTH_TRY(berth_known_put(&setup, sets[i].name, request, error));
    }
    return BERTH_OK;
}

static enum berth_status ask(const struct berth_bytes *request, const char *out,
                             struct berth_error *error)
{
    struct berth_answer answer = {0};
    enum berth_status status = berth_analyse("screen", request, &answer, error);
    BERTH_THEN(out ? berth_analysis_write(&answer, out, error) : BERTH_OK);
    BERTH_THEN(berth_analysis_write_text(&answer.fields[berth_analysis_find(&answer, FILES[0])],
                                         "-", error));
    berth_answer_clear(&answer);
    return status;
}

enum berth_status berth_evaluation_run(const struct berth_evaluation_settings *settings,
                                       const struct berth_log *log, struct berth_error *error)
{
    struct berth_bytes request = {0};
    const char *column = settings->column;
    BERTH_TRY(settings->out
                  ? berth_folder_probe(settings->out, FILES, sizeof FILES / sizeof *FILES, error)
                  : BERTH_OK);
    enum berth_status status = column && column[berth_text_expression(column)]
                                   ? read_columns(settings, &request, error)
                                   : read_compared(settings, &request, error);
    BERTH_THEN(read_known(settings, log, &request, error));
    berth_request_put_text(&request, "states", settings->states ? "" : NULL);
    berth_request_put_number(&request, "resamples", settings->resamples);
    berth_request_put_number(&request, "seed", settings->seed);
    BERTH_THEN(ask(&request, settings->out, error));
    berth_bytes_clear(&request);
    return status;
}

enum berth_status berth_evaluation_json(struct berth_csv *csv, const char *path,
                                        const struct berth_known_setup *actives, bool states,
                                        char **json, struct berth_error *error)
{
    struct berth_score_table table;
    struct berth_bytes request = {0};
    struct berth_answer answer = {0};
    enum berth_status status = berth_score_table_take(csv, path, NULL, &table, error);
    BERTH_THEN(berth_known_put(actives, "actives", &request, error));
    berth_score_table_put(&table, &request);
    berth_score_table_clear(&table);
    berth_request_put_text(&request, "states", states ? "" : NULL);
    BERTH_THEN(berth_analyse("page", &request, &answer, error));
    berth_bytes_clear(&request);
    const bool has = !status && answer.count > 3;
    *json = has ? berth_copy_text(answer.fields[3].data) : NULL;
    if (has && !*json) {
        status = berth_out_of_memory(error, NULL);
    } else if (!status && !has) {
        berth_warn(actives->log, NULL, "%s: none, or all, of the ligands in %s are actives",
                   actives->path, path);
    }
    berth_answer_clear(&answer);
    return status;
}
