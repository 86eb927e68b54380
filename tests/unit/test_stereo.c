/* Which molecules are stereoisomers: centres, rings, double bonds, and what SMILES say of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chem/stereo.h"
#include "sketch.h"

/* The sketch with its atoms at "x y z  x y z ...". */
static struct berth_molecule place(const char *text, const char *positions)
{
    struct berth_molecule molecule = sketch(text);
    for (size_t i = 0; i < molecule.atom_count; i++) {
        int used;
        double *at = molecule.atoms[i].position;
        assert_int_equal(sscanf(positions, "%lf %lf %lf%n", &at[0], &at[1], &at[2], &used), 3);
        positions += used;
    }
    return molecule;
}

static bool agree(const struct berth_molecule *from, const struct berth_molecule *to)
{
    bool agrees;
    assert_int_equal(berth_stereo_agrees(from, NULL, to, &agrees, NULL), BERTH_OK);
    return agrees;
}

/* Whether the sketch, at the first positions and at the others, is one molecule. */
static bool same(const char *text, const char *here, const char *there)
{
    struct berth_molecule a = place(text, here), b = place(text, there);
    const bool agrees = agree(&a, &b);
    assert_int_equal(agree(&b, &a), agrees);
    assert_true(agree(&a, &a) && agree(&b, &b));
    berth_molecule_clear(&a);
    berth_molecule_clear(&b);
    return agrees;
}

#define CENTER "0 0 0  1.5 0 -0.5  -0.7 1.3 -0.5  -0.7 -1.3 -0.5"
#define MIRROR "0 0 0  1.5 0 -0.5  -0.7 -1.3 -0.5  -0.7 1.3 -0.5"

static void test_centers(void **state)
{
    (void)state;
    assert_false(same("C.3 F Cl Br; 1-2 1-3 1-4", CENTER, MIRROR));
    assert_false(same("S.o O.2 C.3 Cl; 1=2 1-3 1-4", CENTER, MIRROR)); /* a sulfoxide's */
    assert_true(same("C.3 F Cl Cl; 1-2 1-3 1-4", CENTER, MIRROR));     /* no centre */
    assert_true(same("N.3 F Cl Br; 1-2 1-3 1-4", CENTER, MIRROR));     /* it inverts */
    assert_false(same("N.4 F Cl Br I; 1-2 1-3 1-4 1-5", CENTER "  0 0 1.5", MIRROR "  0 0 1.5"));
    /* too flat to tell */
    assert_true(
        same("C.3 F Cl Br; 1-2 1-3 1-4", CENTER, "0 0 0  1.5 0 0  -0.7 -1.3 0  -0.7 1.3 0"));
}

/* Its neighbours in the ring are alike: only both centres together tell cis from trans. */
static void test_rings(void **state)
{
    (void)state;
    const char *ring = "C.3 C.3 C.3 C.3 C.3 C.3 F Cl; 1-2 2-3 3-4 4-5 5-6 6-1 1-7 4-8";
#define RING "1.5 0 0  0.8 1.3 0  -0.8 1.3 0  -1.5 0 0  -0.8 -1.3 0  0.8 -1.3 0 "
    assert_false(same(ring, RING "2 0 1.3 -2 0 1.3", RING "2 0 1.3 -2 0 -1.3"));
    assert_true(same(ring, RING "2 0 1.3 -2 0 1.3", RING "2 0 -1.3 -2 0 -1.3"));
}

#define CIS   "0 0 0  1.3 0 0  -0.7 1.2 0  2 1.2 0"
#define TRANS "0 0 0  1.3 0 0  -0.7 1.2 0  2 -1.2 0"

static void test_double_bonds(void **state)
{
    (void)state;
    assert_false(same("C.2 C.2 F Cl; 1=2 1-3 2-4", CIS, TRANS));
    assert_false(same("C.2 N.2 F O.3; 1=2 1-3 2-4", CIS, TRANS));  /* an oxime */
    assert_true(same("C.3 C.3 F Cl; 1-2 1-3 2-4", CIS, TRANS));    /* it turns */
    assert_true(same("C.2 N.2 N.3 C.3; 1=2 1-3 2-4", CIS, TRANS)); /* and so does an amidine */
    assert_true(same("C.2 C.2 F Cl Cl; 1=2 1-3 2-4 2-5", CIS "  2 -1.2 0", TRANS "  2 1.2 0"));
    /* of a reference without orders, and of one that has the double bond elsewhere */
    struct berth_molecule z = place("C.2 C.2 F C.2 O.2; 1=2 1-3 2-4 4-5", CIS "  2 2.5 0");
    struct berth_molecule plain = place("C.2 C.2 F C.2 O.2; 1-2 1-3 2-4 4-5", TRANS "  2 -2.5 0");
    struct berth_molecule other = place("C.2 C.2 F C.2 O.2; 1-2 1-3 2=4 4-5", TRANS "  2 -2.5 0");
    assert_false(agree(&z, &plain));
    assert_true(agree(&z, &other));
    berth_molecule_clear(&z);
    berth_molecule_clear(&plain);
    berth_molecule_clear(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_centers), cmocka_unit_test(test_rings),
                                       cmocka_unit_test(test_double_bonds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
