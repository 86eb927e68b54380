#include "chem/twist.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/bonds.h"
#include "chem/vectors.h"

/* What a group at a right angle costs, in kcal/mol, and in units that are smaller:
 * docs/scoring.md says on what this was chosen. */
#define PRICE       2.5
#define PRICE_SMALL 10.0

/* What looking for flat bonds works with. */
struct twisting {
    const struct berth_molecule *molecule;
    const struct berth_adjacency *adjacency;
};

static const struct berth_atom *atom_at(const struct twisting *twisting, size_t i)
{
    return &twisting->molecule->atoms[i];
}

static bool is_flat_carbon(const struct berth_atom *atom)
{
    return strcmp(atom->type, "C.2") == 0 || strcmp(atom->type, "C.ar") == 0;
}

/* A carbon with an oxygen that has no other neighbour. */
static bool is_carbonyl(const struct twisting *twisting, size_t atom)
{
    const struct berth_adjacency *near = twisting->adjacency;
    bool found = false;
    BERTH_EACH_BOND (k, near, atom) {
        const struct berth_atom *other = atom_at(twisting, near->neighbour[k]);
        found = found || (other->element == OXYGEN && strncmp(other->type, "O.3", 3) != 0 &&
                          berth_heavy_degree(twisting->molecule, near, near->neighbour[k]) == 1);
    }
    return found && is_flat_carbon(atom_at(twisting, atom));
}

/* Has the atom a neighbour beside the bond, to `other`, that stands in the way: one that bears a
 * group of its own beside a ring's carbon, three of a nitrogen beside a carbonyl. */
static bool is_crowded(const struct twisting *twisting, size_t atom, size_t other)
{
    const struct berth_adjacency *near = twisting->adjacency;
    const bool carbonyl = is_carbonyl(twisting, atom);
    bool found = false;
    BERTH_EACH_BOND (k, near, atom) {
        const size_t beside = near->neighbour[k];
        const bool large = berth_heavy_degree(twisting->molecule, near, beside) > 2 &&
                           (!carbonyl || atom_at(twisting, beside)->element == NITROGEN);
        found = found || (beside != other && large);
    }
    return found;
}

/* The mean angle off the plane over the heavy neighbours of either end, degrees. */
static double twist_of(const struct berth_flat_bonds *flat, const struct berth_molecule *molecule,
                       const double (*positions)[3], const struct berth_flat_bond *bond)
{
    const size_t *start = flat->adjacency.start;
    const uint32_t *near = flat->adjacency.neighbour;
    const size_t a = bond->carbonyl, b = bond->other;
    const double whole = acos(-1.0);
    double sum = 0;
    size_t count = 0;
    for (size_t i = start[a]; i < start[a + 1]; i++) {
        for (size_t j = start[b]; j < start[b + 1]; j++) {
            const size_t first = near[i], last = near[j];
            if (first == b || last == a || molecule->atoms[first].element <= 1 ||
                molecule->atoms[last].element <= 1) {
                continue;
            }
            const double angle =
                fabs(berth_dihedral(positions[first], positions[a], positions[b], positions[last]));
            sum += fmin(angle, whole - angle) * 180 / whole;
            count++;
        }
    }
    return count ? sum / (double)count : NAN;
}

/* Whether the single bond between these is flat. */
static bool is_flat_bond(const struct twisting *twisting, size_t carbonyl, size_t other)
{
    return is_flat_carbon(atom_at(twisting, other)) && is_carbonyl(twisting, carbonyl) &&
           !is_carbonyl(twisting, other) && !is_crowded(twisting, carbonyl, other) &&
           !is_crowded(twisting, other, carbonyl) &&
           !berth_ring_size(twisting->adjacency, carbonyl, other);
}

enum berth_status berth_flat_bonds_find(const struct berth_molecule *molecule,
                                        struct berth_flat_bonds *flat, struct berth_error *error)
{
    struct twisting twisting = {.molecule = molecule, .adjacency = &flat->adjacency};
    *flat = (struct berth_flat_bonds){.count = 0};
    BERTH_TRY(berth_adjacency_find(molecule, &flat->adjacency, error));
    BERTH_TRY(berth_make(&flat->bonds, molecule->bond_count, sizeof *flat->bonds, molecule->title,
                         error));
    for (size_t i = 0; i < molecule->bond_count; i++) {
        const struct berth_bond *bond = &molecule->bonds[i];
        if (strcmp(bond->type, "1") == 0) {
            if (is_flat_bond(&twisting, bond->first, bond->second)) {
                flat->bonds[flat->count++] = (struct berth_flat_bond){bond->first, bond->second};
            } else if (is_flat_bond(&twisting, bond->second, bond->first)) {
                flat->bonds[flat->count++] = (struct berth_flat_bond){bond->second, bond->first};
            }
        }
    }
    return BERTH_OK;
}

double berth_largest_twist(const struct berth_flat_bonds *flat,
                           const struct berth_molecule *molecule, const double (*positions)[3])
{
    double largest = NAN;
    for (size_t i = 0; i < flat->count; i++) {
        largest = fmax(twist_of(flat, molecule, positions, &flat->bonds[i]), largest);
    }
    return largest;
}

double berth_twist_price(double twist, const char *unit)
{
    const double sine = isnan(twist) ? 0 : sin(twist * acos(-1.0) / 180);
    return (strcmp(unit, "kcal/mol") == 0 ? PRICE : PRICE_SMALL) * sine * sine;
}

void berth_flat_bonds_clear(struct berth_flat_bonds *flat)
{
    free(flat->bonds);
    berth_adjacency_clear(&flat->adjacency);
    *flat = (struct berth_flat_bonds){.count = 0};
}
