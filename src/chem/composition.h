/* What a molecule is made of: atoms by element. */
#ifndef BERTH_CHEM_COMPOSITION_H
#define BERTH_CHEM_COMPOSITION_H

#include <stdbool.h>
#include <stddef.h>

#include "chem/molecule.h"

enum { BERTH_ELEMENTS = 119 };

struct berth_composition {
    size_t counts[BERTH_ELEMENTS]; /* by atomic number */
};

/* Reads a formula in Hill notation, its charge aside: "C8H10NO2+".  D is hydrogen.  False where
 * it is none. */
bool berth_composition_parse(const char *formula, struct berth_composition *composition);

void berth_composition_of(const struct berth_molecule *molecule,
                          struct berth_composition *composition);

/* Atoms that are not hydrogen. */
size_t berth_composition_heavy(const struct berth_composition *composition);

/* Molar mass, g/mol (standard atomic weights; elements without one: their longest-lived isotope).
 */
double berth_composition_mass(const struct berth_composition *composition);

#endif
