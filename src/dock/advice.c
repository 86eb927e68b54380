#include "dock/advice.h"

#include <stdio.h>

/* Characters of a function's name that a message shows at most. */
enum { SHOWN = 120 };

const char *berth_energy_blame(const struct berth_scoring *scoring)
{
    return scoring->built_in ? " computes wrongly: it" : "";
}

void berth_energy_advice(const struct berth_scoring *scoring, char text[BERTH_ADVICE_SIZE])
{
    if (!scoring->built_in) {
        snprintf(
            text, BERTH_ADVICE_SIZE,
            "the scoring function %.*s has terms that are not finite or too steep for single "
            "precision, or the device computes wrongly: run `berth selftest` with it, and with the "
            "default one",
            SHOWN, scoring->name);
    } else {
        snprintf(text, BERTH_ADVICE_SIZE, "run `berth selftest`");
    }
}

enum berth_status berth_energy_is_none(const struct berth_scoring *scoring,
                                       const struct berth_device *device, struct berth_error *error)
{
    char advice[BERTH_ADVICE_SIZE];
    berth_energy_advice(scoring, advice);
    return berth_fail(error, BERTH_E_RESULT, "device %zu gave an energy that is no number; %s",
                      device->index, advice);
}

void berth_total_reason(const struct berth_scoring *scoring, char text[BERTH_ADVICE_SIZE])
{
    snprintf(text, BERTH_ADVICE_SIZE,
             "no pose has a finite total by the scoring function %.*s; correct `total` there",
             SHOWN, scoring->name);
}
