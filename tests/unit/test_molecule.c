/* Elements of Mol2 types, and what is asked of a molecule. */
#include "io_support.h"

#include "base/memory.h"
#include "chem/molecule.h"

static void types_have_elements(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        int element;
    } CASES[] = {{"C.ar", 6}, {"C.3", 6},   {"N.pl3", 7}, {"O.co2", 8}, {"S.O2", 16},  {"P.3", 15},
                 {"H", 1},    {"H.spc", 1}, {"D", 1},     {"T", 1},     {"F", 9},      {"Cl", 17},
                 {"CL", 17},  {"Br", 35},   {"I", 53},    {"Zn", 30},   {"Co.oh", 27}, {"Fe.2", 26},
                 {"Si", 14},  {"LP", 0},    {"Du", 0},    {"Du.C", 0},  {"Any", 0},    {"Hal", 0},
                 {"Het", 0},  {"Hev", 0},   {"", 0},      {".", 0},     {"Xx", 0},     {"c3", 0}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        if (berth_element_of_type(CASES[i].type) != CASES[i].element) {
            fail_msg("%s gives %d", CASES[i].type, berth_element_of_type(CASES[i].type));
        }
    }
}

static void symbols_invert_types(void **state)
{
    (void)state;
    for (int element = 1; element <= 118; element++) {
        assert_int_equal(berth_element_of_type(berth_element_symbol(element)), element);
    }
    assert_string_equal(berth_element_symbol(6), "C");
    assert_string_equal(berth_element_symbol(92), "U");
    assert_string_equal(berth_element_symbol(118), "Og");
    assert_string_equal(berth_element_symbol(0), "*");
    assert_string_equal(berth_element_symbol(119), "*");
    assert_string_equal(berth_element_symbol(-1), "*");
}

static void centroid_is_of_heavy_atoms(void **state)
{
    (void)state;
    struct berth_atom atoms[3] = {{.position = {1, 2, 3}, .heavy = true},
                                  {.position = {100, 100, 100}, .heavy = false},
                                  {.position = {3, 4, 7}, .heavy = true}};
    struct berth_molecule molecule = {.atoms = atoms, .atom_count = 3};
    double centroid[3];
    assert_int_equal(berth_heavy_count(&molecule), 2);
    assert_true(berth_heavy_centroid(&molecule, centroid));
    assert_true(centroid[0] == 2 && centroid[1] == 3 && centroid[2] == 5);
    atoms[0].heavy = atoms[2].heavy = false;
    assert_false(berth_heavy_centroid(&molecule, centroid));
    assert_true(centroid[0] == 0 && centroid[1] == 0 && centroid[2] == 0);
}

static void clear_takes_everything(void **state)
{
    (void)state;
    struct berth_molecule molecule = {.title = berth_copy_text("x"),
                                      .atoms = berth_alloc(2, sizeof *molecule.atoms),
                                      .atom_count = 2,
                                      .bonds = berth_alloc(1, sizeof *molecule.bonds),
                                      .bond_count = 1,
                                      .line = 7};
    berth_molecule_clear(&molecule);
    assert_null(molecule.title);
    assert_null(molecule.atoms);
    assert_null(molecule.bonds);
    assert_int_equal(molecule.atom_count + molecule.bond_count + molecule.line, 0);
    berth_molecule_clear(&molecule);
    berth_molecule_clear(NULL);
}

/* A molecule of five carbons of one type at the given positions. */
static const char *flaw_of(const char *type, const double positions[5][3])
{
    struct berth_atom atoms[5];
    memset(atoms, 0, sizeof atoms);
    for (size_t i = 0; i < 5; i++) {
        memcpy(atoms[i].position, positions[i], sizeof atoms[i].position);
        snprintf(atoms[i].type, sizeof atoms[i].type, "%s", type);
        atoms[i].heavy = true;
    }
    const struct berth_molecule molecule = {.atoms = atoms, .atom_count = 5};
    return berth_coordinates_flaw(&molecule);
}

static void finds_useless_coordinates(void **state)
{
    (void)state;
    const double good[5][3] = {{0, 0, 0}, {1.5, 0, 0}, {0, 1.5, 0.3}, {3, 0, 0}, {0, 3, 0}};
    const double flat[5][3] = {{0, 0, 2}, {1.5, 0, 2}, {0, 1.5, 2}, {3, 0, 2}, {0, 3, 2}};
    const double same[5][3] = {{0, 0, 0}, {1.5, 0, 0}, {0, 1.5, 0.3}, {3, 0, 0}, {3, 0.05, 0}};
    assert_null(flaw_of("C.3", good));
    assert_string_equal(flaw_of("C.3", flat), "it is flat: 2D coordinates");
    assert_null(flaw_of("C.ar", flat));
    assert_string_equal(flaw_of("C.3", same), "two of its atoms lie in one place");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_useless_coordinates), cmocka_unit_test(types_have_elements),
        cmocka_unit_test(symbols_invert_types), cmocka_unit_test(centroid_is_of_heavy_atoms),
        cmocka_unit_test(clear_takes_everything)};
    return cmocka_run_group_tests_name("molecule", tests, NULL, NULL);
}
