#include "prep/receptor/tautomer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/residue_types.h"
#include "chem/ring_hydrogens.h"
#include "format/sdf/sdf.h"

/* The role of an atom of the receptor in hydrogen bonds; false where it has none, or may have both.
 */
static bool has_role(const struct berth_structure_atom *atom, bool *gives)
{
    static const char *const GIVE[] = {"N.4", "N.am", "N.pl3"}, *const TAKE[] = {"O.2", "O.co2"};
    const struct berth_residue_type *residue = berth_residue_type_find(atom->residue.name);
    char type[8] = "";
    *gives = berth_is_metal(atom->element);
    if (*gives) {
        return true;
    }
    if (!residue || strcmp(residue->name, "HIS") == 0) {
        return false;
    }
    const bool amino = residue->kind == BERTH_RESIDUE_AMINO;
    if (amino && strcmp(atom->name, "N") == 0) {
        *gives = strcmp(residue->name, "PRO") != 0;
        return *gives;
    }
    if (amino && strcmp(atom->name, "O") == 0) {
        return true;
    }
    if (!berth_residue_atom_type(residue, atom->name, type)) {
        return false;
    }
    for (size_t i = 0; i < sizeof GIVE / sizeof *GIVE; i++) {
        *gives = *gives || strcmp(type, GIVE[i]) == 0;
    }
    return *gives || strcmp(type, TAKE[0]) == 0 || strcmp(type, TAKE[1]) == 0;
}

static enum berth_status find_partners(const struct berth_structure *receptor,
                                       struct berth_partner **partners, size_t *count,
                                       struct berth_error *error)
{
    *count = 0;
    BERTH_TRY(berth_make(partners, receptor->count, sizeof **partners, NULL, error));
    for (size_t i = 0; i < receptor->count; i++) {
        const struct berth_structure_atom *atom = &receptor->atoms[i];
        struct berth_partner *partner = &(*partners)[*count];
        if (!berth_is_hydrogen(atom) && has_role(atom, &partner->gives)) {
            memcpy(partner->position, atom->position, sizeof partner->position);
            ++*count;
        }
    }
    return BERTH_OK;
}

/* Writes the orders of the molecule's bonds into the record that it was read from. */
static void put_orders(const struct berth_molecule *molecule, struct berth_bytes *sdf)
{
    enum { HEAD = 4, COLUMN = 8 }; /* lines in front of the atoms; the order's, in V2000 */
    char *at = (char *)sdf->data, *end = at + sdf->count;
    for (size_t line = 0; at && line < HEAD + molecule->atom_count + molecule->bond_count; line++) {
        if (line >= HEAD + molecule->atom_count) {
            at[COLUMN] = *molecule->bonds[line - HEAD - molecule->atom_count].type;
        }
        at = memchr(at, '\n', (size_t)(end - at));
        at += at != NULL;
    }
}

enum berth_status berth_receptor_settle_hydrogens(const struct berth_structure *receptor,
                                                  struct berth_bytes *sdf, size_t *moved,
                                                  struct berth_error *error)
{
    struct berth_molecule molecule;
    struct berth_partner *partners = NULL;
    size_t count = 0;
    *moved = 0;
    BERTH_TRY(berth_molfile_read((const char *)sdf->data, sdf->count, &molecule, error));
    enum berth_status status = find_partners(receptor, &partners, &count, error);
    BERTH_THEN(berth_ring_hydrogens_settle(&molecule, partners, count, moved, error));
    if (!status && *moved) {
        put_orders(&molecule, sdf);
    }
    free(partners);
    berth_molecule_clear(&molecule);
    return status;
}
