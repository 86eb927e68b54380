/* What a run cannot do at once: one table, from which the errors and the manual come. */
#ifndef BERTH_DOCK_EXCLUSIONS_H
#define BERTH_DOCK_EXCLUSIONS_H

#include "base/error.h"

/* What a run may be asked to do beside docking into a box. */
enum berth_choice {
    BERTH_CHOICE_SURFACE,    /* the whole receptor is searched */
    BERTH_CHOICE_COVALENT,   /* ligands are bonded to the receptor */
    BERTH_CHOICE_FLEXIBLE,   /* side chains move */
    BERTH_CHOICE_RECEPTORS,  /* there are several */
    BERTH_CHOICE_FUNCTIONS,  /* several rank, or an expression does */
    BERTH_CHOICE_RESTRAINTS, /* restraints are read from a file */
    BERTH_CHOICE_TEMPLATE,   /* poses are held to a known one */
    BERTH_CHOICE_METALS,     /* sites of metals pull donors */
    BERTH_CHOICE_RESCORE,    /* a model judges */
    BERTH_CHOICE_RELAX,      /* poses are relaxed */
    BERTH_CHOICES
};

/* By which option each is asked for; NULL: it is not. */
struct berth_choices {
    const char *by[BERTH_CHOICES];
};

/* Errors: BERTH_E_USAGE, with the option, where two exclude each other. */
enum berth_status berth_choices_check(const struct berth_choices *choices,
                                      struct berth_error *error);

/* A row of the table, by its number from 0: the option that is refused, the one that stands beside
 * it, and why; all NULL behind the last. */
struct berth_exclusion {
    const char *option, *beside, *why;
};
struct berth_exclusion berth_exclusion_at(size_t number);

#endif
