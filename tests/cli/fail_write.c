/* A library to preload (tests/cli/test_file_errors.sh) that lets one operation on the files of a
 * folder fail as on a full disk: with FAIL_WRITE=5 and FAIL_FOLDER=/tmp/x the fifth of those that
 * create, write, cut, sync, close, rename or remove a file there gives ENOSPC, and is noted in the
 * file FAIL_NOTE. What is written through a stream is one of them once for each stream: what
 * follows is in its buffer, or goes to the disk with fflush and fclose. */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STREAMS = 64 };

static int operations;
static FILE *written[STREAMS]; /* streams that were written to */

static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

/* True for the operation that is to fail, which is noted. */
static bool fails(const char *path, const char *what)
{
    const char *folder = getenv("FAIL_FOLDER"), *wanted = getenv("FAIL_WRITE");
    if (!folder || !wanted || strncmp(path, folder, strlen(folder)) != 0 ||
        __atomic_add_fetch(&operations, 1, __ATOMIC_SEQ_CST) != atoi(wanted)) {
        return false;
    }
    int (*opens)(const char *, int, ...) = NULL;
    *(void **)&opens = next("open");
    const int note = opens(getenv("FAIL_NOTE"), O_WRONLY | O_CREAT | O_APPEND, 0666);
    ssize_t (*writes)(int, const void *, size_t) = NULL;
    *(void **)&writes = next("write");
    char line[PATH_MAX + 64];
    snprintf(line, sizeof line, "%s %s\n", what, path);
    if (note < 0 || writes(note, line, strlen(line)) < 0) {
        abort();
    }
    close(note);
    errno = ENOSPC;
    return true;
}

static bool file_fails(int file, const char *what)
{
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t size = readlink(link, path, sizeof path - 1);
    path[size > 0 ? size : 0] = '\0';
    return size > 0 && fails(path, what);
}

/* The first write to a stream; a lock of its own, since streams have theirs. */
static bool stream_fails(FILE *stream)
{
    static int lock;
    size_t place = 0, empty = STREAMS;
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) {
    }
    while (place < STREAMS && written[place] != stream) {
        empty = !written[place] && empty == STREAMS ? place : empty;
        place++;
    }
    if (place == STREAMS && empty < STREAMS) {
        written[empty] = stream;
    }
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
    return place == STREAMS && file_fails(fileno(stream), "write");
}

static void forget(const FILE *stream)
{
    for (size_t i = 0; i < STREAMS; i++) {
        written[i] = written[i] == stream ? NULL : written[i];
    }
}

int open(const char *path, int flags, ...)
{
    int (*opens)(const char *, int, ...) = NULL;
    va_list arguments;
    va_start(arguments, flags);
    const unsigned mode = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    *(void **)&opens = next("open");
    char full[PATH_MAX];
    if ((flags & O_CREAT) && (*path == '/' || getcwd(full, sizeof full))) {
        const size_t used = *path == '/' ? 0 : strlen(full);
        snprintf(full + used, sizeof full - used, "%s%s", used ? "/" : "", path);
        if (fails(full, "create")) {
            return -1;
        }
    }
    return opens(path, flags, mode);
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *stream)
{
    size_t (*writes)(const void *, size_t, size_t, FILE *) = NULL;
    *(void **)&writes = next("fwrite");
    return stream_fails(stream) ? 0 : writes(bytes, size, count, stream);
}

int vfprintf(FILE *stream, const char *format, va_list arguments)
{
    int (*prints)(FILE *, const char *, va_list) = NULL;
    *(void **)&prints = next("vfprintf");
    return stream_fails(stream) ? -1 : prints(stream, format, arguments);
}

int fprintf(FILE *stream, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int count = vfprintf(stream, format, arguments);
    va_end(arguments);
    return count;
}

int fflush(FILE *stream)
{
    int (*flushes)(FILE *) = NULL;
    *(void **)&flushes = next("fflush");
    return stream && file_fails(fileno(stream), "flush") ? EOF : flushes(stream);
}

int fclose(FILE *stream)
{
    int (*closes)(FILE *) = NULL;
    *(void **)&closes = next("fclose");
    const int file = fileno(stream);
    const bool read_alone = (fcntl(file, F_GETFL) & O_ACCMODE) == O_RDONLY; /* nothing is lost */
    const bool fail = !read_alone && file_fails(file, "close");
    forget(stream);
    const int code = closes(stream);
    errno = fail ? ENOSPC : errno;
    return fail ? EOF : code;
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t place)
{
    ssize_t (*writes)(int, const void *, size_t, off_t) = NULL;
    *(void **)&writes = next("pwrite");
    return file_fails(file, "write") ? -1 : writes(file, bytes, size, place);
}

ssize_t write(int file, const void *bytes, size_t size)
{
    ssize_t (*writes)(int, const void *, size_t) = NULL;
    *(void **)&writes = next("write");
    return file_fails(file, "write") ? -1 : writes(file, bytes, size);
}

int ftruncate(int file, off_t size)
{
    int (*cuts)(int, off_t) = NULL;
    *(void **)&cuts = next("ftruncate");
    return file_fails(file, "cut") ? -1 : cuts(file, size);
}

int fsync(int file)
{
    int (*syncs)(int) = NULL;
    *(void **)&syncs = next("fsync");
    return file_fails(file, "sync") ? -1 : syncs(file);
}

int rename(const char *from, const char *to)
{
    int (*renames)(const char *, const char *) = NULL;
    *(void **)&renames = next("rename");
    char full[PATH_MAX];
    const char *named = realpath(from, full);
    return fails(named ? named : from, "rename") ? -1 : renames(from, to);
}

int unlink(const char *path)
{
    int (*removes)(const char *) = NULL;
    *(void **)&removes = next("unlink");
    char full[PATH_MAX];
    const char *named = realpath(path, full);
    return named && fails(named, "remove") ? -1 : removes(path);
}
