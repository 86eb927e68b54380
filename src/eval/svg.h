/* Charts as SVG: what all have, and curves of how many of a set lie below a value. */
#ifndef BERTH_EVAL_SVG_H
#define BERTH_EVAL_SVG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "format/output.h"

/* Rules that every chart has in its <style>. */
#define BERTH_SVG_STYLE                                                                            \
    "text { font-family: system-ui, sans-serif; fill: #1f2933; font-size: 13px }\n"                \
    ".title { font-size: 18px; font-weight: bold }\n"                                              \
    ".subtitle, .axis, .tick { fill: #52606d }\n"                                                  \
    ".tick { text-anchor: middle; font-size: 12px }\n"                                             \
    ".grid { stroke: #e1e6eb }\n"

/* Prints text with what XML asks to be escaped. */
void berth_svg_escaped(struct berth_output *output, const char *text);

/* Prints a text element at x, y (pixels). */
void berth_svg_text(struct berth_output *output, double x, double y, const char *class,
                    const char *text);

struct berth_svg_curve {
    const char *label;
    const double *values; /* [count], ascending; those above the axis's end are never reached */
    size_t count;         /* at least 1 */
    int color;            /* below BERTH_SVG_COLORS */
    bool dashed;
};

/* Everything is borrowed. */
struct berth_svg_curves {
    const char *title, *subtitle;
    const char *axis; /* what a value is, with its unit */
    double end;       /* where it ends; it goes from 0 on */
    const struct berth_svg_curve *curves;
    size_t count; /* at most BERTH_SVG_CURVES_MAX */
};

enum { BERTH_SVG_CURVES_MAX = 12, BERTH_SVG_COLORS = 6 };

/* Writes them to path ("-" is standard output): percent against value, as steps.  Errors:
 * BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_svg_curves_write(const char *path, const struct berth_svg_curves *chart,
                                         struct berth_error *error);

#endif
