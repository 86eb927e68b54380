/* What berth finds on this machine, what it misses, and what mends that. */
#ifndef BERTH_REPORT_DOCTOR_H
#define BERTH_REPORT_DOCTOR_H

#include <stdbool.h>

#include "base/log.h"

enum berth_finding_state {
    BERTH_FINDING_OK,
    BERTH_FINDING_ABSENT, /* not here, and nothing is the worse for it */
    BERTH_FINDING_WARNING,
    BERTH_FINDING_PROBLEM /* nothing can be docked, or prepared, before it is mended */
};

enum { BERTH_FINDING_TEXT = 2048, BERTH_FINDING_MEND = 256 };

struct berth_finding {
    enum berth_finding_state state;
    const char *what; /* "OpenCL" */
    char text[BERTH_FINDING_TEXT];
    char mend[BERTH_FINDING_MEND]; /* a command, with a comment behind it at times; may be empty */
};

struct berth_doctor {
    void (*report)(void *context, const struct berth_finding *finding); /* told of each in turn */
    void *context;                                                      /* borrowed, for report */
    const struct berth_log *log; /* borrowed: told what drivers were helped with */
};

/* Looks at OpenCL, CUDA, each device (whose energies are checked), RDKit, Open Babel, the cache
 * folder, memory and limits.  True where there was no problem. */
bool berth_doctor_run(const struct berth_doctor *doctor);

#endif
