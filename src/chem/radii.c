#include "chem/radii.h"

#include <math.h>
#include <stdbool.h>

#include "chem/residue_types.h"

enum { HYDROGEN = 1, CARBON = 6, NITROGEN = 7, OXYGEN = 8, FLUORINE = 9 };

/* Å: of zinc; and by how much nearer hydrogen bonds bring two atoms. */
static const double METAL_RADIUS = 1.39, HYDROGEN_BOND = 0.4;

double berth_vdw_radius(int element)
{
    switch (element) {
    case HYDROGEN:
        return 1.20;
    case NITROGEN:
        return 1.55;
    case OXYGEN:
        return 1.52;
    case FLUORINE:
        return 1.47;
    case 15:
    case 16:
        return 1.80;
    case 17:
        return 1.75;
    case 35:
        return 1.85;
    case 53:
        return 1.98;
    default:
        return 1.70;
    }
}

static bool is_polar(int element)
{
    return element == NITROGEN || element == OXYGEN || element == FLUORINE;
}

double berth_overlap(int first, int second, double distance)
{
    const bool metal = berth_is_metal(first);
    const int other = metal ? second : first;
    if (!metal && !berth_is_metal(second)) {
        const double bond = is_polar(first) && is_polar(second) ? HYDROGEN_BOND : 0;
        return berth_vdw_radius(first) + berth_vdw_radius(second) - bond - distance;
    }
    return other == CARBON || other == HYDROGEN ? METAL_RADIUS + berth_vdw_radius(other) - distance
                                                : -INFINITY;
}
