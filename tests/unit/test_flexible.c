/* Ligands whose bonds turn: far pairs worked out by hand, and poses of random molecules: torsion
 * angles, rigid parts, hydrogens.  The seed is fresh and printed; BERTH_TEST_SEED repeats one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flexible_support.h"

enum { TRIALS = 40 };

/* The far pairs as text, atoms counted from 1: "1:5,6" where 1 is far from 5 and 6. */
static void expect_far_from(size_t apart, const char *molecule_text, const char *far)
{
    struct berth_molecule molecule = sketch(molecule_text);
    struct berth_flexible flexible;
    struct berth_error error;
    char text[1024] = "";
    assert_int_equal(berth_flexible_find(&molecule, apart, &flexible, &error), BERTH_OK);
    for (size_t i = 0; i < flexible.atom_count; i++) {
        bool first = true;
        for (size_t j = 0; j < flexible.atom_count; j++) {
            assert_int_equal(berth_flexible_is_far(&flexible, i, j),
                             berth_flexible_is_far(&flexible, j, i));
            if (j > i && berth_flexible_is_far(&flexible, i, j)) {
                char *end = text + strlen(text);
                first ? sprintf(end, "%s%zu:%zu", *text ? " " : "", i + 1, j + 1)
                      : sprintf(end, ",%zu", j + 1);
                first = false;
            }
        }
    }
    assert_string_equal(text, far);
    berth_flexible_clear(&flexible);
    berth_molecule_clear(&molecule);
}

static void expect_far(const char *molecule_text, const char *far)
{
    expect_far_from(4, molecule_text, far);
}

#define RING "C.ar C.ar C.ar C.ar C.ar C.ar"

static void test_far_pairs(void **state)
{
    (void)state;
    expect_far("C.3 C.3 C.3 C.3; 1-2 2-3 3-4", "");            /* butane: its ends, three bonds */
    expect_far("C.3 C.3 C.3 C.3 C.3; 1-2 2-3 3-4 4-5", "1:5"); /* pentane */
    expect_far("C.3 C.3 C.3 C.3 C.3 C.3; 1-2 2-3 3-4 4-5 5-6", "1:5,6 2:6");
    /* hydrogens are not counted, whether in front or in between */
    expect_far("H C.3 C.3 H C.3 C.3 C.3; 1-2 2-3 3-4 3-5 5-6 6-7", "1:5");
    expect_far(RING "; 1:2 2:3 3:4 4:5 5:6 6:1", ""); /* benzene: rigid, although 1 to 4 is far */
    /* biphenyl: all of one ring but its axis, less what is three bonds apart */
    expect_far(RING " " RING "; 1:2 2:3 3:4 4:5 5:6 6:1 7:8 8:9 9:10 10:11 11:12 12:7 1-7",
               "2:9,10,11 3:8,9,10,11,12 4:8,9,10,11,12 5:8,9,10,11,12 6:9,10,11");
    /* a ring of ten with a propyl: the ring does not turn, and atom 10 is as near to 1 as 2 is */
    expect_far("C.3 C.3 C.3 C.3 C.3 C.3 C.3 C.3 C.3 C.3 C.3 C.3 C.3; 1-2 2-3 3-4 4-5 5-6 6-7 7-8 "
               "8-9 9-10 10-1 1-11 11-12 12-13",
               "2:13 3:12,13 4:12,13 5:12,13 6:12,13 7:12,13 8:12,13 9:12,13 10:13");
    /* an amide does not turn: 1 and 6 keep their distance although four bonds are between them */
    expect_far("C.3 C.2 O.2 N.am C.3 C.3 C.3; 1-2 2=3 2~4 4-5 5-6 6-7", "1:6,7 2:7 3:6,7");
}

/* As the scoring function says. */
static void test_bonds_apart(void **state)
{
    (void)state;
    static const char HEXANE[] = "C.3 C.3 C.3 C.3 C.3 C.3; 1-2 2-3 3-4 4-5 5-6";
    expect_far_from(1, HEXANE, "1:4,5,6 2:5,6 3:6");
    expect_far_from(3, HEXANE, "1:4,5,6 2:5,6 3:6");
    expect_far_from(5, HEXANE, "1:6");
    expect_far_from(6, HEXANE, "");
}

static void test_no_ligand(void **state)
{
    (void)state;
    struct berth_molecule molecule = sketch("H H; 1-2");
    struct berth_flexible flexible;
    struct berth_error error;
    assert_int_equal(berth_flexible_find(&molecule, 4, &flexible, &error), BERTH_E_USAGE);
    berth_molecule_clear(&molecule);
    const struct berth_heavy_atoms many = {NULL, BERTH_LIGAND_FLEXIBLE_MAX + 1};
    const struct berth_torsion_tree tree = {0};
    assert_int_equal(berth_flexible_from_tree(&many, &tree, 4, &flexible, &error), BERTH_E_USAGE);
    berth_flexible_clear(&flexible);
    berth_flexible_clear(NULL);
}

/* Those torsions turn that move the most; the others are as fixed as a double bond. */
static void test_many_torsions(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_of(&fixture, chain(57)); /* 54 torsions, 27 to either side of the middle */
    const struct berth_flexible *flexible = &fixture.flexible;
    assert_int_equal(fixture.tree.count, 54);
    assert_int_equal(flexible->tree.count, TORSIONS);
    assert_int_equal(flexible->fixed, 6);
    for (size_t t = 0; t < TORSIONS; t++) {
        assert_int_equal(flexible->tree.torsions[t].moved_count, 27 - t / 2);
    }
    /* the last three bonds that could turn at either end do not */
    assert_false(berth_flexible_is_far(flexible, 0, 4));
    assert_true(berth_flexible_is_far(flexible, 0, 6));
    assert_true(berth_flexible_is_far(flexible, 4, 8));
    fixture_clear(&fixture);
}

/* --- Poses --- */

static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The torsion angle of four points, rad; IUPAC's sign. */
static double torsion_angle(const double *a, const double *b, const double *c, const double *d)
{
    double u[3], v[3], w[3], p[3], q[3], r[3];
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - b[k];
        w[k] = d[k] - c[k];
    }
    cross(u, v, p);
    cross(v, w, q);
    cross(p, q, r);
    return atan2(dot(r, v) / sqrt(dot(v, v)), dot(p, q));
}

/* An atom bonded to `at` other than `other`; `at` itself where there is none. */
static size_t neighbour(const struct berth_molecule *molecule, size_t at, size_t other)
{
    size_t found = at;
    for (size_t i = 0; i < molecule->bond_count && found == at; i++) {
        const struct berth_bond *bond = &molecule->bonds[i];
        const size_t end = bond->first == at ? bond->second : bond->first;
        found = (bond->first == at || bond->second == at) && end != other ? end : at;
    }
    return found;
}

static void expect_same_distance(const struct berth_molecule *molecule, const double (*places)[3],
                                 size_t i, size_t j)
{
    const double before = distance(molecule->atoms[i].position, molecule->atoms[j].position);
    assert_true(fabs(distance(places[i], places[j]) - before) < 1e-9);
}

/* Bond lengths are as they were, and bond angles, by the distance of their outer atoms. */
static void expect_same_shape(const struct berth_molecule *molecule, const double (*places)[3])
{
    for (size_t i = 0; i < molecule->bond_count; i++) {
        const struct berth_bond *p = &molecule->bonds[i];
        expect_same_distance(molecule, places, p->first, p->second);
        for (size_t j = 0; j < i; j++) {
            const struct berth_bond *q = &molecule->bonds[j];
            if (p->first == q->first || p->first == q->second) {
                expect_same_distance(molecule, places, p->second,
                                     p->first == q->first ? q->second : q->first);
            } else if (p->second == q->first || p->second == q->second) {
                expect_same_distance(molecule, places, p->first,
                                     p->second == q->first ? q->second : q->first);
            }
        }
    }
}

/* Every torsion angle grows by its angle, whatever the others do; nothing else changes. */
static void test_angles(void **state)
{
    (void)state;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct fixture f;
        double places[ATOMS][3];
        fixture_random(&f, 7 + below(60));
        memset(places, 0xa5, sizeof places);
        berth_flexible_place_molecule(&f.molecule, &f.tree, &f.transform, f.angles, places);
        const struct berth_atom *atoms = f.molecule.atoms;
        for (size_t t = 0; t < f.flexible.tree.count; t++) {
            const size_t b = f.tree.torsions[t].first, c = f.tree.torsions[t].second;
            const size_t a = neighbour(&f.molecule, b, c), d = neighbour(&f.molecule, c, b);
            const double before = torsion_angle(atoms[a].position, atoms[b].position,
                                                atoms[c].position, atoms[d].position);
            const double after = torsion_angle(places[a], places[b], places[c], places[d]);
            assert_true(fabs(remainder(after - before - f.angles[t], 2 * PI)) < 1e-9);
        }
        expect_same_shape(&f.molecule, (const double(*)[3])places);
        fixture_clear(&f);
    }
}

/* The heavy atoms lie where they lie among all atoms. */
static void test_heavy_and_all(void **state)
{
    (void)state;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct fixture f;
        double places[ATOMS][3];
        fixture_random(&f, 7 + below(ATOMS - 7));
        place(&f);
        berth_flexible_place_molecule(&f.molecule, &f.tree, &f.transform, f.angles, places);
        for (size_t i = 0, heavy = 0; i < f.molecule.atom_count; i++) {
            if (f.molecule.atoms[i].heavy) {
                const struct berth_heavy_atom *atom = &f.placed_atoms[heavy];
                assert_true(distance(atom->position, places[i]) < 1e-9);
                assert_int_equal(atom->type, f.conformer_atoms[heavy].type);
                heavy++;
            }
        }
        fixture_clear(&f);
    }
}

/* Bonds between each two atoms, by the shortest way over heavy atoms; ATOMS where there is none. */
static void count_bonds(const struct berth_molecule *molecule, size_t bonds[ATOMS][ATOMS])
{
    const size_t atoms = molecule->atom_count;
    for (size_t i = 0; i < atoms; i++) {
        for (size_t j = 0; j < atoms; j++) {
            bonds[i][j] = i == j ? 0 : ATOMS;
        }
    }
    for (size_t i = 0; i < molecule->bond_count; i++) {
        const struct berth_bond *bond = &molecule->bonds[i];
        bonds[bond->first][bond->second] = bonds[bond->second][bond->first] = 1;
    }
    for (size_t k = 0; k < atoms; k++) {
        for (size_t i = 0; molecule->atoms[k].heavy && i < atoms; i++) {
            for (size_t j = 0; j < atoms; j++) {
                const size_t way = bonds[i][k] + bonds[k][j];
                bonds[i][j] = way < bonds[i][j] ? way : bonds[i][j];
            }
        }
    }
}

/* Far is just what is four bonds apart and changes its distance when everything turns. */
static void test_far_pairs_change(void **state)
{
    (void)state;
    for (int trial = 0; trial < TRIALS; trial++) {
        static size_t bonds[ATOMS][ATOMS];
        struct fixture f;
        size_t atom_of[ATOMS] = {0}, heavy = 0;
        fixture_random(&f, 7 + below(ATOMS - 7));
        count_bonds(&f.molecule, bonds);
        place(&f);
        for (size_t i = 0; i < f.molecule.atom_count; i++) {
            atom_of[heavy] = i;
            heavy += f.molecule.atoms[i].heavy;
        }
        assert_int_equal(heavy, f.flexible.atom_count);
        for (size_t i = 0; i < heavy; i++) {
            for (size_t j = 0; j < heavy; j++) {
                const double change =
                    distance(f.placed_atoms[i].position, f.placed_atoms[j].position) -
                    distance(f.conformer_atoms[i].position, f.conformer_atoms[j].position);
                assert_int_equal(berth_flexible_is_far(&f.flexible, i, j),
                                 bonds[atom_of[i]][atom_of[j]] >= 4 && fabs(change) > 1e-9);
            }
        }
        fixture_clear(&f);
    }
}

int main(void)
{
    seed_random();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_far_pairs),       cmocka_unit_test(test_bonds_apart),
        cmocka_unit_test(test_no_ligand),       cmocka_unit_test(test_many_torsions),
        cmocka_unit_test(test_angles),          cmocka_unit_test(test_heavy_and_all),
        cmocka_unit_test(test_far_pairs_change)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
