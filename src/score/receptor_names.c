#include "score/receptor_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "score/fields.h"

/* A name itself: with the prefix, and a number where it is taken, it fits its column. */
enum { LENGTH_MAX = 48 };

void berth_receptor_name_of(const char *path, char name[BERTH_RECEPTOR_NAME_SIZE])
{
    const char *file;
    size_t length = berth_file_stem(path, &file);
    length = length < LENGTH_MAX ? length : LENGTH_MAX;
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)file[i];
        name[i] = (char)(c < 128 && isalnum(c) ? c : '_');
    }
    name[length] = '\0';
}

static bool is_taken(const struct berth_receptor_names *names, const char *column)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->columns[i], column) == 0) {
            return true;
        }
    }
    return false;
}

enum berth_status berth_receptor_names_add(struct berth_receptor_names *names, const char *path,
                                           struct berth_error *error)
{
    char name[BERTH_RECEPTOR_NAME_SIZE];
    if (names->count == BERTH_RECEPTORS_MAX) {
        return berth_fail(error, BERTH_E_USAGE, "%s: a run docks to %d receptors at most", path,
                          (int)BERTH_RECEPTORS_MAX);
    }
    char *column = names->columns[names->count];
    berth_receptor_name_of(path, name);
    snprintf(column, BERTH_RECEPTOR_NAME_SIZE, "%s%.*s", BERTH_COLUMN_SCORE_IN, (int)LENGTH_MAX,
             name);
    for (int number = 2; is_taken(names, column); number++) {
        snprintf(column, BERTH_RECEPTOR_NAME_SIZE, "%s%.*s_%d", BERTH_COLUMN_SCORE_IN,
                 (int)LENGTH_MAX, name, number);
    }
    names->count++;
    return BERTH_OK;
}

size_t berth_receptor_names_count(const struct berth_receptor_names *names)
{
    return names && names->count > 1 ? names->count : 0;
}

const char *berth_receptor_name(const struct berth_receptor_names *names, size_t number)
{
    return number < berth_receptor_names_count(names)
               ? names->columns[number] + strlen(BERTH_COLUMN_SCORE_IN)
               : "";
}
