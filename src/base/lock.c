#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* F_OFD_SETLK, flock */
#endif

#include "base/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"

enum { PAUSE_LEAST = 1000000, PAUSE_MOST = 50000000 /* ns between two looks */ };

#define SILENCE 1.0 /* s of waiting that nobody is told of */

/* Sets the lock (F_RDLCK, F_WRLCK) or takes it back (F_UNLCK); 0, or errno's value.  Where the
 * system knows no locks of opened files, those of flock are such, too, though NFS alone tells other
 * hosts of them. */
static int set_lock(int file, short kind)
{
#ifdef F_OFD_SETLK
    struct flock whole = {.l_type = kind, .l_whence = SEEK_SET};
    if (fcntl(file, F_OFD_SETLK, &whole) == 0) {
        return 0;
    }
    if (errno != EINVAL) {
        return errno == EACCES ? EAGAIN : errno;
    }
#endif
    const int how = kind == F_UNLCK ? LOCK_UN : kind == F_WRLCK ? LOCK_EX : LOCK_SH;
    return flock(file, how | LOCK_NB) == 0 ? 0 : errno;
}

int berth_lock_take(struct berth_lock *lock, int file, bool alone)
{
    const int code = set_lock(file, alone ? F_WRLCK : F_RDLCK);
    *lock = (struct berth_lock){file, code ? 0 : (long)getpid()};
    return code;
}

void berth_lock_release(struct berth_lock *lock)
{
    if (lock->process == (long)getpid()) {
        set_lock(lock->file, F_UNLCK);
    }
    lock->process = 0;
}

enum berth_status berth_lock_await(struct berth_lock *lock, int file,
                                   const struct berth_lock_wait *wait, struct berth_error *error)
{
    const double begin = berth_now();
    struct timespec pause = {0, PAUSE_LEAST};
    bool told = false;
    int code;
    while ((code = berth_lock_take(lock, file, wait->alone)) == EAGAIN) {
        BERTH_TRY(berth_check_stop(wait->stops[0], error));
        BERTH_TRY(berth_check_stop(wait->stops[1], error));
        if (!told && berth_now() - begin > SILENCE) {
            berth_note(wait->log, "%s: another process has it locked; waiting until it is free",
                       wait->path);
            told = true;
        }
        nanosleep(&pause, NULL);
        pause.tv_nsec = 2 * pause.tv_nsec < PAUSE_MOST ? 2 * pause.tv_nsec : PAUSE_MOST;
    }
    return code ? berth_io_error(wait->path, "lock", code, error) : BERTH_OK;
}
