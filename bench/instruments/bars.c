#include "bars.h"

#include <math.h>
#include <string.h>

#include "format/output.h"

/* Rules for all texts and lines. */
#define STYLE                                                                                      \
    "text { font-family: system-ui, sans-serif; fill: #1f2933; font-size: 13px }\n"                \
    ".title { font-size: 18px; font-weight: bold }\n"                                              \
    ".subtitle, .axis, .tick { fill: #52606d }\n"                                                  \
    ".tick { text-anchor: middle; font-size: 12px }\n"                                             \
    ".grid { stroke: #e1e6eb }\n"

/* Prints text with what XML asks to be escaped. */
static void print_escaped(struct berth_output *output, const char *text)
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

/* At x, y (pixels). */
static void print_text(struct berth_output *output, double x, double y, const char *class,
                       const char *text)
{
    berth_output_print(output, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
    print_escaped(output, text);
    berth_output_print(output, "</text>\n");
}

/* Layout, in pixels. */
enum { WIDTH = 900, LEFT = 30, PLOT = 560, TOP = 96, ROW = 58, BAR = 22, BOTTOM = 70 };

/* Values further apart than this ask for a logarithmic axis. */
#define FAR_APART 25.0

/* Where values lie. */
struct scale {
    bool logarithmic;
    double low, high; /* at the left and the right end */
};

static double position(const struct scale *scale, double value)
{
    const double part = scale->logarithmic ? log(value / scale->low) / log(scale->high / scale->low)
                                           : value / scale->high;
    return LEFT + PLOT * fmin(fmax(part, 0), 1);
}

/* The largest of 1, 2 and 5 times a power of ten that is at most value. */
static double round_step(double value)
{
    const double power = pow(10, floor(log10(value)));
    return value >= 5 * power ? 5 * power : value >= 2 * power ? 2 * power : power;
}

static struct scale scale_of(const struct berth_svg_chart *chart)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < chart->count; i++) {
        least = fmin(least, chart->bars[i].value);
        most = fmax(most, fmax(chart->bars[i].value, chart->bars[i].limit));
    }
    if (most > FAR_APART * least) {
        return (struct scale){true, pow(10, floor(log10(least) - 0.2)), pow(10, ceil(log10(most)))};
    }
    const double step = round_step(most / 4);
    return (struct scale){false, 0, step * ceil(most / step)};
}

static void print_tick(struct berth_output *output, const struct scale *scale, double value,
                       double foot)
{
    const double x = position(scale, value);
    berth_output_print(output,
                       "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.1f\" class=\"grid\"/>\n", x,
                       TOP - 8, x, foot);
    berth_output_print(output, "<text x=\"%.1f\" y=\"%.1f\" class=\"tick\">%.3g</text>\n", x,
                       foot + 16, value);
}

static void print_axis(struct berth_output *output, const struct berth_svg_chart *chart,
                       const struct scale *scale)
{
    const double foot = TOP + ROW * (double)chart->count;
    if (scale->logarithmic) {
        for (double value = scale->low; value <= scale->high * 1.01; value *= 10) {
            print_tick(output, scale, value, foot);
        }
    } else {
        const double step = round_step(scale->high / 4);
        for (double value = 0; value <= scale->high * 1.001; value += step) {
            print_tick(output, scale, value, foot);
        }
    }
    berth_output_print(output, "<text x=\"%d\" y=\"%.1f\" class=\"axis\">", LEFT, foot + 40);
    print_escaped(output, chart->axis);
    berth_output_print(output, "%s</text>\n", scale->logarithmic ? " (logarithmic)" : "");
}

static void print_bar(struct berth_output *output, const struct berth_svg_chart *chart,
                      const struct scale *scale, size_t i)
{
    const struct berth_svg_bar *bar = &chart->bars[i];
    const double y = TOP + ROW * (double)i, end = position(scale, bar->value);
    print_text(output, LEFT, y + 12, "label", bar->label);
    berth_output_print(output,
                       "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" class=\"%s\"/>\n",
                       LEFT, y + 18, end - LEFT, BAR, bar->pale ? "pale" : "bar");
    double behind = end;
    if (bar->limit > 0) {
        const double x = position(scale, bar->limit);
        berth_output_print(
            output, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"limit\"/>\n", x,
            y + 14, x, y + 22 + BAR);
        behind = fmax(behind, x);
    }
    print_text(output, behind + 8, y + 18 + 0.7 * BAR, "note", bar->note);
}

static void print_head(struct berth_output *output, const struct berth_svg_chart *chart)
{
    const double height = TOP + ROW * (double)chart->count + BOTTOM;
    berth_output_print(output,
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
                       "viewBox=\"0 0 %d %.0f\">\n"
                       "<style>\n" STYLE ".bar { fill: #2f6db3 }\n"
                       ".pale { fill: #9fb3c8 }\n"
                       ".limit { stroke: #c2410c; stroke-width: 3 }\n"
                       "</style>\n"
                       "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
                       WIDTH, height, WIDTH, height);
    print_text(output, LEFT, 34, "title", chart->title);
    print_text(output, LEFT, 58, "subtitle", chart->subtitle);
}

static void print_legend(struct berth_output *output, const struct berth_svg_chart *chart)
{
    const double y = TOP + ROW * (double)chart->count + 36;
    berth_output_print(output,
                       "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" class=\"limit\"/>\n",
                       LEFT + 330, y - 10, LEFT + 330, y + 8);
    print_text(output, LEFT + 340, y + 4, "axis", chart->limit);
}

enum berth_status berth_svg_write(const char *path, const struct berth_svg_chart *chart,
                                  struct berth_error *error)
{
    struct berth_output *output;
    enum berth_status status = berth_output_create(path, &output, error);
    if (status) {
        return status;
    }
    const struct scale scale = scale_of(chart);
    print_head(output, chart);
    print_axis(output, chart, &scale);
    for (size_t i = 0; i < chart->count; i++) {
        print_bar(output, chart, &scale, i);
    }
    print_legend(output, chart);
    berth_output_print(output, "</svg>\n");
    return berth_output_commit(output, error);
}
