/* Bond orders from where heavy atoms stand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/bond_perception.h"
#include "chem/bonds.h"

enum { ATOMS_MAX = 20 };

/* Reads "C x y z N x y z ..." (Å), and bonds its atoms by distance. */
static void read_atoms(const char *text, struct berth_molecule *molecule)
{
    struct berth_error error;
    char symbol[3];
    int used;
    *molecule = (struct berth_molecule){.atoms = berth_alloc(ATOMS_MAX, sizeof *molecule->atoms)};
    assert_non_null(molecule->atoms);
    for (; *text; text += used) {
        struct berth_atom *atom = &molecule->atoms[molecule->atom_count++];
        double *at = atom->position;
        assert_int_equal(sscanf(text, "%2s %lf %lf %lf %n", symbol, &at[0], &at[1], &at[2], &used),
                         4);
        atom->element = berth_element_of_type(symbol);
        atom->heavy = true;
    }
    assert_int_equal(berth_bonds_by_distance(molecule, &error), BERTH_OK);
}

/* orders: of each atom's bonds the highest, or ?: either is a form of the molecule.  charges: "+",
 * "-", "." of each, or ?. */
static void expect_of(const char *text, const bool *hydrogens, const char *orders,
                      const char *charges)
{
    struct berth_molecule molecule;
    struct berth_error error;
    bool found;
    read_atoms(text, &molecule);
    assert_int_equal(berth_bonds_perceive(&molecule, hydrogens, &found, &error), BERTH_OK);
    assert_true(found && molecule.has_orders);
    char given[ATOMS_MAX + 1] = "", signs[ATOMS_MAX + 1] = "";
    for (size_t i = 0; i < molecule.atom_count; i++) {
        given[i] = '0';
        for (size_t k = 0; k < molecule.bond_count; k++) {
            const struct berth_bond *bond = &molecule.bonds[k];
            const char order = (char)('0' + bond->order);
            given[i] =
                (bond->first == i || bond->second == i) && order > given[i] ? order : given[i];
        }
        given[i] = orders[i] == '?' ? '?' : given[i];
        const int charge = molecule.atoms[i].charge;
        signs[i] = charges[i] == '?' ? '?' : charge > 0 ? '+' : charge < 0 ? '-' : '.';
    }
    assert_string_equal(given, orders);
    assert_string_equal(signs, charges);
    berth_molecule_clear(&molecule);
}

static void expect(const char *text, const char *orders, const char *charges)
{
    expect_of(text, NULL, orders, charges);
}

/* Coordinates: RDKit's, after MMFF94; single and double bonds are those of the SMILES. */
static void piperazines_are_saturated(void **state)
{
    (void)state;
    /* of danusertib in 2V7A, whose C12-C13 is 1.34 Å long and N5-C12 1.27 */
    expect("N -0.91 0.73 -0.98 C -1.81 0.23 -0.23 C -1.57 -0.99 0.29 N -0.61 -1.88 -0.31 "
           "C 0.38 -1.20 -1.19 C -0.29 -0.10 -2.02 C 0.14 -2.63 0.72 C -0.48 2.06 -0.83",
           "11111111", "........");
}

static void rings_share_double_bonds(void **state)
{
    (void)state;
    /* guanine: Nc1nc2[nH]cnc2c(=O)[nH]1, of whose ring of five either nitrogen may have it */
    expect("N 2.73 0.72 -0.63 C 1.48 0.34 -0.26 N 0.44 0.93 -0.78 C -0.73 0.43 -0.32 "
           "N -1.97 0.85 -0.69 C -2.87 0.08 0.01 N -2.28 -0.79 0.79 C -0.94 -0.58 0.59 "
           "C 0.23 -1.21 1.16 O 0.22 -2.11 2.00 N 1.41 -0.69 0.66",
           "1222?2?2221", "...........");
    /* Clc1ccc2[nH]cnc2c1, of which Open Babel makes ClC1=CC=C2N=CN=C2C1 */
    expect("Cl -3.48 -1.40 0.43 C -1.94 -0.66 0.23 C -1.86 0.73 0.06 C -0.63 1.37 -0.11 "
           "C 0.50 0.56 -0.10 N 1.84 0.83 -0.24 C 2.52 -0.35 -0.16 N 1.71 -1.37 0.02 "
           "C 0.45 -0.83 0.06 C -0.79 -1.46 0.23",
           "12222?2?22", "..........");
    /* O=C1C=CC(=O)C=C1 */
    expect("O 0.04 2.66 -0.02 C 0.02 1.44 -0.01 C 1.27 0.65 0.01 C 1.25 -0.69 0.02 "
           "C -0.02 -1.44 0.01 O -0.04 -2.66 0.02 C -1.27 -0.65 -0.01 C -1.25 0.69 -0.02",
           "22222222", "........");
    /* 4,5-dimethylimidazole of a poor model (1PMN): flat, with bonds as long as single ones */
    expect("N 22.929 10.681 31.054 C 23.012 12.032 30.959 N 22.099 12.689 31.761 "
           "C 21.286 11.715 32.506 C 21.818 10.391 32.070 C 20.233 12.113 33.484 C 21.478 8.914 "
           "32.226",
           "?2?2211", ".......");
    /* indoline: a ring of five beside, whose carbons are sp3: c1ccc2c(c1)CCN2 */
    expect("C 2.32 0.55 0.38 C 2.34 -0.74 -0.17 C 1.15 -1.37 -0.53 C -0.04 -0.69 -0.35 "
           "C -0.06 0.58 0.21 C 1.10 1.22 0.58 C -1.47 1.02 0.39 C -2.21 -0.04 -0.44 "
           "N -1.34 -1.22 -0.62",
           "222222111", ".........");
}

/* As many nitrogens as can be have a double bond, but where rings lose by it. */
static void rings_are_aromatic(void **state)
{
    (void)state;
    /* O=C1Nc2ccccc2C1=Cc1ccc[nH]1, which might be O=C1N=c2ccccc2=C1C=C1C=CC=N1 */
    expect("O 0.72 -3.56 -1.15 C 1.05 -2.42 -0.85 N 2.31 -1.87 -0.90 C 2.31 -0.54 -0.48 "
           "C 3.40 0.30 -0.40 C 3.17 1.60 0.05 C 1.88 2.01 0.42 C 0.79 1.14 0.33 "
           "C 1.01 -0.14 -0.13 C 0.16 -1.31 -0.35 C -1.16 -1.53 -0.22 C -2.07 -0.55 0.21 "
           "C -2.68 -0.28 1.42 C -3.53 0.84 1.23 C -3.43 1.21 -0.09 N -2.55 0.36 -0.71",
           "2212222222222221", "................");
    /* Cn1c2ccccc2nc2c1nc(=O)[nH]c2=O: a flavin, whose middle ring has 8 electrons when reduced */
    expect("C -0.02 -2.48 -0.51 N 0.07 -1.05 -0.26 C -1.10 -0.34 0.08 C -2.37 -0.94 0.16 "
           "C -3.51 -0.19 0.50 C -3.40 1.17 0.77 C -2.15 1.78 0.69 C -1.01 1.05 0.35 "
           "N 0.21 1.76 0.30 C 1.29 1.10 0.01 C 1.29 -0.38 -0.29 N 2.42 -0.97 -0.55 "
           "C 3.60 -0.28 -0.56 O 4.68 -0.85 -0.48 N 3.59 1.08 -0.66 C 2.61 1.82 -0.07 "
           "O 2.78 2.93 0.39",
           "11222222222222122", ".................");
}

/* O=c1cc[nH]cn1: a lactam's nitrogen has the hydrogen, unless the file knows of another. */
static void lactams_have_the_hydrogen(void **state)
{
    (void)state;
    static const char PYRIMIDINONE[] = "O 2.45 -1.18 0.03 C 1.29 -0.77 0.01 C 1.06 0.70 0.06 "
                                       "C -0.19 1.15 0.04 N -1.23 0.28 -0.03 "
                                       "C -0.98 -1.06 -0.07 N 0.19 -1.61 -0.05";
    const bool known[] = {false, false, false, false, true, false, false};
    expect(PYRIMIDINONE, "2222221", ".......");
    expect_of(PYRIMIDINONE, known, "2222122", ".......");
}

/* Nc1cc[nH]c(=O)n1 and c1ccc2[nH]ncc2c1, in whatever order their atoms stand. */
static void of_two_lactams_and_two_azoles_the_stable_one(void **state)
{
    (void)state;
    expect("N 2.28 -0.31 -0.23 C 0.92 -0.21 -0.06 C 0.31 1.12 0.12 C -1.02 1.13 0.27 "
           "N -1.71 -0.04 0.24 C -1.12 -1.27 0.07 O -1.82 -2.28 0.06 N 0.25 -1.32 -0.09",
           "12221222", "........");
    expect("N 0.25 -1.32 -0.09 O -1.82 -2.28 0.06 C -1.12 -1.27 0.07 N -1.71 -0.04 0.24 "
           "C -1.02 1.13 0.27 C 0.31 1.12 0.12 C 0.92 -0.21 -0.06 N 2.28 -0.31 -0.23",
           "22212221", "........");
    expect("C -1.92 0.54 -0.19 C -1.82 -0.78 0.27 C -0.57 -1.38 0.48 C 0.56 -0.61 0.21 "
           "N 1.90 -0.88 0.31 N 2.70 0.14 -0.05 C 1.84 1.10 -0.39 C 0.49 0.70 -0.25 "
           "C -0.77 1.29 -0.46",
           "222212222", ".........");
    expect("N 2.70 0.14 -0.05 N 1.90 -0.88 0.31 C 1.84 1.10 -0.39 C 0.49 0.70 -0.25 "
           "C -0.77 1.29 -0.46 C -1.92 0.54 -0.19 C -1.82 -0.78 0.27 C -0.57 -1.38 0.48 "
           "C 0.56 -0.61 0.21",
           "212222222", ".........");
}

static void charges_where_there_is_no_other_way(void **state)
{
    (void)state;
    /* C[n+]1ccccc1 */
    expect("C 2.17 -0.03 -0.13 N 0.70 -0.01 -0.03 C 0.01 -1.18 -0.06 C -1.38 -1.18 0.02 "
           "C -2.06 0.03 0.12 C -1.34 1.21 0.14 C 0.05 1.17 0.06",
           "1222222", ".+.....");
    /* O=[N+]([O-])c1ccccc1 */
    expect("O 2.91 -1.12 -0.03 N 2.34 -0.02 -0.02 O 2.93 1.07 -0.02 C 0.88 -0.01 -0.01 "
           "C 0.19 1.22 0.00 C -1.20 1.22 0.01 C -1.91 0.02 0.02 C -1.22 -1.20 0.01 "
           "C 0.17 -1.22 -0.01",
           "?2?222222", "?+?......");
}

static void chains(void **state)
{
    (void)state;
    /* CNC(=N)N, CS(=O)(=O)O, C=CC#C */
    expect("C 1.75 0.01 0.33 N 0.43 -0.58 0.17 C -0.63 0.20 -0.13 N -0.63 1.48 -0.16 "
           "N -1.73 -0.55 -0.38",
           "1?2??", ".....");
    expect("C 1.12 0.12 0.01 S -0.55 -0.45 0.21 O -0.90 -1.29 -0.91 O -0.77 -0.84 1.58 "
           "O -1.30 0.95 -0.05",
           "12???", ".....");
    expect("C -1.37 0.47 -0.07 C -0.47 -0.51 0.00 C 0.92 -0.26 -0.19 C 2.09 -0.06 -0.36", "2233",
           "....");
}

/* CC(=O)O and CP(=O)(O)O: the oxygens that have hydrogens have single bonds, were these the
 * shortest, too. */
static void hydrogens_decide_which_oxygen_is_double(void **state)
{
    (void)state;
    static const char ACETIC[] = "C 0 0 0 C 1.5 0 0 O 2.12 1.07 0 O 2.18 -1.15 0";
    static const char PHOSPHONIC[] =
        "C 0 0 1.8 P 0 0 0 O 1.4 0 -0.5 O -0.73 1.26 -0.5 O -0.73 -1.26 -0.5";
    const bool first[] = {false, false, true, false}, second[] = {false, false, false, true};
    const bool ends[] = {false, false, true, false, true};
    expect_of(ACETIC, first, "1212", "....");
    expect_of(ACETIC, second, "1221", "....");
    expect_of(PHOSPHONIC, ends, "12121", ".....");
}

/* Nitrogens in a row, as in azides, are left to others. */
static void what_is_not_found_has_single_bonds(void **state)
{
    (void)state;
    struct berth_molecule molecule;
    struct berth_error error;
    bool found = true;
    read_atoms("C -0.82 0.07 -0.04 N 0.45 0.78 0.11 N 1.46 0.06 0.09 N 2.39 -0.60 0.07", &molecule);
    assert_int_equal(berth_bonds_perceive(&molecule, NULL, &found, &error), BERTH_OK);
    assert_false(found || molecule.has_orders);
    for (size_t i = 0; i < molecule.bond_count; i++) {
        assert_string_equal(molecule.bonds[i].type, "1");
    }
    berth_molecule_clear(&molecule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(piperazines_are_saturated),
        cmocka_unit_test(rings_share_double_bonds),
        cmocka_unit_test(rings_are_aromatic),
        cmocka_unit_test(lactams_have_the_hydrogen),
        cmocka_unit_test(of_two_lactams_and_two_azoles_the_stable_one),
        cmocka_unit_test(charges_where_there_is_no_other_way),
        cmocka_unit_test(chains),
        cmocka_unit_test(hydrogens_decide_which_oxygen_is_double),
        cmocka_unit_test(what_is_not_found_has_single_bonds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
