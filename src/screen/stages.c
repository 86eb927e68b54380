#include "screen/stages.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "screen/join.h"
#include "screen/library_walk.h"
#include "screen/preparation.h"
#include "format/csv.h"
#include "format/run_json.h"

/* --- The plan --- */

/* Copies the next word of a stage to *to, which then stands behind it; NULL where the stage ends,
 * at a comma, which is passed over, or with the text.  *open: a quote is. */
static char *next_word(const char **at, char **to, bool *open)
{
    char *const word = *to;
    *at += strspn(*at, " \t");
    *open = false;
    if (!**at || **at == ',') {
        *at += **at == ',';
        return NULL;
    }
    for (; **at && (*open || !strchr(" \t,", **at)); (*at)++) {
        if (**at == '\'') {
            *open = !*open;
        } else {
            *(*to)++ = **at;
        }
    }
    *(*to)++ = '\0';
    return word;
}

static enum berth_status refuse(const char *text, const char *why, struct berth_error *error)
{
    return berth_fail_option(error, BERTH_E_USAGE, "stages",
                             "stages: '%s': %s; such as \"fast, 5 %% balanced, 1000 thorough\"",
                             text, why);
}

/* Takes the amount off the front of a stage's words, and puts what the level is named by there. */
static enum berth_status take_amount(const char *text, struct berth_stage *stage, bool first,
                                     struct berth_error *error)
{
    static char SEARCH[] = "--search";
    static char NOTHING[] = "";
    char *const word = stage->word_count ? stage->words[1] : NOTHING;
    char *end;
    int taken = 0;
    stage->amount = strtod(word, &end);
    if (end != word) {
        taken = 1;
        const bool joined = *end == '%';
        if (joined) {
            end++;
        }
        stage->percent = joined;
        if (!*end && !joined && stage->word_count > 1 && !strcmp(stage->words[2], "%")) {
            stage->percent = true;
            taken = 2;
        }
        if (*end || !(stage->amount > 0) || (stage->percent && stage->amount > 100) ||
            (!stage->percent && stage->amount != floor(stage->amount))) {
            return refuse(text, "an amount is a number of ligands, or a share, 5 %", error);
        }
    }
    stage->word_count -= taken;
    if (stage->word_count < 1 || stage->words[1 + taken][0] == '-') {
        return refuse(text, "a stage has a level of the search", error);
    }
    if (first == (taken > 0)) {
        return refuse(text,
                      first ? "the first stage docks all there are, and has no amount"
                            : "each stage but the first begins with how many it docks",
                      error);
    }
    memmove(&stage->words[1], &stage->words[1 + taken],
            (size_t)stage->word_count * sizeof *stage->words);
    stage->words[0] = SEARCH;
    stage->word_count++;
    stage->level = stage->words[1];
    return BERTH_OK;
}

enum berth_status berth_stages_parse(const char *text, struct berth_stages *stages,
                                     struct berth_error *error)
{
    const char *at = text;
    *stages = (struct berth_stages){.plan = text};
    BERTH_TRY(berth_make(&stages->text, 2 * strlen(text) + 2, 1, text, error));
    char *to = stages->text;
    do {
        struct berth_stage *stage = &stages->stages[stages->count];
        bool open;
        if (stages->count++ == BERTH_STAGES_MAX) {
            return refuse(text, "there are too many stages", error);
        }
        for (char *word; (word = next_word(&at, &to, &open));) {
            if (open || stage->word_count + 2 == BERTH_STAGE_WORDS) {
                return refuse(text, open ? "a quote is not closed" : "too many words", error);
            }
            stage->words[++stage->word_count] = word; /* the first is "--search" */
        }
        BERTH_TRY(take_amount(text, stage, stages->count == 1, error));
    } while (*at);
    return BERTH_OK;
}

void berth_stages_clear(struct berth_stages *stages)
{
    free(stages->text);
}

enum berth_status berth_stage_folder(const struct berth_stages *stages, size_t number,
                                     const char *out, char path[PATH_MAX],
                                     struct berth_error *error)
{
    char name[80];
    snprintf(name, sizeof name, "%zu-%.60s", number + 1, stages->stages[number].level);
    return berth_path_in(out, name, path, PATH_MAX, error);
}

/* --- Which ligands a stage docks --- */

static enum berth_status count_rows(const char *path, uint64_t *count, struct berth_error *error)
{
    struct berth_csv *csv = NULL;
    bool end = false;
    enum berth_status status = berth_csv_open(path, ',', &csv, error);
    BERTH_THEN(berth_csv_next(csv, &end, error));
    for (*count = 0; !status && !end; (*count)++) {
        status = berth_csv_next(csv, &end, error);
    }
    berth_csv_close(csv);
    return status;
}

/* The ligands of the stage before that this one docks: the ordinals of the best of its table, in
 * its order; *chosen [*count] is the caller's, who frees it either way. */
static enum berth_status choose(const struct berth_stages *stages, size_t number, const char *out,
                                uint64_t **chosen, size_t *count, struct berth_error *error)
{
    const struct berth_stage *stage = &stages->stages[number];
    char folder[PATH_MAX], path[PATH_MAX];
    struct berth_csv *csv = NULL;
    uint64_t rows;
    size_t capacity = 0;
    bool end = false;
    *chosen = NULL;
    *count = 0;
    BERTH_TRY(berth_stage_folder(stages, number - 1, out, folder, error));
    BERTH_TRY(berth_path_in(folder, "scores.csv", path, sizeof path, error));
    BERTH_TRY(count_rows(path, &rows, error));
    const double most = stage->percent ? ceil((double)rows * stage->amount / 100) : stage->amount;
    BERTH_TRY(berth_csv_open(path, ',', &csv, error));
    enum berth_status status = berth_csv_next(csv, &end, error);
    while (!status && !end) {
        uint64_t ordinal = 0, rank = 0;
        status = berth_join_number(csv, path, "ordinal", &ordinal, error);
        BERTH_THEN(berth_join_number(csv, path, "rank", &rank, error));
        if (!status && (double)rank <= most) {
            status = berth_reserve(chosen, &capacity, *count + 1, sizeof **chosen, error);
            if (!status) {
                (*chosen)[(*count)++] = ordinal;
            }
        }
        BERTH_THEN(berth_csv_next(csv, &end, error));
    }
    berth_csv_close(csv);
    return status;
}

/* Writes a library of these ligands of another. */
static enum berth_status write_library(const char *from, const uint64_t *chosen, size_t count,
                                       const struct berth_library_setup *setup,
                                       struct berth_error *error)
{
    struct berth_library_reader *reader = NULL;
    struct berth_library_writer *writer = NULL;
    BERTH_TRY(berth_library_open(from, NULL, &reader, error));
    struct berth_library_walk walk = {
        .reader = reader, .range = berth_library_shard(reader, 0, 1), .whole = true};
    enum berth_status status = berth_library_create(setup, &writer, error);
    for (size_t i = 0; !status && i < count; i++) {
        struct berth_library_ligand ligand = {0};
        status = berth_library_walk_to(&walk, chosen[i], &ligand, error);
        BERTH_THEN(berth_library_add(writer, &ligand, i + 1, error));
        berth_library_ligand_clear(&ligand);
    }
    status = berth_library_finish(writer, status, error);
    berth_library_walk_clear(&walk);
    berth_library_close(reader);
    return status;
}

/* What the library of a stage is noted to be: it may be another plan's. */
static enum berth_status make_note(const struct berth_stages *stages, size_t number, char **note,
                                   struct berth_error *error)
{
    const size_t size = strlen(stages->plan) + 48;
    BERTH_TRY(berth_make(note, size, 1, NULL, error));
    snprintf(*note, size, "screen: stage %zu of %s", number + 1, stages->plan);
    return BERTH_OK;
}

static enum berth_status check_note(const char *path, const char *note, struct berth_error *error)
{
    struct berth_library_reader *library = NULL;
    BERTH_TRY(berth_library_open(path, NULL, &library, error));
    const bool same = strcmp(berth_library_info(library).note, note) == 0;
    enum berth_status status =
        same ? BERTH_OK
             : berth_fail_option(error, BERTH_E_USAGE, "stages",
                                 "stages: %s is of another plan, '%.1000s'; give that one, or "
                                 "another folder",
                                 path, berth_library_info(library).note);
    berth_library_close(library);
    return status;
}

enum berth_status berth_stage_choose(const struct berth_stages *stages, size_t number,
                                     const char *out, const char *forcefield,
                                     char library[PATH_MAX], struct berth_error *error)
{
    char folder[PATH_MAX], path[PATH_MAX], *note;
    struct berth_forcefield known = {0};
    uint64_t *chosen = NULL;
    size_t count = 0;
    BERTH_TRY(berth_stage_folder(stages, number, out, folder, error));
    BERTH_TRY(berth_path_in(folder, BERTH_SCREEN_LIBRARY, path, sizeof path, error));
    BERTH_TRY(make_note(stages, number, &note, error));
    if (access(path, F_OK) == 0) {
        const enum berth_status status = check_note(path, note, error);
        free(note);
        snprintf(library, PATH_MAX, "%s", path);
        return status;
    }
    const struct berth_library_setup setup = {
        .path = path, .forcefield = &known, .note = note, .mode = BERTH_LIBRARY_REPLACE};
    enum berth_status status = choose(stages, number, out, &chosen, &count, error);
    if (!status && !count) {
        status = berth_fail_option(error, BERTH_E_USAGE, "stages", "stages: nothing is left for %s",
                                   folder);
    }
    BERTH_THEN(berth_folder_make(folder, error));
    BERTH_THEN(berth_bhff_read(forcefield, NULL, &known, error));
    BERTH_THEN(write_library(library, chosen, count, &setup, error));
    berth_forcefield_clear(&known);
    free(chosen);
    free(note);
    snprintf(library, PATH_MAX, "%s", path);
    return status;
}

/* --- The whole --- */

/* What the stages are joined from. */
struct whole {
    const struct berth_stages *stages;
    char folders[BERTH_STAGES_MAX][PATH_MAX];
    uint64_t *ligands[BERTH_STAGES_MAX]; /* owned; of the first stage, that each of them docks */
    struct berth_joined screens[BERTH_STAGES_MAX];
};

/* Finds out which ligands of the first stage a stage's are. */
static enum berth_status find_ligands(struct whole *whole, size_t number, const char *out,
                                      struct berth_error *error)
{
    struct berth_joined *screen = &whole->screens[number];
    uint64_t **own = &whole->ligands[number];
    BERTH_TRY(choose(whole->stages, number, out, own, &screen->ligand_count, error));
    screen->ligands = *own;
    for (size_t i = 0; number > 1 && i < screen->ligand_count; i++) {
        if ((*own)[i] >= screen[-1].ligand_count) {
            return berth_fail(error, BERTH_E_FORMAT, "%s: the stage has no ligand %llu",
                              screen[-1].folder, (unsigned long long)(*own)[i]);
        }
        (*own)[i] = screen[-1].ligands[(*own)[i]];
    }
    return BERTH_OK;
}

/* The card of the last stage, with the plan, and what the first one docked: what was given. */
static enum berth_status join_cards(const struct whole *whole, struct berth_run_card *first,
                                    struct berth_run_card *last, struct berth_error *error)
{
    const size_t count = whole->stages->count;
    char path[PATH_MAX];
    BERTH_TRY(berth_path_in(whole->folders[0], "run.json", path, sizeof path, error));
    BERTH_TRY(berth_run_json_read(path, NULL, first, error));
    BERTH_TRY(berth_path_in(whole->folders[count - 1], "run.json", path, sizeof path, error));
    BERTH_TRY(berth_run_json_read(path, NULL, last, error));
    last->result.stages = whole->stages->plan;
    last->files.molecules = first->files.molecules;
    last->files.library = first->files.library;
    last->files.prepare_failed = first->files.prepare_failed;
    last->files.prepare_dropped = first->files.prepare_dropped;
    return BERTH_OK;
}

enum berth_status berth_stages_join(const struct berth_stages *stages, const char *out,
                                    struct berth_error *error)
{
    struct whole whole = {.stages = stages};
    struct berth_run_card first = {.failed = false}, last = first;
    const struct berth_join join = {.folder = out,
                                    .screens = whole.screens,
                                    .count = stages->count,
                                    .column = "stage",
                                    .top = SIZE_MAX,
                                    .card = &last};
    enum berth_status status = BERTH_OK;
    for (size_t k = 0; !status && k < stages->count; k++) {
        whole.screens[k] = (struct berth_joined){.folder = whole.folders[k], .number = k + 1};
        status = berth_stage_folder(stages, k, out, whole.folders[k], error);
        BERTH_THEN(k ? find_ligands(&whole, k, out, error) : BERTH_OK);
    }
    BERTH_THEN(join_cards(&whole, &first, &last, error));
    BERTH_THEN(berth_join_screens(&join, error));
    for (size_t k = 0; k < stages->count; k++) {
        free(whole.ligands[k]);
    }
    berth_run_card_clear(&first);
    berth_run_card_clear(&last);
    return status;
}
