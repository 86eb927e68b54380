/* Which files need Open Babel, what their molecules are called, and whole files of formats that
 * only it reads, to SDF. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/input.h"
#include "base/memory.h"
#include "prep/openbabel.h"
#include "prep/bond_orders.h"
#include "prep/contradiction.h"
#include "format/sdf/molfile.h"
#include "prep/prepare.h"
#include "prep/remark_smiles.h"
#include "format/pdb/pdb.h"

bool berth_prepare_takes(const char *path)
{
    static const char *const FORMATS[] = {"pdb",  "ent", "pdbqt", "cif", "mmcif",
                                          "mcif", "xyz", "inchi", "cml", "mae"};
    char format[32];
    berth_format_of(path, format, sizeof format);
    const enum berth_record_kind kind = berth_record_kind_of(format);
    bool takes = kind == BERTH_RECORD_SMILES || kind == BERTH_RECORD_SDF;
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++) {
        takes = takes || strcmp(format, FORMATS[i]) == 0;
    }
    return takes;
}

bool berth_prepare_lacks_bonds(const char *format)
{
    static const char *const FORMATS[] = {"pdb", "ent",   "pdbqt", "pqr", "xyz",
                                          "cif", "mmcif", "mcif",  "gro"};
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++) {
        if (strcasecmp(format, FORMATS[i]) == 0) {
            return true;
        }
    }
    return false;
}

bool berth_prepare_perceives(const char *format)
{
    return berth_prepare_lacks_bonds(format) && strcasecmp(format, "pdbqt") != 0;
}

static enum berth_status check_perceived(const struct berth_record *record,
                                         struct berth_error *error)
{
    char text[BERTH_CONTRADICTION_SIZE] = "";
    struct berth_molecule molecule;
    enum berth_status status =
        berth_molfile_read((const char *)record->text.data, record->text.count, &molecule, error);
    if (!status) {
        status = berth_contradiction_find(&molecule, text, error);
    }
    berth_molecule_clear(&molecule);
    return status || !*text
               ? status
               : berth_fail(error, BERTH_E_FORMAT,
                            "its bonds, which Open Babel perceived, contradict the file: %s; give "
                            "it as SMILES, SDF or Mol2",
                            text);
}

enum berth_status berth_prepare_check(const struct berth_record *record, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    if (record->kind == BERTH_RECORD_SDF) {
        status = berth_molfile_check((const char *)record->text.data, record->text.count, error);
    }
    return status || !record->perceived ? status : check_perceived(record, error);
}

enum berth_status berth_prepare_name(struct berth_record *record, const char *path,
                                     struct berth_error *error)
{
    const char *title = record->title ? record->title : "";
    const bool by_file = strcmp(title, BERTH_OPENBABEL_INPUT) == 0;
    if (*title && !by_file) {
        return BERTH_OK;
    }
    const char *slash = strrchr(path, '/');
    char name[PATH_MAX + 32];
    snprintf(name, sizeof name, "%.*s:%llu", NAME_MAX, slash ? slash + 1 : path,
             (unsigned long long)record->number);
    if (by_file) {
        snprintf(name, sizeof name, "%s", path);
    }
    free(record->title);
    record->title = berth_copy_text(name);
    return record->title ? BERTH_OK : berth_fail(error, BERTH_E_MEMORY, "out of memory");
}

/* The atoms of a PDB or PDBQT file that has one model. */
static enum berth_status read_structure(const char *path, bool pdbqt,
                                        const struct berth_bytes *text,
                                        struct berth_structure *structure,
                                        struct berth_error *error)
{
    struct berth_text_reader *reader;
    enum berth_status status =
        berth_text_reader_create_memory(path, text->data, text->count, &reader, error);
    if (!status) {
        status = berth_pdb_read(reader, pdbqt, structure, error);
        berth_text_reader_destroy(reader);
    }
    if (!status && structure->models > 1) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "%zu models, of which a ligand may have one; cut out the one that is "
                            "meant",
                            structure->models);
    }
    return status;
}

/* Appends the ligand of a PDBQT file as SDF, with the bonds of the SMILES that it has with it, or
 * those that perception is sure of. */
static enum berth_status convert_pdbqt(const char *path, const struct berth_bytes *text,
                                       double limit, struct berth_bytes *sdf,
                                       struct berth_error *error)
{
    struct berth_structure structure = {0};
    struct berth_bonded_ligand bonded = {0};
    struct berth_remark_smiles remark;
    enum berth_status status = berth_remark_smiles_read(path, text, &remark, error);
    if (!status) {
        status = read_structure(path, true, text, &structure, error);
    }
    if (!status && remark.smiles) {
        status = berth_bond_orders_place(remark.smiles, (const double(*)[3])remark.positions,
                                         remark.count, limit, sdf, error);
    } else if (!status) {
        status = berth_bond_orders_find(&structure, NULL, limit, &bonded, error);
        if (!status) {
            berth_bonded_ligand_put(&bonded.sdf, sdf);
            status = sdf->failed ? berth_fail(error, BERTH_E_MEMORY, "out of memory") : BERTH_OK;
        }
    }
    berth_remark_smiles_clear(&remark);
    berth_bonded_ligand_clear(&bonded);
    berth_structure_clear(&structure);
    return status;
}

enum berth_status berth_prepare_convert(const char *path, const char *format, double limit,
                                        const atomic_bool *stop, struct berth_bytes *sdf,
                                        struct berth_error *error)
{
    const bool stream = strcmp(path, "-") == 0;
    struct berth_bytes text = {0};
    enum berth_status status = berth_input_read_all(path, stop, &text, error);
    if (!status && strcasecmp(format, "pdbqt") == 0) {
        status = convert_pdbqt(path, &text, limit, sdf, error);
    } else if (!status) {
        static const char *const OPTIONS[] = {BERTH_OPENBABEL_INPUT, "-osdf", NULL};
        const struct berth_openbabel_job job = {.format = format,
                                                .options = OPTIONS + stream,
                                                .input = text.data,
                                                .input_size = text.count,
                                                .limit = limit,
                                                .cancel = stop};
        status = berth_openbabel_run(&job, sdf, error);
    }
    berth_bytes_clear(&text);
    return status;
}
