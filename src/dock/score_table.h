/* scores.csv: the columns that all runs share, and behind them what is known of ligands. */
#ifndef BERTH_DOCK_SCORE_TABLE_H
#define BERTH_DOCK_SCORE_TABLE_H

#include <stdio.h>

#include "format/library/library.h"
#include "format/output.h"
#include "score/fields.h"

/* Writes the names of the columns; properties: [count], those of the library's. */
void berth_score_table_begin(struct berth_output *output, const struct berth_score_columns *columns,
                             const char *const *properties, size_t count);

/* Writes a row; values: [count], NULL where the ligand does not have the property. */
void berth_score_table_add(struct berth_output *output, const struct berth_score_row *row,
                           const char *const *values, size_t count);

/* --- What is known of ligands --- */

/* Columns of it: `smiles`, and each property under its name. */
struct berth_known_columns {
    bool smiles;  /* known of some ligands: the first of these columns */
    char **names; /* owned; of all properties, in the order in which they were met */
    size_t count, capacity;
};

/* Adds the columns of a ligand.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_known_columns_add(struct berth_known_columns *known,
                                          const struct berth_library_ligand *ligand,
                                          struct berth_error *error);

void berth_known_columns_clear(struct berth_known_columns *known);

/* As berth_score_table_begin and berth_score_table_add, with these columns behind.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_known_table_begin(struct berth_output *output,
                                          const struct berth_score_columns *columns,
                                          const struct berth_known_columns *known,
                                          struct berth_error *error);
enum berth_status berth_known_table_add(struct berth_output *output,
                                        const struct berth_score_row *row,
                                        const struct berth_known_columns *known,
                                        const struct berth_library_ligand *ligand,
                                        struct berth_error *error);

/* --- Rows that are made before all of these columns are known --- */

/* They wait in a temporary file: of each a text of our own columns, and one of the others. */
struct berth_waiting_rows {
    FILE *file; /* owned */
    struct berth_known_columns known;
};

/* The caller clears *rows, also after an error.  Errors: BERTH_E_IO. */
enum berth_status berth_waiting_rows_create(struct berth_waiting_rows *rows,
                                            struct berth_error *error);

/* Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_waiting_rows_add(struct berth_waiting_rows *rows,
                                         const struct berth_score_row *row,
                                         const struct berth_library_ligand *ligand,
                                         struct berth_error *error);

/* Writes the table.  Errors: as above. */
enum berth_status berth_waiting_rows_write(struct berth_waiting_rows *rows,
                                           const struct berth_score_columns *columns,
                                           struct berth_output *output, struct berth_error *error);

/* A zeroed one is accepted. */
void berth_waiting_rows_clear(struct berth_waiting_rows *rows);

#endif
