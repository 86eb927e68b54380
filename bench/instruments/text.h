/* What berth-bench prints. */
#ifndef BENCH_TEXT_H
#define BENCH_TEXT_H

#include <stdio.h>

#include "table.h"

/* The deck's work by class of pair, and the table's columns. */
void berth_bench_print_head(FILE *file, const char *name, const struct berth_bench_suite *suite);

void berth_bench_print_row(FILE *file, const struct berth_work *work,
                           const struct berth_bench_row *row);

/* Dockings at the published benchmark's size, on one device. */
void berth_paper_print(FILE *file, const struct berth_device *device,
                       const struct berth_variant *variant,
                       const struct berth_paper_result *result);

#endif
