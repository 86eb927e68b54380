/* Opening the devices that a run is to use. */
#ifndef BERTH_DOCK_OPEN_DEVICES_H
#define BERTH_DOCK_OPEN_DEVICES_H

#include "base/log.h"
#include "dock/docking.h"

/* Lists the devices of which `wanted` are to be kept or chosen ("all": every one); log is told what
 * was done.  Errors: those of berth_devices_enumerate. */
enum berth_status berth_devices_look(const char *wanted, const struct berth_log *log,
                                     struct berth_devices *devices, struct berth_error *error);

/* Of devices that were just listed keeps those that text asks for (see berth_devices_choose), or,
 * where it is NULL, all that are like the default one: unlike ones round differently, so that
 * results would depend on who was faster.  log is told what of the user's tuned settings cannot be
 * used on them.  Errors: BERTH_E_USAGE. */
enum berth_status berth_devices_keep(const char *text, const struct berth_log *log,
                                     struct berth_devices *devices, struct berth_error *error);

/* Tells log what of the user's tuned settings cannot be used on these devices. */
void berth_devices_check_tuning(const struct berth_devices *devices, const struct berth_log *log);

/* Where status and *error say that none of the devices that were kept by default can be opened:
 * keeps those like the fastest-looking one of the others instead, which the log is told, and gives
 * true.  False where it is another error, there are no others, or devices were asked for. */
bool berth_devices_fall_back(struct berth_devices *devices, enum berth_status status,
                             const struct berth_log *log, const struct berth_error *error);

/* Opens the docking of *setup on these devices (whose fields it sets), without those that cannot be
 * opened where there are others: they are left out of *devices, and the log is warned (see
 * berth_devices_fall_back, too).  The caller destroys *docking.  Errors: as berth_docking_create,
 * where none can. */
enum berth_status berth_docking_on(struct berth_docking_setup *setup, struct berth_devices *devices,
                                   const struct berth_log *log, struct berth_docking **docking,
                                   struct berth_error *error);

#endif
