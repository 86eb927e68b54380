#include "format/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file.h"
#include "base/lock.h"
#include "base/memory.h"
#include "format/output.h"
#include "score/fields.h"
#include "shared.h"

static const unsigned char MAGIC[8] = {0x89, 'b', 'j', 'n', 'l', '\r', '\n', 0x1a};

enum {
    HEAD_SIZE = 24,       /* up to the identity */
    HEAD_MAX = 1 << 20,   /* bytes of identity and facts */
    RECORD_HEAD = 8,      /* bytes in front of a content */
    READ_AHEAD = 1 << 16, /* bytes */
};

/* Poses have the fields of score/fields.h, of which the fourth version knows 19 (the last, the
 * confidence, of runs whose identity has one: those before it are read as they are), and parts of
 * an energy (shared.h): with further ones it is another version. */
static uint32_t version_now(void)
{
    return (uint32_t)(3 + BERTH_PARTS_IN_JOURNAL + berth_fields_recorded() - 19);
}

struct berth_journal {
    char *path; /* owned */
    int file;
    bool writing;
    struct berth_lock lock;
    char *identity, *facts; /* owned */
    uint64_t head_size;     /* bytes */
    uint64_t size;          /* bytes of the file; behind the last whole record once that is known */
    uint64_t place;         /* of the next record to read */
    uint64_t dropped;       /* bytes behind the last whole record that were cut off */
    struct berth_bytes ahead; /* what was read from `ahead_place` on */
    uint64_t ahead_place;
    struct berth_bytes pending; /* records that are not in the file yet */
};

static enum berth_status io_error(const struct berth_journal *journal, const char *what,
                                  struct berth_error *error)
{
    return berth_io_error(journal->path, what, errno, error);
}

/* Makes size bytes at place available; *bytes is NULL where the file ends before. */
static enum berth_status look(struct berth_journal *journal, uint64_t place, size_t size,
                              const unsigned char **bytes, struct berth_error *error)
{
    struct berth_bytes *ahead = &journal->ahead;
    *bytes = NULL;
    if (place > journal->size || size > journal->size - place) {
        return BERTH_OK;
    }
    if (place < journal->ahead_place || place + size > journal->ahead_place + ahead->count) {
        size_t wanted = size > READ_AHEAD ? size : READ_AHEAD;
        wanted = wanted > journal->size - place ? (size_t)(journal->size - place) : wanted;
        ahead->count = 0;
        journal->ahead_place = place;
        if (berth_reserve(&ahead->data, &ahead->capacity, wanted, 1, NULL)) {
            return berth_out_of_memory(error, journal->path);
        }
        errno = berth_read_at(journal->file, ahead->data, wanted, place, &ahead->count);
        if (errno || ahead->count < wanted) { /* else somebody made it shorter */
            return errno ? io_error(journal, "read", error) : BERTH_OK;
        }
    }
    *bytes =
        ahead->data ? ahead->data + (place - journal->ahead_place) : NULL; /* NULL: size is 0 */
    return BERTH_OK;
}

static enum berth_status not_a_journal(const struct berth_journal *journal,
                                       struct berth_error *error)
{
    return berth_fail(error, BERTH_E_FORMAT, "%s: is no journal, or damaged", journal->path);
}

/* Reads the head.  head_size stays 0 where the file ends within it. */
static enum berth_status read_head(struct berth_journal *journal, struct berth_error *error)
{
    const unsigned char *bytes;
    const uint64_t fixed = journal->size < HEAD_SIZE ? journal->size : HEAD_SIZE;
    BERTH_TRY(look(journal, 0, (size_t)fixed, &bytes, error));
    if (!bytes || memcmp(bytes, MAGIC, fixed < sizeof MAGIC ? (size_t)fixed : sizeof MAGIC) != 0) {
        return not_a_journal(journal, error);
    }
    if (fixed < HEAD_SIZE) {
        return BERTH_OK;
    }
    struct berth_cursor head = berth_cursor_over(bytes + sizeof MAGIC, HEAD_SIZE - sizeof MAGIC);
    const uint32_t version = berth_cursor_get32(&head);
    const uint32_t crc = berth_cursor_get32(&head);
    const uint64_t size = berth_cursor_get64(&head);
    if (version != version_now()) {
        return berth_fail(
            error, BERTH_E_FORMAT,
            "%s: a journal of version %u, this berth reads version %d; go on with the "
            "berth that wrote it, or start the run anew",
            journal->path, (unsigned)version, (int)version_now());
    }
    if (size > HEAD_MAX) {
        return not_a_journal(journal, error);
    }
    BERTH_TRY(look(journal, HEAD_SIZE, (size_t)size, &bytes, error));
    if (!bytes) {
        return BERTH_OK;
    }
    struct berth_cursor texts = berth_cursor_over(bytes, (size_t)size);
    const char *identity = berth_cursor_get_text(&texts);
    const char *facts = berth_cursor_get_text(&texts);
    if (crc != crc32(0, bytes, (uInt)size) || texts.failed) {
        return not_a_journal(journal, error);
    }
    journal->identity = berth_copy_text(identity);
    journal->facts = berth_copy_text(facts);
    journal->head_size = journal->place = HEAD_SIZE + size;
    return journal->identity && journal->facts ? BERTH_OK
                                               : berth_out_of_memory(error, journal->path);
}

/* Writes bytes at the end; on an error the file is cut to what it was. */
static enum berth_status append(struct berth_journal *journal, const struct berth_bytes *bytes,
                                struct berth_error *error)
{
    int code = berth_write_at(journal->file, bytes->data, bytes->count, journal->size);
    if (!code && fsync(journal->file) != 0) {
        code = errno;
    }
    if (code) {
        /* Where this fails too, the checksums tell the next run where to cut. */
        (void)!ftruncate(journal->file, (off_t)journal->size);
        errno = code;
        return io_error(journal, "write", error);
    }
    journal->size += bytes->count;
    journal->ahead.count = 0; /* it may hold what was cut off here */
    return BERTH_OK;
}

static enum berth_status begin(struct berth_journal *journal,
                               const struct berth_journal_setup *setup, struct berth_error *error)
{
    struct berth_bytes texts = {0}, head = {0};
    berth_bytes_put_text(&texts, setup->identity);
    berth_bytes_put_text(&texts, setup->facts);
    berth_bytes_put(&head, MAGIC, sizeof MAGIC);
    berth_bytes_put32(&head, version_now());
    berth_bytes_put32(&head, (uint32_t)crc32(0, texts.data, (uInt)texts.count));
    berth_bytes_put64(&head, texts.count);
    berth_bytes_put(&head, texts.data, texts.count);
    journal->identity = berth_copy_text(setup->identity);
    journal->facts = berth_copy_text(setup->facts);
    enum berth_status status = BERTH_OK;
    if (texts.failed || head.failed || !journal->identity || !journal->facts) {
        status = berth_out_of_memory(error, journal->path);
    } else if (ftruncate(journal->file, 0) != 0) {
        status = io_error(journal, "write", error);
    } else {
        journal->size = 0;
        status = append(journal, &head, error);
        berth_output_sync_directory(journal->path);
    }
    journal->head_size = journal->place = journal->size;
    berth_bytes_clear(&texts);
    berth_bytes_clear(&head);
    return status;
}

/* Locks the open file, and learns its size. */
static enum berth_status lock(struct berth_journal *journal, struct berth_error *error)
{
    struct stat facts;
    if (berth_lock_take(&journal->lock, journal->file, journal->writing) == EAGAIN) {
        return berth_fail(error, BERTH_E_IO,
                          "%s: another process, or thread, is at work on this run; wait for its "
                          "end or give another folder",
                          journal->path);
    }
    if (fstat(journal->file, &facts) != 0) {
        return io_error(journal, "read", error);
    }
    journal->size = (uint64_t)facts.st_size;
    return BERTH_OK;
}

static enum berth_status open_file(struct berth_journal *journal, int flags,
                                   struct berth_error *error)
{
    journal->file = open(journal->path, flags | O_CLOEXEC | O_NONBLOCK, 0666);
    if (journal->file < 0 && errno == EEXIST) {
        return berth_fail_option(
            error, BERTH_E_IO, "resume",
            "%s: a run is there already; overwrite it, give another folder, or "
            "go on with it",
            journal->path);
    }
    return journal->file < 0 ? io_error(journal, flags & O_CREAT ? "create" : "open", error)
                             : lock(journal, error);
}

/* Opens the file and reads or begins the journal; setup NULL: for reading. */
static enum berth_status set_up(struct berth_journal *made, const char *path,
                                const struct berth_journal_setup *setup, struct berth_error *error)
{
    made->file = -1;
    made->writing = setup;
    made->path = berth_copy_text(path);
    if (!made->path) {
        return berth_out_of_memory(error, path);
    }
    const int create = setup && setup->mode == BERTH_JOURNAL_NEW ? O_CREAT | O_EXCL : O_CREAT;
    BERTH_TRY(open_file(made, setup ? O_RDWR | create : O_RDONLY, error));
    if (!setup || (made->size && setup->mode != BERTH_JOURNAL_REPLACE)) {
        BERTH_TRY(read_head(made, error));
    }
    if (!setup) {
        return made->head_size ? BERTH_OK : not_a_journal(made, error);
    }
    return made->head_size ? BERTH_OK : begin(made, setup, error);
}

static enum berth_status open_journal(const char *path, const struct berth_journal_setup *setup,
                                      struct berth_journal **journal, struct berth_error *error)
{
    BERTH_TRY(berth_make(journal, 1, sizeof **journal, path, error));
    const enum berth_status status = set_up(*journal, path, setup, error);
    if (status) {
        berth_journal_close(*journal);
        *journal = NULL;
    }
    return status;
}

enum berth_status berth_journal_create(const struct berth_journal_setup *setup,
                                       struct berth_journal **journal, struct berth_error *error)
{
    return open_journal(setup->path, setup, journal, error);
}

enum berth_status berth_journal_open(const char *path, struct berth_journal **journal,
                                     struct berth_error *error)
{
    return open_journal(path, NULL, journal, error);
}

const char *berth_journal_path(const struct berth_journal *journal)
{
    return journal->path;
}

const char *berth_journal_identity(const struct berth_journal *journal)
{
    return journal->identity;
}

const char *berth_journal_facts(const struct berth_journal *journal)
{
    return journal->facts;
}

enum berth_status berth_journal_next(struct berth_journal *journal, struct berth_cursor *content,
                                     bool *end, struct berth_error *error)
{
    const unsigned char *bytes;
    *end = true;
    enum berth_status status = look(journal, journal->place, RECORD_HEAD, &bytes, error);
    if (!status && bytes) {
        struct berth_cursor head = berth_cursor_over(bytes, RECORD_HEAD);
        const uint32_t size = berth_cursor_get32(&head), crc = berth_cursor_get32(&head);
        bytes = NULL;
        if (size <= BERTH_JOURNAL_RECORD_MAX) {
            status = look(journal, journal->place, RECORD_HEAD + (size_t)size, &bytes, error);
        }
        if (!status && bytes && crc == crc32(crc32(0, bytes, 4), bytes + RECORD_HEAD, (uInt)size)) {
            *content = berth_cursor_over(bytes + RECORD_HEAD, size);
            journal->place += RECORD_HEAD + (uint64_t)size;
            *end = false;
        }
    }
    if (!status && *end) {
        if (journal->writing && journal->size > journal->place &&
            ftruncate(journal->file, (off_t)journal->place) != 0) {
            return io_error(journal, "write", error);
        }
        journal->dropped += journal->size - journal->place;
        journal->size = journal->place;
    }
    return status;
}

uint64_t berth_journal_dropped(const struct berth_journal *journal)
{
    return journal->dropped;
}

bool berth_journal_is_locked(const struct berth_journal *journal)
{
    return journal->lock.process != 0;
}

void berth_journal_rewind(struct berth_journal *journal)
{
    journal->place = journal->head_size;
}

enum berth_status berth_journal_add(struct berth_journal *journal,
                                    const struct berth_bytes *content, struct berth_error *error)
{
    struct berth_bytes size = {0};
    berth_bytes_put32(&size, (uint32_t)content->count);
    if (size.failed || content->failed || content->count > BERTH_JOURNAL_RECORD_MAX) {
        berth_bytes_clear(&size);
        return berth_out_of_memory(error, journal->path);
    }
    const uLong crc =
        crc32(crc32(0, size.data, (uInt)size.count), content->data, (uInt)content->count);
    berth_bytes_put(&journal->pending, size.data, size.count);
    berth_bytes_put32(&journal->pending, (uint32_t)crc);
    berth_bytes_put(&journal->pending, content->data, content->count);
    berth_bytes_clear(&size);
    return journal->pending.failed ? berth_out_of_memory(error, journal->path) : BERTH_OK;
}

enum berth_journal_place berth_journal_place(const struct berth_journal *journal)
{
    struct stat ours, named;
    const int code = stat(journal->path, &named) == 0 ? 0 : errno;
    if (fstat(journal->file, &ours) != 0 || (code && code != ENOENT && code != ENOTDIR) ||
        (!code && ours.st_dev == named.st_dev && ours.st_ino == named.st_ino)) {
        return BERTH_JOURNAL_THERE;
    }
    return ours.st_nlink ? BERTH_JOURNAL_MOVED : BERTH_JOURNAL_REMOVED;
}

enum berth_status berth_journal_sync(struct berth_journal *journal, struct berth_error *error)
{
    if (!journal->pending.count) {
        return BERTH_OK;
    }
    if (berth_journal_place(journal) != BERTH_JOURNAL_THERE) {
        return berth_fail(error, BERTH_E_IO, "%s: it was moved or removed while it was written to",
                          journal->path);
    }
    enum berth_status status = append(journal, &journal->pending, error);
    journal->pending.count = status ? journal->pending.count : 0;
    return status;
}

void berth_journal_release(struct berth_journal *journal)
{
    berth_lock_release(&journal->lock);
}

void berth_journal_close(struct berth_journal *journal)
{
    if (!journal) {
        return;
    }
    if (journal->file >= 0) {
        berth_lock_release(&journal->lock);
        close(journal->file);
    }
    berth_bytes_clear(&journal->ahead);
    berth_bytes_clear(&journal->pending);
    free(journal->identity);
    free(journal->facts);
    free(journal->path);
    free(journal);
}
