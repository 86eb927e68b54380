/* The torsional term of a scoring function: an energy of the angle about each rotatable bond of a
 * ligand, by the kinds of the two atoms that it joins. */
#ifndef BERTH_SCORE_LANGUAGE_TORSIONAL_H
#define BERTH_SCORE_LANGUAGE_TORSIONAL_H

#include "chem/traits.h"
#include "score/language/expression.h"
#include "score/terms.h"

enum { BERTH_TORSIONAL_ROWS_MAX = 32 };

/* What a row asks of an atom. */
enum berth_bond_end {
    BERTH_END_ANY,
    BERTH_END_SP3,
    BERTH_END_SP2, /* aromatic ones, too */
    BERTH_END_AROMATIC,
    BERTH_BOND_ENDS
};

/* Their words in a file. */
extern const char *const BERTH_BOND_END_NAMES[BERTH_BOND_ENDS];

/* What bonds of a kind have: nodes of the graph, of the angle alone. */
struct berth_torsional_row {
    enum berth_bond_end ends[2];
    int energy, slope; /* slope: by the angle, 1/rad */
};

struct berth_torsional {
    char name[BERTH_TERM_NAME_SIZE]; /* "": the function has no such term */
    struct berth_graph graph;        /* owned; its one symbol is the angle, rad */
    size_t row_count;
    struct berth_torsional_row rows[BERTH_TORSIONAL_ROWS_MAX]; /* the first that fits counts */
};

/* Adds a row whose energy is that node, and derives its slope; there is room. */
void berth_torsional_add(struct berth_torsional *torsional, const enum berth_bond_end ends[2],
                         int energy);

/* The row of a bond between two such atoms, in either order; -1: it has no energy. */
int berth_torsional_find(const struct berth_torsional *torsional, enum berth_hybrid a,
                         enum berth_hybrid b);

/* The energy of a row at an angle, and its slope (NULL: not asked for); single: as a device has
 * them. */
double berth_torsional_energy(const struct berth_torsional *torsional, size_t row, double angle,
                              bool single, double *slope);

/* Tries a row all around.  Writes what is wrong with it to text[size] and gives false: its value or
 * its slope is not finite, or it is not the same at half a turn either way. */
bool berth_torsional_try(const struct berth_torsional *torsional, size_t row, char *text,
                         size_t size);

/* Frees what it owns and zeroes it. */
void berth_torsional_clear(struct berth_torsional *torsional);

#endif
