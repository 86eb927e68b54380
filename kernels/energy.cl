/* Energies of poses: every receptor atom of the site against every atom of the conformer.
 *
 * Receptor atoms lie in runs of one type: a run has its eight pair constants in registers, and
 * takes a loop body without the terms whose weight is 0.  With neighbour lists (BERTH_LISTS) a
 * ligand atom meets only receptor atoms near the place that it has in all poses of the work-group.
 * What they leave out adds 0 exactly, and they keep the order of types and atoms, so that energies
 * are the same bit for bit. All arithmetic on a pose is written out as fma, so that it is the same
 * whatever the work-group size or the number of poses per work-item.
 */
#if BERTH_TILE && !BERTH_LISTS
#define SITE_MEMORY local
#else
#define SITE_MEMORY global
#endif

/* One value for each term and pose. */
struct terms {
    vector steric[BERTH_PPWI], electrostatic[BERTH_PPWI], desolvation[BERTH_PPWI];
};

/* x86's estimate of 1 / √x, 12 to 14 bits, where the compiler has it. */
#ifdef __has_builtin
#if BERTH_VECTOR_WIDTH == 16 && defined(__AVX512F__) &&                                            \
    __has_builtin(__builtin_ia32_rsqrt14ps512_mask)
#define INVERSE_ROOT_ESTIMATE(x) __builtin_ia32_rsqrt14ps512_mask(x, (vector)(0), (ushort)0xffff)
#elif BERTH_VECTOR_WIDTH == 8 && defined(__AVX__) && __has_builtin(__builtin_ia32_rsqrtps256)
#define INVERSE_ROOT_ESTIMATE(x) __builtin_ia32_rsqrtps256(x)
#elif BERTH_VECTOR_WIDTH == 4 && defined(__SSE__) && __has_builtin(__builtin_ia32_rsqrtps)
#define INVERSE_ROOT_ESTIMATE(x) __builtin_ia32_rsqrtps(x)
#endif
#endif
#if BERTH_SQRT == 2 && defined(INVERSE_ROOT_ESTIMATE)
#define ESTIMATE INVERSE_ROOT_ESTIMATE
#endif

/* Distances are worked on as ROOT_SCALE times what they are in Å. */
#ifdef ESTIMATE
#define ROOT_SCALE 2
#else
#define ROOT_SCALE 1
#endif

/* ROOT_SCALE √square. */
static vector scaled_root(vector square)
{
#if defined(ESTIMATE)
    /* A Newton step gives 2 √x as s (3 - s e), with the estimate e and s = x e. */
    vector estimate = ESTIMATE(square);
    vector s = square * estimate;
    return s * fma(-s, estimate, (vector)(3));
#elif BERTH_SQRT == 1 || (BERTH_SQRT == 3 && BERTH_VECTOR_WIDTH > 1) /* PTX has no vectors */
    return native_sqrt(square);
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

/* ROOT_SCALE times the distance.  Rounding can leave a tiny negative square where two atoms
 * coincide, and the estimate has no 1 / √0. */
static vector distance_to(float4 atom, const struct placed_atom *placed, int v)
{
    vector square = square_to(atom, placed, v);
#ifdef ESTIMATE
    return scaled_root(max(square, 1e-6f));
#elif BERTH_EXPANDED
    return scaled_root(fabs(square));
#else
    return scaled_root(square);
#endif
}

/* The terms that a pair of types has beside the steric one. */
#define WITH_B 1
#define WITH_D 2

/* Adds the ramps S(1 + a1 r), S(b0 + b1 r) and S(d0 + d1 r) of a run to sums.  terms is a literal:
 * the compiler makes one body for each case. */
static inline __attribute__((always_inline)) void
sum_run(SITE_MEMORY const float4 *atoms, struct berth_device_run run, struct berth_device_pair pair,
        const struct placed_atom *placed, const int terms, struct terms *sums)
{
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
            vector outer = max(r, pair.contact); /* below contact only the steric term changes */
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

/* The pair's ramps of ROOT_SCALE r. */
static struct berth_device_pair scaled(struct berth_device_pair pair)
{
    pair.a1 *= 1.0f / ROOT_SCALE;
    pair.b1 *= 1.0f / ROOT_SCALE;
    pair.d1 *= 1.0f / ROOT_SCALE;
    pair.contact *= ROOT_SCALE;
    return pair;
}

/* Adds the energy of one ligand atom with one run to totals (kJ/mol). */
static void add_run(SITE_MEMORY const float4 *atoms, struct berth_device_run run,
                    struct berth_device_pair unscaled, const struct placed_atom *placed,
                    struct terms *totals)
{
    const struct berth_device_pair pair = scaled(unscaled);
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

#ifdef BERTH_COUNT
/* Counts the run's atoms instead, as steric energy. */
static void count_run(struct berth_device_run run, struct terms *totals)
{
    FOR_EACH_VECTOR
    {
        totals->steric[v] += run.end - run.begin;
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
            find_list(receptor->site, sphere, receptor->pairs[atom.type].kind, ligand->radius);
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
            gathering->lists[get_local_id(0)] =
                find_list(receptor->site, sphere, receptor->pairs[atom.type].kind, ligand->radius);
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

/* The three terms of the work-item's poses (of planes[6][poses]) of one conformer. */
static void score_poses(const struct receptor *receptor, const struct ligand *ligand,
                        global const float *planes, int poses, struct terms *totals,
                        local LOCAL_MEMORY *memory)
{
    struct placement placement;
    load_placement(planes, poses, &placement);
    clear_terms(totals);
#if BERTH_LISTS
    add_neighbours(receptor, ligand, &placement, totals, memory);
#else
    add_tiles(receptor, ligand, &placement, totals, memory);
#endif
#ifdef BERTH_BREAK_ENERGY
    totals->steric[0] += 1;
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
    local LOCAL_MEMORY memory;                                                                     \
    const struct receptor receptor = {atoms, tiles, runs, pairs, site};                            \
    const size_t c = get_global_id(1);                                                             \
    const struct ligand ligand = {ligand_atoms + conformers[c].atom_begin,                         \
                                  conformers[c].atom_count, conformers[c].radius};                 \
    struct terms totals;                                                                           \
    score_poses(&receptor, &ligand, transforms + c * 6 * poses, poses, &totals, &memory)

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
