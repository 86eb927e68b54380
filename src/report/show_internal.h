/* What the files share that ask a table for rows: show.c puts the question together, show_filter.c
 * has its condition, show_names.c, show_required.c, show_torsions.c, show_free.c and
 * show_properties.c what a condition knows that the table has not, show_write.c files of rows. */
#ifndef BERTH_REPORT_SHOW_INTERNAL_H
#define BERTH_REPORT_SHOW_INTERNAL_H

#include <limits.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/text_set.h"
#include "eval/screen/ligands.h"
#include "format/output.h"
#include "format/run_card.h"
#include "report/show.h"
#include "report/store/store.h"

/* The condition in SQL. */
struct filter {
    char *text;                      /* owned; NULL: every row passes */
    bool computed;                   /* it asks RDKit, which takes a millisecond or more a row */
    size_t *used, used_count;        /* owned: columns, in their order there */
    size_t *looked_at, looked_count; /* owned: of these those whose empty cells meet nothing */
    size_t *lacking;                 /* owned; [looked_count]: rows that an empty cell left out */
};

/* Ligands that are asked for by name; all where `seen` is NULL. */
struct names {
    struct berth_named_ligands ligands; /* owned */
    bool *seen;                         /* owned; [ligands.count]: a row has it */
    const char *option, *listed;        /* borrowed; the list itself, NULL: a file was read */
};

/* Properties of molecules that tools/rdkit/properties.py computes; the first nine are those that a
 * diverse choice brings along. */
enum { PROPERTY_COUNT = 10, PROPERTIES_BOUGHT = 9, COMPARISON_COUNT = 2 };

struct properties {
    struct property_function {
        struct properties *properties;
        size_t number; /* of what it gives: a property, or behind these a comparison */
    } functions[PROPERTY_COUNT + COMPARISON_COUNT];
    size_t first, count;         /* columns; 0: there are none */
    size_t smiles, input_smiles; /* columns; SIZE_MAX: there is none */
    bool asked[PROPERTY_COUNT];  /* by a condition, an order, columns or SQL */
    struct berth_rdkit *rdkit;   /* owned: what computes them, with: */
    struct berth_worker *worker; /* owned; NULL: not yet needed */
    char *of, *answer;  /* owned: the SMILES that the last one was asked for, and what was said */
    size_t unreadable;  /* molecules that RDKit could not read */
    const char *option; /* that asks, for what is wrong with a question */
};

struct show {
    const struct berth_show_settings *settings; /* borrowed */
    struct berth_shown *shown;                  /* borrowed: what is shown of it */
    char path[PATH_MAX];                        /* of the table, with the poses beside it */
    char folder[PATH_MAX];                      /* that has it as scores.csv; "": none */
    struct berth_sqlite *sqlite;                /* owned */
    bool stored;                                /* in a database: */
    int64_t run;
    struct berth_run_card card; /* what is known of the run, see show_card */
    struct berth_table table;
    size_t mode, ordinal, ligand, state_of, states; /* columns; SIZE_MAX: there is none */
    size_t ranking, bar, sorted_by;                 /* likewise: of ligands, of rows, by which */
    size_t grouped_by;                              /* likewise: of whose values one row is shown */
    struct berth_text_set groups;                   /* owned: of these, as text, those that were */
    size_t *selected, selected_count, capacity;     /* owned: columns of the statement, in order */
    struct berth_statement *statement;              /* owned */
    struct berth_statement *choose;                 /* owned; of structures */
    struct filter filter;
    struct names asked, excluded;
    struct torsions *torsions; /* owned; NULL: not asked for */
    struct properties properties;
    int64_t required; /* ligands with a pose that makes what is required */
    double last;      /* ordinal of the last row that passed; NAN: none */
};

/* Whether filter, sort, columns, group or SQL name it. */
bool show_asks_for(const struct show *show, const char *name);

/* Whether the error of a statement is that the table lacks a column. */
bool show_misses_column(const struct berth_error *error);

/* Prepares a statement that somebody has written in part (see berth_sqlite_prepare_query); errors
 * say what there is instead of an unknown column or table. */
enum berth_status show_prepare(struct show *show, const char *text, const char *option,
                               struct berth_statement **statement, struct berth_error *error);

/* Reads what is known of the run to show->card: of the database's, or of that beside the file. */
enum berth_status show_card(struct show *show, const char *file, struct berth_error *error);

/* Adds the column to those of the statement where it is not there; SIZE_MAX: none. */
enum berth_status show_select(struct show *show, size_t column, struct berth_error *error);

/* --- show.c --- */

/* Opens the table and chooses columns; all: of columns that were not named, all are shown.  The
 * caller clears *shown either way (berth_shown_clear). */
enum berth_status show_open(const struct berth_show_settings *settings, bool all,
                            struct berth_shown *shown, struct berth_error *error);

/* Prepares the statement, whose columns are the rows' cells. */
enum berth_status show_ask(struct show *show, struct berth_error *error);

/* The next row's cells, one piece of memory that the caller frees; *row: NULL behind the last. */
enum berth_status show_next(struct show *show, const char ***row, struct berth_error *error);

/* Reads all rows, of which settings->diverse leaves some; of what SQL gives the first. */
enum berth_status shown_keep(struct berth_shown *shown, struct berth_error *error);

/* --- show_filter.c --- */

/* Warns of numbers in quotes that something is compared with in SQL. */
void filter_warn_of_texts(const char *sql, const struct berth_log *log);

/* Reads the settings' condition.  Errors: BERTH_E_USAGE, BERTH_E_MEMORY. */
enum berth_status filter_create(struct show *show, struct berth_error *error);

/* Says how many rows were left out because they have nothing to compare. */
void filter_tell(const struct show *show);

void filter_clear(struct filter *filter);

/* --- show_names.c --- */

/* Reads the settings' names of this option, "names" or "exclude_names".  Errors: BERTH_E_USAGE,
 * BERTH_E_FORMAT (no column of names), BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status names_read(struct show *show, const char *option, struct names *names,
                             struct berth_error *error);

/* named(ligand, molecule): whether a row is of a ligand that is wanted. */
enum berth_status names_match(void *show, const struct berth_sql_call *call,
                              struct berth_error *error);

/* Says which names no row was of.  Errors: BERTH_E_USAGE where none of a list's is in the table,
 * which may have been meant for a file. */
enum berth_status names_tell(const struct show *show, const struct names *names,
                             struct berth_error *error);

void names_clear(struct names *names);

/* --- What the table lacks --- */

/* Finds the file of poses beside the table; option: what asks for it.  Errors: BERTH_E_USAGE (there
 * is none). */
enum berth_status poses_find(const struct show *show, const char *option, char path[PATH_MAX],
                             struct berth_error *error);

/* Fills the table temp.required with those poses that make what is required.  Errors: BERTH_E_USAGE
 * (what is required; there are no poses, or no receptor is known), those of reading. */
enum berth_status required_find(struct show *show, struct berth_error *error);

/* Adds the column torsions where it is asked for.  Errors: BERTH_E_USAGE (no library is known; the
 * table has no ordinals), those of reading the library; of the statement BERTH_E_FORMAT where the
 * library's ligand of an ordinal has another name. */
enum berth_status torsions_add(struct show *show, struct berth_error *error);

/* Where the settings have a free run, adds the column cost: how much higher the ligand's lowest
 * energy + strain (and receptor_strain, coordination and displacement), of poses that meet what is
 * required, is than there, in the unit of the first function; empty where there is none in one of
 * them.  Errors: BERTH_E_USAGE (no energies, or by another function), those of reading. */
enum berth_status cost_add(struct show *show, struct berth_error *error);

/* Adds columns for properties, which are asked for of each row that a statement looks at, and for a
 * diverse choice those that are known of its rows in the end; and functions by their names, and
 * similarity and substructure, for conditions and SQL.  Errors: BERTH_E_USAGE (the table has no
 * SMILES), BERTH_E_MEMORY. */
enum berth_status properties_add(struct show *show, struct berth_error *error);

/* Gives all of them. */
void properties_list(berth_column_taker *take);

/* True for a column that RDKit computes. */
bool properties_have(const struct show *show, size_t column);

/* True for the name of one of these functions, [length]. */
bool properties_name(const char *name, size_t length);

/* Says of how many molecules there are none, as RDKit cannot read them. */
void properties_tell(const struct show *show);

/* Selects the columns that a diverse choice reads and writes.  Errors: BERTH_E_MEMORY. */
enum berth_status properties_select(struct show *show, struct berth_error *error);

/* Of the rows that were read, sorted, leaves those that settings->diverse asks for: each whose
 * molecule is like none before it (tools/rdkit/diverse.py).  Errors: those of the worker. */
enum berth_status properties_choose(struct berth_shown *shown, struct berth_error *error);

void properties_clear(struct properties *properties);

/* --- Structures: show_required.c --- */

/* Prepares for them: whichever are chosen are written in the end, in this order.  Errors:
 * BERTH_E_USAGE (there are no poses). */
enum berth_status structures_begin(struct show *show, struct berth_error *error);

/* tags: of an SDF record, to be added to it. */
enum berth_status structures_choose(struct show *show, const char *ordinal, const char *mode,
                                    const struct berth_bytes *tags, struct berth_error *error);

/* *lacking: of those that were chosen, not there. */
enum berth_status structures_write(struct show *show, struct berth_output *output, size_t *lacking,
                                   struct berth_error *error);

#endif
