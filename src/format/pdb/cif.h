/* The words of CIF, one by one: what readers of mmCIF and of chemical components share. */
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

/* True for words that end a loop. */
bool berth_cif_is_reserved(const struct berth_cif *cif);

#endif
