#include "chem/elements.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

static const char *const SYMBOLS[] = {
    "*",  "H",  "He", "Li", "Be", "B",  "C",  "N",  "O",  "F",  "Ne", "Na", "Mg", "Al", "Si",
    "P",  "S",  "Cl", "Ar", "K",  "Ca", "Sc", "Ti", "V",  "Cr", "Mn", "Fe", "Co", "Ni", "Cu",
    "Zn", "Ga", "Ge", "As", "Se", "Br", "Kr", "Rb", "Sr", "Y",  "Zr", "Nb", "Mo", "Tc", "Ru",
    "Rh", "Pd", "Ag", "Cd", "In", "Sn", "Sb", "Te", "I",  "Xe", "Cs", "Ba", "La", "Ce", "Pr",
    "Nd", "Pm", "Sm", "Eu", "Gd", "Tb", "Dy", "Ho", "Er", "Tm", "Yb", "Lu", "Hf", "Ta", "W",
    "Re", "Os", "Ir", "Pt", "Au", "Hg", "Tl", "Pb", "Bi", "Po", "At", "Rn", "Fr", "Ra", "Ac",
    "Th", "Pa", "U",  "Np", "Pu", "Am", "Cm", "Bk", "Cf", "Es", "Fm", "Md", "No", "Lr", "Rf",
    "Db", "Sg", "Bh", "Hs", "Mt", "Ds", "Rg", "Cn", "Nh", "Fl", "Mc", "Lv", "Ts", "Og"};

_Static_assert(sizeof SYMBOLS / sizeof *SYMBOLS == BERTH_ELEMENTS, "a symbol for each");

int berth_element_of_type(const char *type)
{
    char symbol[4] = "";
    for (size_t i = 0; i + 1 < sizeof symbol && type[i] && type[i] != '.'; i++) {
        symbol[i] = (char)(i ? tolower((unsigned char)type[i]) : toupper((unsigned char)type[i]));
    }
    if (strcmp(symbol, "D") == 0 || strcmp(symbol, "T") == 0) {
        return HYDROGEN;
    }
    for (int element = 1; element < BERTH_ELEMENTS; element++) {
        if (strcmp(symbol, SYMBOLS[element]) == 0) {
            return element;
        }
    }
    return 0;
}

const char *berth_element_symbol(int element)
{
    return SYMBOLS[element > 0 && element < BERTH_ELEMENTS ? element : 0];
}

/* IUPAC 2021 (abridged), by atomic number. */
static const double MASSES[BERTH_ELEMENTS] = {
    0,      1.008,  4.0026, 6.94,   9.0122, 10.81,  12.011, 14.007, 15.999, 18.998, 20.180, 22.990,
    24.305, 26.982, 28.085, 30.974, 32.06,  35.45,  39.95,  39.098, 40.078, 44.956, 47.867, 50.942,
    51.996, 54.938, 55.845, 58.933, 58.693, 63.546, 65.38,  69.723, 72.630, 74.922, 78.971, 79.904,
    83.798, 85.468, 87.62,  88.906, 91.224, 92.906, 95.95,  97,     101.07, 102.91, 106.42, 107.87,
    112.41, 114.82, 118.71, 121.76, 127.60, 126.90, 131.29, 132.91, 137.33, 138.91, 140.12, 140.91,
    144.24, 145,    150.36, 151.96, 157.25, 158.93, 162.50, 164.93, 167.26, 168.93, 173.05, 174.97,
    178.49, 180.95, 183.84, 186.21, 190.23, 192.22, 195.08, 196.97, 200.59, 204.38, 207.2,  208.98,
    209,    210,    222,    223,    226,    227,    232.04, 231.04, 238.03, 237,    244,    243,
    247,    247,    251,    252,    257,    258,    259,    262,    267,    270,    269,    270,
    270,    278,    281,    281,    285,    286,    289,    289,    293,    293,    294};

double berth_element_mass(int element)
{
    return MASSES[element > 0 && element < BERTH_ELEMENTS ? element : 0];
}

bool berth_is_metal(int element)
{
    return element == 3 || element == 4 || (element >= 11 && element <= 13) ||
           (element >= 19 && element <= 31) || (element >= 37 && element <= 50) ||
           (element >= 55 && element <= 83) || (element >= 87 && element <= 103);
}

bool berth_is_halogen(int element)
{
    return element == FLUORINE || element == CHLORINE || element == BROMINE || element == IODINE;
}

bool berth_may_hydrogen_bond(int first, int second)
{
    const int other = first == HYDROGEN ? second : first;
    return (first == HYDROGEN || second == HYDROGEN) && (other == NITROGEN || other == OXYGEN);
}

/* --- Radii --- */

/* Å: of zinc; and by how much nearer hydrogen bonds bring two atoms. */
static const double METAL_RADIUS = 1.39, HYDROGEN_BOND = 0.4;

double berth_vdw_radius(int element)
{
    static const double RADII[] = {[HYDROGEN] = 1.20, [NITROGEN] = 1.55,   [OXYGEN] = 1.52,
                                   [FLUORINE] = 1.47, [PHOSPHORUS] = 1.80, [SULFUR] = 1.80,
                                   [CHLORINE] = 1.75, [BROMINE] = 1.85,    [IODINE] = 1.98};
    const size_t known = sizeof RADII / sizeof *RADII;
    const double radius = element > 0 && (size_t)element < known ? RADII[element] : 0;
    return radius > 0 ? radius : 1.70;
}

static bool is_polar(int element)
{
    return element == NITROGEN || element == OXYGEN || element == FLUORINE;
}

double berth_overlap(int first, int second, double distance)
{
    const bool metal = berth_is_metal(first);
    const int other = metal ? second : first;
    if (!metal && !berth_is_metal(second)) {
        const double bond = is_polar(first) && is_polar(second) ? HYDROGEN_BOND : 0;
        return berth_vdw_radius(first) + berth_vdw_radius(second) - bond - distance;
    }
    return other == CARBON || other == HYDROGEN ? METAL_RADIUS + berth_vdw_radius(other) - distance
                                                : -INFINITY;
}

double berth_covalent_radius(int element)
{
    static const double RADII[] = {
        [HYDROGEN] = 0.37, [CARBON] = 0.77,    [NITROGEN] = 0.75, [OXYGEN] = 0.73,
        [FLUORINE] = 0.71, [MAGNESIUM] = 1.30, [SILICON] = 1.11,  [PHOSPHORUS] = 1.06,
        [SULFUR] = 1.02,   [CHLORINE] = 0.99,  [CALCIUM] = 1.74,  [MANGANESE] = 1.39,
        [IRON] = 1.25,     [ZINC] = 1.31,      [SELENIUM] = 1.02, [BROMINE] = 1.14,
        [IODINE] = 1.33};
    const size_t known = sizeof RADII / sizeof *RADII;
    const double radius = element > 0 && (size_t)element < known ? RADII[element] : 0;
    return radius > 0 ? radius : BERTH_COVALENT_RADIUS_MAX;
}
