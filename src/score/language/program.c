/* What a compiled function gives: energies of pairs of types and of angles, constants, reaches. */
#include "score/language/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void berth_score_run(const struct berth_score_program *program, size_t pair, double r,
                     double *values)
{
    double symbols[BERTH_CODE_CONSTANTS + BERTH_CONSTANTS_MAX];
    symbols[BERTH_CODE_DISTANCE] = symbols[BERTH_CODE_SCALED] = r;
    symbols[BERTH_CODE_SCALE] = 1;
    symbols[BERTH_CODE_INVERSE] = 1 / r;
    symbols[BERTH_CODE_SQUARE] = r * r;
    symbols[BERTH_CODE_SHARPNESS] = BERTH_TRIED_SHARPNESS;
    for (size_t k = 0; k < program->constant_count; k++) {
        symbols[BERTH_CODE_CONSTANTS + k] = program->constants[k * program->pairs + pair];
    }
    berth_evaluate(&program->code, symbols, true, program->code.count, values);
}

static size_t pair_of(const struct berth_score_program *program, int first, int second)
{
    return (size_t)first * program->definition->type_count + (size_t)second;
}

size_t berth_score_constant_count(const struct berth_score_program *program)
{
    return program->constant_count ? program->constant_count : 1;
}

void berth_score_constants(const struct berth_score_program *program, int first, int second,
                           float *constants)
{
    constants[0] = 0;
    for (size_t k = 0; k < program->constant_count; k++) {
        constants[k] =
            (float)program->constants[k * program->pairs + pair_of(program, first, second)];
    }
}

double berth_score_reach(const struct berth_score_program *program, int first, int second)
{
    return program->reach[pair_of(program, first, second)];
}

double berth_score_longest_reach(const struct berth_score_program *program)
{
    double longest = 0;
    for (size_t pair = 0; pair < program->pairs; pair++) {
        longest = fmax(longest, program->reach[pair]);
    }
    return longest;
}

unsigned berth_score_body(const struct berth_score_program *program, int first, int second)
{
    const unsigned mask = program->masks[pair_of(program, first, second)];
    for (size_t k = 0; k < program->body_count; k++) {
        if (program->bodies[k] == mask) {
            return mask;
        }
    }
    return (1u << program->part_count) - 1;
}

/* --- Tails: where expressions end --- */

/* From which distance on a node is the same number. */
struct tail {
    double from; /* Å; infinite: never */
    double value;
};

static const struct tail NEVER = {INFINITY, 0};

/* A line in r. */
struct line {
    bool is;
    double slope, offset;
};

struct finder {
    const struct berth_graph *graph;
    const double *values;
    int distance;
    struct tail *tails;
};

static struct line line_of(const struct finder *finder, int node)
{
    const struct berth_node *made = &finder->graph->nodes[node];
    if (node == finder->distance) {
        return (struct line){true, 1, 0};
    }
    if (made->operation == BERTH_AFFINE && made->a == finder->distance) {
        return (struct line){true, finder->values[made->b], finder->values[made->c]};
    }
    return (struct line){false, 0, 0};
}

/* Å: where the line is at a height. */
static double where(const struct line *line, double height)
{
    return fmax((height - line->offset) / line->slope, 0);
}

static struct tail ramp_tail(const struct finder *finder, int x)
{
    const struct line line = line_of(finder, x);
    if (!line.is || line.slope == 0) {
        return NEVER;
    }
    return line.slope < 0 ? (struct tail){where(&line, 0), 0} : (struct tail){where(&line, 1), 1};
}

/* Of min, max and comparisons of a line and what has ended. */
static struct tail compared_tail(const struct finder *finder, const struct berth_node *node)
{
    struct line line = line_of(finder, node->a);
    const bool first = line.is;
    const struct tail other = finder->tails[first ? node->b : node->a];
    if (!first) {
        line = line_of(finder, node->b);
    }
    if (!line.is || line.slope == 0 || isinf(other.from)) {
        return NEVER;
    }
    const double from = fmax(other.from, where(&line, other.value));
    const bool rises = line.slope > 0;
    switch (node->operation) {
    case BERTH_MIN:
        return rises ? (struct tail){from, other.value} : NEVER;
    case BERTH_MAX:
        return rises ? NEVER : (struct tail){from, other.value};
    case BERTH_EQUAL:
        return (struct tail){nextafter(from, INFINITY), 0};
    default: /* a < b, a <= b */
        return (struct tail){nextafter(from, INFINITY), first != rises};
    }
}

/* Of an operation on what has ended. */
static struct tail ended(const struct finder *finder, const struct berth_node *node)
{
    const int operands[3] = {node->a, node->b, node->c};
    double from = 0, values[3] = {0, 0, 0};
    for (int i = 0; i < berth_operand_count(node->operation); i++) {
        from = fmax(from, finder->tails[operands[i]].from);
        values[i] = finder->tails[operands[i]].value;
    }
    return (struct tail){from, berth_operate(node, values[0], values[1], values[2])};
}

static struct tail product_tail(const struct finder *finder, const struct berth_node *node)
{
    struct tail tail = ended(finder, node);
    const struct tail factors[2] = {finder->tails[node->a], finder->tails[node->b]};
    for (int i = 0; i < 2; i++) {
        if (factors[i].value == 0 && factors[i].from < tail.from) {
            tail = factors[i];
        }
    }
    return tail;
}

/* From what its operands have. */
static struct tail tail_of(const struct finder *finder, int i)
{
    const struct berth_node *node = &finder->graph->nodes[i];
    if (!node->varies || node->operation == BERTH_SYMBOL) {
        return node->varies ? NEVER : (struct tail){0, finder->values[i]};
    }
    struct tail tail = ended(finder, node);
    if (node->operation == BERTH_MULTIPLY) {
        tail = product_tail(finder, node);
    } else if (node->operation == BERTH_AFFINE && finder->values[node->b] == 0) {
        tail = (struct tail){0, finder->values[node->c]};
    } else if (node->operation == BERTH_SELECT && !isinf(finder->tails[node->a].from)) {
        const struct tail condition = finder->tails[node->a];
        tail = finder->tails[condition.value != 0 ? node->b : node->c];
        tail.from = fmax(tail.from, condition.from);
    } else if (isinf(tail.from) && node->operation == BERTH_SATURATE) {
        tail = ramp_tail(finder, node->a);
    } else if (isinf(tail.from) &&
               (node->operation == BERTH_MIN || node->operation == BERTH_MAX ||
                node->operation == BERTH_LESS || node->operation == BERTH_AT_MOST ||
                node->operation == BERTH_EQUAL)) {
        tail = compared_tail(finder, node);
    }
    return isnan(tail.from) || isnan(tail.value) ? NEVER : tail;
}

bool berth_score_find_reach(struct berth_score_program *program, double *const *columns)
{
    const double cutoff = program->definition->cutoff;
    double values[BERTH_NODES_MAX];
    struct tail tails[BERTH_NODES_MAX];
    const struct finder finder = {&program->graph, values, program->distance, tails};
    bool ends = true;
    for (size_t pair = 0; pair < program->pairs; pair++) {
        double reach = 0;
        for (int i = 0; i < program->graph.count; i++) {
            values[i] = columns[i] ? columns[i][pair] : 0;
            tails[i] = tail_of(&finder, i);
        }
        for (size_t k = 0; k < program->part_count; k++) {
            const struct tail *tail = &tails[program->bases[k]];
            if (program->masks[pair] >> k & 1) {
                reach = fmax(reach, tail->value == 0 ? tail->from : INFINITY);
            }
        }
        ends = ends && reach <= cutoff;
        program->reach[pair] = fmin(reach, cutoff);
    }
    return ends;
}

/* --- The torsional term --- */

const char *const BERTH_BOND_END_NAMES[BERTH_BOND_ENDS] = {[BERTH_END_ANY] = "any",
                                                           [BERTH_END_SP3] = "sp3",
                                                           [BERTH_END_SP2] = "sp2",
                                                           [BERTH_END_AROMATIC] = "aromatic"};

/* Beside a linear atom a bond has no angle. */
static bool fits(enum berth_bond_end end, enum berth_hybrid hybrid)
{
    return (end == BERTH_END_ANY && hybrid != BERTH_HYBRID_LINEAR) ||
           (end == BERTH_END_SP3 && hybrid == BERTH_HYBRID_SP3) ||
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
