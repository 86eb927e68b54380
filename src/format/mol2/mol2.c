#include "format/mol2/mol2.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/fields.h"
#include "base/memory.h"
#include "base/text.h"
#include "chem/molecule.h"

/* --- Types of GAFF and Amber in place of SYBYL's --- */

/* Mol2 whose types are those of GAFF ("ca", "hc") or of Amber's force fields ("CT", "HC"), as
 * AmberTools write it, in place of SYBYL's. */

/* Types of GAFF and GAFF2. */
static const char GAFF[] =
    "c c1 c2 c3 c5 c6 ca cc cd ce cf cg ch cp cq cs cu cv cx cy cz h1 h2 h3 h4 h5 ha hc hn ho hp "
    "hs hw hx n n1 n2 n3 n4 n5 n6 n7 n8 n9 n+ na nb nc nd ne nf nh ni nj nk nl nm nn no np nq ns "
    "nt nu nv nx ny nz o oh op oq os ow p2 p3 p4 p5 pb pc pd pe pf px py s s2 s4 s6 sh sp sq ss "
    "sx sy f cl br i";

/* Types of Amber's force fields for proteins and nucleic acids that are of C, H, N, O, P or S. */
static const char AMBER[] =
    "C C* C4 C5 C8 2C 3C CA CB CC CD CI CK CM CN CO CP CQ CR CS CT CV CW CX CY CZ TC TP H H0 H1 H2 "
    "H3 H4 H5 HA HC HO HP HS HW HZ N N* N2 N3 NA NB NC ND NP NQ NT NY O O2 O3 OH OP OS OW P S SH";

/* Of both, the carbons that have a double bond, or an aromatic one, or a triple one. */
static const char UNSATURATED[] =
    "c c1 c2 ca cc cd ce cf cg ch cp cq cs cu cv cz C C* CA CB CC CK CM CN CO CP CQ CR CS CV CW";

static bool is_foreign(const char *type)
{
    return berth_text_lists(islower((unsigned char)*type) ? GAFF : AMBER, ' ', type);
}

/* True for types that no SYBYL type is called, whatever its case: no element. */
static bool is_telling(const char *type)
{
    return is_foreign(type) && (!berth_element_of_type(type) || islower((unsigned char)*type));
}

/* The element of a type of theirs: its first letter, but for chlorine and bromine. */
static int element_of(const char *type)
{
    const bool two = strcmp(type, "cl") == 0 || strcmp(type, "br") == 0;
    const char *letter = strcmp(type, "TC") == 0 || strcmp(type, "TP") == 0
                             ? "C"
                             : type + strspn(type, "0123456789");
    return berth_element_of_type(two ? type : (const char[]){*letter, '\0'});
}

/* Gives an atom the element of its type, if that is one of theirs. */
static void set_element(struct berth_atom *atom)
{
    if (is_foreign(atom->type)) {
        atom->element = element_of(atom->type);
    }
}

static bool has_foreign(const struct berth_molecule *molecule)
{
    bool caller = false;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        if (strchr(molecule->atoms[i].type, '.')) {
            return false; /* SYBYL's */
        }
        caller = caller || is_telling(molecule->atoms[i].type);
    }
    return caller;
}

/* True where all bonds are single, as programs write who know no orders, but the types are not. */
static bool lacks_orders(const struct berth_molecule *molecule)
{
    bool unsaturated = false;
    for (size_t i = 0; i < molecule->bond_count; i++) {
        const struct berth_bond *bond = &molecule->bonds[i];
        if (strcmp(bond->type, "1") != 0) {
            return false;
        }
        unsaturated = unsaturated ||
                      berth_text_lists(UNSATURATED, ' ', molecule->atoms[bond->first].type) ||
                      berth_text_lists(UNSATURATED, ' ', molecule->atoms[bond->second].type);
    }
    return unsaturated;
}

/* Where the molecule's types are such: sets its foreign_types and lacks_orders, gives its atoms the
 * elements that these types are of, and as types their symbols.  "ca" is carbon where it is bonded,
 * "na" nitrogen. */
static void amber_types_read(struct berth_molecule *molecule)
{
    molecule->foreign_types = has_foreign(molecule);
    if (!molecule->foreign_types) {
        return;
    }
    molecule->lacks_orders = lacks_orders(molecule);
    for (size_t i = 0; i < molecule->bond_count; i++) {
        set_element(&molecule->atoms[molecule->bonds[i].first]);
        set_element(&molecule->atoms[molecule->bonds[i].second]);
    }
    for (size_t i = 0; i < molecule->atom_count; i++) {
        struct berth_atom *atom = &molecule->atoms[i];
        if (!atom->element) { /* without bonds "CA" is an ion */
            set_element(atom);
        }
        if (atom->element) {
            atom->heavy = atom->element != HYDROGEN;
            snprintf(atom->type, sizeof atom->type, "%s", berth_element_symbol(atom->element));
        }
    }
}

enum {
    BONDS_MAX = 4 * BERTH_ATOMS_MAX,
    ABSENT = -1,         /* a count that the counts line does not give */
    FIRST_CAPACITY = 512 /* the most that a counts line can make us allocate before there are lines
                            to justify it */
};

/* An atom's number in the file and its index, for files that do not count 1, 2, 3 ... */
struct numbered {
    int id;
    size_t index;
};

struct berth_mol2_reader {
    struct berth_text_reader *text; /* owned */
    bool broken;                    /* an error ended the file */
    size_t ordinal;                 /* molecules met so far, bad ones too */

    /* The molecule being read. */
    struct berth_molecule *molecule; /* borrowed */
    int atoms_declared;
    int bonds_declared; /* ABSENT where not given */
    bool has_atoms, has_bonds, counts_from_one;
    size_t atom_capacity, bond_capacity;

    /* Scratch, kept from molecule to molecule; owned. */
    struct numbered *numbered; /* [atom_count] */
    size_t numbered_capacity;
    uint64_t *pairs; /* [bond_count], both ends of a bond in one word */
    size_t pair_capacity;
};

/* --- Lines, and refusing them --- */

#define SECTION_MARK "@<TRIPOS>"

enum { MARK_SIZE = sizeof SECTION_MARK - 1 };

/* Behind the mark that a section begins with; NULL where the line has none. */
static const char *behind_mark(const char *line)
{
    line += strspn(line, " \t");
    return strncasecmp(line, SECTION_MARK, MARK_SIZE) == 0 ? line + MARK_SIZE : NULL;
}

bool berth_mol2_opens(const char *line, const char *section)
{
    const char *name = behind_mark(line);
    const size_t length = strlen(section);
    return name && strncasecmp(name, section, length) == 0 &&
           name[length + strspn(name + length, " \t")] == '\0';
}

/* BERTH_E_FORMAT for the molecule being read: "file:line: molecule TITLE: " and the reason. */
static __attribute__((format(printf, 3, 4))) enum berth_status
refuse(const struct berth_mol2_reader *reader, struct berth_error *error, const char *format, ...)
{
    char reason[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return berth_text_reader_refuse(reader->text, error, "molecule %.200s: %s",
                                    reader->molecule->title, reason);
}

/* The next line, NULL at the end of the file; an error breaks the reader. */
static enum berth_status next_line(struct berth_mol2_reader *reader, char **line,
                                   struct berth_error *error)
{
    enum berth_status status = berth_text_reader_next(reader->text, line, error);
    reader->broken = reader->broken || berth_text_reader_is_broken(reader->text);
    return status;
}

/* The next line of the section that has content; NULL at the section's end, where the line that
 * ended it, if any, is left to be read again. */
static enum berth_status next_section_line(struct berth_mol2_reader *reader, char **line,
                                           struct berth_error *error)
{
    enum berth_status status;
    do {
        status = next_line(reader, line, error);
    } while (!status && *line && berth_line_is_void(*line));
    if (!status && *line && (**line == '@' || behind_mark(*line))) {
        berth_text_reader_unread(reader->text);
        *line = NULL;
    }
    return status;
}

/* --- Atoms and bonds --- */

static enum berth_status read_position(const struct berth_mol2_reader *reader, const char **cursor,
                                       struct berth_atom *atom, struct berth_error *error)
{
    for (int axis = 0; axis < 3; axis++) {
        struct berth_field field;
        if (!berth_field_next(cursor, &field)) {
            return refuse(reader, error,
                          "the atom line ends early; number, name, x, y, z and type are needed");
        }
        if (!berth_field_real(&field, &atom->position[axis])) {
            return refuse(reader, error,
                          "atom %s: '%.*s' is not a coordinate; a finite number is needed",
                          atom->name, berth_field_shown(&field), field.text);
        }
        if (fabs(atom->position[axis]) > BERTH_COORDINATE_MAX) {
            return refuse(reader, error,
                          "atom %s: the coordinate %.*s is beyond %.0f Å; correct it", atom->name,
                          berth_field_shown(&field), field.text, BERTH_COORDINATE_MAX);
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
        return refuse(reader, error,
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
        return refuse(reader, error,
                      "'%.*s' is not an atom number; an atom line must begin with it",
                      berth_field_shown(&field), field.text);
    }
    berth_field_next(&cursor, &field);
    if (!berth_field_copy(&field, atom->name, sizeof atom->name)) {
        return refuse(reader, error,
                      "the atom name '%.*s' is longer than %d characters; shorten it",
                      berth_field_shown(&field), field.text, BERTH_NAME_SIZE - 1);
    }
    BERTH_TRY(read_position(reader, &cursor, atom, error));
    if (!berth_field_next(&cursor, &field)) {
        return refuse(reader, error, "atom %s has no type; it belongs behind the coordinates",
                      atom->name);
    }
    if (!berth_field_copy(&field, atom->type, sizeof atom->type)) {
        return refuse(reader, error, "atom %s: the type '%.*s' is longer than %d characters",
                      atom->name, berth_field_shown(&field), field.text, BERTH_NAME_SIZE - 1);
    }
    atom->element = berth_element_of_type(atom->type);
    atom->heavy = atom->element != HYDROGEN && !is_lone_pair(atom->type);
    return read_residue(reader, &cursor, atom, error);
}

static int compare_ids(const void *left, const void *right)
{
    const struct numbered *a = left, *b = right;
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
            return refuse(reader, error,
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
        return refuse(reader, error,
                      "the file ends inside its ATOM section (%zu of %zu atoms); it was cut off, "
                      "fetch or write it again",
                      count, declared);
    }
    if (count != declared) {
        return refuse(reader, error,
                      "the counts line says %zu atoms, but the ATOM section holds %zu; write the "
                      "molecule again",
                      declared, count);
    }
    return BERTH_OK;
}

/* What the count of a section's first line makes room for; later ones: for one more. */
static size_t first_capacity(size_t count, int declared)
{
    return count || declared <= 0 ? count + 1 : (size_t)fmin(declared, FIRST_CAPACITY);
}

/* Gives each line of the section that comes next to `add`; *at_end where nothing follows it. */
static enum berth_status read_section(struct berth_mol2_reader *reader,
                                      enum berth_status (*add)(struct berth_mol2_reader *reader,
                                                               const char *line,
                                                               struct berth_error *error),
                                      bool *at_end, struct berth_error *error)
{
    char *line = NULL;
    for (;;) {
        BERTH_TRY(next_section_line(reader, &line, error));
        if (!line) {
            break;
        }
        /* Joining the lines would need a copy of each; programs that write Mol2 do not cut them. */
        const size_t length = strlen(line);
        if (length && line[length - 1] == '\\') {
            return refuse(
                reader, error,
                "a line that goes on behind a backslash is not supported; join the two lines");
        }
        BERTH_TRY(add(reader, line, error));
    }
    BERTH_TRY(next_line(reader, &line, error));
    *at_end = !line;
    if (line) {
        berth_text_reader_unread(reader->text);
    }
    return BERTH_OK;
}

/* Adds an atom to the molecule. */
static enum berth_status add_atom(struct berth_mol2_reader *reader, const char *line,
                                  struct berth_error *error)
{
    struct berth_molecule *molecule = reader->molecule;
    const size_t count = molecule->atom_count;
    if (count == BERTH_ATOMS_MAX) {
        return refuse(reader, error, "more than %d atoms, the most that are read; cut it down",
                      BERTH_ATOMS_MAX);
    }
    BERTH_TRY(berth_reserve(&molecule->atoms, &reader->atom_capacity,
                            first_capacity(count, reader->atoms_declared), sizeof *molecule->atoms,
                            error));
    BERTH_TRY(berth_reserve(&reader->numbered, &reader->numbered_capacity, count + 1,
                            sizeof *reader->numbered, error));
    struct numbered *numbered = &reader->numbered[count];
    BERTH_TRY(read_atom(reader, line, &numbered->id, &molecule->atoms[count], error));
    numbered->index = molecule->atom_count++;
    reader->counts_from_one =
        reader->counts_from_one && (size_t)numbered->id == molecule->atom_count;
    return BERTH_OK;
}

/* Reads the section whose first line comes next into the molecule, and checks it. */
static enum berth_status read_atoms(struct berth_mol2_reader *reader, struct berth_error *error)
{
    bool at_end;
    if (reader->has_atoms) {
        return refuse(reader, error, "a second ATOM section; a molecule has one");
    }
    reader->has_atoms = true;
    reader->counts_from_one = true;
    BERTH_TRY(read_section(reader, add_atom, &at_end, error));
    BERTH_TRY(check_atom_count(reader, at_end, error));
    return index_ids(reader, error);
}

/* The atom with this number; false where there is none. */
static bool find_atom(const struct berth_mol2_reader *reader, int id, size_t *index)
{
    size_t count = reader->molecule->atom_count;
    if (reader->counts_from_one) {
        *index = (size_t)id - 1;
        return id >= 1 && (size_t)id <= count;
    }
    struct numbered key = {id, 0};
    const struct numbered *found =
        bsearch(&key, reader->numbered, count, sizeof *reader->numbered, compare_ids);
    *index = found ? found->index : 0;
    return found != NULL;
}

static enum berth_status read_bond_type(const struct berth_mol2_reader *reader,
                                        const struct berth_field *field, struct berth_bond *bond,
                                        struct berth_error *error)
{
    if (berth_field_copy(field, bond->type, sizeof bond->type)) {
        for (char *c = bond->type; *c; c++) {
            *c = (char)tolower((unsigned char)*c);
        }
        if (berth_text_lists("1 2 3 ar am du un nc", ' ', bond->type)) {
            return BERTH_OK;
        }
    }
    return refuse(reader, error,
                  "'%.*s' is not a bond type; 1, 2, 3, ar, am, du, un and nc are known",
                  berth_field_shown(field), field->text);
}

/* Adds a bond to the molecule. */
static enum berth_status add_bond(struct berth_mol2_reader *reader, const char *line,
                                  struct berth_error *error)
{
    struct berth_molecule *molecule = reader->molecule;
    BERTH_TRY(berth_reserve(&molecule->bonds, &reader->bond_capacity,
                            first_capacity(molecule->bond_count, reader->bonds_declared),
                            sizeof *molecule->bonds, error));
    struct berth_bond *bond = &molecule->bonds[molecule->bond_count];
    memset(bond, 0, sizeof *bond);
    const char *cursor = line;
    struct berth_field field;
    berth_field_next(&cursor, &field); /* the bond's own number is not needed */
    size_t *ends[] = {&bond->first, &bond->second};
    for (int i = 0; i < 2; i++) {
        int id;
        if (!berth_field_next(&cursor, &field)) {
            return refuse(reader, error,
                          "the bond line ends early; number, two atoms and type are needed");
        }
        if (!berth_field_integer(&field, &id) || !find_atom(reader, id, ends[i])) {
            return refuse(reader, error,
                          "a bond to atom '%.*s', which the molecule does not have; correct or "
                          "remove it",
                          berth_field_shown(&field), field.text);
        }
    }
    if (bond->first == bond->second) {
        return refuse(reader, error, "a bond of atom %.*s with itself; remove it",
                      berth_field_shown(&field), field.text);
    }
    if (!berth_field_next(&cursor, &field)) {
        return refuse(reader, error, "a bond without a type; it belongs behind the two atoms");
    }
    BERTH_TRY(read_bond_type(reader, &field, bond, error));
    molecule->bond_count++;
    return BERTH_OK;
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
    if (reader->bonds_declared != ABSENT && count != (size_t)reader->bonds_declared) {
        return refuse(reader, error,
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
    BERTH_TRY(
        berth_reserve(&reader->pairs, &reader->pair_capacity, count, sizeof *reader->pairs, error));
    for (size_t i = 0; i < count; i++) {
        size_t a = molecule->bonds[i].first, b = molecule->bonds[i].second;
        reader->pairs[i] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    }
    qsort(reader->pairs, count, sizeof *reader->pairs, compare_pairs);
    for (size_t i = 1; i < count; i++) {
        if (reader->pairs[i] == reader->pairs[i - 1]) {
            return refuse(reader, error, "two bonds between atoms %s and %s; remove one",
                          molecule->atoms[reader->pairs[i] >> 32].name,
                          molecule->atoms[reader->pairs[i] & 0xffffffff].name);
        }
    }
    return BERTH_OK;
}

/* --- Chains --- */

/* Gives the chain of a line of the SUBSTRUCTURE section to the atoms about its root, which stand
 * together: number, name, root atom, type, dictionary, chain.  A line without one says nothing, as
 * "****" does. */
static void take_chain(const struct berth_mol2_reader *reader, const char *line)
{
    enum { ID, ROOT = 2, CHAIN = 5, FIELDS };
    struct berth_field fields[FIELDS];
    struct berth_atom *atoms = reader->molecule->atoms;
    int id, root;
    size_t at;
    for (int i = 0; i < FIELDS; i++) {
        if (!berth_field_next(&line, &fields[i])) {
            return;
        }
    }
    if (!berth_field_integer(&fields[ID], &id) || !berth_field_integer(&fields[ROOT], &root) ||
        !find_atom(reader, root, &at) || fields[CHAIN].text[0] == '*') {
        return;
    }
    while (at > 0 && atoms[at - 1].residue_id == id) {
        at--;
    }
    for (; at < reader->molecule->atom_count && atoms[at].residue_id == id; at++) {
        berth_field_copy(&fields[CHAIN], atoms[at].chain, sizeof atoms[at].chain);
    }
}

/* --- Molecules --- */

static enum berth_status set_title(struct berth_mol2_reader *reader, const char *line,
                                   struct berth_error *error)
{
    size_t length = strlen(line);
    while (length && isspace((unsigned char)line[length - 1])) {
        length--;
    }
    char *title = malloc(length + sizeof "molecule_" + 3 * sizeof reader->ordinal);
    if (!title) {
        return berth_out_of_memory(error, berth_text_reader_path(reader->text));
    }
    if (length) {
        memcpy(title, line, length);
        title[length] = '\0';
    } else {
        sprintf(title, "molecule_%zu", reader->ordinal);
    }
    free(reader->molecule->title);
    reader->molecule->title = title;
    return BERTH_OK;
}

static enum berth_status read_counts(struct berth_mol2_reader *reader, const char *line,
                                     struct berth_error *error)
{
    const char *cursor = line;
    struct berth_field field;
    reader->bonds_declared = ABSENT;
    if (!berth_field_next(&cursor, &field) ||
        !berth_field_integer(&field, &reader->atoms_declared) || reader->atoms_declared < 0) {
        return refuse(reader, error,
                      "'%.*s' stands where the number of atoms belongs; the second line of a "
                      "molecule must hold its counts",
                      berth_field_shown(&field), field.text);
    }
    if (berth_field_next(&cursor, &field) &&
        (!berth_field_integer(&field, &reader->bonds_declared) || reader->bonds_declared < 0)) {
        return refuse(reader, error, "'%.*s' is not a number of bonds; correct the counts line",
                      berth_field_shown(&field), field.text);
    }
    if (reader->atoms_declared == 0) {
        return refuse(reader, error, "it has no atoms; remove it");
    }
    if (reader->atoms_declared > BERTH_ATOMS_MAX || reader->bonds_declared > BONDS_MAX) {
        return refuse(reader, error,
                      "%d atoms and %d bonds are more than %d and %d, the most that are read; "
                      "correct the counts line or cut the structure down",
                      reader->atoms_declared,
                      reader->bonds_declared == ABSENT ? 0 : reader->bonds_declared,
                      BERTH_ATOMS_MAX, BONDS_MAX);
    }
    return BERTH_OK;
}

/* Title and counts; what else the header holds (type, charges, comment) is not needed. */
static enum berth_status read_header(struct berth_mol2_reader *reader, struct berth_error *error)
{
    char *line = NULL;
    BERTH_TRY(set_title(reader, "", error));
    BERTH_TRY(next_line(reader, &line, error));
    if (!line) {
        return refuse(reader, error, "the file ends where its title belongs; write it again");
    }
    if (behind_mark(line)) {
        berth_text_reader_unread(reader->text);
        return refuse(reader, error, "its title and counts are missing; write it again");
    }
    BERTH_TRY(set_title(reader, line, error));
    BERTH_TRY(next_section_line(reader, &line, error));
    if (!line) {
        return refuse(reader, error, "its counts line is missing; write it again");
    }
    return read_counts(reader, line, error);
}

static enum berth_status read_sections(struct berth_mol2_reader *reader, struct berth_error *error)
{
    for (bool chains = false;;) {
        char *line = NULL;
        BERTH_TRY(next_line(reader, &line, error));
        if (!line) {
            return BERTH_OK;
        }
        if (chains && !behind_mark(line)) {
            take_chain(reader, line);
            continue;
        }
        chains = berth_mol2_opens(line, "SUBSTRUCTURE") && reader->has_atoms;
        if (berth_mol2_opens(line, "MOLECULE")) {
            berth_text_reader_unread(reader->text);
            return BERTH_OK;
        }
        if (berth_mol2_opens(line, "ATOM")) {
            BERTH_TRY(read_atoms(reader, error));
        } else if (berth_mol2_opens(line, "BOND")) {
            if (!reader->has_atoms) {
                return refuse(reader, error,
                              "its BOND section stands in front of the ATOM section; move it");
            }
            if (reader->has_bonds) {
                return refuse(reader, error, "a second BOND section; a molecule has one");
            }
            reader->has_bonds = true;
            bool at_end;
            BERTH_TRY(read_section(reader, add_bond, &at_end, error));
            BERTH_TRY(check_bonds(reader, at_end, error));
        }
    }
}

static enum berth_status read_molecule(struct berth_mol2_reader *reader, struct berth_error *error)
{
    BERTH_TRY(read_header(reader, error));
    BERTH_TRY(read_sections(reader, error));
    if (!reader->has_atoms) {
        return refuse(reader, error, "it has no ATOM section; write it again");
    }
    if (!reader->has_bonds && reader->bonds_declared > 0) {
        return refuse(reader, error,
                      "the counts line says %d bonds, but there is no BOND section; it "
                      "was cut off, fetch or write it again",
                      reader->bonds_declared);
    }
    amber_types_read(reader->molecule);
    return BERTH_OK;
}

/* Goes to the line behind the next molecule's mark.  A bad line in front of the first molecule
 * means that this is no Mol2 file; behind it, it belongs to a molecule that was refused. */
static enum berth_status find_molecule(struct berth_mol2_reader *reader, bool *found,
                                       struct berth_error *error)
{
    *found = false;
    for (;;) {
        char *line = NULL;
        enum berth_status status = next_line(reader, &line, error);
        if (status && reader->ordinal > 0 && !reader->broken) {
            continue;
        }
        reader->broken = reader->broken || status;
        if (status || !line) {
            return status;
        }
        if (berth_mol2_opens(line, "MOLECULE")) {
            *found = true;
            return BERTH_OK;
        }
    }
}

enum berth_status berth_mol2_next(struct berth_mol2_reader *reader, struct berth_molecule *molecule,
                                  bool *end, struct berth_error *error)
{
    berth_molecule_clear(molecule);
    *end = reader->broken;
    if (*end) {
        return BERTH_OK;
    }
    bool found;
    BERTH_TRY(find_molecule(reader, &found, error));
    if (!found && reader->ordinal == 0) {
        reader->broken = true;
        return berth_fail(error, BERTH_E_FORMAT,
                          berth_text_reader_line(reader->text) == 0
                              ? "%s: an empty file; a Mol2 file is needed"
                              : "%s: not a Mol2 file (no line says @<TRIPOS>MOLECULE); if it is of "
                                "another format, give it a name that ends so (.sdf, .smi, .pdb "
                                "...); of a table make lines of SMILES, a blank and a name (.smi)",
                          berth_text_reader_path(reader->text));
    }
    *end = !found;
    if (!found) {
        return BERTH_OK;
    }
    reader->ordinal++;
    reader->molecule = molecule;
    reader->has_atoms = reader->has_bonds = false;
    reader->atom_capacity = reader->bond_capacity = 0;
    molecule->line = berth_text_reader_line(reader->text);
    const enum berth_status status = read_molecule(reader, error);
    if (status) {
        /* The title stays, so that a failure can be told by name. */
        free(molecule->atoms);
        free(molecule->bonds);
        molecule->atoms = NULL;
        molecule->bonds = NULL;
        molecule->atom_count = molecule->bond_count = 0;
        reader->broken = reader->broken || status != BERTH_E_FORMAT;
    }
    return status;
}

/* Takes over the text. */
static enum berth_status read_text(struct berth_text_reader *text,
                                   struct berth_mol2_reader **reader, struct berth_error *error)
{
    const enum berth_status status = berth_make(reader, 1, sizeof **reader, NULL, error);
    if (status) {
        berth_text_reader_destroy(text);
        return status;
    }
    (*reader)->text = text;
    return BERTH_OK;
}

enum berth_status berth_mol2_reader_create(const char *path, struct berth_mol2_reader **reader,
                                           struct berth_error *error)
{
    struct berth_text_reader *text;
    *reader = NULL;
    BERTH_TRY(berth_text_reader_create(path, &text, error));
    return read_text(text, reader, error);
}

enum berth_status berth_mol2_reader_create_memory(const char *name, const void *bytes, size_t size,
                                                  struct berth_mol2_reader **reader,
                                                  struct berth_error *error)
{
    struct berth_text_reader *text;
    *reader = NULL;
    BERTH_TRY(berth_text_reader_create_memory(name, bytes, size, &text, error));
    return read_text(text, reader, error);
}

void berth_mol2_stop_on(struct berth_mol2_reader *reader, const atomic_bool *stop)
{
    berth_text_reader_stop_on(reader->text, stop);
}

bool berth_mol2_is_broken(const struct berth_mol2_reader *reader)
{
    return reader->broken;
}

void berth_mol2_reader_destroy(struct berth_mol2_reader *reader)
{
    if (!reader) {
        return;
    }
    berth_text_reader_destroy(reader->text);
    free(reader->numbered);
    free(reader->pairs);
    free(reader);
}

/* BERTH_E_FORMAT where a second molecule follows, usable or not. */
static enum berth_status check_alone(struct berth_mol2_reader *reader, struct berth_error *error)
{
    struct berth_molecule second = {0};
    bool end;
    enum berth_status status = berth_mol2_next(reader, &second, &end, error);
    if (!end && !berth_mol2_is_broken(reader)) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "%s:%zu: a second molecule (%.200s), where one is needed; split the "
                            "file",
                            berth_text_reader_path(reader->text), second.line, second.title);
    }
    berth_molecule_clear(&second);
    return status;
}

enum berth_status berth_mol2_read_one(const char *path, bool only, struct berth_molecule *molecule,
                                      struct berth_error *error)
{
    struct berth_mol2_reader *reader;
    berth_molecule_clear(molecule);
    BERTH_TRY(berth_mol2_reader_create(path, &reader, error));
    bool end;
    enum berth_status status = berth_mol2_next(reader, molecule, &end, error);
    if (!status && only) {
        status = check_alone(reader, error);
    }
    if (status) {
        berth_molecule_clear(molecule);
    }
    berth_mol2_reader_destroy(reader);
    return status;
}
