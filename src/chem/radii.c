#include "chem/radii.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "chem/residue_types.h"

enum { HYDROGEN = 1, CARBON = 6, NITROGEN = 7, OXYGEN = 8, FLUORINE = 9 };

/* Å: of zinc; and by how much nearer hydrogen bonds bring two atoms. */
static const double METAL_RADIUS = 1.39, HYDROGEN_BOND = 0.4;

double berth_vdw_radius(int element)
{
    static const double RADII[] = {
        [HYDROGEN] = 1.20, [NITROGEN] = 1.55, [OXYGEN] = 1.52, [FLUORINE] = 1.47, [15] = 1.80,
        [16] = 1.80,       [17] = 1.75,       [35] = 1.85,     [53] = 1.98};
    const size_t known = sizeof RADII / sizeof *RADII;
    const double radius = element > 0 && (size_t)element < known ? RADII[element] : 0;
    return radius > 0 ? radius : 1.70;
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
