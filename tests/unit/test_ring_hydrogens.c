/* Which nitrogen of a ring has the hydrogen, by what stands around. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "chem/bonds.h"
#include "chem/ring_hydrogens.h"

enum { ATOMS = 9, BONDS = 10, N1 = 0, N2 = 1 };

/* 1H-indazole, flat, with bonds of 1.4 Å: N1, N2, C3, C3a, C4 to C7, C7a.  N1 has the hydrogen. */
static void make_indazole(struct berth_atom atoms[ATOMS], struct berth_bond bonds[BONDS],
                          struct berth_molecule *molecule)
{
    static const double PLACES[ATOMS][2] = {{1.28, -0.99},  {2.10, 0.14},   {1.28, 1.27},
                                            {-0.04, 0.84},  {-1.25, 1.54},  {-2.46, 0.84},
                                            {-2.46, -0.56}, {-1.25, -1.26}, {-0.04, -0.56}};
    static const int PAIRS[BONDS][3] = {{0, 1, 1}, {1, 2, 2}, {2, 3, 1}, {3, 4, 2}, {4, 5, 1},
                                        {5, 6, 2}, {6, 7, 1}, {7, 8, 2}, {8, 3, 1}, {8, 0, 1}};
    memset(atoms, 0, ATOMS * sizeof *atoms);
    memset(bonds, 0, BONDS * sizeof *bonds);
    for (size_t i = 0; i < ATOMS; i++) {
        atoms[i].element = i <= N2 ? 7 : 6;
        atoms[i].heavy = true;
        atoms[i].position[0] = PLACES[i][0];
        atoms[i].position[1] = PLACES[i][1];
    }
    for (size_t i = 0; i < BONDS; i++) {
        bonds[i].first = (size_t)PAIRS[i][0];
        bonds[i].second = (size_t)PAIRS[i][1];
        bonds[i].order = (uint8_t)PAIRS[i][2];
        strcpy(bonds[i].type, PAIRS[i][2] == 2 ? "2" : "1");
    }
    *molecule = (struct berth_molecule){
        .atoms = atoms, .atom_count = ATOMS, .bonds = bonds, .bond_count = BONDS};
}

/* Bonds of the molecule's atoms by order; 4 in all at a carbon, less its hydrogen. */
static int order_of(const struct berth_molecule *molecule, size_t atom)
{
    int order = 0;
    for (size_t i = 0; i < molecule->bond_count; i++) {
        const struct berth_bond *bond = &molecule->bonds[i];
        order += bond->first == atom || bond->second == atom ? bond->order : 0;
        assert_int_equal(bond->type[0], '0' + bond->order);
    }
    return order;
}

/* Which of the two has the hydrogen, with these partners. */
static size_t settle(const struct berth_partner *partners, size_t count)
{
    static const int ORDERS[ATOMS] = {0, 0, 3, 4, 3, 3, 3, 3, 4};
    struct berth_atom atoms[ATOMS];
    struct berth_bond bonds[BONDS];
    struct berth_molecule molecule;
    struct berth_error error;
    size_t moved = 99;
    make_indazole(atoms, bonds, &molecule);
    assert_int_equal(berth_ring_hydrogens_settle(&molecule, partners, count, &moved, &error),
                     BERTH_OK);
    for (size_t i = N2 + 1; i < ATOMS; i++) {
        assert_int_equal(order_of(&molecule, i), ORDERS[i]);
    }
    assert_int_equal(order_of(&molecule, N1) + order_of(&molecule, N2), 5);
    assert_int_equal(moved, order_of(&molecule, N1) == 3);
    return order_of(&molecule, N1) == 2 ? N1 : N2;
}

static void partners_have_their_say(void **state)
{
    (void)state;
    /* Å: 2.9 from N1 and from N2, along their third bonds */
    const double at_first[3] = {2.18, -3.75, 0}, at_second[3] = {4.99, 0.14, 0};
    struct berth_partner partners[2] = {{.gives = true}, {.gives = false}};
    memcpy(partners[0].position, at_first, sizeof at_first);
    memcpy(partners[1].position, at_second, sizeof at_second);
    assert_int_equal(settle(partners, 0), N1);
    assert_int_equal(settle(partners, 1), N2);
    assert_int_equal(settle(partners + 1, 1), N2);
    assert_int_equal(settle(partners, 2), N2);
    partners[0].gives = false;
    assert_int_equal(settle(partners, 1), N1);
    assert_int_equal(settle(partners, 2), N1); /* both want one: nothing is won */
    partners[1].gives = true;
    assert_int_equal(settle(partners, 2), N1);
}

static void partners_are_in_reach_and_in_line(void **state)
{
    (void)state;
    const struct berth_partner far = {{2.40, -4.60, 0}, true}, above = {{1.28, -0.99, 2.9}, true};
    assert_int_equal(settle(&far, 1), N1);
    assert_int_equal(settle(&above, 1), N1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partners_have_their_say),
        cmocka_unit_test(partners_are_in_reach_and_in_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
