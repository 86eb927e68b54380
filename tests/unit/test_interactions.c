/* Interactions of molecules by hand, whose geometry is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "pose/interactions.h"
#include "unit/sketch.h"

#define PI 3.14159265358979323846

static void place(struct berth_molecule *molecule, size_t atom, double x, double y, double z)
{
    double *at = molecule->atoms[atom].position;
    at[0] = x;
    at[1] = y;
    at[2] = z;
}

/* Six atoms about (0, 0, height) in the plane z, or, `upright`, in the plane x. */
static void place_ring(struct berth_molecule *molecule, double height, bool upright)
{
    for (size_t i = 0; i < 6; i++) {
        const double u = 1.39 * cos((double)i * PI / 3), v = 1.39 * sin((double)i * PI / 3);
        place(molecule, i, upright ? 0 : u, v, height + (upright ? u : 0));
    }
}

static const char BENZENE[] = "C.ar C.ar C.ar C.ar C.ar C.ar H; 1:2 2:3 3:4 4:5 5:6 6:1 1-7";

/* A receptor of one residue; all of its atoms have traits. */
static struct berth_complex target_of(const char *text)
{
    struct berth_complex target = {.receptor.molecule = sketch(text)};
    target.receptor.residues = berth_alloc(1, sizeof *target.receptor.residues);
    target.receptor.residues[0] = (struct berth_residue_id){.name = "RES", .number = 1};
    target.receptor.residue_count = 1;
    target.receptor.molecule.has_traits = true;
    for (size_t i = 0; i < target.receptor.molecule.atom_count; i++) {
        target.receptor.molecule.atoms[i].residue_id = 1;
    }
    return target;
}

/* The first interaction of this kind; NULL where there is none. */
static const struct berth_interaction *meet(struct berth_complex *target,
                                            const struct berth_molecule *pose,
                                            enum berth_interaction_kind kind,
                                            struct berth_interactions *found)
{
    struct berth_error error;
    assert_int_equal(berth_features_find(&target->receptor.molecule, &target->featured, &error),
                     BERTH_OK);
    assert_int_equal(berth_interactions_find(target, pose, found, &error), BERTH_OK);
    for (size_t i = 0; i < found->count; i++) {
        if (found->items[i].kind == kind) {
            return &found->items[i];
        }
    }
    return NULL;
}

static void assert_near(double value, double wanted)
{
    if (!(fabs(value - wanted) < 0.01)) {
        fail_msg("%.4f instead of %.4f", value, wanted);
    }
}

/* A backbone NH, whose hydrogen is not there, and the first atom of a pose at `degrees` to its
 * line; the others are elsewhere. */
static const struct berth_interaction *amide_and(const char *text, double distance, double degrees,
                                                 struct berth_interactions *found)
{
    static struct berth_complex target;
    static struct berth_molecule pose;
    target = target_of("C.2 N.am C.3; 1-2 2-3");
    place(&target.receptor.molecule, 0, -0.67, 1.16, 0);
    place(&target.receptor.molecule, 1, 0, 0, 0);
    place(&target.receptor.molecule, 2, -0.67, -1.16, 0);
    target.receptor.molecule.atoms[1].traits =
        (struct berth_traits){.neighbours = 2, .hydrogens = 1};
    pose = sketch(text);
    const double turn = degrees * PI / 180;
    place(&pose, 0, distance * cos(turn), distance * sin(turn), 0);
    for (size_t i = 1; i < pose.atom_count; i++) {
        place(&pose, i, 10 + (double)i, 10, 10);
    }
    const struct berth_interaction *bond =
        meet(&target, &pose, BERTH_INTERACTION_HYDROGEN_BOND, found);
    berth_complex_clear(&target);
    berth_molecule_clear(&pose);
    return bond;
}

static const struct berth_interaction *amide(double distance, double degrees,
                                             struct berth_interactions *found)
{
    return amide_and("O.2 C.2 H C.3; 1=2 2-3 2-4", distance, degrees, found);
}

/* Of nitrogens those take hydrogen bonds whose lone pair nothing shares. */
static void nitrogens(void **state)
{
    static const struct {
        const char *pose;
        bool takes;
    } ROWS[] = {{"N.3 C.3 C.3 C.3 H; 1-2 1-3 1-4 2-5", true},                   /* an amine */
                {"N.am C.2 O.2 C.3 C.3 H; 1-2 2=3 1-4 1-5 4-6", false},         /* an amide */
                {"N.3 S.o2 O.2 O.2 C.3 C.3 H; 1-2 2=3 2=4 1-5 1-6 5-7", false}, /* a sulfonamide */
                {"N.2 S.o2 O.2 O.2 C.3 C.3 H; 1-2 2=3 2=4 1=5 2-6 6-7", true},  /* S-N=C */
                {"N.3 P.3 O.2 C.3 C.3 C.3 H; 1-2 2=3 2-4 1-5 1-6 5-7", false},  /* P(=O)-N */
                {"N.3 S.3 C.3 C.3 C.3 H; 1-2 2-3 1-4 1-5 4-6", true}};          /* a sulfenamide */
    (void)state;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        struct berth_interactions found = {0};
        if ((amide_and(ROWS[i].pose, 2.9, 0, &found) != NULL) != ROWS[i].takes) {
            fail_msg("%s", ROWS[i].pose);
        }
        berth_interactions_clear(&found);
    }
}

static void hydrogens_of_receptors(void **state)
{
    (void)state;
    struct berth_interactions found = {0};
    const struct berth_interaction *bond = amide(2.9, 0, &found);
    assert_non_null(bond);
    assert_near(bond->distance, 2.9);
    assert_near(bond->angle, 180);
    assert_false(bond->ligand_gives);
    assert_false(berth_interaction_is_weak(bond));
    berth_interactions_clear(&found);
    bond = amide(3.6, 0, &found);
    assert_true(bond && berth_interaction_is_weak(bond));
    berth_interactions_clear(&found);
    bond = amide(2.9, 50, &found);
    assert_true(bond && bond->angle < 120 && berth_interaction_is_weak(bond));
    berth_interactions_clear(&found);
    assert_null(amide(2.9, 70, &found)); /* the hydrogen points elsewhere */
    berth_interactions_clear(&found);
    assert_null(amide(4.2, 0, &found));
    berth_interactions_clear(&found);
    bond = amide(4.0, 30, &found); /* at H: atan2(4 sin 30, 4 cos 30 - 1) = 39.1 */
    assert_non_null(bond);
    assert_near(bond->angle, 180 - atan2(2, 4 * cos(PI / 6) - 1) * 180 / PI);
    berth_interactions_clear(&found);
}

/* Rings at this height, offset and orientation. */
static enum berth_interaction_kind stack(double height, double shift, bool upright)
{
    struct berth_complex target = target_of(BENZENE);
    struct berth_molecule pose = sketch(BENZENE);
    struct berth_interactions found = {0};
    enum berth_interaction_kind kind = BERTH_INTERACTION_KINDS;
    place_ring(&target.receptor.molecule, 0, false);
    place(&target.receptor.molecule, 6, 50, 50, 50);
    place_ring(&pose, height, upright);
    place(&pose, 6, 20, 20, 20);
    for (size_t i = 0; i < 6; i++) {
        pose.atoms[i].position[0] += shift;
    }
    (void)meet(&target, &pose, BERTH_INTERACTION_KINDS, &found);
    for (size_t i = 0; i < found.count; i++) {
        const enum berth_interaction_kind this = found.items[i].kind;
        if (this == BERTH_INTERACTION_STACKING_PARALLEL || this == BERTH_INTERACTION_STACKING_T) {
            kind = this;
            assert_near(found.items[i].offset, upright ? 0 : shift);
        }
        /* carbons of rings that stack are counted with them */
        assert_false(kind != BERTH_INTERACTION_KINDS && this == BERTH_INTERACTION_HYDROPHOBIC);
    }
    berth_interactions_clear(&found);
    berth_complex_clear(&target);
    berth_molecule_clear(&pose);
    return kind;
}

static void stacked_rings(void **state)
{
    (void)state;
    assert_int_equal(stack(3.6, 0, false), BERTH_INTERACTION_STACKING_PARALLEL);
    assert_int_equal(stack(3.6, 1.5, false), BERTH_INTERACTION_STACKING_PARALLEL);
    assert_int_equal(stack(3.6, 2.5, false), BERTH_INTERACTION_KINDS);
    assert_int_equal(stack(5.0, 0, true), BERTH_INTERACTION_STACKING_T);
    assert_int_equal(stack(5.6, 0, true), BERTH_INTERACTION_KINDS);
}

/* An ammonium of the pose 3 Å above a carboxylate, and a zinc beside it. */
static void charges_and_metals(void **state)
{
    (void)state;
    struct berth_complex target = target_of("C.2 O.co2 O.co2 C.3 Zn; 1-2 1-3 1-4");
    struct berth_molecule pose = sketch("N.4 H H H C.3; 1-2 1-3 1-4 1-5");
    struct berth_molecule thiol = sketch("S.3 C.3 H; 1-2 1-3");
    struct berth_interactions found = {0};
    struct berth_molecule *receptor = &target.receptor.molecule;
    place(receptor, 0, 0, 0, 0);
    place(receptor, 1, 0.6, 1.1, 0);
    place(receptor, 2, 0.6, -1.1, 0);
    place(receptor, 3, -1.5, 0, 0);
    place(receptor, 4, 9, 0, 0);
    receptor->atoms[1].traits = receptor->atoms[2].traits =
        (struct berth_traits){.neighbours = 1, .acceptor = true};
    place(&pose, 0, 3.6, 0, 0);
    place(&pose, 1, 3.3, 0.9, 0);
    place(&pose, 2, 3.3, -0.5, 0.8);
    place(&pose, 3, 3.3, -0.5, -0.8);
    place(&pose, 4, 5.1, 0, 0);
    const struct berth_interaction *bridge =
        meet(&target, &pose, BERTH_INTERACTION_SALT_BRIDGE, &found);
    assert_non_null(bridge);
    assert_near(bridge->distance, 3.0); /* from between the oxygens */
    assert_int_equal(bridge->receptor.count, 2);
    assert_true(bridge->ligand_gives);
    assert_int_equal(found.items[0].kind, BERTH_INTERACTION_HYDROGEN_BOND);
    berth_interactions_clear(&found);
    berth_featured_clear(&target.featured);
    place(&thiol, 0, 9, 2.3, 0);
    place(&thiol, 1, 9, 4.1, 0);
    place(&thiol, 2, 10.3, 2.3, 0);
    const struct berth_interaction *metal = meet(&target, &thiol, BERTH_INTERACTION_METAL, &found);
    assert_non_null(metal);
    assert_near(metal->distance, 2.3);
    berth_interactions_clear(&found);
    berth_complex_clear(&target);
    berth_molecule_clear(&pose);
    berth_molecule_clear(&thiol);
}

/* A tetrazolate's nitrogens share its charge, of which a drawing gives one all. */
static void charge_of_a_ring(void **state)
{
    (void)state;
    struct berth_complex target = target_of("N.4 C.3; 1-2");
    struct berth_molecule pose = sketch("C.ar N.ar N.ar N.ar N.ar H; 1:2 2:3 3:4 4:5 5:1 1-6");
    struct berth_interactions found = {0};
    place(&target.receptor.molecule, 1, -1.5, 0, 0);
    for (size_t i = 0; i < 5; i++) {
        const double turned = 2 * PI * (double)i / 5;
        place(&pose, i, 5 + 1.2 * cos(turned), 1.2 * sin(turned), 0);
    }
    place(&pose, 5, 7.3, 0, 0);
    const struct berth_interaction *bridge =
        meet(&target, &pose, BERTH_INTERACTION_SALT_BRIDGE, &found);
    assert_non_null(bridge);
    assert_int_equal(bridge->ligand.count, 4);
    assert_near(bridge->distance, 5 - 1.2 / 4);
    berth_interactions_clear(&found);
    berth_complex_clear(&target);
    berth_molecule_clear(&pose);
}

/* Two hydroxyl groups could both give their hydrogen: one bond, and not one each way. */
static void one_bond_between_two_atoms(void **state)
{
    (void)state;
    struct berth_complex target = target_of("C.3 O.3; 1-2");
    struct berth_molecule pose = sketch("O.3 H C.3 H; 1-2 1-3 3-4");
    struct berth_interactions found = {0};
    struct berth_molecule *receptor = &target.receptor.molecule;
    place(receptor, 0, -1.3, 0.6, 0);
    place(receptor, 1, 0, 0, 0);
    receptor->atoms[1].traits =
        (struct berth_traits){.neighbours = 1, .hydrogens = 1, .acceptor = true};
    place(&pose, 0, 2.8, 0, 0);
    place(&pose, 1, 3.2, 0.9, 0);
    place(&pose, 2, 3.4, -1.2, 0);
    place(&pose, 3, 4.5, -1.2, 0);
    assert_non_null(meet(&target, &pose, BERTH_INTERACTION_HYDROGEN_BOND, &found));
    size_t bonds = 0;
    for (size_t i = 0; i < found.count; i++) {
        bonds += found.items[i].kind == BERTH_INTERACTION_HYDROGEN_BOND;
    }
    assert_int_equal(bonds, 1);
    berth_interactions_clear(&found);
    berth_complex_clear(&target);
    berth_molecule_clear(&pose);
}

/* How many hydrogen bonds a primary amide makes with an acceptor on the line of one of its
 * hydrogens, 61 degrees off the bond, and one at `degrees`. */
static size_t bonds_of_amide(double degrees)
{
    struct berth_complex target = target_of("C.3 C.2 O.2 N.am; 1-2 2=3 2-4");
    struct berth_molecule pose = sketch("O.2 C.2 H C.3 O.2 C.2 H C.3; 1=2 2-3 2-4 5=6 6-7 6-8");
    struct berth_interactions found = {0};
    struct berth_molecule *receptor = &target.receptor.molecule;
    const double first = 61 * PI / 180, second = degrees * PI / 180;
    place(receptor, 0, -1.33 - 0.72, -1.30, 0);
    place(receptor, 1, -1.33, 0, 0);
    place(receptor, 2, -1.33 - 0.62, 1.05, 0);
    place(receptor, 3, 0, 0, 0);
    receptor->atoms[3].traits = (struct berth_traits){.neighbours = 1, .hydrogens = 2};
    for (size_t i = 0; i < pose.atom_count; i++) {
        place(&pose, i, 10 + (double)i, 10, 10);
    }
    place(&pose, 0, 2.9 * cos(first), 2.9 * sin(first), 0);
    place(&pose, 4, 3.2 * cos(second), 3.2 * sin(second), 0);
    (void)meet(&target, &pose, BERTH_INTERACTION_HYDROGEN_BOND, &found);
    size_t bonds = 0;
    for (size_t i = 0; i < found.count; i++) {
        bonds += found.items[i].kind == BERTH_INTERACTION_HYDROGEN_BOND;
    }
    berth_interactions_clear(&found);
    berth_complex_clear(&target);
    berth_molecule_clear(&pose);
    return bonds;
}

static void one_bond_of_each_hydrogen(void **state)
{
    (void)state;
    assert_int_equal(bonds_of_amide(61 + 35), 1);  /* 131 degrees at the same hydrogen */
    assert_int_equal(bonds_of_amide(-61 - 35), 2); /* at the other one */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hydrogens_of_receptors),
                                       cmocka_unit_test(nitrogens),
                                       cmocka_unit_test(one_bond_between_two_atoms),
                                       cmocka_unit_test(one_bond_of_each_hydrogen),
                                       cmocka_unit_test(stacked_rings),
                                       cmocka_unit_test(charges_and_metals),
                                       cmocka_unit_test(charge_of_a_ring)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
