/* Where on a receptor a ligand might bind, for docking without a known site.
 *
 * A geometric search on a grid of 1 Å, as in LIGSITE (Hendlich et al., J. Mol. Graph. Model. 1997):
 * a point outside the atoms is buried when lines from it hit the receptor within 10 Å in at
 * least 20 of 26 directions.  A pocket is where many well-buried points lie within a ligand's reach
 * (7 Å) of one point: its score is the sum over them of how buried they are, so burial times
 * volume.  Pockets are taken best first, and each takes its points out of the search.
 */
#ifndef BERTH_CHEM_POCKETS_H
#define BERTH_CHEM_POCKETS_H

#include <stddef.h>

#include "base/error.h"
#include "chem/molecule.h"

struct berth_pocket {
    double center[3], size[3]; /* Å; a box for the centroid of a ligand, full edges */
    double volume;             /* Å^3 of buried space */
    double burial;             /* mean over it of the directions that are closed, 0 .. 1 */
    double score;              /* volume times burial, counted from where burial begins */
};

/* The best pockets about the molecule's heavy atoms, at most `most`, best first, into pockets;
 * *found says how many there are.  Errors: BERTH_E_FORMAT (no heavy atoms, or spread over too wide
 * a space to be one receptor), BERTH_E_MEMORY. */
enum berth_status berth_pockets_find(const struct berth_molecule *molecule, size_t most,
                                     struct berth_pocket *pockets, size_t *found,
                                     struct berth_error *error);

/* Finds the places (Å): every point outside the heavy atoms (by 2.8 Å) and within 5 Å of one has
 * one within `spacing` (1 to 20 Å), and no two are nearer to each other than that.  The most buried
 * ones come first.  The caller frees *places, [*count].  Errors: those of berth_pockets_find;
 * BERTH_E_FORMAT (nothing is accessible). */
enum berth_status berth_cover_find(const struct berth_molecule *molecule, long spacing,
                                   double (**places)[3], size_t *count, struct berth_error *error);

#endif
