/* What of ligands binds metals: atoms that do alone, chelates, and acids that lose their proton to
 * a metal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "dock/restraints/restraints_internal.h"
#include "prep/patterns.h"
#include "unit/sketch.h"

static void note_chelate(void *context, size_t first, size_t second)
{
    char *text = context;
    sprintf(text + strlen(text), "(%zu %zu) ", first + 1, second + 1);
}

/* Atoms that bind, chelates, and an acid, of a molecule by hand. */
static void describe(const char *drawn, char text[256])
{
    struct berth_molecule molecule = sketch(drawn);
    struct berth_facts facts;
    struct berth_error error;
    assert_int_equal(berth_facts_find(&molecule, BERTH_PATTERN_FACTS, &facts, &error), BERTH_OK);
    const char *acid = NULL;
    *text = '\0';
    for (size_t i = 0; i < molecule.atom_count; i++) {
        if (restraints_binds_metal(&facts, i)) {
            sprintf(text + strlen(text), "%zu ", i + 1);
        }
        acid = acid ? acid : restraints_metal_acid_at(&facts, i);
    }
    restraints_find_chelates(&facts, note_chelate, text);
    strcat(text, acid ? acid : "");
    berth_facts_clear(&facts);
    berth_molecule_clear(&molecule);
}

#define RING " C.ar C.ar C.ar C.ar C.ar C.ar; "

static void test_donors(void **state)
{
    static const char *const CASES[][3] = {
        {"acetate", "C.3 C.2 O.co2 O.co2; 1-2 2:3 2:4", "3 4 "},
        {"amide", "C.3 C.2 O.2 N.am H H; 1-2 2=3 2~4 4-5 4-6", ""},
        {"alcohol", "C.3 C.3 O.3 H; 1-2 2-3 3-4", ""},
        {"thiol", "C.3 S.3 H; 1-2 2-3", "2 thiol"},
        {"thiolate", "C.3 S.3; 1-2", "2 "},
        {"sulfonamide", "C.3 S.o2 O.2 O.2 N.3 H H; 1-2 2=3 2=4 2-5 5-6 5-7", "5 "},
        {"sulfonate", "C.3 S.3 O.2 O.2 O.3; 1-2 2=3 2=4 2-5", "3 4 5 "},
        {"phosphonate", "C.3 P.3 O.2 O.3 O.3; 1-2 2=3 2-4 2-5", "3 4 5 "},
        {"amine", "C.3 N.3 H H; 1-2 2-3 2-4", "2 "},
        {"ammonium", "C.3 N.4 H H H; 1-2 2-3 2-4 2-5", ""},
        {"aniline", "N.pl3" RING "1-2 2:3 3:4 4:5 5:6 6:7 7:2", ""},
        {"phenolate", "O.3" RING "1-2 2:3 3:4 4:5 5:6 6:7 7:2", "1 "},
        {"catechol", "O.3" RING "1-2 2:3 3:4 4:5 5:6 6:7 7:2 O.3 3-8 H H 1-9 8-10", "(1 8) (8 1) "},
        {"pyridine", "N.ar C.ar C.ar C.ar C.ar C.ar; 1:2 2:3 3:4 4:5 5:6 6:1", "1 "},
        {"pyridinium", "N.ar C.ar C.ar C.ar C.ar C.ar H; 1:2 2:3 3:4 4:5 5:6 6:1 1-7", ""},
        {"nitrile", "C.3 C.1 N.1; 1-2 2#3", "3 "},
        {"hydroxamic", "C.3 C.2 O.2 N.am H O.3 H; 1-2 2=3 2~4 4-5 4-6 6-7",
         "(3 6) hydroxamic acid"},
        {"hydroxamate", "C.3 C.2 O.2 N.am H O.3; 1-2 2=3 2~4 4-5 4-6", "(3 6) "}};
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[256];
        describe(CASES[i][1], text);
        if (strcmp(text, CASES[i][2]) != 0) {
            fail_msg("%s: \"%s\", not \"%s\"", CASES[i][0], text, CASES[i][2]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_donors)};
    return cmocka_run_group_tests_name("metal donors", tests, NULL, NULL);
}
