#include "score/score_ref.h"

#include <math.h>

#include "score/plp.h"
#include "score/vina_ref.h"

/* kJ/mol per unit of qi qj; BUDE 1.2.10, whose printed energies it reproduces. */
static const double COULOMB = 22.5;

/* How far beyond contact the electrostatic term reaches, Å: between two formal charges, and
 * between all others. */
static const double FORMAL_REACH = 4.0, CHARGE_REACH = 2.0;

/* A term as a function of r: weight S(1 - (r - start) / reach), S(x) = min(max(x, 0), 1). */
struct ramp {
    double weight;       /* kJ/mol */
    double start, reach; /* Å */
};

enum { RAMPS = 3 };

/* What a pair of types does at a distance: ramps, and to which terms they belong. */
struct pair {
    struct ramp ramps[RAMPS];
    size_t terms[RAMPS];
};

/* S's argument. */
static double height(const struct ramp *ramp, double r)
{
    return 1 - (r - ramp->start) / ramp->reach;
}

static double value(const struct ramp *ramp, double r)
{
    return ramp->weight * fmin(fmax(height(ramp, r), 0.0), 1.0);
}

static double slope(const struct ramp *ramp, double r)
{
    const double x = height(ramp, r);
    return x > 0 && x < 1 ? -ramp->weight / ramp->reach : 0;
}

/* Overlap is penalised, linearly from contact to full overlap. */
static struct ramp steric(const struct berth_type *i, const struct berth_type *j)
{
    return (struct ramp){(i->hardness + j->hardness) / 2, 0, i->radius + j->radius};
}

/* Whole up to contact, then fading linearly.  An atom of class E is donor or acceptor as its
 * partner needs, so with it every pair attracts.  No class switches the term off: the halogens
 * carry their charge with class '-'. */
static struct ramp electrostatic(const struct berth_type *i, const struct berth_type *j)
{
    double reach = i->class == 'F' && j->class == 'F' ? FORMAL_REACH : CHARGE_REACH;
    double charge = i->charge * j->charge;
    if (i->class == 'E' || j->class == 'E') {
        charge = -fabs(charge);
    }
    return (struct ramp){COULOMB * charge, i->radius + j->radius, reach};
}

/* Two non-polar atoms attract, a polar and a non-polar one repel; two polar atoms, or one without
 * a hydrophobic potential, do neither. */
static struct ramp desolvation(const struct berth_type *i, const struct berth_type *j)
{
    struct ramp ramp = {0, i->radius + j->radius, 1};
    if (i->hydrophobic < 0 && j->hydrophobic < 0) {
        ramp.weight = (i->hydrophobic + j->hydrophobic) / 2;
        ramp.reach = (i->nonpolar_reach + j->nonpolar_reach) / 2;
    } else if ((i->hydrophobic < 0 && j->hydrophobic > 0) ||
               (i->hydrophobic > 0 && j->hydrophobic < 0)) {
        ramp.weight = (fabs(i->hydrophobic) + fabs(j->hydrophobic)) / 2;
        ramp.reach = i->hydrophobic > 0 ? i->polar_reach : j->polar_reach;
    }
    return ramp;
}

enum { WALL, HYDROGEN_BOND, METAL, CONTACT };

/* The term of a pair's well.  Where atoms repel, it belongs to the wall. */
static size_t well_term(const struct berth_plp_pair *plp, bool metal)
{
    if (plp->depth > 0) {
        return WALL;
    }
    return !plp->polar ? CONTACT : metal ? METAL : HYDROGEN_BOND;
}

/* The wall's line goes on to where it has the well's depth. */
static struct pair piecewise(const struct berth_type *i, const struct berth_type *j)
{
    const struct berth_plp_pair plp = berth_plp_pair(i->role, j->role);
    const bool metal = i->role == BERTH_ROLE_METAL || j->role == BERTH_ROLE_METAL;
    const double bottom = fmin(plp.depth, 0);
    return (struct pair){
        {{plp.hardness - bottom, 0, plp.wall * (plp.hardness - bottom) / plp.hardness},
         {plp.depth, plp.begin, plp.end - plp.begin},
         {0, 0, 1}},
        {WALL, well_term(&plp, metal), CONTACT}};
}

static struct pair pair_of(const struct berth_scoring *scoring, int first, int second)
{
    const struct berth_type *i = &scoring->forcefield.types[first];
    const struct berth_type *j = &scoring->forcefield.types[second];
    if (scoring->formula == BERTH_FORMULA_PLP) {
        return piecewise(i, j);
    }
    return (struct pair){{steric(i, j), electrostatic(i, j), desolvation(i, j)}, {0, 1, 2}};
}

/* Vina's function or Vinardo. */
static struct berth_terms vina(const struct berth_scoring *scoring, int first, int second, double r,
                               double *slope_of_all)
{
    return berth_vina_ref(scoring->formula == BERTH_FORMULA_VINARDO,
                          scoring->definition->types[first], scoring->definition->types[second], r,
                          slope_of_all);
}

struct berth_terms berth_score_ref_pair(const struct berth_scoring *scoring, int receptor,
                                        int ligand, double r)
{
    struct berth_terms terms = {{0}};
    switch (scoring->formula) {
    case BERTH_FORMULA_VINA:
    case BERTH_FORMULA_VINARDO:
        return vina(scoring, receptor, ligand, r, NULL);
    case BERTH_FORMULA_NONE:
        berth_score_evaluate(scoring->program, receptor, ligand, r, &terms, NULL);
        return terms;
    default:
        break;
    }
    const struct pair pair = pair_of(scoring, receptor, ligand);
    for (size_t k = 0; k < RAMPS; k++) {
        terms.values[pair.terms[k]] += value(&pair.ramps[k], r);
    }
    return terms;
}

double berth_score_ref_slope(const struct berth_scoring *scoring, int receptor, int ligand,
                             double r)
{
    double sum = 0;
    if (scoring->formula == BERTH_FORMULA_VINA || scoring->formula == BERTH_FORMULA_VINARDO) {
        vina(scoring, receptor, ligand, r, &sum);
    } else if (scoring->formula == BERTH_FORMULA_NONE) {
        struct berth_terms slopes;
        berth_score_evaluate(scoring->program, receptor, ligand, r, NULL, &slopes);
        sum = berth_terms_sum(&slopes);
    } else {
        const struct pair pair = pair_of(scoring, receptor, ligand);
        for (size_t k = 0; k < RAMPS; k++) {
            sum += slope(&pair.ramps[k], r);
        }
    }
    return sum;
}

static double end(const struct ramp *ramp)
{
    return ramp->weight != 0 ? ramp->start + ramp->reach : 0;
}

/* Å: what two atoms of any types do to each other is 0 from here on. */
static double farthest(const struct berth_scoring *scoring)
{
    if (scoring->formula != BERTH_FORMULA_BUDE && scoring->formula != BERTH_FORMULA_PLP) {
        return scoring->definition->cutoff;
    }
    double distance = 0;
    for (size_t i = 0; i < scoring->type_count; i++) {
        for (size_t j = 0; j < scoring->type_count; j++) {
            const struct pair pair = pair_of(scoring, (int)i, (int)j);
            for (size_t k = 0; k < RAMPS; k++) {
                distance = fmax(distance, end(&pair.ramps[k]));
            }
        }
    }
    return distance;
}

struct berth_terms berth_score_ref(const struct berth_scoring *scoring,
                                   const struct berth_heavy_atoms *receptor,
                                   const struct berth_heavy_atoms *ligand)
{
    struct berth_terms sum = {{0}};
    const double most = farthest(scoring);
    for (size_t i = 0; i < receptor->count; i++) {
        for (size_t j = 0; j < ligand->count; j++) {
            const struct berth_heavy_atom *a = &receptor->atoms[i], *b = &ligand->atoms[j];
            double dx = a->position[0] - b->position[0];
            double dy = a->position[1] - b->position[1];
            double dz = a->position[2] - b->position[2];
            const double r = sqrt(dx * dx + dy * dy + dz * dz);
            if (r >= most) {
                continue;
            }
            const struct berth_terms pair = berth_score_ref_pair(scoring, a->type, b->type, r);
            for (size_t k = 0; k < BERTH_TERMS_MAX; k++) {
                sum.values[k] += pair.values[k];
            }
        }
    }
    return sum;
}
