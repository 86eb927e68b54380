/* The forms in which parts become code. */
#include <math.h>
#include <string.h>

#include "score/language/compiler.h"

void berth_move_factor(struct berth_graph *graph, int *weight, int *base)
{
    const struct berth_affine affine = berth_take_apart(graph, *base);
    if (affine.base && affine.offset == 0) {
        *weight = berth_multiply(graph, *weight, affine.factor);
        *base = affine.base;
    }
}

/* What a part is rewritten by. */
struct shaper {
    struct berth_compiler *compiler;
    size_t part;
    bool knees;
};

static bool counts(const struct shaper *shaper, size_t pair)
{
    return shaper->compiler->program->masks[pair] >> shaper->part & 1;
}

/* Whether the line slope r + offset falls for all pairs of types that have the part; *kneed:
 * whether it is above 1 anywhere. */
static bool falls(const struct shaper *shaper, const struct berth_affine *line, bool *kneed)
{
    const double *slopes = shaper->compiler->columns[line->factor];
    const double *offsets = shaper->compiler->columns[line->offset];
    *kneed = false;
    for (size_t pair = 0; pair < shaper->compiler->program->pairs; pair++) {
        if (counts(shaper, pair) && !(slopes[pair] < 0)) {
            return false;
        }
        *kneed = *kneed || (counts(shaper, pair) && offsets[pair] > 1 + 1e-9);
    }
    return true;
}

/* A ramp of a line that falls, as program.h says. */
static int shape_ramp(const struct shaper *shaper, int x)
{
    struct berth_graph *graph = shaper->compiler->graph;
    const int distance = shaper->compiler->distance;
    const struct berth_affine line = berth_take_apart(graph, x);
    bool kneed;
    if (!shaper->knees || line.base != distance || !falls(shaper, &line, &kneed)) {
        return berth_unary(graph, BERTH_SATURATE, x);
    }
    const int slope = berth_negative(graph, line.factor);
    const int end = berth_divide(graph, line.offset, slope);
    const int knee =
        berth_divide(graph, berth_subtract(graph, line.offset, berth_number(graph, 1)), slope);
    const int shape =
        kneed ? berth_binary(
                    graph, BERTH_MAX, 0,
                    berth_subtract(graph, end, berth_binary(graph, BERTH_MAX, distance, knee)))
              : berth_subtract(graph, berth_binary(graph, BERTH_MAX, distance, end), distance);
    return berth_multiply(graph, slope, shape);
}

/* exp2(-c u^n) as exp2(-(c^(1/n) u)^n), where u has an offset and takes the factor for nothing. */
static int shape_exp2(struct berth_graph *graph, int x)
{
    const struct berth_affine affine = berth_take_apart(graph, x);
    const struct berth_node base = graph->nodes[affine.base];
    const struct berth_node factor = graph->nodes[affine.factor];
    if (affine.offset == 0 && base.operation == BERTH_POWER &&
        graph->nodes[base.a].operation == BERTH_AFFINE && fmod(base.number, 2) == 0 &&
        factor.operation == BERTH_NUMBER && factor.number < 0) {
        const int scale = berth_number(graph, pow(-factor.number, 1 / base.number));
        x = berth_negative(
            graph, berth_power(graph, berth_multiply(graph, scale, base.a), (int)base.number));
    }
    return berth_unary(graph, BERTH_EXP2, x);
}

static int shape(const struct shaper *shaper, int node)
{
    struct berth_compiler *compiler = shaper->compiler;
    const struct berth_node made = compiler->graph->nodes[node];
    if (!made.varies || made.operation == BERTH_SYMBOL) {
        return node;
    }
    if (!compiler->map[node]) {
        const int operands = berth_operand_count(made.operation);
        const int a = shape(shaper, made.a);
        const int b = operands > 1 ? shape(shaper, made.b) : 0;
        const int c = operands > 2 ? shape(shaper, made.c) : 0;
        compiler->map[node] =
            1 + (made.operation == BERTH_SATURATE ? shape_ramp(shaper, a)
                 : made.operation == BERTH_EXP2   ? shape_exp2(compiler->graph, a)
                                                  : berth_rebuild(compiler->graph, &made, a, b, c));
    }
    return compiler->map[node] - 1;
}

void berth_shape_parts(struct berth_compiler *compiler)
{
    struct berth_score_program *program = compiler->program;
    for (size_t k = 0; k < program->part_count; k++) {
        for (int knees = 0; knees < 2; knees++) {
            const struct shaper shaper = {compiler, k, knees};
            memset(compiler->map, 0, BERTH_NODES_MAX * sizeof *compiler->map);
            int weight = program->weights[k], base = shape(&shaper, program->bases[k]);
            berth_move_factor(compiler->graph, &weight, &base);
            (knees ? compiler->knee_weights : compiler->clamp_weights)[k] = weight;
            (knees ? compiler->knee_bases : compiler->clamp_bases)[k] = base;
        }
    }
}
