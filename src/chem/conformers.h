/* Conformers of a molecule by turning its rotatable bonds.
 *
 * Each bond takes the torsion angles that its ends like (staggered between two sp3 atoms, 0 or 180
 * degrees at an ester, steps of 30 degrees elsewhere) with some noise; bonds are turned on until no
 * two atoms clash.  From a pool of such conformers those are picked that lie farthest apart.  Bond
 * lengths, angles and rings stay as they are.  Everything is decided by the seed.
 */
#ifndef BERTH_CHEM_CONFORMERS_H
#define BERTH_CHEM_CONFORMERS_H

#include <stdint.h>

#include "base/error.h"
#include "chem/molecule.h"
#include "chem/torsion.h"

struct berth_conformer_search {
    size_t pool;     /* conformers to try */
    size_t count;    /* to pick of them, at most */
    double min_rmsd; /* Å, heavy atoms superposed: between any two that are picked */
    uint64_t seed;
    const double (*starts)[3]; /* borrowed; [start_count][atoms], Å: shapes whose bonds are turned,
                                  each for its part of the pool; none: the molecule as it stands */
    size_t start_count;
};

/* The molecule in several shapes. */
struct berth_conformers {
    double (*positions)[3]; /* owned; [count][atom_count], Å */
    double *energies;       /* owned; [count], kJ/mol, NAN where unknown; NULL: not asked for */
    size_t count, atom_count;
};

/* Picks conformers of molecule, the first start as it stands first, then always the one of the pool
 * that is farthest from those picked.  The caller clears *conformers.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_conformers_find(const struct berth_molecule *molecule,
                                        const struct berth_torsion_tree *tree,
                                        const struct berth_conformer_search *search,
                                        struct berth_conformers *conformers,
                                        struct berth_error *error);

void berth_conformers_clear(struct berth_conformers *conformers);

/* The pairs of atoms that turning bonds can bring too close to each other. */

struct berth_clash_pair {
    uint32_t first, second; /* atoms */
    double nearest;         /* Å^2: closer than this they clash */
};

struct berth_clashes {
    struct berth_clash_pair *pairs; /* owned; atoms that some torsion moves against each other and
                                       that more than three bonds separate */
    size_t count, capacity;
};

/* Lists the pairs.  The caller clears *clashes.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_clashes_find(const struct berth_molecule *molecule,
                                     const struct berth_torsion_tree *tree,
                                     struct berth_clashes *clashes, struct berth_error *error);

/* How badly these positions clash, Å^2: 0 where no pair is too close. */
double berth_clash(const struct berth_clashes *clashes, const double (*positions)[3]);

void berth_clashes_clear(struct berth_clashes *clashes);

#endif
