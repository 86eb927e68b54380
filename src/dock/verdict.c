#include "dock/verdict.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "dock/confidence.h"

/* Of what modes are ranked by, kcal/mol of most rankings: less than functions and searches are good
 * for. */
static const double TIE = 0.2;

/* From so many rotors on a first pose is seldom right. */
static const double MANY_ROTORS = 15;

static double ranked_by(const struct berth_pose *mode)
{
    return isnan(mode->ranking) ? mode->value : mode->ranking;
}

/* How many modes, the first among them, are as good as the first. */
static size_t count_equal(const struct berth_modes *modes)
{
    const struct berth_pose *first = &modes->modes[0];
    size_t count = 1;
    while (count < modes->count && modes->modes[count].unmet == first->unmet &&
           ranked_by(&modes->modes[count]) - ranked_by(first) <= TIE) {
        count++;
    }
    return count;
}

/* How many of these there are up to the last that lies in another place than the first; 1: none
 * does. */
static enum berth_status count_tied(const struct berth_modes *modes,
                                    const struct berth_molecule *molecule, size_t *tied,
                                    struct berth_error *error)
{
    double *apart;
    *tied = count_equal(modes);
    if (*tied == 1) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_make(&apart, *tied, sizeof *apart, NULL, error));
    const enum berth_status status = berth_modes_apart(modes, *tied, molecule, apart, error);
    while (!status && *tied > 1 && apart[*tied - 1] < BERTH_SAME_PLACE) {
        --*tied;
    }
    free(apart);
    return status;
}

enum berth_status berth_verdict(const struct berth_modes *modes,
                                const struct berth_molecule *molecule, char text[BERTH_VERDICT],
                                struct berth_error *error)
{
    const struct berth_pose *first = &modes->modes[0];
    size_t tied;
    *text = '\0';
    BERTH_TRY(count_tied(modes, molecule, &tied, error));
    if (!isnan(first->confidence)) { /* no model is so sure that it is 0 or 100 */
        berth_text_append(text, BERTH_VERDICT,
                          "first pose: %.0f %% likely to be within %g \xc3\x85 of the crystal pose",
                          fmin(fmax(100 * first->confidence, 1), 99), BERTH_SAME_PLACE);
    }
    if (tied > 1) {
        berth_text_append(text, BERTH_VERDICT,
                          "%smodes 1 %s %zu lie within %g of each other: a tie", *text ? "; " : "",
                          tied == 2 ? "and" : "to", tied, TIE);
    }
    if (modes->seeds) {
        berth_text_append(text, BERTH_VERDICT,
                          first->seeds == (double)modes->seeds
                              ? "%sall %g seeds put their first pose there"
                              : "%sseeds disagree: %g of %zu put their first pose there",
                          *text ? "; " : "", first->seeds, modes->seeds);
    }
    if (first->rotors >= MANY_ROTORS) {
        berth_text_append(text, BERTH_VERDICT, "%s%g rotors: rarely right", *text ? "; " : "",
                          first->rotors);
    }
    return BERTH_OK;
}
