#include "prep/perception.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/bonds.h"
#include "chem/residue_types.h"
#include "chem/vectors.h"

/* Å: a coordinate rounded by Mol2; an oxide is nearer to its metal than this, water further (2.0 to
 * 2.1 from transition metals, oxo ligands 1.6 to 1.8); two atoms that are nearer to each other than
 * ALTERNATE are of two molecules, of which one is there at a time. */
#define ROUNDING  0.002
#define OXIDE     1.85
#define ALTERNATE 0.9

/* The heavy atom of the structure at a position, or NULL. */
static const struct berth_structure_atom *atom_at(const struct berth_structure *structure,
                                                  const double position[3])
{
    for (size_t i = 0; i < structure->count; i++) {
        const struct berth_structure_atom *atom = &structure->atoms[i];
        bool same = !berth_is_hydrogen(atom);
        for (int k = 0; k < 3; k++) {
            same = same && fabs(atom->position[k] - position[k]) < ROUNDING;
        }
        if (same) {
            return atom;
        }
    }
    return NULL;
}

static void name_atom(struct berth_atom *atom, const struct berth_structure_atom *from)
{
    char residue[32];
    snprintf(residue, sizeof residue, "%s%d", from->residue.name, from->residue.number);
    snprintf(atom->residue, sizeof atom->residue, "%.15s", residue);
    snprintf(atom->name, sizeof atom->name, "%s",
             *from->name ? from->name : berth_element_symbol(from->element));
    for (char *at = atom->name; *at; at++) {
        *at = *at == ' ' ? '_' : *at; /* Mol2 separates by blanks */
    }
    memcpy(atom->position, from->position, sizeof atom->position);
    atom->residue_id = 1;
}

/* What gives types renames atoms, and rounds: names and exact positions come back. */
static enum berth_status restore_atoms(const struct berth_structure *structure,
                                       struct berth_molecule *molecule, struct berth_error *error)
{
    for (size_t i = 0; i < molecule->atom_count; i++) {
        struct berth_atom *atom = &molecule->atoms[i];
        const struct berth_structure_atom *from =
            atom->heavy ? atom_at(structure, atom->position) : NULL;
        if (from) {
            name_atom(atom, from);
        } else if (atom->heavy) {
            return berth_fail(error, BERTH_E_IO, "typing moved or added a heavy atom");
        } else {
            atom->residue_id = 1;
            snprintf(atom->residue, sizeof atom->residue, "%s", structure->atoms[0].residue.name);
        }
    }
    return BERTH_OK;
}

static size_t heavy_count(const struct berth_structure *structure)
{
    return berth_residue_heavy_count(structure, (struct berth_span){0, structure->count});
}

static enum berth_status set_title(const struct berth_structure *structure,
                                   struct berth_molecule *molecule, struct berth_error *error)
{
    free(molecule->title);
    molecule->title =
        berth_copy_text(structure->title ? structure->title : structure->atoms[0].residue.name);
    return molecule->title ? BERTH_OK : berth_out_of_memory(error, NULL);
}

enum berth_status berth_perception_restore(const struct berth_structure *structure,
                                           struct berth_molecule *molecule,
                                           struct berth_error *error)
{
    enum berth_status status = restore_atoms(structure, molecule, error);
    if (!status && berth_heavy_count(molecule) != heavy_count(structure)) {
        status = berth_fail(error, BERTH_E_IO, "typing lost heavy atoms");
    }
    BERTH_THEN(set_title(structure, molecule, error));
    if (status) {
        berth_molecule_clear(molecule);
    }
    return status;
}

enum berth_status berth_plain_molecule(const struct berth_structure *structure,
                                       struct berth_molecule *molecule, struct berth_error *error)
{
    memset(molecule, 0, sizeof *molecule);
    enum berth_status status =
        berth_make(&molecule->atoms, heavy_count(structure), sizeof *molecule->atoms, NULL, error);
    BERTH_THEN(set_title(structure, molecule, error));
    for (size_t i = 0; !status && i < structure->count; i++) {
        const struct berth_structure_atom *from = &structure->atoms[i];
        if (berth_is_hydrogen(from)) {
            continue;
        }
        struct berth_atom *atom = &molecule->atoms[molecule->atom_count];
        name_atom(atom, from);
        const bool tetrahedral = strchr("CNOSP", *berth_element_symbol(from->element)) &&
                                 !berth_element_symbol(from->element)[1];
        snprintf(atom->type, sizeof atom->type, "%s%s", berth_element_symbol(from->element),
                 tetrahedral ? ".3" : "");
        atom->element = from->element;
        atom->heavy = true;
        molecule->atom_count++;
    }
    BERTH_THEN(berth_bonds_by_distance(molecule, error));
    if (status) {
        berth_molecule_clear(molecule);
    }
    return status;
}

enum berth_status berth_perceive_molecule(struct berth_bond_finder *finder,
                                          const struct berth_structure *structure,
                                          struct berth_molecule *molecule,
                                          char doubt[BERTH_CONTRADICTION_SIZE],
                                          struct berth_error *error)
{
    const struct berth_bonds_request wanted = {.structure = structure, .hydrogens = true};
    const double ph = berth_has_all_hydrogens(structure) ? NAN : BERTH_PH;
    struct berth_bytes sdf = {0};
    struct berth_bonds_found found;
    enum berth_status status = berth_bond_orders_find(finder, &wanted, &found, &sdf, error);
    BERTH_THEN(berth_bond_finder_stand(finder, &sdf, ph, molecule, error));
    BERTH_THEN(berth_perception_restore(structure, molecule, error));
    snprintf(doubt, BERTH_CONTRADICTION_SIZE, "%s%.*s", status ? "all are taken for single: " : "",
             BERTH_CONTRADICTION_SIZE - 40, status ? error->message : found.contradiction);
    berth_bytes_clear(&sdf);
    return status == BERTH_E_FORMAT ? berth_plain_molecule(structure, molecule, error) : status;
}

/* --- What binds metals --- */

/* The type of an atom that binds so many metals, the nearest one so far away (Å), and others by
 * `bonds`, where it is another than that of its molecule in water: its lone pair is taken, so that
 * no proton is there for pH 7.4.  One that nothing else binds is an oxide (a water is further from
 * its one metal) or a sulfide.  NULL: it is the same. */
static const char *donor_type(const struct berth_atom *atom, size_t bonds, size_t metals,
                              double nearest)
{
    switch (metals ? atom->element : 0) {
    case NITROGEN:
        return strcmp(atom->type, "N.4") == 0                   ? "N.3"
               : strcmp(atom->type, "N.pl3") == 0 && bonds == 2 ? "N.2"
                                                                : NULL;
    case OXYGEN:
        return !bonds && (metals > 1 || nearest < OXIDE) ? "O.co2" : NULL;
    case SULFUR:
        return !bonds ? "S.2" : NULL;
    default:
        return NULL;
    }
}

/* Corrects the types of a molecule's atoms that bind some of the metals. */
static void settle_donors(const struct berth_structure *metals, struct berth_molecule *molecule)
{
    for (size_t i = 0; i < molecule->atom_count; i++) {
        struct berth_atom *atom = &molecule->atoms[i];
        size_t binds = 0, bonds = 0;
        double nearest = BERTH_BOND_METAL;
        for (size_t k = 0; atom->heavy && k < metals->count; k++) {
            const double distance = berth_distance(metals->atoms[k].position, atom->position);
            binds += distance < BERTH_BOND_METAL;
            nearest = fmin(nearest, distance);
        }
        for (size_t k = 0; binds && k < molecule->bond_count; k++) {
            const struct berth_bond *bond = &molecule->bonds[k];
            bonds += (bond->first == i && molecule->atoms[bond->second].heavy) ||
                     (bond->second == i && molecule->atoms[bond->first].heavy);
        }
        const char *type = donor_type(atom, bonds, binds, nearest);
        if (type) {
            snprintf(atom->type, sizeof atom->type, "%s", type);
        }
    }
}

/* --- Parts of a receptor --- */

/* True for a residue with a heavy atom that has no type yet. */
static bool needs_types(const struct berth_structure *structure, struct berth_span span)
{
    for (size_t i = span.begin; i < span.end; i++) {
        if (!berth_is_hydrogen(&structure->atoms[i]) && !*structure->atoms[i].type) {
            return true;
        }
    }
    return false;
}

/* A heavy atom, no metal, of a residue that needs types. */
struct wanted {
    struct berth_structure_atom *atom;
    struct berth_span residue;
    size_t part; /* number, from 1, of the molecule that it is of; 0: not known yet */
};

/* True where two residues stand in one place: one of them is there at a time. */
static bool are_alternates(const struct berth_structure *structure, struct berth_span first,
                           struct berth_span second)
{
    for (size_t i = first.begin; i < first.end; i++) {
        for (size_t j = second.begin; j < second.end; j++) {
            if (berth_distance(structure->atoms[i].position, structure->atoms[j].position) <
                ALTERNATE) {
                return true;
            }
        }
    }
    return false;
}

static bool are_bonded(const struct berth_structure *structure, const struct wanted *first,
                       const struct wanted *second)
{
    return berth_distance_squared(first->atom->position, second->atom->position) <
               BERTH_BOND_PERCEIVED * BERTH_BOND_PERCEIVED &&
           (first->residue.begin == second->residue.begin ||
            !are_alternates(structure, first->residue, second->residue));
}

/* Numbers the molecules that wanted[count] are of.  queue: [count]. */
static void find_parts(const struct berth_structure *structure, struct wanted *wanted, size_t count,
                       size_t *queue)
{
    for (size_t i = 0; i < count; i++) {
        size_t end = 0;
        if (!wanted[i].part) {
            wanted[i].part = i + 1;
            queue[end++] = i;
        }
        for (size_t at = 0; at < end; at++) {
            for (size_t k = 0; k < count; k++) {
                if (!wanted[k].part && are_bonded(structure, &wanted[queue[at]], &wanted[k])) {
                    wanted[k].part = i + 1;
                    queue[end++] = k;
                }
            }
        }
    }
}

/* Copies the types of the molecule's atoms to those of wanted[count] that have none. */
static void copy_types(const struct wanted *wanted, size_t count,
                       const struct berth_molecule *molecule, size_t *typed)
{
    for (size_t m = 0; m < molecule->atom_count; m++) {
        const struct berth_atom *from = &molecule->atoms[m];
        for (size_t i = 0; from->heavy && i < count; i++) {
            struct berth_structure_atom *atom = wanted[i].atom;
            if (!*atom->type &&
                memcmp(atom->position, from->position, sizeof atom->position) == 0) {
                snprintf(atom->type, sizeof atom->type, "%.7s", from->type);
                ++*typed;
            }
        }
    }
}

/* What types a receptor; everything is borrowed. */
struct typing {
    struct berth_bond_finder *finder;
    struct wanted *wanted; /* [count] */
    size_t count;
    const struct berth_structure *metals;
    const struct berth_log *log;
    size_t *typed;
};

static enum berth_status type_part(const struct typing *typing, const struct berth_structure *part,
                                   struct berth_error *error)
{
    struct berth_molecule molecule;
    char residue[BERTH_RESIDUE_TEXT_SIZE], doubt[BERTH_CONTRADICTION_SIZE];
    berth_residue_text(&part->atoms[0].residue, residue);
    if (berth_perceive_molecule(typing->finder, part, &molecule, doubt, error)) {
        char context[128];
        snprintf(context, sizeof context, "the types of %s are not known (try again, or drop it)",
                 residue);
        return berth_fail_in(error, context);
    }
    settle_donors(typing->metals, &molecule);
    copy_types(typing->wanted, typing->count, &molecule, typing->typed);
    berth_molecule_clear(&molecule);
    if (*doubt) {
        berth_warn(
            typing->log, NULL,
            "%s: its types may be wrong, since its bonds are in doubt: %s; give the receptor "
            "as Mol2, or drop the residue",
            residue, doubt);
    }
    return BERTH_OK;
}

static enum berth_status type_parts(const struct typing *typing, struct berth_error *error)
{
    const struct wanted *wanted = typing->wanted;
    const size_t count = typing->count;
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < count; i++) {
        struct berth_structure part = {0};
        for (size_t k = i; !status && wanted[i].part == i + 1 && k < count; k++) {
            if (wanted[k].part == i + 1) {
                status = berth_structure_add(&part, wanted[k].atom, error);
            }
        }
        if (!status && part.count) {
            status = type_part(typing, &part, error);
        }
        berth_structure_clear(&part);
    }
    return status;
}

/* Gives the metals of a residue their types, and lists its other heavy atoms. */
static size_t list_residue(struct berth_structure *structure, struct berth_span span,
                           struct wanted *wanted)
{
    size_t count = 0;
    for (size_t i = span.begin; i < span.end; i++) {
        struct berth_structure_atom *atom = &structure->atoms[i];
        if (berth_is_metal(atom->element) && !*atom->type) {
            berth_metal_type(atom->element, atom->type);
        } else if (!berth_is_metal(atom->element) && !berth_is_hydrogen(atom)) {
            wanted[count++] = (struct wanted){atom, span, 0};
        }
    }
    return count;
}

enum berth_status berth_perceive_types(struct berth_bond_finder *finder,
                                       struct berth_structure *structure,
                                       const struct berth_log *log, size_t *typed,
                                       struct berth_error *error)
{
    struct wanted *wanted = NULL;
    struct berth_structure metals = {0};
    size_t *queue = NULL, count = 0;
    *typed = 0;
    enum berth_status status = berth_make(&wanted, structure->count, sizeof *wanted, NULL, error);
    BERTH_THEN(berth_make(&queue, structure->count, sizeof *queue, NULL, error));
    for (struct berth_span span = berth_residue_at(structure, 0); !status && span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        count += needs_types(structure, span) ? list_residue(structure, span, wanted + count) : 0;
    }
    for (size_t i = 0; !status && i < structure->count; i++) {
        if (berth_is_metal(structure->atoms[i].element)) {
            status = berth_structure_add(&metals, &structure->atoms[i], error);
        }
    }
    if (!status) {
        find_parts(structure, wanted, count, queue);
        const struct typing typing = {finder, wanted, count, &metals, log, typed};
        status = type_parts(&typing, error);
    }
    berth_structure_clear(&metals);
    free(queue);
    free(wanted);
    return status;
}
