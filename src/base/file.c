#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/leftovers.h"
#include "base/memory.h"

/* Names to try: other threads, other hosts and killed processes may hold some. */
enum { ATTEMPTS = 100 };

enum berth_status berth_io_error(const char *path, const char *what, int code,
                                 struct berth_error *error)
{
    return berth_fail(error, BERTH_E_IO, "%s: cannot %s: %s", path, what, strerror(code));
}

int berth_write_at(int file, const void *bytes, size_t size, uint64_t place)
{
    for (size_t done = 0; done < size;) {
        const ssize_t put =
            pwrite(file, (const char *)bytes + done, size - done, (off_t)(place + done));
        if (put < 0 && errno != EINTR) {
            return errno;
        }
        done += put < 0 ? 0 : (size_t)put;
    }
    return 0;
}

int berth_read_at(int file, void *bytes, size_t size, uint64_t place, size_t *got)
{
    ssize_t more = 1;
    for (*got = 0; *got < size && more; *got += more < 0 ? 0 : (size_t)more) {
        more = pread(file, (char *)bytes + *got, size - *got, (off_t)(place + *got));
        if (more < 0 && errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

size_t berth_unpacked_length(const char *path)
{
    const size_t length = strlen(path);
    return length > 3 && strcasecmp(path + length - 3, ".gz") == 0 ? length - 3 : length;
}

const char *berth_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

size_t berth_file_stem(const char *path, const char **stem)
{
    *stem = berth_file_name(path);
    const size_t length = berth_unpacked_length(*stem);
    size_t dot = length;
    while (dot > 1 && (*stem)[dot - 1] != '.') {
        dot--;
    }
    return dot > 1 ? dot - 1 : length;
}

bool berth_is_same_file(const char *path, const char *other)
{
    struct stat one, two;
    return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_dev == two.st_dev &&
           one.st_ino == two.st_ino;
}

enum berth_status berth_directory_make(const char *path, struct berth_error *error)
{
    char *part = berth_copy_text(path);
    if (!part) {
        return berth_out_of_memory(error, path);
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
    return code ? berth_io_error(path, "make the directory", code, error) : BERTH_OK;
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
    if (file >= 0) {
        berth_leftovers_add(temporary);
    }
    return file;
}

enum berth_status berth_file_remove(const char *path, enum berth_status status,
                                    struct berth_error *error)
{
    const int code = unlink(path) == 0 || errno == ENOENT ? 0 : errno;
    if (code && !status) {
        return berth_io_error(path, "remove", code, error);
    }
    if (code && error) {
        char why[sizeof error->message];
        snprintf(why, sizeof why, "%s", error->message);
        berth_fail_option(error, status, error->option,
                          "%.1024s; %.768s stays, for it cannot be removed: %s", why, path,
                          strerror(code));
    }
    return status;
}

enum berth_status berth_file_replace(const char *path, const void *bytes, size_t size,
                                     struct berth_error *error)
{
    const size_t length = strlen(path) + 48;
    char *temporary;
    BERTH_TRY(berth_make(&temporary, length, 1, path, error));
    const int file = create_beside(path, temporary, length);
    int code = file < 0 ? errno : berth_write_at(file, bytes, size, 0);
    if (!code && fsync(file) != 0) {
        code = errno;
    }
    if (file >= 0 && close(file) != 0 && !code) {
        code = errno;
    }
    if (!code && rename(temporary, path) != 0) {
        code = errno;
    }
    if (code && file >= 0) {
        unlink(temporary);
    }
    berth_leftovers_forget(temporary);
    free(temporary);
    return code ? berth_io_error(path, "write", code, error) : BERTH_OK;
}

enum berth_status berth_file_look_plain(int file, const char *path, struct stat *facts,
                                        struct berth_error *error)
{
    return fstat(file, facts) != 0    ? berth_io_error(path, "look at", errno, error)
           : !S_ISREG(facts->st_mode) ? berth_fail(error, BERTH_E_IO, "%s: is no plain file", path)
                                      : BERTH_OK;
}

enum berth_status berth_file_open_plain(const char *path, FILE **file, struct berth_error *error)
{
    struct stat facts;
    const int opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    *file = NULL;
    if (opened < 0) {
        return berth_io_error(path, "open", errno, error);
    }
    enum berth_status status = berth_file_look_plain(opened, path, &facts, error);
    if (!status && !(*file = fdopen(opened, "rb"))) {
        status = berth_out_of_memory(error, path);
    }
    if (status) {
        close(opened);
    }
    return status;
}

enum berth_status berth_file_check_plain(const char *path, struct berth_error *error)
{
    FILE *file;
    BERTH_TRY(berth_file_open_plain(path, &file, error));
    fclose(file);
    return BERTH_OK;
}

enum berth_status berth_program_folder(char *folder, struct berth_error *error)
{
    const ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    if (length <= 0) {
        return berth_fail(error, BERTH_E_IO,
                          "/proc/self/exe cannot be read, so what stands beside the program cannot "
                          "be found");
    }
    folder[length] = '\0';
    *strrchr(folder, '/') = '\0';
    return BERTH_OK;
}

char *berth_path_join(const char *a, const char *b)
{
    const size_t size = strlen(a) + strlen(b) + 2;
    char *path = berth_alloc(size, 1);
    if (path) {
        snprintf(path, size, "%s/%s", a, b);
    }
    return path;
}

char *berth_cache_directory(void)
{
    const char *own = getenv("BERTH_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (own) {
        return *own ? berth_copy_text(own) : NULL;
    }
    if (xdg && *xdg == '/') { /* the XDG specification: a relative path is to be ignored */
        return berth_path_join(xdg, "berth");
    }
    return home && *home ? berth_path_join(home, ".cache/berth") : NULL;
}
