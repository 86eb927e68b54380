#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/locale.h"
#include "base/memory.h"
#include "format/library/export.h"

struct berth_library_handle {
    struct berth_library_reader *reader;
    char *path; /* owned */
    struct berth_library_facts facts;
};

struct berth_ligand_handle {
    struct berth_library_ligand ligand;
    struct berth_ligand_facts facts;
    int *elements; /* owned; [facts.atom_count] */
};

enum berth_status berth_library_load(const char *path, berth_library **library,
                                     struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    if (library) {
        *library = NULL;
    }
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(path), BERTH_ARGUMENT(library)));
    BERTH_TRY(berth_make(library, 1, sizeof **library, NULL, error));
    berth_library *loaded = *library;
    enum berth_status status = berth_api_copy(path, &loaded->path, error);
    BERTH_THEN(berth_library_open(path, NULL, &loaded->reader, error));
    if (status) {
        berth_library_free(loaded);
        *library = NULL;
        return status;
    }
    const struct berth_library_info info = berth_library_info(loaded->reader);
    loaded->facts = (struct berth_library_facts){.path = loaded->path,
                                                 .ligands = info.ligands,
                                                 .conformers = info.conformers,
                                                 .blocks = info.blocks,
                                                 .bytes = info.file_bytes,
                                                 .forcefield = info.forcefield,
                                                 .note = info.note};
    return BERTH_OK;
}

const struct berth_library_facts *berth_library_describe(const berth_library *library)
{
    return library ? &library->facts : NULL;
}

enum berth_status berth_library_names(const berth_library *library, uint64_t first, uint64_t count,
                                      bool (*take)(void *context, uint64_t ordinal,
                                                   const char *name),
                                      void *context, struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(library), BERTH_ARGUMENT(take)));
    const uint64_t all = library->facts.ligands;
    struct berth_library_range range = {.next = first < all ? first : all};
    struct berth_docking_block block = {0};
    range.end = count < all - range.next ? range.next + count : all;
    bool end = false;
    enum berth_status status = berth_library_next(library->reader, &range, &block, &end, error);
    while (!status && !end) {
        for (size_t i = 0; !end && i < block.count; i++) {
            end = take(context, block.ligands[i].ordinal, block.ligands[i].title);
        }
        if (!end) {
            status = berth_library_next(library->reader, &range, &block, &end, error);
        }
    }
    berth_docking_block_clear(&block);
    return status;
}

static enum berth_status describe(berth_ligand *read, uint64_t ordinal, struct berth_error *error)
{
    const struct berth_library_ligand *ligand = &read->ligand;
    const struct berth_molecule *molecule = &ligand->ligand.conformers[0];
    BERTH_TRY(
        berth_make(&read->elements, molecule->atom_count, sizeof *read->elements, NULL, error));
    for (size_t i = 0; i < molecule->atom_count; i++) {
        read->elements[i] = molecule->atoms[i].element;
    }
    read->facts = (struct berth_ligand_facts){
        .ordinal = ordinal,
        .name = ligand->ligand.name,
        .smiles = ligand->smiles ? ligand->smiles : "",
        .input_smiles = berth_library_ligand_value(ligand, BERTH_COLUMN_INPUT_SMILES),
        .source = ligand->source ? ligand->source : "",
        .record = ligand->record,
        .atom_count = molecule->atom_count,
        .heavy_count = berth_heavy_count(molecule),
        .conformer_count = ligand->ligand.conformer_count,
        .elements = read->elements,
        .strains = ligand->strains};
    return BERTH_OK;
}

enum berth_status berth_library_ligand(const berth_library *library, uint64_t ordinal,
                                       berth_ligand **ligand, struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    if (ligand) {
        *ligand = NULL;
    }
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(library), BERTH_ARGUMENT(ligand)));
    BERTH_TRY(berth_make(ligand, 1, sizeof **ligand, NULL, error));
    berth_ligand *read = *ligand;
    enum berth_status status = berth_library_fetch(library->reader, ordinal, &read->ligand, error);
    BERTH_THEN(describe(read, ordinal, error));
    if (status) {
        berth_ligand_free(read);
        *ligand = NULL;
    }
    return status;
}

const struct berth_ligand_facts *berth_ligand_describe(const berth_ligand *ligand)
{
    return ligand ? &ligand->facts : NULL;
}

bool berth_ligand_positions(const berth_ligand *ligand, size_t conformer, double (*positions)[3])
{
    if (!ligand || !positions || conformer >= ligand->facts.conformer_count) {
        return false;
    }
    const struct berth_molecule *molecule = &ligand->ligand.ligand.conformers[conformer];
    for (size_t i = 0; i < molecule->atom_count; i++) {
        memcpy(positions[i], molecule->atoms[i].position, sizeof positions[i]);
    }
    return true;
}

void berth_ligand_free(berth_ligand *ligand)
{
    if (ligand) {
        berth_library_ligand_clear(&ligand->ligand);
        free(ligand->elements);
        free(ligand);
    }
}

enum berth_status berth_library_verify_all(const berth_library *library,
                                           const struct berth_log *log, uint64_t *damaged,
                                           struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(library), BERTH_ARGUMENT(damaged)));
    return berth_library_verify_blocks(library->reader, log, damaged, error);
}

void berth_library_free(berth_library *library)
{
    BERTH_IN_C_LOCALE;
    if (library) {
        berth_library_close(library->reader);
        free(library->path);
        free(library);
    }
}

enum berth_status berth_library_merge(const char *out, const char *const *paths, size_t count,
                                      struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    struct berth_library_progress progress = {0};
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(out)));
    BERTH_TRY(berth_api_need_texts("paths", paths, count, error));
    return berth_libraries_merge(out, paths, count, &progress, error);
}
