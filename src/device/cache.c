#include "device/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file.h"
#include "base/memory.h"

/* An entry's header; numbers with their lowest byte first. */
enum {
    AT_MAGIC = 0,
    AT_KEY = 8,
    AT_SIZE = AT_KEY + BERTH_SHA256_SIZE, /* of the binary, 8 bytes */
    AT_CRC = AT_SIZE + 8,                 /* of the binary, 4 bytes */
    HEADER = AT_CRC + 4
};
static const char MAGIC[] = "BERTHCL1"; /* without its 0 */

/* Names: the key in hexadecimal digits and an ending; ".tmp.…" follows while it is being written.
 */
enum { DIGITS = 2 * BERTH_SHA256_SIZE, NAME = DIGITS + 5 };
static const char ENDING[] = ".bin";

enum { STALE = 3600 }; /* s after which a half-written file has no writer any more */

static void put_number(unsigned char *to, uint64_t number, int size)
{
    for (int i = 0; i < size; i++) {
        to[i] = (unsigned char)(number >> 8 * i);
    }
}

static void make_header(unsigned char header[HEADER], const struct berth_cache_key *key,
                        const void *bytes, size_t size)
{
    memcpy(header + AT_MAGIC, MAGIC, AT_KEY);
    memcpy(header + AT_KEY, key->hash, sizeof key->hash);
    put_number(header + AT_SIZE, size, 8);
    put_number(header + AT_CRC, crc32_z(0, bytes, size), 4);
}

struct berth_cache_key berth_cache_key(const char *const *texts, size_t count)
{
    struct berth_cache_key key = {{0}};
    struct berth_sha256 hash;
    berth_sha256_start(&hash);
    for (size_t i = 0; i < count; i++) {
        berth_sha256_add(&hash, texts[i], strlen(texts[i]) + 1); /* the 0 divides them */
    }
    berth_sha256_end(&hash, key.hash);
    return key;
}

/* The entry's name. */
static void name_of(const struct berth_cache_key *key, char name[NAME])
{
    for (size_t i = 0; i < sizeof key->hash; i++) {
        snprintf(name + 2 * i, 3, "%02x", key->hash[i]);
    }
    memcpy(name + DIGITS, ENDING, sizeof ENDING);
}

/* Opens an entry that may be read, of a size that an entry can have, which *size gets.  -1 where it
 * may not. */
static int open_entry(const char *directory, const struct berth_cache_key *key, size_t *size)
{
    char name[NAME];
    int file;
    name_of(key, name);
    if (berth_file_open_own(directory, name, &file, size, NULL) || file < 0) {
        return -1;
    }
    if (*size <= HEADER || *size - HEADER > BERTH_CACHE_BYTES_MAX) {
        close(file);
        return -1;
    }
    return file;
}

static bool read_all(int file, unsigned char *bytes, size_t size)
{
    while (size) {
        const ssize_t got = read(file, bytes, size);
        if (got <= 0) {
            return false;
        }
        bytes += got;
        size -= (size_t)got;
    }
    return true;
}

unsigned char *berth_cache_load(const char *directory, const struct berth_cache_key *key,
                                size_t *size)
{
    unsigned char wanted[HEADER];
    size_t whole = 0;
    const int file = open_entry(directory, key, &whole);
    if (file < 0) {
        return NULL;
    }
    unsigned char *bytes = berth_alloc(whole, 1);
    bool good = bytes && read_all(file, bytes, whole);
    if (good) {
        *size = whole - HEADER;
        make_header(wanted, key, bytes + HEADER, *size);
        good = memcmp(bytes, wanted, HEADER) == 0;
    }
    if (good) {
        futimens(file, NULL); /* for trimming; a file system that refuses costs the order only */
        memmove(bytes, bytes + HEADER, *size);
    } else {
        free(bytes);
    }
    close(file);
    return good ? bytes : NULL;
}

void berth_cache_store(const char *directory, const struct berth_cache_key *key, const void *bytes,
                       size_t size)
{
    if (!size || size > BERTH_CACHE_BYTES_MAX - HEADER || berth_directory_make(directory, NULL) ||
        berth_directory_check_own(directory, NULL)) {
        return;
    }
    char name[NAME];
    name_of(key, name);
    char *path = berth_path_join(directory, name);
    unsigned char *whole = berth_alloc(HEADER + size, 1);
    if (path && whole) {
        make_header(whole, key, bytes, size);
        memcpy(whole + HEADER, bytes, size);
        if (berth_file_replace(path, whole, HEADER + size, NULL) == BERTH_OK) {
            berth_cache_trim(directory, BERTH_CACHE_FILES_MAX, BERTH_CACHE_BYTES_MAX);
        }
    }
    free(path);
    free(whole);
}

/* What trimming has to know of an entry. */
struct entry {
    char name[NAME];
    struct timespec used;
    uint64_t size; /* bytes */
};

static int by_use(const void *a, const void *b)
{
    const struct timespec *x = &((const struct entry *)a)->used;
    const struct timespec *y = &((const struct entry *)b)->used;
    return x->tv_sec != y->tv_sec ? (x->tv_sec > y->tv_sec) - (x->tv_sec < y->tv_sec)
                                  : (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* True for the name of an entry, whole or (`*part`) being written. */
static bool is_ours(const char *name, bool *part)
{
    if (strspn(name, "0123456789abcdef") != DIGITS ||
        strncmp(name + DIGITS, ENDING, sizeof ENDING - 1) != 0) {
        return false;
    }
    const char *rest = name + DIGITS + sizeof ENDING - 1;
    *part = strncmp(rest, ".tmp.", 5) == 0;
    return *part || !*rest;
}

/* Lists the entries and removes stale parts; the caller frees *entries. */
static size_t list_entries(DIR *directory, struct entry **entries)
{
    size_t count = 0, capacity = 0;
    bool part;
    for (struct dirent *found; (found = readdir(directory));) {
        struct stat facts;
        if (!is_ours(found->d_name, &part) ||
            fstatat(dirfd(directory), found->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0) {
            continue;
        }
        if (part) {
            if (time(NULL) - facts.st_mtim.tv_sec > STALE) {
                unlinkat(dirfd(directory), found->d_name, 0);
            }
            continue;
        }
        if (berth_reserve(entries, &capacity, count + 1, sizeof **entries, NULL) != BERTH_OK) {
            break;
        }
        struct entry *entry = &(*entries)[count++];
        memcpy(entry->name, found->d_name, sizeof entry->name); /* its length is known */
        entry->used = facts.st_mtim;
        entry->size = (uint64_t)facts.st_size;
    }
    return count;
}

void berth_cache_trim(const char *directory, size_t files_max, uint64_t bytes_max)
{
    DIR *opened = opendir(directory);
    if (!opened) {
        return;
    }
    struct entry *entries = NULL;
    const size_t count = list_entries(opened, &entries);
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        bytes += entries[i].size;
    }
    if (count) {
        qsort(entries, count, sizeof *entries, by_use);
    }
    for (size_t i = 0; i < count && (count - i > files_max || bytes > bytes_max); i++) {
        unlinkat(dirfd(opened), entries[i].name, 0);
        bytes -= entries[i].size;
    }
    free(entries);
    closedir(opened);
}
