#include "eval/screen/ligands.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/text_reader.h"
#include "format/csv.h"

/* --- Ligands by name --- */

/* By name, and the best one first. */
static int compare_ligands(const void *a, const void *b)
{
    const struct berth_named_ligand *one = a, *other = b;
    const int order = strcmp(one->name, other->name);
    return order ? order : (one->score > other->score) - (one->score < other->score);
}

static void clear_ligand(struct berth_named_ligand *ligand)
{
    free(ligand->name);
    free(ligand->scaffold);
}

/* Sorts them by name, and keeps one of each, the best. */
static void keep_best(struct berth_named_ligands *ligands)
{
    size_t kept = 0;
    qsort(ligands->items, ligands->count, sizeof *ligands->items, compare_ligands);
    for (size_t i = 0; i < ligands->count; i++) {
        if (kept && strcmp(ligands->items[kept - 1].name, ligands->items[i].name) == 0) {
            clear_ligand(&ligands->items[i]);
        } else {
            ligands->items[kept++] = ligands->items[i];
        }
    }
    ligands->count = kept;
}

static int compare_name(const void *key, const void *item)
{
    return strcmp(key, ((const struct berth_named_ligand *)item)->name);
}

const struct berth_named_ligand *berth_ligand_find(const struct berth_named_ligands *ligands,
                                                   const char *name)
{
    return ligands->count
               ? bsearch(name, ligands->items, ligands->count, sizeof *ligands->items, compare_name)
               : NULL;
}

void berth_named_ligands_clear(struct berth_named_ligands *ligands)
{
    for (size_t i = 0; i < ligands->count; i++) {
        clear_ligand(&ligands->items[i]);
    }
    free(ligands->items);
    memset(ligands, 0, sizeof *ligands);
}

/* --- Scores of a run --- */

enum berth_status berth_scores_find(const char *results, char path[PATH_MAX],
                                    struct berth_error *error)
{
    struct stat facts;
    snprintf(path, PATH_MAX, "%s", results);
    if (strcmp(results, "-") == 0 || stat(results, &facts) != 0 || !S_ISDIR(facts.st_mode)) {
        return BERTH_OK; /* who opens it says what is wrong with it */
    }
    snprintf(path, PATH_MAX, "%s/scores.csv", results);
    if (stat(path, &facts) == 0) {
        return BERTH_OK;
    }
    snprintf(path, PATH_MAX, "%s/scores.csv.gz", results);
    if (stat(path, &facts) == 0) {
        return BERTH_OK;
    }
    return berth_fail(error, BERTH_E_IO,
                      "%s: holds no scores.csv; name the table itself, or the folder of a screen",
                      results);
}

size_t berth_scores_ranking_column(const struct berth_csv *csv)
{
    const size_t score = berth_csv_find(csv, "score"), total = berth_csv_find(csv, "total");
    return score != SIZE_MAX ? score : total != SIZE_MAX ? total : berth_csv_find(csv, "energy");
}

size_t berth_scores_name_column(const struct berth_csv *csv)
{
    const size_t column = berth_csv_find(csv, "ligand");
    return column != SIZE_MAX ? column : berth_csv_find(csv, "name");
}

/* Cuts "_1" and the like off the end of a name. */
static void cut_state(char *name)
{
    char *mark = strrchr(name, '_');
    if (mark && mark > name && mark[1] && mark[1 + strspn(mark + 1, "0123456789")] == '\0') {
        *mark = '\0';
    }
}

/* The columns that are read. */
struct columns {
    size_t name, score, heavy_atoms;
};

static enum berth_status find_columns(const struct berth_csv *csv, const char *path,
                                      const char *ranking, struct columns *columns,
                                      struct berth_error *error)
{
    *columns =
        (struct columns){berth_scores_name_column(csv),
                         ranking ? berth_csv_find(csv, ranking) : berth_scores_ranking_column(csv),
                         berth_csv_find(csv, "heavy_atoms")};
    if (columns->name == SIZE_MAX) {
        return berth_fail(error, BERTH_E_FORMAT, "%s: no column ligand or name", path);
    }
    if (columns->score == SIZE_MAX && ranking) {
        return berth_fail(error, BERTH_E_USAGE, "%s: no column %s", path, ranking);
    }
    return columns->score != SIZE_MAX
               ? BERTH_OK
               : berth_fail_option(error, BERTH_E_FORMAT, "column",
                                   "%s: no column score, total or energy; name the one that ranks",
                                   path);
}

static enum berth_status add_row(const struct berth_csv *csv, const struct columns *columns,
                                 bool states, struct berth_named_ligands *scores,
                                 struct berth_error *error)
{
    double score;
    if (!berth_csv_real(csv, columns->score, &score)) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_reserve(&scores->items, &scores->capacity, scores->count + 1,
                            sizeof *scores->items, error));
    char *name = berth_csv_text(csv, columns->name);
    if (!name) {
        return berth_out_of_memory(error, NULL);
    }
    if (states) {
        cut_state(name);
    }
    struct berth_named_ligand *last = scores->count ? &scores->items[scores->count - 1] : NULL;
    if (last && strcmp(last->name, name) == 0) { /* a further pose: tables may be of many */
        free(name);
    } else {
        last = &scores->items[scores->count++];
        *last = (struct berth_named_ligand){.name = name, .mass = NAN, .score = INFINITY};
    }
    if (score < last->score) {
        last->score = score;
        last->heavy_atoms = NAN;
        if (columns->heavy_atoms != SIZE_MAX) {
            berth_csv_real(csv, columns->heavy_atoms, &last->heavy_atoms);
        }
    }
    return BERTH_OK;
}

enum berth_status berth_ligand_scores_read(const char *results, const char *column, bool states,
                                           struct berth_named_ligands *scores,
                                           struct berth_error *error)
{
    struct berth_csv *csv = NULL;
    struct columns columns;
    bool end = false;
    memset(scores, 0, sizeof *scores);
    enum berth_status status = berth_scores_find(results, scores->path, error);
    BERTH_THEN(berth_csv_open(scores->path, &csv, error));
    BERTH_THEN(find_columns(csv, scores->path, column, &columns, error));
    while (!status && !(status = berth_csv_next(csv, &end, error)) && !end) {
        status = add_row(csv, &columns, states, scores, error);
    }
    berth_csv_close(csv);
    if (!status && !scores->count) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: no ligand with a score", scores->path);
    }
    if (!status) {
        keep_best(scores);
    }
    return status;
}

/* --- Known molecules --- */

/* A reading on its way. */
struct reading {
    struct berth_named_ligands *ligands;
    bool states;
};

static enum berth_status add_molecule(void *context, const struct berth_facts *facts,
                                      struct berth_error *error)
{
    const struct reading *reading = context;
    struct berth_named_ligands *ligands = reading->ligands;
    if (!*facts->name) {
        return BERTH_OK; /* nothing could be found by it */
    }
    BERTH_TRY(berth_reserve(&ligands->items, &ligands->capacity, ligands->count + 1,
                            sizeof *ligands->items, error));
    struct berth_named_ligand *item = &ligands->items[ligands->count];
    *item = (struct berth_named_ligand){
        .name = berth_copy_text(facts->name),
        .heavy_atoms = facts->heavy_atoms,
        .mass = facts->mass,
        .scaffold = facts->scaffold ? berth_copy_text(facts->scaffold) : NULL,
        .score = (double)ligands->count};
    ligands->count++;
    if (!item->name || (facts->scaffold && !item->scaffold)) {
        return berth_out_of_memory(error, NULL);
    }
    if (reading->states) {
        cut_state(item->name);
    }
    return BERTH_OK;
}

/* Without blanks at either end. */
static char *trim(char *line)
{
    size_t length = strlen(line);
    while (length && strchr(" \t", line[length - 1])) {
        line[--length] = '\0';
    }
    return line + strspn(line, " \t");
}

static enum berth_status read_names(const char *path, struct reading *reading,
                                    struct berth_error *error)
{
    struct berth_text_reader *reader = NULL;
    enum berth_status status = berth_text_reader_create(path, &reader, error);
    char *line = NULL;
    while (!status && !(status = berth_text_reader_next(reader, &line, error)) && line) {
        const struct berth_facts facts = {trim(line), NAN, NAN, NULL};
        status = add_molecule(reading, &facts, error);
    }
    berth_text_reader_destroy(reader);
    return status;
}

enum berth_status berth_known_read(const struct berth_facts_setup *setup, bool states,
                                   struct berth_named_ligands *ligands, struct berth_error *error)
{
    struct reading reading = {ligands, states};
    struct berth_facts_setup taking = *setup;
    taking.take = add_molecule;
    taking.context = &reading;
    memset(ligands, 0, sizeof *ligands);
    const enum berth_status status = berth_facts_takes(setup->path)
                                         ? berth_facts_read(&taking, error)
                                         : read_names(setup->path, &reading, error);
    if (!status && !ligands->count) {
        return berth_fail(error, BERTH_E_FORMAT, "%s: names no molecule", setup->path);
    }
    if (!status) {
        keep_best(ligands);
    }
    return status;
}
