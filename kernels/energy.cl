/* Energies of poses: every receptor atom of the site against every atom of the conformer.
 *
 * Each work-item works on BERTH_PPWI vectors of BERTH_VECTOR_WIDTH poses.  Receptor atoms are
 * sorted by type: a run of equal atoms has its eight pair constants in registers, and takes a loop
 * body without the terms whose weight is 0.  All arithmetic on a pose is written out as fma, so
 * that it is the same whatever the work-group size or the number of poses per work-item.
 *
 * Tunables, each with its default: */
#ifndef BERTH_VECTOR_WIDTH
#define BERTH_VECTOR_WIDTH 1 /* poses in a vector: 1 on a GPU, the native float width on a CPU */
#endif
#ifndef BERTH_PPWI
#define BERTH_PPWI 4 /* vectors of poses per work-item */
#endif
#ifndef BERTH_WGSIZE
#define BERTH_WGSIZE 64 /* work-items of a work-group */
#endif
#ifndef BERTH_TILE
#define BERTH_TILE                                                                                 \
    0 /* receptor atoms copied to local memory at a time; 0: read through the cache */
#endif
#ifndef BERTH_EXPANDED
#define BERTH_EXPANDED 1 /* r² as |L|² + |P|² - 2 L·P (4 operations) or directly (6) */
#endif
#ifndef BERTH_SATURATE
#define BERTH_SATURATE 1 /* clamp the ramps (free on a GPU), or the distance (cheaper on a CPU) */
#endif
#ifndef BERTH_SQRT
#define BERTH_SQRT 0 /* square root: 0 full precision, 1 native, 2 x86 estimate + Newton step, */
                     /* 3 PTX's approximation without care for denormals (NVIDIA) */
#endif
#ifndef BERTH_UNROLL
#define BERTH_UNROLL 4 /* receptor atoms per turn of the innermost loop */
#endif

#define BERTH_PASTE_(a, b) a##b
#define BERTH_PASTE(a, b)  BERTH_PASTE_(a, b)
#if BERTH_VECTOR_WIDTH == 1
typedef float vector;
#define VECTOR_LOAD(pointer)         (*(pointer))
#define VECTOR_STORE(value, pointer) (*(pointer) = (value))
#else
typedef BERTH_PASTE(float, BERTH_VECTOR_WIDTH) vector;
#define VECTOR_LOAD(pointer)         BERTH_PASTE(vload, BERTH_VECTOR_WIDTH)(0, pointer)
#define VECTOR_STORE(value, pointer) BERTH_PASTE(vstore, BERTH_VECTOR_WIDTH)(value, 0, pointer)
#endif

#if BERTH_TILE
#define SITE_MEMORY local
#else
#define SITE_MEMORY global
#endif

#define BERTH_PRAGMA_(text) _Pragma(#text)
#define BERTH_PRAGMA(text)  BERTH_PRAGMA_(text)
#if BERTH_PPWI > 1
#define FOR_EACH_VECTOR BERTH_PRAGMA(unroll) for (int v = 0; v < BERTH_PPWI; v++)
#else
#define FOR_EACH_VECTOR for (int v = 0; v < 1; v++)
#endif

/* The work-item's poses as matrices. */
struct placement {
    vector m[BERTH_PPWI][12]; /* rotation by rows, each followed by its translation (Å) */
};

/* One ligand atom in each of the work-item's poses. */
struct placed_atom {
    vector x[BERTH_PPWI], y[BERTH_PPWI], z[BERTH_PPWI]; /* Å; times -2 where BERTH_EXPANDED */
    vector square[BERTH_PPWI];                          /* squared distance from the centre, Å² */
};

/* One value for each term and pose. */
struct terms {
    vector steric[BERTH_PPWI], electrostatic[BERTH_PPWI], desolvation[BERTH_PPWI];
};

static vector square_root(vector square)
{
#if BERTH_SQRT == 1 || (BERTH_SQRT == 3 && BERTH_VECTOR_WIDTH > 1) /* PTX has no vectors */
    return native_sqrt(square);
#elif BERTH_SQRT == 2
    /* 14 bits, then one Newton step on the root itself; the bound keeps 0 from becoming NaN. */
    vector bounded = max(square, 1e-12f);
    vector estimate = __builtin_ia32_rsqrt14ps512_mask(bounded, (vector)(0), (ushort)0xffff);
    vector root = bounded * estimate;
    return fma(0.5f * estimate, fma(-root, root, bounded), root);
#elif BERTH_SQRT == 3
    float root;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(square));
    return root;
#else
    return sqrt(square);
#endif
}

/* min(max(offset + slope r, 0), 1): one saturating multiply-add on a GPU. */
static vector ramp(vector r, float slope, float offset)
{
    return clamp(fma(r, (vector)(slope), (vector)(offset)), 0.0f, 1.0f);
}

/* Distance of a receptor atom (x, y, z and the square of its distance from the centre) and a
 * ligand atom in pose v. */
static vector distance_to(float4 atom, const struct placed_atom *placed, int v)
{
#if BERTH_EXPANDED
    /* Rounding can leave a tiny negative square where two atoms coincide. */
    return square_root(
        fabs(fma(placed->x[v], (vector)(atom.x),
                 fma(placed->y[v], (vector)(atom.y),
                     fma(placed->z[v], (vector)(atom.z), placed->square[v] + atom.w)))));
#else
    vector x = placed->x[v] - atom.x, y = placed->y[v] - atom.y, z = placed->z[v] - atom.z;
    return square_root(fma(x, x, fma(y, y, z * z)));
#endif
}

/* The terms that a pair of types has beside the steric one. */
#define WITH_B 1
#define WITH_D 2

/* Adds the ramps S(1 + a1 r), S(b0 + b1 r) and S(d0 + d1 r) of a run of equal receptor atoms to
 * sums.  terms is a literal: the compiler makes one body for each case. */
static void sum_run(SITE_MEMORY const float4 *atoms, struct berth_device_run run,
                    struct berth_device_pair pair, const struct placed_atom *placed,
                    const int terms, struct terms *sums)
{
#if !BERTH_SATURATE
    const float contact = -1 / pair.a1; /* Rij, Å: below it only the steric term still changes */
#endif
#if BERTH_UNROLL > 1
    BERTH_PRAGMA(unroll BERTH_UNROLL)
#endif
    for (int i = run.begin; i < run.end; i++) {
        const float4 atom = atoms[i];
        FOR_EACH_VECTOR
        {
            vector r = distance_to(atom, placed, v);
#if BERTH_SATURATE
            sums->steric[v] += ramp(r, pair.a1, 1);
            if (terms & WITH_B) {
                sums->electrostatic[v] += ramp(r, pair.b1, pair.b0);
            }
            if (terms & WITH_D) {
                sums->desolvation[v] += ramp(r, pair.d1, pair.d0);
            }
#else
            vector outer = max(r, contact);
            sums->steric[v] += outer - r;
            if (terms & WITH_B) {
                sums->electrostatic[v] +=
                    max(fma(outer, (vector)(pair.b1), (vector)(pair.b0)), 0.0f);
            }
            if (terms & WITH_D) {
                sums->desolvation[v] += max(fma(outer, (vector)(pair.d1), (vector)(pair.d0)), 0.0f);
            }
#endif
        }
    }
}

static void clear_terms(struct terms *terms)
{
    FOR_EACH_VECTOR
    {
        terms->steric[v] = terms->electrostatic[v] = terms->desolvation[v] = 0;
    }
}

/* Adds the energy of one ligand atom with one run to totals (kJ/mol). */
static void add_run(SITE_MEMORY const float4 *atoms, struct berth_device_run run,
                    struct berth_device_pair pair, const struct placed_atom *placed,
                    struct terms *totals)
{
    struct terms sums;
    clear_terms(&sums);
    if (pair.B == 0 && pair.D == 0) {
        sum_run(atoms, run, pair, placed, 0, &sums);
    } else if (pair.B == 0) {
        sum_run(atoms, run, pair, placed, WITH_D, &sums);
    } else if (pair.D == 0) {
        sum_run(atoms, run, pair, placed, WITH_B, &sums);
    } else {
        sum_run(atoms, run, pair, placed, WITH_B | WITH_D, &sums);
    }
#if BERTH_SATURATE
    const float steric = pair.A;
#else
    const float steric = -pair.A * pair.a1;
#endif
    FOR_EACH_VECTOR
    {
        totals->steric[v] = fma((vector)(steric), sums.steric[v], totals->steric[v]);
        totals->electrostatic[v] =
            fma((vector)(pair.B), sums.electrostatic[v], totals->electrostatic[v]);
        totals->desolvation[v] = fma((vector)(pair.D), sums.desolvation[v], totals->desolvation[v]);
    }
}

/* Index of the first pose of the work-item's vector v. */
static int first_pose(int v)
{
    int item =
        (int)get_group_id(0) * BERTH_WGSIZE * BERTH_PPWI + v * BERTH_WGSIZE + (int)get_local_id(0);
    return item * BERTH_VECTOR_WIDTH;
}

/* The vector at plane[first ..]; poses behind the last are given as the last. */
static vector load_vector(global const float *plane, int first, int poses)
{
#if BERTH_VECTOR_WIDTH == 1
    return plane[min(first, poses - 1)];
#else
    if (first + BERTH_VECTOR_WIDTH <= poses) {
        return VECTOR_LOAD(plane + first);
    }
    float lanes[BERTH_VECTOR_WIDTH];
    for (int i = 0; i < BERTH_VECTOR_WIDTH; i++) {
        lanes[i] = plane[min(first + i, poses - 1)];
    }
    return VECTOR_LOAD(lanes);
#endif
}

/* Writes the vector to plane[first ..]; poses behind the last are left out. */
static void store_vector(vector value, global float *plane, int first, int poses)
{
#if BERTH_VECTOR_WIDTH == 1
    if (first < poses) {
        plane[first] = value;
    }
#else
    if (first + BERTH_VECTOR_WIDTH <= poses) {
        VECTOR_STORE(value, plane + first);
        return;
    }
    float lanes[BERTH_VECTOR_WIDTH];
    VECTOR_STORE(value, lanes);
    for (int i = 0; first + i < poses; i++) {
        plane[first + i] = lanes[i];
    }
#endif
}

static void load_placement(global const float *planes, int poses, struct placement *placement)
{
    FOR_EACH_VECTOR
    {
        const int first = first_pose(v);
        vector a = load_vector(planes, first, poses);
        vector b = load_vector(planes + poses, first, poses);
        vector c = load_vector(planes + 2 * poses, first, poses);
        vector sa = sin(a), ca = cos(a), sb = sin(b), cb = cos(b), sc = sin(c), cc = cos(c);
        vector *m = placement->m[v];
        m[0] = cb * cc;
        m[1] = fma(sa * sb, cc, -(ca * sc));
        m[2] = fma(ca * sb, cc, sa * sc);
        m[3] = load_vector(planes + 3 * poses, first, poses);
        m[4] = cb * sc;
        m[5] = fma(sa * sb, sc, ca * cc);
        m[6] = fma(ca * sb, sc, -(sa * cc));
        m[7] = load_vector(planes + 4 * poses, first, poses);
        m[8] = -sb;
        m[9] = sa * cb;
        m[10] = ca * cb;
        m[11] = load_vector(planes + 5 * poses, first, poses);
    }
}

static vector place(const vector *row, struct berth_device_atom atom)
{
    return fma(row[0], (vector)(atom.x),
               fma(row[1], (vector)(atom.y), fma(row[2], (vector)(atom.z), row[3])));
}

static void place_atom(const struct placement *placement, struct berth_device_atom atom,
                       struct placed_atom *placed)
{
    FOR_EACH_VECTOR
    {
        vector x = place(placement->m[v], atom);
        vector y = place(placement->m[v] + 4, atom);
        vector z = place(placement->m[v] + 8, atom);
        placed->square[v] = fma(x, x, fma(y, y, z * z));
#if BERTH_EXPANDED
        placed->x[v] = -2 * x;
        placed->y[v] = -2 * y;
        placed->z[v] = -2 * z;
#else
        placed->x[v] = x;
        placed->y[v] = y;
        placed->z[v] = z;
#endif
    }
}

/* What the energy kernels are given: the receptor, and how its tables are cut. */
struct site {
    global const float4 *atoms;
    global const struct berth_device_tile *tiles;
    global const struct berth_device_run *runs;
    global const struct berth_device_pair *pairs; /* [types of the site][pair_columns] */
    int tile_count, pair_columns;
};

/* A conformer's atoms. */
struct ligand {
    global const struct berth_device_atom *atoms;
    int atom_count;
};

/* Adds the energies of the ligand with the atoms of one tile to totals. */
static void add_tile(const struct site *site, struct berth_device_tile tile,
                     SITE_MEMORY const float4 *tile_atoms, struct ligand ligand,
                     const struct placement *placement, struct terms *totals)
{
    for (int j = 0; j < ligand.atom_count; j++) {
        const struct berth_device_atom atom = ligand.atoms[j];
        struct placed_atom placed;
        place_atom(placement, atom, &placed);
        for (int k = tile.run_begin; k < tile.run_end; k++) {
            const struct berth_device_run run = site->runs[k];
            const struct berth_device_pair pair =
                site->pairs[run.type * site->pair_columns + atom.type];
            add_run(tile_atoms, run, pair, &placed, totals);
        }
    }
}

#if BERTH_TILE
#define TILE_MEMORY   local float4 tile_memory[BERTH_TILE]
#define TILE_ARGUMENT , local float4 *tile_memory
#define TILE_VALUE    , tile_memory
#else
#define TILE_MEMORY
#define TILE_ARGUMENT
#define TILE_VALUE
#endif

/* The three terms of the work-item's poses (of planes[6][poses]) of one conformer. */
static void score_poses(const struct site *site, struct ligand ligand, global const float *planes,
                        int poses, struct terms *totals TILE_ARGUMENT)
{
    struct placement placement;
    load_placement(planes, poses, &placement);
    clear_terms(totals);
    for (int t = 0; t < site->tile_count; t++) {
        const struct berth_device_tile tile = site->tiles[t];
        global const float4 *atoms = site->atoms + tile.atom_begin;
#if BERTH_TILE
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = (int)get_local_id(0); i < tile.atom_end - tile.atom_begin; i += BERTH_WGSIZE) {
            tile_memory[i] = atoms[i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        add_tile(site, tile, tile_memory, ligand, &placement, totals);
#else
        add_tile(site, tile, atoms, ligand, &placement, totals);
#endif
    }
#ifdef BERTH_BREAK_ENERGY
    totals->steric[0] += 1;
#endif
}

#define ENERGY_ARGUMENTS                                                                           \
    global const float4 *restrict atoms, global const struct berth_device_tile *restrict tiles,    \
        global const struct berth_device_run *restrict runs,                                       \
        global const struct berth_device_pair *restrict pairs, int tile_count, int pair_columns,   \
        global const struct berth_device_conformer *restrict conformers,                           \
        global const struct berth_device_atom *restrict ligand_atoms,                              \
        global const float *restrict transforms, int poses

/* The energy kernels' common part: totals of the work-item's poses. */
#define SCORE_POSES                                                                                \
    TILE_MEMORY;                                                                                   \
    const struct site site = {atoms, tiles, runs, pairs, tile_count, pair_columns};                \
    const size_t c = get_global_id(1);                                                             \
    const struct ligand ligand = {ligand_atoms + conformers[c].atom_begin,                         \
                                  conformers[c].atom_count};                                       \
    struct terms totals;                                                                           \
    score_poses(&site, ligand, transforms + c * 6 * poses, poses, &totals TILE_VALUE)

/* energies[conformer][pose], from transforms[conformer][6][pose]; global size: work-items that
 * cover the poses × conformers.  steric_weight is 1 but for the first generations of a search. */
kernel __attribute__((reqd_work_group_size(BERTH_WGSIZE, 1, 1))) void
energy(ENERGY_ARGUMENTS, global float *restrict energies, float steric_weight)
{
    SCORE_POSES;
    FOR_EACH_VECTOR
    {
        store_vector(fma((vector)(steric_weight), totals.steric[v], totals.electrostatic[v]) +
                         totals.desolvation[v],
                     energies + c * poses, first_pose(v), poses);
    }
}

/* terms[conformer][3][pose]: steric, electrostatic, desolvation.  Their sum in this order is
 * exactly what the kernel energy gives with a steric weight of 1. */
kernel __attribute__((reqd_work_group_size(BERTH_WGSIZE, 1, 1))) void
energy_terms(ENERGY_ARGUMENTS, global float *restrict terms)
{
    SCORE_POSES;
    global float *planes = terms + c * 3 * poses;
    FOR_EACH_VECTOR
    {
        const int first = first_pose(v);
        store_vector(totals.steric[v], planes, first, poses);
        store_vector(totals.electrostatic[v], planes + poses, first, poses);
        store_vector(totals.desolvation[v], planes + 2 * poses, first, poses);
    }
}
