/* The words of CIF, one by one, and its loops: what readers of mmCIF and of chemical components
 * share. */
#ifndef BERTH_FORMAT_PDB_CIF_H
#define BERTH_FORMAT_PDB_CIF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text_reader.h"

enum berth_cif_kind { BERTH_CIF_END, BERTH_CIF_WORD, BERTH_CIF_QUOTED };

/* Zeroed but for text it stands in front of the first token. */
struct berth_cif {
    struct berth_text_reader *text; /* borrowed */
    const char *cursor;             /* in the current line; NULL before the first one */
    enum berth_cif_kind kind;       /* of the token last taken */
    const char *token;              /* in the current line, not ended by 0 */
    size_t length;
};

/* The next token; kind BERTH_CIF_END at the end of the file.  Errors: those of the text;
 * BERTH_E_FORMAT for a text that has no end. */
enum berth_status berth_cif_next(struct berth_cif *cif, struct berth_error *error);

/* True where the token is an unquoted word that begins with text, in any case. */
bool berth_cif_begins(const struct berth_cif *cif, const char *text);

/* --- Values by their names --- */

enum { BERTH_CIF_VALUE = 32, BERTH_CIF_COLUMNS = 64 /* of a loop, at most */ };

struct berth_cif_name {
    const char *name; /* "_atom_site.Cartn_x", in any case */
    int item;         /* which of the values it is */
};

/* What is read of a file. */
struct berth_cif_rows {
    const char *what;                   /* borrowed, as all is: whose rows they are, for messages */
    const struct berth_cif_name *names; /* [name_count] */
    size_t name_count;
    char (*values)[BERTH_CIF_VALUE]; /* [items]: of the row; "": there is none, "." or "?" */
    size_t items;
    enum berth_status (*take)(void *context, struct berth_error *error); /* a row, of the values */
    void *context;
};

/* The item that the token names; -1: none. */
int berth_cif_item(const struct berth_cif *cif, const struct berth_cif_rows *rows);

/* Keeps the token as the value of an item.  Errors: BERTH_E_FORMAT for one that is too long. */
enum berth_status berth_cif_keep(const struct berth_cif *cif, const struct berth_cif_rows *rows,
                                 int item, struct berth_error *error);

/* Reads a loop, whose "loop_" is the token, and takes its rows if it has one of the items; the
 * token behind it is there then.  Errors: those of berth_cif_next, berth_cif_keep and take;
 * BERTH_E_FORMAT for a row that is cut off. */
enum berth_status berth_cif_read_loop(struct berth_cif *cif, const struct berth_cif_rows *rows,
                                      struct berth_error *error);

#endif
