/* Ligand libraries (.blib): millions of prepared ligands in one file, streamed without parsing.
 *
 * A library has two streams.  The docking stream is what a search needs of every ligand: title,
 * what its atoms are, heavy-atom positions of each conformer, strain, torsion tree.  The write-out
 * stream is what only hits need: names, bonds, hydrogens, SMILES, source, properties.  Both are
 * cut into blocks of many ligands, compressed and checksummed; an index lets any ligand be reached
 * by seek.  docs/formats.md specifies the bytes.
 *
 * Positions are kept to 0.001 Å in the frame in which they came.  Memory is bounded by a few blocks
 * whatever the library's size, for writing and reading alike, and while writing 36 bytes a block.
 */
#ifndef BERTH_FORMAT_LIBRARY_LIBRARY_H
#define BERTH_FORMAT_LIBRARY_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/log.h"
#include "score/scoring.h"
#include "chem/ligand.h"
#include "chem/torsion.h"

/* --- A ligand with everything that a library keeps of it --- */

struct berth_property {
    char *name, *value; /* owned */
};

struct berth_library_ligand {
    struct berth_ligand ligand;     /* its name is the title; conformers agree in atoms and bonds.
                                       The conformers' own titles are not kept: they come back with
                                       the ligand's name */
    double *strains;                /* owned; [conformer_count], kJ/mol above the best conformer,
                                       kept to 0.01; NAN where unknown; NULL: none is known */
    struct berth_torsion_tree tree; /* over all atoms of a conformer */
    char *smiles;                   /* owned; NULL and "" alike: not known */
    char *source;                   /* owned; the file it came from; NULL and "": not known */
    uint64_t record;                /* its position in that file, from 1; 0: not known */
    struct berth_property *properties; /* owned */
    size_t property_count, property_capacity;
};

/* Adds a copy of a property.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_library_ligand_property(struct berth_library_ligand *ligand,
                                                const char *name, const char *value,
                                                struct berth_error *error);

/* The value of the property of this name; "" where it has none. */
const char *berth_library_ligand_value(const struct berth_library_ligand *ligand, const char *name);

/* Copies the SMILES and the properties of a ligand to one that has none.  Errors: BERTH_E_MEMORY.
 */
enum berth_status berth_library_ligand_tell(const struct berth_library_ligand *from,
                                            struct berth_library_ligand *to,
                                            struct berth_error *error);

/* Rounds positions and strains to what comes back from a library. */
void berth_library_ligand_round(struct berth_library_ligand *ligand);

/* Frees what the ligand owns and zeroes it; NULL and a zeroed ligand are accepted. */
void berth_library_ligand_clear(struct berth_library_ligand *ligand);

/* --- Writing --- */

struct berth_library_writer; /* opaque */

/* While a library is being written it is PATH.part, which holds whole blocks only: what a killed
 * run leaves there can be continued.  Where blocks end depends on the ligands alone, so that the
 * library is the same, byte for byte, wherever and however often the run was stopped. */
enum berth_library_mode {
    BERTH_LIBRARY_NEW,     /* refuse to start where PATH.part is there */
    BERTH_LIBRARY_RESUME,  /* continue PATH.part; start afresh where there is none */
    BERTH_LIBRARY_REPLACE, /* start afresh and forget any PATH.part */
};

/* Records of the input: a block has ligands of one chunk alone. */
enum { BERTH_LIBRARY_CHUNK = 128 };

struct berth_library_setup {
    const char *path;                          /* borrowed for the call */
    const struct berth_forcefield *forcefield; /* borrowed until the writer is gone; where it lacks
                                                  a type the log is told */
    const char *note; /* borrowed for the call; how the library is made ("prep ligands x.sdf --ph
                         7.4"), at most BERTH_LIBRARY_NOTE_MAX bytes; what is resumed must have
                         been begun with the same note */
    const struct berth_log *log; /* borrowed until the writer is gone, or NULL; receives each use of
                                    the forcefield's fallback table */
    enum berth_library_mode mode;
};

enum { BERTH_LIBRARY_NOTE_MAX = 65536 };

/* What the note of a library that was prepared begins with; where it is a shard of a whole, "K/N"
 * follows, and then what the whole's note has there. */
#define BERTH_LIBRARY_NOTE       "prep ligands"
#define BERTH_LIBRARY_NOTE_SHARD " --shard "

/* What a writer holds. */
struct berth_library_progress {
    uint64_t ligands, conformers;
    uint64_t consumed; /* of the last ligand, see berth_library_add */
    uint64_t kept;     /* ligands that are in whole blocks: what a resume finds */
    uint64_t bytes;    /* of PATH.part, in whole blocks: there for good */
};

/* Starts or resumes a library.  The caller commits, keeps or discards *writer.  Errors: BERTH_E_IO
 * (cannot create; PATH.part is there already, or another process writes it), BERTH_E_FORMAT (what
 * is to be resumed was begun with another forcefield or note, or is no library), BERTH_E_USAGE
 * (path
 * "-", note too long, no forcefield), BERTH_E_MEMORY. */
enum berth_status berth_library_create(const struct berth_library_setup *setup,
                                       struct berth_library_writer **writer,
                                       struct berth_error *error);

/* After a resume: how far it had come, which is where the caller goes on.  Otherwise zeros, growing
 * with what is added. */
struct berth_library_progress
berth_library_writer_progress(const struct berth_library_writer *writer);

/* Adds a ligand (borrowed for the call).  consumed is how many records of the caller's input are
 * done with once this ligand is in; it must not fall, and comes back after a resume, so that the
 * caller can pass over as many records.  Errors that leave the writer as it was: BERTH_E_TYPE (an
 * atom type that neither is the forcefield's nor names an element), BERTH_E_FORMAT (no or too many
 * heavy atoms, too large for a block, a conformer with other atoms, an index that is out of range).
 * Errors that end it: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_library_add(struct berth_library_writer *writer,
                                    const struct berth_library_ligand *ligand, uint64_t consumed,
                                    struct berth_error *error);

/* Writes the block being filled, the index and the trailer, syncs, renames to the final name and
 * frees the writer.  On an error (BERTH_E_IO, BERTH_E_MEMORY) nothing appears under the final name
 * and PATH.part stays. */
enum berth_status berth_library_commit(struct berth_library_writer *writer,
                                       struct berth_error *error);

/* Frees the writer, leaving the whole blocks in PATH.part to be resumed.  Errors: BERTH_E_IO. */
enum berth_status berth_library_keep(struct berth_library_writer *writer,
                                     struct berth_error *error);

/* Commits where status is BERTH_OK, else removes PATH.part, or says that it stays, and frees the
 * writer; NULL is accepted.  Returns status, or the error of the commit. */
enum berth_status berth_library_finish(struct berth_library_writer *writer,
                                       enum berth_status status, struct berth_error *error);

/* Removes PATH.part and frees the writer; NULL is accepted. */
void berth_library_discard(struct berth_library_writer *writer);

/* Joins libraries, in this order, into a new one under the name out; any OUT.part is replaced.
 * Where the first is a shard of a preparation, they are all of its shards, in any order, and the
 * new one is, byte for byte, what one run of all of it would have written.  A corrupt block in one
 * of them ends it; nothing is written then.  Errors: BERTH_E_USAGE (none given; a shard is missing,
 * or there twice), BERTH_E_FORMAT (also: of different runs), BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_libraries_merge(const char *out, const char *const *paths, size_t count,
                                        struct berth_library_progress *progress,
                                        struct berth_error *error);

/* --- Reading --- */

struct berth_library_reader; /* opaque; may be read by several threads at once */

struct berth_library_info {
    int version;            /* of the format */
    const char *forcefield; /* borrowed from the reader; its name */
    uint64_t forcefield_hash;
    size_t type_count; /* of the forcefield */
    const char *note;  /* borrowed from the reader */
    uint64_t blocks, ligands, conformers;
    uint64_t docking_bytes, write_out_bytes, file_bytes; /* on disk */
};

/* Opens a library and reads its header and trailer.  scoring (borrowed until the reader is closed)
 * gives its atoms their types; NULL: their types are of no interest.  The caller closes *reader.
 * Errors: BERTH_E_IO, BERTH_E_FORMAT (no library, another version, cut off, corrupt),
 * BERTH_E_MEMORY. */
enum berth_status berth_library_open(const char *path, const struct berth_scoring *scoring,
                                     struct berth_library_reader **reader,
                                     struct berth_error *error);

/* Opens a library that this process is writing under the name path, without any ligands yet.  The
 * reader is for one thread. */
enum berth_status berth_library_follow(const char *path, const struct berth_scoring *scoring,
                                       struct berth_library_reader **reader,
                                       struct berth_error *error);

/* Takes in the blocks of its first size bytes (the progress of its writer).  Errors: BERTH_E_IO,
 * BERTH_E_FORMAT, BERTH_E_MEMORY. */
enum berth_status berth_library_extend(struct berth_library_reader *reader, uint64_t size,
                                       struct berth_error *error);

/* The same as berth_library_open over size bytes of memory, borrowed until the reader is destroyed;
 * name stands in for the path in messages. */
enum berth_status berth_library_open_memory(const char *name, const void *bytes, size_t size,
                                            const struct berth_scoring *scoring,
                                            struct berth_library_reader **reader,
                                            struct berth_error *error);

struct berth_library_info berth_library_info(const struct berth_library_reader *reader);

enum { BERTH_LIBRARY_HASH_SIZE = 32 };

/* A hash (SHA-256) of the library's header, index and trailer, which differ between any two
 * libraries that were not copied from each other.  Errors: BERTH_E_IO, BERTH_E_FORMAT. */
enum berth_status berth_library_hash(const struct berth_library_reader *reader,
                                     unsigned char digest[BERTH_LIBRARY_HASH_SIZE],
                                     struct berth_error *error);

void berth_library_close(struct berth_library_reader *reader);

/* A ligand of the docking stream; everything is borrowed from its block. */
struct berth_docking_ligand {
    uint64_t ordinal; /* in the library, from 0 */
    const char *title;
    size_t heavy_count;               /* 1 .. BERTH_LIGAND_ATOMS_MAX */
    size_t conformer_count;           /* at least 1 */
    const uint16_t *types;            /* [heavy_count]: of the scoring function that the library was
                                         opened for */
    const unsigned char *hybrids;     /* [heavy_count]: enum berth_hybrid */
    const struct berth_atom *untyped; /* an atom that it has no type for, the first one, as far as
                                         the library knows it; NULL: there is none */
    size_t untyped_number;            /* which of the heavy atoms that is */
    double rotors;                    /* see chem/torsion.h */
    const double (*origins)[3]; /* [conformer_count]: the heavy atoms' centroid, rounded to 0.001 Å,
                                   in the frame of the input */
    const float (*positions)[3]; /* [conformer_count][heavy_count]: Å, relative to the origin, in
                                    the order of the molecule's heavy atoms */
    const float *strains;        /* [conformer_count]: kJ/mol; NAN where unknown */
    struct berth_torsion_tree tree; /* over the heavy atoms; not to be cleared */
};

/* Ligands of the docking stream that lie together; reused from call to call. */
struct berth_docking_block {
    struct berth_docking_ligand *ligands; /* [count] */
    size_t count;
    struct berth_bytes stored;             /* owned; the block as the file has it */
    struct berth_docking_storage *storage; /* owned; opaque */
};

void berth_docking_block_clear(struct berth_docking_block *block);

/* Which ligands are still to be read. */
struct berth_library_range {
    uint64_t next, end; /* ordinals */
    uint64_t failed;    /* ligands passed over because their block is corrupt */
};

/* The ligands of shard k of n, k from 0: contiguous, and their numbers differ by at most one. */
struct berth_library_range berth_library_shard(const struct berth_library_reader *reader,
                                               uint64_t k, uint64_t n);

/* Reads the ligands of the range that lie in the block of range->next, and moves the range behind
 * them; *end is set where the range is empty.  A corrupt block gives BERTH_E_FORMAT (names the
 * block, its place in the file and the ordinals of its ligands), and the next call goes on with the
 * next block.  The caller clears *block.  Errors: BERTH_E_FORMAT, BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_library_next(const struct berth_library_reader *reader,
                                     struct berth_library_range *range,
                                     struct berth_docking_block *block, bool *end,
                                     struct berth_error *error);

/* BERTH_E_TYPE, with what the scoring function that the library was opened for has no type for,
 * where a ligand has such an atom. */
enum berth_status berth_library_check_typed(const struct berth_library_reader *reader,
                                            const struct berth_docking_ligand *ligand,
                                            struct berth_error *error);

/* The write-out stream of a docking block; reused from call to call. */
struct berth_write_out_block {
    struct berth_write_out_storage *storage; /* owned; opaque */
};

void berth_write_out_block_clear(struct berth_write_out_block *block);

/* Reads what the write-out stream has of the ligands of a block that berth_library_next gave, which
 * must stay as long as *rest is used.  The caller clears *rest.  Errors: as berth_library_next. */
enum berth_status berth_library_write_out(const struct berth_library_reader *reader,
                                          const struct berth_docking_block *block,
                                          struct berth_write_out_block *rest,
                                          struct berth_error *error);

/* The i-th ligand of the docking block, as berth_library_fetch gives it; where `properties` is set,
 * without what only poses need, its conformers' positions.  Fastest one after the other.  The
 * caller clears *ligand.  Errors: BERTH_E_FORMAT (a corrupt record), BERTH_E_MEMORY. */
enum berth_status berth_write_out_ligand(struct berth_write_out_block *rest, size_t i,
                                         bool properties, struct berth_library_ligand *ligand,
                                         struct berth_error *error);

/* Checks everything about a block, by number: its place, both streams, every record.  A library is
 * whole where it can be opened and all its blocks pass.  Errors: as berth_library_next. */
enum berth_status berth_library_verify(const struct berth_library_reader *reader, uint64_t number,
                                       struct berth_error *error);

/* Fetches the ligand of this ordinal with everything that the library keeps of it; positions and
 * strains as they were rounded, molecules' lines 0.  The caller clears *ligand.
 * Errors: BERTH_E_USAGE (no such ordinal), BERTH_E_FORMAT (a corrupt block), BERTH_E_IO,
 * BERTH_E_MEMORY. */
enum berth_status berth_library_fetch(const struct berth_library_reader *reader, uint64_t ordinal,
                                      struct berth_library_ligand *ligand,
                                      struct berth_error *error);

#endif
