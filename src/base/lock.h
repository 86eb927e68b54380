/* Locks of whole files, by which runs tell that another one is at work: of any process of any host
 * that shares the file, and of any thread of this one, since a lock belongs to the opened file
 * (open file description), not to the process.  The system takes it back when that is closed for
 * good. */
#ifndef BERTH_BASE_LOCK_H
#define BERTH_BASE_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/log.h"

/* Zeroed, it holds nothing. */
struct berth_lock {
    int file;     /* borrowed: the descriptor */
    long process; /* that took it; 0: nobody did */
};

/* Takes the lock, beside others that share it, or alone, for which the file is open for writing. 0;
 * EAGAIN where another holds it; another value of errno's where the file system has no locks. */
int berth_lock_take(struct berth_lock *lock, int file, bool alone);

/* What is waited for, and how long at most. */
struct berth_lock_wait {
    const char *path;            /* borrowed: the file's */
    bool alone;                  /* as of berth_lock_take */
    const atomic_bool *stops[2]; /* borrowed, or NULL; once one is true, this ends */
    const struct berth_log *log; /* borrowed, or NULL: told where it takes more than a moment */
};

/* Takes the lock once others have given it back.  Errors: BERTH_E_USAGE (as berth_check_stop),
 * BERTH_E_IO (no locks). */
enum berth_status berth_lock_await(struct berth_lock *lock, int file,
                                   const struct berth_lock_wait *wait, struct berth_error *error);

/* Gives it back: call it before the file is closed, since processes that were started meanwhile may
 * have the opened file, too.  Nothing where it is not held, or is that of the process that this one
 * was forked from. */
void berth_lock_release(struct berth_lock *lock);

#endif
