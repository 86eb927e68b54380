#include "format/mol2/mol2.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/fields.h"
#include "format/mol2/mol2_internal.h"

#define SECTION_MARK "@<TRIPOS>"

enum { MARK_SIZE = sizeof SECTION_MARK - 1 };

/* True where line opens this section: "ATOM" for "@<TRIPOS>ATOM", blanks behind it allowed. */
static bool opens(const char *line, const char *section)
{
    size_t length = strlen(section);
    return strncmp(line, SECTION_MARK, MARK_SIZE) == 0 &&
           strncmp(line + MARK_SIZE, section, length) == 0 &&
           line[MARK_SIZE + length + strspn(line + MARK_SIZE + length, " \t")] == '\0';
}

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
    reader->bonds_declared = BERTH_MOL2_ABSENT;
    if (!berth_field_next(&cursor, &field) ||
        !berth_field_integer(&field, &reader->atoms_declared) || reader->atoms_declared < 0) {
        return berth_mol2_refuse(
            reader, error,
            "'%.*s' stands where the number of atoms belongs; the second line of a "
            "molecule must hold its counts",
            berth_field_shown(&field), field.text);
    }
    if (berth_field_next(&cursor, &field) &&
        (!berth_field_integer(&field, &reader->bonds_declared) || reader->bonds_declared < 0)) {
        return berth_mol2_refuse(reader, error,
                                 "'%.*s' is not a number of bonds; correct the counts line",
                                 berth_field_shown(&field), field.text);
    }
    if (reader->atoms_declared == 0) {
        return berth_mol2_refuse(reader, error, "it has no atoms; remove it");
    }
    if (reader->atoms_declared > BERTH_ATOMS_MAX || reader->bonds_declared > BERTH_MOL2_BONDS_MAX) {
        return berth_mol2_refuse(
            reader, error,
            "%d atoms and %d bonds are more than %d and %d, the most that are read; "
            "correct the counts line or cut the structure down",
            reader->atoms_declared,
            reader->bonds_declared == BERTH_MOL2_ABSENT ? 0 : reader->bonds_declared,
            BERTH_ATOMS_MAX, BERTH_MOL2_BONDS_MAX);
    }
    return BERTH_OK;
}

/* Title and counts; what else the header holds (type, charges, comment) is not needed. */
static enum berth_status read_header(struct berth_mol2_reader *reader, struct berth_error *error)
{
    enum berth_status status = set_title(reader, "", error);
    char *line = NULL;
    BERTH_THEN(berth_mol2_line(reader, &line, error));
    if (status) {
        return status;
    }
    if (!line) {
        return berth_mol2_refuse(reader, error,
                                 "the file ends where its title belongs; write it again");
    }
    if (strncmp(line, SECTION_MARK, MARK_SIZE) == 0) {
        berth_text_reader_unread(reader->text);
        return berth_mol2_refuse(reader, error, "its title and counts are missing; write it again");
    }
    status = set_title(reader, line, error);
    BERTH_THEN(berth_mol2_section_line(reader, &line, error));
    if (status) {
        return status;
    }
    if (!line) {
        return berth_mol2_refuse(reader, error, "its counts line is missing; write it again");
    }
    return read_counts(reader, line, error);
}

/* Keeps the title, so that a failure can be told by name. */
static void drop_content(struct berth_molecule *molecule)
{
    free(molecule->atoms);
    free(molecule->bonds);
    molecule->atoms = NULL;
    molecule->bonds = NULL;
    molecule->atom_count = molecule->bond_count = 0;
}

static enum berth_status read_sections(struct berth_mol2_reader *reader, struct berth_error *error)
{
    for (;;) {
        char *line = NULL;
        enum berth_status status = berth_mol2_line(reader, &line, error);
        if (status || !line) {
            return status;
        }
        if (opens(line, "MOLECULE")) {
            berth_text_reader_unread(reader->text);
            return BERTH_OK;
        }
        if (opens(line, "ATOM")) {
            status = berth_mol2_read_atoms(reader, error);
        } else if (opens(line, "BOND")) {
            status = berth_mol2_read_bonds(reader, error);
        }
        if (status) {
            return status;
        }
    }
}

static enum berth_status read_molecule(struct berth_mol2_reader *reader, struct berth_error *error)
{
    enum berth_status status = read_header(reader, error);
    BERTH_THEN(read_sections(reader, error));
    if (status) {
        return status;
    }
    if (!reader->has_atoms) {
        return berth_mol2_refuse(reader, error, "it has no ATOM section; write it again");
    }
    if (!reader->has_bonds && reader->bonds_declared > 0) {
        return berth_mol2_refuse(reader, error,
                                 "the counts line says %d bonds, but there is no BOND section; it "
                                 "was cut off, fetch or write it again",
                                 reader->bonds_declared);
    }
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
        enum berth_status status = berth_mol2_line(reader, &line, error);
        if (status && reader->ordinal > 0 && !reader->broken) {
            continue;
        }
        reader->broken = reader->broken || status;
        if (status || !line) {
            return status;
        }
        if (opens(line, "MOLECULE")) {
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
    enum berth_status status = find_molecule(reader, &found, error);
    if (status) {
        return status;
    }
    if (!found && reader->ordinal == 0) {
        reader->broken = true;
        const char *path = berth_text_reader_path(reader->text);
        if (berth_text_reader_line(reader->text) == 0) {
            return berth_fail(error, BERTH_E_FORMAT, "%s: an empty file; a Mol2 file is needed",
                              path);
        }
        return berth_fail(error, BERTH_E_FORMAT,
                          "%s: not a Mol2 file (no line says @<TRIPOS>MOLECULE); if it is of "
                          "another format, give "
                          "it a name that ends so (.sdf, .smi, .pdb ...)",
                          path);
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
    status = read_molecule(reader, error);
    if (status) {
        drop_content(molecule);
        reader->broken = reader->broken || status != BERTH_E_FORMAT;
    }
    return status;
}

static enum berth_status wrap(struct berth_text_reader *text, struct berth_mol2_reader **reader,
                              struct berth_error *error)
{
    *reader = berth_alloc(1, sizeof **reader);
    if (!*reader) {
        berth_text_reader_destroy(text);
        return berth_out_of_memory(error, NULL);
    }
    (*reader)->text = text;
    return BERTH_OK;
}

enum berth_status berth_mol2_reader_create(const char *path, struct berth_mol2_reader **reader,
                                           struct berth_error *error)
{
    struct berth_text_reader *text;
    *reader = NULL;
    enum berth_status status = berth_text_reader_create(path, &text, error);
    return status ? status : wrap(text, reader, error);
}

enum berth_status berth_mol2_reader_create_memory(const char *name, const void *bytes, size_t size,
                                                  struct berth_mol2_reader **reader,
                                                  struct berth_error *error)
{
    struct berth_text_reader *text;
    *reader = NULL;
    enum berth_status status = berth_text_reader_create_memory(name, bytes, size, &text, error);
    return status ? status : wrap(text, reader, error);
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
    enum berth_status status = berth_mol2_reader_create(path, &reader, error);
    if (status) {
        return status;
    }
    bool end;
    status = berth_mol2_next(reader, molecule, &end, error);
    if (!status && only) {
        status = check_alone(reader, error);
    }
    if (status) {
        berth_molecule_clear(molecule);
    }
    berth_mol2_reader_destroy(reader);
    return status;
}
