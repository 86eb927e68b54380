#include "device/tuning.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/own.h"
#include "device/cache.h"

static const char NAME[] = "tuning.tsv";

enum { FILE_MAX = 1 << 20 }; /* bytes; a longer file is not one of ours */

/* A line of a text, and its row; tunables is NULL where it is none. */
struct row {
    size_t line; /* its number, from 1 */
    char *device, *driver, *tunables;
};

/* The user's file: its path and, where it is there and may be used, its text.  Both are owned. */
struct file {
    char *directory, *path; /* NULL where there is to be none */
    char *text;
};

/* Ends text at its first tab; gives what stands behind it, NULL where there is none. */
static char *divide(char *text)
{
    text = text ? strchr(text, '\t') : NULL;
    if (text) {
        *text++ = '\0';
    }
    return text;
}

/* Takes the next line that is neither empty nor a comment out of a text, from *at on; false at the
 * end.  *row was zeroed before the first. */
static bool next_line(char **at, struct row *row)
{
    while (**at) {
        char *line = *at, *end = line + strcspn(line, "\n");
        *at = end + (*end == '\n');
        line[strcspn(line, "\r\n")] = '\0';
        row->line++;
        if (*line && *line != '#') {
            row->device = line;
            row->driver = divide(line);
            row->tunables = divide(row->driver);
            return true;
        }
    }
    return false;
}

static bool is_for(const struct row *row, const struct berth_device *device)
{
    return row->tunables &&
           (strcmp(row->device, device->name) == 0 || fnmatch(row->device, device->name, 0) == 0) &&
           (strcmp(row->driver, "*") == 0 || strcmp(row->driver, device->driver) == 0);
}

static void close_user_file(struct file *file)
{
    free(file->directory);
    free(file->path);
    free(file->text);
}

/* Finds the user's file and reads it.  Its path, if there is to be one, is given with an error,
 * too. The caller closes *file either way. */
static enum berth_status open_user_file(struct file *file, struct berth_error *error)
{
    size_t size;
    unsigned char *text;
    memset(file, 0, sizeof *file);
    file->directory = berth_cache_directory();
    if (!file->directory) {
        return BERTH_OK;
    }
    file->path = berth_path_join(file->directory, NAME);
    if (!file->path) {
        return berth_out_of_memory(error, file->directory);
    }
    const struct berth_own_file wanted = {file->directory, NAME, FILE_MAX, false};
    const enum berth_status status = berth_file_read_own(&wanted, &text, &size, error);
    file->text = (char *)text;
    return status;
}

/* Offers the rows of one text, which is taken apart; path: its file, for the log. */
static bool find_in(char *text, const struct berth_device *device,
                    const struct berth_tuning_taker *taker, const char *path,
                    const struct berth_log *log)
{
    struct row row = {0};
    struct berth_error why;
    while (text && next_line(&text, &row)) {
        if (!is_for(&row, device)) {
            continue;
        }
        if (strlen(row.tunables) >= BERTH_TUNING_TEXT) {
            berth_fail(&why, BERTH_E_FORMAT, "more than %d characters", BERTH_TUNING_TEXT - 1);
        } else if (!taker->take(taker->context, row.tunables, &why)) {
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
    char *shipped = berth_copy_text(berth_embedded_tuning.text);
    const bool found = find_in(file.text, device, taker, file.path, log) ||
                       find_in(shipped, device, taker, NULL, NULL);
    free(shipped);
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
    for (char *at = file.text; at && next_line(&at, &row);) {
        if (!row.tunables) {
            berth_warn(log, NULL,
                       "%s:%zu: not DEVICE, DRIVER and TUNABLES with tabs between; this line "
                       "is ignored",
                       file.path, row.line);
        }
    }
    close_user_file(&file);
}

/* The old file's rows, which are taken apart, but the device's, and the new one. */
static char *with_row(char *old, const struct berth_device *device, const char *tunables)
{
    const size_t room = (old ? strlen(old) : 0) + sizeof device->name + sizeof device->driver +
                        strlen(tunables) + 16;
    char *text = berth_alloc(room, 1);
    size_t used = 0;
    struct row row = {0};
    while (text && old && next_line(&old, &row)) {
        if (row.tunables && !is_for(&row, device)) {
            used += (size_t)snprintf(text + used, room - used, "%s\t%s\t%s\n", row.device,
                                     row.driver, row.tunables);
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
    BERTH_THEN(berth_directory_make_own(file.directory, error));
    BERTH_THEN(berth_file_replace(file.path, text, strlen(text), error));
    if (path && !status) {
        *path = file.path;
        file.path = NULL;
    }
    free(text);
    close_user_file(&file);
    return status;
}
