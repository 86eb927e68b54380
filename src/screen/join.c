/* Contents: rows of the screens; ranks; scores; failures; poses; the whole. */
#include "screen/join.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "base/memory.h"
#include "dock/output_files.h"
#include "format/csv.h"
#include "format/failures.h"
#include "format/output.h"
#include "format/records.h"
#include "format/run_json.h"
#include "screen/results.h"

/* A ligand of a screen, and where it ends up. */
struct row {
    uint64_t ligand;  /* its number in the whole */
    uint64_t ordinal; /* in the screen */
    size_t screen;
    union {
        double value;  /* what it is ranked by, until all are there; then */
        uint64_t rank; /* from 1 */
    };
};

/* The table of a screen, on its way. */
struct table {
    char path[PATH_MAX];
    struct berth_csv *csv; /* owned */
    size_t name;           /* column of the ligand's */
    struct row row;        /* the one that was read last */
    bool end;
};

/* A pose, and where it stands among those of all screens. */
struct pose {
    uint64_t rank, begin, end;
};

struct whole {
    const struct berth_join *join;
    struct table *tables; /* owned; [join->count] */
    struct row *rows;     /* owned; [count], by ligand, screen and ordinal */
    size_t count, capacity;
    /* Columns of the whole's table: their names, and where each screen's has them. */
    const char **names; /* owned, not its elements; [columns] */
    size_t *places;     /* owned; [columns][join->count]; SIZE_MAX: nowhere */
    size_t columns;
    struct berth_failures failures;
    struct berth_output *unranked; /* owned; the poses of all screens, one after the other */
    struct pose *poses;            /* owned; [pose_count]: in it */
    size_t pose_count, pose_capacity;
};

/* --- Rows of the screens --- */

#define DIGITS "0123456789"

/* Whole numbers that a double holds. */
#define NUMBER_MOST 9007199254740992.0

enum berth_status berth_join_number(const struct berth_csv *csv, const char *path,
                                    const char *column, uint64_t *number, struct berth_error *error)
{
    const size_t at = berth_csv_find(csv, column);
    double value;
    if (at == SIZE_MAX || !berth_csv_real(csv, at, &value) || !(value >= 0) ||
        value > NUMBER_MOST) {
        return berth_fail(error, BERTH_E_FORMAT, "%s:%zu: no %s", path, berth_csv_line(csv),
                          column);
    }
    *number = (uint64_t)value;
    return BERTH_OK;
}

/* The number in the whole of a screen's ligand, which is taken off its name where that has it. */
static enum berth_status find_ligand(const struct whole *whole, size_t screen, const char *path,
                                     uint64_t ordinal, const char **name, uint64_t *ligand,
                                     struct berth_error *error)
{
    const struct berth_joined *joined = &whole->join->screens[screen];
    const size_t digits = strspn(*name, DIGITS);
    if (whole->join->named && (!digits || (*name)[digits] != ' ')) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "%s: '%.200s' has no number of the campaign in front: the file is "
                          "another screen's",
                          path, *name);
    }
    if (joined->ligands && ordinal >= joined->ligand_count) {
        return berth_fail(error, BERTH_E_FORMAT, "%s: the screen has no ligand %llu", path,
                          (unsigned long long)ordinal);
    }
    *ligand = whole->join->named ? strtoull(*name, NULL, 10)
              : joined->ligands  ? joined->ligands[ordinal]
                                 : ordinal;
    *name += whole->join->named ? digits + 1 : 0;
    return BERTH_OK;
}

/* FOLDER/NAME of a screen. */
static enum berth_status file_of(const struct whole *whole, size_t screen, const char *name,
                                 char path[PATH_MAX], struct berth_error *error)
{
    return berth_path_in(whole->join->screens[screen].folder, name, path, PATH_MAX, error);
}

static enum berth_status open_table(struct whole *whole, size_t screen, struct berth_error *error)
{
    struct table *table = &whole->tables[screen];
    BERTH_TRY(file_of(whole, screen, "scores.csv", table->path, error));
    berth_csv_close(table->csv);
    table->csv = NULL;
    table->end = false;
    BERTH_TRY(berth_csv_open(table->path, ',', &table->csv, error));
    table->name = berth_csv_find(table->csv, "ligand");
    return table->name != SIZE_MAX
               ? BERTH_OK
               : berth_fail(error, BERTH_E_FORMAT, "%s: no column ligand", table->path);
}

/* What the row is ranked by among those of all screens. */
static double value_of(const struct berth_csv *csv)
{
    static const char *const COLUMNS[] = {"ranking", "score"};
    for (size_t i = 0; i < sizeof COLUMNS / sizeof *COLUMNS; i++) {
        const size_t at = berth_csv_find(csv, COLUMNS[i]);
        double value;
        if (at != SIZE_MAX && *berth_csv_field(csv, at)) {
            return berth_csv_real(csv, at, &value) ? value : INFINITY;
        }
    }
    return INFINITY;
}

/* Reads the next row, where there is one. */
static enum berth_status next_row(const struct whole *whole, size_t screen,
                                  struct berth_error *error)
{
    struct table *table = &whole->tables[screen];
    struct row *row = &table->row;
    uint64_t rank;
    BERTH_TRY(berth_csv_next(table->csv, &table->end, error));
    if (table->end) {
        return BERTH_OK;
    }
    const char *name = berth_csv_field(table->csv, table->name);
    row->screen = screen;
    BERTH_TRY(berth_join_number(table->csv, table->path, "ordinal", &row->ordinal, error));
    BERTH_TRY(berth_join_number(table->csv, table->path, "rank", &rank, error));
    BERTH_TRY(find_ligand(whole, screen, table->path, row->ordinal, &name, &row->ligand, error));
    row->value = whole->join->together ? value_of(table->csv) : (double)rank;
    return BERTH_OK;
}

/* --- Ranks --- */

static int by_ligand(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    return a->ligand != b->ligand     ? (a->ligand < b->ligand ? -1 : 1)
           : a->screen != b->screen   ? (a->screen < b->screen ? -1 : 1)
           : a->ordinal != b->ordinal ? (a->ordinal < b->ordinal ? -1 : 1)
                                      : 0;
}

static int by_value(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    return a->value < b->value ? -1 : a->value > b->value ? 1 : by_ligand(left, right);
}

static int by_screen(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    return a->screen != b->screen ? (a->screen > b->screen ? -1 : 1) : by_value(left, right);
}

/* Puts rows in this order; there may be none. */
static void sort_rows(struct whole *whole, int (*order)(const void *, const void *))
{
    if (whole->count) {
        qsort(whole->rows, whole->count, sizeof *whole->rows, order);
    }
}

/* Of each ligand leaves the rows of its last screen. */
static void drop_earlier(struct whole *whole)
{
    size_t kept = 0;
    for (size_t i = 0; i < whole->count; i++) {
        const struct row *row = &whole->rows[i];
        while (kept && whole->rows[kept - 1].ligand == row->ligand &&
               whole->rows[kept - 1].screen != row->screen) {
            kept--;
        }
        whole->rows[kept++] = *row;
    }
    whole->count = kept;
}

/* Reads what ranks the ligands, and ranks them. */
static enum berth_status rank_all(struct whole *whole, struct berth_error *error)
{
    for (size_t k = 0; k < whole->join->count; k++) {
        struct table *table = &whole->tables[k];
        BERTH_TRY(open_table(whole, k, error));
        BERTH_TRY(next_row(whole, k, error));
        while (!table->end) {
            BERTH_TRY(berth_reserve(&whole->rows, &whole->capacity, whole->count + 1,
                                    sizeof *whole->rows, error));
            whole->rows[whole->count++] = table->row;
            BERTH_TRY(next_row(whole, k, error));
        }
        BERTH_TRY(open_table(whole, k, error)); /* for the second pass */
    }
    sort_rows(whole, by_ligand);
    drop_earlier(whole);
    sort_rows(whole, whole->join->together ? by_value : by_screen);
    for (size_t i = 0; i < whole->count; i++) {
        whole->rows[i].rank = i + 1;
    }
    sort_rows(whole, by_ligand);
    return BERTH_OK;
}

/* --- Scores --- */

/* The columns of all screens, the last one's first. */
static enum berth_status find_columns(struct whole *whole, struct berth_error *error)
{
    const size_t screens = whole->join->count;
    size_t most = 0;
    for (size_t k = 0; k < screens; k++) {
        most += berth_csv_columns(whole->tables[k].csv);
    }
    BERTH_TRY(berth_make(&whole->names, most, sizeof *whole->names, NULL, error));
    BERTH_TRY(berth_make(&whole->places, most * screens, sizeof *whole->places, NULL, error));
    for (size_t k = screens; k-- > 0;) {
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
        for (size_t k = 0; k < screens; k++) {
            whole->places[i * screens + k] = berth_csv_find(whole->tables[k].csv, whole->names[i]);
        }
    }
    return BERTH_OK;
}

/* Copies a field of a table, which stands there as berth_output_csv wrote it. */
static enum berth_status copy_field(const struct whole *whole, const struct table *table,
                                    size_t column, struct berth_output *output,
                                    struct berth_error *error)
{
    const bool named = whole->join->named && column == table->name;
    const char *field = berth_csv_field(table->csv, column);
    if (!named && !strpbrk(field, "\\'")) {
        berth_output_csv(output, field, ',');
        return BERTH_OK;
    }
    char *text = berth_csv_unescape(field);
    BERTH_TRY(text ? BERTH_OK : berth_out_of_memory(error, NULL));
    berth_output_csv(output, named ? text + strspn(text, DIGITS) + 1 : text, ',');
    free(text);
    return BERTH_OK;
}

/* Writes the row that a table is at. */
static enum berth_status print_row(const struct whole *whole, const struct row *row, size_t place,
                                   struct berth_output *output, struct berth_error *error)
{
    const struct table *table = &whole->tables[row->screen];
    for (size_t i = 0; i < whole->columns; i++) {
        const char *name = whole->names[i];
        const size_t column = whole->places[i * whole->join->count + row->screen];
        if (strcmp(name, "ordinal") == 0) {
            berth_output_print(output, "%llu,",
                               (unsigned long long)(whole->join->named ? place : row->ligand));
        } else if (strcmp(name, "rank") == 0) {
            berth_output_print(output, "%llu,", (unsigned long long)row->rank);
        } else if (column == SIZE_MAX) {
            berth_output_print(output, ",");
        } else {
            BERTH_TRY(copy_field(whole, table, column, output, error));
        }
    }
    if (whole->join->named) {
        berth_output_print(output, "%llu,", (unsigned long long)row->ligand);
    }
    berth_output_print(output, "%zu\n", whole->join->screens[row->screen].number);
    return berth_output_check(output, error);
}

/* Writes the rows by their ligands, in whose order those of each table are. */
static enum berth_status write_scores(struct whole *whole, struct berth_output *output,
                                      struct berth_error *error)
{
    BERTH_TRY(find_columns(whole, error));
    for (size_t i = 0; i < whole->columns; i++) {
        berth_output_csv(output, whole->names[i], ',');
    }
    berth_output_print(output, "%s%s\n", whole->join->named ? "molecule," : "",
                       whole->join->column);
    for (size_t i = 0; i < whole->count; i++) {
        const struct row *row = &whole->rows[i];
        struct table *table = &whole->tables[row->screen];
        do {
            BERTH_TRY(next_row(whole, row->screen, error));
        } while (!table->end && by_ligand(&table->row, row) < 0);
        if (table->end || by_ligand(&table->row, row) != 0) {
            return berth_fail(error, BERTH_E_FORMAT,
                              "%s: its ligands are not in the order of their numbers", table->path);
        }
        BERTH_TRY(print_row(whole, row, i, output, error));
    }
    return BERTH_OK;
}

/* --- Failures --- */

/* Adds a row of a screen's failures, whose ligand may be none of its library. */
static enum berth_status add_failure(struct whole *whole, size_t screen, const char *path,
                                     const struct berth_csv *csv, struct berth_error *error)
{
    const bool known = *berth_csv_field(csv, 0);
    uint64_t ordinal = 0, ligand = 0;
    char *name = berth_csv_text(csv, 1), *reason = berth_csv_text(csv, 2);
    const char *shown = name;
    enum berth_status status = name && reason ? BERTH_OK : berth_out_of_memory(error, NULL);
    if (known) {
        BERTH_THEN(berth_join_number(csv, path, "ordinal", &ordinal, error));
    }
    if (known || whole->join->named) {
        BERTH_THEN(find_ligand(whole, screen, path, ordinal, &shown, &ligand, error));
    }
    if (!status) {
        const struct berth_failure failure = {
            .ordinal = known || whole->join->named ? (long long)ligand : -1,
            .ligand = shown,
            .reason = whole->join->named ? berth_failure_behind_place(reason) : reason};
        berth_failures_recall(&whole->failures, &failure);
    }
    free(name);
    free(reason);
    return status;
}

static enum berth_status add_failures(struct whole *whole, size_t screen, const char *path,
                                      struct berth_error *error)
{
    struct berth_csv *csv = NULL;
    bool end = false;
    enum berth_status status = berth_csv_open(path, ',', &csv, error);
    if (!status && berth_csv_columns(csv) != 3) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: no table of failures", path);
    }
    BERTH_THEN(berth_csv_next(csv, &end, error));
    while (!status && !end) {
        status = add_failure(whole, screen, path, csv, error);
        BERTH_THEN(berth_csv_next(csv, &end, error));
    }
    berth_csv_close(csv);
    return status;
}

static enum berth_status write_failures(struct whole *whole, struct berth_error *error)
{
    char path[PATH_MAX];
    BERTH_TRY(whole->join->failures ? add_failures(whole, 0, whole->join->failures, error)
                                    : BERTH_OK);
    for (size_t k = 0; k < whole->join->count; k++) {
        BERTH_TRY(file_of(whole, k, "failures.csv", path, error));
        BERTH_TRY(add_failures(whole, k, path, error));
    }
    return BERTH_OK;
}

/* --- Poses --- */

static int by_rank(const void *left, const void *right)
{
    const struct pose *a = left, *b = right;
    return a->rank != b->rank ? (a->rank < b->rank ? -1 : 1) : a->begin < b->begin ? -1 : 1;
}

/* The value of a pose's tag; NULL where it has none.  A 0 is behind the pose. */
static const char *tag_value(const struct berth_record *pose, const char *name)
{
    char tag[32];
    const int size = snprintf(tag, sizeof tag, "\n>  <%s>\n", name);
    const char *found = strstr((const char *)pose->text.data, tag);
    return found ? found + size : NULL;
}

/* The row of the whole that a pose is of: NULL where it has none. */
static enum berth_status find_row(const struct whole *whole, size_t screen, const char *path,
                                  const struct berth_record *record, const struct row **row,
                                  struct berth_error *error)
{
    struct row wanted = {.screen = screen};
    const char *name = record->title, *ordinal = tag_value(record, "ordinal");
    if (!ordinal) {
        return berth_fail(error, BERTH_E_FORMAT, "%s:%zu: the pose has no ordinal", path,
                          record->line);
    }
    wanted.ordinal = strtoull(ordinal, NULL, 10);
    BERTH_TRY(find_ligand(whole, screen, path, wanted.ordinal, &name, &wanted.ligand, error));
    *row = whole->count
               ? bsearch(&wanted, whole->rows, whole->count, sizeof *whole->rows, by_ligand)
               : NULL;
    return BERTH_OK;
}

/* Writes a pose as it stands, but for its ligand's number, name and rank, which are those in the
 * whole. */
static void print_pose(const struct whole *whole, const struct berth_record *record,
                       const struct row *row, struct berth_output *output)
{
    const size_t number = whole->join->named ? (size_t)(row - whole->rows) : row->ligand;
    const char *at = (const char *)record->text.data;
    const char *const named[] = {at, tag_value(record, "ligand")};
    const char *const ordinal = tag_value(record, "ordinal");
    const char *const rank = tag_value(record, "rank");
    while (*at) {
        const char *line = at;
        at += strcspn(at, "\n");
        at += *at == '\n';
        if (line == ordinal) {
            berth_output_print(output, "%zu\n", number);
        } else if (line == rank) {
            berth_output_print(output, "%llu\n", (unsigned long long)row->rank);
        } else {
            const bool cut = whole->join->named && (line == named[0] || line == named[1]);
            line += cut ? strspn(line, DIGITS) + 1 : 0;
            berth_output_bytes(output, line, (size_t)(at - line));
        }
    }
}

/* Puts a pose behind those of the others, unless its ligand is none of the best. */
static enum berth_status add_pose(struct whole *whole, size_t screen, const char *path,
                                  struct berth_record *record, struct berth_error *error)
{
    const struct row *row = NULL;
    berth_bytes_put8(&record->text, 0);
    BERTH_TRY(record->text.failed ? berth_out_of_memory(error, NULL) : BERTH_OK);
    BERTH_TRY(find_row(whole, screen, path, record, &row, error));
    if (!row || row->rank > whole->join->top) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_reserve(&whole->poses, &whole->pose_capacity, whole->pose_count + 1,
                            sizeof *whole->poses, error));
    struct pose *pose = &whole->poses[whole->pose_count++];
    pose->rank = row->rank;
    pose->begin = berth_output_size(whole->unranked);
    print_pose(whole, record, row, whole->unranked);
    pose->end = berth_output_size(whole->unranked);
    return berth_output_check(whole->unranked, error);
}

static enum berth_status add_poses(struct whole *whole, size_t screen, struct berth_error *error)
{
    struct berth_records *records = NULL;
    struct berth_record record = {0};
    char path[PATH_MAX];
    bool end = false;
    BERTH_TRY(file_of(whole, screen, "hits.sdf", path, error));
    enum berth_status status = berth_records_create(path, BERTH_RECORD_SDF, &records, error);
    BERTH_THEN(berth_records_next(records, &record, &end, error));
    while (!status && !end) {
        status = add_pose(whole, screen, path, &record, error);
        BERTH_THEN(berth_records_next(records, &record, &end, error));
    }
    berth_record_clear(&record);
    berth_records_destroy(records);
    return status;
}

static enum berth_status write_hits(struct whole *whole, struct berth_output *output,
                                    struct berth_error *error)
{
    BERTH_TRY(
        berth_output_create_in(whole->join->folder, "hits.unranked", &whole->unranked, error));
    BERTH_TRY(berth_output_unname(whole->unranked, error));
    for (size_t k = 0; k < whole->join->count; k++) {
        BERTH_TRY(add_poses(whole, k, error));
    }
    if (whole->pose_count) {
        qsort(whole->poses, whole->pose_count, sizeof *whole->poses, by_rank);
    }
    for (size_t i = 0; i < whole->pose_count; i++) {
        const struct pose *pose = &whole->poses[i];
        BERTH_TRY(berth_output_copy(output, whole->unranked, pose->begin, pose->end, error));
    }
    return BERTH_OK;
}

/* A file that the last screen may have beside its poses, as it stands. */
static enum berth_status copy_side_chains(const struct whole *whole, struct berth_output **output,
                                          struct berth_error *error)
{
    struct berth_bytes bytes = {0};
    char from[PATH_MAX];
    BERTH_TRY(file_of(whole, whole->join->count - 1, BERTH_HITS_MOVED, from, error));
    if (whole->join->together || access(from, F_OK) != 0) {
        return BERTH_OK;
    }
    enum berth_status status = berth_input_read_all(from, NULL, &bytes, error);
    BERTH_THEN(berth_output_create_in(whole->join->folder, BERTH_HITS_MOVED, output, error));
    if (!status) {
        berth_output_bytes(*output, bytes.data, bytes.count);
    }
    berth_bytes_clear(&bytes);
    return status;
}

/* --- The whole --- */

static enum berth_status write_files(struct whole *whole, struct berth_error *error)
{
    struct berth_output *scores = NULL, *hits = NULL, *run = NULL, *side_chains = NULL;
    struct berth_output **const all[] = {&whole->failures.output, &side_chains, &hits, &scores,
                                         &run};
    char path[PATH_MAX];
    enum berth_status status =
        berth_output_create_in(whole->join->folder, "scores.csv", &scores, error);
    BERTH_THEN(berth_output_create_in(whole->join->folder, "hits.sdf", &hits, error));
    BERTH_THEN(berth_output_create_in(whole->join->folder, "run.json", &run, error));
    BERTH_THEN(berth_path_in(whole->join->folder, "failures.csv", path, sizeof path, error));
    BERTH_THEN(berth_failures_create(path, &whole->failures, error));
    BERTH_THEN(write_scores(whole, scores, error));
    BERTH_THEN(write_failures(whole, error));
    BERTH_THEN(write_hits(whole, hits, error));
    BERTH_THEN(copy_side_chains(whole, &side_chains, error));
    BERTH_THEN(berth_run_json_print(run, whole->join->card, error));
    BERTH_THEN(berth_outputs_commit(all, sizeof all / sizeof *all, error));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        berth_output_discard(*all[i]);
    }
    return status;
}

enum berth_status berth_join_screens(const struct berth_join *join, struct berth_error *error)
{
    struct whole whole = {.join = join};
    BERTH_TRY(berth_make(&whole.tables, join->count, sizeof *whole.tables, NULL, error));
    enum berth_status status = rank_all(&whole, error);
    BERTH_THEN(write_files(&whole, error));
    for (size_t k = 0; k < join->count; k++) {
        berth_csv_close(whole.tables[k].csv);
    }
    berth_output_discard(whole.unranked);
    free(whole.poses);
    free(whole.tables);
    free(whole.rows);
    free(whole.names);
    free(whole.places);
    return status;
}
