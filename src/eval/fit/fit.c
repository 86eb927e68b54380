/* Fitting, and what the fitted ranking is worth: nested cross-validation (S. Varma, R. Simon, BMC
 * Bioinformatics 7 (2006) 91).  Folds outside say what the fit gives for units that it has not
 * seen; folds inside each of them choose the penalty. */
#include "eval/fit/fit.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "eval/fit/fit_internal.h"
#include "eval/screen/evaluation.h"
#include "eval/statistics.h"
#include "format/output.h"

/* Penalties to choose from, the strongest first: on weights of terms whose deviation is 1. */
static const double PENALTIES[] = {10, 1, 0.1, 0.01, 0.001};

/* A fit on its way. */
struct fitting {
    struct fit_part *part;
    struct berth_examples examples; /* owned */
    size_t *folds, *inner;          /* owned: [units]; SIZE_MAX: not taken */
    uint64_t seed;                  /* of the deal */
};

/* --- Examples --- */

static size_t right_ones(const struct fit_part *part, size_t begin, size_t end)
{
    size_t right = 0;
    for (size_t i = begin; i < end; i++) {
        right += part->rows[i].positive;
    }
    return right;
}

/* Adds an example: row i is to come before row `other` (SIZE_MAX: early). */
static void add_example(struct fitting *fitting, size_t i, size_t other, double weight)
{
    const struct fit_part *part = fitting->part;
    struct berth_example *example = &fitting->examples.items[fitting->examples.count++];
    for (size_t k = 0; k < part->term_count; k++) {
        const double *x = part->terms[k].x;
        example->x[k] = (other == SIZE_MAX ? 0 : x[other]) - x[i];
    }
    example->weight = weight;
    example->unit = part->rows[i].unit;
    example->positive = part->rows[i].positive;
}

/* Of ligands each row is one; of poses each pair of a right and a wrong one of a list.  A list
 * counts once. */
static enum berth_status make_examples(struct fitting *fitting, struct berth_error *error)
{
    const struct fit_part *part = fitting->part;
    size_t pairs = 0;
    for (size_t begin = 0, end; begin < part->count; begin = end) {
        end = fit_list_end(part, begin);
        const size_t right = right_ones(part, begin, end);
        pairs += right * (end - begin - right);
    }
    fitting->examples =
        (struct berth_examples){.terms = part->term_count, .intercept = part->ligands};
    BERTH_TRY(berth_make(&fitting->examples.items, part->ligands ? part->count : pairs,
                         sizeof *fitting->examples.items, NULL, error));
    for (size_t begin = 0, end; begin < part->count; begin = end) {
        end = fit_list_end(part, begin);
        const size_t right = right_ones(part, begin, end), size = end - begin;
        for (size_t i = begin; part->ligands && i < end; i++) {
            add_example(fitting, i, SIZE_MAX, 1 / (double)size);
        }
        for (size_t i = begin; !part->ligands && i < end; i++) {
            for (size_t k = begin; part->rows[i].positive && k < end; k++) {
                if (!part->rows[k].positive) {
                    add_example(fitting, i, k, 1 / (double)(right * (size - right)));
                }
            }
        }
    }
    return BERTH_OK;
}

/* --- Cross-validation --- */

/* Deals units out to folds in an order of chance, actives and others each by themselves; those of
 * a fold that is left out (SIZE_MAX: none is) get none. */
static enum berth_status deal(const struct fitting *fitting, size_t left_out, size_t count,
                              size_t *folds, struct berth_error *error)
{
    const struct fit_part *part = fitting->part;
    uint64_t random = fitting->seed + left_out;
    size_t *order, dealt[2] = {0, 0};
    BERTH_TRY(berth_make(&order, part->unit_count, sizeof *order, NULL, error));
    for (size_t i = 0; i < part->unit_count; i++) {
        const size_t place = (size_t)(berth_random_uniform(&random) * (double)(i + 1));
        order[i] = order[place];
        order[place] = i;
    }
    for (size_t i = 0; i < part->unit_count; i++) {
        const size_t unit = order[i];
        folds[unit] = left_out != SIZE_MAX && fitting->folds[unit] == left_out
                          ? SIZE_MAX
                          : dealt[part->active[unit]]++ % count;
    }
    free(order);
    return BERTH_OK;
}

/* Fits to all units but those of a fold (SIZE_MAX: to all), by the penalty that loses least on
 * units which were left out of that.  weights: [terms + 1]. */
static enum berth_status fit_without(struct fitting *fitting, size_t left_out, double *weights,
                                     struct berth_error *error)
{
    enum { COUNT = sizeof PENALTIES / sizeof *PENALTIES };
    double losses[COUNT] = {0};
    size_t best = 0;
    BERTH_TRY(deal(fitting, left_out, FIT_INNER_FOLDS, fitting->inner, error));
    for (size_t k = 0; k < COUNT; k++) {
        for (size_t fold = 0; fold < FIT_INNER_FOLDS; fold++) {
            const struct berth_fold rest = {fitting->inner, fold, true};
            const struct berth_fold itself = {fitting->inner, fold, false};
            berth_logistic_fit(&fitting->examples, &rest, PENALTIES[k], weights);
            losses[k] += berth_logistic_loss(&fitting->examples, &itself, weights);
        }
        best = losses[k] < losses[best] ? k : best;
    }
    const struct berth_fold all = {fitting->inner, FIT_INNER_FOLDS, true};
    fitting->part->penalty = PENALTIES[best];
    berth_logistic_fit(&fitting->examples, &all, PENALTIES[best], weights);
    double sum = 0;
    for (size_t k = 0; k < fitting->part->term_count; k++) {
        sum += weights[k];
    }
    for (size_t k = 0; sum > 0 && k < fitting->part->term_count; k++) {
        weights[k] /= sum; /* so that the values of different folds are alike */
    }
    return BERTH_OK;
}

/* Values each row by the fit to other folds, and finds the weights of the fit to all. */
static enum berth_status cross_validate(struct fitting *fitting, struct berth_error *error)
{
    struct fit_part *part = fitting->part;
    double weights[BERTH_FIT_TERMS_MAX + 1];
    memset(part->values[FIT_FITTED], 0, part->count * sizeof(double));
    BERTH_TRY(deal(fitting, SIZE_MAX, FIT_FOLDS, fitting->folds, error));
    for (size_t fold = 0; fold < FIT_FOLDS; fold++) {
        BERTH_TRY(fit_without(fitting, fold, weights, error));
        for (size_t k = 0; k < part->term_count; k++) {
            double *share = part->terms[k].share;
            share[1] = fold ? fmin(share[1], weights[k]) : weights[k];
            share[2] = fold ? fmax(share[2], weights[k]) : weights[k];
            for (size_t i = 0; i < part->count; i++) {
                part->values[FIT_FITTED][i] += fitting->folds[part->rows[i].unit] == fold
                                                   ? weights[k] * part->terms[k].x[i]
                                                   : 0;
            }
        }
    }
    BERTH_TRY(fit_without(fitting, SIZE_MAX, weights, error));
    for (size_t k = 0; k < part->term_count; k++) {
        part->terms[k].share[0] = weights[k];
        part->terms[k].weight = weights[k] / part->terms[k].scale;
    }
    return BERTH_OK;
}

/* --- Measures --- */

/* Whether the ranking by heavy atoms is among those measured: the first deal of folds has all. */
static bool measures_size(const struct fit_part *part)
{
    return part->size && part->size < part->rankings;
}

/* Turns the ranking by heavy atoms, of scores[rankings][lists], round where the fewest first find
 * more. */
static enum berth_status rank_by_size(struct fit_part *part, const bool *active, double *scores,
                                      struct berth_error *error)
{
    double *const sizes = scores + part->size * part->list_count;
    bool fewest = false;
    if (measures_size(part)) {
        for (size_t i = 0; i < part->list_count; i++) {
            sizes[i] = isinf(sizes[i]) ? NAN : -sizes[i];
        }
        BERTH_TRY(berth_rank_by_size(active, sizes, part->list_count, sizes, &fewest, error));
        part->labels[part->size] = fewest ? "fewest heavy atoms" : "heavy atoms";
    }
    return BERTH_OK;
}

/* A ligand counts by its best row. */
static enum berth_status measure_ligands(struct fit_part *part, uint64_t seed,
                                         struct berth_error *error)
{
    static const enum berth_measure MEASURES[FIT_MEASURES] = {BERTH_BEDROC_20, BERTH_ROC_AREA,
                                                              BERTH_EF_1, BERTH_EF_5};
    const size_t lists = part->list_count;
    double *scores = NULL;
    bool *active = NULL;
    struct berth_enrichment *enrichment = NULL;
    enum berth_status status =
        berth_make(&scores, lists * part->rankings, sizeof *scores, NULL, error);
    BERTH_THEN(berth_make(&active, lists, sizeof *active, NULL, error));
    for (size_t i = 0; !status && i < part->count; i++) {
        const size_t list = part->rows[i].list;
        const bool first = !i || part->rows[i - 1].list != list;
        active[list] = part->rows[i].positive;
        for (size_t k = 0; k < part->rankings; k++) {
            double *score = &scores[k * lists + list];
            *score = first ? part->values[k][i] : fmin(*score, part->values[k][i]);
        }
    }
    BERTH_THEN(rank_by_size(part, active, scores, error));
    const double *by[FIT_RANKINGS];
    for (size_t k = 0; k < part->rankings; k++) {
        by[k] = scores + k * lists;
    }
    const struct berth_rankings all = {active, lists, by, part->rankings};
    BERTH_THEN(berth_enrichment_create(&all, part->resamples, seed, &enrichment, error));
    for (size_t m = 0; !status && m < FIT_MEASURES; m++) {
        struct fit_measure *measure = &part->measures[part->measure_count++];
        *measure = (struct fit_measure){.name = BERTH_MEASURE[MEASURES[m]].name,
                                        .title = BERTH_MEASURE[MEASURES[m]].title,
                                        .decimals = m < 2 ? 3 : 1};
        for (size_t k = 0; k < part->rankings; k++) {
            measure->values[k] =
                berth_enrichment_of(enrichment, k, BERTH_NO_RANKING, MEASURES[m]).estimate;
            measure->gains[k] =
                berth_enrichment_of(enrichment, FIT_FITTED, k, MEASURES[m]).estimate;
        }
    }
    if (!status && measures_size(part)) {
        part->standing = berth_enrichment_standing(enrichment, FIT_FITTED, part->size, part->worse);
    }
    berth_enrichment_destroy(enrichment);
    free(scores);
    free(active);
    return status;
}

/* Adds percent of a complex's lists in which a right pose is among the first so many, by each
 * ranking; of poses that are equal the first in the file comes first. */
static void add_success(const struct fit_part *part, size_t begin, size_t end, size_t among,
                        double *successes[FIT_RANKINGS])
{
    const size_t unit = part->rows[begin].unit;
    for (size_t k = 0; k < part->rankings; k++) {
        bool right = false;
        for (size_t i = begin; i < end; i++) {
            size_t before = 0;
            for (size_t j = begin; part->rows[i].positive && j < end; j++) {
                const double one = part->values[k][j], other = part->values[k][i];
                before += one < other || (one == other && j < i);
            }
            right = right || (part->rows[i].positive && before < among);
        }
        successes[k][unit] += right ? 100 : 0;
    }
}

static enum berth_status measure_choice(struct fit_part *part, size_t among, double *room,
                                        uint64_t seed, struct berth_error *error)
{
    const size_t units = part->unit_count;
    struct fit_measure *measure = &part->measures[part->measure_count++];
    double *lists = room, *gains = room + units, *successes[FIT_RANKINGS];
    memset(room, 0, (2 + part->rankings) * units * sizeof *room);
    for (size_t k = 0; k < part->rankings; k++) {
        successes[k] = room + (2 + k) * units;
    }
    for (size_t begin = 0, end; begin < part->count; begin = end) {
        end = fit_list_end(part, begin);
        add_success(part, begin, end, among, successes);
        lists[part->rows[begin].unit]++;
    }
    *measure = (struct fit_measure){.name = among > 1 ? "right_of_five" : "right_first",
                                    .title = among > 1 ? "of five, %" : "first, %",
                                    .decimals = 1};
    for (size_t k = 0; k < part->rankings; k++) {
        for (size_t i = 0; i < units; i++) {
            successes[k][i] /= lists[i];
            gains[i] = successes[FIT_FITTED][i] - successes[k][i];
        }
        BERTH_TRY(
            berth_mean_of(successes[k], units, part->resamples, seed, &measure->values[k], error));
        BERTH_TRY(berth_mean_of(gains, units, part->resamples, seed, &measure->gains[k], error));
    }
    return BERTH_OK;
}

static enum berth_status measure_poses(struct fit_part *part, uint64_t seed,
                                       struct berth_error *error)
{
    double *room;
    BERTH_TRY(
        berth_make(&room, (2 + part->rankings) * part->unit_count, sizeof *room, NULL, error));
    enum berth_status status = measure_choice(part, 1, room, seed, error);
    BERTH_THEN(measure_choice(part, 5, room, seed, error));
    free(room);
    return status;
}

/* --- All of it --- */

/* Counts what is known, and sees that it is enough to begin with. */
static enum berth_status count_known(struct fit_part *part, struct berth_error *error)
{
    const size_t wanted = part->term_count * BERTH_FIT_WANTED;
    bool *teaches;
    BERTH_TRY(berth_make(&teaches, part->unit_count, sizeof *teaches, NULL, error));
    for (size_t begin = 0, end; begin < part->count; begin = end) {
        end = fit_list_end(part, begin);
        const size_t right = right_ones(part, begin, end);
        part->known[right > 0] += part->ligands;
        teaches[part->rows[begin].unit] |= !part->ligands && right && right < end - begin;
    }
    for (size_t i = 0; !part->ligands && i < part->unit_count; i++) {
        part->known[0]++;
        part->known[1] += teaches[i];
    }
    free(teaches);
    if (part->known[0] >= BERTH_FIT_LEAST && part->known[1] >= BERTH_FIT_LEAST) {
        return BERTH_OK;
    }
    return part->ligands
               ? berth_fail(error, BERTH_E_USAGE,
                            "%s: %zu actives and %zu decoys are too few to fit to; it takes %d of "
                            "each at least, and for %zu weights better %zu actives",
                            part->source, part->known[1], part->known[0], BERTH_FIT_LEAST,
                            part->term_count, wanted)
               : berth_fail(error, BERTH_E_USAGE,
                            "%s: %zu of %zu complexes have right poses and wrong ones: too few to "
                            "fit to; it takes %d at least, and for %zu weights better %zu",
                            part->source, part->known[1], part->known[0], BERTH_FIT_LEAST,
                            part->term_count, wanted);
}

/* The sum of the terms by their weights, of which the first becomes 1. */
static enum berth_status write_expression(struct fit_part *part, struct berth_error *error)
{
    static const char WORD[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    struct berth_output *output;
    double first = 0;
    size_t size;
    for (size_t k = 0; k < part->term_count; k++) {
        first = first > 0 ? first : part->terms[k].weight;
        part->terms[k].weight /= first > 0 ? first : 1;
    }
    if (!(first > 0)) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_output_create_memory(&part->expression, &size, &output, error));
    for (size_t k = 0, written = 0; k < part->term_count; k++) {
        const struct fit_term *term = &part->terms[k];
        if (term->weight > 0) {
            const bool word = !term->text[strspn(term->text, WORD)];
            berth_output_print(output, "%s", written++ ? " + " : "");
            if (term->weight != 1) {
                berth_output_print(output, "%.4g*", term->weight);
            }
            berth_output_print(output, word ? "%s" : "(%s)", term->text);
        }
    }
    return berth_output_commit(output, error);
}

/* Fits and measures by one deal of the folds; of those behind the first one only what decides. */
static enum berth_status fit_deal(struct fitting *fitting, uint64_t seed, size_t deal,
                                  struct berth_error *error)
{
    struct fit_part *part = fitting->part;
    const size_t rankings = part->rankings;
    fitting->seed = seed + ((uint64_t)deal << 32);
    part->measure_count = 0;
    part->rankings = deal ? part->compared : rankings;
    enum berth_status status = cross_validate(fitting, error);
    BERTH_THEN(part->ligands ? measure_ligands(part, fitting->seed, error)
                             : measure_poses(part, fitting->seed, error));
    part->rankings = rankings;
    if (!status) {
        const struct fit_measure *first = &part->measures[0];
        part->best = part->compared > FIT_AGAINST &&
                             first->values[FIT_AGAINST].value >= first->values[FIT_SCORE].value
                         ? FIT_AGAINST
                         : FIT_SCORE;
        part->gaining += first->gains[part->best].low > 0;
    }
    return status;
}

enum berth_status fit_part_fit(const struct berth_fit_settings *settings, struct fit_part *part,
                               struct berth_error *error)
{
    struct fitting fitting = {.part = part};
    const size_t units = part->unit_count;
    part->resamples = settings->resamples ? settings->resamples : berth_resamples(part->list_count);
    BERTH_TRY(count_known(part, error));
    enum berth_status status = make_examples(&fitting, error);
    BERTH_THEN(berth_make(&fitting.folds, units, sizeof *fitting.folds, NULL, error));
    BERTH_THEN(berth_make(&fitting.inner, units, sizeof *fitting.inner, NULL, error));
    BERTH_THEN(berth_make(&part->values[FIT_FITTED], part->count, sizeof(double), NULL, error));
    for (size_t deal = FIT_DEALS; !status && deal-- > 0;) { /* the first, which is told of, last */
        status = fit_deal(&fitting, settings->seed, deal, error);
    }
    BERTH_THEN(write_expression(part, error));
    free(fitting.examples.items);
    free(fitting.folds);
    free(fitting.inner);
    part->shown = !status && part->expression && part->gaining == FIT_DEALS;
    return status;
}

enum berth_status berth_fit_run(const struct berth_fit_settings *settings,
                                const struct berth_log *log, bool *shown, struct berth_error *error)
{
    struct fit_part parts[2] = {0};
    const struct fit_part *fitted[2] = {NULL, NULL};
    const bool given[2] = {settings->redock != NULL, settings->results != NULL};
    enum berth_status status = berth_folder_probe(settings->out, FIT_FILE, FIT_FILES, error);
    if (!given[0] && !given[1]) {
        status = berth_fail_option(error, BERTH_E_USAGE, "redock",
                                   "redock: nothing to fit to: give complexes that were redocked, "
                                   "or the results of a screen and its actives");
    } else if (given[1] != (settings->actives != NULL)) {
        status = berth_fail_option(error, BERTH_E_USAGE, "actives",
                                   "actives: RESULTS and actives go together");
    }
    for (int ligands = 0; !status && ligands < 2; ligands++) {
        if (given[ligands]) {
            status = fit_read(settings, ligands, log, &parts[ligands], error);
            BERTH_THEN(fit_part_fit(settings, &parts[ligands], error));
            fitted[ligands] = &parts[ligands];
        }
    }
    BERTH_THEN(fit_write(settings, fitted, error));
    *shown = parts[0].shown || parts[1].shown;
    fit_part_clear(&parts[0]);
    fit_part_clear(&parts[1]);
    return status;
}
