#include "score/language/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "score/language/compiler.h"
#include "score/language/tail.h"

enum berth_status berth_fill_columns(struct berth_compiler *compiler, struct berth_error *error)
{
    const struct berth_definition *definition = compiler->program->definition;
    const size_t pairs = compiler->program->pairs, types = definition->type_count;
    for (int i = 0; i < compiler->graph->count; i++) {
        const struct berth_node *node = &compiler->graph->nodes[i];
        double *const *columns = compiler->columns;
        if (node->varies || columns[i]) {
            continue;
        }
        double *column = compiler->columns[i] = berth_alloc(pairs, sizeof *column);
        if (!column) {
            return berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu types", types);
        }
        for (size_t pair = 0; pair < pairs; pair++) {
            if (node->operation == BERTH_SYMBOL) {
                const size_t parameter = (size_t)(node->a - 1) / 2;
                const size_t type = (node->a - 1) % 2 ? pair % types : pair / types;
                column[pair] = definition->values[type * definition->parameter_count + parameter];
            } else {
                column[pair] = berth_operate(node, columns[node->a][pair], columns[node->b][pair],
                                             columns[node->c][pair]);
            }
        }
    }
    return BERTH_OK;
}

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
static void find_masks(struct berth_compiler *compiler)
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

/* Works out the reach of each pair; *ends: whether all end before the cutoff by themselves. */
static void find_reach(struct berth_compiler *compiler, bool *ends)
{
    struct berth_score_program *program = compiler->program;
    const double cutoff = program->definition->cutoff;
    struct berth_tail tails[BERTH_NODES_MAX];
    *ends = true;
    for (size_t pair = 0; pair < program->pairs; pair++) {
        double reach = 0;
        for (int i = 0; i < compiler->graph->count; i++) {
            compiler->row[i] = compiler->columns[i] ? compiler->columns[i][pair] : 0;
        }
        berth_find_tails(compiler->graph, compiler->row, compiler->distance, compiler->graph->count,
                         tails);
        for (size_t k = 0; k < program->part_count; k++) {
            const struct berth_tail *tail = &tails[program->bases[k]];
            if (program->masks[pair] >> k & 1) {
                reach = fmax(reach, tail->value == 0 ? tail->from : INFINITY);
            }
        }
        *ends = *ends && reach <= cutoff;
        program->reach[pair] = fmin(reach, cutoff);
    }
}

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
    berth_graph_clear(&program->code);
    program->constants = NULL;
    program->constant_count = 0;
    program->energy = 0;
    program->inverted = false;
}

static enum berth_status shape_and_make(struct berth_compiler *compiler, struct berth_error *error)
{
    clear_code(compiler->program);
    berth_shape_parts(compiler);
    enum berth_status status = berth_fill_columns(compiler, error);
    return status ? status : berth_make_code(compiler, error);
}

/* Has parts end at the cutoff by a comparison of their own. */
static void cut_parts(struct berth_compiler *compiler)
{
    struct berth_score_program *program = compiler->program;
    const int cutoff = berth_number(compiler->graph, program->definition->cutoff);
    const int within = berth_binary(compiler->graph, BERTH_LESS, compiler->distance, cutoff);
    for (size_t k = 0; k < program->part_count; k++) {
        program->bases[k] = berth_select(compiler->graph, within, program->bases[k], 0);
    }
}

/* The derivatives of parts, for evaluating. */
static void derive_parts(struct berth_compiler *compiler)
{
    struct berth_score_program *program = compiler->program;
    const struct berth_derivation derivation = {
        .graph = compiler->graph, .distance = compiler->distance, .known = compiler->map};
    memset(compiler->map, 0, BERTH_NODES_MAX * sizeof *compiler->map);
    for (size_t k = 0; k < program->part_count; k++) {
        program->slope_nodes[k] = berth_derive(&derivation, program->bases[k]);
    }
}

static enum berth_status compile(struct berth_compiler *compiler, struct berth_error *error)
{
    struct berth_score_program *program = compiler->program;
    bool ends;
    find_parts(program);
    enum berth_status status = berth_fill_columns(compiler, error);
    if (status) {
        return status;
    }
    find_masks(compiler);
    choose_bodies(program);
    find_reach(compiler, &ends);
    status = shape_and_make(compiler, error);
    if (!status && !ends) {
        program->far = find_far(program);
        if (program->far == 0) {
            cut_parts(compiler);
            status = shape_and_make(compiler, error);
        }
    }
    if (!status) {
        derive_parts(compiler);
        program->floored = !all_are(program, 0, false);
    }
    return status;
}

/* A graph of its own, to add to. */
static enum berth_status copy_graph(const struct berth_graph *from, struct berth_graph *to,
                                    struct berth_error *error)
{
    enum berth_status status = berth_graph_create(to, error);
    if (!status) {
        memcpy(to->nodes, from->nodes, (size_t)from->count * sizeof *to->nodes);
        to->count = from->count;
    }
    return status;
}

enum berth_status berth_score_compile(const struct berth_definition *definition,
                                      struct berth_score_program *program,
                                      struct berth_error *error)
{
    *program = (struct berth_score_program){
        .definition = definition, .pairs = definition->type_count * definition->type_count};
    struct berth_compiler compiler = {.program = program,
                                      .graph = &program->graph,
                                      .columns =
                                          berth_alloc(BERTH_NODES_MAX, sizeof *compiler.columns),
                                      .row = berth_alloc(BERTH_NODES_MAX, sizeof *compiler.row),
                                      .map = berth_alloc(BERTH_NODES_MAX, sizeof *compiler.map)};
    program->masks = berth_alloc(program->pairs, sizeof *program->masks);
    program->reach = berth_alloc(program->pairs, sizeof *program->reach);
    enum berth_status status = copy_graph(&definition->graph, &program->graph, error);
    if (!status && (!compiler.columns || !compiler.row || !compiler.map || !program->masks ||
                    !program->reach)) {
        status = berth_out_of_memory(error, NULL);
    }
    if (!status) {
        compiler.distance = berth_symbol(&program->graph, BERTH_SYMBOL_DISTANCE, true);
        program->distance = compiler.distance;
        status = compile(&compiler, error);
    }
    for (int i = 0; compiler.columns && i < BERTH_NODES_MAX; i++) {
        free(compiler.columns[i]);
    }
    free(compiler.columns);
    free(compiler.row);
    free(compiler.map);
    if (status) {
        berth_score_clear(program);
    }
    return status;
}

void berth_score_evaluate(const struct berth_score_program *program, int first, int second,
                          double r, struct berth_terms *terms, struct berth_terms *slopes)
{
    const struct berth_definition *definition = program->definition;
    const size_t count = definition->parameter_count, types = definition->type_count;
    double symbols[BERTH_SYMBOL_COUNT], values[BERTH_NODES_MAX];
    struct berth_terms none, *to[2] = {terms ? terms : &none, slopes ? slopes : &none};
    memset(to[0], 0, sizeof *to[0]);
    memset(to[1], 0, sizeof *to[1]);
    if (r >= definition->cutoff) {
        return;
    }
    symbols[BERTH_SYMBOL_DISTANCE] = program->floored ? fmax(r, BERTH_DISTANCE_LEAST) : r;
    for (size_t k = 0; k < count; k++) {
        symbols[BERTH_SYMBOL_PARAMETER(k, 0)] = definition->values[(size_t)first * count + k];
        symbols[BERTH_SYMBOL_PARAMETER(k, 1)] = definition->values[(size_t)second * count + k];
    }
    berth_evaluate(&program->graph, symbols, false, program->graph.count, values);
    for (size_t k = 0; k < program->part_count; k++) {
        if (program->masks[(size_t)first * types + (size_t)second] >> k & 1) {
            const double weight = values[program->weights[k]];
            to[0]->values[program->terms[k]] += weight * values[program->bases[k]];
            to[1]->values[program->terms[k]] += weight * values[program->slope_nodes[k]];
        }
    }
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

void berth_score_clear(struct berth_score_program *program)
{
    if (!program) {
        return;
    }
    clear_code(program);
    berth_graph_clear(&program->graph);
    free(program->masks);
    free(program->reach);
    memset(program, 0, sizeof *program);
}
