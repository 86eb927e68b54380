/* Where atoms stand, for the page's view in space: each pose's, and those of the residues that any
 * of the poses meets. */
#include <stdlib.h>

#include "base/memory.h"
#include "report/page_internal.h"

/* [element, x, y, z, with `named` residue and name]: Å. */
static void write_atom(struct berth_output *output, const struct berth_atom *atom, bool named)
{
    const double *position = atom->position;
    berth_output_print(output, "[\"%s\",%.2f,%.2f,%.2f", berth_element_symbol(atom->element),
                       position[0], position[1], position[2]);
    if (named) {
        berth_output_print(output, ",%d,", atom->residue_id - 1);
        page_text(output, atom->name);
    }
    berth_output_print(output, "]");
}

void page_space_write(struct page *page, const struct berth_molecule *pose)
{
    struct berth_output *output = page->output;
    page_name(output, "atoms");
    for (size_t i = 0; i < pose->atom_count; i++) {
        berth_output_print(output, i ? "," : "[");
        write_atom(output, &pose->atoms[i], false);
    }
    berth_output_print(output, "]");
    page_name(output, "bonds");
    for (size_t i = 0; i < pose->bond_count; i++) {
        berth_output_print(output, "%s[%zu,%zu]", i ? "," : "[", pose->bonds[i].first,
                           pose->bonds[i].second);
    }
    berth_output_print(output, pose->bond_count ? "]" : "[]");
}

enum berth_status page_space_meet(struct page *page, const struct berth_interactions *found,
                                  struct berth_error *error)
{
    if (!page->met) {
        BERTH_TRY(berth_make(&page->met, page->complex.receptor.residue_count, sizeof *page->met,
                             NULL, error));
    }
    for (size_t i = 0; i < found->count; i++) {
        page->met[found->items[i].residue] = true;
    }
    return BERTH_OK;
}

/* Writes the bonds of atoms that are shown, by where they stand among them. */
static void write_bonds(struct berth_output *output, const struct berth_molecule *molecule,
                        const size_t *places)
{
    const char *comma = "";
    page_name(output, "bonds");
    berth_output_print(output, "[");
    for (size_t i = 0; i < molecule->bond_count; i++) {
        const struct berth_bond *bond = &molecule->bonds[i];
        if (places[bond->first] && places[bond->second]) {
            berth_output_print(output, "%s[%zu,%zu]", comma, places[bond->first] - 1,
                               places[bond->second] - 1);
            comma = ",";
        }
    }
    berth_output_print(output, "]");
}

static void write_residues(struct berth_output *output, const struct page *page)
{
    const struct berth_receptor *receptor = &page->complex.receptor;
    const char *comma = "";
    page_name(output, "residues");
    berth_output_print(output, "{");
    for (size_t i = 0; i < receptor->residue_count; i++) {
        if (page->met[i]) {
            char text[BERTH_RESIDUE_NAME];
            berth_residue_name(&receptor->residues[i], text);
            berth_output_print(output, "%s\"%zu\":", comma, i);
            page_text(output, text);
            comma = ",";
        }
    }
    berth_output_print(output, "}}");
}

enum berth_status page_space_pocket(const struct page *page, struct berth_error *error)
{
    const struct berth_molecule *molecule = &page->complex.receptor.molecule;
    struct berth_output *output = page->output;
    size_t *places, count = 0; /* of atoms that are shown, from 1; 0: it is not */
    if (!page->met) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_make(&places, molecule->atom_count, sizeof *places, NULL, error));
    page_name(output, "pocket");
    berth_output_print(output, "{\"atoms\":[");
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const struct berth_atom *atom = &molecule->atoms[i];
        if (page->met[atom->residue_id - 1]) {
            berth_output_print(output, count ? "," : "");
            write_atom(output, atom, true);
            places[i] = ++count;
        }
    }
    berth_output_print(output, "]");
    write_bonds(output, molecule, places);
    write_residues(output, page);
    free(places);
    return BERTH_OK;
}
