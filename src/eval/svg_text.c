#include "eval/svg_internal.h"

void berth_svg_escaped(struct berth_output *output, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<':
            berth_output_print(output, "&lt;");
            break;
        case '>':
            berth_output_print(output, "&gt;");
            break;
        case '&':
            berth_output_print(output, "&amp;");
            break;
        default:
            berth_output_print(output, "%c", *text);
        }
    }
}

void berth_svg_text(struct berth_output *output, double x, double y, const char *class,
                    const char *text)
{
    berth_output_print(output, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
    berth_svg_escaped(output, text);
    berth_output_print(output, "</text>\n");
}
