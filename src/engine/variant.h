/* The variant of the kernels that a device runs: the tunables of kernels/variant.cl and the source
 * that they specialise. */
#ifndef BERTH_ENGINE_VARIANT_H
#define BERTH_ENGINE_VARIANT_H

#include "base/log.h"
#include "device/device.h"
#include "device/program.h"
#include "score/scoring.h"

/* See the defaults in kernels/variant.cl for what each does. */
struct berth_variant {
    int vector_width;  /* 1, 2, 4, 8 or 16 */
    int ppwi;          /* vectors of poses per work-item */
    int wgsize;        /* work-items per work-group */
    int tile;          /* receptor atoms in local memory at a time; 0: none */
    int lists;         /* 1: neighbour lists, and no tiles; 0: every atom of the receptor */
    int expanded;      /* 1: r² expanded; 0: direct, for coordinates far from the centre */
    int saturate;      /* 1: clamp the ramps; 0: clamp the distance */
    int square_root;   /* 0 full precision, 1 native, 2 x86 estimate + Newton step, 3 PTX */
    int unroll;        /* receptor atoms per turn of the innermost loop */
    int select_wgsize; /* work-items that select from a bin together */
    int refine_wgsize; /* work-items that refine a pose together */
};

/* What suits the device without having measured it. */
struct berth_variant berth_variant_default(const struct berth_device *device);

/* A variant that leaves every tunable to the device: all are below 0. */
struct berth_variant berth_variant_unset(void);

/* What `berth tune` found on this device, or what comes with berth for it; else the default. Stored
 * rows that the device cannot do, or that nobody can read, are passed over, and go to log (may be
 * NULL). */
struct berth_variant berth_variant_tuned(const struct berth_device *device,
                                         const struct berth_log *log);

/* That, with the tunables of `given` that are not below 0. */
struct berth_variant berth_variant_with(const struct berth_device *device,
                                        const struct berth_variant *given);

/* Sets the tunables that text names, "ppwi=2 unroll=8" (blanks or commas between), the others stay.
 * Errors: BERTH_E_USAGE. */
enum berth_status berth_variant_parse(const char *text, struct berth_variant *variant,
                                      struct berth_error *error);

enum { BERTH_VARIANT_TEXT = 256 };

/* Writes all tunables in the form that berth_variant_parse reads. */
void berth_variant_print(const struct berth_variant *variant, char text[BERTH_VARIANT_TEXT]);

/* Says whether the device can be asked for the variant at all.  Errors: BERTH_E_USAGE: which
 * tunable it cannot do, and why. */
enum berth_status berth_variant_check(const struct berth_variant *variant,
                                      const struct berth_device *device, struct berth_error *error);

enum { BERTH_OPTIONS_TEXT = 1024 };

/* The build options of a variant on a device.  extra: more of them, NULL for none.  Errors:
 * BERTH_E_USAGE (a tunable that the device cannot do; options that are too long). */
enum berth_status berth_variant_options(const struct berth_variant *variant,
                                        const struct berth_device *device, const char *extra,
                                        char options[BERTH_OPTIONS_TEXT],
                                        struct berth_error *error);

/* The build option that gives the kernels of the search on maps instead of those of exact energies:
 * see kernels/lanes.cl. */
#define BERTH_ON_MAPS "-DBERTH_ON_MAPS"

/* The build option that gives kernels of exact energies for large ligands, in tiles: energy,
 * energy_terms and refine are another then. */
#define BERTH_LARGE "-DBERTH_LARGE"

/* Energies have restraints (kernels/restraint.cl), which work-items of a GPU share out. */
#define BERTH_RESTRAINED        "-DBERTH_RESTRAINED"
#define BERTH_RESTRAINED_SHARED BERTH_RESTRAINED " -DBERTH_SHARES_PULLS"

/* Builds the kernels in this variant, for this scoring function.  extra: more build options, NULL
 * for none.  The caller destroys *program.  Errors: BERTH_E_USAGE (a tunable that the device cannot
 * do), BERTH_E_DEVICE (with the build log), BERTH_E_MEMORY. */
enum berth_status berth_variant_build(struct berth_context *context,
                                      const struct berth_variant *variant,
                                      const struct berth_scoring *scoring, const char *extra,
                                      struct berth_program **program, struct berth_error *error);

/* All kernel files, both programs', and what the scoring function adds to them as one source, each
 * with its name for the build log; the caller frees it.  NULL when out of memory. */
char *berth_variant_source(const struct berth_scoring *scoring);

#endif
