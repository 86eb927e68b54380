/* The ceilings on every OpenCL device present: their kernels' results are checked as they are
 * measured, so what is tested here is that they pass, that a wrong one is noticed, and that the
 * rates make sense. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "instruments/ceiling.h"
#include "support/faults.h"

static struct berth_devices devices;

static int set_up(void **state)
{
    (void)state;
    struct berth_error error;
    return berth_devices_enumerate("all", NULL, &devices, &error) ? -1 : 0;
}

static int tear_down(void **state)
{
    (void)state;
    berth_devices_clear(&devices);
    return 0;
}

static void test_every_device(void **state)
{
    (void)state;
    for (size_t i = 0; i < devices.count; i++) {
        struct berth_ceiling ceiling;
        struct berth_error error;
        if (berth_ceiling_measure(&devices.devices[i], &ceiling, &error)) {
            fail_msg("%s", error.message);
        }
        assert_true(ceiling.multiply_adds_per_s > 1e6);
        assert_true(ceiling.operations_per_s >= ceiling.multiply_adds_per_s);
        assert_true(ceiling.roots_per_s[0] > 1e6 && ceiling.roots_per_s[1] > 1e6);
        /* Only NVIDIA has PTX, only CPUs have x86's estimate. */
        const int nvidia = strstr(devices.devices[i].platform, "NVIDIA") != NULL;
        assert_int_equal(ceiling.roots_per_s[3] > 0, nvidia);
        assert_int_equal(ceiling.roots_per_s[2] > 0, devices.devices[i].kind == BERTH_DEVICE_CPU);
    }
}

static void expect_error(const char *fault, enum berth_status status, const char *text)
{
    struct berth_ceiling ceiling;
    struct berth_error error;
    assert_true(faults_plant(fault));
    assert_int_equal(berth_ceiling_measure(&devices.devices[0], &ceiling, &error), status);
    assert_true(faults_planted() && faults_plant(NULL));
    if (!strstr(error.message, text)) {
        fail_msg("%s", error.message);
    }
}

static void test_wrong_results_are_noticed(void **state)
{
    (void)state;
    expect_error("ceiling", BERTH_E_RESULT, "kernel ceiling_multiply_add on ");
    expect_error("root", BERTH_E_RESULT, "kernel ceiling_square_root on ");
}

static void test_refused_build(void **state)
{
    (void)state;
    expect_error("refused", BERTH_E_DEVICE, "refused to build the kernels");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_device),
                                       cmocka_unit_test(test_wrong_results_are_noticed),
                                       cmocka_unit_test(test_refused_build)};
    return cmocka_run_group_tests_name("ceiling", tests, set_up, tear_down);
}
