#include "prep/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "chem/molecule.h"
#include "format/library/library.h"
#include "format/mol2/mol2.h"
#include "format/records.h"
#include "format/sdf/sdf.h"
#include "prep/prepare.h"

/* s: of processor time that RDKit may take for a molecule. */
static const double LIMIT = 60;

static bool is_library(const char *path)
{
    const size_t length = strlen(path);
    return length >= 5 && strcmp(path + length - 5, ".blib") == 0;
}

static enum berth_record_kind kind_of(const char *path)
{
    char format[32];
    berth_format_of(path, format, sizeof format);
    return berth_record_kind_of(format);
}

bool berth_facts_takes(const char *path)
{
    return is_library(path) || kind_of(path) != BERTH_RECORD_OTHER;
}

/* A reading on its way. */
struct reading {
    const struct berth_facts_setup *setup;
    struct berth_worker *worker; /* owned; NULL: there is no RDKit */
    struct berth_gatherer warnings;
    struct berth_log log; /* gathers in warnings */
};

static void put_composition(const struct berth_composition *composition, struct berth_facts *facts)
{
    facts->heavy_atoms = (double)berth_composition_heavy(composition);
    facts->mass = berth_composition_mass(composition);
}

/* Asks RDKit of a record and gives it to the caller. */
static enum berth_status ask_rdkit(struct reading *reading, const char *kind,
                                   const struct berth_field *text, struct berth_facts *facts,
                                   struct berth_error *error)
{
    struct berth_answer answer = {0};
    struct berth_composition composition;
    enum berth_status status = BERTH_OK;
    const bool scaffold = reading->setup->scaffolds;
    double used = 0;
    if (reading->worker) {
        const struct berth_request request = {
            .fields = {berth_text_field("facts"),
                       berth_text_field(scaffold ? "scaffold=yes\n" : ""), berth_text_field(kind),
                       *text},
            .count = 4,
            .limit = LIMIT,
            .used = &used};
        status = berth_worker_ask(reading->worker, &request, &answer, error);
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
    }
    status = status ? status : reading->setup->take(reading->setup->context, facts, error);
    berth_answer_clear(&answer);
    return status;
}

/* A molecule that cannot be read: its name may be known. */
static enum berth_status give_bad(struct reading *reading, const char *name,
                                  struct berth_error *error)
{
    const struct berth_facts facts = {name ? name : "", NAN, NAN, NULL};
    berth_warn(&reading->log, "bad", "%s", error->message);
    return reading->setup->take(reading->setup->context, &facts, error);
}

static enum berth_status read_records(struct reading *reading, struct berth_records *records,
                                      struct berth_error *error)
{
    struct berth_record record = {0};
    bool end = false;
    enum berth_status status = BERTH_OK;
    while (!status && !end) {
        status = berth_records_next(records, &record, &end, error);
        if (status == BERTH_E_FORMAT && !berth_records_is_broken(records)) {
            status = give_bad(reading, record.title, error);
        } else if (!status && !end) {
            const struct berth_field text = {record.text.data, record.text.count};
            struct berth_facts facts = {record.title, NAN, NAN, NULL};
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
    struct berth_facts facts = {.name = molecule->title};
    struct berth_composition composition;
    char *text = NULL;
    size_t size = 0;
    berth_composition_of(molecule, &composition);
    put_composition(&composition, &facts);
    if (!reading->setup->scaffolds || !reading->worker) {
        return reading->setup->take(reading->setup->context, &facts, error);
    }
    enum berth_status status = berth_sdf_text(molecule, &text, &size, error);
    const struct berth_field field = {text, size};
    status = status ? status : ask_rdkit(reading, "sdf", &field, &facts, error);
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
    struct berth_facts facts = {.name = ligand->ligand.name};
    struct berth_composition composition;
    berth_composition_of(&ligand->ligand.conformers[0], &composition);
    put_composition(&composition, &facts);
    if (reading->setup->scaffolds && ligand->smiles && *ligand->smiles) {
        const struct berth_field text = berth_text_field(ligand->smiles);
        return ask_rdkit(reading, "smi", &text, &facts, error);
    }
    return reading->setup->take(reading->setup->context, &facts, error);
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
        status = status ? status : give_ligand(reading, &ligand, error);
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

enum berth_status berth_facts_read(const struct berth_facts_setup *setup, struct berth_error *error)
{
    const enum berth_record_kind kind = kind_of(setup->path);
    struct reading reading = {.setup = setup, .warnings = {.next = setup->log}};
    enum berth_status status = BERTH_OK;
    reading.log = berth_gather(&reading.warnings);
    if (setup->rdkit) {
        const struct berth_worker_setup worker = {setup->rdkit,
                                                  (size_t)BERTH_WORKER_MEMORY * 1000000, NULL};
        status = berth_worker_create(&worker, &reading.worker, error);
    }
    if (!status && is_library(setup->path)) {
        status = read_library(&reading, error);
    } else if (!status && kind == BERTH_RECORD_MOL2) {
        status = read_mol2(&reading, error);
    } else if (!status) {
        struct berth_records *records;
        status = berth_records_create(setup->path, kind, &records, error);
        status = status ? status : read_records(&reading, records, error);
    }
    berth_worker_destroy(reading.worker);
    berth_gatherer_flush(&reading.warnings);
    return status;
}
