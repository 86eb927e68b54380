#include "eval/screen/ligands.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/text_reader.h"
#include "chem/molecule.h"
#include "eval/analysis.h"
#include "format/library/library.h"
#include "format/mol2/mol2.h"
#include "format/records.h"
#include "format/sdf/sdf.h"
#include "prep/prepare.h"

/* --- Ligands by name --- */

/* By name, and the first one first. */
static int compare_ligands(const void *a, const void *b)
{
    const struct berth_named_ligand *one = a, *other = b;
    const int order = strcmp(one->name, other->name);
    return order ? order : (one->place > other->place) - (one->place < other->place);
}

static void clear_ligand(struct berth_named_ligand *ligand)
{
    free(ligand->name);
    free(ligand->scaffold);
}

void berth_named_ligands_sort(struct berth_named_ligands *ligands)
{
    size_t kept = 0;
    if (ligands->count) { /* items may be NULL */
        qsort(ligands->items, ligands->count, sizeof *ligands->items, compare_ligands);
    }
    for (size_t i = 0; i < ligands->count; i++) {
        if (kept && strcmp(ligands->items[kept - 1].name, ligands->items[i].name) == 0) {
            clear_ligand(&ligands->items[i]);
        } else {
            ligands->items[kept++] = ligands->items[i];
        }
    }
    ligands->count = kept;
}

static int compare_name(const void *key, const void *item)
{
    return strcmp(key, ((const struct berth_named_ligand *)item)->name);
}

const struct berth_named_ligand *berth_ligand_find(const struct berth_named_ligands *ligands,
                                                   const char *name)
{
    return ligands->count
               ? bsearch(name, ligands->items, ligands->count, sizeof *ligands->items, compare_name)
               : NULL;
}

void berth_named_ligands_clear(struct berth_named_ligands *ligands)
{
    for (size_t i = 0; i < ligands->count; i++) {
        clear_ligand(&ligands->items[i]);
    }
    free(ligands->items);
    memset(ligands, 0, sizeof *ligands);
}

/* --- Known molecules --- */

/* s: of processor time that RDKit may take for a molecule. */
static const double LIMIT = 60;

static bool is_library(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".blib") == 0;
}

static enum berth_record_kind kind_of(const char *path)
{
    char format[32];
    berth_format_of(path, format, sizeof format);
    return berth_record_kind_of(format);
}

bool berth_known_takes(const char *path)
{
    const enum berth_record_kind kind = kind_of(path); /* a table has names of known ligands */
    return is_library(path) || (kind != BERTH_RECORD_OTHER && kind != BERTH_RECORD_TABLE);
}

/* What is known of a molecule, as of struct berth_named_ligand; borrowed. */
struct facts {
    const char *name; /* "": it could not be read */
    double heavy_atoms, mass;
    const char *scaffold;
};

/* A reading on its way. */
struct reading {
    const struct berth_known_setup *setup;
    struct berth_named_ligands *ligands;
    struct berth_worker *worker; /* owned; NULL: there is no RDKit */
    struct berth_gatherer warnings;
    struct berth_log log; /* gathers in warnings */
};

static enum berth_status add_known(const struct reading *reading, const struct facts *facts,
                                   struct berth_error *error)
{
    struct berth_named_ligands *ligands = reading->ligands;
    if (!*facts->name) {
        return BERTH_OK; /* nothing could be found by it */
    }
    BERTH_TRY(berth_reserve(&ligands->items, &ligands->capacity, ligands->count + 1,
                            sizeof *ligands->items, error));
    struct berth_named_ligand *item = &ligands->items[ligands->count];
    *item = (struct berth_named_ligand){
        .name = berth_copy_text(facts->name),
        .heavy_atoms = facts->heavy_atoms,
        .mass = facts->mass,
        .scaffold = facts->scaffold ? berth_copy_text(facts->scaffold) : NULL,
        .place = ligands->count};
    ligands->count++;
    return item->name && (item->scaffold || !facts->scaffold) ? BERTH_OK
                                                              : berth_out_of_memory(error, NULL);
}

static void put_composition(const struct berth_composition *composition, struct facts *facts)
{
    facts->heavy_atoms = (double)berth_composition_heavy(composition);
    facts->mass = berth_composition_mass(composition);
}

/* Asks RDKit of a record and gives it to the caller. */
static enum berth_status ask_rdkit(struct reading *reading, const char *kind,
                                   const struct berth_field *text, struct facts *facts,
                                   struct berth_error *error)
{
    struct berth_answer answer = {0};
    struct berth_composition composition;
    const bool scaffold = reading->setup->scaffolds;
    double used = 0;
    const struct berth_request request = {
        .fields = {berth_text_field("facts"), berth_text_field(scaffold ? "scaffold=yes\n" : ""),
                   berth_text_field(kind), *text},
        .count = 4,
        .limit = LIMIT,
        .used = &used};
    if (!reading->worker) {
        return add_known(reading, facts, error);
    }
    enum berth_status status = berth_worker_ask(reading->worker, &request, &answer, error);
    if (!status && (answer.count != 2 + (size_t)scaffold ||
                    !berth_composition_parse(answer.fields[1].data, &composition))) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "the RDKit worker gave an answer that makes no sense");
    }
    if (status == BERTH_E_FORMAT) {
        berth_warn(&reading->log, "facts", "molecule %s: %s is not known: %s", facts->name,
                   isnan(facts->mass) ? "its size" : "its scaffold", error->message);
        status = BERTH_OK;
    } else if (!status) {
        put_composition(&composition, facts);
        facts->scaffold = scaffold ? answer.fields[2].data : NULL;
    }
    BERTH_THEN(add_known(reading, facts, error));
    berth_answer_clear(&answer);
    return status;
}

/* A molecule that cannot be read: its name may be known. */
static enum berth_status give_bad(struct reading *reading, const char *name,
                                  struct berth_error *error)
{
    const struct facts facts = {name ? name : "", NAN, NAN, NULL};
    berth_warn(&reading->log, "bad", "%s", error->message);
    return add_known(reading, &facts, error);
}

static enum berth_status read_records(struct reading *reading, struct berth_error *error)
{
    struct berth_records *records = NULL;
    struct berth_record record = {0};
    bool end = false;
    enum berth_status status =
        berth_records_create(reading->setup->path, kind_of(reading->setup->path), &records, error);
    while (!status && !end) {
        status = berth_records_next(records, &record, &end, error);
        if (status == BERTH_E_FORMAT && !berth_records_is_broken(records)) {
            status = give_bad(reading, record.title, error);
        } else if (!status && !end) {
            const struct berth_field text = {record.text.data, record.text.count};
            struct facts facts = {record.title, NAN, NAN, NULL};
            status = ask_rdkit(reading, record.kind == BERTH_RECORD_SMILES ? "smi" : "sdf", &text,
                               &facts, error);
        }
    }
    berth_record_clear(&record);
    berth_records_destroy(records);
    return status;
}

/* RDKit reads one dialect of Mol2 alone: it gets SDF. */
static enum berth_status give_mol2(struct reading *reading, const struct berth_molecule *molecule,
                                   struct berth_error *error)
{
    struct facts facts = {.name = molecule->title};
    struct berth_composition composition;
    char *text = NULL;
    size_t size = 0;
    berth_composition_of(molecule, &composition);
    put_composition(&composition, &facts);
    if (!reading->setup->scaffolds || !reading->worker) {
        return add_known(reading, &facts, error);
    }
    enum berth_status status = berth_sdf_text(molecule, &text, &size, error);
    const struct berth_field field = {text, size};
    BERTH_THEN(ask_rdkit(reading, "sdf", &field, &facts, error));
    free(text);
    return status;
}

static enum berth_status read_mol2(struct reading *reading, struct berth_error *error)
{
    struct berth_mol2_reader *mol2 = NULL;
    struct berth_molecule molecule = {0};
    bool end = false;
    enum berth_status status = berth_mol2_reader_create(reading->setup->path, &mol2, error);
    while (!status && !end) {
        status = berth_mol2_next(mol2, &molecule, &end, error);
        if (status == BERTH_E_FORMAT && !berth_mol2_is_broken(mol2)) {
            status = give_bad(reading, molecule.title, error);
        } else if (!status && !end) {
            status = give_mol2(reading, &molecule, error);
        }
    }
    berth_molecule_clear(&molecule);
    berth_mol2_reader_destroy(mol2);
    return status;
}

static enum berth_status give_ligand(struct reading *reading,
                                     const struct berth_library_ligand *ligand,
                                     struct berth_error *error)
{
    struct facts facts = {.name = ligand->ligand.name};
    struct berth_composition composition;
    berth_composition_of(&ligand->ligand.conformers[0], &composition);
    put_composition(&composition, &facts);
    if (reading->setup->scaffolds && ligand->smiles && *ligand->smiles) {
        const struct berth_field text = berth_text_field(ligand->smiles);
        return ask_rdkit(reading, "smi", &text, &facts, error);
    }
    return add_known(reading, &facts, error);
}

static enum berth_status read_block(struct reading *reading,
                                    const struct berth_library_reader *library,
                                    const struct berth_docking_block *block,
                                    struct berth_error *error)
{
    struct berth_write_out_block rest = {0};
    enum berth_status status = berth_library_write_out(library, block, &rest, error);
    for (size_t i = 0; !status && i < block->count; i++) {
        struct berth_library_ligand ligand = {0};
        status = berth_write_out_ligand(&rest, i, false, &ligand, error);
        BERTH_THEN(give_ligand(reading, &ligand, error));
        berth_library_ligand_clear(&ligand);
    }
    berth_write_out_block_clear(&rest);
    return status;
}

static enum berth_status read_library(struct reading *reading, struct berth_error *error)
{
    struct berth_library_reader *library = NULL;
    struct berth_docking_block block = {0};
    struct berth_library_range range = {0};
    bool end = false;
    enum berth_status status = berth_library_open(reading->setup->path, NULL, &library, error);
    if (!status) {
        range = berth_library_shard(library, 0, 1);
    }
    while (!status && !(status = berth_library_next(library, &range, &block, &end, error)) &&
           !end) {
        status = read_block(reading, library, &block, error);
    }
    berth_docking_block_clear(&block);
    berth_library_close(library);
    return status;
}

static enum berth_status read_names(struct reading *reading, struct berth_error *error)
{
    struct berth_text_reader *reader = NULL;
    enum berth_status status = berth_text_reader_create(reading->setup->path, &reader, error);
    char *line = NULL;
    while (!status && !(status = berth_text_reader_next(reader, &line, error)) && line) {
        const struct facts facts = {berth_text_trim(line), NAN, NAN, NULL};
        status = add_known(reading, &facts, error);
    }
    berth_text_reader_destroy(reader);
    return status;
}

enum berth_status berth_known_read(const struct berth_known_setup *setup,
                                   struct berth_named_ligands *ligands, struct berth_error *error)
{
    struct reading reading = {.setup = setup, .ligands = ligands, .warnings = {.next = setup->log}};
    enum berth_status status = BERTH_OK;
    memset(ligands, 0, sizeof *ligands);
    reading.log = berth_gather(&reading.warnings);
    if (setup->rdkit && berth_known_takes(setup->path)) {
        const struct berth_worker_setup worker = {setup->rdkit,
                                                  (size_t)BERTH_WORKER_MEMORY * 1000000, NULL};
        status = berth_worker_create(&worker, &reading.worker, error);
    }
    BERTH_THEN(is_library(setup->path)                      ? read_library(&reading, error)
               : kind_of(setup->path) == BERTH_RECORD_MOL2  ? read_mol2(&reading, error)
               : kind_of(setup->path) == BERTH_RECORD_OTHER ? read_names(&reading, error)
                                                            : read_records(&reading, error));
    berth_worker_destroy(reading.worker);
    berth_gatherer_flush(&reading.warnings);
    if (!status && !ligands->count) {
        return berth_fail(error, BERTH_E_FORMAT, "%s: names no molecule", setup->path);
    }
    if (!status) {
        berth_named_ligands_sort(ligands);
    }
    return status;
}

/* --- For Python --- */

enum berth_status berth_known_put(const struct berth_known_setup *setup, const char *name,
                                  struct berth_bytes *request, struct berth_error *error)
{
    struct berth_named_ligands ligands = {0};
    struct berth_bytes fields = {0}, names = {0}, scaffolds = {0};
    struct berth_bytes numbers[3] = {{0}, {0}, {0}};
    static const char *const COLUMNS[] = {"scores", "heavy_atoms", "masses"};
    if (!setup->path) {
        return BERTH_OK;
    }
    const enum berth_status status = berth_known_read(setup, &ligands, error);
    for (size_t i = 0; i < ligands.count; i++) {
        const struct berth_named_ligand *ligand = &ligands.items[i];
        berth_bytes_put_text(&names, ligand->name);
        berth_bytes_put_text(&scaffolds, ligand->scaffold ? ligand->scaffold : "?");
        berth_column_put(&numbers[0],
                         (double)ligand->place); /* of several names the first counts */
        berth_column_put(&numbers[1], ligand->heavy_atoms);
        berth_column_put(&numbers[2], ligand->mass);
    }
    berth_request_put_text(&fields, "path", setup->path);
    berth_request_put_bytes(&fields, "names", &names);
    berth_request_put_bytes(&fields, "scaffolds", &scaffolds);
    for (size_t k = 0; k < 3; k++) {
        berth_request_put_bytes(&fields, COLUMNS[k], &numbers[k]);
        berth_bytes_clear(&numbers[k]);
    }
    berth_request_put_bytes(request, name, &fields);
    berth_bytes_clear(&fields);
    berth_bytes_clear(&names);
    berth_bytes_clear(&scaffolds);
    berth_named_ligands_clear(&ligands);
    return status;
}
