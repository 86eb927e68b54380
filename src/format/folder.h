/* Folders that a run writes its files to. */
#ifndef BERTH_FORMAT_FOLDER_H
#define BERTH_FORMAT_FOLDER_H

#include <stddef.h>

#include "base/error.h"

/* FOLDER/NAME into path (size bytes).  Errors: BERTH_E_USAGE where it does not fit. */
enum berth_status berth_path_in(const char *folder, const char *name, char *path, size_t size,
                                struct berth_error *error);

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
