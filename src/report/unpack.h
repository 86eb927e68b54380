/* The files of a run out of a database of results, for those who read files. */
#ifndef BERTH_REPORT_UNPACK_H
#define BERTH_REPORT_UNPACK_H

#include <limits.h>

#include "base/log.h"

/* Writes its files into a new folder: scores.csv, of all poses that are there, hits.sdf (best
 * ligands first), failures.csv and run.json.  run: see berth_store_open.  The caller removes the
 * folder either way; "": it was not made.  Errors: BERTH_E_USAGE (no such run; no database of
 * results), BERTH_E_IO, BERTH_E_FORMAT (damaged), BERTH_E_MEMORY. */
enum berth_status berth_store_unpack(const char *path, const char *run, char folder[PATH_MAX],
                                     struct berth_error *error);

/* Makes a new folder for such files.  Errors: BERTH_E_IO. */
enum berth_status berth_store_make_folder(char folder[PATH_MAX], struct berth_error *error);

/* Removes the folder and what is in it; "": none.  log is told where it stays. */
void berth_store_remove(const char *folder, const struct berth_log *log);

#endif
