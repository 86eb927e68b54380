#include "score/score_ref.h"

#include <math.h>

#include "score/plp.h"

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

enum { TERMS = 3 };

/* What a pair of types does at a distance: BUDE's steric, electrostatic and desolvation terms, or
 * the piecewise linear potential's wall, bond and contact. */
struct pair {
    struct ramp terms[TERMS];
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

/* The wall's line goes on to where it has the well's depth. */
static struct pair piecewise(const struct berth_type *i, const struct berth_type *j)
{
    static const struct ramp NONE = {0, 0, 1};
    const struct berth_plp_pair plp = berth_plp_pair(i->role, j->role);
    const double bottom = fmin(plp.depth, 0);
    const struct ramp well = {plp.depth, plp.begin, plp.end - plp.begin};
    return (struct pair){
        {{plp.hardness - bottom, 0, plp.wall * (plp.hardness - bottom) / plp.hardness},
         plp.polar ? well : NONE,
         plp.polar ? NONE : well}};
}

static struct pair pair_of(const struct berth_type *i, const struct berth_type *j)
{
    if (i->role != BERTH_ROLE_NONE) {
        return piecewise(i, j);
    }
    return (struct pair){{steric(i, j), electrostatic(i, j), desolvation(i, j)}};
}

struct berth_terms berth_score_ref_pair(const struct berth_type *receptor,
                                        const struct berth_type *ligand, double r)
{
    const struct pair pair = pair_of(receptor, ligand);
    struct berth_terms terms = {{0}};
    for (size_t k = 0; k < TERMS; k++) {
        terms.values[k] = value(&pair.terms[k], r);
    }
    return terms;
}

double berth_score_ref_slope(const struct berth_type *receptor, const struct berth_type *ligand,
                             double r)
{
    const struct pair pair = pair_of(receptor, ligand);
    return slope(&pair.terms[0], r) + slope(&pair.terms[1], r) + slope(&pair.terms[2], r);
}

static double end(const struct ramp *ramp)
{
    return ramp->weight != 0 ? ramp->start + ramp->reach : 0;
}

/* Å: what two atoms of any types do to each other is 0 from here on. */
static double farthest(const struct berth_scoring *scoring)
{
    double distance = 0;
    for (size_t i = 0; i < scoring->type_count; i++) {
        for (size_t j = 0; j < scoring->type_count; j++) {
            const struct pair pair =
                pair_of(&scoring->forcefield.types[i], &scoring->forcefield.types[j]);
            for (size_t k = 0; k < TERMS; k++) {
                distance = fmax(distance, end(&pair.terms[k]));
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
            struct berth_terms pair = berth_score_ref_pair(&scoring->forcefield.types[a->type],
                                                           &scoring->forcefield.types[b->type], r);
            for (size_t k = 0; k < TERMS; k++) {
                sum.values[k] += pair.values[k];
            }
        }
    }
    return sum;
}
