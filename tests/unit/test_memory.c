/* Checked memory and error text. */
#include "io_support.h"

#include "base/error.h"
#include "base/memory.h"

static void alloc_gives_zeros(void **state)
{
    (void)state;
    int *numbers = berth_alloc(100, sizeof *numbers);
    assert_non_null(numbers);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(numbers[i], 0);
    }
    free(numbers);
    void *none = berth_alloc(0, 8);
    assert_non_null(none);
    free(none);
}

static void alloc_refuses_overflow(void **state)
{
    (void)state;
    size_t count = SIZE_MAX / 4; /* not a constant, so that the compiler keeps quiet */
    assert_null(berth_alloc(count, 8));
}

static void reserve_grows_and_keeps(void **state)
{
    (void)state;
    struct berth_error error;
    int *items = NULL;
    size_t capacity = 0;
    for (size_t i = 0; i < 1000; i++) {
        assert_int_equal(berth_reserve(&items, &capacity, i + 1, sizeof *items, &error), BERTH_OK);
        assert_true(capacity > i);
        items[i] = (int)i;
    }
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(items[i], i);
    }
    int *before = items;
    size_t capacity_before = capacity;
    assert_int_equal(berth_reserve(&items, &capacity, SIZE_MAX / 2, sizeof *items, &error),
                     BERTH_E_MEMORY);
    assert_ptr_equal(items, before);
    assert_int_equal(capacity, capacity_before);
    assert_int_equal(items[999], 999);
    assert_string_equal(error.message, "out of memory for 9223372036854775807 elements of 4 bytes");
    free(items);
}

static void copies_text(void **state)
{
    (void)state;
    char *copy = berth_copy_text("berth");
    assert_string_equal(copy, "berth");
    free(copy);
}

static void error_text_is_cut_not_overrun(void **state)
{
    (void)state;
    static char text[5000];
    memset(text, 'x', sizeof text - 1);
    struct berth_error error;
    assert_int_equal(berth_fail(&error, BERTH_E_IO, "%s", text), BERTH_E_IO);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    assert_int_equal(berth_fail_in(&error, "while testing"), BERTH_E_IO);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    assert_memory_equal(error.message, "while testing: xxx", 18);
    assert_int_equal(berth_fail(NULL, BERTH_E_USAGE, "no error to fill"), BERTH_E_USAGE);
}

static void error_names_an_option(void **state)
{
    (void)state;
    struct berth_error error;
    assert_int_equal(berth_fail_option(&error, BERTH_E_USAGE, "seed", "seed: %d", 7),
                     BERTH_E_USAGE);
    assert_string_equal(error.message, "seed: 7");
    assert_int_equal(berth_fail_in(&error, "here"), BERTH_E_USAGE);
    assert_string_equal(error.message, "here: seed: 7");
    assert_string_equal(error.option, "seed");
    berth_fail(&error, BERTH_E_IO, "another");
    assert_null(error.option);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(alloc_gives_zeros),
                                       cmocka_unit_test(alloc_refuses_overflow),
                                       cmocka_unit_test(reserve_grows_and_keeps),
                                       cmocka_unit_test(copies_text),
                                       cmocka_unit_test(error_text_is_cut_not_overrun),
                                       cmocka_unit_test(error_names_an_option)};
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
