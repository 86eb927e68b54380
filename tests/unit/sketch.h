/* Molecules by hand: "C.3 C.2 O.2 N.am; 1-2 2=3 2~4" is four atoms of these types, and bonds,
 * numbered from 1: '-' single, '=' double, '#' triple, ':' aromatic, '~' amide. */
#ifndef BERTH_TESTS_SKETCH_H
#define BERTH_TESTS_SKETCH_H

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/molecule.h"

static inline struct berth_molecule sketch(const char *text)
{
    struct berth_molecule molecule = {.title = berth_copy_text("sketch")};
    char copy[2048], *rest = copy;
    molecule.atoms = berth_alloc(256, sizeof *molecule.atoms);
    molecule.bonds = berth_alloc(256, sizeof *molecule.bonds);
    assert(molecule.title && molecule.atoms && molecule.bonds && strlen(text) < sizeof copy);
    strcpy(copy, text);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char kind;
        const char *type = "1";
        size_t first, second;
        if (sscanf(word, "%zu%c%zu", &first, &kind, &second) == 3) {
            type = kind == '=' ? "2" : kind == '#' ? "3" : kind == ':' ? "ar" : type;
            type = kind == '~' ? "am" : type;
            struct berth_bond *bond = &molecule.bonds[molecule.bond_count++];
            *bond = (struct berth_bond){.first = first - 1, .second = second - 1};
            snprintf(bond->type, sizeof bond->type, "%s", type);
        } else {
            struct berth_atom *atom = &molecule.atoms[molecule.atom_count++];
            word[strcspn(word, ";")] = '\0';
            snprintf(atom->type, sizeof atom->type, "%s", word);
            snprintf(atom->name, sizeof atom->name, "A%zu", molecule.atom_count);
            atom->element = berth_element_of_type(word);
            atom->heavy = atom->element != 1;
        }
    }
    return molecule;
}

#endif
