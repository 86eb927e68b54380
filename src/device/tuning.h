/* Stored tunables: what `berth tune` found to be fastest on a device.
 *
 * Rows are lines "device <tab> driver <tab> tunables"; '#' begins a comment, '*' stands for any
 * driver, and the device may be a pattern of the shell.  The user's own rows are in tuning.tsv of
 * the cache directory (device/cache.h); rows that come with berth, from data/tuning, stand behind
 * them.
 */
#ifndef BERTH_CL_TUNING_H
#define BERTH_CL_TUNING_H

#include "device/device.h"

enum { BERTH_TUNING_TEXT = 256 };

/* Gives the device's tunables, the user's before those that come with berth; false, and an empty
 * text, where there are none. */
bool berth_tuning_find(const struct berth_device *device, char text[BERTH_TUNING_TEXT]);

/* Puts the device's row into the user's file, in place of the one that was there.  path, where not
 * NULL, gets the file's name (the caller frees it).  Errors: BERTH_E_IO (there is no cache
 * directory, or it cannot be written to), BERTH_E_MEMORY. */
enum berth_status berth_tuning_store(const struct berth_device *device, const char *tunables,
                                     char **path, struct berth_error *error);

#endif
