/* What an energy is the sum of: a scoring function's terms, what each adds and is called, and the
 * parts beside them. */
#ifndef BERTH_SCORE_TERMS_H
#define BERTH_SCORE_TERMS_H

#include <stdbool.h>
#include <stddef.h>

#include "chem/site.h"
#include "shared.h"

enum { BERTH_TERMS_MAX = 8, BERTH_TERM_NAME_SIZE = 24, BERTH_UNIT_SIZE = 16 };

/* In the order of the scoring function's terms, in its unit; those that it has not are 0. */
struct berth_terms {
    double values[BERTH_TERMS_MAX];
};

struct berth_term_names {
    size_t count; /* 1 .. BERTH_TERMS_MAX */
    char names[BERTH_TERMS_MAX][BERTH_TERM_NAME_SIZE];
};

/* The scoring functions of a run: the first searches, the others judge what it found. */
enum { BERTH_FUNCTIONS_MAX = 8 };

/* Restraints of a run, at most. */
enum { BERTH_RESTRAINTS_MAX = 16 };

/* Outputs of a model (format/model.h), at most. */
enum { BERTH_LEARNED_MAX = 4 };

/* What judges poses, as columns: of several functions each has one of its name, and so has each
 * output of a model. */
struct berth_judges {
    size_t count; /* functions, 1 .. BERTH_FUNCTIONS_MAX */
    char names[BERTH_FUNCTIONS_MAX][BERTH_TERM_NAME_SIZE];
    size_t learned_count; /* outputs; 0: there is no model */
    char learned[BERTH_LEARNED_MAX][BERTH_TERM_NAME_SIZE];
    /* What rankings order, of which there are columns, too: of a run whose rows are poses these
     * alone where ligands are ranked by others besides, which are not known yet. */
    enum berth_ranked {
        BERTH_UNRANKED,
        BERTH_POSES_RANKED,
        BERTH_BOTH_RANKED,
        BERTH_LIGANDS_RANKED
    } ranked;
    bool confident;  /* the ranking says how probably a docked ligand's first pose is right */
    size_t seeds;    /* that ligands are docked with; above 1 poses have what these say of them */
    bool twists;     /* molecules were built, so that conjugated bonds may be twisted, which
                        poses have, and their strain what that costs */
    bool one_by_one; /* rows are written before other ligands are known: none has a rank */
    bool receptor_moves; /* poses have what that costs, BERTH_PART_RECEPTOR */
    size_t restraints;   /* of the run, each of which has a column, too; */
    size_t metals;       /* the last so many are open sites of metals, each of which is worth */
    double metal_weight; /* so much, in the scoring function's unit, and within */
    double metal_radius; /* Å, all of that */
    bool binding;        /* where there are metals, poses have what of them is next to one */
    size_t core;         /* 0, or the number, from 1, of a core that is not held: being off it, */
    double core_radius;  /* by more than so much, Å, costs */
    double core_weight;  /* so much at most */
    /* Of several receptors that differ in waters: what a pose pays in each for those that it lacks,
     * in the scoring function's unit. */
    bool displaces;
    double displacement[BERTH_RECEPTORS_MAX];
    bool gnina_tags; /* poses have some of these by gnina's names, too */
};

/* The energy: the sum, first term first. */
double berth_terms_sum(const struct berth_terms *terms);

/* What a scoring function's total calls the parts (BERTH_POSE_PARTS). */
extern const char *const BERTH_PART_NAMES[BERTH_PART_COUNT];

#endif
