/* The files of an evaluation: tables, and ROC curves. */
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "format/output.h"
#include "eval/screen/evaluation_internal.h"
#include "eval/svg_curves.h"

/* SMILES; "" where none is known. */
static const char *text_of(const struct berth_evaluation *evaluation, size_t scaffold)
{
    if (scaffold == SIZE_MAX) {
        return "";
    }
    const char *smiles = evaluation->scaffolds[scaffold].smiles;
    return *smiles ? smiles : "no ring";
}

/* --- Tables --- */

/* Writes the table's content. */
typedef enum berth_status fill(const struct berth_evaluation *evaluation,
                               struct berth_output *output, struct berth_error *error);

/* The area in which each scaffold counts once, and how many are found early. */
static enum berth_status put_scaffold_measures(const struct berth_evaluation *evaluation,
                                               const struct ranking *ranking,
                                               struct berth_output *output,
                                               struct berth_error *error)
{
    struct scaffold_place *places = berth_alloc(evaluation->scaffold_count, sizeof *places);
    double area = 0;
    enum berth_status status = places ? evaluation_scaffold_area(evaluation, ranking, &area, error)
                                      : berth_out_of_memory(error, NULL);
    if (!status) {
        evaluation_place_scaffolds(evaluation, ranking, places);
        berth_output_csv(output, ranking->label, ',');
        berth_output_print(output, "scaffold_roc_area,%.12g,,\n", area);
    }
    for (size_t k = 0; !status && k < BERTH_EARLY_SHARES; k++) {
        const size_t early = berth_early_count(k, evaluation->count);
        berth_output_csv(output, ranking->label, ',');
        berth_output_print(output, "scaffolds_%g,%zu,,\n", BERTH_EARLY_PERMILLE[k] / 10.0,
                           evaluation_early_scaffolds(evaluation, places, early));
    }
    free(places);
    return status;
}

static enum berth_status fill_measures(const struct berth_evaluation *evaluation,
                                       struct berth_output *output, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    berth_output_print(output, "ranking,measure,value,low,high\n");
    for (size_t i = 0; !status && i < evaluation->ranking_count; i++) {
        for (int m = 0; m < BERTH_MEASURES; m++) {
            const enum berth_measure measure = (enum berth_measure)m;
            const struct berth_estimate estimate =
                berth_enrichment_of(evaluation->enrichment, i, measure);
            berth_output_csv(output, evaluation->rankings[i].label, ',');
            berth_output_print(output, "%s,%.12g,%.12g,%.12g\n", berth_measure_name(measure),
                               estimate.value, estimate.low, estimate.high);
        }
        if (evaluation->scaffold_count) {
            status = put_scaffold_measures(evaluation, &evaluation->rankings[i], output, error);
        }
    }
    return status;
}

static enum berth_status fill_differences(const struct berth_evaluation *evaluation,
                                          struct berth_output *output, struct berth_error *error)
{
    (void)error;
    berth_output_print(output, "ranking,against,measure,difference,low,high,p\n");
    size_t pair[2];
    for (size_t k = 0; evaluation_pair(evaluation, k, pair); k++) {
        for (int m = 0; m < BERTH_MEASURES; m++) {
            const enum berth_measure measure = (enum berth_measure)m;
            const struct berth_difference difference =
                berth_enrichment_difference(evaluation->enrichment, pair[0], pair[1], measure);
            berth_output_csv(output, evaluation->rankings[pair[0]].label, ',');
            berth_output_csv(output, evaluation->rankings[pair[1]].label, ',');
            berth_output_print(output, "%s,%.12g,%.12g,%.12g,%.6g\n", berth_measure_name(measure),
                               difference.estimate.value, difference.estimate.low,
                               difference.estimate.high, difference.p);
        }
    }
    return BERTH_OK;
}

static enum berth_status fill_actives(const struct berth_evaluation *evaluation,
                                      struct berth_output *output, struct berth_error *error)
{
    berth_output_print(output, "ranking,ligand,rank,score,scaffold\n");
    for (size_t i = 0; i < evaluation->ranking_count; i++) {
        const struct ranking *ranking = &evaluation->rankings[i];
        size_t *actives = evaluation_actives(evaluation, ranking);
        if (!actives) {
            return berth_out_of_memory(error, NULL);
        }
        for (size_t k = 0; k < evaluation->active_count; k++) {
            const size_t ligand = actives[k];
            berth_output_csv(output, ranking->label, ',');
            berth_output_csv(output, evaluation->ligands[ligand].name, ',');
            berth_output_print(output, "%g,%.9g,", ranking->ranks[ligand], ranking->scores[ligand]);
            berth_output_csv(output, text_of(evaluation, evaluation->ligands[ligand].scaffold),
                             '\n');
        }
        free(actives);
    }
    return BERTH_OK;
}

static enum berth_status fill_scaffolds(const struct berth_evaluation *evaluation,
                                        struct berth_output *output, struct berth_error *error)
{
    struct scaffold_place *places = berth_alloc(evaluation->scaffold_count, sizeof *places);
    if (!places) {
        return berth_out_of_memory(error, NULL);
    }
    berth_output_print(output, "ranking,scaffold,actives,best_rank,best_active\n");
    for (size_t i = 0; i < evaluation->ranking_count; i++) {
        evaluation_place_scaffolds(evaluation, &evaluation->rankings[i], places);
        for (size_t k = 0; k < evaluation->scaffold_count; k++) {
            berth_output_csv(output, evaluation->rankings[i].label, ',');
            berth_output_csv(output, text_of(evaluation, k), ',');
            berth_output_print(output, "%zu,%g,", evaluation->scaffolds[k].actives, places[k].rank);
            berth_output_csv(output, evaluation->ligands[places[k].best].name, '\n');
        }
    }
    free(places);
    return BERTH_OK;
}

static enum berth_status write_table(const struct berth_evaluation *evaluation, const char *name,
                                     fill *fill_it, struct berth_error *error)
{
    char path[PATH_MAX];
    struct berth_output *output;
    enum berth_status status =
        berth_path_in(evaluation->settings.out, name, path, sizeof path, error);
    status = status ? status : berth_output_create(path, &output, error);
    if (status) {
        return status;
    }
    status = fill_it(evaluation, output, error);
    if (status) {
        berth_output_discard(output);
        return status;
    }
    return berth_output_commit(output, error);
}

/* --- ROC curves --- */

/* Bytes of a ranking's label, at most. */
enum { SHOWN = 20 };

struct roc {
    char label[4 * SHOWN + 16];
    double *values, *shares; /* owned */
    size_t count;
};

/* %: of decoys. */
static enum berth_status make_roc(const struct berth_evaluation *evaluation, size_t ranking,
                                  struct roc *roc, struct berth_error *error)
{
    struct berth_roc_point *points;
    enum berth_status status =
        berth_roc_curve(evaluation->active, evaluation->rankings[ranking].scores, evaluation->count,
                        &points, &roc->count, error);
    if (!status) {
        roc->values = berth_alloc(roc->count, sizeof *roc->values);
        roc->shares = berth_alloc(roc->count, sizeof *roc->shares);
        status = roc->values && roc->shares ? BERTH_OK : berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; !status && i < roc->count; i++) {
        roc->values[i] = 100 * points[i].decoys;
        roc->shares[i] = points[i].actives;
    }
    free(points);
    const struct berth_estimate area =
        berth_enrichment_of(evaluation->enrichment, ranking, BERTH_ROC_AREA);
    char label[SHOWN + 1];
    snprintf(label, sizeof label, "%.*s", SHOWN, evaluation->rankings[ranking].label);
    char *text = berth_text_escape(label, ""); /* a character that was cut is none in XML */
    if (!status && !text) {
        status = berth_out_of_memory(error, NULL);
    }
    snprintf(roc->label, sizeof roc->label, "%s %.2f", text ? text : "", area.value);
    free(text);
    return status;
}

static enum berth_status draw(const struct berth_evaluation *evaluation, const struct roc *rocs,
                              bool logarithmic, struct berth_error *error)
{
    static const double ENDS[] = {0, 100}, CHANCE[] = {0, 1};
    struct berth_svg_curve curves[EVALUATION_RANKINGS + 1];
    char path[PATH_MAX], subtitle[128];
    const size_t trivial = evaluation->trivial, results = evaluation->result_count;
    for (size_t i = 0; i < evaluation->ranking_count; i++) {
        const bool plain = i >= trivial;
        curves[i] = (struct berth_svg_curve){
            .label = rocs[i].label,
            .values = rocs[i].values,
            .shares = rocs[i].shares,
            .count = rocs[i].count,
            .color = (int)((plain ? 4 - (i - trivial) : i) % (BERTH_SVG_COLORS - 1)),
            .dashed = plain || (i >= results && results > 1)};
    }
    curves[evaluation->ranking_count] = (struct berth_svg_curve){.label = "by chance 0.50",
                                                                 .values = ENDS,
                                                                 .shares = CHANCE,
                                                                 .count = 2,
                                                                 .color = BERTH_SVG_COLORS - 1};
    snprintf(subtitle, sizeof subtitle,
             "%zu actives among %zu ligands; the area under each curve%s", evaluation->active_count,
             evaluation->count, logarithmic ? " with a linear axis" : "");
    const struct berth_svg_curves chart = {.title = "Actives found",
                                           .subtitle = subtitle,
                                           .axis = "decoys before them, %",
                                           .begin = logarithmic ? 0.1 : 0,
                                           .end = 100,
                                           .tick = 20,
                                           .curves = curves,
                                           .count = evaluation->ranking_count + 1};
    const enum berth_status status =
        berth_path_in(evaluation->settings.out, logarithmic ? "roc_log.svg" : "roc.svg", path,
                      sizeof path, error);
    return status ? status : berth_svg_curves_write(path, &chart, error);
}

static enum berth_status draw_all(const struct berth_evaluation *evaluation,
                                  struct berth_error *error)
{
    struct roc rocs[EVALUATION_RANKINGS] = {0};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < evaluation->ranking_count; i++) {
        status = make_roc(evaluation, i, &rocs[i], error);
    }
    for (int logarithmic = 0; !status && logarithmic < 2; logarithmic++) {
        status = draw(evaluation, rocs, logarithmic, error);
    }
    for (size_t i = 0; i < evaluation->ranking_count; i++) {
        free(rocs[i].values);
        free(rocs[i].shares);
    }
    return status;
}

static const struct {
    const char *name;
    fill *fill_it;
} TABLES[] = {{"enrichment.csv", fill_measures},
              {"differences.csv", fill_differences},
              {"actives.csv", fill_actives},
              {"scaffolds.csv", fill_scaffolds}};

enum { TABLE_COUNT = sizeof TABLES / sizeof *TABLES };

enum berth_status berth_evaluation_probe(const char *folder, struct berth_error *error)
{
    const char *names[TABLE_COUNT + 3] = {"roc.svg", "roc_log.svg", "summary.txt"};
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        names[3 + i] = TABLES[i].name;
    }
    return berth_folder_probe(folder, names, TABLE_COUNT + 3, error);
}

enum berth_status berth_evaluation_write(const struct berth_evaluation *evaluation,
                                         struct berth_error *error)
{
    char path[PATH_MAX];
    enum berth_status status = berth_folder_make(evaluation->settings.out, error);
    for (size_t i = 0; !status && i < TABLE_COUNT; i++) {
        status = write_table(evaluation, TABLES[i].name, TABLES[i].fill_it, error);
    }
    status = status ? status : draw_all(evaluation, error);
    BERTH_THEN(berth_path_in(evaluation->settings.out, "summary.txt", path, sizeof path, error));
    return status ? status : berth_evaluation_summarize(evaluation, path, error);
}
