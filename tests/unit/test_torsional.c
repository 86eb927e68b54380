/* The torsional term of a scoring function: its rows, its energy and slope against differences, and
 * that neither the order of atoms nor where they are read from changes it.  The seed is fresh and
 * printed; BERTH_TEST_SEED repeats one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dock/placed.h"
#include "flexible_support.h"

enum { TRIALS = 40 };

static struct berth_scoring scoring;

static int read_function(void **state)
{
    const struct berth_scoring_choice choice = {.scoring =
                                                    "tests/fixtures/scoring/torsional.score"};
    struct berth_error error;
    (void)state;
    return berth_scoring_read(&choice, NULL, &scoring, &error) != BERTH_OK;
}

static int clear_function(void **state)
{
    (void)state;
    berth_scoring_clear(&scoring);
    return 0;
}

static void test_hybrids(void **state)
{
    static const struct {
        const char *type;
        enum berth_hybrid hybrid;
    } ROWS[] = {{"C.3", BERTH_HYBRID_SP3},        {"N.4", BERTH_HYBRID_SP3},
                {"S.o2", BERTH_HYBRID_SP3},       {"P.3", BERTH_HYBRID_SP3},
                {"C.2", BERTH_HYBRID_SP2},        {"N.am", BERTH_HYBRID_SP2},
                {"O.co2", BERTH_HYBRID_SP2},      {"C.cat", BERTH_HYBRID_SP2},
                {"N.pl3", BERTH_HYBRID_SP2},      {"C.ar", BERTH_HYBRID_AROMATIC},
                {"N.ar6", BERTH_HYBRID_AROMATIC}, {"C.1", BERTH_HYBRID_LINEAR},
                {"Cl", BERTH_HYBRID_OTHER},       {"Du", BERTH_HYBRID_OTHER},
                {"", BERTH_HYBRID_OTHER}};
    (void)state;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        if (berth_hybrid_of_type(ROWS[i].type) != ROWS[i].hybrid) {
            fail_msg("%s", ROWS[i].type);
        }
    }
}

/* The first row that fits counts, in either order; sp2 is an aromatic atom, too. */
static void test_rows(void **state)
{
    const struct berth_torsional *torsional = &scoring.definition->torsional;
    const enum berth_hybrid sp3 = BERTH_HYBRID_SP3, sp2 = BERTH_HYBRID_SP2;
    const enum berth_hybrid aromatic = BERTH_HYBRID_AROMATIC, other = BERTH_HYBRID_OTHER;
    (void)state;
    assert_int_equal(torsional->row_count, 5);
    assert_int_equal(berth_torsional_find(torsional, sp3, sp3), 0);
    assert_int_equal(berth_torsional_find(torsional, sp3, aromatic), 1);
    assert_int_equal(berth_torsional_find(torsional, aromatic, sp3), 1);
    assert_int_equal(berth_torsional_find(torsional, sp3, sp2), 2);
    assert_int_equal(berth_torsional_find(torsional, aromatic, sp2), 3);
    assert_int_equal(berth_torsional_find(torsional, other, sp2), 4);
    assert_int_equal(berth_torsional_find(torsional, sp2, BERTH_HYBRID_LINEAR), -1);
    struct berth_torsional two = *torsional;
    two.row_count = 2;
    assert_int_equal(berth_torsional_find(&two, sp2, sp3), -1);
}

/* The rows of the function by hand, their slopes by differences, and what a device makes of them.
 */
static void test_energies(void **state)
{
    const struct berth_torsional *torsional = &scoring.definition->torsional;
    (void)state;
    for (int trial = 0; trial < 1000; trial++) {
        const double phi = uniform(-PI, PI), step = 1e-5;
        const double s = sin(phi), c = cos(phi);
        const double expected[] = {1.5 * (1 + cos(3 * phi)),
                                   0.7 * (1 - cos(2 * phi)) + 0.2 * s * s * c,
                                   0.75 * (1 - cos(6 * phi)), 2 * s * s + (c < 0 ? 0.3 * c * c : 0),
                                   0.1 * exp(-pow(sin(phi / 2), 2)) + 0.05 * s};
        for (size_t row = 0; row < 5; row++) {
            double slope, single_slope;
            const double energy = berth_torsional_energy(torsional, row, phi, false, &slope);
            const double single = berth_torsional_energy(torsional, row, phi, true, &single_slope);
            const double low = berth_torsional_energy(torsional, row, phi - step, false, NULL);
            const double high = berth_torsional_energy(torsional, row, phi + step, false, NULL);
            assert_float_equal(energy, expected[row], 1e-12);
            assert_float_equal(slope, (high - low) / (2 * step), 1e-5);
            assert_float_equal(single, energy, 1e-5);
            assert_float_equal(single_slope, slope, 1e-4);
        }
    }
}

/* Four carbons, the last of which is turned about the middle bond, and maybe one more beside it. */
static struct berth_molecule butane(double angle, bool branched)
{
    struct berth_molecule molecule = sketch("C.3");
    memcpy(molecule.atoms[0].position, (double[3]){1, 0, 0.5}, sizeof(double[3]));
    add_atom(&molecule, "C.3", (double[3]){0, 0, 0});
    add_atom(&molecule, "C.3", (double[3]){0, 0, -1.5});
    add_atom(&molecule, "C.3", (double[3]){cos(angle), -sin(angle), -2});
    for (size_t i = 0; i < 3; i++) {
        add_bond(&molecule, i, i + 1, "1");
    }
    if (branched) {
        add_atom(&molecule, "C.3", (double[3]){cos(angle + 2), -sin(angle + 2), -2});
        add_bond(&molecule, 2, 4, "1");
    }
    return molecule;
}

static double energy_standing(const struct berth_molecule *molecule)
{
    struct berth_heavy_atom room[ATOMS];
    struct berth_heavy_atoms heavy = {room, 0};
    struct berth_error error;
    double energy;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const struct berth_atom *atom = &molecule->atoms[i];
        if (atom->heavy) {
            memcpy(room[heavy.count].position, atom->position, sizeof atom->position);
            room[heavy.count++].hybrid = berth_hybrid_of_type(atom->type);
        }
    }
    if (berth_flexible_standing(&scoring, molecule, &heavy, &energy, &error)) {
        fail_msg("%s", error.message);
    }
    return energy;
}

/* Looking along the bond, clockwise is positive; of two dihedrals the mean counts. */
static void test_butane(void **state)
{
    (void)state;
    for (double angle = -3; angle < 3; angle += 0.1) {
        struct berth_molecule plain = butane(angle, false), branched = butane(angle, true);
        const double one = 1.5 * (1 + cos(3 * angle)), other = 1.5 * (1 + cos(3 * (angle + 2)));
        assert_float_equal(energy_standing(&plain), one, 1e-9);
        assert_float_equal(energy_standing(&branched), (one + other) / 2, 1e-9);
        strcpy(plain.atoms[1].type, "C.2"); /* sp2-sp3 */
        assert_float_equal(energy_standing(&plain), 0.75 * (1 - cos(6 * angle)), 1e-9);
        strcpy(plain.atoms[1].type, "C.ar");
        strcpy(plain.atoms[2].type, "C.2"); /* the sign of the angle is not in this row */
        assert_float_equal(energy_standing(&plain),
                           2 * pow(sin(angle), 2) + (cos(angle) < 0 ? 0.3 * pow(cos(angle), 2) : 0),
                           1e-9);
        berth_molecule_clear(&plain);
        berth_molecule_clear(&branched);
    }
    struct berth_molecule molecule = butane(0.7, false);
    strcpy(molecule.atoms[1].type, "P.3");
    strcpy(molecule.atoms[2].type, "Se"); /* any-any, which tells left from right */
    assert_float_equal(energy_standing(&molecule), 0.1 * exp(-pow(sin(0.35), 2)) + 0.05 * sin(0.7),
                       1e-9);
    berth_molecule_clear(&molecule);
}

static void give_types(struct berth_molecule *molecule)
{
    static const char *const NAMES[] = {"C.3", "N.3", "C.2", "N.pl3", "C.ar", "S.3"};
    for (size_t i = 0; i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy) {
            strcpy(molecule->atoms[i].type, NAMES[below(6)]);
        }
    }
}

/* The same molecule with its atoms and bonds in another order. */
static struct berth_molecule shuffled(const struct berth_molecule *from)
{
    struct berth_molecule molecule;
    size_t place[ATOMS] = {0};
    assert_true(berth_molecule_copy(from, &molecule));
    for (size_t i = 0; i < from->atom_count; i++) {
        const size_t j = below(i + 1);
        place[i] = place[j];
        place[j] = i;
    }
    for (size_t i = 0; i < from->atom_count; i++) {
        molecule.atoms[place[i]] = from->atoms[i];
    }
    for (size_t i = 0; i < from->bond_count; i++) {
        struct berth_bond *bond = &molecule.bonds[i];
        const struct berth_bond *old = &from->bonds[from->bond_count - 1 - i];
        *bond = *old;
        bond->first = place[below(2) ? old->first : old->second];
        bond->second = bond->first == place[old->first] ? place[old->second] : place[old->first];
    }
    return molecule;
}

static void test_order_of_atoms(void **state)
{
    size_t with_energy = 0;
    (void)state;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct berth_molecule molecule = random_molecule(8 + below(40));
        give_types(&molecule);
        struct berth_molecule other = shuffled(&molecule);
        const double energy = energy_standing(&molecule);
        assert_float_equal(energy_standing(&other), energy, 1e-9);
        with_energy += energy != 0;
        berth_molecule_clear(&molecule);
        berth_molecule_clear(&other);
    }
    assert_true(with_energy > TRIALS / 2);
}

static void twist(struct fixture *f)
{
    struct berth_error error;
    for (size_t i = 0; i < f->conformer.count; i++) {
        f->conformer_atoms[i].hybrid = (enum berth_hybrid)below(4);
    }
    assert_int_equal(berth_flexible_twist(&scoring, &f->conformer, &f->flexible, &error), BERTH_OK);
}

/* The slopes of all rows by differences. */
static void test_slopes(void **state)
{
    const struct berth_torsional *torsional = &scoring.definition->torsional;
    (void)state;
    for (int trial = 0; trial < TRIALS; trial++) {
        for (size_t row = 0; row < torsional->row_count; row++) {
            double slope;
            const double angle = uniform(-3, 3), step = 1e-6;
            berth_torsional_energy(torsional, row, angle, false, &slope);
            const double rise = berth_torsional_energy(torsional, row, angle + step, false, NULL) -
                                berth_torsional_energy(torsional, row, angle - step, false, NULL);
            assert_float_equal(slope, rise / (2 * step), 1e-4);
        }
    }
}

/* What the device is given says it all. */
static void test_packing(void **state)
{
    (void)state;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct fixture f;
        struct berth_packed_flexible words;
        struct berth_packed_conformer packed;
        struct berth_placed unpacked;
        struct berth_error error;
        fixture_random(&f, 6 + below(60));
        twist(&f);
        assert_int_equal(berth_pack_flexible(&f.flexible, &f.conformer, &words, &error), BERTH_OK);
        assert_int_equal(berth_pack_conformer(&f.conformer, 1, 1, &packed, &error), BERTH_OK);
        packed.flexible = &words;
        assert_int_equal(berth_unpack(&packed, &unpacked, &error), BERTH_OK);
        assert_true(unpacked.flexible.torsional || !f.flexible.tree.count);
        assert_int_equal(unpacked.flexible.dihedral_count, f.flexible.dihedral_count);
        assert_memory_equal(unpacked.flexible.dihedrals, f.flexible.dihedrals,
                            f.flexible.dihedral_count * sizeof *f.flexible.dihedrals);
        berth_placed_clear(&unpacked);
        berth_packed_conformer_clear(&packed);
        berth_packed_flexible_clear(&words);
        fixture_clear(&f);
    }
}

int main(void)
{
    seed_random();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hybrids),        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_energies),       cmocka_unit_test(test_butane),
        cmocka_unit_test(test_order_of_atoms), cmocka_unit_test(test_slopes),
        cmocka_unit_test(test_packing)};
    return cmocka_run_group_tests(tests, read_function, clear_function);
}
