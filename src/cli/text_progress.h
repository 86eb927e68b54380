/* How far a docking is: in place on a terminal, else a line now and then. */
#ifndef BERTH_CLI_TEXT_PROGRESS_H
#define BERTH_CLI_TEXT_PROGRESS_H

#include <stdio.h>

#include "dock/stream/stream.h"

struct cli_progress {
    FILE *file;             /* borrowed: where it is shown */
    bool terminal;          /* that is one */
    uint64_t total, before; /* ligands in all (0: not known); done by earlier runs */
    uint64_t done, failed;  /* by all runs */
    double start, next;     /* s: of the run; of the next line */
    double pairs_per_atom;  /* see berth_search_pairs_per_atom */
    double best;            /* in that unit: */
    const char *unit;
    char best_title[64]; /* "" while nothing was docked */
};

/* Begins now, with what stands in *progress of totals and units; file is borrowed. */
void cli_progress_start(struct cli_progress *progress, FILE *file);

/* Counts a ligand. */
void cli_progress_note(struct cli_progress *progress, const struct berth_result *result);

/* Shows how far the run is, if it is time to, or it is over. */
void cli_progress_show(struct cli_progress *progress, struct berth_window *window, bool last);

/* Takes the line off the terminal, for a message in its place. */
void cli_progress_hide(const struct cli_progress *progress);

#endif
