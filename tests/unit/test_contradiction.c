/* Perceived bonds that cannot be true. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "prep/perception.h"

enum { ATOMS_MAX = 8 };

struct sketch {
    struct berth_atom atoms[ATOMS_MAX];
    struct berth_bond bonds[ATOMS_MAX];
    size_t atom_count, bond_count;
};

static void atom(struct sketch *sketch, const char *symbol, double x, double y, double z)
{
    struct berth_atom *atom = &sketch->atoms[sketch->atom_count++];
    *atom = (struct berth_atom){.position = {x, y, z}, .element = berth_element_of_type(symbol)};
    atom->heavy = atom->element != 1;
    strcpy(atom->name, symbol);
}

static void bond(struct sketch *sketch, size_t first, size_t second, const char *type)
{
    struct berth_bond *bond = &sketch->bonds[sketch->bond_count++];
    *bond = (struct berth_bond){.first = first - 1, .second = second - 1};
    strcpy(bond->type, type);
}

/* text: what is said begins so; "": nothing is. */
static void expect(const struct sketch *sketch, const char *text)
{
    char said[BERTH_CONTRADICTION_SIZE];
    struct berth_error error;
    struct sketch copy = *sketch;
    const struct berth_molecule molecule = {.atoms = copy.atoms,
                                            .atom_count = copy.atom_count,
                                            .bonds = copy.bonds,
                                            .bond_count = copy.bond_count};
    assert_int_equal(berth_contradiction_find(&molecule, said, &error), BERTH_OK);
    if (*text ? strncmp(said, text, strlen(text)) != 0 : *said) {
        fail_msg("'%s', not '%s'", said, text);
    }
}

static void valences(void **state)
{
    (void)state;
    struct sketch five = {.atom_count = 0};
    atom(&five, "C", 0, 0, 0);
    atom(&five, "C", 1.35, 0, 0);
    atom(&five, "N", -0.7, 1.2, 0);
    atom(&five, "N", -0.7, -1.2, 0);
    bond(&five, 1, 2, "2");
    bond(&five, 1, 3, "2");
    bond(&five, 1, 4, "1");
    expect(&five, "atom 1 (C) has bonds of order 5 in all");
    strcpy(five.bonds[1].type, "1");
    expect(&five, "");
    struct sketch radical = {.atom_count = 0};
    atom(&radical, "C", 0, 0, 0);
    atom(&radical, "O", 1.43, 0, 0);
    atom(&radical, "H", -0.4, 1, 0);
    atom(&radical, "H", -0.4, -0.5, 0.9);
    bond(&radical, 1, 2, "1");
    bond(&radical, 1, 3, "1");
    bond(&radical, 1, 4, "1");
    expect(&radical, "atom 1 (C) lacks a hydrogen");
}

/* Carbon with three neighbours, this far out of their plane (Å). */
static struct sketch star(double height, const char *type)
{
    struct sketch sketch = {.atom_count = 0};
    atom(&sketch, "C", 0, 0, height);
    atom(&sketch, "C", 1.45, 0, 0);
    atom(&sketch, "C", -0.72, 1.25, 0);
    atom(&sketch, "C", -0.72, -1.25, 0);
    bond(&sketch, 1, 2, "1");
    bond(&sketch, 1, 3, "1");
    bond(&sketch, 1, 4, type);
    return sketch;
}

static void shapes(void **state)
{
    (void)state;
    struct sketch sketch = star(0.5, "1");
    expect(&sketch, "");
    sketch = star(0.02, "1");
    expect(&sketch, "atom 1 (C) is tetrahedral by its bonds, and flat in the file");
    sketch = star(0.02, "2");
    expect(&sketch, "");
    sketch = star(0.5, "2");
    expect(&sketch, "atom 1 (C) is flat by its bonds, and a pyramid in the file");
    struct sketch cyanide = {.atom_count = 0};
    atom(&cyanide, "C", 0, 0, 0);
    atom(&cyanide, "N", 1.16, 0, 0);
    atom(&cyanide, "C", -1.46, 0.1, 0);
    bond(&cyanide, 1, 2, "3");
    bond(&cyanide, 1, 3, "1");
    expect(&cyanide, "");
    cyanide.atoms[2].position[1] = 1.3; /* as a carbon of a purine ring that is taken for sp */
    expect(&cyanide, "atom 1 (C) is linear by its bonds, and bent (138 degrees) in the file");
}

static void lengths(void **state)
{
    (void)state;
    struct sketch ethane = {.atom_count = 0};
    atom(&ethane, "C", 0, 0, 0);
    atom(&ethane, "C", 1.53, 0, 0);
    bond(&ethane, 1, 2, "1");
    expect(&ethane, "");
    ethane.atoms[1].position[0] = 1.39;
    expect(&ethane, "the single bond of atoms 1 (C) and 2 (C) is 1.39");
    strcpy(ethane.bonds[0].type, "ar");
    expect(&ethane, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(valences), cmocka_unit_test(shapes),
                                       cmocka_unit_test(lengths)};
    return cmocka_run_group_tests_name("contradiction", tests, NULL, NULL);
}
