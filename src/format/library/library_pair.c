/* Pairs of blocks: the two streams of the same ligands. */
#include "format/library/library_writer.h"

struct berth_library_source berth_library_writer_source(const struct berth_library_writer *writer)
{
    return (struct berth_library_source){
        .path = writer->part, .file = writer->file, .size = writer->size};
}

void berth_library_pair_clear(struct berth_library_pair *pair)
{
    berth_bytes_clear(&pair->docking);
    berth_bytes_clear(&pair->rest);
}

enum berth_status berth_library_read_pair(const struct berth_library_source *source, uint64_t place,
                                          struct berth_library_pair *pair,
                                          struct berth_error *error)
{
    const struct berth_library_block *docking = &pair->docking_head, *rest = &pair->rest_head;
    enum berth_status status = berth_library_read_block(source, place, BERTH_LIBRARY_DOCKING,
                                                        &pair->docking_head, &pair->docking, error);
    if (!status) {
        status =
            berth_library_read_block(source, place + BERTH_LIBRARY_BLOCK_SIZE + docking->stored,
                                     BERTH_LIBRARY_REST, &pair->rest_head, &pair->rest, error);
    }
    if (!status && (rest->first != docking->first || rest->ligands != docking->ligands ||
                    rest->conformers != docking->conformers)) {
        status = berth_fail(error, BERTH_E_FORMAT, "its two streams hold different ligands");
    }
    return status;
}
