#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/memory.h"

enum {
    RAW_SIZE = 1 << 17,
    GZIP_ONLY = 16, /* added to zlib's window bits */
    PATIENCE = 100, /* ms between two looks at what may stop a read that waits */
};

enum state {
    UNKNOWN, /* nothing was read yet */
    PLAIN,
    MEMBER,  /* inside a gzip member */
    BETWEEN, /* behind one */
    PADDING, /* zeros behind one: nothing else may follow */
    BROKEN   /* failure says why */
};

struct berth_input {
    int file;                /* -1: memory */
    const atomic_bool *stop; /* borrowed, or NULL */
    enum state state;
    bool any;                 /* what is no text will do, too */
    bool begun;               /* the byte-order mark is behind us */
    bool inflating;           /* zlib is to be ended */
    size_t member;            /* number of the gzip member, from 1 */
    uint64_t offset;          /* in the file, of what is behind the bytes at hand */
    const unsigned char *raw; /* bytes at hand, as the file has them */
    size_t left;              /* of them */
    struct z_stream_s zlib;
    struct berth_error failure;
    unsigned char buffer[]; /* [RAW_SIZE]; memory needs none */
};

static enum berth_status allocate_input(int file, struct berth_input **input,
                                        struct berth_error *error)
{
    BERTH_TRY(berth_make(input, 1, sizeof **input + (file < 0 ? 0 : RAW_SIZE), NULL, error));
    (*input)->file = file;
    return BERTH_OK;
}

enum berth_status berth_input_open(const char *path, struct berth_input **input,
                                   struct berth_error *error)
{
    *input = NULL;
    const bool stream = strcmp(path, "-") == 0;
    const int file = stream ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return berth_fail(error, BERTH_E_IO, "cannot open: %s", strerror(errno));
    }
    struct stat facts;
    enum berth_status status = BERTH_OK;
    if (fstat(file, &facts) == 0 && S_ISDIR(facts.st_mode)) {
        status = berth_fail(error, BERTH_E_IO, "is a directory, a file is needed");
    } else {
        status = allocate_input(file, input, error);
    }
    if (status) {
        close(file);
    }
    return status;
}

enum berth_status berth_input_open_memory(const void *bytes, size_t size,
                                          struct berth_input **input, struct berth_error *error)
{
    BERTH_TRY(allocate_input(-1, input, error));
    (*input)->state = PLAIN;
    (*input)->raw = bytes;
    (*input)->left = size;
    return BERTH_OK;
}

void berth_input_stop_on(struct berth_input *input, const atomic_bool *stop)
{
    input->stop = stop;
}

uint64_t berth_input_offset(const struct berth_input *input)
{
    return input->file < 0 ? 0 : input->offset - input->left;
}

void berth_input_close(struct berth_input *input)
{
    if (!input) {
        return;
    }
    if (input->inflating) {
        inflateEnd(&input->zlib);
    }
    if (input->file >= 0) {
        close(input->file);
    }
    free(input);
}

/* --- What the file has --- */

/* False, and the input broken, once it is to stop; returns as soon as there is something to read.
 */
static bool wait_for(struct berth_input *input)
{
    struct pollfd wanted = {input->file, POLLIN, 0};
    for (int ready = 0; input->stop && ready == 0;) {
        if (atomic_load(input->stop)) {
            input->state = BROKEN;
            berth_fail(&input->failure, BERTH_E_IO, "interrupted");
            return false;
        }
        ready = poll(&wanted, 1, PATIENCE);
        ready = ready < 0 && errno == EINTR ? 0 : ready;
    }
    return true;
}

/* Reads from the file; 0 at its end and, the input then being broken, on an error. */
static size_t read_file(struct berth_input *input, void *bytes, size_t size)
{
    ssize_t got = -1;
    if (input->file < 0) {
        return 0;
    }
    do {
        if (!wait_for(input)) {
            return 0;
        }
        got = read(input->file, bytes, size);
    } while (got < 0 && (errno == EINTR || errno == EAGAIN) && input->stop);
    if (got < 0) {
        input->state = BROKEN;
        berth_fail(&input->failure, BERTH_E_IO, "cannot read: %s", strerror(errno));
        return 0;
    }
    input->offset += (size_t)got;
    return (size_t)got;
}

/* Has bytes at hand, unless the file is at its end or broken. */
static bool have_bytes(struct berth_input *input)
{
    if (!input->left) {
        input->raw = input->buffer;
        input->left = read_file(input, input->buffer, RAW_SIZE);
    }
    return input->left > 0;
}

/* Refuses what begins as files do that are no text, whatever they are called. */
static void refuse_others(struct berth_input *input)
{
    static const struct {
        const char *begin, *what;
    } OTHERS[] = {
        {"%PDF-", "a PDF file"},
        {"<!DOCTYPE html", "a web page (HTML)"},
        {"<!doctype html", "a web page (HTML)"},
        {"<html", "a web page (HTML)"},
        {"<HTML", "a web page (HTML)"},
        {"PK\003\004", "a ZIP archive, or an office document: unpack it, or save it as text"},
        {"BZh", "packed by bzip2: unpack it (bunzip2), or pack it by gzip"},
        {"\xFD"
         "7zXZ",
         "packed by xz: unpack it (unxz), or pack it by gzip"},
        {"\x28\xB5\x2F\xFD", "packed by zstd: unpack it (unzstd), or pack it by gzip"}};
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
        const size_t length = strlen(OTHERS[i].begin);
        if (input->left >= length && memcmp(input->raw, OTHERS[i].begin, length) == 0) {
            input->state = BROKEN;
            berth_fail(&input->failure, BERTH_E_FORMAT, "is %s", OTHERS[i].what);
        }
    }
}

/* Tells gzip from plain text, by two bytes, and from what is neither. */
static void recognise(struct berth_input *input)
{
    static const unsigned char MAGIC[] = {0x1f, 0x8b};
    enum { LOOKED_AT = 16 };
    input->raw = input->buffer;
    for (size_t got = 1; got && input->left < LOOKED_AT; input->left += got) {
        got = read_file(input, input->buffer + input->left, RAW_SIZE - input->left);
    }
    if (input->state == BROKEN) {
        return;
    }
    input->state = PLAIN;
    if (input->left >= sizeof MAGIC && memcmp(input->raw, MAGIC, sizeof MAGIC) == 0) {
        input->inflating = inflateInit2(&input->zlib, MAX_WBITS + GZIP_ONLY) == Z_OK;
        input->state = input->inflating ? BETWEEN : BROKEN;
        berth_fail(&input->failure, BERTH_E_MEMORY, "out of memory");
    } else if (!input->any) {
        refuse_others(input);
    }
}

/* --- Unpacking --- */

static void damaged(struct berth_input *input, const char *why)
{
    input->state = BROKEN;
    berth_fail(&input->failure, BERTH_E_FORMAT,
               "the gzip data is truncated or corrupt (%s; at byte %llu of the file, in member "
               "%zu); fetch the file again",
               why, (unsigned long long)(input->offset - input->left), input->member);
}

/* Unpacks some of a member; 0 behind it, and where it is damaged. */
static size_t unpack(struct berth_input *input, void *bytes, size_t size)
{
    struct z_stream_s *zlib = &input->zlib;
    zlib->next_out = bytes;
    zlib->avail_out = size < RAW_SIZE ? (uInt)size : RAW_SIZE;
    const uInt room = zlib->avail_out;
    while (input->state == MEMBER && zlib->avail_out == room) {
        if (!have_bytes(input)) {
            if (input->state != BROKEN) {
                damaged(input, "unexpected end of file");
            }
            break;
        }
        zlib->next_in = input->buffer + (input->raw - input->buffer);
        zlib->avail_in = (uInt)input->left;
        const int code = inflate(zlib, Z_NO_FLUSH);
        input->raw += input->left - zlib->avail_in;
        input->left = zlib->avail_in;
        if (code == Z_STREAM_END) {
            input->state = BETWEEN;
        } else if (code == Z_MEM_ERROR) {
            input->state = BROKEN;
            berth_fail(&input->failure, BERTH_E_MEMORY, "out of memory");
        } else if (code != Z_OK && code != Z_BUF_ERROR) {
            damaged(input, zlib->msg ? zlib->msg : "it needs a dictionary");
        }
    }
    return room - zlib->avail_out;
}

/* Goes from behind a member to the next one, or over the zeros behind the last.  False at the end.
 */
static bool enter_next_member(struct berth_input *input)
{
    while (have_bytes(input) && *input->raw == 0 && input->member) {
        input->state = PADDING;
        input->raw++;
        input->left--;
    }
    if (!input->left) {
        return false;
    }
    if (input->state == PADDING) {
        damaged(input, "zeros behind a member, and then something else");
        return false;
    }
    inflateReset(&input->zlib);
    input->state = MEMBER;
    input->member++;
    return true;
}

/* Bytes as a reader wants them; 0 at the end and where the input is broken. */
static size_t read_some(struct berth_input *input, void *bytes, size_t size)
{
    size_t got = 0;
    if (input->state == UNKNOWN) {
        recognise(input);
    }
    if (input->state == PLAIN && input->left) {
        got = input->left < size ? input->left : size;
        memcpy(bytes, input->raw, got);
        input->raw += got;
        input->left -= got;
    } else if (input->state == PLAIN) {
        got = read_file(input, bytes, size);
    }
    while (!got &&
           (input->state == MEMBER ||
            ((input->state == BETWEEN || input->state == PADDING) && enter_next_member(input)))) {
        got = unpack(input, bytes, size);
    }
    return got;
}

/* --- Reading --- */

/* Passes over the byte-order mark in front of the first bytes. */
static void drop_mark(struct berth_input *input, unsigned char *bytes, size_t *got)
{
    static const unsigned char UTF8[] = {0xef, 0xbb, 0xbf},
                               UTF16[][2] = {{0xff, 0xfe}, {0xfe, 0xff}};
    if (*got >= 2 && (memcmp(bytes, UTF16[0], 2) == 0 || memcmp(bytes, UTF16[1], 2) == 0)) {
        input->state = BROKEN;
        berth_fail(&input->failure, BERTH_E_FORMAT,
                   "the text is UTF-16 (it begins with that byte-order mark); convert it, for "
                   "example with `iconv -f UTF-16 -t UTF-8`");
        *got = 0;
    } else if (*got >= sizeof UTF8 && memcmp(bytes, UTF8, sizeof UTF8) == 0) {
        *got -= sizeof UTF8;
        memmove(bytes, bytes + sizeof UTF8, *got);
    }
}

enum berth_status berth_input_read(struct berth_input *input, void *bytes, size_t size, size_t *got,
                                   struct berth_error *error)
{
    unsigned char *to = bytes;
    *got = 0;
    if (!input->begun) { /* enough to see a mark, and something behind it */
        for (size_t more = 1; more && *got < BERTH_INPUT_LEAST; *got += more) {
            more = read_some(input, to + *got, size - *got);
        }
        input->begun = true;
        drop_mark(input, to, got);
    } else {
        *got = read_some(input, to, size);
    }
    if (!*got && input->state == BROKEN) {
        if (error) {
            *error = input->failure;
        }
        return input->failure.status;
    }
    return BERTH_OK;
}

/* Appends all that is left to *bytes, and closes the input. */
static enum berth_status read_rest(struct berth_input *input, struct berth_bytes *bytes,
                                   struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    const size_t before = bytes->count;
    unsigned char block[1 << 14];
    size_t got = 1;
    while (!status && got && bytes->count - before <= BERTH_INPUT_MAX) {
        status = berth_input_read(input, block, sizeof block, &got, error);
        berth_bytes_put(bytes, block, got);
    }
    berth_input_close(input);
    if (!status && bytes->failed) {
        status = berth_out_of_memory(error, NULL);
    } else if (!status && got) {
        status = berth_fail(error, BERTH_E_FORMAT, "more than %d bytes; split the file",
                            BERTH_INPUT_MAX);
    }
    return status;
}

enum berth_status berth_input_read_all(const char *path, const atomic_bool *stop,
                                       struct berth_bytes *bytes, struct berth_error *error)
{
    struct berth_input *input;
    BERTH_TRY(berth_input_open(path, &input, error));
    berth_input_stop_on(input, stop);
    return read_rest(input, bytes, error);
}

enum berth_status berth_input_read_any(const char *path, struct berth_bytes *bytes,
                                       struct berth_error *error)
{
    struct berth_input *input;
    BERTH_TRY(berth_input_open(path, &input, error));
    input->any = true;
    return read_rest(input, bytes, error);
}
