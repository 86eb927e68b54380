#include "floor.h"

#include <stdio.h>
#include <string.h>

#include "score/language/program.h"

/* Operations, and those of them that need a multiplier. */
struct cost {
    double operations, multipliers;
};

static const struct cost DISTANCE = {4, 3};
static const struct cost ROOTS[BERTH_ROOT_WAYS] = {{1, 0}, {1, 0}, {4, 3}, {1, 0}};

static void add(struct cost *sum, struct cost cost, double times)
{
    sum->operations += times * cost.operations;
    sum->multipliers += times * cost.multipliers;
}

/* The class of these parts, added in its place where there is none. */
static size_t find_class(unsigned parts, struct berth_work *work)
{
    size_t at = 0;
    while (at < work->count && work->parts[at] < parts) {
        at++;
    }
    if (at < work->count && work->parts[at] == parts) {
        return at;
    }
    for (size_t k = work->count++; k > at; k--) {
        work->parts[k] = work->parts[k - 1];
        work->pairs[k] = work->pairs[k - 1];
    }
    work->parts[at] = parts;
    work->pairs[at] = 0;
    return at;
}

/* "steric+desolvation": each term once. */
static void name_class(const struct berth_scoring *scoring, unsigned parts,
                       char name[BERTH_CLASS_NAME])
{
    bool named[BERTH_TERMS_MAX] = {false};
    *name = '\0';
    for (size_t k = 0; k < scoring->program->part_count; k++) {
        const size_t term = scoring->program->terms[k], used = strlen(name);
        if (parts >> k & 1 && !named[term]) {
            snprintf(name + used, BERTH_CLASS_NAME - used, "%s%s", used ? "+" : "",
                     scoring->terms.names[term]);
            named[term] = true;
        }
    }
}

/* Of a device without instructions for special functions: see kernels/distance.cl. */
static const struct berth_score_cost EXP2 = {12, 6, 0}, FUNCTION = {1, 0, 1}, OTHER = {10, 5, 0};

/* The cost of a node by itself. */
static struct berth_score_cost cost_of(const struct berth_writer *writer, int node, bool clamp)
{
    static const struct berth_score_cost NOTHING = {0, 0, 0}, ONE = {1, 0, 0}, PRODUCT = {1, 1, 0};
    const struct berth_node *made = &writer->code->nodes[node];
    const bool negates =
        made->operation == BERTH_AFFINE && berth_is_number(writer->code, made->b, -1);
    switch (made->operation) {
    case BERTH_NUMBER:
    case BERTH_SYMBOL:
        return NOTHING;
    case BERTH_AFFINE:
        return negates && made->c == 0                                ? NOTHING
               : negates || berth_is_number(writer->code, made->b, 1) ? ONE
                                                                      : PRODUCT;
    case BERTH_MULTIPLY:
    case BERTH_POWER:
        return PRODUCT;
    case BERTH_SATURATE:
        return clamp ? NOTHING : (struct berth_score_cost){2, 0, 0};
    case BERTH_EXP2:
        return clamp ? FUNCTION : EXP2;
    case BERTH_LOG2:
    case BERTH_SQRT:
    case BERTH_RECIPROCAL:
        return clamp ? FUNCTION : OTHER;
    default:
        return ONE;
    }
}

/* The cost in the loop body with these parts; clamp: of the form for devices that clamp to 0 .. 1
 * for nothing, which are taken to have special functions, too. */
static struct berth_score_cost cost_of_parts(const struct berth_score_program *program,
                                             unsigned parts, bool clamp)
{
    const struct berth_code_form *form = clamp ? &program->clamp : &program->knee;
    struct berth_score_cost sum = {0, 0, 0};
    struct berth_writer writer = {.code = &program->code};
    int product[2];
    for (size_t k = 0; k < program->part_count; k++) {
        if (parts >> k & 1) {
            berth_writer_count_uses(&writer, form->bases[k]);
        }
    }
    for (size_t k = 0; k < program->part_count; k++) {
        /* the sum takes a product for nothing */
        sum.operations +=
            parts >> k & 1 && !berth_writer_as_product(&writer, form->bases[k], product);
    }
    for (int i = 0; i < program->code.count; i++) {
        if (writer.uses[i] && program->code.nodes[i].varies) {
            const struct berth_score_cost cost = cost_of(&writer, i, clamp);
            sum.operations += cost.operations;
            sum.multipliers += cost.multipliers;
            sum.functions += cost.functions;
        }
        const struct berth_node *made = &program->code.nodes[i];
        if (writer.uses[i] && made->varies && made->operation == BERTH_ADD &&
            (berth_writer_as_product(&writer, made->a, product) ||
             berth_writer_as_product(&writer, made->b, product)) &&
            !berth_is_number(writer.code, product[0], -1)) {
            sum.operations--; /* a multiply-add */
        }
    }
    return sum;
}

void berth_work_count(const struct berth_scoring *scoring, const struct berth_heavy_atoms *receptor,
                      const struct berth_heavy_atoms *ligand, struct berth_work *work)
{
    memset(work, 0, sizeof *work);
    for (size_t i = 0; i < receptor->count; i++) {
        for (size_t j = 0; j < ligand->count; j++) {
            const unsigned parts =
                berth_score_body(scoring->program, receptor->atoms[i].type, ligand->atoms[j].type);
            work->pairs[find_class(parts, work)]++;
        }
    }
    for (size_t k = 0; k < work->count; k++) {
        name_class(scoring, work->parts[k], work->names[k]);
        for (int clamp = 0; clamp < 2; clamp++) {
            work->costs[k][clamp] = cost_of_parts(scoring->program, work->parts[k], clamp != 0);
        }
    }
}

/* Operations and multipliers of the mean interaction, without its root, and its special functions.
 */
static struct cost mean_cost(const struct berth_work *work, bool saturates, double *functions)
{
    struct cost sum = {0};
    double all = 0;
    *functions = 0;
    for (size_t k = 0; k < work->count; k++) {
        const struct berth_score_cost *cost = &work->costs[k][saturates];
        add(&sum, DISTANCE, work->pairs[k]);
        add(&sum, (struct cost){cost->operations, cost->multipliers}, work->pairs[k]);
        *functions += cost->functions * work->pairs[k];
        all += work->pairs[k];
    }
    *functions /= all;
    return (struct cost){sum.operations / all, sum.multipliers / all};
}

/* The floor with one way to a root. */
static struct berth_floor floor_by(struct cost cost, double functions,
                                   const struct berth_ceiling *ceiling, int way)
{
    add(&cost, ROOTS[way], 1);
    struct berth_floor floor = {.interactions_per_s = ceiling->roots_per_s[way] / (1 + functions),
                                .operations = cost.operations,
                                .multipliers = cost.multipliers,
                                .way = way,
                                .bound = "square roots"};
    if (ceiling->operations_per_s / cost.operations < floor.interactions_per_s) {
        floor.interactions_per_s = ceiling->operations_per_s / cost.operations;
        floor.bound = "operations";
    }
    if (ceiling->multiply_adds_per_s / cost.multipliers < floor.interactions_per_s) {
        floor.interactions_per_s = ceiling->multiply_adds_per_s / cost.multipliers;
        floor.bound = "multiply-adds";
    }
    return floor;
}

struct berth_floor berth_floor_by(const struct berth_work *work,
                                  const struct berth_ceiling *ceiling, bool saturates, int way)
{
    double functions;
    const struct cost cost = mean_cost(work, saturates, &functions);
    return floor_by(cost, functions, ceiling, way);
}

struct berth_floor berth_floor_of(const struct berth_work *work,
                                  const struct berth_ceiling *ceiling, bool saturates)
{
    struct berth_floor best = berth_floor_by(work, ceiling, saturates, 0);
    for (int way = 1; way < BERTH_ROOT_WAYS; way++) {
        const struct berth_floor floor = berth_floor_by(work, ceiling, saturates, way);
        if (floor.interactions_per_s > best.interactions_per_s) {
            best = floor;
        }
    }
    return best;
}
