/* A further scoring function that judges what a search found: the energies of its poses, in the
 * same launches, where they are, before anything comes back from the device. */
#ifndef BERTH_ENGINE_JUDGE_H
#define BERTH_ENGINE_JUDGE_H

#include "engine/refine.h"

struct berth_judge; /* opaque */

/* What a judge is for. */
struct berth_judge_setup {
    struct berth_evaluator *evaluator; /* borrowed; of the judging function */
    size_t number;                     /* of the judge, from 0: see struct berth_packed_conformer */
    bool shares;                       /* atoms have the types that they are searched with */
    size_t poses, conformers;          /* of a conformer, and of a batch, at most */
    bool torsions;                     /* of the poses have turned */
};

/* The caller destroys *judge before the evaluator.  Errors: BERTH_E_DEVICE, BERTH_E_MEMORY. */
enum berth_status berth_judge_create(const struct berth_judge_setup *setup,
                                     struct berth_judge **judge, struct berth_error *error);

/* NULL is accepted. */
void berth_judge_destroy(struct berth_judge *judge);

/* What is judged: everything is borrowed until it was. */
struct berth_judged {
    const struct berth_batch *batch;
    const struct berth_packed_conformer *conformers; /* those of the batch */
    const struct berth_refiner
        *refined;                 /* which refined the poses; NULL: nothing is refined, and */
    struct berth_parents parents; /* they are these */
};

/* Starts to judge, behind what found the poses, and to read the energies; they are there when
 * *event has ended.  Errors: BERTH_E_DEVICE, BERTH_E_MEMORY. */
enum berth_status berth_judge_start(struct berth_judge *judge, const struct berth_judged *judged,
                                    struct berth_event **event, struct berth_error *error);

/* The poses as the judge has them: [conformers][poses]. */
const struct berth_device_refined *berth_judge_records(const struct berth_judge *judge);

/* The energy between receptor and ligand of a pose of conformer c, in the order in which they were
 * found. */
float berth_judge_energy(const struct berth_judge *judge, size_t c, size_t pose);

#endif
