/* What of a ligand restraints can be about. */
#ifndef BERTH_DOCK_RESTRAINT_SUBJECTS_H
#define BERTH_DOCK_RESTRAINT_SUBJECTS_H

#include "chem/features.h"

enum { BERTH_SUBJECT_ATOM = 8, BERTH_SUBJECT_SMARTS, BERTH_SUBJECT_CORE, BERTH_SUBJECT_COUNT };

struct berth_subject {
    const char *name;
    enum berth_feature_kind kind; /* of the first ones; the last are any atom, a pattern, a core */
    double radius;                /* Å: about an atom of a receptor */
};

extern const struct berth_subject BERTH_SUBJECTS[BERTH_SUBJECT_COUNT];

#endif
