/* What the columns of a table are. */
#include <string.h>

#include "report/show_internal.h"
#include "score/fields.h"

/* Writes a text of docs/formats.md as a terminal has it: without links and marks of code. */
static void print_plainly(const char *about, char *text, size_t size)
{
    size_t count = 0;
    for (const char *at = about; *at && count + 1 < size; at++) {
        if (strncmp(at, "](", 2) == 0) { /* a link's address */
            at += strcspn(at, ")") - (strchr(at, ')') == NULL);
        } else if (*at != '[' && *at != '`') {
            text[count++] = *at;
        }
    }
    text[count] = '\0';
}

enum berth_status berth_show_columns(const struct berth_show_settings *settings,
                                     berth_column_taker *take, struct berth_error *error)
{
    struct berth_shown shown;
    const struct berth_pose_field *last = NULL; /* the known column before */
    char about[1024];
    const enum berth_status status = show_open(settings, true, &shown, error);
    for (size_t i = 0; !status && i < shown.show->table.count; i++) {
        const char *name = shown.show->table.columns[i].name;
        const struct berth_pose_field *field = berth_field_named(name);
        last = field ? field : last;
        if (!field && last && last[1].list) { /* the run's names: functions, terms */
            field = last + 1;
        }
        const char *unit = !field || !field->unit          ? ""
                           : strcmp(field->unit, "E") == 0 ? "energy"
                                                           : field->unit;
        print_plainly(field && field->about ? field->about : "what came with the molecules", about,
                      sizeof about);
        take(name, unit, about);
    }
    if (!status) {
        properties_list(take);
    }
    berth_shown_clear(&shown);
    return status;
}
