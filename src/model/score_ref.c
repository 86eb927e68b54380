#include "model/score_ref.h"

#include <math.h>

/* kJ/mol per unit of qi qj; BUDE 1.2.10, whose printed energies it reproduces (design section 9).
 */
static const double COULOMB = 22.5;

/* How far beyond contact the electrostatic term reaches, Å: between two formal charges, and
 * between all others. */
static const double FORMAL_REACH = 4.0, CHARGE_REACH = 2.0;

/* A term as a function of r: weight S(1 - (r - start) / reach), S(x) = min(max(x, 0), 1). */
struct ramp {
    double weight;       /* kJ/mol */
    double start, reach; /* Å */
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

struct berth_terms berth_score_ref_pair(const struct berth_type *receptor,
                                        const struct berth_type *ligand, double r)
{
    const struct ramp ramps[] = {steric(receptor, ligand), electrostatic(receptor, ligand),
                                 desolvation(receptor, ligand)};
    struct berth_terms terms = {.steric = value(&ramps[0], r),
                                .electrostatic = value(&ramps[1], r),
                                .desolvation = value(&ramps[2], r)};
    return terms;
}

double berth_score_ref_slope(const struct berth_type *receptor, const struct berth_type *ligand,
                             double r)
{
    const struct ramp ramps[] = {steric(receptor, ligand), electrostatic(receptor, ligand),
                                 desolvation(receptor, ligand)};
    return slope(&ramps[0], r) + slope(&ramps[1], r) + slope(&ramps[2], r);
}

struct berth_terms berth_score_ref(const struct berth_forcefield *forcefield,
                                   const struct berth_heavy_atoms *receptor,
                                   const struct berth_heavy_atoms *ligand)
{
    struct berth_terms sum = {0, 0, 0};
    for (size_t i = 0; i < receptor->count; i++) {
        for (size_t j = 0; j < ligand->count; j++) {
            const struct berth_heavy_atom *a = &receptor->atoms[i], *b = &ligand->atoms[j];
            double dx = a->position[0] - b->position[0];
            double dy = a->position[1] - b->position[1];
            double dz = a->position[2] - b->position[2];
            struct berth_terms pair =
                berth_score_ref_pair(&forcefield->types[a->type], &forcefield->types[b->type],
                                     sqrt(dx * dx + dy * dy + dz * dz));
            sum.steric += pair.steric;
            sum.electrostatic += pair.electrostatic;
            sum.desolvation += pair.desolvation;
        }
    }
    return sum;
}
