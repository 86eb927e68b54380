#include "base/leftovers.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { NOTES = 64 };

enum state { FREE, CHANGING, NOTED };

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

/* Takes the note for a change from the state that it is in; false where it is in another. */
static int take(struct note *note, int state)
{
    return atomic_compare_exchange_strong(&note->state, &state, CHANGING);
}

void berth_leftovers_add(const char *path)
{
    struct note *note = notes(), *end = note + NOTES;
    while (note < end && !take(note, FREE)) {
        note++;
    }
    if (note == end) {
        return;
    }
    note->process = getpid();
    const int length = snprintf(note->path, sizeof note->path, "%s", path);
    atomic_store(&note->state, length < PATH_MAX ? NOTED : FREE);
}

void berth_leftovers_forget(const char *path)
{
    for (struct note *note = notes(); note < notes() + NOTES; note++) {
        if (take(note, NOTED)) {
            const int same = strcmp(note->path, path) == 0;
            atomic_store(&note->state, same ? FREE : NOTED);
            if (same) {
                return;
            }
        }
    }
}

void berth_leftovers_remove(void)
{
    for (int folders = 0; folders < 2; folders++) { /* behind what is in them */
        for (struct note *note = notes(); note < notes() + NOTES; note++) {
            if (atomic_load(&note->state) == NOTED && note->process == getpid()) {
                folders ? rmdir(note->path) : unlink(note->path);
            }
        }
    }
}
