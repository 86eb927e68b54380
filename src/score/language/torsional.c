#include "score/language/torsional.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "score/language/derive.h"
#include "score/language/interval.h"

#define HALF_TURN 3.14159265358979323846

/* rad: what is not known to be finite on a piece of this width is not finite there; and
 * operations that trying a row may take. */
#define WIDTH 1e-5
enum { OPERATIONS_MAX = 1000000 };

const char *const BERTH_BOND_END_NAMES[BERTH_BOND_ENDS] = {[BERTH_END_ANY] = "any",
                                                           [BERTH_END_SP3] = "sp3",
                                                           [BERTH_END_SP2] = "sp2",
                                                           [BERTH_END_AROMATIC] = "aromatic"};

void berth_torsional_add(struct berth_torsional *torsional, const enum berth_bond_end ends[2],
                         int energy)
{
    int known[BERTH_NODES_MAX] = {0};
    const struct berth_derivation derivation = {.graph = &torsional->graph,
                                                .distance =
                                                    berth_symbol(&torsional->graph, 0, true),
                                                .known = known};
    torsional->rows[torsional->row_count++] =
        (struct berth_torsional_row){{ends[0], ends[1]}, energy, berth_derive(&derivation, energy)};
}

static bool fits(enum berth_bond_end end, enum berth_hybrid hybrid)
{
    return end == BERTH_END_ANY || (end == BERTH_END_SP3 && hybrid == BERTH_HYBRID_SP3) ||
           (end == BERTH_END_SP2 && hybrid == BERTH_HYBRID_SP2) ||
           (end != BERTH_END_SP3 && hybrid == BERTH_HYBRID_AROMATIC);
}

int berth_torsional_find(const struct berth_torsional *torsional, enum berth_hybrid a,
                         enum berth_hybrid b)
{
    for (size_t i = 0; i < torsional->row_count; i++) {
        const enum berth_bond_end *ends = torsional->rows[i].ends;
        if ((fits(ends[0], a) && fits(ends[1], b)) || (fits(ends[0], b) && fits(ends[1], a))) {
            return (int)i;
        }
    }
    return -1;
}

double berth_torsional_energy(const struct berth_torsional *torsional, size_t row, double angle,
                              bool single, double *slope)
{
    double values[BERTH_NODES_MAX];
    const struct berth_graph_evaluation evaluation = {.symbols = &angle, .single = single};
    berth_evaluate(&torsional->graph, &evaluation, torsional->graph.count, values);
    if (slope) {
        *slope = values[torsional->rows[row].slope];
    }
    return values[torsional->rows[row].energy];
}

/* Tries a row at whole degrees. */
static bool try_degrees(const struct berth_torsional *torsional, size_t row, char *text,
                        size_t size)
{
    for (int degrees = -180; degrees <= 180; degrees++) {
        const double angle = degrees * HALF_TURN / 180;
        for (int single = 0; single < 2; single++) {
            double slope;
            const double energy = berth_torsional_energy(torsional, row, angle, single, &slope);
            if (!isfinite(energy) || !isfinite(slope)) {
                const double wrong = isfinite(energy) ? slope : energy;
                snprintf(text, size, "the %s is %g at phi = %d degrees",
                         isfinite(energy) ? "derivative" : "value",
                         isnan(wrong) ? fabs(wrong) : wrong, degrees);
                return false;
            }
        }
    }
    return true;
}

static void set_angle(void *context, double low, double high)
{
    *(struct berth_interval *)context = (struct berth_interval){low, high, false};
}

/* Tries a row at all angles: it has bounds. */
static bool try_between(const struct berth_torsional *torsional, size_t row, char *text,
                        size_t size)
{
    const int nodes[] = {torsional->rows[row].energy, torsional->rows[row].slope};
    struct berth_interval angle;
    for (int single = 0; single < 2; single++) {
        size_t left = OPERATIONS_MAX;
        const struct berth_interval_search search = {.graph = &torsional->graph,
                                                     .nodes = nodes,
                                                     .node_count = 2,
                                                     .symbols = &angle,
                                                     .set = set_angle,
                                                     .context = &angle,
                                                     .single = single,
                                                     .width = WIDTH,
                                                     .left = &left};
        struct berth_interval_place where;
        if (!berth_interval_search(&search, -HALF_TURN, HALF_TURN, &where)) {
            const double degrees = (where.low + (where.high - where.low) / 2) * 180 / HALF_TURN;
            const char *what = where.node ? "derivative" : "value";
            snprintf(text, size,
                     where.narrow ? "the %s is not finite near phi = %.6g degrees"
                                  : "whether the %s is finite near phi = %.6g degrees cannot be "
                                    "told; write it in a simpler way",
                     what, degrees);
            return false;
        }
    }
    return true;
}

bool berth_torsional_try(const struct berth_torsional *torsional, size_t row, char *text,
                         size_t size)
{
    if (!try_degrees(torsional, row, text, size) || !try_between(torsional, row, text, size)) {
        return false;
    }
    const double low = berth_torsional_energy(torsional, row, -HALF_TURN, false, NULL);
    const double high = berth_torsional_energy(torsional, row, HALF_TURN, false, NULL);
    if (fabs(low - high) > 1e-9 * (1 + fabs(high))) {
        snprintf(text, size,
                 "the value is %g at phi = -180 degrees, but %g at 180, which is the same angle",
                 low, high);
        return false;
    }
    return true;
}

void berth_torsional_clear(struct berth_torsional *torsional)
{
    berth_graph_clear(&torsional->graph);
    memset(torsional, 0, sizeof *torsional);
}
