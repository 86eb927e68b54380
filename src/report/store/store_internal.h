/* What the files that put a run into a database share: store_write.c has the run and its tables,
 * store_poses.c structures, store_rows.c what both add rows with. */
#ifndef BERTH_REPORT_STORE_STORE_INTERNAL_H
#define BERTH_REPORT_STORE_STORE_INTERNAL_H

#include "base/bytes.h"
#include "format/run_card.h"
#include "format/sdf/sdf.h"
#include "pose/interactions.h"
#include "report/store/sqlite.h"
#include "report/store/store.h"

/* Tables that columns of scores.csv stand in. */
enum place { LIGAND, POSE };

/* A column of the run's table of scores. */
struct field {
    char *name, *column; /* owned; as the run calls it; as the database does */
    char *quoted;        /* owned; the column in statements */
    enum place place;
    bool is_text; /* whatever its cells look like */
    int decimals; /* of its numbers, at most */
};

struct store {
    const struct berth_store_run *run;
    struct berth_sqlite *sqlite; /* borrowed */
    int64_t number;              /* of the run */
    struct field *fields;        /* owned; [count] */
    size_t count, capacity;
    struct berth_statement *structure, *interaction;
    struct berth_run_card card;       /* nothing is known: there is no run.json */
    struct berth_complexes complexes; /* of the poses; owned */
};

/* BERTH_E_USAGE where the file, path for messages, is no database of results; *empty: it has no
 * tables yet. */
enum berth_status store_check_kind(struct berth_sqlite *sqlite, const char *path, bool *empty,
                                   struct berth_error *error);

/* What inserts rows of the same columns. */
struct rows {
    size_t *fields;                        /* owned; [count]; SIZE_MAX: a key, or not kept */
    size_t count, ordinal, mode;           /* columns of the keys */
    int64_t key[2];                        /* of the last row: ordinal and mode */
    struct berth_statement *statements[2]; /* by place */
};

/* Finds or makes the columns that the cells of a row have the names of, [count]; file: for
 * messages.  The caller ends *rows either way.  Errors: BERTH_E_FORMAT (no keys among them),
 * BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status store_rows_begin(struct store *store, const char *file,
                                   const struct berth_tag *cells, size_t count, struct rows *rows,
                                   struct berth_error *error);

/* Adds a row to both tables where there is none of its keys.  Errors: BERTH_E_FORMAT, BERTH_E_IO.
 */
enum berth_status store_row_add(struct store *store, struct rows *rows,
                                const struct berth_tag *cells, struct berth_error *error);

void store_rows_end(struct rows *rows);

/* Notes which columns the run has, once all its rows are there.  Errors: BERTH_E_IO. */
enum berth_status store_fields_write(struct store *store, struct berth_error *error);

/* Adds the poses of an SDF: rows of those that have none, structures and interactions.  Errors:
 * those of reading; BERTH_E_FORMAT, BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status store_poses_add(struct store *store, const char *path, struct berth_error *error);

#endif
