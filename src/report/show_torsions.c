/* Torsions of the ligands that `berth show` shows: not in tables of scores, but in the library that
 * was docked. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "engine/pack.h"
#include "eval/screen/ligands.h"
#include "format/library/library.h"
#include "report/show_internal.h"

static const char WORD[] = "torsions";

struct torsions {
    char library[PATH_MAX];
    size_t count;          /* of ligands */
    uint32_t ligands[][2]; /* by ordinal: the name's hash, and how many torsions */
};

static enum berth_status read_library(const char *path, struct torsions **torsions,
                                      struct berth_error *error)
{
    struct berth_library_reader *library = NULL;
    struct berth_docking_block block = {0};
    struct berth_library_range range = {0};
    struct torsions *made = NULL;
    enum berth_status status = berth_library_open(path, NULL, &library, error);
    if (!status) {
        range = berth_library_shard(library, 0, 1);
        status = berth_make(&made, 1, sizeof *made + (size_t)range.end * sizeof *made->ligands,
                            NULL, error);
    }
    if (!status) {
        *torsions = made;
        made->count = (size_t)range.end;
        snprintf(made->library, sizeof made->library, "%s", path);
    }
    for (bool end = false; !status && !end;) {
        status = berth_library_next(library, &range, &block, &end, error);
        for (size_t i = 0; !status && !end && i < block.count; i++) {
            const struct berth_docking_ligand *ligand = &block.ligands[i];
            made->ligands[ligand->ordinal][0] = berth_ligand_key(ligand->title);
            made->ligands[ligand->ordinal][1] = (uint32_t)ligand->tree.count;
        }
    }
    berth_docking_block_clear(&block);
    berth_library_close(library);
    return status;
}

/* torsions(ordinal, ligand, line): the ligand's, which must have this name in the library. */
static enum berth_status find_torsions(void *context, const struct berth_sql_call *call,
                                       struct berth_error *error)
{
    const struct torsions *torsions = context;
    const int64_t ordinal = berth_call_integer(call, 0);
    const char *name = berth_call_text(call, 1);
    if (berth_call_kind(call, 0) != BERTH_CELL_INTEGER || ordinal < 0 ||
        (uint64_t)ordinal >= torsions->count ||
        torsions->ligands[ordinal][0] != berth_ligand_key(name)) {
        return berth_fail_option(error, BERTH_E_FORMAT, "library",
                                 "line %lld: %s is not the ligand of this ordinal in %s; name the "
                                 "library that was docked",
                                 (long long)berth_call_integer(call, 2), name, torsions->library);
    }
    berth_call_give_integer(call, torsions->ligands[ordinal][1]);
    return BERTH_OK;
}

enum berth_status torsions_add(struct show *show, struct berth_error *error)
{
    const struct berth_table *table = &show->table;
    char path[PATH_MAX];
    bool found = true;
    if (!show_asks_for(show, WORD) || berth_table_find(table, WORD) != SIZE_MAX) {
        return BERTH_OK;
    }
    if (show->settings->library) {
        snprintf(path, sizeof path, "%s", show->settings->library);
    } else {
        BERTH_TRY(berth_screen_library_find(show->settings->results, path, &found, error));
    }
    if (!found) {
        return berth_fail_option(error, BERTH_E_USAGE, "library",
                                 "torsions are in no table of scores, but in the library that was "
                                 "docked, which is not there: name its file (a column of most "
                                 "tables is rotors)");
    }
    if (show->ordinal == SIZE_MAX || show->ligand == SIZE_MAX) {
        return berth_fail(error, BERTH_E_USAGE,
                          "%s: torsions are not known without the columns ordinal and ligand",
                          show->settings->results);
    }
    BERTH_TRY(read_library(path, &show->torsions, error));
    BERTH_TRY(berth_sqlite_add_function(show->sqlite, WORD, find_torsions, show->torsions, error));
    char *value = berth_sql_text("%s(%s, %s, coalesce(%s, ordinal))", WORD,
                                 table->columns[show->ordinal].value,
                                 table->columns[show->ligand].value, table->line);
    return berth_table_add(&show->table, WORD, value, value ? berth_copy_text(value) : NULL, error);
}
