#include "prep/posed.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/memory.h"
#include "format/mol2/mol2.h"
#include "format/pdb/structure_file.h"
#include "format/records.h"
#include "format/sdf/sdf.h"
#include "prep/openbabel.h"
#include "prep/perception.h"
#include "prep/prepare.h"
#include "prep/receptor/prepare_structure.h"
#include "score/fields.h"

/* --- One molecule, for its place --- */

static enum berth_status read_structure(const char *path, enum berth_structure_format format,
                                        struct berth_molecule *molecule, struct berth_error *error)
{
    struct berth_structure structure = {0};
    size_t residues;
    enum berth_status status = berth_structure_read(path, format, &structure, error);
    BERTH_THEN(berth_alternates_resolve(&structure, &residues, error));
    BERTH_THEN(berth_plain_molecule(&structure, molecule, error));
    berth_structure_clear(&structure);
    return status;
}

enum berth_status berth_place_check(const char *path, const struct berth_molecule *molecule,
                                    struct berth_error *error)
{
    const char *flaw = berth_place_flaw(molecule);
    return flaw ? berth_fail(error, BERTH_E_FORMAT,
                             "%s: %s, and says nothing of its place in the receptor; give the "
                             "molecule as it stands there",
                             path, flaw)
                : BERTH_OK;
}

/* V2000 is read here, V3000 by what types poses. */
static enum berth_status read_sdf(const char *path, struct berth_molecule *molecule,
                                  struct berth_error *error)
{
    struct berth_record record;
    struct berth_typer typer = {.stop = NULL};
    if (berth_record_read_one(path, BERTH_RECORD_SDF, &record, error)) {
        return berth_fail_in(error, path);
    }
    const char *text = (const char *)record.text.data;
    enum berth_status status = berth_molfile_read(text, record.text.count, molecule, error);
    if (!status && !molecule->atom_count) {
        status = berth_molfile_check(text, record.text.count, error);
        BERTH_THEN(berth_typer_stand(&typer, &record, NAN, molecule, error));
    }
    if (!status) {
        free(molecule->title);
        molecule->title = berth_copy_text(record.title);
        status = molecule->title ? BERTH_OK : berth_out_of_memory(error, NULL);
    }
    berth_typer_clear(&typer);
    berth_record_clear(&record);
    return status ? berth_fail_in(error, path) : BERTH_OK;
}

static enum berth_status read_one(const char *path, struct berth_molecule *molecule,
                                  struct berth_error *error)
{
    char format[32];
    berth_format_of(path, format, sizeof format);
    const enum berth_structure_format structure = berth_structure_format_of(path);
    if (berth_record_kind_of(format) == BERTH_RECORD_SDF) {
        return read_sdf(path, molecule, error);
    }
    return structure == BERTH_STRUCTURE_UNKNOWN || structure == BERTH_STRUCTURE_MOL2
               ? berth_mol2_read_one(path, true, molecule, error)
               : read_structure(path, structure, molecule, error);
}

enum berth_status berth_posed_read(const char *path, struct berth_molecule *molecule,
                                   struct berth_error *error)
{
    memset(molecule, 0, sizeof *molecule);
    BERTH_TRY(read_one(path, molecule, error));
    return berth_place_check(path, molecule, error);
}

/* --- Molecules one by one, with their types --- */

/* Processor seconds of Open Babel for a file that it converts as a whole. */
static const double FILE_LIMIT = 1200;

struct berth_pose_reader {
    char *path;                    /* owned */
    struct berth_records *records; /* owned; NULL: they are what conversion made */
    struct berth_converted converted;
    struct berth_bond_finder bonds;
    struct berth_record record; /* the one that is being read */
    const atomic_bool *stop;    /* borrowed */
    struct berth_typer typer;
    bool any;    /* a record was met */
    bool broken; /* an error has ended the file */
    bool bare;   /* it has no bonds and no hydrogens: protonated for BERTH_PH */
};

/* True where the first molecule has atoms and no hydrogen. */
static bool is_bare(const struct berth_converted *converted)
{
    if (!converted->count || converted->items[0].failure) {
        return false;
    }
    const struct berth_bytes *sdf = &converted->items[0].record.text;
    struct berth_molecule molecule;
    struct berth_error why;
    bool bare = !berth_molfile_read((const char *)sdf->data, sdf->count, &molecule, &why) &&
                molecule.atom_count;
    for (size_t i = 0; bare && i < molecule.atom_count; i++) {
        bare = molecule.atoms[i].heavy;
    }
    berth_molecule_clear(&molecule);
    return bare;
}

enum berth_status berth_pose_reader_create(const char *path, const atomic_bool *stop,
                                           const struct berth_log *log,
                                           struct berth_pose_reader **reader,
                                           struct berth_error *error)
{
    char format[32];
    berth_format_of(path, format, sizeof format);
    *reader = NULL;
    const enum berth_record_kind kind = berth_record_kind_of(format);
    if (kind == BERTH_RECORD_SMILES || kind == BERTH_RECORD_TABLE) {
        return berth_fail(
            error, BERTH_E_USAGE,
            "%s: SMILES have no coordinates to take as they stand; `berth dock` finds "
            "poses for them",
            path);
    }
    struct berth_pose_reader *made = *reader = berth_alloc(1, sizeof *made);
    if (!made || !(made->path = berth_copy_text(path))) {
        return berth_out_of_memory(error, path);
    }
    made->stop = made->typer.stop = stop;
    if (kind == BERTH_RECORD_SDF) {
        BERTH_TRY(berth_records_create(path, BERTH_RECORD_SDF, &made->records, error));
        berth_records_stop_on(made->records, stop);
    } else {
        const struct berth_conversion conversion = {path,         format, FILE_LIMIT, true,
                                                    &made->bonds, stop,   log};
        made->bonds.stop = stop;
        if (berth_prepare_convert(&conversion, &made->converted, error)) {
            return berth_fail_in(error, path);
        }
        /* A structure of heavy atoms says nothing of protons: its state is the one that docking it
         * would have.  (In PDBQT polar hydrogens stand, and where there are none, that says
         * something.) */
        made->bare = berth_prepare_lacks_bonds(format) && strcmp(format, "pdbqt") != 0 &&
                     is_bare(&made->converted);
    }
    if (made->bare) {
        berth_note(log,
                   "%s: it has no hydrogens, and no bonds that would tell their number: it stands "
                   "in its form at pH %g, as `berth dock` has it (SDF and Mol2 are taken as drawn)",
                   path, BERTH_PH);
    }
    return berth_typer_start(&made->typer, error);
}

/* What its tag says which mode of its ligand the record is; 0: nothing. */
static enum berth_status find_mode(const struct berth_record *record, size_t *mode,
                                   struct berth_error *error)
{
    struct berth_sdf_tags tags = {.count = 0};
    const enum berth_status status =
        berth_sdf_tags_read(record->text.data, record->text.count, &tags, error);
    *mode = status ? 0 : strtoul(berth_sdf_tags_find(&tags, BERTH_COLUMN_MODE), NULL, 10);
    berth_sdf_tags_clear(&tags);
    return status;
}

static enum berth_status type_record(struct berth_pose_reader *reader,
                                     struct berth_molecule *molecule, struct berth_error *error)
{
    const struct berth_record *record = &reader->record;
    enum berth_status status = berth_prepare_check(record, error);
    BERTH_THEN(
        berth_typer_stand(&reader->typer, record, reader->bare ? BERTH_PH : NAN, molecule, error));
    BERTH_THEN(find_mode(record, &molecule->mode, error));
    return status;
}

enum berth_status berth_pose_reader_next(struct berth_pose_reader *reader,
                                         struct berth_molecule *molecule, bool *end,
                                         struct berth_error *error)
{
    struct berth_record *record = &reader->record;
    berth_molecule_clear(molecule);
    *end = reader->broken;
    if (*end) {
        return BERTH_OK;
    }
    enum berth_status status = reader->records
                                   ? berth_records_next(reader->records, record, end, error)
                                   : berth_converted_next(&reader->converted, record, end, error);
    if (*end && !reader->any) {
        reader->any = reader->broken = true;
        *end = false;
        return berth_fail(error, BERTH_E_FORMAT, "%s: no molecule", reader->path);
    }
    if (*end) {
        return BERTH_OK;
    }
    const bool placed = status && reader->records; /* the error names its place */
    reader->any = true;
    reader->broken = placed && berth_records_is_broken(reader->records);
    if (berth_prepare_name(record, reader->path, error)) {
        return BERTH_E_MEMORY;
    }
    BERTH_THEN(type_record(reader, molecule, error));
    if (status && !placed) {
        char place[PATH_MAX + 300];
        snprintf(place, sizeof place, "%s:%zu: molecule %.256s", reader->path, record->line,
                 record->title);
        berth_fail_in(error, place);
    }
    free(molecule->title);
    molecule->title = berth_copy_text(record->title);
    molecule->line = record->line;
    return molecule->title ? status : berth_out_of_memory(error, NULL);
}

bool berth_pose_reader_is_broken(const struct berth_pose_reader *reader)
{
    return reader->broken;
}

void berth_pose_reader_destroy(struct berth_pose_reader *reader)
{
    if (reader) {
        berth_record_clear(&reader->record);
        berth_typer_clear(&reader->typer);
        berth_records_destroy(reader->records);
        berth_converted_clear(&reader->converted);
        berth_bond_finder_clear(&reader->bonds);
        free(reader->path);
        free(reader);
    }
}
