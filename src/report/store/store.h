/* Results as one SQLite file, which docs/results.md describes and data/store/schema.sql declares.
 *
 * A run's database is made of the files that the run has written, in one transaction: until that is
 * whole nothing of it is there, and the same files give the same content. */
#ifndef BERTH_REPORT_STORE_STORE_H
#define BERTH_REPORT_STORE_STORE_H

#include <limits.h>

#include "base/log.h"

/* A run; everything is borrowed. */
struct berth_store_run {
    const char *path;    /* of the database */
    const char *command; /* "screen" */
    const char *folder;  /* with scores.csv, hits.sdf, failures.csv and run.json; or NULL, and: */
    const char *poses, *scores, *failures; /* poses (SDF); NULL: none */
    /* Files of the receptors; those that run.json names count where it names any. */
    const char *const *receptors; /* [receptor_count] */
    size_t receptor_count;
    const struct berth_log *log; /* or NULL: told why there are no interactions, and what is waited
                                    for */
    bool (*stop)(
        void *context); /* or NULL: asked while others that write are waited for; true: end */
    void *context;      /* handed to stop */
};

/* BERTH_E_USAGE where path is another database, BERTH_E_IO where it could not be written or SQLite
 * is not there: for before the work is done. */
enum berth_status berth_store_check(const char *path, struct berth_error *error);

/* Puts the run into the database, in the place of one that has written the same folder or file of
 * poses.  Others that write are waited for.  Errors: BERTH_E_IO, BERTH_E_FORMAT (files that are
 * none of a run), BERTH_E_USAGE (another database; stopped), BERTH_E_MEMORY. */
enum berth_status berth_store_add(const struct berth_store_run *run, struct berth_error *error);

/* --- Reading: a run is named by its number or its name; NULL: the one with the highest number. */

/* Writes its files into a new folder: scores.csv, of all poses that are there, and, unless that is
 * all that is asked for, hits.sdf (best ligands first), failures.csv and run.json.  The caller
 * removes that either way; "": it was not made.  Errors: BERTH_E_USAGE (no such run; no database of
 * results), BERTH_E_IO, BERTH_E_FORMAT (damaged), BERTH_E_MEMORY. */
enum berth_status berth_store_unpack(const char *path, const char *run, bool scores_alone,
                                     char folder[PATH_MAX], struct berth_error *error);

/* Makes a new folder for such files.  Errors: BERTH_E_IO. */
enum berth_status berth_store_make_folder(char folder[PATH_MAX], struct berth_error *error);

/* Removes the folder and what is in it; "": none.  log is told where it stays. */
void berth_store_remove(const char *folder, const struct berth_log *log);

#endif
