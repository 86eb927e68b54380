/* Binary data written and read byte by byte: little-endian on every machine, whatever its own
 * order.
 *
 * Both sides remember a failure (out of memory; the end was passed), so that a run of calls is
 * checked once, at its end.
 */
#ifndef BERTH_BASE_BYTES_H
#define BERTH_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A buffer that grows; a zeroed one is empty. */
struct berth_bytes {
    unsigned char *data; /* owned; [count] */
    size_t count, capacity;
    bool failed; /* out of memory: nothing was added since */
};

void berth_bytes_put(struct berth_bytes *bytes, const void *data, size_t size);
void berth_bytes_put8(struct berth_bytes *bytes, uint8_t value);
void berth_bytes_put16(struct berth_bytes *bytes, uint16_t value);
void berth_bytes_put32(struct berth_bytes *bytes, uint32_t value);
void berth_bytes_put64(struct berth_bytes *bytes, uint64_t value);
void berth_bytes_put_double(struct berth_bytes *bytes, double value);

/* 1 to 10 bytes of seven bits each, the lowest first; the top bit says that more follow. */
void berth_bytes_put_varint(struct berth_bytes *bytes, uint64_t value);

/* A varint with the sign in the lowest bit, so that small numbers of either sign are short. */
void berth_bytes_put_signed(struct berth_bytes *bytes, int64_t value);

/* The text and the 0 at its end; NULL is the empty text. */
void berth_bytes_put_text(struct berth_bytes *bytes, const char *text);

/* Text (printf style), without a 0. */
void berth_bytes_print(struct berth_bytes *bytes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Frees what the buffer owns and zeroes it. */
void berth_bytes_clear(struct berth_bytes *bytes);

/* A place in bytes that somebody else owns. */
struct berth_cursor {
    const unsigned char *at, *end;
    bool failed; /* the end was passed or a varint was too long: zeros were given since */
};

struct berth_cursor berth_cursor_over(const void *data, size_t size);

/* Bytes between the cursor and the end. */
size_t berth_cursor_left(const struct berth_cursor *cursor);

/* The next size bytes, NULL where there are fewer. */
const unsigned char *berth_cursor_take(struct berth_cursor *cursor, size_t size);
uint8_t berth_cursor_get8(struct berth_cursor *cursor);
uint16_t berth_cursor_get16(struct berth_cursor *cursor);
uint32_t berth_cursor_get32(struct berth_cursor *cursor);
float berth_cursor_get_float(struct berth_cursor *cursor);
uint64_t berth_cursor_get64(struct berth_cursor *cursor);
double berth_cursor_get_double(struct berth_cursor *cursor);
uint64_t berth_cursor_get_varint(struct berth_cursor *cursor);
int64_t berth_cursor_get_signed(struct berth_cursor *cursor);

/* The text up to its 0, borrowed from the bytes; "" after a failure. */
const char *berth_cursor_get_text(struct berth_cursor *cursor);

/* The same, copied into size bytes; false where it does not fit into them. */
bool berth_cursor_get_name(struct berth_cursor *cursor, char *name, size_t size);

#endif
