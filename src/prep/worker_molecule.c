#include "prep/worker_molecule.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "chem/type_rules.h"

/* Mol2's names of the types of bonds in a record, from 1. */
static const char *const BOND_TYPES[] = {NULL, "1", "2", "3", "ar", "am"};
enum { BOND_TYPE_COUNT = sizeof BOND_TYPES / sizeof *BOND_TYPES };

enum { ATOM_SIZE = 8, BOND_SIZE = 6, PLACE_SIZE = 24 };

static const char RESIDUE[] = "UNL1";

bool berth_worker_atom_read(struct berth_cursor *cursor, struct berth_worker_atom *atom)
{
    memset(atom, 0, sizeof *atom);
    atom->element = berth_cursor_get8(cursor);
    atom->charge = (int8_t)berth_cursor_get8(cursor);
    const unsigned char *type = berth_cursor_take(cursor, sizeof atom->type - 1);
    if (!type) {
        return false;
    }
    memcpy(atom->type, type, sizeof atom->type - 1);
    for (size_t i = 0; i + 1 < sizeof atom->type; i++) {
        const bool ended = i >= strlen(atom->type);
        if (ended ? type[i] != 0 : type[i] <= ' ' || type[i] > '~') {
            return false;
        }
    }
    return !atom->element || berth_element_of_type(atom->type) == atom->element;
}

bool berth_worker_bond_read(struct berth_cursor *cursor, size_t atoms,
                            struct berth_worker_bond *bond)
{
    bond->first = berth_cursor_get16(cursor);
    bond->second = berth_cursor_get16(cursor);
    bond->order = berth_cursor_get8(cursor);
    const uint8_t type = berth_cursor_get8(cursor);
    if (bond->first >= atoms || bond->second >= atoms || bond->first == bond->second ||
        bond->order < 1 || bond->order > 3 || type < 1 || type >= BOND_TYPE_COUNT) {
        return false;
    }
    memcpy(bond->type, BOND_TYPES[type], strlen(BOND_TYPES[type]) + 1);
    return true;
}

void berth_worker_atom_put(const struct berth_worker_atom *atom, struct berth_molecule *molecule,
                           size_t place)
{
    struct berth_atom *put = &molecule->atoms[place];
    put->element = atom->element;
    put->heavy = atom->element != HYDROGEN;
    put->charge = atom->charge;
    put->residue_id = 1;
    snprintf(put->name, sizeof put->name, "%s", berth_element_symbol(atom->element));
    snprintf(put->type, sizeof put->type, "%s", atom->type);
    memcpy(put->residue, RESIDUE, sizeof RESIDUE);
}

/* Reads atoms and bonds into a molecule that has room for them; false where they make no sense. */
static bool read_graph(struct berth_cursor *cursor, size_t bonds, struct berth_molecule *molecule)
{
    struct berth_worker_atom atom;
    struct berth_worker_bond bond;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        if (!berth_worker_atom_read(cursor, &atom) || !atom.element) {
            return false;
        }
        berth_worker_atom_put(&atom, molecule, i);
    }
    for (; molecule->bond_count < bonds; molecule->bond_count++) {
        struct berth_bond *put = &molecule->bonds[molecule->bond_count];
        if (!berth_worker_bond_read(cursor, molecule->atom_count, &bond)) {
            return false;
        }
        *put = (struct berth_bond){.first = bond.first, .second = bond.second, .order = bond.order};
        memcpy(put->type, bond.type, sizeof bond.type);
    }
    return true;
}

static bool read_place(struct berth_cursor *cursor, double position[3])
{
    for (int k = 0; k < 3; k++) {
        position[k] = berth_cursor_get_double(cursor);
    }
    return isfinite(position[0]) && isfinite(position[1]) && isfinite(position[2]);
}

static enum berth_status make_room(size_t atoms, size_t bonds, size_t structures,
                                   struct berth_molecule *molecule, struct berth_conformers *all,
                                   struct berth_error *error)
{
    molecule->atom_count = atoms;
    molecule->has_orders = true;
    BERTH_TRY(berth_make(&molecule->title, 1, 1, NULL, error));
    BERTH_TRY(berth_make(&molecule->atoms, atoms, sizeof *molecule->atoms, NULL, error));
    BERTH_TRY(berth_make(&molecule->bonds, bonds, sizeof *molecule->bonds, NULL, error));
    if (!all) {
        return BERTH_OK;
    }
    *all = (struct berth_conformers){.count = structures, .atom_count = atoms};
    return berth_make(&all->positions, structures * atoms, sizeof *all->positions, NULL, error);
}

enum berth_status berth_worker_molecule_read(const void *record, size_t size,
                                             struct berth_molecule *molecule,
                                             struct berth_conformers *structures,
                                             struct berth_error *error)
{
    struct berth_cursor cursor = berth_cursor_over(record, size);
    const size_t atoms = berth_cursor_get16(&cursor), bonds = berth_cursor_get16(&cursor);
    const size_t count = berth_cursor_get16(&cursor);
    const size_t needed = 6 + ATOM_SIZE * atoms + BOND_SIZE * bonds + PLACE_SIZE * atoms * count;
    memset(molecule, 0, sizeof *molecule);
    if (structures) {
        memset(structures, 0, sizeof *structures);
    }
    bool good = atoms && count && size == needed;
    if (good) {
        BERTH_TRY(make_room(atoms, bonds, count, molecule, structures, error));
        good = read_graph(&cursor, bonds, molecule);
    }
    for (size_t i = 0; good && i < atoms * count; i++) {
        double position[3];
        good = read_place(&cursor, position);
        if (i < atoms) {
            memcpy(molecule->atoms[i].position, position, sizeof position);
        }
        if (structures) {
            memcpy(structures->positions[i], position, sizeof position);
        }
    }
    return good ? BERTH_OK : berth_worker_bad_answer(error);
}

enum berth_status berth_worker_stand(struct berth_worker *worker, const struct berth_stand *wanted,
                                     struct berth_molecule *molecule, struct berth_error *error)
{
    struct berth_answer answer = {0};
    char options[32] = "";
    memset(molecule, 0, sizeof *molecule);
    if (!isnan(wanted->ph)) {
        snprintf(options, sizeof options, "ph=%.17g\n", wanted->ph);
    }
    const struct berth_request request = {
        .fields = {berth_text_field("stand"), berth_text_field(options), wanted->sdf},
        .count = 3,
        .limit = wanted->limit,
        .used = wanted->used};
    enum berth_status status = berth_worker_ask(worker, &request, &answer, error);
    BERTH_THEN(answer.count == 2 ? BERTH_OK : berth_worker_bad_answer(error));
    BERTH_THEN(berth_worker_molecule_read(answer.fields[1].data, answer.fields[1].size, molecule,
                                          NULL, error));
    BERTH_THEN(berth_types_correct(molecule, error));
    berth_answer_clear(&answer);
    if (status) {
        berth_molecule_clear(molecule);
    }
    return status;
}
