/* Where the fragments of a molecule go: each to the end of a bond, turned until nothing clashes. */
#include <math.h>
#include <string.h>

#include "chem/vectors.h"
#include "prep/fragments/joining.h"

enum { SWEEPS = 3 };

static const double DEGREE = 0.017453292519943295; /* rad */

/* Atoms that are closer than this part of the sum of their van der Waals radii clash (as in
 * chem/conformers.c); a hydrogen may be a bit closer where no angle avoids it: fragments do not
 * turn their own methyl groups out of each other's way. */
static const double CLOSEST = 0.8, CLOSEST_HYDROGEN = 0.7;

/* Å: none clash that are further from each other, 0.8 * 2 * 2.1 at most. */
static const double APART = 3.4;

/* --- Angles --- */

static const struct berth_fragment *fragment_of(const struct berth_joining *joining, size_t i)
{
    return joining->parts->fragments[i];
}

static const struct berth_worker_atom *atom_of(const struct berth_joining *joining,
                                               const struct berth_joint_side *side)
{
    return &fragment_of(joining, side->fragment)->atoms[side->atom];
}

static bool is_tetrahedral(const struct berth_worker_atom *atom)
{
    static const char *const TYPES[] = {"C.3", "N.3", "N.4", "O.3", "S.3", "S.O2", "S.O", "P.3"};
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++) {
        if (strcmp(atom->type, TYPES[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_aromatic(const struct berth_worker_atom *atom)
{
    return strcmp(atom->type, "C.ar") == 0 || strcmp(atom->type, "N.ar") == 0;
}

/* Crowded bonds may need an angle that nobody likes. */
static void set_angles(struct berth_joint *joint, const double angles[BERTH_JOINT_LIKED])
{
    memcpy(joint->angles, angles, BERTH_JOINT_LIKED * sizeof *angles);
    for (size_t i = BERTH_JOINT_LIKED; i < BERTH_JOINT_ANGLES; i++) {
        joint->angles[i] = 10 * (double)(i - BERTH_JOINT_LIKED);
    }
}

void berth_joint_choose_angles(const struct berth_joining *joining, struct berth_joint *joint)
{
    static const double STAGGERED[BERTH_JOINT_LIKED] = {180, 60, 300, 150, 210, 90,
                                                        270, 30, 330, 120, 240, 0};
    static const double ACROSS[BERTH_JOINT_LIKED] = {90, 270, 60,  300, 120, 240,
                                                     30, 330, 150, 210, 0,   180};
    static const double FLAT[BERTH_JOINT_LIKED] = {0,  180, 30,  330, 150, 210,
                                                   60, 300, 120, 240, 90,  270};
    static const double TWISTED[BERTH_JOINT_LIKED] = {40,  140, 220, 320, 60, 120,
                                                      240, 300, 90,  270, 0,  180};
    const struct berth_worker_atom *a = atom_of(joining, &joint->sides[0]);
    const struct berth_worker_atom *b = atom_of(joining, &joint->sides[1]);
    const bool first = is_tetrahedral(a), second = is_tetrahedral(b);
    /* lone pairs that go into a flat neighbour: ethers, esters, thioethers of aromatic rings */
    const bool lone =
        (first && a->element == OXYGEN && !second) || (second && b->element == OXYGEN && !first);
    if (first && second) {
        set_angles(joint, STAGGERED);
    } else if ((first || second) && !lone) {
        set_angles(joint, ACROSS);
    } else if (is_aromatic(a) && is_aromatic(b)) {
        set_angles(joint, TWISTED);
    } else {
        set_angles(joint, FLAT);
    }
}

/* --- Placing one fragment --- */

/* Makes v perpendicular to the axis, a unit vector, and of length 1; where it points along the
 * axis, any that is. */
static void make_perpendicular(const double axis[3], double v[3])
{
    berth_add_scaled(v, -berth_dot(v, axis), axis, v);
    if (berth_length(v) < 1e-3) {
        const double other[3] = {fabs(axis[0]) < 0.7, fabs(axis[0]) >= 0.7, 0};
        berth_cross(axis, other, v);
    }
    berth_normalise(v);
}

static void get_place(const float (*shape)[3], uint32_t place, double position[3])
{
    for (int k = 0; k < 3; k++) {
        position[k] = shape[place][k];
    }
}

/* The vector from a side's atom to this place; 0 for none. */
static void vector_to(const float (*shape)[3], const struct berth_joint_side *side, uint32_t place,
                      double vector[3])
{
    double atom[3], other[3];
    get_place(shape, side->atom, atom);
    get_place(shape, place == BERTH_NOWHERE ? side->atom : place, other);
    berth_add_scaled(other, -1, atom, vector);
}

static const float (*shape_of(const struct berth_joining *joining, size_t fragment))[3]
{
    return berth_fragment_shape(fragment_of(joining, fragment), joining->shapes[fragment]);
}

/* Å: the mean of what the fragments' caps say; between two aromatic rings, which have hydrogens in
 * their places, what such bonds are. */
static double length_of(const struct berth_joining *joining, const struct berth_joint *joint)
{
    double sum = 0;
    int count = 0, nitrogens = 0;
    for (int i = 0; i < 2; i++) {
        const struct berth_joint_side *side = &joint->sides[i];
        double cap[3];
        vector_to(shape_of(joining, side->fragment), side, side->cap, cap);
        if (side->cap < fragment_of(joining, side->fragment)->atom_count) {
            sum += berth_length(cap);
            count++;
        }
        nitrogens += atom_of(joining, side)->element == NITROGEN;
    }
    static const double BETWEEN_RINGS[] = {1.48, 1.42, 1.37};
    return count ? sum / count : BETWEEN_RINGS[nitrogens];
}

/* The rotation that takes the axis u and what is perpendicular to it, v, to the axis p and q. */
static void rotation_between(const double u[3], const double v[3], const double p[3],
                             const double q[3], double rotation[9])
{
    double w[3], r[3];
    berth_cross(u, v, w);
    berth_cross(p, q, r);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            rotation[3 * i + k] = p[i] * u[k] + q[i] * v[k] + r[i] * w[k];
        }
    }
}

/* Bends the axis, a unit vector, to v, which is perpendicular to it, and across; v stays so. */
static void bend_axis(double axis[3], double v[3], const double bends[2])
{
    double across[3];
    berth_cross(axis, v, across);
    berth_add_scaled(axis, bends[0], v, axis);
    berth_add_scaled(axis, bends[1], across, axis);
    berth_normalise(axis);
    make_perpendicular(axis, v);
}

static void set_ball(struct berth_ball *ball, const double centre[3], double square)
{
    memcpy(ball->centre, centre, sizeof ball->centre);
    ball->radius = sqrt(square);
}

/* Puts the joint's second fragment where the first says, at the angle that it has. */
static void place_fragment(struct berth_joining *joining, struct berth_joint *joint)
{
    const struct berth_joint_side *near = &joint->sides[0], *far = &joint->sides[1];
    const float(*shape)[3] = shape_of(joining, far->fragment);
    double(*there)[3] = joining->positions + joining->starts[near->fragment];
    double(*here)[3] = joining->positions + joining->starts[far->fragment];
    double axis[3], back[3], p[3], q[3], cross[3], u[3], v[3], origin[3], rotation[9], start[3];
    /* the bond, from the atom that is placed */
    berth_direction(there[near->atom], there[near->cap], axis);
    berth_add_scaled(there[near->reference == BERTH_NOWHERE ? near->atom : near->reference], -1,
                     there[near->atom], p);
    make_perpendicular(axis, p);
    bend_axis(axis, p, joint->bends);
    berth_add_scaled(there[near->atom], length_of(joining, joint), axis, origin);
    berth_cross(axis, p, cross);
    const double angle = joint->angles[joint->choice] * DEGREE;
    for (int k = 0; k < 3; k++) {
        q[k] = p[k] * cos(angle) + cross[k] * sin(angle);
        back[k] = -axis[k];
    }
    /* the same in the fragment */
    vector_to(shape, far, far->cap, u);
    berth_normalise(u);
    vector_to(shape, far, far->reference, v);
    make_perpendicular(u, v);
    bend_axis(u, v, joint->bends + 2);
    rotation_between(u, v, back, q, rotation);
    get_place(shape, far->atom, start);
    const size_t count = joining->starts[far->fragment + 1] - joining->starts[far->fragment];
    const double *radii = joining->radii + joining->starts[far->fragment];
    double furthest = 0;
    for (uint32_t i = 0; i < count; i++) {
        double from[3], turned[3];
        get_place(shape, i, from);
        berth_add_scaled(from, -1, start, from);
        furthest = radii[i] > 0 ? fmax(furthest, berth_dot(from, from)) : furthest;
        berth_rotate(rotation, from, turned);
        berth_add_scaled(origin, 1, turned, here[i]);
    }
    set_ball(&joining->balls[far->fragment], origin, furthest);
    memcpy(joint->pivots[0], there[near->atom], sizeof origin);
    memcpy(joint->pivots[1], origin, sizeof origin);
    for (int k = 0; k < 3; k++) {
        joint->turns[0][k] = cross[k];
        joint->turns[1][k] = -p[k];
        joint->turns[3][k] = q[k];
    }
    berth_cross(axis, q, joint->turns[2]);
}

void berth_joining_place_from(struct berth_joining *joining, size_t first)
{
    for (size_t i = first; i + 1 < joining->parts->fragment_count; i++) {
        place_fragment(joining, &joining->joints[i]);
    }
}

/* --- Clashes --- */

/* Å²: by how much two atoms, as far apart as this is the square of, are closer than they may be. */
static double clash_of_atoms(const struct berth_joining *joining, uint32_t p, uint32_t q,
                             double square, bool hard)
{
    const struct berth_molecule *molecule = joining->molecule;
    const uint32_t i = joining->atoms[p], j = joining->atoms[q];
    if (joining->near[i * molecule->atom_count + j]) {
        return 0;
    }
    const int a = molecule->atoms[i].element, b = molecule->atoms[j].element;
    const bool hydrogen = a == HYDROGEN || b == HYDROGEN;
    const double nearest =
        (hard && hydrogen ? CLOSEST_HYDROGEN : CLOSEST) * (joining->radii[p] + joining->radii[q]);
    return square < nearest * nearest && !berth_may_hydrogen_bond(a, b) ? nearest * nearest - square
                                                                        : 0;
}

/* Å²: how badly two fragments clash. */
static double clash_between(const struct berth_joining *joining, size_t f, size_t g, bool hard)
{
    double sum = 0;
    if (berth_joining_are_apart(joining, f, g, APART)) {
        return 0;
    }
    for (uint32_t p = joining->starts[f]; p < joining->starts[f + 1]; p++) {
        for (uint32_t q = joining->starts[g]; joining->radii[p] > 0 && q < joining->starts[g + 1];
             q++) {
            const double square =
                berth_distance_squared(joining->positions[p], joining->positions[q]);
            if (square < APART * APART && joining->radii[q] > 0) {
                sum += clash_of_atoms(joining, p, q, square, hard);
            }
        }
    }
    return sum;
}

/* Å²: how badly the fragment that a joint places clashes with all that are placed before. */
static double clash_of(const struct berth_joining *joining, size_t joint, bool hard)
{
    const size_t fragment = joining->joints[joint].sides[1].fragment;
    double sum = clash_between(joining, joining->root, fragment, hard);
    for (size_t i = 0; i < joint; i++) {
        sum += clash_between(joining, joining->joints[i].sides[1].fragment, fragment, hard);
    }
    return sum;
}

/* Marks what turning a joint moves. */
static void mark_beyond(struct berth_joining *joining, size_t first)
{
    const size_t count = joining->parts->fragment_count;
    memset(joining->beyond, 0, count * sizeof *joining->beyond);
    joining->beyond[joining->joints[first].sides[1].fragment] = true;
    for (size_t i = first + 1; i + 1 < count; i++) {
        const struct berth_joint *joint = &joining->joints[i];
        joining->beyond[joint->sides[1].fragment] = joining->beyond[joint->sides[0].fragment];
    }
}

/* Places what is marked. */
static void place_beyond(struct berth_joining *joining, size_t first)
{
    for (size_t i = first; i + 1 < joining->parts->fragment_count; i++) {
        if (joining->beyond[joining->joints[i].sides[1].fragment]) {
            place_fragment(joining, &joining->joints[i]);
        }
    }
}

/* Å²: how badly what is marked clashes with the rest; stops where that reaches the bound. */
static double clash_across(const struct berth_joining *joining, double bound)
{
    const size_t count = joining->parts->fragment_count;
    double sum = 0;
    for (size_t f = 0; f < count; f++) {
        for (size_t g = 0; joining->beyond[f] && g < count && sum < bound; g++) {
            sum += joining->beyond[g] ? 0 : clash_between(joining, f, g, false);
        }
    }
    return sum;
}

/* Turns a joint's bond to where what it moves clashes least with the rest; true where it has
 * another angle then. */
static bool turn_bond(struct berth_joining *joining, size_t number)
{
    struct berth_joint *joint = &joining->joints[number];
    const size_t before = joint->choice;
    size_t best = before;
    mark_beyond(joining, number);
    double least = clash_across(joining, INFINITY);
    if (least <= 0) {
        return false;
    }
    for (joint->choice = 0; joint->choice < BERTH_JOINT_ANGLES && least > 0; joint->choice++) {
        place_beyond(joining, number);
        const double now = clash_across(joining, least);
        if (now < least) {
            least = now;
            best = joint->choice;
        }
    }
    joint->choice = best;
    place_beyond(joining, number);
    return best != before;
}

/* Places the fragment of a joint at the angle that is preferred, else at the first at which it does
 * not clash, else at that where it does least, Å². */
static double place_well(struct berth_joining *joining, size_t number)
{
    struct berth_joint *joint = &joining->joints[number];
    double least = INFINITY;
    size_t best = 0;
    for (size_t i = 0; i <= BERTH_JOINT_ANGLES && least > 0; i++) {
        joint->choice = i ? i - 1 : joint->preferred;
        place_fragment(joining, joint);
        const double clash = clash_of(joining, number, false);
        if (clash < least) {
            least = clash;
            best = joint->choice;
        }
    }
    joint->choice = best;
    place_fragment(joining, joint);
    return least;
}

static void place_root(struct berth_joining *joining)
{
    const float(*shape)[3] = shape_of(joining, joining->root);
    const uint32_t start = joining->starts[joining->root];
    double furthest = 0;
    for (uint32_t i = start; i < joining->starts[joining->root + 1]; i++) {
        get_place(shape, i - start, joining->positions[i]);
        furthest = fmax(furthest,
                        berth_distance_squared(joining->positions[start], joining->positions[i]));
    }
    set_ball(&joining->balls[joining->root], joining->positions[start], furthest);
}

void berth_joining_place(struct berth_joining *joining)
{
    double clash = 0;
    place_root(joining);
    for (size_t i = 0; i + 1 < joining->parts->fragment_count; i++) {
        memset(joining->joints[i].bends, 0, sizeof joining->joints[i].bends);
        clash += place_well(joining, i);
    }
    if (clash > 0) {
        /* Turns each bond in turn to where all clashes least. */
        bool turned = true;
        for (int sweep = 0; sweep < SWEEPS && turned; sweep++) {
            turned = false;
            for (size_t i = 0; i + 1 < joining->parts->fragment_count; i++) {
                turned = turn_bond(joining, i) || turned;
            }
        }
    }
}

bool berth_joining_clashes(const struct berth_joining *joining)
{
    for (size_t i = 0; i + 1 < joining->parts->fragment_count; i++) {
        if (clash_of(joining, i, true) > 0) {
            return true;
        }
    }
    return false;
}
