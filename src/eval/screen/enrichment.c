#include "eval/screen/enrichment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "eval/screen/ranking_steps.h"

static const struct {
    const char *name, *title;
} MEASURES[BERTH_MEASURES] = {[BERTH_ROC_AREA] = {"roc_area", "ROC area"},
                              [BERTH_EF_05] = {"ef_0.5", "EF0.5 %"},
                              [BERTH_EF_1] = {"ef_1", "EF1 %"},
                              [BERTH_EF_2] = {"ef_2", "EF2 %"},
                              [BERTH_EF_5] = {"ef_5", "EF5 %"},
                              [BERTH_EF_10] = {"ef_10", "EF10 %"},
                              [BERTH_BEDROC_20] = {"bedroc_20", "BEDROC 20"},
                              [BERTH_BEDROC_80] = {"bedroc_80.5", "BEDROC 80.5"},
                              [BERTH_LOG_AREA] = {"log_area", "log area"}};

const char *berth_measure_name(enum berth_measure measure)
{
    return MEASURES[measure].name;
}

const char *berth_measure_title(enum berth_measure measure)
{
    return MEASURES[measure].title;
}

/* --- One ranking --- */

enum berth_status berth_enrichment_measure(const bool *active, const double *scores, size_t ligands,
                                           double measures[BERTH_MEASURES],
                                           struct berth_error *error)
{
    struct berth_ranking_steps steps;
    const enum berth_status status =
        berth_ranking_steps_create(active, NULL, scores, ligands, &steps, error);
    if (!status) {
        berth_steps_measure(steps.steps, steps.count, measures);
    }
    berth_ranking_steps_clear(&steps);
    return status;
}

enum berth_status berth_roc_curve(const bool *active, const double *scores, size_t ligands,
                                  struct berth_roc_point **points, size_t *count,
                                  struct berth_error *error)
{
    struct berth_ranking_steps steps;
    *points = NULL;
    *count = 0;
    enum berth_status status =
        berth_ranking_steps_create(active, NULL, scores, ligands, &steps, error);
    if (!status) {
        *points = berth_alloc(steps.count + 1, sizeof **points);
        status = *points ? BERTH_OK : berth_out_of_memory(error, NULL);
    }
    if (!status) {
        struct berth_step sum = {0, 0};
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
    berth_ranking_steps_clear(&steps);
    return status;
}

enum berth_status berth_weighted_roc_area(const double *weights, const double *scores,
                                          size_t ligands, double *area, struct berth_error *error)
{
    struct berth_ranking_steps steps = {0};
    bool *active = berth_alloc(ligands, sizeof *active);
    for (size_t i = 0; active && i < ligands; i++) {
        active[i] = weights[i] > 0;
    }
    const enum berth_status status =
        active ? berth_ranking_steps_create(active, weights, scores, ligands, &steps, error)
               : berth_out_of_memory(error, NULL);
    if (!status) {
        *area = berth_steps_roc_area(steps.steps, steps.count);
    }
    berth_ranking_steps_clear(&steps);
    free(active);
    return status;
}

struct scored {
    double score;
    size_t index;
};

static int by_score(const void *a, const void *b)
{
    const struct scored *one = a, *other = b;
    return (one->score > other->score) - (one->score < other->score);
}

enum berth_status berth_ranks(const double *scores, size_t count, double *ranks,
                              struct berth_error *error)
{
    struct scored *order = berth_alloc(count, sizeof *order);
    if (!order) {
        return berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; i < count; i++) {
        order[i] = (struct scored){scores[i], i};
    }
    qsort(order, count, sizeof *order, by_score);
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin; end < count && order[end].score == order[begin].score; end++) {
        }
        for (size_t i = begin; i < end; i++) {
            ranks[order[i].index] = 0.5 * (double)(begin + 1 + end);
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
    struct berth_ranking_steps *steps; /* owned; [rankings]: counts are those of the resample */
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
        const enum berth_status status =
            berth_ranking_steps_create(rankings->active, NULL, rankings->scores[j],
                                       rankings->ligands, &resampling->steps[j], error);
        if (status) {
            return status;
        }
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

static void close_resampling(struct resampling *resampling)
{
    for (size_t j = 0; resampling->steps && j < resampling->rankings; j++) {
        berth_ranking_steps_clear(&resampling->steps[j]);
    }
    free(resampling->steps);
    free(resampling->actives.of);
    free(resampling->decoys.of);
}

/* The same ligands into every ranking, so that differences are paired. */
static void resample(struct resampling *resampling)
{
    const size_t k = resampling->rankings;
    for (size_t j = 0; j < k; j++) {
        struct berth_ranking_steps *steps = &resampling->steps[j];
        memset(steps->steps, 0, steps->count * sizeof *steps->steps);
    }
    for (int kind = 0; kind < 2; kind++) {
        const struct stratum *stratum = kind ? &resampling->actives : &resampling->decoys;
        for (size_t i = 0; i < stratum->count; i++) {
            const double place = berth_random_uniform(&resampling->random) * (double)stratum->count;
            const uint32_t *of = stratum->of + k * (size_t)place;
            for (size_t j = 0; j < k; j++) {
                struct berth_step *step = &resampling->steps[j].steps[of[j]];
                *(kind ? &step->actives : &step->decoys) += 1;
            }
        }
    }
}

static void measure(const struct resampling *resampling, double (*measures)[BERTH_MEASURES])
{
    for (size_t j = 0; j < resampling->rankings; j++) {
        berth_steps_measure(resampling->steps[j].steps, resampling->steps[j].count, measures[j]);
    }
}

enum berth_status berth_enrichment_create(const struct berth_rankings *rankings, size_t resamples,
                                          uint64_t seed, struct berth_enrichment **enrichment,
                                          struct berth_error *error)
{
    struct resampling resampling;
    struct berth_enrichment *made = berth_alloc(1, sizeof *made);
    *enrichment = NULL;
    enum berth_status status = open_resampling(rankings, seed, &resampling, error);
    if (!status && made) {
        made->count = rankings->count;
        made->resamples = resamples;
        made->measures = berth_alloc(made->count, sizeof *made->measures);
        made->draws = berth_alloc(resamples, made->count * sizeof *made->draws);
    }
    if (!status && (!made || !made->measures || !made->draws)) {
        status = berth_out_of_memory(error, NULL);
    }
    if (!status) {
        measure(&resampling, made->measures);
    }
    for (size_t i = 0; !status && i < resamples; i++) {
        resample(&resampling);
        measure(&resampling, made->draws + i * made->count);
    }
    close_resampling(&resampling);
    if (status) {
        berth_enrichment_destroy(made);
        return status;
    }
    *enrichment = made;
    return BERTH_OK;
}

static int ascending(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* Of ascending values, interpolated. */
static double percentile(const double *values, size_t count, double share)
{
    const double place = share * (double)(count - 1);
    const size_t below = (size_t)place;
    const double next = below + 1 < count ? values[below + 1] : values[below];
    return values[below] + (place - (double)below) * (next - values[below]);
}

/* Sorts values.  Without memory for them there are no bounds. */
static struct berth_estimate estimate(double value, double *values, size_t count)
{
    if (!values) {
        return (struct berth_estimate){value, NAN, NAN};
    }
    qsort(values, count, sizeof *values, ascending);
    return (struct berth_estimate){value, percentile(values, count, 0.025),
                                   percentile(values, count, 0.975)};
}

struct berth_estimate berth_enrichment_of(const struct berth_enrichment *enrichment, size_t ranking,
                                          enum berth_measure measure)
{
    const size_t count = enrichment->resamples;
    double *values = berth_alloc(count, sizeof *values);
    for (size_t i = 0; values && i < count; i++) {
        values[i] = enrichment->draws[i * enrichment->count + ranking][measure];
    }
    const struct berth_estimate result =
        estimate(enrichment->measures[ranking][measure], values, count);
    free(values);
    return result;
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

struct berth_difference berth_enrichment_difference(const struct berth_enrichment *enrichment,
                                                    size_t ranking, size_t other,
                                                    enum berth_measure measure)
{
    const size_t count = enrichment->resamples;
    double *values = berth_alloc(count, sizeof *values);
    for (size_t i = 0; values && i < count; i++) {
        double(*draw)[BERTH_MEASURES] = enrichment->draws + i * enrichment->count;
        values[i] = draw[ranking][measure] - draw[other][measure];
    }
    const double value =
        enrichment->measures[ranking][measure] - enrichment->measures[other][measure];
    const double unit = values ? deviation(values, count) : NAN;
    const double p = value == 0 ? 1 : erfc(fabs(value) / unit / sqrt(2));
    const double least = berth_enrichment_least_p(enrichment);
    const struct berth_difference result = {estimate(value, values, count), p < least ? least : p};
    free(values);
    return result;
}

double berth_enrichment_least_p(const struct berth_enrichment *enrichment)
{
    return 1 / (double)(enrichment->resamples + 1);
}

void berth_enrichment_destroy(struct berth_enrichment *enrichment)
{
    if (enrichment) {
        free(enrichment->measures);
        free(enrichment->draws);
        free(enrichment);
    }
}
