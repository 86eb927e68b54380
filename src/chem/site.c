#include "chem/site.h"

bool berth_site_about(const struct berth_molecule *molecule, double add, struct berth_site *site)
{
    double low[3], high[3];
    if (!berth_heavy_centroid(molecule, site->center) || !berth_heavy_extent(molecule, low, high)) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        site->size[k] = 2 * (add + (high[k] - low[k]) / 4);
    }
    return true;
}
