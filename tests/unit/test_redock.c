/* Shares with their intervals, whose failure a wrong top pose is, and how ligands begin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "chem/structure.h"
#include "format/mol2/mol2.h"
#include "eval/redock/redock_internal.h"
#include "eval/statistics.h"

#define LIGAND "data/demo/1hpv_ligand.mol2"

static void expect_share(size_t successes, size_t trials, double low, double high)
{
    const struct berth_share share = berth_share_of(successes, trials);
    assert_true(fabs(share.value - (double)successes / (double)trials) < 1e-12);
    assert_true(fabs(share.low - low) < 5e-5);
    assert_true(fabs(share.high - high) < 5e-5);
}

/* 81 of 263 is Newcombe's example (Statist. Med. 17 (1998) 857): 0.2553 to 0.3662; so are 15 of 148
 * and 0 of 20. */
static void test_shares(void **state)
{
    (void)state;
    expect_share(81, 263, 0.2553, 0.3662);
    expect_share(15, 148, 0.0624, 0.1605);
    expect_share(0, 20, 0, 0.1611);
    expect_share(20, 20, 1 - 0.1611, 1);
    const struct berth_share nothing = berth_share_of(0, 0);
    assert_true(nothing.value == 0 && nothing.low == 0 && nothing.high == 1);
}

static void test_outcomes(void **state)
{
    (void)state;
    static const struct {
        struct berth_redock_facts facts;
        enum berth_redock_outcome outcome;
    } CASES[] = {/* near enough is right, whatever the energies */
                 {{1.99, -50, -60, -60}, BERTH_REDOCK_RIGHT},
                 {{2.00, -50, -60, -60}, BERTH_REDOCK_SEARCH},
                 /* as low as the crystal pose, or lower: the energy misleads */
                 {{5, -60, -60, -60}, BERTH_REDOCK_SCORING},
                 {{5, -61, -60, INFINITY}, BERTH_REDOCK_SCORING},
                 /* above it, but a conformer in the right place would have been lower */
                 {{5, -59, -60, -59.5}, BERTH_REDOCK_SEARCH},
                 /* ... would not have, or none can be there */
                 {{5, -59, -60, -59}, BERTH_REDOCK_CONFORMER},
                 {{5, -59, -60, -30}, BERTH_REDOCK_CONFORMER},
                 {{5, -59, -60, INFINITY}, BERTH_REDOCK_CONFORMER}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        assert_int_equal(berth_redock_outcome_of(&CASES[i].facts), CASES[i].outcome);
    }
    assert_string_equal(BERTH_REDOCK_OUTCOME[BERTH_REDOCK_RIGHT], "right");
    assert_string_equal(BERTH_REDOCK_OUTCOME[BERTH_REDOCK_SCORING], "scoring");
    assert_string_equal(BERTH_REDOCK_OUTCOME[BERTH_REDOCK_CONFORMER], "conformer");
    assert_string_equal(BERTH_REDOCK_OUTCOME[BERTH_REDOCK_SEARCH], "search");
}

static void test_modes(void **state)
{
    (void)state;
    struct berth_error error;
    bool modes[BERTH_REDOCK_MODES];
    static const struct {
        const char *text;
        bool modes[BERTH_REDOCK_MODES];
    } CASES[] = {{"none", {false, false, false}},         {"both", {true, false, true}},
                 {"torsions", {false, true, false}},      {"crystal,torsions", {true, true, false}},
                 {"generated,both", {true, false, true}}, {"all", {true, true, true}}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        assert_int_equal(berth_redock_modes_parse(CASES[i].text, modes, &error), BERTH_OK);
        assert_memory_equal(modes, CASES[i].modes, sizeof modes);
    }
    assert_int_equal(berth_redock_modes_parse("crystal,", modes, &error), BERTH_E_USAGE);
    assert_int_equal(berth_redock_modes_parse("tors", modes, &error), BERTH_E_USAGE);
}

/* The demo's ligand, heavy atoms, as it begins in that mode. */
static struct berth_molecule begin(enum berth_redock_mode mode, uint64_t seed)
{
    struct berth_molecule molecule = {0};
    struct berth_error error;
    assert_int_equal(berth_mol2_read_one(LIGAND, true, &molecule, &error), BERTH_OK);
    assert_int_equal(redock_start(mode, seed, &molecule, &error), BERTH_OK);
    return molecule;
}

static double distance(const struct berth_molecule *molecule, size_t a, size_t b)
{
    return sqrt(berth_distance_squared(molecule->atoms[a].position, molecule->atoms[b].position));
}

/* The largest difference of distances between atoms. */
static double largest_change(const struct berth_molecule *a, const struct berth_molecule *b)
{
    double largest = 0;
    for (size_t i = 0; i < a->atom_count; i++) {
        for (size_t j = 0; j < i; j++) {
            largest = fmax(largest, fabs(distance(a, i, j) - distance(b, i, j)));
        }
    }
    return largest;
}

/* The same of the ends of bonds, and of two bonds in a row. */
static double largest_near(const struct berth_molecule *a, const struct berth_molecule *b)
{
    double largest = 0;
    for (size_t i = 0; i < a->bond_count; i++) {
        for (size_t j = 0; j < a->bond_count; j++) {
            const size_t far = a->bonds[j].first == a->bonds[i].first    ? a->bonds[j].second
                               : a->bonds[j].second == a->bonds[i].first ? a->bonds[j].first
                                                                         : a->bonds[i].first;
            const size_t end = a->bonds[i].second;
            largest = fmax(largest, fabs(distance(a, end, far) - distance(b, end, far)));
        }
    }
    return largest;
}

/* Rotated only, a ligand keeps all distances; with random torsions those of bonds and angles. */
/* Nitromethane's like: C1 N2 O3 O4, the bonds to oxygen of these types, so long. */
static struct berth_molecule oxide(const char *first, const char *second, double one, double other)
{
    char text[600];
    struct berth_molecule molecule = {0};
    struct berth_mol2_reader *reader;
    struct berth_error error;
    bool end;
    const int size = snprintf(text, sizeof text,
                              "@<TRIPOS>MOLECULE\noxide\n 4 3\nSMALL\nNO_CHARGES\n\n"
                              "@<TRIPOS>ATOM\n1 C1 -1.5 0 0 C.3\n2 N2 0 0 0 N.pl3\n"
                              "3 O3 0 %g 0 O.2\n4 O4 0 -%g 0 O.2\n"
                              "@<TRIPOS>BOND\n1 1 2 1\n2 2 3 %s\n3 2 4 %s\n",
                              one, other, first, second);
    assert_int_equal(berth_mol2_reader_create_memory("x", text, (size_t)size, &reader, &error),
                     BERTH_OK);
    assert_int_equal(berth_mol2_next(reader, &molecule, &end, &error), BERTH_OK);
    berth_mol2_reader_destroy(reader);
    return molecule;
}

/* Where O3 comes to lie in the crystal, whose bonds to O3 and O4 are 1.22 and 1.24 Å long. */
static double place_of_third(const char *first, const char *second, double one, double other)
{
    struct berth_molecule crystal = oxide("2", "1", 1.22, 1.24);
    struct berth_molecule ligand = oxide(first, second, one, other);
    struct berth_error error;
    assert_int_equal(redock_take_positions(&crystal, &ligand, &error), BERTH_OK);
    const double y = ligand.atoms[2].position[1];
    berth_molecule_clear(&crystal);
    berth_molecule_clear(&ligand);
    return y;
}

static void test_equal_atoms_take_the_same_places(void **state)
{
    (void)state;
    /* however a builder's last digits fall */
    assert_true(place_of_third("2", "2", 1.2501, 1.25) == place_of_third("2", "2", 1.25, 1.2501));
    /* and the shorter bond is the double one */
    assert_true(place_of_third("2", "1", 1.25, 1.35) == 1.22);
    assert_true(place_of_third("1", "2", 1.25, 1.25) == -1.24);
}

static void test_starts(void **state)
{
    (void)state;
    struct berth_molecule stands = begin(BERTH_REDOCK_GENERATED, 1);
    struct berth_molecule rotated = begin(BERTH_REDOCK_CRYSTAL, 1);
    struct berth_molecule turned = begin(BERTH_REDOCK_TORSIONS, 1);
    struct berth_molecule again = begin(BERTH_REDOCK_TORSIONS, 1);
    struct berth_molecule other = begin(BERTH_REDOCK_TORSIONS, 2);
    assert_true(largest_change(&stands, &rotated) < 1e-9);
    assert_true(fabs(stands.atoms[0].position[0] - rotated.atoms[0].position[0]) > 0.1);
    assert_true(largest_near(&stands, &turned) < 1e-9);
    assert_true(largest_change(&stands, &turned) > 2);
    assert_true(largest_change(&turned, &other) > 2);
    for (size_t i = 0; i < turned.atom_count; i++) {
        assert_memory_equal(turned.atoms[i].position, again.atoms[i].position,
                            sizeof turned.atoms[i].position);
    }
    berth_molecule_clear(&stands);
    berth_molecule_clear(&rotated);
    berth_molecule_clear(&turned);
    berth_molecule_clear(&again);
    berth_molecule_clear(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares), cmocka_unit_test(test_outcomes),
        cmocka_unit_test(test_modes), cmocka_unit_test(test_equal_atoms_take_the_same_places),
        cmocka_unit_test(test_starts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
