#include "base/clock.h"

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
