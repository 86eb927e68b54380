/* Bends the bonds between fragments: in a crowded molecule its angles are others than in pieces. */
#include <math.h>
#include <string.h>

#include "chem/vectors.h"
#include "prep/fragments/joining.h"

enum { STEPS = 40 };

/* kcal/mol: of a bend whose tangent is 1, about twice MMFF94s's of one angle; of two atoms at the
 * distance where they begin to repel each other, a part of the sum of their van der Waals radii. */
static const double STIFFNESS = 80, DEPTH = 0.07, REACH = 1.1;

/* Å: none repel each other that are further apart, 1.1 * 2 * 2.1 at most. */
static const double APART = 4.7;

/* No bend is larger (8.5 degrees); descent ends where it gains no more (kcal/mol). */
static const double LARGEST = 0.15, ENOUGH = 0.01;

/* True for a hydrogen bond, as likely as not. */
static bool may_bond(const struct berth_joining *joining, uint32_t p, uint32_t q)
{
    const int b = joining->molecule->atoms[joining->atoms[q]].element;
    return joining->polar[p] && (b == NITROGEN || b == OXYGEN);
}

/* kcal/mol: of a bend whose tangent is 1.  Nitrogen and oxygen: their caps are as bulky as what
 * they stand for, so most of what crowds them is in the fragment. */
static double stiffness_of(const struct berth_joining *joining, const struct berth_joint *joint,
                           int side)
{
    const struct berth_fragment *fragment = joining->parts->fragments[joint->sides[side].fragment];
    const int element = fragment->atoms[joint->sides[side].atom].element;
    return element == NITROGEN || element == OXYGEN ? 2.5 * STIFFNESS : STIFFNESS;
}

/* kcal/mol: by which two places repel each other, `between` and this `square` of a distance apart
 * (Lennard-Jones, from its minimum inwards); adds their forces. */
static double repel(struct berth_joining *joining, uint32_t p, uint32_t q, const double between[3],
                    double square)
{
    const struct berth_molecule *molecule = joining->molecule;
    const uint32_t i = joining->atoms[p], j = joining->atoms[q];
    const double reach = REACH * (joining->radii[p] + joining->radii[q]);
    if (joining->near[i * molecule->atom_count + j] || square >= reach * reach ||
        may_bond(joining, p, q) || may_bond(joining, q, p)) {
        return 0;
    }
    const double part = reach * reach / fmax(square, 0.25 * reach * reach);
    const double sixth = part * part * part;
    const double slope = 12 * DEPTH * (sixth * sixth - sixth) / square;
    berth_add_scaled(joining->forces[p], slope, between, joining->forces[p]);
    berth_add_scaled(joining->forces[q], -slope, between, joining->forces[q]);
    return DEPTH * (sixth - 1) * (sixth - 1);
}

/* Adds what place p and those of a fragment repel each other by. */
static void add_repulsion(struct berth_joining *joining, uint32_t p, size_t fragment,
                          double *energy)
{
    for (uint32_t q = joining->starts[fragment]; q < joining->starts[fragment + 1]; q++) {
        double between[3];
        berth_add_scaled(joining->positions[p], -1, joining->positions[q], between);
        const double square = berth_dot(between, between);
        if (square < APART * APART && joining->radii[q] > 0) {
            *energy += repel(joining, p, q, between, square);
        }
    }
}

/* kcal/mol: of the molecule as it is placed; leaves the forces. */
static double energy_of(struct berth_joining *joining)
{
    const size_t count = joining->parts->fragment_count;
    double energy = 0;
    memset(joining->forces, 0, joining->starts[count] * sizeof *joining->forces);
    for (size_t f = 0; f < count; f++) {
        for (uint32_t p = joining->starts[f]; p < joining->starts[f + 1]; p++) {
            for (size_t g = f + 1; g < count && joining->radii[p] > 0; g++) {
                if (!berth_joining_are_apart(joining, f, g, APART)) {
                    add_repulsion(joining, p, g, &energy);
                }
            }
        }
    }
    for (size_t i = 0; i + 1 < count; i++) {
        for (int k = 0; k < BERTH_JOINT_BENDS; k++) {
            const struct berth_joint *joint = &joining->joints[i];
            energy += stiffness_of(joining, joint, k / 2) * joint->bends[k] * joint->bends[k];
        }
    }
    return energy;
}

/* Force, and torque about the origin, on a fragment. */
static void load_of(const struct berth_joining *joining, size_t fragment, double load[6])
{
    memset(load, 0, 6 * sizeof *load);
    for (uint32_t p = joining->starts[fragment]; p < joining->starts[fragment + 1]; p++) {
        double moment[3];
        berth_cross(joining->positions[p], joining->forces[p], moment);
        berth_add_scaled(load, 1, joining->forces[p], load);
        berth_add_scaled(load + 3, 1, moment, load + 3);
    }
}

/* How the energy changes with each bend: by the load on all that it moves. */
static void find_slopes(struct berth_joining *joining)
{
    const size_t count = joining->parts->fragment_count;
    for (size_t f = 0; f < count; f++) {
        load_of(joining, f, joining->loads[f]);
    }
    for (size_t i = count - 1; i-- > 0;) {
        struct berth_joint *joint = &joining->joints[i];
        const double *beyond = joining->loads[joint->sides[1].fragment];
        double *before = joining->loads[joint->sides[0].fragment];
        for (int k = 0; k < BERTH_JOINT_BENDS; k++) {
            double moment[3];
            berth_cross(joint->pivots[k / 2], beyond, moment);
            berth_add_scaled(beyond + 3, -1, moment, moment);
            joint->slopes[k] = 2 * stiffness_of(joining, joint, k / 2) * joint->bends[k] -
                               berth_dot(joint->turns[k], moment);
        }
        for (int k = 0; k < 6; k++) {
            before[k] += beyond[k];
        }
    }
}

/* From the bends before, by this part of the slopes. */
static void step(struct berth_joining *joining, double part)
{
    for (size_t i = 0; i + 1 < joining->parts->fragment_count; i++) {
        struct berth_joint *joint = &joining->joints[i];
        for (int k = 0; k < BERTH_JOINT_BENDS; k++) {
            const double bend = joint->before[k] - part * joint->slopes[k];
            joint->bends[k] = fmax(-LARGEST, fmin(LARGEST, bend));
        }
    }
    berth_joining_place_from(joining, 0);
}

/* Takes the bends for those to go on from. */
static void settle(struct berth_joining *joining)
{
    find_slopes(joining);
    for (size_t i = 0; i + 1 < joining->parts->fragment_count; i++) {
        struct berth_joint *joint = &joining->joints[i];
        memcpy(joint->before, joint->bends, sizeof joint->bends);
    }
}

void berth_joining_bend(struct berth_joining *joining)
{
    double part = 0.25 / STIFFNESS, energy = energy_of(joining), gain = energy;
    settle(joining);
    for (int i = 0; i < STEPS && gain > ENOUGH; i++) {
        step(joining, part);
        const double now = energy_of(joining);
        if (now < energy) {
            gain = energy - now;
            energy = now;
            part *= 1.5;
            settle(joining);
        } else {
            part /= 4;
        }
    }
    step(joining, 0);
}
