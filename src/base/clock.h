/* The time. */
#ifndef BERTH_BASE_CLOCK_H
#define BERTH_BASE_CLOCK_H

/* Seconds of a clock that only goes forward. */
double berth_now(void);

#endif
