/* What `berth dock --protein` prints. */
#ifndef BERTH_REPORT_PROTEIN_TEXT_H
#define BERTH_REPORT_PROTEIN_TEXT_H

#include <stdio.h>

#include "dock/protein/run.h"

/* The table of modes, and what it took. */
void berth_protein_text_print(FILE *file, const struct berth_protein_run *run, double seconds);

#endif
