#include "dock/screen/stages.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/input.h"
#include "base/memory.h"
#include "dock/output_files.h"
#include "dock/screen/library_walk.h"
#include "dock/screen/preparation.h"
#include "format/csv.h"
#include "format/records.h"
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

/* FOLDER/NAME of a stage. */
static enum berth_status stage_file(const struct berth_stages *stages, size_t number,
                                    const char *out, const char *name, char path[PATH_MAX],
                                    struct berth_error *error)
{
    char folder[PATH_MAX];
    BERTH_TRY(berth_stage_folder(stages, number, out, folder, error));
    return berth_path_in(folder, name, path, PATH_MAX, error);
}

/* --- Which ligands a stage docks --- */

/* Whole numbers that a double holds. */
#define ORDINAL_MOST 9007199254740992.0

/* Ordinals of ligands, rising. */
struct ordinals {
    uint64_t *items; /* owned; [count] */
    size_t count, capacity;
};

/* The ordinal and the rank of a row. */
static enum berth_status read_keys(const struct berth_csv *csv, const char *path, uint64_t *ordinal,
                                   uint64_t *rank, struct berth_error *error)
{
    const size_t columns[] = {berth_csv_find(csv, "ordinal"), berth_csv_find(csv, "rank")};
    double values[2];
    for (size_t i = 0; i < 2; i++) {
        if (columns[i] == SIZE_MAX || !berth_csv_real(csv, columns[i], &values[i]) ||
            !(values[i] >= 0 && values[i] <= ORDINAL_MOST)) {
            return berth_fail(error, BERTH_E_FORMAT, "%s:%zu: no ordinal and rank", path,
                              berth_csv_line(csv));
        }
    }
    *ordinal = (uint64_t)values[0];
    *rank = (uint64_t)values[1];
    return BERTH_OK;
}

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

/* The ligands of the stage before that this one docks: the best of its table, in its order. */
static enum berth_status choose(const struct berth_stages *stages, size_t number, const char *out,
                                struct ordinals *chosen, struct berth_error *error)
{
    const struct berth_stage *stage = &stages->stages[number];
    char path[PATH_MAX];
    struct berth_csv *csv = NULL;
    uint64_t rows;
    bool end = false;
    *chosen = (struct ordinals){.count = 0};
    BERTH_TRY(stage_file(stages, number - 1, out, "scores.csv", path, error));
    BERTH_TRY(count_rows(path, &rows, error));
    const double most = stage->percent ? ceil((double)rows * stage->amount / 100) : stage->amount;
    BERTH_TRY(berth_csv_open(path, ',', &csv, error));
    enum berth_status status = berth_csv_next(csv, &end, error);
    while (!status && !end) {
        uint64_t ordinal = 0, rank = 0;
        status = read_keys(csv, path, &ordinal, &rank, error);
        if (!status && (double)rank <= most) {
            status = berth_reserve(&chosen->items, &chosen->capacity, chosen->count + 1,
                                   sizeof *chosen->items, error);
            if (!status) {
                chosen->items[chosen->count++] = ordinal;
            }
        }
        BERTH_THEN(berth_csv_next(csv, &end, error));
    }
    berth_csv_close(csv);
    return status;
}

/* Writes a library of these ligands of another. */
static enum berth_status write_library(const char *from, const struct ordinals *chosen,
                                       const struct berth_library_setup *setup,
                                       struct berth_error *error)
{
    struct berth_library_reader *reader = NULL;
    struct berth_library_writer *writer = NULL;
    BERTH_TRY(berth_library_open(from, NULL, &reader, error));
    struct berth_library_walk walk = {
        .reader = reader, .range = berth_library_shard(reader, 0, 1), .whole = true};
    enum berth_status status = berth_library_create(setup, &writer, error);
    for (size_t i = 0; !status && i < chosen->count; i++) {
        struct berth_library_ligand ligand = {0};
        status = berth_library_walk_to(&walk, chosen->items[i], &ligand, error);
        BERTH_THEN(berth_library_add(writer, &ligand, i + 1, error));
        berth_library_ligand_clear(&ligand);
    }
    if (status) {
        berth_library_discard(writer);
    } else {
        status = berth_library_commit(writer, error);
    }
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
    struct ordinals chosen = {0};
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
    enum berth_status status = choose(stages, number, out, &chosen, error);
    if (!status && !chosen.count) {
        status = berth_fail_option(error, BERTH_E_USAGE, "stages", "stages: nothing is left for %s",
                                   folder);
    }
    BERTH_THEN(berth_folder_make(folder, error));
    BERTH_THEN(berth_bhff_read(forcefield, NULL, &known, error));
    BERTH_THEN(write_library(library, &chosen, &setup, error));
    berth_forcefield_clear(&known);
    free(chosen.items);
    free(note);
    snprintf(library, PATH_MAX, "%s", path);
    return status;
}

/* --- The whole --- */

/* The table of a stage, on its way. */
struct stage_table {
    char path[PATH_MAX];
    struct berth_csv *csv; /* owned */
    uint64_t *bases; /* owned; [count]: of its ordinals, those in the first stage's library; NULL:
                        itself */
    size_t count;
    uint64_t base; /* of the row that was read last */
    bool end;
};

/* Where a ligand of the first stage ends up. */
struct standing {
    uint64_t ordinal, rank; /* of it in its last stage; then in the whole */
    size_t stage;
};

struct whole {
    const struct berth_stages *stages;
    const char *out;
    struct stage_table tables[BERTH_STAGES_MAX];
    struct standing *standings; /* owned; [count], in the library's order */
    size_t count, capacity;
    /* Columns of the whole's table: their names, and where each stage's has them. */
    const char **names; /* owned, not its elements; [columns] */
    size_t *places;     /* owned; [columns][stages]; SIZE_MAX: nowhere */
    size_t columns;
};

static enum berth_status open_table(struct whole *whole, size_t number, struct berth_error *error)
{
    struct stage_table *table = &whole->tables[number];
    BERTH_TRY(stage_file(whole->stages, number, whole->out, "scores.csv", table->path, error));
    berth_csv_close(table->csv);
    table->csv = NULL;
    table->end = false;
    return berth_csv_open(table->path, ',', &table->csv, error);
}

/* *base: the ligand of the first stage that one of a stage's is, by the ordinal in its table. */
static enum berth_status find_base(const struct stage_table *table, uint64_t ordinal,
                                   uint64_t *base, struct berth_error *error)
{
    if (table->bases && ordinal >= table->count) {
        return berth_fail(error, BERTH_E_FORMAT, "%s: the stage has no ligand %llu", table->path,
                          (unsigned long long)ordinal);
    }
    *base = table->bases ? table->bases[ordinal] : ordinal;
    return BERTH_OK;
}

/* Finds out which ligands of the first stage a stage's are. */
static enum berth_status find_bases(struct whole *whole, size_t number, struct berth_error *error)
{
    struct stage_table *table = &whole->tables[number];
    struct ordinals chosen = {0};
    if (!number) {
        return BERTH_OK;
    }
    enum berth_status status = choose(whole->stages, number, whole->out, &chosen, error);
    const struct stage_table *before = &whole->tables[number - 1];
    for (size_t i = 0; !status && before->bases && i < chosen.count; i++) {
        status = find_base(before, chosen.items[i], &chosen.items[i], error);
    }
    table->bases = chosen.items;
    table->count = chosen.count;
    return status;
}

/* Reads the next row, where there is one. */
static enum berth_status next_row(struct stage_table *table, uint64_t *rank,
                                  struct berth_error *error)
{
    uint64_t ordinal;
    BERTH_TRY(berth_csv_next(table->csv, &table->end, error));
    if (table->end) {
        return BERTH_OK;
    }
    BERTH_TRY(read_keys(table->csv, table->path, &ordinal, rank, error));
    return find_base(table, ordinal, &table->base, error);
}

static int by_ordinal(const void *left, const void *right)
{
    const struct standing *a = left, *b = right;
    return a->ordinal < b->ordinal ? -1 : a->ordinal > b->ordinal;
}

static int by_rank(const void *left, const void *right)
{
    const struct standing *a = left, *b = right;
    return a->stage != b->stage ? (a->stage > b->stage ? -1 : 1)
           : a->rank < b->rank  ? -1
                                : a->rank > b->rank;
}

/* A ligand's row in a stage: the last one counts. */
static enum berth_status note_standing(struct whole *whole, size_t number, uint64_t rank,
                                       struct berth_error *error)
{
    const struct standing standing = {whole->tables[number].base, rank, number};
    if (number == 0) {
        BERTH_TRY(berth_reserve(&whole->standings, &whole->capacity, whole->count + 1,
                                sizeof *whole->standings, error));
        whole->standings[whole->count++] = standing;
        return BERTH_OK;
    }
    struct standing *found =
        bsearch(&standing, whole->standings, whole->count, sizeof *whole->standings, by_ordinal);
    if (found) {
        *found = standing;
    }
    return BERTH_OK;
}

/* Ranks the ligands: those of the last stage first. */
static enum berth_status rank_all(struct whole *whole, struct berth_error *error)
{
    for (size_t k = 0; k < whole->stages->count; k++) {
        uint64_t rank = 0;
        BERTH_TRY(open_table(whole, k, error));
        BERTH_TRY(find_bases(whole, k, error));
        BERTH_TRY(next_row(&whole->tables[k], &rank, error));
        while (!whole->tables[k].end) {
            BERTH_TRY(note_standing(whole, k, rank, error));
            BERTH_TRY(next_row(&whole->tables[k], &rank, error));
        }
        BERTH_TRY(open_table(whole, k, error)); /* for the second pass */
    }
    if (whole->count) {
        qsort(whole->standings, whole->count, sizeof *whole->standings, by_rank);
    }
    for (size_t i = 0; i < whole->count; i++) {
        whole->standings[i].rank = i + 1;
    }
    if (whole->count) {
        qsort(whole->standings, whole->count, sizeof *whole->standings, by_ordinal);
    }
    return BERTH_OK;
}

/* The columns of all stages, the last one's first. */
static enum berth_status find_columns(struct whole *whole, struct berth_error *error)
{
    const size_t stages = whole->stages->count;
    size_t most = 0;
    for (size_t k = 0; k < stages; k++) {
        most += berth_csv_columns(whole->tables[k].csv);
    }
    BERTH_TRY(berth_make(&whole->names, most, sizeof *whole->names, NULL, error));
    BERTH_TRY(berth_make(&whole->places, most * stages, sizeof *whole->places, NULL, error));
    for (size_t k = stages; k-- > 0;) {
        const struct berth_csv *csv = whole->tables[k].csv;
        for (size_t i = 0; i < berth_csv_columns(csv); i++) {
            const char *name = berth_csv_column(csv, i);
            size_t at = 0;
            while (at < whole->columns && strcmp(whole->names[at], name) != 0) {
                at++;
            }
            whole->names[at] = name;
            whole->columns += at == whole->columns;
        }
    }
    for (size_t i = 0; i < whole->columns; i++) {
        for (size_t k = 0; k < stages; k++) {
            whole->places[i * stages + k] = berth_csv_find(whole->tables[k].csv, whole->names[i]);
        }
    }
    return BERTH_OK;
}

/* Copies a field, which stands in the file as berth_output_csv wrote it. */
static enum berth_status copy_field(const struct berth_csv *csv, size_t column,
                                    struct berth_output *output, struct berth_error *error)
{
    const char *field = berth_csv_field(csv, column);
    if (!strpbrk(field, "\\'")) {
        berth_output_csv(output, field, ',');
        return BERTH_OK;
    }
    char *text = berth_csv_text(csv, column);
    BERTH_TRY(text ? BERTH_OK : berth_out_of_memory(error, NULL));
    berth_output_csv(output, text, ',');
    free(text);
    return BERTH_OK;
}

static enum berth_status print_row(const struct whole *whole, const struct standing *standing,
                                   struct berth_output *output, struct berth_error *error)
{
    const size_t stage = standing->stage, stages = whole->stages->count;
    for (size_t i = 0; i < whole->columns; i++) {
        const size_t place = whole->places[i * stages + stage];
        if (strcmp(whole->names[i], "ordinal") == 0) {
            berth_output_print(output, "%llu,", (unsigned long long)standing->ordinal);
        } else if (strcmp(whole->names[i], "rank") == 0) {
            berth_output_print(output, "%llu,", (unsigned long long)standing->rank);
        } else if (place == SIZE_MAX) {
            berth_output_print(output, ",");
        } else {
            BERTH_TRY(copy_field(whole->tables[stage].csv, place, output, error));
        }
    }
    berth_output_print(output, "%zu\n", stage + 1);
    return berth_output_check(output, error);
}

/* Writes each ligand's row of its last stage, in the library's order, in which all stages are. */
static enum berth_status write_scores(struct whole *whole, struct berth_output *output,
                                      struct berth_error *error)
{
    uint64_t ignored;
    for (size_t i = 0; i < whole->columns; i++) {
        berth_output_csv(output, whole->names[i], ',');
    }
    berth_output_print(output, "stage\n");
    for (size_t k = 0; k < whole->stages->count; k++) {
        BERTH_TRY(next_row(&whole->tables[k], &ignored, error));
    }
    for (size_t i = 0; i < whole->count; i++) {
        const struct standing *standing = &whole->standings[i];
        BERTH_TRY(print_row(whole, standing, output, error));
        for (size_t k = 0; k < whole->stages->count; k++) {
            struct stage_table *table = &whole->tables[k];
            while (!table->end && table->base <= standing->ordinal) {
                BERTH_TRY(next_row(table, &ignored, error));
            }
        }
    }
    return BERTH_OK;
}

/* The failures of all stages; ordinals of later ones become those of the first. */
static enum berth_status write_failures(struct whole *whole, struct berth_output *output,
                                        struct berth_error *error)
{
    berth_output_print(output, "ordinal,ligand,reason\n");
    for (size_t k = 0; k < whole->stages->count; k++) {
        const struct stage_table *table = &whole->tables[k];
        struct berth_csv *csv = NULL;
        char path[PATH_MAX];
        bool end = false;
        BERTH_TRY(stage_file(whole->stages, k, whole->out, "failures.csv", path, error));
        enum berth_status status = berth_csv_open(path, ',', &csv, error);
        BERTH_THEN(berth_csv_next(csv, &end, error));
        while (!status && !end) {
            double ordinal;
            const bool maps = table->bases && berth_csv_real(csv, 0, &ordinal) && ordinal >= 0 &&
                              ordinal < (double)table->count;
            if (maps) {
                berth_output_print(output, "%llu,",
                                   (unsigned long long)table->bases[(size_t)ordinal]);
            } else {
                status = copy_field(csv, 0, output, error);
            }
            BERTH_THEN(copy_field(csv, 1, output, error));
            char *reason = berth_csv_text(csv, 2);
            berth_output_csv(output, reason ? reason : "", '\n');
            free(reason);
            BERTH_THEN(berth_csv_next(csv, &end, error));
        }
        berth_csv_close(csv);
        BERTH_TRY(status);
    }
    return BERTH_OK;
}

/* A pose of the last stage, with the ordinal that its ligand has in the first. */
static enum berth_status print_pose(const struct stage_table *table, const struct berth_bytes *text,
                                    struct berth_output *output, struct berth_error *error)
{
    static const char TAG[] = "<ordinal>\n";
    const char *data = (const char *)text->data, *end = data + text->count, *at = data;
    while (at + sizeof TAG < end && memcmp(at, TAG, sizeof TAG - 1) != 0) {
        at++;
    }
    at += sizeof TAG - 1;
    const uint64_t ordinal = at < end ? strtoull(at, NULL, 10) : UINT64_MAX;
    if (ordinal >= table->count) {
        return berth_fail(error, BERTH_E_FORMAT, "%s: a pose beside it has no ordinal",
                          table->path);
    }
    berth_output_bytes(output, data, (size_t)(at - data));
    berth_output_print(output, "%llu", (unsigned long long)table->bases[ordinal]);
    at += strspn(at, "0123456789");
    berth_output_bytes(output, at, (size_t)(end - at));
    return berth_output_check(output, error);
}

static enum berth_status write_hits(struct whole *whole, struct berth_output *output,
                                    struct berth_error *error)
{
    const size_t last = whole->stages->count - 1;
    struct berth_records *records = NULL;
    struct berth_record record = {0};
    char path[PATH_MAX];
    bool end = false;
    BERTH_TRY(stage_file(whole->stages, last, whole->out, "hits.sdf", path, error));
    enum berth_status status = berth_records_create(path, BERTH_RECORD_SDF, &records, error);
    BERTH_THEN(berth_records_next(records, &record, &end, error));
    while (!status && !end) {
        if (last) {
            status = print_pose(&whole->tables[last], &record.text, output, error);
        } else {
            berth_output_bytes(output, record.text.data, record.text.count);
        }
        BERTH_THEN(berth_records_next(records, &record, &end, error));
    }
    berth_record_clear(&record);
    berth_records_destroy(records);
    return status;
}

/* run.json of the last stage, with the plan, and what the first one docked: what was given. */
static enum berth_status write_json(const struct whole *whole, struct berth_output *output,
                                    struct berth_error *error)
{
    struct berth_run_card first = {.failed = false}, last = first;
    char path[PATH_MAX];
    enum berth_status status = stage_file(whole->stages, 0, whole->out, "run.json", path, error);
    BERTH_THEN(berth_run_json_read(path, NULL, &first, error));
    BERTH_THEN(
        stage_file(whole->stages, whole->stages->count - 1, whole->out, "run.json", path, error));
    BERTH_THEN(berth_run_json_read(path, NULL, &last, error));
    if (!status) {
        last.result.stages = whole->stages->plan;
        last.files.molecules = first.files.molecules;
        last.files.library = first.files.library;
        last.files.prepare_failed = first.files.prepare_failed;
        last.files.prepare_dropped = first.files.prepare_dropped;
        status = berth_run_json_print(output, &last, error);
    }
    berth_run_card_clear(&first);
    berth_run_card_clear(&last);
    return status;
}

/* A file that the last stage may have beside its poses, as it stands. */
static enum berth_status copy_side_chains(const struct whole *whole, struct berth_output **output,
                                          struct berth_error *error)
{
    static const char NAME[] = "hits.side_chains.pdb";
    struct berth_bytes bytes = {0};
    char from[PATH_MAX], to[PATH_MAX];
    BERTH_TRY(stage_file(whole->stages, whole->stages->count - 1, whole->out, NAME, from, error));
    BERTH_TRY(berth_path_in(whole->out, NAME, to, sizeof to, error));
    if (access(from, F_OK) != 0) {
        return BERTH_OK;
    }
    enum berth_status status = berth_input_read_all(from, NULL, &bytes, error);
    BERTH_THEN(berth_output_create(to, output, error));
    if (!status) {
        berth_output_bytes(*output, bytes.data, bytes.count);
    }
    berth_bytes_clear(&bytes);
    return status;
}

enum { SCORES, HITS, FAILURES, RUN, SIDE_CHAINS, FILES };

static enum berth_status write_files(struct whole *whole, struct berth_error *error)
{
    static const char *const NAMES[] = {"scores.csv", "hits.sdf", "failures.csv", "run.json"};
    struct berth_output *outputs[FILES] = {NULL};
    struct berth_output **const all[FILES] = {&outputs[FAILURES], &outputs[SIDE_CHAINS],
                                              &outputs[HITS], &outputs[SCORES], &outputs[RUN]};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < sizeof NAMES / sizeof *NAMES; i++) {
        char path[PATH_MAX];
        status = berth_path_in(whole->out, NAMES[i], path, sizeof path, error);
        BERTH_THEN(berth_output_create(path, &outputs[i], error));
    }
    BERTH_THEN(write_scores(whole, outputs[SCORES], error));
    BERTH_THEN(write_failures(whole, outputs[FAILURES], error));
    BERTH_THEN(write_hits(whole, outputs[HITS], error));
    BERTH_THEN(copy_side_chains(whole, &outputs[SIDE_CHAINS], error));
    BERTH_THEN(write_json(whole, outputs[RUN], error));
    BERTH_THEN(berth_outputs_commit(all, FILES, error));
    for (size_t i = 0; i < FILES; i++) {
        berth_output_discard(outputs[i]);
    }
    return status;
}

enum berth_status berth_stages_join(const struct berth_stages *stages, const char *out,
                                    struct berth_error *error)
{
    struct whole whole = {.stages = stages, .out = out};
    enum berth_status status = rank_all(&whole, error);
    BERTH_THEN(find_columns(&whole, error));
    BERTH_THEN(write_files(&whole, error));
    for (size_t k = 0; k < stages->count; k++) {
        berth_csv_close(whole.tables[k].csv);
        free(whole.tables[k].bases);
    }
    free(whole.standings);
    free(whole.names);
    free(whole.places);
    return status;
}
