/* Coordination of metal ions in receptors: where about a metal there is room for one more donor.
 *
 * The donors that the receptor has say how the ion's coordination polyhedron lies; the vertices
 * that none of them takes are open.  Such surveys of the Protein Data Bank and the Cambridge
 * Structural Database are M. M. Harding, Acta Cryst. D57 (2001) 401, D60 (2004) 849 and D62 (2006)
 * 678; the usual distances are the targets of the last one for carboxylates, histidine and
 * cysteine, compared with a copy of its table.  It has no nickel: see docs/restraints.md. */
#ifndef BERTH_CHEM_COORDINATION_H
#define BERTH_CHEM_COORDINATION_H

#include <stdbool.h>
#include <stddef.h>

#include "chem/molecule.h"

enum berth_polyhedron { BERTH_TETRAHEDRON, BERTH_BIPYRAMID, BERTH_OCTAHEDRON, BERTH_POLYHEDRA };

/* "tetrahedral", "trigonal bipyramidal", "octahedral" */
extern const char *const BERTH_POLYHEDRON_NAMES[BERTH_POLYHEDRA];

enum { BERTH_VERTICES_MAX = 6 };

struct berth_coordination {
    enum berth_polyhedron polyhedron;
    size_t taken; /* vertices, by the receptor; the two oxygens of a carboxylate take one */
    double off;   /* how far donors are from these: root mean square, on a sphere of radius 1 */
    size_t open_count;
    double open[BERTH_VERTICES_MAX][3]; /* directions from the metal, of length 1 */
};

/* Å: the usual distance of a donor (O, N, S: atomic number) from a metal (Mg, Ca, Mn, Fe, Co, Ni,
 * Cu, Zn); 0 where there is none, such as of magnesium and sulphur. */
double berth_coordination_length(int metal, int donor);

/* Finds the open vertices about atom `metal` of a receptor, and leaves out those that another of
 * its atoms is in the way of.  False: it is none of these metals, or there is another within 4 Å,
 * or it has less than two donors, or all in one line: where vertices are cannot be said then. */
bool berth_coordination_find(const struct berth_molecule *receptor, size_t metal,
                             struct berth_coordination *coordination);

#endif
