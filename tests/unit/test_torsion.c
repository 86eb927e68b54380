/* The torsion tree of molecules made by hand: which bonds turn, and what they move. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chem/torsion.h"
#include "sketch.h"

/* The tree as text: "first>second:moved,moved ..." for each bond, atoms counted from 1. */
static void expect(const char *molecule_text, const char *tree_text)
{
    struct berth_molecule molecule = sketch(molecule_text);
    struct berth_torsion_tree tree;
    struct berth_error error;
    char text[2048] = "";
    assert_int_equal(berth_torsion_tree_find(&molecule, &tree, &error), BERTH_OK);
    size_t length = 0;
    for (size_t i = 0; i < tree.count; i++) {
        const struct berth_torsion *torsion = &tree.torsions[i];
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%u>%u:", i ? " " : "",
                                   torsion->first + 1, torsion->second + 1);
        for (size_t k = 0; k < torsion->moved_count; k++) {
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%u", k ? "," : "",
                                       tree.moved[torsion->moved_start + k] + 1);
        }
    }
    assert_string_equal(text, tree_text);
    berth_torsion_tree_clear(&tree);
    berth_molecule_clear(&molecule);
}

static void test_chains(void **state)
{
    (void)state;
    expect("C.3", "");
    expect("C.3 C.3; 1-2", "");
    expect("C.3 C.3 C.3; 1-2 2-3", "");
    /* butane: the middle bond; the tie goes to the bond's second atom */
    expect("C.3 C.3 C.3 C.3; 1-2 2-3 3-4", "2>3:4");
    expect("C.3 C.3 C.3 C.3; 4-3 3-2 2-1", "3>2:1");
    /* hexane: what lies nearer to the middle first */
    expect("C.3 C.3 C.3 C.3 C.3 C.3; 1-2 2-3 3-4 4-5 5-6", "3>4:5,6 3>2:1 4>5:6");
}

static void test_hydrogens_move_along_but_do_not_count(void **state)
{
    (void)state;
    /* butane with hydrogens at one end: a methyl group is terminal all the same */
    expect("C.3 C.3 C.3 C.3 H H H; 1-2 2-3 3-4 1-5 1-6 4-7", "2>3:4,7");
    /* C(C)CCC of 5: the lighter side moves although it holds more atoms */
    expect("C.3 C.3 C.3 C.3 C.3 H H H; 1-2 2-3 3-4 4-5 1-6 1-7 1-8", "3>2:1,6,7,8 3>4:5");
}

static void test_what_does_not_turn(void **state)
{
    (void)state;
    expect("C.2 C.2 C.3 C.3; 1=2 1-3 2-4", "");                  /* a double bond */
    expect("C.3 C.2 O.2 N.am C.3; 1-2 2=3 2~4 4-5", "");         /* an amide */
    expect("C.3 C.2 O.2 N.am C.3; 1-2 2=3 2-4 4-5", "");         /* drawn as a single bond */
    expect("C.3 C.cat N.pl3 N.pl3 C.3; 1-2 2-3 2=4 3-5", "");    /* a guanidinium */
    expect("C.3 C.1 C.1 C.3; 1-2 2#3 3-4", "");                  /* methyls beside a triple bond */
    expect("C.3 C.3 C.1 C.1 C.3; 1-2 2-3 3#4 4-5", "");          /* one of them */
    expect("C.3 C.3 C.1 N.1; 1-2 2-3 3#4", "");                  /* a nitrile */
    expect("C.2 C.2 C.1 C.2 C.2; 1-2 2=3 3=4 4-5", "");          /* an allene */
    expect("C.3 C.3 C.3 C.3; 1-2 2-3 3-4 4-1", "");              /* a ring */
    expect("C.3 C.3 C.3 C.3 C.3; 1-2 2-3 3-1 3-4 4-5", "3>4:5"); /* beside one */
    expect("C.3 C.3 Zn C.3; 1-2 3-4", "");                       /* nothing to either side */
}

/* Of the bonds at the ends of linear atoms the first turns: the other has the same axis. */
static void test_one_end_of_linear_atoms_turns(void **state)
{
    (void)state;
    expect("C.3 C.3 C.1 C.1 C.3 C.3; 1-2 2-3 3#4 4-5 5-6", "3>2:1");
    expect("C.3 C.3 C.1 C.1 C.3 C.3; 5-6 4-5 3#4 2-3 1-2", "4>5:6");
    expect("C.3 C.3 C.3 C.1 C.1 C.1 C.1 C.3 O.3; 1-2 2-3 3-4 4#5 5-6 6#7 7-8 8-9", "4>3:1,2 3>2:1");
    /* in a ring neither does */
    expect("C.3 C.3 C.1 C.1 C.3 C.3; 1-2 2-3 3#4 4-5 5-6 6-1", "");
}

static void test_what_does(void **state)
{
    (void)state;
    /* biphenyl: 1..6 and 7..12 */
    expect(
        "C.ar C.ar C.ar C.ar C.ar C.ar C.ar C.ar C.ar C.ar C.ar C.ar; 1:2 2:3 3:4 4:5 5:6 6:1 7:8 "
        "8:9 9:10 10:11 11:12 12:7 1-7",
        "1>7:8,9,10,11,12");
    /* an ester's O-C, and its C-O; an aniline's C-N */
    expect("C.3 C.2 O.2 O.3 C.3; 1-2 2=3 2-4 4-5", "2>4:5");
    expect("C.ar C.ar C.ar C.ar C.ar C.ar N.pl3 C.3; 1:2 2:3 3:4 4:5 5:6 6:1 1-7 7-8", "1>7:8");
}

/* N-acetyl amines of azoles: the bond to the ring turns; Vina, with Open Babel's PDBQT, has it turn
 * where the ring's carbon has no double bond to a nitrogen. */
static void test_amines_at_azoles(void **state)
{
    static const struct {
        const char *ring; /* after acetamide, atoms 1 to 4 */
        double rotors;
    } ROWS[] = {{"C.2 N.2 C.2 C.2 S.3", 0},   /* 2-thiazolyl */
                {"C.2 C.2 N.2 C.2 S.3", 1},   /* 5-thiazolyl */
                {"C.2 N.2 N.pl3 C.2 C.2", 0}, /* 3-pyrazolyl */
                {"C.2 C.2 N.2 N.pl3 C.2", 1}, /* 4-pyrazolyl */
                {"C.2 N.2 C.2 N.pl3 C.2", 1}, /* 4-imidazolyl */
                {"C.2 C.2 C.2 C.2 O.3", 1}};  /* furyl */
    (void)state;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        char text[160];
        double rotors;
        struct berth_error error;
        snprintf(text, sizeof text, "C.3 C.2 O.2 N.am %s; 1-2 2=3 2~4 4-5 5:6 6:7 7:8 8:9 9:5",
                 ROWS[i].ring);
        expect(text, "5>4:1,2,3");
        struct berth_molecule molecule = sketch(text);
        struct berth_facts facts;
        assert_int_equal(berth_facts_find(&molecule, BERTH_FACT_TRAITS, &facts, &error), BERTH_OK);
        assert_int_equal(berth_rotors_count(&facts, &rotors, &error), BERTH_OK);
        berth_facts_clear(&facts);
        assert_float_equal(rotors, ROWS[i].rotors, 0);
        berth_molecule_clear(&molecule);
    }
}

/* Of methylcytosine: a double bond to N in a flat ring makes no amidine, nor C.2 an amide. */
static void test_amines_at_flat_rings_turn(void **state)
{
    (void)state;
    struct berth_molecule molecule =
        sketch("N.am C.2 O.2 N.2 C.2 C.2 C.2 N.pl3 C.3 H H H H H H H; 1~2 2=3 2-4 4=5 5-6 6=7 7-1 "
               "5-8 8-9 1-10 6-11 7-12 8-13 9-14 9-15 9-16");
    struct berth_torsion_tree tree;
    struct berth_error error;
    assert_int_equal(berth_torsion_tree_find(&molecule, &tree, &error), BERTH_OK);
    assert_int_equal(tree.count, 1);
    berth_torsion_tree_clear(&tree);
    struct berth_facts facts;
    assert_int_equal(berth_facts_find(&molecule, BERTH_FACT_TRAITS, &facts, &error), BERTH_OK);
    assert_int_equal(berth_torsion_tree_find_vina(&facts, &tree, &error), BERTH_OK);
    assert_int_equal(tree.count, 1);
    berth_facts_clear(&facts);
    berth_torsion_tree_clear(&tree);
    berth_molecule_clear(&molecule);
}

static void test_fragments_stay_apart(void **state)
{
    (void)state;
    expect("C.3 C.3 C.3 C.3 O.3 C.3; 1-2 2-3 3-4 5-6", "2>3:4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chains),
                                       cmocka_unit_test(test_hydrogens_move_along_but_do_not_count),
                                       cmocka_unit_test(test_what_does_not_turn),
                                       cmocka_unit_test(test_one_end_of_linear_atoms_turns),
                                       cmocka_unit_test(test_what_does),
                                       cmocka_unit_test(test_amines_at_azoles),
                                       cmocka_unit_test(test_amines_at_flat_rings_turn),
                                       cmocka_unit_test(test_fragments_stay_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
