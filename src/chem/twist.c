#include "chem/twist.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/bonds.h"
#include "chem/vectors.h"

enum { CARBON = 6, NITROGEN = 7, OXYGEN = 8 };

struct twisting {
    const struct berth_molecule *molecule;
    struct berth_adjacency adjacency;
    bool *seen; /* [atom_count] */
    size_t *stack;
};

static const struct berth_atom *atom_at(const struct twisting *twisting, size_t i)
{
    return &twisting->molecule->atoms[i];
}

/* Heavy neighbours. */
static size_t degree_of(const struct twisting *twisting, size_t atom)
{
    const struct berth_adjacency *near = &twisting->adjacency;
    size_t degree = 0;
    for (size_t k = near->start[atom]; k < near->start[atom + 1]; k++) {
        degree += atom_at(twisting, near->neighbour[k])->element > 1;
    }
    return degree;
}

static bool is_flat_carbon(const struct berth_atom *atom)
{
    return strcmp(atom->type, "C.2") == 0 || strcmp(atom->type, "C.ar") == 0;
}

/* A carbon with an oxygen that has no other neighbour. */
static bool is_carbonyl(const struct twisting *twisting, size_t atom)
{
    const struct berth_adjacency *near = &twisting->adjacency;
    bool found = false;
    for (size_t k = near->start[atom]; k < near->start[atom + 1]; k++) {
        const struct berth_atom *other = atom_at(twisting, near->neighbour[k]);
        found = found || (other->element == OXYGEN && strncmp(other->type, "O.3", 3) != 0 &&
                          degree_of(twisting, near->neighbour[k]) == 1);
    }
    return found && is_flat_carbon(atom_at(twisting, atom));
}

/* Has the atom a neighbour beside the bond, to `other`, that stands in the way: one that bears a
 * group of its own beside a ring's carbon, three of a nitrogen beside a carbonyl. */
static bool is_crowded(const struct twisting *twisting, size_t atom, size_t other)
{
    const struct berth_adjacency *near = &twisting->adjacency;
    const bool carbonyl = is_carbonyl(twisting, atom);
    bool found = false;
    for (size_t k = near->start[atom]; k < near->start[atom + 1]; k++) {
        const size_t beside = near->neighbour[k];
        const bool large = degree_of(twisting, beside) > 2 &&
                           (!carbonyl || atom_at(twisting, beside)->element == NITROGEN);
        found = found || (beside != other && large);
    }
    return found;
}

/* Do other bonds lead from one end of a bond to the other? */
static bool is_in_ring(struct twisting *twisting, size_t from, size_t to)
{
    const struct berth_adjacency *near = &twisting->adjacency;
    size_t count = 0;
    memset(twisting->seen, 0, twisting->molecule->atom_count * sizeof *twisting->seen);
    twisting->seen[from] = true;
    twisting->stack[count++] = from;
    while (count && !twisting->seen[to]) {
        const size_t atom = twisting->stack[--count];
        for (size_t k = near->start[atom]; k < near->start[atom + 1]; k++) {
            const size_t other = near->neighbour[k];
            if (!twisting->seen[other] && !(atom == from && other == to)) {
                twisting->seen[other] = true;
                twisting->stack[count++] = other;
            }
        }
    }
    return twisting->seen[to];
}

/* The mean angle off the plane over the heavy neighbours of either end, degrees. */
static double twist_of(const struct twisting *twisting, const double (*positions)[3], size_t a,
                       size_t b)
{
    const struct berth_adjacency *near = &twisting->adjacency;
    const double whole = acos(-1.0);
    double sum = 0;
    size_t count = 0;
    for (size_t i = near->start[a]; i < near->start[a + 1]; i++) {
        for (size_t j = near->start[b]; j < near->start[b + 1]; j++) {
            const size_t first = near->neighbour[i], last = near->neighbour[j];
            if (first == b || last == a || atom_at(twisting, first)->element <= 1 ||
                atom_at(twisting, last)->element <= 1) {
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

enum berth_status berth_largest_twist(const struct berth_molecule *molecule,
                                      const double (*positions)[3], double *twist,
                                      struct berth_error *error)
{
    struct twisting twisting = {.molecule = molecule};
    *twist = NAN;
    BERTH_TRY(berth_adjacency_find(molecule, &twisting.adjacency, error));
    twisting.seen = berth_alloc(molecule->atom_count, sizeof *twisting.seen);
    twisting.stack = berth_alloc(molecule->atom_count, sizeof *twisting.stack);
    const bool made = twisting.seen && twisting.stack;
    for (size_t i = 0; made && i < 2 * molecule->bond_count; i++) {
        const struct berth_bond *bond = &molecule->bonds[i / 2];
        const size_t carbonyl = i % 2 ? bond->second : bond->first;
        const size_t other = i % 2 ? bond->first : bond->second;
        if (strcmp(bond->type, "1") == 0 && is_flat_carbon(atom_at(&twisting, other)) &&
            is_carbonyl(&twisting, carbonyl) && !is_carbonyl(&twisting, other) &&
            !is_crowded(&twisting, carbonyl, other) && !is_crowded(&twisting, other, carbonyl) &&
            !is_in_ring(&twisting, carbonyl, other)) {
            *twist = fmax(twist_of(&twisting, positions, carbonyl, other), *twist);
        }
    }
    free(twisting.seen);
    free(twisting.stack);
    berth_adjacency_clear(&twisting.adjacency);
    return made ? BERTH_OK : berth_out_of_memory(error, molecule->title);
}
