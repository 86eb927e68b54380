#include "dock/residue_atoms.h"

#include <string.h>

#include "chem/bonds.h"
#include "chem/vectors.h"

bool berth_residue_atoms_find(const struct berth_molecule *molecule, size_t number,
                              struct berth_residue_atoms *residue)
{
    size_t count = 0;
    *residue = (struct berth_residue_atoms){.molecule = molecule};
    for (size_t i = 0; i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy && molecule->atoms[i].residue_id == (int)number + 1 &&
            count++ < BERTH_RESIDUE_ATOMS_MAX) {
            residue->atoms[residue->count++] = i;
        }
    }
    for (size_t i = 0; i < residue->count; i++) {
        for (size_t j = 0; j < residue->count; j++) {
            const double distance = berth_distance(berth_residue_heavy(residue, i)->position,
                                                   berth_residue_heavy(residue, j)->position);
            residue->bonds[i] |= (uint64_t)(i != j && distance < BERTH_BOND_RESIDUE) << j;
        }
    }
    return count == residue->count;
}

const struct berth_atom *berth_residue_heavy(const struct berth_residue_atoms *residue, size_t i)
{
    return &residue->molecule->atoms[residue->atoms[i]];
}

size_t berth_residue_heavy_named(const struct berth_residue_atoms *residue, const char *name)
{
    size_t i = 0;
    while (i < residue->count && strcmp(berth_residue_heavy(residue, i)->name, name) != 0) {
        i++;
    }
    return i;
}

enum berth_status berth_residues_select(const struct berth_typed_receptor *receptor,
                                        const char *text, struct berth_selection *selection,
                                        const struct berth_selector **missing,
                                        struct berth_error *error)
{
    struct berth_structure structure = {0};
    enum berth_status status = berth_selection_parse(text, selection, error);
    for (size_t i = 0; !status && i < receptor->residue_count; i++) {
        const struct berth_structure_atom atom = {.residue = receptor->residues[i]};
        status = berth_structure_add(&structure, &atom, error);
    }
    if (!status) {
        berth_selection_resolve(selection, &structure);
        *missing = berth_selection_unmatched(selection, &structure);
    }
    berth_structure_clear(&structure);
    return status;
}
