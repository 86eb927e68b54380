/* Maps: the energy of one kind of ligand atom with the whole receptor, at each point of a grid, and
 * what lies between the points.  A search on maps looks eight numbers up for an atom, however many
 * atoms the receptor has. */

/* The points that a vector's lanes work on lie together in a brick, so that one neighbour list
 * serves them. */
#if BERTH_VECTOR_WIDTH == 16
#define BRICK_X 4
#define BRICK_Y 2
#define BRICK_Z 2
#elif BERTH_VECTOR_WIDTH == 8
#define BRICK_X 2
#define BRICK_Y 2
#define BRICK_Z 2
#elif BERTH_VECTOR_WIDTH == 4
#define BRICK_X 2
#define BRICK_Y 2
#define BRICK_Z 1
#elif BERTH_VECTOR_WIDTH == 2
#define BRICK_X 2
#define BRICK_Y 1
#define BRICK_Z 1
#else
#define BRICK_X 1
#define BRICK_Y 1
#define BRICK_Z 1
#endif

/* What a search is given of the receptor. */
struct maps {
    global const uint2 *points; /* [types][nz][ny][nx]: see POINT_HALVES */
    constant struct berth_device_grid *grid;
};

/* Numbers for each axis, lane by lane. */
struct point_index {
    ivector x, y, z;
};

/* The points of brick number n; lanes beyond the grid are given its last points. */
static struct point_index points_of_brick(constant struct berth_device_grid *grid, int n)
{
    const int bricks_x = (grid->nx + BRICK_X - 1) / BRICK_X;
    const int bricks_y = (grid->ny + BRICK_Y - 1) / BRICK_Y;
    const ivector lane = count_from(0);
    const struct point_index index = {
        min(n % bricks_x * BRICK_X + lane % BRICK_X, (ivector)(grid->nx - 1)),
        min(n / bricks_x % bricks_y * BRICK_Y + lane / BRICK_X % BRICK_Y, (ivector)(grid->ny - 1)),
        min(n / bricks_x / bricks_y * BRICK_Z + lane / (BRICK_X * BRICK_Y),
            (ivector)(grid->nz - 1))};
    return index;
}

/* A pair's constants in all lanes. */
static void spread_constants(global const struct berth_device_pair *pair, vector *constants)
{
    for (int k = 0; k < BERTH_PAIR_CONSTANTS; k++) {
        constants[k] = pair->constants[k];
    }
}

/* The energy that ligand atoms of a type at (x, y, z) Å have with a tile's receptor atoms. */
static vector energy_at(global const float4 *atoms, global const struct berth_device_run *runs,
                        struct berth_device_tile tile,
                        global const struct berth_device_pair *column, int columns, struct point at)
{
    vector energy = 0;
    for (int k = tile.run_begin; k < tile.run_end; k++) {
        const struct berth_device_run run = runs[k];
        vector constants[BERTH_PAIR_CONSTANTS];
        spread_constants(column + run.type * columns, constants);
        for (int i = run.begin; i < run.end; i++) {
            const float4 atom = atoms[tile.atom_begin + i];
            const vector x = at.x - atom.x, y = at.y - atom.y, z = at.z - atom.z;
            const vector square = limited(fma(x, x, fma(y, y, z * z)));
            energy += pair_energy_v(square * inverse_root(square), constants);
        }
    }
    return energy;
}

/* A point has with it the energies of its neighbours along x and y, so that a search reads two of
 * these for the eight corners of a cell: of each two that are neighbours along x the upper halves
 * of their floats, rounded, in one word, the first in its lower half; the second word has the next
 * point along y.  Halves of words, then: */
#define POINT_HALVES 4

/* The upper half of a float, rounded to the nearest, of two as near to the even one: 8 bits of its
 * fraction, which is less than what lies between a map's points differs by anyhow. */
static uvector upper_half(vector value)
{
    const uvector bits = VECTOR_AS(uint)(value);
    return (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
}

/* Writes the lanes' points, and to those that they are neighbours of. */
static void store_points_of(constant struct berth_device_grid *grid, struct point_index index,
                            vector energy, global ushort *map)
{
    int x[BERTH_VECTOR_WIDTH], y[BERTH_VECTOR_WIDTH], z[BERTH_VECTOR_WIDTH];
    uint halves[BERTH_VECTOR_WIDTH];
    VECTOR_STORE(index.x, x);
    VECTOR_STORE(index.y, y);
    VECTOR_STORE(index.z, z);
    VECTOR_STORE(upper_half(energy), halves);
    FOR_EACH_LANE
    {
        for (int k = 0; k < POINT_HALVES; k++) {
            const int back_x = k & 1, back_y = k >> 1;
            if (x[i] >= back_x && y[i] >= back_y) {
                const int place = (z[i] * grid->ny + y[i] - back_y) * grid->nx + x[i] - back_x;
                map[(size_t)place * POINT_HALVES + k] = (ushort)halves[i];
            }
        }
    }
}

/* Makes maps of some types: those of made[]; global size (bricks, types to make).
 *
 * An energy above 0 is bent, e most / (most + e), so that atoms pass through each other at a cost:
 * most: what it approaches. */
kernel void make_maps(global const float4 *restrict atoms,
                      global const struct berth_device_tile *restrict tiles,
                      global const struct berth_device_run *restrict runs,
                      global const struct berth_device_pair *restrict pairs,
                      constant struct berth_device_site *restrict site,
                      constant struct berth_device_grid *restrict grid,
                      global const int *restrict made, int bricks, global ushort *restrict maps)
{
    const int brick = (int)get_global_id(0);
    if (brick >= bricks) {
        return;
    }
    const int type = made[get_global_id(1)];
    const float step = 1 / grid->per_edge;
    const struct point_index index = points_of_brick(grid, brick);
    const struct point at = {
        fma(VECTOR_CONVERT(float, index.x), (vector)(step), (vector)(grid->x)),
        fma(VECTOR_CONVERT(float, index.y), (vector)(step), (vector)(grid->y)),
        fma(VECTOR_CONVERT(float, index.z), (vector)(step), (vector)(grid->z))};
    struct tile_range range = {0, site->tile_count};
#if BERTH_LISTS
    const float middle = 0.5f * step;
    struct sphere sphere = {(float3)(FIRST_LANE(at.x) + (BRICK_X - 1) * middle,
                                     FIRST_LANE(at.y) + (BRICK_Y - 1) * middle,
                                     FIRST_LANE(at.z) + (BRICK_Z - 1) * middle),
                            middle * length((float3)(BRICK_X - 1, BRICK_Y - 1, BRICK_Z - 1))};
    /* the grid may go on where no conformer is expected: there all atoms are met */
    range.begin = find_list(site, sphere, (int)pairs[type].kind, INFINITY);
    range.end = range.begin + 1;
#endif
    vector energy = 0;
    for (int t = range.begin; t < range.end; t++) {
        energy += energy_at(atoms, runs, tiles[t], pairs + type, site->pair_columns, at);
    }
    energy = energy > 0 ? energy * grid->most / (grid->most + energy) : energy;
    store_points_of(grid, index, energy, maps + (size_t)type * POINT_HALVES * grid->points);
}

/* Where atoms are on one axis of a grid. */
struct place_on_axis {
    ivector cell;    /* number of the point below */
    vector fraction; /* from it to the next, 0 to 1 */
    vector outside;  /* Å, signed */
};

/* From the number of points: a thousandth of a cell before the last point, which is where what lies
 * there or beyond is taken to be, so that a point follows. */
#define INSIDE 1.001f

static struct place_on_axis place_on_axis(vector x, float lowest, float per_edge, int points)
{
    struct place_on_axis place;
    const vector at = (x - lowest) * per_edge;
    const vector inside = clamp(at, (vector)(0), (vector)(points - INSIDE));
    place.cell = VECTOR_CONVERT(int, inside);
    place.fraction = inside - VECTOR_CONVERT(float, place.cell);
    place.outside = (at - inside) / per_edge;
    return place;
}

/* The numbers at eight corners of the lanes' cells: bit 0, 1, 2 of the index for the next point
 * along x, y, z. */
static void load_corners(global const uint2 *map, ivector cells, int plane, vector corners[8])
{
    uint at[BERTH_VECTOR_WIDTH];
    uvector words[4];
    VECTOR_STORE(VECTOR_CONVERT(uint, cells), at);
    gather_pairs(map, at, &words[0], &words[1]);
    gather_pairs(map + plane, at, &words[2], &words[3]);
    for (int k = 0; k < 4; k++) {
        corners[2 * k] = VECTOR_AS(float)(words[k] << 16);
        corners[2 * k + 1] = VECTOR_AS(float)(words[k] & 0xffff0000u);
    }
}

/* An energy and its gradient by the lanes' positions. */
struct map_value {
    vector energy, x, y, z;
};

/* What an atom of a type has at some places.  Trilinear interpolation and its own gradient, so that
 * a descent is consistent; and the wall. */
static struct map_value look_up(const struct maps *maps, int type, struct triple at)
{
    constant struct berth_device_grid *grid = maps->grid;
    const struct place_on_axis x = place_on_axis(at.x, grid->x, grid->per_edge, grid->nx);
    const struct place_on_axis y = place_on_axis(at.y, grid->y, grid->per_edge, grid->ny);
    const struct place_on_axis z = place_on_axis(at.z, grid->z, grid->per_edge, grid->nz);
    vector c[8];
    load_corners(maps->points + (size_t)type * grid->points,
                 (z.cell * grid->ny + y.cell) * grid->nx + x.cell, grid->nx * grid->ny, c);
    const vector d0 = c[1] - c[0], d1 = c[3] - c[2], d2 = c[5] - c[4], d3 = c[7] - c[6];
    const vector e0 = fma(d0, x.fraction, c[0]), e1 = fma(d1, x.fraction, c[2]);
    const vector e2 = fma(d2, x.fraction, c[4]), e3 = fma(d3, x.fraction, c[6]);
    const vector low = fma(e1 - e0, y.fraction, e0), high = fma(e3 - e2, y.fraction, e2);
    const vector dx_low = fma(d1 - d0, y.fraction, d0), dx_high = fma(d3 - d2, y.fraction, d2);
    struct map_value value;
    value.energy = fma(high - low, z.fraction, low);
    value.x = fma(dx_high - dx_low, z.fraction, dx_low) * grid->per_edge;
    value.y = fma((e3 - e2) - (e1 - e0), z.fraction, e1 - e0) * grid->per_edge;
    value.z = (high - low) * grid->per_edge;
    const vector wall = grid->wall, zero = 0;
    value.x = x.outside != zero ? copysign(wall, x.outside) : value.x;
    value.y = y.outside != zero ? copysign(wall, y.outside) : value.y;
    value.z = z.outside != zero ? copysign(wall, z.outside) : value.z;
    value.energy = fma(wall, fabs(x.outside) + fabs(y.outside) + fabs(z.outside), value.energy);
    return value;
}
