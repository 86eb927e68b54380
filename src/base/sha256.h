/* SHA-256 (FIPS 180-4): names for contents that must not be confused with one another. */
#ifndef BERTH_BASE_SHA256_H
#define BERTH_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { BERTH_SHA256_SIZE = 32 }; /* bytes of a digest */

/* A digest on its way: start, add any number of times, end. */
struct berth_sha256 {
    uint32_t state[8];
    uint64_t size; /* bytes added so far */
    unsigned char block[64];
};

void berth_sha256_start(struct berth_sha256 *hash);

void berth_sha256_add(struct berth_sha256 *hash, const void *bytes, size_t size);

/* Adds all bytes of a file, which has to be a regular one; stop may be NULL.  Errors: BERTH_E_IO;
 * BERTH_E_USAGE once *stop is true. */
enum berth_status berth_sha256_add_file(struct berth_sha256 *hash, const char *path,
                                        const atomic_bool *stop, struct berth_error *error);

/* Gives the digest of all that was added; the hash is used up. */
void berth_sha256_end(struct berth_sha256 *hash, unsigned char digest[BERTH_SHA256_SIZE]);

/* A hash as text: two hexadecimal digits for each byte. */
enum { BERTH_SHA256_TEXT = 2 * BERTH_SHA256_SIZE + 1 };
void berth_sha256_print(const unsigned char hash[BERTH_SHA256_SIZE], char text[BERTH_SHA256_TEXT]);

#endif
