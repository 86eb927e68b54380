#include "format/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/text.h"

/* What stands in front of a value; after it something follows. */
static void begin(struct berth_json *json, const char *name)
{
    berth_output_bytes(json->output, ",", json->follows);
    if (name) {
        berth_output_json(json->output, name);
        berth_output_bytes(json->output, ":", 1);
    }
    json->follows = true;
}

void berth_json_open(struct berth_json *json, const char *name, char bracket)
{
    begin(json, name);
    berth_output_bytes(json->output, &bracket, 1);
    json->follows = false;
}

void berth_json_close(struct berth_json *json, char bracket)
{
    berth_output_bytes(json->output, &bracket, 1);
    json->follows = true;
}

void berth_json_text(struct berth_json *json, const char *name, const char *text)
{
    begin(json, name);
    berth_output_json(json->output, text);
}

void berth_json_shown(struct berth_json *json, const char *name, const char *text)
{
    char *shown = berth_text_escape(text, "");
    berth_json_text(json, name, shown ? shown : "");
    free(shown);
}

void berth_json_number(struct berth_json *json, const char *name, double value, int decimals)
{
    begin(json, name);
    berth_output_print(json->output, isfinite(value) ? "%.*f" : "null", decimals, value);
}

void berth_json_count(struct berth_json *json, const char *name, size_t count)
{
    begin(json, name);
    berth_output_print(json->output, "%zu", count);
}

void berth_json_bool(struct berth_json *json, const char *name, bool value)
{
    begin(json, name);
    berth_output_print(json->output, value ? "true" : "false");
}

void berth_json_print(struct berth_json *json, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = berth_text_format(format, arguments);
    va_end(arguments);
    begin(json, name);
    berth_output_print(json->output, "%s", text ? text : "null");
    free(text);
}
