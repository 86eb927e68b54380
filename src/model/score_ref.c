#include "model/score_ref.h"

#include <math.h>

/* kJ/mol per unit of qi qj; BUDE 1.2.10, whose printed energies it reproduces (design section 9).
 */
static const double COULOMB = 22.5;

/* How far beyond contact the electrostatic term reaches, Å: between two formal charges, and
 * between all others. */
static const double FORMAL_REACH = 4.0, CHARGE_REACH = 2.0;

/* S(x): x, but at least 0 and at most 1. */
static double saturate(double x)
{
    return fmin(fmax(x, 0.0), 1.0);
}

/* Overlap is penalised, linearly from contact to full overlap. */
static double steric(const struct berth_type *i, const struct berth_type *j, double r)
{
    return (i->hardness + j->hardness) / 2 * saturate(1 - r / (i->radius + j->radius));
}

/* Whole up to contact, then fading linearly.  An atom of class E is donor or acceptor as its
 * partner needs, so with it every pair attracts.  No class switches the term off: the halogens
 * carry their charge with class '-'. */
static double electrostatic(const struct berth_type *i, const struct berth_type *j, double r)
{
    double gap = r - (i->radius + j->radius);
    double reach = i->class == 'F' && j->class == 'F' ? FORMAL_REACH : CHARGE_REACH;
    double charge = i->charge * j->charge;
    if (i->class == 'E' || j->class == 'E') {
        charge = -fabs(charge);
    }
    return COULOMB * charge * saturate(1 - gap / reach);
}

/* Two non-polar atoms attract, a polar and a non-polar one repel; two polar atoms, or one without
 * a hydrophobic potential, do neither. */
static double desolvation(const struct berth_type *i, const struct berth_type *j, double r)
{
    double gap = r - (i->radius + j->radius);
    if (i->hydrophobic < 0 && j->hydrophobic < 0) {
        double weight = (i->hydrophobic + j->hydrophobic) / 2;
        double reach = (i->nonpolar_reach + j->nonpolar_reach) / 2;
        return weight * saturate(1 - gap / reach);
    }
    if ((i->hydrophobic < 0 && j->hydrophobic > 0) || (i->hydrophobic > 0 && j->hydrophobic < 0)) {
        double weight = (fabs(i->hydrophobic) + fabs(j->hydrophobic)) / 2;
        double reach = i->hydrophobic > 0 ? i->polar_reach : j->polar_reach;
        return weight * saturate(1 - gap / reach);
    }
    return 0;
}

struct berth_terms berth_score_ref_pair(const struct berth_type *receptor,
                                        const struct berth_type *ligand, double r)
{
    struct berth_terms terms = {.steric = steric(receptor, ligand, r),
                                .electrostatic = electrostatic(receptor, ligand, r),
                                .desolvation = desolvation(receptor, ligand, r)};
    return terms;
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
