/* Molecules made of any bytes, for what takes molecules and no text. */
#ifndef BERTH_FUZZ_MOLECULE_H
#define BERTH_FUZZ_MOLECULE_H

#include <string.h>

#include "chem/molecule.h"
#include "fuzz.h"

enum { FUZZ_ATOM = 3, FUZZ_ATOMS = 300 };

static inline void fuzz_bond(struct berth_molecule *molecule, size_t first, size_t second,
                             unsigned type)
{
    static const char *const TYPES[] = {"1", "2", "3", "ar", "am", "1", "1", "nc"};
    struct berth_bond *bond = &molecule->bonds[molecule->bond_count++];
    *bond = (struct berth_bond){.first = first, .second = second};
    snprintf(bond->type, sizeof bond->type, "%s", TYPES[type % 8]);
}

/* Three bytes an atom: its type; the type of the bond to one before it (3 bits) and how far before
 * (5 bits; 31: there is none); 0, or the number from 1 of another one that it closes a ring with,
 * by a bond of the same type.  The caller clears *molecule. */
static inline void fuzz_molecule(const uint8_t *bytes, size_t size, struct berth_molecule *molecule)
{
    static const char *const TYPES[] = {
        "C.3", "C.ar", "H",   "O.3",   "N.3", "C.2", "O.2", "N.am", "N.ar", "N.pl3", "C.1",
        "N.1", "N.2",  "N.4", "O.co2", "S.3", "S.2", "S.o", "S.o2", "P.3",  "C.cat", "F",
        "Cl",  "Br",   "I",   "Si",    "B",   "Zn",  "Fe",  "Du",   "LP",   "D"};
    const size_t count = size / FUZZ_ATOM < FUZZ_ATOMS ? size / FUZZ_ATOM : FUZZ_ATOMS;
    *molecule = (struct berth_molecule){.title = calloc(1, 2),
                                        .atoms = calloc(count + 1, sizeof *molecule->atoms),
                                        .atom_count = count,
                                        .bonds = calloc(2 * count + 1, sizeof *molecule->bonds)};
    demand(molecule->title && molecule->atoms && molecule->bonds);
    *molecule->title = 'm';
    for (size_t i = 0; i < count; i++, bytes += FUZZ_ATOM) {
        struct berth_atom *atom = &molecule->atoms[i];
        snprintf(atom->type, sizeof atom->type, "%s", TYPES[bytes[0] % 32]);
        snprintf(atom->name, sizeof atom->name, "A%zu", i + 1);
        atom->element = berth_element_of_type(atom->type);
        atom->heavy = atom->element > 1;
        for (int k = 0; k < 3; k++) {
            atom->position[k] = 1.5 * (double)((i >> 2 * k) % 4) + bytes[k] / 1024.0;
        }
        const size_t back = bytes[1] / 8, ring = bytes[2];
        if (back < 31 && back < i) {
            fuzz_bond(molecule, i - 1 - back, i, bytes[1]);
        }
        if (ring && ring <= i && (back == 31 || ring != i - back)) {
            fuzz_bond(molecule, ring - 1, i, bytes[1]);
        }
    }
}

#endif
