/* Reads text files line by line, plain or gzip-compressed alike (base/input.h), and knows where it
 * is.
 *
 * Line ends may be LF or CRLF, mixed.  NUL bytes are refused (binary input), and so are carriage
 * returns inside a line (it may be two) and lines above BERTH_LINE_MAX bytes, so that memory stays
 * bounded whatever the file holds.
 */
#ifndef BERTH_BASE_TEXT_READER_H
#define BERTH_BASE_TEXT_READER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { BERTH_LINE_MAX = 65536 };

struct berth_text_reader; /* opaque */

/* Opens path ("-" is standard input).  The caller destroys *reader.
 * Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_text_reader_create(const char *path, struct berth_text_reader **reader,
                                           struct berth_error *error);

/* The same over size bytes of memory, borrowed until the reader is destroyed; name stands in
 * for the path in messages. */
enum berth_status berth_text_reader_create_memory(const char *name, const void *bytes, size_t size,
                                                  struct berth_text_reader **reader,
                                                  struct berth_error *error);

/* From here on reading ends, with BERTH_E_IO, soon after *stop (borrowed) has become true. */
void berth_text_reader_stop_on(struct berth_text_reader *reader, const atomic_bool *stop);

/* The next line without its line end, owned by the reader until the next call; *line is NULL at
 * the end of the file.  Errors: BERTH_E_IO (a read error), BERTH_E_FORMAT (truncated or corrupt
 * gzip data, UTF-16; a NUL byte, a carriage return or a line too long, after which reading goes on
 * with the next line). */
enum berth_status berth_text_reader_next(struct berth_text_reader *reader, char **line,
                                         struct berth_error *error);

/* BERTH_E_FORMAT, "file:line: reason" (printf style), at the line last given. */
enum berth_status berth_text_reader_refuse(const struct berth_text_reader *reader,
                                           struct berth_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* True after an error behind which nothing can be read: a read error, damaged gzip data, UTF-16. */
bool berth_text_reader_is_broken(const struct berth_text_reader *reader);

/* Makes the next call of berth_text_reader_next give the current line again. */
void berth_text_reader_unread(struct berth_text_reader *reader);

const char *berth_text_reader_path(const struct berth_text_reader *reader);

/* Number of the line last given, from 1. */
size_t berth_text_reader_line(const struct berth_text_reader *reader);

/* Bytes of the file that were made use of so far: the line last given and what stands ready behind
 * it. */
uint64_t berth_text_reader_offset(const struct berth_text_reader *reader);

/* NULL is accepted. */
void berth_text_reader_destroy(struct berth_text_reader *reader);

#endif
