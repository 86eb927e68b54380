/* Whether poses could be molecules in a protein: PoseBusters' checks, computed by the RDKit worker.
 */
#ifndef BERTH_EVAL_VALIDITY_H
#define BERTH_EVAL_VALIDITY_H

#include "prep/worker.h"
#include "pose/interactions.h"
#include "eval/pose_records.h"

enum { BERTH_VALIDITY_CHECKS = 14, BERTH_VALIDITY_FIGURES = 9 };

/* Their names, as columns are called: "bond_lengths"; "worst_bond". */
extern const char *const BERTH_VALIDITY_CHECK[BERTH_VALIDITY_CHECKS];
extern const char *const BERTH_VALIDITY_FIGURE[BERTH_VALIDITY_FIGURES];

struct berth_validity {
    int passes[BERTH_VALIDITY_CHECKS];      /* 1, 0; -1: not known or not asked for */
    double figures[BERTH_VALIDITY_FIGURES]; /* what checks look at; NAN: not known */
};

/* Checks a pose (SDF) in its receptor.  conformers: how many its internal energy is held against; 0
 * leaves that check out.  Errors: those of berth_worker_ask; BERTH_E_MEMORY. */
enum berth_status berth_validity_check(struct berth_worker *worker,
                                       const struct berth_complex *complex,
                                       const struct berth_read_pose *pose, size_t conformers,
                                       struct berth_validity *validity, struct berth_error *error);

/* True where no check failed. */
bool berth_validity_holds(const struct berth_validity *validity);

#endif
