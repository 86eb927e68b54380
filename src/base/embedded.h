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

/* Tuned variants of the energy kernel by device, data/tuning/devices.tsv. */
extern const struct berth_embedded berth_embedded_tuning;

/* The scoring functions of data/scoring by their names, "vina", ended by an element whose name is
 * NULL. */
extern const struct berth_embedded berth_embedded_scoring[];

/* The rankings of data/ranking by their names, "consensus", ended by an element whose name is NULL.
 */
extern const struct berth_embedded berth_embedded_rankings[];

/* The kernel files, ended by an element whose name is NULL. */
extern const struct berth_embedded berth_embedded_kernels[];

/* The modules of the RDKit worker, tools/rdkit, by their names without ".py", those that others
 * import first; ended by an element whose name is NULL. */
extern const struct berth_embedded berth_embedded_worker[];

/* The modules of what measures and fits rankings, tools/eval, in the same way. */
extern const struct berth_embedded berth_embedded_analysis[];

/* The fragments that ship, data/fragments/common.store.z. */
extern const struct berth_embedded berth_embedded_fragments;

/* What makes a model of gnina's weights, tools/model/import.py. */
extern const struct berth_embedded berth_embedded_import[];

/* What is printed as it stands or filled in, data/page, data/report and data/manual, by its names,
 * "page.css"; ended by an element whose name is NULL. */
extern const struct berth_embedded berth_embedded_texts[];

/* That of them which has this name; there must be one. */
const char *berth_embedded_text(const char *name);

/* Kernel files, which there must be, as one source: each behind a #line with its name, for the
 * build log.  The caller frees it.  NULL when out of memory. */
char *berth_embedded_source(const char *const *names, size_t count);

#endif
