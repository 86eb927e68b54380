/* The kernels' source as a device gets it, for people. */
#ifndef BERTH_REPORT_KERNEL_TEXT_H
#define BERTH_REPORT_KERNEL_TEXT_H

#include <stdio.h>

#include "engine/variant.h"
#include "score/scoring.h"

/* Prints the source for the scoring function, behind its options as definitions.  tunables: of the
 * energy kernel, "ppwi=2 unroll=8", beside those of the device; NULL: none.  Errors: BERTH_E_USAGE
 * (tunables), BERTH_E_MEMORY. */
enum berth_status berth_kernel_text_print(const struct berth_device *device,
                                          const struct berth_scoring *scoring, const char *tunables,
                                          FILE *file, struct berth_error *error);

#endif
