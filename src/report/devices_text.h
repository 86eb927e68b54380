/* The devices, as `berth devices` lists them. */
#ifndef BERTH_REPORT_DEVICES_TEXT_H
#define BERTH_REPORT_DEVICES_TEXT_H

#include <stdio.h>

#include "device/device.h"

/* Prints all devices, * before the default one, and a note on CUDA where it matters; verbose: what
 * --device calls each, and the note in any case. */
void berth_devices_print(FILE *file, const struct berth_devices *devices, bool verbose);

#endif
