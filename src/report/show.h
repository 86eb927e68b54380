/* The hits of a screen, chosen for a terminal or written to a file: `berth show`.
 *
 * The table, a file's or a run's of a database (store/table.h), is asked one question in SQL, which
 * is put together from the settings: docs/results.md has what its parts may say. */
#ifndef BERTH_REPORT_SHOW_H
#define BERTH_REPORT_SHOW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/log.h"
#include "report/sample.h"

/* What to show; everything is borrowed. */
struct berth_show_settings {
    const char *results; /* a table, or a folder: see berth_scores_find; or a database */
    const char *run;     /* of the database: see berth_store_open; NULL: the last */
    const char *library; /* that was docked: where filter, sort or columns speak of torsions; NULL:
                            the one that the journal of a screen names */
    const char *sql;     /* SELECT over the table `score`, in place of all below but top and log;
                            NULL: none */
    const char *filter;  /* SQL's expression over the columns; see show_filter.c; NULL: none */
    const char *names;   /* ligands to show: a file of names, one a line, or of molecules; else the
                            names, with commas between; NULL: all */
    const char *exclude_names; /* ligands to leave out, likewise; NULL: none */
    const char *sort;          /* column to sort by; NULL: rank, what ranks, or the first */
    const char
        *columns;      /* names with commas between; NULL: those that matter most, of a file all */
    const char *group; /* column of whose values one row is shown, the best one; NULL: none */
    bool descending;
    const char *require;         /* interactions that poses must make; NULL: any */
    const char *free;            /* results of the same ligands without restraints: a column `cost`;
                                    NULL: none */
    const char *receptor;        /* that these are with; NULL: those that run.json names */
    const struct berth_log *log; /* is told how many poses make what; or NULL */
    bool poses;                  /* all of a ligand's, and not its best one alone */
    bool molecules;              /* of a molecule's states and isomers the best one alone */
    size_t top;                  /* rows at most; 0: all */
    size_t diverse;  /* of these, from the best on, so many whose molecules differ, with properties;
                        0: all; sorted is true */
    const char *out; /* the file to write; NULL: they are shown */
    bool list_columns; /* says what the columns are, and shows no row: berth_show_columns */
    bool sorted;       /* false: rows in the order of the table, one by one, in constant memory */
};

/* Writes rows to settings->out as its ending says, .gz behind it aside: .csv, .json, .smi (a list
 * of SMILES, the input's where they are known, and names), .sdf (the rows' poses, of the file
 * beside the table, or of the database); "-": CSV to standard output.  Log is told how many rows
 * have no SMILES or pose.  Errors: BERTH_E_USAGE (no such column; no such ending; no SQL; nothing
 * that has SMILES or poses), BERTH_E_IO, BERTH_E_FORMAT (table), BERTH_E_MEMORY. */
enum berth_status berth_show_write(const struct berth_show_settings *settings,
                                   struct berth_error *error);

/* Takes a column: its name, its unit ("": it has none) and what it is. */
typedef void berth_column_taker(const char *name, const char *unit, const char *about);

/* Gives the columns of the table, and those that RDKit computes.  Errors: those of opening it. */
enum berth_status berth_show_columns(const struct berth_show_settings *settings,
                                     berth_column_taker *take, struct berth_error *error);

/* Rows that are shown, with their cells as scores.csv has them. */
struct berth_shown {
    const char **names;            /* owned; [width]; of names that are borrowed */
    size_t width;                  /* cells of a row */
    size_t *columns, column_count; /* owned: cells to be shown */
    const char ***rows;            /* owned; [count][width], each row one piece of memory */
    size_t count, capacity;
    size_t bar;                  /* cell of the bars; SIZE_MAX: there is none */
    size_t read, passed;         /* rows */
    bool walked;                 /* from the best one on, until enough passed */
    size_t molecules;            /* of those that passed */
    struct berth_sample *sample; /* owned; of the bars' column; NULL: it is not shown */
    struct show *show;           /* owned */
};

/* Reads the first rows of a table.  The caller clears *shown either way.  Errors: as
 * berth_show_write. */
enum berth_status berth_shown_read(const struct berth_show_settings *settings,
                                   struct berth_shown *shown, struct berth_error *error);

void berth_shown_clear(struct berth_shown *shown);

#endif
