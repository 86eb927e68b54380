/* Random ligands with turning bonds, and one placed: what the tests of score/flexible.h share. */
#ifndef BERTH_TESTS_FLEXIBLE_SUPPORT_H
#define BERTH_TESTS_FLEXIBLE_SUPPORT_H

#include <math.h>
#include <time.h>

#include "score/flexible.h"
#include "chem/ligand.h"
#include "sketch.h"

enum { ATOMS = 128, RECEPTOR = 60, TORSIONS = BERTH_FLEXIBLE_TORSIONS_MAX };

static const double PI = 3.14159265358979323846;

/* All classes, signs and reaches. */
static struct berth_type types[] = {
    {'-', 1.5, -0.25, 20, 6, 1, 0}, {'-', 1.9, -0.75, 40, 8, 3, -0.5},
    {'F', 1.5, 0.5, 30, 6, 2, 1},   {'F', 1.7, 0.25, 30, 6, 1, -1},
    {'D', 1.4, 0.5, 30, 6, 4, 0.5}, {'E', 1.6, 0.25, 30, 6, 1, 0.5},
    {'P', 1.5, 0, 30, 6, 1, -0.3}};
enum { TYPES = sizeof types / sizeof *types };

/* --- Random molecules --- */

static inline double uniform(double low, double high)
{
    return low + (high - low) * rand() / RAND_MAX;
}

static inline size_t below(size_t count)
{
    return (size_t)rand() % count;
}

static inline double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static inline void random_direction(double length, double v[3])
{
    double r;
    do {
        for (int k = 0; k < 3; k++) {
            v[k] = uniform(-1, 1);
        }
        r = distance(v, (double[3]){0, 0, 0});
    } while (r > 1 || r < 0.1);
    for (int k = 0; k < 3; k++) {
        v[k] *= length / r;
    }
}

static inline void add_atom(struct berth_molecule *molecule, const char *type,
                            const double position[3])
{
    struct berth_atom *atom = &molecule->atoms[molecule->atom_count++];
    snprintf(atom->type, sizeof atom->type, "%s", type);
    memcpy(atom->position, position, sizeof atom->position);
    atom->element = berth_element_of_type(type);
    atom->heavy = atom->element != 1;
}

static inline void add_bond(struct berth_molecule *molecule, size_t first, size_t second,
                            const char *type)
{
    struct berth_bond *bond = &molecule->bonds[molecule->bond_count++];
    *bond = (struct berth_bond){.first = first, .second = second};
    snprintf(bond->type, sizeof bond->type, "%s", type);
}

/* Bonds a further atom to `to`, well away from all others; false where no place was found. */
static inline bool grow(struct berth_molecule *molecule, size_t to, bool heavy)
{
    for (int attempt = 0; attempt < 50; attempt++) {
        double place[3];
        random_direction(heavy ? 1.5 : 1.1, place);
        bool free_place = true;
        for (int k = 0; k < 3; k++) {
            place[k] += molecule->atoms[to].position[k];
        }
        for (size_t i = 0; i < molecule->atom_count; i++) {
            const double room = heavy && molecule->atoms[i].heavy ? 2.35 : 1.6;
            free_place &= i == to || distance(place, molecule->atoms[i].position) > room;
        }
        if (free_place) {
            add_bond(molecule, to, molecule->atom_count, heavy && below(8) == 0 ? "2" : "1");
            add_atom(molecule, heavy ? "C.3" : "H", place);
            return true;
        }
    }
    return false;
}

/* A ring of six with branches, hydrogens in between; heavy atoms and torsions as it comes.  At most
 * so many atoms: it ends sooner where it has grown into itself and no place is left. */
static inline struct berth_molecule random_molecule(size_t atoms)
{
    struct berth_molecule molecule = {.title = berth_copy_text("random")};
    molecule.atoms = berth_alloc(atoms, sizeof *molecule.atoms);
    molecule.bonds = berth_alloc(atoms, sizeof *molecule.bonds);
    assert_true(molecule.title && molecule.atoms && molecule.bonds && atoms >= 6);
    for (size_t i = 0; i < 6; i++) {
        const double angle = (double)i * PI / 3;
        add_atom(&molecule, "C.ar", (double[3]){1.39 * cos(angle), 1.39 * sin(angle), 0.3});
        add_bond(&molecule, i, (i + 1) % 6, "ar");
    }
    for (int failures = 0; molecule.atom_count < atoms && failures < 100;) {
        /* rather at the end than anywhere, so that chains grow */
        const size_t last = molecule.atom_count - 1;
        const size_t to = below(3) ? last : below(molecule.atom_count);
        const bool heavy = molecule.atoms[to].heavy;
        const bool grown =
            heavy ? grow(&molecule, to, below(4) != 0) : grow(&molecule, below(6), true);
        failures = grown ? 0 : failures + 1;
    }
    return molecule;
}

/* A chain of carbons along a helix. */
static inline struct berth_molecule chain(size_t count)
{
    struct berth_molecule molecule = sketch("C.3");
    for (size_t i = 1; i < count; i++) {
        const double angle = (double)i * 1.1;
        add_atom(&molecule, "C.3",
                 (double[3]){0.9 * cos(angle), 0.9 * sin(angle), 1.1 * (double)i});
        add_bond(&molecule, i - 1, i, "1");
    }
    return molecule;
}

/* A random molecule with all that its tests need. */
struct fixture {
    struct berth_molecule molecule;
    struct berth_torsion_tree tree; /* over all atoms */
    struct berth_flexible flexible;
    struct berth_heavy_atom conformer_atoms[ATOMS], placed_atoms[ATOMS], receptor_atoms[RECEPTOR];
    struct berth_heavy_atoms conformer, placed, receptor;
    struct berth_transform transform;
    double angles[TORSIONS];
};

static inline void fixture_of(struct fixture *fixture, struct berth_molecule molecule)
{
    struct berth_error error;
    memset(fixture, 0xa5, sizeof *fixture);
    fixture->molecule = molecule;
    assert_int_equal(berth_torsion_tree_find(&molecule, &fixture->tree, &error), BERTH_OK);
    assert_int_equal(berth_flexible_find(&molecule, 4, &fixture->flexible, &error), BERTH_OK);
    fixture->conformer = (struct berth_heavy_atoms){fixture->conformer_atoms, 0};
    fixture->placed = (struct berth_heavy_atoms){fixture->placed_atoms, 0};
    fixture->receptor = (struct berth_heavy_atoms){fixture->receptor_atoms, RECEPTOR};
    for (size_t i = 0; i < molecule.atom_count; i++) {
        if (molecule.atoms[i].heavy) {
            struct berth_heavy_atom *atom = &fixture->conformer_atoms[fixture->conformer.count++];
            memcpy(atom->position, molecule.atoms[i].position, sizeof atom->position);
            atom->type = (int)below(TYPES);
        }
    }
    for (size_t i = 0; i < RECEPTOR; i++) {
        random_direction(uniform(2, 12), fixture->receptor_atoms[i].position);
        fixture->receptor_atoms[i].type = (int)below(TYPES);
    }
    fixture->transform = (struct berth_transform){(float)uniform(-3, 3), (float)uniform(-3, 3),
                                                  (float)uniform(-3, 3), (float)uniform(-2, 2),
                                                  (float)uniform(-2, 2), (float)uniform(-2, 2)};
    for (size_t t = 0; t < TORSIONS; t++) {
        fixture->angles[t] = uniform(-PI, PI);
    }
}

static inline void fixture_random(struct fixture *fixture, size_t atoms)
{
    fixture_of(fixture, random_molecule(atoms));
}

static inline void fixture_clear(struct fixture *fixture)
{
    berth_flexible_clear(&fixture->flexible);
    berth_torsion_tree_clear(&fixture->tree);
    berth_molecule_clear(&fixture->molecule);
}

static inline void place(struct fixture *fixture)
{
    berth_flexible_place(&fixture->flexible, &fixture->conformer, &fixture->transform,
                         fixture->angles, &fixture->placed);
    assert_int_equal(fixture->placed.count, fixture->conformer.count);
}

/* Seeds rand() and says with what; BERTH_TEST_SEED repeats a seed. */
static inline void seed_random(void)
{
    const char *given = getenv("BERTH_TEST_SEED");
    const unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL);
    printf("# seed %u\n", seed);
    srand(seed);
}

#endif
