#include "chem/hetero.h"

#include "chem/residue_types.h"

/* Å: no bond between heavy atoms is longer, metals and disulphides aside. */
#define HEAVY_BOND 1.9

enum { LIGAND_LEAST = 6, LIGAND_MOST = 200 };

bool berth_is_standard_residue(const char *name)
{
    const struct berth_residue_type *type = berth_residue_type_find(name);
    return type && type->kind != BERTH_RESIDUE_COFACTOR;
}

static bool may_bond(const struct berth_structure_atom *atom)
{
    return !berth_is_hydrogen(atom) && !berth_is_metal(atom->element);
}

/* True where an atom of the residue is bonded to one of another. */
static bool is_bonded(const struct berth_structure *structure, struct berth_span residue)
{
    for (size_t i = residue.begin; i < residue.end; i++) {
        const struct berth_structure_atom *atom = &structure->atoms[i];
        for (size_t k = 0; may_bond(atom) && k < structure->count; k++) {
            const struct berth_structure_atom *other = &structure->atoms[k];
            if ((k < residue.begin || k >= residue.end) && may_bond(other) &&
                berth_distance_squared(atom->position, other->position) < HEAVY_BOND * HEAVY_BOND) {
                return true;
            }
        }
    }
    return false;
}

bool berth_is_in_chain(const struct berth_structure *structure, struct berth_span residue)
{
    return berth_is_standard_residue(structure->atoms[residue.begin].residue.name) ||
           is_bonded(structure, residue);
}

size_t berth_residue_heavy_count(const struct berth_structure *structure, struct berth_span residue)
{
    size_t count = 0;
    for (size_t i = residue.begin; i < residue.end; i++) {
        count += !berth_is_hydrogen(&structure->atoms[i]);
    }
    return count;
}

static bool has_carbon(const struct berth_structure *structure, struct berth_span residue)
{
    for (size_t i = residue.begin; i < residue.end; i++) {
        if (structure->atoms[i].element == 6) {
            return true;
        }
    }
    return false;
}

bool berth_looks_like_ligand(const struct berth_structure *structure, struct berth_span residue)
{
    const char *name = structure->atoms[residue.begin].residue.name;
    const size_t heavy = berth_residue_heavy_count(structure, residue);
    return heavy >= LIGAND_LEAST && heavy <= LIGAND_MOST && !berth_is_cofactor_name(name) &&
           !berth_is_additive_name(name) && has_carbon(structure, residue) &&
           !berth_is_in_chain(structure, residue);
}
