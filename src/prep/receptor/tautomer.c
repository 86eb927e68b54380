#include "prep/receptor/tautomer.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/facts.h"
#include "chem/residue_types.h"

/* Whether an atom of the receptor has one role in hydrogen bonds only, and which. */
static bool has_role(const struct berth_atom *atom, const struct berth_traits *traits, bool *gives)
{
    char residue[BERTH_NAME_SIZE];
    berth_residue_stem(atom->residue, residue);
    const struct berth_residue_type *type = berth_residue_type_find(residue);
    const bool metal = berth_is_metal(atom->element);
    *gives = metal || ((atom->element == NITROGEN || atom->element == OXYGEN) && traits->hydrogens);
    return metal || (*gives != traits->acceptor && !(type && strcmp(type->name, "HIS") == 0));
}

static enum berth_status find_partners(const struct berth_molecule *receptor,
                                       struct berth_partner **partners, size_t *count,
                                       struct berth_error *error)
{
    struct berth_facts facts;
    *count = 0;
    enum berth_status status = berth_facts_find(receptor, BERTH_FACT_TRAITS, &facts, error);
    BERTH_THEN(berth_make(partners, receptor->atom_count, sizeof **partners, NULL, error));
    for (size_t i = 0; !status && i < receptor->atom_count; i++) {
        const struct berth_atom *atom = &receptor->atoms[i];
        struct berth_partner *partner = &(*partners)[*count];
        if (atom->heavy && has_role(atom, &facts.traits[i], &partner->gives)) {
            memcpy(partner->position, atom->position, sizeof partner->position);
            ++*count;
        }
    }
    berth_facts_clear(&facts);
    return status;
}

enum berth_status berth_cut_ligand_sdf(struct berth_bond_finder *finder,
                                       const struct berth_structure *ligand,
                                       const struct berth_molecule *receptor,
                                       struct berth_bonds_found *found, struct berth_bytes *sdf,
                                       struct berth_error *error)
{
    struct berth_partner *partners = NULL;
    struct berth_bonds_request wanted = {.structure = ligand};
    enum berth_status status = find_partners(receptor, &partners, &wanted.partner_count, error);
    wanted.partners = partners;
    BERTH_THEN(berth_bond_orders_find(finder, &wanted, found, sdf, error));
    free(partners);
    return status;
}
