/* How far a pose twists conjugated bonds, and what that costs, which no scoring function knows. */
#ifndef BERTH_CHEM_TWIST_H
#define BERTH_CHEM_TWIST_H

#include "base/error.h"
#include "chem/bonds.h"
#include "chem/molecule.h"

/* A bond between a carbonyl group and the aromatic ring or double bond that it is conjugated with,
 * where nothing beside the bond pushes it off: no ortho group, no tertiary amide, no ring with the
 * bond in it. */
struct berth_flat_bond {
    size_t carbonyl, other; /* atoms */
};

/* All of a molecule. */
struct berth_flat_bonds {
    struct berth_flat_bond *bonds; /* owned; [count] */
    size_t count;
    struct berth_adjacency adjacency; /* owned; of the molecule */
};

/* Finds them; the caller clears *flat, also after an error.  Errors: those of
 * berth_adjacency_find. */
enum berth_status berth_flat_bonds_find(const struct berth_molecule *molecule,
                                        struct berth_flat_bonds *flat, struct berth_error *error);

/* The largest angle (degrees, 0 to 90) between the planes of both sides of any of them; NAN where
 * there is none.  positions: [atom_count of molecule], Å. */
double berth_largest_twist(const struct berth_flat_bonds *flat,
                           const struct berth_molecule *molecule, const double (*positions)[3]);

/* What a group costs that is twisted so far (degrees; NAN: 0), in a scoring function's unit. */
double berth_twist_price(double twist, const char *unit);

/* A zeroed one is accepted. */
void berth_flat_bonds_clear(struct berth_flat_bonds *flat);

#endif
