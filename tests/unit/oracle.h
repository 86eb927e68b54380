/* The oracle: each built-in function written by hand from its paper, term by term with its
 * conditions, and independent of data/scoring, of the compiler and of the kernels.
 *
 * The piecewise linear potential (PLP): D. K. Gehlhaar et al., Chem. Biol. 2 (1995) 317 (curves and
 * depths of hydrogen bonds and of contacts between non-polar atoms); O. Korb, T. Stützle, T. E.
 * Exner, J. Chem. Inf. Model. 49 (2009) 84 (curves of the other kinds of pairs; depth of contacts
 * of polar atoms).  A metal's bond counts as two hydrogen bonds.
 *
 * A pair's energy, in PLP's own unit, is the sum of
 *     a wall: falls from hardness at r = 0, through 0 at `wall`, down to the depth;
 *     a well: depth S(1 - (r - begin) / (end - begin)), S(x) = min(max(x, 0), 1).
 * The wall is one line as long as the well is deep; as published it bends at `wall`, and meets the
 * well up to 0.13 Å farther out, a metal's 0.52 Å.  A pair that repels has a low slope instead of a
 * well.
 *
 * An atom's role comes from its parameters in BUDE's forcefield: without a charge, or a halogen
 * (classes '-' and P): non-polar; E, donor or acceptor as its partner needs: both; F without a
 * hydrophobic potential: metal; else donor or acceptor by the sign of q.
 *
 * Vina and Vinardo: O. Trott, A. J. Olson, J. Comput. Chem. 31 (2010) 455, with the weights of
 * AutoDock Vina 1.2; R. Quiroga, M. A. Villarreal, PLoS ONE 11 (2016) e0155183, with the radii that
 * AutoDock Vina 1.2.3 gives the atoms.  kcal/mol.
 *
 * The fitted potential has no paper: its table is the one of data/scoring, read and interpolated
 * here, as bench/train/pairs.py does it.
 */
#ifndef BERTH_TESTS_ORACLE_H
#define BERTH_TESTS_ORACLE_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "score/scoring.h"

/* --- BUDE's forcefield --- */

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

static inline double value(const struct ramp *ramp, double r)
{
    return ramp->weight * fmin(fmax(1 - (r - ramp->start) / ramp->reach, 0.0), 1.0);
}

/* Overlap is penalised, linearly from contact to full overlap. */
static inline struct ramp steric(const struct berth_type *i, const struct berth_type *j)
{
    return (struct ramp){(i->hardness + j->hardness) / 2, 0, i->radius + j->radius};
}

/* Whole up to contact, then fading linearly.  An atom of class E is donor or acceptor as its
 * partner needs, so with it every pair attracts.  No class switches the term off: the halogens
 * carry their charge with class '-'. */
static inline struct ramp electrostatic(const struct berth_type *i, const struct berth_type *j)
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
static inline struct ramp desolvation(const struct berth_type *i, const struct berth_type *j)
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

/* --- The piecewise linear potential --- */

/* What an atom is to the piecewise linear potential. */
enum oracle_role {
    ROLE_NONPOLAR,
    ROLE_DONOR,
    ROLE_ACCEPTOR,
    ROLE_BOTH, /* donor or acceptor, as its partner needs */
    ROLE_METAL
};

/* The figures of a pair. */
struct plp_pair {
    double wall;       /* Å */
    double hardness;   /* at r = 0 */
    double begin, end; /* of the well, Å */
    double depth;      /* of the well, < 0; of the slope of a pair that repels, > 0 */
    bool polar;        /* a hydrogen bond, a metal's, or a pair of like atoms that repel */
};

/* Wall, hardness, begin and end of the well, its depth; polar or not. */
static const struct plp_pair HYDROGEN_BOND = {2.3, 20, 3.1, 3.4, -2, true};
static const struct plp_pair METAL_BOND = {1.4, 20, 2.6, 2.8, -4, true};
static const struct plp_pair NONPOLAR = {3.4, 20, 4.5, 5.5, -0.4, false};
static const struct plp_pair BURIED = {3.4, 20, 4.5, 5.5, -0.1, false};
static const struct plp_pair REPULSIVE = {3.2, 19.9, 3.2, 5, 0.1, true};

static inline struct plp_pair plp_pair_of(enum oracle_role first, enum oracle_role second)
{
    if (first == ROLE_NONPOLAR || second == ROLE_NONPOLAR) {
        return first == second ? NONPOLAR : BURIED;
    }
    const bool gives = first == ROLE_DONOR || second == ROLE_DONOR;
    const bool metal = first == ROLE_METAL || second == ROLE_METAL;
    if ((first == second && first != ROLE_BOTH) || (gives && metal)) {
        return REPULSIVE;
    }
    return metal ? METAL_BOND : HYDROGEN_BOND;
}

static inline enum oracle_role oracle_plp_role(const struct berth_type *type)
{
    if (type->class == 'F' && type->hydrophobic == 0) {
        return ROLE_METAL;
    }
    if (type->class == 'E') {
        return ROLE_BOTH;
    }
    if ((type->class != 'F' && type->class != 'D') || type->charge == 0) {
        return ROLE_NONPOLAR;
    }
    return type->charge > 0 ? ROLE_DONOR : ROLE_ACCEPTOR;
}

/* Its terms. */
enum { WALL, BOND, METALS_BOND, CONTACT };

/* The term of a pair's well.  Where atoms repel, it belongs to the wall. */
static inline size_t well_term(const struct plp_pair *plp, bool metal)
{
    if (plp->depth > 0) {
        return WALL;
    }
    return !plp->polar ? CONTACT : metal ? METALS_BOND : BOND;
}

/* The wall's line goes on to where it has the well's depth. */
static inline struct pair piecewise(const struct berth_type *i, const struct berth_type *j)
{
    const enum oracle_role first = oracle_plp_role(i), second = oracle_plp_role(j);
    const struct plp_pair plp = plp_pair_of(first, second);
    const bool metal = first == ROLE_METAL || second == ROLE_METAL;
    const double bottom = fmin(plp.depth, 0);
    return (struct pair){
        {{plp.hardness - bottom, 0, plp.wall * (plp.hardness - bottom) / plp.hardness},
         {plp.depth, plp.begin, plp.end - plp.begin},
         {0, 0, 1}},
        {WALL, well_term(&plp, metal), CONTACT}};
}

/* --- Vina and Vinardo --- */

static const double CUTOFF = 8;

/* A bell: weight exp(-((d - centre) / width)²). */
struct gauss {
    double weight, centre, width;
};

/* A step with a slope: weight up to `whole`, nothing from `gone` on. */
struct slope_step {
    double weight, whole, gone;
};

static const struct function {
    size_t gauss_count;
    struct gauss gauss[2];
    double repulsion;
    struct slope_step hydrophobic, hydrogen_bond;
} VINA = {2,
          {{-0.035579, 0, 0.5}, {-0.005156, 3, 2}},
          0.840245,
          {-0.035069, 0.5, 1.5},
          {-0.587439, -0.7, 0}},
  VINARDO = {1, {{-0.045, 0, 0.8}}, 0.8, {-0.035, 0, 2.5}, {-0.6, -0.6, 0}};

/* Element, radius with either function (Å). */
static const struct element {
    const char *name;
    double vina, vinardo;
    bool hydrophobic, metal;
} ELEMENTS[] = {
    {"C", 1.9, 2.0, false, false},  {"N", 1.8, 1.7, false, false},  {"O", 1.7, 1.6, false, false},
    {"S", 2.0, 2.0, false, false},  {"P", 2.1, 2.1, false, false},  {"F", 1.5, 1.5, true, false},
    {"Cl", 1.8, 1.8, true, false},  {"Br", 2.0, 2.0, true, false},  {"I", 2.2, 2.2, true, false},
    {"Si", 2.2, 2.2, false, false}, {"At", 2.3, 2.3, false, false}, {"Met", 1.2, 1.2, false, true}};

/* What an atom is. */
struct atom {
    double radius;
    bool hydrophobic, donor, acceptor;
};

/* Types are named ELEMENT_WHAT: C_H is hydrophobic; D donates, A accepts; a metal donates. */
static inline struct atom atom_of(bool vinardo, const char *type)
{
    struct atom atom = {0};
    const size_t length = strcspn(type, "_");
    const char *what = type[length] ? type + length + 1 : "";
    for (size_t i = 0; i < sizeof ELEMENTS / sizeof *ELEMENTS; i++) {
        const struct element *element = &ELEMENTS[i];
        if (strlen(element->name) == length && memcmp(element->name, type, length) == 0) {
            atom.radius = vinardo ? element->vinardo : element->vina;
            atom.hydrophobic = element->hydrophobic || strcmp(what, "H") == 0;
            atom.donor = element->metal || strchr(what, 'D');
            atom.acceptor = strchr(what, 'A') != NULL;
        }
    }
    return atom;
}

static inline double gauss(const struct gauss *gauss, double d)
{
    const double x = (d - gauss->centre) / gauss->width;
    return gauss->weight * exp(-x * x);
}

static inline double slope_step(const struct slope_step *step, double d)
{
    if (d >= step->gone) {
        return 0;
    }
    return d <= step->whole ? step->weight
                            : step->weight * (step->gone - d) / (step->gone - step->whole);
}

/* The terms of two atoms of these types at r (Å); 0 from 8 Å on. */
static inline struct berth_terms vina_pair(const struct berth_scoring *scoring, int first,
                                           int second, double r)
{
    const bool vinardo = strcmp(scoring->name, "vinardo") == 0;
    const struct function *function = vinardo ? &VINARDO : &VINA;
    struct berth_terms terms = {{0}};
    if (r >= CUTOFF) {
        return terms;
    }
    const struct atom a = atom_of(vinardo, scoring->definition->types[first]);
    const struct atom b = atom_of(vinardo, scoring->definition->types[second]);
    const double d = r - a.radius - b.radius;
    size_t k = 0;
    for (; k < function->gauss_count; k++) {
        terms.values[k] = gauss(&function->gauss[k], d);
    }
    terms.values[k++] = d < 0 ? function->repulsion * d * d : 0;
    terms.values[k++] = a.hydrophobic && b.hydrophobic ? slope_step(&function->hydrophobic, d) : 0;
    if ((a.donor && b.acceptor) || (a.acceptor && b.donor)) {
        terms.values[k] = slope_step(&function->hydrogen_bond, d);
    }
    return terms;
}

/* --- The fitted potential --- */

enum { KNOTS = 7 };

/* Å; 0 from the last on. */
static const double KNOT[KNOTS] = {2.4, 2.9, 3.4, 4.0, 4.8, 5.8, 7.0};

/* The values of two types at the knots, kcal/mol: those of their row, in either order; else 0. */
static inline void fitted_values(const char *first, const char *second, double values[KNOTS])
{
    const struct berth_embedded *file = berth_embedded_scoring;
    while (strcmp(file->name, "fitted") != 0) {
        file++;
    }
    memset(values, 0, KNOTS * sizeof *values);
    for (const char *line = file->text; line; line = strchr(line, '\n')) {
        char a[32], b[32];
        double v[KNOTS - 1];
        line += *line == '\n';
        if (sscanf(line, "%31s %31s %lf %lf %lf %lf %lf %lf", a, b, &v[0], &v[1], &v[2], &v[3],
                   &v[4], &v[5]) == 8 &&
            ((strcmp(a, first) == 0 && strcmp(b, second) == 0) ||
             (strcmp(b, first) == 0 && strcmp(a, second) == 0))) {
            memcpy(values, v, sizeof v);
        }
    }
}

static inline double fitted_pair(const struct berth_scoring *scoring, int first, int second,
                                 double r)
{
    static double values[KNOTS]; /* of the types asked for last: the file is read once for each */
    static int known[2] = {-1, -1};
    int k = 0;
    if (known[0] != first || known[1] != second) {
        fitted_values(scoring->definition->types[first], scoring->definition->types[second],
                      values);
        known[0] = first;
        known[1] = second;
    }
    while (k < KNOTS && r > KNOT[k]) {
        k++;
    }
    return k == 0       ? values[0]
           : k == KNOTS ? 0
                        : values[k - 1] + (values[k] - values[k - 1]) * (r - KNOT[k - 1]) /
                                              (KNOT[k] - KNOT[k - 1]);
}

/* --- Any of them --- */

/* The terms of one pair of types at distance r (Å) by the function of scoring's name. */
static inline struct berth_terms oracle_pair(const struct berth_scoring *scoring, int receptor,
                                             int ligand, double r)
{
    const struct berth_type *i = &scoring->forcefield.types[receptor];
    const struct berth_type *j = &scoring->forcefield.types[ligand];
    struct berth_terms terms = {{0}};
    if (strncmp(scoring->name, "vina", 4) == 0) {
        return vina_pair(scoring, receptor, ligand, r);
    }
    if (strcmp(scoring->name, "fitted") == 0) {
        terms.values[0] = fitted_pair(scoring, receptor, ligand, r);
        return terms;
    }
    const struct pair pair =
        strcmp(scoring->name, "plp") == 0
            ? piecewise(i, j)
            : (struct pair){{steric(i, j), electrostatic(i, j), desolvation(i, j)}, {0, 1, 2}};
    for (size_t k = 0; k < RAMPS; k++) {
        terms.values[pair.terms[k]] += value(&pair.ramps[k], r);
    }
    return terms;
}

/* The derivative of their sum by r, energy/Å, by differences: between both sides' at a kink. */
static inline double oracle_slope(const struct berth_scoring *scoring, int receptor, int ligand,
                                  double r)
{
    static const double STEP = 4e-6; /* Å */
    const struct berth_terms before = oracle_pair(scoring, receptor, ligand, r - STEP);
    const struct berth_terms after = oracle_pair(scoring, receptor, ligand, r + STEP);
    return (berth_terms_sum(&after) - berth_terms_sum(&before)) / (2 * STEP);
}

#endif
