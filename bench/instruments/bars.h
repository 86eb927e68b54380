/* Bar charts as SVG: text, no fonts or scripts from elsewhere. */
#ifndef BENCH_BARS_H
#define BENCH_BARS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct berth_svg_bar {
    const char *label; /* above the bar */
    const char *note;  /* behind the bar's end */
    double value;      /* above 0 */
    double limit;      /* marked on the bar's row; 0: none */
    bool pale;         /* something to compare with, not what the chart is about */
};

/* A chart of horizontal bars; everything is borrowed. */
struct berth_svg_chart {
    const char *title, *subtitle;
    const char *axis;  /* what value is, with its unit */
    const char *limit; /* what limit is */
    const struct berth_svg_bar *bars;
    size_t count;
};

/* Writes the chart to path ("-" is standard output).  The axis is linear from 0 on, or logarithmic
 * where the values are too far apart for that, and says so.  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_svg_write(const char *path, const struct berth_svg_chart *chart,
                                  struct berth_error *error);

#endif
