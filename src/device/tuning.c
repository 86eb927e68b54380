#include "device/tuning.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/file.h"
#include "base/memory.h"
#include "device/cache.h"

static const char NAME[] = "tuning.tsv";

enum { FILE_MAX = 1 << 20 }; /* bytes; a longer file is not one of ours */

/* A line of a text, and its row, if it is one. */
struct row {
    const char *begin, *end; /* the line, without its end */
    size_t line;             /* its number, from 1 */
    const char *driver, *tunables;
};

/* The user's file: its path and, where it is there and may be used, its text.  Both are owned. */
struct file {
    char *directory, *path; /* NULL where there is to be none */
    char *text;
};

/* Divides the line; false for one that is no row. */
static bool divide(struct row *row)
{
    const char *tab = memchr(row->begin, '\t', (size_t)(row->end - row->begin));
    row->driver = tab ? tab + 1 : NULL;
    tab = tab ? memchr(row->driver, '\t', (size_t)(row->end - row->driver)) : NULL;
    row->tunables = tab ? tab + 1 : NULL;
    return tab;
}

/* Gives the next line of text that is neither empty nor a comment, from *at on; false at the end.
 * *row was zeroed before the first. */
static bool next_line(const char **at, struct row *row)
{
    while (**at) {
        const size_t length = strcspn(*at, "\n");
        row->begin = *at;
        row->end = *at + length;
        row->line++;
        *at = row->end + (*row->end == '\n');
        row->end -= length && row->end[-1] == '\r';
        if (row->end > row->begin && *row->begin != '#') {
            return true;
        }
    }
    return false;
}

static bool next_row(const char **at, struct row *row)
{
    while (next_line(at, row)) {
        if (divide(row)) {
            return true;
        }
    }
    return false;
}

static bool equals(const char *begin, const char *end, const char *text)
{
    return strlen(text) == (size_t)(end - begin) && memcmp(begin, text, strlen(text)) == 0;
}

static bool is_for(const struct row *row, const struct berth_device *device)
{
    const char *driver_end = row->tunables - 1;
    char pattern[sizeof device->name];
    snprintf(pattern, sizeof pattern, "%.*s", (int)(row->driver - 1 - row->begin), row->begin);
    return (strcmp(pattern, device->name) == 0 || fnmatch(pattern, device->name, 0) == 0) &&
           (equals(row->driver, driver_end, "*") ||
            equals(row->driver, driver_end, device->driver));
}

static void close_user_file(struct file *file)
{
    free(file->directory);
    free(file->path);
    free(file->text);
}

static enum berth_status read_text(int opened, size_t size, struct file *file,
                                   struct berth_error *error)
{
    if (size > FILE_MAX) {
        return berth_fail(error, BERTH_E_IO, "%s: is too long (%zu bytes)", file->path, size);
    }
    BERTH_TRY(berth_make(&file->text, size + 1, 1, file->path, error));
    const ssize_t got = read(opened, file->text, size);
    return got < 0
               ? berth_fail(error, BERTH_E_IO, "%s: cannot read: %s", file->path, strerror(errno))
               : BERTH_OK;
}

/* Finds the user's file and reads it.  Its path, if there is to be one, is given with an error,
 * too. The caller closes *file either way. */
static enum berth_status open_user_file(struct file *file, struct berth_error *error)
{
    int opened = -1;
    size_t size = 0;
    memset(file, 0, sizeof *file);
    file->directory = berth_cache_directory();
    if (!file->directory) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_make(&file->path, strlen(file->directory) + sizeof NAME + 1, 1, file->directory,
                         error));
    sprintf(file->path, "%s/%s", file->directory, NAME);
    enum berth_status status = berth_file_open_own(file->directory, NAME, &opened, &size, error);
    if (opened >= 0) {
        status = read_text(opened, size, file, error);
        close(opened);
    }
    return status;
}

/* Offers the row; false where it is not taken, for the reason in *error. */
static bool offer(const struct row *row, const struct berth_tuning_taker *taker,
                  struct berth_error *error)
{
    char tunables[BERTH_TUNING_TEXT];
    const size_t length = (size_t)(row->end - row->tunables);
    if (length >= sizeof tunables) {
        berth_fail(error, BERTH_E_FORMAT, "more than %d characters", BERTH_TUNING_TEXT - 1);
        return false;
    }
    memcpy(tunables, row->tunables, length);
    tunables[length] = '\0';
    return !taker->take(taker->context, tunables, error);
}

/* Offers the rows of one text; path: its file, for the log. */
static bool find_in(const char *text, const struct berth_device *device,
                    const struct berth_tuning_taker *taker, const char *path,
                    const struct berth_log *log)
{
    struct row row = {0};
    struct berth_error why;
    while (text && next_row(&text, &row)) {
        if (!is_for(&row, device)) {
            continue;
        }
        if (offer(&row, taker, &why)) {
            return true;
        }
        berth_warn(log, NULL, "%s:%zu: %s; this row is ignored", path, row.line, why.message);
    }
    return false;
}

bool berth_tuning_find(const struct berth_device *device, const struct berth_tuning_taker *taker,
                       const struct berth_log *log)
{
    struct file file;
    struct berth_error ignored; /* berth_tuning_check tells */
    open_user_file(&file, &ignored);
    const bool found = find_in(file.text, device, taker, file.path, log) ||
                       find_in(berth_embedded_tuning.text, device, taker, NULL, NULL);
    close_user_file(&file);
    return found;
}

void berth_tuning_check(const struct berth_log *log)
{
    struct file file;
    struct berth_error why;
    if (open_user_file(&file, &why)) {
        berth_warn(log, NULL, "%s; nothing is taken from there", why.message);
    }
    struct row row = {0};
    for (const char *at = file.text; at && next_line(&at, &row);) {
        if (!divide(&row)) {
            berth_warn(log, NULL,
                       "%s:%zu: not DEVICE, DRIVER and TUNABLES with tabs between; this line "
                       "is ignored",
                       file.path, row.line);
        }
    }
    close_user_file(&file);
}

/* The old file's rows but the device's, and the new one. */
static char *with_row(const char *old, const struct berth_device *device, const char *tunables)
{
    const size_t room = (old ? strlen(old) : 0) + sizeof device->name + sizeof device->driver +
                        strlen(tunables) + 16;
    char *text = berth_alloc(room, 1);
    size_t used = 0;
    struct row row = {0};
    while (text && old && next_row(&old, &row)) {
        if (!is_for(&row, device)) {
            used += (size_t)snprintf(text + used, room - used, "%.*s\n", (int)(row.end - row.begin),
                                     row.begin);
        }
    }
    if (text) {
        snprintf(text + used, room - used, "%s\t%s\t%s\n", device->name, device->driver, tunables);
    }
    return text;
}

enum berth_status berth_tuning_store(const struct berth_device *device, const char *tunables,
                                     char **path, struct berth_error *error)
{
    struct file file;
    enum berth_status status = BERTH_OK;
    open_user_file(&file, NULL); /* what may not be used is replaced */
    char *text = with_row(file.text, device, tunables);
    if (!file.directory) {
        status = berth_fail(error, BERTH_E_IO,
                            "there is no cache directory to store the tunables in: set HOME, or "
                            "BERTH_CACHE_DIR to a folder");
    } else if (!text || !file.path) {
        status = berth_out_of_memory(error, NULL);
    }
    BERTH_THEN(berth_directory_make(file.directory, error));
    BERTH_THEN(berth_directory_check_own(file.directory, error));
    BERTH_THEN(berth_file_replace(file.path, text, strlen(text), error));
    if (path && !status) {
        *path = file.path;
        file.path = NULL;
    }
    free(text);
    close_user_file(&file);
    return status;
}
