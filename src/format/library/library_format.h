/* The bytes of a ligand library (.blib) and what the parts of its reader and
 * writer share; nothing outside this folder includes this.  docs/formats.md specifies the bytes:
 * what changes here changes there, with the version.
 *
 * Positions are whole numbers of 0.001 Å.  In a block, differences of coordinates are in two planes
 * behind the records (the high bytes, then the low ones); one that does not fit is
 * BERTH_LIBRARY_LARGE there, and stands in the record.
 */
#ifndef BERTH_FORMAT_LIBRARY_LIBRARY_FORMAT_H
#define BERTH_FORMAT_LIBRARY_LIBRARY_FORMAT_H

#include "format/library/library.h"

enum {
    BERTH_LIBRARY_VERSION = 2,
    BERTH_LIBRARY_ORDER = 0x01020304,
    BERTH_LIBRARY_HEAD_SIZE = 36, /* header up to the forcefield's name */
    BERTH_LIBRARY_NAME_MAX = 4096,
    BERTH_LIBRARY_BLOCK_SIZE = 40, /* of a block's head */
    BERTH_LIBRARY_ENTRY_SIZE = 36, /* of the index */
    BERTH_LIBRARY_TRAILER_SIZE = 60,
    BERTH_LIBRARY_DOCKING = 0x4b434f44, /* "DOCK" */
    BERTH_LIBRARY_REST = 0x54534552,    /* "REST" */
    BERTH_LIBRARY_RAW_MAX = 1 << 25,    /* bytes of a block, unpacked */
    BERTH_LIBRARY_BONDS_MAX = 4,        /* an atom, on average */
    BERTH_LIBRARY_GRID_MAX = 10000000,  /* the largest coordinate, 0.001 Å */
    BERTH_LIBRARY_LARGE = -32768        /* in the planes: the record gives the difference */
};

/* The sums in front of a raw block. */
enum {
    BERTH_LIBRARY_SUM_LIGANDS,
    BERTH_LIBRARY_SUM_CONFORMERS,
    BERTH_LIBRARY_SUM_HEAVY,     /* heavy atoms */
    BERTH_LIBRARY_SUM_POSITIONS, /* heavy atoms of all conformers */
    BERTH_LIBRARY_SUM_TORSIONS,
    BERTH_LIBRARY_SUM_MOVED, /* heavy atoms that the torsions move */
    BERTH_LIBRARY_SUMS
};

/* What a library was made with and how. */
struct berth_library_identity {
    char *forcefield; /* owned; its name: it knew all types */
    char *note;       /* owned */
    uint64_t hash;
    uint32_t types;
};

/* A block's head. */
struct berth_library_block {
    uint32_t kind, stored, raw, ligands, conformers;
    uint64_t first, consumed;
    uint32_t crc;
};

/* A pair of blocks, as the index has it. */
struct berth_library_entry {
    uint64_t place, first;
    uint32_t ligands, conformers;
    uint32_t docking, rest; /* stored sizes */
};

struct berth_library_trailer {
    uint64_t index, pairs, ligands, conformers, docking_bytes, rest_bytes;
};

/* --- Heads, index entries and trailer as bytes --- */

void berth_library_put_header(struct berth_bytes *bytes,
                              const struct berth_library_identity *identity);

/* Puts the head; its CRC is computed over it and the stored bytes. */
void berth_library_put_block(struct berth_bytes *bytes, const struct berth_library_block *block,
                             const unsigned char *stored);
void berth_library_put_entry(struct berth_bytes *bytes, const struct berth_library_entry *entry);
void berth_library_put_trailer(struct berth_bytes *bytes,
                               const struct berth_library_trailer *trailer);

/* These check the CRC, too. */
bool berth_library_get_block(const unsigned char *bytes, struct berth_library_block *block);
bool berth_library_get_entry(const unsigned char *bytes, struct berth_library_entry *entry);
bool berth_library_get_trailer(const unsigned char *bytes, struct berth_library_trailer *trailer);

/* Place behind a pair of blocks. */
uint64_t berth_library_entry_end(const struct berth_library_entry *entry);

/* --- A file or memory that is read anywhere --- */

struct berth_library_source {
    const char *path;           /* borrowed, for messages */
    int file;                   /* a descriptor; < 0: memory */
    const unsigned char *bytes; /* borrowed */
    uint64_t size;
};

/* Reads size bytes at place.  Errors: BERTH_E_IO, BERTH_E_FORMAT (the file is shorter). */
enum berth_status berth_library_read_at(const struct berth_library_source *source, uint64_t place,
                                        void *bytes, size_t size, struct berth_error *error);

/* Reads and checks a library's header; *end is the place behind it.  The caller clears *identity.
 * Errors: BERTH_E_FORMAT, BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_library_read_header(const struct berth_library_source *source,
                                            struct berth_library_identity *identity, uint64_t *end,
                                            struct berth_error *error);

void berth_library_identity_clear(struct berth_library_identity *identity);

/* Reads the block at place into head and *stored (its bytes; reused), which must be of this kind,
 * and checks its CRC.  Errors: BERTH_E_FORMAT (a reason without the place), BERTH_E_IO,
 * BERTH_E_MEMORY. */
enum berth_status berth_library_read_block(const struct berth_library_source *source,
                                           uint64_t place, uint32_t kind,
                                           struct berth_library_block *head,
                                           struct berth_bytes *stored, struct berth_error *error);

/* A docking block and the write-out block of the same ligands, as they are stored. */
struct berth_library_pair {
    struct berth_library_block docking_head, rest_head;
    struct berth_bytes docking, rest; /* owned */
};

void berth_library_pair_clear(struct berth_library_pair *pair);

/* Adds a pair that lies at trailer->index to the index and to the trailer's sums, and moves
 * trailer->index behind it.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_library_count_pair(const struct berth_library_pair *pair,
                                           struct berth_library_trailer *trailer,
                                           struct berth_bytes *index, struct berth_error *error);

/* Reads the pair of blocks at trailer->index into *pair (reused), checks both and that they belong
 * together and behind the others, and counts it.  Errors: BERTH_E_FORMAT (a reason without the
 * place), BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_library_take_pair(const struct berth_library_source *source,
                                          struct berth_library_pair *pair,
                                          struct berth_library_trailer *trailer,
                                          struct berth_bytes *index, struct berth_error *error);

/* Reads the pair of blocks of this number.  Errors: BERTH_E_FORMAT (names the block), BERTH_E_IO,
 * BERTH_E_MEMORY. */
enum berth_status berth_library_reader_pair(const struct berth_library_reader *reader,
                                            uint64_t number, struct berth_library_pair *pair,
                                            struct berth_error *error);

/* --- The raw bytes of a block being filled or read --- */

/* The kinds of atoms that a block has had so far: atoms without a place, with what typing rules
 * need to know of them. */
struct berth_library_kinds {
    struct berth_atom *kinds; /* owned */
    size_t count, capacity;
    char residue[BERTH_NAME_SIZE]; /* of the last atom: whether it is a standard one is known */
    bool standard;
};

struct berth_library_raw {
    uint32_t sums[BERTH_LIBRARY_SUMS];
    struct berth_bytes records, high, low;
    struct berth_bytes scratch; /* a record whose size is not known yet */
    struct berth_bytes large;   /* differences beyond the planes, of the ligand being added */
    struct berth_library_kinds kinds;
};

void berth_library_raw_clear(struct berth_library_raw *raw);

/* Empties it, keeping its memory. */
void berth_library_raw_reset(struct berth_library_raw *raw);

size_t berth_library_raw_size(const struct berth_library_raw *raw);

/* Adds the differences of one atom's coordinates to the planes. */
void berth_library_put_step(struct berth_library_raw *raw, const int32_t from[3],
                            const int32_t to[3]);

/* Ends the record: the differences beyond the planes. */
void berth_library_put_large(struct berth_library_raw *raw);

/* Puts which of count atoms a torsion moves, a bit each; numbers: [atoms], which of them an atom of
 * the molecule is; count or more: none.  Returns how many it moves. */
size_t berth_library_put_moved(struct berth_bytes *records, const struct berth_torsion_tree *tree,
                               size_t torsion, const size_t *numbers, size_t count);

/* True where memory did not suffice for all of it. */
bool berth_library_raw_failed(const struct berth_library_raw *raw);

/* Packs the raw bytes into *stored (emptied first); scratch is reused.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_library_pack(const struct berth_library_raw *raw,
                                     struct berth_bytes *scratch, struct berth_bytes *stored,
                                     struct berth_error *error);

/* An unpacked block, and how far it has been read. */
struct berth_library_planes {
    uint32_t sums[BERTH_LIBRARY_SUMS];
    struct berth_cursor records;
    const unsigned char *high, *low; /* [left]: differences still to be taken */
    size_t left;
};

/* Unpacks stored bytes into *raw (reused), which *planes points into.  Errors: BERTH_E_FORMAT (a
 * reason without the place), BERTH_E_MEMORY. */
enum berth_status berth_library_unpack(const struct berth_library_block *head,
                                       const struct berth_bytes *stored, struct berth_bytes *raw,
                                       struct berth_library_planes *planes,
                                       struct berth_error *error);

/* from and the int that comes next; 0, and the cursor fails, where the sum makes no sense. */
int32_t berth_library_add_step(struct berth_cursor *records, int32_t from);

/* Takes the differences of one atom: to = from + difference.  The caller has made sure that 3 are
 * left; what the planes cannot hold comes from planes->records, which fails where it is absurd. */
void berth_library_get_step(struct berth_library_planes *planes, const int32_t from[3],
                            int32_t to[3]);

/* Å to the grid of 0.001 Å and back. */
void berth_library_to_grid(const double position[3], int32_t grid[3]);
void berth_library_from_grid(const int32_t grid[3], double position[3]);

/* BERTH_E_FORMAT: "its WHAT make no sense". */
enum berth_status berth_library_absurd(struct berth_error *error, const char *what);

/* --- Records (library_reader.c, library_docking.c, library_rest.c) --- */

/* Checks that a ligand can be stored.  Errors: BERTH_E_FORMAT. */
enum berth_status berth_library_check(const struct berth_library_ligand *ligand,
                                      struct berth_error *error);

/* Add the ligand's record.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_library_put_docking(struct berth_library_raw *raw,
                                            const struct berth_library_ligand *ligand,
                                            struct berth_error *error);
enum berth_status berth_library_put_rest(struct berth_library_raw *raw,
                                         const struct berth_library_ligand *ligand,
                                         struct berth_error *error);

/* Unpacks the docking block of these stored bytes into *block.  scoring gives atoms their types
 * (NULL: these are the numbers of their kinds).  Errors: BERTH_E_FORMAT (a reason without the
 * place), BERTH_E_MEMORY. */
enum berth_status berth_library_get_docking(const struct berth_library_block *head,
                                            const struct berth_bytes *stored,
                                            const struct berth_scoring *scoring,
                                            struct berth_docking_block *block,
                                            struct berth_error *error);

/* A place in a write-out block's records: begins with the block's planes and zeros. */
struct berth_library_record {
    struct berth_library_planes planes;         /* of the record that comes next */
    size_t next;                                /* its number */
    struct berth_cursor bytes;                  /* of the record that was found last */
    struct berth_library_planes here;           /* its differences */
    const struct berth_docking_ligand *docking; /* borrowed: the same ligand there */
};

/* Goes forward to the number-th record; ligands: those of the docking block, all of them.  Errors:
 * BERTH_E_FORMAT. */
enum berth_status berth_library_find_record(struct berth_library_record *record,
                                            const struct berth_docking_ligand *ligands,
                                            size_t number, struct berth_error *error);

/* Makes *ligand of the record that was found, or, where `origin` is set, what it has of it without
 * positions and strains.  Errors: BERTH_E_FORMAT, BERTH_E_MEMORY; the caller clears *ligand. */
enum berth_status berth_library_get_rest(const struct berth_library_record *record, bool origin,
                                         struct berth_library_ligand *ligand,
                                         struct berth_error *error);

#endif
