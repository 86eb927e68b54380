/* The piecewise linear potential: roles, and pairs worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "score/forcefield.h"
#include "score/score_ref.h"
#include "unit/oracle.h"

static int set_up(void **state)
{
    static struct berth_scoring scoring;
    const struct berth_scoring_choice choice = {.scoring = "plp"};
    struct berth_error error;
    if (berth_scoring_read(&choice, NULL, &scoring, &error)) {
        return -1;
    }
    *state = &scoring;
    return 0;
}

static int tear_down(void **state)
{
    berth_scoring_clear(*state);
    return 0;
}

/* The number of a type. */
static int type_of(const struct berth_scoring *scoring, const char *name)
{
    const struct berth_forcefield *forcefield = &scoring->forcefield;
    for (size_t i = 0; i < forcefield->entry_count; i++) {
        if (strcmp(forcefield->entries[i].name, name) == 0) {
            return forcefield->entries[i].type;
        }
    }
    fail_msg("there is no type %s", name);
    return -1;
}

static void test_roles(void **state)
{
    static const struct {
        const char *name;
        enum oracle_role role;
    } ROLES[] = {{"C.3", ROLE_NONPOLAR},   {"C.ar", ROLE_NONPOLAR},  {"Cl", ROLE_NONPOLAR},
                 {"F", ROLE_NONPOLAR},     {"S.3", ROLE_NONPOLAR},   {"P.3", ROLE_NONPOLAR},
                 {"N.4", ROLE_DONOR},      {"N.am", ROLE_DONOR},     {"N.pl3", ROLE_DONOR},
                 {"O.2", ROLE_ACCEPTOR},   {"O.co2", ROLE_ACCEPTOR}, {"N.1", ROLE_ACCEPTOR},
                 {"N.ani", ROLE_ACCEPTOR}, {"O.3", ROLE_BOTH},       {"N.ar", ROLE_BOTH},
                 {"N.3", ROLE_BOTH},       {"Zn", ROLE_METAL},       {"Na", ROLE_METAL}};
    const struct berth_scoring *scoring = *state;
    for (size_t i = 0; i < sizeof ROLES / sizeof *ROLES; i++) {
        const enum oracle_role role =
            oracle_plp_role(&scoring->forcefield.types[type_of(scoring, ROLES[i].name)]);
        if (role != ROLES[i].role) {
            fail_msg("%s has role %d", ROLES[i].name, role);
        }
    }
}

/* The wall is hardness (1 - r / wall) as published; its part below 0 belongs to the well. */
static const struct {
    const char *a, *b;
    double r, energy;
} PAIRS[] = {
    /* Contacts: 0 at 3.4 A, whole from 3.468 to 4.5 A, gone at 5.5 A. */
    {"C.3", "C.ar", 0, 20},
    {"C.3", "C.ar", 1.7, 10},
    {"C.3", "C.ar", 3.4, 0},
    {"C.3", "C.ar", 3.468, -0.4},
    {"C.3", "C.ar", 4, -0.4},
    {"C.3", "C.ar", 4.5, -0.4},
    {"C.3", "C.ar", 5, -0.2},
    {"C.3", "C.ar", 5.5, 0},
    {"C.3", "C.ar", 9, 0},
    {"C.3", "O.2", 3.4, 0},
    {"Cl", "N.4", 4, -0.1},
    {"O.3", "C.2", 5.25, -0.025},
    /* Hydrogen bonds: 0 at 2.3 A, whole from 2.53 to 3.1 A, gone at 3.4 A. */
    {"N.am", "O.2", 0, 20},
    {"N.am", "O.2", 1.15, 10},
    {"N.am", "O.2", 2.3, 0},
    {"N.am", "O.2", 2.53, -2},
    {"O.3", "O.3", 3, -2},
    {"O.co2", "N.ar", 3.25, -1},
    {"N.4", "O.co2", 3.4, 0},
    /* Metals: 0 at 1.4 A, whole to 2.6 A, gone at 2.8 A. */
    {"Zn", "O.co2", 1.4, 0},
    {"N.ar", "Zn", 2.2, -4},
    {"O.3", "Mg", 2.7, -2},
    {"Ca", "C.3", 4, -0.1},
    /* Like atoms, and a donor at a metal, repel: 20 at 0, 0.1 at 3.2 A, 0 at 5 A. */
    {"N.am", "N.4", 0, 20},
    {"O.2", "O.co2", 3.2, 0.1},
    {"O.2", "O.2", 4.1, 0.05},
    {"N.4", "Zn", 1.6, 10.05},
    {"Zn", "Mg", 5, 0},
};

static struct berth_terms terms_of(const struct berth_scoring *scoring, const char *a,
                                   const char *b, double r)
{
    return berth_score_ref_pair(scoring, type_of(scoring, a), type_of(scoring, b), r);
}

static double energy_of(const struct berth_scoring *scoring, const char *a, const char *b, double r)
{
    const struct berth_terms terms = terms_of(scoring, a, b, r);
    return berth_terms_sum(&terms);
}

static void test_pairs(void **state)
{
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
        const double there = energy_of(*state, PAIRS[i].a, PAIRS[i].b, PAIRS[i].r);
        const double back = energy_of(*state, PAIRS[i].b, PAIRS[i].a, PAIRS[i].r);
        if (fabs(there - PAIRS[i].energy) > 1e-12 || there != back) {
            fail_msg("%s %s at %g: %.17g, %.17g instead of %g", PAIRS[i].a, PAIRS[i].b, PAIRS[i].r,
                     there, back, PAIRS[i].energy);
        }
    }
}

/* The terms are the wall, hydrogen bonds, metals' bonds and contacts; what repels is a wall. */
static void test_terms(void **state)
{
    static const struct {
        const char *a, *b;
        double r;
        size_t term;
        double value;
        bool wall;
    } ROWS[] = {{"C.3", "C.3", 4, 3, -0.4, false},
                {"O.3", "O.3", 2, 1, -2, true},
                {"Zn", "O.2", 2.2, 2, -4, false},
                {"N.4", "N.4", 4.1, 0, 0.05, true},
                {"C.3", "O.2", 2, 3, -0.1, true}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        const struct berth_terms terms = terms_of(*state, ROWS[i].a, ROWS[i].b, ROWS[i].r);
        assert_true(fabs(terms.values[ROWS[i].term] - ROWS[i].value) < 1e-12);
        assert_true((terms.values[0] != 0) == ROWS[i].wall);
        for (size_t k = 1; k < BERTH_TERMS_MAX; k++) {
            assert_true(k == ROWS[i].term || terms.values[k] == 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_roles), cmocka_unit_test(test_pairs),
                                       cmocka_unit_test(test_terms)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
