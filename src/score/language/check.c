/* Trying a scoring function that nobody has tried. */
#include <math.h>

#include "score/language/program.h"

/* The r of one try is so many times that of the one before. */
#define STEP 1.03

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

enum berth_status berth_score_check(const struct berth_score_program *program,
                                    struct berth_error *error)
{
    const struct berth_definition *definition = program->definition;
    enum berth_status status = BERTH_OK;
    for (int i = 0; i < (int)definition->type_count; i++) {
        for (int j = i; j < (int)definition->type_count; j++) {
            double r = program->floored ? BERTH_DISTANCE_LEAST : 0.001;
            for (; !status && r < definition->cutoff; r *= STEP) {
                const struct trial trial = {program, i, j, r};
                status = try_terms(&trial, error);
                status = status ? status : try_code(&trial, error);
            }
            if (status) {
                return status;
            }
        }
    }
    return BERTH_OK;
}
