/* The data items of an SDF record: "> <NAME>", lines of value, a blank line. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "prep/prepare_steps.h"

static bool is_wanted(const char *name, const char *const *wanted, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(wanted[i], name) == 0 || strcmp(wanted[i], "all") == 0) {
            return true;
        }
    }
    return false;
}

/* Cuts the text at the end of its first line; the rest of it, or NULL at the end. */
static char *next_line(char **text)
{
    char *line = *text, *end = strchr(line, '\n');
    if (!*line) {
        return NULL;
    }
    if (end) {
        *end = '\0';
    }
    *text = end ? end + 1 : line + strlen(line);
    return line;
}

/* The name in "> 25 <NAME> (1)", cut out in place; NULL where the line is no header. */
static char *name_of(char *line)
{
    char *start = *line == '>' ? strchr(line, '<') : NULL, *end = start ? strchr(start, '>') : NULL;
    if (!end) {
        return NULL;
    }
    *end = '\0';
    return start + 1;
}

enum berth_status berth_prepare_properties(const struct berth_record *record,
                                           const char *const *wanted, size_t wanted_count,
                                           struct berth_library_ligand *ligand,
                                           struct berth_error *error)
{
    if (!wanted_count || record->kind != BERTH_RECORD_SDF) {
        return BERTH_OK;
    }
    char *text = berth_alloc(record->text.count + 1, 1), *rest = text;
    if (!text) {
        return berth_out_of_memory(error, NULL);
    }
    memcpy(text, record->text.data, record->text.count);
    enum berth_status status = BERTH_OK;
    for (char *line = next_line(&rest); !status && line; line = next_line(&rest)) {
        char *name = name_of(line);
        if (!name || !is_wanted(name, wanted, wanted_count)) {
            continue;
        }
        /* the value's lines stay joined by their newlines */
        char *value = rest;
        char *end = *value == '\n' ? value : strstr(value, "\n\n");
        end = end ? end : value + strlen(value);
        rest = *end ? end + 1 : end;
        *end = '\0';
        status = berth_library_ligand_property(ligand, name, value, error);
    }
    free(text);
    return status;
}
