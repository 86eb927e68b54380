/* Shares with their intervals, and whose failure a wrong top pose is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "report/redock/redock.h"
#include "report/statistics.h"

static void expect_share(size_t successes, size_t trials, double low, double high)
{
    const struct berth_share share = berth_share_of(successes, trials);
    assert_true(fabs(share.value - (double)successes / (double)trials) < 1e-12);
    assert_true(fabs(share.low - low) < 5e-5);
    assert_true(fabs(share.high - high) < 5e-5);
}

/* 81 of 263 is Newcombe's example (Statist. Med. 17 (1998) 857): 0.2553 to 0.3662; so are 15 of 148
 * and 0 of 20. */
static void test_shares(void **state)
{
    (void)state;
    expect_share(81, 263, 0.2553, 0.3662);
    expect_share(15, 148, 0.0624, 0.1605);
    expect_share(0, 20, 0, 0.1611);
    expect_share(20, 20, 1 - 0.1611, 1);
    const struct berth_share nothing = berth_share_of(0, 0);
    assert_true(nothing.value == 0 && nothing.low == 0 && nothing.high == 1);
}

static void test_outcomes(void **state)
{
    (void)state;
    static const struct {
        struct berth_redock_facts facts;
        enum berth_redock_outcome outcome;
    } CASES[] = {/* near enough is right, whatever the energies */
                 {{1.99, -50, -60, -60}, BERTH_REDOCK_RIGHT},
                 {{2.00, -50, -60, -60}, BERTH_REDOCK_SEARCH},
                 /* as low as the crystal pose, or lower: the energy misleads */
                 {{5, -60, -60, -60}, BERTH_REDOCK_SCORING},
                 {{5, -61, -60, INFINITY}, BERTH_REDOCK_SCORING},
                 /* above it, but a conformer in the right place would have been lower */
                 {{5, -59, -60, -59.5}, BERTH_REDOCK_SEARCH},
                 /* ... would not have, or none can be there */
                 {{5, -59, -60, -59}, BERTH_REDOCK_CONFORMER},
                 {{5, -59, -60, -30}, BERTH_REDOCK_CONFORMER},
                 {{5, -59, -60, INFINITY}, BERTH_REDOCK_CONFORMER}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        assert_int_equal(berth_redock_outcome_of(&CASES[i].facts), CASES[i].outcome);
    }
    assert_string_equal(berth_redock_name(BERTH_REDOCK_RIGHT), "right");
    assert_string_equal(berth_redock_name(BERTH_REDOCK_SCORING), "scoring");
    assert_string_equal(berth_redock_name(BERTH_REDOCK_CONFORMER), "conformer");
    assert_string_equal(berth_redock_name(BERTH_REDOCK_SEARCH), "search");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shares),
                                       cmocka_unit_test(test_outcomes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
