/* The tables of a set of complexes: which there are, where their boxes lie, what their ligands are.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text_reader.h"
#include "eval/redock/redock_internal.h"

enum { COLUMNS_MAX = 32 };

/* A table with a header, columns parted by tabs; the lines are the reader's. */
struct table {
    struct berth_text_reader *reader;
    char *header; /* owned */
    char *names[COLUMNS_MAX], *fields[COLUMNS_MAX];
    size_t name_count, field_count;
};

static size_t split(char *line, char *fields[COLUMNS_MAX])
{
    size_t count = 0;
    for (char *at = line; at && count < COLUMNS_MAX; count++) {
        char *tab = strchr(at, '\t');
        fields[count] = at;
        at = tab ? tab + 1 : NULL;
        if (tab) {
            *tab = '\0';
        }
    }
    return count;
}

static enum berth_status table_open(const char *path, struct table *table,
                                    struct berth_error *error)
{
    char *line = NULL;
    memset(table, 0, sizeof *table);
    enum berth_status status = berth_text_reader_create(path, &table->reader, error);
    BERTH_THEN(berth_text_reader_next(table->reader, &line, error));
    if (!status && !line) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "%s: empty; a line with the columns' names, "
                            "then one a complex, is needed",
                            path);
    }
    if (!status) {
        table->header = berth_copy_text(line);
        status = table->header ? BERTH_OK : berth_out_of_memory(error, NULL);
    }
    table->name_count = status ? 0 : split(table->header, table->names);
    return status;
}

/* The next line that is not empty; *end behind the last. */
static enum berth_status table_next(struct table *table, bool *end, struct berth_error *error)
{
    for (;;) {
        char *line = NULL;
        enum berth_status status = berth_text_reader_next(table->reader, &line, error);
        *end = !line;
        if (status || !line || *line) {
            table->field_count = line ? split(line, table->fields) : 0;
            return status;
        }
    }
}

static void table_close(struct table *table)
{
    berth_text_reader_destroy(table->reader);
    free(table->header);
}

/* The field of this column in the present line.  Errors: BERTH_E_FORMAT. */
static enum berth_status field_of(const struct table *table, const char *column, const char **field,
                                  struct berth_error *error)
{
    for (size_t i = 0; i < table->name_count; i++) {
        if (i < table->field_count && strcmp(table->names[i], column) == 0 && *table->fields[i]) {
            *field = table->fields[i];
            return BERTH_OK;
        }
    }
    return berth_fail(
        error, BERTH_E_FORMAT,
        "%s:%zu: no column %s (columns are parted by tabs, the first line names them)",
        berth_text_reader_path(table->reader), berth_text_reader_line(table->reader), column);
}

/* --- Boxes --- */

static enum berth_status read_center(const struct table *table, struct redock_entry *entry,
                                     struct berth_error *error)
{
    static const char *const AXES[] = {"center_x", "center_y", "center_z"};
    enum berth_status status = BERTH_OK;
    for (int k = 0; !status && k < 3; k++) {
        const char *text;
        char *end;
        status = field_of(table, AXES[k], &text, error);
        if (status) {
            break;
        }
        entry->center[k] = strtod(text, &end);
        if (end == text || *end || !(entry->center[k] > -10000 && entry->center[k] < 10000)) {
            status = berth_fail(error, BERTH_E_FORMAT, "%s:%zu: %s: '%s' is no coordinate",
                                berth_text_reader_path(table->reader),
                                berth_text_reader_line(table->reader), AXES[k], text);
        }
    }
    return status;
}

/* A name is a folder's: nothing that leads elsewhere. */
static bool is_name(const char *text)
{
    return *text && *text != '.' && !strchr(text, '/');
}

static enum berth_status add_entry(struct redock_set *set, const struct table *table,
                                   struct berth_error *error)
{
    const char *name;
    enum berth_status status = field_of(table, "pdb", &name, error);
    if (!status && !is_name(name)) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s:%zu: '%s' cannot be a complex's folder",
                            berth_text_reader_path(table->reader),
                            berth_text_reader_line(table->reader), name);
    }
    BERTH_THEN(
        berth_reserve(&set->entries, &set->capacity, set->count + 1, sizeof *set->entries, error));
    if (status) {
        return status;
    }
    struct redock_entry *entry = &set->entries[set->count++];
    *entry = (struct redock_entry){.name = berth_copy_text(name)};
    return entry->name ? read_center(table, entry, error) : berth_out_of_memory(error, NULL);
}

static enum berth_status read_sites(struct redock_set *set, struct berth_error *error)
{
    char path[PATH_MAX];
    struct table table;
    bool end = false;
    snprintf(path, sizeof path, "%s/sites.tsv", set->folder);
    enum berth_status status = table_open(path, &table, error);
    while (!status && !end) {
        status = table_next(&table, &end, error);
        if (!status && !end) {
            status = add_entry(set, &table, error);
        }
    }
    table_close(&table);
    return status || set->count
               ? status
               : berth_fail(error, BERTH_E_FORMAT, "%s: no complex is listed", path);
}

/* --- Ligands --- */

static struct redock_entry *find(struct redock_set *set, const char *name, size_t length)
{
    for (size_t i = 0; i < set->count; i++) {
        if (strlen(set->entries[i].name) == length &&
            memcmp(set->entries[i].name, name, length) == 0) {
            return &set->entries[i];
        }
    }
    return NULL;
}

static enum berth_status read_smiles(const char *path, struct redock_set *set,
                                     struct berth_error *error)
{
    struct table table;
    bool end = false;
    enum berth_status status = table_open(path, &table, error);
    while (!status && !end) {
        const char *name = "", *smiles = "";
        status = table_next(&table, &end, error);
        if (!status && !end) {
            status = field_of(&table, "pdb", &name, error);
        }
        if (!status && !end) {
            status = field_of(&table, "smiles", &smiles, error);
        }
        struct redock_entry *entry = status || end ? NULL : find(set, name, strlen(name));
        if (entry) {
            free(entry->smiles);
            entry->smiles = berth_copy_text(smiles);
            status = entry->smiles ? BERTH_OK : berth_out_of_memory(error, NULL);
        }
    }
    table_close(&table);
    return status;
}

/* --- The set --- */

static void entry_clear(struct redock_entry *entry)
{
    free(entry->name);
    free(entry->smiles);
}

/* Keeps the entries that list names. */
static enum berth_status keep_only(const char *list, struct redock_set *set,
                                   struct berth_error *error)
{
    bool *keep = berth_alloc(set->count, sizeof *keep);
    enum berth_status status = keep ? BERTH_OK : berth_out_of_memory(error, NULL);
    for (const char *at = list; !status && *at;) {
        const size_t length = strcspn(at, ",");
        const struct redock_entry *entry = find(set, at, length);
        if (entry) {
            keep[entry - set->entries] = true;
        } else {
            status = berth_fail(error, BERTH_E_USAGE,
                                "--only: there is no complex '%.*s' in "
                                "%s/sites.tsv",
                                (int)length, at, set->folder);
        }
        at += length + (at[length] == ',');
    }
    size_t kept = 0;
    for (size_t i = 0; !status && i < set->count; i++) {
        if (keep[i]) {
            set->entries[kept++] = set->entries[i];
        } else {
            entry_clear(&set->entries[i]);
        }
    }
    set->count = status ? set->count : kept;
    free(keep);
    return status;
}

enum berth_status redock_set_read(const struct berth_redock_settings *settings,
                                  struct redock_set *set, struct berth_error *error)
{
    *set = (struct redock_set){.folder = settings->set};
    enum berth_status status = read_sites(set, error);
    if (!status && settings->smiles) {
        status = read_smiles(settings->smiles, set, error);
    }
    return status || !settings->only ? status : keep_only(settings->only, set, error);
}

void redock_set_clear(struct redock_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        entry_clear(&set->entries[i]);
    }
    free(set->entries);
    memset(set, 0, sizeof *set);
}
