/* The bytes of a ligand library (.blib), version 1, and what the parts of its reader and writer
 * share; nothing outside io/library*.c includes this.
 *
 * All numbers are little-endian.  u8, u32 and u64 are unsigned; a varint is an unsigned number in
 * groups of seven bits, the lowest first, whose bytes all but the last have the top bit set; an int
 * is a varint of twice the number, or of minus twice the number minus 1 where it is negative; a
 * text is its UTF-8 bytes and a 0.  Positions are whole numbers of 0.001 Å in the frame of the
 * input, at most 10,000 Å from its origin, and a molecule is at most 1,000 Å wide.  Ordinals count
 * ligands from 0.
 *
 *   file     = header, blocks in pairs (docking, write-out), index, trailer
 *
 *   header   = magic (89 62 6c 69 62 0d 0a 1a), u32 version, u32 byte order (01020304 hex),
 *              u64 hash of the forcefield (berth_forcefield_hash), u32 number of its types,
 *              u32 size of its name, u32 size of the note, name, note,
 *              u32 CRC-32 of all of this
 *
 *   block    = u32 kind ("DOCK" or "REST"), u32 stored size, u32 raw size, u32 ligands,
 *              u32 conformers, u64 ordinal of the first ligand, u64 consumed (records of the input
 *              that are done with once the block is in; what a resumed run passes over),
 *              u32 CRC-32 of these 36 bytes and the stored bytes,
 *              the stored bytes: raw bytes compressed by zlib
 *
 *   index    = for each pair: u64 place of its docking block in the file, u64 ordinal of its first
 *              ligand, u32 ligands, u32 conformers, u32 stored size of the docking block, u32 of
 * the write-out block that follows it, u32 CRC-32 of these 32 bytes
 *
 *   trailer  = magic (89 62 6c 69 62 65 6e 64), u64 place of the index, u64 pairs of blocks,
 *              u64 ligands, u64 conformers, u64 bytes of docking blocks, u64 bytes of write-out
 *              blocks (both with their heads), u32 CRC-32 of these 56 bytes
 *
 * There are no gaps, and every byte is under one of the CRCs.
 *
 * Raw bytes of either kind of block:
 *
 *   raw      = u32 x 6: sums over the block that size the reader's arrays (docking block: ligands,
 *              conformers, heavy atoms, heavy atoms of all conformers, torsions, moved atoms;
 *              write-out block: 0), u32 size of the records, records (one a ligand),
 *              high plane, low plane
 *
 * The planes hold the coordinate differences of all ligands, conformers, atoms and axes, in this
 * order (those of the docking record's tree, or of the write-out record's light atoms): the low
 * plane holds bits 0-7 and the high plane bits 8-15 of each, in two's complement.  A difference
 * outside -32767 .. 32767 is -32768 there and is given by the record.  Splitting them lets zlib
 * find what is regular (atoms are bonded, so the high bytes are small) and store what is not.
 *
 *   docking record = text title, varint heavy atoms n, varint conformers,
 *              varint x n: types of the heavy atoms,
 *              tree: for the k-th atom of it (k = 0 .. n-1) the int (index of the atom) - (index of
 *              the one before it in the tree, -1 for k = 0) - 1, and for k > 0 the varint k - 1 -
 *              (place of its parent in the tree, which is before it): a minimum spanning tree of
 * the first conformer; the k-th difference is position - parent's position, int x 3 for each
 * conformer: position of the tree's first atom, less that in the conformer before, varint for each
 * conformer: 0 where the strain is unknown, else 1 + int of its hundredths of kJ/mol (as the
 * unsigned code of an int), varint torsions; for each: varint first, varint second, u8 x ceil(n /
 * 8): a bit for each heavy atom, the lowest first, set where the torsion moves it, int for each
 * difference that the planes cannot hold
 *
 *   write-out record = varint size of the rest of the record, varint atoms,
 *              u8 x ceil(atoms / 8): a bit for each atom, set where it is heavy,
 *              for each atom: text name; for each: text type; for each: text residue; for each: int
 *              residue number; for each: u8 element,
 *              varint bonds; for each: varint first, varint second, text type,
 *              for each light atom: varint index (among the heavy atoms) of the one it is near,
 *              varint torsions (as many as in the docking record), for each: a bit for each light
 *              atom, as above,
 *              text SMILES, text source, varint record, varint properties, for each: text name,
 *              text value,
 *              int for each difference that the planes cannot hold
 *              (a light atom's difference is position - position of its heavy atom)
 */
#ifndef BERTH_IO_LIBRARY_FORMAT_H
#define BERTH_IO_LIBRARY_FORMAT_H

#include "base/bytes.h"
#include "format/library/library.h"

enum {
    BERTH_LIBRARY_VERSION = 1,
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
    char *forcefield; /* owned; its name */
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

/* --- Heads, index entries and trailer as bytes (library_format.c) --- */

void berth_library_put_header(struct berth_bytes *bytes,
                              const struct berth_library_identity *identity);

/* Puts the head; its CRC is computed over it and the stored bytes. */
void berth_library_put_block(struct berth_bytes *bytes, const struct berth_library_block *block,
                             const unsigned char *stored);
void berth_library_put_entry(struct berth_bytes *bytes, const struct berth_library_entry *entry);
void berth_library_put_trailer(struct berth_bytes *bytes,
                               const struct berth_library_trailer *trailer);

/* A block's head from its BERTH_LIBRARY_BLOCK_SIZE bytes; false where it can be none. */
bool berth_library_get_block(const unsigned char *bytes, struct berth_library_block *block);

/* These check the CRC, too. */
bool berth_library_get_entry(const unsigned char *bytes, struct berth_library_entry *entry);
bool berth_library_get_trailer(const unsigned char *bytes, struct berth_library_trailer *trailer);

/* Place behind a pair of blocks. */
uint64_t berth_library_entry_end(const struct berth_library_entry *entry);

/* --- A file or memory that is read anywhere (library_format.c) --- */

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

/* --- The raw bytes of a block being filled or read (library_coordinates.c) --- */

struct berth_library_raw {
    uint32_t sums[BERTH_LIBRARY_SUMS];
    struct berth_bytes records, high, low;
    struct berth_bytes scratch; /* a record whose size is not known yet */
    struct berth_bytes large;   /* differences beyond the planes, of the ligand being added */
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

/* Passes over count differences; false where there are fewer. */
bool berth_library_skip_steps(struct berth_library_planes *planes, uint64_t count);

/* from and the int that comes next; 0, and the cursor fails, where the sum makes no sense. */
int32_t berth_library_add_step(struct berth_cursor *records, int32_t from);

/* Takes the differences of one atom: to = from + difference.  The caller has made sure that 3 are
 * left; what the planes cannot hold comes from planes->records, which fails where it is absurd. */
void berth_library_get_step(struct berth_library_planes *planes, const int32_t from[3],
                            int32_t to[3]);

/* Å to the grid of 0.001 Å and back. */
int32_t berth_library_to_grid(double position);
double berth_library_from_grid(int32_t position);

/* --- Records (library_ligand.c, library_docking_*.c, library_rest_*.c) --- */

/* Checks that a ligand can be stored.  Errors: BERTH_E_FORMAT. */
enum berth_status berth_library_check(const struct berth_library_ligand *ligand,
                                      struct berth_error *error);

/* Add the ligand's record; heavy holds the types.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_library_put_docking(struct berth_library_raw *raw,
                                            const struct berth_library_ligand *ligand,
                                            const struct berth_heavy_atoms *heavy,
                                            struct berth_error *error);
enum berth_status berth_library_put_rest(struct berth_library_raw *raw,
                                         const struct berth_library_ligand *ligand,
                                         struct berth_error *error);

/* The buffers that a docking block's stored and raw bytes are to be read into, the block's own.
 * Errors: BERTH_E_MEMORY. */
enum berth_status berth_docking_block_buffers(struct berth_docking_block *block,
                                              struct berth_bytes **stored, struct berth_bytes **raw,
                                              struct berth_error *error);

/* Makes *block of a docking block's planes, which lie in its buffers.  Errors: BERTH_E_FORMAT,
 * BERTH_E_MEMORY. */
enum berth_status berth_library_get_docking(const struct berth_library_block *head, uint32_t types,
                                            struct berth_library_planes *planes,
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

/* Makes *ligand of the record that was found.  Errors: BERTH_E_FORMAT, BERTH_E_MEMORY; the caller
 * clears *ligand. */
enum berth_status berth_library_get_rest(const struct berth_library_record *record,
                                         struct berth_library_ligand *ligand,
                                         struct berth_error *error);

/* The same for its SMILES, source, record number and properties alone. */
enum berth_status berth_library_get_origin(const struct berth_library_record *record,
                                           struct berth_library_ligand *ligand,
                                           struct berth_error *error);

#endif
