/* What an evaluation prints and writes: a summary, tables, ROC curves. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "format/output.h"
#include "eval/screen/evaluation_internal.h"
#include "eval/svg.h"

/* Pairs of rankings whose difference is tested: each that is not trivial against each that is, and
 * against the first results.  The k-th pair; false where there is none. */
static bool find_pair(const struct evaluation *evaluation, size_t k, size_t pair[2])
{
    const size_t trivial = evaluation->trivial, others = evaluation->ranking_count - trivial;
    for (size_t i = 0; i < trivial; i++) {
        const size_t pairs = others + (i > 0);
        if (k < pairs) {
            pair[0] = i;
            pair[1] = k < others ? trivial + k : 0;
            return true;
        }
        k -= pairs;
    }
    return false;
}

/* Scaffolds of which an active is among the ranking's first ligands, by the share of that number.
 */
static size_t early_scaffolds(const struct evaluation *evaluation, const struct ranking *ranking,
                              size_t share)
{
    const double early = (double)berth_early_count(share, evaluation->count);
    size_t found = 0;
    for (size_t i = 0; i < evaluation->scaffold_count; i++) {
        found += ranking->places[i].rank <= early;
    }
    return found;
}

/* --- The summary --- */

/* Rankings beside each other; actives whose rank is printed, and below which resamples of them say
 * too little; the widths of columns. */
enum { BESIDE = 3, SHOWN = 20, MEASURE = 13, CELL = 26 };

/* A text of others, escaped, with blanks in front of the next column. */
static void print_padded(struct berth_output *output, const char *text, bool last)
{
    const int width = (int)berth_text_width(text);
    berth_output_text(output, text);
    berth_output_print(output, "%*s", last ? 0 : width < CELL ? CELL - width : 2, "");
}

/* The actives without a score. */
static void print_undocked(struct berth_output *output, const struct evaluation *evaluation)
{
    if (evaluation->undocked) {
        berth_output_print(output, "%zu active%s no score, and %s left out (", evaluation->undocked,
                           evaluation->undocked > 1 ? "s have" : " has",
                           evaluation->undocked > 1 ? "are" : "is");
        berth_output_text(output, evaluation->first_undocked);
        berth_output_print(output, "%s)\n", evaluation->undocked > 1 ? " ..." : "");
    }
    if (evaluation->hidden) {
        berth_output_print(output,
                           "%zu ligands are states of these, if _1 and the like say so: the option "
                           "states takes them so\n",
                           evaluation->hidden);
    }
}

/* Of how many some isomers were not docked: of these the one that binds may be missing. */
static void print_open_stereo(struct berth_output *output, const struct evaluation *evaluation)
{
    size_t ligands = 0, actives = 0;
    for (size_t i = 0; i < evaluation->count; i++) {
        ligands += evaluation->ligands[i].open_stereo;
        actives += evaluation->ligands[i].open_stereo && evaluation->active[i];
    }
    if (ligands) {
        berth_output_print(output,
                           "stereo left open: %zu of the ligands, %zu of the actives, of which "
                           "some isomers were not docked (prep ligands --stereo N makes more)\n",
                           ligands, actives);
    }
}

static void print_head(struct berth_output *output, const struct evaluation *evaluation)
{
    const size_t tables = evaluation->columns[0] ? 1 : evaluation->result_count;
    for (size_t i = 0; i < tables; i++) {
        berth_output_text(output, evaluation->results[i].path);
        berth_output_print(output, "%s", i + 1 < tables ? ", " : ": ");
    }
    berth_output_print(output, "%zu ligands, %zu actives, %zu decoys\n", evaluation->count,
                       evaluation->active_count, evaluation->count - evaluation->active_count);
    const struct {
        size_t count;
        const char *text;
    } notes[] = {
        {evaluation->left_out, "ligands have no score in some of the results, and are left out"},
        {evaluation->unlisted, "ligands are neither active nor decoy, and are left out"},
        {evaluation->scaffold_count ? evaluation->unscaffolded : 0,
         "actives are of unknown scaffold"}};
    for (size_t i = 0; i < tables; i++) {
        char joined[BERTH_JOINED_TEXT];
        berth_ligands_joined(&evaluation->results[i], joined);
        if (*joined && tables > 1) {
            berth_output_text(output, evaluation->results[i].path);
            berth_output_print(output, ": ");
        }
        berth_output_print(output, "%s%s", joined, *joined ? "\n" : "");
    }
    print_undocked(output, evaluation);
    print_open_stereo(output, evaluation);
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        if (notes[i].count) {
            berth_output_print(output, "%zu %s\n", notes[i].count, notes[i].text);
        }
    }
    if (evaluation->active_count < BERTH_FEW) {
        berth_output_print(output, "with fewer than %d actives the intervals are too narrow\n",
                           BERTH_FEW);
    }
    if (!evaluation->scaffold_count) {
        berth_output_print(output, "%s\n",
                           evaluation->no_rdkit
                               ? "no scaffolds: they need RDKit, which was not found"
                               : "no scaffolds: the actives are known by their names alone; the "
                                 "options actives and ligands take molecules: SMILES, SDF, Mol2 "
                                 "and libraries");
    }
    if (evaluation->massless) {
        berth_output_print(output, "no ranking by mass: it is not known of %zu ligands (",
                           evaluation->massless);
        berth_output_text(output, evaluation->first_massless);
        berth_output_print(output,
                           "); the option ligands takes the library, or other molecules, that "
                           "were docked\n");
    }
}

static void print_estimate(struct berth_output *output, const struct berth_estimate *estimate,
                           enum berth_measure measure, bool difference, bool last)
{
    char text[BERTH_ESTIMATE_TEXT];
    berth_estimate_print(estimate, measure, difference, text);
    print_padded(output, text, last);
}

static void print_coarse(struct berth_output *output, const struct evaluation *evaluation)
{
    char text[BERTH_COARSE_TEXT];
    berth_enrichment_coarse(evaluation->active_count, evaluation->count, text);
    if (*text) {
        berth_output_print(output, "of few ligands: %s\n", text);
    }
}

static void print_measures(struct berth_output *output, const struct evaluation *evaluation)
{
    for (size_t begin = 0; begin < evaluation->ranking_count; begin += BESIDE) {
        const size_t left = evaluation->ranking_count - begin;
        const size_t end = begin + (left < BESIDE ? left : BESIDE);
        berth_output_print(output, "\n%*s", MEASURE, "");
        for (size_t i = begin; i < end; i++) {
            print_padded(output, evaluation->rankings[i].label, i + 1 == end);
        }
        for (int m = 0; m < BERTH_MEASURES; m++) {
            berth_output_print(output, "\n%-*s", MEASURE, BERTH_MEASURE[m].title);
            for (size_t i = begin; i < end; i++) {
                const struct berth_estimate estimate =
                    berth_enrichment_of(evaluation->enrichment, i, BERTH_NO_RANKING,
                                        (enum berth_measure)m)
                        .estimate;
                print_estimate(output, &estimate, (enum berth_measure)m, false, i + 1 == end);
            }
        }
        berth_output_print(output, "\n");
    }
    berth_output_print(output, "(95 %% confidence by %zu resamples)\n",
                       evaluation->settings.resamples);
    print_coarse(output, evaluation);
}

/* Whether a ranking is worth more than size alone, where it is not. */
static void print_standing(struct berth_output *output, const struct evaluation *evaluation,
                           const size_t pair[2])
{
    char worse[BERTH_WORSE_TEXT];
    const char *label = evaluation->rankings[pair[0]].label;
    const char *size = evaluation->rankings[pair[1]].label;
    const enum berth_in_place standing =
        berth_enrichment_standing(evaluation->enrichment, pair[0], pair[1], worse);
    if (standing == BERTH_STANDING_WORSE) {
        berth_output_text(output, label);
        berth_output_print(output, " ranks worse than %s alone (%s).\n", size, worse);
    } else if (standing == BERTH_STANDING_MIXED) {
        berth_output_text(output, label);
        berth_output_print(output,
                           " ranks better than %s alone by one measure, worse by another (%s).\n",
                           size, worse);
    } else if (standing == BERTH_STANDING_NEITHER) {
        berth_output_print(output, "These actives do not show that ");
        berth_output_text(output, label);
        berth_output_print(output, " ranks better than %s alone.\n", size);
    }
}

static void print_pair(struct berth_output *output, const struct evaluation *evaluation,
                       const size_t pair[2])
{
    const struct ranking *one = &evaluation->rankings[pair[0]];
    const struct ranking *other = &evaluation->rankings[pair[1]];
    char text[BERTH_P_TEXT];
    berth_output_print(output, "\n");
    berth_output_text(output, one->label);
    berth_output_print(output, " against ");
    berth_output_text(output, other->label);
    berth_output_print(output, "\n");
    for (size_t i = 0; i < BERTH_TESTED_MEASURES; i++) {
        const struct berth_difference difference =
            berth_enrichment_of(evaluation->enrichment, pair[0], pair[1], BERTH_TESTED[i]);
        berth_output_print(output, "%-*s", MEASURE, BERTH_MEASURE[BERTH_TESTED[i]].title);
        print_estimate(output, &difference.estimate, BERTH_TESTED[i], true, false);
        berth_p_print(evaluation->enrichment, difference.p, text);
        berth_output_print(output, " %s\n", text);
    }
    if (pair[1] >= evaluation->trivial) {
        print_standing(output, evaluation, pair);
    }
}

static void print_scaffolds(struct berth_output *output, const struct evaluation *evaluation)
{
    berth_output_print(output,
                       "\n%zu scaffolds of actives; found among the first 0.5, 1, 2, 5 and "
                       "10 %%, and ROC area where each counts once\n",
                       evaluation->scaffold_count);
    for (size_t i = 0; i < evaluation->ranking_count; i++) {
        const struct ranking *ranking = &evaluation->rankings[i];
        print_padded(output, ranking->label, false);
        for (size_t k = 0; k < BERTH_EARLY_SHARES; k++) {
            berth_output_print(output, "%5zu", early_scaffolds(evaluation, ranking, k));
        }
        berth_output_print(output, "  %.3f\n", ranking->scaffold_area);
    }
}

static void print_actives(struct berth_output *output, const struct evaluation *evaluation)
{
    const struct ranking *ranking = &evaluation->rankings[0];
    berth_output_print(output, "\nactives by rank of %zu (", evaluation->count);
    berth_output_text(output, ranking->label);
    berth_output_print(output, "): ");
    for (size_t i = 0; i < evaluation->active_count && i < SHOWN; i++) {
        berth_output_print(output, "%s", i ? ", " : "");
        berth_output_text(output, evaluation->ligands[ranking->actives[i].ligand].name);
        berth_output_print(output, " %g", ranking->actives[i].rank);
    }
    if (evaluation->active_count > SHOWN) {
        berth_output_print(output, " ... and %zu more", evaluation->active_count - SHOWN);
    }
    berth_output_print(output, "\n");
}

/* What it comes to, a line for each ranking: whether it is worth more than size alone. */
static void print_verdicts(struct berth_output *output, const struct evaluation *evaluation)
{
    const size_t trivial = evaluation->trivial, sizes = evaluation->ranking_count - trivial;
    static const char *const SAYS[][2] = {
        [BERTH_STANDING_NEITHER] = {"not shown to be better than ", ""},
        [BERTH_STANDING_BETTER] = {"ranks better than ", ""},
        [BERTH_STANDING_WORSE] = {"ranks worse than ", ""},
        [BERTH_STANDING_MIXED] = {"ranks better than ", " by one measure, worse by another"}};
    for (size_t i = 0; sizes && i < trivial; i++) {
        char text[BERTH_WORSE_TEXT];
        bool alike = true;
        const enum berth_in_place first =
            berth_enrichment_standing(evaluation->enrichment, i, trivial, text);
        for (size_t k = trivial + 1; k < trivial + sizes; k++) {
            alike = alike && berth_enrichment_standing(evaluation->enrichment, i, k, text) == first;
        }
        berth_output_text(output, evaluation->rankings[i].label);
        for (size_t k = trivial; k < (alike ? trivial + 1 : trivial + sizes); k++) {
            const char *const *says =
                SAYS[berth_enrichment_standing(evaluation->enrichment, i, k, text)];
            berth_output_print(output, "%s%s%s alone%s", k > trivial ? ", " : ": ", says[0],
                               alike ? "size" : evaluation->rankings[k].label, says[1]);
        }
        berth_output_print(output, "\n");
    }
}

static void fill_summary(const struct evaluation *evaluation, struct berth_output *output)
{
    size_t pair[2], pairs = 0;
    print_head(output, evaluation);
    print_verdicts(output, evaluation);
    print_measures(output, evaluation);
    for (; find_pair(evaluation, pairs, pair); pairs++) {
        print_pair(output, evaluation, pair);
    }
    if (evaluation->result_count > 1) {
        berth_output_print(
            output,
            "\nThese are %zu comparisons by %d measures; of 20 without a difference "
            "one has p < 0.05 by chance.  p is from a normal distribution: near 0.05 "
            "the interval may say otherwise.\n",
            pairs, BERTH_TESTED_MEASURES);
    }
    if (evaluation->scaffold_count) {
        print_scaffolds(output, evaluation);
    }
    print_actives(output, evaluation);
}

/* SMILES; "" where none is known. */
static const char *text_of(const struct evaluation *evaluation, size_t scaffold)
{
    if (scaffold == SIZE_MAX) {
        return "";
    }
    const char *smiles = evaluation->scaffolds[scaffold].smiles;
    return *smiles ? smiles : "no ring";
}

/* --- Tables --- */

/* The area in which each scaffold counts once, and how many are found early. */
static void put_scaffold_measures(const struct evaluation *evaluation,
                                  const struct ranking *ranking, struct berth_output *output)
{
    berth_output_csv(output, ranking->label, ',');
    berth_output_print(output, "scaffold_roc_area,%.12g,,\n", ranking->scaffold_area);
    for (size_t k = 0; k < BERTH_EARLY_SHARES; k++) {
        berth_output_csv(output, ranking->label, ',');
        berth_output_print(output, "scaffolds_%g,%zu,,\n", BERTH_EARLY_PERMILLE[k] / 10.0,
                           early_scaffolds(evaluation, ranking, k));
    }
}

static void fill_measures(const struct evaluation *evaluation, struct berth_output *output)
{
    berth_output_print(output, "ranking,measure,value,low,high\n");
    for (size_t i = 0; i < evaluation->ranking_count; i++) {
        for (int m = 0; m < BERTH_MEASURES; m++) {
            const enum berth_measure measure = (enum berth_measure)m;
            const struct berth_estimate estimate =
                berth_enrichment_of(evaluation->enrichment, i, BERTH_NO_RANKING, measure).estimate;
            berth_output_csv(output, evaluation->rankings[i].label, ',');
            berth_output_print(output, "%s,%.12g,%.12g,%.12g\n", BERTH_MEASURE[measure].name,
                               estimate.value, estimate.low, estimate.high);
        }
        if (evaluation->scaffold_count) {
            put_scaffold_measures(evaluation, &evaluation->rankings[i], output);
        }
    }
}

static void fill_differences(const struct evaluation *evaluation, struct berth_output *output)
{
    berth_output_print(output, "ranking,against,measure,difference,low,high,p\n");
    size_t pair[2];
    for (size_t k = 0; find_pair(evaluation, k, pair); k++) {
        for (int m = 0; m < BERTH_MEASURES; m++) {
            const enum berth_measure measure = (enum berth_measure)m;
            const struct berth_difference difference =
                berth_enrichment_of(evaluation->enrichment, pair[0], pair[1], measure);
            berth_output_csv(output, evaluation->rankings[pair[0]].label, ',');
            berth_output_csv(output, evaluation->rankings[pair[1]].label, ',');
            berth_output_print(output, "%s,%.12g,%.12g,%.12g,%.6g\n", BERTH_MEASURE[measure].name,
                               difference.estimate.value, difference.estimate.low,
                               difference.estimate.high, difference.p);
        }
    }
}

static void fill_actives(const struct evaluation *evaluation, struct berth_output *output)
{
    berth_output_print(output, "ranking,ligand,rank,score,scaffold\n");
    for (size_t i = 0; i < evaluation->ranking_count; i++) {
        const struct ranking *ranking = &evaluation->rankings[i];
        for (size_t k = 0; k < evaluation->active_count; k++) {
            const size_t ligand = ranking->actives[k].ligand;
            berth_output_csv(output, ranking->label, ',');
            berth_output_csv(output, evaluation->ligands[ligand].name, ',');
            berth_output_print(output, "%g,%.9g,", ranking->ranks[ligand], ranking->scores[ligand]);
            berth_output_csv(output, text_of(evaluation, evaluation->ligands[ligand].scaffold),
                             '\n');
        }
    }
}

static void fill_scaffolds(const struct evaluation *evaluation, struct berth_output *output)
{
    berth_output_print(output, "ranking,scaffold,actives,best_rank,best_active\n");
    for (size_t i = 0; i < evaluation->ranking_count; i++) {
        const struct ranking *ranking = &evaluation->rankings[i];
        for (size_t k = 0; k < evaluation->scaffold_count; k++) {
            berth_output_csv(output, ranking->label, ',');
            berth_output_csv(output, text_of(evaluation, k), ',');
            berth_output_print(output, "%zu,%g,", evaluation->scaffolds[k].actives,
                               ranking->places[k].rank);
            berth_output_csv(output, evaluation->ligands[ranking->places[k].ligand].name, '\n');
        }
    }
}

/* --- ROC curves --- */

/* Bytes of a ranking's label, at most. */
enum { LABEL_SHOWN = 20 };

struct roc {
    char label[4 * LABEL_SHOWN + 16];
    double *values, *shares; /* owned */
    size_t count;
};

/* %: of decoys. */
static enum berth_status make_roc(const struct evaluation *evaluation, size_t ranking,
                                  struct roc *roc, struct berth_error *error)
{
    struct berth_roc_point *points;
    enum berth_status status =
        berth_roc_curve(evaluation->active, evaluation->rankings[ranking].scores, evaluation->count,
                        &points, &roc->count, error);
    BERTH_THEN(berth_make(&roc->values, roc->count, sizeof *roc->values, NULL, error));
    BERTH_THEN(berth_make(&roc->shares, roc->count, sizeof *roc->shares, NULL, error));
    for (size_t i = 0; !status && i < roc->count; i++) {
        roc->values[i] = 100 * points[i].decoys;
        roc->shares[i] = points[i].actives;
    }
    free(points);
    const struct berth_estimate area =
        berth_enrichment_of(evaluation->enrichment, ranking, BERTH_NO_RANKING, BERTH_ROC_AREA)
            .estimate;
    char label[LABEL_SHOWN + 1];
    snprintf(label, sizeof label, "%.*s", LABEL_SHOWN, evaluation->rankings[ranking].label);
    char *text = berth_text_escape(label, ""); /* a character that was cut is none in XML */
    if (!status && !text) {
        status = berth_out_of_memory(error, NULL);
    }
    snprintf(roc->label, sizeof roc->label, "%s %.2f", text ? text : "", area.value);
    free(text);
    return status;
}

static enum berth_status draw_roc(const struct evaluation *evaluation, const struct roc *rocs,
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
    BERTH_TRY(berth_path_in(evaluation->settings.out, logarithmic ? "roc_log.svg" : "roc.svg", path,
                            sizeof path, error));
    return berth_svg_curves_write(path, &chart, error);
}

static enum berth_status draw_all(const struct evaluation *evaluation, struct berth_error *error)
{
    struct roc rocs[EVALUATION_RANKINGS] = {0};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < evaluation->ranking_count; i++) {
        status = make_roc(evaluation, i, &rocs[i], error);
    }
    for (int logarithmic = 0; !status && logarithmic < 2; logarithmic++) {
        status = draw_roc(evaluation, rocs, logarithmic, error);
    }
    for (size_t i = 0; i < evaluation->ranking_count; i++) {
        free(rocs[i].values);
        free(rocs[i].shares);
    }
    return status;
}

static const struct {
    const char *name;
    void (*fill)(const struct evaluation *evaluation, struct berth_output *output);
} FILES[] = {{"enrichment.csv", fill_measures},
             {"differences.csv", fill_differences},
             {"actives.csv", fill_actives},
             {"scaffolds.csv", fill_scaffolds},
             {"summary.txt", fill_summary}};

enum { FILE_COUNT = sizeof FILES / sizeof *FILES };

enum berth_status evaluation_probe(const struct berth_evaluation_settings *settings,
                                   struct berth_error *error)
{
    const char *names[FILE_COUNT + 2] = {"roc.svg", "roc_log.svg"};
    for (size_t i = 0; i < FILE_COUNT; i++) {
        names[2 + i] = FILES[i].name;
    }
    return settings->out ? berth_folder_probe(settings->out, names, FILE_COUNT + 2, error)
                         : BERTH_OK;
}

static enum berth_status write_file(const struct evaluation *evaluation,
                                    void (*fill)(const struct evaluation *evaluation,
                                                 struct berth_output *output),
                                    const char *path, struct berth_error *error)
{
    struct berth_output *output;
    BERTH_TRY(berth_output_create(path, &output, error));
    fill(evaluation, output);
    return berth_output_commit(output, error);
}

enum berth_status evaluation_write(const struct evaluation *evaluation, struct berth_error *error)
{
    const struct berth_evaluation_settings *settings = &evaluation->settings;
    char path[PATH_MAX];
    if (settings->out) {
        BERTH_TRY(berth_folder_make(settings->out, error));
        for (size_t i = 0; i < FILE_COUNT; i++) {
            BERTH_TRY(berth_path_in(settings->out, FILES[i].name, path, sizeof path, error));
            if (FILES[i].fill != fill_scaffolds || evaluation->scaffold_count) {
                BERTH_TRY(write_file(evaluation, FILES[i].fill, path, error));
            }
        }
        BERTH_TRY(draw_all(evaluation, error));
    }
    return settings->summary ? write_file(evaluation, fill_summary, settings->summary, error)
                             : BERTH_OK;
}
