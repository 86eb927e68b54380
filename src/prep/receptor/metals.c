#include "prep/receptor/metals.h"

#include <string.h>

#include "chem/coordination.h"
#include "chem/residue_types.h"
#include "chem/site.h"
#include "chem/structure.h"
#include "chem/vectors.h"

static void note_metal(const struct berth_receptor *receptor, size_t metal,
                       const struct berth_log *log)
{
    const struct berth_molecule *molecule = &receptor->molecule;
    struct berth_coordination found;
    char name[BERTH_RESIDUE_TEXT_SIZE];
    berth_residue_text(&receptor->residues[molecule->atoms[metal].residue_id - 1], name);
    if (berth_coordination_find(molecule, metal, &found)) {
        berth_note(log,
                   "metal %s: stays where it is, %s; %zu of its sites taken by the receptor, %zu "
                   "open to the ligand%s",
                   name, BERTH_POLYHEDRON_NAMES[found.polyhedron], found.taken, found.open_count,
                   molecule->atoms[metal].traits.bystander
                       ? "; the one that was cut out binds none of these, so that they draw none "
                         "(metal_sites on: they do)"
                       : " (metal_sites of dock and screen)");
    } else {
        berth_note(log,
                   "metal %s: stays where it is; its donors do not say where it is open, so that "
                   "only the scoring function's own terms draw a ligand to it",
                   name);
    }
}

static bool is_bound(const double metal[3], const struct berth_structure *ligand)
{
    static const double REACH = 3; /* Å */
    bool bound = false;
    for (size_t i = 0; i < ligand->count; i++) {
        const struct berth_structure_atom *atom = &ligand->atoms[i];
        const bool donor =
            atom->element == NITROGEN || atom->element == OXYGEN || atom->element == SULFUR;
        bound = bound || (donor && berth_distance(atom->position, metal) < REACH);
    }
    return bound;
}

void berth_receptor_mark_bystanders(struct berth_receptor *receptor,
                                    const struct berth_structure *ligand)
{
    struct berth_molecule *molecule = &receptor->molecule;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        struct berth_atom *atom = &molecule->atoms[i];
        struct berth_coordination found;
        atom->traits.bystander = berth_is_metal(atom->element) &&
                                 !is_bound(atom->position, ligand) &&
                                 berth_coordination_find(molecule, i, &found) && found.open_count;
    }
}

void berth_receptor_note_metals(const struct berth_receptor *receptor, const struct berth_log *log)
{
    struct berth_site site = {.atoms = false};
    memcpy(site.center, receptor->center, sizeof site.center);
    memcpy(site.size, receptor->size, sizeof site.size);
    for (size_t i = 0; receptor->has_site && i < receptor->molecule.atom_count; i++) {
        const struct berth_atom *atom = &receptor->molecule.atoms[i];
        if (berth_is_metal(atom->element) &&
            berth_site_outside(&site, atom->position) <= BERTH_SITE_REACH) {
            note_metal(receptor, i, log);
        }
    }
}
