/* JSON, written piece by piece to an output: commas come by themselves. */
#ifndef BERTH_FORMAT_JSON_H
#define BERTH_FORMAT_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "format/output.h"

/* The caller sets the output; it stays the caller's. */
struct berth_json {
    struct berth_output *output;
    bool follows; /* something stands in front of what comes next, in the same object or list */
};

/* Each appends a member of the object that is open, or, where name is NULL, an item of the list. */

/* An object ('{') or a list ('['), which is open until it is closed with its bracket. */
void berth_json_open(struct berth_json *json, const char *name, char bracket);
void berth_json_close(struct berth_json *json, char bracket);

void berth_json_text(struct berth_json *json, const char *name, const char *text);

/* A text of others (a name, a path), whose control characters are made visible (see
 * berth_text_escape). */
void berth_json_shown(struct berth_json *json, const char *name, const char *text);

/* A number with so many decimals; null where it is none. */
void berth_json_number(struct berth_json *json, const char *name, double value, int decimals);
void berth_json_count(struct berth_json *json, const char *name, size_t count);
void berth_json_bool(struct berth_json *json, const char *name, bool value);

/* A value as it is printed (printf style): JSON already. */
void berth_json_print(struct berth_json *json, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
