#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "eval/screen/evaluation_internal.h"

/* --- Labels of rankings --- */

/* Cuts the label out of a path: the table's name without its ending, or, where that says nothing,
 * the name of its folder. */
static void label_of(const char *path, char *label)
{
    char copy[PATH_MAX];
    snprintf(copy, sizeof copy, "%s", path);
    char *slash = strrchr(copy, '/');
    char *name = slash ? slash + 1 : copy;
    char *dot = strstr(name, ".csv");
    if (dot && dot > name) {
        *dot = '\0';
    }
    if (slash && strcmp(name, "scores") == 0) {
        *slash = '\0';
        slash = strrchr(copy, '/');
        name = slash ? slash + 1 : copy;
    }
    snprintf(label, EVALUATION_LABEL, "%.*s", EVALUATION_LABEL - 1, *name ? name : path);
}

/* By another ranking, or by those that are not of results. */
static bool is_taken(const struct evaluation *evaluation, const char *label)
{
    bool taken =
        berth_text_lists("mean rank,heavy atoms,fewest heavy atoms,mass,least mass", ',', label);
    for (size_t i = 0; i < evaluation->ranking_count; i++) {
        taken = taken || strcmp(evaluation->rankings[i].label, label) == 0;
    }
    return taken;
}

/* --- Rankings: by each of the results, by their mean rank, and by what needs no docking --- */

/* Adds a ranking, whose scores the caller sets. */
static enum berth_status add_ranking(struct evaluation *evaluation, const char *label,
                                     struct ranking **added, struct berth_error *error)
{
    struct ranking *ranking = *added = &evaluation->rankings[evaluation->ranking_count++];
    snprintf(ranking->label, sizeof ranking->label, "%s", label);
    BERTH_TRY(berth_make(&ranking->ranks, evaluation->count, sizeof *ranking->ranks, NULL, error));
    return berth_make(&ranking->scores, evaluation->count, sizeof *ranking->scores, NULL, error);
}

static enum berth_status rank_results(struct evaluation *evaluation, size_t result,
                                      struct berth_error *error)
{
    const struct berth_named_ligands *results = &evaluation->results[result];
    char label[EVALUATION_LABEL];
    /* A label that no ranking has. */
    if (evaluation->columns[result]) {
        snprintf(label, EVALUATION_LABEL, "%s", evaluation->columns[result]);
    } else {
        label_of(evaluation->results[result].path, label);
    }
    const size_t length = strlen(label);
    const size_t kept = length < EVALUATION_LABEL - 8 ? length : EVALUATION_LABEL - 8;
    for (int number = 2; is_taken(evaluation, label); number++) {
        snprintf(label + kept, EVALUATION_LABEL - kept, " %d", number);
    }
    struct ranking *ranking;
    BERTH_TRY(add_ranking(evaluation, label, &ranking, error));
    for (size_t i = 0; i < evaluation->count; i++) {
        ranking->scores[i] = berth_ligand_find(results, evaluation->ligands[i].name)->score;
    }
    return berth_ranks(ranking->scores, evaluation->count, ranking->ranks, error);
}

/* By the mean of the ranks by each of the results. */
static enum berth_status rank_mean(struct evaluation *evaluation, struct berth_error *error)
{
    struct ranking *ranking;
    BERTH_TRY(add_ranking(evaluation, "mean rank", &ranking, error));
    for (size_t i = 0; i < evaluation->count; i++) {
        for (size_t k = 0; k < evaluation->result_count; k++) {
            ranking->scores[i] += evaluation->rankings[k].ranks[i];
        }
        ranking->scores[i] /= (double)evaluation->result_count;
    }
    return berth_ranks(ranking->scores, evaluation->count, ranking->ranks, error);
}

/* By size; none where the size of a ligand is not known. */
static enum berth_status rank_size(struct evaluation *evaluation, bool mass,
                                   struct berth_error *error)
{
    static const char *const LABELS[2][2] = {{"heavy atoms", "fewest heavy atoms"},
                                             {"mass", "least mass"}};
    struct ranking *ranking;
    bool smallest;
    BERTH_TRY(add_ranking(evaluation, "", &ranking, error));
    for (size_t i = 0; i < evaluation->count; i++) {
        const struct evaluated *ligand = &evaluation->ligands[i];
        ranking->scores[i] = mass ? ligand->mass : ligand->heavy_atoms;
        if (isnan(ranking->scores[i])) {
            free(ranking->scores);
            free(ranking->ranks);
            evaluation->ranking_count--;
            return BERTH_OK;
        }
    }
    BERTH_TRY(berth_rank_by_size(evaluation->active, ranking->scores, evaluation->count,
                                 ranking->scores, &smallest, error));
    snprintf(ranking->label, sizeof ranking->label, "%s", LABELS[mass][smallest]);
    return berth_ranks(ranking->scores, evaluation->count, ranking->ranks, error);
}

/* --- Actives by rank --- */

static int by_rank(const void *a, const void *b)
{
    const struct placed *one = a, *other = b;
    return one->rank != other->rank ? (one->rank < other->rank ? -1 : 1)
                                    : (one->ligand < other->ligand ? -1 : 1); /* that is, by name */
}

/* Sorts the actives by their rank. */
static enum berth_status sort_actives(const struct evaluation *evaluation, struct ranking *ranking,
                                      struct berth_error *error)
{
    size_t count = 0;
    BERTH_TRY(berth_make(&ranking->actives, evaluation->active_count, sizeof *ranking->actives,
                         NULL, error));
    for (size_t i = 0; i < evaluation->count; i++) {
        if (evaluation->active[i]) {
            ranking->actives[count++] = (struct placed){ranking->ranks[i], i};
        }
    }
    qsort(ranking->actives, count, sizeof *ranking->actives, by_rank);
    return BERTH_OK;
}

/* --- Scaffolds: a screen that finds many of one series finds one idea --- */

/* As far as it is known: from the actives' molecules, else from those of all ligands. */
static const char *smiles_of(const struct evaluation *evaluation, const char *name)
{
    const struct berth_named_ligand *known = berth_ligand_find(&evaluation->actives, name);
    if (!known || !known->scaffold) {
        known = berth_ligand_find(&evaluation->molecules, name);
    }
    return known ? known->scaffold : NULL;
}

static int by_smiles(const void *a, const void *b)
{
    return strcmp(((const struct scaffold *)a)->smiles, ((const struct scaffold *)b)->smiles);
}

/* Numbers the scaffolds of the actives.  Errors: BERTH_E_MEMORY. */
static enum berth_status find_scaffolds(struct evaluation *evaluation, struct berth_error *error)
{
    struct scaffold *scaffolds;
    size_t found = 0, count = 0;
    BERTH_TRY(berth_make(&scaffolds, evaluation->active_count, sizeof *scaffolds, NULL, error));
    for (size_t i = 0; i < evaluation->count; i++) {
        const char *smiles =
            evaluation->active[i] ? smiles_of(evaluation, evaluation->ligands[i].name) : NULL;
        if (smiles) {
            scaffolds[found++] = (struct scaffold){smiles, 1};
        }
    }
    qsort(scaffolds, found, sizeof *scaffolds, by_smiles);
    for (size_t i = 0; i < found; i++) {
        if (count && by_smiles(&scaffolds[count - 1], &scaffolds[i]) == 0) {
            scaffolds[count - 1].actives++;
        } else {
            scaffolds[count++] = scaffolds[i];
        }
    }
    evaluation->scaffolds = scaffolds;
    evaluation->scaffold_count = count;
    evaluation->unscaffolded = evaluation->active_count - found;
    for (size_t i = 0; i < evaluation->count; i++) {
        const struct scaffold key = {
            evaluation->active[i] ? smiles_of(evaluation, evaluation->ligands[i].name) : NULL, 0};
        if (key.smiles) {
            const struct scaffold *at =
                bsearch(&key, scaffolds, count, sizeof *scaffolds, by_smiles);
            evaluation->ligands[i].scaffold = (size_t)(at - scaffolds);
        }
    }
    return BERTH_OK;
}

/* Finds the best active of each scaffold. */
static enum berth_status place_scaffolds(const struct evaluation *evaluation,
                                         struct ranking *ranking, struct berth_error *error)
{
    BERTH_TRY(berth_make(&ranking->places, evaluation->scaffold_count, sizeof *ranking->places,
                         NULL, error));
    for (size_t i = evaluation->active_count; i-- > 0;) { /* the best one comes last */
        const struct placed *active = &ranking->actives[i];
        const size_t scaffold = evaluation->ligands[active->ligand].scaffold;
        if (scaffold != SIZE_MAX) {
            ranking->places[scaffold] = *active;
        }
    }
    return BERTH_OK;
}

static enum berth_status find_scaffold_area(const struct evaluation *evaluation,
                                            struct ranking *ranking, struct berth_error *error)
{
    double *weights = NULL, *scores = NULL;
    size_t count = 0;
    enum berth_status status =
        berth_make(&weights, evaluation->count, sizeof *weights, NULL, error);
    BERTH_THEN(berth_make(&scores, evaluation->count, sizeof *scores, NULL, error));
    for (size_t i = 0; !status && i < evaluation->count; i++) {
        const size_t scaffold = evaluation->ligands[i].scaffold;
        if (!evaluation->active[i] || scaffold != SIZE_MAX) { /* not an active without one */
            weights[count] =
                evaluation->active[i] ? 1 / (double)evaluation->scaffolds[scaffold].actives : 0;
            scores[count++] = ranking->scores[i];
        }
    }
    BERTH_THEN(berth_weighted_roc_area(weights, scores, count, &ranking->scaffold_area, error));
    free(weights);
    free(scores);
    return status;
}

/* What each ranking says of the actives. */
static enum berth_status place_actives(struct evaluation *evaluation, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < evaluation->ranking_count; i++) {
        struct ranking *ranking = &evaluation->rankings[i];
        status = sort_actives(evaluation, ranking, error);
        BERTH_THEN(place_scaffolds(evaluation, ranking, error));
        if (evaluation->scaffold_count) {
            BERTH_THEN(find_scaffold_area(evaluation, ranking, error));
        }
    }
    return status;
}

/* --- Inputs --- */

/* Calls ligands by the molecules whose states they are, as any of the results has it. */
static enum berth_status join_states(const struct evaluation *evaluation,
                                     struct berth_named_ligands *ligands, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < evaluation->result_count; i++) {
        status = berth_ligands_join_states(ligands, &evaluation->results[i], error);
    }
    return status;
}

/* Reads one more of the results.  by: what ranks, freed with the evaluation, which labels it; NULL:
 * what the settings or its table say. */
static enum berth_status read_result(struct evaluation *evaluation, const char *path, char *by,
                                     struct berth_error *error)
{
    const size_t next = evaluation->result_count;
    if (next == BERTH_COMPARED_MAX) {
        free(by);
        return berth_fail_option(error, BERTH_E_USAGE, "compare",
                                 "compare: at most %d results in all", BERTH_COMPARED_MAX);
    }
    evaluation->columns[next] = by;
    evaluation->result_count++;
    return berth_ligand_scores_read(path, by ? by : evaluation->settings.column,
                                    &evaluation->results[next], error);
}

/* Reads the results and those of --compare. */
static enum berth_status read_compared(struct evaluation *evaluation, struct berth_error *error)
{
    const struct berth_evaluation_settings *settings = &evaluation->settings;
    char *list = berth_copy_text(settings->compare ? settings->compare : "");
    char *rest = list;
    enum berth_status status = list ? BERTH_OK : berth_out_of_memory(error, NULL);
    for (const char *path = settings->results; !status && path; path = strtok_r(NULL, ",", &rest)) {
        status = read_result(evaluation, path, NULL, error);
    }
    free(list);
    return status;
}

/* Reads the results once for each of several columns. */
static enum berth_status read_columns(struct evaluation *evaluation, struct berth_error *error)
{
    const struct berth_evaluation_settings *settings = &evaluation->settings;
    enum berth_status status = BERTH_OK;
    if (settings->compare) {
        return berth_fail_option(error, BERTH_E_USAGE, "column",
                                 "column: several columns are compared, or the results of the "
                                 "option compare, not both");
    }
    for (const char *begin = settings->column, *end = begin; !status && *end; begin = end + 1) {
        end = begin + berth_text_expression(begin);
        char *text;
        status = berth_make(&text, (size_t)(end - begin) + 1, 1, NULL, error);
        if (!status) {
            memcpy(text, begin, (size_t)(end - begin));
            berth_text_trim_list(text);
            status = read_result(evaluation, settings->results, text, error);
        }
    }
    return status;
}

static enum berth_status read_results(struct evaluation *evaluation, struct berth_error *error)
{
    const char *column = evaluation->settings.column;
    enum berth_status status = column && column[berth_text_expression(column)]
                                   ? read_columns(evaluation, error)
                                   : read_compared(evaluation, error);
    for (size_t i = 0; !status && i < evaluation->result_count; i++) {
        status = join_states(evaluation, &evaluation->results[i], error);
    }
    return status;
}

/* RDKit where it is there; what is not known without it is said. */
static const struct berth_rdkit *find_rdkit(struct berth_rdkit *rdkit, const struct berth_log *log)
{
    struct berth_error error;
    if (berth_rdkit_find(rdkit, &error) == BERTH_OK) {
        return rdkit;
    }
    berth_warn(log, NULL, "no scaffolds, and no masses of SMILES and SDF: %s", error.message);
    return NULL;
}

static enum berth_status read_known(struct evaluation *evaluation, const struct berth_log *log,
                                    struct berth_error *error)
{
    const struct berth_evaluation_settings *settings = &evaluation->settings;
    const bool molecules = berth_known_takes(settings->actives);
    const bool any =
        molecules || settings->ligands || (settings->decoys && berth_known_takes(settings->decoys));
    char library[PATH_MAX]; /* knows masses, if no scaffolds, of all that was docked */
    bool docked = false;
    if (!settings->ligands) {
        BERTH_TRY(berth_screen_library_find(settings->results, library, &docked, error));
    }
    struct berth_rdkit found;
    const struct berth_rdkit *rdkit = any ? find_rdkit(&found, log) : NULL;
    evaluation->no_rdkit = any && !rdkit;
    const struct {
        const char *path;
        struct berth_named_ligands *set;
        bool scaffolds;
    } sets[] = {
        {settings->actives, &evaluation->actives, true},
        {settings->decoys, &evaluation->decoys, false},
        {docked ? library : settings->ligands, &evaluation->molecules, !molecules && !docked}};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < sizeof sets / sizeof *sets; i++) {
        const struct berth_known_setup setup = {sets[i].path, rdkit, sets[i].scaffolds, log};
        status = setup.path ? berth_known_read(&setup, sets[i].set, error) : BERTH_OK;
        BERTH_THEN(join_states(evaluation, sets[i].set, error));
    }
    for (size_t i = 0; !status && i < evaluation->actives.count; i++) {
        const char *name = evaluation->actives.items[i].name;
        if (berth_ligand_find(&evaluation->decoys, name)) {
            status = berth_fail(error, BERTH_E_USAGE, "%s is in %s and in %s; it can be but one",
                                name, settings->actives, settings->decoys);
        }
    }
    return status;
}

/* By their names, where the settings say that these tell states; what is known keeps its names. */
static void cut_states(struct evaluation *evaluation)
{
    const struct berth_named_ligands *actives = &evaluation->actives;
    const struct berth_named_ligands *decoys = &evaluation->decoys;
    for (size_t i = 0; evaluation->settings.states && i < evaluation->result_count; i++) {
        berth_ligands_cut_states(&evaluation->results[i], actives, decoys);
    }
    if (evaluation->settings.states) {
        berth_ligands_cut_states(&evaluation->molecules, actives, decoys);
    }
}

/* Calls molecules that any of the results has under several names by the best one's. */
static enum berth_status join_twins(struct evaluation *evaluation, struct berth_error *error)
{
    struct berth_named_ligands *const known[] = {&evaluation->actives, &evaluation->decoys,
                                                 &evaluation->molecules};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < evaluation->result_count; i++) {
        const struct berth_named_ligands *scores = &evaluation->results[i];
        status = berth_ligands_find_twins(&evaluation->results[i], error);
        for (size_t k = 0; !status && k < evaluation->result_count; k++) {
            status = berth_ligands_join_twins(&evaluation->results[k], scores, error);
        }
        for (size_t k = 0; !status && k < sizeof known / sizeof *known; k++) {
            status = berth_ligands_join_twins(known[k], scores, error);
        }
    }
    return status;
}

/* --- The ligands that are ranked --- */

static bool is_in_all(const struct evaluation *evaluation, const char *name)
{
    for (size_t i = 1; i < evaluation->result_count; i++) {
        if (!berth_ligand_find(&evaluation->results[i], name)) {
            return false;
        }
    }
    return true;
}

/* What is known of the size of a ligand: first by what all are of, since a charged form has another
 * mass than actives have that are given as drawn. */
static void find_size(const struct evaluation *evaluation, struct evaluated *ligand)
{
    const struct berth_named_ligands *const sets[] = {&evaluation->molecules, &evaluation->actives,
                                                      &evaluation->decoys};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        const struct berth_named_ligand *known = berth_ligand_find(sets[i], ligand->name);
        if (known && isnan(ligand->mass)) {
            ligand->mass = known->mass;
        }
        if (known && isnan(ligand->heavy_atoms)) {
            ligand->heavy_atoms = known->heavy_atoms;
        }
    }
}

static void take_ligand(struct evaluation *evaluation, const struct berth_named_ligand *scored)
{
    const char *name = scored->name;
    const bool active = berth_ligand_find(&evaluation->actives, name) != NULL;
    const bool listed =
        active || !evaluation->settings.decoys || berth_ligand_find(&evaluation->decoys, name);
    if (!listed) {
        evaluation->unlisted++;
    } else if (!is_in_all(evaluation, name)) {
        evaluation->left_out++;
    } else {
        struct evaluated *ligand = &evaluation->ligands[evaluation->count];
        *ligand = (struct evaluated){name, scored->heavy_atoms, NAN, scored->open_stereo, SIZE_MAX};
        find_size(evaluation, ligand);
        if (isnan(ligand->mass) && !evaluation->massless++) {
            evaluation->first_massless = name;
        }
        evaluation->active[evaluation->count++] = active;
        evaluation->active_count += active;
    }
}

/* Counts the actives without a score, and the ligands that by their names may be states of these.
 */
static enum berth_status count_undocked(struct evaluation *evaluation, struct berth_error *error)
{
    const struct berth_named_ligands *first = &evaluation->results[0];
    const struct berth_named_ligands *actives = &evaluation->actives;
    for (size_t i = 0; i < actives->count; i++) {
        if (!berth_ligand_find(first, actives->items[i].name) && !evaluation->undocked++) {
            evaluation->first_undocked = actives->items[i].name;
        }
    }
    for (size_t i = 0; i < first->count && evaluation->undocked; i++) {
        char *name = berth_copy_text(first->items[i].name);
        if (!name) {
            return berth_out_of_memory(error, NULL);
        }
        berth_ligand_cut_states(name, actives, &evaluation->decoys);
        evaluation->hidden += berth_ligand_find(actives, name) && !berth_ligand_find(first, name);
        free(name);
    }
    return BERTH_OK;
}

static enum berth_status take_ligands(struct evaluation *evaluation, struct berth_error *error)
{
    const struct berth_named_ligands *first = &evaluation->results[0];
    BERTH_TRY(
        berth_make(&evaluation->ligands, first->count, sizeof *evaluation->ligands, NULL, error));
    BERTH_TRY(
        berth_make(&evaluation->active, first->count, sizeof *evaluation->active, NULL, error));
    for (size_t i = 0; i < first->count; i++) {
        take_ligand(evaluation, &first->items[i]);
    }
    BERTH_TRY(count_undocked(evaluation, error));
    if (!evaluation->active_count) {
        const char *name = first->items[0].name;
        const bool state = !evaluation->settings.states && berth_ligand_is_state(name);
        return berth_fail_option(
            error, BERTH_E_USAGE, state ? "states" : NULL,
            "none of the %zu actives of %s is in %s; its names are such as "
            "%s%s",
            evaluation->actives.count, evaluation->settings.actives, first->path, name,
            state ? "; if _1 and the like say states of a molecule, say so" : "");
    }
    if (evaluation->active_count == evaluation->count) {
        return berth_fail(error, BERTH_E_USAGE,
                          "all %zu ligands are actives: there is nothing to tell them from",
                          evaluation->count);
    }
    return BERTH_OK;
}

/* --- All of it --- */

/* Ligands that are drawn for confidence by default, at most: some seconds' work. */
static const double DRAWN = 4e8;

size_t berth_resamples(size_t ligands)
{
    const double most = DRAWN / (double)ligands;
    return most > BERTH_RESAMPLES         ? BERTH_RESAMPLES
           : most < BERTH_RESAMPLES_LEAST ? BERTH_RESAMPLES_LEAST
                                          : (size_t)most;
}

static enum berth_status measure_rankings(struct evaluation *evaluation, struct berth_error *error)
{
    if (!evaluation->settings.resamples) {
        evaluation->settings.resamples = berth_resamples(evaluation->count);
    }
    const double *scores[EVALUATION_RANKINGS];
    for (size_t i = 0; i < evaluation->ranking_count; i++) {
        scores[i] = evaluation->rankings[i].scores;
    }
    const struct berth_rankings rankings = {evaluation->active, evaluation->count, scores,
                                            evaluation->ranking_count};
    return berth_enrichment_create(&rankings, evaluation->settings.resamples,
                                   evaluation->settings.seed, &evaluation->enrichment, error);
}

static enum berth_status evaluate(struct evaluation *evaluation, const struct berth_log *log,
                                  struct berth_error *error)
{
    BERTH_TRY(evaluation_probe(&evaluation->settings, error));
    BERTH_TRY(read_results(evaluation, error));
    BERTH_TRY(read_known(evaluation, log, error));
    cut_states(evaluation);
    BERTH_TRY(join_twins(evaluation, error));
    BERTH_TRY(take_ligands(evaluation, error));
    /* Adds results, their mean rank and trivial rankings of the ligands. */
    for (size_t i = 0; i < evaluation->result_count; i++) {
        BERTH_TRY(rank_results(evaluation, i, error));
    }
    if (evaluation->result_count > 1) {
        BERTH_TRY(rank_mean(evaluation, error));
    }
    evaluation->trivial = evaluation->ranking_count;
    BERTH_TRY(rank_size(evaluation, false, error));
    BERTH_TRY(rank_size(evaluation, true, error));
    BERTH_TRY(find_scaffolds(evaluation, error));
    BERTH_TRY(place_actives(evaluation, error));
    BERTH_TRY(measure_rankings(evaluation, error));
    return evaluation_write(evaluation, error);
}

enum berth_status berth_evaluation_run(const struct berth_evaluation_settings *settings,
                                       const struct berth_log *log, struct berth_error *error)
{
    struct evaluation evaluation;
    memset(&evaluation, 0, sizeof evaluation);
    evaluation.settings = *settings;
    const enum berth_status status = evaluate(&evaluation, log, error);
    for (size_t i = 0; i < evaluation.result_count; i++) {
        berth_named_ligands_clear(&evaluation.results[i]);
        free(evaluation.columns[i]);
    }
    for (size_t i = 0; i < evaluation.ranking_count; i++) {
        free(evaluation.rankings[i].scores);
        free(evaluation.rankings[i].ranks);
        free(evaluation.rankings[i].actives);
        free(evaluation.rankings[i].places);
    }
    berth_named_ligands_clear(&evaluation.actives);
    berth_named_ligands_clear(&evaluation.decoys);
    berth_named_ligands_clear(&evaluation.molecules);
    berth_enrichment_destroy(evaluation.enrichment);
    free(evaluation.scaffolds);
    free(evaluation.ligands);
    free(evaluation.active);
    return status;
}
