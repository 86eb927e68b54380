/* Compiling: the terms are taken apart, shaped, and become code, as program.h says. */
#include "score/language/program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Which columns count as equal, and as a line of each other: the largest difference in terms of the
 * largest value. */
#define EQUAL 1e-12
#define ALIKE 1e-10

/* What compiling works on: the program. */
struct compiler {
    struct berth_score_program *program;
    struct berth_graph *graph; /* the program's */
    double **columns;          /* owned; [BERTH_NODES_MAX]: values of the graph's nodes that do
                                  not vary, [pairs] each; NULL of others */
    int *map;                  /* owned; [BERTH_NODES_MAX]: what nodes became, plus 1 */
    struct berth_code_form knee, clamp; /* in the graph */
    size_t part;                        /* that is being shaped or lowered */
    bool kneed;                         /* shaping: into the form with knees */
    bool scaled;                        /* lowering: r stands for scale times the distance */
};

/* Works out the columns of nodes that have none. */
static enum berth_status fill_columns(struct compiler *compiler, struct berth_error *error)
{
    const struct berth_definition *definition = compiler->program->definition;
    const size_t pairs = compiler->program->pairs, types = definition->type_count;
    for (int i = 0; i < compiler->graph->count; i++) {
        const struct berth_node *node = &compiler->graph->nodes[i];
        double *const *columns = compiler->columns;
        if (node->varies || columns[i]) {
            continue;
        }
        BERTH_TRY(berth_make(&compiler->columns[i], pairs, sizeof *columns[i], NULL, error));
        double *column = columns[i];
        for (size_t pair = 0; pair < pairs; pair++) {
            if (node->operation == BERTH_SYMBOL) {
                column[pair] =
                    berth_definition_value(definition, node->a, pair / types, pair % types);
            } else {
                column[pair] = berth_operate(node, columns[node->a][pair], columns[node->b][pair],
                                             columns[node->c][pair]);
            }
        }
    }
    return BERTH_OK;
}

/* --- Parts --- */

static void add_part(struct berth_score_program *program, size_t term, int weight, int base)
{
    if (weight != 0 && program->part_count < BERTH_PARTS_MAX) {
        program->terms[program->part_count] = term;
        program->weights[program->part_count] = weight;
        program->bases[program->part_count] = base;
    }
    program->part_count += weight != 0;
}

/* Adds weight * node as one part, or, where it is a sum, as many. */
static void split(struct berth_score_program *program, size_t term, int weight, int node, bool sums)
{
    struct berth_graph *graph = &program->graph;
    const struct berth_affine affine = berth_take_apart(graph, node);
    const struct berth_node base = graph->nodes[affine.base];
    if (!sums && affine.base && affine.offset != 0) {
        add_part(program, term, weight, node);
        return;
    }
    add_part(program, term, berth_multiply(graph, weight, affine.offset), berth_number(graph, 1));
    if (!affine.base) {
        return;
    }
    const int inner = berth_multiply(graph, weight, affine.factor);
    if (sums && base.operation == BERTH_ADD) {
        split(program, term, inner, base.a, sums);
        split(program, term, inner, base.b, sums);
    } else {
        add_part(program, term, inner, affine.base);
    }
}

static void find_parts(struct berth_score_program *program)
{
    const struct berth_definition *definition = program->definition;
    for (int sums = 1; sums >= 0; sums--) {
        program->part_count = 0;
        for (size_t term = 0; term < definition->terms.count; term++) {
            split(program, term, berth_number(&program->graph, 1), definition->term_nodes[term],
                  sums);
        }
        if (program->part_count <= BERTH_PARTS_MAX) {
            return;
        }
    }
}

/* Which pairs of types have which parts; parts that none has are left out. */
static void find_masks(struct compiler *compiler)
{
    struct berth_score_program *program = compiler->program;
    size_t kept = 0;
    for (size_t k = 0; k < program->part_count; k++) {
        const double *weights = compiler->columns[program->weights[k]];
        bool any = false;
        for (size_t pair = 0; pair < program->pairs; pair++) {
            program->masks[pair] |= (weights[pair] != 0 ? 1u : 0u) << kept;
            any = any || weights[pair] != 0;
        }
        if (any) {
            program->terms[kept] = program->terms[k];
            program->weights[kept] = program->weights[k];
            program->bases[kept++] = program->bases[k];
        }
    }
    program->part_count = kept;
}

/* The masks that most pairs have get loop bodies of their own; all others take all parts. */
static void choose_bodies(struct berth_score_program *program)
{
    const unsigned all = (1u << program->part_count) - 1;
    size_t counts[1u << BERTH_PARTS_MAX] = {0};
    for (size_t pair = 0; pair < program->pairs; pair++) {
        counts[program->masks[pair]]++;
    }
    counts[0] = counts[all] = 0;
    while (program->body_count < BERTH_BODIES_MAX - 1) {
        unsigned best = 0;
        for (unsigned mask = 1; mask < all; mask++) {
            best = counts[mask] > counts[best] ? mask : best;
        }
        if (!best) {
            break;
        }
        counts[best] = 0;
        program->bodies[program->body_count++] = best;
    }
    program->bodies[program->body_count++] = all;
}

/* --- Shapes: the forms in which parts become code --- */

/* Makes of weight * base, whose base may have a factor, the same without that. */
static void move_factor(struct berth_graph *graph, int *weight, int *base)
{
    const struct berth_affine affine = berth_take_apart(graph, *base);
    if (affine.base && affine.offset == 0) {
        *weight = berth_multiply(graph, *weight, affine.factor);
        *base = affine.base;
    }
}

/* Whether the line slope r + offset falls for all pairs of types that have the part; *kneed:
 * whether it is above 1 anywhere. */
static bool falls(struct compiler *compiler, const struct berth_affine *line, bool *kneed)
{
    const struct berth_score_program *program = compiler->program;
    const double *slopes = compiler->columns[line->factor];
    const double *offsets = compiler->columns[line->offset];
    *kneed = false;
    for (size_t pair = 0; pair < program->pairs; pair++) {
        const bool has_part = program->masks[pair] >> compiler->part & 1;
        if (has_part && !(slopes[pair] < 0)) {
            return false;
        }
        *kneed = *kneed || (has_part && offsets[pair] > 1 + 1e-9);
    }
    return true;
}

/* A ramp of a line that falls, as program.h says. */
static int shape_ramp(struct compiler *compiler, int x)
{
    struct berth_graph *graph = compiler->graph;
    const int distance = compiler->program->distance;
    const struct berth_affine line = berth_take_apart(graph, x);
    bool kneed;
    if (!compiler->kneed || line.base != distance || !falls(compiler, &line, &kneed)) {
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

static int shape(struct compiler *compiler, int node)
{
    const struct berth_node made = compiler->graph->nodes[node];
    if (!made.varies || made.operation == BERTH_SYMBOL) {
        return node;
    }
    if (!compiler->map[node]) {
        const int operands = berth_operand_count(made.operation);
        const int a = shape(compiler, made.a);
        const int b = operands > 1 ? shape(compiler, made.b) : 0;
        const int c = operands > 2 ? shape(compiler, made.c) : 0;
        compiler->map[node] =
            1 + (made.operation == BERTH_SATURATE ? shape_ramp(compiler, a)
                 : made.operation == BERTH_EXP2   ? shape_exp2(compiler->graph, a)
                                                  : berth_rebuild(compiler->graph, &made, a, b, c));
    }
    return compiler->map[node] - 1;
}

/* Writes each part of the graph in the forms that code has. */
static void shape_parts(struct compiler *compiler)
{
    struct berth_score_program *program = compiler->program;
    for (size_t k = 0; k < program->part_count; k++) {
        for (int knees = 0; knees < 2; knees++) {
            compiler->part = k;
            compiler->kneed = knees;
            memset(compiler->map, 0, BERTH_NODES_MAX * sizeof *compiler->map);
            int weight = program->weights[k], base = shape(compiler, program->bases[k]);
            move_factor(compiler->graph, &weight, &base);
            struct berth_code_form *form = knees ? &compiler->knee : &compiler->clamp;
            form->weights[k] = weight;
            form->bases[k] = base;
        }
    }
}

/* --- Code: what depends on types alone becomes a constant of the pair of types, unless it is the
 * same number for all, or a line of a constant that there is --- */

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

/* Whether the wanted values are factor * constant + offset, as far as the constant is known (not
 * NaN). */
static bool is_line(const struct wanted *wanted, const double *constant, double factor,
                    double offset, double tolerance)
{
    for (size_t i = 0; i < wanted->pairs; i++) {
        const double made = factor * constant[i] + offset;
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
                      double *factor, double *offset)
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
    *factor = tidy((wanted->values[high] - wanted->values[low]) / (constant[high] - constant[low]));
    *offset = tidy(wanted->values[low] - *factor * constant[low]);
    const double most = largest(wanted);
    if (fabs(*offset) <= ALIKE * most) {
        *offset = 0;
    }
    return !(weight && *offset != 0) && fabs(*offset) <= 10 * most &&
           is_line(wanted, constant, *factor, *offset, ALIKE * most);
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

/* The code for the wanted values. */
static int lower_fixed(struct berth_score_program *program, const struct wanted *wanted,
                       bool weight)
{
    size_t first = 0;
    while (first < wanted->pairs && !counts(wanted, first)) {
        first++;
    }
    const double value = first < wanted->pairs ? wanted->values[first] : 0;
    const double equal = EQUAL * largest(wanted);
    struct berth_graph *code = &program->code;
    if (is_line(wanted, wanted->values, 0, value, weight ? 0 : equal)) {
        return berth_number(code, tidy(value));
    }
    for (size_t k = program->shared_from; k < program->constant_count; k++) {
        double *constant = program->constants + k * program->pairs;
        if (is_line(wanted, constant, 1, 0, equal)) {
            complete(wanted, constant);
            return constant_symbol(program, k);
        }
    }
    for (size_t k = program->shared_from; k < program->constant_count; k++) {
        double factor, offset;
        if (find_line(wanted, program->constants + k * program->pairs, weight, &factor, &offset)) {
            return berth_add(
                code, berth_multiply(code, berth_number(code, factor), constant_symbol(program, k)),
                berth_number(code, offset));
        }
    }
    /* A new constant; where there is no room, the code counts as full. */
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

static int symbol(struct berth_score_program *program, enum berth_code_symbol symbol)
{
    return berth_symbol(&program->code, symbol,
                        symbol != BERTH_CODE_SCALE && symbol != BERTH_CODE_SHARPNESS);
}

static int lower(struct compiler *compiler, int node);

static int lower_distance(struct compiler *compiler)
{
    struct berth_score_program *program = compiler->program;
    if (!compiler->scaled) {
        return symbol(program, BERTH_CODE_DISTANCE);
    }
    return berth_divide(&program->code, symbol(program, BERTH_CODE_SCALED),
                        symbol(program, BERTH_CODE_SCALE));
}

/* max(r, k) or min(r, k), where r has a scale: it stands outside. */
static int lower_scaled_choice(struct compiler *compiler, const struct berth_node *made)
{
    struct berth_score_program *program = compiler->program;
    const int scale = symbol(program, BERTH_CODE_SCALE);
    const int fixed = made->a == program->distance ? made->b : made->a;
    const int choice =
        berth_binary(&program->code, made->operation, symbol(program, BERTH_CODE_SCALED),
                     berth_multiply(&program->code, scale, lower(compiler, fixed)));
    return berth_divide(&program->code, choice, scale);
}

static int lower_anew(struct compiler *compiler, int node)
{
    struct berth_score_program *program = compiler->program;
    const struct berth_node made = compiler->graph->nodes[node];
    const int distance = program->distance, operands = berth_operand_count(made.operation);
    if (!made.varies) {
        const struct wanted wanted = {compiler->columns[node], program->masks, compiler->part,
                                      program->pairs};
        return lower_fixed(program, &wanted, false);
    }
    if (node == distance) {
        return lower_distance(compiler);
    }
    if (made.operation == BERTH_RECIPROCAL && made.a == distance) {
        program->inverted = true;
        return symbol(program, BERTH_CODE_INVERSE);
    }
    if (made.operation == BERTH_POWER && made.a == distance && fmod(made.number, 2) == 0) {
        return berth_power(&program->code, symbol(program, BERTH_CODE_SQUARE),
                           (int)made.number / 2);
    }
    if (compiler->scaled && (made.operation == BERTH_MAX || made.operation == BERTH_MIN) &&
        (made.a == distance || made.b == distance) &&
        !(compiler->graph->nodes[made.a].varies && compiler->graph->nodes[made.b].varies)) {
        return lower_scaled_choice(compiler, &made);
    }
    const int a = lower(compiler, made.a);
    const int b = operands > 1 ? lower(compiler, made.b) : 0;
    const int c = operands > 2 ? lower(compiler, made.c) : 0;
    return berth_rebuild(&program->code, &made, a, b, c);
}

static int lower(struct compiler *compiler, int node)
{
    int *map = compiler->map;
    if (!map[node]) {
        map[node] = lower_anew(compiler, node) + 1;
    }
    return map[node] - 1;
}

/* Lowers all parts to a form. */
static void lower_form(struct compiler *compiler, const struct berth_code_form *shaped, bool scaled,
                       struct berth_code_form *form)
{
    struct berth_score_program *program = compiler->program;
    for (size_t k = 0; k < program->part_count; k++) {
        compiler->part = k;
        compiler->scaled = scaled;
        const struct wanted wanted = {compiler->columns[shaped->weights[k]], NULL, k,
                                      program->pairs};
        memset(compiler->map, 0, BERTH_NODES_MAX * sizeof *compiler->map);
        form->bases[k] = lower(compiler, shaped->bases[k]);
        form->weights[k] = lower_fixed(program, &wanted, true);
        move_factor(&program->code, &form->weights[k], &form->bases[k]);
    }
}

/* The derivative of the energy, with kinks that jump or not. */
static int derive_energy(struct compiler *compiler, bool soft)
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

/* Makes the code and its constants of the shaped parts. */
static enum berth_status make_code(struct compiler *compiler, struct berth_error *error)
{
    struct berth_score_program *program = compiler->program;
    berth_graph_begin(&program->code);
    BERTH_TRY(berth_make(&program->constants, BERTH_CONSTANTS_MAX * program->pairs,
                         sizeof *program->constants, NULL, error));
    lower_form(compiler, &compiler->knee, false, &program->pair);
    for (size_t k = 0; k < program->part_count; k++) {
        program->energy = berth_add(
            &program->code, program->energy,
            berth_multiply(&program->code, program->pair.weights[k], program->pair.bases[k]));
    }
    program->slope = derive_energy(compiler, false);
    program->soft_slope = derive_energy(compiler, true);
    lower_form(compiler, &compiler->knee, true, &program->knee);
    program->slope_constants = program->constant_count;
    begin_apart(program);
    lower_form(compiler, &compiler->clamp, true, &program->clamp);
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

/* --- All together --- */

/* Whether at r all parts of all pairs are finite, or 0, and slopes too. */
static bool all_are(const struct berth_score_program *program, double r, bool zero)
{
    double values[BERTH_NODES_MAX];
    for (size_t pair = 0; pair < program->pairs; pair++) {
        berth_score_run(program, pair, r, values);
        bool fine = isfinite(values[program->slope]) && isfinite(values[program->soft_slope]);
        if (zero) {
            fine = values[program->slope] == 0 && values[program->soft_slope] == 0;
        }
        for (size_t k = 0; k < program->part_count; k++) {
            const double knee = values[program->knee.bases[k]];
            const double clamp = values[program->clamp.bases[k]];
            fine = fine && (zero ? knee == 0 && clamp == 0 : isfinite(knee) && isfinite(clamp));
        }
        if (!fine) {
            return false;
        }
    }
    return true;
}

/* A distance at which everything is 0, to stand for all from the cutoff on; 0 where there is none.
 */
static double find_far(const struct berth_score_program *program)
{
    static const double DISTANCES[] = {1e4, 1e6, 1e9, 1e12, 1e15};
    for (size_t i = 0; i < sizeof DISTANCES / sizeof *DISTANCES; i++) {
        if (all_are(program, DISTANCES[i], true)) {
            return DISTANCES[i];
        }
    }
    return 0;
}

static void clear_code(struct berth_score_program *program)
{
    free(program->constants);
    program->constants = NULL;
    program->constant_count = 0;
    program->energy = 0;
    program->inverted = false;
}

static enum berth_status shape_and_make(struct compiler *compiler, struct berth_error *error)
{
    clear_code(compiler->program);
    shape_parts(compiler);
    BERTH_TRY(fill_columns(compiler, error));
    return make_code(compiler, error);
}

/* Has parts end at the cutoff by a comparison of their own. */
static void cut_parts(struct compiler *compiler)
{
    struct berth_score_program *program = compiler->program;
    const int cutoff = berth_number(compiler->graph, program->definition->cutoff);
    const int within = berth_binary(compiler->graph, BERTH_LESS, program->distance, cutoff);
    for (size_t k = 0; k < program->part_count; k++) {
        program->bases[k] = berth_select(compiler->graph, within, program->bases[k], 0);
    }
}

/* The derivatives of parts, for evaluating. */
static void derive_parts(struct compiler *compiler)
{
    struct berth_score_program *program = compiler->program;
    const struct berth_derivation derivation = {
        .graph = compiler->graph, .distance = program->distance, .known = compiler->map};
    memset(compiler->map, 0, BERTH_NODES_MAX * sizeof *compiler->map);
    for (size_t k = 0; k < program->part_count; k++) {
        program->slope_nodes[k] = berth_derive(&derivation, program->bases[k]);
    }
}

static enum berth_status compile(struct compiler *compiler, struct berth_error *error)
{
    struct berth_score_program *program = compiler->program;
    find_parts(program);
    BERTH_TRY(fill_columns(compiler, error));
    find_masks(compiler);
    choose_bodies(program);
    const bool ends = berth_score_find_reach(program, compiler->columns);
    BERTH_TRY(shape_and_make(compiler, error));
    program->far = ends ? 0 : find_far(program);
    if (!ends && program->far == 0) {
        cut_parts(compiler);
        BERTH_TRY(shape_and_make(compiler, error));
    }
    derive_parts(compiler);
    program->floored = !all_are(program, 0, false);
    BERTH_TRY(fill_columns(compiler, error));
    return berth_score_find_steps(program, compiler->columns, error);
}

enum berth_status berth_score_compile(const struct berth_definition *definition,
                                      struct berth_score_program *program,
                                      struct berth_error *error)
{
    memset(program, 0, sizeof *program);
    program->definition = definition;
    program->pairs = definition->type_count * definition->type_count;
    program->graph = definition->graph; /* of its own, to add to */
    struct compiler compiler = {.program = program, .graph = &program->graph};
    program->distance = berth_symbol(&program->graph, BERTH_SYMBOL_DISTANCE, true);
    enum berth_status status =
        berth_make(&compiler.columns, BERTH_NODES_MAX, sizeof *compiler.columns, NULL, error);
    BERTH_THEN(berth_make(&compiler.map, BERTH_NODES_MAX, sizeof *compiler.map, NULL, error));
    BERTH_THEN(berth_make(&program->masks, program->pairs, sizeof *program->masks, NULL, error));
    BERTH_THEN(berth_make(&program->reach, program->pairs, sizeof *program->reach, NULL, error));
    BERTH_THEN(compile(&compiler, error));
    for (int i = 0; compiler.columns && i < BERTH_NODES_MAX; i++) {
        free(compiler.columns[i]);
    }
    free(compiler.columns);
    free(compiler.map);
    if (status) {
        berth_score_clear(program);
    }
    return status;
}

void berth_score_clear(struct berth_score_program *program)
{
    if (!program) {
        return;
    }
    clear_code(program);
    free(program->masks);
    free(program->reach);
    free(program->steps.steps);
    free(program->steps.fixed);
    memset(program, 0, sizeof *program);
}
