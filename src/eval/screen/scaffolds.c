/* The actives by scaffold: a screen that finds many of one series finds one idea. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "eval/screen/evaluation_internal.h"

/* As far as it is known: from the actives' molecules, else from those of all ligands. */
static const char *smiles_of(const struct berth_evaluation *evaluation, const char *name)
{
    const struct berth_known *known = berth_known_find(&evaluation->actives, name);
    if (!known || !known->scaffold) {
        known = berth_known_find(&evaluation->molecules, name);
    }
    return known ? known->scaffold : NULL;
}

static int by_smiles(const void *a, const void *b)
{
    return strcmp(((const struct scaffold *)a)->smiles, ((const struct scaffold *)b)->smiles);
}

enum berth_status evaluation_find_scaffolds(struct berth_evaluation *evaluation,
                                            struct berth_error *error)
{
    struct scaffold *scaffolds = berth_alloc(evaluation->active_count, sizeof *scaffolds);
    size_t found = 0, count = 0;
    if (!scaffolds) {
        return berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; i < evaluation->count; i++) {
        const char *smiles =
            evaluation->active[i] ? smiles_of(evaluation, evaluation->ligands[i].name) : NULL;
        if (smiles) {
            scaffolds[found++] = (struct scaffold){smiles, 1};
        }
    }
    qsort(scaffolds, found, sizeof *scaffolds, by_smiles);
    for (size_t i = 0; i < found; i++) {
        if (count && by_smiles(&scaffolds[count - 1], &scaffolds[i]) == 0) {
            scaffolds[count - 1].actives++;
        } else {
            scaffolds[count++] = scaffolds[i];
        }
    }
    evaluation->scaffolds = scaffolds;
    evaluation->scaffold_count = count;
    evaluation->unscaffolded = evaluation->active_count - found;
    for (size_t i = 0; i < evaluation->count; i++) {
        const struct scaffold key = {
            evaluation->active[i] ? smiles_of(evaluation, evaluation->ligands[i].name) : NULL, 0};
        if (key.smiles) {
            const struct scaffold *at =
                bsearch(&key, scaffolds, count, sizeof *scaffolds, by_smiles);
            evaluation->ligands[i].scaffold = (size_t)(at - scaffolds);
        }
    }
    return BERTH_OK;
}

void evaluation_place_scaffolds(const struct berth_evaluation *evaluation,
                                const struct ranking *ranking, struct scaffold_place *places)
{
    for (size_t i = 0; i < evaluation->scaffold_count; i++) {
        places[i] = (struct scaffold_place){INFINITY, 0};
    }
    for (size_t i = 0; i < evaluation->count; i++) {
        const size_t scaffold = evaluation->ligands[i].scaffold;
        if (scaffold != SIZE_MAX && ranking->ranks[i] < places[scaffold].rank) {
            places[scaffold] = (struct scaffold_place){ranking->ranks[i], i};
        }
    }
}

size_t evaluation_early_scaffolds(const struct berth_evaluation *evaluation,
                                  const struct scaffold_place *places, size_t early)
{
    size_t found = 0;
    for (size_t i = 0; i < evaluation->scaffold_count; i++) {
        found += places[i].rank <= (double)early;
    }
    return found;
}

enum berth_status evaluation_scaffold_area(const struct berth_evaluation *evaluation,
                                           const struct ranking *ranking, double *area,
                                           struct berth_error *error)
{
    double *weights = berth_alloc(evaluation->count, sizeof *weights);
    double *scores = berth_alloc(evaluation->count, sizeof *scores);
    size_t count = 0;
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; weights && scores && i < evaluation->count; i++) {
        const size_t scaffold = evaluation->ligands[i].scaffold;
        if (!evaluation->active[i] || scaffold != SIZE_MAX) { /* not an active without one */
            weights[count] =
                evaluation->active[i] ? 1 / (double)evaluation->scaffolds[scaffold].actives : 0;
            scores[count++] = ranking->scores[i];
        }
    }
    status = weights && scores ? berth_weighted_roc_area(weights, scores, count, area, error)
                               : berth_out_of_memory(error, NULL);
    free(weights);
    free(scores);
    return status;
}
