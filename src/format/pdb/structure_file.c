#include "format/pdb/structure_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/fields.h"
#include "format/mol2/mol2.h"
#include "format/pdb/pdb.h"
#include "chem/residue_types.h"

static const struct {
    const char *word;
    enum berth_structure_format format;
} FORMATS[] = {{"pdb", BERTH_STRUCTURE_PDB},     {"ent", BERTH_STRUCTURE_PDB},
               {"pdbqt", BERTH_STRUCTURE_PDBQT}, {"cif", BERTH_STRUCTURE_MMCIF},
               {"mmcif", BERTH_STRUCTURE_MMCIF}, {"mol2", BERTH_STRUCTURE_MOL2}};

enum berth_structure_format berth_structure_format_of(const char *name)
{
    const size_t length = berth_unpacked_length(name);
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++) {
        const size_t size = strlen(FORMATS[i].word);
        const bool ends =
            length >= size && strncasecmp(name + length - size, FORMATS[i].word, size) == 0;
        if (ends && (length == size || name[length - size - 1] == '.')) {
            return FORMATS[i].format;
        }
    }
    return BERTH_STRUCTURE_UNKNOWN;
}

/* Splits "ALA12", "SO4500" and "GLY-3": the longest name that is a standard residue's, else all in
 * front of the last digits. */
static void split_substructure(const struct berth_atom *atom, struct berth_residue_id *id)
{
    const char *text = atom->residue;
    size_t name = strlen(text);
    while (name > 1 && isdigit((unsigned char)text[name - 1])) {
        name--;
    }
    name -= name > 1 && text[name - 1] == '-' && text[name];
    for (size_t size = strlen(text); size > name; size--) {
        char whole[BERTH_LABEL_SIZE];
        if (size < sizeof whole) {
            snprintf(whole, sizeof whole, "%.*s", (int)size, text);
            name = berth_residue_type_find(whole) ? size : name;
        }
    }
    snprintf(id->name, sizeof id->name, "%.*s", (int)name, text);
    const struct berth_field digits = {text + name, strlen(text + name)};
    if (!digits.length || !berth_field_integer(&digits, &id->number)) {
        id->number = atom->residue_id;
    }
}

enum berth_status berth_structure_from_molecule(const struct berth_molecule *molecule,
                                                struct berth_structure *structure,
                                                struct berth_error *error)
{
    structure->models = 1;
    structure->title = berth_copy_text(molecule->title);
    if (!structure->title) {
        return berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const struct berth_atom *from = &molecule->atoms[i];
        struct berth_structure_atom atom = {.occupancy = 1, .line = molecule->line};
        memcpy(atom.position, from->position, sizeof atom.position);
        snprintf(atom.name, sizeof atom.name, "%.7s", from->name);
        snprintf(atom.type, sizeof atom.type, "%.7s", from->type);
        atom.element = from->element;
        split_substructure(from, &atom.residue);
        memcpy(atom.residue.chain, from->chain, sizeof atom.residue.chain);
        if (atom.element != HYDROGEN) {
            berth_canonical_name(atom.name, atom.residue.name);
        }
        if (from->heavy ||
            from->element == HYDROGEN) { /* lone pairs and dummies say nothing here */
            BERTH_TRY(berth_structure_add(structure, &atom, error));
        }
    }
    return BERTH_OK;
}

static enum berth_status read_mol2(const char *path, struct berth_structure *structure,
                                   struct berth_error *error)
{
    struct berth_molecule molecule = {0};
    enum berth_status status = berth_mol2_read_one(path, true, &molecule, error);
    BERTH_THEN(berth_structure_from_molecule(&molecule, structure, error));
    berth_molecule_clear(&molecule);
    return status;
}

enum berth_status berth_structure_read(const char *path, enum berth_structure_format format,
                                       struct berth_structure *structure, struct berth_error *error)
{
    memset(structure, 0, sizeof *structure);
    if (format == BERTH_STRUCTURE_MOL2) {
        return read_mol2(path, structure, error);
    }
    if (format == BERTH_STRUCTURE_UNKNOWN && access(path, R_OK) != 0) {
        return berth_io_error(path, "open", errno, error);
    }
    if (format == BERTH_STRUCTURE_UNKNOWN) {
        return berth_fail_option(error, BERTH_E_USAGE, "format",
                                 "%s: its name does not say which format it has: pdb, pdbqt, mmcif "
                                 "or mol2",
                                 path);
    }
    struct berth_text_reader *text;
    BERTH_TRY(berth_text_reader_create(path, &text, error));
    enum berth_status status =
        format == BERTH_STRUCTURE_MMCIF
            ? berth_mmcif_read(text, structure, error)
            : berth_pdb_read(text, format == BERTH_STRUCTURE_PDBQT, structure, error);
    berth_text_reader_destroy(text);
    const char *stem;
    const size_t length = berth_file_stem(path, &stem);
    structure->title = strndup(stem, length);
    return !status && !structure->title ? berth_out_of_memory(error, path) : status;
}
