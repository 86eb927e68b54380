/* Torsions of the ligands that `berth show` shows: not in tables of scores, but in the library that
 * was docked. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "engine/pack.h"
#include "eval/screen/ligands.h"
#include "format/library/library.h"
#include "report/show.h"

static const char WORD[] = "torsions";

static enum berth_status read_library(struct berth_docked_torsions *torsions,
                                      struct berth_error *error)
{
    struct berth_library_reader *library = NULL;
    struct berth_docking_block block = {0};
    struct berth_library_range range = {0};
    enum berth_status status = berth_library_open(torsions->library, NULL, &library, error);
    if (!status) {
        range = berth_library_shard(library, 0, 1);
        torsions->count = (size_t)range.end;
        status =
            berth_make(&torsions->ligands, torsions->count, sizeof *torsions->ligands, NULL, error);
    }
    for (bool end = false; !status && !end;) {
        status = berth_library_next(library, &range, &block, &end, error);
        for (size_t i = 0; !status && !end && i < block.count; i++) {
            const struct berth_docking_ligand *ligand = &block.ligands[i];
            torsions->ligands[ligand->ordinal].name = berth_ligand_key(ligand->title);
            torsions->ligands[ligand->ordinal].count = (uint32_t)ligand->tree.count;
        }
    }
    berth_docking_block_clear(&block);
    berth_library_close(library);
    return status;
}

/* Reads them from the settings' library, or else from the one that the journal in the folder of the
 * results names, and adds the column "torsions" to the table.  Errors: BERTH_E_USAGE (no library is
 * known; the table has no ordinals), those of reading the library. */
static enum berth_status read_torsions(const struct berth_show_settings *settings,
                                       struct berth_csv *csv,
                                       struct berth_docked_torsions *torsions,
                                       struct berth_error *error)
{
    bool found = true;
    torsions->ordinal = berth_csv_find(csv, "ordinal");
    torsions->ligand = berth_scores_name_column(csv);
    if (settings->library) {
        snprintf(torsions->library, PATH_MAX, "%s", settings->library);
    } else {
        BERTH_TRY(berth_screen_library_find(settings->results, torsions->library, &found, error));
    }
    if (!found) {
        return berth_fail_option(error, BERTH_E_USAGE, "library",
                                 "torsions are in no table of scores; name the folder of a screen, "
                                 "or the library that was docked");
    }
    if (torsions->ordinal == SIZE_MAX || torsions->ligand == SIZE_MAX) {
        return berth_fail(error, BERTH_E_USAGE,
                          "%s: torsions are not known without the columns ordinal and ligand",
                          settings->results);
    }
    BERTH_TRY(read_library(torsions, error));
    torsions->column = berth_csv_columns(csv);
    return berth_csv_add_column(csv, WORD, error);
}

enum berth_status berth_torsions_set(struct berth_shown *shown, struct berth_error *error)
{
    const struct berth_docked_torsions *torsions = &shown->torsions;
    struct berth_csv *csv = shown->csv;
    double ordinal;
    char text[24];
    char *name = berth_csv_text(csv, torsions->ligand);
    if (!name) {
        return berth_out_of_memory(error, NULL);
    }
    const bool known = berth_csv_real(csv, torsions->ordinal, &ordinal) && ordinal >= 0 &&
                       ordinal < (double)torsions->count &&
                       torsions->ligands[(size_t)ordinal].name == berth_ligand_key(name);
    if (!known) {
        berth_fail_option(error, BERTH_E_FORMAT, "library",
                          "line %zu: %s is not the ligand of this ordinal in %s; name the library "
                          "that was docked",
                          berth_csv_line(csv), name, torsions->library);
    }
    free(name);
    if (!known) {
        return BERTH_E_FORMAT;
    }
    snprintf(text, sizeof text, "%u", (unsigned)torsions->ligands[(size_t)ordinal].count);
    return berth_csv_set(csv, torsions->column, text, error);
}

enum berth_status berth_torsions_add(struct berth_shown *shown, struct berth_error *error)
{
    const struct berth_show_settings *settings = shown->settings;
    const bool asked = berth_text_has_word(settings->filter, WORD) ||
                       berth_text_has_word(settings->sort, WORD) ||
                       berth_text_has_word(settings->columns, WORD);
    shown->has_torsions = asked && berth_csv_find(shown->csv, "torsions") == SIZE_MAX;
    return shown->has_torsions ? read_torsions(settings, shown->csv, &shown->torsions, error)
                               : BERTH_OK;
}
