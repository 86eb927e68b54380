/* The bytes of a file, plain or gzip-compressed alike: what every reader of text stands on.
 *
 * A gzip file may have several members, one behind the other, and zeros behind the last one;
 * anything else there is damage, and so is anything behind zeros.  A byte-order mark of UTF-8 in
 * front of the text is passed over; UTF-16 is refused, and so is what begins as other files do
 * (PDF, HTML, ZIP, bzip2, xz, zstd), which the message names.
 */
#ifndef BERTH_BASE_INPUT_H
#define BERTH_BASE_INPUT_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"

struct berth_input; /* opaque */

enum {
    BERTH_INPUT_LEAST = 16,    /* bytes that a read must have room for */
    BERTH_INPUT_MAX = 1 << 30, /* bytes that berth_input_read_all takes */
};

/* All messages leave it to the caller to put the path in front. */

/* Opens path ("-" is standard input).  The caller closes *input.  Errors: BERTH_E_IO,
 * BERTH_E_MEMORY. */
enum berth_status berth_input_open(const char *path, struct berth_input **input,
                                   struct berth_error *error);

/* The same over size bytes of memory, borrowed until the input is closed; they are not unpacked. */
enum berth_status berth_input_open_memory(const void *bytes, size_t size,
                                          struct berth_input **input, struct berth_error *error);

/* From here on a read, also one that waits, ends with BERTH_E_IO soon after *stop (borrowed) has
 * become true. */
void berth_input_stop_on(struct berth_input *input, const atomic_bool *stop);

/* Reads up to size (BERTH_INPUT_LEAST or more) bytes; *got is 0 at the end.  What stands in front
 * of damage is given first.  Errors, which stay: BERTH_E_IO, BERTH_E_FORMAT (damaged gzip data:
 * says at which byte of the file and in which member; UTF-16; another kind of file),
 * BERTH_E_MEMORY. */
enum berth_status berth_input_read(struct berth_input *input, void *bytes, size_t size, size_t *got,
                                   struct berth_error *error);

/* Bytes of the file, as it is stored, that were made use of so far; 0 over memory. */
uint64_t berth_input_offset(const struct berth_input *input);

/* NULL is accepted. */
void berth_input_close(struct berth_input *input);

/* Appends all that path holds to *bytes.  stop: as above, or NULL.  Errors: as above, and
 * BERTH_E_FORMAT for more than BERTH_INPUT_MAX bytes. */
enum berth_status berth_input_read_all(const char *path, const atomic_bool *stop,
                                       struct berth_bytes *bytes, struct berth_error *error);

/* The same of a file that need not be text: ZIP, say, is not refused. */
enum berth_status berth_input_read_any(const char *path, struct berth_bytes *bytes,
                                       struct berth_error *error);

#endif
