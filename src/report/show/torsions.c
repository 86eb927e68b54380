#include "report/show/torsions.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "format/output.h"
#include "format/journal.h"
#include "format/library/library.h"
#include "eval/screen/scores.h"

static const char WORD[] = "torsions";

bool berth_torsions_are_in(const char *text)
{
    for (const char *at = text; at && (at = strstr(at, WORD)); at += strlen(WORD)) {
        const unsigned char before = at > text ? (unsigned char)at[-1] : ' ';
        const unsigned char behind = (unsigned char)at[strlen(WORD)];
        if (!isalnum(before) && before != '_' && !isalnum(behind) && behind != '_') {
            return true;
        }
    }
    return false;
}

/* FNV-1a. */
static uint32_t hash_of(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name; name++) {
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    }
    return hash;
}

/* The library that a screen's journal names; false where there is none. */
static bool find_library(const char *results, char library[PATH_MAX])
{
    struct berth_journal *journal;
    char path[PATH_MAX];
    struct berth_error error;
    if (berth_path_in(results, "journal", path, sizeof path, &error) ||
        berth_journal_open(path, &journal, &error)) {
        return false;
    }
    const bool found =
        berth_journal_value(berth_journal_facts(journal), "library", library, PATH_MAX);
    berth_journal_close(journal);
    return found;
}

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
        torsions->ligands = berth_alloc(torsions->count, sizeof *torsions->ligands);
        status = torsions->ligands ? BERTH_OK : berth_out_of_memory(error, NULL);
    }
    for (bool end = false; !status && !end;) {
        status = berth_library_next(library, &range, &block, &end, error);
        for (size_t i = 0; !status && !end && i < block.count; i++) {
            const struct berth_docking_ligand *ligand = &block.ligands[i];
            torsions->ligands[ligand->ordinal].name = hash_of(ligand->title);
            torsions->ligands[ligand->ordinal].count = (uint32_t)ligand->tree.count;
        }
    }
    berth_docking_block_clear(&block);
    berth_library_close(library);
    return status;
}

enum berth_status berth_docked_torsions_read(const char *results, const char *path,
                                             struct berth_csv *csv,
                                             struct berth_docked_torsions *torsions,
                                             struct berth_error *error)
{
    memset(torsions, 0, sizeof *torsions);
    torsions->ordinal = berth_csv_find(csv, "ordinal");
    torsions->ligand = berth_scores_name_column(csv);
    if (path) {
        snprintf(torsions->library, PATH_MAX, "%s", path);
    } else if (!find_library(results, torsions->library)) {
        return berth_fail(error, BERTH_E_USAGE,
                          "torsions are in no table of scores; name the library that was docked "
                          "with --library, or the folder of a screen");
    }
    if (torsions->ordinal == SIZE_MAX || torsions->ligand == SIZE_MAX) {
        return berth_fail(error, BERTH_E_USAGE,
                          "%s: torsions are not known without the columns ordinal and ligand",
                          results);
    }
    const enum berth_status status = read_library(torsions, error);
    return status ? status : berth_csv_add_column(csv, WORD, error);
}

enum berth_status berth_docked_torsions_set(const struct berth_docked_torsions *torsions,
                                            struct berth_csv *csv, struct berth_error *error)
{
    double ordinal;
    char text[24];
    char *name = berth_csv_text(csv, torsions->ligand);
    if (!name) {
        return berth_out_of_memory(error, NULL);
    }
    const bool known = berth_csv_real(csv, torsions->ordinal, &ordinal) && ordinal >= 0 &&
                       ordinal < (double)torsions->count &&
                       torsions->ligands[(size_t)ordinal].name == hash_of(name);
    enum berth_status status = BERTH_OK;
    if (!known) {
        status =
            berth_fail(error, BERTH_E_FORMAT,
                       "line %zu: %s is not the ligand of this ordinal in %s; name the library "
                       "that was docked with --library",
                       berth_csv_line(csv), name, torsions->library);
    } else {
        snprintf(text, sizeof text, "%u", (unsigned)torsions->ligands[(size_t)ordinal].count);
        status = berth_csv_set(csv, text, error);
    }
    free(name);
    return status;
}

void berth_docked_torsions_clear(struct berth_docked_torsions *torsions)
{
    free(torsions->ligands);
    memset(torsions, 0, sizeof *torsions);
}
