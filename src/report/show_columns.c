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

/* Whether a column stands between these two of the table's. */
static bool is_between(const struct berth_table *table, size_t column, const char *first,
                       const char *last)
{
    const size_t begin = berth_table_find(table, first), end = berth_table_find(table, last);
    return begin != SIZE_MAX && end != SIZE_MAX && begin < column && column < end;
}

/* Says what a column is; the run's own names stand where docs/formats.md has them. */
static void describe(const struct berth_table *table, size_t column, berth_column_taker *take)
{
    const char *name = table->columns[column].name;
    const struct berth_pose_field *field = berth_field_named(name);
    char about[1024];
    if (field) {
        const char *unit = field->unit ? field->unit : "";
        print_plainly(field->about, about, sizeof about);
        take(name, strcmp(unit, "E") == 0 ? "energy" : unit, about);
    } else if (is_between(table, column, BERTH_COLUMN_SCORE, BERTH_COLUMN_ENERGY)) {
        take(name, "", "energy by the function of this name, or what the model says");
    } else if (is_between(table, column, BERTH_COLUMN_ENERGY, "efficiency")) {
        take(name, "energy", "a term of the first function's energy");
    } else {
        take(name, "", "what came with the molecules");
    }
}

enum berth_status berth_show_columns(const struct berth_show_settings *settings,
                                     berth_column_taker *take, struct berth_error *error)
{
    struct berth_shown shown;
    const enum berth_status status = show_open(settings, true, &shown, error);
    for (size_t i = 0; !status && i < shown.show->table.count; i++) {
        describe(&shown.show->table, i, take);
    }
    if (!status) {
        properties_list(take);
    }
    berth_shown_clear(&shown);
    return status;
}
