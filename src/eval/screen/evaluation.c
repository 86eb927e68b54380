#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "prep/facts.h"
#include "eval/screen/evaluation_internal.h"

/* --- Inputs --- */

/* Reads the results and those of --compare. */
static enum berth_status read_results(struct berth_evaluation *evaluation,
                                      struct berth_error *error)
{
    const struct berth_evaluation_settings *settings = &evaluation->settings;
    char *list = berth_copy_text(settings->compare ? settings->compare : "");
    char *rest = list;
    enum berth_status status = list ? BERTH_OK : berth_out_of_memory(error, NULL);
    for (const char *path = settings->results; !status && path; path = strtok_r(NULL, ",", &rest)) {
        if (evaluation->result_count == BERTH_COMPARED_MAX) {
            status = berth_fail(error, BERTH_E_USAGE, "--compare: at most %d results in all",
                                BERTH_COMPARED_MAX);
            break;
        }
        status = berth_ligand_scores_read(path, settings->column, settings->states,
                                          &evaluation->results[evaluation->result_count++], error);
    }
    free(list);
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

static enum berth_status read_known(struct berth_evaluation *evaluation,
                                    const struct berth_log *log, struct berth_error *error)
{
    const struct berth_evaluation_settings *settings = &evaluation->settings;
    const bool molecules = berth_facts_takes(settings->actives);
    const bool any =
        molecules || settings->ligands || (settings->decoys && berth_facts_takes(settings->decoys));
    struct berth_rdkit found;
    const struct berth_rdkit *rdkit = any ? find_rdkit(&found, log) : NULL;
    const struct {
        const char *path;
        struct berth_known_set *set;
        bool scaffolds;
    } sets[] = {{settings->actives, &evaluation->actives, true},
                {settings->decoys, &evaluation->decoys, false},
                {settings->ligands, &evaluation->molecules, !molecules}};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < sizeof sets / sizeof *sets; i++) {
        const struct berth_known_reading reading = {.path = sets[i].path,
                                                    .states = settings->states,
                                                    .scaffolds = sets[i].scaffolds,
                                                    .rdkit = rdkit,
                                                    .log = log};
        status = reading.path ? berth_known_read(&reading, sets[i].set, error) : BERTH_OK;
    }
    for (size_t i = 0; !status && i < evaluation->actives.count; i++) {
        const char *name = evaluation->actives.items[i].name;
        if (berth_known_find(&evaluation->decoys, name)) {
            status = berth_fail(error, BERTH_E_USAGE, "%s is in %s and in %s; it can be but one",
                                name, settings->actives, settings->decoys);
        }
    }
    return status;
}

/* --- The ligands that are ranked --- */

static bool is_in_all(const struct berth_evaluation *evaluation, const char *name)
{
    for (size_t i = 1; i < evaluation->result_count; i++) {
        if (!berth_ligand_scores_find(&evaluation->results[i], name)) {
            return false;
        }
    }
    return true;
}

/* What is known of the size of a ligand, from whoever knows it. */
static void find_size(const struct berth_evaluation *evaluation, struct evaluated *ligand)
{
    const struct berth_known_set *const sets[] = {&evaluation->actives, &evaluation->decoys,
                                                  &evaluation->molecules};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        const struct berth_known *known = berth_known_find(sets[i], ligand->name);
        if (known && isnan(ligand->mass)) {
            ligand->mass = known->mass;
        }
        if (known && isnan(ligand->heavy_atoms)) {
            ligand->heavy_atoms = known->heavy_atoms;
        }
    }
}

static void take_ligand(struct berth_evaluation *evaluation,
                        const struct berth_scored_ligand *scored)
{
    const char *name = scored->name;
    const bool active = berth_known_find(&evaluation->actives, name) != NULL;
    const bool listed =
        active || !evaluation->settings.decoys || berth_known_find(&evaluation->decoys, name);
    if (!listed) {
        evaluation->unlisted++;
    } else if (!is_in_all(evaluation, name)) {
        evaluation->left_out++;
    } else {
        struct evaluated *ligand = &evaluation->ligands[evaluation->count];
        *ligand = (struct evaluated){name, scored->heavy_atoms, NAN, SIZE_MAX};
        find_size(evaluation, ligand);
        if (isnan(ligand->mass) && !evaluation->massless++) {
            evaluation->first_massless = name;
        }
        evaluation->active[evaluation->count++] = active;
        evaluation->active_count += active;
    }
}

static enum berth_status take_ligands(struct berth_evaluation *evaluation,
                                      struct berth_error *error)
{
    const struct berth_ligand_scores *first = &evaluation->results[0];
    evaluation->ligands = berth_alloc(first->count, sizeof *evaluation->ligands);
    evaluation->active = berth_alloc(first->count, sizeof *evaluation->active);
    if (!evaluation->ligands || !evaluation->active) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu ligands", first->count);
    }
    for (size_t i = 0; i < first->count; i++) {
        take_ligand(evaluation, &first->ligands[i]);
    }
    for (size_t i = 0; i < evaluation->actives.count; i++) {
        evaluation->undocked += !berth_ligand_scores_find(first, evaluation->actives.items[i].name);
    }
    if (!evaluation->active_count) {
        return berth_fail(error, BERTH_E_USAGE,
                          "none of the %zu actives of %s is in %s; its names are such as %s",
                          evaluation->actives.count, evaluation->settings.actives, first->path,
                          first->ligands[0].name);
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

static size_t resamples_of(const struct berth_evaluation *evaluation)
{
    const double most = DRAWN / (double)evaluation->count;
    return most > BERTH_RESAMPLES         ? BERTH_RESAMPLES
           : most < BERTH_RESAMPLES_LEAST ? BERTH_RESAMPLES_LEAST
                                          : (size_t)most;
}

static enum berth_status measure(struct berth_evaluation *evaluation, struct berth_error *error)
{
    if (!evaluation->settings.resamples) {
        evaluation->settings.resamples = resamples_of(evaluation);
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

enum berth_status berth_evaluation_create(const struct berth_evaluation_settings *settings,
                                          const struct berth_log *log,
                                          struct berth_evaluation **evaluation,
                                          struct berth_error *error)
{
    struct berth_evaluation *made = berth_alloc(1, sizeof *made);
    *evaluation = NULL;
    if (!made) {
        return berth_out_of_memory(error, NULL);
    }
    made->settings = *settings;
    enum berth_status status = read_results(made, error);
    status = status ? status : read_known(made, log, error);
    status = status ? status : take_ligands(made, error);
    status = status ? status : evaluation_rank(made, error);
    status = status ? status : evaluation_find_scaffolds(made, error);
    status = status ? status : measure(made, error);
    if (status) {
        berth_evaluation_destroy(made);
        return status;
    }
    *evaluation = made;
    return BERTH_OK;
}

void berth_evaluation_destroy(struct berth_evaluation *evaluation)
{
    if (!evaluation) {
        return;
    }
    for (size_t i = 0; i < evaluation->result_count; i++) {
        berth_ligand_scores_clear(&evaluation->results[i]);
    }
    for (size_t i = 0; i < evaluation->ranking_count; i++) {
        free(evaluation->rankings[i].scores);
        free(evaluation->rankings[i].ranks);
    }
    berth_known_clear(&evaluation->actives);
    berth_known_clear(&evaluation->decoys);
    berth_known_clear(&evaluation->molecules);
    berth_enrichment_destroy(evaluation->enrichment);
    free(evaluation->scaffolds);
    free(evaluation->ligands);
    free(evaluation->active);
    free(evaluation);
}
