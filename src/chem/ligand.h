/* A ligand: one or more conformers of the same chemistry that compete for the site.
 *
 * Consecutive molecules of a file are conformers of one ligand where their titles agree (a
 * trailing _C<digits> or _conf<digits> aside) and their atoms (names and types) and bonds agree.
 */
#ifndef BERTH_CHEM_LIGAND_H
#define BERTH_CHEM_LIGAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "chem/molecule.h"

/* Heavy atoms of a ligand, a protein included. */
enum { BERTH_LIGAND_ATOMS_MAX = 20000 };

/* Heavy atoms of a ligand whose torsions can turn, and that is searched on maps.  A larger one is
 * rigid, has exact energies from the start, and is worked on in tiles: see kernels/refine.cl. */
enum { BERTH_LIGAND_FLEXIBLE_MAX = 1000 };

/* Conformers of a ligand of a library: above this its records would not fit into memory. */
enum { BERTH_LIGAND_CONFORMERS_MAX = 10000 };

struct berth_ligand {
    char *name;                        /* owned; the common title */
    struct berth_molecule *conformers; /* owned */
    size_t conformer_count, conformer_capacity;
};

/* Length of a title without a trailing _C<digits> or _conf<digits>; something is always left. */
size_t berth_ligand_stem(const char *title);

/* True where molecule is another conformer of ligand (same name, atoms and bonds). */
bool berth_ligand_accepts(const struct berth_ligand *ligand, const struct berth_molecule *molecule);

/* Moves molecule into the ligand (the molecule is zeroed).  The first one names it: by its common
 * title, or by its whole title where whole_title is set.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_ligand_add(struct berth_ligand *ligand, struct berth_molecule *molecule,
                                   bool whole_title, struct berth_error *error);

void berth_ligand_clear(struct berth_ligand *ligand);

#endif
