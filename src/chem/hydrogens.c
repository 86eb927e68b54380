#include "chem/hydrogens.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/bonds.h"
#include "chem/vectors.h"

/* Å: nearer than that hydrogens crowd, and are moved as far as that apart. */
static const double CROWDED_HYDROGEN = 1.6, CROWDED_HEAVY = 1.9;
static const double APART_HYDROGEN = 2.1, APART_HEAVY = 2.5;

/* Å: a hydrogen bond, which is near by right. */
static const double APART_BONDED = 1.9;

/* Of three bonds between them, where a torsion alone says how far they are. */
static const double NEAR_SHARE = 0.9;

/* Springs of angles against pushes of neighbours, both per Å; Å of a step for each, and how many,
 * at most: where none moves a hydrogen by SETTLED Å, all have settled.  An angle gives way a
 * little, and hardly by more than BENT Å between its ends. */
static const double ANGLE = 0.25, BENT = 0.4, PUSH = 0.5, STEP = 0.3, SETTLED = 0.002;
enum { STEPS = 300 };

/* Å: what is so much farther than it is to be apart is not met on the way. */
static const double BEYOND = 1.5;

/* A hydrogen, and an atom that says where it may be. */
struct contact {
    size_t hydrogen, other;
    int bonds;    /* between them: 2, or more */
    double apart; /* Å: as far as they are to be apart */
};

struct settling {
    const struct berth_molecule *molecule;
    struct berth_adjacency adjacency;
    double (*positions)[3];    /* borrowed */
    const double (*wanted)[3]; /* where they stood */
    double (*moves)[3];        /* owned */
    struct contact *contacts;  /* owned */
    size_t contact_count;
};

static bool is_hydrogen(const struct berth_molecule *molecule, size_t atom)
{
    return molecule->atoms[atom].element == HYDROGEN;
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
                                    berth_bonds_between(&adjacency, i, j) > 3);
        }
    }
    berth_adjacency_clear(&adjacency);
    return status;
}

/* Adds to the move of a hydrogen what the other atom asks for. */
static void push(const struct settling *settling, const struct contact *contact)
{
    const size_t i = contact->hydrogen, j = contact->other;
    const double distance = berth_distance(settling->positions[i], settling->positions[j]);
    const double short_of = contact->apart - distance;
    const double bent = short_of / BENT;
    const double change = contact->bonds == 2 ? ANGLE * short_of * (1 + bent * bent)
                          : short_of > 0      ? PUSH * short_of
                                              : 0;
    double away[3];
    if (change != 0) {
        berth_direction(settling->positions[j], settling->positions[i], away);
        berth_add_scaled(settling->moves[i], change, away, settling->moves[i]);
    }
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

/* Returns how far a hydrogen went at most, Å. */
static double take_step(const struct settling *settling)
{
    const size_t count = settling->molecule->atom_count;
    double farthest = 0;
    memset(settling->moves, 0, count * sizeof *settling->moves);
    for (size_t k = 0; k < settling->contact_count; k++) {
        push(settling, &settling->contacts[k]);
    }
    for (size_t i = 0; i < count; i++) {
        if (is_hydrogen(settling->molecule, i)) {
            double before[3];
            memcpy(before, settling->positions[i], sizeof before);
            berth_add_scaled(before, STEP, settling->moves[i], settling->positions[i]);
            tie(settling, i);
            farthest = fmax(farthest, berth_distance(before, settling->positions[i]));
        }
    }
    return farthest;
}

/* Nitrogen, oxygen, fluorine or sulfur. */
static bool is_polar(const struct berth_molecule *molecule, size_t atom)
{
    const int element = molecule->atoms[atom].element;
    return element == NITROGEN || element == OXYGEN || element == FLUORINE || element == SULFUR;
}

/* Å between a hydrogen and an atom that no bond holds near it. */
static double find_apart(const struct settling *settling, size_t hydrogen, size_t other)
{
    const struct berth_molecule *molecule = settling->molecule;
    const size_t first = settling->adjacency.start[hydrogen];
    const bool donor = first < settling->adjacency.start[hydrogen + 1] &&
                       is_polar(molecule, settling->adjacency.neighbour[first]);
    return is_hydrogen(molecule, other)         ? APART_HYDROGEN
           : donor && is_polar(molecule, other) ? APART_BONDED
                                                : APART_HEAVY;
}

/* What a hydrogen may meet: atoms two bonds away, whose angle stays as it was, and those that are
 * near without one. */
static void find_contacts(struct settling *settling)
{
    const struct berth_molecule *molecule = settling->molecule;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        for (size_t j = 0; is_hydrogen(molecule, i) && j < molecule->atom_count; j++) {
            const double distance = berth_distance(settling->wanted[i], settling->wanted[j]);
            const double full = find_apart(settling, i, j);
            const int bonds = j != i && distance < full + BEYOND
                                  ? berth_bonds_between(&settling->adjacency, i, j)
                                  : 1;
            if (bonds > 1) {
                settling->contacts[settling->contact_count++] =
                    (struct contact){i, j, bonds,
                                     bonds == 2   ? distance
                                     : bonds == 3 ? NEAR_SHARE * full
                                                  : full};
            }
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
                                .contacts = berth_alloc(count * count, sizeof *settling.contacts)};
    enum berth_status status = wanted && settling.moves && settling.contacts
                                   ? berth_adjacency_find(molecule, &settling.adjacency, error)
                                   : berth_out_of_memory(error, NULL);
    if (!status) {
        memcpy(wanted, positions, count * sizeof *wanted);
        find_contacts(&settling);
        for (int i = 0; i < STEPS && take_step(&settling) > SETTLED; i++) {
        }
    }
    berth_adjacency_clear(&settling.adjacency);
    free(settling.moves);
    free(settling.contacts);
    free(wanted);
    return status;
}
