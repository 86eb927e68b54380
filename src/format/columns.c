#include "format/columns.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/fields.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/smiles/smiles.h"

enum { NAME_SIZE = 64, LIST_SIZE = 240 };

/* --- What columns are called --- */

/* A column's name in small letters and digits alone: "Catalog ID" as "catalogid". */
static void plain_name(const char *field, char plain[NAME_SIZE])
{
    size_t size = 0;
    for (; *field && size + 1 < NAME_SIZE; field++) {
        if (isalnum((unsigned char)*field)) {
            plain[size++] = (char)tolower((unsigned char)*field);
        }
    }
    plain[size] = '\0';
}

static bool names_smiles(const char *field)
{
    char plain[NAME_SIZE];
    plain_name(field, plain);
    return strstr(plain, "smiles") != NULL;
}

/* Beside other words, as a title may have "smiles" in it. */
static bool names_smiles_alone(const char *field)
{
    char plain[NAME_SIZE];
    plain_name(field, plain);
    return berth_text_lists("smiles canonicalsmiles isomericsmiles cansmiles isosmiles", ' ',
                            plain);
}

static bool names_names(const char *field)
{
    char plain[NAME_SIZE];
    plain_name(field, plain);
    return berth_text_lists(
        "name names title id identifier code compound compoundname compoundid compoundcode "
        "molecule moleculename moleculeid mol molname molid ligand ligandname ligandid catalogid "
        "catalogno catalognumber catalog idnumber vendorid productid chemblid moleculechemblid "
        "zincid zinc zinccode enamineid cid pubchemcid drugbankid",
        ' ', plain);
}

/* --- Which are meant --- */

/* "1 smiles, 2 name, ..." of the columns, or of those that `which` holds for. */
static void list_columns(const struct berth_columns *columns, bool (*which)(const char *field),
                         char list[LIST_SIZE])
{
    *list = '\0';
    for (size_t i = 0; i < columns->count; i++) {
        if (which && !which(columns->fields[i])) {
            continue;
        }
        if (strlen(list) + NAME_SIZE + 8 > LIST_SIZE) {
            berth_text_append(list, LIST_SIZE, ", ...");
            break;
        }
        berth_text_append(list, LIST_SIZE, "%s%zu '%.40s'", *list ? ", " : "", i + 1,
                          columns->fields[i]);
    }
}

/* The column of this name, or else number; *named: by its name. */
static enum berth_status find_wanted(const struct berth_columns *columns, const char *wanted,
                                     const char *option, size_t *column, bool *named,
                                     struct berth_error *error)
{
    const struct berth_field field = {wanted, strlen(wanted)};
    char list[LIST_SIZE];
    int number = 0;
    for (size_t i = 0; i < columns->count; i++) {
        if (strcasecmp(columns->fields[i], wanted) == 0) {
            *column = i;
            *named = true;
            return BERTH_OK;
        }
    }
    if (berth_field_integer(&field, &number) && number > 0 && (size_t)number <= columns->count) {
        *column = (size_t)number - 1;
        return BERTH_OK;
    }
    list_columns(columns, NULL, list);
    return berth_fail_option(error, BERTH_E_FORMAT, option,
                             "%s: there is no column '%s'; there are %s", option, wanted, list);
}

/* The one column that bears a usual name; SIZE_MAX: none does. */
static enum berth_status find_usual(const struct berth_columns *columns,
                                    bool (*usual)(const char *field), const char *option,
                                    size_t *column, struct berth_error *error)
{
    char list[LIST_SIZE];
    size_t found = 0;
    *column = SIZE_MAX;
    for (size_t i = 0; i < columns->count; i++) {
        if (usual(columns->fields[i])) {
            *column = found++ ? *column : i;
        }
    }
    list_columns(columns, usual, list);
    return found < 2 ? BERTH_OK
                     : berth_fail_option(error, BERTH_E_FORMAT, option,
                                         "%s: %zu columns may be meant; choose one of %s", option,
                                         found, list);
}

static enum berth_status find_smiles(struct berth_columns *columns, bool *header,
                                     struct berth_error *error)
{
    static const char OPTION[] = "smiles_column";
    char list[LIST_SIZE];
    if (columns->wanted.smiles) {
        return find_wanted(columns, columns->wanted.smiles, OPTION, &columns->smiles, header,
                           error);
    }
    BERTH_TRY(find_usual(columns, names_smiles, OPTION, &columns->smiles, error));
    *header = columns->smiles != SIZE_MAX;
    list_columns(columns, NULL, list);
    return *header ? BERTH_OK
                   : berth_fail_option(error, BERTH_E_FORMAT, OPTION,
                                       "%s: no column is called SMILES; choose one of %s", OPTION,
                                       list);
}

enum berth_status berth_columns_find(struct berth_columns *columns, bool *header,
                                     struct berth_error *error)
{
    static const char OPTION[] = "name_column";
    *header = false;
    columns->width = columns->count;
    columns->name = SIZE_MAX;
    for (size_t i = 0; i < columns->count; i++) {
        if (strchr(columns->fields[i], '\r')) {
            return berth_fail_option(error, BERTH_E_FORMAT, "smiles_column",
                                     "a carriage return inside the line of names; lines end with "
                                     "LF or CRLF: convert the file, for example with `tr '\\r' "
                                     "'\\n'`");
        }
    }
    BERTH_TRY(find_smiles(columns, header, error));
    if (columns->wanted.name) {
        BERTH_TRY(
            find_wanted(columns, columns->wanted.name, OPTION, &columns->name, header, error));
    }
    for (size_t i = 0; i < columns->count; i++) { /* by number: a line of names has a usual one */
        *header =
            *header || names_smiles_alone(columns->fields[i]) || names_names(columns->fields[i]);
    }
    return !*header || columns->wanted.name
               ? BERTH_OK
               : find_usual(columns, names_names, OPTION, &columns->name, error);
}

static void tell_column(const struct berth_columns *columns, size_t column, bool header,
                        char text[BERTH_COLUMNS_TEXT])
{
    berth_text_append(text, BERTH_COLUMNS_TEXT, " in column %zu", column + 1);
    if (header) {
        berth_text_append(text, BERTH_COLUMNS_TEXT, ", '%.40s'", columns->fields[column]);
    }
}

void berth_columns_tell(const struct berth_columns *columns, bool header,
                        char text[BERTH_COLUMNS_TEXT])
{
    const bool named = columns->name != SIZE_MAX;
    snprintf(text, BERTH_COLUMNS_TEXT, "SMILES");
    tell_column(columns, columns->smiles, header, text);
    berth_text_append(text, BERTH_COLUMNS_TEXT, named ? ", names" : ", no names");
    if (named) {
        tell_column(columns, columns->name, header, text);
    }
}

/* --- Lines --- */

size_t berth_columns_extension(const char *text)
{
    const char *end = *text == '|' ? strchr(text + 1, '|') : NULL;
    return *text != '|' ? 0 : end ? (size_t)(end - text) + 1 : strcspn(text, " \t");
}

/* Where the field at `text` ends: at a separator that is not in an extension of SMILES; where
 * blanks part the fields, the last of them takes what is left. */
static char *end_of_field(const struct berth_columns *columns, char *text)
{
    const bool blanks = columns->separator == ' ';
    const char separators[] = {columns->separator, blanks ? '\t' : '\0', '\0'};
    if (blanks && columns->width && columns->count + 1 == columns->width) {
        return text + strlen(text);
    }
    char *end = text + strcspn(text, separators);
    char *mark = strstr(text, " |");
    if (mark && mark <= end && strchr(mark + 2, '|')) {
        end = strchr(mark + 2, '|');
        end += strcspn(end, separators);
    }
    return end;
}

enum berth_status berth_columns_cut(struct berth_columns *columns, char *line,
                                    struct berth_error *error)
{
    columns->count = 0;
    columns->line = line;
    for (bool last = false; !last;) {
        line += strspn(line, columns->separator == '\t' ? " " : " \t");
        char *end = end_of_field(columns, line);
        last = !*end || (columns->separator == ' ' && !end[strspn(end, " \t")]);
        *end = '\0';
        if (*line == '"') {
            return berth_fail(error, BERTH_E_FORMAT,
                              "a field in quotes: this is CSV; give format csv, or name the file "
                              "so");
        }
        BERTH_TRY(berth_columns_add(columns, line, error));
        line = end + 1;
    }
    return BERTH_OK;
}

/* True for a line of names: its first word is called after SMILES, or is none and another one is
 * called SMILES.  Behind a blank there is none. */
static bool is_header(const char *line)
{
    static const char SEPARATORS[] = " \t,;\"";
    bool names = false;
    const size_t first = strcspn(line, SEPARATORS);
    for (const char *at = line; *at;) {
        char word[NAME_SIZE];
        at += strspn(at, SEPARATORS);
        const size_t size = strcspn(at, SEPARATORS);
        if (size < sizeof word) {
            memcpy(word, at, size);
            word[size] = '\0';
            names = names || (at == line ? names_smiles(word) : names_smiles_alone(word));
        }
        at += size;
    }
    return names && !isblank((unsigned char)*line) &&
           (!first || berth_smiles_check(line, first, NULL));
}

enum berth_status berth_columns_begin(struct berth_columns *columns, char *line, bool *header,
                                      struct berth_error *error)
{
    const bool names = is_header(line);
    *header = false;
    if (!names && !columns->wanted.smiles && !columns->wanted.name) {
        return BERTH_OK;
    }
    const char *order = names ? "\t,; " : "\t ,;"; /* names of molecules have commas */
    while (order[1] && !strchr(line, *order)) {
        order++;
    }
    columns->separator = *order;
    BERTH_TRY(berth_columns_cut(columns, line, error));
    BERTH_TRY(berth_columns_find(columns, header, error));
    if (!*header && columns->separator == ' ' && columns->name != SIZE_MAX) {
        /* Of lines without a header whose fields blanks part, and whose name is the last that is
         * asked for: it takes what is left of a line, since names have blanks. */
        if (columns->name > columns->smiles) {
            columns->width = columns->name + 1;
            for (; columns->count > columns->width; columns->count--) {
                char *name = columns->line + (columns->fields[columns->name] - columns->line);
                name[strlen(name)] = ' ';
            }
        }
    }
    return BERTH_OK;
}

/* --- Rows --- */

enum berth_status berth_columns_add(struct berth_columns *columns, const char *field,
                                    struct berth_error *error)
{
    BERTH_TRY(berth_reserve(&columns->fields, &columns->capacity, columns->count + 1,
                            sizeof *columns->fields, error));
    columns->fields[columns->count++] = field;
    return BERTH_OK;
}

/* The row's field in a column; NULL where it ends in front of it. */
static const char *field_in(const struct berth_columns *columns, size_t column)
{
    const char *field = column < columns->count ? columns->fields[column] : NULL;
    return field ? field + strspn(field, " \t") : NULL;
}

enum berth_status berth_columns_take(const struct berth_columns *columns, const char **smiles,
                                     const char **name, struct berth_error *error)
{
    const bool named = columns->name != SIZE_MAX;
    const char *title = named ? field_in(columns, columns->name) : "";
    *smiles = field_in(columns, columns->smiles);
    *name = title ? title : "";
    if (!*smiles || !title || columns->count > columns->width) {
        return berth_fail(error, BERTH_E_FORMAT, "%zu field%s, but there are %zu columns",
                          columns->count, columns->count == 1 ? "" : "s", columns->width);
    }
    if (!**smiles) {
        return berth_fail(error, BERTH_E_FORMAT, "no SMILES: an empty field");
    }
    return strpbrk(*smiles, "\r\n") || strpbrk(*name, "\r\n")
               ? berth_fail(error, BERTH_E_FORMAT,
                            "a field of several lines; is the end of a quotation missing?")
               : BERTH_OK;
}

void berth_columns_clear(struct berth_columns *columns)
{
    free(columns->fields);
    columns->fields = NULL;
    columns->count = columns->capacity = 0;
}
