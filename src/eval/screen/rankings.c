/* The rankings of an evaluation: by each of the results, by their consensus, and by what needs no
 * docking. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "eval/screen/evaluation_internal.h"

/* --- Labels --- */

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

static bool is_taken(const struct berth_evaluation *evaluation, const char *label)
{
    for (size_t i = 0; i < evaluation->ranking_count; i++) {
        if (strcmp(evaluation->rankings[i].label, label) == 0) {
            return true;
        }
    }
    return false;
}

/* A label that no ranking has. */
static void make_label(const struct berth_evaluation *evaluation, const char *path, char *label)
{
    static const char *const OURS[] = {"consensus", "heavy atoms", "mass"};
    label_of(path, label);
    bool ours = false;
    for (size_t i = 0; i < sizeof OURS / sizeof *OURS; i++) {
        ours = ours || strcmp(label, OURS[i]) == 0;
    }
    const size_t length = strlen(label);
    for (int number = 2; ours || is_taken(evaluation, label); number++) {
        const size_t kept = length < EVALUATION_LABEL - 8 ? length : EVALUATION_LABEL - 8;
        snprintf(label + kept, EVALUATION_LABEL - kept, " %d", number);
        ours = false;
    }
}

/* --- Rankings --- */

static enum berth_status add(struct berth_evaluation *evaluation, const char *label,
                             struct berth_error *error)
{
    struct ranking *ranking = &evaluation->rankings[evaluation->ranking_count++];
    snprintf(ranking->label, sizeof ranking->label, "%s", label);
    ranking->scores = berth_alloc(evaluation->count, sizeof *ranking->scores);
    ranking->ranks = berth_alloc(evaluation->count, sizeof *ranking->ranks);
    return ranking->scores && ranking->ranks ? BERTH_OK : berth_out_of_memory(error, NULL);
}

static enum berth_status end(struct berth_evaluation *evaluation, struct berth_error *error)
{
    const struct ranking *ranking = &evaluation->rankings[evaluation->ranking_count - 1];
    return berth_ranks(ranking->scores, evaluation->count, ranking->ranks, error);
}

static enum berth_status rank_results(struct berth_evaluation *evaluation, size_t number,
                                      struct berth_error *error)
{
    const struct berth_ligand_scores *results = &evaluation->results[number];
    char label[EVALUATION_LABEL];
    make_label(evaluation, results->path, label);
    const enum berth_status status = add(evaluation, label, error);
    for (size_t i = 0; !status && i < evaluation->count; i++) {
        evaluation->rankings[number].scores[i] =
            berth_ligand_scores_find(results, evaluation->ligands[i].name)->score;
    }
    return status ? status : end(evaluation, error);
}

/* By the mean of the ranks by each of the results. */
static enum berth_status rank_consensus(struct berth_evaluation *evaluation,
                                        struct berth_error *error)
{
    const size_t results = evaluation->result_count;
    const enum berth_status status = add(evaluation, "consensus", error);
    for (size_t i = 0; !status && i < evaluation->count; i++) {
        double sum = 0;
        for (size_t k = 0; k < results; k++) {
            sum += evaluation->rankings[k].ranks[i];
        }
        evaluation->rankings[results].scores[i] = sum / (double)results;
    }
    return status ? status : end(evaluation, error);
}

/* By size, the largest first; none where the size of a ligand is not known. */
static enum berth_status rank_size(struct berth_evaluation *evaluation, bool mass,
                                   struct berth_error *error)
{
    for (size_t i = 0; i < evaluation->count; i++) {
        const struct evaluated *ligand = &evaluation->ligands[i];
        if (isnan(mass ? ligand->mass : ligand->heavy_atoms)) {
            return BERTH_OK;
        }
    }
    const enum berth_status status = add(evaluation, mass ? "mass" : "heavy atoms", error);
    for (size_t i = 0; !status && i < evaluation->count; i++) {
        const struct evaluated *ligand = &evaluation->ligands[i];
        evaluation->rankings[evaluation->ranking_count - 1].scores[i] =
            mass ? -ligand->mass : -ligand->heavy_atoms;
    }
    return status ? status : end(evaluation, error);
}

enum berth_status evaluation_rank(struct berth_evaluation *evaluation, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < evaluation->result_count; i++) {
        status = rank_results(evaluation, i, error);
    }
    if (!status && evaluation->result_count > 1) {
        status = rank_consensus(evaluation, error);
    }
    evaluation->trivial = evaluation->ranking_count;
    for (int mass = 0; !status && mass < 2; mass++) {
        status = rank_size(evaluation, mass, error);
    }
    return status;
}

bool evaluation_pair(const struct berth_evaluation *evaluation, size_t k, size_t pair[2])
{
    const size_t trivial = evaluation->trivial, others = evaluation->ranking_count - trivial;
    for (size_t i = 0; i < trivial; i++) {
        const size_t pairs = others + (i > 0);
        if (k < pairs) {
            pair[0] = i;
            pair[1] = k < others ? trivial + k : 0;
            return true;
        }
        k -= pairs;
    }
    return false;
}

/* --- Actives by rank --- */

struct placed {
    double rank;
    size_t ligand;
};

static int by_rank(const void *a, const void *b)
{
    const struct placed *one = a, *other = b;
    if (one->rank != other->rank) {
        return one->rank < other->rank ? -1 : 1;
    }
    return one->ligand < other->ligand ? -1 : 1; /* that is, by name */
}

size_t *evaluation_actives(const struct berth_evaluation *evaluation, const struct ranking *ranking)
{
    struct placed *placed = berth_alloc(evaluation->active_count, sizeof *placed);
    size_t *ligands = berth_alloc(evaluation->active_count, sizeof *ligands);
    size_t count = 0;
    for (size_t i = 0; placed && i < evaluation->count; i++) {
        if (evaluation->active[i]) {
            placed[count++] = (struct placed){ranking->ranks[i], i};
        }
    }
    if (!placed || !ligands) {
        free(placed);
        free(ligands);
        return NULL;
    }
    qsort(placed, count, sizeof *placed, by_rank);
    for (size_t i = 0; i < count; i++) {
        ligands[i] = placed[i].ligand;
    }
    free(placed);
    return ligands;
}
