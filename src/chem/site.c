#include "chem/site.h"

#include <math.h>

bool berth_site_about(const struct berth_molecule *molecule, double add, struct berth_site *site)
{
    if (!berth_heavy_centroid(molecule, site->center)) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < molecule->atom_count; i++) {
            if (molecule->atoms[i].heavy) {
                low = fmin(low, molecule->atoms[i].position[k]);
                high = fmax(high, molecule->atoms[i].position[k]);
            }
        }
        site->size[k] = 2 * (add + (high - low) / 4);
    }
    return true;
}
