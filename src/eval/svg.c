#include "eval/svg.h"

#include <math.h>

void berth_svg_escaped(struct berth_output *output, const char *text)
{
    for (; *text; text++) {
        const char letter[] = {*text, '\0'};
        berth_output_print(output, "%s",
                           *text == '<'   ? "&lt;"
                           : *text == '>' ? "&gt;"
                           : *text == '&' ? "&amp;"
                                          : letter);
    }
}

void berth_svg_text(struct berth_output *output, double x, double y, const char *class,
                    const char *text)
{
    berth_output_print(output, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
    berth_svg_escaped(output, text);
    berth_output_print(output, "</text>\n");
}

/* --- Curves --- */

/* Layout, in pixels. */
enum { WIDTH = 760, HEIGHT = 470, LEFT = 64, TOP = 84, PLOT = 440, TALL = 310, KEY = 28 };

static double x_of(const struct berth_svg_curves *chart, double value)
{
    return LEFT + PLOT * fmin(value / chart->end, 1);
}

static double y_of(double share)
{
    return TOP + TALL * (1 - share);
}

static void print_head(struct berth_output *output, const struct berth_svg_curves *chart)
{
    berth_output_print(output,
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                       "viewBox=\"0 0 %d %d\">\n<style>\n" BERTH_SVG_STYLE
                       ".percent { fill: #52606d; text-anchor: end; font-size: 12px }\n"
                       ".curve { fill: none; stroke-width: 2.5 }\n"
                       ".color0 { stroke: #2f6db3 }\n"
                       ".color1 { stroke: #c2410c }\n"
                       ".color2 { stroke: #2e7d32 }\n"
                       ".color3 { stroke: #7b3fa0 }\n"
                       ".color4 { stroke: #8a6d00 }\n"
                       ".color5 { stroke: #8a94a0 }\n"
                       ".dashed { stroke-dasharray: 6 4 }\n"
                       "</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
                       WIDTH, HEIGHT, WIDTH, HEIGHT);
    berth_svg_text(output, LEFT, 34, "title", chart->title);
    berth_svg_text(output, LEFT, 58, "subtitle", chart->subtitle);
}

static void print_line(struct berth_output *output, double x1, double y1, double x2, double y2)
{
    berth_output_print(output,
                       "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"grid\"/>\n",
                       x1, y1, x2, y2);
}

static void print_axes(struct berth_output *output, const struct berth_svg_curves *chart)
{
    for (int percent = 0; percent <= 100; percent += 25) {
        const double y = y_of(percent / 100.0);
        print_line(output, LEFT, y, LEFT + PLOT, y);
        berth_output_print(output, "<text x=\"%d\" y=\"%.1f\" class=\"percent\">%d %%</text>\n",
                           LEFT - 8, y + 4, percent);
    }
    for (double value = 0; value <= chart->end * (1 + 1e-9); value += 1) {
        const double x = x_of(chart, value);
        print_line(output, x, TOP, x, TOP + TALL);
        berth_output_print(output, "<text x=\"%.1f\" y=\"%d\" class=\"tick\">%g</text>\n", x,
                           TOP + TALL + 18, value);
    }
    berth_svg_text(output, LEFT, TOP + TALL + 44, "axis", chart->axis);
}

static void print_curve(struct berth_output *output, const struct berth_svg_curves *chart,
                        size_t number)
{
    const struct berth_svg_curve *curve = &chart->curves[number];
    const char *dashed = curve->dashed ? " dashed" : "";
    const double key = TOP + 16 + 24 * (double)number;
    berth_output_print(output, "<path class=\"curve color%d%s\" d=\"", curve->color, dashed);
    berth_output_print(output, "M%.1f %.1f", x_of(chart, 0), y_of(0));
    for (size_t i = 0; i < curve->count && curve->values[i] <= chart->end; i++) {
        berth_output_print(output, " H%.1f V%.1f", x_of(chart, curve->values[i]),
                           y_of((double)(i + 1) / (double)curve->count));
    }
    berth_output_print(output, " H%d", LEFT + PLOT);
    berth_output_print(output, "\"/>\n<path class=\"curve color%d%s\" d=\"M%d %.1f h%d\"/>\n",
                       curve->color, dashed, LEFT + PLOT + 20, key, KEY);
    berth_svg_text(output, LEFT + PLOT + 20 + KEY + 8, key + 4, "key", curve->label);
}

enum berth_status berth_svg_curves_write(const char *path, const struct berth_svg_curves *chart,
                                         struct berth_error *error)
{
    struct berth_output *output;
    enum berth_status status = berth_output_create(path, &output, error);
    if (status) {
        return status;
    }
    print_head(output, chart);
    print_axes(output, chart);
    for (size_t i = 0; i < chart->count && i < BERTH_SVG_CURVES_MAX; i++) {
        print_curve(output, chart, i);
    }
    berth_output_print(output, "</svg>\n");
    return berth_output_commit(output, error);
}
