/* Reading a library: its header and trailer, its index, its blocks, single ligands. */
#include "format/library/library_format.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "base/shard.h"

struct berth_library_reader {
    char *path; /* owned */
    struct berth_library_source source;
    struct berth_library_identity identity;
    const struct berth_scoring *scoring; /* borrowed; NULL: types are of no interest */
    struct berth_library_trailer trailer;
    uint64_t header_size;
    bool grows;               /* it is being written: has no index yet, but */
    struct berth_bytes index; /* owned: this one */
};

/* --- Opening --- */

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
    BERTH_TRY(berth_library_read_at(source, place, bytes, sizeof bytes, error));
    if (!berth_library_get_trailer(bytes, trailer)) {
        return berth_fail(
            error, BERTH_E_FORMAT,
            "%s: the index at the library's end is missing or corrupt; fetch the file "
            "again, or rename it to %s.part and resume its making, which keeps every whole block",
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

/* Takes over the source's file, whatever comes of it. */
static enum berth_status open_source(const char *name, const struct berth_library_source *source,
                                     const struct berth_scoring *scoring, bool grows,
                                     struct berth_library_reader **reader,
                                     struct berth_error *error)
{
    struct berth_library_reader *made;
    enum berth_status status = berth_make(&made, 1, sizeof *made, name, error);
    if (status) {
        if (source->file >= 0) {
            close(source->file);
        }
        return status;
    }
    made->source = *source;
    made->source.path = made->path = berth_copy_text(name);
    made->scoring = scoring;
    made->grows = grows;
    status = made->path ? berth_library_read_header(&made->source, &made->identity,
                                                    &made->header_size, error)
                        : berth_out_of_memory(error, name);
    if (!status && !grows) {
        status = read_trailer(made, error);
    }
    if (status) {
        berth_library_close(made);
        return status;
    }
    *reader = made;
    return BERTH_OK;
}

static enum berth_status open_file(const char *path, const struct berth_scoring *scoring,
                                   bool grows, struct berth_library_reader **reader,
                                   struct berth_error *error)
{
    struct berth_library_source source = {0};
    struct stat facts = {0};
    *reader = NULL;
    source.file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (source.file < 0) {
        return berth_io_error(path, "open", errno, error);
    }
    if (fstat(source.file, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        close(source.file);
        return berth_fail(error, BERTH_E_IO, "%s: %s, a file is needed", path,
                          S_ISDIR(facts.st_mode) ? "is a directory" : "is no plain file");
    }
    source.size = (uint64_t)facts.st_size;
    return open_source(path, &source, scoring, grows, reader, error);
}

enum berth_status berth_library_open(const char *path, const struct berth_scoring *scoring,
                                     struct berth_library_reader **reader,
                                     struct berth_error *error)
{
    return open_file(path, scoring, false, reader, error);
}

enum berth_status berth_library_follow(const char *path, const struct berth_scoring *scoring,
                                       struct berth_library_reader **reader,
                                       struct berth_error *error)
{
    char part[PATH_MAX];
    snprintf(part, sizeof part, "%s.part", path);
    const enum berth_status status = open_file(part, scoring, true, reader, error);
    if (!status) {
        (*reader)->trailer.index = (*reader)->header_size;
    }
    return status;
}

enum berth_status berth_library_open_memory(const char *name, const void *bytes, size_t size,
                                            const struct berth_scoring *scoring,
                                            struct berth_library_reader **reader,
                                            struct berth_error *error)
{
    const struct berth_library_source source = {.file = -1, .bytes = bytes, .size = size};
    *reader = NULL;
    return open_source(name, &source, scoring, false, reader, error);
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
    for (size_t size; begin < end; begin += size) {
        size = end - begin < sizeof bytes ? (size_t)(end - begin) : sizeof bytes;
        BERTH_TRY(berth_library_read_at(&reader->source, begin, bytes, size, error));
        berth_sha256_add(hash, bytes, size);
    }
    return BERTH_OK;
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
    berth_bytes_clear(&reader->index);
    free(reader->path);
    free(reader);
}

/* --- Blocks --- */

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
    if (reader->grows) {
        memcpy(bytes, reader->index.data + number * sizeof bytes, sizeof bytes);
    } else {
        BERTH_TRY(berth_library_read_at(&reader->source, place, bytes, sizeof bytes, error));
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

enum berth_status berth_library_extend(struct berth_library_reader *reader, uint64_t size,
                                       struct berth_error *error)
{
    struct berth_library_pair pair = {0};
    enum berth_status status = BERTH_OK;
    reader->source.size = size;
    while (!status && reader->trailer.index < size) {
        status = berth_library_take_pair(&reader->source, &pair, &reader->trailer, &reader->index,
                                         error);
    }
    berth_library_pair_clear(&pair);
    return status == BERTH_E_FORMAT ? berth_fail_in(error, reader->path) : status;
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
        BERTH_TRY(next_entry(reader, high, &place, error));
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
        BERTH_TRY(next_entry(reader, reader->trailer.pairs, &behind, error));
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

/* `status`, with the block's name put in front of what is wrong with it. */
static enum berth_status blame(const struct berth_library_reader *reader,
                               const struct block_place *place, enum berth_status status,
                               struct berth_error *error)
{
    if (status != BERTH_E_FORMAT || !error) {
        return status;
    }
    char reason[256];
    snprintf(reason, sizeof reason, "%.255s", error->message);
    const unsigned long long first = place->entry.first;
    return berth_fail(error, BERTH_E_FORMAT,
                      "%s: block %llu at byte %llu (ligands %llu to %llu): %s; fetch or make the "
                      "file again",
                      reader->path, (unsigned long long)place->number,
                      (unsigned long long)place->entry.place, first,
                      first + place->entry.ligands - 1, reason);
}

/* Reads one of the pair of blocks, whose head must say what their entry says. */
static enum berth_status read_block(const struct berth_library_reader *reader,
                                    const struct berth_library_entry *entry, uint32_t kind,
                                    struct berth_library_block *head, struct berth_bytes *stored,
                                    struct berth_error *error)
{
    const bool docking = kind == BERTH_LIBRARY_DOCKING;
    const uint64_t place =
        entry->place + (docking ? 0 : (uint64_t)entry->docking + BERTH_LIBRARY_BLOCK_SIZE);
    BERTH_TRY(berth_library_read_block(&reader->source, place, kind, head, stored, error));
    return head->first == entry->first && head->ligands == entry->ligands &&
                   head->conformers == entry->conformers &&
                   head->stored == (docking ? entry->docking : entry->rest)
               ? BERTH_OK
               : berth_fail(error, BERTH_E_FORMAT, "its head differs from its entry in the index");
}

static enum berth_status read_docking(const struct berth_library_reader *reader,
                                      const struct block_place *place,
                                      struct berth_docking_block *block, struct berth_error *error)
{
    struct berth_library_block head;
    enum berth_status status =
        read_block(reader, &place->entry, BERTH_LIBRARY_DOCKING, &head, &block->stored, error);
    BERTH_THEN(berth_library_get_docking(&head, &block->stored, reader->scoring, block, error));
    return blame(reader, place, status, error);
}

struct berth_library_range berth_library_shard(const struct berth_library_reader *reader,
                                               uint64_t k, uint64_t n)
{
    const uint64_t all = reader->trailer.ligands;
    if (k >= n) {
        return (struct berth_library_range){all, all, 0};
    }
    const struct berth_shard shard = {k + 1, n};
    const struct berth_shard_range range = berth_shard_range(&shard, all);
    return (struct berth_library_range){range.first, range.end, 0};
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
    struct berth_library_range range = {.next = ordinal, .end = ordinal + 1};
    struct berth_docking_block block = {0};
    struct berth_write_out_block rest = {0};
    bool end;
    enum berth_status status = berth_library_next(reader, &range, &block, &end, error);
    BERTH_THEN(berth_library_write_out(reader, &block, &rest, error));
    BERTH_THEN(berth_write_out_ligand(&rest, 0, false, ligand, error));
    berth_write_out_block_clear(&rest);
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
        return blame(
            reader, place,
            berth_fail(error, BERTH_E_FORMAT, "it does not follow the block in front of it"),
            error);
    }
    return BERTH_OK;
}

enum berth_status berth_library_verify(const struct berth_library_reader *reader, uint64_t number,
                                       struct berth_error *error)
{
    struct block_place place = {.number = number};
    struct berth_docking_block block = {0};
    struct berth_write_out_block rest = {0};
    bool end;
    BERTH_TRY(read_entry(reader, number, &place.entry, error));
    BERTH_TRY(check_neighbours(reader, &place, error));
    struct berth_library_range range = {.next = place.entry.first,
                                        .end = place.entry.first + place.entry.ligands};
    enum berth_status status = berth_library_next(reader, &range, &block, &end, error);
    BERTH_THEN(berth_library_write_out(reader, &block, &rest, error));
    for (size_t i = 0; !status && i < block.count; i++) {
        struct berth_library_ligand ligand;
        status = berth_write_out_ligand(&rest, i, false, &ligand, error);
        berth_library_ligand_clear(&ligand);
    }
    berth_write_out_block_clear(&rest);
    berth_docking_block_clear(&block);
    return status;
}

enum berth_status berth_library_reader_pair(const struct berth_library_reader *reader,
                                            uint64_t number, struct berth_library_pair *pair,
                                            struct berth_error *error)
{
    struct block_place place = {.number = number};
    const struct berth_library_entry *entry = &place.entry;
    BERTH_TRY(read_entry(reader, number, &place.entry, error));
    enum berth_status status = read_block(reader, entry, BERTH_LIBRARY_DOCKING, &pair->docking_head,
                                          &pair->docking, error);
    BERTH_THEN(read_block(reader, entry, BERTH_LIBRARY_REST, &pair->rest_head, &pair->rest, error));
    return blame(reader, &place, status, error);
}

/* --- The write-out stream block by block, beside the docking stream --- */

struct berth_write_out_storage {
    struct berth_bytes raw; /* owned; the block, unpacked */
    struct berth_library_planes planes;
    struct berth_library_record record;
    const struct berth_library_reader *reader;  /* borrowed */
    struct block_place place;                   /* of the block */
    const struct berth_docking_ligand *ligands; /* borrowed: all of the docking block */
    size_t skipped;                             /* those in front of the range that is read */
};

enum berth_status berth_library_write_out(const struct berth_library_reader *reader,
                                          const struct berth_docking_block *block,
                                          struct berth_write_out_block *rest,
                                          struct berth_error *error)
{
    if (!rest->storage) {
        BERTH_TRY(berth_make(&rest->storage, 1, sizeof *rest->storage, reader->path, error));
    }
    struct berth_write_out_storage *storage = rest->storage;
    const uint64_t ordinal = block->ligands[0].ordinal;
    struct berth_library_block head;
    struct berth_bytes stored = {0};
    uint64_t next;
    BERTH_TRY(find_block(reader, ordinal, &storage->place, &next, error));
    enum berth_status status =
        read_block(reader, &storage->place.entry, BERTH_LIBRARY_REST, &head, &stored, error);
    BERTH_THEN(berth_library_unpack(&head, &stored, &storage->raw, &storage->planes, error));
    berth_bytes_clear(&stored);
    if (status) {
        return blame(reader, &storage->place, status, error);
    }
    storage->reader = reader;
    storage->skipped = (size_t)(ordinal - storage->place.entry.first);
    storage->ligands = block->ligands - storage->skipped;
    storage->record = (struct berth_library_record){.planes = storage->planes};
    return BERTH_OK;
}

enum berth_status berth_write_out_ligand(struct berth_write_out_block *rest, size_t i,
                                         bool properties, struct berth_library_ligand *ligand,
                                         struct berth_error *error)
{
    struct berth_write_out_storage *storage = rest->storage;
    const size_t number = storage->skipped + i;
    memset(ligand, 0, sizeof *ligand);
    if (number < storage->record.next) {
        storage->record = (struct berth_library_record){.planes = storage->planes};
    }
    enum berth_status status =
        berth_library_find_record(&storage->record, storage->ligands, number, error);
    BERTH_THEN(berth_library_get_rest(&storage->record, properties, ligand, error));
    return blame(storage->reader, &storage->place, status, error);
}

void berth_write_out_block_clear(struct berth_write_out_block *block)
{
    if (block->storage) {
        berth_bytes_clear(&block->storage->raw);
        free(block->storage);
    }
    block->storage = NULL;
}

/* --- A ligand of a library --- */

/* What a library keeps of a ligand. */

/* Strains beyond this (kJ/mol) are absurd, and a float would not keep their hundredths. */
#define STRAIN_MAX 1e5

/* A fourth of a raw block is for texts, a half for coordinates. */
enum { TEXTS_MAX = BERTH_LIBRARY_RAW_MAX / 4, COORDINATES_MAX = BERTH_LIBRARY_RAW_MAX / 2 };

enum berth_status berth_library_ligand_property(struct berth_library_ligand *ligand,
                                                const char *name, const char *value,
                                                struct berth_error *error)
{
    BERTH_TRY(berth_reserve(&ligand->properties, &ligand->property_capacity,
                            ligand->property_count + 1, sizeof *ligand->properties, error));
    struct berth_property property = {berth_copy_text(name), berth_copy_text(value)};
    if (!property.name || !property.value) {
        free(property.name);
        free(property.value);
        return berth_out_of_memory(error, NULL);
    }
    ligand->properties[ligand->property_count++] = property;
    return BERTH_OK;
}

const char *berth_library_ligand_value(const struct berth_library_ligand *ligand, const char *name)
{
    for (size_t i = 0; i < ligand->property_count; i++) {
        if (strcmp(ligand->properties[i].name, name) == 0) {
            return ligand->properties[i].value;
        }
    }
    return "";
}

enum berth_status berth_library_ligand_tell(const struct berth_library_ligand *from,
                                            struct berth_library_ligand *to,
                                            struct berth_error *error)
{
    if (from->smiles) {
        to->smiles = berth_copy_text(from->smiles);
        BERTH_TRY(to->smiles ? BERTH_OK : berth_out_of_memory(error, NULL));
    }
    for (size_t i = 0; i < from->property_count; i++) {
        BERTH_TRY(berth_library_ligand_property(to, from->properties[i].name,
                                                from->properties[i].value, error));
    }
    return BERTH_OK;
}

void berth_library_ligand_round(struct berth_library_ligand *ligand)
{
    for (size_t c = 0; c < ligand->ligand.conformer_count; c++) {
        const struct berth_molecule *conformer = &ligand->ligand.conformers[c];
        for (size_t i = 0; i < conformer->atom_count; i++) {
            double *position = conformer->atoms[i].position;
            int32_t grid[3];
            berth_library_to_grid(position, grid);
            berth_library_from_grid(grid, position);
        }
        if (ligand->strains) {
            ligand->strains[c] = round(ligand->strains[c] * 100) / 100;
        }
    }
}

void berth_library_ligand_clear(struct berth_library_ligand *ligand)
{
    if (!ligand) {
        return;
    }
    berth_ligand_clear(&ligand->ligand);
    berth_torsion_tree_clear(&ligand->tree);
    free(ligand->strains);
    free(ligand->smiles);
    free(ligand->source);
    for (size_t i = 0; i < ligand->property_count; i++) {
        free(ligand->properties[i].name);
        free(ligand->properties[i].value);
    }
    free(ligand->properties);
    memset(ligand, 0, sizeof *ligand);
}

/* BERTH_E_FORMAT for a ligand: its name, what is wrong with it, what to do. */
static enum berth_status refuse(const struct berth_library_ligand *ligand, const char *reason,
                                struct berth_error *error)
{
    return berth_fail(error, BERTH_E_FORMAT, "ligand %.200s: %s",
                      ligand->ligand.name ? ligand->ligand.name : "without a name", reason);
}

static bool same_atoms(const struct berth_molecule *a, const struct berth_molecule *b)
{
    if (a->atom_count != b->atom_count || a->bond_count != b->bond_count) {
        return false;
    }
    for (size_t i = 0; i < a->atom_count; i++) {
        if (a->atoms[i].heavy != b->atoms[i].heavy) {
            return false;
        }
    }
    return true;
}

static enum berth_status check_conformers(const struct berth_library_ligand *ligand,
                                          struct berth_error *error)
{
    const struct berth_ligand *conformers = &ligand->ligand;
    for (size_t c = 0; c < conformers->conformer_count; c++) {
        if (!same_atoms(&conformers->conformers[0], &conformers->conformers[c])) {
            return refuse(ligand, "its conformers differ in atoms or bonds; split them", error);
        }
        const char *flaw = berth_extent_flaw(&conformers->conformers[c]);
        if (flaw) {
            return refuse(ligand, flaw, error);
        }
        if (ligand->strains && !isnan(ligand->strains[c]) &&
            !(fabs(ligand->strains[c]) <= STRAIN_MAX)) {
            return refuse(ligand, "a strain is beyond 100000 kJ/mol; correct it", error);
        }
    }
    return BERTH_OK;
}

/* Indices of bonds and torsions. */
static bool indices_fit(const struct berth_library_ligand *ligand)
{
    const struct berth_molecule *molecule = &ligand->ligand.conformers[0];
    const struct berth_torsion_tree *tree = &ligand->tree;
    bool fit = tree->count <= BERTH_LIGAND_ATOMS_MAX;
    for (size_t i = 0; fit && i < molecule->bond_count; i++) {
        const struct berth_bond *bond = &molecule->bonds[i];
        fit = bond->first < molecule->atom_count && bond->second < molecule->atom_count &&
              bond->first != bond->second;
    }
    for (size_t t = 0; fit && t < tree->count; t++) {
        const struct berth_torsion *torsion = &tree->torsions[t];
        fit = torsion->first < molecule->atom_count && torsion->second < molecule->atom_count &&
              torsion->first != torsion->second && molecule->atoms[torsion->first].heavy &&
              molecule->atoms[torsion->second].heavy && torsion->moved_start <= tree->moved_count &&
              torsion->moved_count <= tree->moved_count - torsion->moved_start;
        for (size_t i = 0; fit && i < torsion->moved_count; i++) {
            const uint32_t *moved = tree->moved + torsion->moved_start;
            fit = moved[i] < molecule->atom_count && (i == 0 || moved[i] > moved[i - 1]);
        }
    }
    return fit;
}

static size_t length_of(const char *text)
{
    return text ? strlen(text) : 0;
}

static bool size_fits(const struct berth_library_ligand *ligand)
{
    const struct berth_molecule *molecule = &ligand->ligand.conformers[0];
    /* At most three bytes of planes and five of record a coordinate. */
    const size_t most = COORDINATES_MAX / (3 * (2 + 5)) / molecule->atom_count;
    size_t texts =
        strlen(ligand->ligand.name) + length_of(ligand->smiles) + length_of(ligand->source);
    for (size_t i = 0; i < ligand->property_count && texts <= TEXTS_MAX; i++) {
        texts += length_of(ligand->properties[i].name) + length_of(ligand->properties[i].value) + 2;
    }
    return ligand->ligand.conformer_count <= most && texts <= TEXTS_MAX &&
           molecule->bond_count <= (size_t)BERTH_LIBRARY_BONDS_MAX * molecule->atom_count;
}

enum berth_status berth_library_check(const struct berth_library_ligand *ligand,
                                      struct berth_error *error)
{
    const struct berth_ligand *conformers = &ligand->ligand;
    if (!conformers->name || !conformers->conformer_count) {
        return refuse(ligand, "it has no name or no conformer; give it both", error);
    }
    const size_t heavy = berth_heavy_count(&conformers->conformers[0]);
    if (heavy < 1 || heavy > BERTH_LIGAND_ATOMS_MAX) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "ligand %.200s: %zu heavy atoms; a ligand has 1 to %d", conformers->name,
                          heavy, BERTH_LIGAND_ATOMS_MAX);
    }
    if (conformers->conformer_count > BERTH_LIGAND_CONFORMERS_MAX) {
        return berth_fail(error, BERTH_E_FORMAT, "ligand %.200s: %zu conformers; %d are the most",
                          conformers->name, conformers->conformer_count,
                          BERTH_LIGAND_CONFORMERS_MAX);
    }
    BERTH_TRY(check_conformers(ligand, error));
    if (!indices_fit(ligand)) {
        return refuse(ligand, "a bond or torsion names an atom that cannot be; correct it", error);
    }
    return size_fits(ligand)
               ? BERTH_OK
               : refuse(ligand, "it is too large for a library; make fewer conformers", error);
}
