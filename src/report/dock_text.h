/* What `berth dock` prints of its results: a table of the only ligand, or a line a ligand. */
#ifndef BERTH_REPORT_DOCK_TEXT_H
#define BERTH_REPORT_DOCK_TEXT_H

#include <stdio.h>

#include "dock/modes.h"
#include "format/receptor_names.h"
#include "score/scoring.h"

/* Zeroed but for the first three, nothing was printed. */
struct berth_dock_text {
    FILE *file;                                   /* borrowed; NULL: ligands are counted only */
    const struct berth_scoring *scoring;          /* borrowed */
    const struct berth_receptor_names *receptors; /* borrowed; NULL: there is one */
    size_t ligands;                               /* so far */
    char *first_name;         /* owned; of the first ligand, which is not printed yet */
    struct berth_modes first; /* its modes */
};

/* Counts a ligand, whose modes may be moved from, and prints a line of it.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_dock_text_add(struct berth_dock_text *text, const char *name,
                                      struct berth_modes *modes, struct berth_error *error);

/* Prints the only ligand's table, where there was but one. */
void berth_dock_text_end(struct berth_dock_text *text);

void berth_dock_text_clear(struct berth_dock_text *text);

#endif
