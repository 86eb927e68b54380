/* Which atom gets which parameters. */
#include "io_support.h"

#include <math.h>

#include "score/scoring.h"

static const struct berth_type PLAIN_CARBON = {'-', 1.42, -0.15, 30, 6.5, 1.3, 0};
static const struct berth_type PLAIN_OXYGEN = {'E', 1.51, 0.34, 30, 6.5, 1.3, 0.26};
static const struct berth_type METAL = {'F', 0.42, 0, 30, 6.5, 1.3, 2};

/* The last remark, and how many there were. */
struct remarks {
    char text[256];
    int count;
};

static void remark(void *context, const struct berth_log_line *line)
{
    const char *text = line->text;
    struct remarks *remarks = context;
    snprintf(remarks->text, sizeof remarks->text, "%s", text);
    remarks->count++;
}

static struct berth_atom atom(const char *residue, const char *name, const char *type)
{
    struct berth_atom made = {.position = {1, 2, 3}, .heavy = true};
    snprintf(made.residue, sizeof made.residue, "%s", residue);
    snprintf(made.name, sizeof made.name, "%s", name);
    snprintf(made.type, sizeof made.type, "%s", type);
    made.element = berth_element_of_type(type);
    return made;
}

static void add(struct berth_forcefield *forcefield, const char *residue, const char *name,
                const struct berth_type *type)
{
    struct berth_error error = {0};
    assert_int_equal(berth_forcefield_add(forcefield, residue, name, type, &error), BERTH_OK);
}

static void equal_parameters_share_a_type(void **state)
{
    (void)state;
    struct berth_forcefield forcefield = {0};
    add(&forcefield, "WLD", "C.3", &PLAIN_CARBON);
    add(&forcefield, "WLD", "O.3", &PLAIN_OXYGEN);
    add(&forcefield, "ALA", "CA", &PLAIN_CARBON);
    assert_int_equal(forcefield.type_count, 2);
    assert_int_equal(forcefield.entry_count, 3);
    assert_int_equal(forcefield.entries[2].type, 0);
    berth_forcefield_clear(&forcefield);
    berth_forcefield_clear(NULL);
}

/* BUDE's hybrid sets have F, I, K and B twice. */
static void repetition_must_agree(void **state)
{
    (void)state;
    struct berth_forcefield forcefield = {0};
    struct berth_error error = {0};
    add(&forcefield, "WLD", "C.3", &PLAIN_CARBON);
    add(&forcefield, "WLD", "C.3", &PLAIN_CARBON);
    assert_int_equal(forcefield.entry_count, 1);
    assert_int_equal(berth_forcefield_add(&forcefield, "WLD", "C.3", &PLAIN_OXYGEN, &error),
                     BERTH_E_FORMAT);
    assert_string_equal(error.message, "WLD C.3 is defined twice, and differently");
    berth_forcefield_clear(&forcefield);
}

static void parameters_have_ranges(void **state)
{
    (void)state;
    struct berth_forcefield forcefield = {0};
    struct berth_error error = {0};
    struct berth_type bad[6];
    for (int i = 0; i < 6; i++) {
        bad[i] = PLAIN_CARBON;
    }
    bad[0].radius = 0;
    bad[1].radius = NAN;
    bad[2].hardness = -1;
    bad[3].nonpolar_reach = 0;
    bad[4].polar_reach = -1;
    bad[5].charge = 1e6;
    for (int i = 0; i < 6; i++) {
        assert_int_equal(berth_forcefield_add(&forcefield, "WLD", "C.3", &bad[i], &error),
                         BERTH_E_FORMAT);
        assert_non_null(strstr(error.message, "WLD C.3: "));
    }
    assert_int_equal(forcefield.entry_count, 0);
    berth_forcefield_clear(&forcefield);
}

/* Residue and name go before the Mol2 type, the type before the name under WLD. */
static void lookup_has_an_order(void **state)
{
    (void)state;
    struct berth_forcefield forcefield = {0};
    add(&forcefield, "WLD", "C.3", &PLAIN_CARBON);
    add(&forcefield, "ALA", "CB", &PLAIN_OXYGEN);
    add(&forcefield, "WLD", "OXT", &METAL);
    struct berth_atom atoms[] = {atom("ALA12", "CB", "C.3"), atom("GLY12", "CB", "C.3"),
                                 atom("ALA-3", "OXT", "O.co2"), atom("", "H1", "H")};
    atoms[3].heavy = false;
    char title[] = "m";
    struct berth_molecule molecule = {.title = title, .atoms = atoms, .atom_count = 4};
    struct remarks remarks = {"", 0};
    struct berth_log log = {remark, &remarks};
    struct berth_heavy_atoms heavy;
    struct berth_error error = {0};
    const struct berth_scoring typing = {.typing = BERTH_TYPING_BUDE, .forcefield = forcefield};
    assert_int_equal(berth_scoring_assign(&typing, &molecule, &log, &heavy, &error), BERTH_OK);
    assert_int_equal(heavy.count, 3);
    assert_int_equal(heavy.atoms[0].type, 1);
    assert_int_equal(heavy.atoms[1].type, 0);
    assert_int_equal(heavy.atoms[2].type, 2);
    assert_true(heavy.atoms[2].position[2] == 3);
    assert_int_equal(remarks.count, 0);
    berth_heavy_atoms_clear(&heavy);
    berth_forcefield_clear(&forcefield);
}

static void unknown_types_are_named(void **state)
{
    (void)state;
    struct berth_forcefield forcefield;
    struct berth_error error = {0};
    assert_int_equal(berth_bhff_read(NULL, NULL, &forcefield, &error), BERTH_OK);
    struct berth_atom atoms[] = {atom("LIG1", "C1", "C.3"), atom("LIG1", "X1", "Xx")};
    char title[] = "drug";
    struct berth_molecule molecule = {.title = title, .atoms = atoms, .atom_count = 2};
    struct berth_heavy_atoms heavy;
    const struct berth_scoring typing = {.typing = BERTH_TYPING_BUDE, .forcefield = forcefield};
    assert_int_equal(berth_scoring_assign(&typing, &molecule, NULL, &heavy, &error), BERTH_E_TYPE);
    assert_non_null(strstr(error.message, "drug: atom 2 (X1 of LIG1) has the type Xx"));
    assert_null(heavy.atoms);
    berth_forcefield_clear(&forcefield);
}

static void fallbacks_are_reported(void **state)
{
    (void)state;
    struct berth_forcefield forcefield;
    struct berth_error error = {0};
    assert_int_equal(berth_bhff_read(NULL, NULL, &forcefield, &error), BERTH_OK);
    struct berth_atom atoms[] = {atom("LIG1", "P1", "P"), atom("LIG1", "P2", "P.3")};
    char title[] = "drug";
    struct berth_molecule molecule = {.title = title, .atoms = atoms, .atom_count = 2};
    struct remarks remarks = {"", 0};
    struct berth_log log = {remark, &remarks};
    struct berth_heavy_atoms heavy;
    const struct berth_scoring typing = {.typing = BERTH_TYPING_BUDE, .forcefield = forcefield};
    assert_int_equal(berth_scoring_assign(&typing, &molecule, &log, &heavy, &error), BERTH_OK);
    assert_int_equal(heavy.atoms[0].type, heavy.atoms[1].type);
    assert_int_equal(remarks.count, 1);
    assert_string_equal(remarks.text, "drug: atom P1 of type P is taken as P.3");
    berth_heavy_atoms_clear(&heavy);
    berth_forcefield_clear(&forcefield);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_parameters_share_a_type), cmocka_unit_test(repetition_must_agree),
        cmocka_unit_test(parameters_have_ranges),        cmocka_unit_test(lookup_has_an_order),
        cmocka_unit_test(unknown_types_are_named),       cmocka_unit_test(fallbacks_are_reported)};
    return cmocka_run_group_tests_name("forcefield", tests, NULL, NULL);
}
