/* Pieces of work in threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
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
    const double until = berth_now() + 60;
    bool patient = true;
    pthread_mutex_lock(&meeting->lock);
    meeting->here++;
    pthread_cond_broadcast(&meeting->changed);
    while (meeting->here < 3 && patient) {
        patient = berth_condition_await(&meeting->changed, &meeting->lock, until);
    }
    meeting->met[k] = meeting->here == 3;
    pthread_mutex_unlock(&meeting->lock);
}

/* One after the other would not meet. */
static void test_at_once(void **state)
{
    (void)state;
    struct meeting meeting = {.lock = PTHREAD_MUTEX_INITIALIZER};
    berth_condition_create(&meeting.changed);
    berth_in_parallel(3, wait_for_others, &meeting);
    assert_true(meeting.met[0] && meeting.met[1] && meeting.met[2]);
}

/* Seconds that the clock on the wall is away from the system's. */
static time_t jump;

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    const int code = __real_clock_gettime(clock, now);
    now->tv_sec += clock == CLOCK_REALTIME ? jump : 0;
    return code;
}

/* A wait that a jump of the clock neither ends nor keeps: alarm ends a test that hangs. */
static void test_jump(void **state)
{
    (void)state;
    static const time_t JUMPS[] = {0, 3600, -3600};
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition;
    berth_condition_create(&condition);
    alarm(60);
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < sizeof JUMPS / sizeof *JUMPS; i++) {
        jump = JUMPS[i];
        const double until = berth_now() + 0.05;
        while (berth_condition_await(&condition, &lock, until)) {
        }
        assert_true(berth_now() >= until - 1e-6);
    }
    pthread_mutex_unlock(&lock);
    alarm(0);
    pthread_cond_destroy(&condition);
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
        cmocka_unit_test(test_jump),
        cmocka_unit_test(test_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
