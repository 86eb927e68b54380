/* The scoring functions themselves.  The built-in ones against their oracles over all pairs of
 * types and distances: the expressions in double precision, and as a device works them out.  What a
 * user's function is refused for.  Functions of tests/fixtures/scoring pass as they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "score/scoring.h"
#include "unit/oracle.h"

#define FOLDER "tests/fixtures/scoring/"

static void read_function(const char *name, struct berth_scoring *scoring)
{
    const struct berth_scoring_choice choice = {.scoring = name};
    struct berth_error error;
    if (berth_scoring_read(&choice, NULL, scoring, &error)) {
        fail_msg("%s", error.message);
    }
}

static bool is_near(double found, double expected, double tolerance)
{
    return fabs(found - expected) <= tolerance * (1 + fabs(expected));
}

/* Near what the oracle has at r or next to it, where a kink may be. */
static bool is_slope(const struct berth_scoring *scoring, int i, int j, double r, double found,
                     double tolerance)
{
    return is_near(found, oracle_slope(scoring, i, j, r), tolerance) ||
           is_near(found, oracle_slope(scoring, i, j, r - 1e-5), tolerance) ||
           is_near(found, oracle_slope(scoring, i, j, r + 1e-5), tolerance);
}

static void compare(const struct berth_scoring *scoring, int i, int j, double r)
{
    double values[BERTH_NODES_MAX];
    struct berth_terms terms, slopes;
    const struct berth_terms expected = oracle_pair(scoring, i, j, r);
    const struct berth_score_program *program = scoring->program;
    berth_score_evaluate(program, i, j, r, &terms, &slopes);
    for (size_t k = 0; k < BERTH_TERMS_MAX; k++) {
        if (!is_near(terms.values[k], expected.values[k], 1e-9)) {
            fail_msg("%s: term %s of types %d and %d at %g is %.12g, not %.12g", scoring->name,
                     scoring->terms.names[k], i, j, r, terms.values[k], expected.values[k]);
        }
    }
    if (!is_slope(scoring, i, j, r, berth_terms_sum(&slopes), 1e-8)) {
        fail_msg("%s: the slope of types %d and %d at %g is %.12g, not %.12g", scoring->name, i, j,
                 r, berth_terms_sum(&slopes), oracle_slope(scoring, i, j, r));
    }
    if (r >= berth_score_reach(program, i, j)) {
        assert_true(berth_terms_sum(&expected) == 0);
        return;
    }
    berth_score_run(program, (size_t)i * scoring->type_count + (size_t)j, r, values);
    if (!is_near(values[program->energy], berth_terms_sum(&expected), 2e-5) ||
        !is_slope(scoring, i, j, r, values[program->slope], 2e-4)) {
        fail_msg("%s: the code of types %d and %d at %g gives %.9g and %.9g, not %.9g and %.9g",
                 scoring->name, i, j, r, values[program->energy], values[program->slope],
                 berth_terms_sum(&expected), oracle_slope(scoring, i, j, r));
    }
}

static void test_oracles(void **state)
{
    (void)state;
    for (const struct berth_embedded *file = berth_embedded_scoring; file->name; file++) {
        struct berth_scoring scoring;
        struct berth_error error;
        read_function(file->name, &scoring);
        assert_true(scoring.built_in);
        for (int i = 0; i < (int)scoring.type_count; i++) {
            for (int j = 0; j < (int)scoring.type_count; j++) {
                for (double r = 0.01; r < scoring.definition->cutoff + 1; r += 0.0971) {
                    compare(&scoring, i, j, r);
                }
            }
        }
        if (berth_score_check(scoring.program, &error)) {
            fail_msg("%s", error.message);
        }
        berth_scoring_clear(&scoring);
    }
}

/* Vina's terms of two atoms, by hand: hydrophobic carbons at d = 0.5; carbonyl and amide 2.8 Å
 * apart, d = -0.7. */
static void test_vina(void **state)
{
    (void)state;
    struct berth_scoring scoring;
    read_function("vina", &scoring);
    assert_string_equal(scoring.definition->types[0], "C_H");
    const struct berth_terms carbons = oracle_pair(&scoring, 0, 0, 4.3);
    const double expected[] = {-0.035579 * exp(-1), -0.005156 * exp(-1.5625), 0, -0.035069, 0};
    for (size_t k = 0; k < 5; k++) {
        assert_float_equal(carbons.values[k], expected[k], 1e-12);
    }
    assert_string_equal(scoring.definition->types[3], "N_D");
    assert_string_equal(scoring.definition->types[8], "O_A");
    const struct berth_terms bond = oracle_pair(&scoring, 3, 8, 2.8);
    assert_float_equal(bond.values[2], 0.840245 * 0.49, 1e-12);
    assert_float_equal(bond.values[4], -0.587439, 1e-12);
    assert_true(bond.values[3] == 0);
    /* one is a hydrophobic atom, the other an acceptor: neither term */
    const struct berth_terms other = oracle_pair(&scoring, 0, 8, 3);
    assert_true(other.values[3] == 0 && other.values[4] == 0);
    const struct berth_pose_energies energies = {
        .energy = -10, .parts = {[BERTH_PART_INTRA] = 3}, .unbound = 3, .rotors = 5};
    struct berth_pose_energies strained = energies;
    strained.parts[BERTH_PART_INTRA] = 4;
    assert_float_equal(berth_scoring_total(&scoring, &energies), -10 / (1 + 0.05846 * 5), 1e-12);
    assert_float_equal(berth_scoring_total(&scoring, &strained), -9 / (1 + 0.05846 * 5), 1e-12);
    assert_int_equal(berth_scoring_apart(&scoring), 4);
    berth_scoring_clear(&scoring);
}

/* Every function of the folder is read, tried and compiled. */
static void test_functions_of_users(void **state)
{
    (void)state;
    DIR *folder = opendir(FOLDER);
    size_t count = 0;
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        if (strstr(entry->d_name, ".score")) {
            char path[300];
            struct berth_scoring scoring;
            snprintf(path, sizeof path, FOLDER "%s", entry->d_name);
            read_function(path, &scoring);
            assert_false(scoring.built_in);
            berth_scoring_clear(&scoring);
            count++;
        }
    }
    closedir(folder);
    assert_true(count >= 2);
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *term, *message;
    } ROWS[] = {
        {"1 / (a_i * a_j)", "mine: the value of term t is inf for C and N at r = "},
        {"log(r - 1)", "mine: the value of term t is nan for C and C at r = "},
        {"(1 / r)^40", "mine: the energy is inf in single precision for C and C at r = 0.01 Å"},
        {"a_i * r", "mine: term t is "},
        {"sqrt(max(r - 1, 0))", "mine: the derivative of term t is nan for C and C at r = "}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        char text[500];
        struct berth_definition definition;
        struct berth_score_program program;
        struct berth_error error;
        snprintf(text, sizeof text,
                 "unit kcal/mol\ncutoff 8\ntypes vina\nparameters a\n  C 1\n  N 0\nterm t = %s\n",
                 ROWS[i].term);
        assert_int_equal(berth_definition_parse("mine", text, &definition, &error), BERTH_OK);
        assert_int_equal(berth_score_compile(&definition, &program, &error), BERTH_OK);
        const enum berth_status status = berth_score_check(&program, &error);
        if (ROWS[i].message ? status != BERTH_E_FORMAT || strncmp(error.message, ROWS[i].message,
                                                                  strlen(ROWS[i].message)) != 0
                            : status != BERTH_OK) {
            fail_msg("%s: %s", ROWS[i].term, status ? error.message : "taken");
        }
        berth_score_clear(&program);
        berth_definition_clear(&definition);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_oracles), cmocka_unit_test(test_vina),
                                       cmocka_unit_test(test_functions_of_users),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
