#include "base/leftovers.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { NOTES = 64 };

enum state { FREE, NOTED };

/* Handlers of signals have nothing but static memory to read. */
struct note {
    atomic_int state;
    pid_t process; /* whose it is: one that was forked from that leaves it alone */
    char path[PATH_MAX];
};

static struct note *notes(void)
{
    static struct note all[NOTES];
    return all;
}

/* Who changes notes holds it; the handler reads their states alone. */
static pthread_mutex_t *lock(void)
{
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
    return &one;
}

void berth_leftovers_add(const char *path)
{
    pthread_mutex_lock(lock());
    struct note *note = notes(), *end = note + NOTES;
    while (note < end && atomic_load(&note->state) == NOTED) {
        note++;
    }
    if (note < end) {
        note->process = getpid();
        const int length = snprintf(note->path, sizeof note->path, "%s", path);
        atomic_store(&note->state, length < PATH_MAX ? NOTED : FREE);
    }
    pthread_mutex_unlock(lock());
}

void berth_leftovers_forget(const char *path)
{
    pthread_mutex_lock(lock());
    struct note *note = notes(), *end = note + NOTES;
    while (note < end && (atomic_load(&note->state) != NOTED || strcmp(note->path, path) != 0)) {
        note++;
    }
    if (note < end) {
        atomic_store(&note->state, FREE);
    }
    pthread_mutex_unlock(lock());
}

void berth_leftovers_remove(void)
{
    for (struct note *note = notes(); note < notes() + NOTES; note++) {
        if (atomic_load(&note->state) == NOTED && note->process == getpid()) {
            unlink(note->path);
        }
    }
}
