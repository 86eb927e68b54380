/* Folders and files of this user's own: what is taken from a cache runs, so that nobody else may
 * have put it there. */
#ifndef BERTH_BASE_OWN_H
#define BERTH_BASE_OWN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Makes the folder, and those above it, where they are missing, for this user alone (mode 0700),
 * and says whether what it holds can only be this user's or root's doing: it belongs to one of
 * them, and nobody else may write to it, or put another one in its place or in that of a folder or
 * symbolic link on the way there.  Nothing is made where somebody else could do so.  Errors:
 * BERTH_E_IO says what is wrong with which folder; BERTH_E_MEMORY. */
enum berth_status berth_directory_make_own(const char *path, struct berth_error *error);

/* A small file that may be read. */
struct berth_own_file {
    const char *directory, *name; /* borrowed */
    size_t most;                  /* bytes: a longer one is refused */
    bool used;                    /* it counts as changed just now */
};

/* Reads the folder's file of this name, where it can only be this user's or root's doing: the
 * folder as above, and the file too, which is a plain one and no symbolic link, never waiting, as
 * for somebody to write to a FIFO.  *bytes, which the caller frees, gets its *size bytes and a 0
 * behind them, NULL where there is no such folder or file.  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_file_read_own(const struct berth_own_file *wanted, unsigned char **bytes,
                                      size_t *size, struct berth_error *error);

#endif
