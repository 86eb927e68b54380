/* OpenCL's drivers: what some need before they show their devices, and why there is no device.
 *
 * The ICD loader reads the names of the drivers' libraries from files NAME.icd in
 * /etc/OpenCL/vendors, or where OCL_ICD_VENDORS points.
 */
#ifndef BERTH_DEVICE_DRIVERS_H
#define BERTH_DEVICE_DRIVERS_H

#include <pthread.h>
#include <stdbool.h>

#include "base/log.h"
#include "device/device.h"

/* What a thread holds while it starts drivers, or sets what they read as they start: PoCL falls
 * over where two threads ask it for its devices for the first time at once. */
pthread_mutex_t *berth_drivers_lock(void);

/* Sees to a cache folder for PoCL, which shows no device, or builds no kernel, where it cannot
 * write to its own (POCL_CACHE_DIR, else XDG_CACHE_HOME/pocl/kcache, else HOME/.cache/pocl/kcache,
 * else /tmp/pocl/kcache), and which runs what it finds there, so that nobody else may write there
 * (base/own.h): else one of this user's in TMPDIR or /tmp, said to log and set as POCL_CACHE_DIR
 * for this process.  A POCL_CACHE_DIR of the user's own that cannot be written to stays, one that
 * others may write to does not; log is told of either, and where no folder can be had; and that
 * PoCL is left out for want of /sys. Call it before devices are listed, while no other thread reads
 * the environment. */
void berth_drivers_prepare(const struct berth_log *log);

/* True where /sys does not show the processors, as in a bare chroot or container: PoCL ends the
 * process once it is asked for its devices there, so that it must not be. */
bool berth_drivers_lack_sys(void);

/* Whether PoCL may be asked for its devices.  Errors: BERTH_E_DEVICE (no /sys), BERTH_E_IO (its
 * cache folder cannot be made, or others may write there). */
enum berth_status berth_drivers_check_pocl(struct berth_error *error);

/* Where PoCL keeps what it builds, as the environment has it now; room for PATH_MAX bytes. */
void berth_drivers_pocl_folder(char *path);

/* Has PoCL's CPU devices use at most so many threads; 0: as they are.  Call it before devices are
 * listed for the first time in this process, while no other thread reads the environment. */
void berth_drivers_limit_threads(long long count);

/* BERTH_E_DEVICE: no device was found, and why: no driver is installed; a driver's library cannot
 * be loaded; it has no platform; a platform has no device.  cuda: and what keeps CUDA's away. */
enum berth_status berth_drivers_missing(const struct berth_device_note *cuda,
                                        struct berth_error *error);

/* Name of an error code of OpenCL's ("CL_OUT_OF_RESOURCES"); "OpenCL error" where it has none. */
const char *berth_opencl_error_name(int code);

#endif
