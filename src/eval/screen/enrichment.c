#include "eval/screen/enrichment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"
#include "eval/statistics.h"

/* --- Steps of a ranking --- */

/* A ranking is cut into steps, which are all that its measures depend on: runs of actives alone,
 * runs of decoys alone, and ligands of equal score where there are both.  Resampled, a ranking has
 * the same steps with other counts. */
struct step {
    double actives, decoys; /* counts, or sums of weights */
};

struct ranking_steps {
    struct step *steps; /* owned; [count], best first */
    uint32_t *of;       /* owned; [ligands]: which step is whose */
    size_t count;
};

const int BERTH_EARLY_PERMILLE[BERTH_EARLY_SHARES] = {5, 10, 20, 50, 100};

size_t berth_early_count(size_t share, size_t count)
{
    return (count * (size_t)BERTH_EARLY_PERMILLE[share] + 999) / 1000;
}

void berth_enrichment_coarse(size_t actives, size_t ligands, char text[BERTH_COARSE_TEXT])
{
    *text = '\0';
    for (size_t i = 0; i < BERTH_EARLY_SHARES; i++) {
        const size_t first = berth_early_count(i, ligands);
        if (first < BERTH_FEW && actives) {
            berth_text_append(text, BERTH_COARSE_TEXT, "%s%s (first %zu; one active is %.1f)",
                              *text ? ", " : "", BERTH_MEASURE[BERTH_EF_05 + i].title, first,
                              (double)ligands / (double)(first * actives));
        }
    }
}

/* --- Cutting --- */

struct place {
    double score;
    uint32_t ligand;
    bool active;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *one = a, *other = b;
    return one->score != other->score ? (one->score < other->score ? -1 : 1)
                                      : (one->ligand < other->ligand ? -1 : 1);
}

/* Whether the ligands of equal score places[0 .. count) go on with a step of one kind alone. */
static bool goes_on(const struct step *step, size_t actives, size_t count)
{
    return (actives == 0 && step->actives == 0) || (actives == count && step->decoys == 0);
}

static void cut_into_steps(const struct place *places, const double *weights, size_t ligands,
                           struct ranking_steps *steps)
{
    for (size_t begin = 0, end; begin < ligands; begin = end) {
        size_t actives = 0;
        for (end = begin; end < ligands && places[end].score == places[begin].score; end++) {
            actives += places[end].active;
        }
        if (!steps->count || !goes_on(&steps->steps[steps->count - 1], actives, end - begin)) {
            steps->steps[steps->count++] = (struct step){0, 0};
        }
        struct step *step = &steps->steps[steps->count - 1];
        for (size_t i = begin; i < end; i++) {
            const uint32_t ligand = places[i].ligand;
            steps->of[ligand] = (uint32_t)(steps->count - 1);
            step->actives += !places[i].active ? 0 : weights ? weights[ligand] : 1;
            step->decoys += !places[i].active;
        }
    }
}

/* Cuts the ranking; weights: NULL, or what each active counts for.  The caller clears *steps.
 * Errors: BERTH_E_USAGE (no active or no decoy), BERTH_E_MEMORY. */
static enum berth_status cut_ranking(const bool *active, const double *weights,
                                     const double *scores, size_t ligands,
                                     struct ranking_steps *steps, struct berth_error *error)
{
    struct place *places;
    size_t actives = 0;
    *steps = (struct ranking_steps){.count = 0};
    BERTH_TRY(berth_make(&steps->steps, ligands, sizeof *steps->steps, NULL, error));
    BERTH_TRY(berth_make(&steps->of, ligands, sizeof *steps->of, NULL, error));
    BERTH_TRY(berth_make(&places, ligands, sizeof *places, NULL, error));
    for (size_t i = 0; i < ligands; i++) {
        places[i] = (struct place){scores[i], (uint32_t)i, active[i]};
        actives += active[i];
    }
    qsort(places, ligands, sizeof *places, compare_places);
    cut_into_steps(places, weights, ligands, steps);
    free(places);
    return actives && actives < ligands
               ? BERTH_OK
               : berth_fail(error, BERTH_E_USAGE,
                            "of %zu ligands %zu are active: nothing to tell apart", ligands,
                            actives);
}

static void clear_steps(struct ranking_steps *steps)
{
    free(steps->steps);
    free(steps->of);
    memset(steps, 0, sizeof *steps);
}

/* --- Measures --- */

static struct step sum_of(const struct step *steps, size_t count)
{
    struct step sum = {0, 0};
    for (size_t i = 0; i < count; i++) {
        sum.actives += steps[i].actives;
        sum.decoys += steps[i].decoys;
    }
    return sum;
}

static double roc_area(const struct step *steps, size_t count)
{
    const struct step all = sum_of(steps, count);
    double behind = all.decoys, area = 0;
    for (size_t i = 0; i < count; i++) {
        behind -= steps[i].decoys;
        area += steps[i].actives * (behind + 0.5 * steps[i].decoys);
    }
    return area / (all.actives * all.decoys);
}

/* The actives among the first ligands, in units of what chance would find there. */
static double enrichment(const struct step *steps, size_t count, size_t first)
{
    const struct step all = sum_of(steps, count);
    double left = (double)first, found = 0;
    for (size_t i = 0; i < count && left > 0; i++) {
        const double size = steps[i].actives + steps[i].decoys;
        found += size <= left ? steps[i].actives : steps[i].actives * left / size;
        left -= size;
    }
    return found * (all.actives + all.decoys) / (all.actives * (double)first);
}

/* Truchon and Bayly, J. Chem. Inf. Model. 47 (2007) 488: the mean over actives of
 * exp(-alpha rank / ligands), scaled to 0 for the worst ranking and 1 for the best one. */
static double bedroc(const struct step *steps, size_t count, double alpha)
{
    const struct step all = sum_of(steps, count);
    const double ligands = all.actives + all.decoys, ratio = all.actives / ligands;
    const double each = alpha / ligands;
    double sum = 0, before = 0;
    for (size_t i = 0; i < count; i++) {
        const double size = steps[i].actives + steps[i].decoys;
        if (steps[i].actives > 0) { /* a geometric series over the ranks of the step */
            sum += steps[i].actives / size * exp(-each * (before + 1)) * expm1(-each * size) /
                   expm1(-each);
        }
        before += size;
    }
    /* each over what chance gives on the average */
    const double chance = expm1(-alpha) / expm1(each) / -ligands;
    const double found = sum / all.actives / chance;
    const double most = expm1(-alpha * ratio) / (ratio * expm1(-alpha));
    const double least = expm1(alpha * ratio) / (ratio * expm1(alpha));
    return (found - least) / (most - least);
}

/* Mysinger and Shoichet, J. Chem. Inf. Model. 50 (2010) 1561: under the curve over log10 of the
 * share of decoys, from LEAST on. */
static double log_area(const struct step *steps, size_t count)
{
    static const double LEAST = 0.001;
    const struct step all = sum_of(steps, count);
    double actives = 0, decoys = 0, area = 0;
    for (size_t i = 0; i < count; i++) {
        const double y1 = actives / all.actives, end = (decoys + steps[i].decoys) / all.decoys;
        const double slope = steps[i].decoys > 0
                                 ? steps[i].actives * all.decoys / (steps[i].decoys * all.actives)
                                 : 0;
        const double x1 = decoys / all.decoys, begin = fmax(x1, LEAST);
        if (end > begin) {
            area += slope * (end - begin) + (y1 - slope * x1) * log(end / begin);
        }
        actives += steps[i].actives;
        decoys += steps[i].decoys;
    }
    return area / -log(LEAST);
}

/* All measures; counts are whole numbers. */
static void measure_steps(const struct step *steps, size_t count, double measures[BERTH_MEASURES])
{
    const struct step all = sum_of(steps, count);
    const size_t ligands = (size_t)(all.actives + all.decoys);
    measures[BERTH_ROC_AREA] = roc_area(steps, count);
    for (size_t i = 0; i < BERTH_EARLY_SHARES; i++) {
        measures[BERTH_EF_05 + i] = enrichment(steps, count, berth_early_count(i, ligands));
    }
    measures[BERTH_BEDROC_20] = bedroc(steps, count, 20);
    measures[BERTH_BEDROC_80] = bedroc(steps, count, 80.5);
    measures[BERTH_LOG_AREA] = log_area(steps, count);
}

const struct berth_measure_text BERTH_MEASURE[BERTH_MEASURES] = {
    [BERTH_ROC_AREA] = {"roc_area", "ROC area"},
    [BERTH_EF_05] = {"ef_0.5", "EF0.5 %"},
    [BERTH_EF_1] = {"ef_1", "EF1 %"},
    [BERTH_EF_2] = {"ef_2", "EF2 %"},
    [BERTH_EF_5] = {"ef_5", "EF5 %"},
    [BERTH_EF_10] = {"ef_10", "EF10 %"},
    [BERTH_BEDROC_20] = {"bedroc_20", "BEDROC 20"},
    [BERTH_BEDROC_80] = {"bedroc_80.5", "BEDROC 80.5"},
    [BERTH_LOG_AREA] = {"log_area", "log area"}};

/* --- One ranking --- */

static int decimals_of(enum berth_measure measure)
{
    return measure >= BERTH_EF_05 && measure <= BERTH_EF_10 ? 1 : 3;
}

void berth_estimate_print(const struct berth_estimate *estimate, enum berth_measure measure,
                          bool difference, char text[BERTH_ESTIMATE_TEXT])
{
    const int decimals = decimals_of(measure);
    char low[32], high[32];
    snprintf(low, sizeof low, "%.*f", decimals, estimate->low);
    snprintf(high, sizeof high, "%.*f", decimals, estimate->high);
    if (strcmp(low, high) == 0) {
        snprintf(text, BERTH_ESTIMATE_TEXT,
                 difference ? "%+.*f (no interval)" : "%.*f (no interval)", decimals,
                 estimate->value);
        return;
    }
    snprintf(text, BERTH_ESTIMATE_TEXT,
             difference ? "%+.*f (%+.*f to %+.*f)" : "%.*f (%.*f to %.*f)", decimals,
             estimate->value, decimals, estimate->low, decimals, estimate->high);
}

enum berth_status berth_roc_curve(const bool *active, const double *scores, size_t ligands,
                                  struct berth_roc_point **points, size_t *count,
                                  struct berth_error *error)
{
    struct ranking_steps steps;
    *points = NULL;
    *count = 0;
    enum berth_status status = cut_ranking(active, NULL, scores, ligands, &steps, error);
    BERTH_THEN(berth_make(points, steps.count + 1, sizeof **points, NULL, error));
    if (!status) {
        struct step sum = {0, 0};
        *count = steps.count + 1;
        for (size_t i = 0; i < steps.count; i++) {
            sum.actives += steps.steps[i].actives;
            sum.decoys += steps.steps[i].decoys;
            (*points)[i + 1] = (struct berth_roc_point){sum.decoys, sum.actives};
        }
        for (size_t i = 0; i < *count; i++) {
            (*points)[i].decoys /= sum.decoys;
            (*points)[i].actives /= sum.actives;
        }
    }
    clear_steps(&steps);
    return status;
}

enum berth_status berth_weighted_roc_area(const double *weights, const double *scores,
                                          size_t ligands, double *area, struct berth_error *error)
{
    struct ranking_steps steps;
    bool *active;
    BERTH_TRY(berth_make(&active, ligands, sizeof *active, NULL, error));
    for (size_t i = 0; i < ligands; i++) {
        active[i] = weights[i] > 0;
    }
    const enum berth_status status = cut_ranking(active, weights, scores, ligands, &steps, error);
    if (!status) {
        *area = roc_area(steps.steps, steps.count);
    }
    clear_steps(&steps);
    free(active);
    return status;
}

static void order_by_size(const double *sizes, size_t ligands, bool smallest, double *scores)
{
    for (size_t i = 0; i < ligands; i++) {
        scores[i] = isnan(sizes[i]) ? INFINITY : smallest ? sizes[i] : -sizes[i];
    }
}

enum berth_status berth_rank_by_size(const bool *active, const double *sizes, size_t ligands,
                                     double *scores, bool *smallest, struct berth_error *error)
{
    double areas[2], *tried;
    BERTH_TRY(berth_make(&tried, ligands, sizeof *tried, NULL, error));
    enum berth_status status = BERTH_OK;
    for (int small = 0; !status && small < 2; small++) {
        struct ranking_steps steps;
        order_by_size(sizes, ligands, small, tried);
        status = cut_ranking(active, NULL, tried, ligands, &steps, error);
        areas[small] = status ? 0 : roc_area(steps.steps, steps.count);
        clear_steps(&steps);
    }
    if (!status) {
        *smallest = areas[1] > areas[0];
        order_by_size(sizes, ligands, *smallest, scores);
    }
    free(tried);
    return status;
}

enum berth_status berth_ranks(const double *scores, size_t count, double *ranks,
                              struct berth_error *error)
{
    struct place *order;
    BERTH_TRY(berth_make(&order, count, sizeof *order, NULL, error));
    for (size_t i = 0; i < count; i++) {
        order[i] = (struct place){scores[i], (uint32_t)i, false};
    }
    qsort(order, count, sizeof *order, compare_places);
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin; end < count && order[end].score == order[begin].score; end++) {
        }
        for (size_t i = begin; i < end; i++) {
            ranks[order[i].ligand] = 0.5 * (double)(begin + 1 + end);
        }
    }
    free(order);
    return BERTH_OK;
}

/* --- Several, resampled --- */

struct berth_enrichment {
    size_t count, resamples;
    double (*measures)[BERTH_MEASURES]; /* owned; [count] */
    double (*draws)[BERTH_MEASURES];    /* owned; [resamples][count] */
};

/* What is drawn from: where the ligands of one kind stand in each ranking. */
struct stratum {
    size_t count;
    uint32_t *of; /* owned; [count][rankings]: steps */
};

/* A resampling on its way. */
struct resampling {
    size_t rankings;
    struct ranking_steps *steps; /* owned; [rankings]: counts are those of the resample */
    struct stratum actives, decoys;
    uint64_t random;
};

static enum berth_status open_resampling(const struct berth_rankings *rankings, uint64_t seed,
                                         struct resampling *resampling, struct berth_error *error)
{
    const size_t k = rankings->count;
    struct stratum *const strata[] = {&resampling->decoys, &resampling->actives};
    *resampling = (struct resampling){
        .rankings = k, .steps = berth_alloc(k, sizeof *resampling->steps), .random = seed};
    for (size_t i = 0; i < rankings->ligands; i++) {
        strata[rankings->active[i]]->count++;
    }
    for (int i = 0; i < 2; i++) {
        strata[i]->of = berth_alloc(strata[i]->count, k * sizeof *strata[i]->of);
        strata[i]->count = 0;
    }
    if (!resampling->steps || !strata[0]->of || !strata[1]->of) {
        return berth_out_of_memory(error, NULL);
    }
    for (size_t j = 0; j < k; j++) {
        BERTH_TRY(cut_ranking(rankings->active, NULL, rankings->scores[j], rankings->ligands,
                              &resampling->steps[j], error));
    }
    for (size_t i = 0; i < rankings->ligands; i++) {
        struct stratum *stratum = strata[rankings->active[i]];
        uint32_t *of = stratum->of + k * stratum->count++;
        for (size_t j = 0; j < k; j++) {
            of[j] = resampling->steps[j].of[i];
        }
    }
    return BERTH_OK;
}

/* The same ligands into every ranking, so that differences are paired. */
static void resample(struct resampling *resampling)
{
    const size_t k = resampling->rankings;
    for (size_t j = 0; j < k; j++) {
        struct ranking_steps *steps = &resampling->steps[j];
        memset(steps->steps, 0, steps->count * sizeof *steps->steps);
    }
    for (int kind = 0; kind < 2; kind++) {
        const struct stratum *stratum = kind ? &resampling->actives : &resampling->decoys;
        for (size_t i = 0; i < stratum->count; i++) {
            const double place = berth_random_uniform(&resampling->random) * (double)stratum->count;
            const uint32_t *of = stratum->of + k * (size_t)place;
            for (size_t j = 0; j < k; j++) {
                struct step *step = &resampling->steps[j].steps[of[j]];
                *(kind ? &step->actives : &step->decoys) += 1;
            }
        }
    }
}

static void measure_rankings(const struct resampling *resampling,
                             double (*measures)[BERTH_MEASURES])
{
    for (size_t j = 0; j < resampling->rankings; j++) {
        measure_steps(resampling->steps[j].steps, resampling->steps[j].count, measures[j]);
    }
}

enum berth_status berth_enrichment_create(const struct berth_rankings *rankings, size_t resamples,
                                          uint64_t seed, struct berth_enrichment **enrichment,
                                          struct berth_error *error)
{
    struct resampling resampling;
    const size_t count = rankings->count;
    BERTH_TRY(berth_make(enrichment, 1, sizeof **enrichment, NULL, error));
    struct berth_enrichment *made = *enrichment;
    made->count = count;
    made->resamples = resamples;
    BERTH_TRY(berth_make(&made->measures, count, sizeof *made->measures, NULL, error));
    BERTH_TRY(berth_make(&made->draws, resamples, count * sizeof *made->draws, NULL, error));
    const enum berth_status status = open_resampling(rankings, seed, &resampling, error);
    if (!status) {
        measure_rankings(&resampling, made->measures);
    }
    for (size_t i = 0; !status && i < resamples; i++) {
        resample(&resampling);
        measure_rankings(&resampling, made->draws + i * count);
    }
    for (size_t j = 0; resampling.steps && j < resampling.rankings; j++) {
        clear_steps(&resampling.steps[j]);
    }
    free(resampling.steps);
    free(resampling.actives.of);
    free(resampling.decoys.of);
    return status;
}

static double deviation(const double *values, size_t count)
{
    double mean = 0, sum = 0;
    for (size_t i = 0; i < count; i++) {
        mean += values[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        sum += (values[i] - mean) * (values[i] - mean);
    }
    return sqrt(sum / (double)(count - 1));
}

static double least_p(const struct berth_enrichment *enrichment)
{
    return 1 / (double)(enrichment->resamples + 1);
}

struct berth_difference berth_enrichment_of(const struct berth_enrichment *enrichment,
                                            size_t ranking, size_t other,
                                            enum berth_measure measure)
{
    const size_t resamples = enrichment->resamples;
    const bool paired = other != BERTH_NO_RANKING;
    const double value = enrichment->measures[ranking][measure] -
                         (paired ? enrichment->measures[other][measure] : 0);
    struct berth_difference result = {{value, NAN, NAN}, NAN};
    double *values = berth_alloc(resamples, sizeof *values);
    if (values) {
        for (size_t i = 0; i < resamples; i++) {
            double(*draw)[BERTH_MEASURES] = enrichment->draws + i * enrichment->count;
            values[i] = draw[ranking][measure] - (paired ? draw[other][measure] : 0);
        }
        const double unit = deviation(values, resamples);
        result.p = fmax(value == 0 ? 1 : erfc(fabs(value) / unit / sqrt(2)), least_p(enrichment));
        qsort(values, resamples, sizeof *values, berth_compare_numbers);
        result.estimate.low = berth_percentile(values, resamples, 0.025);
        result.estimate.high = berth_percentile(values, resamples, 0.975);
    }
    free(values);
    return result;
}

const enum berth_measure BERTH_TESTED[] = {BERTH_ROC_AREA, BERTH_BEDROC_20, BERTH_EF_1};

enum berth_in_place berth_enrichment_standing(const struct berth_enrichment *enrichment,
                                              size_t ranking, size_t other,
                                              char worse[BERTH_WORSE_TEXT])
{
    static const double UNLIKELY = 0.05;
    bool better = false;
    *worse = '\0';
    for (size_t i = 0; i < BERTH_TESTED_MEASURES; i++) {
        const struct berth_difference difference =
            berth_enrichment_of(enrichment, ranking, other, BERTH_TESTED[i]);
        const double value = difference.estimate.value;
        char p[BERTH_P_TEXT];
        const bool unlikely =
            difference.p < UNLIKELY && difference.estimate.low * difference.estimate.high > 0;
        better = better || (unlikely && value > 0);
        if (unlikely && value < 0 && !*worse) {
            berth_p_print(enrichment, difference.p, p);
            snprintf(worse, BERTH_WORSE_TEXT, "%s %+.*f, %s", BERTH_MEASURE[BERTH_TESTED[i]].title,
                     decimals_of(BERTH_TESTED[i]), value, p);
        }
    }
    return better ? (*worse ? BERTH_STANDING_MIXED : BERTH_STANDING_BETTER)
                  : (*worse ? BERTH_STANDING_WORSE : BERTH_STANDING_NEITHER);
}

void berth_p_print(const struct berth_enrichment *enrichment, double p, char text[BERTH_P_TEXT])
{
    snprintf(text, BERTH_P_TEXT, p > least_p(enrichment) ? "p %.2g" : "p < %.1g", p);
}

void berth_enrichment_destroy(struct berth_enrichment *enrichment)
{
    if (enrichment) {
        free(enrichment->measures);
        free(enrichment->draws);
        free(enrichment);
    }
}
