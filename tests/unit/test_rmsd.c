/* Isomorphisms of molecules whose symmetry is known, and the RMSD over them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "chem/rmsd.h"

/* A molecule of the atoms "C C O ..." ("H" is not heavy) and the bonds "0-1 1-2 ...". */
static struct berth_molecule make(const char *atoms, const char *bonds)
{
    struct berth_molecule molecule = {.title = berth_copy_text("test"),
                                      .atoms = berth_alloc(strlen(atoms), sizeof *molecule.atoms),
                                      .bonds = berth_alloc(strlen(bonds), sizeof *molecule.bonds)};
    assert_true(molecule.title && molecule.atoms && molecule.bonds);
    int used;
    for (char type[8]; sscanf(atoms, "%7s%n", type, &used) == 1; atoms += used) {
        struct berth_atom *atom = &molecule.atoms[molecule.atom_count++];
        atom->element = berth_element_of_type(type);
        atom->heavy = atom->element != 1;
    }
    struct berth_bond bond = {.type = "1"};
    for (; sscanf(bonds, "%zu-%zu%n", &bond.first, &bond.second, &used) == 2; bonds += used) {
        molecule.bonds[molecule.bond_count++] = bond;
    }
    return molecule;
}

static struct berth_matches find(const struct berth_molecule *from, const struct berth_molecule *to)
{
    struct berth_error error;
    struct berth_matches matches;
    assert_int_equal(berth_matches_find(from, to, &matches, &error), BERTH_OK);
    return matches;
}

/* The number of ways in which the molecule matches itself; clears it. */
static size_t automorphisms(struct berth_molecule molecule, bool complete)
{
    struct berth_matches matches = find(&molecule, &molecule);
    assert_int_equal(matches.complete, complete);
    assert_int_equal(matches.heavy_count, berth_heavy_count(&molecule));
    /* The identity comes first. */
    for (size_t i = 0; i < matches.heavy_count; i++) {
        assert_int_equal(matches.atoms[i], i);
    }
    size_t count = matches.count;
    berth_matches_clear(&matches);
    berth_molecule_clear(&molecule);
    return count;
}

static void test_symmetries(void **state)
{
    (void)state;
    assert_int_equal(automorphisms(make("C", ""), true), 1);
    /* benzene, with two of its hydrogens */
    assert_int_equal(
        automorphisms(make("H C C C C C C H", "1-2 2-3 3-4 4-5 5-6 6-1 0-1 7-2"), true), 12);
    /* toluene */
    assert_int_equal(automorphisms(make("C C C C C C C", "0-1 1-2 2-3 3-4 4-5 5-6 6-1"), true), 2);
    /* t-butanol */
    assert_int_equal(automorphisms(make("O C C C C", "0-1 1-2 1-3 1-4"), true), 6);
    /* acetate: the oxygens match though one bond is double */
    assert_int_equal(automorphisms(make("C C O O", "0-1 1-2 1-3"), true), 2);
    /* guanidinium, and methylguanidinium, whatever the orders of their bonds */
    assert_int_equal(automorphisms(make("C N N N", "0-1 0-2 0-3"), true), 6);
    assert_int_equal(automorphisms(make("C N C N N", "0-1 1-2 2-3 2-4"), true), 2);
    /* pentane; methyl ester */
    assert_int_equal(automorphisms(make("C C C C C", "0-1 1-2 2-3 3-4"), true), 2);
    assert_int_equal(automorphisms(make("C C O O C", "0-1 1-2 1-3 3-4"), true), 1);
    /* neopentane; cubane; a bond given twice, and one from an atom to itself */
    assert_int_equal(automorphisms(make("C C C C C", "0-1 0-2 0-3 0-4"), true), 24);
    assert_int_equal(
        automorphisms(make("C C C C C C C C", "0-1 1-2 2-3 3-0 4-5 5-6 6-7 7-4 0-4 1-5 2-6 3-7"),
                      true),
        48);
    assert_int_equal(automorphisms(make("C C O", "0-1 1-0 1-2 2-2"), true), 1);
    /* disconnected: two waters, two ethanes and a chloride */
    assert_int_equal(automorphisms(make("O O", ""), true), 2);
    assert_int_equal(automorphisms(make("C C Cl C C", "0-1 3-4"), true), 8);
}

static void expect_none(struct berth_molecule a, struct berth_molecule b)
{
    struct berth_matches matches = find(&a, &b);
    assert_int_equal(matches.count, 0);
    assert_true(matches.complete);
    assert_true(isinf(berth_rmsd(&matches, NULL, NULL)));
    berth_matches_clear(&matches);
    berth_molecule_clear(&a);
    berth_molecule_clear(&b);
}

static void test_different(void **state)
{
    (void)state;
    expect_none(make("C C O", "0-1 1-2"), make("C C N", "0-1 1-2"));
    expect_none(make("C C O", "0-1 1-2"), make("C C O", "0-1 0-2 1-2"));
    expect_none(make("C C C O", "0-1 1-2 2-3"), make("C C C O", "0-1 1-2 1-3"));
    expect_none(make("C C", "0-1"), make("C C C", "0-1 1-2"));
    /* All atoms look alike to the refinement: a ring of six and two of three. */
    expect_none(make("C C C C C C", "0-1 1-2 2-3 3-4 4-5 5-0"),
                make("C C C C C C", "0-1 1-2 2-0 3-4 4-5 5-3"));
    expect_none(make("", ""), make("", ""));
    expect_none(make("H", ""), make("C", ""));
}

/* C60, the truncated icosahedron: one atom for each directed edge (a, b) of an icosahedron; it is
 * bonded to (b, a), and to those edges of a whose ends neighbour b. */
static struct berth_molecule buckyball(void)
{
    static const int AROUND[12][5] = {{1, 2, 3, 4, 5},   {0, 2, 6, 10, 5}, {0, 1, 6, 7, 3},
                                      {0, 2, 7, 8, 4},   {0, 3, 8, 9, 5},  {0, 4, 9, 10, 1},
                                      {1, 2, 7, 11, 10}, {2, 3, 8, 11, 6}, {3, 4, 9, 11, 7},
                                      {4, 5, 10, 11, 8}, {5, 1, 6, 11, 9}, {6, 7, 8, 9, 10}};
    int number[12][12];
    memset(number, -1, sizeof number);
    char atoms[256] = "", bonds[2048] = "";
    for (int a = 0, atom = 0; a < 12; a++) {
        for (int k = 0; k < 5; k++, atom++) {
            number[a][AROUND[a][k]] = atom;
            strcat(atoms, "C ");
        }
    }
    for (int a = 0; a < 12; a++) {
        for (int k = 0; k < 5; k++) {
            int b = AROUND[a][k];
            for (int l = 0; l < 5; l++) {
                int c = AROUND[a][l];
                size_t length = strlen(bonds);
                if (b < c && number[b][c] >= 0) {
                    snprintf(bonds + length, sizeof bonds - length, "%d-%d ", number[a][b],
                             number[a][c]);
                }
            }
            size_t length = strlen(bonds);
            if (a < b) {
                snprintf(bonds + length, sizeof bonds - length, "%d-%d ", number[a][b],
                         number[b][a]);
            }
        }
    }
    return make(atoms, bonds);
}

static void test_buckyball(void **state)
{
    (void)state;
    struct berth_molecule ball = buckyball();
    assert_int_equal(ball.atom_count, 60);
    assert_int_equal(ball.bond_count, 90);
    /* all 120 within the bound on steps: nothing is cut short */
    assert_int_equal(automorphisms(ball, true), 120);
}

/* A prism over a ring of 30: as large as C60, and each atom has three neighbours there, too, so
 * that the refinement cannot tell the two apart. */
static struct berth_molecule prism(void)
{
    char atoms[256] = "", bonds[2048] = "";
    for (int i = 0; i < 60; i++) {
        const size_t length = strlen(bonds);
        const int ring = i / 30 * 30;
        strcat(atoms, "C ");
        snprintf(bonds + length, sizeof bonds - length, "%d-%d ", i, ring + (i + 1) % 30);
        if (i < 30) {
            const size_t next = strlen(bonds);
            snprintf(bonds + next, sizeof bonds - next, "%d-%d ", i, i + 30);
        }
    }
    return make(atoms, bonds);
}

/* The search itself has to find that there is no match, and does so within its bound. */
static void test_no_buckyball(void **state)
{
    (void)state;
    assert_int_equal(automorphisms(prism(), true), 120);
    expect_none(buckyball(), prism());
    expect_none(prism(), buckyball());
}

/* A chain of `groups` carbons with a CF3 on each: 6^groups matches, and twice that end for end. */
static struct berth_molecule many_cf3(int groups)
{
    char atoms[512] = "", bonds[2048] = "";
    for (int g = 0, at = 0; g < groups; g++, at += 5) {
        strcat(atoms, "C C F F F ");
        size_t length = strlen(bonds);
        snprintf(bonds + length, sizeof bonds - length, "%d-%d %d-%d %d-%d %d-%d ", at, at + 1,
                 at + 1, at + 2, at + 1, at + 3, at + 1, at + 4);
        length = strlen(bonds);
        if (g) {
            snprintf(bonds + length, sizeof bonds - length, "%d-%d ", at - 5, at);
        }
    }
    return make(atoms, bonds);
}

static void test_bounds(void **state)
{
    (void)state;
    assert_int_equal(automorphisms(many_cf3(4), true), 2592);
    assert_int_equal(automorphisms(many_cf3(5), false), BERTH_MATCHES_MAX);
    assert_int_equal(automorphisms(many_cf3(20), false), BERTH_MATCHES_MAX);
    /* Twelve methane molecules: 12! matches. */
    assert_int_equal(automorphisms(make("C C C C C C C C C C C C", ""), false), BERTH_MATCHES_MAX);
}

static void test_rmsd(void **state)
{
    (void)state;
    /* p-cresol, and the same with its atoms listed backwards. */
    struct berth_molecule a = make("C C C C C C C O", "0-1 1-2 2-3 3-4 4-5 5-6 6-1 4-7");
    struct berth_molecule b = make("O C C C C C C C", "7-6 6-5 5-4 4-3 3-2 2-1 1-6 3-0");
    double at[8][3], back[8][3];
    for (size_t i = 0; i < 8; i++) {
        for (size_t k = 0; k < 3; k++) {
            at[i][k] = back[7 - i][k] = (double)((i * 7 + k * 5) % 11);
        }
    }
    struct berth_matches matches = find(&a, &b);
    assert_int_equal(matches.count, 2);
    assert_true(berth_rmsd(&matches, (const double(*)[3])at, (const double(*)[3])back) == 0);
    for (size_t i = 0; i < 8; i++) {
        back[i][0] += 3;
        back[i][2] -= 4;
    }
    assert_true(fabs(berth_rmsd(&matches, (const double(*)[3])at, (const double(*)[3])back) - 5) <
                1e-12);
    berth_matches_clear(&matches);
    berth_molecule_clear(&a);
    berth_molecule_clear(&b);
}

static void test_rmsd_of_a_flip(void **state)
{
    (void)state;
    /* Acetate with its oxygens exchanged is the same pose; one of them 2 A away is 1 A over four
     * atoms. */
    struct berth_molecule acetate = make("C C O O", "0-1 1-2 1-3");
    const double at[4][3] = {{0, 0, 0}, {1.5, 0, 0}, {2.1, 1, 0}, {2.1, -1, 0}};
    const double flipped[4][3] = {{0, 0, 0}, {1.5, 0, 0}, {2.1, -1, 0}, {2.1, 1, 2}};
    struct berth_matches matches = find(&acetate, &acetate);
    assert_true(fabs(berth_rmsd(&matches, at, flipped) - 1) < 1e-12);
    berth_matches_clear(&matches);
    berth_molecule_clear(&acetate);
}

enum { ATOMS_MAX = 6 };

/* Two labellings of one random molecule, or of two that differ in a bond. */
struct pair {
    struct berth_molecule a, b;
    bool bonded_a[ATOMS_MAX][ATOMS_MAX], bonded_b[ATOMS_MAX][ATOMS_MAX];
    double at_a[ATOMS_MAX][3], at_b[ATOMS_MAX][3];
    size_t count;
};

static double between(double low, double high)
{
    return low + (high - low) * rand() / RAND_MAX;
}

static struct berth_molecule molecule_of(size_t count, const int *elements,
                                         bool bonded[ATOMS_MAX][ATOMS_MAX])
{
    char atoms[4 * ATOMS_MAX] = "", bonds[8 * ATOMS_MAX * ATOMS_MAX] = "";
    for (size_t i = 0; i < count; i++) {
        strcat(atoms, elements[i] == 6 ? "C " : "O ");
        for (size_t j = 0; j < i; j++) {
            const size_t length = strlen(bonds);
            if (bonded[i][j]) {
                snprintf(bonds + length, sizeof bonds - length, "%zu-%zu ", i, j);
            }
        }
    }
    return make(atoms, bonds);
}

static void make_pair(struct pair *pair)
{
    int elements_a[ATOMS_MAX], elements_b[ATOMS_MAX];
    size_t order[ATOMS_MAX];
    memset(pair, 0, sizeof *pair);
    pair->count = 1 + (size_t)rand() % ATOMS_MAX;
    for (size_t i = 0; i < pair->count; i++) {
        const size_t other = (size_t)rand() % (i + 1);
        order[i] = order[other];
        order[other] = i;
        elements_a[i] = rand() % 4 ? 6 : 8;
        for (size_t j = 0; j < i; j++) {
            pair->bonded_a[i][j] = pair->bonded_a[j][i] = rand() % 2;
        }
        for (int k = 0; k < 3; k++) {
            pair->at_a[i][k] = between(-2, 2);
            pair->at_b[i][k] = between(-2, 2);
        }
    }
    for (size_t i = 0; i < pair->count; i++) {
        elements_b[order[i]] = elements_a[i];
        for (size_t j = 0; j < pair->count; j++) {
            pair->bonded_b[order[i]][order[j]] = pair->bonded_a[i][j];
        }
    }
    if (pair->count > 1 && rand() % 3 == 0) {
        pair->bonded_b[0][1] = pair->bonded_b[1][0] = !pair->bonded_b[0][1];
    }
    pair->a = molecule_of(pair->count, elements_a, pair->bonded_a);
    pair->b = molecule_of(pair->count, elements_b, pair->bonded_b);
}

/* The sum of squares where atom i of a is placed on image[i], infinity where that keeps not all
 * bonds and elements. */
static double sum_of(const struct pair *pair, const size_t *image)
{
    double sum = 0;
    for (size_t i = 0; i < pair->count; i++) {
        if (pair->a.atoms[i].element != pair->b.atoms[image[i]].element) {
            return INFINITY;
        }
        for (size_t j = 0; j < i; j++) {
            if (pair->bonded_a[i][j] != pair->bonded_b[image[i]][image[j]]) {
                return INFINITY;
            }
        }
        for (int k = 0; k < 3; k++) {
            const double d = pair->at_a[i][k] - pair->at_b[image[i]][k];
            sum += d * d;
        }
    }
    return sum;
}

/* The smallest sum over all permutations, and how many of them are isomorphisms. */
static double smallest(const struct pair *pair, size_t *image, size_t placed, size_t *matches)
{
    double best = INFINITY;
    if (placed == pair->count) {
        best = sum_of(pair, image);
        *matches += isfinite(best);
        return best;
    }
    for (size_t k = placed; k < pair->count; k++) {
        const size_t kept = image[placed];
        image[placed] = image[k];
        image[k] = kept;
        best = fmin(best, smallest(pair, image, placed + 1, matches));
        image[k] = image[placed];
        image[placed] = kept;
    }
    return best;
}

static void test_against_all_permutations(void **state)
{
    (void)state;
    const unsigned seed = (unsigned)time(NULL);
    printf("# seed %u\n", seed);
    srand(seed);
    for (int trial = 0; trial < 500; trial++) {
        struct pair pair;
        size_t image[ATOMS_MAX] = {0, 1, 2, 3, 4, 5}, count = 0;
        make_pair(&pair);
        struct berth_matches matches = find(&pair.a, &pair.b);
        const double rmsd =
            berth_rmsd(&matches, (const double(*)[3])pair.at_a, (const double(*)[3])pair.at_b);
        const double sum = smallest(&pair, image, 0, &count);
        assert_true(matches.complete);
        assert_int_equal(matches.count, count);
        assert_true(count ? fabs(rmsd - sqrt(sum / (double)pair.count)) < 1e-12 : isinf(rmsd));
        berth_matches_clear(&matches);
        berth_molecule_clear(&pair.a);
        berth_molecule_clear(&pair.b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symmetries), cmocka_unit_test(test_different),
        cmocka_unit_test(test_buckyball),  cmocka_unit_test(test_no_buckyball),
        cmocka_unit_test(test_bounds),     cmocka_unit_test(test_against_all_permutations),
        cmocka_unit_test(test_rmsd),       cmocka_unit_test(test_rmsd_of_a_flip)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
