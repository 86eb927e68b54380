/* Pieces of work in threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#include "base/parallel.h"

enum { PIECES = 37 };

struct count {
    int done[PIECES + 1];
};

struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int here;
    bool met[3];
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

/* Waits until three are here, but no longer than a minute. */
static void wait_for_others(void *context, size_t k)
{
    struct meeting *meeting = context;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 60;
    pthread_mutex_lock(&meeting->lock);
    meeting->here++;
    pthread_cond_broadcast(&meeting->changed);
    int code = 0;
    while (meeting->here < 3 && !code) {
        code = pthread_cond_timedwait(&meeting->changed, &meeting->lock, &until);
    }
    meeting->met[k] = meeting->here == 3;
    pthread_mutex_unlock(&meeting->lock);
}

/* One after the other would not meet. */
static void test_at_once(void **state)
{
    (void)state;
    struct meeting meeting = {.lock = PTHREAD_MUTEX_INITIALIZER,
                              .changed = PTHREAD_COND_INITIALIZER};
    berth_in_parallel(3, wait_for_others, &meeting);
    assert_true(meeting.met[0] && meeting.met[1] && meeting.met[2]);
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
