/* Pieces of work in threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>

#include "base/parallel.h"

enum { PIECES = 37 };

struct count {
    int done[PIECES + 1];
    pthread_barrier_t together;
};

static void count_one(void *context, size_t k)
{
    ((struct count *)context)->done[k]++;
}

static void test_each_once(void **state)
{
    (void)state;
    for (size_t pieces = 0; pieces <= PIECES; pieces++) {
        struct count count = {.done = {0}};
        berth_in_parallel(pieces, count_one, &count);
        for (size_t k = 0; k <= PIECES; k++) {
            assert_int_equal(count.done[k], k < pieces);
        }
    }
}

static void wait_for_others(void *context, size_t k)
{
    struct count *count = context;
    pthread_barrier_wait(&count->together);
    count->done[k]++;
}

/* Would hang if one came after the other. */
static void test_at_once(void **state)
{
    (void)state;
    struct count count = {.done = {0}};
    pthread_barrier_init(&count.together, NULL, 3);
    berth_in_parallel(3, wait_for_others, &count);
    pthread_barrier_destroy(&count.together);
    assert_int_equal(count.done[0] + count.done[1] + count.done[2], 3);
}

static void test_processors(void **state)
{
    (void)state;
    assert_true(berth_processors() >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_once),
        cmocka_unit_test(test_at_once),
        cmocka_unit_test(test_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
