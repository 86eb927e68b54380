#include "dock/covalent/covalent_known.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "chem/bonds.h"
#include "chem/polymers.h"
#include "chem/vectors.h"
#include "format/pdb/structure_file.h"
#include "format/receptor_file.h"
#include "format/sdf/sdf.h"
#include "prep/bond_orders.h"
#include "prep/receptor/prepare_structure.h"
#include "prep/receptor/tautomer.h"

/* Seconds for Open Babel. */
#define LIMIT 60.0
/* Å: an atom of a known pose that is nearer to one of the receptor is the same. */
#define SAME 1.0

static enum berth_status refuse(struct berth_error *error, const char *text, const char *why)
{
    return berth_fail_option(error, BERTH_E_USAGE, "covalent", "covalent %s: %s", text, why);
}

/* --- Which ligand it is --- */

/* The molecule that the structure has bonded to an atom of this name of a residue that is selected;
 * 0: none. */
static size_t find_molecule(const struct berth_structure *structure,
                            const struct berth_polymers *polymers,
                            const struct berth_covalent_name *name, size_t *atom)
{
    struct berth_selection selection;
    struct berth_error ignored;
    size_t molecule = 0;
    if (berth_selection_parse(name->selector, &selection, &ignored)) {
        return 0;
    }
    berth_selection_resolve(&selection, structure);
    for (size_t i = 0; !molecule && i < 2 * polymers->link_count; i++) {
        const struct berth_structure_link *link = &polymers->links[i / 2];
        const size_t from = i % 2 ? link->second : link->first;
        *atom = i % 2 ? link->first : link->second;
        if (berth_selection_matches(&selection, &structure->atoms[from].residue) &&
            strcmp(structure->atoms[from].name, name->atom) == 0) {
            molecule = berth_polymers_molecule(polymers, *atom);
        }
    }
    return molecule;
}

enum berth_status berth_covalent_ligand(const char *path, const char *text,
                                        char ligand_id[BERTH_SELECTOR_TEXT],
                                        struct berth_error *error)
{
    struct berth_structure structure = {0};
    struct berth_polymers polymers = {0};
    struct berth_covalent_name name = {0};
    size_t alternates, atom = 0;
    if (!berth_covalent_read_name(text, &name)) {
        return refuse(error, text, "name a residue and its atom, as in A:CYS25:SG");
    }
    if (berth_is_receptor_file(path)) {
        return refuse(
            error, text,
            "a receptor file keeps no ligand: give ligands to dock, or the structure that "
            "has one bonded there");
    }
    enum berth_status status =
        berth_structure_read(path, berth_structure_format_of(path), &structure, error);
    BERTH_THEN(berth_structure_gather(&structure, error));
    BERTH_THEN(berth_alternates_resolve(&structure, &alternates, error));
    BERTH_THEN(berth_polymers_find(&structure, &polymers, error));
    if (!status && find_molecule(&structure, &polymers, &name, &atom)) {
        berth_selector_of(&structure.atoms[atom].residue, ligand_id);
    } else if (!status) {
        status =
            refuse(error, text, "no ligand is bonded to it in the receptor; give ligands to dock");
    }
    berth_polymers_clear(&polymers);
    berth_structure_clear(&structure);
    return status;
}

/* --- As it is docked --- */

/* The atom of the ligand that is bonded to the residue's; SIZE_MAX: none is. */
static size_t find_bonded(const struct berth_structure *ligand, const struct berth_atom *to)
{
    size_t best = SIZE_MAX;
    double nearest = 0;
    for (size_t i = 0; i < ligand->count; i++) {
        const struct berth_structure_atom *atom = &ligand->atoms[i];
        const double distance = berth_distance(atom->position, to->position);
        if (!berth_is_hydrogen(atom) &&
            distance < berth_bond_limit(BERTH_BOND_OF_RESIDUES, atom->element, to->element) &&
            (best == SIZE_MAX || distance < nearest)) {
            best = i;
            nearest = distance;
        }
    }
    return best;
}

/* A copy of the ligand with the residue's atom behind it. */
static enum berth_status add_bonded(const struct berth_structure *ligand,
                                    const struct berth_atom *bonded, size_t to,
                                    struct berth_structure *with, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    struct berth_structure_atom atom = ligand->atoms[to];
    for (size_t i = 0; !status && i < ligand->count; i++) {
        status = berth_structure_add(with, &ligand->atoms[i], error);
    }
    memcpy(atom.position, bonded->position, sizeof atom.position);
    snprintf(atom.name, sizeof atom.name, "%.7s", bonded->name);
    atom.element = bonded->element;
    atom.aromatic = atom.accepts = false;
    *atom.type = '\0';
    BERTH_THEN(berth_structure_add(with, &atom, error));
    return status;
}

/* The SMILES with an element's symbol in the place of each placeholder, as a new text; NULL: no
 * memory. */
static char *without_placeholders(const char *smiles, int element)
{
    struct berth_bytes text = {0};
    for (const char *at = smiles; *at; at++) {
        const bool bracket = strncmp(at, "[*]", 3) == 0;
        if (bracket || *at == '*') {
            const char *symbol = berth_element_symbol(element);
            berth_bytes_put(&text, symbol, strlen(symbol));
            at += bracket ? 2 : 0;
        } else {
            berth_bytes_put8(&text, (uint8_t)*at);
        }
    }
    berth_bytes_put8(&text, 0);
    if (text.failed) {
        berth_bytes_clear(&text);
    }
    return (char *)text.data;
}

/* The record with its bonds, in which the residue's atom, which stands at this place, is a
 * placeholder. */
static enum berth_status mark_placeholder(struct berth_bytes *sdf, const double position[3],
                                          struct berth_error *error)
{
    enum { HEAD = 4, SYMBOL = 31 }; /* lines in front of the atoms; the symbol's column, in V2000 */
    struct berth_molecule molecule = {0};
    size_t atom = 0;
    BERTH_TRY(berth_molfile_read((const char *)sdf->data, sdf->count, &molecule, error));
    for (size_t i = 0; i < molecule.atom_count; i++) {
        if (berth_distance(molecule.atoms[i].position, position) <
            berth_distance(molecule.atoms[atom].position, position)) {
            atom = i;
        }
    }
    berth_molecule_clear(&molecule);
    char *at = (char *)sdf->data, *end = at + sdf->count;
    for (size_t line = 0; at && line < HEAD + atom; line++) {
        at = memchr(at, '\n', (size_t)(end - at));
        at += at != NULL;
    }
    if (at && end - at > SYMBOL + 1) {
        at[SYMBOL] = '*';
        at[SYMBOL + 1] = ' ';
    }
    return BERTH_OK;
}

/* Puts a placeholder at this place, bonded to the atom that stands at another, into the record. */
static enum berth_status put_placeholder(struct berth_bytes *sdf, const double position[3],
                                         const double bonded[3], struct berth_error *error)
{
    enum { HEAD = 4 };
    struct berth_molecule molecule = {0};
    struct berth_bytes made = {0};
    char line[96];
    size_t to = 0;
    BERTH_TRY(berth_molfile_read((const char *)sdf->data, sdf->count, &molecule, error));
    const size_t atoms = molecule.atom_count, bonds = molecule.bond_count;
    for (size_t i = 0; i < atoms; i++) {
        if (berth_distance(molecule.atoms[i].position, bonded) <
            berth_distance(molecule.atoms[to].position, bonded)) {
            to = i;
        }
    }
    berth_molecule_clear(&molecule);
    const char *at = (const char *)sdf->data, *end = at + sdf->count;
    for (size_t number = 0; at < end; number++) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        const size_t size = next ? (size_t)(next - at) + 1 : (size_t)(end - at);
        if (number == HEAD + atoms) {
            snprintf(line, sizeof line,
                     "%10.4f%10.4f%10.4f *   0  0  0  0  0  0  0  0  0  0  0  0\n", position[0],
                     position[1], position[2]);
            berth_bytes_put(&made, line, strlen(line));
        }
        if (number == HEAD + atoms + bonds) {
            snprintf(line, sizeof line, "%3zu%3zu  1  0  0  0  0\n", to + 1, atoms + 1);
            berth_bytes_put(&made, line, strlen(line));
        }
        if (number == HEAD - 1) {
            snprintf(line, sizeof line, "%3zu%3zu", atoms + 1, bonds + 1);
            berth_bytes_put(&made, line, strlen(line));
            berth_bytes_put(&made, at + 6, size - 6);
        } else {
            berth_bytes_put(&made, at, size);
        }
        at += size;
    }
    berth_bytes_clear(sdf);
    *sdf = made;
    return made.failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

/* Its record, with the bonds that are perceived, or those of its own SMILES. */
static enum berth_status find_record(struct berth_bond_finder *finder,
                                     const struct berth_structure *with,
                                     const struct berth_typed_receptor *receptor, const char *own,
                                     size_t to, struct berth_bytes *sdf, struct berth_error *error)
{
    const struct berth_structure_atom *bonded = &with->atoms[with->count - 1];
    struct berth_error why;
    if (!own) {
        BERTH_TRY(berth_cut_ligand_sdf(finder, with, &receptor->molecule, NULL, sdf, error));
        return mark_placeholder(sdf, bonded->position, error);
    }
    char *whole = without_placeholders(own, bonded->element);
    if (!whole) {
        return berth_out_of_memory(error, NULL);
    }
    const struct berth_bonds_request atom = {.structure = with, .smiles = whole},
                                     bare = {.structure = &receptor->cut, .smiles = own};
    enum berth_status status = berth_bond_orders_find(finder, &atom, NULL, sdf, &why);
    free(whole);
    if (!status) {
        status = mark_placeholder(sdf, bonded->position, error);
    } else {
        sdf->count = 0;
        status = berth_bond_orders_find(finder, &bare, NULL, sdf, error);
        BERTH_THEN(put_placeholder(sdf, bonded->position, receptor->cut.atoms[to].position, error));
    }
    return status;
}

enum berth_status berth_covalent_smiles(const struct berth_covalent *covalent,
                                        const struct berth_typed_receptor *receptor,
                                        const char *own, struct berth_bytes *smiles,
                                        struct berth_error *error)
{
    const struct berth_structure *ligand = &receptor->cut;
    const struct berth_atom *bonded = &covalent->atoms[covalent->bonded];
    struct berth_bond_finder finder = {0};
    struct berth_structure with = {0};
    struct berth_bytes sdf = {0};
    const size_t to = find_bonded(ligand, bonded);
    if (to == SIZE_MAX) {
        return berth_fail_option(
            error, BERTH_E_USAGE, "covalent",
            "covalent: %s, the ligand that was cut out, is not bonded to %s of "
            "%s; give ligands to dock, or the atom that it is bonded to",
            ligand->title, covalent->atom, covalent->text);
    }
    enum berth_status status = add_bonded(ligand, bonded, to, &with, error);
    BERTH_THEN(find_record(&finder, &with, receptor, own, to, &sdf, error));
    BERTH_THEN(berth_bond_finder_smiles(&finder, &sdf, smiles, error));
    berth_bond_finder_clear(&finder);
    berth_structure_clear(&with);
    berth_bytes_clear(&sdf);
    return status;
}

/* --- What RMSDs are measured to --- */

/* Whether the molecule holds the atom of the residue itself. */
static bool holds(const struct berth_molecule *molecule, const struct berth_atom *bonded)
{
    bool found = false;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        found = found || (molecule->atoms[i].element == bonded->element &&
                          berth_distance(molecule->atoms[i].position, bonded->position) < SAME);
    }
    return found;
}

/* The heavy atom that is bonded to the residue's, and to none of its; SIZE_MAX: none. */
static size_t find_end(const struct berth_molecule *molecule, const struct berth_atom *bonded)
{
    size_t best = SIZE_MAX;
    double nearest = 0;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const struct berth_atom *atom = &molecule->atoms[i];
        const double distance = berth_distance(atom->position, bonded->position);
        if (atom->heavy && atom->element > 1 && (best == SIZE_MAX || distance < nearest) &&
            distance < berth_bond_limit(BERTH_BOND_OF_RESIDUES, atom->element, bonded->element)) {
            best = i;
            nearest = distance;
        }
    }
    return best;
}

/* Room for the side chain behind the molecule's atoms and bonds. */
static enum berth_status make_room(const struct berth_covalent *covalent,
                                   struct berth_molecule *molecule, struct berth_error *error)
{
    struct berth_atom *atoms = NULL;
    struct berth_bond *bonds = NULL;
    const size_t most_bonds = (size_t)BERTH_COVALENT_ATOMS_MAX * 4;
    BERTH_TRY(
        berth_make(&atoms, molecule->atom_count + covalent->count, sizeof *atoms, NULL, error));
    const enum berth_status status =
        berth_make(&bonds, molecule->bond_count + most_bonds, sizeof *bonds, NULL, error);
    if (status) {
        free(atoms);
        return status;
    }
    memcpy(atoms, molecule->atoms, molecule->atom_count * sizeof *atoms);
    if (molecule->bond_count) {
        memcpy(bonds, molecule->bonds, molecule->bond_count * sizeof *bonds);
    }
    free(molecule->atoms);
    free(molecule->bonds);
    molecule->atoms = atoms;
    molecule->bonds = bonds;
    return BERTH_OK;
}

static void add_bond(struct berth_molecule *molecule, size_t first, size_t second)
{
    molecule->bonds[molecule->bond_count++] =
        (struct berth_bond){.first = first, .second = second, .type = "1", .order = 1};
}

/* Leaves out of a known pose what it has of the residue's backbone, but for CA. */
static void drop_backbone(const struct berth_covalent *covalent, struct berth_molecule *molecule)
{
    const struct berth_heavy_atoms *frame = &covalent->frame.heavy; /* CA, CB, and the backbone */
    for (size_t i = 0; i < molecule->atom_count; i++) {
        bool there = false;
        for (size_t k = 2; k < frame->count; k++) {
            there = there ||
                    berth_distance(molecule->atoms[i].position, frame->atoms[k].position) < SAME;
        }
        molecule->atoms[i].heavy = molecule->atoms[i].heavy && !there;
        for (size_t b = 0; there && b < molecule->bond_count; b++) {
            if (molecule->bonds[b].first == i || molecule->bonds[b].second == i) {
                snprintf(molecule->bonds[b].type, sizeof molecule->bonds[b].type, "nc");
            }
        }
    }
}

enum berth_status berth_covalent_complete(const struct berth_covalent *covalent,
                                          struct berth_molecule *molecule,
                                          struct berth_error *error)
{
    const struct berth_atom *bonded = &covalent->atoms[covalent->bonded];
    drop_backbone(covalent, molecule);
    const size_t end = holds(molecule, bonded) ? SIZE_MAX : find_end(molecule, bonded);
    if (end == SIZE_MAX) {
        return BERTH_OK;
    }
    BERTH_TRY(make_room(covalent, molecule, error));
    const size_t first = molecule->atom_count;
    for (size_t i = 0; i < covalent->count; i++) {
        molecule->atoms[molecule->atom_count++] = covalent->atoms[i];
        for (size_t j = 0; j < i; j++) {
            if (covalent->bonds[i] >> j & 1) {
                add_bond(molecule, first + j, first + i);
            }
        }
    }
    add_bond(molecule, end, first + covalent->bonded);
    return BERTH_OK;
}
