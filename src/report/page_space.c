/* Where atoms stand, for the page's view in space: each pose's, and those of the residues that any
 * of the poses meets. */
#include <stdlib.h>

#include "base/memory.h"
#include "report/page_internal.h"

void page_space_write(struct page *page, const struct berth_molecule *pose)
{
    struct berth_json *json = &page->json;
    berth_json_open(json, "atoms", '[');
    for (size_t i = 0; i < pose->atom_count; i++) {
        const struct berth_atom *atom = &pose->atoms[i];
        const double *at = atom->position;
        berth_json_print(json, NULL, "[\"%s\",%.2f,%.2f,%.2f]", berth_element_symbol(atom->element),
                         at[0], at[1], at[2]);
    }
    berth_json_close(json, ']');
    berth_json_open(json, "bonds", '[');
    for (size_t i = 0; i < pose->bond_count; i++) {
        berth_json_print(json, NULL, "[%zu,%zu]", pose->bonds[i].first, pose->bonds[i].second);
    }
    berth_json_close(json, ']');
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

/* Writes atoms of residues that are met, with residue and name; places: where each stands among
 * them, from 1. */
static void write_atoms(struct page *page, size_t *places)
{
    const struct berth_molecule *molecule = &page->complex.receptor.molecule;
    size_t count = 0;
    berth_json_open(&page->json, "atoms", '[');
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const struct berth_atom *atom = &molecule->atoms[i];
        const double *at = atom->position;
        if (page->met[atom->residue_id - 1]) {
            berth_json_open(&page->json, NULL, '[');
            berth_json_print(&page->json, NULL, "\"%s\",%.2f,%.2f,%.2f,%d",
                             berth_element_symbol(atom->element), at[0], at[1], at[2],
                             atom->residue_id - 1);
            berth_json_shown(&page->json, NULL, atom->name);
            berth_json_close(&page->json, ']');
            places[i] = ++count;
        }
    }
    berth_json_close(&page->json, ']');
}

enum berth_status page_space_pocket(struct page *page, struct berth_error *error)
{
    const struct berth_receptor *receptor = &page->complex.receptor;
    const struct berth_molecule *molecule = &receptor->molecule;
    struct berth_json *json = &page->json;
    size_t *places; /* of atoms that are shown, from 1; 0: it is not */
    if (!page->met) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_make(&places, molecule->atom_count, sizeof *places, NULL, error));
    berth_json_open(json, "pocket", '{');
    write_atoms(page, places);
    berth_json_open(json, "bonds", '[');
    for (size_t i = 0; i < molecule->bond_count; i++) {
        const size_t first = places[molecule->bonds[i].first],
                     second = places[molecule->bonds[i].second];
        if (first && second) {
            berth_json_print(json, NULL, "[%zu,%zu]", first - 1, second - 1);
        }
    }
    berth_json_close(json, ']');
    berth_json_open(json, "residues", '{');
    for (size_t i = 0; i < receptor->residue_count; i++) {
        if (page->met[i]) {
            char text[BERTH_RESIDUE_NAME], number[24];
            berth_residue_name(&receptor->residues[i], text);
            snprintf(number, sizeof number, "%zu", i);
            berth_json_shown(json, number, text);
        }
    }
    berth_json_close(json, '}');
    berth_json_close(json, '}');
    free(places);
    return BERTH_OK;
}
