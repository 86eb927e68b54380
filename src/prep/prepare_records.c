/* What is known of a record, and of a format, before anything is prepared. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/pdb/structure_file.h"
#include "format/sdf/sdf.h"
#include "format/smiles/smiles.h"
#include "prep/prepare.h"

/* Formats that become SDF (prep/prepare_convert.c), as far as they are known for ligands. */
static const struct known_format {
    const char *name;
    bool bonds; /* it has them */
} FORMATS[] = {{"pdb", false}, {"ent", false},   {"pdbqt", false}, {"pqr", false},
               {"cif", false}, {"mmcif", false}, {"mcif", false},  {"xyz", false},
               {"gro", false}, {"inchi", true},  {"cml", true},    {"mae", true}};

static const struct known_format *find_format(const char *format)
{
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++) {
        if (strcasecmp(format, FORMATS[i].name) == 0) {
            return &FORMATS[i];
        }
    }
    return NULL;
}

bool berth_prepare_takes(const char *path)
{
    char format[32];
    berth_format_of(path, format, sizeof format);
    const enum berth_record_kind kind = berth_record_kind_of(format);
    return kind == BERTH_RECORD_SMILES || kind == BERTH_RECORD_TABLE || kind == BERTH_RECORD_SDF ||
           find_format(format);
}

bool berth_prepare_lacks_bonds(const char *format)
{
    const struct known_format *known = find_format(format);
    return known && !known->bonds;
}

/* True for a first line that begins with a word, as a line of names does. */
static bool may_be_header(const struct berth_record *record)
{
    bool word = record->number == 1 && record->line > 0;
    for (size_t i = 0; word && i < record->text.count; i++) {
        word = isalpha(record->text.data[i]) || strchr("_,;", record->text.data[i]);
    }
    return word;
}

static enum berth_status suspect_header(struct berth_error *error)
{
    char why[640];
    snprintf(why, sizeof why, "%.500s", error ? error->message : "");
    return berth_fail(error, BERTH_E_FORMAT,
                      "%s; if these are names of columns, smiles_column says which has SMILES",
                      why);
}

enum berth_status berth_prepare_check(const struct berth_record *record, struct berth_error *error)
{
    const char *text = (const char *)record->text.data;
    if (record->kind == BERTH_RECORD_SMILES) {
        const enum berth_status status = berth_smiles_check(text, record->text.count, error);
        return status && may_be_header(record) ? suspect_header(error) : status;
    }
    return record->kind == BERTH_RECORD_SDF ? berth_molfile_check(text, record->text.count, error)
                                            : BERTH_OK;
}

enum berth_status berth_prepare_name(struct berth_record *record, const char *path,
                                     struct berth_error *error)
{
    if (record->title && *record->title) {
        return BERTH_OK;
    }
    const unsigned long long number = record->number;
    char name[PATH_MAX + 32];
    snprintf(name, sizeof name, "%.*s:%llu", NAME_MAX, berth_file_name(path), number);
    if (berth_structure_format_of(path) != BERTH_STRUCTURE_UNKNOWN &&
        record->kind != BERTH_RECORD_MOL2) {
        /* PDB, PDBQT, mmCIF: most often a file is a molecule, else there are poses of one */
        const char *stem;
        const size_t length = berth_file_stem(path, &stem);
        snprintf(name, sizeof name, "%.*s", (int)(length < NAME_MAX ? length : NAME_MAX), stem);
        if (number > 1) {
            berth_text_append(name, sizeof name, ":%llu", number);
        }
    }
    free(record->title);
    record->title = berth_copy_text(name);
    return record->title ? BERTH_OK : berth_out_of_memory(error, NULL);
}
