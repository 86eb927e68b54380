/* Cuts text of the formats that Open Babel converts as a whole into its molecules, so that none is
 * lost without a word: Open Babel ends a file at the first one that it cannot read. */
#ifndef BERTH_FORMAT_PIECES_H
#define BERTH_FORMAT_PIECES_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/error.h"

struct berth_piece {
    size_t begin, end; /* bytes of the text */
    size_t line;       /* where it begins, from 1 */
    bool bad;          /* its lines are not what the format has: other programs may still read
                          something into them */
    char name[64];     /* as the format says what it is called; "": nothing */
};

struct berth_pieces {
    struct berth_piece *items; /* owned; [count] */
    size_t count, capacity;    /* 0: the format cannot be cut here, or holds no molecule */
    bool framed; /* what stands before the first and behind the last belongs to each */
};

/* Cuts text (borrowed) of XYZ, PDB (at END and ENDMDL, where a new header stands behind atoms, and
 * where their numbers begin again), PDBQT (at ENDMDL, or behind TORSDOF), CIF (data blocks), CML
 * and InChI, as `format` names it.  The caller clears *pieces.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_pieces_find(const char *format, const struct berth_bytes *text,
                                    struct berth_pieces *pieces, struct berth_error *error);

void berth_pieces_clear(struct berth_pieces *pieces);

#endif
