#include "device/libraries.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool berth_symbols_load(const char *path, const char *const *symbols, size_t count, void *calls,
                        const char **missing)
{
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    *missing = NULL;
    for (size_t i = 0; library && !*missing && i < count; i++) {
        void *found = dlsym(library, symbols[i]);
        *missing = found ? NULL : symbols[i];
        /* ISO C has no cast for what dlsym gives */
        memcpy((char *)calls + i * sizeof found, &found, sizeof found);
    }
    if (*missing) {
        dlclose(library);
    }
    return library && !*missing;
}

bool berth_library_in(const char *folders, const char *name, char path[PATH_MAX])
{
    char pattern[PATH_MAX];
    glob_t found;
    const int length = snprintf(pattern, sizeof pattern, "%s/%s", folders, name);
    if (length >= PATH_MAX || glob(pattern, 0, NULL, &found)) {
        return false;
    }
    snprintf(path, PATH_MAX, "%s", found.gl_pathv[found.gl_pathc - 1]);
    globfree(&found);
    return true;
}

bool berth_library_in_list(const char *list, const char *name, char path[PATH_MAX])
{
    bool found = false;
    while (list && *list && !found) {
        char folder[PATH_MAX];
        const size_t length = strcspn(list, ":");
        snprintf(folder, sizeof folder, "%.*s", (int)length, list);
        found = length && length < PATH_MAX && berth_library_in(folder, name, path);
        list += length + (list[length] == ':');
    }
    return found;
}

bool berth_library_below(const char *variable, const char *below, const char *name,
                         char path[PATH_MAX])
{
    const char *folder = getenv(variable);
    char folders[PATH_MAX];
    return folder && *folder &&
           snprintf(folders, sizeof folders, "%s/%s", folder, below) < PATH_MAX &&
           berth_library_in(folders, name, path);
}
