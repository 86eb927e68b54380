#include "dock/ranker.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* Reads an expression over the fields that rankings may look at, and behind them `more` columns
 * [count]; whose: "poses" or "ligands" where the ranking is a file's. */
static enum berth_status read_with(struct berth_ranker *ranker,
                                   const struct berth_term_names *terms, const char *whose,
                                   const char *text, const char *const *more, size_t count,
                                   struct berth_ranking **ranking, struct berth_error *error)
{
    const struct berth_score_columns run = {.terms = terms, .judges = &ranker->names};
    const char *names[BERTH_KNOWN_FIELDS + BERTH_BESIDE];
    ranker->field_count = berth_fields_list(&run, BERTH_IN_RANKING, ranker->fields);
    for (size_t i = 0; i < ranker->field_count + count; i++) {
        names[i] = i < ranker->field_count ? ranker->fields[i].name : more[i - ranker->field_count];
    }
    const enum berth_status status =
        berth_ranking_create(whose, text, names, ranker->field_count + count, ranking, error);
    if (status && error) {
        error->option = "rank";
        if (!ranker->names.learned_count) {
            berth_text_append(error->message, sizeof error->message, "%s",
                              "; what a model says is a column where rescore names the model");
        }
        if (!text[strcspn(text, " +-*/(,")]) { /* a word alone may be a name misspelt */
            char ships[100];
            berth_ranking_names(ships, sizeof ships);
            berth_text_append(error->message, sizeof error->message, "; rankings that ship are %s",
                              ships);
        }
    }
    return status;
}

static enum berth_status read_one(struct berth_ranker *ranker, const struct berth_term_names *terms,
                                  const char *whose, const char *text,
                                  struct berth_ranking **ranking, struct berth_error *error)
{
    return read_with(ranker, terms, whose, text, NULL, 0, ranking, error);
}

/* Reads the confidence, which is of one row: none that others are to be looked at for. */
static enum berth_status read_confidence(struct berth_ranker *ranker,
                                         const struct berth_term_names *terms, const char *whose,
                                         struct berth_error *error)
{
    static const char GAP[] = "gap_";
    char gaps[BERTH_FUNCTIONS_MAX][BERTH_TERM_NAME_SIZE + sizeof GAP];
    const char *names[BERTH_BESIDE] = {[BERTH_BESIDE_RANKING] = "pose_ranking",
                                       [BERTH_BESIDE_GAP] = "gap",
                                       [BERTH_BESIDE_AGREE] = "agree"};
    for (size_t k = 0; k < ranker->names.count; k++) {
        snprintf(gaps[k], sizeof gaps[k], "%s%s", GAP, ranker->names.names[k]);
        names[BERTH_BESIDE_GAPS + k] = gaps[k];
    }
    BERTH_TRY(read_with(ranker, terms, whose, ranker->texts.confidence, names,
                        BERTH_BESIDE_GAPS + ranker->names.count, &ranker->confidence, error));
    ranker->names.confident = true;
    return berth_ranking_is_plain(ranker->confidence)
               ? BERTH_OK
               : berth_fail_option(error, BERTH_E_USAGE, "rank",
                                   "%s: z and rank compare rows, and this is of one, the first "
                                   "pose: take gap, or gap_ and a function's name",
                                   whose);
}

/* Names the columns of the model's outputs. */
static enum berth_status name_learned(struct berth_ranker *ranker,
                                      const struct berth_term_names *terms,
                                      const struct berth_model *model, struct berth_error *error)
{
    struct berth_judges *names = &ranker->names;
    const struct berth_score_columns run = {.terms = terms, .judges = names};
    struct berth_known_field fields[BERTH_KNOWN_FIELDS];
    for (size_t i = 0; i < model->output_count; i++) {
        const char *name = model->outputs[i].column;
        bool taken = berth_is_column(name, strlen(name)) || strcmp(name, names->names[0]) == 0 ||
                     strlen(name) >= BERTH_TERM_NAME_SIZE;
        const size_t count = berth_fields_list(&run, BERTH_IN_SCORES, fields);
        for (size_t k = 0; !taken && k < count; k++) {
            taken = strcmp(fields[k].name, name) == 0;
        }
        if (taken) {
            return berth_fail_option(error, BERTH_E_USAGE, "rescore",
                                     "the model's output %s cannot be a column: another one has "
                                     "this name, or it is longer than %d letters; name it "
                                     "otherwise in the model",
                                     name, BERTH_TERM_NAME_SIZE - 1);
        }
        strcpy(names->learned[names->learned_count++], name);
    }
    return BERTH_OK;
}

enum berth_status berth_ranker_create(const struct berth_typed_receptor *receptor,
                                      const char *ranking, const struct berth_model *model,
                                      struct berth_ranker *ranker, struct berth_error *error)
{
    const struct berth_term_names *terms = &receptor->scoring.terms;
    struct berth_ranking_texts *texts = &ranker->texts;
    char poses[300] = "rank", ligands[300] = "rank", confidence[300];
    *ranker = (struct berth_ranker){.names = receptor->functions};
    ranker->functions[0] = &receptor->scoring;
    for (size_t k = 0; k < receptor->judge_count; k++) {
        ranker->functions[k + 1] = &receptor->judges[k].scoring;
    }
    if (model) {
        BERTH_TRY(name_learned(ranker, terms, model, error));
    }
    if (!ranking) {
        return BERTH_OK;
    }
    ranker->names.ranked = BERTH_POSES_RANKED;
    BERTH_TRY(berth_ranking_find(ranking, texts, error));
    if (strcmp(texts->poses, ranking) != 0) {
        snprintf(poses, sizeof poses, "rank %.200s: poses", ranking);
        snprintf(ligands, sizeof ligands, "rank %.200s: ligands", ranking);
    }
    BERTH_TRY(read_one(ranker, terms, poses, texts->poses, &ranker->poses, error));
    BERTH_TRY(read_one(ranker, terms, ligands, texts->ligands, &ranker->ligands, error));
    if (berth_ranking_is_plain(ranker->ligands)) {
        ranker->names.ranked = BERTH_BOTH_RANKED;
    }
    snprintf(confidence, sizeof confidence, "rank %.200s: confidence", ranking);
    return texts->confidence ? read_confidence(ranker, terms, confidence, error) : BERTH_OK;
}

enum berth_status berth_ranker_recall(const struct berth_judges *functions,
                                      const struct berth_term_names *terms, const char *poses,
                                      const char *ligands, struct berth_ranker *ranker,
                                      struct berth_error *error)
{
    *ranker = (struct berth_ranker){.names = *functions};
    if (poses) {
        BERTH_TRY(read_one(ranker, terms, "rank", poses, &ranker->poses, error));
    }
    return ligands ? read_one(ranker, terms, "rank", ligands, &ranker->ligands, error) : BERTH_OK;
}

bool berth_ranker_learns(const struct berth_ranker *ranker, const struct berth_ranking *ranking)
{
    const size_t *columns;
    const size_t count = ranking ? berth_ranking_columns(ranking, &columns) : 0;
    bool learns = false;
    for (size_t i = 0; i < count; i++) {
        learns = learns || (columns[i] < ranker->field_count &&
                            berth_field_is_learned(&ranker->fields[columns[i]]));
    }
    return learns;
}

struct berth_pose berth_ranker_pose(const struct berth_pose *pose)
{
    struct berth_pose looked_at = *pose;
    for (size_t k = 0; k < BERTH_FUNCTIONS_MAX; k++) {
        looked_at.scores[k] = isnan(pose->scores[k]) ? 0 : pose->scores[k];
    }
    for (size_t k = 0; k < BERTH_LEARNED_MAX; k++) {
        looked_at.learned[k] = isnan(pose->learned[k]) ? 0 : pose->learned[k];
    }
    return looked_at;
}

/* beside: what stands behind the fields. */
static size_t list_cells(const struct berth_ranker *ranker, const struct berth_ranking *ranking,
                         const struct berth_score_row *row, const double *beside, double *cells)
{
    const size_t *columns;
    const size_t count = berth_ranking_columns(ranking, &columns);
    for (size_t i = 0; i < count; i++) {
        cells[i] = columns[i] < ranker->field_count
                       ? berth_field_cell(&ranker->fields[columns[i]], row)
                       : beside[columns[i] - ranker->field_count];
    }
    return count;
}

size_t berth_ranker_cells(const struct berth_ranker *ranker, const struct berth_ranking *ranking,
                          const struct berth_score_row *row, double *cells)
{
    static const double NONE[BERTH_BESIDE] = {0}; /* rankings look at fields alone */
    return list_cells(ranker, ranking, row, NONE, cells);
}

enum berth_status berth_ranker_confidence(const struct berth_ranker *ranker,
                                          const struct berth_score_row *row,
                                          const double beside[BERTH_BESIDE], double *confidence,
                                          struct berth_error *error)
{
    double cells[BERTH_KNOWN_FIELDS + BERTH_BESIDE];
    list_cells(ranker, ranker->confidence, row, beside, cells);
    BERTH_TRY(berth_ranking_values(ranker->confidence, cells, 1, confidence, error));
    if (!isnan(*confidence)) {
        *confidence = fmin(fmax(*confidence, 0), 1);
    }
    return BERTH_OK;
}

void berth_ranker_clear(struct berth_ranker *ranker)
{
    berth_ranking_destroy(ranker->poses);
    berth_ranking_destroy(ranker->ligands);
    berth_ranking_destroy(ranker->confidence);
    berth_ranking_texts_clear(&ranker->texts);
    memset(ranker, 0, sizeof *ranker);
}
