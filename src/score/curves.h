/* The energy of a pair of atoms as a search on maps looks it up: a curve for each pair of types, by
 * the square of the distance, which needs no root.
 *
 * A curve ends where every pair's energy is 0 (the function's longest reach), and consists of
 * cubics, BERTH_CURVE_PER_OCTAVE to a doubling of the square, which have the function's energy and
 * slope where they meet (Hermite interpolation): at 4 Å a piece is a quarter of an Å long.  A kink
 * is rounded within its piece, a jump becomes a slope.  In front of the first piece, below a
 * quarter of the reach, the energy goes on by its slope there.
 *
 * Where a function is steeper than BERTH_CURVE_STEEPEST, the curve goes on inwards by the last
 * slope that is not: the search adds slopes up as integers. */
#ifndef BERTH_SCORE_CURVES_H
#define BERTH_SCORE_CURVES_H

#include "score/scoring.h"

/* The function's unit per Å. */
#define BERTH_CURVE_STEEPEST 200.0

struct berth_curves {
    size_t types, pieces; /* pieces of a curve: a power of two */
    double scale;         /* a square distance (Å²) times it is what curves are curves of */
    float *coefficients;  /* owned; [types][types][4][pieces]: see BERTH_CURVE_PLACE; what they
                             give is 2 scale times the energy */
};

/* What kernels are to know of a function's curves, as OpenCL C: BERTH_CURVE_PIECES and
 * BERTH_CURVE_SCALE.  The caller frees it; NULL when out of memory. */
char *berth_curves_definitions(const struct berth_score_program *program);

/* Makes the curves of all pairs of types; the caller clears *curves.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_curves_make(const struct berth_scoring *scoring,
                                    struct berth_curves *curves, struct berth_error *error);

/* Frees what it owns and zeroes it; a zeroed one is accepted. */
void berth_curves_clear(struct berth_curves *curves);

/* The energy of two types at distance r (Å) in double precision, and its slope by r. */
double berth_curve_energy(const struct berth_curves *curves, int first, int second, double r,
                          double *slope);

#endif
