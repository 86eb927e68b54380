/* Small files of the program's own: folders for them, and replacing them whole. */
#ifndef BERTH_BASE_FILE_H
#define BERTH_BASE_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/error.h"

/* BERTH_E_IO: "path: cannot WHAT: " and the text of errno's value `code`. */
enum berth_status berth_io_error(const char *path, const char *what, int code,
                                 struct berth_error *error);

/* Writes all bytes at this place of an open file; 0, or errno's value. */
int berth_write_at(int file, const void *bytes, size_t size, uint64_t place);

/* Reads the bytes at this place of an open file, *got of them: fewer where it ends; 0, or errno's
 * value. */
int berth_read_at(int file, void *bytes, size_t size, uint64_t place, size_t *got);

/* Length of a path without the ".gz" that it may end with, in any case. */
size_t berth_unpacked_length(const char *path);

/* What stands behind the path's last slash. */
const char *berth_file_name(const char *path);

/* What a file is called without folders, ".gz" and one ending more, "1hpv" of "data/1hpv.pdb.gz":
 * it begins at *stem, in path, and has the length that is returned. */
size_t berth_file_stem(const char *path, const char **stem);

/* Whether both paths lead to one file, which is there. */
bool berth_is_same_file(const char *path, const char *other);

/* Makes the directory and those above it where they are missing, for this user alone (mode 0700).
 * Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_directory_make(const char *path, struct berth_error *error);

/* Puts a file of size bytes under this path, in place of what was there: written beside it (as
 * path.tmp.PROCESS.NUMBER, for this user alone), synced to disk, renamed.  Whoever opens path sees
 * the old file or the new one whole, however many processes do this at once.
 * Errors: BERTH_E_IO, BERTH_E_MEMORY; path is then as it was and nothing is left beside it. */
enum berth_status berth_file_replace(const char *path, const void *bytes, size_t size,
                                     struct berth_error *error);

/* Removes a file, which need not be there.  Errors: BERTH_E_IO where it stays; behind another
 * error, status, that one, which then says so, too (error may be NULL). */
enum berth_status berth_file_remove(const char *path, enum berth_status status,
                                    struct berth_error *error);

/* Tells what the opened file is; path is for messages.  Errors: BERTH_E_IO where it is no regular
 * one. */
enum berth_status berth_file_look_plain(int file, const char *path, struct stat *facts,
                                        struct berth_error *error);

/* Opens a file to read, which has to be a regular one: never waits, as for somebody to write to a
 * FIFO, and never reads without end, as from a device.  The caller closes *file.  Errors:
 * BERTH_E_IO (names path). */
enum berth_status berth_file_open_plain(const char *path, FILE **file, struct berth_error *error);

/* The same of a file that others will open. */
enum berth_status berth_file_check_plain(const char *path, struct berth_error *error);

/* The user's cache directory: $BERTH_CACHE_DIR, else $XDG_CACHE_HOME/berth, else
 * $HOME/.cache/berth.  The caller frees it.  NULL: there is to be no cache (BERTH_CACHE_DIR is
 * empty, or there is no home), or out of memory. */
char *berth_cache_directory(void);

/* "a/b", which the caller frees; NULL when out of memory. */
char *berth_path_join(const char *a, const char *b);

/* The folder of the running program, "/usr/local/bin", in folder (PATH_MAX).  Errors: BERTH_E_IO.
 */
enum berth_status berth_program_folder(char *folder, struct berth_error *error);

#endif
