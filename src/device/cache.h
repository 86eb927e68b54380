/* Built programs on disk, so that the next start need not build them.
 *
 * The cache is a directory of entries, each a file named by its key: a hash of all that decides
 * what a build gives.  An entry is a header (magic, key, size, CRC-32) and the driver's binary.
 * Nothing in an entry is trusted, and nothing here can fail: an entry that cannot be had, whole and
 * one's own, is no entry, and one that cannot be stored is not stored (berth_tuning_check says
 * why).  Any number of processes may work on one directory at once.  A directory that others than
 * this user and root may write to is not used: what it holds is code that will run.
 *
 * Entries that have not been used for longest go first once there are more than
 * BERTH_CACHE_FILES_MAX, or more than BERTH_CACHE_BYTES_MAX in all.
 */
#ifndef BERTH_DEVICE_CACHE_H
#define BERTH_DEVICE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sha256.h"

enum { BERTH_CACHE_FILES_MAX = 200, BERTH_CACHE_BYTES_MAX = 256 << 20 };

struct berth_cache_key {
    unsigned char hash[BERTH_SHA256_SIZE];
};

/* The key for these count texts: other texts, or the same ones divided otherwise, have another. */
struct berth_cache_key berth_cache_key(const char *const *texts, size_t count);

/* Gives the bytes stored under the key (the caller frees them) and their number, and marks the
 * entry as used.  NULL where there is no entry that is whole, stored under this very key, and one
 * that nobody but this user and root can have written (berth_file_read_own). */
unsigned char *berth_cache_load(const char *directory, const struct berth_cache_key *key,
                                size_t *size);

/* Stores size bytes under the key, in place of what was there; makes the directory where it is
 * missing and keeps it within its bounds. */
void berth_cache_store(const char *directory, const struct berth_cache_key *key, const void *bytes,
                       size_t size);

/* Removes the entries used longest ago until there are at most so many, and so many bytes, and what
 * was left behind half-written more than an hour ago.  Other files stay. */
void berth_cache_trim(const char *directory, size_t files_max, uint64_t bytes_max);

#endif
