/* The store of fragments: what RDKit has built, by key, in memory and in a file; in front of it
 * what ships with berth, which is the same whatever RDKit is at hand.
 *
 * A file belongs to one version of RDKit and one recipe (fragment.h).  Any number
 * of processes may share it: each appends what it has built, under a lock.  Nothing in it is
 * trusted: a record whose CRC-32 or content is wrong, and all behind it, is cut off by whoever
 * appends next.  A store without a file is as good for one run.  Threads may share a store.
 *
 * Its bytes, little-endian (i8, u8, u16, u32 integers, f32 a float), version 1:
 *
 *     head     = magic "BERTHFR1", u32 size of the version, version ("2026.09.1, recipe 3"; of what
 *                ships "shipped, recipe 3"), u32 CRC-32 of the head
 *     record   = u32 size of the key, u32 size of the fragment, key, fragment, u32 CRC-32
 *     fragment = u16 atoms (those of the key), u16 hydrogens, u16 bonds, u8 shapes, u8 0, atoms,
 *                hydrogens, bonds (but hydrogens'), shapes (the lowest first)
 *     atom     = u8 element (0: a cap), i8 formal charge, Mol2 type (6 bytes, with 0s behind)
 *     hydrogen = u16 the atom that bears it
 *     bond     = u16 atom, u16 atom, u8 order (1 to 3), u8 Mol2 type (1, 2, 3, 4: ar, 5: am)
 *     shape    = f32 energy (kJ/mol), f32 x 3 for each atom, then for each hydrogen (Å)
 *
 * A fragment of size 0 is one that RDKit cannot build.  The key is canonical SMILES, or that of its
 * mirror image, whichever is less, in which a dummy atom stands for each cap: its isotope modulo
 * 1000 is the cap's kind (CAPS in tools/rdkit/fragments.py), further thousands tell like caps of an
 * atom apart.  data/fragments/common.store.z is such a file: its size (u32), and it deflated.
 */
#ifndef BERTH_PREP_FRAGMENTS_STORE_H
#define BERTH_PREP_FRAGMENTS_STORE_H

#include "base/log.h"
#include "prep/fragments/fragment.h"

struct berth_fragment_store; /* opaque */

struct berth_fragment_store_setup {
    const char *path;    /* borrowed for the call; NULL: no file */
    const char *version; /* likewise: of RDKit */
    const void *shipped; /* likewise; [shipped_size]: a file of fragments of no version of
                            RDKit, deflated; NULL: none */
    size_t shipped_size;
    const struct berth_log *log; /* borrowed until the store is destroyed; told once where the file
                                    cannot be written, and where its lock is waited for */
    const atomic_bool
        *stops[2]; /* likewise, or NULL: once one is true, the lock is not waited for */
};

/* Takes what ships, opens the file, or makes it, and reads it.  The caller destroys *store. Errors:
 * BERTH_E_USAGE (a file of another version; stopped), BERTH_E_FORMAT (no store of fragments),
 * BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_fragment_store_create(const struct berth_fragment_store_setup *setup,
                                              struct berth_fragment_store **store,
                                              struct berth_error *error);

/* NULL is accepted. */
void berth_fragment_store_destroy(struct berth_fragment_store *store);

/* The fragment of this key, as long as the store is: one that is kept, or the mirror image of one;
 * NULL: neither is known. */
const struct berth_fragment *berth_fragment_store_find(struct berth_fragment_store *store,
                                                       const char *key);

/* Of a key and that of its mirror image, the one that is to be kept, so that what is built does not
 * depend on which is met first; the caller frees it.  NULL when out of memory. */
char *berth_fragment_store_key(const char *key);

/* Keeps a record that RDKit has made, in the file too; *fragment as berth_fragment_store_find.  Of
 * a key that is known the first record stays.  Errors: BERTH_E_FORMAT (it is none), BERTH_E_MEMORY;
 * where it cannot be written, the log is told; once the store is stopped, it is not. */
enum berth_status berth_fragment_store_add(struct berth_fragment_store *store, const char *key,
                                           const void *record, size_t size,
                                           const struct berth_fragment **fragment,
                                           struct berth_error *error);

/* How many fragments there are. */
size_t berth_fragment_store_count(struct berth_fragment_store *store);

/* Takes the records of a file from bytes [size]; how many bytes of them are good.  Errors:
 * BERTH_E_USAGE, BERTH_E_FORMAT (as for a file), BERTH_E_MEMORY. */
enum berth_status berth_fragment_store_read(struct berth_fragment_store *store, const void *bytes,
                                            size_t size, size_t *good, struct berth_error *error);

#endif
