#include "format/mol2/mol2_internal.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/fields.h"

/* The most that a counts line can make us allocate before there are lines to justify it. */
enum { FIRST_CAPACITY = 512 };

/* Joining continued lines would need a copy of each; programs that write Mol2 do not make them. */
static enum berth_status check_continuation(const struct berth_mol2_reader *reader,
                                            const char *line, struct berth_error *error)
{
    size_t length = strlen(line);
    if (length && line[length - 1] == '\\') {
        return berth_mol2_refuse(
            reader, error,
            "a line that goes on behind a backslash is not supported; join the two lines");
    }
    return BERTH_OK;
}

static enum berth_status read_position(const struct berth_mol2_reader *reader, const char **cursor,
                                       struct berth_atom *atom, struct berth_error *error)
{
    for (int axis = 0; axis < 3; axis++) {
        struct berth_field field;
        if (!berth_field_next(cursor, &field)) {
            return berth_mol2_refuse(
                reader, error,
                "the atom line ends early; number, name, x, y, z and type are needed");
        }
        if (!berth_field_real(&field, &atom->position[axis])) {
            return berth_mol2_refuse(
                reader, error, "atom %s: '%.*s' is not a coordinate; a finite number is needed",
                atom->name, berth_field_shown(&field), field.text);
        }
        if (fabs(atom->position[axis]) > BERTH_COORDINATE_MAX) {
            return berth_mol2_refuse(
                reader, error, "atom %s: the coordinate %.*s is beyond %.0f Å; correct it",
                atom->name, berth_field_shown(&field), field.text, BERTH_COORDINATE_MAX);
        }
    }
    return BERTH_OK;
}

/* The columns behind the type, all optional: substructure number and name. */
static enum berth_status read_residue(const struct berth_mol2_reader *reader, const char **cursor,
                                      struct berth_atom *atom, struct berth_error *error)
{
    struct berth_field field;
    if (!berth_field_next(cursor, &field)) {
        return BERTH_OK;
    }
    if (!berth_field_integer(&field, &atom->residue_id)) {
        return berth_mol2_refuse(
            reader, error,
            "atom %s: '%.*s' is not a substructure number; the column behind the type "
            "must hold one",
            atom->name, berth_field_shown(&field), field.text);
    }
    /* Only names of amino acids are ever looked up: a long name of a ligand may be cut. */
    if (berth_field_next(cursor, &field)) {
        berth_field_copy(&field, atom->residue, sizeof atom->residue);
    }
    return BERTH_OK;
}

static bool is_lone_pair(const char *type)
{
    return toupper((unsigned char)type[0]) == 'L' && toupper((unsigned char)type[1]) == 'P' &&
           type[2] == '\0';
}

static enum berth_status read_atom(const struct berth_mol2_reader *reader, const char *line,
                                   int *id, struct berth_atom *atom, struct berth_error *error)
{
    const char *cursor = line;
    struct berth_field field;
    memset(atom, 0, sizeof *atom);
    berth_field_next(&cursor, &field);
    if (!berth_field_integer(&field, id) || *id < 0) {
        return berth_mol2_refuse(reader, error,
                                 "'%.*s' is not an atom number; an atom line must begin with it",
                                 berth_field_shown(&field), field.text);
    }
    berth_field_next(&cursor, &field);
    if (!berth_field_copy(&field, atom->name, sizeof atom->name)) {
        return berth_mol2_refuse(reader, error,
                                 "the atom name '%.*s' is longer than %d characters; shorten it",
                                 berth_field_shown(&field), field.text, BERTH_NAME_SIZE - 1);
    }
    enum berth_status status = read_position(reader, &cursor, atom, error);
    if (status) {
        return status;
    }
    if (!berth_field_next(&cursor, &field)) {
        return berth_mol2_refuse(
            reader, error, "atom %s has no type; it belongs behind the coordinates", atom->name);
    }
    if (!berth_field_copy(&field, atom->type, sizeof atom->type)) {
        return berth_mol2_refuse(
            reader, error, "atom %s: the type '%.*s' is longer than %d characters", atom->name,
            berth_field_shown(&field), field.text, BERTH_NAME_SIZE - 1);
    }
    atom->element = berth_element_of_type(atom->type);
    atom->heavy = atom->element != 1 && !is_lone_pair(atom->type);
    return read_residue(reader, &cursor, atom, error);
}

static int compare_ids(const void *left, const void *right)
{
    const struct berth_numbered *a = left, *b = right;
    return (a->id > b->id) - (a->id < b->id);
}

/* Makes the atoms' numbers ready for look-up; each must be there once. */
static enum berth_status index_ids(struct berth_mol2_reader *reader, struct berth_error *error)
{
    size_t count = reader->molecule->atom_count;
    if (reader->counts_from_one) {
        return BERTH_OK;
    }
    qsort(reader->numbered, count, sizeof *reader->numbered, compare_ids);
    for (size_t i = 1; i < count; i++) {
        if (reader->numbered[i].id == reader->numbered[i - 1].id) {
            return berth_mol2_refuse(reader, error,
                                     "two atoms have the number %d; number the atoms differently",
                                     reader->numbered[i].id);
        }
    }
    return BERTH_OK;
}

static enum berth_status check_atom_count(const struct berth_mol2_reader *reader, bool at_end,
                                          struct berth_error *error)
{
    size_t declared = (size_t)reader->atoms_declared, count = reader->molecule->atom_count;
    if (at_end && count < declared) {
        return berth_mol2_refuse(
            reader, error,
            "the file ends inside its ATOM section (%zu of %zu atoms); it was cut off, "
            "fetch or write it again",
            count, declared);
    }
    if (count != declared) {
        return berth_mol2_refuse(
            reader, error,
            "the counts line says %zu atoms, but the ATOM section holds %zu; write the "
            "molecule again",
            declared, count);
    }
    return BERTH_OK;
}

/* True where nothing follows the section just read. */
static enum berth_status is_at_end(struct berth_mol2_reader *reader, bool *at_end,
                                   struct berth_error *error)
{
    char *line = NULL;
    enum berth_status status = berth_mol2_line(reader, &line, error);
    *at_end = !line;
    if (!status && line) {
        berth_text_reader_unread(reader->text);
    }
    return status;
}

/* Makes room for one more atom. */
static enum berth_status reserve_atom(struct berth_mol2_reader *reader, struct berth_error *error)
{
    struct berth_molecule *molecule = reader->molecule;
    size_t needed = molecule->atom_count + 1;
    if (needed > BERTH_ATOMS_MAX) {
        return berth_mol2_refuse(reader, error,
                                 "more than %d atoms, the most that are read; cut it down",
                                 BERTH_ATOMS_MAX);
    }
    if (needed == 1) {
        needed = (size_t)reader->atoms_declared;
        needed = needed < FIRST_CAPACITY ? needed : FIRST_CAPACITY;
    }
    enum berth_status status = berth_reserve(&molecule->atoms, &reader->atom_capacity, needed,
                                             sizeof *molecule->atoms, error);
    BERTH_THEN(berth_reserve(&reader->numbered, &reader->numbered_capacity, needed,
                             sizeof *reader->numbered, error));
    return status;
}

enum berth_status berth_mol2_read_atoms(struct berth_mol2_reader *reader, struct berth_error *error)
{
    struct berth_molecule *molecule = reader->molecule;
    if (reader->has_atoms) {
        return berth_mol2_refuse(reader, error, "a second ATOM section; a molecule has one");
    }
    reader->has_atoms = true;
    reader->counts_from_one = true;
    for (;;) {
        char *line = NULL;
        enum berth_status status = berth_mol2_section_line(reader, &line, error);
        if (status) {
            return status;
        }
        if (!line) {
            break;
        }
        status = reserve_atom(reader, error);
        BERTH_THEN(check_continuation(reader, line, error));
        struct berth_numbered *numbered = &reader->numbered[molecule->atom_count];
        BERTH_THEN(
            read_atom(reader, line, &numbered->id, &molecule->atoms[molecule->atom_count], error));
        if (status) {
            return status;
        }
        numbered->index = molecule->atom_count++;
        reader->counts_from_one =
            reader->counts_from_one && (size_t)numbered->id == molecule->atom_count;
    }
    bool at_end;
    enum berth_status status = is_at_end(reader, &at_end, error);
    BERTH_THEN(check_atom_count(reader, at_end, error));
    return status ? status : index_ids(reader, error);
}

/* The atom with this number; false where there is none. */
static bool find_atom(const struct berth_mol2_reader *reader, int id, size_t *index)
{
    size_t count = reader->molecule->atom_count;
    if (reader->counts_from_one) {
        *index = (size_t)id - 1;
        return id >= 1 && (size_t)id <= count;
    }
    struct berth_numbered key = {id, 0};
    const struct berth_numbered *found =
        bsearch(&key, reader->numbered, count, sizeof *reader->numbered, compare_ids);
    *index = found ? found->index : 0;
    return found != NULL;
}

static enum berth_status read_bond_type(const struct berth_mol2_reader *reader,
                                        const struct berth_field *field, struct berth_bond *bond,
                                        struct berth_error *error)
{
    static const char *const TYPES[] = {"1", "2", "3", "ar", "am", "du", "un", "nc"};
    if (berth_field_copy(field, bond->type, sizeof bond->type)) {
        for (char *c = bond->type; *c; c++) {
            *c = (char)tolower((unsigned char)*c);
        }
        for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++) {
            if (strcmp(bond->type, TYPES[i]) == 0) {
                return BERTH_OK;
            }
        }
    }
    return berth_mol2_refuse(reader, error,
                             "'%.*s' is not a bond type; 1, 2, 3, ar, am, du, un and nc are known",
                             berth_field_shown(field), field->text);
}

static enum berth_status read_bond(const struct berth_mol2_reader *reader, const char *line,
                                   struct berth_bond *bond, struct berth_error *error)
{
    const char *cursor = line;
    struct berth_field field;
    berth_field_next(&cursor, &field); /* the bond's own number is not needed */
    size_t *ends[] = {&bond->first, &bond->second};
    for (int i = 0; i < 2; i++) {
        int id;
        if (!berth_field_next(&cursor, &field)) {
            return berth_mol2_refuse(
                reader, error, "the bond line ends early; number, two atoms and type are needed");
        }
        if (!berth_field_integer(&field, &id) || !find_atom(reader, id, ends[i])) {
            return berth_mol2_refuse(
                reader, error,
                "a bond to atom '%.*s', which the molecule does not have; correct or "
                "remove it",
                berth_field_shown(&field), field.text);
        }
    }
    if (bond->first == bond->second) {
        return berth_mol2_refuse(reader, error, "a bond of atom %.*s with itself; remove it",
                                 berth_field_shown(&field), field.text);
    }
    if (!berth_field_next(&cursor, &field)) {
        return berth_mol2_refuse(reader, error,
                                 "a bond without a type; it belongs behind the two atoms");
    }
    return read_bond_type(reader, &field, bond, error);
}

static int compare_pairs(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* Two bonds between one pair of atoms would spoil valences and what reads our output. */
static enum berth_status check_bonds(struct berth_mol2_reader *reader, bool at_end,
                                     struct berth_error *error)
{
    const struct berth_molecule *molecule = reader->molecule;
    size_t count = molecule->bond_count;
    if (reader->bonds_declared != BERTH_MOL2_ABSENT && count != (size_t)reader->bonds_declared) {
        return berth_mol2_refuse(
            reader, error,
            at_end && count < (size_t)reader->bonds_declared
                ? "the file ends inside its BOND section (%zu of %d bonds); it was cut "
                  "off, fetch or write it again"
                : "its BOND section holds %zu bonds, but the counts line says %d; write "
                  "the molecule again",
            count, reader->bonds_declared);
    }
    if (count == 0) {
        return BERTH_OK; /* qsort takes no NULL */
    }
    enum berth_status status =
        berth_reserve(&reader->pairs, &reader->pair_capacity, count, sizeof *reader->pairs, error);
    if (status) {
        return status;
    }
    for (size_t i = 0; i < count; i++) {
        size_t a = molecule->bonds[i].first, b = molecule->bonds[i].second;
        reader->pairs[i] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    }
    qsort(reader->pairs, count, sizeof *reader->pairs, compare_pairs);
    for (size_t i = 1; i < count; i++) {
        if (reader->pairs[i] == reader->pairs[i - 1]) {
            return berth_mol2_refuse(reader, error, "two bonds between atoms %s and %s; remove one",
                                     molecule->atoms[reader->pairs[i] >> 32].name,
                                     molecule->atoms[reader->pairs[i] & 0xffffffff].name);
        }
    }
    return BERTH_OK;
}

enum berth_status berth_mol2_read_bonds(struct berth_mol2_reader *reader, struct berth_error *error)
{
    struct berth_molecule *molecule = reader->molecule;
    if (!reader->has_atoms) {
        return berth_mol2_refuse(reader, error,
                                 "its BOND section stands in front of the ATOM section; move it");
    }
    if (reader->has_bonds) {
        return berth_mol2_refuse(reader, error, "a second BOND section; a molecule has one");
    }
    reader->has_bonds = true;
    for (;;) {
        char *line = NULL;
        enum berth_status status = berth_mol2_section_line(reader, &line, error);
        if (status) {
            return status;
        }
        if (!line) {
            break;
        }
        size_t needed = molecule->bond_count + 1;
        if (needed == 1 && reader->bonds_declared > 0) {
            needed = reader->bonds_declared < FIRST_CAPACITY ? (size_t)reader->bonds_declared
                                                             : FIRST_CAPACITY;
        }
        status = check_continuation(reader, line, error);
        BERTH_THEN(berth_reserve(&molecule->bonds, &reader->bond_capacity, needed,
                                 sizeof *molecule->bonds, error));
        BERTH_THEN(read_bond(reader, line, &molecule->bonds[molecule->bond_count], error));
        if (status) {
            return status;
        }
        molecule->bond_count++;
    }
    bool at_end;
    enum berth_status status = is_at_end(reader, &at_end, error);
    return status ? status : check_bonds(reader, at_end, error);
}
