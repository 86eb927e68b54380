#include "chem/hydrogens.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/adjacency.h"
#include "chem/vectors.h"

/* Å: nearer than that hydrogens crowd, and are moved as far as that apart. */
static const double CROWDED_HYDROGEN = 1.6, CROWDED_HEAVY = 1.9;
static const double APART_HYDROGEN = 2.1, APART_HEAVY = 2.5;

/* Of three bonds between them, where a torsion alone says how far they are. */
static const double NEAR_SHARE = 0.9;

/* Springs of angles against pushes of neighbours, both per Å; Å of a step for each, and how many.
 */
static const double ANGLE = 0.25, PUSH = 0.5, STEP = 0.3;
enum { STEPS = 300 };

struct settling {
    const struct berth_molecule *molecule;
    struct berth_adjacency adjacency;
    double (*positions)[3];    /* borrowed */
    const double (*wanted)[3]; /* where they stood */
    double (*moves)[3];        /* owned */
    unsigned char *bonds;      /* owned; [atom_count][atom_count]: between atoms, of hydrogens */
};

static bool is_hydrogen(const struct berth_molecule *molecule, size_t atom)
{
    return molecule->atoms[atom].element == 1;
}

/* Bonds between two atoms: 1 to 3, else 4 for all that is further. */
static int bonds_between(const struct berth_adjacency *adjacency, size_t from, size_t to, int most)
{
    int least = 4;
    for (size_t k = adjacency->start[from]; k < adjacency->start[from + 1]; k++) {
        const size_t next = adjacency->neighbour[k];
        const int bonds = next == to ? 1
                          : most > 1 ? 1 + bonds_between(adjacency, next, to, most - 1)
                                     : 4;
        least = bonds < least ? bonds : least;
    }
    return least;
}

enum berth_status berth_hydrogens_crowd(const struct berth_molecule *molecule,
                                        const double (*positions)[3], bool *crowded,
                                        struct berth_error *error)
{
    struct berth_adjacency adjacency;
    const enum berth_status status = berth_adjacency_find(molecule, &adjacency, error);
    *crowded = false;
    for (size_t i = 0; !status && molecule->bond_count && i < molecule->atom_count; i++) {
        for (size_t j = 0; is_hydrogen(molecule, i) && j < molecule->atom_count; j++) {
            const double limit = is_hydrogen(molecule, j) ? CROWDED_HYDROGEN : CROWDED_HEAVY;
            *crowded = *crowded || (j != i && berth_distance(positions[i], positions[j]) < limit &&
                                    bonds_between(&adjacency, i, j, 3) > 3);
        }
    }
    berth_adjacency_clear(&adjacency);
    return status;
}

/* Adds to the move of hydrogen i what atom j asks for. */
static void push(const struct settling *settling, size_t i, size_t j)
{
    const double distance = berth_distance(settling->positions[i], settling->positions[j]);
    const double full = is_hydrogen(settling->molecule, j) ? APART_HYDROGEN : APART_HEAVY;
    double away[3];
    if (distance > full + 4) { /* no three bonds reach so far */
        return;
    }
    const int bonds = settling->bonds[i * settling->molecule->atom_count + j];
    double change = 0;
    if (bonds == 2) { /* an angle: as it was */
        change = ANGLE * (berth_distance(settling->wanted[i], settling->wanted[j]) - distance);
    } else if (bonds > 2) {
        const double apart = bonds == 3 ? NEAR_SHARE * full : full;
        change = distance < apart ? PUSH * (apart - distance) : 0;
    }
    berth_direction(settling->positions[j], settling->positions[i], away);
    berth_add_scaled(settling->moves[i], change, away, settling->moves[i]);
}

/* Puts the hydrogen back to its bond's length. */
static void tie(const struct settling *settling, size_t i)
{
    const size_t first = settling->adjacency.start[i];
    if (first < settling->adjacency.start[i + 1]) {
        const size_t to = settling->adjacency.neighbour[first];
        double along[3];
        berth_direction(settling->positions[to], settling->positions[i], along);
        berth_add_scaled(settling->positions[to],
                         berth_distance(settling->wanted[i], settling->wanted[to]), along,
                         settling->positions[i]);
    }
}

static void take_step(const struct settling *settling)
{
    const size_t count = settling->molecule->atom_count;
    memset(settling->moves, 0, count * sizeof *settling->moves);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; is_hydrogen(settling->molecule, i) && j < count; j++) {
            if (j != i) {
                push(settling, i, j);
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (is_hydrogen(settling->molecule, i)) {
            berth_add_scaled(settling->positions[i], STEP, settling->moves[i],
                             settling->positions[i]);
            tie(settling, i);
        }
    }
}

static void count_bonds(const struct settling *settling)
{
    const size_t count = settling->molecule->atom_count;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; is_hydrogen(settling->molecule, i) && j < count; j++) {
            settling->bonds[i * count + j] =
                (unsigned char)bonds_between(&settling->adjacency, i, j, 3);
        }
    }
}

enum berth_status berth_hydrogens_settle(const struct berth_molecule *molecule,
                                         double (*positions)[3], struct berth_error *error)
{
    const size_t count = molecule->atom_count;
    double(*wanted)[3] = berth_alloc(count, sizeof *wanted);
    struct settling settling = {.molecule = molecule,
                                .positions = positions,
                                .wanted = (const double(*)[3])wanted,
                                .moves = berth_alloc(count, sizeof *settling.moves),
                                .bonds = berth_alloc(count, count)};
    enum berth_status status = wanted && settling.moves
                                   ? berth_adjacency_find(molecule, &settling.adjacency, error)
                                   : berth_fail(error, BERTH_E_MEMORY, "out of memory for a pose");
    if (!status) {
        memcpy(wanted, positions, count * sizeof *wanted);
        count_bonds(&settling);
        for (int i = 0; i < STEPS; i++) {
            take_step(&settling);
        }
    }
    berth_adjacency_clear(&settling.adjacency);
    free(settling.moves);
    free(settling.bonds);
    free(wanted);
    return status;
}
