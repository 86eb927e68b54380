/* Reading the write-out stream block by block, beside the docking stream. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "format/library/library_reader.h"

struct berth_write_out_storage {
    struct berth_library_rest rest;
    struct berth_library_record record;
    const char *path;                           /* borrowed from the reader */
    const struct berth_docking_ligand *ligands; /* borrowed: all of the docking block */
    size_t skipped;                             /* those in front of the range that is read */
};

enum berth_status berth_library_write_out(const struct berth_library_reader *reader,
                                          const struct berth_docking_block *block,
                                          struct berth_write_out_block *rest,
                                          struct berth_error *error)
{
    if (!rest->storage) {
        rest->storage = berth_alloc(1, sizeof *rest->storage);
    }
    struct berth_write_out_storage *storage = rest->storage;
    if (!storage) {
        return berth_out_of_memory(error, reader->path);
    }
    const uint64_t ordinal = block->ligands[0].ordinal;
    enum berth_status status = berth_library_read_rest(reader, ordinal, &storage->rest, error);
    if (!status) {
        storage->path = reader->path;
        storage->skipped = (size_t)(ordinal - storage->rest.first);
        storage->ligands = block->ligands - storage->skipped;
        storage->record = (struct berth_library_record){.planes = storage->rest.planes};
    }
    return status;
}

enum berth_status berth_write_out_ligand(struct berth_write_out_block *rest, size_t i,
                                         bool properties, struct berth_library_ligand *ligand,
                                         struct berth_error *error)
{
    struct berth_write_out_storage *storage = rest->storage;
    const size_t number = storage->skipped + i;
    memset(ligand, 0, sizeof *ligand);
    if (number < storage->record.next) {
        storage->record = (struct berth_library_record){.planes = storage->rest.planes};
    }
    enum berth_status status =
        berth_library_find_record(&storage->record, storage->ligands, number, error);
    BERTH_THEN((properties ? berth_library_get_origin : berth_library_get_rest)(&storage->record,
                                                                                ligand, error));
    return status == BERTH_E_FORMAT ? berth_fail_in(error, storage->path) : status;
}

void berth_write_out_block_clear(struct berth_write_out_block *block)
{
    if (block->storage) {
        berth_bytes_clear(&block->storage->rest.raw);
        free(block->storage);
    }
    block->storage = NULL;
}
