#include "score/language/torsional.h"

#include <string.h>

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
    berth_evaluate(&torsional->graph, &angle, single, torsional->graph.count, values);
    if (slope) {
        *slope = values[torsional->rows[row].slope];
    }
    return values[torsional->rows[row].energy];
}

void berth_torsional_clear(struct berth_torsional *torsional)
{
    berth_graph_clear(&torsional->graph);
    memset(torsional, 0, sizeof *torsional);
}
