/* Writing a library: blocks of ligands to PATH.part, then index and trailer, then its final name.
 */
#include "format/library/library_format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/leftovers.h"
#include "base/lock.h"
#include "base/memory.h"
#include "base/shard.h"
#include "format/output.h"

enum {
    /* A block is written once it has so many raw bytes or ligands: large enough for zlib, small
     * enough that fetching one ligand is quick. */
    DOCKING_SIZE = 1 << 18,
    REST_SIZE = 1 << 19,
    LIGANDS_MAX = 4096
};

struct berth_library_writer {
    char *path, *part; /* owned; the final name, and the name while it is written */
    int file;          /* descriptor of part */
    struct berth_lock lock;
    struct berth_library_identity identity;
    const struct berth_forcefield *forcefield; /* borrowed; NULL while merging */
    const struct berth_log *log;               /* borrowed; may be NULL */
    struct berth_library_trailer trailer;      /* of the blocks in the file, index: their end */
    struct berth_bytes index;                  /* of the same */
    uint64_t consumed;                         /* of the last ligand added */
    struct berth_library_raw docking, rest;    /* the block being filled */
    struct berth_bytes scratch;
    struct berth_library_pair pair; /* the block being written or read */
};

/* Writes at *place, and moves it behind. */
static enum berth_status write_bytes(const struct berth_library_writer *writer,
                                     const struct berth_bytes *bytes, uint64_t *place,
                                     struct berth_error *error)
{
    if (bytes->failed) {
        return berth_out_of_memory(error, writer->part);
    }
    const int code = berth_write_at(writer->file, bytes->data, bytes->count, *place);
    *place += bytes->count;
    return code ? berth_io_error(writer->part, "write", code, error) : BERTH_OK;
}

/* Writes a block's head and its stored bytes. */
static enum berth_status write_block(struct berth_library_writer *writer,
                                     const struct berth_library_block *head,
                                     const struct berth_bytes *stored, uint64_t *place,
                                     struct berth_error *error)
{
    writer->scratch.count = 0;
    berth_library_put_block(&writer->scratch, head, stored->data);
    BERTH_TRY(write_bytes(writer, &writer->scratch, place, error));
    return write_bytes(writer, stored, place, error);
}

/* Writes a pair of blocks behind the others; their heads hold the right ordinals. */
static enum berth_status append_pair(struct berth_library_writer *writer,
                                     const struct berth_library_pair *pair,
                                     struct berth_error *error)
{
    uint64_t place = writer->trailer.index;
    BERTH_TRY(write_block(writer, &pair->docking_head, &pair->docking, &place, error));
    BERTH_TRY(write_block(writer, &pair->rest_head, &pair->rest, &place, error));
    return berth_library_count_pair(pair, &writer->trailer, &writer->index, error);
}

/* True where the block being filled is to be written before the next record's ligand. */
static bool is_full(const struct berth_library_writer *writer)
{
    return berth_library_raw_size(&writer->docking) >= DOCKING_SIZE ||
           berth_library_raw_size(&writer->rest) >= REST_SIZE ||
           writer->docking.sums[BERTH_LIBRARY_SUM_LIGANDS] >= LIGANDS_MAX;
}

/* Writes the block being filled, if there is anything in it, and begins the next one.  consumed: of
 * its last ligand; 0: further ligands of the same record follow. */
static enum berth_status flush_block(struct berth_library_writer *writer, uint64_t consumed,
                                     struct berth_error *error)
{
    struct berth_library_pair *pair = &writer->pair;
    const uint32_t ligands = writer->docking.sums[BERTH_LIBRARY_SUM_LIGANDS];
    if (!ligands) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_library_pack(&writer->docking, &writer->scratch, &pair->docking, error));
    BERTH_TRY(berth_library_pack(&writer->rest, &writer->scratch, &pair->rest, error));
    pair->docking_head = (struct berth_library_block){
        .kind = BERTH_LIBRARY_DOCKING,
        .stored = (uint32_t)pair->docking.count,
        .raw = (uint32_t)berth_library_raw_size(&writer->docking),
        .ligands = ligands,
        .conformers = writer->docking.sums[BERTH_LIBRARY_SUM_CONFORMERS],
        .first = writer->trailer.ligands,
        .consumed = consumed,
    };
    pair->rest_head = pair->docking_head;
    pair->rest_head.kind = BERTH_LIBRARY_REST;
    pair->rest_head.stored = (uint32_t)pair->rest.count;
    pair->rest_head.raw = (uint32_t)berth_library_raw_size(&writer->rest);
    BERTH_TRY(append_pair(writer, pair, error));
    berth_library_raw_reset(&writer->docking);
    berth_library_raw_reset(&writer->rest);
    return BERTH_OK;
}

static enum berth_status sync_file(const struct berth_library_writer *writer,
                                   struct berth_error *error)
{
    return fsync(writer->file) == 0 ? BERTH_OK
                                    : berth_io_error(writer->part, "write", errno, error);
}

/* Cuts the file to its first size bytes. */
static enum berth_status cut_file(const struct berth_library_writer *writer, uint64_t size,
                                  struct berth_error *error)
{
    return ftruncate(writer->file, (off_t)size) == 0
               ? BERTH_OK
               : berth_io_error(writer->part, "write", errno, error);
}

/* Blocks end with each chunk of the input, so that shards of whole chunks, joined, have the blocks
 * of the whole. */
static uint64_t chunk_of(uint64_t consumed)
{
    return consumed ? (consumed - 1) / BERTH_LIBRARY_CHUNK : 0;
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
    BERTH_TRY(berth_library_check(ligand, error));
    BERTH_TRY(check_types(writer, &ligand->ligand.conformers[0], error));
    /* ligands of one record stay together, unless they are too many to */
    const bool further = consumed > writer->consumed;
    if (chunk_of(consumed) > chunk_of(writer->consumed) ||
        (is_full(writer) &&
         (further || berth_library_raw_size(&writer->rest) > BERTH_LIBRARY_RAW_MAX / 4))) {
        BERTH_TRY(flush_block(writer, further ? writer->consumed : 0, error));
    }
    writer->consumed = consumed;
    BERTH_TRY(berth_library_put_docking(&writer->docking, ligand, error));
    return berth_library_put_rest(&writer->rest, ligand, error);
}

struct berth_library_progress
berth_library_writer_progress(const struct berth_library_writer *writer)
{
    const struct berth_library_trailer *written = &writer->trailer;
    const uint32_t *sums = writer->docking.sums;
    return (struct berth_library_progress){
        .ligands = written->ligands + sums[BERTH_LIBRARY_SUM_LIGANDS],
        .conformers = written->conformers + sums[BERTH_LIBRARY_SUM_CONFORMERS],
        .consumed = writer->consumed,
        .kept = written->ligands,
        .bytes = written->index};
}

/* Closes the file, without removing it, and frees the writer. */
static void writer_destroy(struct berth_library_writer *writer)
{
    if (writer->file >= 0) {
        berth_lock_release(&writer->lock);
        close(writer->file);
    }
    berth_library_raw_clear(&writer->docking);
    berth_library_raw_clear(&writer->rest);
    berth_bytes_clear(&writer->scratch);
    berth_bytes_clear(&writer->index);
    berth_library_pair_clear(&writer->pair);
    berth_library_identity_clear(&writer->identity);
    if (writer->part) {
        berth_leftovers_forget(writer->part);
    }
    free(writer->path);
    free(writer->part);
    free(writer);
}

enum berth_status berth_library_commit(struct berth_library_writer *writer,
                                       struct berth_error *error)
{
    enum berth_status status = flush_block(writer, writer->consumed, error);
    uint64_t end = writer->trailer.index;
    berth_library_put_trailer(&writer->index, &writer->trailer);
    BERTH_THEN(write_bytes(writer, &writer->index, &end, error));
    BERTH_THEN(cut_file(writer, end, error));
    BERTH_THEN(sync_file(writer, error));
    if (!status && rename(writer->part, writer->path) != 0) {
        status = berth_io_error(writer->path, "create", errno, error);
    }
    if (!status) {
        berth_output_sync_directory(writer->path);
    }
    writer_destroy(writer);
    return status;
}

enum berth_status berth_library_keep(struct berth_library_writer *writer, struct berth_error *error)
{
    const enum berth_status status = sync_file(writer, error);
    writer_destroy(writer);
    return status;
}

enum berth_status berth_library_finish(struct berth_library_writer *writer,
                                       enum berth_status status, struct berth_error *error)
{
    if (writer && !status) {
        return berth_library_commit(writer, error);
    }
    if (writer) {
        berth_file_remove(writer->part, status, error);
        writer_destroy(writer);
    }
    return status;
}

void berth_library_discard(struct berth_library_writer *writer)
{
    berth_library_finish(writer, BERTH_E_IO, NULL);
}

/* --- Beginning and resuming --- */

/* Refuses final names that cannot be replaced before the work starts. */
static enum berth_status check_path(const char *path, struct berth_error *error)
{
    if (strcmp(path, "-") == 0) {
        return berth_fail(error, BERTH_E_USAGE,
                          "a library cannot be written to standard output; name a file");
    }
    struct stat facts;
    if (stat(path, &facts) != 0) {
        return BERTH_OK;
    }
    if (!S_ISREG(facts.st_mode)) {
        return berth_fail(error, BERTH_E_IO, "%s: %s, a file is needed", path,
                          S_ISDIR(facts.st_mode) ? "is a directory" : "is no plain file");
    }
    return access(path, W_OK) == 0 ? BERTH_OK : berth_io_error(path, "replace", errno, error);
}

static enum berth_status in_use(const struct berth_library_writer *writer,
                                struct berth_error *error)
{
    return berth_fail(
        error, BERTH_E_IO,
        "%s: another process, or thread, is writing it; wait for its end or give another name",
        writer->part);
}

/* Says who has the file that is there already. */
static enum berth_status refuse_part(const struct berth_library_writer *writer,
                                     struct berth_error *error)
{
    struct berth_lock lock;
    const int file = open(writer->part, O_RDWR | O_CLOEXEC);
    const bool locked = file >= 0 && berth_lock_take(&lock, file, true) == EAGAIN;
    if (file >= 0) {
        berth_lock_release(&lock);
        close(file);
    }
    return locked ? in_use(writer, error)
                  : berth_fail_option(error, BERTH_E_IO, "resume",
                                      "%s: a run that was interrupted left it; go on with it or "
                                      "remove it",
                                      writer->part);
}

/* *size: of what is there already. */
static enum berth_status open_part(struct berth_library_writer *writer,
                                   enum berth_library_mode mode, uint64_t *size,
                                   struct berth_error *error)
{
    const int flags = O_RDWR | O_CREAT | O_CLOEXEC | (mode == BERTH_LIBRARY_NEW ? O_EXCL : 0);
    writer->file = open(writer->part, flags, 0666);
    if (writer->file < 0 && errno == EEXIST) {
        return refuse_part(writer, error);
    }
    if (writer->file < 0) {
        return berth_io_error(writer->part, "create", errno, error);
    }
    /* Two processes, or threads, must not write one file.  The name may have gone to another file
     * while we waited for nothing: then the other process has just finished. */
    struct stat ours, named;
    if (berth_lock_take(&writer->lock, writer->file, true) == EAGAIN) {
        return in_use(writer, error);
    }
    if (fstat(writer->file, &ours) != 0 || stat(writer->part, &named) != 0 ||
        ours.st_ino != named.st_ino || ours.st_dev != named.st_dev) {
        return berth_fail(error, BERTH_E_IO,
                          "%s: another process has just finished it; look at %s, then start again",
                          writer->part, writer->path);
    }
    *size = (uint64_t)ours.st_size;
    return BERTH_OK;
}

static enum berth_status begin_afresh(struct berth_library_writer *writer,
                                      struct berth_error *error)
{
    struct berth_bytes header = {0};
    BERTH_TRY(cut_file(writer, 0, error));
    berth_library_put_header(&header, &writer->identity);
    enum berth_status status = write_bytes(writer, &header, &writer->trailer.index, error);
    berth_bytes_clear(&header);
    return status;
}

/* What is resumed must have been begun in the same way. */
static enum berth_status check_identity(struct berth_library_writer *writer,
                                        const struct berth_library_source *source,
                                        struct berth_error *error)
{
    struct berth_library_identity found;
    enum berth_status status =
        berth_library_read_header(source, &found, &writer->trailer.index, error);
    if (!status && (found.hash != writer->identity.hash || found.types != writer->identity.types)) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "%s: begun with another forcefield, %s; give that one or remove the "
                            "file",
                            writer->part, found.forcefield);
    }
    if (!status && strcmp(found.note, writer->identity.note) != 0) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "%s: begun in another way (%.300s); give the same options and inputs, "
                            "or remove the file",
                            writer->part, found.note);
    }
    berth_library_identity_clear(&found);
    return status;
}

/* Keeps the whole blocks, up to the last that ends with a record, and cuts off what is behind them.
 */
static enum berth_status keep_whole_blocks(struct berth_library_writer *writer,
                                           const struct berth_library_source *source,
                                           struct berth_error *error)
{
    struct berth_library_trailer kept = writer->trailer;
    enum berth_status status;
    while (!(status = berth_library_take_pair(source, &writer->pair, &writer->trailer,
                                              &writer->index, error))) {
        if (writer->pair.docking_head.consumed) {
            writer->consumed = writer->pair.docking_head.consumed;
            kept = writer->trailer;
        }
    }
    writer->trailer = kept;
    writer->index.count = (size_t)kept.pairs * BERTH_LIBRARY_ENTRY_SIZE;
    return status == BERTH_E_FORMAT ? cut_file(writer, writer->trailer.index, error) : status;
}

static enum berth_status resume_part(struct berth_library_writer *writer, uint64_t size,
                                     struct berth_error *error)
{
    const struct berth_library_source source = {
        .path = writer->part, .file = writer->file, .size = size};
    BERTH_TRY(check_identity(writer, &source, error));
    return keep_whole_blocks(writer, &source, error);
}

/* Begins the library of this path and identity (moved into the writer, even on an error); the
 * forcefield is not set.  Errors: as berth_library_create. */
static enum berth_status begin_library(const char *path, enum berth_library_mode mode,
                                       struct berth_library_identity *identity,
                                       struct berth_library_writer **writer,
                                       struct berth_error *error)
{
    *writer = NULL;
    enum berth_status status = check_path(path, error);
    struct berth_library_writer *made = status ? NULL : berth_alloc(1, sizeof *made);
    if (!made) {
        berth_library_identity_clear(identity);
        return status ? status : berth_out_of_memory(error, path);
    }
    made->file = -1;
    made->identity = *identity;
    memset(identity, 0, sizeof *identity);
    const size_t length = strlen(path) + sizeof ".part";
    uint64_t size = 0;
    made->path = berth_copy_text(path);
    made->part = berth_alloc(length, 1);
    if (made->path && made->part) {
        snprintf(made->part, length, "%s.part", path);
        status = open_part(made, mode, &size, error);
    } else {
        status = berth_out_of_memory(error, path);
    }
    if (!status && (mode != BERTH_LIBRARY_RESUME || size == 0)) {
        status = begin_afresh(made, error);
        if (status) {
            berth_file_remove(made->part, status, error);
        }
    } else if (!status) {
        status = resume_part(made, size, error);
    }
    if (status) {
        writer_destroy(made);
        return status;
    }
    *writer = made;
    return BERTH_OK;
}

enum berth_status berth_library_create(const struct berth_library_setup *setup,
                                       struct berth_library_writer **writer,
                                       struct berth_error *error)
{
    *writer = NULL;
    if (!setup->forcefield) {
        return berth_fail(error, BERTH_E_USAGE, "%s: a library needs a forcefield", setup->path);
    }
    const char *note = setup->note ? setup->note : "";
    if (strlen(note) > BERTH_LIBRARY_NOTE_MAX) {
        return berth_fail(error, BERTH_E_USAGE, "%s: the note is longer than %d bytes; shorten it",
                          setup->path, BERTH_LIBRARY_NOTE_MAX);
    }
    /* The folder that the forcefield lay in says nothing elsewhere. */
    const char *slash = strrchr(setup->forcefield->name, '/');
    const char *name = slash ? slash + 1 : setup->forcefield->name;
    struct berth_library_identity identity = {.forcefield = berth_copy_text(name),
                                              .note = berth_copy_text(note),
                                              .hash = berth_forcefield_hash(setup->forcefield),
                                              .types = (uint32_t)setup->forcefield->type_count};
    if (!identity.forcefield || !identity.note) {
        berth_library_identity_clear(&identity);
        return berth_out_of_memory(error, setup->path);
    }
    enum berth_status status = begin_library(setup->path, setup->mode, &identity, writer, error);
    if (!status) {
        (*writer)->forcefield = setup->forcefield;
        (*writer)->log = setup->log;
    }
    return status;
}

/* --- Joining libraries: their blocks are copied as they are, with new ordinals --- */

/* What is joined. */
struct joint {
    const char *const *paths;   /* borrowed; [count] */
    size_t count, *order;       /* owned; [count]: which library comes when */
    struct berth_shard *shards; /* owned; [count] */
    bool whole;                 /* they are the shards of one run */
};

/* True where the note is of a shard; *rest: what follows, as in all shards and in the whole. */
static bool find_shard(const char *note, struct berth_shard *shard, const char **rest)
{
    char text[24];
    int used = 0;
    struct berth_error ignored;
    const size_t length = strlen(BERTH_LIBRARY_NOTE BERTH_LIBRARY_NOTE_SHARD);
    if (strncmp(note, BERTH_LIBRARY_NOTE BERTH_LIBRARY_NOTE_SHARD, length) != 0 ||
        sscanf(note + length, "%23s%n", text, &used) != 1) {
        return false;
    }
    *rest = note + length + used;
    return !berth_shard_parse(text, shard, &ignored);
}

/* Finds the identity of the joint library: that of the whole where the first is of a shard, else
 * made as the first one.  The caller clears it. */
static enum berth_status joint_identity(struct joint *joint,
                                        const struct berth_library_reader *first,
                                        struct berth_library_identity *identity,
                                        struct berth_error *error)
{
    const struct berth_library_info from = berth_library_info(first);
    const size_t size = BERTH_LIBRARY_NOTE_MAX + 1;
    const char *rest;
    *identity = (struct berth_library_identity){.forcefield = berth_copy_text(from.forcefield),
                                                .note = berth_alloc(size, 1),
                                                .hash = from.forcefield_hash,
                                                .types = (uint32_t)from.type_count};
    if (!identity->forcefield || !identity->note) {
        return berth_out_of_memory(error, NULL);
    }
    joint->whole = find_shard(from.note, &joint->shards[0], &rest);
    if (joint->whole) {
        snprintf(identity->note, size, "%s%s", BERTH_LIBRARY_NOTE, rest);
    } else {
        snprintf(identity->note, size, "merged from %zu, the first made by: %s", joint->count,
                 from.note);
    }
    return BERTH_OK;
}

/* Looks at the libraries' notes: shards of one run come in its order. */
static enum berth_status plan_joint(struct joint *joint, struct berth_library_identity *identity,
                                    struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < joint->count && (i == 0 || joint->whole); i++) {
        struct berth_library_reader *reader = NULL;
        const char *rest;
        status = berth_library_open(joint->paths[i], NULL, &reader, error);
        if (!status && i == 0) {
            status = joint_identity(joint, reader, identity, error);
        } else if (!status &&
                   (!find_shard(berth_library_info(reader).note, &joint->shards[i], &rest) ||
                    strcmp(rest, identity->note + strlen(BERTH_LIBRARY_NOTE)) != 0)) {
            status = berth_fail(error, BERTH_E_FORMAT, "%s and %s are no shards of one run",
                                joint->paths[0], joint->paths[i]);
        }
        berth_library_close(reader);
    }
    for (size_t i = 0; i < joint->count; i++) {
        joint->order[i] = i;
    }
    return status || !joint->whole
               ? status
               : berth_shards_order(joint->shards, joint->paths, joint->count, joint->order, error);
}

static enum berth_status append_library(struct berth_library_writer *writer,
                                        const struct berth_library_reader *reader, bool whole,
                                        struct berth_error *error)
{
    struct berth_library_pair pair = {0};
    enum berth_status status = BERTH_OK;
    const uint64_t blocks = berth_library_info(reader).blocks;
    for (uint64_t number = 0; !status && number < blocks; number++) {
        status = berth_library_reader_pair(reader, number, &pair, error);
        pair.docking_head.first = pair.rest_head.first = writer->trailer.ligands;
        if (!whole) {
            pair.docking_head.consumed = pair.rest_head.consumed = 0;
        }
        BERTH_THEN(append_pair(writer, &pair, error));
    }
    berth_library_pair_clear(&pair);
    return status;
}

static enum berth_status join_libraries(struct joint *joint, const char *out,
                                        struct berth_library_writer **writer,
                                        struct berth_error *error)
{
    struct berth_library_identity identity = {.forcefield = NULL};
    BERTH_TRY(berth_make(&joint->shards, joint->count, sizeof *joint->shards, NULL, error));
    BERTH_TRY(berth_make(&joint->order, joint->count, sizeof *joint->order, NULL, error));
    enum berth_status status = plan_joint(joint, &identity, error);
    if (status) {
        berth_library_identity_clear(&identity);
        return status;
    }
    status = begin_library(out, BERTH_LIBRARY_REPLACE, &identity, writer, error);
    if (!status) { /* nothing goes on with it */
        berth_leftovers_add((*writer)->part);
    }
    for (size_t i = 0; !status && i < joint->count; i++) {
        struct berth_library_reader *reader = NULL;
        status = berth_library_open(joint->paths[joint->order[i]], NULL, &reader, error);
        BERTH_THEN(append_library(*writer, reader, joint->whole, error));
        berth_library_close(reader);
    }
    return status;
}

enum berth_status berth_libraries_merge(const char *out, const char *const *paths, size_t count,
                                        struct berth_library_progress *progress,
                                        struct berth_error *error)
{
    struct berth_library_writer *writer = NULL;
    struct joint joint = {.paths = paths, .count = count};
    if (count == 0) {
        return berth_fail(error, BERTH_E_USAGE, "%s: no libraries to merge", out);
    }
    const enum berth_status status = join_libraries(&joint, out, &writer, error);
    free(joint.order);
    free(joint.shards);
    if (!status) {
        *progress = berth_library_writer_progress(writer);
    }
    return berth_library_finish(writer, status, error);
}
