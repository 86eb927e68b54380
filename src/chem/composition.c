#include "chem/composition.h"

#include <ctype.h>
#include <string.h>

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

bool berth_composition_parse(const char *formula, struct berth_composition *composition)
{
    memset(composition, 0, sizeof *composition);
    const char *at = formula;
    while (isupper((unsigned char)*at)) {
        size_t length = 1, count = 0;
        while (islower((unsigned char)at[length])) {
            length++;
        }
        char symbol[3] = "";
        memcpy(symbol, at, length < 3 ? length : 0);
        const int element = berth_element_of_type(symbol);
        if (!element) {
            return false;
        }
        at += length;
        const bool one = !isdigit((unsigned char)*at);
        for (; isdigit((unsigned char)*at) && count < 100000000; at++) {
            count = 10 * count + (size_t)(*at - '0');
        }
        composition->counts[element] += one ? 1 : count;
    }
    return at > formula && at[strspn(at, "+-")] == '\0';
}

void berth_composition_of(const struct berth_molecule *molecule,
                          struct berth_composition *composition)
{
    memset(composition, 0, sizeof *composition);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const int element = molecule->atoms[i].element;
        composition->counts[element > 0 && element < BERTH_ELEMENTS ? element : 0]++;
    }
}

size_t berth_composition_heavy(const struct berth_composition *composition)
{
    size_t sum = 0;
    for (int element = 2; element < BERTH_ELEMENTS; element++) {
        sum += composition->counts[element];
    }
    return sum;
}

double berth_composition_mass(const struct berth_composition *composition)
{
    double sum = 0;
    for (int element = 1; element < BERTH_ELEMENTS; element++) {
        sum += MASSES[element] * (double)composition->counts[element];
    }
    return sum;
}
