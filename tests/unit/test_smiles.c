/* Text that is no SMILES. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "format/smiles/smiles.h"

static enum berth_status check(const char *text, size_t size, struct berth_error *error)
{
    char *copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, text, size);
    copy[size] = '['; /* reading on is seen */
    const enum berth_status status = berth_smiles_check(copy, size, error);
    free(copy);
    return status;
}

static void takes_smiles(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {"C",
                                        "CC(=O)Oc1ccccc1C(=O)O",
                                        "[Na+].[Cl-]",
                                        "C1CC1",
                                        "C%12CC%12",
                                        "C=1CC=1",
                                        "F/C=C/F",
                                        "F/C=C\\F",
                                        "N[C@@H](C)C(=O)O",
                                        "C(C)(C)(C)C",
                                        "ClCBr",
                                        "*CC",
                                        "C1.C1",
                                        "c1ccc2[nH]ccc2c1 with a title",
                                        ""};
    struct berth_error error;
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        if (check(TEXTS[i], strlen(TEXTS[i]), &error)) {
            fail_msg("%s: %s", TEXTS[i], error.message);
        }
    }
}

static void refuses_others(void **state)
{
    (void)state;
    static const char *const TEXTS[][2] = {
        {"CC(=O)Oc1ccccc1C(=O", "character 17"},
        {"C((((", "character 3"},
        {"CC=", "character 3"},
        {"C(C)(C(C", "character 5"},
        {"C1CC", "character 2"},
        {"CC)", "a parenthesis that was not opened at character 3"},
        {"C()C", "character 3"},
        {"=C", "character 1"},
        {"C==C", "character 3"},
        {"C[NH3+", "a bracket that is left open at character 2"},
        {"C[]C", "an empty bracket at character 2"},
        {"CC.", "character 3"},
        {"C%1", "a ring's number that is out of place at character 2"},
        {"1CC1", "character 1"},
        {"\"\" of a table", "no SMILES: an empty cell"},
        {"CCX", "a symbol that SMILES do not have at character 3"},
        {"C>C", "character 2"}};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        struct berth_error error = {0};
        assert_int_equal(check(TEXTS[i][0], strlen(TEXTS[i][0]), &error), BERTH_E_FORMAT);
        if (!strstr(error.message, TEXTS[i][1])) {
            fail_msg("%s: '%s', not '%s'", TEXTS[i][0], error.message, TEXTS[i][1]);
        }
    }
}

static void survives_damage(void **state)
{
    (void)state;
    static const char SYMBOLS[] = "CNO()[]=#123%.cn/@+H \t";
    const unsigned seed = (unsigned)time(NULL);
    print_message("# seed %u\n", seed);
    srand(seed);
    for (int i = 0; i < 20000; i++) {
        char text[24] = "";
        struct berth_error error;
        const size_t size = (size_t)rand() % sizeof text;
        for (size_t k = 0; k < size; k++) {
            text[k] = rand() % 30 ? SYMBOLS[(size_t)rand() % (sizeof SYMBOLS - 1)] : (char)rand();
        }
        const enum berth_status status = check(text, size, &error);
        assert_true(status == BERTH_OK || status == BERTH_E_FORMAT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(takes_smiles),
                                       cmocka_unit_test(refuses_others),
                                       cmocka_unit_test(survives_damage)};
    return cmocka_run_group_tests_name("smiles", tests, NULL, NULL);
}
