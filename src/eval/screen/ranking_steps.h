/* A ranking cut into steps, which are all that its measures depend on: runs of actives alone, runs
 * of decoys alone, and ligands of equal score where there are both.  Resampled, a ranking has the
 * same steps with other counts. */
#ifndef BERTH_EVAL_SCREEN_RANKING_STEPS_H
#define BERTH_EVAL_SCREEN_RANKING_STEPS_H

#include "eval/screen/enrichment.h"

struct berth_step {
    double actives, decoys; /* counts, or sums of weights */
};

struct berth_ranking_steps {
    struct berth_step *steps; /* owned; [count], best first */
    uint32_t *of;             /* owned; [ligands]: which step is whose */
    size_t count;
};

/* Cuts the ranking; weights: NULL, or what each active counts for.  The caller clears *steps.
 * Errors: BERTH_E_USAGE (no active or no decoy), BERTH_E_MEMORY. */
enum berth_status berth_ranking_steps_create(const bool *active, const double *weights,
                                             const double *scores, size_t ligands,
                                             struct berth_ranking_steps *steps,
                                             struct berth_error *error);
void berth_ranking_steps_clear(struct berth_ranking_steps *steps);

double berth_steps_roc_area(const struct berth_step *steps, size_t count);

/* All measures; counts are whole numbers. */
void berth_steps_measure(const struct berth_step *steps, size_t count,
                         double measures[BERTH_MEASURES]);

#endif
