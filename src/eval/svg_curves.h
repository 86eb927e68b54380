/* Curves of how many of a set lie below a value (cumulative distributions, ROC curves), as SVG. */
#ifndef BERTH_EVAL_SVG_CURVES_H
#define BERTH_EVAL_SVG_CURVES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct berth_svg_curve {
    const char *label;
    const double *values; /* [count], ascending; those above the axis's end are never reached */
    size_t count;         /* at least 1 */
    int color;            /* below BERTH_SVG_COLORS */
    bool dashed;
    const double *shares; /* [count], 0 to 1: reached at each value, with straight lines between;
                             NULL: each value is a step of 1/count */
};

/* Everything is borrowed. */
struct berth_svg_curves {
    const char *title, *subtitle;
    const char *axis; /* what a value is, with its unit */
    double end;       /* where it ends; it goes from 0 on */
    const struct berth_svg_curve *curves;
    size_t count; /* at most BERTH_SVG_CURVES_MAX */
    double tick;  /* of an axis from 0 on: lines stand this far apart; 0: 1 */
    double begin; /* above 0: the axis is logarithmic, from here on */
};

enum { BERTH_SVG_CURVES_MAX = 12, BERTH_SVG_COLORS = 6 };

/* Writes them to path ("-" is standard output): percent against value, as steps.  Errors:
 * BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_svg_curves_write(const char *path, const struct berth_svg_curves *chart,
                                         struct berth_error *error);

#endif
