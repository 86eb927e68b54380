/* Files that the build puts inside the binary (tools/embed.sh writes the tables), so that nothing
 * has to be found at run time. */
#ifndef BERTH_BASE_EMBEDDED_H
#define BERTH_BASE_EMBEDDED_H

#include <stddef.h>

struct berth_embedded {
    const char *name; /* base name of the file, "energy.cl" */
    const char *text; /* its bytes, with a 0 behind them */
    size_t size;      /* number of bytes without that 0 */
};

/* The default parameter set, data/forcefields/by-atom-2017.bhff. */
extern const struct berth_embedded berth_embedded_forcefield;

/* The kernel files, ended by an element whose name is NULL. */
extern const struct berth_embedded berth_embedded_kernels[];

#endif
