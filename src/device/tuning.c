#include "device/tuning.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/file.h"
#include "base/memory.h"
#include "device/cache.h"

enum { FILE_MAX = 1 << 20 }; /* bytes; a longer file is not one of ours */

/* A row within a text. */
struct row {
    const char *begin, *end; /* the line, without its end */
    const char *driver, *tunables;
};

/* Gives the next row of text, from *at on; false at the end. */
static bool next_row(const char **at, struct row *row)
{
    while (**at) {
        row->begin = *at;
        row->end = *at + strcspn(*at, "\r\n");
        *at = row->end + strspn(row->end, "\r\n");
        const size_t length = (size_t)(row->end - row->begin);
        const char *tab = memchr(row->begin, '\t', length);
        if (*row->begin == '#' || !tab) {
            continue;
        }
        row->driver = tab + 1;
        tab = memchr(row->driver, '\t', (size_t)(row->end - row->driver));
        if (tab) {
            row->tunables = tab + 1;
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

/* The user's file as text that the caller frees; NULL where there is none. */
static char *read_file(const char *path)
{
    FILE *file = path ? fopen(path, "rb") : NULL;
    char *text = file ? berth_alloc(FILE_MAX + 1, 1) : NULL;
    if (text) {
        text[fread(text, 1, FILE_MAX, file)] = '\0';
    }
    if (file) {
        fclose(file);
    }
    return text;
}

/* The name of the user's file, which the caller frees; NULL where there is to be none. */
static char *user_path(void)
{
    static const char NAME[] = "/tuning.tsv";
    char *directory = berth_cache_directory();
    char *path = directory ? berth_alloc(strlen(directory) + sizeof NAME, 1) : NULL;
    if (path) {
        strcat(strcpy(path, directory), NAME);
    }
    free(directory);
    return path;
}

static bool find_in(const char *text, const struct berth_device *device,
                    char tunables[BERTH_TUNING_TEXT])
{
    struct row row;
    while (text && next_row(&text, &row)) {
        const size_t length = (size_t)(row.end - row.tunables);
        if (is_for(&row, device) && length < BERTH_TUNING_TEXT) {
            memcpy(tunables, row.tunables, length);
            tunables[length] = '\0';
            return true;
        }
    }
    return false;
}

bool berth_tuning_find(const struct berth_device *device, char text[BERTH_TUNING_TEXT])
{
    *text = '\0';
    char *path = user_path();
    char *users = read_file(path);
    const bool found =
        find_in(users, device, text) || find_in(berth_embedded_tuning.text, device, text);
    free(users);
    free(path);
    return found;
}

/* The old file's rows but the device's, and the new one. */
static char *with_row(const char *old, const struct berth_device *device, const char *tunables)
{
    const size_t room = (old ? strlen(old) : 0) + sizeof device->name + sizeof device->driver +
                        strlen(tunables) + 16;
    char *text = berth_alloc(room, 1);
    size_t used = 0;
    struct row row;
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
    char *file = user_path();
    if (!file) {
        return berth_fail(error, BERTH_E_IO,
                          "there is no cache directory to store the tunables in: set HOME, or "
                          "BERTH_CACHE_DIR to a folder");
    }
    char *old = read_file(file);
    char *text = with_row(old, device, tunables);
    char *directory = berth_cache_directory();
    enum berth_status status = BERTH_OK;
    if (!text || !directory) {
        status = berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    if (!status) {
        status = berth_directory_make(directory, error);
    }
    if (!status) {
        status = berth_file_replace(file, text, strlen(text), error);
    }
    free(old);
    free(text);
    free(directory);
    if (path && !status) {
        *path = file;
    } else {
        free(file);
    }
    return status;
}
