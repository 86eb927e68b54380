/* Energies of a pose and their gradients: what placed ligand atoms feel of the receptor and of each
 * other.  A lane is a ligand atom here, not a pose.
 *
 * The distances are direct, not expanded: the gradient needs the differences anyway. */

/* The parts of an energy, kJ/mol. */
struct parts {
    float steric, electrostatic, desolvation, inner; /* inner: of the ligand with itself */
};

static float total(struct parts parts)
{
    return parts.steric + parts.electrostatic + parts.desolvation + parts.inner;
}

/* The constants of the lanes' pairs with one type of atom. */
struct lane_pairs {
    vector contact, steric; /* Å; kJ/mol/Å: the steric term is steric (contact - r) */
    vector b0, b1, B;
    vector d0, d1, D;
};

static void load_pairs(global const struct berth_device_pair *row, local const int *types,
                       struct lane_pairs *pairs)
{
#if BERTH_VECTOR_WIDTH == 1
    const struct berth_device_pair pair = row[types[0]];
    pairs->contact = pair.contact;
    pairs->steric = -pair.A * pair.a1;
    pairs->b0 = pair.b0;
    pairs->b1 = pair.b1;
    pairs->B = pair.B;
    pairs->d0 = pair.d0;
    pairs->d1 = pair.d1;
    pairs->D = pair.D;
#else
    float lanes[8][BERTH_VECTOR_WIDTH];
    for (int i = 0; i < BERTH_VECTOR_WIDTH; i++) {
        global const struct berth_device_pair *pair = row + types[i];
        lanes[0][i] = pair->contact;
        lanes[1][i] = -pair->A * pair->a1;
        lanes[2][i] = pair->b0;
        lanes[3][i] = pair->b1;
        lanes[4][i] = pair->B;
        lanes[5][i] = pair->d0;
        lanes[6][i] = pair->d1;
        lanes[7][i] = pair->D;
    }
    pairs->contact = VECTOR_LOAD(lanes[0]);
    pairs->steric = VECTOR_LOAD(lanes[1]);
    pairs->b0 = VECTOR_LOAD(lanes[2]);
    pairs->b1 = VECTOR_LOAD(lanes[3]);
    pairs->B = VECTOR_LOAD(lanes[4]);
    pairs->d0 = VECTOR_LOAD(lanes[5]);
    pairs->d1 = VECTOR_LOAD(lanes[6]);
    pairs->D = VECTOR_LOAD(lanes[7]);
#endif
}

/* 1 / √square; 0 is taken for a millionth of an Å, squared. */
static vector inverse_root(vector square)
{
    square = max(square, 1e-12f);
#ifdef INVERSE_ROOT_ESTIMATE
    const vector estimate = INVERSE_ROOT_ESTIMATE(square);
    return estimate * fma(-0.5f * square * estimate, estimate, (vector)(1.5f));
#else
    return rsqrt(square);
#endif
}

/* Sums over the atoms that a lane has met. */
struct felt {
    vector steric, electrostatic, desolvation; /* kJ/mol; within a run: without their weights */
    vector x, y, z;                            /* gradient by the lane's position, kJ/mol/Å */
};

/* Adds one atom at (x, y, z) Å from the lanes' atoms, seen from there.  As in energy.cl the
 * distance is clamped, not the ramps; at a kink the slope is that of the flat side. */
static void feel_atom(vector x, vector y, vector z, const struct lane_pairs *pairs,
                      struct felt *felt)
{
    const vector square = fma(x, x, fma(y, y, z * z));
    const vector inverse = inverse_root(square);
    const vector r = square * inverse, outer = max(r, pairs->contact);
    const vector b = max(fma(outer, pairs->b1, pairs->b0), 0.0f);
    const vector d = max(fma(outer, pairs->d1, pairs->d0), 0.0f);
    felt->steric += outer - r;
    felt->electrostatic += b;
    felt->desolvation += d;
    const vector zero = 0;
    const vector outside =
        (b > 0 ? pairs->B * pairs->b1 : zero) + (d > 0 ? pairs->D * pairs->d1 : zero);
    const vector slope = inverse * (r < pairs->contact ? -pairs->steric : outside);
    felt->x = fma(slope, x, felt->x);
    felt->y = fma(slope, y, felt->y);
    felt->z = fma(slope, z, felt->z);
}

static void clear_felt(struct felt *felt)
{
    felt->steric = felt->electrostatic = felt->desolvation = 0;
    felt->x = felt->y = felt->z = 0;
}

/* Adds the sums of a run with these pairs to those of all. */
static void add_felt(const struct felt *run, const struct lane_pairs *pairs, struct felt *all)
{
    all->steric = fma(pairs->steric, run->steric, all->steric);
    all->electrostatic = fma(pairs->B, run->electrostatic, all->electrostatic);
    all->desolvation = fma(pairs->D, run->desolvation, all->desolvation);
    all->x += run->x;
    all->y += run->y;
    all->z += run->z;
}

/* A vector of placed ligand atoms; lanes without an atom are far away from everything. */
struct lanes {
    vector x, y, z;         /* Å */
    local const int *types; /* [BERTH_VECTOR_WIDTH] */
};

/* Adds what the lanes feel of a tile's receptor atoms. */
static void feel_tile(const struct receptor *receptor, struct berth_device_tile tile,
                      const struct lanes *lanes, struct felt *felt)
{
    global const float4 *atoms = receptor->atoms + tile.atom_begin;
    for (int k = tile.run_begin; k < tile.run_end; k++) {
        const struct berth_device_run run = receptor->runs[k];
        struct lane_pairs pairs;
        load_pairs(receptor->pairs + run.type * receptor->site->pair_columns, lanes->types, &pairs);
        struct felt sums;
        clear_felt(&sums);
        for (int i = run.begin; i < run.end; i++) {
            const float4 atom = atoms[i];
            feel_atom(lanes->x - atom.x, lanes->y - atom.y, lanes->z - atom.z, &pairs, &sums);
        }
        add_felt(&sums, &pairs, felt);
    }
}

/* Tiles begin .. end - 1, which have all receptor atoms that the lanes may feel. */
struct tile_range {
    int begin, end;
};

/* The lanes' atoms are `count` atoms at x, y and z (Å); centre: of the pose, Å. */
static struct tile_range find_tiles(const struct receptor *receptor, local const float *x,
                                    int stride, local const int *types, int count, float3 centre)
{
#if BERTH_LISTS
    float3 low = (float3)(x[0], x[stride], x[2 * stride]), high = low;
    int kind = receptor->pairs[types[0]].kind;
    for (int i = 1; i < count; i++) {
        const float3 at = (float3)(x[i], x[stride + i], x[2 * stride + i]);
        low = min(low, at);
        high = max(high, at);
        kind = min(kind, receptor->pairs[types[i]].kind); /* the first kind's lists have all */
    }
    struct sphere sphere = {0.5f * (low + high), 0};
    for (int i = 1; i < count; i++) {
        const float3 at = (float3)(x[i], x[stride + i], x[2 * stride + i]);
        sphere.radius = max(sphere.radius, distance(at, sphere.centre));
    }
    const int list =
        find_list(receptor->site, sphere, kind, length(sphere.centre - centre) + sphere.radius);
    return (struct tile_range){list, list + 1};
#else
    return (struct tile_range){0, receptor->site->tile_count};
#endif
}
