/* The time. */
#ifndef BERTH_BASE_CLOCK_H
#define BERTH_BASE_CLOCK_H

#include <pthread.h>
#include <stdbool.h>

/* Seconds of a clock that only goes forward. */
double berth_now(void);

/* Processor time (s): of this thread; of this process; of its children that have ended. */
double berth_thread_seconds(void);
double berth_process_seconds(void);
double berth_children_seconds(void);

/* Makes a condition for berth_condition_await. */
void berth_condition_create(pthread_cond_t *condition);

/* Waits for the condition, as pthread_cond_wait does, but no longer than until berth_now() is
 * `until`, whatever is done to the clock on the wall meanwhile; false once it is. */
bool berth_condition_await(pthread_cond_t *condition, pthread_mutex_t *lock, double until);

#endif
