/* The complexes of a set: which there are, where their boxes lie, what their ligands are. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "eval/redock/redock_internal.h"
#include "format/csv.h"

/* Reads a table with columns of these names, 4 at most; take is given each row. */
static enum berth_status read_table(
    const char *path, const char *const *names, size_t count,
    enum berth_status (*take)(struct redock_set *set, const char *path, const struct berth_csv *csv,
                              const size_t *columns, struct berth_error *error),
    struct redock_set *set, struct berth_error *error)
{
    struct berth_csv *csv = NULL;
    size_t columns[4];
    bool end = false;
    enum berth_status status = berth_csv_open(path, '\t', &csv, error);
    for (size_t i = 0; !status && i < count; i++) {
        columns[i] = berth_csv_find(csv, names[i]);
        if (columns[i] == SIZE_MAX) {
            status = berth_fail(
                error, BERTH_E_FORMAT,
                "%s: no column %s (tabs separate the columns, and the first line names them)", path,
                names[i]);
        }
    }
    while (!status && !(status = berth_csv_next(csv, &end, error)) && !end) {
        status = take(set, path, csv, columns, error);
    }
    berth_csv_close(csv);
    return status;
}

static const char *const SITE_COLUMNS[] = {"pdb", "center_x", "center_y", "center_z"};
static const char *const LIGAND_COLUMNS[] = {"pdb", "smiles"};

/* A complex and its box.  A name is a folder's: nothing that leads elsewhere. */
static enum berth_status add_entry(struct redock_set *set, const char *path,
                                   const struct berth_csv *csv, const size_t *columns,
                                   struct berth_error *error)
{
    const char *name = berth_csv_field(csv, columns[0]);
    if (!*name || *name == '.' || strchr(name, '/')) {
        return berth_fail(error, BERTH_E_FORMAT, "%s:%zu: '%s' cannot be a complex's folder", path,
                          berth_csv_line(csv), name);
    }
    BERTH_TRY(
        berth_reserve(&set->entries, &set->capacity, set->count + 1, sizeof *set->entries, error));
    struct redock_entry *entry = &set->entries[set->count++];
    *entry = (struct redock_entry){.name = berth_copy_text(name)};
    for (int k = 0; k < 3; k++) {
        if (!berth_csv_real(csv, columns[k + 1], &entry->center[k]) ||
            fabs(entry->center[k]) >= BERTH_COORDINATE_MAX) {
            return berth_fail(error, BERTH_E_FORMAT, "%s:%zu: %s: '%s' is no coordinate", path,
                              berth_csv_line(csv), SITE_COLUMNS[k + 1],
                              berth_csv_field(csv, columns[k + 1]));
        }
    }
    return entry->name ? BERTH_OK : berth_out_of_memory(error, NULL);
}

static struct redock_entry *find_entry(struct redock_set *set, const char *name, size_t length)
{
    for (size_t i = 0; i < set->count; i++) {
        if (strlen(set->entries[i].name) == length &&
            memcmp(set->entries[i].name, name, length) == 0) {
            return &set->entries[i];
        }
    }
    return NULL;
}

/* The SMILES of a complex's ligand. */
static enum berth_status add_smiles(struct redock_set *set, const char *path,
                                    const struct berth_csv *csv, const size_t *columns,
                                    struct berth_error *error)
{
    const char *name = berth_csv_field(csv, columns[0]);
    struct redock_entry *entry = find_entry(set, name, strlen(name));
    (void)path;
    if (entry) {
        free(entry->smiles);
        entry->smiles = berth_copy_text(berth_csv_field(csv, columns[1]));
    }
    return !entry || entry->smiles ? BERTH_OK : berth_out_of_memory(error, NULL);
}

/* --- The set --- */

static void clear_entry(struct redock_entry *entry)
{
    free(entry->name);
    free(entry->smiles);
}

/* Keeps the entries that list names. */
static enum berth_status keep_only(const char *list, struct redock_set *set,
                                   struct berth_error *error)
{
    bool *keep;
    enum berth_status status = berth_make(&keep, set->count, sizeof *keep, NULL, error);
    for (const char *at = list; !status && *at;) {
        const size_t length = strcspn(at, ",");
        const struct redock_entry *entry = find_entry(set, at, length);
        if (entry) {
            keep[entry - set->entries] = true;
        } else {
            status = berth_fail_option(error, BERTH_E_USAGE, "only",
                                       "only: there is no complex '%.*s' in %s/sites.tsv",
                                       (int)length, at, set->folder);
        }
        at += length + (at[length] == ',');
    }
    size_t kept = 0;
    for (size_t i = 0; !status && i < set->count; i++) {
        if (keep[i]) {
            set->entries[kept++] = set->entries[i];
        } else {
            clear_entry(&set->entries[i]);
        }
    }
    set->count = status ? set->count : kept;
    free(keep);
    return status;
}

enum berth_status redock_set_read(const struct berth_options *options, struct redock_set *set,
                                  struct berth_error *error)
{
    char path[PATH_MAX];
    *set = (struct redock_set){.folder = options->inputs.items[0]};
    snprintf(path, sizeof path, "%s/sites.tsv", set->folder);
    BERTH_TRY(read_table(path, SITE_COLUMNS, 4, add_entry, set, error));
    if (!set->count) {
        return berth_fail(error, BERTH_E_FORMAT, "%s: no complex is listed", path);
    }
    if (options->smiles_table) {
        BERTH_TRY(read_table(options->smiles_table, LIGAND_COLUMNS, 2, add_smiles, set, error));
    }
    return options->only ? keep_only(options->only, set, error) : BERTH_OK;
}

void redock_set_clear(struct redock_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        clear_entry(&set->entries[i]);
    }
    free(set->entries);
    memset(set, 0, sizeof *set);
}
