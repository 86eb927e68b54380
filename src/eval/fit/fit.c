/* What a ranking is fitted to: poses of complexes with their RMSDs, actives and decoys with their
 * scores; and what terms and unfitted rankings make of each. */
#include "eval/fit/fit.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "eval/analysis.h"
#include "eval/pose_records.h"
#include "eval/redock/redock.h"
#include "eval/screen/ligands.h"
#include "format/output.h"
#include "score/fields.h"
#include "score/ranking.h"

/* Columns that an expression may name; terms; rankings beside the fitted one; texts of these. */
enum { COLUMNS = 64, TERMS = 16, RANKINGS = 19, LABEL = 64 };

/* What is written. */
enum { SUMMARY, TABLE, WEIGHTS, RANK, FILES };
static const char *const FILE_NAMES[FILES] = {"summary.txt", "fit.csv", "weights.csv",
                                              "fitted.rank"};

/* What is fitted: how ligands are ordered, or poses. */
struct part {
    const struct berth_fit_settings *settings;
    bool ligands;
    const char *source;             /* where its rows are from */
    char *columns[COLUMNS];         /* owned */
    size_t places[COLUMNS];         /* of these in the table */
    size_t column_count, tag_count; /* tag_count: of the pose whose columns they are */
    double *cells;                  /* owned: [count][columns]; NAN: no number */
    size_t count, cell_capacity;    /* rows that were read: poses, or ligands' first modes */
    uint32_t *order;                /* owned: [rows]: which of these are fitted to */
    size_t rows;
    double *values;                         /* owned: [rows]: room to work out an expression */
    struct berth_bytes names, lists, right; /* owned; of each pose its complex, the number of its
                                               file, and 1 where it is right */
    size_t list_count;
    const char *name;                /* of the complex whose poses are being read, */
    bool seen;                       /* of which there was one */
    size_t rankings, compared, size; /* rankings that were put, the first of them not by one thing
                                        alone; which, from 1, is by heavy atoms, 0: none */
    struct berth_bytes known;        /* owned: fields of what the rows are, */
    struct berth_bytes fields;       /* and of what is made of them */
};

static void clear_part(struct part *part)
{
    for (size_t i = 0; i < part->column_count; i++) {
        free(part->columns[i]);
    }
    free(part->cells);
    free(part->order);
    free(part->values);
    berth_bytes_clear(&part->names);
    berth_bytes_clear(&part->lists);
    berth_bytes_clear(&part->right);
    berth_bytes_clear(&part->known);
    berth_bytes_clear(&part->fields);
}

/* Whether a column is a built-in scoring function's.  Others beside them are of models, or of files
 * that only the user can name. */
static bool is_function(const char *column)
{
    const struct berth_embedded *file = berth_embedded_scoring;
    while (file->name && strcmp(file->name, column) != 0) {
        file++;
    }
    return file->name != NULL;
}

/* --- Rows --- */

/* What a ranking may look at: no places, names or what follows from it. */
static bool is_rankable(const char *name)
{
    const struct berth_pose_field *field = berth_field_named(name);
    return strncmp(name, BERTH_COLUMN_SCORE_IN, strlen(BERTH_COLUMN_SCORE_IN)) != 0 &&
           (!field || field->prepared || field->in[BERTH_IN_RANKING]);
}

static size_t find_column(const struct part *part, const char *name)
{
    for (size_t i = 0; i < part->column_count; i++) {
        if (strcmp(part->columns[i], name) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* Adds a column, if a ranking may look at it. */
static enum berth_status add_column(struct part *part, const char *name, size_t place,
                                    struct berth_error *error)
{
    if (part->column_count == COLUMNS || !is_rankable(name)) {
        return BERTH_OK;
    }
    char *copy = berth_copy_text(name);
    part->places[part->column_count] = place;
    part->columns[part->column_count] = copy;
    part->column_count += copy != NULL;
    return copy ? BERTH_OK : berth_out_of_memory(error, NULL);
}

/* Adds the parts of an energy that the table does not have: they are 0. */
static enum berth_status add_parts(struct part *part, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < BERTH_PART_COUNT; i++) {
        const char *name = BERTH_PART_COLUMNS[i];
        status = find_column(part, name) == SIZE_MAX ? add_column(part, name, SIZE_MAX, error)
                                                     : BERTH_OK;
    }
    return status;
}

/* Adds a row, and gives its cells [columns] to be filled. */
static enum berth_status add_row(struct part *part, double **cells, struct berth_error *error)
{
    const size_t columns = part->column_count;
    BERTH_TRY(berth_reserve(&part->cells, &part->cell_capacity, (part->count + 1) * columns,
                            sizeof *part->cells, error));
    *cells = part->cells + part->count++ * columns;
    for (size_t i = 0; i < columns; i++) {
        (*cells)[i] = berth_column_blank(part->columns[i]);
    }
    return BERTH_OK;
}

/* --- Poses of a redocking --- */

/* A tag that is a number. */
static bool read_tag(const struct berth_read_pose *pose, const char *name, double *number)
{
    char *end;
    const char *tag = berth_pose_tag(pose, name);
    const double value = strtod(tag, &end);
    const bool is = end != tag && !*end && isfinite(value);
    if (is) {
        *number = value;
    }
    return is;
}

/* Takes the columns of a file's first pose, if it has the most: functions that lack a type say
 * nothing of a complex. */
static enum berth_status take_columns(void *context, const struct berth_read_pose *pose,
                                      struct berth_error *error)
{
    struct part *part = context;
    part->seen = true;
    if (pose->tags.count <= part->tag_count) {
        return BERTH_OK;
    }
    part->tag_count = pose->tags.count;
    while (part->column_count) {
        free(part->columns[--part->column_count]);
    }
    for (size_t i = 0; i < pose->tags.count; i++) {
        BERTH_TRY(add_column(part, pose->tags.items[i].name, i, error));
    }
    return add_parts(part, error);
}

static enum berth_status take_pose(void *context, const struct berth_read_pose *pose,
                                   struct berth_error *error)
{
    struct part *part = context;
    double *cells, rmsd;
    if (!read_tag(pose, BERTH_COLUMN_RMSD, &rmsd)) {
        return berth_fail(error, BERTH_E_FORMAT, "the pose has no tag rmsd");
    }
    BERTH_TRY(add_row(part, &cells, error));
    berth_bytes_put_text(&part->names, part->name);
    berth_column_put(&part->lists, (double)part->list_count);
    berth_bytes_put8(&part->right, rmsd < BERTH_REDOCK_NEAR);
    for (size_t i = 0; i < part->column_count; i++) {
        read_tag(pose, part->columns[i], &cells[i]);
    }
    return BERTH_OK;
}

/* The poses of each complex and mode that FOLDER/redock.csv lists, or of each the first for its
 * columns. */
static enum berth_status read_redocking(const char *folder, bool columns,
                                        const struct berth_log *log, struct part *part,
                                        struct berth_error *error)
{
    struct berth_csv *csv = NULL;
    char path[PATH_MAX];
    bool end = false;
    size_t failed;
    BERTH_TRY(berth_path_in(folder, "redock.csv", path, sizeof path, error));
    enum berth_status status = berth_csv_open(path, ',', &csv, error);
    const size_t name = csv ? berth_csv_find(csv, "complex") : 0;
    const size_t mode = csv ? berth_csv_find(csv, "mode") : 0;
    if (!status && (name == SIZE_MAX || mode == SIZE_MAX)) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: no columns complex and mode", path);
    }
    while (!status && !(status = berth_csv_next(csv, &end, error)) && !end) {
        char *complex = berth_csv_text(csv, name), file[PATH_MAX];
        const struct berth_pose_visitor visitor = {.visit = columns ? take_columns : take_pose,
                                                   .context = part,
                                                   .log = log,
                                                   .enough = columns ? &part->seen : NULL};
        part->name = complex;
        part->seen = false;
        status = complex ? BERTH_OK : berth_out_of_memory(error, NULL);
        if (!status && snprintf(file, sizeof file, "%s/%s/%s_poses.sdf", folder, complex,
                                berth_csv_field(csv, mode)) >= (int)sizeof file) {
            status = berth_fail(error, BERTH_E_USAGE, "%s: the path is too long", folder);
        }
        BERTH_THEN(berth_pose_records_each(file, &visitor, &failed, error));
        part->list_count += !columns;
        free(complex);
    }
    berth_csv_close(csv);
    return status;
}

/* Reads the columns of all folders, and then their poses. */
static enum berth_status read_poses(struct part *part, const struct berth_log *log,
                                    struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (int columns = 1; !status && columns >= 0; columns--) {
        char *list = berth_copy_text(part->settings->redock), *rest = list;
        status = list ? BERTH_OK : berth_out_of_memory(error, NULL);
        for (const char *folder; !status && (folder = strtok_r(rest, ",", &rest));) {
            status = read_redocking(folder, columns, log, part, error);
        }
        free(list);
    }
    part->rows = part->count;
    BERTH_THEN(berth_make(&part->order, part->rows, sizeof *part->order, NULL, error));
    for (size_t i = 0; !status && i < part->rows; i++) {
        part->order[i] = (uint32_t)i;
    }
    berth_request_put_bytes(&part->known, "names", &part->names);
    berth_request_put_bytes(&part->known, "lists", &part->lists);
    berth_request_put_bytes(&part->known, "positive", &part->right);
    return status;
}

/* --- Ligands of a screen --- */

/* The row of a ligand's first mode, if that has a score. */
static enum berth_status take_ligand(const struct berth_csv *csv, size_t mode_column,
                                     size_t score_column, struct berth_bytes *first,
                                     struct part *part, struct berth_error *error)
{
    double *cells, score, mode = 1;
    const bool taken =
        (mode_column == SIZE_MAX || !berth_csv_real(csv, mode_column, &mode) || mode <= 1) &&
        berth_csv_real(csv, score_column, &score);
    berth_bytes_put8(first, taken);
    if (!taken) {
        return BERTH_OK;
    }
    BERTH_TRY(add_row(part, &cells, error));
    for (size_t i = 0; i < part->column_count; i++) {
        if (part->places[i] != SIZE_MAX) {
            berth_csv_real(csv, part->places[i], &cells[i]);
        }
    }
    return BERTH_OK;
}

static enum berth_status read_rows(struct part *part, struct berth_error *error)
{
    struct berth_csv *csv = NULL;
    struct berth_bytes first = {0};
    char path[PATH_MAX];
    bool end = false;
    enum berth_status status = berth_scores_find(part->source, path, error);
    BERTH_THEN(berth_csv_open(path, ',', &csv, error));
    for (size_t i = 0; !status && i < berth_csv_columns(csv); i++) {
        status = add_column(part, berth_csv_column(csv, i), i, error);
    }
    BERTH_THEN(add_parts(part, error));
    const size_t mode = csv ? berth_csv_find(csv, BERTH_COLUMN_MODE) : 0;
    const size_t score = csv ? berth_csv_find(csv, BERTH_COLUMN_SCORE) : 0;
    while (!status && !(status = berth_csv_next(csv, &end, error)) && !end) {
        status = take_ligand(csv, mode, score, &first, part, error);
    }
    berth_csv_close(csv);
    berth_request_put_bytes(&part->known, "first", &first);
    berth_bytes_clear(&first);
    return status;
}

/* Puts what Python knows ligands by. */
static enum berth_status put_known(struct part *part, const struct berth_log *log,
                                   struct berth_error *error)
{
    const struct berth_fit_settings *settings = part->settings;
    struct berth_rdkit rdkit;
    struct berth_error why;
    struct berth_score_table table;
    const bool molecules = berth_known_takes(settings->actives);
    enum berth_status status =
        berth_score_table_read(settings->results, BERTH_COLUMN_SCORE, &table, error);
    berth_score_table_put(&table, &part->known);
    berth_score_table_clear(&table);
    const bool scaffolds = !status && molecules && berth_rdkit_find(&rdkit, &why) == BERTH_OK;
    if (!status && molecules && !scaffolds) {
        berth_warn(log, NULL, "folds are of single actives, not of scaffolds: %s", why.message);
    }
    struct berth_known_setup setup = {settings->actives, scaffolds ? &rdkit : NULL, scaffolds, log};
    BERTH_THEN(berth_known_put(&setup, "actives", &part->known, error));
    setup = (struct berth_known_setup){settings->decoys, NULL, false, log};
    BERTH_THEN(berth_known_put(&setup, "decoys", &part->known, error));
    berth_request_put_text(&part->known, "states", settings->states ? "" : NULL);
    return status;
}

/* The first modes of ligands of which it is known what they are, in the order that Python says. */
static enum berth_status read_ligands(struct part *part, struct berth_analysis *analysis,
                                      const struct berth_log *log, struct berth_error *error)
{
    struct berth_bytes request = {0};
    struct berth_answer answer = {0};
    BERTH_TRY(put_known(part, log, error));
    BERTH_TRY(read_rows(part, error));
    berth_request_put_bytes(&request, "ligands", &part->known);
    enum berth_status status = berth_analysis_ask(analysis, "order", &request, &answer, error);
    const struct berth_field *order = status ? NULL : &answer.fields[answer.count - 1];
    part->rows = status ? 0 : order->size / sizeof *part->order;
    BERTH_THEN(berth_make(&part->order, part->rows, sizeof *part->order, NULL, error));
    if (!status && part->rows) {
        memcpy(part->order, order->data, part->rows * sizeof *part->order);
    }
    berth_answer_clear(&answer);
    berth_bytes_clear(&request);
    return status;
}

/* --- Terms and unfitted rankings --- */

/* What energies of ligands are divided by, so that size alone does not rank. */
static const char LIGAND_SIZE[] = " / (1 + 0.03*rotors) / heavy_atoms^0.25";

/* What rankings add to each function of a row, as while docking: of metals, of waters; places: of
 * these columns, SIZE_MAX: it has none. */
static double beside(const double *cells, const size_t places[2])
{
    double sum = 0;
    for (size_t k = 0; k < 2; k++) {
        sum += places[k] == SIZE_MAX || isnan(cells[places[k]]) ? 0 : cells[places[k]];
    }
    return sum;
}

/* Cells of the columns that a ranking looks at, of each row. */
static void fill_cells(const struct part *part, const size_t *columns, size_t looked, double *cells)
{
    const size_t places[] = {find_column(part, BERTH_COLUMN_COORDINATION),
                             find_column(part, BERTH_COLUMN_DISPLACEMENT)};
    for (size_t i = 0; i < part->rows; i++) {
        const double *row = part->cells + part->order[i] * part->column_count;
        for (size_t k = 0; k < looked; k++) {
            cells[i * looked + k] =
                row[columns[k]] +
                (is_function(part->columns[columns[k]]) ? beside(row, places) : 0);
        }
    }
}

/* Behind the last of the rows that begin with this one and are worked out at once: all ligands, or
 * the poses of a file. */
static size_t list_end(const struct part *part, size_t begin)
{
    const uint64_t *lists = (const void *)part->lists.data;
    size_t end = part->ligands ? part->rows : begin;
    while (end < part->rows && lists[end] == lists[begin]) {
        end++;
    }
    return end;
}

/* Works out an expression, which the option says, of all rows, and puts it as a field of this name,
 * under its text or what it is called. */
static enum berth_status put_worked_out(struct part *part, const char *option, const char *text,
                                        const char *name, const char *label,
                                        struct berth_error *error)
{
    struct berth_ranking *ranking = NULL;
    struct berth_bytes fields = {0}, values = {0};
    const size_t *columns = NULL;
    double *cells = NULL;
    enum berth_status status = berth_ranking_create(
        option, text, (const char *const *)part->columns, part->column_count, &ranking, error);
    const size_t looked = status ? 0 : berth_ranking_columns(ranking, &columns);
    if (status) {
        error->option = option;
    }
    BERTH_THEN(berth_make(&cells, part->rows * looked, sizeof *cells, NULL, error));
    if (!status) {
        fill_cells(part, columns, looked, cells);
    }
    for (size_t begin = 0, end; !status && begin < part->rows; begin = end) {
        end = list_end(part, begin);
        status = berth_ranking_values(ranking, cells + begin * looked, end - begin,
                                      part->values + begin, error);
    }
    for (size_t i = 0; i < part->rows; i++) {
        berth_column_put(&values, part->values[i]);
    }
    berth_request_put_text(&fields, label ? "label" : "text", label ? label : text);
    berth_request_put_bytes(&fields, "values", &values);
    if (!status) {
        berth_request_put_bytes(&part->fields, name, &fields);
    }
    berth_ranking_destroy(ranking);
    berth_bytes_clear(&fields);
    berth_bytes_clear(&values);
    free(cells);
    return status;
}

/* Puts the expressions of a list with commas between, of which some stand in parentheses. */
static enum berth_status put_terms(struct part *part, const char *option, const char *list,
                                   struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    const char *rest = list;
    for (size_t count = 0; !status && rest; count++) {
        char *term = berth_text_next_expression(&rest);
        status = !term ? berth_out_of_memory(error, NULL)
                 : count == TERMS
                     ? berth_fail(error, BERTH_E_USAGE, "%s: more than %d terms", list, TERMS)
                     : put_worked_out(part, option, term, "term", NULL, error);
        free(term);
    }
    return status;
}

/* Each function and strain; of ligands for their torsions and size, as `screening` has them. */
static enum berth_status put_default_terms(struct part *part, const char *option,
                                           struct berth_error *error)
{
    char list[2048] = "";
    for (size_t i = 0; i < part->column_count; i++) {
        if (is_function(part->columns[i])) {
            berth_text_append(list, sizeof list, "%s%s,", part->columns[i],
                              part->ligands ? LIGAND_SIZE : "");
        }
    }
    if (!*list) {
        return berth_fail_option(error, BERTH_E_USAGE, option,
                                 "%s has one scoring function: name several in the run (scoring = "
                                 "vina,vinardo,plp,bude), or the terms to fit",
                                 part->source);
    }
    berth_text_append(list, sizeof list, "strain%s", part->ligands ? LIGAND_SIZE : "");
    return put_terms(part, option, list, error);
}

/* Puts an unfitted ranking.  needed: else it need not have its columns. */
static enum berth_status put_ranking(struct part *part, const char *label, const char *text,
                                     bool needed, struct berth_error *error)
{
    struct berth_error why;
    if (part->rankings == RANKINGS) {
        return BERTH_OK;
    }
    const enum berth_status status =
        put_worked_out(part, "against", text, "ranking", label, needed ? error : &why);
    part->rankings += !status;
    if (status == BERTH_E_MEMORY && !needed) {
        *error = why;
    }
    return needed || status == BERTH_E_MEMORY ? status : BERTH_OK;
}

/* The rankings by each built-in function alone, as it is and, of ligands, over their size, as the
 * terms; and by size. */
static enum berth_status put_alone(struct part *part, struct berth_error *error)
{
    char label[LABEL], text[128];
    for (size_t k = 0; k < part->column_count; k++) {
        if (is_function(part->columns[k])) {
            snprintf(label, sizeof label, "%s over size", part->columns[k]);
            snprintf(text, sizeof text, "%s%s", part->columns[k], LIGAND_SIZE);
            BERTH_TRY(put_ranking(part, part->columns[k], part->columns[k], false, error));
            BERTH_TRY(part->ligands ? put_ranking(part, label, text, false, error) : BERTH_OK);
        }
    }
    const size_t others = part->rankings;
    BERTH_TRY(part->ligands ? put_ranking(part, "heavy atoms", "-heavy_atoms", false, error)
                            : BERTH_OK);
    part->size = part->rankings > others ? part->rankings : 0;
    return BERTH_OK;
}

/* The unfitted rankings, and the texts of the one to be bettered. */
static enum berth_status put_rankings(struct part *part, struct berth_error *error)
{
    const char *against = part->settings->against;
    const char *name = against ? against : part->ligands ? "screening" : "consensus";
    struct berth_ranking_texts before = {0};
    enum berth_status status = berth_ranking_find(name, &before, error);
    BERTH_THEN(put_ranking(part, BERTH_COLUMN_SCORE, BERTH_COLUMN_SCORE, true, error));
    BERTH_THEN(put_ranking(part, name, part->ligands ? before.ligands : before.poses,
                           against != NULL, error));
    part->compared = part->rankings;
    BERTH_THEN(put_alone(part, error));
    berth_request_put_text(&part->fields, "scoring", before.scoring);
    berth_request_put_text(&part->fields, "pool", before.pool);
    berth_request_put_text(&part->fields, "poses_by", before.poses);
    berth_request_put_text(&part->fields, "ligands_by", before.ligands);
    berth_ranking_texts_clear(&before);
    return status;
}

/* --- All of it --- */

/* Puts what is fitted to into the request. */
static enum berth_status put_part(struct part *part, struct berth_bytes *request,
                                  struct berth_error *error)
{
    const struct berth_fit_settings *settings = part->settings;
    const char *option = part->ligands ? "ligand_terms" : "pose_terms";
    const char *terms = part->ligands ? settings->ligand_terms : settings->pose_terms;
    struct berth_bytes functions = {0};
    if (find_column(part, BERTH_COLUMN_SCORE) == SIZE_MAX) {
        return berth_fail(error, BERTH_E_FORMAT, "%s: no pose has a score", part->source);
    }
    BERTH_TRY(berth_make(&part->values, part->rows, sizeof *part->values, NULL, error));
    BERTH_TRY(terms ? put_terms(part, option, terms, error)
                    : put_default_terms(part, option, error));
    BERTH_TRY(put_rankings(part, error));
    for (size_t k = 0; k < part->column_count; k++) {
        if (is_function(part->columns[k])) {
            berth_bytes_put_text(&functions, part->columns[k]);
        }
    }
    berth_request_put_bytes(&part->fields, "functions", &functions);
    berth_bytes_clear(&functions);
    berth_request_put_text(&part->fields, "source", part->source);
    berth_request_put_number(&part->fields, "compared", part->compared);
    berth_request_put_number(&part->fields, "size", part->size);
    berth_request_put_number(&part->fields, "resamples", settings->resamples);
    berth_request_put_number(&part->fields, "seed", settings->seed);
    berth_bytes_put(&part->fields, part->known.data, part->known.count);
    part->fields.failed = part->fields.failed || part->known.failed;
    berth_request_put_bytes(request, part->ligands ? "ligands" : "poses", &part->fields);
    return BERTH_OK;
}

/* Writes all files, and the summary to standard output, too. */
static enum berth_status write_files(const struct berth_fit_settings *settings,
                                     const struct berth_answer *answer, bool *shown,
                                     struct berth_error *error)
{
    char path[PATH_MAX];
    *shown = berth_analysis_find(answer, FILE_NAMES[RANK]) != SIZE_MAX;
    BERTH_TRY(berth_analysis_write(answer, settings->out, error));
    BERTH_TRY(berth_path_in(settings->out, FILE_NAMES[RANK], path, sizeof path, error));
    if (!*shown) { /* one of another fit must not be taken for this one's */
        BERTH_TRY(berth_file_remove(path, BERTH_OK, error));
    }
    const size_t summary = berth_analysis_find(answer, FILE_NAMES[SUMMARY]);
    return berth_analysis_write_text(&answer->fields[summary], "-", error);
}

enum berth_status berth_fit_run(const struct berth_fit_settings *settings,
                                const struct berth_log *log, bool *shown, struct berth_error *error)
{
    const char *const sources[2] = {settings->redock, settings->results};
    struct berth_analysis analysis;
    struct berth_bytes request = {0};
    struct berth_answer answer = {0};
    BERTH_TRY(berth_folder_probe(settings->out, FILE_NAMES, FILES, error));
    if (!sources[0] && !sources[1]) {
        return berth_fail_option(error, BERTH_E_USAGE, "redock",
                                 "redock: nothing to fit to: give complexes that were redocked, "
                                 "or the results of a screen and its actives");
    }
    if ((sources[1] != NULL) != (settings->actives != NULL)) {
        return berth_fail_option(error, BERTH_E_USAGE, "actives",
                                 "actives: RESULTS and actives go together");
    }
    enum berth_status status = berth_analysis_open(&analysis, error);
    for (int ligands = 0; !status && ligands < 2; ligands++) {
        struct part part = {.settings = settings, .ligands = ligands, .source = sources[ligands]};
        if (part.source) {
            status = ligands ? read_ligands(&part, &analysis, log, error)
                             : read_poses(&part, log, error);
            BERTH_THEN(put_part(&part, &request, error));
        }
        clear_part(&part);
    }
    BERTH_THEN(berth_analysis_ask(&analysis, "fit", &request, &answer, error));
    BERTH_THEN(write_files(settings, &answer, shown, error));
    berth_analysis_close(&analysis);
    berth_answer_clear(&answer);
    berth_bytes_clear(&request);
    return status;
}
