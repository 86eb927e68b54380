/* `berth tune` on one device, told as it goes. */
#ifndef BERTH_REPORT_TUNE_TEXT_H
#define BERTH_REPORT_TUNE_TEXT_H

#include <stdio.h>

#include "device/device.h"
#include "score/scoring.h"

/* Finds the fastest variant and stores it, unless dry_run; prints each that was tried.  Where
 * nothing can be printed it does nothing.  Errors: as berth_tune_run; BERTH_E_IO. */
enum berth_status berth_tune_device(FILE *file, const struct berth_device *device,
                                    const struct berth_scoring *scoring, bool dry_run,
                                    struct berth_error *error);

#endif
