/* Reading a library: its index, its blocks, single ligands. */
#include <string.h>

#include "format/library/library_reader.h"

/* A block by its number, and its entry in the index. */
struct block_place {
    uint64_t number;
    struct berth_library_entry entry;
};

static uint64_t entry_place(const struct berth_library_reader *reader, uint64_t number)
{
    return reader->trailer.index + number * BERTH_LIBRARY_ENTRY_SIZE;
}

/* Reads the entry of a block.  BERTH_E_FORMAT where it is corrupt. */
static enum berth_status read_entry(const struct berth_library_reader *reader, uint64_t number,
                                    struct berth_library_entry *entry, struct berth_error *error)
{
    unsigned char bytes[BERTH_LIBRARY_ENTRY_SIZE];
    const uint64_t place = entry_place(reader, number);
    enum berth_status status =
        berth_library_read_at(&reader->source, place, bytes, sizeof bytes, error);
    if (status) {
        return status;
    }
    const bool whole = berth_library_get_entry(bytes, entry);
    if (!whole || entry->place < reader->header_size || entry->place > reader->trailer.index ||
        berth_library_entry_end(entry) > reader->trailer.index || !entry->ligands ||
        entry->first > reader->trailer.ligands ||
        entry->ligands > reader->trailer.ligands - entry->first) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "%s: block %llu: its entry in the index, at byte %llu, is corrupt; fetch "
                          "or make the file again",
                          reader->path, (unsigned long long)number, (unsigned long long)place);
    }
    return BERTH_OK;
}

/* The first entry from number to end that is whole; number is end where there is none. */
static enum berth_status next_entry(const struct berth_library_reader *reader, uint64_t end,
                                    struct block_place *place, struct berth_error *error)
{
    enum berth_status status = BERTH_E_FORMAT;
    while (status == BERTH_E_FORMAT && place->number < end) {
        status = read_entry(reader, place->number, &place->entry, error);
        place->number += status == BERTH_E_FORMAT;
    }
    return status == BERTH_E_FORMAT ? BERTH_OK : status;
}

/* The block of a ligand: binary search in the file.  Where its entry is corrupt, BERTH_E_FORMAT,
 * and *next is the ordinal behind the ligands that nothing leads to. */
static enum berth_status find_block(const struct berth_library_reader *reader, uint64_t ordinal,
                                    struct block_place *found, uint64_t *next,
                                    struct berth_error *error)
{
    uint64_t low = 0, high = reader->trailer.pairs; /* the blocks that may hold it */
    bool any = false;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        struct block_place place = {.number = middle};
        enum berth_status status = next_entry(reader, high, &place, error);
        if (status) {
            return status;
        }
        if (place.number < high && place.entry.first <= ordinal) {
            *found = place;
            any = true;
            low = place.number + 1;
        } else {
            high = middle;
        }
    }
    if (any && ordinal - found->entry.first < found->entry.ligands) {
        return BERTH_OK;
    }
    struct block_place behind = {.number = any ? found->number + 1 : 0};
    do {
        enum berth_status status = next_entry(reader, reader->trailer.pairs, &behind, error);
        if (status) {
            return status;
        }
    } while (behind.number < reader->trailer.pairs && behind.entry.first <= ordinal &&
             ++behind.number);
    *next = behind.number < reader->trailer.pairs ? behind.entry.first : reader->trailer.ligands;
    return berth_fail(
        error, BERTH_E_FORMAT,
        "%s: block %llu: its entry in the index, at byte %llu, is corrupt, so ligands "
        "%llu to %llu cannot be read; fetch or make the file again",
        reader->path, any ? (unsigned long long)found->number + 1 : 0,
        (unsigned long long)entry_place(reader, any ? found->number + 1 : 0),
        (unsigned long long)ordinal, (unsigned long long)*next - 1);
}

/* Puts the block's name in front of what is wrong with it. */
static enum berth_status blame(const struct berth_library_reader *reader,
                               const struct block_place *place, struct berth_error *error)
{
    if (!error) {
        return BERTH_E_FORMAT;
    }
    char reason[256];
    strncpy(reason, error->message, sizeof reason - 1);
    reason[sizeof reason - 1] = '\0';
    const unsigned long long first = place->entry.first;
    return berth_fail(error, BERTH_E_FORMAT,
                      "%s: block %llu at byte %llu (ligands %llu to %llu): %s; fetch or make the "
                      "file again",
                      reader->path, (unsigned long long)place->number,
                      (unsigned long long)place->entry.place, first,
                      first + place->entry.ligands - 1, reason);
}

/* True where a block's head says what its entry says. */
static bool head_agrees(const struct berth_library_block *head,
                        const struct berth_library_entry *entry, uint32_t stored)
{
    return head->first == entry->first && head->ligands == entry->ligands &&
           head->conformers == entry->conformers && head->stored == stored;
}

static enum berth_status read_docking(const struct berth_library_reader *reader,
                                      const struct block_place *place,
                                      struct berth_docking_block *block, struct berth_error *error)
{
    const struct berth_library_entry *entry = &place->entry;
    struct berth_bytes *stored, *raw;
    struct berth_library_block head;
    struct berth_library_planes planes;
    enum berth_status status = berth_docking_block_buffers(block, &stored, &raw, error);
    BERTH_THEN(berth_library_read_block(&reader->source, entry->place, BERTH_LIBRARY_DOCKING, &head,
                                        stored, error));
    if (!status && !head_agrees(&head, entry, entry->docking)) {
        status = berth_fail(error, BERTH_E_FORMAT, "its head differs from its entry in the index");
    }
    BERTH_THEN(berth_library_unpack(&head, stored, raw, &planes, error));
    BERTH_THEN(berth_library_get_docking(&head, reader->scoring, &planes, block, error));
    return status == BERTH_E_FORMAT ? blame(reader, place, error) : status;
}

/* Reads the write-out block into raw, which planes points into. */
static enum berth_status read_rest(const struct berth_library_reader *reader,
                                   const struct block_place *place, struct berth_bytes *raw,
                                   struct berth_library_planes *planes, struct berth_error *error)
{
    const struct berth_library_entry *entry = &place->entry;
    struct berth_library_block head;
    struct berth_bytes stored = {0};
    enum berth_status status = berth_library_read_block(
        &reader->source, entry->place + entry->docking + BERTH_LIBRARY_BLOCK_SIZE,
        BERTH_LIBRARY_REST, &head, &stored, error);
    if (!status && !head_agrees(&head, entry, entry->rest)) {
        status = berth_fail(error, BERTH_E_FORMAT, "its head differs from its entry in the index");
    }
    BERTH_THEN(berth_library_unpack(&head, &stored, raw, planes, error));
    berth_bytes_clear(&stored);
    return status == BERTH_E_FORMAT ? blame(reader, place, error) : status;
}

enum berth_status berth_library_read_rest(const struct berth_library_reader *reader,
                                          uint64_t ordinal, struct berth_library_rest *rest,
                                          struct berth_error *error)
{
    struct block_place place;
    uint64_t next;
    enum berth_status status = find_block(reader, ordinal, &place, &next, error);
    if (!status) {
        rest->first = place.entry.first;
        status = read_rest(reader, &place, &rest->raw, &rest->planes, error);
    }
    return status;
}

struct berth_library_range berth_library_shard(const struct berth_library_reader *reader,
                                               uint64_t k, uint64_t n)
{
    const uint64_t all = reader->trailer.ligands;
    if (k >= n) {
        return (struct berth_library_range){all, all, 0};
    }
    /* The first (all mod n) shards have one more; no product that could overflow. */
    const uint64_t each = all / n, more = all % n;
    const uint64_t first = k * each + (k < more ? k : more);
    return (struct berth_library_range){first, first + each + (k < more), 0};
}

enum berth_status berth_library_next(const struct berth_library_reader *reader,
                                     struct berth_library_range *range,
                                     struct berth_docking_block *block, bool *end,
                                     struct berth_error *error)
{
    block->count = 0;
    *end = range->next >= range->end;
    if (*end) {
        return BERTH_OK;
    }
    const uint64_t from = range->next;
    struct block_place place;
    uint64_t next = from;
    enum berth_status status = find_block(reader, from, &place, &next, error);
    if (!status) {
        next = place.entry.first + place.entry.ligands;
        status = read_docking(reader, &place, block, error);
    }
    if (status && status != BERTH_E_FORMAT) {
        return status;
    }
    range->next = next < range->end ? next : range->end;
    if (status) {
        range->failed += range->next - from;
        return status;
    }
    block->ligands += from - place.entry.first;
    block->count = (size_t)(range->next - from);
    return BERTH_OK;
}

enum berth_status berth_library_fetch(const struct berth_library_reader *reader, uint64_t ordinal,
                                      struct berth_library_ligand *ligand,
                                      struct berth_error *error)
{
    memset(ligand, 0, sizeof *ligand);
    if (ordinal >= reader->trailer.ligands) {
        return berth_fail(error, BERTH_E_USAGE, "%s: there is no ligand %llu; it holds %llu",
                          reader->path, (unsigned long long)ordinal,
                          (unsigned long long)reader->trailer.ligands);
    }
    struct block_place place;
    struct berth_docking_block block = {0};
    struct berth_bytes raw = {0};
    struct berth_library_planes planes;
    uint64_t next;
    enum berth_status status = find_block(reader, ordinal, &place, &next, error);
    BERTH_THEN(read_docking(reader, &place, &block, error));
    BERTH_THEN(read_rest(reader, &place, &raw, &planes, error));
    if (!status) {
        struct berth_library_record record = {.planes = planes};
        status = berth_library_find_record(&record, block.ligands,
                                           (size_t)(ordinal - place.entry.first), error);
        BERTH_THEN(berth_library_get_rest(&record, ligand, error));
        status = status == BERTH_E_FORMAT ? blame(reader, &place, error) : status;
    }
    berth_bytes_clear(&raw);
    berth_docking_block_clear(&block);
    return status;
}

/* Blocks follow each other without a gap, from the header to the index. */
static enum berth_status check_neighbours(const struct berth_library_reader *reader,
                                          const struct block_place *place,
                                          struct berth_error *error)
{
    uint64_t end = reader->header_size, first = 0;
    if (place->number) {
        struct berth_library_entry before;
        enum berth_status status = read_entry(reader, place->number - 1, &before, error);
        if (status) {
            return status == BERTH_E_FORMAT ? BERTH_OK : status; /* told with that block */
        }
        end = berth_library_entry_end(&before);
        first = before.first + before.ligands;
    }
    const bool last = place->number + 1 == reader->trailer.pairs;
    if (place->entry.place != end || place->entry.first != first ||
        (last && (berth_library_entry_end(&place->entry) != reader->trailer.index ||
                  first + place->entry.ligands != reader->trailer.ligands))) {
        berth_fail(error, BERTH_E_FORMAT, "it does not follow the block in front of it");
        return blame(reader, place, error);
    }
    return BERTH_OK;
}

enum berth_status berth_library_verify(const struct berth_library_reader *reader, uint64_t number,
                                       struct berth_error *error)
{
    struct block_place place = {.number = number};
    struct berth_docking_block block = {0};
    struct berth_bytes raw = {0};
    struct berth_library_record record = {0};
    enum berth_status status = read_entry(reader, number, &place.entry, error);
    BERTH_THEN(check_neighbours(reader, &place, error));
    BERTH_THEN(read_docking(reader, &place, &block, error));
    BERTH_THEN(read_rest(reader, &place, &raw, &record.planes, error));
    for (size_t i = 0; !status && i < block.count; i++) {
        struct berth_library_ligand ligand = {0};
        status = berth_library_find_record(&record, block.ligands, i, error);
        BERTH_THEN(berth_library_get_rest(&record, &ligand, error));
        status = status == BERTH_E_FORMAT ? blame(reader, &place, error) : status;
        berth_library_ligand_clear(&ligand);
    }
    berth_bytes_clear(&raw);
    berth_docking_block_clear(&block);
    return status;
}

const struct berth_library_identity *
berth_library_reader_identity(const struct berth_library_reader *reader)
{
    return &reader->identity;
}

enum berth_status berth_library_reader_pair(const struct berth_library_reader *reader,
                                            uint64_t number, struct berth_library_pair *pair,
                                            struct berth_error *error)
{
    struct block_place place = {.number = number};
    enum berth_status status = read_entry(reader, number, &place.entry, error);
    if (status) {
        return status;
    }
    status = berth_library_read_pair(&reader->source, place.entry.place, pair, error);
    if (!status && (!head_agrees(&pair->docking_head, &place.entry, place.entry.docking) ||
                    !head_agrees(&pair->rest_head, &place.entry, place.entry.rest))) {
        status = berth_fail(error, BERTH_E_FORMAT, "its head differs from its entry in the index");
    }
    return status == BERTH_E_FORMAT ? blame(reader, &place, error) : status;
}
