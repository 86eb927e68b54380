/* The hits of a screen, chosen for a terminal or written to a file: `berth show`. */
#ifndef BERTH_REPORT_SHOW_H
#define BERTH_REPORT_SHOW_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/log.h"
#include "base/text_set.h"
#include "format/csv.h"
#include "format/output.h"
#include "score/language/expression.h"

/* What to show; everything is borrowed. */
struct berth_show_settings {
    const char *results; /* a table, or a folder: see berth_scores_find; or a database */
    const char *run;     /* of the database: see berth_store_unpack; NULL: the last */
    const char *library; /* that was docked: where filter, sort or columns speak of torsions; NULL:
                            the one that the journal of a screen names */
    const char *filter;  /* see report/show.h; NULL: none */
    const char *names;   /* ligands to show: a file of names, one a line, or of molecules; else the
                            names, with commas between; NULL: all */
    const char *exclude_names; /* ligands to leave out, likewise; NULL: none */
    const char *sort;          /* column to sort by; NULL: rank, what ranks, or the first */
    const char
        *columns; /* names with commas between; NULL: those that matter most, of a file all */
    bool descending;
    const char *require;         /* interactions that poses must make; NULL: any */
    const char *free;            /* results of the same ligands without restraints: a column `cost`;
                                    NULL: none */
    const char *receptor;        /* that these are with; NULL: those that run.json names */
    const struct berth_log *log; /* is told how many poses make what; or NULL */
    bool poses;                  /* all of a ligand's, and not its best one alone */
    bool molecules;              /* of a molecule's states and isomers the best one alone */
    size_t top;                  /* rows at most; 0: all */
    size_t diverse; /* of these, from the best on, so many whose molecules differ, with properties;
                       0: all; sorted is true */
    bool sorted;    /* false: rows in the order of the table, one by one, in constant memory */
};

/* Writes rows to path as its ending says, .gz behind it aside: .csv, .json, .smi (a list of SMILES,
 * the input's where they are known, and names), .sdf (the rows' poses, of the file beside the
 * table); "-": CSV to standard output.  Log is told how many rows have no SMILES or pose.  Errors:
 * BERTH_E_USAGE (no such column; no such ending; nothing that has SMILES or poses), BERTH_E_IO,
 * BERTH_E_FORMAT (table or filter), BERTH_E_MEMORY. */
enum berth_status berth_show_write(const struct berth_show_settings *settings, const char *path,
                                   struct berth_error *error);

/* --- Which rows are shown, however long the table is --- */

/* A text that a column is compared with, borrowed from the condition; NULL: it is taken as a
 * number. */
struct berth_filter_text {
    const char *text;
    size_t length;
};

/* A condition on the columns of a table, "energy < -9 and supplier == 'Acme'": an expression of the
 * language of scoring functions (docs/scoring.md), whose names are the columns. */
struct berth_row_filter {
    struct berth_graph graph;        /* no nodes: every row passes */
    int node;                        /* the condition */
    size_t *columns, count;          /* owned; [count]: of the graph's symbols */
    struct berth_filter_text *texts; /* owned; [count] */
    double *symbols, *values;        /* owned; [count], [node + 1]: room to work in */
    size_t *lacking;                 /* owned; [count]: rows that an empty cell alone left out */
};

/* "ligand, score, energy": as much of the columns' names as fits. */
void berth_columns_list(const struct berth_csv *csv, char *text, size_t size);

/* Reads the condition over the columns of csv; text NULL: every row passes.  The caller clears
 * *filter, before text goes.  Errors: BERTH_E_USAGE (no condition), BERTH_E_FORMAT (with the place
 * in the text), BERTH_E_MEMORY. */
enum berth_status berth_row_filter_create(const char *text, const struct berth_csv *csv,
                                          struct berth_row_filter *filter,
                                          struct berth_error *error);

/* Whether the row that was read last meets it, to *passes.  An empty cell meets no comparison but
 * !=.  Errors: BERTH_E_FORMAT (a cell that is compared with numbers holds text), with its line and
 * column. */
enum berth_status berth_row_filter_apply(struct berth_row_filter *filter,
                                         const struct berth_csv *csv, bool *passes,
                                         struct berth_error *error);

/* Whether the row that was read last may meet it, whatever the fields of `count` columns from
 * `first` on turn out to be. */
bool berth_row_filter_may(struct berth_row_filter *filter, const struct berth_csv *csv,
                          size_t first, size_t count);

/* Says how many rows were left out because they have nothing to compare. */
void berth_row_filter_tell(const struct berth_row_filter *filter, const struct berth_csv *csv,
                           const struct berth_log *log);

void berth_row_filter_clear(struct berth_row_filter *filter);

/* A row among the first ones by a column. */
struct berth_kept_row {
    double key;            /* the column's number; NAN: it is none, and goes behind all numbers */
    size_t number;         /* of the row: ties stay in their order */
    char *text, **cells;   /* owned: the row's fields, as they stand in the file */
    const char *sorted_by; /* the column's field */
    bool descending;
    const char *molecule; /* once rows are folded: what its ligand is a state of */
};

/* The first rows, however long the table is: memory is that of twice what is kept.  The caller sets
 * what that is. */
struct berth_kept_rows {
    size_t column;
    bool descending;
    size_t most;                 /* rows; 0: all */
    struct berth_kept_row *rows; /* owned; [count], in order once they are sorted */
    size_t count, capacity, seen;
    double last; /* the key that none of the first rows is behind, as of the last sort; NAN: none */
    char (*states)[24]; /* owned; of each row how many its molecule had; NULL: not folded */
    char *added;        /* owned; properties of those that were chosen; NULL: none were */
};

/* Columns by which rows are folded to one a molecule. */
struct berth_molecule_columns {
    size_t ranking;  /* the row where it is lowest stays */
    size_t state_of; /* the molecule; SIZE_MAX and empty cells: the ligand itself */
    size_t ligand;
    size_t states; /* gets how many rows the molecule had */
};

/* Offers the row that was read last.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_kept_rows_offer(struct berth_kept_rows *rows, const struct berth_csv *csv,
                                        struct berth_error *error);

/* Sorts what was kept, the first one first. */
void berth_kept_rows_sort(struct berth_kept_rows *rows);

/* Leaves the first `count` of them. */
void berth_kept_rows_cut(struct berth_kept_rows *rows, size_t count);

/* Leaves of each molecule its best row, in the order in which they were read.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_kept_rows_fold(struct berth_kept_rows *rows,
                                       const struct berth_molecule_columns *columns,
                                       struct berth_error *error);

void berth_kept_rows_clear(struct berth_kept_rows *rows);

enum { BERTH_SAMPLE_MAX = 20000 };

/* How values are distributed, of however many: a sample of them, drawn as they come (algorithm R,
 * J. S. Vitter, ACM Trans. Math. Softw. 11 (1985) 37), and their bounds. */

/* A zeroed sample is empty, and the same values in the same order give the same one. */
struct berth_sample {
    double values[BERTH_SAMPLE_MAX];
    size_t count; /* of all values that were added */
    uint64_t random;
};

void berth_sample_add(struct berth_sample *sample, double value);

/* Equal steps from `low` to `high`, which are the smallest value and the 99th percentile; what is
 * above, up to `most`, counts in the last one. */
enum { BERTH_BINS_MOST = 20 };
struct berth_bins {
    size_t count;
    double shares[BERTH_BINS_MOST]; /* 0 .. 1: of the values in each step */
    double low, high, most;
};

/* Counts a sample into bins->count steps.  Sorts the sample, to which nothing may be added any
 * more. */
void berth_sample_bins(struct berth_sample *sample, struct berth_bins *bins);

/* --- Which poses make what is required --- */

/* Those of the poses that a run has left. */
struct berth_required_poses {
    uint64_t *keys; /* owned; [count], in order: ordinals of ligands and modes */
    size_t count, capacity;
};

/* Finds them among the poses beside the table by settings->require.  The caller
 * clears *required either way.  Errors: BERTH_E_USAGE (what is required; there are no poses, or no
 * receptor is known), those of reading, BERTH_E_MEMORY. */
enum berth_status berth_required_poses_find(const struct berth_show_settings *settings,
                                            const char *table,
                                            struct berth_required_poses *required,
                                            struct berth_error *error);

bool berth_required_poses_have(const struct berth_required_poses *required, double ordinal,
                               double mode);

/* How many ligands have such a pose. */
size_t berth_required_poses_ligands(const struct berth_required_poses *required);

void berth_required_poses_clear(struct berth_required_poses *required);

/* A pose whose structure is wanted. */
struct berth_wanted_structure {
    uint64_t key;            /* of its ligand's ordinal and its mode */
    struct berth_bytes tags; /* owned: of an SDF record, to be added to it */
};

/* Such poses, in the order in which they are to be written. */
struct berth_shown_structures {
    struct berth_wanted_structure *items; /* owned; [count] */
    size_t count, capacity;
    size_t lacking; /* of these, once they are written: not there */
};

struct berth_shown;

/* Adds one, without tags.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_structures_want(struct berth_shown_structures *wanted, double ordinal,
                                        double mode, struct berth_error *error);

/* Writes them as the file of poses beside the table has them.  Errors: BERTH_E_USAGE (there is
 * none), those of reading, BERTH_E_MEMORY. */
enum berth_status berth_structures_write(struct berth_shown_structures *wanted,
                                         const struct berth_shown *shown,
                                         struct berth_output *output, struct berth_error *error);

void berth_structures_clear(struct berth_shown_structures *wanted);

/* --- What is shown --- */

/* Torsions of the ligands that were docked: not in tables of scores, but in the library. */
struct berth_docked_torsions {
    char library[PATH_MAX];
    struct {
        uint32_t name; /* hash of it */
        uint32_t count;
    } * ligands;                   /* owned; [count], by ordinal */
    size_t count, ordinal, ligand; /* how many; columns of the table */
    size_t column;                 /* that gets them */
};

/* The lowest energy + strain of each ligand's poses, of the table and of the free run. */
struct berth_free_run {
    struct berth_text_set names; /* of ligands; the number of each */
    double *lowest[2];           /* owned; [count]; NAN: it is not in the table */
    size_t count, capacity[2];
    size_t ligand, column; /* of the table: names; the one that gets the difference */
};

/* The ligands that were asked for by name; all where `seen` is NULL. */
struct berth_shown_names {
    struct berth_named_ligands *ligands; /* owned: eval/screen/ligands.h */
    bool *seen;                          /* owned; [ligands->count]: a row has it */
    size_t ligand, state_of;             /* columns; SIZE_MAX: there is none */
    const char *option, *listed;         /* borrowed; the list itself, NULL: a file was read */
};

/* Reads the settings' names of this option, "names" or "exclude_names", for the table.  The caller
 * clears *names, which were empty.  Errors: BERTH_E_USAGE, BERTH_E_FORMAT (no column of names),
 * BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_shown_names_read(const struct berth_show_settings *settings,
                                         const char *option, const struct berth_csv *csv,
                                         struct berth_shown_names *names,
                                         struct berth_error *error);

/* Whether the row that was read last is of one of them, by its name or its molecule's. */
bool berth_shown_names_have(struct berth_shown_names *names, const struct berth_csv *csv);

/* Says which of them no row was of.  Errors: BERTH_E_USAGE where none of a list's is in the table,
 * which may have been meant for a file. */
enum berth_status berth_shown_names_tell(const struct berth_shown_names *names,
                                         const struct berth_log *log, struct berth_error *error);

void berth_shown_names_clear(struct berth_shown_names *names);

/* Properties of molecules that tools/rdkit/diverse.py computes. */
enum { BERTH_PROPERTY_COUNT = 9 };
extern const char *const BERTH_PROPERTIES[BERTH_PROPERTY_COUNT];

/* Columns by which molecules are told apart, and those of their properties. */
struct berth_diverse_columns {
    size_t smiles, input_smiles;      /* SIZE_MAX: there is none */
    size_t first, count;              /* of properties; 0: there are none */
    bool early[BERTH_PROPERTY_COUNT]; /* properties that are wanted of each row as it is read */
    bool by_them; /* a condition or an order is by them, so that these are computed */
    struct berth_property_source *source; /* owned: what computes them; NULL: not yet needed */
};

struct berth_shown {
    const struct berth_show_settings *settings; /* borrowed */
    char path[PATH_MAX];                        /* for messages */
    char table[PATH_MAX];                       /* of the table, with the poses beside it */
    char unpacked[PATH_MAX]; /* folder to be removed: the copy of a database's; "": none */
    bool structures;         /* are wanted */
    struct berth_csv *csv;
    bool has_torsions; /* that were asked for, and which the table does not have: */
    struct berth_docked_torsions torsions;
    struct berth_free_run free;
    struct berth_row_filter filter;
    struct berth_shown_names names, excluded;
    size_t *columns, column_count;        /* owned: those to be shown */
    size_t mode, ordinal;                 /* columns; SIZE_MAX: there is none */
    struct berth_required_poses required; /* where something is */
    double last;                          /* ordinal of the last row that passed; NAN: none */
    size_t bar;                           /* column of the bars; SIZE_MAX: there is none */
    size_t read, passed;                  /* rows */
    struct berth_molecule_columns fold;   /* where a row a molecule is asked for */
    size_t molecules;                     /* of the rows that passed, in the end */
    struct berth_diverse_columns
        diverse; /* where molecules that differ, or properties, are asked for */
    struct berth_kept_rows rows;
    struct berth_sample *sample; /* owned; of the bars' column; NULL: not wanted */
};

/* Reads the first rows of a table.  The caller clears *shown either way.  Errors: as
 * berth_show_write. */
enum berth_status berth_shown_read(const struct berth_show_settings *settings,
                                   struct berth_shown *shown, struct berth_error *error);

void berth_shown_clear(struct berth_shown *shown);

/* Reads the torsions where a condition, an order or a column asks for them, from the settings'
 * library, or else from the one that the journal in the folder of the results names, and adds their
 * column.  Errors: BERTH_E_USAGE (no library is known; the table has no ordinals), those of reading
 * the library. */
enum berth_status berth_torsions_add(struct berth_shown *shown, struct berth_error *error);

/* Sets them in the row that was read last.  Errors: BERTH_E_FORMAT where the library's ligand of
 * this ordinal has another name; BERTH_E_MEMORY. */
enum berth_status berth_torsions_set(struct berth_shown *shown, struct berth_error *error);

/* Where settings->free has another run: adds the column `cost`, and sets it in the row that was
 * read last: how much higher the ligand's lowest energy + strain (and receptor_strain, coordination
 * and displacement), of poses that meet what is required, is than there, in the unit of the first
 * function; empty where there is none in one of them.  Errors: BERTH_E_USAGE (no energies, or by
 * another function), those of reading, BERTH_E_MEMORY. */
enum berth_status berth_free_add(struct berth_shown *shown, struct berth_error *error);
enum berth_status berth_free_set(struct berth_shown *shown, struct berth_error *error);

void berth_free_clear(struct berth_free_run *run);

/* Adds columns for the properties: all for a diverse choice, else those that are wanted early.
 * Errors: BERTH_E_USAGE (the table has no SMILES), BERTH_E_MEMORY. */
enum berth_status berth_diverse_begin(struct berth_shown *shown, struct berth_error *error);

/* True where a column of this name is one of them, in whatever table. */
bool berth_diverse_computes(const char *name);

/* Ends what computes them. */
void berth_diverse_end(struct berth_diverse_columns *columns);

/* Sets what is wanted early of the row that was read last; empty where RDKit cannot read its
 * SMILES. Errors: those of finding and running the worker. */
enum berth_status berth_properties_set(struct berth_shown *shown, struct berth_error *error);

/* Appends tags of an SDF record with the properties among a row's cells; not of such that the table
 * itself has, which are in the record.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_properties_tag(const struct berth_shown *shown, const char *const *cells,
                                       struct berth_bytes *tags, struct berth_error *error);

/* Of the rows that were kept, sorted, leaves those that settings->diverse asks for: each whose
 * molecule is like none before it (tools/rdkit/diverse.py).  Errors: those of the worker. */
enum berth_status berth_diverse_choose(struct berth_shown *shown, struct berth_error *error);

#endif
