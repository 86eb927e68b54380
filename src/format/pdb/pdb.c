#include "format/pdb/pdb.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fields.h"
#include "format/mol2/mol2.h"
#include "format/pdb/structure_line.h"
#include "chem/residue_types.h"

/* The columns of an atom line that are read, from 0: [begin, end). */
enum {
    NAME = 12,
    ALTERNATE = 16,
    RESIDUE = 17,
    CHAIN = 21,
    NUMBER = 22,
    INSERTION = 26,
    X = 30,
    OCCUPANCY = 54,
    OCCUPANCY_END = 60,
    ELEMENT = 76,
    TYPE = 77,
    COORDINATE_WIDTH = 8
};

struct source {
    struct berth_text_reader *text;    /* borrowed */
    struct berth_structure *structure; /* borrowed */
    bool pdbqt;
};

/* The columns without the blanks around them, cut to what the line has and to what text holds. */
static void take(const char *line, size_t begin, size_t end, char *text, size_t size)
{
    const size_t length = strlen(line);
    end = end < length ? end : length;
    while (begin < end && isspace((unsigned char)line[begin])) {
        begin++;
    }
    while (end > begin && isspace((unsigned char)line[end - 1])) {
        end--;
    }
    snprintf(text, size, "%.*s", begin < end ? (int)(end - begin) : 0,
             begin < end ? line + begin : "");
}

/* A real number in columns; false where they hold none. */
static bool real_in(const char *line, size_t begin, size_t end, double *value)
{
    char text[16];
    take(line, begin, end, text, sizeof text);
    const struct berth_field field = {text, strlen(text)};
    return field.length && berth_field_real(&field, value);
}

/* A residue number of four columns: decimal, or hybrid-36, which goes on behind 9999 with A000 to
 * ZZZZ and then a000 to zzzz. */
static bool read_number(const char *line, int *number)
{
    char text[8];
    take(line, NUMBER, INSERTION, text, sizeof text);
    const struct berth_field field = {text, strlen(text)};
    if (berth_field_integer(&field, number)) {
        return true;
    }
    const bool upper = isupper((unsigned char)*text), lower = islower((unsigned char)*text);
    if (field.length != 4 || (!upper && !lower)) {
        return false;
    }
    int value = 0;
    for (const char *at = text; *at; at++) {
        if (!isdigit((unsigned char)*at) &&
            !(upper ? isupper((unsigned char)*at) : islower((unsigned char)*at))) {
            return false;
        }
        const int digit = isdigit((unsigned char)*at) ? *at - '0' : *at - (upper ? 'A' : 'a') + 10;
        value = value * 36 + digit;
    }
    const int first = 10 * 36 * 36 * 36, letters = 26 * 36 * 36 * 36;
    *number = value - first + 10000 + (lower ? letters : 0);
    return true;
}

static int autodock_element(const char *type)
{
    static const char *const TYPES[][2] = {{"A", "C"},  {"HD", "H"}, {"HS", "H"}, {"OA", "O"},
                                           {"OS", "O"}, {"NA", "N"}, {"NS", "N"}, {"SA", "S"}};
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++) {
        if (strcmp(type, TYPES[i][0]) == 0) {
            return berth_element_of_symbol(TYPES[i][1]);
        }
    }
    return berth_element_of_symbol(type);
}

/* The element or AutoDock type column; 0 where it holds none. */
static int column_element(const struct source *source, const char *line)
{
    char symbol[8], behind[8];
    if (source->pdbqt) {
        take(line, TYPE, TYPE + 2, symbol, sizeof symbol);
        return autodock_element(symbol);
    }
    take(line, ELEMENT, ELEMENT + 2, symbol, sizeof symbol);
    take(line, ELEMENT + 2, ELEMENT + 3, behind, sizeof behind);
    return isalpha((unsigned char)*behind) ? 0 : berth_element_of_symbol(symbol);
}

/* Amino acids and nucleotides hold no element that the name's first letter does not tell, and the
 * type columns of some files call an alpha carbon calcium; elsewhere, and for hydrogen, the column
 * wins. */
static int find_element(const struct source *source, const char *line, const char *residue)
{
    const struct berth_residue_type *standard = berth_residue_type_find(residue);
    const int element = column_element(source, line);
    char name[5];
    snprintf(name, sizeof name, "%.4s", line + NAME);
    if (element == 1 || (element && (!standard || standard->kind == BERTH_RESIDUE_COFACTOR))) {
        return element;
    }
    const int named = berth_element_of_name(name, residue);
    return named ? named : element;
}

static enum berth_status read_position(const struct source *source, const char *line,
                                       struct berth_structure_atom *atom, struct berth_error *error)
{
    for (size_t k = 0; k < 3; k++) {
        const size_t begin = X + k * COORDINATE_WIDTH;
        double *value = &atom->position[k];
        if (!real_in(line, begin, begin + COORDINATE_WIDTH, value) ||
            fabs(*value) > BERTH_COORDINATE_MAX) {
            char text[16];
            take(line, begin, begin + COORDINATE_WIDTH, text, sizeof text);
            return berth_structure_refuse(
                source->text, error,
                "'%s' stands in columns %zu to %zu, where the %c coordinate of an atom belongs; "
                "the line was cut or its columns are shifted, write the file again",
                text, begin + 1, begin + COORDINATE_WIDTH, (int)('x' + (int)k));
        }
    }
    return BERTH_OK;
}

static enum berth_status read_atom(struct source *source, const char *line,
                                   struct berth_error *error)
{
    struct berth_structure_atom atom = {.occupancy = 1};
    atom.line = berth_text_reader_line(source->text);
    enum berth_status status = read_position(source, line, &atom, error);
    if (status) {
        return status;
    }
    take(line, NAME, ALTERNATE, atom.name, sizeof atom.name);
    take(line, RESIDUE, CHAIN, atom.residue.name, sizeof atom.residue.name);
    take(line, CHAIN, NUMBER, atom.residue.chain, sizeof atom.residue.chain);
    if (!read_number(line, &atom.residue.number)) {
        return berth_structure_refuse(source->text, error,
                                      "'%.4s' stands in columns 23 to 26, where a residue number "
                                      "belongs; write the file again",
                                      line + NUMBER);
    }
    atom.alternate = line[ALTERNATE] == ' ' ? '\0' : line[ALTERNATE];
    atom.residue.insertion = line[INSERTION] == ' ' ? '\0' : line[INSERTION];
    char occupancy[8];
    take(line, OCCUPANCY, OCCUPANCY_END, occupancy, sizeof occupancy);
    if (*occupancy && !real_in(line, OCCUPANCY, OCCUPANCY_END, &atom.occupancy)) {
        return berth_structure_refuse(
            source->text, error,
            "'%s' stands in columns 55 to 60, where the occupancy belongs; write the file again",
            occupancy);
    }
    atom.element = find_element(source, line, atom.residue.name);
    char type[8];
    take(line, TYPE, TYPE + 2, type, sizeof type);
    atom.aromatic = source->pdbqt && strcmp(type, "A") == 0;
    if (atom.element != 1) {
        berth_canonical_name(atom.name, atom.residue.name);
    }
    return berth_structure_add(source->structure, &atom, error);
}

static bool begins(const char *line, const char *record)
{
    return strncmp(line, record, strlen(record)) == 0;
}

enum berth_status berth_pdb_read(struct berth_text_reader *text, bool pdbqt,
                                 struct berth_structure *structure, struct berth_error *error)
{
    struct source source = {text, structure, pdbqt};
    bool first = true;
    for (;;) {
        char *line = NULL;
        enum berth_status status = berth_text_reader_next(text, &line, error);
        if (!status && line && first && (begins(line, "ATOM  ") || begins(line, "HETATM"))) {
            status = read_atom(&source, line, error);
        }
        if (status) {
            return status;
        }
        if (!line) {
            break;
        }
        structure->models += begins(line, "MODEL ");
        first = first && !begins(line, "ENDMDL");
    }
    structure->models = structure->models ? structure->models : 1;
    if (!structure->count) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "%s: no ATOM or HETATM line; a structure in PDB, PDBQT, mmCIF or Mol2 "
                          "format is needed",
                          berth_text_reader_path(text));
    }
    return BERTH_OK;
}
