#include "format/sdf/sdf.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/fields.h"
#include "base/memory.h"
#include "chem/facts.h"
#include "chem/parts.h"

/* --- Writing --- */

enum {
    V2000_MAX = 999,
    CHARGES_PER_LINE = 8,
    COUNTS_LINE = 3,     /* from 0: behind three lines of header */
    HEADER_MOST = 8,     /* lines in front of which counts that are out of place are looked for */
    CHARGE = 36,         /* columns: of an atom's own charge */
    FIELD = 3,           /* columns of a number in V2000 */
    BOND_TYPES_KNOWN = 4 /* 1 to 4: single, double, triple, aromatic */
};

/* Text that would end the record gets a blank in front. */
static const char *guard(const char *text)
{
    return strncmp(text, "$$$$", 4) == 0 ? " " : "";
}

/* True where "%10.4f" holds every coordinate and three digits every count. */
static bool fits_v2000(const struct berth_tagged_molecule *tagged, size_t bond_count)
{
    size_t atom_count = tagged->molecule->atom_count;
    bool fits = atom_count <= V2000_MAX && bond_count <= V2000_MAX;
    for (size_t i = 0; fits && i < atom_count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            double x = berth_tagged_position(tagged, i)[axis];
            fits = fits && x > -9999.99995 && x < 99999.99995;
        }
    }
    return fits;
}

/* The charge column of an atom line: 3 is +1, 5 is -1 ... 0 is none or not expressible. */
static int charge_code(int charge)
{
    return charge && charge >= -3 && charge <= 3 ? 4 - charge : 0;
}

static void write_charges(struct berth_output *output, const int *charges, size_t atom_count)
{
    size_t next = 0;
    for (;;) {
        size_t atoms[CHARGES_PER_LINE];
        int count = 0;
        for (; next < atom_count && count < CHARGES_PER_LINE; next++) {
            if (charges[next]) {
                atoms[count++] = next;
            }
        }
        if (count == 0) {
            return;
        }
        berth_output_print(output, "M  CHG%3d", count);
        for (int i = 0; i < count; i++) {
            berth_output_print(output, " %3zu %3d", atoms[i] + 1, charges[atoms[i]]);
        }
        berth_output_print(output, "\n");
    }
}

static void write_v2000(struct berth_output *output, const struct berth_tagged_molecule *tagged,
                        const struct berth_facts *facts, size_t bond_count)
{
    const struct berth_molecule *molecule = tagged->molecule;
    berth_output_print(output, "%3zu%3zu  0  0  0  0  0  0  0  0999 V2000\n", molecule->atom_count,
                       bond_count);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const double *position = berth_tagged_position(tagged, i);
        berth_output_print(output, "%10.4f%10.4f%10.4f %-3s 0%3d  0  0  0  0  0  0  0  0  0  0\n",
                           position[0], position[1], position[2],
                           berth_element_symbol(molecule->atoms[i].element),
                           charge_code(facts->charges[i]));
    }
    for (size_t i = 0; i < molecule->bond_count; i++) {
        if (facts->orders[i]) {
            berth_output_print(output, "%3zu%3zu%3d  0\n", molecule->bonds[i].first + 1,
                               molecule->bonds[i].second + 1, facts->orders[i]);
        }
    }
    write_charges(output, facts->charges, molecule->atom_count);
}

static void write_v3000(struct berth_output *output, const struct berth_tagged_molecule *tagged,
                        const struct berth_facts *facts, size_t bond_count)
{
    const struct berth_molecule *molecule = tagged->molecule;
    berth_output_print(output, "  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\n");
    berth_output_print(output, "M  V30 COUNTS %zu %zu 0 0 0\nM  V30 BEGIN ATOM\n",
                       molecule->atom_count, bond_count);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const double *position = berth_tagged_position(tagged, i);
        berth_output_print(output, "M  V30 %zu %s %.4f %.4f %.4f 0", i + 1,
                           berth_element_symbol(molecule->atoms[i].element), position[0],
                           position[1], position[2]);
        if (facts->charges[i]) {
            berth_output_print(output, " CHG=%d", facts->charges[i]);
        }
        berth_output_print(output, "\n");
    }
    berth_output_print(output, "M  V30 END ATOM\n%s", bond_count ? "M  V30 BEGIN BOND\n" : "");
    size_t number = 0;
    for (size_t i = 0; i < molecule->bond_count; i++) {
        if (facts->orders[i]) {
            berth_output_print(output, "M  V30 %zu %d %zu %zu\n", ++number, facts->orders[i],
                               molecule->bonds[i].first + 1, molecule->bonds[i].second + 1);
        }
    }
    berth_output_print(output, "%sM  V30 END CTAB\n", bond_count ? "M  V30 END BOND\n" : "");
}

enum berth_status berth_sdf_write(struct berth_output *output,
                                  const struct berth_tagged_molecule *tagged,
                                  struct berth_error *error)
{
    struct berth_facts facts;
    BERTH_TRY(berth_facts_find(tagged->molecule, BERTH_FACT_ORDERS, &facts, error));
    size_t bond_count = 0;
    for (size_t i = 0; i < tagged->molecule->bond_count; i++) {
        bond_count += facts.orders[i] != 0;
    }
    /* The second line would have room for a date; equal runs shall give equal files. */
    berth_output_print(output, "%s", guard(tagged->title));
    berth_output_on_line(output, tagged->title);
    berth_output_print(output, "\n  berth             3D\n\n");
    if (fits_v2000(tagged, bond_count)) {
        write_v2000(output, tagged, &facts, bond_count);
    } else {
        write_v3000(output, tagged, &facts, bond_count);
    }
    berth_facts_clear(&facts);
    berth_output_print(output, "M  END\n");
    for (size_t i = 0; i < tagged->tag_count; i++) {
        const struct berth_tag *tag = &tagged->tags[i];
        berth_output_print(output, ">  <");
        berth_output_on_line(output, tag->name);
        berth_output_print(output, ">\n%s", guard(tag->value));
        berth_output_on_line(output, tag->value);
        berth_output_print(output, "\n\n");
    }
    berth_output_print(output, "$$$$\n");
    return BERTH_OK;
}

enum berth_status berth_sdf_text(const struct berth_molecule *molecule, char **text, size_t *size,
                                 struct berth_error *error)
{
    const struct berth_tagged_molecule tagged = {.molecule = molecule, .title = molecule->title};
    struct berth_output *output;
    BERTH_TRY(berth_output_create_memory(text, size, &output, error));
    const enum berth_status status = berth_sdf_write(output, &tagged, error);
    berth_output_discard(output);
    return status;
}

/* --- Looking through records that others wrote --- */

/* The number in three columns of a V2000 line, or -1. */
static int field(const char *line, size_t number)
{
    const struct berth_field text = berth_field_columns(line, number * FIELD, (number + 1) * FIELD);
    int value;
    return strlen(line) >= (number + 1) * FIELD && berth_field_integer(&text, &value) ? value : -1;
}

static enum berth_status check_type(size_t number, int type, struct berth_error *error)
{
    return type < 0 || (type > 0 && type <= BOND_TYPES_KNOWN)
               ? BERTH_OK
               : berth_fail(
                     error, BERTH_E_FORMAT,
                     "bond %zu is of type %d (coordination, zero order or a query), which has "
                     "no valence to give hydrogens by; leave it out, or give it an order",
                     number, type);
}

/* True for a line that may follow the bonds: properties, data items, the end. */
static bool is_tail(const char *line)
{
    return !*line || strchr("MAVGS>$", *line) || strspn(line, " \t\r") == strlen(line);
}

static enum berth_status bad_counts(int atoms, int bonds, struct berth_error *error)
{
    return berth_fail(error, BERTH_E_FORMAT,
                      "the record counts %d atoms and %d bonds, and has other lines of them", atoms,
                      bonds);
}

/* True for what an atom may be labelled with and still be what it is: its symbol, that with a
 * number or with hydrogens and a charge ("C12", "OH", "NH3+"). */
static bool is_own_label(const char *label, const char *symbol)
{
    const size_t size = strlen(symbol);
    if (strncasecmp(label, symbol, size) != 0) {
        return false;
    }
    label += size;
    label += *label == 'H' ? 1 : 0;
    label += strspn(label, "0123456789");
    label += strspn(label, "+-");
    return label[strspn(label, " \t\r")] == '\0';
}

/* The current line is that of an alias, "A    6"; the next one has it. */
static enum berth_status check_alias(struct berth_lines *lines, const struct berth_lines *atoms,
                                     int count, struct berth_error *error)
{
    struct berth_lines at = *atoms;
    int atom = 0;
    char symbol[4] = "";
    if (sscanf(lines->line, "A %9d", &atom) != 1 || atom < 1 || atom > count ||
        !berth_lines_next(lines)) {
        return BERTH_OK;
    }
    for (int i = 0; i < atom; i++) {
        berth_lines_next(&at);
    }
    if (sscanf(at.line, "%*s%*s%*s %3s", symbol) != 1 || is_own_label(lines->line, symbol)) {
        return BERTH_OK;
    }
    return berth_fail(error, BERTH_E_FORMAT,
                      "atom %d (%s) is an abbreviation, '%.40s' (a line A): draw it out, as an "
                      "editor's \"expand\" does",
                      atom, symbol, lines->line);
}

static bool is_alias(const char *line)
{
    return strncmp(line, "A  ", 3) == 0;
}

static bool is_end(const char *line)
{
    return strncmp(line, "M  END", 6) == 0;
}

/* What stands behind the bonds. */
static enum berth_status check_properties(struct berth_lines *lines,
                                          const struct berth_lines *atoms, int count,
                                          struct berth_error *error)
{
    /* Where more than half of the heavy atoms have a label, these are names ("CA", "O1A"), as RDKit
     * writes those of an entry of the PDB, and no abbreviations, of which a drawing has a few. */
    struct berth_lines at = *atoms, line = *lines;
    int heavy = 0, labels = 0;
    for (int i = 0; i < count && berth_lines_next(&at); i++) {
        char symbol[4] = "";
        heavy += sscanf(at.line, "%*s%*s%*s %3s", symbol) == 1 && strcmp(symbol, "H") != 0;
    }
    do {
        labels += is_alias(line.line);
    } while (!is_end(line.line) && berth_lines_next(&line));
    const bool names = 2 * labels > heavy;
    enum berth_status status = BERTH_OK;
    do {
        if (is_end(lines->line)) {
            return BERTH_OK;
        }
        if (!names && is_alias(lines->line)) {
            status = check_alias(lines, atoms, count, error);
        }
    } while (!status && berth_lines_next(lines));
    return status;
}

/* The current line is that of the counts: atoms, bonds. */
static enum berth_status check_v2000(struct berth_lines *lines, struct berth_error *error)
{
    const int atoms = field(lines->line, 0), bonds = field(lines->line, 1);
    const struct berth_lines before = *lines;
    enum berth_status status = BERTH_OK;
    if (atoms < 0 || bonds < 0) {
        return BERTH_OK;
    }
    for (int i = 0; i < atoms; i++) {
        double place[3];
        if (!berth_lines_next(lines) ||
            sscanf(lines->line, "%lf%lf%lf", place, place + 1, place + 2) != 3) {
            return bad_counts(atoms, bonds, error);
        }
    }
    for (int i = 0; !status && i < bonds; i++) {
        status = !berth_lines_next(lines) || is_tail(lines->line)
                     ? bad_counts(atoms, bonds, error)
                     : check_type((size_t)i + 1, field(lines->line, 2), error);
    }
    if (status || !berth_lines_next(lines)) {
        return status;
    }
    return is_tail(lines->line) ? check_properties(lines, &before, atoms, error)
                                : bad_counts(atoms, bonds, error);
}

/* "M  V30 1 2 3 4": the bond's number, its type, its atoms. */
static enum berth_status check_v3000(struct berth_lines *lines, struct berth_error *error)
{
    static const char BEGIN[] = "M  V30 BEGIN BOND", END[] = "M  V30 END BOND";
    enum berth_status status = BERTH_OK;
    for (bool inside = false; !status && berth_lines_next(lines);) {
        size_t number, atoms, bonds;
        int type;
        if (strncmp(lines->line, BEGIN, sizeof BEGIN - 1) == 0) {
            inside = true;
        } else if (strncmp(lines->line, END, sizeof END - 1) == 0) {
            return BERTH_OK;
        } else if (sscanf(lines->line, "M  V30 COUNTS %9zu %9zu", &atoms, &bonds) == 2 &&
                   atoms > 1 && !bonds) {
            status =
                berth_fail(error, BERTH_E_FORMAT,
                           "it has %zu atoms and no bonds: write it again, with its bonds", atoms);
        } else if (inside && sscanf(lines->line, "M  V30 %9zu %9d", &number, &type) == 2) {
            status = check_type(number, type, error);
        }
    }
    return status;
}

/* Goes to the line of the counts. */
static bool find_counts(struct berth_lines *lines)
{
    for (int i = 0; i <= COUNTS_LINE; i++) {
        if (!berth_lines_next(lines)) {
            return false;
        }
    }
    return true;
}

/* The charge that an atom's line has in its own column, 0 to 7, as old programs write it. */
static int8_t own_charge(const char *line)
{
    static const int8_t CHARGES[] = {0, 3, 2, 1, 0, -1, -2, -3};
    const struct berth_field text = berth_field_columns(line, CHARGE, CHARGE + FIELD);
    int code;
    return berth_field_integer(&text, &code) && code > 0 && code < 8 ? CHARGES[code] : 0;
}

static bool take_atom(const char *line, size_t number, struct berth_atom *atom)
{
    char symbol[4] = "";
    memset(atom, 0, sizeof *atom);
    if (sscanf(line, "%lf%lf%lf %3s", &atom->position[0], &atom->position[1], &atom->position[2],
               symbol) != 4) {
        return false;
    }
    snprintf(atom->name, sizeof atom->name, "%s%zu", symbol, number);
    snprintf(atom->type, sizeof atom->type, "%s", symbol);
    atom->element = berth_element_of_type(symbol);
    atom->heavy = atom->element != HYDROGEN;
    atom->charge = own_charge(line);
    return true;
}

static bool take_bond(const char *line, size_t atoms, struct berth_bond *bond)
{
    static const char *const TYPES[] = {"1", "2", "3", "ar"};
    const int first = field(line, 0), second = field(line, 1), type = field(line, 2);
    if (first < 1 || second < 1 || (size_t)first > atoms || (size_t)second > atoms || type < 1 ||
        type > BOND_TYPES_KNOWN) {
        return false;
    }
    *bond = (struct berth_bond){.first = (size_t)first - 1, .second = (size_t)second - 1};
    snprintf(bond->type, sizeof bond->type, "%s", TYPES[type - 1]);
    return true;
}

/* "M  CHG  2   3   1   7  -1": each atom and its charge; where there are such lines, those in the
 * atoms' own columns are none. */
static void take_charges(struct berth_lines *lines, struct berth_molecule *molecule)
{
    static const char CHARGES[] = "M  CHG", END[] = "M  END";
    bool first = true;
    while (berth_lines_next(lines) && strncmp(lines->line, END, sizeof END - 1) != 0) {
        const bool charges = strncmp(lines->line, CHARGES, sizeof CHARGES - 1) == 0;
        const char *at = lines->line + sizeof CHARGES - 1;
        int count = 0, used = 0, atom, charge;
        if (!charges || sscanf(at, "%3d%n", &count, &used) != 1) {
            continue;
        }
        for (size_t i = 0; first && i < molecule->atom_count; i++) {
            molecule->atoms[i].charge = 0;
        }
        first = false;
        for (at += used; count > 0 && sscanf(at, "%9d%9d%n", &atom, &charge, &used) == 2;
             at += used, count--) {
            if (atom >= 1 && (size_t)atom <= molecule->atom_count && abs(charge) < 16) {
                molecule->atoms[atom - 1].charge = (int8_t)charge;
            }
        }
    }
}

enum berth_status berth_molfile_read(const char *text, size_t size, struct berth_molecule *molecule,
                                     struct berth_error *error)
{
    struct berth_lines lines = {.data = text, .size = size};
    memset(molecule, 0, sizeof *molecule);
    const bool counted = find_counts(&lines);
    const int atoms = counted ? field(lines.line, 0) : 0,
              bonds = counted ? field(lines.line, 1) : 0;
    if (strstr(lines.line, "V3000") || atoms < 0 || bonds < 0) {
        return BERTH_OK;
    }
    molecule->atoms = berth_alloc((size_t)atoms + 1, sizeof *molecule->atoms);
    molecule->bonds = berth_alloc((size_t)bonds + 1, sizeof *molecule->bonds);
    bool good = molecule->atoms && molecule->bonds;
    if (!good) {
        berth_molecule_clear(molecule);
        return berth_out_of_memory(error, NULL);
    }
    for (; good && molecule->atom_count < (size_t)atoms; molecule->atom_count += good) {
        good = berth_lines_next(&lines) && take_atom(lines.line, molecule->atom_count + 1,
                                                     &molecule->atoms[molecule->atom_count]);
    }
    for (; good && molecule->bond_count < (size_t)bonds; molecule->bond_count += good) {
        good = berth_lines_next(&lines) &&
               take_bond(lines.line, molecule->atom_count, &molecule->bonds[molecule->bond_count]);
    }
    if (good) {
        take_charges(&lines, molecule);
    } else {
        berth_molecule_clear(molecule);
    }
    return good ? BERTH_OK : bad_counts(atoms, bonds, error);
}

/* --- Lines --- */

bool berth_sdf_is_item(const char *line)
{
    const char *name = *line == '>' ? strchr(line, '<') : NULL;
    const char *end = name ? strchr(name, '>') : NULL;
    const char *of_line = line + strcspn(line, "\n");
    return end && end < of_line;
}

bool berth_sdf_is_end(const char *line)
{
    line += strspn(line, " \t");
    const size_t marks = strspn(line, "$");
    line += marks;
    return marks > 0 && strchr("\n", line[strspn(line, " \t\r")]) != NULL;
}

bool berth_sdf_is_counts(const char *line)
{
    return (strstr(line, " V2000") || strstr(line, " V3000")) && field(line, 0) >= 0 &&
           field(line, 1) >= 0;
}

bool berth_sdf_is_old_counts(const char *line)
{
    return field(line, 0) > 0 && field(line, 1) >= 0 && strspn(line, " 0123456789") == strlen(line);
}

/* True where an item's value does not reach this line. */
static bool ends_value(const char *line)
{
    return line[strspn(line, " \t\r")] == '\n' || berth_sdf_is_item(line) ||
           strncmp(line, "$$$$", 4) == 0;
}

/* The next data item of the text from *at on, which is cut out in place; moves *at behind it. False
 * where there is none. */
static bool next_item(char **at, struct berth_tag *item)
{
    while (**at) {
        char *line = *at, *end = line + strcspn(line, "\n");
        const bool is_item = berth_sdf_is_item(line);
        *at = *end ? end + 1 : end;
        if (!is_item) {
            continue;
        }
        char *name = strchr(line, '<') + 1, *name_end = strchr(name, '>'), *value = *at;
        while (**at && !ends_value(*at)) {
            *at += strcspn(*at, "\n");
            *at += **at == '\n';
        }
        *name_end = '\0';
        *item = (struct berth_tag){name, *at > value ? value : name_end};
        if (*at > value && (*at)[-1] == '\n') { /* its lines stay joined by their newlines */
            (*at)[-1] = '\0';
        }
        return true;
    }
    return false;
}

enum berth_status berth_sdf_tags_read(const void *text, size_t size, struct berth_sdf_tags *tags,
                                      struct berth_error *error)
{
    struct berth_tag tag;
    free(tags->text);
    tags->count = 0;
    BERTH_TRY(berth_make(&tags->text, size + 1, 1, NULL, error));
    memcpy(tags->text, text, size);
    for (char *at = tags->text; next_item(&at, &tag);) {
        BERTH_TRY(berth_reserve(&tags->items, &tags->capacity, tags->count + 1, sizeof *tags->items,
                                error));
        tags->items[tags->count++] = tag;
    }
    return BERTH_OK;
}

const char *berth_sdf_tags_find(const struct berth_sdf_tags *tags, const char *name)
{
    for (size_t i = 0; i < tags->count; i++) {
        if (strcmp(tags->items[i].name, name) == 0) {
            return tags->items[i].value;
        }
    }
    return "";
}

void berth_sdf_tags_clear(struct berth_sdf_tags *tags)
{
    free(tags->items);
    free(tags->text);
    memset(tags, 0, sizeof *tags);
}

/* --- Checking --- */

/* Counts that stand elsewhere than in the fourth line. */
static enum berth_status check_header(const char *text, size_t size, struct berth_error *error)
{
    struct berth_lines lines = {.data = text, .size = size};
    for (size_t i = 1; i <= HEADER_MOST && berth_lines_next(&lines); i++) {
        if (i != COUNTS_LINE + 1 && berth_sdf_is_counts(lines.line)) {
            return berth_fail(error, BERTH_E_FORMAT,
                              "its counts (\"%.20s ... V2000\") are line %zu of the record, and "
                              "belong into the fourth, behind name, program and comment: %s",
                              lines.line, i,
                              i <= COUNTS_LINE ? "put in the lines that are missing, empty"
                                               : "take out the lines that are too many");
        }
    }
    return BERTH_OK;
}

enum berth_status berth_molfile_check(const char *text, size_t size, struct berth_error *error)
{
    struct berth_lines lines = {.data = text, .size = size};
    if (!find_counts(&lines) || !berth_sdf_is_counts(lines.line)) {
        BERTH_TRY(check_header(text, size, error));
    }
    if (strlen(lines.line) && strstr(lines.line, "V3000")) {
        return check_v3000(&lines, error);
    }
    if (lines.number == COUNTS_LINE + 1) {
        BERTH_TRY(check_v2000(&lines, error));
    }
    /* What is to be one molecule may lack bonds. */
    struct berth_molecule molecule;
    struct berth_error unread; /* whoever prepares the record says it */
    if (berth_molfile_read(text, size, &molecule, &unread)) {
        return BERTH_OK;
    }
    const enum berth_status status = berth_parts_check(&molecule, error);
    berth_molecule_clear(&molecule);
    return status;
}
