#include "score/curves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "shared.h"
#include "score/language/program.h"

/* Å: a function that reaches farther has curves of eight octaves of the square instead of four:
 * they begin at a sixteenth of its reach, not at a quarter. */
#define REACH_OF_FOUR_OCTAVES 11

static double reach_of(const struct berth_score_program *program)
{
    return fmax(berth_score_longest_reach(program), 1);
}

static size_t pieces_of(const struct berth_score_program *program)
{
    return BERTH_CURVE_PER_OCTAVE * (reach_of(program) <= REACH_OF_FOUR_OCTAVES ? 4 : 8);
}

/* As exact as a device has it. */
static double scale_of(const struct berth_score_program *program)
{
    const double reach = reach_of(program);
    return (double)(float)((double)BERTH_CURVE_END / (reach * reach));
}

char *berth_curves_definitions(const struct berth_score_program *program)
{
    enum { SIZE = 128 };
    char *text = berth_alloc(SIZE, 1);
    if (text) {
        snprintf(text, SIZE, "#define BERTH_CURVE_PIECES %zu\n#define BERTH_CURVE_SCALE %#.9gf\n",
                 pieces_of(program), scale_of(program));
    }
    return text;
}

/* Where piece number k begins, from the lowest, or the last one ends. */
static double begin_of(const struct berth_curves *curves, size_t k)
{
    const int octaves = (int)(curves->pieces / BERTH_CURVE_PER_OCTAVE);
    const double within = (double)(k % BERTH_CURVE_PER_OCTAVE) / BERTH_CURVE_PER_OCTAVE;
    return ldexp((double)BERTH_CURVE_END * (1 + within),
                 (int)(k / BERTH_CURVE_PER_OCTAVE) - octaves);
}

/* Where the piece that begins there stands among the pieces of its curve. */
static size_t place_of(const struct berth_curves *curves, double begin)
{
    const float single = (float)begin;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return BERTH_CURVE_PLACE(bits, curves->pieces);
}

/* A point of a curve: 2 scale times the energy, and its slope by the scaled square. */
struct point {
    double at, value, slope;
};

static struct point point_at(const struct berth_scoring *scoring, const struct berth_curves *curves,
                             const int types[2], double at)
{
    struct point point = {.at = at};
    if (at < (double)BERTH_CURVE_END) {
        const double r = sqrt(at / curves->scale);
        struct berth_terms terms, slopes;
        berth_score_evaluate(scoring->program, types[0], types[1], r, &terms, &slopes);
        point.value = 2 * curves->scale * berth_terms_sum(&terms);
        point.slope = berth_terms_sum(&slopes) / r;
    }
    return point;
}

/* Whether a slope by the scaled square is too steep at a point, or is none. */
static bool is_steep(const struct berth_curves *curves, double slope, double at)
{
    return !(fabs(slope) * sqrt(at / curves->scale) <= BERTH_CURVE_STEEPEST);
}

static float *curve_of(const struct berth_curves *curves, int first, int second)
{
    const size_t pair = (size_t)first * curves->types + (size_t)second;
    return curves->coefficients + pair * curves->pieces * 4;
}

/* Writes the cubic between two points. */
static void write_piece(const struct berth_curves *curves, const struct point *from,
                        const struct point *to, float *curve)
{
    const double length = to->at - from->at, mean = (to->value - from->value) / length;
    const double cubic[4] = {from->value, from->slope,
                             (3 * mean - 2 * from->slope - to->slope) / length,
                             (from->slope + to->slope - 2 * mean) / (length * length)};
    for (size_t power = 0; power < 4; power++) {
        curve[power * curves->pieces + place_of(curves, from->at)] = (float)cubic[power];
    }
}

/* From the end inwards. */
static void make_curve(const struct berth_scoring *scoring, const struct berth_curves *curves,
                       int first, int second)
{
    const int types[2] = {first, second};
    struct point to = {.at = (double)BERTH_CURVE_END};
    for (size_t k = curves->pieces; k-- > 0;) {
        struct point from = point_at(scoring, curves, types, begin_of(curves, k));
        const double mean = (to.value - from.value) / (to.at - from.at);
        if (is_steep(curves, from.slope, from.at) || is_steep(curves, mean, from.at)) {
            from.slope = to.slope;
            from.value = to.value + to.slope * (from.at - to.at);
        }
        write_piece(curves, &from, &to, curve_of(curves, first, second));
        to = from;
    }
}

enum berth_status berth_curves_make(const struct berth_scoring *scoring,
                                    struct berth_curves *curves, struct berth_error *error)
{
    const size_t types = scoring->type_count;
    *curves = (struct berth_curves){
        .types = types, .pieces = pieces_of(scoring->program), .scale = scale_of(scoring->program)};
    const size_t words = 4 * curves->pieces;
    BERTH_TRY(berth_make(&curves->coefficients, types * types * words, sizeof *curves->coefficients,
                         NULL, error));
    for (int first = 0; first < (int)types; first++) {
        for (int second = first; second < (int)types; second++) {
            make_curve(scoring, curves, first, second);
            memcpy(curve_of(curves, second, first), curve_of(curves, first, second),
                   words * sizeof *curves->coefficients);
        }
    }
    return BERTH_OK;
}

void berth_curves_clear(struct berth_curves *curves)
{
    free(curves->coefficients);
    memset(curves, 0, sizeof *curves);
}

double berth_curve_energy(const struct berth_curves *curves, int first, int second, double r,
                          double *slope)
{
    const double square = r * r * curves->scale, least = begin_of(curves, 0);
    const double inside = fmin(fmax(square, least), (double)BERTH_CURVE_END);
    size_t k = 0;
    while (k + 1 < curves->pieces && begin_of(curves, k + 1) <= inside) {
        k++;
    }
    const double begin = begin_of(curves, k), beyond = inside - begin;
    const float *piece = curve_of(curves, first, second) + place_of(curves, begin);
    const double a = (double)piece[0], b = (double)piece[curves->pieces];
    const double c = (double)piece[2 * curves->pieces], d = (double)piece[3 * curves->pieces];
    const double by_square = b + beyond * (2 * c + beyond * 3 * d);
    const double value = a + beyond * (b + beyond * (c + beyond * d));
    *slope = by_square * r;
    return (value + by_square * fmin(square - least, 0)) / (2 * curves->scale);
}
