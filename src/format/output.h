/* Output files that appear under their final name only when they are whole: written beside it,
 * synced to disk, then renamed. */
#ifndef BERTH_FORMAT_OUTPUT_H
#define BERTH_FORMAT_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct berth_output; /* opaque */

/* Says, before the work is done that is to be written, whether it could be: path is no folder, the
 * folder that it lies in is there, and both may be written to.  "-" is standard output.  Errors:
 * BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_output_probe(const char *path, struct berth_error *error);

/* BERTH_E_USAGE where path is a regular file already, which others are made from and which was not
 * to be overwritten. */
enum berth_status berth_output_new(const char *path, bool overwrite, struct berth_error *error);

/* True where both paths are of one regular file that there is, or are the same text, which is not
 * "-". */
bool berth_output_is_file(const char *path, const char *other);

/* True where what is written to path is gzip-compressed: it ends with .gz. */
bool berth_output_is_packed(const char *path);

/* The name of a file beside an output: NAME.WHAT for NAME.ENDING, also where that ends with .gz
 * besides. */
void berth_output_beside(const char *output, const char *what, char *path, size_t size);

/* Starts writing what will become path; "-" is standard output.  The directory must exist.  The
 * file is path.tmp.HOST.PROCESS until it is whole; those that killed processes of this host left of
 * the same path are removed.  The caller commits or discards *output.  Errors: BERTH_E_IO,
 * BERTH_E_MEMORY. */
enum berth_status berth_output_create(const char *path, struct berth_output **output,
                                      struct berth_error *error);

/* The same into memory: once it is committed or discarded, *text holds *size bytes and a 0, which
 * the caller frees.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_output_create_memory(char **text, size_t *size,
                                             struct berth_output **output,
                                             struct berth_error *error);

/* Appends text (printf style).  A failed write is remembered and given by the commit. */
void berth_output_print(struct berth_output *output, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends size bytes as they are. */
void berth_output_bytes(struct berth_output *output, const void *bytes, size_t size);

/* Appends text of others (a name, a path) so that a terminal shows it and does nothing else: see
 * berth_text_escape. */
void berth_output_text(struct berth_output *output, const char *text);

/* Appends one CSV field of text, quoted where RFC 4180 asks for it; separator is what follows it
 * (',' or '\n'; 0: nothing).  Control characters are escaped (see berth_text_escape), tabs and line
 * ends are not. What begins like a formula (= + - @, tab or line end, and more behind it, but no
 * number), or with an apostrophe, gets an apostrophe in front, so that a spreadsheet takes it for
 * text.  To read a field back, take off one apostrophe that it begins with, then
 * berth_text_unescape. */
void berth_output_csv(struct berth_output *output, const char *field, char separator);

/* The same as its cell reads, without quotes around it: what berth_csv_field gives of it.  The
 * caller frees it; NULL: out of memory. */
char *berth_output_csv_cell(const char *field);

/* Appends a text that must stay on its line: line breaks become blanks. */
void berth_output_on_line(struct berth_output *output, const char *text);

/* Appends text in quotes, as JSON has it; bytes that are no UTF-8 are taken for Latin-1.  '<' is
 * escaped, too, so that it may stand in HTML. */
void berth_output_json(struct berth_output *output, const char *text);

/* Bytes appended so far; of a file that is not packed. */
uint64_t berth_output_size(const struct berth_output *output);

/* Appends the bytes begin .. end of another output (a file that is not packed, no stream or
 * device).  Errors:
 * BERTH_E_IO. */
enum berth_status berth_output_copy(struct berth_output *output, struct berth_output *from,
                                    uint64_t begin, uint64_t end, struct berth_error *error);

/* BERTH_E_IO as soon as a write has failed (disk full): for stopping early. */
enum berth_status berth_output_check(const struct berth_output *output, struct berth_error *error);

/* Flushes and syncs, after which nothing may be appended, so that the commit has nothing left to do
 * but the rename: for a run that is to give all of its files or none.  Errors: BERTH_E_IO. */
enum berth_status berth_output_sync(struct berth_output *output, struct berth_error *error);

/* Flushes, syncs, renames to the final name and frees output.  On an error (BERTH_E_IO) nothing
 * appears under the final name. */
enum berth_status berth_output_commit(struct berth_output *output, struct berth_error *error);

/* Commits output where status is BERTH_OK, else discards it; NULL is accepted.  Returns status, or
 * the error of the commit. */
enum berth_status berth_output_finish(struct berth_output *output, enum berth_status status,
                                      struct berth_error *error);

/* Makes a rename to path survive a crash.  File systems that cannot sync a directory say so with
 * EINVAL; the data is safe then, and there is nothing better to do. */
void berth_output_sync_directory(const char *path);

/* Takes an output's name off the disk: what is written is read back (berth_output_copy) and gone
 * with it, however the process ends.  Errors: BERTH_E_IO. */
enum berth_status berth_output_unname(struct berth_output *output, struct berth_error *error);

/* Removes what was written and frees output; NULL is accepted. */
void berth_output_discard(struct berth_output *output);

/* --- Folders that a run writes its files to --- */

/* FOLDER/NAME into path (size bytes).  Errors: BERTH_E_USAGE where it does not fit. */
enum berth_status berth_path_in(const char *folder, const char *name, char *path, size_t size,
                                struct berth_error *error);

/* Starts writing what will become FOLDER/NAME: see berth_output_create. */
enum berth_status berth_output_create_in(const char *folder, const char *name,
                                         struct berth_output **output, struct berth_error *error);

/* BERTH_E_IO where files of these names could not be written to the folder, or where that is
 * missing and could not be made.  For before the work is done that they are to hold. */
enum berth_status berth_folder_probe(const char *folder, const char *const *names, size_t count,
                                     struct berth_error *error);

/* Makes the folder where it is missing, but not those above it.  Errors: BERTH_E_IO. */
enum berth_status berth_folder_make(const char *path, struct berth_error *error);

/* Removes what a run that was killed has left half written of the files of these names in the
 * folder, which nobody else may write to. */
void berth_folder_sweep(const char *path, const char *const *names, size_t count);

#endif
