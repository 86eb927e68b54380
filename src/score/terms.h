/* What an energy is the sum of: a scoring function's terms, what each adds and is called, and the
 * parts beside them; and the columns beside those, whose names no term may have. */
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
    bool twists;         /* molecules were built, so that conjugated bonds may be twisted, which
                            poses have, and their strain what that costs */
    bool one_by_one;     /* rows are written before other ligands are known: none has a rank */
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
};

/* The energy: the sum, first term first. */
double berth_terms_sum(const struct berth_terms *terms);

/* What a scoring function's total calls the parts (BERTH_POSE_PARTS). */
extern const char *const BERTH_PART_NAMES[BERTH_PART_COUNT];

/* The names of the columns and tags that stand beside a scoring function's terms: in scores.csv and
 * in the tags of poses, of which format/score_row.h says what they are, and in what `score` prints.
 */
enum berth_column {
    BERTH_COLUMN_ORDINAL,
    BERTH_COLUMN_LIGAND,
    BERTH_COLUMN_RANK,
    BERTH_COLUMN_MODE,
    BERTH_COLUMN_RECEPTOR,
    BERTH_COLUMN_RANKING,      /* of a ligand among those of the screen */
    BERTH_COLUMN_POSE_RANKING, /* of a pose among those of the ligand */
    BERTH_COLUMN_SCORE,
    BERTH_COLUMN_ENERGY,
    BERTH_COLUMN_PARTS, /* of an energy, beside its terms (BERTH_POSE_PARTS), from here on */
    BERTH_COLUMN_CONFORMER_STRAIN = BERTH_COLUMN_PARTS + BERTH_PART_COUNT,
    BERTH_COLUMN_COORDINATION, /* of metals */
    BERTH_COLUMN_DISPLACEMENT, /* of waters */
    BERTH_COLUMN_EFFICIENCY,
    BERTH_COLUMN_RMSD,
    BERTH_COLUMN_CLASH,
    BERTH_COLUMN_METAL_1, /* Å from a metal to the nearest donor, */
    BERTH_COLUMN_METAL_2, /* and to the second one */
    BERTH_COLUMN_UNMET,   /* required restraints */
    BERTH_COLUMN_CONFORMER,
    BERTH_COLUMN_HEAVY_ATOMS,
    BERTH_COLUMN_CONFORMERS,
    BERTH_COLUMN_DEVICE,
    BERTH_COLUMN_NAME,        /* of `score` */
    BERTH_COLUMN_ROTORS,      /* of `score` */
    BERTH_COLUMN_TWIST,       /* of conjugated bonds */
    BERTH_COLUMN_TOTAL,       /* of `score` */
    BERTH_COLUMN_SEED,        /* a tag */
    BERTH_COLUMN_SMILES,      /* a tag */
    BERTH_COLUMN_SIDE_CHAINS, /* a tag: where those of the receptor are that move */
    /* What preparing says of a ligand: */
    BERTH_COLUMN_INPUT_SMILES,     /* as the input gave them */
    BERTH_COLUMN_STATE_OF,         /* the molecule's name, where it gave several ligands */
    BERTH_COLUMN_STATE_POPULATION, /* of its state of protonation, 0 to 1 */
    BERTH_COLUMN_OPEN_STEREO,      /* what its input leaves open, where isomers were left out */
    BERTH_COLUMNS
};

/* Their names. */
extern const char *const BERTH_COLUMN_NAMES[BERTH_COLUMNS];

/* What an empty cell of the column counts as where rows are compared: 0 of a part of the energy
 * that a ligand does not have, as in rankings (the strain of one without torsions); else NAN. */
double berth_column_blank(const char *name);

/* Those of the restraints' distances. */
extern const char *const BERTH_COLUMN_RESTRAINTS[BERTH_RESTRAINTS_MAX];

/* What the names of columns begin with that say the score in each of several receptors. */
extern const char BERTH_COLUMN_SCORE_IN[];

/* And those of a library's properties whose own names are taken. */
extern const char BERTH_COLUMN_OF_LIBRARY[];

/* True where a column has the name, or may have it. */
bool berth_is_column(const char *name, size_t length);

#endif
