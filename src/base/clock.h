/* The time. */
#ifndef BERTH_BASE_CLOCK_H
#define BERTH_BASE_CLOCK_H

/* Seconds of a clock that only goes forward. */
double berth_now(void);

/* Processor time (s): of this thread; of this process; of its children that have ended. */
double berth_thread_seconds(void);
double berth_process_seconds(void);
double berth_children_seconds(void);

#endif
