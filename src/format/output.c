#include "format/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file.h"
#include "base/leftovers.h"
#include "base/lock.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/fields.h"

/* Names to try: a killed process may have left its file, and process ids come again. */
enum { ATTEMPTS = 100 };

/* Bytes of a host's name that the name of a temporary file has, and of all that it adds. */
enum { HOST_SIZE = 48, ADDED_SIZE = HOST_SIZE + 64 };

struct berth_output {
    char *path;      /* owned */
    char *temporary; /* owned; NULL when writing straight to path (standard output, a device) */
    FILE *file;
    int failure; /* errno of the first write that failed, 0 while all is well */

    /* NULL: bytes stand in the file as they are.  The gzip member that is written has no name and
     * time: the same bytes give the same file. */
    gzFile packed;
};

/* The folder that path lies in, which the caller frees; NULL when out of memory. */
static char *folder_of(const char *path)
{
    char *folder = berth_copy_text(path);
    char *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash) {
        slash[slash == folder ? 1 : 0] = '\0';
    } else if (folder) {
        free(folder);
        folder = berth_copy_text(".");
    }
    return folder;
}

static enum berth_status check_stdout(struct berth_error *error)
{
    const int flags = fcntl(STDOUT_FILENO, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) {
        return berth_io_error("standard output", "write", EBADF, error);
    }
    return BERTH_OK;
}

/* *plain: path is a regular file, or none is there. */
static enum berth_status check_path(const char *path, bool *plain, struct berth_error *error)
{
    struct stat facts;
    const int code = stat(path, &facts) == 0 ? 0 : errno;
    *plain = code || S_ISREG(facts.st_mode);
    if (code) {
        return code == ENOENT ? BERTH_OK : berth_io_error(path, "create", code, error);
    }
    if (S_ISDIR(facts.st_mode)) {
        return berth_fail(error, BERTH_E_IO, "%s: is a directory, a file is needed", path);
    }
    /* The rename would replace a protected file all the same: respect that somebody protected it.
     */
    return access(path, W_OK) == 0
               ? BERTH_OK
               : berth_io_error(path, *plain ? "replace" : "write", errno, error);
}

enum berth_status berth_output_new(const char *path, bool overwrite, struct berth_error *error)
{
    struct stat facts;
    return !overwrite && stat(path, &facts) == 0 && S_ISREG(facts.st_mode)
               ? berth_fail_option(error, BERTH_E_USAGE, "overwrite",
                                   "%s: exists already; give another name, or overwrite it", path)
               : BERTH_OK;
}

bool berth_output_is_file(const char *path, const char *other)
{
    struct stat of_path, of_other;
    if (strcmp(path, other) == 0) {
        return strcmp(path, "-") != 0;
    }
    return stat(path, &of_path) == 0 && stat(other, &of_other) == 0 && S_ISREG(of_path.st_mode) &&
           of_path.st_dev == of_other.st_dev && of_path.st_ino == of_other.st_ino;
}

enum berth_status berth_output_probe(const char *path, struct berth_error *error)
{
    bool plain;
    if (strcmp(path, "-") == 0) {
        return check_stdout(error);
    }
    enum berth_status status = check_path(path, &plain, error);
    if (!status && plain) {
        char *folder = folder_of(path);
        if (!folder) {
            return berth_out_of_memory(error, path);
        }
        if (access(folder, W_OK | X_OK) != 0) {
            status = berth_io_error(path, "create", errno, error);
        }
        free(folder);
    }
    return status;
}

/* The process that the rest of a temporary file's name, "PID" or "PID.ATTEMPT", tells; 0: none. */
static pid_t process_of(const char *rest)
{
    char *end;
    const long process = strtol(rest, &end, 10);
    const bool ends = *end == '\0' || (*end == '.' && end[1 + strspn(end + 1, "0123456789")] == 0);
    return ends && process > 0 && process <= INT_MAX ? (pid_t)process : 0;
}

/* True where no process writes the file: the one that made it is gone, and none whose number means
 * nothing here (of another container, say) has it locked. */
static bool is_left_over(int folder, const char *name, pid_t process)
{
    if (!process || kill(process, 0) == 0 || errno != ESRCH) {
        return false;
    }
    const int file = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct berth_lock lock;
    const bool free_to_go = file >= 0 && berth_lock_take(&lock, file, true) == 0;
    if (file >= 0) {
        close(file);
    }
    return free_to_go;
}

/* Removes what processes that were killed left of their outputs to the same path. */
static void remove_left_over(const char *path, const char *stem)
{
    const char *begin = stem + (berth_file_name(path) - path);
    char *name = folder_of(path);
    DIR *folder = name ? opendir(name) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (strncmp(entry->d_name, begin, strlen(begin)) == 0 &&
            is_left_over(dirfd(folder), entry->d_name, process_of(entry->d_name + strlen(begin)))) {
            unlinkat(dirfd(folder), entry->d_name, 0);
        }
    }
    if (folder) {
        closedir(folder);
    }
    free(name);
}

/* Creates the file beside the final one.  *file is its descriptor. */
static enum berth_status open_temporary(struct berth_output *output, int *file,
                                        struct berth_error *error)
{
    const size_t size = strlen(output->path) + ADDED_SIZE;
    BERTH_TRY(berth_make(&output->temporary, size, 1, output->path, error));
    /* Begins the names of this host's temporary files for path.  The host is in them since the
     * process that they name is one of its own: others may share the folder. */
    char host[HOST_SIZE + 1] = "";
    gethostname(host, HOST_SIZE);
    snprintf(output->temporary, size, "%s.tmp.%s.", output->path, host);
    remove_left_over(output->path, output->temporary);
    const size_t stem = strlen(output->temporary);
    int code = EEXIST;
    for (int attempt = 0; code == EEXIST && attempt < ATTEMPTS; attempt++) {
        const int length = snprintf(output->temporary + stem, size - stem, "%ld", (long)getpid());
        if (attempt) {
            snprintf(output->temporary + stem + length, size - stem - (size_t)length, ".%d",
                     attempt);
        }
        *file = open(output->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        code = *file < 0 ? errno : 0;
    }
    if (!code) { /* as long as it is open; where there are no locks, the process tells */
        struct berth_lock lock;
        berth_lock_take(&lock, *file, true);
        berth_leftovers_add(output->temporary);
    }
    return code ? berth_io_error(output->path, "create", code, error) : BERTH_OK;
}

/* Opens what the text goes to: *file is its descriptor. */
static enum berth_status open_target(struct berth_output *output, int *file,
                                     struct berth_error *error)
{
    const char *path = output->path;
    if (strcmp(path, "-") == 0) {
        enum berth_status status = check_stdout(error);
        *file = status ? -1 : dup(STDOUT_FILENO);
        return !status && *file < 0 ? berth_io_error("standard output", "write", errno, error)
                                    : status;
    }
    bool plain;
    enum berth_status status = check_path(path, &plain, error);
    if (status || plain) {
        return status ? status : open_temporary(output, file, error);
    }
    *file = open(path, O_WRONLY | O_CLOEXEC);
    return *file < 0 ? berth_io_error(path, "write", errno, error) : BERTH_OK;
}

bool berth_output_is_packed(const char *path)
{
    return path[berth_unpacked_length(path)] != '\0';
}

void berth_output_beside(const char *output, const char *what, char *path, size_t size)
{
    const char *name;
    const size_t length = berth_file_stem(output, &name);
    snprintf(path, size, "%.*s.%s", (int)((size_t)(name - output) + length), output, what);
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
        return berth_out_of_memory(error, path);
    }
    int file = -1;
    enum berth_status status = open_target(made, &file, error);
    if (status) {
        free(made->temporary); /* never created: nothing to remove */
        made->temporary = NULL;
    } else if (!(made->file = fdopen(file, "w"))) {
        status = berth_io_error(path, "write", errno, error);
        close(file);
    } else if (berth_output_is_packed(path)) {
        const int packed = fcntl(file, F_DUPFD_CLOEXEC, 0);
        made->packed = gzdopen(packed, "wb");
        if (!made->packed) {
            close(packed);
            status = berth_out_of_memory(error, path);
        }
    }
    if (status) {
        berth_output_discard(made);
        return status;
    }
    *output = made;
    return BERTH_OK;
}

enum berth_status berth_output_create_memory(char **text, size_t *size,
                                             struct berth_output **output,
                                             struct berth_error *error)
{
    struct berth_output *made = berth_alloc(1, sizeof *made);
    *output = NULL;
    *text = NULL;
    if (made) {
        made->path = berth_copy_text("memory");
        made->file = open_memstream(text, size);
    }
    if (!made || !made->path || !made->file) {
        berth_output_discard(made); /* which leaves a text */
        free(*text);
        *text = NULL;
        return berth_out_of_memory(error, NULL);
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

static __attribute__((format(printf, 2, 0))) void pack_text(struct berth_output *output,
                                                            const char *format, va_list arguments)
{
    char *text = berth_text_format(format, arguments);
    if (text) {
        berth_output_bytes(output, text, strlen(text));
    } else {
        remember_failure(output);
    }
    free(text);
}

void berth_output_print(struct berth_output *output, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    errno = 0;
    if (output->packed) {
        pack_text(output, format, arguments);
    } else if (vfprintf(output->file, format, arguments) < 0) {
        remember_failure(output);
    }
    va_end(arguments);
}

void berth_output_bytes(struct berth_output *output, const void *bytes, size_t size)
{
    errno = 0;
    if (output->packed ? gzfwrite(bytes, 1, size, output->packed) != size
                       : fwrite(bytes, 1, size, output->file) != size) {
        remember_failure(output);
    }
}

void berth_output_text(struct berth_output *output, const char *text)
{
    char *escaped = berth_text_escape(text, "");
    if (escaped) {
        berth_output_bytes(output, escaped, strlen(escaped));
    } else {
        errno = ENOMEM;
        remember_failure(output);
    }
    free(escaped);
}

void berth_output_on_line(struct berth_output *output, const char *text)
{
    while (*text) {
        const size_t length = strcspn(text, "\r\n");
        berth_output_print(output, "%.*s%s", (int)length, text, text[length] ? " " : "");
        text += length + (text[length] != '\0');
    }
}

/* True for what a spreadsheet would run, or take the apostrophe from.  Numbers are to stay numbers,
 * and a sign alone is nothing to run. */
static bool is_formula(const char *field)
{
    const struct berth_field whole = {field, strlen(field)};
    double value;
    return *field == '\'' ||
           (whole.length > 1 && strchr("=+-@\t\n", *field) && !berth_field_real(&whole, &value));
}

char *berth_output_csv_cell(const char *field)
{
    char *escaped = berth_text_escape(field, "\t\n");
    if (!escaped || !is_formula(escaped)) {
        return escaped;
    }
    const size_t size = strlen(escaped) + 1;
    char *cell = berth_alloc(size + 1, 1);
    if (cell) {
        *cell = '\'';
        memcpy(cell + 1, escaped, size);
    }
    free(escaped);
    return cell;
}

void berth_output_csv(struct berth_output *output, const char *field, char separator)
{
    char *cell = berth_output_csv_cell(field);
    if (!cell) {
        errno = ENOMEM;
        remember_failure(output);
        return;
    }
    const char *quote = cell[strcspn(cell, ",\"\n")] ? "\"" : "";
    berth_output_print(output, "%s", quote);
    for (const char *c = cell; *c;) {
        const size_t length = strcspn(c, "\"") + (strchr(c, '"') != NULL);
        berth_output_bytes(output, c, length);
        c += length;
        if (c[-1] == '"') {
            berth_output_bytes(output, "\"", 1);
        }
    }
    berth_output_print(output, separator ? "%s%c" : "%s", quote, separator);
    free(cell);
}

void berth_output_json(struct berth_output *output, const char *text)
{
    berth_output_print(output, "\"");
    while (*text) {
        const unsigned char c = (unsigned char)*text;
        const size_t size = berth_text_utf8(text);
        if (c == '"' || c == '\\') {
            berth_output_print(output, "\\%c", c);
        } else if (c < 0x20 || c == '<' || !size) {
            berth_output_print(output, "\\u%04x", c);
        } else {
            berth_output_bytes(output, text, size);
        }
        text += size ? size : 1;
    }
    berth_output_print(output, "\"");
}

enum berth_status berth_output_check(const struct berth_output *output, struct berth_error *error)
{
    if (!output->failure) {
        return BERTH_OK;
    }
    const char *path = strcmp(output->path, "-") == 0 ? "standard output" : output->path;
    return berth_io_error(path, "write", output->failure, error);
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
            return berth_io_error(from->path, "read back", got ? errno : EIO, error);
        }
        berth_output_bytes(output, bytes, (size_t)got);
        begin += (uint64_t)got;
        status = berth_output_check(output, error);
    }
    return status;
}

void berth_output_sync_directory(const char *path)
{
    char *folder = folder_of(path);
    const int file = folder ? open(folder, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0) {
        fsync(file);
        close(file);
    }
    free(folder);
}

enum berth_status berth_output_sync(struct berth_output *output, struct berth_error *error)
{
    errno = 0;
    const int packed = output->packed ? gzclose(output->packed) : Z_OK;
    output->packed = NULL;
    if (packed != Z_OK || fflush(output->file) != 0 ||
        (!output->failure && output->temporary && fsync(fileno(output->file)) != 0)) {
        remember_failure(output);
    }
    return berth_output_check(output, error);
}

/* Removes what was written, behind an error, and frees output (or NULL). */
static enum berth_status discard(struct berth_output *output, enum berth_status status,
                                 struct berth_error *error)
{
    if (!output) {
        return status;
    }
    if (output->packed) {
        gzclose(output->packed);
    }
    if (output->file) {
        fclose(output->file);
    }
    if (output->temporary) {
        berth_file_remove(output->temporary, status, error);
        berth_leftovers_forget(output->temporary);
    }
    free(output->temporary);
    free(output->path);
    free(output);
    return status;
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
            status = berth_io_error(output->path, "create", errno, error);
        } else {
            berth_output_sync_directory(output->path);
            berth_leftovers_forget(output->temporary);
            free(output->temporary);
            output->temporary = NULL;
        }
    }
    return discard(output, status, error);
}

enum berth_status berth_output_unname(struct berth_output *output, struct berth_error *error)
{
    BERTH_TRY(berth_file_remove(output->temporary, BERTH_OK, error));
    berth_leftovers_forget(output->temporary);
    free(output->temporary);
    output->temporary = NULL;
    return BERTH_OK;
}

void berth_output_discard(struct berth_output *output)
{
    discard(output, BERTH_E_IO, NULL);
}

/* --- Folders --- */

enum berth_status berth_path_in(const char *folder, const char *name, char *path, size_t size,
                                struct berth_error *error)
{
    const int length = snprintf(path, size, "%s/%s", folder, name);
    return length > 0 && (size_t)length < size
               ? BERTH_OK
               : berth_fail(error, BERTH_E_USAGE, "the folder's name is too long: %s", folder);
}

enum berth_status berth_output_create_in(const char *folder, const char *name,
                                         struct berth_output **output, struct berth_error *error)
{
    char path[PATH_MAX];
    BERTH_TRY(berth_path_in(folder, name, path, sizeof path, error));
    return berth_output_create(path, output, error);
}

enum berth_status berth_folder_make(const char *path, struct berth_error *error)
{
    struct stat facts;
    if (mkdir(path, 0777) == 0) {
        berth_output_sync_directory(path);
    } else if (errno != EEXIST) {
        return berth_io_error(path, "make the folder", errno, error);
    }
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode)
               ? BERTH_OK
               : berth_fail(error, BERTH_E_IO, "%s: is no folder", path);
}

void berth_folder_sweep(const char *path, const char *const *names, size_t count)
{
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        for (size_t i = 0; i < count; i++) {
            const size_t length = strlen(names[i]);
            if (strncmp(entry->d_name, names[i], length) == 0 &&
                strncmp(entry->d_name + length, ".tmp.", 5) == 0) {
                unlinkat(dirfd(folder), entry->d_name, 0);
            }
        }
    }
    if (folder) {
        closedir(folder);
    }
}

enum berth_status berth_folder_probe(const char *folder, const char *const *names, size_t count,
                                     struct berth_error *error)
{
    struct stat facts;
    if (stat(folder, &facts) != 0) {
        /* A folder is made with or without slashes behind its name. */
        char *path = berth_copy_text(folder);
        if (!path) {
            return berth_out_of_memory(error, folder);
        }
        for (size_t length = strlen(path); length > 1 && path[length - 1] == '/'; length--) {
            path[length - 1] = '\0';
        }
        const enum berth_status status = berth_output_probe(path, error);
        free(path);
        return status;
    }
    if (!S_ISDIR(facts.st_mode)) {
        return berth_fail(error, BERTH_E_IO, "%s: is no folder", folder);
    }
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < count; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        status = berth_output_probe(path, error);
    }
    return status;
}

enum berth_status berth_output_finish(struct berth_output *output, enum berth_status status,
                                      struct berth_error *error)
{
    return output && !status ? berth_output_commit(output, error) : discard(output, status, error);
}
