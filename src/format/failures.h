/* The failures file: what of the input has no result, and why. */
#ifndef BERTH_FORMAT_FAILURES_H
#define BERTH_FORMAT_FAILURES_H

#include <pthread.h>
#include <stdbool.h>

#include "base/log.h"
#include "format/output.h"

/* The failures file: a row for each ligand that failed or that a filter dropped. */
struct berth_failures {
    struct berth_output *output; /* owned; NULL: rows go to the log only */
    const struct berth_log *log; /* borrowed, or NULL: is told of every failure */
    size_t count, dropped;
    pthread_mutex_t lock; /* any thread may add */
};

/* Starts the file at path (NULL: none); failures, zeroed but for its log.  Errors: BERTH_E_IO,
 * BERTH_E_MEMORY. */
enum berth_status berth_failures_create(const char *path, struct berth_failures *failures,
                                        struct berth_error *error);

/* Adds a row, and tells the log: ligand may be NULL where its name is not known. */
void berth_failures_add(struct berth_failures *failures, const char *ligand,
                        const struct berth_error *why);

/* Adds a row for a ligand that was left out because the user asked for it: no failure. */
void berth_failures_drop(struct berth_failures *failures, const char *ligand,
                         const struct berth_error *why);

/* Adds a row that an earlier run had, without telling the log. */
void berth_failures_recall(struct berth_failures *failures, const char *ligand, const char *reason,
                           bool dropped);

#endif
