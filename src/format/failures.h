/* The failures file: what of the input has no result, and why. */
#ifndef BERTH_FORMAT_FAILURES_H
#define BERTH_FORMAT_FAILURES_H

#include <pthread.h>
#include <stdbool.h>

#include "base/log.h"
#include "format/output.h"

/* Kinds of reasons that are counted, at most, and a reason's length. */
enum { BERTH_REASONS = 16, BERTH_REASON_SIZE = 200 };

/* Why several failed: alike but for places, names and numbers. */
struct berth_reason {
    char text[BERTH_REASON_SIZE]; /* the first one's */
    size_t count;
};

/* The failures file: a row for each ligand that failed or that a filter dropped. */
struct berth_failures {
    struct berth_output *output; /* owned; NULL: rows go to the log only */
    const struct berth_log *log; /* borrowed, or NULL: is told of every failure */
    size_t count, dropped;
    struct berth_reason reasons[BERTH_REASONS]; /* of rows, in the order in which kinds came */
    pthread_mutex_t lock;                       /* any thread may add */
};

/* The name that the file has by default: NAME.failures.csv for the output NAME.ENDING, also where
 * it ends with .gz besides. */
void berth_failures_path(const char *output, char *path, size_t size);

/* Behind the file and line, in front of what it was that a filter kept away. */
#define BERTH_FAILURE_DROPPED ": dropped: "

/* How many molecules failed and were dropped while a library was prepared, by the table beside it;
 * zeros where there is none, or one that is of an older library. */
void berth_failures_count(const char *library, size_t *failed, size_t *dropped);

/* Starts the file at path (NULL: none); failures, zeroed but for its log.  Errors: BERTH_E_IO,
 * BERTH_E_MEMORY. */
enum berth_status berth_failures_create(const char *path, struct berth_failures *failures,
                                        struct berth_error *error);

/* Gives the file its name, where one was asked for.  Errors: BERTH_E_IO. */
enum berth_status berth_failures_commit(struct berth_failures *failures, struct berth_error *error);

/* A row. */
struct berth_failure {
    long long ordinal;  /* the ligand's place in the input, from 0; negative: unknown */
    const char *ligand; /* borrowed; NULL where its name is not known */
    const char *reason; /* borrowed */
    bool dropped;       /* was left out because the user asked for it: no failure */
};

/* Adds a row without telling the log: of what was dropped, or the log was told of. */
void berth_failures_recall(struct berth_failures *failures, const struct berth_failure *failure);

/* Adds the row of a failure, and tells the log. */
void berth_failures_add_at(struct berth_failures *failures, long long ordinal, const char *ligand,
                           const struct berth_error *why);

/* What stands behind the place in a file, "x.smi:3: " or "x.sdf, record 3: ", that begins a reason.
 */
const char *berth_failure_behind_place(const char *reason);

/* The commonest reason of all rows; its count is 0 where there is none. */
struct berth_reason berth_failures_commonest(const struct berth_failures *failures);

#endif
