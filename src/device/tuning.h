/* Stored tunables: what `berth tune` found to be fastest on a device.
 *
 * Rows are lines "device <tab> driver <tab> tunables"; '#' begins a comment, '*' stands for any
 * driver, and the device may be a pattern of the shell.  The user's own rows are in tuning.tsv of
 * the cache directory (device/cache.h); rows that come with berth, from data/tuning, stand behind
 * them.
 */
#ifndef BERTH_DEVICE_TUNING_H
#define BERTH_DEVICE_TUNING_H

#include "base/log.h"
#include "device/device.h"

enum { BERTH_TUNING_TEXT = 256 };

/* Who takes a row's tunables; an error says why they cannot be taken. */
struct berth_tuning_taker {
    enum berth_status (*take)(void *context, const char *tunables, struct berth_error *error);
    void *context; /* borrowed, handed to take */
};

/* Offers the device's rows, the user's before those that come with berth, until one is taken; false
 * where none is.  The user's rows that could not be taken go to log (NULL: to nobody), with file
 * and line. */
bool berth_tuning_find(const struct berth_device *device, const struct berth_tuning_taker *taker,
                       const struct berth_log *log);

/* Tells log what is wrong with the user's file itself: that others than this user and root may
 * write to it or to its directory, so that it is not used; and which of its lines are no rows. */
void berth_tuning_check(const struct berth_log *log);

/* Puts the device's row into the user's file, in place of the one that was there.  path, where not
 * NULL, gets the file's name (the caller frees it).  Errors: BERTH_E_IO (there is no cache
 * directory, it cannot be written to, or others may write to it), BERTH_E_MEMORY. */
enum berth_status berth_tuning_store(const struct berth_device *device, const char *tunables,
                                     char **path, struct berth_error *error);

#endif
