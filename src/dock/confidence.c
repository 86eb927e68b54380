#include "dock/confidence.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "dock/ranker.h"

/* The largest gap, and what it is where no other mode lies elsewhere. */
static const double FAR = 100;

/* What the ranking, or a function, makes of modes: of the first, and the least of those in its
 * place, and elsewhere; infinity: there is none. */
struct opinion {
    double first, here, elsewhere;
};

/* The ranking's is the first, behind it are those of the functions. */
struct opinions {
    struct opinion of[1 + BERTH_FUNCTIONS_MAX];
    size_t count;
};

static void note(struct opinion *opinion, double value, bool first, bool rival)
{
    double *least = rival ? &opinion->elsewhere : &opinion->here;
    opinion->first = first ? value : opinion->first;
    *least = fmin(*least, value);
}

/* The row of a mode, as rankings look at it. */
static struct berth_score_row row_of(const struct berth_pose *pose,
                                     const struct berth_score_columns *run,
                                     const struct berth_result *result)
{
    return (struct berth_score_row){.pose = pose,
                                    .run = run,
                                    .heavy_atoms = result->heavy_count,
                                    .conformers = result->conformer_count};
}

/* Asks the ranking and all functions for their opinions of the modes that meet what restraints
 * require; apart: [modes], Å from the first. */
static void ask(const struct berth_modes *modes, const struct berth_ranker *ranker,
                const struct berth_result *result, const double *apart, struct opinions *opinions)
{
    const struct berth_score_columns run = {.judges = &ranker->names};
    *opinions = (struct opinions){.count = 1 + ranker->names.count};
    for (size_t k = 0; k < opinions->count; k++) {
        opinions->of[k] = (struct opinion){NAN, INFINITY, INFINITY};
    }
    for (size_t i = 0; i < modes->count; i++) {
        const struct berth_pose pose = berth_ranker_pose(&modes->modes[i]);
        const struct berth_score_row row = row_of(&pose, &run, result);
        const bool rival = apart[i] >= BERTH_SAME_PLACE;
        if (pose.unmet) {
            continue;
        }
        note(&opinions->of[0], pose.ranking, i == 0, rival);
        for (size_t k = 0; k < ranker->field_count; k++) {
            const struct berth_known_field *field = &ranker->fields[k];
            if (berth_field_is_function(field)) {
                note(&opinions->of[1 + field->number], berth_field_cell(field, &row), i == 0,
                     rival);
            }
        }
    }
}

static double gap(const struct opinion *opinion)
{
    return fmin(opinion->elsewhere - opinion->first, FAR);
}

/* What the confidence may look at beside the first mode's own columns. */
static void sum_up(const struct opinions *opinions, double beside[BERTH_BESIDE])
{
    double agree = 0;
    for (size_t k = 1; k < opinions->count; k++) {
        beside[BERTH_BESIDE_GAPS + k - 1] = gap(&opinions->of[k]);
        agree += opinions->of[k].here <= opinions->of[k].elsewhere;
    }
    beside[BERTH_BESIDE_RANKING] = opinions->of[0].first;
    beside[BERTH_BESIDE_GAP] = gap(&opinions->of[0]);
    beside[BERTH_BESIDE_AGREE] = agree / (double)(opinions->count - 1);
}

bool berth_confidence_learns(const struct berth_ranker *ranker)
{
    return berth_ranker_learns(ranker, ranker->poses) ||
           berth_ranker_learns(ranker, ranker->confidence);
}

enum berth_status berth_confidence_find(struct berth_modes *modes,
                                        const struct berth_ranker *ranker,
                                        const struct berth_molecule *molecule,
                                        const struct berth_result *result,
                                        struct berth_error *error)
{
    const struct berth_score_columns run = {.judges = &ranker->names};
    struct opinions opinions;
    double beside[BERTH_BESIDE] = {0}, *apart;
    if (!ranker->names.confident || !modes->count || modes->modes[0].unmet ||
        isnan(modes->modes[0].ranking) ||
        (isnan(modes->modes[0].learned[0]) && berth_confidence_learns(ranker))) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_make(&apart, modes->count, sizeof *apart, NULL, error));
    enum berth_status status = berth_modes_apart(modes, modes->count, molecule, apart, error);
    if (!status) {
        const struct berth_pose first = berth_ranker_pose(&modes->modes[0]);
        const struct berth_score_row row = row_of(&first, &run, result);
        ask(modes, ranker, result, apart, &opinions);
        sum_up(&opinions, beside);
        status = berth_ranker_confidence(ranker, &row, beside, &modes->modes[0].confidence, error);
    }
    free(apart);
    return status;
}
