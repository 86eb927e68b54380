#include "chem/molecule.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/vectors.h"

void berth_molecule_clear(struct berth_molecule *molecule)
{
    if (!molecule) {
        return;
    }
    free(molecule->title);
    free(molecule->atoms);
    free(molecule->bonds);
    memset(molecule, 0, sizeof *molecule);
}

bool berth_molecule_copy(const struct berth_molecule *from, struct berth_molecule *to)
{
    *to = *from;
    to->title = berth_copy_text(from->title);
    to->atoms = berth_alloc(from->atom_count, sizeof *to->atoms);
    to->bonds = berth_alloc(from->bond_count, sizeof *to->bonds);
    if (!to->title || !to->atoms || !to->bonds) {
        berth_molecule_clear(to);
        return false;
    }
    if (from->atom_count) {
        memcpy(to->atoms, from->atoms, from->atom_count * sizeof *to->atoms);
    }
    if (from->bond_count) {
        memcpy(to->bonds, from->bonds, from->bond_count * sizeof *to->bonds);
    }
    return true;
}

size_t berth_heavy_count(const struct berth_molecule *molecule)
{
    size_t count = 0;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        count += molecule->atoms[i].heavy;
    }
    return count;
}

size_t *berth_heavy_numbers(const struct berth_molecule *molecule)
{
    size_t *numbers = berth_alloc(molecule->atom_count, sizeof *numbers), heavy = 0;
    for (size_t i = 0; numbers && i < molecule->atom_count; i++) {
        numbers[i] = molecule->atoms[i].heavy ? heavy++ : SIZE_MAX;
    }
    return numbers;
}

void berth_molecule_keep(struct berth_molecule *molecule, const size_t *numbers)
{
    size_t atoms = 0, bonds = 0;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        if (numbers[i] != SIZE_MAX) {
            molecule->atoms[atoms++] = molecule->atoms[i];
        }
    }
    for (size_t i = 0; i < molecule->bond_count; i++) {
        struct berth_bond bond = molecule->bonds[i];
        bond.first = numbers[bond.first];
        bond.second = numbers[bond.second];
        if (bond.first != SIZE_MAX && bond.second != SIZE_MAX) {
            molecule->bonds[bonds++] = bond;
        }
    }
    molecule->atom_count = atoms;
    molecule->bond_count = bonds;
}

enum berth_status berth_molecule_keep_heavy(struct berth_molecule *molecule,
                                            struct berth_error *error)
{
    size_t *numbers = berth_heavy_numbers(molecule);
    if (!numbers) {
        return berth_out_of_memory(error, molecule->title);
    }
    berth_molecule_keep(molecule, numbers);
    free(numbers);
    return BERTH_OK;
}

bool berth_has_hydrogens(const struct berth_molecule *molecule)
{
    bool has = false;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        has = has || molecule->atoms[i].element == HYDROGEN;
    }
    return has;
}

bool berth_heavy_centroid(const struct berth_molecule *molecule, double centroid[3])
{
    double sum[3] = {0, 0, 0};
    size_t count = 0;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy) {
            for (int k = 0; k < 3; k++) {
                sum[k] += molecule->atoms[i].position[k];
            }
            count++;
        }
    }
    for (int k = 0; k < 3; k++) {
        centroid[k] = count ? sum[k] / (double)count : 0;
    }
    return count > 0;
}

bool berth_heavy_extent(const struct berth_molecule *molecule, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
        for (size_t i = 0; i < molecule->atom_count; i++) {
            if (molecule->atoms[i].heavy) {
                low[k] = fmin(low[k], molecule->atoms[i].position[k]);
                high[k] = fmax(high[k], molecule->atoms[i].position[k]);
            }
        }
    }
    return low[0] <= high[0];
}

/* Heavy atoms of which a crystal has not all at one z. */
enum { FLAT_LEAST = 4 };

static bool is_flat(const struct berth_molecule *molecule)
{
    bool sp3 = false;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        if (molecule->atoms[i].position[2] != molecule->atoms[0].position[2]) {
            return false;
        }
        sp3 = sp3 || strcmp(molecule->atoms[i].type, "C.3") == 0;
    }
    return sp3 && molecule->atom_count > 4;
}

static bool coincides(const struct berth_molecule *molecule, size_t i)
{
    const double *p = molecule->atoms[i].position;
    for (size_t j = 0; j < i; j++) {
        if (molecule->atoms[j].heavy &&
            berth_distance_squared(p, molecule->atoms[j].position) < 0.01) {
            return true;
        }
    }
    return false;
}

const char *berth_extent_flaw(const struct berth_molecule *ligand)
{
    for (int axis = 0; axis < 3; axis++) {
        double least = HUGE_VAL, most = -HUGE_VAL;
        for (size_t i = 0; i < ligand->atom_count; i++) {
            const double x = ligand->atoms[i].position[axis];
            if (!(fabs(x) <= BERTH_COORDINATE_MAX)) {
                return "a coordinate is beyond 10000 Å or no number; correct it";
            }
            least = x < least ? x : least;
            most = x > most ? x : most;
        }
        if (most - least > BERTH_EXTENT_MAX) {
            return "its atoms lie more than 1000 Å apart; correct it";
        }
    }
    return NULL;
}

const char *berth_coordinates_flaw(const struct berth_molecule *molecule)
{
    if (is_flat(molecule)) {
        return "it is flat: 2D coordinates";
    }
    for (size_t i = 0; i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy && coincides(molecule, i)) {
            return "two of its atoms lie in one place";
        }
    }
    return NULL;
}

const char *berth_place_flaw(const struct berth_molecule *molecule)
{
    size_t heavy = 0, beside = 0;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const struct berth_atom *atom = &molecule->atoms[i];
        beside += atom->heavy && atom->position[2] != 0;
        heavy += atom->heavy;
    }
    return heavy >= FLAT_LEAST && !beside ? "it is flat: 2D coordinates"
                                          : berth_coordinates_flaw(molecule);
}

/* --- Composition --- */

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
        sum += berth_element_mass(element) * (double)composition->counts[element];
    }
    return sum;
}
