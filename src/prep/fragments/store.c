#include "prep/fragments/store.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/memory.h"

static const char MAGIC[] = "BERTHFR1"; /* without its 0; the last digit is the format's version */
enum { MAGIC_SIZE = sizeof MAGIC - 1, VERSION_MAX = 64, FIRST_CAPACITY = 1024 };

struct entry {
    char *key; /* owned */
    struct berth_fragment fragment;
};

struct berth_fragment_store {
    pthread_mutex_t lock;
    struct entry **table; /* owned; [capacity], a power of two; NULL: free */
    size_t count, capacity;
    char version[VERSION_MAX];
    char *path; /* owned; NULL: no file */
    int file;   /* -1: none, or it cannot be written any more */
    off_t read; /* bytes of it that were read, all good */
    const struct berth_log *log;
    const atomic_bool *stops[2];
};

/* --- In memory --- */

static uint64_t hash_of(const char *key, size_t size)
{
    uint64_t value = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++) {
        value = (value ^ (unsigned char)key[i]) * UINT64_C(0x100000001b3);
    }
    return value ^ value >> 32;
}

/* Where the key's entry is, or would be. */
static struct entry **place_of(const struct berth_fragment_store *store, const char *key,
                               size_t size)
{
    size_t at = (size_t)hash_of(key, size) & (store->capacity - 1);
    while (store->table[at] && (strncmp(store->table[at]->key, key, size) != 0 ||
                                store->table[at]->key[size] != '\0')) {
        at = (at + 1) & (store->capacity - 1);
    }
    return &store->table[at];
}

static enum berth_status grow(struct berth_fragment_store *store, struct berth_error *error)
{
    struct berth_fragment_store larger = *store;
    larger.capacity = store->capacity ? 2 * store->capacity : FIRST_CAPACITY;
    larger.table = berth_alloc(larger.capacity, sizeof *larger.table);
    if (!larger.table) {
        return berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; i < store->capacity; i++) {
        if (store->table[i]) {
            const char *key = store->table[i]->key;
            *place_of(&larger, key, strlen(key)) = store->table[i];
        }
    }
    free(store->table);
    store->table = larger.table;
    store->capacity = larger.capacity;
    return BERTH_OK;
}

/* A free place for a key that is not known, which the table then has; NULL when out of memory. */
static struct entry *add_entry(struct berth_fragment_store *store, const char *key, size_t key_size,
                               struct berth_error *error)
{
    if (3 * store->count >= 2 * store->capacity && grow(store, error)) {
        return NULL;
    }
    struct entry *entry = berth_alloc(1, sizeof *entry);
    if (!entry || !(entry->key = berth_alloc(key_size + 1, 1))) {
        free(entry);
        berth_out_of_memory(error, NULL);
        return NULL;
    }
    memcpy(entry->key, key, key_size);
    return entry;
}

static void free_entry(struct entry *entry)
{
    berth_fragment_clear(&entry->fragment);
    free(entry->key);
    free(entry);
}

/* Puts the entry into the table, or frees it where the status is an error. */
static enum berth_status end_entry(struct berth_fragment_store *store, struct entry *entry,
                                   enum berth_status status)
{
    if (status) {
        free_entry(entry);
        return status;
    }
    *place_of(store, entry->key, strlen(entry->key)) = entry;
    store->count++;
    return BERTH_OK;
}

/* Keeps a record unless its key is known.  Errors: BERTH_E_FORMAT, BERTH_E_MEMORY. */
static enum berth_status keep(struct berth_fragment_store *store, const char *key, size_t key_size,
                              const void *record, size_t size, struct berth_error *error)
{
    if (*place_of(store, key, key_size)) {
        return BERTH_OK;
    }
    struct entry *entry = add_entry(store, key, key_size, error);
    return entry
               ? end_entry(store, entry, berth_fragment_read(record, size, &entry->fragment, error))
               : BERTH_E_MEMORY;
}

/* The entry of a key, made where that of the mirror image is known; NULL: there is none. */
static const struct entry *find_either(struct berth_fragment_store *store, const char *key)
{
    const size_t size = strlen(key);
    if (*place_of(store, key, size) || !strchr(key, '@')) {
        return *place_of(store, key, size);
    }
    char *mirrored = berth_fragment_mirror_key(key);
    const struct entry *image = mirrored ? *place_of(store, mirrored, strlen(mirrored)) : NULL;
    struct entry *entry = image ? add_entry(store, key, size, NULL) : NULL;
    free(mirrored);
    if (entry) {
        end_entry(store, entry, berth_fragment_mirror(&image->fragment, &entry->fragment, NULL));
    }
    return *place_of(store, key, size);
}

char *berth_fragment_store_key(const char *key)
{
    char *mirrored = berth_fragment_mirror_key(key), *own = berth_copy_text(key);
    const bool other = mirrored && own && strcmp(mirrored, own) < 0;
    free(other ? own : mirrored);
    return other ? mirrored : own;
}

/* --- The file's bytes --- */

/* What a file's head says: whose fragments they are, and how they are built. */
static void put_version(char version[VERSION_MAX], const char *rdkit)
{
    snprintf(version, VERSION_MAX, "%.40s, recipe %d", rdkit, (int)BERTH_FRAGMENT_RECIPE);
}

static void put_head(const struct berth_fragment_store *store, struct berth_bytes *bytes)
{
    const size_t size = strlen(store->version);
    berth_bytes_put(bytes, MAGIC, MAGIC_SIZE);
    berth_bytes_put32(bytes, (uint32_t)size);
    berth_bytes_put(bytes, store->version, size);
    berth_bytes_put32(bytes, (uint32_t)crc32_z(0, bytes->data, bytes->count));
}

static void put_record(const char *key, const void *record, size_t size, struct berth_bytes *bytes)
{
    berth_bytes_put32(bytes, (uint32_t)strlen(key));
    berth_bytes_put32(bytes, (uint32_t)size);
    berth_bytes_put(bytes, key, strlen(key));
    berth_bytes_put(bytes, record, size);
    berth_bytes_put32(bytes, (uint32_t)crc32_z(0, bytes->data, bytes->count));
}

/* The bytes from `start` on up to the cursor have the CRC that follows. */
static bool check_crc(struct berth_cursor *cursor, const unsigned char *start)
{
    const uint32_t crc = (uint32_t)crc32_z(0, start, (size_t)(cursor->at - start));
    return berth_cursor_get32(cursor) == crc && !cursor->failed;
}

static enum berth_status read_head(const char *wanted, struct berth_cursor *cursor,
                                   struct berth_error *error)
{
    const unsigned char *start = cursor->at, *magic = berth_cursor_take(cursor, MAGIC_SIZE);
    const size_t size = berth_cursor_get32(cursor);
    const unsigned char *version = berth_cursor_take(cursor, size);
    if (!magic || memcmp(magic, MAGIC, MAGIC_SIZE) != 0 || !version || size >= VERSION_MAX ||
        !check_crc(cursor, start)) {
        return berth_fail(error, BERTH_E_FORMAT, "no store of fragments of this version of berth");
    }
    return size == strlen(wanted) && memcmp(version, wanted, size) == 0
               ? BERTH_OK
               : berth_fail(error, BERTH_E_USAGE,
                            "its fragments are those of RDKit %.*s, and this is RDKit %s; give "
                            "another file",
                            (int)size, (const char *)version, wanted);
}

/* Keeps the records up to the first that is not whole and good; the bytes of the good ones. */
static enum berth_status read_records(struct berth_fragment_store *store,
                                      struct berth_cursor cursor, size_t *good,
                                      struct berth_error *error)
{
    const unsigned char *start = cursor.at;
    enum berth_status status = BERTH_OK;
    for (*good = 0; berth_cursor_left(&cursor);) {
        const unsigned char *begin = cursor.at;
        const size_t key_size = berth_cursor_get32(&cursor), size = berth_cursor_get32(&cursor);
        if (!key_size || key_size > BERTH_FRAGMENT_KEY_MAX || size > BERTH_FRAGMENT_BYTES_MAX) {
            break;
        }
        const char *key = (const char *)berth_cursor_take(&cursor, key_size);
        const void *record = berth_cursor_take(&cursor, size);
        if (!key || !record || memchr(key, 0, key_size) || !check_crc(&cursor, begin)) {
            break;
        }
        status = keep(store, key, key_size, record, size, error);
        if (status) {
            break;
        }
        *good = (size_t)(cursor.at - start);
    }
    return status == BERTH_E_FORMAT ? BERTH_OK : status;
}

enum berth_status berth_fragment_store_read(struct berth_fragment_store *store, const void *bytes,
                                            size_t size, size_t *good, struct berth_error *error)
{
    struct berth_cursor cursor = berth_cursor_over(bytes, size);
    *good = 0;
    pthread_mutex_lock(&store->lock);
    enum berth_status status = read_head(store->version, &cursor, error);
    const size_t head = size - berth_cursor_left(&cursor);
    BERTH_THEN(read_records(store, cursor, good, error));
    *good += status ? 0 : head;
    pthread_mutex_unlock(&store->lock);
    return status;
}

/* --- What ships --- */

/* Fragments of what ships are of this version, and the recipe's. */
static const char SHIPPED[] = "shipped";

/* The bytes that were deflated, behind how many they are (32 bits, little-endian); the caller frees
 * them. */
static enum berth_status inflate_shipped(const struct berth_fragment_store_setup *setup,
                                         unsigned char **bytes, size_t *size,
                                         struct berth_error *error)
{
    struct berth_cursor cursor = berth_cursor_over(setup->shipped, setup->shipped_size);
    *size = berth_cursor_get32(&cursor);
    BERTH_TRY(berth_make(bytes, *size + 1, 1, NULL, error));
    uLongf length = (uLongf)*size;
    return uncompress(*bytes, &length, cursor.at, (uLong)berth_cursor_left(&cursor)) == Z_OK &&
                   length == *size
               ? BERTH_OK
               : berth_fail(error, BERTH_E_FORMAT, "the fragments that ship with berth are torn");
}

static enum berth_status take_shipped(struct berth_fragment_store *store,
                                      const struct berth_fragment_store_setup *setup,
                                      struct berth_error *error)
{
    char version[VERSION_MAX];
    unsigned char *bytes = NULL;
    size_t size = 0, good = 0;
    put_version(version, SHIPPED);
    enum berth_status status = inflate_shipped(setup, &bytes, &size, error);
    struct berth_cursor cursor = berth_cursor_over(bytes, size);
    BERTH_THEN(read_head(version, &cursor, error));
    const size_t records = berth_cursor_left(&cursor);
    BERTH_THEN(read_records(store, cursor, &good, error));
    free(bytes);
    return status || good == records
               ? status
               : berth_fail(error, BERTH_E_FORMAT, "the fragments that ship with berth are torn");
}

/* --- The file --- */

/* Waits for the lock on the file, to write it or to read it. */
static enum berth_status lock_file(const struct berth_fragment_store *store, bool writes,
                                   struct berth_lock *lock, struct berth_error *error)
{
    const struct berth_lock_wait wait = {.path = store->path,
                                         .alone = writes,
                                         .stops = {store->stops[0], store->stops[1]},
                                         .log = store->log};
    return berth_lock_await(lock, store->file, &wait, error);
}

/* Reads what the file has behind what was read already.  The caller frees *bytes. */
static enum berth_status read_rest(struct berth_fragment_store *store, struct berth_bytes *bytes,
                                   struct berth_error *error)
{
    unsigned char block[1 << 16];
    off_t at = store->read;
    for (;;) {
        const ssize_t got = pread(store->file, block, sizeof block, at);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return berth_io_error(store->path, "read", errno, error);
        }
        if (got == 0) {
            return bytes->failed ? berth_out_of_memory(error, store->path) : BERTH_OK;
        }
        berth_bytes_put(bytes, block, (size_t)got);
        at += got;
    }
}

/* True for what a process that was killed has left of a head. */
static bool is_torn_head(const struct berth_fragment_store *store, const struct berth_bytes *bytes)
{
    struct berth_bytes head = {0};
    put_head(store, &head);
    const bool torn = !head.failed && bytes->count < head.count &&
                      (!bytes->count || memcmp(bytes->data, head.data, bytes->count) == 0);
    berth_bytes_clear(&head);
    return torn;
}

/* Keeps what other processes have appended. */
static enum berth_status catch_up(struct berth_fragment_store *store, struct berth_error *error)
{
    struct berth_bytes bytes = {0};
    size_t good = 0, head = 0;
    enum berth_status status = read_rest(store, &bytes, error);
    struct berth_cursor cursor = berth_cursor_over(bytes.data, bytes.count);
    const bool empty = !store->read && is_torn_head(store, &bytes);
    if (!status && !store->read && !empty) {
        status = read_head(store->version, &cursor, error);
        head = bytes.count - berth_cursor_left(&cursor);
    }
    if (!status && !empty) {
        status = read_records(store, cursor, &good, error);
    }
    store->read += status ? 0 : (off_t)(head + good);
    berth_bytes_clear(&bytes);
    return status;
}

static bool write_whole(int file, const struct berth_bytes *bytes, off_t at)
{
    for (size_t done = 0; done < bytes->count;) {
        const ssize_t put = pwrite(file, bytes->data + done, bytes->count - done, at + (off_t)done);
        if (put < 0 && errno != EINTR) {
            return false;
        }
        done += put > 0 ? (size_t)put : 0;
    }
    return true;
}

/* Appends the record behind the last good one, unless another process has.  The file is locked. */
static enum berth_status append(struct berth_fragment_store *store, const char *key,
                                const struct berth_bytes *record, struct berth_error *error)
{
    struct berth_bytes head = {0};
    BERTH_TRY(catch_up(store, error));
    if (!store->read) {
        put_head(store, &head);
    }
    const bool known = *place_of(store, key, strlen(key)) != NULL;
    const off_t start = store->read, behind = start + (off_t)head.count;
    bool good = !head.failed && !record->failed && ftruncate(store->file, start) == 0 &&
                write_whole(store->file, &head, start) &&
                (known || write_whole(store->file, record, behind));
    const int code = errno;
    if (good) {
        store->read = behind + (known ? 0 : (off_t)record->count);
    } else if (ftruncate(store->file, start) != 0) {
        good = false; /* what is there now is cut off by whoever appends next */
    }
    berth_bytes_clear(&head);
    return good ? BERTH_OK : berth_io_error(store->path, "write", code, error);
}

/* What cannot be written is no reason to stop: the run goes on without the file. */
static void write_record(struct berth_fragment_store *store, const char *key, const void *record,
                         size_t size)
{
    struct berth_bytes bytes = {0};
    struct berth_error why;
    struct berth_lock lock = {0};
    put_record(key, record, size, &bytes);
    enum berth_status status = lock_file(store, true, &lock, &why);
    BERTH_THEN(append(store, key, &bytes, &why));
    berth_lock_release(&lock);
    if (status && status != BERTH_E_USAGE) { /* stopped: the run ends */
        berth_warn(store->log, NULL, "fragments are not kept for later runs: %s", why.message);
        close(store->file);
        store->file = -1;
    }
    berth_bytes_clear(&bytes);
}

/* --- The store --- */

/* A file that may not be written may be read. */
static enum berth_status open_file(struct berth_fragment_store *store, struct berth_error *error)
{
    struct stat facts;
    const int flags = O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    store->file = open(store->path, O_RDWR | O_CREAT | flags, 0600);
    const bool writes = store->file >= 0;
    if (!writes && (errno == EACCES || errno == EROFS)) {
        store->file = open(store->path, O_RDONLY | flags);
    }
    if (store->file < 0) {
        return berth_io_error(store->path, "open", errno, error);
    }
    if (fstat(store->file, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        return berth_fail(error, BERTH_E_IO, "%s: no plain file", store->path);
    }
    struct berth_lock lock = {0};
    enum berth_status status = lock_file(store, false, &lock, error);
    BERTH_THEN(catch_up(store, error));
    berth_lock_release(&lock);
    if (!writes) {
        close(store->file);
        store->file = -1;
    }
    return status ? berth_fail_in(error, store->path) : BERTH_OK;
}

enum berth_status berth_fragment_store_create(const struct berth_fragment_store_setup *setup,
                                              struct berth_fragment_store **store,
                                              struct berth_error *error)
{
    struct berth_fragment_store *made = berth_alloc(1, sizeof *made);
    *store = made;
    if (!made) {
        return berth_out_of_memory(error, NULL);
    }
    pthread_mutex_init(&made->lock, NULL);
    made->file = -1;
    made->log = setup->log;
    memcpy(made->stops, setup->stops, sizeof made->stops);
    put_version(made->version, setup->version);
    made->path = setup->path ? berth_copy_text(setup->path) : NULL;
    enum berth_status status =
        setup->path && !made->path ? berth_out_of_memory(error, NULL) : grow(made, error);
    if (!status && setup->shipped) {
        status = take_shipped(made, setup, error);
    }
    if (!status && made->path) {
        status = open_file(made, error);
    }
    if (status) {
        berth_fragment_store_destroy(made);
        *store = NULL;
    }
    return status;
}

void berth_fragment_store_destroy(struct berth_fragment_store *store)
{
    if (!store) {
        return;
    }
    for (size_t i = 0; store->table && i < store->capacity; i++) {
        if (store->table[i]) {
            free_entry(store->table[i]);
        }
    }
    if (store->file >= 0) {
        close(store->file);
    }
    pthread_mutex_destroy(&store->lock);
    free(store->table);
    free(store->path);
    free(store);
}

const struct berth_fragment *berth_fragment_store_find(struct berth_fragment_store *store,
                                                       const char *key)
{
    pthread_mutex_lock(&store->lock);
    const struct entry *entry = find_either(store, key);
    pthread_mutex_unlock(&store->lock);
    return entry ? &entry->fragment : NULL;
}

enum berth_status berth_fragment_store_add(struct berth_fragment_store *store, const char *key,
                                           const void *record, size_t size,
                                           const struct berth_fragment **fragment,
                                           struct berth_error *error)
{
    const size_t key_size = strlen(key);
    *fragment = NULL;
    if (!key_size || key_size > BERTH_FRAGMENT_KEY_MAX || size > BERTH_FRAGMENT_BYTES_MAX) {
        return berth_fail(error, BERTH_E_FORMAT, "a fragment that is too large");
    }
    pthread_mutex_lock(&store->lock);
    enum berth_status status = BERTH_OK;
    if (!*place_of(store, key, key_size)) {
        struct berth_fragment trial;
        status = berth_fragment_read(record, size, &trial, error);
        berth_fragment_clear(&trial);
        if (!status && store->file >= 0) {
            write_record(store, key, record, size);
        }
        BERTH_THEN(keep(store, key, key_size, record, size, error));
    }
    *fragment = status ? NULL : &(*place_of(store, key, key_size))->fragment;
    pthread_mutex_unlock(&store->lock);
    return status;
}

size_t berth_fragment_store_count(struct berth_fragment_store *store)
{
    pthread_mutex_lock(&store->lock);
    const size_t count = store->count;
    pthread_mutex_unlock(&store->lock);
    return count;
}
