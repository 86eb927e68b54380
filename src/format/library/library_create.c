/* Beginning and resuming a library. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "format/library/library_writer.h"

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
    if (access(path, W_OK) != 0) {
        return berth_fail(error, BERTH_E_IO, "%s: cannot replace: %s", path, strerror(errno));
    }
    return BERTH_OK;
}

static enum berth_status in_use(const struct berth_library_writer *writer,
                                struct berth_error *error)
{
    return berth_fail(error, BERTH_E_IO,
                      "%s: another process is writing it; wait for its end or give another name",
                      writer->part);
}

/* Two processes must not write one file.  The name may have gone to another file while we waited
 * for nothing: then the other process has just finished. */
static enum berth_status lock(struct berth_library_writer *writer, struct berth_error *error)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct stat ours, named;
    if (fcntl(writer->file, F_SETLK, &whole) != 0 && (errno == EACCES || errno == EAGAIN)) {
        return in_use(writer, error);
    }
    if (fstat(writer->file, &ours) != 0 || stat(writer->part, &named) != 0 ||
        ours.st_ino != named.st_ino || ours.st_dev != named.st_dev) {
        return berth_fail(error, BERTH_E_IO,
                          "%s: another process has just finished it; look at %s, then start again",
                          writer->part, writer->path);
    }
    writer->size = (uint64_t)ours.st_size;
    return BERTH_OK;
}

/* Says who has the file that is there already. */
static enum berth_status refuse_part(const struct berth_library_writer *writer,
                                     struct berth_error *error)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const int file = open(writer->part, O_RDWR | O_CLOEXEC);
    const bool locked = file >= 0 && fcntl(file, F_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
    if (file >= 0) {
        close(file);
    }
    return locked ? in_use(writer, error)
                  : berth_fail(error, BERTH_E_IO,
                               "%s: a run that was interrupted left it; go on with it (--resume) "
                               "or remove it",
                               writer->part);
}

static enum berth_status open_part(struct berth_library_writer *writer,
                                   enum berth_library_mode mode, struct berth_error *error)
{
    const int flags = O_RDWR | O_CREAT | O_CLOEXEC | (mode == BERTH_LIBRARY_NEW ? O_EXCL : 0);
    writer->file = open(writer->part, flags, 0666);
    if (writer->file < 0 && errno == EEXIST) {
        return refuse_part(writer, error);
    }
    if (writer->file < 0) {
        return berth_fail(error, BERTH_E_IO, "%s: cannot create: %s", writer->part,
                          strerror(errno));
    }
    return lock(writer, error);
}

/* Cuts the file to its first size bytes. */
static enum berth_status cut(struct berth_library_writer *writer, uint64_t size,
                             struct berth_error *error)
{
    if (writer->size != size && ftruncate(writer->file, (off_t)size) != 0) {
        return berth_library_writer_fail(writer, "write", error);
    }
    writer->size = size;
    return BERTH_OK;
}

static enum berth_status begin_afresh(struct berth_library_writer *writer,
                                      struct berth_error *error)
{
    enum berth_status status = cut(writer, 0, error);
    if (status) {
        return status;
    }
    struct berth_bytes header = {0};
    berth_library_put_header(&header, &writer->identity);
    if (header.failed) {
        status = berth_out_of_memory(error, writer->part);
    } else if (pwrite(writer->file, header.data, header.count, 0) != (ssize_t)header.count) {
        status = berth_library_writer_fail(writer, "write", error);
    }
    writer->header_size = writer->size = header.count;
    berth_bytes_clear(&header);
    return status;
}

/* What is resumed must have been begun in the same way. */
static enum berth_status check_identity(struct berth_library_writer *writer,
                                        struct berth_error *error)
{
    const struct berth_library_source source = berth_library_writer_source(writer);
    struct berth_library_identity found;
    enum berth_status status =
        berth_library_read_header(&source, &found, &writer->header_size, error);
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

/* Fills *raw with what a block holds. */
static enum berth_status refill(const struct berth_library_block *head,
                                const struct berth_bytes *stored, struct berth_bytes *scratch,
                                struct berth_library_raw *raw, struct berth_error *error)
{
    struct berth_library_planes planes;
    const enum berth_status status = berth_library_unpack(head, stored, scratch, &planes, error);
    if (status) {
        return status;
    }
    memcpy(raw->sums, planes.sums, sizeof raw->sums);
    berth_bytes_put(&raw->records, planes.records.at, berth_cursor_left(&planes.records));
    berth_bytes_put(&raw->high, planes.high, planes.left);
    berth_bytes_put(&raw->low, planes.low, planes.left);
    return berth_library_raw_failed(raw) ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

/* Takes the last block, at place, to be filled on where there is room in it. */
static enum berth_status reopen_last(struct berth_library_writer *writer, uint64_t place,
                                     const struct berth_library_trailer *before,
                                     struct berth_error *error)
{
    const struct berth_library_source source = berth_library_writer_source(writer);
    struct berth_library_pair pair = {0};
    enum berth_status status = berth_library_read_pair(&source, place, &pair, error);
    if (!status) {
        status =
            refill(&pair.docking_head, &pair.docking, &writer->scratch, &writer->docking, error);
    }
    if (!status) { /* records name kinds by their numbers */
        status = berth_library_recover_kinds(&pair.docking_head, &pair.docking,
                                             &writer->docking.kinds, error);
    }
    BERTH_THEN(refill(&pair.rest_head, &pair.rest, &writer->scratch, &writer->rest, error));
    berth_library_pair_clear(&pair);
    if (!status && berth_library_is_full(writer)) {
        berth_library_raw_reset(&writer->docking);
        berth_library_raw_reset(&writer->rest);
    } else if (!status) { /* it stays in the file until a fuller one replaces it */
        writer->trailer = *before;
        writer->size = place;
    }
    return status;
}

/* Keeps the whole blocks, and cuts off what is behind them. */
static enum berth_status keep_whole_blocks(struct berth_library_writer *writer,
                                           struct berth_error *error)
{
    const struct berth_library_source source = berth_library_writer_source(writer);
    struct berth_library_pair pair = {0};
    struct berth_library_trailer before = writer->trailer;
    uint64_t place = writer->header_size, last = 0;
    enum berth_status status = BERTH_OK;
    while (!status) {
        status = berth_library_read_pair(&source, place, &pair, error);
        if (!status && pair.docking_head.first != writer->trailer.ligands) {
            status = BERTH_E_FORMAT;
        }
        if (!status) {
            last = place;
            before = writer->trailer;
            place += (uint64_t)pair.docking_head.stored + pair.rest_head.stored +
                     2 * BERTH_LIBRARY_BLOCK_SIZE;
            berth_library_count_pair(&writer->trailer, &pair.docking_head, &pair.rest_head);
            writer->consumed = writer->pending = pair.docking_head.consumed;
        }
    }
    berth_library_pair_clear(&pair);
    if (status != BERTH_E_FORMAT) {
        return status;
    }
    writer->dropped = writer->size - place;
    status = cut(writer, place, error);
    return status || !last ? status : reopen_last(writer, last, &before, error);
}

static char *part_name(const char *path)
{
    const size_t size = strlen(path) + sizeof ".part";
    char *part = berth_alloc(size, 1);
    if (part) {
        snprintf(part, size, "%s.part", path);
    }
    return part;
}

enum berth_status berth_library_begin(const char *path, enum berth_library_mode mode,
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
    made->path = berth_copy_text(path);
    made->part = part_name(path);
    status =
        made->path && made->part ? open_part(made, mode, error) : berth_out_of_memory(error, path);
    if (!status && (mode != BERTH_LIBRARY_RESUME || made->size == 0)) {
        status = begin_afresh(made, error);
        if (status) {
            unlink(made->part);
        }
    } else if (!status) {
        status = check_identity(made, error);
        status = status ? status : keep_whole_blocks(made, error);
    }
    if (status) {
        berth_library_writer_destroy(made);
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
    enum berth_status status =
        berth_library_begin(setup->path, setup->mode, &identity, writer, error);
    if (!status) {
        (*writer)->forcefield = setup->forcefield;
        (*writer)->log = setup->log;
    }
    return status;
}
