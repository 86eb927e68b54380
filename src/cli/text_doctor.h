/* What berth finds on this machine, what it misses, and what mends that. */
#ifndef BERTH_CLI_TEXT_DOCTOR_H
#define BERTH_CLI_TEXT_DOCTOR_H

#include <stdbool.h>

/* Looks at OpenCL, CUDA, each device (whose energies are checked), RDKit, Open Babel, the cache
 * folder, memory and limits, and prints what it finds.  True where there was no problem. */
bool cli_examine_machine(void);

#endif
