#include "report/page/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void page_name(struct berth_output *output, const char *name)
{
    berth_output_print(output, ",\"%s\":", name);
}

void page_number(struct berth_output *output, double value, int decimals)
{
    if (isfinite(value)) {
        berth_output_print(output, "%.*f", decimals, value);
    } else {
        berth_output_print(output, "null");
    }
}

void page_text(struct berth_output *output, const char *text)
{
    char *shown = berth_text_escape(text, "");
    berth_output_json(output, shown ? shown : "");
    free(shown);
}

void page_picture(struct berth_output *output, const unsigned char *svg, size_t size)
{
    berth_output_print(output, "\"data:image/svg+xml,");
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = svg[i];
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || (c && strchr(" .,-_:;=/()", c));
        berth_output_print(output, plain ? "%c" : "%%%02X", c);
    }
    berth_output_print(output, "\"");
}
