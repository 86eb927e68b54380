/* Results as one SQLite file, which docs/results.md describes and data/store/schema.sql declares.
 *
 * A run's database is made of the files that the run has written, in one transaction: until that is
 * whole nothing of it is there, and the same files give the same content. */
#ifndef BERTH_REPORT_STORE_STORE_H
#define BERTH_REPORT_STORE_STORE_H

#include <limits.h>

#include "base/log.h"
#include "eval/pose_records.h"
#include "format/run_card.h"
#include "report/store/table.h"

/* A run; everything is borrowed. */
struct berth_store_run {
    const char *path;    /* of the database */
    const char *command; /* "screen" */
    const char *folder;  /* with scores.csv, hits.sdf, failures.csv and run.json; or NULL, and: */
    const char *poses, *scores, *failures; /* poses (SDF); NULL: none; scores also of a folder, in
                                              the place of its own */
    /* Files of the receptors; those that run.json names count where it names any, but for: */
    const char *const *receptors; /* [receptor_count] */
    size_t receptor_count;
    bool instead;  /* these are taken in any case */
    bool complete; /* a receptor that cannot be read is an error; else its poses have no
                      interactions */
    struct berth_sqlite_wait wait; /* its log is told why there are no interactions, too */
};

/* BERTH_E_USAGE where path is another database, BERTH_E_IO where it could not be written or SQLite
 * is not there: for before the work is done. */
enum berth_status berth_store_check(const char *path, struct berth_error *error);

/* Puts the run into the database, in the place of one that has written the same folder or file of
 * poses.  Others that write are waited for.  Errors: BERTH_E_IO, BERTH_E_FORMAT (files that are
 * none of a run), BERTH_E_USAGE (another database; stopped), BERTH_E_MEMORY. */
enum berth_status berth_store_add(const struct berth_store_run *run, struct berth_error *error);

/* The same, into a database that is open; path is for messages. */
enum berth_status berth_store_load(struct berth_sqlite *sqlite, const struct berth_store_run *run,
                                   struct berth_error *error);

/* --- Reading: a run is named by its number or its name; NULL: the one with the highest number. */

/* Opens a database of results to read, and finds the run; the caller closes *sqlite.  Errors:
 * BERTH_E_USAGE (no such run; no database of results), BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_store_open(const char *path, const char *run, struct berth_sqlite **sqlite,
                                   int64_t *number, struct berth_error *error);

/* Makes a table of this name, a constant, of the scores of all poses that the run has, and views of
 * the run's rows of the other tables, under these names; path: for messages.  The caller clears
 * *table either way, before sqlite is closed.  Errors: BERTH_E_FORMAT (damaged), BERTH_E_IO,
 * BERTH_E_MEMORY. */
enum berth_status berth_store_table(struct berth_sqlite *sqlite, const char *path, int64_t run,
                                    const char *name, struct berth_table *table,
                                    struct berth_error *error);

/* The run's run.json, onto a card that was started; none is no error.  Errors: BERTH_E_IO. */
enum berth_status berth_store_card(struct berth_sqlite *sqlite, int64_t run,
                                   struct berth_run_card *card, struct berth_error *error);

/* Puts the structure into *text, which is emptied before, that stands in the row's first two
 * columns, `bytes` and `sdf` of the table structure; path: for messages.  Errors: BERTH_E_FORMAT
 * (damaged), BERTH_E_MEMORY. */
enum berth_status berth_store_structure(const char *path, const struct berth_statement *row,
                                        struct berth_bytes *text, struct berth_error *error);

/* Where poses of a run are; borrowed. */
struct berth_run_poses {
    const char *path;            /* of a file, or, for messages, of: */
    struct berth_sqlite *sqlite; /* a database; NULL: path is a file */
    int64_t run;
};

/* Shows the visitor all of them, of a database those of the best ligands first; *failed: see
 * berth_poses_each, as for errors. */
enum berth_status berth_run_poses_each(const struct berth_run_poses *poses,
                                       const struct berth_pose_visitor *visitor, size_t *failed,
                                       struct berth_error *error);

#endif
