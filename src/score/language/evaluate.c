/* Terms and slopes of a pair of types in double precision: the reference of all devices. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "score/language/program.h"

/* The numbers that nodes of the graph have among the values. */
struct numbering {
    const struct berth_graph *graph;
    struct berth_score_steps *steps;
    int of[BERTH_NODES_MAX]; /* -1: none */
};

/* Flags the node and what varies of what it is made of, down to what does not vary. */
static void mark(const struct berth_graph *graph, int node, bool *flags)
{
    const struct berth_node *made = &graph->nodes[node];
    const int operands[3] = {made->a, made->b, made->c};
    const bool known = flags[node];
    flags[node] = true;
    for (int i = 0; made->varies && !known && i < berth_operand_count(made->operation); i++) {
        mark(graph, operands[i], flags);
    }
}

/* Gives numbers to the marked nodes that vary or do not, as asked, and have none. */
static size_t number(struct numbering *numbering, const bool *marked, bool varies, size_t next)
{
    for (int i = 0; i < numbering->graph->count; i++) {
        if (marked[i] && numbering->graph->nodes[i].varies == varies && numbering->of[i] < 0) {
            numbering->of[i] = (int)next++;
        }
    }
    return next;
}

/* Numbers what does not vary, then what varies and terms need, then the rest. */
static void number_all(const struct berth_score_program *program, struct numbering *numbering)
{
    struct berth_score_steps *steps = numbering->steps;
    bool energies[BERTH_NODES_MAX] = {false}, all[BERTH_NODES_MAX];
    for (size_t k = 0; k < program->part_count; k++) {
        mark(&program->graph, program->bases[k], energies);
        mark(&program->graph, program->weights[k], energies);
    }
    memcpy(all, energies, sizeof all);
    for (size_t k = 0; k < program->part_count; k++) {
        mark(&program->graph, program->slope_nodes[k], all);
    }
    memset(numbering->of, -1, sizeof numbering->of);
    steps->fixed_count = number(numbering, all, false, 0);
    steps->energy_count =
        number(numbering, energies, true, steps->fixed_count) - steps->fixed_count;
    steps->count =
        number(numbering, all, true, steps->fixed_count + steps->energy_count) - steps->fixed_count;
}

enum berth_status berth_score_find_steps(struct berth_score_program *program,
                                         double *const *columns, struct berth_error *error)
{
    struct berth_score_steps *steps = &program->steps;
    struct numbering numbering = {&program->graph, steps, {0}};
    number_all(program, &numbering);
    BERTH_TRY(berth_make(&steps->steps, steps->count + 1, sizeof *steps->steps, NULL, error));
    BERTH_TRY(berth_make(&steps->fixed, program->pairs * steps->fixed_count + 1,
                         sizeof *steps->fixed, NULL, error));
    for (int i = 0; i < program->graph.count; i++) {
        const int to = numbering.of[i];
        struct berth_node node = program->graph.nodes[i];
        for (size_t pair = 0; to >= 0 && !node.varies && pair < program->pairs; pair++) {
            steps->fixed[pair * steps->fixed_count + (size_t)to] = columns[i][pair];
        }
        if (to >= 0 && node.varies) {
            const int operands = berth_operand_count(node.operation);
            node.a = operands > 0 ? numbering.of[node.a] : 0;
            node.b = operands > 1 ? numbering.of[node.b] : 0;
            node.c = operands > 2 ? numbering.of[node.c] : 0;
            steps->steps[(size_t)to - steps->fixed_count] = node;
        }
    }
    for (size_t k = 0; k < program->part_count; k++) {
        steps->weights[k] = numbering.of[program->weights[k]];
        steps->bases[k] = numbering.of[program->bases[k]];
        steps->slopes[k] = numbering.of[program->slope_nodes[k]];
    }
    return BERTH_OK;
}

/* The sum of the parts of a pair whose values are there. */
static struct berth_terms sum_of(const struct berth_score_program *program, size_t pair,
                                 size_t parts, const int *places, const double *values)
{
    struct berth_terms sum = {{0}};
    for (size_t k = 0; k < parts; k++) {
        if (program->masks[pair] >> k & 1) {
            sum.values[program->terms[k]] += values[program->steps.weights[k]] * values[places[k]];
        }
    }
    return sum;
}

void berth_score_evaluate(const struct berth_score_program *program, int first, int second,
                          double r, struct berth_terms *terms, struct berth_terms *slopes)
{
    const struct berth_score_steps *steps = &program->steps;
    const size_t pair = (size_t)first * program->definition->type_count + (size_t)second;
    const size_t count = slopes ? steps->count : steps->energy_count;
    const size_t parts = r < program->definition->cutoff ? program->part_count : 0;
    const double distance = program->floored ? fmax(r, BERTH_DISTANCE_LEAST) : r;
    double values[BERTH_NODES_MAX], *made = values + steps->fixed_count;
    memcpy(values, steps->fixed + pair * steps->fixed_count, steps->fixed_count * sizeof *values);
    for (size_t i = 0; parts && i < count; i++) {
        const struct berth_node *step = &steps->steps[i];
        made[i] = step->operation == BERTH_SYMBOL
                      ? distance
                      : berth_operate(step, values[step->a], values[step->b], values[step->c]);
    }
    if (terms) {
        *terms = sum_of(program, pair, parts, steps->bases, values);
    }
    if (slopes) {
        *slopes = sum_of(program, pair, parts, steps->slopes, values);
    }
}
