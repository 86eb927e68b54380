/* Sites: a box about a molecule, and what is doubtful about a box in a receptor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "chem/site.h"
#include "prep/site_checks.h"

enum { ATOMS = 9 };

/* A ring of six carbons about the origin, called LIG1, and the three atoms of glycine at x = 8. */
static struct berth_molecule receptor(struct berth_atom atoms[ATOMS])
{
    static const double RING[6][2] = {{1.4, 0},  {0.7, 1.2},   {-0.7, 1.2},
                                      {-1.4, 0}, {-0.7, -1.2}, {0.7, -1.2}};
    memset(atoms, 0, ATOMS * sizeof *atoms);
    for (int i = 0; i < ATOMS; i++) {
        struct berth_atom *atom = &atoms[i];
        const int chain = i - 6;
        *atom = (struct berth_atom){.element = 6, .heavy = true, .residue_id = i < 6 ? 1 : 2};
        atom->position[0] = i < 6 ? RING[i][0] : 8 + 1.5 * chain;
        atom->position[1] = i < 6 ? RING[i][1] : 0;
        snprintf(atom->name, sizeof atom->name, "C%d", i + 1);
        snprintf(atom->type, sizeof atom->type, "C.ar");
        snprintf(atom->residue, sizeof atom->residue, "%s", i < 6 ? "LIG1" : "GLY2");
    }
    static char title[] = "receptor";
    return (struct berth_molecule){.title = title, .atoms = atoms, .atom_count = ATOMS};
}

static void hear(void *context, const struct berth_log_line *line)
{
    char *heard = context;
    assert_int_equal(line->level, BERTH_LOG_WARNING);
    strcat(strncat(heard, line->text, 37), "\n");
}

static void expect(const struct berth_site *site, const char *text)
{
    struct berth_atom atoms[ATOMS];
    const struct berth_molecule molecule = receptor(atoms);
    char heard[500] = "";
    const struct berth_log log = {hear, heard};
    const struct berth_site_surroundings allowed = {&molecule, NULL, true};
    assert_int_equal(berth_site_check(site, &allowed, &log, NULL), BERTH_OK);
    assert_string_equal(heard, text);
}

static void test_check(void **state)
{
    (void)state;
    const struct berth_site occupied = {{2, 0, 0}, {6, 6, 6}, false},
                            beside = {{8, 0, 0}, {6, 6, 6}, false},
                            far = {{60, 0, 0}, {20, 20, 20}, false},
                            large = {{15, 0, 0}, {20, 40, 40}, false};
    expect(&occupied, "the site is occupied by molecule LIG1\n");
    expect(&beside, "");
    expect(&far, "the box about (60, 0, 0) holds nothin\n");
    expect(&large, "the box of the site has 32000 Å^3, m\n");
}

/* The ring is in the middle of the box, by its residue's name: a ligand is refused, a cofactor that
 * is known is not. */
static void test_occupied(void **state)
{
    (void)state;
    const struct berth_site site = {{2, 0, 0}, {6, 6, 6}, false};
    struct berth_residue_id residues[] = {{.name = "478", .chain = "B", .number = 200},
                                          {.name = "GLY", .chain = "A", .number = 2}};
    struct berth_atom atoms[ATOMS];
    const struct berth_molecule molecule = receptor(atoms);
    const struct berth_site_surroundings held = {&molecule, residues, false};
    struct berth_error error;
    assert_int_equal(berth_site_check(&site, &held, NULL, &error), BERTH_E_USAGE);
    assert_string_equal(error.option, "allow_occupied");
    assert_non_null(strstr(error.message, "478 B:200 of the receptor (6 heavy atoms)"));
    snprintf(residues[0].name, sizeof residues[0].name, "HEM");
    assert_int_equal(berth_site_check(&site, &held, NULL, &error), BERTH_OK);
}

static void test_about(void **state)
{
    (void)state;
    struct berth_atom atoms[ATOMS];
    struct berth_molecule molecule = receptor(atoms);
    struct berth_site site;
    molecule.atom_count = 6;
    assert_true(berth_site_about(&molecule, 4, false, &site));
    assert_true(site.center[0] < 1e-9 && site.center[0] > -1e-9);
    assert_true(site.size[0] > 9.39 && site.size[0] < 9.41);
    molecule.atom_count = 0;
    assert_false(berth_site_about(&molecule, 4, false, &site));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_check),
                                       cmocka_unit_test(test_occupied),
                                       cmocka_unit_test(test_about)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
