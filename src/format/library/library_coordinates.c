/* Coordinates as differences in two planes of bytes, and blocks packed by zlib. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "format/library/library_format.h"

enum {
    LEVEL = 6,                                  /* of zlib; see bench/library */
    COUNTS_SIZE = 4 * (BERTH_LIBRARY_SUMS + 1), /* of a raw block in front of its records */
    STEP_MAX = 2 * BERTH_LIBRARY_GRID_MAX
};

int32_t berth_library_to_grid(double position)
{
    return (int32_t)lround(position * 1000);
}

double berth_library_from_grid(int32_t position)
{
    return position / 1000.0;
}

void berth_library_raw_clear(struct berth_library_raw *raw)
{
    berth_bytes_clear(&raw->records);
    berth_bytes_clear(&raw->high);
    berth_bytes_clear(&raw->low);
    berth_bytes_clear(&raw->scratch);
    berth_bytes_clear(&raw->large);
    free(raw->kinds.kinds);
    memset(raw, 0, sizeof *raw);
}

void berth_library_raw_reset(struct berth_library_raw *raw)
{
    memset(raw->sums, 0, sizeof raw->sums);
    raw->records.count = raw->high.count = raw->low.count = raw->large.count = 0;
    raw->kinds.count = 0;
}

size_t berth_library_raw_size(const struct berth_library_raw *raw)
{
    return COUNTS_SIZE + raw->records.count + raw->high.count + raw->low.count;
}

bool berth_library_raw_failed(const struct berth_library_raw *raw)
{
    return raw->records.failed || raw->high.failed || raw->low.failed || raw->scratch.failed ||
           raw->large.failed;
}

void berth_library_put_step(struct berth_library_raw *raw, const int32_t from[3],
                            const int32_t to[3])
{
    unsigned char high[3], low[3];
    for (int axis = 0; axis < 3; axis++) {
        int32_t step = to[axis] - from[axis];
        if (step <= BERTH_LIBRARY_LARGE || step > 32767) {
            berth_bytes_put_signed(&raw->large, step);
            step = BERTH_LIBRARY_LARGE;
        }
        high[axis] = (unsigned char)((uint32_t)step >> 8);
        low[axis] = (unsigned char)step;
    }
    berth_bytes_put(&raw->high, high, sizeof high);
    berth_bytes_put(&raw->low, low, sizeof low);
}

void berth_library_put_large(struct berth_library_raw *raw)
{
    berth_bytes_put(&raw->records, raw->large.data, raw->large.count);
    raw->large.count = 0;
}

enum berth_status berth_library_pack(const struct berth_library_raw *raw,
                                     struct berth_bytes *scratch, struct berth_bytes *stored,
                                     struct berth_error *error)
{
    scratch->count = stored->count = 0;
    for (int i = 0; i < BERTH_LIBRARY_SUMS; i++) {
        berth_bytes_put32(scratch, raw->sums[i]);
    }
    berth_bytes_put32(scratch, (uint32_t)raw->records.count);
    berth_bytes_put(scratch, raw->records.data, raw->records.count);
    berth_bytes_put(scratch, raw->high.data, raw->high.count);
    berth_bytes_put(scratch, raw->low.data, raw->low.count);
    uLongf size = compressBound((uLong)scratch->count);
    if (scratch->failed || berth_reserve(&stored->data, &stored->capacity, size, 1, error) ||
        compress2(stored->data, &size, scratch->data, (uLong)scratch->count, LEVEL) != Z_OK) {
        return berth_out_of_memory(error, NULL);
    }
    stored->count = size;
    return BERTH_OK;
}

/* Inflates the stored bytes to exactly the raw size that the head gives. */
static enum berth_status inflate_block(const struct berth_library_block *head,
                                       const struct berth_bytes *stored, struct berth_bytes *raw,
                                       struct berth_error *error)
{
    if (head->raw < COUNTS_SIZE || head->raw > BERTH_LIBRARY_RAW_MAX) {
        return berth_fail(error, BERTH_E_FORMAT, "its size of %lu bytes makes no sense",
                          (unsigned long)head->raw);
    }
    raw->count = 0;
    enum berth_status status = berth_reserve(&raw->data, &raw->capacity, head->raw, 1, error);
    if (status) {
        return status;
    }
    uLongf size = head->raw;
    const int code = uncompress(raw->data, &size, stored->data, (uLong)stored->count);
    if (code == Z_MEM_ERROR) {
        return berth_out_of_memory(error, NULL);
    }
    if (code != Z_OK || size != head->raw) {
        return berth_fail(error, BERTH_E_FORMAT, "its compressed data is corrupt");
    }
    raw->count = size;
    return BERTH_OK;
}

enum berth_status berth_library_unpack(const struct berth_library_block *head,
                                       const struct berth_bytes *stored, struct berth_bytes *raw,
                                       struct berth_library_planes *planes,
                                       struct berth_error *error)
{
    enum berth_status status = inflate_block(head, stored, raw, error);
    if (status) {
        return status;
    }
    struct berth_cursor cursor = berth_cursor_over(raw->data, raw->count);
    for (int i = 0; i < BERTH_LIBRARY_SUMS; i++) {
        planes->sums[i] = berth_cursor_get32(&cursor);
    }
    const size_t size = berth_cursor_get32(&cursor);
    const unsigned char *records = berth_cursor_take(&cursor, size);
    if (!records || berth_cursor_left(&cursor) % 2) {
        return berth_fail(error, BERTH_E_FORMAT, "its records do not fit into it");
    }
    planes->records = berth_cursor_over(records, size);
    planes->left = berth_cursor_left(&cursor) / 2;
    planes->high = cursor.at;
    planes->low = cursor.at + planes->left;
    return BERTH_OK;
}

bool berth_library_skip_steps(struct berth_library_planes *planes, uint64_t count)
{
    if (count > planes->left) {
        return false;
    }
    planes->high += count;
    planes->low += count;
    planes->left -= (size_t)count;
    return true;
}

int32_t berth_library_add_step(struct berth_cursor *records, int32_t from)
{
    const int64_t step = berth_cursor_get_signed(records);
    if (step < -STEP_MAX || step > STEP_MAX || from + step < -BERTH_LIBRARY_GRID_MAX ||
        from + step > BERTH_LIBRARY_GRID_MAX) {
        records->failed = true;
        return 0;
    }
    return (int32_t)(from + step);
}

void berth_library_get_step(struct berth_library_planes *planes, const int32_t from[3],
                            int32_t to[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int32_t step =
            (planes->high[axis] ^ 0x80) * 256 + planes->low[axis] + BERTH_LIBRARY_LARGE;
        to[axis] = step == BERTH_LIBRARY_LARGE
                       ? berth_library_add_step(&planes->records, from[axis])
                       : from[axis] + step;
    }
    planes->high += 3;
    planes->low += 3;
    planes->left -= 3;
}
