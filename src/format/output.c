#include "format/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

/* Names to try: a killed process may have left its file, and process ids come again. */
enum { ATTEMPTS = 100 };

struct berth_output {
    char *path;      /* owned */
    char *temporary; /* owned; NULL when writing straight to path (standard output, a device) */
    FILE *file;
    int failure; /* errno of the first write that failed, 0 while all is well */
};

static enum berth_status io_error(const char *path, const char *what, int code,
                                  struct berth_error *error)
{
    return berth_fail(error, BERTH_E_IO, "%s: cannot %s: %s", path, what, strerror(code));
}

/* Creates the file beside the final one.  *file is its descriptor. */
static enum berth_status open_temporary(struct berth_output *output, int *file,
                                        struct berth_error *error)
{
    size_t size = strlen(output->path) + 64;
    output->temporary = berth_alloc(size, 1);
    if (!output->temporary) {
        return berth_fail(error, BERTH_E_MEMORY, "%s: out of memory", output->path);
    }
    int code = EEXIST;
    for (int attempt = 0; code == EEXIST && attempt < ATTEMPTS; attempt++) {
        int length = snprintf(output->temporary, size, "%s.tmp.%ld", output->path, (long)getpid());
        if (attempt) {
            snprintf(output->temporary + length, size - (size_t)length, ".%d", attempt);
        }
        *file = open(output->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        code = *file < 0 ? errno : 0;
    }
    return code ? io_error(output->path, "create", code, error) : BERTH_OK;
}

/* Opens what the text goes to: *file is its descriptor. */
static enum berth_status open_target(struct berth_output *output, int *file,
                                     struct berth_error *error)
{
    const char *path = output->path;
    if (strcmp(path, "-") == 0) {
        *file = dup(STDOUT_FILENO);
        return *file < 0 ? io_error("standard output", "write", errno, error) : BERTH_OK;
    }
    struct stat facts;
    if (stat(path, &facts) == 0) {
        if (S_ISDIR(facts.st_mode)) {
            return berth_fail(error, BERTH_E_IO, "%s: is a directory, a file is needed", path);
        }
        if (!S_ISREG(facts.st_mode)) {
            *file = open(path, O_WRONLY | O_CLOEXEC);
            return *file < 0 ? io_error(path, "write", errno, error) : BERTH_OK;
        }
        /* The rename would replace it all the same: respect that somebody protected it. */
        if (access(path, W_OK) != 0) {
            return io_error(path, "replace", errno, error);
        }
    }
    return open_temporary(output, file, error);
}

enum berth_status berth_output_create(const char *path, struct berth_output **output,
                                      struct berth_error *error)
{
    *output = NULL;
    struct berth_output *made = berth_alloc(1, sizeof *made);
    if (made) {
        made->path = berth_copy_text(path);
    }
    if (!made || !made->path) {
        berth_output_discard(made);
        return berth_fail(error, BERTH_E_MEMORY, "%s: out of memory", path);
    }
    int file = -1;
    enum berth_status status = open_target(made, &file, error);
    if (status) {
        free(made->temporary); /* never created: nothing to remove */
        made->temporary = NULL;
        berth_output_discard(made);
        return status;
    }
    made->file = fdopen(file, "w");
    if (!made->file) {
        close(file);
        berth_output_discard(made);
        return berth_fail(error, BERTH_E_MEMORY, "%s: out of memory", path);
    }
    *output = made;
    return BERTH_OK;
}

static void remember_failure(struct berth_output *output)
{
    if (!output->failure) {
        output->failure = errno ? errno : EIO;
    }
}

void berth_output_print(struct berth_output *output, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    errno = 0;
    if (vfprintf(output->file, format, arguments) < 0) {
        remember_failure(output);
    }
    va_end(arguments);
}

void berth_output_bytes(struct berth_output *output, const void *bytes, size_t size)
{
    errno = 0;
    if (fwrite(bytes, 1, size, output->file) != size) {
        remember_failure(output);
    }
}

void berth_output_csv(struct berth_output *output, const char *field, char separator)
{
    errno = 0;
    if (!field[strcspn(field, ",\"\r\n")]) {
        fputs(field, output->file);
    } else {
        putc('"', output->file);
        for (; *field; field++) {
            if (*field == '"') {
                putc('"', output->file);
            }
            putc(*field, output->file);
        }
        putc('"', output->file);
    }
    putc(separator, output->file);
    if (ferror(output->file)) {
        remember_failure(output);
    }
}

enum berth_status berth_output_check(const struct berth_output *output, struct berth_error *error)
{
    if (!output->failure) {
        return BERTH_OK;
    }
    const char *path = strcmp(output->path, "-") == 0 ? "standard output" : output->path;
    return io_error(path, "write", output->failure, error);
}

uint64_t berth_output_size(const struct berth_output *output)
{
    const off_t size = ftello(output->file);
    return size < 0 ? 0 : (uint64_t)size;
}

enum berth_status berth_output_copy(struct berth_output *output, struct berth_output *from,
                                    uint64_t begin, uint64_t end, struct berth_error *error)
{
    char bytes[1 << 14];
    if (fflush(from->file) != 0) {
        remember_failure(from);
    }
    enum berth_status status = berth_output_check(from, error);
    while (!status && begin < end) {
        const size_t wanted = end - begin < sizeof bytes ? (size_t)(end - begin) : sizeof bytes;
        const ssize_t got = pread(fileno(from->file), bytes, wanted, (off_t)begin);
        if (got <= 0) {
            return io_error(from->path, "read back", got ? errno : EIO, error);
        }
        berth_output_bytes(output, bytes, (size_t)got);
        begin += (uint64_t)got;
        status = berth_output_check(output, error);
    }
    return status;
}

void berth_output_sync_directory(const char *path)
{
    char *directory = berth_copy_text(path);
    if (!directory) {
        return;
    }
    char *slash = strrchr(directory, '/');
    if (slash) {
        slash[slash == directory ? 1 : 0] = '\0';
    }
    int file = open(slash ? directory : ".", O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        fsync(file);
        close(file);
    }
    free(directory);
}

enum berth_status berth_output_sync(struct berth_output *output, struct berth_error *error)
{
    errno = 0;
    if (fflush(output->file) != 0) {
        remember_failure(output);
    }
    if (!output->failure && output->temporary && fsync(fileno(output->file)) != 0) {
        remember_failure(output);
    }
    return berth_output_check(output, error);
}

enum berth_status berth_output_commit(struct berth_output *output, struct berth_error *error)
{
    enum berth_status status = berth_output_sync(output, error);
    errno = 0;
    if (fclose(output->file) != 0) {
        remember_failure(output);
    }
    output->file = NULL;
    status = status ? status : berth_output_check(output, error);
    if (!status && output->temporary) {
        if (rename(output->temporary, output->path) != 0) {
            status = io_error(output->path, "create", errno, error);
        } else {
            berth_output_sync_directory(output->path);
            free(output->temporary);
            output->temporary = NULL;
        }
    }
    berth_output_discard(output);
    return status;
}

void berth_output_discard(struct berth_output *output)
{
    if (!output) {
        return;
    }
    if (output->file) {
        fclose(output->file);
    }
    if (output->temporary) {
        unlink(output->temporary);
    }
    free(output->temporary);
    free(output->path);
    free(output);
}
