/* What an evaluation prints. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "format/output.h"
#include "eval/screen/evaluation_internal.h"

/* Rankings beside each other; actives whose rank is printed, and below which resamples of them say
 * too little; the widths of columns. */
enum { BESIDE = 3, SHOWN = 20, FEW = 10, MEASURE = 13, CELL = 26 };

/* Below this probability a difference is taken for real. */
static const double UNLIKELY = 0.05;

/* Characters of UTF-8 text. */
static int width_of(const char *text)
{
    int width = 0;
    for (; *text; text++) {
        width += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return width;
}

/* A text of others, escaped, with blanks in front of the next column. */
static void print_padded(struct berth_output *output, const char *text, bool last)
{
    const int width = width_of(text);
    berth_output_text(output, text);
    berth_output_print(output, "%*s", width < CELL && !last ? CELL - width : 0, "");
}

static void print_head(struct berth_output *output, const struct berth_evaluation *evaluation)
{
    for (size_t i = 0; i < evaluation->result_count; i++) {
        berth_output_text(output, evaluation->results[i].path);
        berth_output_print(output, "%s", i + 1 < evaluation->result_count ? ", " : ": ");
    }
    berth_output_print(output, "%zu ligands, %zu actives, %zu decoys\n", evaluation->count,
                       evaluation->active_count, evaluation->count - evaluation->active_count);
    const struct {
        size_t count;
        const char *text;
    } notes[] = {
        {evaluation->undocked, "actives have no score, and are left out"},
        {evaluation->left_out, "ligands have no score in some of the results, and are left out"},
        {evaluation->unlisted, "ligands are neither active nor decoy, and are left out"},
        {evaluation->scaffold_count ? evaluation->unscaffolded : 0,
         "actives are of unknown scaffold"}};
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        if (notes[i].count) {
            berth_output_print(output, "%zu %s\n", notes[i].count, notes[i].text);
        }
    }
    if (evaluation->active_count < FEW) {
        berth_output_print(output, "with fewer than %d actives the intervals are too narrow\n",
                           FEW);
    }
    if (evaluation->massless) {
        berth_output_print(output, "no ranking by mass: it is not known of %zu ligands (",
                           evaluation->massless);
        berth_output_text(output, evaluation->first_massless);
        berth_output_print(output, "); --ligands takes the molecules that were docked\n");
    }
}

/* "0.782 (0.713 to 0.845)" */
static void print_estimate(struct berth_output *output, const struct berth_estimate *estimate,
                           enum berth_measure measure, bool difference, bool last)
{
    const int decimals = measure >= BERTH_EF_05 && measure <= BERTH_EF_10 ? 1 : 3;
    char text[64];
    snprintf(text, sizeof text, difference ? "%+.*f (%+.*f to %+.*f)" : "%.*f (%.*f to %.*f)",
             decimals, estimate->value, decimals, estimate->low, decimals, estimate->high);
    print_padded(output, text, last);
}

static void print_measures(struct berth_output *output, const struct berth_evaluation *evaluation)
{
    for (size_t begin = 0; begin < evaluation->ranking_count; begin += BESIDE) {
        const size_t left = evaluation->ranking_count - begin;
        const size_t end = begin + (left < BESIDE ? left : BESIDE);
        berth_output_print(output, "\n%*s", MEASURE, "");
        for (size_t i = begin; i < end; i++) {
            print_padded(output, evaluation->rankings[i].label, i + 1 == end);
        }
        for (int m = 0; m < BERTH_MEASURES; m++) {
            berth_output_print(output, "\n%-*s", MEASURE,
                               berth_measure_title((enum berth_measure)m));
            for (size_t i = begin; i < end; i++) {
                const struct berth_estimate estimate =
                    berth_enrichment_of(evaluation->enrichment, i, (enum berth_measure)m);
                print_estimate(output, &estimate, (enum berth_measure)m, false, i + 1 == end);
            }
        }
        berth_output_print(output, "\n");
    }
    berth_output_print(output, "(95 %% confidence by %zu resamples)\n",
                       evaluation->settings.resamples);
}

static void print_pair(struct berth_output *output, const struct berth_evaluation *evaluation,
                       const size_t pair[2])
{
    static const enum berth_measure TESTED[] = {BERTH_ROC_AREA, BERTH_BEDROC_20, BERTH_EF_1};
    const struct ranking *one = &evaluation->rankings[pair[0]];
    const struct ranking *other = &evaluation->rankings[pair[1]];
    bool better = false;
    berth_output_print(output, "\n");
    berth_output_text(output, one->label);
    berth_output_print(output, " against ");
    berth_output_text(output, other->label);
    berth_output_print(output, "\n");
    for (size_t i = 0; i < sizeof TESTED / sizeof *TESTED; i++) {
        const struct berth_difference difference =
            berth_enrichment_difference(evaluation->enrichment, pair[0], pair[1], TESTED[i]);
        berth_output_print(output, "%-*s", MEASURE, berth_measure_title(TESTED[i]));
        print_estimate(output, &difference.estimate, TESTED[i], true, false);
        const double least = berth_enrichment_least_p(evaluation->enrichment);
        berth_output_print(output, difference.p > least ? " p %.2g\n" : " p < %.1g\n",
                           difference.p);
        better = better || (difference.p < UNLIKELY && difference.estimate.value > 0);
    }
    if (!better && pair[1] >= evaluation->trivial) {
        berth_output_print(output, "These actives do not show that ");
        berth_output_text(output, one->label);
        berth_output_print(output, " ranks better than %s alone.\n", other->label);
    }
}

static enum berth_status print_scaffolds(struct berth_output *output,
                                         const struct berth_evaluation *evaluation,
                                         struct berth_error *error)
{
    struct scaffold_place *places = berth_alloc(evaluation->scaffold_count, sizeof *places);
    enum berth_status status = places ? BERTH_OK : berth_out_of_memory(error, NULL);
    if (!status) {
        berth_output_print(output,
                           "\n%zu scaffolds of actives; found among the first 0.5, 1, 2, 5 and "
                           "10 %%, and ROC area where each counts once\n",
                           evaluation->scaffold_count);
    }
    for (size_t i = 0; !status && i < evaluation->ranking_count; i++) {
        const struct ranking *ranking = &evaluation->rankings[i];
        double area = 0;
        evaluation_place_scaffolds(evaluation, ranking, places);
        status = evaluation_scaffold_area(evaluation, ranking, &area, error);
        print_padded(output, ranking->label, false);
        for (size_t k = 0; k < BERTH_EARLY_SHARES; k++) {
            const size_t early = berth_early_count(k, evaluation->count);
            berth_output_print(output, "%5zu",
                               evaluation_early_scaffolds(evaluation, places, early));
        }
        berth_output_print(output, "  %.3f\n", area);
    }
    free(places);
    return status;
}

static enum berth_status print_actives(struct berth_output *output,
                                       const struct berth_evaluation *evaluation,
                                       struct berth_error *error)
{
    const struct ranking *ranking = &evaluation->rankings[0];
    size_t *actives = evaluation_actives(evaluation, ranking);
    if (!actives) {
        return berth_out_of_memory(error, NULL);
    }
    berth_output_print(output, "\nactives by rank of %zu (", evaluation->count);
    berth_output_text(output, ranking->label);
    berth_output_print(output, "): ");
    for (size_t i = 0; i < evaluation->active_count && i < SHOWN; i++) {
        berth_output_print(output, "%s", i ? ", " : "");
        berth_output_text(output, evaluation->ligands[actives[i]].name);
        berth_output_print(output, " %g", ranking->ranks[actives[i]]);
    }
    if (evaluation->active_count > SHOWN) {
        berth_output_print(output, " ... and %zu more", evaluation->active_count - SHOWN);
    }
    berth_output_print(output, "\n");
    free(actives);
    return BERTH_OK;
}

enum berth_status berth_evaluation_summarize(const struct berth_evaluation *evaluation,
                                             const char *path, struct berth_error *error)
{
    struct berth_output *output;
    enum berth_status status = berth_output_create(path, &output, error);
    if (status) {
        return status;
    }
    print_head(output, evaluation);
    print_measures(output, evaluation);
    size_t pair[2];
    for (size_t k = 0; evaluation_pair(evaluation, k, pair); k++) {
        print_pair(output, evaluation, pair);
    }
    if (evaluation->scaffold_count) {
        status = print_scaffolds(output, evaluation, error);
    }
    status = status ? status : print_actives(output, evaluation, error);
    if (status) {
        berth_output_discard(output);
        return status;
    }
    return berth_output_commit(output, error);
}
