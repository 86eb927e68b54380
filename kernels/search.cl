/* Evolutionary Monte Carlo: generation zero, children, and the Metropolis rule.
 *
 * A generation's poses are divided into families, one a parent, the better the parent the larger:
 * pose p belongs to parent floor(count (p / poses)²), with p rounded down to whole granules, so
 * that work-groups of the energy kernel have poses of one family; a granule also takes the other
 * parent's translation as one.  The first pose of a family is the parent itself, unchanged; the
 * others are its children.  Families are neighbours in pose number, so that the near-duplicates
 * that selection suppresses meet already in its first step. */

static uint2 seed_of(constant struct berth_device_search *search)
{
    return (uint2)(search->seed_low, search->seed_high);
}

/* A rotation uniform in SO(3) from three floats uniform in [0, 1): K. Shoemake, Graphics Gems III
 * (1992), p. 124. */
static struct quaternion random_rotation(vector u, vector v, vector w)
{
    const vector s = sqrt(1 - u), t = sqrt(u);
    const struct quaternion made = {s * sin(BERTH_FULL_TURN * v), s * cos(BERTH_FULL_TURN * v),
                                    t * sin(BERTH_FULL_TURN * w), t * cos(BERTH_FULL_TURN * w)};
    return made;
}

/* A direction uniform on the sphere from two floats uniform in [0, 1). */
static struct point random_direction(vector u, vector v)
{
    const vector z = 2 * u - 1, radius = sqrt(max(1 - z * z, 0.0f));
    const struct point made = {radius * cos(BERTH_FULL_TURN * v), radius * sin(BERTH_FULL_TURN * v),
                               z};
    return made;
}

/* Bits 0, 3, 6 ... 27 of word as bits 0 to 9. */
static uvector every_third_bit(uvector word)
{
    word &= 0x09249249;
    word = (word | word >> 2) & 0x030c30c3;
    word = (word | word >> 4) & 0x0300f00f;
    word = (word | word >> 8) & 0x030000ff;
    return (word | word >> 16) & 0x000003ff;
}

/* Point number `at` of Morton's curve along one axis, in [0, 1): its cell of 1024, and where in the
 * cell. */
static vector along_axis(uvector at, vector within)
{
    return (VECTOR_CONVERT(float, every_third_bit(at)) + within) * (1.0f / 1024);
}

/* A point of the unit cube.  The poses share out Morton's curve through 1024³ cells: pose p gets a
 * uniform point of its piece of it, so that together they fill the cube evenly, and neighbours in
 * pose number are neighbours in space, which neighbour lists gain by. */
static struct point place_in_cube(ivector pose, int poses, vector along, struct units within)
{
    int poses_of[BERTH_VECTOR_WIDTH];
    uint fractions[BERTH_VECTOR_WIDTH], points[BERTH_VECTOR_WIDTH];
    VECTOR_STORE(pose, poses_of);
    VECTOR_STORE(VECTOR_CONVERT(uint, along * 16777216.0f) << 8, fractions);
    FOR_EACH_LANE
    {
        const ulong point = ((ulong)poses_of[i] << 32 | fractions[i]) / (ulong)poses;
        points[i] = (uint)(point >> 2);
    }
    const uvector at = VECTOR_LOAD(points);
    const struct point place = {along_axis(at, within.x), along_axis(at >> 1, within.y),
                                along_axis(at >> 2, within.z)};
    return place;
}

/* transforms[conformer][6][pose]: rotations uniform in SO(3), translations uniform in the site.
 * A work-item makes a vector of poses, as in the next kernels. */
kernel __attribute__((reqd_work_group_size(BERTH_WGSIZE, 1, 1))) void
generation_zero(constant struct berth_device_search *search,
                global const struct berth_device_conformer *conformers, global float *transforms)
{
    const int first = (int)get_global_id(0) * BERTH_VECTOR_WIDTH, poses = search->poses;
    const size_t c = get_global_id(1);
    if (first >= poses) {
        return;
    }
    const ivector pose = count_from(first);
    const struct units u = draw_units(seed_of(search), conformers + c, 0, pose, 0);
    const struct units v = draw_units(seed_of(search), conformers + c, 0, pose, 1);
    const struct point place = place_in_cube(pose, poses, u.w, v);
    struct pose made;
    made.rotation = random_rotation(u.x, u.y, u.z);
    made.shift.x = (2 * place.x - 1) * search->half_x;
    made.shift.y = (2 * place.y - 1) * search->half_y;
    made.shift.z = (2 * place.z - 1) * search->half_z;
    store_poses(made, transforms + c * 6 * poses, poses, first);
}

/* The parents of a vector of poses. */
struct families {
    int parent[BERTH_VECTOR_WIDTH];   /* rank among the parents */
    int is_first[BERTH_VECTOR_WIDTH]; /* 1: the pose is the parent itself */
};

/* The parent of a pose: its rank among `count` parents. */
static int parent_of(constant struct berth_device_search *search, int pose, int count)
{
    const ulong poses = (ulong)search->poses, p = (ulong)(pose & -search->granule);
    return (int)((ulong)count * p * p / (poses * poses));
}

/* The families of poses first, first + 1 ...; poses behind the last are its siblings. */
static struct families find_families(constant struct berth_device_search *search, int first,
                                     int count)
{
    struct families families;
    int before = first > 0 ? parent_of(search, first - 1, count) : -1;
    FOR_EACH_LANE
    {
        const int pose = min(first + i, search->poses - 1);
        const bool new_granule = (pose & (search->granule - 1)) == 0;
        families.parent[i] = new_granule ? parent_of(search, pose, count) : before;
        families.is_first[i] = families.parent[i] != before;
        before = families.parent[i];
    }
    return families;
}

/* x mirrored at the walls of [-half, half]; a step beyond both ends at a wall. */
static vector mirror(vector x, float half_edge)
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

/* Children: the poses turned by a random axis and angle and shifted in a random direction.  The
 * cube roots make axis times angle and shift uniform in balls; the spread of scales, from half the
 * step to twice it, lets some children refine and others explore. */
static struct pose make_children(struct pose parent, struct step step, struct units u,
                                 struct units v)
{
    const vector length = step.shift * exp2(2 * u.z - 1) * cbrt(u.w);
    const struct point way = random_direction(u.x, u.y), axis = random_direction(v.x, v.y);
    const vector angle = min(step.turn * exp2(2 * v.z - 1), 0.5f * BERTH_FULL_TURN) * cbrt(v.w);
    const vector s = sin(0.5f * angle);
    const struct quaternion turn = {s * axis.x, s * axis.y, s * axis.z, cos(0.5f * angle)};
    const struct pose children = {quaternion_product(turn, parent.rotation),
                                  {parent.shift.x + length * way.x, parent.shift.y + length * way.y,
                                   parent.shift.z + length * way.z}};
    return children;
}

/* The parents whose translations children start from: their own; but in some granules
 * (search->exchange of them) another's. */
static ivector choose_givers(constant struct berth_device_search *search,
                             global const struct berth_device_conformer *conformer, int generation,
                             ivector pose, ivector parent, int count)
{
    const ivector granule = pose & -search->granule;
    const struct units u = draw_units(seed_of(search), conformer, generation, granule, 3);
    const ivector other = min(VECTOR_CONVERT(int, u.y *count), (ivector)(count - 1));
    return u.x < search->exchange ? other : parent;
}

/* Makes a generation from the parents: parent_transforms[conformer][6][search->parents], the best
 * first, parent_counts[conformer] of them.  heads[conformer][parent] gets the first pose of each
 * family. */
kernel __attribute__((reqd_work_group_size(BERTH_WGSIZE, 1, 1))) void
evolve(constant struct berth_device_search *search,
       global const struct berth_device_conformer *conformers,
       global const float *parent_transforms, global const int *parent_counts, int generation,
       float shift, float turn, global float *transforms, global int *heads)
{
    const int first = (int)get_global_id(0) * BERTH_VECTOR_WIDTH;
    const int poses = search->poses, stride = search->parents;
    const size_t c = get_global_id(1);
    if (first >= poses) {
        return;
    }
    global const struct berth_device_conformer *conformer = conformers + c;
    global const float *parents = parent_transforms + c * 6 * stride;
    global float *planes = transforms + c * 6 * poses;
    const int count = max(parent_counts[c], 1);
    const struct families families = find_families(search, first, count);
    const ivector pose = count_from(first);
    const ivector parent = VECTOR_LOAD(families.parent);
    struct pose starts = load_poses(parents, stride, parent);
    starts.shift = load_shifts(parents, stride,
                               choose_givers(search, conformer, generation, pose, parent, count));
    const struct step step = {shift, turn};
    struct pose children =
        make_children(starts, step, draw_units(seed_of(search), conformer, generation, pose, 1),
                      draw_units(seed_of(search), conformer, generation, pose, 2));
    children.shift.x = mirror(children.shift.x, search->half_x);
    children.shift.y = mirror(children.shift.y, search->half_y);
    children.shift.z = mirror(children.shift.z, search->half_z);
    store_poses(children, planes, poses, first);
    FOR_EACH_LANE
    {
        if (families.is_first[i]) {
            heads[c * stride + families.parent[i]] = first + i;
            for (int k = 0; k < 6; k++) {
                planes[k * poses + first + i] = parents[k * stride + families.parent[i]];
            }
        }
    }
}

/* Decides between child and parent at a temperature (kJ/mol): a child that loses leaves the
 * generation (its energy becomes +infinity), and the parent stays, as the first of the family.
 * Both energies are of this generation, so that they are comparable while the steric weight
 * changes. */
kernel __attribute__((reqd_work_group_size(BERTH_WGSIZE, 1, 1))) void
metropolis(constant struct berth_device_search *search,
           global const struct berth_device_conformer *conformers, global const int *heads,
           global const int *parent_counts, int generation, float temperature,
           global float *energies)
{
    const int first = (int)get_global_id(0) * BERTH_VECTOR_WIDTH, poses = search->poses;
    const size_t c = get_global_id(1);
    if (first >= poses) {
        return;
    }
    global float *plane = energies + c * poses;
    const struct families families = find_families(search, first, max(parent_counts[c], 1));
    int head[BERTH_VECTOR_WIDTH], stays[BERTH_VECTOR_WIDTH];
    FOR_EACH_LANE
    {
        head[i] = heads[c * search->parents + families.parent[i]];
    }
    const vector rise = load_vector(plane, first, poses) - gather(plane, VECTOR_LOAD(head));
    const vector chance =
        draw_units(seed_of(search), conformers + c, generation, count_from(first), 0).x;
    VECTOR_STORE(rise <= 0 || chance < exp(-rise / temperature), stays);
    for (int i = 0; i < BERTH_VECTOR_WIDTH && first + i < poses; i++) {
        if (!stays[i] && !families.is_first[i]) {
            plane[first + i] = INFINITY;
        }
    }
}
