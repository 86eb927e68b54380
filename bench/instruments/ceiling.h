/* Ceilings: how much of the arithmetic that the energy kernel is made of a device can do at best,
 * measured by small kernels of their own (ceiling.cl). */
#ifndef BENCH_CEILING_H
#define BENCH_CEILING_H

#include "device/device.h"

/* Ways to a square root: the values of BERTH_SQRT in kernels/variant.cl. */
enum { BERTH_ROOT_WAYS = 4 };

/* Counted by lane: a vector operation on 16 floats is 16. */
struct berth_ceiling {
    double multiply_adds_per_s; /* fused multiply-adds */
    double operations_per_s;    /* of any mix: the larger of these and of multiply-adds with adds */
    double roots_per_s[BERTH_ROOT_WAYS]; /* 0: not a way of this device */
};

/* Measures the device, in about a second once its programs are built, and checks every result.
 * Errors: BERTH_E_DEVICE, BERTH_E_MEMORY, BERTH_E_IO, BERTH_E_RESULT (a result that is not right).
 */
enum berth_status berth_ceiling_measure(const struct berth_device *device,
                                        struct berth_ceiling *ceiling, struct berth_error *error);

/* The source of the kernels that measure, which the caller frees; NULL: ceiling.cl cannot be read,
 * or out of memory. */
char *berth_ceiling_source(void);

/* What a square root's way is called: "square root", "native square root" ... */
const char *berth_root_name(int way);

#endif
