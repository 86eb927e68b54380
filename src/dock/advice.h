/* What to do where an energy is no number, or not the reference's: built-in functions are finite,
 * so that the device is at fault; one's own may be at fault itself. */
#ifndef BERTH_DOCK_ADVICE_H
#define BERTH_DOCK_ADVICE_H

#include "device/device.h"
#include "score/scoring.h"

enum { BERTH_ADVICE_SIZE = 512 };

/* " computes wrongly: it", or "" where that is not sure. */
const char *berth_energy_blame(const struct berth_scoring *scoring);

/* Writes "run `berth selftest`", or what is to be looked at besides. */
void berth_energy_advice(const struct berth_scoring *scoring, char text[BERTH_ADVICE_SIZE]);

/* BERTH_E_RESULT: the device gave an energy that is no number. */
enum berth_status berth_energy_is_none(const struct berth_scoring *scoring,
                                       const struct berth_device *device,
                                       struct berth_error *error);

/* Why a ligand has no pose: its total is not finite for any. */
void berth_total_reason(const struct berth_scoring *scoring, char text[BERTH_ADVICE_SIZE]);

#endif
