#include "base/clock.h"

#include <math.h>
#include <sys/resource.h>
#include <time.h>

static double read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double berth_now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double berth_thread_seconds(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

double berth_process_seconds(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

double berth_children_seconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

void berth_condition_create(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

bool berth_condition_await(pthread_cond_t *condition, pthread_mutex_t *lock, double until)
{
    const double whole = floor(until);
    const struct timespec end = {(time_t)whole, (long)(1e9 * (until - whole))};
    return pthread_cond_timedwait(condition, lock, &end) == 0;
}
