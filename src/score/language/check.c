/* Trying a scoring function that nobody has tried: at many distances, and then by intervals, so
 * that nothing is left out between them. */
#include <math.h>
#include <stdio.h>

#include "score/language/interval.h"
#include "score/language/program.h"

/* The r of one try is so many times that of the one before. */
#define STEP 1.03

/* Å: what is not known to be finite on a piece of r of this width is not finite there; and
 * operations that trying a function may take. */
#define WIDTH 1e-5
enum { OPERATIONS_MAX = 20000000 };

struct trial {
    const struct berth_score_program *program;
    int first, second;
    double r;
};

/* "nan" without a sign. */
static double shown(double value)
{
    return isnan(value) ? fabs(value) : value;
}

static enum berth_status refuse(const struct trial *trial, size_t term, const char *what,
                                double value, struct berth_error *error)
{
    const struct berth_definition *definition = trial->program->definition;
    return berth_fail(error, BERTH_E_FORMAT,
                      "%s: the %s of term %s is %g for %s and %s at r = %g Å", definition->file,
                      what, definition->terms.names[term], shown(value),
                      definition->types[trial->first], definition->types[trial->second], trial->r);
}

/* Terms and slopes are finite, and the same when the atoms change places. */
static enum berth_status try_terms(const struct trial *trial, struct berth_error *error)
{
    const struct berth_definition *definition = trial->program->definition;
    struct berth_terms terms, slopes, other;
    berth_score_evaluate(trial->program, trial->first, trial->second, trial->r, &terms, &slopes);
    berth_score_evaluate(trial->program, trial->second, trial->first, trial->r, &other, NULL);
    for (size_t i = 0; i < definition->terms.count; i++) {
        const double value = terms.values[i];
        if (!isfinite(value)) {
            return refuse(trial, i, "value", value, error);
        }
        if (!isfinite(slopes.values[i])) {
            return refuse(trial, i, "derivative", slopes.values[i], error);
        }
        if (fabs(value - other.values[i]) > 1e-9 * (1 + fabs(value))) {
            return berth_fail(
                error, BERTH_E_FORMAT,
                "%s: term %s is %g for %s and %s at r = %g Å, but %g when they change "
                "places; energies do not know which atom is the first",
                definition->file, definition->terms.names[i], value,
                definition->types[trial->first], definition->types[trial->second], trial->r,
                other.values[i]);
        }
    }
    return BERTH_OK;
}

/* What a device makes of it, in single precision, is finite. */
static enum berth_status try_code(const struct trial *trial, struct berth_error *error)
{
    const struct berth_score_program *program = trial->program;
    const size_t types = program->definition->type_count;
    double values[BERTH_NODES_MAX];
    berth_score_run(program, (size_t)trial->first * types + (size_t)trial->second, trial->r,
                    values);
    const int nodes[] = {program->energy, program->slope, program->soft_slope};
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        if (!isfinite(values[nodes[i]])) {
            const struct berth_definition *definition = program->definition;
            return berth_fail(error, BERTH_E_FORMAT,
                              "%s: the %s is %g in single precision for %s and %s at r = %g Å",
                              definition->file, i ? "energy's derivative" : "energy",
                              shown(values[nodes[i]]), definition->types[trial->first],
                              definition->types[trial->second], trial->r);
        }
    }
    return BERTH_OK;
}

/* What trying a function by intervals takes. */
struct bounding {
    const struct berth_score_program *program;
    int first, second;
    struct berth_interval symbols[BERTH_CODE_CONSTANTS + BERTH_CONSTANTS_MAX + BERTH_SYMBOL_COUNT];
    size_t left; /* operations */
};

static struct berth_interval between(double low, double high)
{
    return (struct berth_interval){low, high, false};
}

static void set_terms(void *context, double low, double high)
{
    struct bounding *bounding = context;
    bounding->symbols[BERTH_SYMBOL_DISTANCE] = between(low, high);
}

static void set_code(void *context, double low, double high)
{
    struct berth_interval *symbols = ((struct bounding *)context)->symbols;
    symbols[BERTH_CODE_DISTANCE] = symbols[BERTH_CODE_SCALED] = between(low, high);
    symbols[BERTH_CODE_INVERSE] = between(1 / high, 1 / low);
    symbols[BERTH_CODE_SQUARE] = between(low * low, high * high);
}

/* Searches from 0, or the least r, to the cutoff. */
static bool bound(struct bounding *bounding, struct berth_interval_search *search,
                  struct berth_interval_place *where)
{
    const struct berth_score_program *program = bounding->program;
    search->symbols = bounding->symbols;
    search->context = bounding;
    search->width = WIDTH;
    search->left = &bounding->left;
    return berth_interval_search(search, program->floored ? BERTH_DISTANCE_LEAST : 0,
                                 program->definition->cutoff, where);
}

/* what: "value of term x". */
static enum berth_status unbounded(const struct bounding *bounding, const char *what,
                                   const struct berth_interval_place *where,
                                   struct berth_error *error)
{
    const struct berth_definition *definition = bounding->program->definition;
    const char *first = definition->types[bounding->first];
    const char *second = definition->types[bounding->second];
    const double r = where->low + (where->high - where->low) / 2;
    return where->narrow
               ? berth_fail(error, BERTH_E_FORMAT,
                            "%s: the %s is not finite for %s and %s near r = %.6g Å; divide by "
                            "nothing that is 0 there, and take no root or logarithm of what is "
                            "not above 0",
                            definition->file, what, first, second, r)
               : berth_fail(error, BERTH_E_FORMAT,
                            "%s: whether the %s is finite for %s and %s near r = %.6g Å cannot be "
                            "told in %d operations; write it in a simpler way",
                            definition->file, what, first, second, r, OPERATIONS_MAX);
}

/* Terms and slopes have bounds. */
static enum berth_status bound_terms(struct bounding *bounding, struct berth_error *error)
{
    const struct berth_score_program *program = bounding->program;
    const struct berth_definition *definition = program->definition;
    const size_t types = definition->type_count, count = definition->parameter_count;
    const unsigned mask =
        program->masks[(size_t)bounding->first * types + (size_t)bounding->second];
    int nodes[2 * BERTH_PARTS_MAX];
    size_t parts[2 * BERTH_PARTS_MAX], node_count = 0;
    for (size_t k = 0; k < count; k++) {
        for (int atom = 0; atom < 2; atom++) {
            const size_t type = (size_t)(atom ? bounding->second : bounding->first);
            bounding->symbols[BERTH_SYMBOL_PARAMETER(k, atom)] =
                berth_interval_at(definition->values[type * count + k]);
        }
    }
    for (size_t k = 0; k < 2 * program->part_count; k++) {
        if (mask >> k / 2 & 1) {
            parts[node_count] = k;
            nodes[node_count++] = k % 2 ? program->slope_nodes[k / 2] : program->bases[k / 2];
        }
    }
    struct berth_interval_search search = {
        .graph = &program->graph, .set = set_terms, .nodes = nodes, .node_count = node_count};
    struct berth_interval_place where;
    if (bound(bounding, &search, &where)) {
        return BERTH_OK;
    }
    char what[BERTH_TERM_NAME_SIZE + 32];
    snprintf(what, sizeof what, "%s of term %s", parts[where.node] % 2 ? "derivative" : "value",
             definition->terms.names[program->terms[parts[where.node] / 2]]);
    return unbounded(bounding, what, &where, error);
}

/* What a device makes of it has, too. */
static enum berth_status bound_code(struct bounding *bounding, struct berth_error *error)
{
    const struct berth_score_program *program = bounding->program;
    const size_t pair =
        (size_t)bounding->first * program->definition->type_count + (size_t)bounding->second;
    const int nodes[] = {program->energy, program->slope, program->soft_slope};
    bounding->symbols[BERTH_CODE_SCALE] = berth_interval_at(1);
    bounding->symbols[BERTH_CODE_SHARPNESS] = berth_interval_at(BERTH_TRIED_SHARPNESS);
    for (size_t k = 0; k < program->constant_count; k++) {
        bounding->symbols[BERTH_CODE_CONSTANTS + k] =
            berth_interval_at((float)program->constants[k * program->pairs + pair]);
    }
    struct berth_interval_search search = {.graph = &program->code,
                                           .single = true,
                                           .set = set_code,
                                           .nodes = nodes,
                                           .node_count = sizeof nodes / sizeof *nodes};
    struct berth_interval_place where;
    return bound(bounding, &search, &where)
               ? BERTH_OK
               : unbounded(bounding,
                           where.node ? "energy's derivative in single precision"
                                      : "energy in single precision",
                           &where, error);
}

/* Tries a pair of types at many distances, and between them. */
static enum berth_status try_pair(struct bounding *bounding, struct berth_error *error)
{
    const struct berth_score_program *program = bounding->program;
    enum berth_status status = BERTH_OK;
    double r = program->floored ? BERTH_DISTANCE_LEAST : 0.001;
    for (; !status && r < program->definition->cutoff; r *= STEP) {
        const struct trial trial = {program, bounding->first, bounding->second, r};
        status = try_terms(&trial, error);
        status = status ? status : try_code(&trial, error);
    }
    status = status ? status : bound_terms(bounding, error);
    return status ? status : bound_code(bounding, error);
}

enum berth_status berth_score_check(const struct berth_score_program *program,
                                    struct berth_error *error)
{
    const int types = (int)program->definition->type_count;
    struct bounding bounding = {.program = program, .left = OPERATIONS_MAX};
    enum berth_status status = BERTH_OK;
    for (int i = 0; !status && i < types; i++) {
        for (int j = i; !status && j < types; j++) {
            bounding.first = i;
            bounding.second = j;
            status = try_pair(&bounding, error);
        }
    }
    return status;
}
