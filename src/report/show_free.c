/* What a restrained run costs each ligand, beside a free one: the column `cost` of `berth show`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "eval/screen/ligands.h"
#include "format/run_json.h"
#include "report/show_internal.h"

/* Columns of a table that a pose's sum is made of: energy, what is inside ligand and receptor, and
 * what sites of metals and displaced waters are worth. */
static const char *const SUMMED[] = {"energy", "strain", "receptor_strain", "coordination",
                                     "displacement"};

/* Puts the lowest sum of each ligand of the table into temp.lowest, where also (SQL) holds of the
 * pose.  Errors: BERTH_E_USAGE (it has no energies). */
static enum berth_status add_lowest(struct show *show, const struct berth_table *table,
                                    const char *path, bool free_run, const char *also,
                                    struct berth_error *error)
{
    const size_t ligand = berth_table_find(table, "ligand");
    const size_t name = ligand != SIZE_MAX ? ligand : berth_table_find(table, "name");
    if (name == SIZE_MAX || berth_table_find(table, SUMMED[0]) == SIZE_MAX) {
        return berth_fail_option(error, BERTH_E_USAGE, "free",
                                 "free: %s has no columns of ligands and energy", path);
    }
    char sum[200] = "energy"; /* without torsions there is no strain */
    for (size_t k = 1; k < sizeof SUMMED / sizeof *SUMMED; k++) {
        if (berth_table_find(table, SUMMED[k]) != SIZE_MAX) {
            berth_text_append(sum, sizeof sum, " + coalesce(%s, 0)", SUMMED[k]);
        }
    }
    return berth_sqlite_run(show->sqlite, error,
                            "INSERT INTO temp.lowest SELECT %d, %s, min(%s) FROM \"%s\" "
                            "WHERE typeof(energy) <> 'text'%s GROUP BY 2",
                            free_run, table->columns[name].value, sum, table->name, also);
}

/* Two runs by different functions have nothing to compare. */
static enum berth_status check_functions(struct show *show, const char *free,
                                         struct berth_error *error)
{
    struct berth_run_card card;
    BERTH_TRY(show_card(show, show->path, error));
    const char *own = show->card.identity.scoring;
    enum berth_status status = berth_run_json_beside(free, &card, error);
    if (!status && *own && *card.identity.scoring && strcmp(own, card.identity.scoring) != 0) {
        status =
            berth_fail_option(error, BERTH_E_USAGE, "free", "free: %s has energies by %s, %s by %s",
                              show->path, own, free, card.identity.scoring);
    }
    berth_run_card_clear(&card);
    return status;
}

/* Takes the lowest sums of the free runs, with commas between, unless one is called so. */
static enum berth_status read_free(struct show *show, struct berth_error *error)
{
    const char *rest = show->settings->free;
    const bool one = access(rest, F_OK) == 0;
    enum berth_status status = BERTH_OK;
    while (!status && *rest) {
        char results[PATH_MAX], path[PATH_MAX];
        struct berth_table table = {.name = NULL};
        const size_t length = one ? strlen(rest) : strcspn(rest, ",");
        snprintf(results, sizeof results, "%.*s", (int)length, rest);
        status = berth_scores_find(results, path, error);
        BERTH_THEN(check_functions(show, path, error));
        BERTH_THEN(berth_table_open_file(show->sqlite, path, "free scores", false, &table, error));
        BERTH_THEN(add_lowest(show, &table, path, true, "", error));
        berth_table_clear(&table);
        rest += length + (rest[length] == ',');
    }
    return status;
}

enum berth_status cost_add(struct show *show, struct berth_error *error)
{
    const bool unmet = berth_table_find(&show->table, "unmet") != SIZE_MAX;
    char also[160];
    if (strcmp(show->settings->results, "-") == 0) {
        return berth_fail_option(error, BERTH_E_USAGE, "free",
                                 "free: the table is read twice, which standard input cannot be");
    }
    snprintf(also, sizeof also, "%s%s", unmet ? " AND coalesce(unmet <= 0, 1)" : "",
             show->settings->require
                 ? " AND (ordinal, mode) IN (SELECT ordinal, mode FROM temp.required)"
                 : "");
    BERTH_TRY(
        berth_sqlite_run(show->sqlite, error, "CREATE TEMP TABLE lowest (free, ligand, sum)"));
    BERTH_TRY(add_lowest(show, &show->table, show->path, false, also, error));
    BERTH_TRY(read_free(show, error));
    BERTH_TRY(berth_sqlite_run(
        show->sqlite, error,
        "CREATE TEMP TABLE cost (ligand PRIMARY KEY, cost) WITHOUT ROWID;"
        "INSERT INTO temp.cost SELECT ligand, min(CASE WHEN free THEN NULL ELSE sum END)"
        " - min(CASE WHEN free THEN sum END) FROM temp.lowest "
        "WHERE ligand IS NOT NULL GROUP BY ligand"));
    if (show->ligand == SIZE_MAX) {
        return BERTH_OK; /* add_lowest has refused it */
    }
    char *value = berth_sql_text("(SELECT cost FROM temp.cost WHERE cost.ligand = %s.%s)",
                                 show->table.name, show->table.columns[show->ligand].value);
    return berth_table_add(&show->table, "cost", value,
                           value ? berth_sql_text("cell(%s, 4)", value) : NULL, error);
}
