/* What the charts share; nothing but svg_*.c and svg.c includes this. */
#ifndef BERTH_EVAL_SVG_INTERNAL_H
#define BERTH_EVAL_SVG_INTERNAL_H

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

#endif
