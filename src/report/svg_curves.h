/* Curves of how many of a set lie below a value (cumulative distributions), as SVG. */
#ifndef BERTH_IO_SVG_CURVES_H
#define BERTH_IO_SVG_CURVES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct berth_svg_curve {
    const char *label;
    const double *values; /* [count], ascending; those above the axis's end are never reached */
    size_t count;         /* at least 1; 100 % */
    int color;            /* 0, 1 or 2 */
    bool dashed;
};

/* Everything is borrowed. */
struct berth_svg_curves {
    const char *title, *subtitle;
    const char *axis; /* what a value is, with its unit */
    double end;       /* the axis goes from 0 to here; a line stands at every 1 */
    const struct berth_svg_curve *curves;
    size_t count; /* at most BERTH_SVG_CURVES_MAX */
};

enum { BERTH_SVG_CURVES_MAX = 8 };

/* Writes them to path ("-" is standard output): percent against value, as steps.  Errors:
 * BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_svg_curves_write(const char *path, const struct berth_svg_curves *chart,
                                         struct berth_error *error);

#endif
