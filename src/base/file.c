#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

/* Names to try: other threads, other hosts and killed processes may hold some. */
enum { ATTEMPTS = 100 };

static enum berth_status io_error(const char *path, const char *what, int code,
                                  struct berth_error *error)
{
    return berth_fail(error, BERTH_E_IO, "%s: cannot %s: %s", path, what, strerror(code));
}

enum berth_status berth_directory_make(const char *path, struct berth_error *error)
{
    char *part = berth_copy_text(path);
    if (!part) {
        return berth_fail(error, BERTH_E_MEMORY, "%s: out of memory", path);
    }
    int code = 0;
    for (char *end = part; *end; end++) {
        if (*end == '/' && end > part) {
            *end = '\0';
            mkdir(part, 0700); /* where this fails, the last one does too and says why */
            *end = '/';
        }
    }
    struct stat facts;
    if (mkdir(part, 0700) != 0) {
        code = errno;
        code = stat(part, &facts) == 0 && S_ISDIR(facts.st_mode) ? 0 : code;
    }
    free(part);
    return code ? io_error(path, "make the directory", code, error) : BERTH_OK;
}

/* Creates a file beside path; its name goes to temporary (size bytes).  Gives its descriptor, or -1
 * with errno. */
static int create_beside(const char *path, char *temporary, size_t size)
{
    int file = -1;
    errno = EEXIST;
    for (int attempt = 0; file < 0 && errno == EEXIST && attempt < ATTEMPTS; attempt++) {
        snprintf(temporary, size, "%s.tmp.%ld.%d", path, (long)getpid(), attempt);
        file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    }
    return file;
}

/* Writes all bytes, to the disk itself; gives 0 or errno. */
static int write_all(int file, const char *bytes, size_t size)
{
    while (size) {
        const ssize_t written = write(file, bytes, size);
        if (written < 0 && errno != EINTR) {
            return errno;
        }
        if (written > 0) {
            bytes += written;
            size -= (size_t)written;
        }
    }
    return fsync(file) != 0 ? errno : 0;
}

enum berth_status berth_file_replace(const char *path, const void *bytes, size_t size,
                                     struct berth_error *error)
{
    const size_t length = strlen(path) + 48;
    char *temporary = berth_alloc(length, 1);
    if (!temporary) {
        return berth_fail(error, BERTH_E_MEMORY, "%s: out of memory", path);
    }
    const int file = create_beside(path, temporary, length);
    int code = file < 0 ? errno : write_all(file, bytes, size);
    if (file >= 0 && close(file) != 0 && !code) {
        code = errno;
    }
    if (!code && rename(temporary, path) != 0) {
        code = errno;
    }
    if (code && file >= 0) {
        unlink(temporary);
    }
    free(temporary);
    return code ? io_error(path, "write", code, error) : BERTH_OK;
}
