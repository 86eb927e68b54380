/* The site of a docking: a box, and one about a molecule. */
#ifndef BERTH_CHEM_SITE_H
#define BERTH_CHEM_SITE_H

#include <math.h>
#include <stdbool.h>

#include "chem/molecule.h"

/* The box that the heavy-atom centroid of every pose stays in. */
struct berth_site {
    double center[3]; /* Å, the receptor's frame; the origin of translations */
    double size[3];   /* full edges, Å; all 0 for poses that may be anywhere */
    bool atoms;       /* all heavy atoms of a pose stay in it, too, but for what the last descent
                         gives way */
};

/* Å: what lies farther than this outside the box, no ligand in it touches. */
#define BERTH_SITE_REACH 5.0

/* Structures of one site, in one frame, that one run docks to, at most. */
enum { BERTH_RECEPTORS_MAX = 32 };

/* Å that a place is outside the box, along an axis; 0 inside. */
static inline double berth_site_outside(const struct berth_site *site, const double place[3])
{
    double most = 0;
    for (int k = 0; k < 3; k++) {
        most = fmax(most, fabs(place[k] - site->center[k]) - site->size[k] / 2);
    }
    return most;
}

/* A box about a molecule's heavy atoms: half edges of add (Å) plus half of its own half extent, or,
 * where the box is for atoms, all of it.  False where it has none. */
static inline bool berth_site_about(const struct berth_molecule *molecule, double add, bool atoms,
                                    struct berth_site *site)
{
    double low[3], high[3];
    if (!berth_heavy_centroid(molecule, site->center) || !berth_heavy_extent(molecule, low, high)) {
        return false;
    }
    site->atoms = atoms;
    for (int k = 0; k < 3; k++) {
        site->size[k] = 2 * (add + (high[k] - low[k]) / (atoms ? 2 : 4));
    }
    return true;
}

#endif
