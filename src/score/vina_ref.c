#include "score/vina_ref.h"

#include <math.h>
#include <string.h>

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

static double gauss(const struct gauss *gauss, double d, double *slope)
{
    const double x = (d - gauss->centre) / gauss->width;
    const double value = gauss->weight * exp(-x * x);
    *slope += -2 * x / gauss->width * value;
    return value;
}

static double slope_step(const struct slope_step *step, double d, double *slope)
{
    if (d >= step->gone) {
        return 0;
    }
    if (d <= step->whole) {
        return step->weight;
    }
    *slope -= step->weight / (step->gone - step->whole);
    return step->weight * (step->gone - d) / (step->gone - step->whole);
}

struct berth_terms berth_vina_ref(bool vinardo, const char *first, const char *second, double r,
                                  double *slope)
{
    const struct function *function = vinardo ? &VINARDO : &VINA;
    struct berth_terms terms = {{0}};
    double sum = 0;
    if (r < CUTOFF) {
        const struct atom a = atom_of(vinardo, first), b = atom_of(vinardo, second);
        const double d = r - a.radius - b.radius;
        size_t k = 0;
        for (; k < function->gauss_count; k++) {
            terms.values[k] = gauss(&function->gauss[k], d, &sum);
        }
        if (d < 0) {
            terms.values[k] = function->repulsion * d * d;
            sum += 2 * function->repulsion * d;
        }
        k++;
        if (a.hydrophobic && b.hydrophobic) {
            terms.values[k] = slope_step(&function->hydrophobic, d, &sum);
        }
        k++;
        if ((a.donor && b.acceptor) || (a.acceptor && b.donor)) {
            terms.values[k] = slope_step(&function->hydrogen_bond, d, &sum);
        }
    }
    if (slope) {
        *slope = sum;
    }
    return terms;
}
