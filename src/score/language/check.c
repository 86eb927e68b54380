/* Trying a scoring function that nobody has tried: at many distances and angles, and then by
 * intervals, bounds of what expressions can be where r or phi is anything between two numbers, so
 * that nothing is left out between those. */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "score/language/program.h"

#define HALF_TURN 3.14159265358979323846

/* The r of one try is so many times that of the one before. */
#define STEP 1.03

/* Å, rad: what is not known to be finite on a piece of this width is not finite there; and
 * operations that trying a function, and a row of its torsional term, may take. */
#define WIDTH 1e-5
enum { OPERATIONS_MAX = 20000000, ROW_OPERATIONS_MAX = 1000000 };

/* --- Intervals --- */

struct interval {
    double low, high; /* may be infinite */
    bool undefined;   /* may be no number at all, as log(-1) is */
};

/* The interval of one number. */
static struct interval at(double number)
{
    return isnan(number) ? (struct interval){0, 0, true} : (struct interval){number, number, false};
}

/* True where all in it are finite numbers. */
static bool is_finite(const struct interval *interval)
{
    return !interval->undefined && isfinite(interval->low) && isfinite(interval->high);
}

static bool is_point(const struct interval *x)
{
    return !x->undefined && x->low == x->high;
}

static bool holds(const struct interval *x, double number)
{
    return x->low <= number && x->high >= number;
}

/* As a condition: 0 for certain, or something else for certain. */
static bool is_false(const struct interval *x)
{
    return is_point(x) && x->low == 0;
}

static bool is_true(const struct interval *x)
{
    return !x->undefined && !holds(x, 0);
}

static struct interval truth(bool can_be_false, bool can_be_true, bool undefined)
{
    return (struct interval){can_be_false ? 0 : 1, can_be_true ? 1 : 0, undefined};
}

static struct interval add(const struct interval *x, const struct interval *y)
{
    struct interval sum = {x->low + y->low, x->high + y->high, x->undefined || y->undefined};
    const bool opposite = (x->high == INFINITY && y->low == -INFINITY) ||
                          (x->low == -INFINITY && y->high == INFINITY);
    sum.undefined = sum.undefined || opposite;
    sum.low = isnan(sum.low) ? -INFINITY : sum.low;
    sum.high = isnan(sum.high) ? INFINITY : sum.high;
    return sum;
}

static struct interval multiply(const struct interval *x, const struct interval *y)
{
    const double products[] = {x->low * y->low, x->low * y->high, x->high * y->low,
                               x->high * y->high};
    const bool infinite_x = isinf(x->low) || isinf(x->high);
    const bool infinite_y = isinf(y->low) || isinf(y->high);
    struct interval product = {INFINITY, -INFINITY, x->undefined || y->undefined};
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        const double value = isnan(products[i]) ? 0 : products[i];
        product.low = fmin(product.low, value);
        product.high = fmax(product.high, value);
    }
    product.undefined =
        product.undefined || (infinite_x && holds(y, 0)) || (infinite_y && holds(x, 0));
    return product;
}

static struct interval multiply_add(const struct interval *x, const struct interval *y,
                                    const struct interval *z)
{
    const struct interval product = multiply(x, y);
    return add(&product, z);
}

static struct interval reciprocal(const struct interval *x)
{
    if (x->low < 0 && x->high > 0) {
        return (struct interval){-INFINITY, INFINITY, x->undefined};
    }
    /* Beside 0, the sign is that of the other side. */
    return (struct interval){x->high == 0 ? -INFINITY : 1 / x->high,
                             x->low == 0 ? INFINITY : 1 / x->low,
                             x->undefined || (x->low == 0 && x->high == 0)};
}

static struct interval absolute(const struct interval *x)
{
    return (struct interval){holds(x, 0) ? 0 : fmin(fabs(x->low), fabs(x->high)),
                             fmax(fabs(x->low), fabs(x->high)), x->undefined};
}

static struct interval power(const struct interval *x, double n)
{
    const struct interval base = fmod(n, 2) == 0 ? absolute(x) : *x;
    return (struct interval){pow(base.low, n), pow(base.high, n), x->undefined};
}

/* A function that rises with its operand, and is none below `least`. */
static struct interval rise(double (*function)(double), const struct interval *x, double least)
{
    const bool outside = x->low < least;
    return (struct interval){function(fmax(x->low, least)), function(fmax(x->high, least)),
                             x->undefined || outside};
}

/* cos(x + shift): it has its greatest and least values at whole half turns. */
static struct interval cosine(const struct interval *x, double shift)
{
    const double low = x->low + shift, high = x->high + shift;
    if (!isfinite(low) || !isfinite(high) || high - low >= 2 * HALF_TURN) {
        return (struct interval){-1, 1, x->undefined || isinf(x->low) || isinf(x->high)};
    }
    struct interval found = {fmin(cos(low), cos(high)), fmax(cos(low), cos(high)), x->undefined};
    for (double k = ceil(low / HALF_TURN); k * HALF_TURN <= high; k++) {
        found.low = fmod(k, 2) == 0 ? found.low : -1;
        found.high = fmod(k, 2) == 0 ? 1 : found.high;
    }
    return found;
}

static struct interval compare(enum berth_operation operation, const struct interval *x,
                               const struct interval *y)
{
    const bool undefined = x->undefined || y->undefined;
    switch (operation) {
    case BERTH_LESS:
        return truth(x->high >= y->low, x->low < y->high, undefined);
    case BERTH_AT_MOST:
        return truth(x->high > y->low, x->low <= y->high, undefined);
    default:
        return truth(!(is_point(x) && is_point(y) && x->low == y->low),
                     x->low <= y->high && y->low <= x->high, undefined);
    }
}

/* What is decided by one side is so whatever the other one is. */
static struct interval both(const struct interval *x, const struct interval *y)
{
    return is_false(x) || is_false(y)
               ? truth(true, false, false)
               : truth(!(is_true(x) && is_true(y)), true, x->undefined || y->undefined);
}

static struct interval either(const struct interval *x, const struct interval *y)
{
    return is_true(x) || is_true(y)
               ? truth(false, true, false)
               : truth(true, !(is_false(x) && is_false(y)), x->undefined || y->undefined);
}

static struct interval neither(const struct interval *x)
{
    return truth(!is_false(x), !is_true(x), x->undefined);
}

static struct interval choose(const struct interval *condition, const struct interval *x,
                              const struct interval *y)
{
    if (is_true(condition) || is_false(condition)) {
        return is_true(condition) ? *x : *y;
    }
    struct interval either = (struct interval){fmin(x->low, y->low), fmax(x->high, y->high),
                                               x->undefined || y->undefined};
    either.undefined = either.undefined || condition->undefined;
    return either;
}

static struct interval lesser(const struct interval *x, const struct interval *y)
{
    return (struct interval){fmin(x->low, y->low), fmin(x->high, y->high),
                             x->undefined || y->undefined};
}

static struct interval greater(const struct interval *x, const struct interval *y)
{
    return (struct interval){fmax(x->low, y->low), fmax(x->high, y->high),
                             x->undefined || y->undefined};
}

static struct interval saturated(const struct interval *x)
{
    return (struct interval){fmin(fmax(x->low, 0), 1), fmin(fmax(x->high, 0), 1), x->undefined};
}

/* What an operation makes of its operands. */
static struct interval operate(const struct berth_node *node, const struct interval *a,
                               const struct interval *b, const struct interval *c)
{
    switch (node->operation) {
#define ROW(name, operands, value, bounds, rounds, text)                                           \
    case BERTH_##name:                                                                             \
        return bounds;
        BERTH_OPERATIONS(ROW)
#undef ROW
    }
    return (struct interval){-INFINITY, INFINITY, true};
}

/* The bounds of what an operation rounds: infinite beyond the largest number, and 0 before the
 * least one, which devices may take for 0. */
static struct interval outward(struct interval x, bool single)
{
    const double by = single ? FLT_EPSILON : DBL_EPSILON, most = single ? FLT_MAX : DBL_MAX;
    const double least = single ? FLT_MIN : DBL_MIN;
    x.low -= isfinite(x.low) ? fabs(x.low) * by : 0;
    x.high += isfinite(x.high) ? fabs(x.high) * by : 0;
    x.low = x.low < -most ? -INFINITY : x.low;
    x.high = x.high > most ? INFINITY : x.high;
    x.low = x.low > 0 && x.low < least ? 0 : x.low;
    x.high = x.high < 0 && x.high > -least ? 0 : x.high;
    return x;
}

/* Which operations round; the others give what they are given, or 0 or 1, or stay within -1 and 1.
 */
static const bool ROUNDS[] = {
#define ROW(name, operands, value, bounds, rounds, text) rounds,
    BERTH_OPERATIONS(ROW)
#undef ROW
};

/* What is one number exactly needs no bounds: what a device has of it. */
static struct interval round_point(struct interval x, bool single)
{
    return single ? at((float)x.low) : x;
}

/* A range that is halved until nodes are finite on all of its pieces. */
struct search {
    const struct berth_graph *graph;
    const int *nodes;
    size_t node_count;
    struct interval *symbols;
    bool inverse_and_square;    /* the code's symbols of 1 / r and r² go with that of r */
    bool single;                /* results are rounded to single precision */
    size_t *left;               /* operations that may still be spent */
    size_t cost;                /* operations for each piece */
    bool used[BERTH_NODES_MAX]; /* nodes that `nodes` are made of */
    struct interval bounds[BERTH_NODES_MAX];
};

/* Where a search ended. */
struct place {
    double low, high;
    size_t node; /* which of `nodes` */
    bool narrow; /* false: there were no pieces left */
};

/* Works out the bounds of the nodes that are used. */
static void evaluate(struct search *search)
{
    struct interval *bounds = search->bounds;
    for (int i = 0; i < search->graph->count; i++) {
        const struct berth_node *node = &search->graph->nodes[i];
        const struct interval *a = &bounds[node->a], *b = &bounds[node->b], *c = &bounds[node->c];
        const int operands = berth_operand_count(node->operation);
        bool points = (operands < 1 || is_point(a)) && (operands < 2 || is_point(b)) &&
                      (operands < 3 || is_point(c));
        bool rounds = ROUNDS[node->operation];
        if (!search->used[i]) {
            continue;
        }
        if (node->operation == BERTH_SYMBOL) {
            bounds[i] = search->symbols[node->a];
            points = is_point(&bounds[i]);
            rounds = true;
        } else {
            bounds[i] =
                points ? at(berth_operate(node, a->low, b->low, c->low)) : operate(node, a, b, c);
        }
        if (points) {
            bounds[i] = round_point(bounds[i], search->single);
        } else if (rounds) {
            bounds[i] = outward(bounds[i], search->single);
        }
    }
}

static bool halve(struct search *search, double low, double high, struct place *where)
{
    struct interval *symbols = search->symbols;
    *where = (struct place){.low = low, .high = high};
    if (*search->left < search->cost) {
        return false;
    }
    *search->left -= search->cost;
    symbols[0] = (struct interval){low, high, false};
    if (search->inverse_and_square) {
        symbols[BERTH_CODE_SCALED] = symbols[BERTH_CODE_DISTANCE];
        symbols[BERTH_CODE_INVERSE] = (struct interval){1 / high, 1 / low, false};
        symbols[BERTH_CODE_SQUARE] = (struct interval){low * low, high * high, false};
    }
    evaluate(search);
    while (where->node < search->node_count &&
           is_finite(&search->bounds[search->nodes[where->node]])) {
        where->node++;
    }
    if (where->node == search->node_count) {
        return true;
    }
    where->narrow = high - low <= WIDTH;
    const double middle = low + (high - low) / 2;
    return !where->narrow && halve(search, low, middle, where) &&
           halve(search, middle, high, where);
}

/* Gives false, and *where, at a piece of WIDTH or less on which a node is not finite, or where it
 * would take more operations than are left.  The search's cost and used are zero at first. */
static bool search_range(struct search *search, double low, double high, struct place *where)
{
    for (size_t i = 0; i < search->node_count; i++) {
        berth_mark(search->graph, search->nodes[i], search->used);
    }
    for (int i = 0; i < search->graph->count; i++) {
        search->cost += search->used[i];
    }
    return halve(search, low, high, where);
}

/* --- Pairs of atoms --- */

/* A pair of types that is tried, and what trying by intervals takes. */
struct trial {
    const struct berth_score_program *program;
    int first, second;
    struct interval symbols[BERTH_CODE_CONSTANTS + BERTH_CONSTANTS_MAX + BERTH_SYMBOL_COUNT];
    size_t left; /* operations that may still be spent on all pairs */
};

static enum berth_status refuse(const struct trial *trial, struct berth_error *error,
                                const char *what, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* what: "the value of term x is inf"; format: where, and what to do. */
static enum berth_status refuse(const struct trial *trial, struct berth_error *error,
                                const char *what, const char *format, ...)
{
    const struct berth_definition *definition = trial->program->definition;
    char where[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(where, sizeof where, format, arguments);
    va_end(arguments);
    return berth_fail(error, BERTH_E_FORMAT, "%s: %s for %s and %s %s", definition->file, what,
                      definition->types[trial->first], definition->types[trial->second], where);
}

/* "nan" without a sign. */
static double shown(double value)
{
    return isnan(value) ? fabs(value) : value;
}

/* Terms and slopes are finite at r, and the same when the atoms change places. */
static enum berth_status try_terms(const struct trial *trial, double r, struct berth_error *error)
{
    const struct berth_term_names *names = &trial->program->definition->terms;
    struct berth_terms terms, slopes, other;
    char what[120];
    berth_score_evaluate(trial->program, trial->first, trial->second, r, &terms, &slopes);
    berth_score_evaluate(trial->program, trial->second, trial->first, r, &other, NULL);
    for (size_t i = 0; i < names->count; i++) {
        const double value = terms.values[i], slope = slopes.values[i];
        if (!isfinite(value) || !isfinite(slope)) {
            snprintf(what, sizeof what, "the %s of term %s is %g",
                     isfinite(value) ? "derivative" : "value", names->names[i],
                     shown(isfinite(value) ? slope : value));
            return refuse(trial, error, what, "at r = %g Å", r);
        }
        if (fabs(value - other.values[i]) > 1e-9 * (1 + fabs(value))) {
            snprintf(what, sizeof what, "term %s is %g", names->names[i], value);
            return refuse(trial, error, what,
                          "at r = %g Å, but %g when they change places; energies do not know which "
                          "atom is the first",
                          r, other.values[i]);
        }
    }
    return BERTH_OK;
}

static size_t pair_of(const struct trial *trial)
{
    const size_t types = trial->program->definition->type_count;
    return (size_t)trial->first * types + (size_t)trial->second;
}

/* What a device makes of it, in single precision, is finite. */
static enum berth_status try_code(const struct trial *trial, double r, struct berth_error *error)
{
    const struct berth_score_program *program = trial->program;
    const int nodes[] = {program->energy, program->slope, program->soft_slope};
    double values[BERTH_NODES_MAX];
    char what[120];
    berth_score_run(program, pair_of(trial), r, values);
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        if (!isfinite(values[nodes[i]])) {
            snprintf(what, sizeof what, "the %s is %g in single precision",
                     i ? "energy's derivative" : "energy", shown(values[nodes[i]]));
            return refuse(trial, error, what, "at r = %g Å", r);
        }
    }
    return BERTH_OK;
}

/* Searches from 0, or the least r, to the cutoff. */
static bool bound(const struct trial *trial, struct search *search, struct place *where)
{
    return search_range(search, trial->program->floored ? BERTH_DISTANCE_LEAST : 0,
                        trial->program->definition->cutoff, where);
}

/* what: "value of term x". */
static enum berth_status unbounded(const struct trial *trial, const char *what,
                                   const struct place *where, struct berth_error *error)
{
    const double r = where->low + (where->high - where->low) / 2;
    char text[120];
    snprintf(text, sizeof text, where->narrow ? "the %s is not finite" : "whether the %s is finite",
             what);
    return where->narrow
               ? refuse(trial, error, text,
                        "near r = %.6g Å; divide by nothing that is 0 there, and take no root or "
                        "logarithm of what is not above 0",
                        r)
               : refuse(trial, error, text,
                        "near r = %.6g Å cannot be told in %d operations; write it in a simpler "
                        "way",
                        r, OPERATIONS_MAX);
}

/* Terms and slopes have bounds. */
static enum berth_status bound_terms(struct trial *trial, struct berth_error *error)
{
    const struct berth_score_program *program = trial->program;
    const struct berth_definition *definition = program->definition;
    int nodes[2 * BERTH_PARTS_MAX];
    size_t parts[2 * BERTH_PARTS_MAX], node_count = 0;
    for (int symbol = BERTH_SYMBOL_DISTANCE + 1; symbol < BERTH_SYMBOL_COUNT; symbol++) {
        trial->symbols[symbol] = at(berth_definition_value(definition, symbol, (size_t)trial->first,
                                                           (size_t)trial->second));
    }
    for (size_t k = 0; k < 2 * program->part_count; k++) {
        if (program->masks[pair_of(trial)] >> k / 2 & 1) {
            parts[node_count] = k;
            nodes[node_count++] = k % 2 ? program->slope_nodes[k / 2] : program->bases[k / 2];
        }
    }
    struct search search = {.graph = &program->graph,
                            .nodes = nodes,
                            .node_count = node_count,
                            .symbols = trial->symbols,
                            .left = &trial->left};
    struct place where;
    if (bound(trial, &search, &where)) {
        return BERTH_OK;
    }
    char what[BERTH_TERM_NAME_SIZE + 32];
    snprintf(what, sizeof what, "%s of term %s", parts[where.node] % 2 ? "derivative" : "value",
             definition->terms.names[program->terms[parts[where.node] / 2]]);
    return unbounded(trial, what, &where, error);
}

/* What a device makes of it has, too. */
static enum berth_status bound_code(struct trial *trial, struct berth_error *error)
{
    const struct berth_score_program *program = trial->program;
    const int nodes[] = {program->energy, program->slope, program->soft_slope};
    trial->symbols[BERTH_CODE_SCALE] = at(1);
    trial->symbols[BERTH_CODE_SHARPNESS] = at(BERTH_TRIED_SHARPNESS);
    for (size_t k = 0; k < program->constant_count; k++) {
        trial->symbols[BERTH_CODE_CONSTANTS + k] =
            at((float)program->constants[k * program->pairs + pair_of(trial)]);
    }
    struct search search = {.graph = &program->code,
                            .nodes = nodes,
                            .node_count = sizeof nodes / sizeof *nodes,
                            .symbols = trial->symbols,
                            .inverse_and_square = true,
                            .single = true,
                            .left = &trial->left};
    struct place where;
    return bound(trial, &search, &where)
               ? BERTH_OK
               : unbounded(trial,
                           where.node ? "energy's derivative in single precision"
                                      : "energy in single precision",
                           &where, error);
}

enum berth_status berth_score_check(const struct berth_score_program *program,
                                    struct berth_error *error)
{
    const int types = (int)program->definition->type_count;
    struct trial trial = {.program = program, .left = OPERATIONS_MAX};
    enum berth_status status = BERTH_OK;
    for (int pair = 0; !status && pair < types * types; pair++) {
        trial.first = pair / types;
        trial.second = pair % types;
        if (trial.second < trial.first) {
            continue; /* tried with the atoms the other way around */
        }
        double r = program->floored ? BERTH_DISTANCE_LEAST : 0.001;
        for (; !status && r < program->definition->cutoff; r *= STEP) {
            status = try_terms(&trial, r, error);
            BERTH_THEN(try_code(&trial, r, error));
        }
        BERTH_THEN(bound_terms(&trial, error));
        BERTH_THEN(bound_code(&trial, error));
    }
    return status;
}

/* --- The torsional term --- */

/* Tries a row at whole degrees. */
static bool try_degrees(const struct berth_torsional *torsional, size_t row, char *text,
                        size_t size)
{
    for (int degrees = -180; degrees <= 180; degrees++) {
        const double angle = degrees * HALF_TURN / 180;
        for (int single = 0; single < 2; single++) {
            double slope;
            const double energy = berth_torsional_energy(torsional, row, angle, single, &slope);
            if (!isfinite(energy) || !isfinite(slope)) {
                const double wrong = isfinite(energy) ? slope : energy;
                snprintf(text, size, "the %s is %g at phi = %d degrees",
                         isfinite(energy) ? "derivative" : "value", shown(wrong), degrees);
                return false;
            }
        }
    }
    return true;
}

/* Tries a row at all angles: it has bounds. */
static bool try_between(const struct berth_torsional *torsional, size_t row, char *text,
                        size_t size)
{
    const int nodes[] = {torsional->rows[row].energy, torsional->rows[row].slope};
    for (int single = 0; single < 2; single++) {
        size_t left = ROW_OPERATIONS_MAX;
        struct interval angle;
        struct search search = {.graph = &torsional->graph,
                                .nodes = nodes,
                                .node_count = 2,
                                .symbols = &angle,
                                .single = single,
                                .left = &left};
        struct place where;
        if (!search_range(&search, -HALF_TURN, HALF_TURN, &where)) {
            const double degrees = (where.low + (where.high - where.low) / 2) * 180 / HALF_TURN;
            const char *what = where.node ? "derivative" : "value";
            snprintf(text, size,
                     where.narrow ? "the %s is not finite near phi = %.6g degrees"
                                  : "whether the %s is finite near phi = %.6g degrees cannot be "
                                    "told; write it in a simpler way",
                     what, degrees);
            return false;
        }
    }
    return true;
}

bool berth_torsional_try(const struct berth_torsional *torsional, size_t row, char *text,
                         size_t size)
{
    if (!try_degrees(torsional, row, text, size) || !try_between(torsional, row, text, size)) {
        return false;
    }
    const double low = berth_torsional_energy(torsional, row, -HALF_TURN, false, NULL);
    const double high = berth_torsional_energy(torsional, row, HALF_TURN, false, NULL);
    if (fabs(low - high) > 1e-9 * (1 + fabs(high))) {
        snprintf(text, size,
                 "the value is %g at phi = -180 degrees, but %g at 180, which is the same angle",
                 low, high);
        return false;
    }
    return true;
}
