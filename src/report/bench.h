/* The tables and the plot of `berth bench`. */
#ifndef BERTH_REPORT_BENCH_H
#define BERTH_REPORT_BENCH_H

#include "check/bench_suite.h"
#include "check/paper.h"
#include "format/output.h"

/* What stands for the row: the device, or the baseline's compiler. */
void berth_bench_row_name(const struct berth_bench_row *row, char *name, size_t size);

/* Append the columns' names, and a row. */
void berth_bench_csv_head(struct berth_output *csv);
void berth_bench_csv_row(struct berth_output *csv, const struct berth_bench_row *row);

/* Draws the rows' speeds and their floors, as SVG.  deck: its name.  Errors: BERTH_E_IO,
 * BERTH_E_MEMORY. */
enum berth_status berth_bench_plot(const char *path, const char *deck,
                                   const struct berth_bench_rows *rows, struct berth_error *error);

/* The same of dockings. */
void berth_paper_csv_head(struct berth_output *csv);
void berth_paper_csv_row(struct berth_output *csv, const struct berth_paper_settings *settings,
                         const struct berth_device *device, const struct berth_variant *variant,
                         const struct berth_paper_result *result);

#endif
