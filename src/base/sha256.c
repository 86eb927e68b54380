#include "base/sha256.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

/* FIPS 180-4, section 4.2.2: the fractions of the cube roots of the first 64 primes. */
static const uint32_t ROUNDS[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/* Section 5.3.3: the fractions of the square roots of the first 8 primes. */
static const uint32_t INITIAL[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static uint32_t turn(uint32_t word, int bits)
{
    return word >> bits | word << (32 - bits);
}

/* Section 6.2.2, steps 1 to 4: one block of 64 bytes. */
static void take_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++) {
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    }
    for (int i = 16; i < 64; i++) {
        const uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) +
               (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i++) {
        const uint32_t choose = (s[4] & s[5]) ^ (~s[4] & s[6]);
        const uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        const uint32_t first =
            s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + choose + ROUNDS[i] + w[i];
        const uint32_t second = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + majority;
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += first;
        s[0] = first + second;
    }
    for (int i = 0; i < 8; i++) {
        state[i] += s[i];
    }
}

void berth_sha256_start(struct berth_sha256 *hash)
{
    memset(hash, 0, sizeof *hash);
    memcpy(hash->state, INITIAL, sizeof INITIAL);
}

void berth_sha256_add(struct berth_sha256 *hash, const void *bytes, size_t size)
{
    const unsigned char *next = bytes;
    while (size) {
        const size_t used = hash->size % sizeof hash->block;
        const size_t room = sizeof hash->block - used;
        const size_t taken = size < room ? size : room;
        memcpy(hash->block + used, next, taken);
        hash->size += taken;
        next += taken;
        size -= taken;
        if (taken == room) {
            take_block(hash->state, hash->block);
        }
    }
}

enum berth_status berth_sha256_add_file(struct berth_sha256 *hash, const char *path,
                                        const atomic_bool *stop, struct berth_error *error)
{
    char bytes[1 << 14];
    FILE *file;
    enum berth_status status = berth_file_open_plain(path, &file, error);
    BERTH_TRY(status);
    for (size_t count; !status && (count = fread(bytes, 1, sizeof bytes, file)) > 0;) {
        berth_sha256_add(hash, bytes, count);
        status = berth_check_stop(stop, error);
    }
    if (!status && ferror(file)) {
        status = berth_io_error(path, "read", EIO, error);
    }
    fclose(file);
    return status;
}

void berth_sha256_end(struct berth_sha256 *hash, unsigned char digest[BERTH_SHA256_SIZE])
{
    /* Section 5.1.1: a 1 bit, zeros, and the length in bits at the end of a block. */
    static const unsigned char PADDING[64] = {0x80};
    const uint64_t bits = hash->size * 8;
    const size_t used = hash->size % sizeof hash->block;
    unsigned char length[8];
    for (int i = 0; i < 8; i++) {
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    }
    berth_sha256_add(hash, PADDING, (used < 56 ? 56 : 120) - used);
    berth_sha256_add(hash, length, sizeof length);
    for (int i = 0; i < BERTH_SHA256_SIZE; i++) {
        digest[i] = (unsigned char)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
    }
}

void berth_sha256_print(const unsigned char hash[BERTH_SHA256_SIZE], char text[BERTH_SHA256_TEXT])
{
    for (int i = 0; i < BERTH_SHA256_SIZE; i++) {
        snprintf(text + 2 * i, 3, "%02x", hash[i]);
    }
}
