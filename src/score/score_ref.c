#include "score/score_ref.h"

#include <math.h>
#include <string.h>

#include "chem/vectors.h"

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

static double value(const struct ramp *ramp, double r)
{
    return ramp->weight * fmin(fmax(1 - (r - ramp->start) / ramp->reach, 0.0), 1.0);
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

/* --- The piecewise linear potential --- */

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

static struct plp_pair plp_pair_of(enum berth_role first, enum berth_role second)
{
    if (first == BERTH_ROLE_NONPOLAR || second == BERTH_ROLE_NONPOLAR) {
        return first == second ? NONPOLAR : BURIED;
    }
    const bool gives = first == BERTH_ROLE_DONOR || second == BERTH_ROLE_DONOR;
    const bool metal = first == BERTH_ROLE_METAL || second == BERTH_ROLE_METAL;
    if ((first == second && first != BERTH_ROLE_BOTH) || (gives && metal)) {
        return REPULSIVE;
    }
    return metal ? METAL_BOND : HYDROGEN_BOND;
}

enum berth_role berth_plp_role(const struct berth_type *type)
{
    if (type->class == 'F' && type->hydrophobic == 0) {
        return BERTH_ROLE_METAL;
    }
    if (type->class == 'E') {
        return BERTH_ROLE_BOTH;
    }
    if ((type->class != 'F' && type->class != 'D') || type->charge == 0) {
        return BERTH_ROLE_NONPOLAR;
    }
    return type->charge > 0 ? BERTH_ROLE_DONOR : BERTH_ROLE_ACCEPTOR;
}

/* Its terms. */
enum { WALL, BOND, METALS_BOND, CONTACT };

/* The term of a pair's well.  Where atoms repel, it belongs to the wall. */
static size_t well_term(const struct plp_pair *plp, bool metal)
{
    if (plp->depth > 0) {
        return WALL;
    }
    return !plp->polar ? CONTACT : metal ? METALS_BOND : BOND;
}

/* The wall's line goes on to where it has the well's depth. */
static struct pair piecewise(const struct berth_type *i, const struct berth_type *j)
{
    const enum berth_role first = berth_plp_role(i), second = berth_plp_role(j);
    const struct plp_pair plp = plp_pair_of(first, second);
    const bool metal = first == BERTH_ROLE_METAL || second == BERTH_ROLE_METAL;
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
static struct atom atom_of(bool vinardo, const char *type)
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

static double gauss(const struct gauss *gauss, double d)
{
    const double x = (d - gauss->centre) / gauss->width;
    return gauss->weight * exp(-x * x);
}

static double slope_step(const struct slope_step *step, double d)
{
    if (d >= step->gone) {
        return 0;
    }
    return d <= step->whole ? step->weight
                            : step->weight * (step->gone - d) / (step->gone - step->whole);
}

/* The terms of two atoms of these types at r (Å); 0 from 8 Å on. */
static struct berth_terms vina_ref(const struct berth_scoring *scoring, int first, int second,
                                   double r)
{
    const bool vinardo = scoring->formula == BERTH_FORMULA_VINARDO;
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

/* --- Any function --- */

static struct pair pair_of(const struct berth_scoring *scoring, int first, int second)
{
    const struct berth_type *i = &scoring->forcefield.types[first];
    const struct berth_type *j = &scoring->forcefield.types[second];
    if (scoring->formula == BERTH_FORMULA_PLP) {
        return piecewise(i, j);
    }
    return (struct pair){{steric(i, j), electrostatic(i, j), desolvation(i, j)}, {0, 1, 2}};
}

struct berth_terms berth_score_ref_pair(const struct berth_scoring *scoring, int receptor,
                                        int ligand, double r)
{
    struct berth_terms terms = {{0}};
    switch (scoring->formula) {
    case BERTH_FORMULA_VINA:
    case BERTH_FORMULA_VINARDO:
        return vina_ref(scoring, receptor, ligand, r);
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
    static const double STEP = 4e-6; /* Å */
    if (scoring->formula == BERTH_FORMULA_NONE) {
        struct berth_terms slopes;
        berth_score_evaluate(scoring->program, receptor, ligand, r, NULL, &slopes);
        return berth_terms_sum(&slopes);
    }
    const struct berth_terms before = berth_score_ref_pair(scoring, receptor, ligand, r - STEP);
    const struct berth_terms after = berth_score_ref_pair(scoring, receptor, ligand, r + STEP);
    return (berth_terms_sum(&after) - berth_terms_sum(&before)) / (2 * STEP);
}

/* Å: two atoms of any types do nothing to each other from here on.  Asked for each atom by some, so
 * that it looks at types, not at pairs of them. */
static double farthest(const struct berth_scoring *scoring)
{
    if (scoring->formula == BERTH_FORMULA_PLP) {
        return NONPOLAR.end; /* no other pair's is beyond */
    }
    if (scoring->formula != BERTH_FORMULA_BUDE) {
        return scoring->definition->cutoff;
    }
    double radius = 0, reach = FORMAL_REACH;
    for (size_t i = 0; i < scoring->type_count; i++) {
        const struct berth_type *type = &scoring->forcefield.types[i];
        radius = fmax(radius, type->radius);
        reach = fmax(reach, fmax(type->nonpolar_reach, type->polar_reach));
    }
    return 2 * radius + reach;
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
            const double r = berth_distance(a->position, b->position);
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
