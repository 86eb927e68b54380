#include "format/library/library_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/file.h"
#include "base/memory.h"

enum { MAGIC_SIZE = 8, CRC_SIZE = 4 };

/* As PNG's: a transfer that cuts the eighth bit or changes line ends breaks it. */
static const unsigned char MAGIC[MAGIC_SIZE] = {0x89, 'b', 'l', 'i', 'b', '\r', '\n', 0x1a};
static const unsigned char END_MAGIC[MAGIC_SIZE] = {0x89, 'b', 'l', 'i', 'b', 'e', 'n', 'd'};

static uint32_t crc_of(const void *bytes, size_t size)
{
    return (uint32_t)crc32_z(0, bytes, size);
}

/* Puts the CRC of what was put since start. */
static void put_crc(struct berth_bytes *bytes, size_t start)
{
    if (!bytes->failed) {
        berth_bytes_put32(bytes, crc_of(bytes->data + start, bytes->count - start));
    }
}

/* True where the last of these bytes are the CRC of the others. */
static bool crc_agrees(const unsigned char *bytes, size_t size)
{
    struct berth_cursor cursor = berth_cursor_over(bytes + size - CRC_SIZE, CRC_SIZE);
    return berth_cursor_get32(&cursor) == crc_of(bytes, size - CRC_SIZE);
}

void berth_library_put_header(struct berth_bytes *bytes,
                              const struct berth_library_identity *identity)
{
    const size_t start = bytes->count;
    berth_bytes_put(bytes, MAGIC, sizeof MAGIC);
    berth_bytes_put32(bytes, BERTH_LIBRARY_VERSION);
    berth_bytes_put32(bytes, BERTH_LIBRARY_ORDER);
    berth_bytes_put64(bytes, identity->hash);
    berth_bytes_put32(bytes, identity->types);
    berth_bytes_put32(bytes, (uint32_t)strlen(identity->forcefield));
    berth_bytes_put32(bytes, (uint32_t)strlen(identity->note));
    berth_bytes_put(bytes, identity->forcefield, strlen(identity->forcefield));
    berth_bytes_put(bytes, identity->note, strlen(identity->note));
    put_crc(bytes, start);
}

void berth_library_put_block(struct berth_bytes *bytes, const struct berth_library_block *block,
                             const unsigned char *stored)
{
    const size_t start = bytes->count;
    berth_bytes_put32(bytes, block->kind);
    berth_bytes_put32(bytes, block->stored);
    berth_bytes_put32(bytes, block->raw);
    berth_bytes_put32(bytes, block->ligands);
    berth_bytes_put32(bytes, block->conformers);
    berth_bytes_put64(bytes, block->first);
    berth_bytes_put64(bytes, block->consumed);
    if (!bytes->failed) {
        const uint32_t head = crc_of(bytes->data + start, bytes->count - start);
        berth_bytes_put32(bytes, (uint32_t)crc32_z(head, stored, block->stored));
    }
}

void berth_library_put_entry(struct berth_bytes *bytes, const struct berth_library_entry *entry)
{
    const size_t start = bytes->count;
    berth_bytes_put64(bytes, entry->place);
    berth_bytes_put64(bytes, entry->first);
    berth_bytes_put32(bytes, entry->ligands);
    berth_bytes_put32(bytes, entry->conformers);
    berth_bytes_put32(bytes, entry->docking);
    berth_bytes_put32(bytes, entry->rest);
    put_crc(bytes, start);
}

void berth_library_put_trailer(struct berth_bytes *bytes,
                               const struct berth_library_trailer *trailer)
{
    const size_t start = bytes->count;
    berth_bytes_put(bytes, END_MAGIC, sizeof END_MAGIC);
    berth_bytes_put64(bytes, trailer->index);
    berth_bytes_put64(bytes, trailer->pairs);
    berth_bytes_put64(bytes, trailer->ligands);
    berth_bytes_put64(bytes, trailer->conformers);
    berth_bytes_put64(bytes, trailer->docking_bytes);
    berth_bytes_put64(bytes, trailer->rest_bytes);
    put_crc(bytes, start);
}

bool berth_library_get_block(const unsigned char *bytes, struct berth_library_block *block)
{
    struct berth_cursor cursor = berth_cursor_over(bytes, BERTH_LIBRARY_BLOCK_SIZE);
    block->kind = berth_cursor_get32(&cursor);
    block->stored = berth_cursor_get32(&cursor);
    block->raw = berth_cursor_get32(&cursor);
    block->ligands = berth_cursor_get32(&cursor);
    block->conformers = berth_cursor_get32(&cursor);
    block->first = berth_cursor_get64(&cursor);
    block->consumed = berth_cursor_get64(&cursor);
    block->crc = berth_cursor_get32(&cursor);
    return (block->kind == BERTH_LIBRARY_DOCKING || block->kind == BERTH_LIBRARY_REST) &&
           block->stored <= compressBound(BERTH_LIBRARY_RAW_MAX) &&
           block->raw <= BERTH_LIBRARY_RAW_MAX && block->ligands && block->conformers;
}

bool berth_library_get_entry(const unsigned char *bytes, struct berth_library_entry *entry)
{
    struct berth_cursor cursor = berth_cursor_over(bytes, BERTH_LIBRARY_ENTRY_SIZE);
    entry->place = berth_cursor_get64(&cursor);
    entry->first = berth_cursor_get64(&cursor);
    entry->ligands = berth_cursor_get32(&cursor);
    entry->conformers = berth_cursor_get32(&cursor);
    entry->docking = berth_cursor_get32(&cursor);
    entry->rest = berth_cursor_get32(&cursor);
    return crc_agrees(bytes, BERTH_LIBRARY_ENTRY_SIZE);
}

bool berth_library_get_trailer(const unsigned char *bytes, struct berth_library_trailer *trailer)
{
    struct berth_cursor cursor =
        berth_cursor_over(bytes + MAGIC_SIZE, BERTH_LIBRARY_TRAILER_SIZE - MAGIC_SIZE);
    trailer->index = berth_cursor_get64(&cursor);
    trailer->pairs = berth_cursor_get64(&cursor);
    trailer->ligands = berth_cursor_get64(&cursor);
    trailer->conformers = berth_cursor_get64(&cursor);
    trailer->docking_bytes = berth_cursor_get64(&cursor);
    trailer->rest_bytes = berth_cursor_get64(&cursor);
    return memcmp(bytes, END_MAGIC, sizeof END_MAGIC) == 0 &&
           crc_agrees(bytes, BERTH_LIBRARY_TRAILER_SIZE);
}

uint64_t berth_library_entry_end(const struct berth_library_entry *entry)
{
    return entry->place + entry->docking + entry->rest + (uint64_t)2 * BERTH_LIBRARY_BLOCK_SIZE;
}

enum berth_status berth_library_read_at(const struct berth_library_source *source, uint64_t place,
                                        void *bytes, size_t size, struct berth_error *error)
{
    if (place > source->size || size > source->size - place) {
        return berth_fail(
            error, BERTH_E_FORMAT,
            "%s: %zu bytes are wanted at byte %llu, but the file has %llu; it was cut "
            "off or is corrupt",
            source->path, size, (unsigned long long)place, (unsigned long long)source->size);
    }
    if (source->file < 0) {
        memcpy(bytes, source->bytes + place, size);
        return BERTH_OK;
    }
    size_t got;
    const int code = berth_read_at(source->file, bytes, size, place, &got);
    return code         ? berth_io_error(source->path, "read", code, error)
           : got < size ? berth_fail(error, BERTH_E_IO,
                                     "%s: cannot read: the file has become shorter", source->path)
                        : BERTH_OK;
}

static enum berth_status corrupt_header(const struct berth_library_source *source,
                                        struct berth_error *error)
{
    return berth_fail(error, BERTH_E_FORMAT,
                      "%s: the header of the library is corrupt; fetch or make the file again",
                      source->path);
}

/* Checks what stands in front of the names, and gives their sizes. */
static enum berth_status read_head(const struct berth_library_source *source,
                                   struct berth_library_identity *identity, uint32_t sizes[2],
                                   struct berth_error *error)
{
    unsigned char bytes[BERTH_LIBRARY_HEAD_SIZE];
    const bool fits = source->size >= sizeof bytes;
    if (fits) {
        BERTH_TRY(berth_library_read_at(source, 0, bytes, sizeof bytes, error));
    }
    if (!fits || memcmp(bytes, MAGIC, sizeof MAGIC) != 0) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "%s: not a library (.blib); make one with `berth prep ligands`",
                          source->path);
    }
    struct berth_cursor cursor = berth_cursor_over(bytes + MAGIC_SIZE, sizeof bytes - MAGIC_SIZE);
    const uint32_t version = berth_cursor_get32(&cursor), order = berth_cursor_get32(&cursor);
    identity->hash = berth_cursor_get64(&cursor);
    identity->types = berth_cursor_get32(&cursor);
    sizes[0] = berth_cursor_get32(&cursor);
    sizes[1] = berth_cursor_get32(&cursor);
    if (version != BERTH_LIBRARY_VERSION && order == BERTH_LIBRARY_ORDER) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "%s: version %lu of the library format; this program reads version %d, "
                          "so make the library again or use the program that made it",
                          source->path, (unsigned long)version, BERTH_LIBRARY_VERSION);
    }
    return order != BERTH_LIBRARY_ORDER || sizes[0] > BERTH_LIBRARY_NAME_MAX ||
                   sizes[1] > BERTH_LIBRARY_NOTE_MAX
               ? corrupt_header(source, error)
               : BERTH_OK;
}

enum berth_status berth_library_read_header(const struct berth_library_source *source,
                                            struct berth_library_identity *identity, uint64_t *end,
                                            struct berth_error *error)
{
    uint32_t sizes[2] = {0, 0};
    unsigned char *bytes;
    memset(identity, 0, sizeof *identity);
    BERTH_TRY(read_head(source, identity, sizes, error));
    const size_t size = (size_t)BERTH_LIBRARY_HEAD_SIZE + sizes[0] + sizes[1] + CRC_SIZE;
    BERTH_TRY(berth_make(&bytes, size, 1, source->path, error));
    enum berth_status status = berth_library_read_at(source, 0, bytes, size, error);
    if (!status && !crc_agrees(bytes, size)) {
        status = corrupt_header(source, error);
    }
    if (!status) {
        const char *names = (const char *)bytes + BERTH_LIBRARY_HEAD_SIZE;
        identity->forcefield = strndup(names, sizes[0]);
        identity->note = strndup(names + sizes[0], sizes[1]);
        if (!identity->forcefield || !identity->note) {
            status = berth_out_of_memory(error, source->path);
        }
    }
    free(bytes);
    *end = size;
    return status;
}

void berth_library_identity_clear(struct berth_library_identity *identity)
{
    free(identity->forcefield);
    free(identity->note);
    memset(identity, 0, sizeof *identity);
}

enum berth_status berth_library_read_block(const struct berth_library_source *source,
                                           uint64_t place, uint32_t kind,
                                           struct berth_library_block *head,
                                           struct berth_bytes *stored, struct berth_error *error)
{
    unsigned char bytes[BERTH_LIBRARY_BLOCK_SIZE];
    if (place > source->size || source->size - place < sizeof bytes) {
        return berth_fail(error, BERTH_E_FORMAT, "the file ends in front of it");
    }
    BERTH_TRY(berth_library_read_at(source, place, bytes, sizeof bytes, error));
    if (!berth_library_get_block(bytes, head) || head->kind != kind) {
        return berth_fail(error, BERTH_E_FORMAT, "its head is corrupt");
    }
    if (head->stored > source->size - place - sizeof bytes) {
        return berth_fail(error, BERTH_E_FORMAT, "the file ends inside it");
    }
    stored->count = 0;
    BERTH_TRY(berth_reserve(&stored->data, &stored->capacity, (size_t)head->stored + 1, 1, error));
    BERTH_TRY(
        berth_library_read_at(source, place + sizeof bytes, stored->data, head->stored, error));
    stored->count = head->stored;
    const uint32_t crc =
        (uint32_t)crc32_z(crc_of(bytes, sizeof bytes - CRC_SIZE), stored->data, stored->count);
    return crc == head->crc
               ? BERTH_OK
               : berth_fail(error, BERTH_E_FORMAT, "its checksum does not agree with its content");
}

void berth_library_pair_clear(struct berth_library_pair *pair)
{
    berth_bytes_clear(&pair->docking);
    berth_bytes_clear(&pair->rest);
}

enum berth_status berth_library_count_pair(const struct berth_library_pair *pair,
                                           struct berth_library_trailer *trailer,
                                           struct berth_bytes *index, struct berth_error *error)
{
    const struct berth_library_block *docking = &pair->docking_head, *rest = &pair->rest_head;
    const struct berth_library_entry entry = {trailer->index,   docking->first,
                                              docking->ligands, docking->conformers,
                                              docking->stored,  rest->stored};
    berth_library_put_entry(index, &entry);
    trailer->index = berth_library_entry_end(&entry);
    trailer->pairs++;
    trailer->ligands += docking->ligands;
    trailer->conformers += docking->conformers;
    trailer->docking_bytes += (uint64_t)docking->stored + BERTH_LIBRARY_BLOCK_SIZE;
    trailer->rest_bytes += (uint64_t)rest->stored + BERTH_LIBRARY_BLOCK_SIZE;
    return index->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

enum berth_status berth_library_take_pair(const struct berth_library_source *source,
                                          struct berth_library_pair *pair,
                                          struct berth_library_trailer *trailer,
                                          struct berth_bytes *index, struct berth_error *error)
{
    const struct berth_library_block *docking = &pair->docking_head, *rest = &pair->rest_head;
    uint64_t place = trailer->index;
    BERTH_TRY(berth_library_read_block(source, place, BERTH_LIBRARY_DOCKING, &pair->docking_head,
                                       &pair->docking, error));
    place += BERTH_LIBRARY_BLOCK_SIZE + docking->stored;
    BERTH_TRY(berth_library_read_block(source, place, BERTH_LIBRARY_REST, &pair->rest_head,
                                       &pair->rest, error));
    return docking->first == trailer->ligands && rest->first == docking->first &&
                   rest->ligands == docking->ligands && rest->conformers == docking->conformers
               ? berth_library_count_pair(pair, trailer, index, error)
               : berth_fail(error, BERTH_E_FORMAT, "its two streams hold different ligands");
}

/* --- Raw blocks: coordinates as differences in two planes of bytes, packed by zlib --- */

enum {
    LEVEL = 6,                                  /* of zlib; see bench/library */
    COUNTS_SIZE = 4 * (BERTH_LIBRARY_SUMS + 1), /* of a raw block in front of its records */
    STEP_MAX = 2 * BERTH_LIBRARY_GRID_MAX
};

void berth_library_to_grid(const double position[3], int32_t grid[3])
{
    for (int axis = 0; axis < 3; axis++) {
        grid[axis] = (int32_t)lround(position[axis] * 1000);
    }
}

void berth_library_from_grid(const int32_t grid[3], double position[3])
{
    for (int axis = 0; axis < 3; axis++) {
        position[axis] = grid[axis] / 1000.0;
    }
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

size_t berth_library_put_moved(struct berth_bytes *records, const struct berth_torsion_tree *tree,
                               size_t torsion, const size_t *numbers, size_t count)
{
    const uint32_t *atoms = tree->moved + tree->torsions[torsion].moved_start;
    const size_t start = records->count;
    size_t moved = 0;
    for (size_t i = 0; i < (count + 7) / 8; i++) {
        berth_bytes_put8(records, 0);
    }
    for (size_t i = 0; !records->failed && i < tree->torsions[torsion].moved_count; i++) {
        const size_t number = numbers[atoms[i]];
        if (number < count) {
            records->data[start + number / 8] |= (unsigned char)(1u << number % 8);
            moved++;
        }
    }
    return moved;
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
    if (berth_library_raw_failed(raw) || scratch->failed ||
        berth_reserve(&stored->data, &stored->capacity, size, 1, error) ||
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
    BERTH_TRY(berth_reserve(&raw->data, &raw->capacity, head->raw, 1, error));
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
    BERTH_TRY(inflate_block(head, stored, raw, error));
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

enum berth_status berth_library_absurd(struct berth_error *error, const char *what)
{
    return berth_fail(error, BERTH_E_FORMAT, "its %s make no sense", what);
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
