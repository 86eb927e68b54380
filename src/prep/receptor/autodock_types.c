#include "prep/receptor/autodock_types.h"

void berth_receptor_note_acceptors(const struct berth_structure *structure,
                                   const struct berth_molecule *receptor,
                                   const struct berth_site *site, const struct berth_log *log)
{
    const struct berth_structure_atom *first = NULL;
    char residue[BERTH_RESIDUE_TEXT_SIZE];
    size_t count = 0;
    for (size_t i = 0, heavy = 0; i < structure->count; i++) {
        const struct berth_structure_atom *atom = &structure->atoms[i];
        if (berth_is_hydrogen(atom)) {
            continue;
        }
        const bool accepts = receptor->atoms[heavy++].traits.acceptor;
        if ((atom->element == NITROGEN || atom->element == OXYGEN) && atom->accepts != accepts &&
            (!site || berth_site_outside(site, atom->position) <= BERTH_SITE_REACH)) {
            first = first ? first : atom;
            count++;
        }
    }
    if (first) {
        berth_residue_text(&first->residue, residue);
        berth_note(log,
                   "acceptors of hydrogen bonds: %zu atom%s%s differ%s from the file's types, the "
                   "first %s of %s, which the file %s one; berth goes by residues, `vina` by the "
                   "file: energies there differ",
                   count, count == 1 ? "" : "s", site ? " near the site" : "",
                   count == 1 ? "s" : "", first->name, residue,
                   first->accepts ? "has as" : "has not as");
    }
}
