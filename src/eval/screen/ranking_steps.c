#include "eval/screen/ranking_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

const int BERTH_EARLY_PERMILLE[BERTH_EARLY_SHARES] = {5, 10, 20, 50, 100};

size_t berth_early_count(size_t share, size_t count)
{
    return (count * (size_t)BERTH_EARLY_PERMILLE[share] + 999) / 1000;
}

/* --- Cutting --- */

struct place {
    double score;
    uint32_t ligand;
    bool active;
};

static int by_score(const void *a, const void *b)
{
    const struct place *one = a, *other = b;
    if (one->score != other->score) {
        return one->score < other->score ? -1 : 1;
    }
    return one->ligand < other->ligand ? -1 : 1;
}

/* Whether the ligands of equal score places[0 .. count) go on with a step of one kind alone. */
static bool goes_on(const struct berth_step *step, size_t actives, size_t count)
{
    return (actives == 0 && step->actives == 0) || (actives == count && step->decoys == 0);
}

static void cut(const struct place *places, const double *weights, size_t ligands,
                struct berth_ranking_steps *steps)
{
    for (size_t begin = 0, end; begin < ligands; begin = end) {
        size_t actives = 0;
        for (end = begin; end < ligands && places[end].score == places[begin].score; end++) {
            actives += places[end].active;
        }
        if (!steps->count || !goes_on(&steps->steps[steps->count - 1], actives, end - begin)) {
            steps->steps[steps->count++] = (struct berth_step){0, 0};
        }
        struct berth_step *step = &steps->steps[steps->count - 1];
        for (size_t i = begin; i < end; i++) {
            const uint32_t ligand = places[i].ligand;
            steps->of[ligand] = (uint32_t)(steps->count - 1);
            step->actives += !places[i].active ? 0 : weights ? weights[ligand] : 1;
            step->decoys += !places[i].active;
        }
    }
}

enum berth_status berth_ranking_steps_create(const bool *active, const double *weights,
                                             const double *scores, size_t ligands,
                                             struct berth_ranking_steps *steps,
                                             struct berth_error *error)
{
    struct place *places = berth_alloc(ligands, sizeof *places);
    size_t actives = 0;
    *steps = (struct berth_ranking_steps){.steps = berth_alloc(ligands, sizeof *steps->steps),
                                          .of = berth_alloc(ligands, sizeof *steps->of)};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; i < ligands; i++) {
        actives += active[i];
    }
    if (actives == 0 || actives == ligands) {
        status =
            berth_fail(error, BERTH_E_USAGE, "of %zu ligands %zu are active: nothing to tell apart",
                       ligands, actives);
    } else if (!places || !steps->steps || !steps->of) {
        status = berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; !status && i < ligands; i++) {
        places[i] = (struct place){scores[i], (uint32_t)i, active[i]};
    }
    if (!status) {
        qsort(places, ligands, sizeof *places, by_score);
        cut(places, weights, ligands, steps);
    }
    free(places);
    return status;
}

void berth_ranking_steps_clear(struct berth_ranking_steps *steps)
{
    free(steps->steps);
    free(steps->of);
    memset(steps, 0, sizeof *steps);
}

/* --- Measures --- */

static struct berth_step sum_of(const struct berth_step *steps, size_t count)
{
    struct berth_step sum = {0, 0};
    for (size_t i = 0; i < count; i++) {
        sum.actives += steps[i].actives;
        sum.decoys += steps[i].decoys;
    }
    return sum;
}

double berth_steps_roc_area(const struct berth_step *steps, size_t count)
{
    const struct berth_step all = sum_of(steps, count);
    double behind = all.decoys, area = 0;
    for (size_t i = 0; i < count; i++) {
        behind -= steps[i].decoys;
        area += steps[i].actives * (behind + 0.5 * steps[i].decoys);
    }
    return area / (all.actives * all.decoys);
}

/* The actives among the first ligands, in units of what chance would find there. */
static double enrichment(const struct berth_step *steps, size_t count, size_t first)
{
    const struct berth_step all = sum_of(steps, count);
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
static double bedroc(const struct berth_step *steps, size_t count, double alpha)
{
    const struct berth_step all = sum_of(steps, count);
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
static double log_area(const struct berth_step *steps, size_t count)
{
    static const double LEAST = 0.001;
    const struct berth_step all = sum_of(steps, count);
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

void berth_steps_measure(const struct berth_step *steps, size_t count,
                         double measures[BERTH_MEASURES])
{
    const struct berth_step all = sum_of(steps, count);
    const size_t ligands = (size_t)(all.actives + all.decoys);
    measures[BERTH_ROC_AREA] = berth_steps_roc_area(steps, count);
    for (size_t i = 0; i < BERTH_EARLY_SHARES; i++) {
        measures[BERTH_EF_05 + i] = enrichment(steps, count, berth_early_count(i, ligands));
    }
    measures[BERTH_BEDROC_20] = bedroc(steps, count, 20);
    measures[BERTH_BEDROC_80] = bedroc(steps, count, 80.5);
    measures[BERTH_LOG_AREA] = log_area(steps, count);
}
