/* Pairs of blocks, and what the parts of the library's writer share; nothing outside
 * format/library includes this.
 *
 * library_pair.c reads pairs back, library_writer.c adds ligands and ends, library_create.c begins
 * and resumes, library_merge.c copies the blocks of other libraries. */
#ifndef BERTH_FORMAT_LIBRARY_LIBRARY_WRITER_H
#define BERTH_FORMAT_LIBRARY_LIBRARY_WRITER_H

#include "format/library/library_format.h"

/* A docking block and the write-out block of the same ligands, as they are stored. */
struct berth_library_pair {
    struct berth_library_block docking_head, rest_head;
    struct berth_bytes docking, rest; /* owned */
};

struct berth_library_writer {
    char *path, *part; /* owned; the final name, and the name while it is written */
    int file;          /* descriptor of part */
    struct berth_library_identity identity;
    const struct berth_forcefield *forcefield; /* borrowed; NULL while merging */
    const struct berth_log *log;               /* borrowed; may be NULL */
    uint64_t header_size, size;                /* bytes in the file */
    struct berth_library_trailer trailer;      /* of the blocks in the file */
    uint64_t consumed, pending; /* of the last block in the file, of the last ligand added */
    uint64_t dropped;           /* bytes that a resume cut off */
    struct berth_library_raw docking, rest; /* the block being filled */
    struct berth_bytes scratch;
    struct berth_library_pair pair; /* the block being written */
    bool broken;                    /* after an error: not to be committed */
};

/* Begins the library of this path and identity (moved into the writer, even on an error); the
 * forcefield is not set.  Errors: as berth_library_create. */
enum berth_status berth_library_begin(const char *path, enum berth_library_mode mode,
                                      struct berth_library_identity *identity,
                                      struct berth_library_writer **writer,
                                      struct berth_error *error);

/* Writes a pair of blocks behind the others; their heads hold the right ordinals. */
enum berth_status berth_library_append(struct berth_library_writer *writer,
                                       const struct berth_library_pair *pair,
                                       struct berth_error *error);

/* True where the block being filled is to be written before the next record's ligand. */
bool berth_library_is_full(const struct berth_library_writer *writer);

/* Adds a pair to the sums. */
void berth_library_count_pair(struct berth_library_trailer *trailer,
                              const struct berth_library_block *docking,
                              const struct berth_library_block *rest);

void berth_library_pair_clear(struct berth_library_pair *pair);

/* Reads the pair at place and checks both blocks, and that they belong together.  Errors:
 * BERTH_E_FORMAT (a reason without the place), BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_library_read_pair(const struct berth_library_source *source, uint64_t place,
                                          struct berth_library_pair *pair,
                                          struct berth_error *error);

/* What a reader's library was made with; borrowed from the reader. */
const struct berth_library_identity *
berth_library_reader_identity(const struct berth_library_reader *reader);

/* Reads the pair of blocks of this number, as berth_library_read_pair, but errors name the block.
 */
enum berth_status berth_library_reader_pair(const struct berth_library_reader *reader,
                                            uint64_t number, struct berth_library_pair *pair,
                                            struct berth_error *error);

/* What is in the file so far, for reading. */
struct berth_library_source berth_library_writer_source(const struct berth_library_writer *writer);

/* BERTH_E_IO with errno's text; the writer is broken from there on. */
enum berth_status berth_library_writer_fail(struct berth_library_writer *writer, const char *what,
                                            struct berth_error *error);

/* Closes the file, without removing it, and frees the writer. */
void berth_library_writer_destroy(struct berth_library_writer *writer);

#endif
