/* What the checks hold maps and steps of descents against, beside reference.h and the oracles of
 * src/score. */
#include <math.h>
#include <string.h>

#include "check/selftest_internal.h"
#include "chem/vectors.h"
#include "engine/maps.h"
#include "score/curves.h"

/* Å: how far off a placed atom and a first step may be in single precision; the length of a
 * difference, in units of a freedom. */
#define PLACE_TOLERANCE 1e-4
#define STEP_TOLERANCE  2e-3
#define DIFFERENCE      1e-6

/* Of an energy: what rounding to the upper half of a float takes, half a unit of 8 bits, and some.
 */
#define MAP_ROUNDING (1.05 / 256)

void selftest_step_between(const struct berth_device_refined *from,
                           const struct berth_device_refined *to, double *step)
{
    const struct berth_reference_pose a = berth_reference_pose_at(from->transform, 1, 0);
    const struct berth_reference_pose b = berth_reference_pose_at(to->transform, 1, 0);
    double turn[9] = {0};
    for (int i = 0; i < 27; i++) {
        turn[i / 9 * 3 + i / 3 % 3] +=
            b.rotation[i / 9 * 3 + i % 3] * a.rotation[i / 3 % 3 * 3 + i % 3];
    }
    /* sin(angle) axis is half the antisymmetric part. */
    const double sine[3] = {(turn[7] - turn[5]) / 2, (turn[2] - turn[6]) / 2,
                            (turn[3] - turn[1]) / 2};
    const double length = berth_length(sine);
    const double angle = 2 * tan(atan2(length, (turn[0] + turn[4] + turn[8] - 1) / 2) / 2);
    for (int k = 0; k < 3; k++) {
        step[k] = b.shift[k] - a.shift[k];
        step[3 + k] = length > 1e-9 ? sine[k] * angle / length : 0;
    }
    for (int k = 0; k < BERTH_TORSIONS; k++) {
        step[6 + k] = to->angles[k] - from->angles[k];
    }
}

void selftest_displace(const struct selftest_ligand *ligand, const double origin[3], size_t freedom,
                       double by, struct berth_heavy_atoms *placed)
{
    const double axis[3] = {freedom % 3 == 0, freedom % 3 == 1, freedom % 3 == 2};
    const size_t free = ligand->flexible.held ? 0 : ligand->flexible.free_count;
    for (size_t i = 0; freedom < 6 && i < free; i++) {
        double *position = placed->atoms[i].position;
        freedom < 3 ? berth_add_scaled(position, by, axis, position)
                    : berth_turn(origin, axis, sin(by), cos(by), position);
    }
    if (freedom >= 6) {
        berth_torsion_turn(&ligand->flexible.tree, freedom - 6, by, placed->atoms->position,
                           sizeof *placed->atoms);
    }
}

double selftest_map_point(const struct selftest_maps *maps,
                          const struct berth_heavy_atoms *receptor, int type, const double at[3])
{
    double energy = 0;
    for (size_t i = 0; i < receptor->count; i++) {
        const struct berth_heavy_atom *atom = &receptor->atoms[i];
        const struct berth_terms terms = berth_score_ref_pair(maps->scoring, atom->type, type,
                                                              berth_distance(at, atom->position));
        energy += berth_terms_sum(&terms);
    }
    const double most = maps->layout.most;
    return energy > 0 ? energy * most / (most + energy) : energy;
}

size_t selftest_map_numbers(const struct berth_device_grid *grid)
{
    return BERTH_MAP_HALVES * (size_t)grid->points;
}

static const uint16_t *map_of(const struct selftest_maps *maps, int type)
{
    return maps->halves + (size_t)type * selftest_map_numbers(&maps->layout);
}

/* True where what a point has with it are its neighbours. */
static bool has_neighbours(const struct berth_device_grid *grid, const uint16_t *map,
                           const size_t number[3])
{
    const size_t row = (size_t)grid->nx;
    const size_t point = (number[2] * (size_t)grid->ny + number[1]) * row + number[0];
    bool has = true;
    for (size_t k = 1; k < BERTH_MAP_HALVES; k++) {
        const size_t x = k & 1, y = k >> 1;
        const bool inside = number[0] + x < (size_t)grid->nx && number[1] + y < (size_t)grid->ny;
        const size_t neighbour = point + y * row + x;
        has = has &&
              (!inside || map[BERTH_MAP_HALVES * point + k] == map[BERTH_MAP_HALVES * neighbour]);
    }
    return has;
}

enum berth_status selftest_compare_point(const struct selftest_maps *maps,
                                         const struct berth_heavy_atoms *receptor, int type,
                                         size_t n, struct berth_error *error)
{
    const struct berth_device_grid *grid = &maps->layout;
    const uint16_t *map = map_of(maps, type);
    const size_t number[3] = {n % (size_t)grid->nx, n / (size_t)grid->nx % (size_t)grid->ny,
                              n / (size_t)grid->nx / (size_t)grid->ny};
    const double low[3] = {grid->x, grid->y, grid->z};
    double at[3];
    for (int k = 0; k < 3; k++) {
        at[k] = low[k] + (double)number[k] / (double)grid->per_edge;
    }
    const double expected = selftest_map_point(maps, receptor, type, at);
    const double found = berth_maps_energy(map, n);
    if (!(fabs(found - expected) <= 0.02 + MAP_ROUNDING * fabs(expected))) {
        return berth_fail(error, BERTH_E_RESULT, "type %d at %.3f %.3f %.3f Å is %.4f, not %.4f",
                          type, at[0], at[1], at[2], found, expected);
    }
    if (!has_neighbours(grid, map, number)) {
        return berth_fail(error, BERTH_E_RESULT,
                          "type %d: point %zu does not have its neighbours' energies", type, n);
    }
    return BERTH_OK;
}

/* The energy of an atom by its type's map, and the largest difference between corners of its cell.
 */
static double look_up(const struct selftest_maps *maps, const struct berth_heavy_atom *atom,
                      double *steepest)
{
    const struct berth_device_grid *grid = &maps->layout;
    const double lowest[3] = {grid->x, grid->y, grid->z};
    const berth_int32 points[3] = {grid->nx, grid->ny, grid->nz};
    double fraction[3], outside = 0, low = INFINITY, high = -INFINITY, energy = 0;
    size_t cell[3];
    for (int k = 0; k < 3; k++) {
        const double at = (atom->position[k] - lowest[k]) * grid->per_edge;
        const double inside = fmin(fmax(at, 0), points[k] - 1.001);
        cell[k] = (size_t)inside;
        fraction[k] = inside - (double)cell[k];
        outside += fabs(at - inside) / grid->per_edge;
    }
    for (size_t corner = 0; corner < 8; corner++) {
        double weight = 1;
        size_t at[3];
        for (int k = 0; k < 3; k++) {
            const bool next = corner >> k & 1;
            weight *= next ? fraction[k] : 1 - fraction[k];
            at[k] = cell[k] + next;
        }
        const size_t place = (at[2] * (size_t)grid->ny + at[1]) * (size_t)grid->nx + at[0];
        const double value = berth_maps_energy(map_of(maps, atom->type), place);
        low = fmin(low, value);
        high = fmax(high, value);
        energy += weight * value;
    }
    *steepest = (high - low) * grid->per_edge + (outside > 0 ? grid->wall : 0);
    return energy + grid->wall * outside;
}

/* The energy of two of the ligand's atoms, once for each way round, and its slope. */
static double pair_energy(const struct selftest_maps *maps, const struct berth_heavy_atom *a,
                          const struct berth_heavy_atom *b, double *slope)
{
    const struct berth_scoring *scoring = maps->scoring;
    const double r = berth_distance(a->position, b->position);
    if (maps->curves) {
        const double energy = berth_curve_energy(maps->curves, a->type, b->type, r, slope);
        *slope = fabs(*slope);
        return energy;
    }
    const struct berth_terms ab = berth_score_ref_pair(scoring, a->type, b->type, r);
    const struct berth_terms ba = berth_score_ref_pair(scoring, b->type, a->type, r);
    *slope = fabs(berth_score_ref_slope(scoring, a->type, b->type, r));
    return (berth_terms_sum(&ab) + berth_terms_sum(&ba)) / 2;
}

struct selftest_map_energy selftest_energy_on_maps(const struct selftest_maps *maps,
                                                   const struct selftest_ligand *ligand,
                                                   const struct berth_heavy_atoms *placed)
{
    struct selftest_map_energy energy = {.tolerance = 0.01};
    const struct berth_heavy_atoms maps_alone = {0};
    const struct berth_flexible_system system = {.scoring = maps->scoring,
                                                 .receptor = &maps_alone,
                                                 .flexible = &ligand->flexible,
                                                 .places = ligand->places,
                                                 .restrained = &ligand->restrained};
    const size_t moving = placed->count - ligand->flexible.still_count;
    double inner = 0, slope;
    for (size_t i = 0; i < placed->count; i++) {
        const double value = i < moving ? look_up(maps, &placed->atoms[i], &slope) : (slope = 0);
        energy.total += value;
        energy.tolerance += 1e-5 * fabs(value) + PLACE_TOLERANCE * slope;
        for (size_t j = 0; j < i && ligand->flexible.tree.count; j++) {
            if (berth_flexible_is_far(&ligand->flexible, i, j)) {
                const double inside =
                    pair_energy(maps, &placed->atoms[i], &placed->atoms[j], &slope);
                inner += inside;
                energy.tolerance += 1e-5 * fabs(inside) + PLACE_TOLERANCE * slope;
                energy.steepest = fmax(energy.steepest, slope);
            }
        }
    }
    inner += berth_flexible_torsional(maps->scoring, &ligand->flexible, placed);
    berth_flexible_parts(&system, placed, energy.parts);
    energy.parts[BERTH_PART_INTRA] = inner; /* of all bodies: see mapped.cl */
    energy.parts[BERTH_PART_RECEPTOR] = 0;
    for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
        energy.total += energy.parts[k];
    }
    return energy;
}

double selftest_start_energy(const struct selftest_maps *maps, const struct selftest_ligand *ligand,
                             const double rotation[9], const double centre[3])
{
    const struct berth_device_grid *grid = &maps->layout;
    const double low[3] = {grid->x, grid->y, grid->z};
    const int counts[3] = {grid->nx, grid->ny, grid->nz};
    double energy = 0;
    for (size_t i = 0; i < ligand->heavy.count; i++) {
        const struct berth_heavy_atom *atom = &ligand->heavy.atoms[i];
        size_t at[3] = {0};
        bool inside = true;
        for (size_t k = 0; k < 3; k++) {
            const double place = centre[k] + berth_dot(rotation + 3 * k, atom->position);
            const double number = (place - low[k]) * (double)grid->per_edge + 0.5;
            energy = fabs(number - rint(number)) < 1e-3 ? NAN : energy;
            inside = inside && number >= 0 && number < counts[k];
            at[k] = inside ? (size_t)number : 0;
        }
        const size_t point = (at[2] * (size_t)grid->ny + at[1]) * (size_t)grid->nx + at[0];
        const size_t map = (size_t)atom->type * (size_t)grid->points;
        energy += inside ? berth_maps_energy(maps->halves, map + point) : 0;
    }
    return energy;
}

struct berth_flexible_energy selftest_exact_energy(const struct selftest_system *system,
                                                   const struct berth_heavy_atoms *placed)
{
    const struct selftest_ligand *ligand = system->ligand;
    const struct berth_flexible_system exact = {system->scoring,   system->receptor,
                                                &ligand->flexible, &ligand->heavy,
                                                ligand->places,    &ligand->restrained};
    return berth_flexible_energy(&exact, placed);
}

double selftest_total(const struct selftest_system *system, const struct berth_heavy_atoms *placed)
{
    if (system->maps) {
        return selftest_energy_on_maps(system->maps, system->ligand, placed).total;
    }
    const struct berth_flexible_energy energy = selftest_exact_energy(system, placed);
    return berth_flexible_total(&energy);
}

void selftest_gradient(const struct selftest_system *system, const struct berth_heavy_atoms *placed,
                       const double origin[3], double *gradient)
{
    const struct berth_flexible *flexible = &system->ligand->flexible;
    struct berth_heavy_atom room[BERTH_LIGAND_FLEXIBLE_MAX];
    struct berth_heavy_atoms beside = {room, placed->count};
    for (size_t k = 0; k < 6 + flexible->tree.count; k++) {
        double energies[2];
        for (int side = 0; side < 2; side++) {
            memcpy(room, placed->atoms, placed->count * sizeof *room);
            selftest_displace(system->ligand, origin, k, side ? DIFFERENCE : -DIFFERENCE, &beside);
            energies[side] = selftest_total(system, &beside);
        }
        gradient[k] = (energies[1] - energies[0]) / (2 * DIFFERENCE);
    }
}

enum berth_status selftest_compare_step(const struct selftest_ligand *ligand, size_t number,
                                        const double *gradient, const double *step,
                                        struct berth_error *error)
{
    double square = 0;
    for (size_t k = 0; k < 6 + ligand->flexible.tree.count; k++) {
        square += gradient[k] * gradient[k] / selftest_mass(ligand, k);
    }
    for (size_t k = 0; k < 6 + ligand->flexible.tree.count; k++) {
        const double mass = selftest_mass(ligand, k);
        const double expected = -SELFTEST_STEP_FIRST * gradient[k] / mass / sqrt(square);
        if (!(fabs(step[k] - expected) * sqrt(mass) < STEP_TOLERANCE)) {
            return berth_fail(error, BERTH_E_RESULT,
                              "freedom %zu of a pose of conformer %zu went by %.5f, not %.5f", k,
                              number, step[k], expected);
        }
    }
    return BERTH_OK;
}
