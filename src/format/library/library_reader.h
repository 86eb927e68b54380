/* An opened library, and its write-out blocks; nothing outside src/format/library includes this. */
#ifndef BERTH_FORMAT_LIBRARY_LIBRARY_READER_H
#define BERTH_FORMAT_LIBRARY_LIBRARY_READER_H

#include "format/library/library_writer.h"

struct berth_library_reader {
    char *path; /* owned */
    struct berth_library_source source;
    struct berth_library_identity identity;
    const struct berth_scoring *scoring; /* borrowed; NULL: types are of no interest */
    struct berth_library_trailer trailer;
    uint64_t header_size;
};

/* A write-out block, unpacked. */
struct berth_library_rest {
    struct berth_bytes raw; /* owned; reused */
    struct berth_library_planes planes;
    uint64_t first; /* ordinal of its first ligand */
};

/* Reads the write-out block that has the ligand of this ordinal.  Errors: as
 * berth_library_next. */
enum berth_status berth_library_read_rest(const struct berth_library_reader *reader,
                                          uint64_t ordinal, struct berth_library_rest *rest,
                                          struct berth_error *error);

#endif
