#include "format/sdf/molfile.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    LINE_SIZE = 128,     /* bytes of a line that are looked at */
    COUNTS_LINE = 3,     /* from 0: behind three lines of header */
    FIELD = 3,           /* columns of a number in V2000 */
    COUNT_MAX = 999,     /* so that a V2000 field holds it */
    BOND_TYPES_KNOWN = 4 /* 1 to 4: single, double, triple, aromatic */
};

/* The lines of a record, one after the other. */
struct lines {
    const char *text;
    size_t left;
    char line[LINE_SIZE]; /* the current one, cut off where it is longer */
};

static bool next_line(struct lines *lines)
{
    if (!lines->left) {
        return false;
    }
    const char *end = memchr(lines->text, '\n', lines->left);
    const size_t length = end ? (size_t)(end - lines->text) : lines->left;
    const size_t kept = length < LINE_SIZE ? length : LINE_SIZE - 1;
    memcpy(lines->line, lines->text, kept);
    lines->line[kept] = '\0';
    const size_t used = end ? length + 1 : length;
    lines->text += used;
    lines->left -= used;
    return true;
}

/* The number in three columns of a V2000 line, or -1. */
static int field(const char *line, size_t number)
{
    char text[FIELD + 1] = "";
    int value;
    if (strlen(line) < (number + 1) * FIELD) {
        return -1;
    }
    memcpy(text, line + number * FIELD, FIELD);
    return sscanf(text, "%3d", &value) == 1 ? value : -1;
}

static enum berth_status check_type(size_t number, int type, struct berth_error *error)
{
    return type < 0 || (type > 0 && type <= BOND_TYPES_KNOWN)
               ? BERTH_OK
               : berth_fail(
                     error, BERTH_E_FORMAT,
                     "bond %zu is of type %d (coordination, zero order or a query), which has "
                     "no valence to give hydrogens by; leave it out, or give it an order",
                     number, type);
}

/* The current line is that of the counts: atoms, bonds. */
static enum berth_status check_v2000(struct lines *lines, struct berth_error *error)
{
    const int atoms = field(lines->line, 0), bonds = field(lines->line, 1);
    enum berth_status status = BERTH_OK;
    for (int i = 0; i < atoms && i < COUNT_MAX; i++) {
        if (!next_line(lines)) {
            return BERTH_OK;
        }
    }
    for (int i = 0; !status && i < bonds && i < COUNT_MAX && next_line(lines); i++) {
        status = check_type((size_t)i + 1, field(lines->line, 2), error);
    }
    return status;
}

/* "M  V30 1 2 3 4": the bond's number, its type, its atoms. */
static enum berth_status check_v3000(struct lines *lines, struct berth_error *error)
{
    static const char BEGIN[] = "M  V30 BEGIN BOND", END[] = "M  V30 END BOND";
    enum berth_status status = BERTH_OK;
    for (bool inside = false; !status && next_line(lines);) {
        size_t number;
        int type;
        if (strncmp(lines->line, BEGIN, sizeof BEGIN - 1) == 0) {
            inside = true;
        } else if (strncmp(lines->line, END, sizeof END - 1) == 0) {
            return BERTH_OK;
        } else if (inside && sscanf(lines->line, "M  V30 %9zu %9d", &number, &type) == 2) {
            status = check_type(number, type, error);
        }
    }
    return status;
}

enum berth_status berth_molfile_check_bonds(const char *text, size_t size,
                                            struct berth_error *error)
{
    struct lines lines = {text, size, ""};
    for (int i = 0; i <= COUNTS_LINE; i++) {
        if (!next_line(&lines)) {
            return BERTH_OK;
        }
    }
    return strstr(lines.line, "V3000") ? check_v3000(&lines, error) : check_v2000(&lines, error);
}
