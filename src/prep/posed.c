#include "prep/posed.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/memory.h"
#include "chem/type_rules.h"
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

static const double ONE_LIMIT = 60; /* seconds for Open Babel, or RDKit */

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

static enum berth_status convert_sdf(const char *path, struct berth_molecule *molecule,
                                     struct berth_error *error)
{
    static const char *const OPTIONS[] = {"-omol2", NULL};
    struct berth_bytes sdf = {0}, mol2 = {0};
    const struct berth_openbabel_job job = {
        .format = "sdf", .options = OPTIONS, .input = &sdf, .limit = ONE_LIMIT};
    struct berth_mol2_reader *reader = NULL;
    bool end = true;
    enum berth_status status = berth_input_read_all(path, NULL, &sdf, error);
    BERTH_THEN(berth_openbabel_run(&job, &mol2, error));
    BERTH_THEN(berth_mol2_reader_create_memory("Open Babel's output", mol2.data, mol2.count,
                                               &reader, error));
    struct berth_molecule second = {0};
    BERTH_THEN(berth_mol2_next(reader, molecule, &end, error));
    BERTH_THEN(berth_mol2_next(reader, &second, &end, error));
    if (!status && !end) {
        status = berth_fail(error, BERTH_E_FORMAT, "more than one molecule; give one");
    }
    if (status) {
        berth_fail_in(error, path);
    }
    berth_molecule_clear(&second);
    berth_mol2_reader_destroy(reader);
    berth_bytes_clear(&sdf);
    berth_bytes_clear(&mol2);
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

/* SDF that V2000 is enough for.  *found is false, and *molecule empty, for other files. */
static enum berth_status read_v2000(const char *path, struct berth_molecule *molecule, bool *found,
                                    struct berth_error *error)
{
    struct berth_record record;
    BERTH_TRY(berth_record_read_one(path, BERTH_RECORD_SDF, &record, error));
    enum berth_status status =
        berth_molfile_read((const char *)record.text.data, record.text.count, molecule, error);
    *found = !status && molecule->atom_count > 0;
    if (!status && !*found) {
        status = berth_molfile_check((const char *)record.text.data, record.text.count, error);
    }
    if (*found) {
        molecule->title = berth_copy_text(record.title);
        status = molecule->title ? BERTH_OK : berth_out_of_memory(error, path);
    }
    berth_record_clear(&record);
    return status;
}

static enum berth_status read_sdf(const char *path, struct berth_molecule *molecule,
                                  struct berth_error *error)
{
    bool found = false;
    const enum berth_status whole = read_v2000(path, molecule, &found, error);
    return whole   ? berth_fail_in(error, path)
           : found ? BERTH_OK
                   : convert_sdf(path, molecule, error);
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

/* --- One molecule, protonated as a docking has it --- */

#define FILE_PLACES 1e4 /* to the Å: four decimals, of Mol2 */

enum berth_status berth_stand_protonated(const struct berth_bytes *sdf, double ph,
                                         struct berth_molecule *molecule, struct berth_error *error)
{
    const struct berth_record record = {.text = *sdf, .kind = BERTH_RECORD_SDF};
    struct berth_rdkit rdkit;
    struct berth_preparer *preparer = NULL;
    const struct berth_preparation preparation = {.ph = ph,
                                                  .rdkit = &rdkit,
                                                  .memory = (size_t)BERTH_WORKER_MEMORY * 1000000,
                                                  .limit = ONE_LIMIT};
    memset(molecule, 0, sizeof *molecule);
    BERTH_TRY(berth_rdkit_find(&rdkit, error));
    BERTH_TRY(berth_preparer_create(&preparation, &preparer, error));
    const enum berth_status status = berth_prepare_stand(preparer, &record, molecule, error);
    berth_preparer_destroy(preparer);
    for (size_t i = 0; !status && i < molecule->atom_count; i++) {
        for (int k = 0; k < 3; k++) { /* as files keep them, so that both have the same contacts */
            double *at = &molecule->atoms[i].position[k];
            *at = round(*at * FILE_PLACES) / FILE_PLACES;
        }
    }
    return status;
}

/* --- Molecules one by one, with their types --- */

/* Records that go to Open Babel together, whose start takes longer than any of them, and bytes of
 * them. */
enum { BATCH = 64, BATCH_BYTES = 4 << 20 };

/* Processor seconds: for a record; of Open Babel for a file that it converts as a whole. */
static const double RECORD_LIMIT = 60, FILE_LIMIT = 1200;

/* A record, and the molecule that it became. */
struct slot {
    struct berth_record record;
    struct berth_molecule molecule;
    enum berth_status status;
    struct berth_error error;
    bool placed; /* the error names its place */
    bool typed;  /* by RDKit: Open Babel need not be asked */
};

struct berth_pose_reader {
    char *path;                    /* owned */
    struct berth_records *records; /* owned */
    struct berth_bytes converted;  /* what they are read from, where conversion made it */
    struct berth_bond_finder bonds;
    const atomic_bool *stop; /* borrowed */
    struct berth_builders builders;
    struct berth_preparation preparation;
    struct berth_preparer *preparer; /* owned; NULL: there is no RDKit */
    struct slot slots[BATCH];
    size_t next, count;     /* of the slots */
    bool any, end;          /* a record was met; behind the last one */
    bool broken, perceived; /* the file has no bonds */
    bool bare;              /* nor hydrogens: protonated for BERTH_PH */
};

static void clear_slots(struct berth_pose_reader *reader)
{
    for (size_t i = 0; i < reader->count; i++) {
        berth_record_clear(&reader->slots[i].record);
        berth_molecule_clear(&reader->slots[i].molecule);
    }
    memset(reader->slots, 0, reader->count * sizeof *reader->slots);
    reader->next = reader->count = 0;
}

/* True where the first molecule has atoms and no hydrogen. */
static bool is_bare(const struct berth_bytes *sdf)
{
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

/* Finds out what gives the types: what a docking would prepare ligands with. */
static enum berth_status choose_typer(struct berth_pose_reader *reader, struct berth_error *error)
{
    reader->preparation =
        (struct berth_preparation){.ph = reader->bare ? BERTH_PH : NAN,
                                   .memory = (size_t)BERTH_WORKER_MEMORY * 1000000,
                                   .limit = RECORD_LIMIT,
                                   .cancel = reader->stop,
                                   .stop = reader->stop};
    BERTH_TRY(berth_prepare_choose(&reader->preparation, &reader->builders, NULL, error));
    return reader->preparation.rdkit
               ? berth_preparer_create(&reader->preparation, &reader->preparer, error)
               : BERTH_OK;
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
    made->stop = stop;
    if (kind == BERTH_RECORD_SDF) {
        BERTH_TRY(berth_records_create(path, BERTH_RECORD_SDF, &made->records, error));
    } else {
        const struct berth_conversion conversion = {path,         format, FILE_LIMIT, true,
                                                    &made->bonds, stop,   log};
        made->bonds.stop = stop;
        if (berth_prepare_convert(&conversion, &made->converted, &made->perceived, error)) {
            return berth_fail_in(error, path);
        }
        BERTH_TRY(berth_records_create_memory(path, &made->converted, BERTH_RECORD_SDF,
                                              &made->records, error));
        /* A structure of heavy atoms says nothing of protons: its state is the one that docking it
         * would have.  (In PDBQT polar hydrogens stand, and where there are none, that says
         * something.) */
        made->bare = berth_prepare_lacks_bonds(format) && strcmp(format, "pdbqt") != 0 &&
                     is_bare(&made->converted);
    }
    berth_records_stop_on(made->records, stop);
    if (made->bare) {
        berth_note(log,
                   "%s: it has no hydrogens, and no bonds that would tell their number: it stands "
                   "in its form at pH %g, as `berth dock` has it (SDF and Mol2 are taken as drawn)",
                   path, BERTH_PH);
    }
    return choose_typer(made, error);
}

/* Reads records into the slots. */
static void read_records(struct berth_pose_reader *reader)
{
    size_t bytes = 0;
    clear_slots(reader);
    while (reader->count < BATCH && bytes < BATCH_BYTES && !reader->end) {
        struct slot *slot = &reader->slots[reader->count];
        slot->status =
            berth_records_next(reader->records, &slot->record, &reader->end, &slot->error);
        if (reader->end) {
            berth_record_clear(&slot->record);
            break;
        }
        slot->placed = slot->status != BERTH_OK;
        slot->record.perceived = reader->perceived;
        if (!slot->status) {
            slot->status = berth_prepare_name(&slot->record, reader->path, &slot->error);
        }
        if (!slot->status) {
            slot->status = berth_prepare_check(&slot->record, &slot->error);
        }
        bytes += slot->record.text.count;
        reader->any = true;
        reader->count++;
    }
}

/* Appends the record, which may be the file's last, without its end. */
static void put_record(struct berth_bytes *input, const struct berth_record *record)
{
    static const char END[] = "$$$$\n";
    const size_t size = sizeof END - 1, count = record->text.count;
    berth_bytes_put(input, record->text.data, count);
    if (count < size || memcmp(record->text.data + count - size, END, size) != 0) {
        berth_bytes_put(input, END, size);
    }
}

/* Asks RDKit for the molecules.  What it refuses stays open, with its reason, for Open Babel. */
static void ask_rdkit(struct berth_pose_reader *reader)
{
    for (size_t i = 0; reader->preparer && i < reader->count; i++) {
        struct slot *slot = &reader->slots[i];
        if (!slot->status) {
            const enum berth_status status =
                berth_prepare_stand(reader->preparer, &slot->record, &slot->molecule, &slot->error);
            slot->typed = status == BERTH_OK;
            slot->status = status == BERTH_E_FORMAT ? BERTH_OK : status;
        }
    }
}

/* True for a record that Open Babel is to type. */
static bool is_open(const struct slot *slot)
{
    return !slot->status && !slot->typed;
}

/* Takes the molecules of the Mol2 text into the slots begin .. end - 1 that are open, in their
 * order.  Errors: those of the reader; BERTH_E_FORMAT where there are too few or too many. */
static enum berth_status take_molecules(struct berth_pose_reader *reader, size_t begin, size_t end,
                                        const struct berth_bytes *text, struct berth_error *error)
{
    struct berth_mol2_reader *mol2 = NULL;
    struct berth_molecule more = {0};
    bool over = false;
    enum berth_status status = berth_mol2_reader_create_memory("Open Babel's output", text->data,
                                                               text->count, &mol2, error);
    for (size_t i = begin; !status && i < end; i++) {
        struct slot *slot = &reader->slots[i];
        if (is_open(slot)) {
            status = berth_mol2_next(mol2, &slot->molecule, &over, error);
            if (!status && over) {
                status = berth_fail(error, BERTH_E_FORMAT, "Open Babel gave no molecule");
            }
        }
    }
    BERTH_THEN(berth_mol2_next(mol2, &more, &over, error));
    if (!status && !over) {
        status = berth_fail(error, BERTH_E_FORMAT, "Open Babel made several molecules of it");
    }
    berth_molecule_clear(&more);
    berth_mol2_reader_destroy(mol2);
    return status;
}

/* The records of the slots begin .. end - 1 that are open through Open Babel.  What one of them
 * does wrong is found by halves. */
static void ask_openbabel(struct berth_pose_reader *reader, size_t begin, size_t end)
{
    /* types want all hydrogens; no title of a user's may disturb the Mol2 file */
    const char *const options[] = {
        "-omol2", "--title", "x", reader->bare ? "-p" : "-h", reader->bare ? BERTH_PH_TEXT : NULL,
        NULL};
    struct berth_bytes input = {0}, output = {0};
    struct berth_error why;
    size_t count = 0, first = begin;
    for (size_t i = begin; i < end; i++) {
        if (is_open(&reader->slots[i])) {
            put_record(&input, &reader->slots[i].record);
            first = count++ ? first : i;
        }
    }
    const struct berth_openbabel_job job = {.format = "sdf",
                                            .options = options,
                                            .input = &input,
                                            .limit = RECORD_LIMIT * (double)count,
                                            .cancel = reader->stop};
    enum berth_status status = count ? berth_openbabel_run(&job, &output, &why) : BERTH_OK;
    if (count) {
        BERTH_THEN(take_molecules(reader, begin, end, &output, &why));
    }
    berth_bytes_clear(&input);
    berth_bytes_clear(&output);
    const bool stopped = reader->stop && atomic_load(reader->stop);
    if (status && count > 1 && !stopped) {
        ask_openbabel(reader, begin, begin + (end - begin) / 2);
        ask_openbabel(reader, begin + (end - begin) / 2, end);
    } else if (status) {
        struct slot *slot = &reader->slots[first];
        berth_molecule_clear(&slot->molecule);
        if (!reader->preparer || status == BERTH_E_MEMORY || stopped) {
            slot->error = why; /* else RDKit's reason stands */
        }
        slot->status = slot->error.status;
    }
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

/* Puts title, line, mode and types of the molecule right; "file:line: molecule TITLE: " in front of
 * what is wrong with it. */
static enum berth_status finish_slot(struct berth_pose_reader *reader, struct slot *slot)
{
    struct berth_molecule *molecule = &slot->molecule;
    free(molecule->title);
    molecule->title = berth_copy_text(slot->record.title ? slot->record.title : "");
    molecule->line = slot->record.line;
    if (!molecule->title) {
        return slot->status = berth_fail(&slot->error, BERTH_E_MEMORY, "out of memory");
    }
    if (!slot->status) {
        slot->status = find_mode(&slot->record, &molecule->mode, &slot->error);
    }
    if (!slot->status) {
        slot->status = berth_types_correct(molecule, &slot->error);
    }
    if (slot->status && !slot->placed) {
        char place[PATH_MAX + 300];
        snprintf(place, sizeof place, "%s:%zu: molecule %.256s", reader->path, slot->record.line,
                 molecule->title);
        berth_fail_in(&slot->error, place);
    }
    return slot->status;
}

enum berth_status berth_pose_reader_next(struct berth_pose_reader *reader,
                                         struct berth_molecule *molecule, bool *end,
                                         struct berth_error *error)
{
    berth_molecule_clear(molecule);
    if (reader->next == reader->count && !reader->end) {
        read_records(reader);
        ask_rdkit(reader);
        ask_openbabel(reader, 0, reader->count);
    }
    *end = reader->next == reader->count;
    if (*end) {
        if (reader->any) {
            return BERTH_OK;
        }
        reader->any = reader->broken = true;
        *end = false;
        return berth_fail(error, BERTH_E_FORMAT, "%s: no molecule", reader->path);
    }
    struct slot *slot = &reader->slots[reader->next++];
    const enum berth_status status = finish_slot(reader, slot);
    *molecule = slot->molecule;
    memset(&slot->molecule, 0, sizeof slot->molecule);
    if (status) {
        *error = slot->error;
        reader->broken = reader->next == reader->count && berth_records_is_broken(reader->records);
    }
    return status;
}

bool berth_pose_reader_is_broken(const struct berth_pose_reader *reader)
{
    return reader->broken;
}

void berth_pose_reader_destroy(struct berth_pose_reader *reader)
{
    if (reader) {
        clear_slots(reader);
        berth_preparer_destroy(reader->preparer);
        berth_records_destroy(reader->records);
        berth_bytes_clear(&reader->converted);
        berth_bond_finder_clear(&reader->bonds);
        free(reader->path);
        free(reader);
    }
}
