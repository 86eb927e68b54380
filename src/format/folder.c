#include "format/folder.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "format/output.h"

enum berth_status berth_path_in(const char *folder, const char *name, char *path, size_t size,
                                struct berth_error *error)
{
    const int length = snprintf(path, size, "%s/%s", folder, name);
    return length > 0 && (size_t)length < size
               ? BERTH_OK
               : berth_fail(error, BERTH_E_USAGE, "the folder's name is too long: %s", folder);
}

enum berth_status berth_folder_make(const char *path, struct berth_error *error)
{
    struct stat facts;
    if (mkdir(path, 0777) == 0) {
        berth_output_sync_directory(path);
    } else if (errno != EEXIST) {
        return berth_fail(error, BERTH_E_IO, "%s: cannot make the folder: %s", path,
                          strerror(errno));
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

/* A folder is made with or without slashes behind its name. */
static enum berth_status check_new_folder(const char *folder, struct berth_error *error)
{
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

enum berth_status berth_folder_probe(const char *folder, const char *const *names, size_t count,
                                     struct berth_error *error)
{
    struct stat facts;
    if (stat(folder, &facts) != 0) {
        return check_new_folder(folder, error);
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
