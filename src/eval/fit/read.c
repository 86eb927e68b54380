/* What a ranking is fitted to: poses of complexes with their RMSDs, actives and decoys with their
 * scores; and what terms and unfitted rankings make of each. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/memory.h"
#include "base/text.h"
#include "eval/fit/fit_internal.h"
#include "eval/pose_records.h"
#include "eval/redock/redock.h"
#include "score/ranking.h"
#include "score/fields.h"

void fit_part_clear(struct fit_part *part)
{
    for (size_t i = 0; i < part->column_count; i++) {
        free(part->columns[i]);
    }
    for (size_t i = 0; i < part->count; i++) {
        free(part->rows[i].name);
    }
    for (size_t i = 0; i < part->term_count; i++) {
        free(part->terms[i].text);
        free(part->terms[i].x);
    }
    for (size_t k = 0; k < FIT_RANKINGS; k++) {
        free(part->values[k]);
    }
    berth_ranking_texts_clear(&part->before);
    free(part->cells);
    free(part->rows);
    free(part->active);
    free(part->expression);
    memset(part, 0, sizeof *part);
}

bool fit_is_function(const char *column)
{
    const struct berth_embedded *file = berth_embedded_scoring;
    while (file->name && strcmp(file->name, column) != 0) {
        file++;
    }
    return file->name != NULL;
}

size_t fit_list_end(const struct fit_part *part, size_t begin)
{
    size_t end = begin;
    while (end < part->count && part->rows[end].list == part->rows[begin].list) {
        end++;
    }
    return end;
}

/* --- Rows --- */

/* What a ranking may look at: no places, names or what follows from it. */
static bool is_rankable(const char *name)
{
    const struct berth_pose_field *field = berth_field_named(name);
    return strncmp(name, BERTH_COLUMN_SCORE_IN, strlen(BERTH_COLUMN_SCORE_IN)) != 0 &&
           (!field || field->prepared || field->in[BERTH_IN_RANKING]);
}

static size_t find_column(const struct fit_part *part, const char *name)
{
    for (size_t i = 0; i < part->column_count; i++) {
        if (strcmp(part->columns[i], name) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* Adds a column, if a ranking may look at it. */
static enum berth_status add_column(struct fit_part *part, const char *name, size_t place,
                                    struct berth_error *error)
{
    if (part->column_count == FIT_COLUMNS || !is_rankable(name)) {
        return BERTH_OK;
    }
    char *copy = berth_copy_text(name);
    part->places[part->column_count] = place;
    part->columns[part->column_count] = copy;
    part->column_count += copy != NULL;
    return copy ? BERTH_OK : berth_out_of_memory(error, NULL);
}

/* Adds the parts of an energy that the table does not have: they are 0. */
static enum berth_status add_parts(struct fit_part *part, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < BERTH_PART_COUNT; i++) {
        const char *name = BERTH_PART_COLUMNS[i];
        status = find_column(part, name) == SIZE_MAX ? add_column(part, name, SIZE_MAX, error)
                                                     : BERTH_OK;
    }
    return status;
}

/* Adds a row, whose name it takes (NULL: out of memory), and gives its cells [columns] to be
 * filled. */
static enum berth_status add_row(struct fit_part *part, char *name, bool positive, double **cells,
                                 struct berth_error *error)
{
    const size_t columns = part->column_count;
    enum berth_status status = name ? BERTH_OK : berth_out_of_memory(error, NULL);
    BERTH_THEN(
        berth_reserve(&part->rows, &part->capacity, part->count + 1, sizeof *part->rows, error));
    BERTH_THEN(berth_reserve(&part->cells, &part->cell_capacity, (part->count + 1) * columns,
                             sizeof *part->cells, error));
    if (status) {
        free(name);
        return status;
    }
    *cells = part->cells + part->count * columns;
    for (size_t i = 0; i < columns; i++) {
        (*cells)[i] = berth_column_blank(part->columns[i]);
    }
    part->rows[part->count] = (struct fit_row){.name = name,
                                               .kept = name,
                                               .at = part->count,
                                               .list = part->list_count,
                                               .positive = positive};
    part->count++;
    return BERTH_OK;
}

/* --- Poses of a redocking --- */

struct pose_file {
    struct fit_part *part;
    const char *name; /* of the complex */
    bool seen;        /* a pose was */
};

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
    struct pose_file *file = context;
    struct fit_part *part = file->part;
    file->seen = true;
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
    struct pose_file *file = context;
    struct fit_part *part = file->part;
    double *cells, rmsd;
    if (!read_tag(pose, BERTH_COLUMN_RMSD, &rmsd)) {
        return berth_fail(error, BERTH_E_FORMAT, "the pose has no tag rmsd");
    }
    BERTH_TRY(add_row(part, berth_copy_text(file->name), rmsd < BERTH_REDOCK_NEAR, &cells, error));
    for (size_t i = 0; i < part->column_count; i++) {
        read_tag(pose, part->columns[i], &cells[i]);
    }
    return BERTH_OK;
}

/* The poses of each complex and mode that FOLDER/redock.csv lists, or of each the first for its
 * columns. */
static enum berth_status read_redocking(const char *folder, bool columns,
                                        const struct berth_log *log, struct fit_part *part,
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
        struct pose_file poses = {part, complex, false};
        const struct berth_pose_visitor visitor = {.visit = columns ? take_columns : take_pose,
                                                   .context = &poses,
                                                   .log = log,
                                                   .enough = columns ? &poses.seen : NULL};
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

/* --- Ligands of a screen --- */

struct known {
    struct berth_named_ligands actives, decoys;
    size_t name, state_of, mode, score; /* columns */
    struct berth_named_ligands scores;  /* of the table: what it has as states, and twice */
};

/* The row of a ligand's first mode, if that has a score, and it is known what the ligand is. */
static enum berth_status take_ligand(const struct berth_fit_settings *settings,
                                     const struct berth_csv *csv, const struct known *known,
                                     struct fit_part *part, struct berth_error *error)
{
    double *cells, score, mode = 1;
    if ((known->mode != SIZE_MAX && berth_csv_real(csv, known->mode, &mode) && mode > 1) ||
        !berth_csv_real(csv, known->score, &score)) {
        return BERTH_OK;
    }
    char *name = berth_ligand_molecule(csv, known->name, known->state_of);
    if (name && settings->states) {
        berth_ligand_cut_states(name, &known->actives, &known->decoys);
    }
    const char *best = name ? berth_ligand_twin(&known->scores, name) : NULL;
    if (best != name) {
        free(name);
        name = berth_copy_text(best);
    }
    const bool active = name && berth_ligand_find(&known->actives, name);
    if (name && !active && settings->decoys && !berth_ligand_find(&known->decoys, name)) {
        free(name);
        return BERTH_OK;
    }
    BERTH_TRY(add_row(part, name, active, &cells, error));
    for (size_t i = 0; i < part->column_count; i++) {
        if (part->places[i] != SIZE_MAX) {
            berth_csv_real(csv, part->places[i], &cells[i]);
        }
    }
    return BERTH_OK;
}

static enum berth_status read_rows(const struct berth_fit_settings *settings, struct known *known,
                                   struct fit_part *part, struct berth_error *error)
{
    struct berth_csv *csv = NULL;
    char path[PATH_MAX];
    bool end = false;
    enum berth_status status = berth_scores_find(settings->results, path, error);
    BERTH_THEN(berth_csv_open(path, ',', &csv, error));
    for (size_t i = 0; !status && i < berth_csv_columns(csv); i++) {
        status = add_column(part, berth_csv_column(csv, i), i, error);
    }
    BERTH_THEN(add_parts(part, error));
    if (!status) {
        known->name = berth_scores_name_column(csv);
        known->state_of = berth_csv_find(csv, BERTH_COLUMN_STATE_OF);
        known->mode = berth_csv_find(csv, BERTH_COLUMN_MODE);
        known->score = berth_csv_find(csv, BERTH_COLUMN_SCORE);
        status = known->name == SIZE_MAX || known->score == SIZE_MAX
                     ? berth_fail(error, BERTH_E_FORMAT, "%s: no column %s", path,
                                  known->name == SIZE_MAX ? "ligand or name" : "score")
                     : BERTH_OK;
    }
    while (!status && !(status = berth_csv_next(csv, &end, error)) && !end) {
        status = take_ligand(settings, csv, known, part, error);
    }
    berth_csv_close(csv);
    return status;
}

static int compare_rows(const void *a, const void *b)
{
    const struct fit_row *one = a, *other = b;
    const int order = strcmp(one->name, other->name);
    return order ? order : (one->at > other->at) - (one->at < other->at);
}

static enum berth_status read_known(const struct berth_fit_settings *settings,
                                    const struct berth_log *log, struct known *known,
                                    struct berth_error *error)
{
    struct berth_rdkit rdkit;
    struct berth_error why;
    const bool molecules = berth_known_takes(settings->actives);
    const bool scaffolds = molecules && berth_rdkit_find(&rdkit, &why) == BERTH_OK;
    BERTH_TRY(
        berth_ligand_scores_read(settings->results, BERTH_COLUMN_SCORE, &known->scores, error));
    struct berth_known_setup setup = {settings->actives, scaffolds ? &rdkit : NULL, scaffolds, log};
    if (molecules && !scaffolds) {
        berth_warn(log, NULL, "folds are of single actives, not of scaffolds: %s", why.message);
    }
    BERTH_TRY(berth_known_read(&setup, &known->actives, error));
    BERTH_TRY(berth_ligands_join_states(&known->actives, &known->scores, error));
    setup = (struct berth_known_setup){settings->decoys, NULL, false, log};
    BERTH_TRY(setup.path ? berth_known_read(&setup, &known->decoys, error) : BERTH_OK);
    BERTH_TRY(berth_ligands_join_states(&known->decoys, &known->scores, error));
    /* Calls molecules that the table has under several names by the best one's. */
    if (settings->states) {
        berth_ligands_cut_states(&known->scores, &known->actives, &known->decoys);
    }
    BERTH_TRY(berth_ligands_find_twins(&known->scores, error));
    BERTH_TRY(berth_ligands_join_twins(&known->scores, &known->scores, error));
    BERTH_TRY(berth_ligands_join_twins(&known->actives, &known->scores, error));
    return berth_ligands_join_twins(&known->decoys, &known->scores, error);
}

/* --- Units: what stays together in folds --- */

static int compare_kept(const void *a, const void *b)
{
    const struct fit_row *const *one = a, *const *other = b;
    return strcmp((*one)->kept, (*other)->kept);
}

static enum berth_status number_units(struct fit_part *part, struct berth_error *error)
{
    struct fit_row **order;
    BERTH_TRY(berth_make(&part->active, part->count, sizeof *part->active, NULL, error));
    BERTH_TRY(berth_make(&order, part->count, sizeof *order, NULL, error));
    for (size_t i = 0; i < part->count; i++) {
        order[i] = &part->rows[i];
    }
    qsort(order, part->count, sizeof *order, compare_kept);
    for (size_t i = 0; i < part->count; i++) {
        part->unit_count += !i || compare_kept(&order[i - 1], &order[i]) != 0;
        order[i]->unit = part->unit_count - 1;
        part->active[order[i]->unit] = part->ligands && order[i]->positive;
    }
    free(order);
    return BERTH_OK;
}

/* The rows of one name become a list; actives of one scaffold stay together. */
static void gather_ligands(const struct known *known, struct fit_part *part)
{
    qsort(part->rows, part->count, sizeof *part->rows, compare_rows);
    for (size_t i = 0; i < part->count; i++) {
        struct fit_row *row = &part->rows[i];
        const struct berth_named_ligand *active =
            row->positive ? berth_ligand_find(&known->actives, row->name) : NULL;
        const bool first = !i || strcmp(row[-1].name, row->name) != 0;
        part->list_count += first;
        row->list = part->list_count - 1;
        if (active && active->scaffold) {
            row->kept = active->scaffold;
            part->scaffolds += first;
        }
    }
}

/* --- Terms and unfitted rankings --- */

/* Adds the expressions of a list with commas between, of which some stand in parentheses. */
static enum berth_status add_terms(const char *list, struct fit_part *part,
                                   struct berth_error *error)
{
    for (const char *begin = list, *end;; begin = end + 1) {
        end = begin + berth_text_expression(begin);
        if (part->term_count == BERTH_FIT_TERMS_MAX) {
            return berth_fail(error, BERTH_E_USAGE, "%s: more than %d terms", list,
                              BERTH_FIT_TERMS_MAX);
        }
        struct fit_term *term = &part->terms[part->term_count];
        BERTH_TRY(berth_make(&term->text, (size_t)(end - begin) + 1, 1, NULL, error));
        part->term_count++;
        memcpy(term->text, begin, (size_t)(end - begin));
        berth_text_trim_list(term->text);
        if (!*end) {
            return BERTH_OK;
        }
    }
}

/* What energies of ligands are divided by, so that size alone does not rank. */
static const char LIGAND_SIZE[] = " / (1 + 0.03*rotors) / heavy_atoms^0.25";

/* Each function and strain; of ligands for their torsions and size, as `screening` has them. */
static enum berth_status add_default_terms(struct fit_part *part, struct berth_error *error)
{
    char list[2048] = "";
    for (size_t i = 0; i < part->column_count; i++) {
        if (fit_is_function(part->columns[i])) {
            berth_text_append(list, sizeof list, "%s%s,", part->columns[i],
                              part->ligands ? LIGAND_SIZE : "");
        }
    }
    if (!*list) {
        return berth_fail_option(error, BERTH_E_USAGE,
                                 part->ligands ? "ligand_terms" : "pose_terms",
                                 "%s has one scoring function: name several in the run (scoring = "
                                 "vina,vinardo,plp,bude), or the terms to fit",
                                 part->source);
    }
    berth_text_append(list, sizeof list, "strain%s", part->ligands ? LIGAND_SIZE : "");
    return add_terms(list, part, error);
}

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

/* Works out an expression, which the option says, of all rows, into *values: of all ligands at
 * once, of the poses of each list by themselves. */
static enum berth_status work_out(const struct fit_part *part, const char *option, const char *text,
                                  double **values, struct berth_error *error)
{
    const size_t places[] = {find_column(part, BERTH_COLUMN_COORDINATION),
                             find_column(part, BERTH_COLUMN_DISPLACEMENT)};
    struct berth_ranking *ranking = NULL;
    const size_t *columns = NULL;
    size_t looked = 0;
    double *cells = NULL;
    enum berth_status status = berth_make(values, part->count, sizeof **values, NULL, error);
    BERTH_THEN(berth_ranking_create(option, text, (const char *const *)part->columns,
                                    part->column_count, &ranking, error));
    if (status) {
        error->option = option;
    } else {
        looked = berth_ranking_columns(ranking, &columns);
        status = berth_make(&cells, part->count * looked, sizeof *cells, NULL, error);
    }
    for (size_t i = 0; !status && i < part->count; i++) {
        const double *row = part->cells + part->rows[i].at * part->column_count;
        for (size_t k = 0; k < looked; k++) {
            cells[i * looked + k] =
                row[columns[k]] +
                (fit_is_function(part->columns[columns[k]]) ? beside(row, places) : 0);
        }
    }
    for (size_t begin = 0, end; !status && begin < part->count; begin = end) {
        end = part->ligands ? part->count : fit_list_end(part, begin);
        status = berth_ranking_values(ranking, cells + begin * looked, end - begin, *values + begin,
                                      error);
    }
    berth_ranking_destroy(ranking);
    free(cells);
    return status;
}

/* Adds a ranking by one thing alone, if the table has its columns. */
static enum berth_status add_alone(struct fit_part *part, const char *label, const char *text,
                                   struct berth_error *error)
{
    const size_t k = part->rankings;
    struct berth_error why;
    if (k == FIT_RANKINGS) {
        return BERTH_OK;
    }
    free(part->values[k]); /* of a ranking whose columns are not there */
    part->values[k] = NULL;
    const enum berth_status status = work_out(part, "against", text, &part->values[k], &why);
    if (!status) {
        snprintf(part->alone[k], FIT_LABEL, "%s", label);
        part->labels[part->rankings++] = part->alone[k];
    } else if (status == BERTH_E_MEMORY) {
        *error = why;
        return status;
    }
    return BERTH_OK;
}

/* The rankings by each built-in function alone, as it is and, of ligands, over their size, as the
 * terms; and by size. */
static enum berth_status work_out_alone(struct fit_part *part, struct berth_error *error)
{
    char label[FIT_LABEL], text[128];
    part->rankings = part->compared;
    for (size_t k = 0; k < part->column_count; k++) {
        if (fit_is_function(part->columns[k])) {
            BERTH_TRY(add_alone(part, part->columns[k], part->columns[k], error));
            snprintf(label, sizeof label, "%s%s", part->columns[k], FIT_OVER_SIZE);
            snprintf(text, sizeof text, "%s%s", part->columns[k], LIGAND_SIZE);
            BERTH_TRY(part->ligands ? add_alone(part, label, text, error) : BERTH_OK);
        }
    }
    const size_t size = part->rankings;
    BERTH_TRY(part->ligands ? add_alone(part, "heavy atoms", "-heavy_atoms", error) : BERTH_OK);
    part->size = part->rankings > size ? size : 0;
    return BERTH_OK;
}

/* The unfitted rankings; a row without a number comes last. */
static enum berth_status work_out_rankings(const struct berth_fit_settings *settings,
                                           struct fit_part *part, struct berth_error *error)
{
    struct berth_error why;
    part->before_name = settings->against ? settings->against
                        : part->ligands   ? "screening"
                                          : "consensus";
    BERTH_TRY(berth_ranking_find(part->before_name, &part->before, error));
    BERTH_TRY(work_out(part, "against", BERTH_COLUMN_SCORE, &part->values[FIT_SCORE], error));
    const enum berth_status status =
        work_out(part, "against", part->ligands ? part->before.ligands : part->before.poses,
                 &part->values[FIT_AGAINST], settings->against ? error : &why);
    if (status && (settings->against || status == BERTH_E_MEMORY)) {
        return status;
    }
    part->labels[FIT_FITTED] = "fitted";
    part->labels[FIT_SCORE] = BERTH_COLUMN_SCORE;
    part->labels[FIT_AGAINST] = part->before_name;
    part->compared = status ? FIT_AGAINST : FIT_AGAINST + 1;
    BERTH_TRY(work_out_alone(part, error));
    for (size_t k = FIT_SCORE; k < part->rankings; k++) {
        for (size_t i = 0; i < part->count; i++) {
            part->values[k][i] = isnan(part->values[k][i]) ? INFINITY : part->values[k][i];
        }
    }
    return BERTH_OK;
}

/* Puts a term's mean, over all ligands or over a list of poses, to 0, and its deviation to 1.  What
 * is no number becomes 0: it tells nothing. */
static void standardise(const struct fit_part *part, struct fit_term *term)
{
    double squares = 0, numbers = 0;
    for (size_t begin = 0, end; begin < part->count; begin = end) {
        double sum = 0, count = 0;
        end = part->ligands ? part->count : fit_list_end(part, begin);
        for (size_t i = begin; i < end; i++) {
            sum += isnan(term->x[i]) ? 0 : term->x[i];
            count += !isnan(term->x[i]);
        }
        for (size_t i = begin; i < end; i++) {
            term->x[i] = isnan(term->x[i]) ? 0 : term->x[i] - sum / count;
            squares += term->x[i] * term->x[i];
        }
        numbers += count;
    }
    term->scale = squares > 0 ? sqrt(squares / numbers) : 1;
    for (size_t i = 0; i < part->count; i++) {
        term->x[i] /= term->scale;
    }
}

/* --- All of it --- */

static enum berth_status read_redockings(const char *folders, const struct berth_log *log,
                                         struct fit_part *part, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (int columns = 1; !status && columns >= 0; columns--) {
        char *list = berth_copy_text(folders), *rest = list;
        status = list ? BERTH_OK : berth_out_of_memory(error, NULL);
        for (const char *folder; !status && (folder = strtok_r(rest, ",", &rest));) {
            status = read_redocking(folder, columns, log, part, error);
        }
        free(list);
    }
    return status;
}

enum berth_status fit_read(const struct berth_fit_settings *settings, bool ligands,
                           const struct berth_log *log, struct fit_part *part,
                           struct berth_error *error)
{
    struct known known = {0};
    const char *option = ligands ? "ligand_terms" : "pose_terms";
    const char *terms = ligands ? settings->ligand_terms : settings->pose_terms;
    *part = (struct fit_part){.ligands = ligands,
                              .source = ligands ? settings->results : settings->redock};
    enum berth_status status = ligands ? read_known(settings, log, &known, error)
                                       : read_redockings(settings->redock, log, part, error);
    if (ligands) {
        BERTH_THEN(read_rows(settings, &known, part, error));
    }
    if (ligands && part->count) {
        gather_ligands(&known, part);
        part->twins = known.scores.joined;
    }
    if (!status && find_column(part, BERTH_COLUMN_SCORE) == SIZE_MAX) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: no pose has a score", part->source);
    }
    BERTH_THEN(number_units(part, error));
    BERTH_THEN(terms ? add_terms(terms, part, error) : add_default_terms(part, error));
    for (size_t k = 0; !status && k < part->term_count; k++) {
        status = work_out(part, option, part->terms[k].text, &part->terms[k].x, error);
        if (!status) {
            standardise(part, &part->terms[k]);
        }
    }
    BERTH_THEN(work_out_rankings(settings, part, error));
    for (size_t i = 0; i < part->count; i++) {
        part->rows[i].kept = NULL; /* scaffolds go */
    }
    berth_named_ligands_clear(&known.actives);
    berth_named_ligands_clear(&known.decoys);
    berth_named_ligands_clear(&known.scores);
    return status;
}
