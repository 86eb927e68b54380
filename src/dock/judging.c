#include "dock/judging.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dock/modes.h"

/* What rankings may look at. */
static size_t list_columns(struct berth_judging *judging, const struct berth_term_names *terms,
                           const char *names[BERTH_SCORE_FIELDS])
{
    const struct berth_score_columns columns = {terms, NULL, &judging->names};
    size_t count = 0;
    for (size_t field = 0; field < BERTH_SCORE_FIELDS; field++) {
        const char *name = berth_score_rankable(field, &columns);
        if (name) {
            judging->fields[count] = field;
            names[count++] = name;
        }
    }
    return count;
}

/* Reads an expression; whose: "poses" or "ligands" where the ranking is a file's. */
static enum berth_status read_one(struct berth_judging *judging,
                                  const struct berth_term_names *terms, const char *whose,
                                  const char *text, struct berth_ranking **ranking,
                                  struct berth_error *error)
{
    const char *names[BERTH_SCORE_FIELDS];
    const size_t count = list_columns(judging, terms, names);
    const enum berth_status status =
        berth_ranking_create(whose, text, names, count, ranking, error);
    if (status && error) {
        error->option = "rank";
    }
    return status;
}

enum berth_status berth_judging_create(const struct berth_typed_receptor *receptor,
                                       const char *ranking, struct berth_judging *judging,
                                       struct berth_error *error)
{
    const struct berth_term_names *terms = &receptor->scoring.terms;
    struct berth_ranking_texts *texts = &judging->texts;
    char poses[300] = "rank", ligands[300] = "rank";
    *judging = (struct berth_judging){.names = receptor->functions};
    judging->functions[0] = &receptor->scoring;
    for (size_t k = 0; k < receptor->judge_count; k++) {
        judging->functions[k + 1] = &receptor->judges[k].scoring;
    }
    if (!ranking) {
        return BERTH_OK;
    }
    judging->names.ranked = BERTH_POSES_RANKED;
    BERTH_TRY(berth_ranking_find(ranking, texts, error));
    if (strcmp(texts->poses, ranking) != 0) {
        snprintf(poses, sizeof poses, "rank %.200s: poses", ranking);
        snprintf(ligands, sizeof ligands, "rank %.200s: ligands", ranking);
    }
    BERTH_TRY(read_one(judging, terms, poses, texts->poses, &judging->poses, error));
    return read_one(judging, terms, ligands, texts->ligands, &judging->ligands, error);
}

enum berth_status berth_judging_recall(const struct berth_judges *functions,
                                       const struct berth_term_names *terms, const char *ligands,
                                       struct berth_judging *judging, struct berth_error *error)
{
    *judging = (struct berth_judging){.names = *functions};
    return ligands ? read_one(judging, terms, "rank", ligands, &judging->ligands, error) : BERTH_OK;
}

size_t berth_judging_cells(const struct berth_judging *judging, const struct berth_ranking *ranking,
                           const struct berth_score_row *row, double *cells)
{
    const size_t *columns;
    const size_t count = berth_ranking_columns(ranking, &columns);
    for (size_t i = 0; i < count; i++) {
        cells[i] = berth_score_cell(judging->fields[columns[i]], row);
    }
    return count;
}

double berth_judging_plain(const struct berth_judging *judging, const struct berth_result *result)
{
    double cells[BERTH_SCORE_FIELDS], value = NAN;
    struct berth_error ignored;
    if (!judging->ligands || !berth_ranking_is_plain(judging->ligands) || !result->modes.count) {
        return NAN;
    }
    const struct berth_score_row row = {.pose = &result->modes.modes[0],
                                        .heavy_atoms = result->heavy_count,
                                        .conformers = result->conformer_count};
    berth_judging_cells(judging, judging->ligands, &row, cells);
    return berth_ranking_values(judging->ligands, cells, 1, &value, &ignored) ? NAN : value;
}

void berth_judging_clear(struct berth_judging *judging)
{
    berth_ranking_destroy(judging->poses);
    berth_ranking_destroy(judging->ligands);
    berth_ranking_texts_clear(&judging->texts);
    memset(judging, 0, sizeof *judging);
}
