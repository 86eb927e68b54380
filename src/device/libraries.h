/* Libraries that are opened at run time: where they are, and their calls. */
#ifndef BERTH_DEVICE_LIBRARIES_H
#define BERTH_DEVICE_LIBRARIES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* What a CALL becomes: the member of a struct of calls; the name of its symbol. */
#define BERTH_MEMBER(member, symbol, parameters) int(*member) parameters;
#define BERTH_SYMBOL(member, symbol, parameters) symbol,

/* Opens a library, which then stays open, and fills a struct of calls, one for each symbol; false
 * where it cannot be opened (dlerror says why), or where a symbol is *missing. */
bool berth_symbols_load(const char *path, const char *const *symbols, size_t count, void *calls,
                        const char **missing);

/* Looks for a library by the pattern of its name, in the folders that a pattern means; of several
 * it is the last in the alphabet. */
bool berth_library_in(const char *folders, const char *name, char path[PATH_MAX]);

/* The same in a list of folders with colons between; NULL is an empty one. */
bool berth_library_in_list(const char *list, const char *name, char path[PATH_MAX]);

/* The same in what belongs to the folder that an environment variable names. */
bool berth_library_below(const char *variable, const char *below, const char *name,
                         char path[PATH_MAX]);

#endif
