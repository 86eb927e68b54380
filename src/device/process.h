/* The process that drivers work in: what they start, threads and queues, does not go along where it
 * forks. */
#ifndef BERTH_DEVICE_PROCESS_H
#define BERTH_DEVICE_PROCESS_H

#include "base/error.h"

/* To be called before a driver is: this process's drivers are up from here on.  Errors:
 * BERTH_E_USAGE, as berth_process_check. */
enum berth_status berth_process_claim(struct berth_error *error);

/* BERTH_E_USAGE where the process was forked from one whose drivers were up: calls would wait for
 * ever. */
enum berth_status berth_process_check(struct berth_error *error);

#endif
