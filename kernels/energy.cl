/* Energies of poses: every receptor atom of the site against every atom of the conformer.
 *
 * Receptor atoms lie in runs of one type: a run has the constants of its pair of types in
 * registers, and takes a loop body without the parts whose weight is 0.  What an interaction is,
 * the scoring function says: add_parts and weigh_parts are made from it
 * (src/score/language/source.c).  With neighbour lists (BERTH_LISTS) a ligand atom meets only
 * receptor atoms near the place that it has in all poses of the work-group.  What they leave out
 * adds 0 exactly, and they keep the order of types and atoms, so that energies are the same bit for
 * bit. All arithmetic on a pose is written out as fma, so that it is the same whatever the
 * work-group size or the number of poses per work-item.
 */
#if BERTH_TILE && !BERTH_LISTS
#define SITE_MEMORY local
#else
#define SITE_MEMORY global
#endif

/* One value for each pose and term. */
struct terms {
    vector values[BERTH_PPWI][BERTH_TERMS];
};

/* One value for each pose and part of a term, without its weight. */
struct sums {
    vector values[BERTH_PPWI][BERTH_PARTS];
};

/* Squared distance (Å²) of a point of the receptor (x, y, z and the square of its distance from the
 * centre) and a ligand atom in pose v. */
static vector square_to(float4 point, const struct placed_atom *placed, int v)
{
#if BERTH_EXPANDED
    return fma(placed->x[v], (vector)(point.x),
               fma(placed->y[v], (vector)(point.y),
                   fma(placed->z[v], (vector)(point.z), placed->square[v] + point.w)));
#else
    vector x = placed->x[v] - point.x, y = placed->y[v] - point.y, z = placed->z[v] - point.z;
    return fma(x, x, fma(y, y, z * z));
#endif
}

/* ROOT_SCALE times the distance, and what else functions of it ask for.  Rounding can leave a tiny
 * negative square where two atoms coincide, and the estimate has no 1 / √0. */
struct distance {
    vector r, inverse, square;
};

/* Å²: an estimate of the root of 0 is no number, and rounding can make an expanded square less. */
#define SQUARE_LEAST 1e-6f

static struct distance distance_to(float4 atom, const struct placed_atom *placed, int v)
{
    struct distance distance;
    const vector square = limited(square_to(atom, placed, v));
    distance.square = square;
#if BERTH_INVERTED
    distance.inverse = inverse_root(square);
    distance.r = square * distance.inverse;
#else
    distance.inverse = 0;
#ifdef ESTIMATE
    distance.r = scaled_root(max(square, SQUARE_LEAST));
#elif BERTH_EXPANDED
    distance.r = scaled_root(fabs(square));
#else
    distance.r = scaled_root(square);
#endif
#endif
    return distance;
}

/* Adds the parts of a run to sums.  parts is a literal: the compiler makes one body for each case.
 */
static inline __attribute__((always_inline)) void sum_run(SITE_MEMORY const float4 *atoms,
                                                          struct berth_device_run run,
                                                          const struct berth_device_pair *pair,
                                                          const struct placed_atom *placed,
                                                          const int parts, struct sums *sums)
{
#if BERTH_UNROLL > 1
    BERTH_PRAGMA(unroll BERTH_UNROLL)
#endif
    for (int i = run.begin; i < run.end; i++) {
        const float4 atom = atoms[i];
        FOR_EACH_VECTOR
        {
            const struct distance distance = distance_to(atom, placed, v);
            add_parts(distance.r, distance.inverse, distance.square, pair->constants, parts,
                      sums->values[v]);
        }
    }
}

static void clear_terms(struct terms *terms)
{
    FOR_EACH_VECTOR
    {
        for (int t = 0; t < BERTH_TERMS; t++) {
            terms->values[v][t] = 0;
        }
    }
}

/* Adds the energy of one ligand atom with one run to totals. */
static void add_run(SITE_MEMORY const float4 *atoms, struct berth_device_run run,
                    struct berth_device_pair pair, const struct placed_atom *placed,
                    struct terms *totals)
{
    struct sums sums;
    FOR_EACH_VECTOR
    {
        for (int k = 0; k < BERTH_PARTS; k++) {
            sums.values[v][k] = 0;
        }
    }
#define BODY(parts)                                                                                \
    case parts:                                                                                    \
        sum_run(atoms, run, &pair, placed, parts, &sums);                                          \
        break;
#ifdef BERTH_ONE_BODY
    pair.parts = BERTH_ONE_BODY;
#endif
    switch ((int)pair.parts) {
        BERTH_FOR_EACH_BODY(BODY)
    }
#undef BODY
    FOR_EACH_VECTOR
    {
        weigh_parts(sums.values[v], pair.constants, totals->values[v]);
    }
}

#ifdef BERTH_COUNT
/* Counts the run's atoms instead, as the first term. */
static void count_run(struct berth_device_run run, struct terms *totals)
{
    FOR_EACH_VECTOR
    {
        totals->values[v][0] += run.end - run.begin;
    }
}
#endif

/* What the energy kernels are given of the receptor. */
struct receptor {
    global const float4 *atoms;
    global const struct berth_device_tile *tiles;
    global const struct berth_device_run *runs;
    global const struct berth_device_pair *pairs; /* [types of the receptor][site->pair_columns] */
    constant struct berth_device_site *site;
};

/* A conformer's atoms. */
struct ligand {
    global const struct berth_device_atom *atoms;
    int atom_count;
    float radius; /* Å */
};

/* A run and the constants of its pairs with a ligand atom. */
struct work {
    struct berth_device_run run;
    struct berth_device_pair pair;
};

static struct work load_work(const struct receptor *receptor, int run, int type)
{
    struct work work;
    work.run = receptor->runs[run];
    work.pair = receptor->pairs[work.run.type * receptor->site->pair_columns + type];
    return work;
}

/* Adds the energies of one placed atom with the receptor atoms of one tile to totals.  Each run is
 * loaded while the one before it is worked on. */
static void add_atom(const struct receptor *receptor, struct berth_device_tile tile,
                     SITE_MEMORY const float4 *tile_atoms, int type,
                     const struct placed_atom *placed, struct terms *totals)
{
    if (tile.run_begin == tile.run_end) {
        return;
    }
    struct work next = load_work(receptor, tile.run_begin, type);
    for (int k = tile.run_begin; k < tile.run_end; k++) {
        const struct work work = next;
        next = load_work(receptor, min(k + 1, tile.run_end - 1), type);
#ifdef BERTH_COUNT
        count_run(work.run, totals);
#else
        add_run(tile_atoms, work.run, work.pair, placed, totals);
#endif
    }
}

#if BERTH_LISTS
#define LOCAL_MEMORY struct gathering
#elif BERTH_TILE
#define LOCAL_MEMORY struct tile_atoms

struct tile_atoms {
    float4 atoms[BERTH_TILE];
};
#else
#define LOCAL_MEMORY int
#endif

#if BERTH_LISTS
/* Adds the energies of one ligand atom with its neighbours, listed in a tile. */
static void add_listed(const struct receptor *receptor, struct berth_device_atom atom, int list,
                       const struct placed_atom *placed, struct terms *totals)
{
    const struct berth_device_tile tile = receptor->tiles[list];
    add_atom(receptor, tile, receptor->atoms + tile.atom_begin, atom.type, placed, totals);
}

/* Adds the energies of the conformer with the neighbours of its atoms. */
#if BERTH_WGSIZE == 1
static void add_neighbours(const struct receptor *receptor, const struct ligand *ligand,
                           const struct placement *placement, struct terms *totals,
                           local struct gathering *gathering)
{
    for (int j = 0; j < ligand->atom_count; j++) {
        const struct berth_device_atom atom = ligand->atoms[j];
        struct placed_atom placed;
        place_atom(placement, atom, &placed);
        struct sphere sphere;
        sphere_about(&placed, &sphere);
        const int list =
            find_list(receptor->site, sphere, (int)receptor->pairs[atom.type].kind, ligand->radius);
        add_listed(receptor, atom, list, &placed, totals);
    }
}
#else
static void add_neighbours(const struct receptor *receptor, const struct ligand *ligand,
                           const struct placement *placement, struct terms *totals,
                           local struct gathering *gathering)
{
    gather_poses(placement, gathering);
    for (int block = 0; block < ligand->atom_count; block += BERTH_WGSIZE) {
        const int mine = block + (int)get_local_id(0);
        if (mine < ligand->atom_count) {
            const struct berth_device_atom atom = ligand->atoms[mine];
            struct sphere sphere;
            sphere_about(gathering, atom, &sphere);
            gathering->lists[get_local_id(0)] = find_list(
                receptor->site, sphere, (int)receptor->pairs[atom.type].kind, ligand->radius);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const int end = min(ligand->atom_count, block + BERTH_WGSIZE);
        for (int j = block; j < end; j++) {
            const struct berth_device_atom atom = ligand->atoms[j];
            struct placed_atom placed;
            place_atom(placement, atom, &placed);
            add_listed(receptor, atom, gathering->lists[j - block], &placed, totals);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
#endif
#else
/* Adds the energies of the conformer with the atoms of one tile. */
static void add_tile(const struct receptor *receptor, const struct ligand *ligand,
                     const struct placement *placement, struct berth_device_tile tile,
                     SITE_MEMORY const float4 *tile_atoms, struct terms *totals)
{
    for (int j = 0; j < ligand->atom_count; j++) {
        const struct berth_device_atom atom = ligand->atoms[j];
        struct placed_atom placed;
        place_atom(placement, atom, &placed);
        add_atom(receptor, tile, tile_atoms, atom.type, &placed, totals);
    }
}

static void add_tiles(const struct receptor *receptor, const struct ligand *ligand,
                      const struct placement *placement, struct terms *totals,
                      local LOCAL_MEMORY *memory)
{
    for (int t = 0; t < receptor->site->tile_count; t++) {
        const struct berth_device_tile tile = receptor->tiles[t];
        global const float4 *atoms = receptor->atoms + tile.atom_begin;
#if BERTH_TILE
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = (int)get_local_id(0); i < tile.atom_end - tile.atom_begin; i += BERTH_WGSIZE) {
            memory->atoms[i] = atoms[i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        add_tile(receptor, ligand, placement, tile, memory->atoms, totals);
#else
        add_tile(receptor, ligand, placement, tile, atoms, totals);
#endif
    }
}
#endif

static void add_ligand(const struct receptor *receptor, const struct ligand *ligand,
                       const struct placement *placement, struct terms *totals,
                       local LOCAL_MEMORY *memory)
{
#if BERTH_LISTS
    add_neighbours(receptor, ligand, placement, totals, memory);
#else
    add_tiles(receptor, ligand, placement, totals, memory);
#endif
}

#ifdef BERTH_LARGE
/* Adds the energies of a large ligand, a sum for each of its tiles: millions of pairs in one would
 * lose digits. */
static void add_ligand_tiles(const struct receptor *receptor, const struct ligand *ligand,
                             const struct placement *placement, struct terms *totals,
                             local LOCAL_MEMORY *memory)
{
    for (int first = 0; first < ligand->atom_count; first += BERTH_LIGAND_TILE) {
        const struct ligand tile = {ligand->atoms + first,
                                    min(ligand->atom_count - first, BERTH_LIGAND_TILE),
                                    ligand->radius};
        struct terms sums;
        clear_terms(&sums);
        add_ligand(receptor, &tile, placement, &sums, memory);
        FOR_EACH_VECTOR
        {
            for (int t = 0; t < BERTH_TERMS; t++) {
                totals->values[v][t] += sums.values[v][t];
            }
        }
    }
}
#endif

/* The terms of the work-item's poses (of planes[6][poses]) of one conformer. */
static void score_poses(const struct receptor *receptor, const struct ligand *ligand,
                        global const float *planes, int poses, struct terms *totals,
                        local LOCAL_MEMORY *memory)
{
    struct placement placement;
    load_placement(planes, poses, &placement);
    clear_terms(totals);
#ifdef BERTH_LARGE
    add_ligand_tiles(receptor, ligand, &placement, totals, memory);
#else
    add_ligand(receptor, ligand, &placement, totals, memory);
#endif
}

#define ENERGY_ARGUMENTS                                                                           \
    global const float4 *restrict atoms, global const struct berth_device_tile *restrict tiles,    \
        global const struct berth_device_run *restrict runs,                                       \
        global const struct berth_device_pair *restrict pairs,                                     \
        constant struct berth_device_site *restrict site,                                          \
        global const struct berth_device_conformer *restrict conformers,                           \
        global const struct berth_device_atom *restrict ligand_atoms,                              \
        global const float *restrict transforms, int poses

/* The energy kernels' common part: totals of the work-item's poses. */
#define SCORE_POSES                                                                                \
    LOCAL_VARIABLE LOCAL_MEMORY memory;                                                            \
    const struct receptor receptor = {atoms, tiles, runs, pairs, site};                            \
    const size_t c = get_global_id(1);                                                             \
    const struct ligand ligand = {ligand_atoms + conformers[c].atom_begin,                         \
                                  conformers[c].atom_count, conformers[c].radius};                 \
    struct terms totals;                                                                           \
    score_poses(&receptor, &ligand, transforms + c * 6 * poses, poses, &totals, &memory)

/* As REFINING_GROUPS: 20 warps leave 96 registers to a work-item, with which bude takes 21.66 ms
 * for 1,048,576 poses of bm1 on an H200, and 22.22 ms with as many as the compiler likes (117).
 * More poses in a work-item than by default take what they need. */
#define SCORING_GROUPS (BERTH_PPWI > 2 ? 1 : 20 * 32 / BERTH_WGSIZE)

/* energies[conformer][pose], from transforms[conformer][6][pose]; global size: work-items that
 * cover the poses × conformers.  softness: weight of the term BERTH_SOFTENED, 1 but for the first
 * generations of a search. */
kernel __attribute__((reqd_work_group_size(BERTH_WGSIZE, 1, 1)))
BERTH_MINIMUM_GROUPS(BERTH_WGSIZE, SCORING_GROUPS) void energy(ENERGY_ARGUMENTS,
                                                               global float *restrict energies,
                                                               float softness)
{
    SCORE_POSES;
    FOR_EACH_VECTOR
    {
        vector sum = 0;
        for (int t = 0; t < BERTH_TERMS; t++) {
            const vector weight = t == BERTH_SOFTENED ? softness : 1.0f;
            sum = fma(weight, totals.values[v][t], sum);
        }
        store_vector(sum, energies + c * poses, first_pose(v), poses);
    }
}

/* terms[conformer][BERTH_TERMS][pose].  Their sum in this order is exactly what the kernel energy
 * gives with a softness of 1. */
kernel __attribute__((reqd_work_group_size(BERTH_WGSIZE, 1, 1)))
BERTH_MINIMUM_GROUPS(BERTH_WGSIZE, SCORING_GROUPS) void energy_terms(ENERGY_ARGUMENTS,
                                                                     global float *restrict terms)
{
    SCORE_POSES;
    global float *planes = terms + c * BERTH_TERMS * poses;
    FOR_EACH_VECTOR
    {
        for (int t = 0; t < BERTH_TERMS; t++) {
            store_vector(totals.values[v][t], planes + t * poses, first_pose(v), poses);
        }
    }
}
