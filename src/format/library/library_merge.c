/* Joining libraries: their blocks are copied as they are, with new ordinals. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "format/library/library_writer.h"

/* What the joint library is made with: as the first one. */
static enum berth_status joint_identity(const struct berth_library_reader *first, size_t count,
                                        struct berth_library_identity *identity,
                                        struct berth_error *error)
{
    const struct berth_library_identity *from = berth_library_reader_identity(first);
    const size_t size = BERTH_LIBRARY_NOTE_MAX + 1;
    *identity = (struct berth_library_identity){.forcefield = berth_copy_text(from->forcefield),
                                                .note = berth_alloc(size, 1),
                                                .hash = from->hash,
                                                .types = from->types};
    if (!identity->forcefield || !identity->note) {
        berth_library_identity_clear(identity);
        return berth_out_of_memory(error, NULL);
    }
    snprintf(identity->note, size, "merged from %zu, the first made by: %s", count, from->note);
    return BERTH_OK;
}

static enum berth_status append_library(struct berth_library_writer *writer,
                                        const struct berth_library_reader *reader,
                                        struct berth_error *error)
{
    struct berth_library_pair pair = {0};
    enum berth_status status = BERTH_OK;
    const uint64_t blocks = berth_library_info(reader).blocks;
    for (uint64_t number = 0; !status && number < blocks; number++) {
        status = berth_library_reader_pair(reader, number, &pair, error);
        if (!status) {
            pair.docking_head.first = pair.rest_head.first = writer->trailer.ligands;
            pair.docking_head.consumed = pair.rest_head.consumed = 0;
            status = berth_library_append(writer, &pair, error);
        }
    }
    berth_library_pair_clear(&pair);
    return status;
}

enum berth_status berth_libraries_merge(const char *out, const char *const *paths, size_t count,
                                        struct berth_library_progress *progress,
                                        struct berth_error *error)
{
    struct berth_library_writer *writer = NULL;
    enum berth_status status = BERTH_OK;
    if (count == 0) {
        return berth_fail(error, BERTH_E_USAGE, "%s: no libraries to merge", out);
    }
    for (size_t i = 0; !status && i < count; i++) {
        struct berth_library_reader *reader = NULL;
        struct berth_library_identity identity;
        status = berth_library_open(paths[i], NULL, &reader, error);
        if (!status && !writer) {
            status = joint_identity(reader, count, &identity, error);
            BERTH_THEN(berth_library_begin(out, BERTH_LIBRARY_REPLACE, &identity, &writer, error));
        }
        BERTH_THEN(append_library(writer, reader, error));
        berth_library_close(reader);
    }
    if (status) {
        berth_library_discard(writer);
        return status;
    }
    *progress = berth_library_writer_progress(writer);
    return berth_library_commit(writer, error);
}
