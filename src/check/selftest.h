/* Checks of what a device computes: energies, gradients, maps and whole searches of random
 * molecules against double-precision references.
 *
 * Users run it through `berth selftest`, because drivers do miscompile; tests/kernel/checks has
 * checks of every kernel alone.
 */
#ifndef BERTH_CHECK_SELFTEST_H
#define BERTH_CHECK_SELFTEST_H

#include "engine/variant.h"
#include "score/scoring.h"

struct berth_selftest_setup {
    const struct berth_device *device;   /* borrowed */
    struct berth_variant variant;        /* which energy kernel */
    const char *build_options;           /* more options for the compiler, or NULL */
    const struct berth_scoring *scoring; /* borrowed */
    uint64_t seed;                       /* of the random inputs */
    const char *only;                    /* do only checks whose names begin so; NULL: all */
    bool small; /* few and small inputs, for a device that is simulated (Oclgrind) */
    /* Told of each check: its name, and why it failed (NULL: it passed). */
    void (*report)(void *context, const char *check, const char *failure);
    void *context; /* borrowed, for report */
};

/* Runs all checks; *failed counts those that did not pass.  Errors: BERTH_E_DEVICE and
 * BERTH_E_MEMORY where the checks themselves cannot be run; BERTH_E_USAGE where there is none of
 * that name. */
enum berth_status berth_selftest_run(const struct berth_selftest_setup *setup, size_t *failed,
                                     struct berth_error *error);

#endif
