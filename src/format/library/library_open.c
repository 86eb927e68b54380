/* Opening a library: its header and its trailer. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/sha256.h"
#include "format/library/library_reader.h"

static enum berth_status read_trailer(struct berth_library_reader *reader,
                                      struct berth_error *error)
{
    const struct berth_library_source *source = &reader->source;
    struct berth_library_trailer *trailer = &reader->trailer;
    unsigned char bytes[BERTH_LIBRARY_TRAILER_SIZE];
    if (source->size - reader->header_size < sizeof bytes) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "%s: the library was cut off behind its header; fetch or make it again",
                          source->path);
    }
    const uint64_t place = source->size - sizeof bytes;
    enum berth_status status = berth_library_read_at(source, place, bytes, sizeof bytes, error);
    if (status) {
        return status;
    }
    if (!berth_library_get_trailer(bytes, trailer)) {
        return berth_fail(
            error, BERTH_E_FORMAT,
            "%s: the index at the library's end is missing or corrupt; fetch the file "
            "again, or rename it to %s.part and make it again with --resume, which "
            "keeps every whole block",
            source->path, source->path);
    }
    if (trailer->index < reader->header_size || trailer->index > place ||
        (place - trailer->index) % BERTH_LIBRARY_ENTRY_SIZE ||
        (place - trailer->index) / BERTH_LIBRARY_ENTRY_SIZE != trailer->pairs) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "%s: the size of the library's index makes no sense; fetch or make it "
                          "again",
                          source->path);
    }
    return BERTH_OK;
}

/* Reads header and trailer of a reader whose source is open. */
static enum berth_status start(struct berth_library_reader *reader,
                               const struct berth_scoring *scoring, struct berth_error *error)
{
    reader->scoring = scoring;
    enum berth_status status =
        berth_library_read_header(&reader->source, &reader->identity, &reader->header_size, error);
    BERTH_THEN(read_trailer(reader, error));
    return status;
}

static struct berth_library_reader *allocate(const char *path)
{
    struct berth_library_reader *reader = berth_alloc(1, sizeof *reader);
    if (!reader) {
        return NULL;
    }
    reader->source.file = -1;
    reader->source.path = reader->path = berth_copy_text(path);
    if (!reader->path) {
        free(reader);
        return NULL;
    }
    return reader;
}

static enum berth_status open_file(struct berth_library_source *source, struct berth_error *error)
{
    struct stat facts;
    source->file = open(source->path, O_RDONLY | O_CLOEXEC);
    if (source->file < 0 || fstat(source->file, &facts) != 0) {
        return berth_fail(error, BERTH_E_IO, "%s: cannot open: %s", source->path, strerror(errno));
    }
    if (!S_ISREG(facts.st_mode)) {
        return berth_fail(error, BERTH_E_IO, "%s: %s, a file is needed", source->path,
                          S_ISDIR(facts.st_mode) ? "is a directory" : "is no plain file");
    }
    source->size = (uint64_t)facts.st_size;
    return BERTH_OK;
}

enum berth_status berth_library_open(const char *path, const struct berth_scoring *scoring,
                                     struct berth_library_reader **reader,
                                     struct berth_error *error)
{
    *reader = NULL;
    struct berth_library_reader *made = allocate(path);
    if (!made) {
        return berth_out_of_memory(error, path);
    }
    enum berth_status status = open_file(&made->source, error);
    BERTH_THEN(start(made, scoring, error));
    if (status) {
        berth_library_close(made);
        return status;
    }
    *reader = made;
    return BERTH_OK;
}

enum berth_status berth_library_open_memory(const char *name, const void *bytes, size_t size,
                                            const struct berth_scoring *scoring,
                                            struct berth_library_reader **reader,
                                            struct berth_error *error)
{
    *reader = NULL;
    struct berth_library_reader *made = allocate(name);
    if (!made) {
        return berth_out_of_memory(error, name);
    }
    made->source.bytes = bytes;
    made->source.size = size;
    enum berth_status status = start(made, scoring, error);
    if (status) {
        berth_library_close(made);
        return status;
    }
    *reader = made;
    return BERTH_OK;
}

enum berth_status berth_library_check_typed(const struct berth_library_reader *reader,
                                            const struct berth_docking_ligand *ligand,
                                            struct berth_error *error)
{
    if (!ligand->untyped) {
        return BERTH_OK;
    }
    struct berth_atom atom = *ligand->untyped;
    if (!*atom.name) {
        snprintf(atom.name, sizeof atom.name, "%s", berth_element_symbol(atom.element));
    }
    return berth_scoring_untyped(reader->scoring, ligand->title, &atom, ligand->untyped_number,
                                 error);
}

struct berth_library_info berth_library_info(const struct berth_library_reader *reader)
{
    const struct berth_library_trailer *trailer = &reader->trailer;
    return (struct berth_library_info){.version = BERTH_LIBRARY_VERSION,
                                       .forcefield = reader->identity.forcefield,
                                       .forcefield_hash = reader->identity.hash,
                                       .type_count = reader->identity.types,
                                       .note = reader->identity.note,
                                       .blocks = trailer->pairs,
                                       .ligands = trailer->ligands,
                                       .conformers = trailer->conformers,
                                       .docking_bytes = trailer->docking_bytes,
                                       .write_out_bytes = trailer->rest_bytes,
                                       .file_bytes = reader->source.size};
}

/* Adds the bytes begin .. end - 1 of the file. */
static enum berth_status hash_bytes(const struct berth_library_reader *reader, uint64_t begin,
                                    uint64_t end, struct berth_sha256 *hash,
                                    struct berth_error *error)
{
    unsigned char bytes[4096];
    enum berth_status status = BERTH_OK;
    while (!status && begin < end) {
        const size_t size = end - begin < sizeof bytes ? (size_t)(end - begin) : sizeof bytes;
        status = berth_library_read_at(&reader->source, begin, bytes, size, error);
        if (!status) {
            berth_sha256_add(hash, bytes, size);
        }
        begin += size;
    }
    return status;
}

enum berth_status berth_library_hash(const struct berth_library_reader *reader,
                                     unsigned char digest[BERTH_LIBRARY_HASH_SIZE],
                                     struct berth_error *error)
{
    struct berth_sha256 hash;
    berth_sha256_start(&hash);
    enum berth_status status = hash_bytes(reader, 0, reader->header_size, &hash, error);
    BERTH_THEN(hash_bytes(reader, reader->trailer.index, reader->source.size, &hash, error));
    berth_sha256_end(&hash, digest);
    return status;
}

void berth_library_close(struct berth_library_reader *reader)
{
    if (!reader) {
        return;
    }
    if (reader->source.file >= 0) {
        close(reader->source.file);
    }
    berth_library_identity_clear(&reader->identity);
    free(reader->path);
    free(reader);
}
