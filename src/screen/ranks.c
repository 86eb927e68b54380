#include "screen/ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* --- Adding --- */

/* True where a model has judged the modes. */
static bool is_judged(const struct berth_ranks *ranks, const struct berth_modes *modes)
{
    return ranks->ranker->names.learned_count && !isnan(modes->modes[0].learned[0]);
}

/* Brings the modes into the order of the ranking. */
static enum berth_status order(const struct berth_ranks *ranks, struct berth_result *result,
                               struct berth_error *error)
{
    const struct berth_ranker *ranker = ranks->ranker;
    const bool learned =
        is_judged(ranks, &result->modes) && berth_ranker_learns(ranker, ranker->poses);
    return ranker->poses && (ranks->again || learned)
               ? berth_modes_rank(&result->modes, ranker, result, error)
               : BERTH_OK;
}

/* Appends what the ranking looks at of the best mode. */
static enum berth_status add_cells(const struct berth_ranker *ranker,
                                   const struct berth_result *result, const struct berth_pose *best,
                                   struct berth_ranked_cells *cells, struct berth_error *error)
{
    const struct berth_score_columns run = {.judges = &ranker->names};
    const struct berth_score_row row = {.pose = best,
                                        .run = &run,
                                        .heavy_atoms = result->heavy_count,
                                        .conformers = result->conformer_count};
    double more[BERTH_KNOWN_FIELDS];
    const size_t columns = berth_ranker_cells(ranker, ranker->ligands, &row, more);
    BERTH_TRY(berth_reserve(&cells->cells, &cells->capacity, cells->count + columns,
                            sizeof *cells->cells, error));
    memcpy(cells->cells + cells->count, more, columns * sizeof *more);
    cells->count += columns;
    return BERTH_OK;
}

/* With 0 for what a model says. */
static enum berth_status add_plain(struct berth_ranks *ranks, const struct berth_result *result,
                                   struct berth_error *error)
{
    struct berth_pose best = result->modes.modes[0];
    memset(best.learned, 0, sizeof best.learned);
    return add_cells(ranks->ranker, result, &best, &ranks->plain, error);
}

static enum berth_status add_judged(struct berth_ranks *ranks, const struct berth_result *result,
                                    struct berth_error *error)
{
    BERTH_TRY(berth_reserve(&ranks->judged, &ranks->judged_capacity, ranks->judged_count + 1,
                            sizeof *ranks->judged, error));
    ranks->judged[ranks->judged_count++] = result->ordinal;
    return ranks->ranker->ligands
               ? add_cells(ranks->ranker, result, &result->modes.modes[0], &ranks->informed, error)
               : BERTH_OK;
}

enum berth_status berth_ranks_add(struct berth_ranks *ranks, struct berth_result *result,
                                  struct berth_error *error)
{
    const bool judged = is_judged(ranks, &result->modes);
    if (ranks->again) {
        BERTH_TRY(order(ranks, result, error));
    }
    BERTH_TRY(berth_reserve(&ranks->ligands, &ranks->capacity, ranks->count + 1,
                            sizeof *ranks->ligands, error));
    ranks->ligands[ranks->count++] = (struct berth_ranked_ligand){
        .ordinal = result->ordinal, .value = result->modes.modes[0].value};
    if (ranks->ranker->ligands) {
        BERTH_TRY(add_plain(ranks, result, error));
    }
    if (judged) {
        BERTH_TRY(order(ranks, result, error));
        BERTH_TRY(add_judged(ranks, result, error));
    }
    return BERTH_OK;
}

/* --- Ranking --- */

static int by_ordinal(const void *left, const void *right)
{
    const struct berth_ranked_ligand *a = left, *b = right;
    return a->ordinal < b->ordinal ? -1 : a->ordinal > b->ordinal;
}

static int by_value(const void *left, const void *right)
{
    const struct berth_ranked_ligand *a = left, *b = right;
    if (isnan(a->value) != isnan(b->value)) {
        return isnan(a->value) ? 1 : -1;
    }
    if (a->value != b->value && !isnan(a->value)) {
        return a->value < b->value ? -1 : 1;
    }
    return by_ordinal(left, right);
}

/* The values of the ranking take the place of the scores. */
static enum berth_status apply_ranking(struct berth_ranks *ranks, struct berth_error *error)
{
    enum berth_status status =
        berth_make(&ranks->values, ranks->count, sizeof *ranks->values, NULL, error);
    BERTH_THEN(berth_ranking_values(ranks->ranker->ligands, ranks->plain.cells, ranks->count,
                                    ranks->values, error));
    for (size_t i = 0; !status && i < ranks->count; i++) {
        ranks->ligands[i].value = ranks->values[i];
    }
    free(ranks->plain.cells);
    ranks->plain.cells = NULL;
    return status;
}

static int compare_ordinals(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* Number of a ligand among those that are judged; their count: it is not. */
static size_t find_judged(const struct berth_ranks *ranks, uint64_t ordinal)
{
    const uint64_t *found = ranks->judged_count
                                ? bsearch(&ordinal, ranks->judged, ranks->judged_count,
                                          sizeof ordinal, compare_ordinals)
                                : NULL;
    return found ? (size_t)(found - ranks->judged) : ranks->judged_count;
}

/* A ligand that counts as judged. */
struct chosen {
    size_t order;  /* its place before */
    size_t number; /* among those that are judged */
    double value;
};

static int by_chosen_value(const void *left, const void *right)
{
    const struct chosen *a = left, *b = right;
    if (isnan(a->value) != isnan(b->value)) {
        return isnan(a->value) ? 1 : -1;
    }
    if (a->value != b->value && !isnan(a->value)) {
        return a->value < b->value ? -1 : 1;
    }
    return a->order < b->order ? -1 : 1;
}

/* Works out what the ranking makes of the chosen ones with what the model says. */
static enum berth_status judge_chosen(const struct berth_ranks *ranks, struct chosen *chosen,
                                      size_t count, struct berth_error *error)
{
    const size_t *ignored;
    const struct berth_ranking *ranking = ranks->ranker->ligands;
    const size_t columns = berth_ranking_columns(ranking, &ignored);
    double *cells, *values = NULL;
    enum berth_status status = berth_make(&cells, count * columns, sizeof *cells, NULL, error);
    BERTH_THEN(berth_make(&values, count, sizeof *values, NULL, error));
    for (size_t i = 0; !status && i < count; i++) {
        memcpy(cells + i * columns, ranks->informed.cells + chosen[i].number * columns,
               columns * sizeof *cells);
    }
    BERTH_THEN(berth_ranking_values(ranking, cells, count, values, error));
    for (size_t i = 0; !status && i < count; i++) {
        chosen[i].value = values[i];
    }
    free(cells);
    free(values);
    if (!status) {
        qsort(chosen, count, sizeof *chosen, by_chosen_value);
    }
    return status;
}

/* Puts the chosen ligands before the others, which keep their order, and have no value then. */
static void put_first(struct berth_ranks *ranks, const struct chosen *chosen, size_t count)
{
    struct berth_ranked_ligand *all = ranks->ligands;
    for (size_t i = 0; i < ranks->count; i++) {
        all[i].rank = 0;
    }
    for (size_t i = 0; i < count; i++) {
        all[chosen[i].order].rank = i + 1;
    }
    for (size_t i = 0, next = count + 1; i < ranks->count; i++) {
        all[i].rank = all[i].rank ? all[i].rank : next++;
    }
    qsort(all, ranks->count, sizeof *all, by_ordinal);
    for (size_t i = 0; i < ranks->count; i++) {
        ranks->values[i] = all[i].rank <= count ? chosen[all[i].rank - 1].value : NAN;
    }
    ranks->last = count;
}

/* Finds the ligands that count as judged by the model, and ranks them by that, where the ranking of
 * ligands looks at it, or at poses that were chosen by it.  The ligands are in the order of what it
 * makes of them without. */
static enum berth_status rank_judged(struct berth_ranks *ranks, struct berth_error *error)
{
    const struct berth_ranker *ranker = ranks->ranker;
    struct chosen *chosen;
    size_t count = 0;
    enum berth_status status =
        berth_make(&chosen, ranks->judged_count, sizeof *chosen, NULL, error);
    for (size_t i = 0; !status && i < ranks->count && count < ranks->judged_top; i++) {
        const size_t number = find_judged(ranks, ranks->ligands[i].ordinal);
        if (number < ranks->judged_count) {
            chosen[count++] = (struct chosen){.order = i, .number = number};
        }
    }
    ranks->last = count ? chosen[count - 1].order + 1 : 0;
    if (!status && (berth_ranker_learns(ranker, ranker->ligands) ||
                    berth_ranker_learns(ranker, ranker->poses))) {
        status = judge_chosen(ranks, chosen, count, error);
        if (!status) {
            put_first(ranks, chosen, count);
        }
    }
    free(chosen);
    return status;
}

enum berth_status berth_ranks_close(struct berth_ranks *ranks, struct berth_error *error)
{
    if (!ranks->count) {
        return BERTH_OK;
    }
    if (ranks->ranker->ligands) {
        BERTH_TRY(apply_ranking(ranks, error));
    }
    qsort(ranks->ligands, ranks->count, sizeof *ranks->ligands, by_value);
    for (size_t i = 0; i < ranks->count; i++) {
        ranks->ligands[i].rank = i + 1;
    }
    BERTH_TRY(ranks->judged_count ? rank_judged(ranks, error) : BERTH_OK);
    qsort(ranks->ligands, ranks->count, sizeof *ranks->ligands, by_ordinal);
    return BERTH_OK;
}

enum berth_status berth_ranks_settle(const struct berth_ranks *ranks, size_t place,
                                     struct berth_result *result, struct berth_error *error)
{
    struct berth_modes *modes = &result->modes;
    for (size_t i = 0; ranks->ligands[place].rank > ranks->last && i < modes->count; i++) {
        berth_pose_unlearn(&modes->modes[i]);
    }
    return order(ranks, result, error);
}

uint64_t berth_ranks_find(const struct berth_ranks *ranks, uint64_t ordinal)
{
    const struct berth_ranked_ligand wanted = {.ordinal = ordinal};
    const struct berth_ranked_ligand *found =
        ranks->count ? bsearch(&wanted, ranks->ligands, ranks->count, sizeof wanted, by_ordinal)
                     : NULL;
    return found ? found->rank : 0;
}

void berth_ranks_clear(struct berth_ranks *ranks)
{
    free(ranks->ligands);
    free(ranks->values);
    free(ranks->plain.cells);
    free(ranks->informed.cells);
    free(ranks->judged);
    memset(ranks, 0, sizeof *ranks);
}
