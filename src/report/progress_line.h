/* How far a docking is: in place on a terminal, else a line now and then. */
#ifndef BERTH_REPORT_PROGRESS_LINE_H
#define BERTH_REPORT_PROGRESS_LINE_H

#include <stdio.h>

#include "dock/stream/stream.h"

struct berth_progress_line {
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
void berth_progress_line_start(struct berth_progress_line *progress, FILE *file);

/* Counts a ligand. */
void berth_progress_line_note(struct berth_progress_line *progress,
                              const struct berth_result *result);

/* Shows how far the run is, if it is time to, or it is over. */
void berth_progress_line_show(struct berth_progress_line *progress, struct berth_window *window,
                              bool last);

/* Takes the line off the terminal, for a message in its place. */
void berth_progress_line_hide(const struct berth_progress_line *progress);

#endif
