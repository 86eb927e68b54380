/* From shaped parts to code: what depends on types alone becomes a constant of the pair of types,
 * unless it is the same number for all, or a line of a constant that there is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "score/language/compiler.h"

/* Which columns count as equal, and as a line of each other: the largest difference in terms of the
 * largest value. */
#define EQUAL 1e-12
#define ALIKE 1e-10

/* What a part is lowered by. */
struct lowering {
    struct berth_compiler *compiler;
    size_t part;
    bool scaled; /* r stands for scale times the distance */
};

/* Values of a node over all pairs of types, of which those count that have the part, or all. */
struct wanted {
    const double *values;
    const unsigned *masks; /* NULL: all count */
    size_t part, pairs;
};

static bool counts(const struct wanted *wanted, size_t pair)
{
    return !wanted->masks || wanted->masks[pair] >> wanted->part & 1;
}

static double largest(const struct wanted *wanted)
{
    double most = 0;
    for (size_t i = 0; i < wanted->pairs; i++) {
        most = counts(wanted, i) ? fmax(most, fabs(wanted->values[i])) : most;
    }
    return most;
}

/* factor * constant + offset. */
struct relation {
    double factor, offset;
};

/* Whether the wanted values are this line of a constant's, as far as that is known (not NaN). */
static bool holds(const struct wanted *wanted, const double *constant,
                  const struct relation *relation, double tolerance)
{
    for (size_t i = 0; i < wanted->pairs; i++) {
        const double made = relation->factor * constant[i] + relation->offset;
        if (counts(wanted, i) && !isnan(constant[i]) &&
            !(fabs(made - wanted->values[i]) <= tolerance)) {
            return false;
        }
    }
    return true;
}

/* Without the rounding errors of its last digits. */
static double tidy(double number)
{
    char digits[40];
    snprintf(digits, sizeof digits, "%.12g", number);
    return strtod(digits, NULL);
}

/* The line through two pairs of types, those whose constants are farthest apart. */
static bool find_line(const struct wanted *wanted, const double *constant, bool weight,
                      struct relation *relation)
{
    size_t low = wanted->pairs, high = wanted->pairs;
    for (size_t i = 0; i < wanted->pairs; i++) {
        if (counts(wanted, i) && isnan(constant[i])) {
            return false; /* nothing is made up */
        }
        if (counts(wanted, i)) {
            low = low == wanted->pairs || constant[i] < constant[low] ? i : low;
            high = high == wanted->pairs || constant[i] > constant[high] ? i : high;
        }
    }
    if (low == wanted->pairs || constant[low] == constant[high]) {
        return false;
    }
    relation->factor =
        tidy((wanted->values[high] - wanted->values[low]) / (constant[high] - constant[low]));
    relation->offset = tidy(wanted->values[low] - relation->factor * constant[low]);
    const double most = largest(wanted);
    if (fabs(relation->offset) <= ALIKE * most) {
        relation->offset = 0;
    }
    return !(weight && relation->offset != 0) && fabs(relation->offset) <= 10 * most &&
           holds(wanted, constant, relation, ALIKE * most);
}

/* Takes over what a constant does not know yet. */
static void complete(const struct wanted *wanted, double *constant)
{
    for (size_t i = 0; i < wanted->pairs; i++) {
        if (counts(wanted, i) && isnan(constant[i])) {
            constant[i] = wanted->values[i];
        }
    }
}

static int constant_symbol(struct berth_score_program *program, size_t number)
{
    return berth_symbol(&program->code, BERTH_CODE_CONSTANTS + (int)number, false);
}

/* The node of a new constant; where there is no room, the code counts as full. */
static int add_constant(struct berth_score_program *program, const struct wanted *wanted)
{
    if (program->constant_count == BERTH_CONSTANTS_MAX) {
        program->code.full = true;
        return 0;
    }
    double *constant = program->constants + program->constant_count * program->pairs;
    for (size_t i = 0; i < program->pairs; i++) {
        constant[i] = counts(wanted, i) ? wanted->values[i] : NAN;
    }
    return constant_symbol(program, program->constant_count++);
}

/* The code for the wanted values. */
static int lower_fixed(struct berth_score_program *program, const struct wanted *wanted,
                       bool weight)
{
    size_t first = 0;
    while (first < wanted->pairs && !counts(wanted, first)) {
        first++;
    }
    const double value = first < wanted->pairs ? wanted->values[first] : 0;
    const struct relation number = {0, value};
    static const struct relation SAME = {1, 0};
    if (holds(wanted, wanted->values, &number, weight ? 0 : EQUAL * largest(wanted))) {
        return berth_number(&program->code, tidy(value));
    }
    for (size_t k = program->shared_from; k < program->constant_count; k++) {
        double *constant = program->constants + k * program->pairs;
        if (holds(wanted, constant, &SAME, EQUAL * largest(wanted))) {
            complete(wanted, constant);
            return constant_symbol(program, k);
        }
    }
    for (size_t k = program->shared_from; k < program->constant_count; k++) {
        struct relation line;
        if (find_line(wanted, program->constants + k * program->pairs, weight, &line)) {
            struct berth_graph *code = &program->code;
            return berth_add(
                code,
                berth_multiply(code, berth_number(code, line.factor), constant_symbol(program, k)),
                berth_number(code, line.offset));
        }
    }
    return add_constant(program, wanted);
}

static int symbol(struct berth_score_program *program, enum berth_code_symbol symbol)
{
    return berth_symbol(&program->code, symbol,
                        symbol != BERTH_CODE_SCALE && symbol != BERTH_CODE_SHARPNESS);
}

static int lower(const struct lowering *lowering, int node);

static int lower_distance(const struct lowering *lowering)
{
    struct berth_score_program *program = lowering->compiler->program;
    if (!lowering->scaled) {
        return symbol(program, BERTH_CODE_DISTANCE);
    }
    return berth_divide(&program->code, symbol(program, BERTH_CODE_SCALED),
                        symbol(program, BERTH_CODE_SCALE));
}

/* max(r, k) or min(r, k), where r has a scale: it stands outside. */
static int lower_scaled_choice(const struct lowering *lowering, const struct berth_node *made)
{
    struct berth_score_program *program = lowering->compiler->program;
    const int scale = symbol(program, BERTH_CODE_SCALE);
    const int fixed = made->a == lowering->compiler->distance ? made->b : made->a;
    const int choice =
        berth_binary(&program->code, made->operation, symbol(program, BERTH_CODE_SCALED),
                     berth_multiply(&program->code, scale, lower(lowering, fixed)));
    return berth_divide(&program->code, choice, scale);
}

static int lower_anew(const struct lowering *lowering, int node)
{
    struct berth_compiler *compiler = lowering->compiler;
    struct berth_score_program *program = compiler->program;
    const struct berth_node made = compiler->graph->nodes[node];
    const int distance = compiler->distance, operands = berth_operand_count(made.operation);
    if (!made.varies) {
        const struct wanted wanted = {compiler->columns[node], program->masks, lowering->part,
                                      program->pairs};
        return lower_fixed(program, &wanted, false);
    }
    if (node == distance) {
        return lower_distance(lowering);
    }
    if (made.operation == BERTH_RECIPROCAL && made.a == distance) {
        program->inverted = true;
        return symbol(program, BERTH_CODE_INVERSE);
    }
    if (made.operation == BERTH_POWER && made.a == distance && fmod(made.number, 2) == 0) {
        return berth_power(&program->code, symbol(program, BERTH_CODE_SQUARE),
                           (int)made.number / 2);
    }
    if (lowering->scaled && (made.operation == BERTH_MAX || made.operation == BERTH_MIN) &&
        (made.a == distance || made.b == distance) &&
        !(compiler->graph->nodes[made.a].varies && compiler->graph->nodes[made.b].varies)) {
        return lower_scaled_choice(lowering, &made);
    }
    const int a = lower(lowering, made.a);
    const int b = operands > 1 ? lower(lowering, made.b) : 0;
    const int c = operands > 2 ? lower(lowering, made.c) : 0;
    return berth_rebuild(&program->code, &made, a, b, c);
}

static int lower(const struct lowering *lowering, int node)
{
    int *map = lowering->compiler->map;
    if (!map[node]) {
        map[node] = lower_anew(lowering, node) + 1;
    }
    return map[node] - 1;
}

/* Lowers all parts to a form. */
static void lower_form(struct berth_compiler *compiler, const int *weights, const int *bases,
                       bool scaled, struct berth_code_form *form)
{
    struct berth_score_program *program = compiler->program;
    for (size_t k = 0; k < program->part_count; k++) {
        const struct lowering lowering = {compiler, k, scaled};
        const struct wanted wanted = {compiler->columns[weights[k]], NULL, k, program->pairs};
        memset(compiler->map, 0, BERTH_NODES_MAX * sizeof *compiler->map);
        form->bases[k] = lower(&lowering, bases[k]);
        form->weights[k] = lower_fixed(program, &wanted, true);
        berth_move_factor(&program->code, &form->weights[k], &form->bases[k]);
    }
}

/* The derivative of the energy, with kinks that jump or not. */
static int derive_energy(struct berth_compiler *compiler, bool soft)
{
    struct berth_score_program *program = compiler->program;
    const struct berth_derivation derivation = {
        .graph = &program->code,
        .distance = symbol(program, BERTH_CODE_DISTANCE),
        .inverse = symbol(program, BERTH_CODE_INVERSE),
        .square = symbol(program, BERTH_CODE_SQUARE),
        .sharpness = soft ? symbol(program, BERTH_CODE_SHARPNESS) : 0,
        .known = compiler->map};
    memset(compiler->map, 0, BERTH_NODES_MAX * sizeof *compiler->map);
    return berth_derive(&derivation, program->energy);
}

/* The clamped loops are a GPU's.  It loads vectors of four numbers, and waits for them at each run
 * of receptor atoms: so what these loops need lies together, and begins where a vector does. */
static void begin_apart(struct berth_score_program *program)
{
    enum { VECTOR = 4 };
    size_t apart = (program->constant_count + VECTOR - 1) / VECTOR * VECTOR;
    apart = apart < BERTH_CONSTANTS_MAX ? apart : BERTH_CONSTANTS_MAX;
    program->constant_count = program->shared_from = apart;
}

enum berth_status berth_make_code(struct berth_compiler *compiler, struct berth_error *error)
{
    struct berth_score_program *program = compiler->program;
    enum berth_status status = berth_graph_create(&program->code, error);
    program->constants =
        berth_alloc(BERTH_CONSTANTS_MAX * program->pairs, sizeof *program->constants);
    if (!status && !program->constants) {
        status = berth_out_of_memory(error, NULL);
    }
    if (status) {
        return status;
    }
    lower_form(compiler, compiler->knee_weights, compiler->knee_bases, false, &program->pair);
    for (size_t k = 0; k < program->part_count; k++) {
        program->energy = berth_add(
            &program->code, program->energy,
            berth_multiply(&program->code, program->pair.weights[k], program->pair.bases[k]));
    }
    program->slope = derive_energy(compiler, false);
    program->soft_slope = derive_energy(compiler, true);
    lower_form(compiler, compiler->knee_weights, compiler->knee_bases, true, &program->knee);
    program->slope_constants = program->constant_count;
    begin_apart(program);
    lower_form(compiler, compiler->clamp_weights, compiler->clamp_bases, true, &program->clamp);
    for (size_t i = 0; i < program->constant_count * program->pairs; i++) {
        program->constants[i] = isnan(program->constants[i]) ? 0 : program->constants[i];
    }
    if (program->code.full || program->graph.full) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "%s: the function is too large for a kernel: more than %d operations or "
                          "%d constants of a pair of types",
                          program->definition->file, BERTH_NODES_MAX, BERTH_CONSTANTS_MAX);
    }
    return BERTH_OK;
}
