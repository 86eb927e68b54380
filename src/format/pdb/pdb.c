#include "format/pdb/pdb.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/fields.h"
#include "base/text.h"
#include "chem/residue_types.h"
#include "format/pdb/origin.h"
#include "format/pdb/sequences.h"

/* --- Reading --- */

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
    B_FACTOR_END = 66,
    ELEMENT = 76,
    TYPE = 77,
    COORDINATE_WIDTH = 8
};

struct source {
    struct berth_text_reader *text;    /* borrowed */
    struct berth_structure *structure; /* borrowed */
    bool pdbqt;
    bool wide; /* chains have two letters, from here on */
    struct berth_sequences sequences;
};

/* Copies columns, cut to what text holds. */
static void columns_of(const char *line, size_t begin, size_t end, char *text, size_t size)
{
    const struct berth_field field = berth_field_columns(line, begin, end);
    berth_field_copy(&field, text, size);
}

/* A real number in columns; false where they hold none. */
static bool real_in(const char *line, size_t begin, size_t end, double *value)
{
    const struct berth_field field = berth_field_columns(line, begin, end);
    return berth_field_real(&field, value);
}

/* A residue number of four columns: decimal, or hybrid-36, which goes on behind 9999 with A000 to
 * ZZZZ and then a000 to zzzz.  Others go on into the column of insertion codes, which are letters:
 * a digit there is the number's last. */
static bool read_number(const char *line, int *number, char *insertion)
{
    char text[8];
    *insertion = line[INSERTION] == ' ' ? '\0' : line[INSERTION];
    const struct berth_field wide = berth_field_columns(line, NUMBER, INSERTION + 1);
    if (isdigit((unsigned char)*insertion) && berth_field_integer(&wide, number)) {
        *insertion = '\0';
        return true;
    }
    columns_of(line, NUMBER, INSERTION, text, sizeof text);
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
        columns_of(line, TYPE, TYPE + 2, symbol, sizeof symbol);
        return autodock_element(symbol);
    }
    columns_of(line, ELEMENT, ELEMENT + 2, symbol, sizeof symbol);
    columns_of(line, ELEMENT + 2, ELEMENT + 3, behind, sizeof behind);
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
    if (element == HYDROGEN ||
        (element && (!standard || standard->kind == BERTH_RESIDUE_COFACTOR))) {
        return element;
    }
    const int named = berth_element_of_name(name, residue);
    return named ? named : element;
}

/* Whether the line shows that chains have two letters, the first of them where the fourth of a
 * residue's stands else, as gemmi and Phenix write more chains than there are letters: by an amino
 * acid that three letters name, and four do not, those of force fields for its forms included. */
static bool has_wide_chain(const char *line)
{
    static const char FORMS[] = "ASPH GLUH LYSN ARGN TYRH TYRM SERM THRM HISA HISB HISD HISE HISP "
                                "HIS1 HIS2 CYS1";
    char three[4], four[5];
    columns_of(line, RESIDUE, CHAIN - 1, three, sizeof three);
    columns_of(line, RESIDUE, CHAIN, four, sizeof four);
    const struct berth_residue_type *type = berth_residue_type_find(three);
    return line[CHAIN - 1] != ' ' && line[CHAIN] != ' ' && type &&
           type->kind == BERTH_RESIDUE_AMINO && !berth_residue_type_find(four) &&
           !berth_text_lists(FORMS, ' ', four);
}

static bool begins(const char *line, const char *record)
{
    return strncmp(line, record, strlen(record)) == 0;
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
            columns_of(line, begin, begin + COORDINATE_WIDTH, text, sizeof text);
            return berth_text_reader_refuse(
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
    BERTH_TRY(read_position(source, line, &atom, error));
    columns_of(line, NAME, ALTERNATE, atom.name, sizeof atom.name);
    source->wide = source->wide || has_wide_chain(line);
    const size_t chain = source->wide ? CHAIN - 1 : CHAIN;
    columns_of(line, RESIDUE, chain, atom.residue.name, sizeof atom.residue.name);
    columns_of(line, chain, NUMBER, atom.residue.chain, sizeof atom.residue.chain);
    if (!read_number(line, &atom.residue.number, &atom.residue.insertion)) {
        return berth_text_reader_refuse(source->text, error,
                                        "'%.4s' stands in columns 23 to 26, where a residue number "
                                        "belongs; write the file again",
                                        line + NUMBER);
    }
    atom.alternate = line[ALTERNATE] == ' ' ? '\0' : line[ALTERNATE];
    char occupancy[8];
    real_in(line, OCCUPANCY_END, B_FACTOR_END, &atom.b_factor); /* else 0: files differ in it */
    columns_of(line, OCCUPANCY, OCCUPANCY_END, occupancy, sizeof occupancy);
    if (*occupancy && !real_in(line, OCCUPANCY, OCCUPANCY_END, &atom.occupancy)) {
        return berth_text_reader_refuse(
            source->text, error,
            "'%s' stands in columns 55 to 60, where the occupancy belongs; write the file again",
            occupancy);
    }
    atom.element = find_element(source, line, atom.residue.name);
    atom.hetero = begins(line, "HETATM");
    atom.guessed = !column_element(source, line);
    char type[8];
    columns_of(line, TYPE, TYPE + 2, type, sizeof type);
    atom.aromatic = source->pdbqt && strcmp(type, "A") == 0;
    atom.accepts = source->pdbqt && berth_text_lists("NA NS OA OS", ' ', type);
    if (atom.element != HYDROGEN) {
        berth_canonical_name(atom.name, atom.residue.name);
    }
    return berth_structure_add(source->structure, &atom, error);
}

static enum berth_status read_lines(struct source *source, struct berth_error *error)
{
    bool first = true; /* model */
    for (;;) {
        char *line = NULL;
        BERTH_TRY(berth_text_reader_next(source->text, &line, error));
        if (!line) {
            return BERTH_OK;
        }
        if (first && (begins(line, "ATOM  ") || begins(line, "HETATM"))) {
            BERTH_TRY(read_atom(source, line, error));
            continue;
        }
        if (!source->structure->count) {
            berth_origin_read_line(&source->structure->origin, line);
        }
        if (begins(line, "SEQRES")) {
            BERTH_TRY(berth_sequences_add(&source->sequences, line, error));
        } else if (first && begins(line, "TER")) {
            BERTH_TRY(berth_sequences_end(&source->sequences, source->structure, error));
        }
        source->structure->models += begins(line, "MODEL ");
        first = first && !begins(line, "ENDMDL");
    }
}

enum berth_status berth_pdb_read(struct berth_text_reader *text, bool pdbqt,
                                 struct berth_structure *structure, struct berth_error *error)
{
    struct source source = {.text = text, .structure = structure, .pdbqt = pdbqt};
    const enum berth_status status = read_lines(&source, error);
    if (!status) {
        berth_sequences_mark(&source.sequences, structure);
    }
    berth_sequences_clear(&source.sequences);
    BERTH_TRY(status);
    structure->models = structure->models ? structure->models : 1;
    berth_structure_find_ions(structure);
    if (!structure->count) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "%s: no ATOM or HETATM line; a structure in PDB, PDBQT, mmCIF or Mol2 "
                          "format is needed",
                          berth_text_reader_path(text));
    }
    return BERTH_OK;
}

/* --- Writing --- */

static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

static bool is_taken(const struct berth_pdb_source *source, char letter)
{
    return letter && source->taken && strchr(source->taken, letter);
}

/* True where a chain of the source has this name, or one beside it. */
static bool is_used(const struct berth_pdb_source *source, char letter)
{
    for (size_t i = 0; i < source->residue_count; i++) {
        const char *chain = source->residues[i].chain;
        if (chain[0] == letter && !chain[1]) {
            return true;
        }
    }
    return is_taken(source, letter);
}

/* True where the chain is written with its own name. */
static bool keeps_name(const struct berth_pdb_source *source, const char *chain)
{
    return strlen(chain) <= 1 && !is_taken(source, *chain ? *chain : ' ');
}

char berth_pdb_chain(const struct berth_pdb_source *source, size_t i)
{
    const struct berth_residue_id *residues = source->residues;
    const char *chain = residues[i].chain;
    if (keeps_name(source, chain)) {
        return *chain ? *chain : ' ';
    }
    size_t left = 0; /* chains before this one that take another name, too */
    for (size_t k = 0; k < i && strcmp(residues[k].chain, chain) != 0; k++) {
        const bool new_chain = k == 0 || strcmp(residues[k].chain, residues[k - 1].chain) != 0;
        left += new_chain && !keeps_name(source, residues[k].chain);
    }
    for (const char *letter = LETTERS; *letter; letter++) {
        if (!is_used(source, *letter) && left-- == 0) {
            return *letter;
        }
    }
    return *chain;
}

void berth_pdb_letters(const struct berth_pdb_source *source, char letters[BERTH_PDB_LETTERS])
{
    size_t count = 0;
    memset(letters, 0, BERTH_PDB_LETTERS);
    for (size_t i = 0; i < source->residue_count; i++) {
        const struct berth_residue_id *residue = &source->residues[i];
        if (i && strcmp(residue->chain, residue[-1].chain) == 0) {
            continue;
        }
        const char letter = berth_pdb_chain(source, i);
        if (!strchr(letters, letter)) {
            letters[count++] = letter;
        }
    }
}

/* A residue's number and insertion code in their five columns: a number above 9999 takes all of
 * them, as it is read. */
static void write_number(const struct berth_residue_id *residue, char text[8])
{
    if (residue->number > 9999 && residue->number < 100000 && !residue->insertion) {
        snprintf(text, 8, "%d", residue->number);
    } else {
        snprintf(text, 8, "%4d%c", residue->number % 10000,
                 residue->insertion ? residue->insertion : ' ');
    }
}

void berth_pdb_write_atoms(struct berth_output *output, const struct berth_pdb_source *source,
                           const double (*places)[3], int *serial)
{
    size_t heavy = 0, before = SIZE_MAX;
    char chain = ' ';
    for (size_t i = 0; i < source->molecule->atom_count; i++) {
        const struct berth_atom *atom = &source->molecule->atoms[i];
        const size_t number = (size_t)(atom->residue_id - 1);
        if (!atom->heavy) {
            continue;
        }
        const double *at = places[heavy++];
        if (number >= source->residue_count) {
            continue; /* of no residue, as a Mol2 may have it */
        }
        const struct berth_residue_id *residue = &source->residues[number];
        if (number != before) {
            const char own = berth_pdb_chain(source, number);
            if (before != SIZE_MAX && own != chain) {
                berth_output_print(output, "TER\n");
            }
            chain = own;
            before = number;
        }
        const char *symbol = berth_element_symbol(atom->element);
        char name[8], place[8];
        /* An atom's name in its four columns: the element's symbol ends in the second one. */
        const bool indented = strlen(symbol) < 2 && strlen(atom->name) < 4;
        snprintf(name, 8, "%s%-*.4s", indented ? " " : "", indented ? 3 : 4, atom->name);
        write_number(residue, place);
        berth_output_print(
            output, "%-6s%5d %s %3.3s %c%s   %8.3f%8.3f%8.3f  1.00  0.00          %2s\n",
            berth_is_standard_residue(residue->name) ? "ATOM" : "HETATM", ++*serial % 100000, name,
            residue->name, chain, place, at[0], at[1], at[2], symbol);
    }
    berth_output_print(output, "TER\n");
}

void berth_pdb_write_structure(struct berth_output *output, const struct berth_structure *structure)
{
    for (size_t i = 0; i < structure->count; i++) {
        const struct berth_structure_atom *atom = &structure->atoms[i];
        const char *symbol = berth_element_symbol(atom->element);
        const bool wide = symbol[1] || strlen(atom->name) > 3; /* else it begins one column later */
        char place[8];
        write_number(&atom->residue, place);
        berth_output_print(
            output, "HETATM%5zu %s%-*.4s %3.3s %c%s   %8.3f%8.3f%8.3f%6.2f%6.2f          %2s\n",
            (i + 1) % 100000, wide ? "" : " ", wide ? 4 : 3, atom->name, atom->residue.name,
            *atom->residue.chain ? *atom->residue.chain : ' ', place, atom->position[0],
            atom->position[1], atom->position[2], atom->occupancy, atom->b_factor, symbol);
    }
    berth_output_print(output, "END\n");
}
