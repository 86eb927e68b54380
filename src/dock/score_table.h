/* scores.csv: the one writer of a table of docked ligands or poses, which dock, screen and merge
 * share.  Its columns are those of format/score_row.h, and then those of properties. */
#ifndef BERTH_DOCK_SCORE_TABLE_H
#define BERTH_DOCK_SCORE_TABLE_H

#include "format/output.h"
#include "format/score_row.h"

/* Writes the names of the columns; properties: [count], those of the library's. */
void berth_score_table_begin(struct berth_output *output, const struct berth_score_columns *columns,
                             const char *const *properties, size_t count);

/* Writes a row; values: [count], NULL where the ligand does not have the property. */
void berth_score_table_add(struct berth_output *output, const struct berth_score_row *row,
                           const char *const *values, size_t count);

#endif
