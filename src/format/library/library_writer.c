/* Writing a library: blocks of ligands to PATH.part, then index and trailer, then its final name.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "format/library/library_writer.h"
#include "format/output.h"

enum {
    /* A block is written once it has so many raw bytes or ligands: large enough for zlib, small
     * enough that fetching one ligand is quick. */
    DOCKING_SIZE = 1 << 18,
    REST_SIZE = 1 << 19,
    LIGANDS_MAX = 4096,
    INDEX_BUFFER = 1 << 16 /* bytes of the index held at once */
};

enum berth_status berth_library_writer_fail(struct berth_library_writer *writer, const char *what,
                                            struct berth_error *error)
{
    writer->broken = true;
    return berth_fail(error, BERTH_E_IO, "%s: cannot %s: %s", writer->part, what, strerror(errno));
}

/* Writes behind what the file holds. */
static enum berth_status append(struct berth_library_writer *writer,
                                const struct berth_bytes *bytes, struct berth_error *error)
{
    if (bytes->failed) {
        writer->broken = true;
        return berth_out_of_memory(error, writer->part);
    }
    for (size_t done = 0; done < bytes->count;) {
        const ssize_t put = pwrite(writer->file, bytes->data + done, bytes->count - done,
                                   (off_t)(writer->size + done));
        if (put < 0 && errno != EINTR) {
            return berth_library_writer_fail(writer, "write", error);
        }
        done += put < 0 ? 0 : (size_t)put;
    }
    writer->size += bytes->count;
    return BERTH_OK;
}

/* Writes a block's head and its stored bytes. */
static enum berth_status append_block(struct berth_library_writer *writer,
                                      const struct berth_library_block *head,
                                      const struct berth_bytes *stored, struct berth_error *error)
{
    writer->scratch.count = 0;
    berth_library_put_block(&writer->scratch, head, stored->data);
    enum berth_status status = append(writer, &writer->scratch, error);
    return status ? status : append(writer, stored, error);
}

enum berth_status berth_library_append(struct berth_library_writer *writer,
                                       const struct berth_library_pair *pair,
                                       struct berth_error *error)
{
    enum berth_status status = append_block(writer, &pair->docking_head, &pair->docking, error);
    BERTH_THEN(append_block(writer, &pair->rest_head, &pair->rest, error));
    if (!status) {
        berth_library_count_pair(&writer->trailer, &pair->docking_head, &pair->rest_head);
    }
    return status;
}

void berth_library_count_pair(struct berth_library_trailer *trailer,
                              const struct berth_library_block *docking,
                              const struct berth_library_block *rest)
{
    trailer->pairs++;
    trailer->ligands += docking->ligands;
    trailer->conformers += docking->conformers;
    trailer->docking_bytes += (uint64_t)docking->stored + BERTH_LIBRARY_BLOCK_SIZE;
    trailer->rest_bytes += (uint64_t)rest->stored + BERTH_LIBRARY_BLOCK_SIZE;
}

bool berth_library_is_full(const struct berth_library_writer *writer)
{
    return berth_library_raw_size(&writer->docking) >= DOCKING_SIZE ||
           berth_library_raw_size(&writer->rest) >= REST_SIZE ||
           writer->docking.sums[BERTH_LIBRARY_SUM_LIGANDS] >= LIGANDS_MAX;
}

/* Writes the block being filled, which holds something, behind the others. */
static enum berth_status write_block(struct berth_library_writer *writer, struct berth_error *error)
{
    struct berth_library_pair *pair = &writer->pair;
    const uint32_t ligands = writer->docking.sums[BERTH_LIBRARY_SUM_LIGANDS];
    enum berth_status status =
        berth_library_pack(&writer->docking, &writer->scratch, &pair->docking, error);
    BERTH_THEN(berth_library_pack(&writer->rest, &writer->scratch, &pair->rest, error));
    if (status) {
        writer->broken = true;
        return status;
    }
    pair->docking_head = (struct berth_library_block){
        .kind = BERTH_LIBRARY_DOCKING,
        .stored = (uint32_t)pair->docking.count,
        .raw = (uint32_t)berth_library_raw_size(&writer->docking),
        .ligands = ligands,
        .conformers = writer->docking.sums[BERTH_LIBRARY_SUM_CONFORMERS],
        .first = writer->trailer.ligands,
        .consumed = writer->pending,
    };
    pair->rest_head = pair->docking_head;
    pair->rest_head.kind = BERTH_LIBRARY_REST;
    pair->rest_head.stored = (uint32_t)pair->rest.count;
    pair->rest_head.raw = (uint32_t)berth_library_raw_size(&writer->rest);
    status = berth_library_append(writer, pair, error);
    writer->consumed = status ? writer->consumed : writer->pending;
    return status;
}

static bool is_empty(const struct berth_library_writer *writer)
{
    return !writer->docking.sums[BERTH_LIBRARY_SUM_LIGANDS];
}

/* Writes the block being filled, if there is anything in it, and begins the next one. */
static enum berth_status flush(struct berth_library_writer *writer, struct berth_error *error)
{
    const enum berth_status status = is_empty(writer) ? BERTH_OK : write_block(writer, error);
    if (!status) {
        berth_library_raw_reset(&writer->docking);
        berth_library_raw_reset(&writer->rest);
    }
    return status;
}

enum berth_status berth_library_checkpoint(struct berth_library_writer *writer,
                                           struct berth_error *error)
{
    if (is_empty(writer)) {
        return BERTH_OK;
    }
    const uint64_t size = writer->size;
    const struct berth_library_trailer trailer = writer->trailer;
    enum berth_status status = write_block(writer, error);
    if (!status && fsync(writer->file) != 0) {
        status = berth_library_writer_fail(writer, "write", error);
    }
    /* it goes on to be filled: what is written next replaces it */
    writer->size = size;
    writer->trailer = trailer;
    return status;
}

/* Types that the forcefield lacks are other functions' to know, where they name an element. */
static enum berth_status check_types(const struct berth_library_writer *writer,
                                     const struct berth_molecule *molecule,
                                     struct berth_error *error)
{
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const struct berth_atom *atom = &molecule->atoms[i];
        const bool known = !atom->heavy || berth_forcefield_type(writer->forcefield, atom,
                                                                 writer->log, molecule->title) >= 0;
        if (!known && !berth_element_of_type(atom->type)) {
            return berth_forcefield_untyped(writer->forcefield, molecule->title, atom, i, error);
        }
        if (!known) {
            berth_warn(writer->log, atom->type,
                       "%s: atom %s is of type %s, which BUDE's forcefield lacks; scoring "
                       "functions that know it can dock this ligand, others cannot",
                       molecule->title, atom->name, atom->type);
        }
    }
    return BERTH_OK;
}

enum berth_status berth_library_add(struct berth_library_writer *writer,
                                    const struct berth_library_ligand *ligand, uint64_t consumed,
                                    struct berth_error *error)
{
    enum berth_status status = berth_library_check(ligand, error);
    BERTH_THEN(check_types(writer, &ligand->ligand.conformers[0], error));
    /* ligands of one record stay together, unless they are too many to */
    if (!status && berth_library_is_full(writer) &&
        (consumed > writer->pending ||
         berth_library_raw_size(&writer->rest) > BERTH_LIBRARY_RAW_MAX / 4)) {
        status = flush(writer, error);
    }
    if (status) {
        return status;
    }
    status = berth_library_put_docking(&writer->docking, ligand, error);
    BERTH_THEN(berth_library_put_rest(&writer->rest, ligand, error));
    if (status) {
        writer->broken = true; /* out of memory inside a record */
        return status;
    }
    writer->pending = consumed;
    return BERTH_OK;
}

struct berth_library_progress
berth_library_writer_progress(const struct berth_library_writer *writer)
{
    const uint32_t *sums = writer->docking.sums;
    return (struct berth_library_progress){
        .ligands = writer->trailer.ligands + sums[BERTH_LIBRARY_SUM_LIGANDS],
        .conformers = writer->trailer.conformers + sums[BERTH_LIBRARY_SUM_CONFORMERS],
        .consumed = writer->consumed,
        .dropped = writer->dropped};
}

/* Reads a block's head back from the file. */
static enum berth_status read_back(const struct berth_library_writer *writer, uint64_t place,
                                   struct berth_library_block *head, struct berth_error *error)
{
    const struct berth_library_source source = berth_library_writer_source(writer);
    unsigned char bytes[BERTH_LIBRARY_BLOCK_SIZE];
    enum berth_status status = berth_library_read_at(&source, place, bytes, sizeof bytes, error);
    if (!status && !berth_library_get_block(bytes, head)) {
        status = berth_fail(error, BERTH_E_IO,
                            "%s: the block at byte %llu changed after it was written; does another "
                            "program write this file?",
                            writer->part, (unsigned long long)place);
    }
    return status;
}

/* The index: from the heads of the blocks in the file, so that it need not be kept in memory. */
static enum berth_status write_index(struct berth_library_writer *writer, struct berth_error *error)
{
    const uint64_t end = writer->size;
    enum berth_status status = BERTH_OK;
    struct berth_bytes index = {0};
    writer->trailer.index = end;
    for (uint64_t place = writer->header_size; !status && place < end;) {
        struct berth_library_block docking, rest;
        status = read_back(writer, place, &docking, error);
        if (!status) {
            status =
                read_back(writer, place + BERTH_LIBRARY_BLOCK_SIZE + docking.stored, &rest, error);
        }
        if (status) {
            break;
        }
        const struct berth_library_entry entry = {
            place, docking.first, docking.ligands, docking.conformers, docking.stored, rest.stored};
        berth_library_put_entry(&index, &entry);
        place = berth_library_entry_end(&entry);
        if (index.count >= INDEX_BUFFER) {
            status = append(writer, &index, error);
            index.count = 0;
        }
    }
    if (!status) {
        berth_library_put_trailer(&index, &writer->trailer);
        status = append(writer, &index, error);
    }
    berth_bytes_clear(&index);
    return status;
}

void berth_library_writer_destroy(struct berth_library_writer *writer)
{
    if (writer->file >= 0) {
        close(writer->file);
    }
    berth_library_raw_clear(&writer->docking);
    berth_library_raw_clear(&writer->rest);
    berth_bytes_clear(&writer->scratch);
    berth_library_pair_clear(&writer->pair);
    berth_library_identity_clear(&writer->identity);
    free(writer->path);
    free(writer->part);
    free(writer);
}

/* What an earlier error left half-done is not to be taken for a library. */
static enum berth_status check_whole(const struct berth_library_writer *writer,
                                     struct berth_error *error)
{
    return writer->broken ? berth_fail(error, BERTH_E_IO,
                                       "%s: writing failed before; what is whole of it can be "
                                       "resumed",
                                       writer->part)
                          : BERTH_OK;
}

enum berth_status berth_library_commit(struct berth_library_writer *writer,
                                       struct berth_error *error)
{
    enum berth_status status = check_whole(writer, error);
    BERTH_THEN(flush(writer, error));
    BERTH_THEN(write_index(writer, error));
    if (!status && ftruncate(writer->file, (off_t)writer->size) != 0) {
        status = berth_library_writer_fail(writer, "write", error);
    }
    if (!status && fsync(writer->file) != 0) {
        status = berth_library_writer_fail(writer, "write", error);
    }
    if (!status && rename(writer->part, writer->path) != 0) {
        status =
            berth_fail(error, BERTH_E_IO, "%s: cannot create: %s", writer->path, strerror(errno));
    }
    if (!status) {
        berth_output_sync_directory(writer->path);
    }
    berth_library_writer_destroy(writer);
    return status;
}

enum berth_status berth_library_keep(struct berth_library_writer *writer, struct berth_error *error)
{
    enum berth_status status = check_whole(writer, error);
    BERTH_THEN(flush(writer, error));
    if (!status && fsync(writer->file) != 0) {
        status = berth_library_writer_fail(writer, "write", error);
    }
    berth_library_writer_destroy(writer);
    return status;
}

void berth_library_discard(struct berth_library_writer *writer)
{
    if (writer) {
        unlink(writer->part);
        berth_library_writer_destroy(writer);
    }
}
