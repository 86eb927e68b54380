#include "score/plp.h"

#include <stddef.h>

/* Wall, hardness, begin and end of the well, its depth; polar or not. */
static const struct berth_plp_pair HYDROGEN_BOND = {2.3, 20, 3.1, 3.4, -2, true};
static const struct berth_plp_pair METAL_BOND = {1.4, 20, 2.6, 2.8, -4, true};
static const struct berth_plp_pair NONPOLAR = {3.4, 20, 4.5, 5.5, -0.4, false};
static const struct berth_plp_pair BURIED = {3.4, 20, 4.5, 5.5, -0.1, false};
static const struct berth_plp_pair REPULSIVE = {3.2, 19.9, 3.2, 5, 0.1, true};

struct berth_plp_pair berth_plp_pair(enum berth_role first, enum berth_role second)
{
    if (first == BERTH_ROLE_NONPOLAR || second == BERTH_ROLE_NONPOLAR) {
        return first == second ? NONPOLAR : BURIED;
    }
    const bool gives = first == BERTH_ROLE_DONOR || second == BERTH_ROLE_DONOR;
    const bool metal = first == BERTH_ROLE_METAL || second == BERTH_ROLE_METAL;
    if ((first == second && first != BERTH_ROLE_BOTH) || (gives && metal)) {
        return REPULSIVE;
    }
    return metal ? METAL_BOND : HYDROGEN_BOND;
}

static enum berth_role role_of(const struct berth_type *type)
{
    if (type->class == 'F' && type->hydrophobic == 0) {
        return BERTH_ROLE_METAL;
    }
    if (type->class == 'E') {
        return BERTH_ROLE_BOTH;
    }
    if ((type->class != 'F' && type->class != 'D') || type->charge == 0) {
        return BERTH_ROLE_NONPOLAR;
    }
    return type->charge > 0 ? BERTH_ROLE_DONOR : BERTH_ROLE_ACCEPTOR;
}

void berth_plp_use(struct berth_forcefield *forcefield)
{
    for (size_t i = 0; i < forcefield->type_count; i++) {
        forcefield->types[i].role = role_of(&forcefield->types[i]);
    }
}
