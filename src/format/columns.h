/* Which columns of rows of molecules hold SMILES and names: those that are asked for, or that bear
 * usual names ("canonical_smiles", "Catalog ID"); of tables (format/csv.h), and of lines of SMILES
 * that begin with a line of names. */
#ifndef BERTH_FORMAT_COLUMNS_H
#define BERTH_FORMAT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Each a column's name, or its number from 1; NULL: by usual names.  Borrowed. */
struct berth_columns_wanted {
    const char *smiles, *name;
};

/* The fields of a row, and which of them are what; zeroed but for wanted it is empty. */
struct berth_columns {
    struct berth_columns_wanted wanted;
    const char **fields; /* owned; [count]; the texts are borrowed */
    size_t count, capacity;
    size_t width;        /* fields of the first row */
    size_t smiles, name; /* columns, from 0; name: SIZE_MAX where there is none */
    char *line;          /* borrowed; that was cut up last */
    char separator;      /* of fields in lines; 0: a line is SMILES and title */
};

/* Takes a field, borrowed, as the row's next.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_columns_add(struct berth_columns *columns, const char *field,
                                    struct berth_error *error);

/* Finds the columns by the first row, whose fields were added; *header: it names them, and is no
 * molecule.  Errors: BERTH_E_FORMAT, which names the columns that there are. */
enum berth_status berth_columns_find(struct berth_columns *columns, bool *header,
                                     struct berth_error *error);

/* The same of the first line of a file of SMILES, which may be SMILES and title, as all lines are
 * then.  Cuts the line up where it is not. */
enum berth_status berth_columns_begin(struct berth_columns *columns, char *line, bool *header,
                                      struct berth_error *error);

/* Cuts a later line up, in place; the fields borrow from it. */
enum berth_status berth_columns_cut(struct berth_columns *columns, char *line,
                                    struct berth_error *error);

/* SMILES and name ("" where there is none) of the row.  Errors: BERTH_E_FORMAT for a row that lacks
 * one of the columns, or has more than there are; what is there is set. */
enum berth_status berth_columns_take(const struct berth_columns *columns, const char **smiles,
                                     const char **name, struct berth_error *error);

/* The size of a CXSMILES extension ("|&1:1,4|") that the text begins with, or of what is left of
 * one that was cut off; 0: it has none. */
size_t berth_columns_extension(const char *text);

enum { BERTH_COLUMNS_TEXT = 160 };

/* Which columns were found: "SMILES in column 2, 'smiles', names in column 1, 'id'". */
void berth_columns_tell(const struct berth_columns *columns, bool header,
                        char text[BERTH_COLUMNS_TEXT]);

/* Frees the fields. */
void berth_columns_clear(struct berth_columns *columns);

#endif
