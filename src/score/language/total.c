/* The total of a scoring function: what poses are ranked by. */
#include <math.h>

#include "score/language/definition.h"

double berth_definition_total(const struct berth_definition *definition,
                              const double symbols[BERTH_TOTAL_SYMBOLS])
{
    double values[BERTH_NODES_MAX];
    const struct berth_graph_evaluation evaluation = {.symbols = symbols};
    berth_evaluate(&definition->total_graph, &evaluation, definition->total_graph.count, values);
    double total = values[definition->total_node];
    for (int k = 0; k < BERTH_PART_COUNT; k++) {
        total += definition->added[k] ? symbols[BERTH_TOTAL_PARTS + k] : 0;
    }
    return total;
}

#define TRIALS_OF_PART(part, name, column, relative, added)                                        \
    [BERTH_TOTAL_PARTS + BERTH_PART_##part] = {7, {-1, 1, 0, -10, 10, -100, 100}},

/* What each symbol is tried with: energies in whatever unit, of poses that bind well, badly and not
 * at all. */
static const struct {
    size_t count;
    double values[13];
} TRIALS[BERTH_TOTAL_SYMBOLS] = {
    [BERTH_TOTAL_INTER] = {13, {-10, -1, -0.1, -3, -30, -100, -1000, 0.1, 1, 10, 100, 1000, 0}},
    [BERTH_TOTAL_UNBOUND] = {7, {-1, 1, 0, -10, 10, -100, 100}},
    [BERTH_TOTAL_TORSIONS] = {5, {5, 0, 1, 12, 40}},
    [BERTH_TOTAL_TORSIONAL] = {4, {1, 0, 10, 50}},
    BERTH_POSE_PARTS(TRIALS_OF_PART)};

bool berth_definition_try_total(const struct berth_definition *definition)
{
    size_t at[BERTH_TOTAL_SYMBOLS] = {0};
    for (int next = 0; next < BERTH_TOTAL_SYMBOLS;) {
        double symbols[BERTH_TOTAL_SYMBOLS];
        for (int i = 0; i < BERTH_TOTAL_SYMBOLS; i++) {
            symbols[i] = TRIALS[i].values[at[i]];
        }
        if (isfinite(berth_definition_total(definition, symbols))) {
            return true;
        }
        for (next = 0; next < BERTH_TOTAL_SYMBOLS && ++at[next] == TRIALS[next].count; next++) {
            at[next] = 0;
        }
    }
    return false;
}
