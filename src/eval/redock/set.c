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
static enum berth_status
read_table(const char *path, const char *const *names, size_t count,
           enum berth_status (*take)(struct berth_redock *redock, const char *path,
                                     const struct berth_csv *csv, const size_t *columns,
                                     struct berth_error *error),
           struct berth_redock *redock, struct berth_error *error)
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
        status = take(redock, path, csv, columns, error);
    }
    berth_csv_close(csv);
    return status;
}

static const char *const SITE_COLUMNS[] = {"pdb", "center_x", "center_y", "center_z"};
static const char *const LIGAND_COLUMNS[] = {"pdb", "smiles"};

/* A complex and its box.  A name is a folder's: nothing that leads elsewhere. */
static enum berth_status add_entry(struct berth_redock *redock, const char *path,
                                   const struct berth_csv *csv, const size_t *columns,
                                   struct berth_error *error)
{
    const char *name = berth_csv_field(csv, columns[0]);
    if (!*name || *name == '.' || strchr(name, '/')) {
        return berth_fail(error, BERTH_E_FORMAT, "%s:%zu: '%s' cannot be a complex's folder", path,
                          berth_csv_line(csv), name);
    }
    BERTH_TRY(berth_reserve(&redock->entries, &redock->capacity, redock->count + 1,
                            sizeof *redock->entries, error));
    struct redock_entry *entry = &redock->entries[redock->count++];
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

static struct redock_entry *find_entry(struct berth_redock *redock, const char *name, size_t length)
{
    for (size_t i = 0; i < redock->count; i++) {
        if (strlen(redock->entries[i].name) == length &&
            memcmp(redock->entries[i].name, name, length) == 0) {
            return &redock->entries[i];
        }
    }
    return NULL;
}

/* The SMILES of a complex's ligand. */
static enum berth_status add_smiles(struct berth_redock *redock, const char *path,
                                    const struct berth_csv *csv, const size_t *columns,
                                    struct berth_error *error)
{
    const char *name = berth_csv_field(csv, columns[0]);
    struct redock_entry *entry = find_entry(redock, name, strlen(name));
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
static enum berth_status keep_only(const char *list, struct berth_redock *redock,
                                   struct berth_error *error)
{
    bool *keep;
    enum berth_status status = berth_make(&keep, redock->count, sizeof *keep, NULL, error);
    for (const char *at = list; !status && *at;) {
        const size_t length = strcspn(at, ",");
        const struct redock_entry *entry = find_entry(redock, at, length);
        if (entry) {
            keep[entry - redock->entries] = true;
        } else {
            status = berth_fail_option(error, BERTH_E_USAGE, "only",
                                       "only: there is no complex '%.*s' in %s/sites.tsv",
                                       (int)length, at, redock->folder);
        }
        at += length + (at[length] == ',');
    }
    size_t kept = 0;
    for (size_t i = 0; !status && i < redock->count; i++) {
        if (keep[i]) {
            redock->entries[kept++] = redock->entries[i];
        } else {
            clear_entry(&redock->entries[i]);
        }
    }
    redock->count = status ? redock->count : kept;
    free(keep);
    return status;
}

enum berth_status redock_set_read(struct berth_redock *redock, struct berth_error *error)
{
    const struct berth_options *options = &redock->run->options;
    char path[PATH_MAX];
    redock->folder = options->input;
    snprintf(path, sizeof path, "%s/sites.tsv", redock->folder);
    BERTH_TRY(read_table(path, SITE_COLUMNS, 4, add_entry, redock, error));
    if (!redock->count) {
        return berth_fail(error, BERTH_E_FORMAT, "%s: no complex is listed", path);
    }
    if (options->smiles_table) {
        BERTH_TRY(read_table(options->smiles_table, LIGAND_COLUMNS, 2, add_smiles, redock, error));
    }
    return options->only ? keep_only(options->only, redock, error) : BERTH_OK;
}

void redock_set_clear(struct berth_redock *redock)
{
    for (size_t i = 0; i < redock->count; i++) {
        clear_entry(&redock->entries[i]);
    }
    free(redock->entries);
}
