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

#include "base/bytes.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/own.h"

/* An entry: MAGIC, the key, the binary's bytes (8) and their CRC-32 (4), the binary. */
static const char MAGIC[] = "BERTHCL1"; /* without its 0 */
enum { MAGIC_SIZE = sizeof MAGIC - 1, HEADER = MAGIC_SIZE + BERTH_SHA256_SIZE + 8 + 4 };

/* Names: the key in hexadecimal digits and an ending; ".tmp.…" follows while it is being written.
 */
enum { DIGITS = 2 * BERTH_SHA256_SIZE, NAME = DIGITS + 5 };
static const char ENDING[] = ".bin";

enum { STALE = 3600 }; /* s after which a half-written file has no writer any more */

static void put_header(struct berth_bytes *entry, const struct berth_cache_key *key,
                       const void *bytes, size_t size)
{
    berth_bytes_put(entry, MAGIC, MAGIC_SIZE);
    berth_bytes_put(entry, key->hash, sizeof key->hash);
    berth_bytes_put64(entry, size);
    berth_bytes_put32(entry, (uint32_t)crc32_z(0, bytes, size));
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
    berth_sha256_print(key->hash, name);
    memcpy(name + DIGITS, ENDING, sizeof ENDING);
}

unsigned char *berth_cache_load(const char *directory, const struct berth_cache_key *key,
                                size_t *size)
{
    char name[NAME];
    unsigned char *bytes;
    struct berth_bytes header = {0};
    size_t whole = 0;
    name_of(key, name);
    /* its use is noted for trimming */
    const struct berth_own_file entry = {directory, name, HEADER + BERTH_CACHE_BYTES_MAX, true};
    if (berth_file_read_own(&entry, &bytes, &whole, NULL) || !bytes) {
        return NULL;
    }
    if (whole > HEADER) {
        *size = whole - HEADER;
        put_header(&header, key, bytes + HEADER, *size);
    }
    if (header.failed || !header.count || memcmp(bytes, header.data, HEADER) != 0) {
        free(bytes);
        bytes = NULL;
    } else {
        memmove(bytes, bytes + HEADER, *size);
    }
    berth_bytes_clear(&header);
    return bytes;
}

void berth_cache_store(const char *directory, const struct berth_cache_key *key, const void *bytes,
                       size_t size)
{
    if (!size || size > BERTH_CACHE_BYTES_MAX - HEADER ||
        berth_directory_make_own(directory, NULL)) {
        return;
    }
    char name[NAME];
    name_of(key, name);
    char *path = berth_path_join(directory, name);
    struct berth_bytes entry = {0};
    put_header(&entry, key, bytes, size);
    berth_bytes_put(&entry, bytes, size);
    if (path && !entry.failed &&
        berth_file_replace(path, entry.data, entry.count, NULL) == BERTH_OK) {
        berth_cache_trim(directory, BERTH_CACHE_FILES_MAX, BERTH_CACHE_BYTES_MAX);
    }
    free(path);
    berth_bytes_clear(&entry);
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
