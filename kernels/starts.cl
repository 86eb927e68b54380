/* Starts of a large ligand all over a receptor: rotated as given, it comes in along rays, step by
 * step, and what it has on the maps says where it stands best.  Lanes are rays; they share the
 * rotation, so that an atom is rotated once for all of them. */

/* The energy of an atom of a type at the points of the maps that are nearest to the lanes' places;
 * 0 outside. */
static vector nearest_energy(const struct maps *maps, int type, struct point at)
{
    constant struct berth_device_grid *grid = maps->grid;
    const ivector x = VECTOR_CONVERT(int, floor(fma(at.x - grid->x, grid->per_edge, 0.5f)));
    const ivector y = VECTOR_CONVERT(int, floor(fma(at.y - grid->y, grid->per_edge, 0.5f)));
    const ivector z = VECTOR_CONVERT(int, floor(fma(at.z - grid->z, grid->per_edge, 0.5f)));
    const ivector inside =
        x >= 0 && x < grid->nx && y >= 0 && y < grid->ny && z >= 0 && z < grid->nz;
    if (!ANY_POSE(inside)) {
        return 0;
    }
    global const uint2 *map = maps->points + (size_t)type * grid->points;
    const ivector place = inside ? (z * grid->ny + y) * grid->nx + x : (ivector)(0);
    int places[BERTH_VECTOR_WIDTH];
    float values[BERTH_VECTOR_WIDTH];
    VECTOR_STORE(place, places);
    FOR_EACH_LANE
    {
        values[i] = as_float(map[places[i]].x << 16);
    }
    const vector nothing = 0;
    return inside ? VECTOR_LOAD(values) : nothing;
}

/* The ligand's atoms, rotated. */
struct rotated {
    global const struct berth_device_atom *atoms;
    global const float *rotation; /* [9], by rows */
    int count;
};

static float3 rotate_atom(const struct rotated *ligand, int i)
{
    const struct berth_device_atom atom = ligand->atoms[i];
    global const float *m = ligand->rotation;
    return (float3)(fma(m[0], atom.x, fma(m[1], atom.y, m[2] * atom.z)),
                    fma(m[3], atom.x, fma(m[4], atom.y, m[5] * atom.z)),
                    fma(m[6], atom.x, fma(m[7], atom.y, m[8] * atom.z)));
}

/* How far the ligand goes from its centre towards the rays' origins, Å. */
static vector depth_of(const struct rotated *ligand, struct point way)
{
    vector depth = 0;
    for (int i = 0; i < ligand->count; i++) {
        const float3 at = rotate_atom(ligand, i);
        depth = max(
            depth, -fma(way.x, (vector)(at.x), fma(way.y, (vector)(at.y), way.z * (vector)(at.z))));
    }
    return depth;
}

static vector energy_of(const struct maps *maps, const struct rotated *ligand, struct point centre)
{
    vector energy = 0;
    for (int i = 0; i < ligand->count; i++) {
        const float3 at = rotate_atom(ligand, i);
        const struct point place = {centre.x + at.x, centre.y + at.y, centre.z + at.z};
        energy += nearest_energy(maps, ligand->atoms[i].type, place);
    }
    return energy;
}

/* True in the lanes whose place is in the box. */
static ivector is_in_box(constant struct berth_device_starts *starts, struct point at)
{
    return fabs(at.x - starts->x) <= starts->half_x && fabs(at.y - starts->y) <= starts->half_y &&
           fabs(at.z - starts->z) <= starts->half_z;
}

/* energies and distances [rotation][ray]: the lowest energy on a ray, INFINITY where there is none,
 * and the distance (Å) of the ligand's centre from the ray's origin there.  rotations:
 * [rotation][9]; rays: [6][ray], origin and direction; global size (vectors of rays, rotations). */
kernel void find_starts(global const uint2 *restrict points,
                        constant struct berth_device_grid *restrict grid,
                        constant struct berth_device_starts *restrict starts,
                        global const struct berth_device_atom *restrict atoms,
                        global const float *restrict rotations, global const float *restrict rays,
                        global float *restrict energies, global float *restrict distances)
{
    const int first = (int)get_global_id(0) * BERTH_VECTOR_WIDTH, count = starts->rays;
    if (first >= count) {
        return;
    }
    const size_t r = get_global_id(1);
    const struct maps maps = {points, grid};
    const struct rotated ligand = {atoms, rotations + 9 * r, starts->atoms};
    const struct point origin = {load_vector(rays, first, count),
                                 load_vector(rays + count, first, count),
                                 load_vector(rays + 2 * count, first, count)};
    const struct point way = {load_vector(rays + 3 * count, first, count),
                              load_vector(rays + 4 * count, first, count),
                              load_vector(rays + 5 * count, first, count)};
    vector along = depth_of(&ligand, way) + starts->clearance;
    vector lowest = INFINITY, best = along;
    for (int k = 0; k < starts->steps; k++) {
        const struct point at = {fma(way.x, along, origin.x), fma(way.y, along, origin.y),
                                 fma(way.z, along, origin.z)};
        const vector energy = energy_of(&maps, &ligand, at);
        const ivector better = energy < lowest && is_in_box(starts, at);
        lowest = better ? energy : lowest;
        best = better ? along : best;
        along -= starts->step;
    }
    store_vector(lowest, energies + r * count, first, count);
    store_vector(best, distances + r * count, first, count);
}

/* energies[pose] on the maps, of poses [6][pose] (angles, translation): each lane has a rotation of
 * its own.  Global size: vectors of poses. */
kernel void score_starts(global const uint2 *restrict points,
                         constant struct berth_device_grid *restrict grid,
                         constant struct berth_device_starts *restrict starts,
                         global const struct berth_device_atom *restrict atoms,
                         global const float *restrict poses, int count,
                         global float *restrict energies)
{
    const int first = (int)get_global_id(0) * BERTH_VECTOR_WIDTH;
    if (first >= count) {
        return;
    }
    const struct maps maps = {points, grid};
    const vector a = load_vector(poses, first, count);
    const vector b = load_vector(poses + count, first, count);
    const vector c = load_vector(poses + 2 * count, first, count);
    const struct point centre = {load_vector(poses + 3 * count, first, count),
                                 load_vector(poses + 4 * count, first, count),
                                 load_vector(poses + 5 * count, first, count)};
    const vector sa = sin(a), ca = cos(a), sb = sin(b), cb = cos(b), sc = sin(c), cc = cos(c);
    const vector m[9] = {cb * cc,
                         sa * sb * cc - ca * sc,
                         ca * sb * cc + sa * sc,
                         cb * sc,
                         sa * sb * sc + ca * cc,
                         ca * sb * sc - sa * cc,
                         -sb,
                         sa * cb,
                         ca * cb};
    vector energy = 0;
    for (int i = 0; i < starts->atoms; i++) {
        const struct berth_device_atom atom = atoms[i];
        const vector x = atom.x, y = atom.y, z = atom.z;
        const struct point place = {fma(m[0], x, fma(m[1], y, fma(m[2], z, centre.x))),
                                    fma(m[3], x, fma(m[4], y, fma(m[5], z, centre.y))),
                                    fma(m[6], x, fma(m[7], y, fma(m[8], z, centre.z)))};
        energy += nearest_energy(&maps, atom.type, place);
    }
    energy = is_in_box(starts, centre) ? energy : (vector)(INFINITY);
    store_vector(energy, energies, first, count);
}
