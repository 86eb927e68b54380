/* Evolutionary Monte Carlo: generation zero, children, and the Metropolis rule.
 *
 * A generation's poses are divided into families, one a parent, the better the parent the larger:
 * pose p belongs to parent floor(count (p / poses)²), with p rounded down to whole granules, so
 * that work-groups of the energy kernel have poses of one family; a granule also takes the other
 * parent's translation as one.  The first pose of a family is the parent itself, unchanged; the
 * others are its children.  Families are neighbours in pose number, so that the near-duplicates
 * that selection suppresses meet already in its first step. */

#define BERTH_FULL_TURN 6.28318530717958648f

/* A rotation uniform in SO(3) from three floats uniform in [0, 1): K. Shoemake, Graphics Gems III
 * (1992), p. 124. */
static float4 random_rotation(float u, float v, float w)
{
    float s = sqrt(1 - u), t = sqrt(u);
    return (float4)(s * sin(BERTH_FULL_TURN * v), s * cos(BERTH_FULL_TURN * v),
                    t * sin(BERTH_FULL_TURN * w), t * cos(BERTH_FULL_TURN * w));
}

/* A direction uniform on the sphere from two floats uniform in [0, 1). */
static float3 random_direction(float u, float v)
{
    float z = 2 * u - 1, radius = sqrt(max(1 - z * z, 0.0f));
    return (float3)(radius * cos(BERTH_FULL_TURN * v), radius * sin(BERTH_FULL_TURN * v), z);
}

/* Bits 0, 3, 6 ... 27 of word as bits 0 to 9. */
static uint every_third_bit(uint word)
{
    word &= 0x09249249;
    word = (word | word >> 2) & 0x030c30c3;
    word = (word | word >> 4) & 0x0300f00f;
    word = (word | word >> 8) & 0x030000ff;
    return (word | word >> 16) & 0x000003ff;
}

/* A point of the unit cube.  The poses share out Morton's curve through 1024³ cells: pose p gets a
 * uniform point of its piece of it, so that together they fill the cube evenly, and neighbours in
 * pose number are neighbours in space, which neighbour lists gain by. */
static float3 place_in_cube(int pose, int poses, float along, float3 within)
{
    const ulong fraction = (ulong)(along * 16777216.0f) << 8; /* 32 bits */
    const uint at = (uint)((((ulong)pose << 32) + fraction) / (ulong)poses >> 2);
    const float3 cell =
        (float3)(every_third_bit(at), every_third_bit(at >> 1), every_third_bit(at >> 2));
    return (cell + within) * (1.0f / 1024);
}

/* transforms[conformer][6][pose]: rotations uniform in SO(3), translations uniform in the site. */
kernel void generation_zero(constant struct berth_device_search *search,
                            global const struct berth_device_conformer *conformers,
                            global float *transforms)
{
    const int pose = (int)get_global_id(0);
    const size_t c = get_global_id(1);
    if (pose >= search->poses) {
        return;
    }
    float4 u = draw_units(search, conformers + c, 0, pose, 0);
    float4 v = draw_units(search, conformers + c, 0, pose, 1);
    struct pose made;
    made.rotation = random_rotation(u.x, u.y, u.z);
    made.shift = (2 * place_in_cube(pose, search->poses, u.w, v.xyz) - 1) *
                 (float3)(search->half_x, search->half_y, search->half_z);
#ifdef BERTH_BREAK_GENERATION_ZERO
    made.shift.x += 2 * search->half_x;
#endif
    store_pose(made, transforms + c * 6 * search->poses, search->poses, pose);
}

/* The parent of a pose: its rank among `count` parents. */
static int parent_of(constant struct berth_device_search *search, int pose, int count)
{
    const ulong poses = (ulong)search->poses, p = (ulong)(pose - pose % search->granule);
    return (int)((ulong)count * p * p / (poses * poses));
}

static bool is_first_of_family(constant struct berth_device_search *search, int pose, int count)
{
    return pose == 0 || parent_of(search, pose, count) != parent_of(search, pose - 1, count);
}

/* x mirrored at the walls of [-half, half]; a step beyond both ends at a wall. */
static float mirror(float x, float half_edge)
{
    x = x > half_edge ? 2 * half_edge - x : x;
    x = x < -half_edge ? -2 * half_edge - x : x;
    return clamp(x, -half_edge, half_edge);
}

/* How far children are moved in this generation. */
struct step {
    float shift; /* Å */
    float turn;  /* rad */
};

/* A child: the pose turned by a random axis and angle and shifted in a random direction.  The cube
 * roots make axis times angle and shift uniform in balls; the spread of scales, from half the step
 * to twice it, lets some children refine and others explore. */
static struct pose make_child(struct pose parent, struct step step, float4 u, float4 v)
{
    struct pose child;
    child.shift =
        parent.shift + step.shift * exp2(2 * u.z - 1) * cbrt(u.w) * random_direction(u.x, u.y);
    float angle = min(step.turn * exp2(2 * v.z - 1), 0.5f * BERTH_FULL_TURN) * cbrt(v.w);
    float3 axis = sin(0.5f * angle) * random_direction(v.x, v.y);
    child.rotation =
        normalize(quaternion_product((float4)(axis, cos(0.5f * angle)), parent.rotation));
    return child;
}

/* Makes a generation from the parents: parent_transforms[conformer][6][search->parents], the best
 * first, parent_counts[conformer] of them.  heads[conformer][parent] gets the first pose of each
 * family.  Some children (search->exchange of them) take the translation of another parent. */
kernel void evolve(constant struct berth_device_search *search,
                   global const struct berth_device_conformer *conformers,
                   global const float *parent_transforms, global const int *parent_counts,
                   int generation, float shift, float turn, global float *transforms,
                   global int *heads)
{
    const int pose = (int)get_global_id(0), poses = search->poses, stride = search->parents;
    const size_t c = get_global_id(1);
    if (pose >= poses) {
        return;
    }
    global const float *parents = parent_transforms + c * 6 * stride;
    global float *children = transforms + c * 6 * poses;
    const int count = max(parent_counts[c], 1);
    const int parent = parent_of(search, pose, count);
    if (is_first_of_family(search, pose, count)) {
        heads[c * stride + parent] = pose;
        for (int k = 0; k < 6; k++) {
            children[k * poses + pose] = parents[k * stride + parent];
        }
        return;
    }
    global const struct berth_device_conformer *conformer = conformers + c;
    const float4 w = draw_units(search, conformer, generation, pose - pose % search->granule, 3);
    struct pose start = load_pose(parents, stride, parent);
    if (w.x < search->exchange) {
        start.shift = load_pose(parents, stride, min((int)(w.y * count), count - 1)).shift;
    }
    const struct step step = {shift, turn};
    struct pose child = make_child(start, step, draw_units(search, conformer, generation, pose, 1),
                                   draw_units(search, conformer, generation, pose, 2));
    child.shift.x = mirror(child.shift.x, search->half_x);
    child.shift.y = mirror(child.shift.y, search->half_y);
    child.shift.z = mirror(child.shift.z, search->half_z);
#ifdef BERTH_BREAK_EVOLVE
    child.shift.x += 1;
#endif
    store_pose(child, children, poses, pose);
}

/* Decides between child and parent at a temperature (kJ/mol): a child that loses leaves the
 * generation (its energy becomes +infinity), and the parent stays, as the first of the family.
 * Both energies are of this generation, so that they are comparable while the steric weight
 * changes. */
kernel void metropolis(constant struct berth_device_search *search,
                       global const struct berth_device_conformer *conformers,
                       global const int *heads, global const int *parent_counts, int generation,
                       float temperature, global float *energies)
{
    const int pose = (int)get_global_id(0), poses = search->poses;
    const size_t c = get_global_id(1);
    if (pose >= poses) {
        return;
    }
    const int count = max(parent_counts[c], 1);
    if (is_first_of_family(search, pose, count)) {
        return;
    }
    const int head = heads[c * search->parents + parent_of(search, pose, count)];
    global float *energy = energies + c * poses + pose;
    const float rise = *energy - energies[c * poses + head];
    const float chance = draw_units(search, conformers + c, generation, pose, 0).x;
    bool accepted = rise <= 0 || chance < exp(-rise / temperature);
#ifdef BERTH_BREAK_METROPOLIS
    accepted = true;
#endif
    if (!accepted) {
        *energy = INFINITY;
    }
}
