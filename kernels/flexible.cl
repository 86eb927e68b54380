/* A flexible ligand in a pose: placing its atoms, and the gradient by the pose's freedoms.
 *
 * A work-group works on one pose together; a work-item has a vector of atoms at a time, item k the
 * vectors k, k + BERTH_REFINE_WGSIZE, ...
 *
 * A torsion turns about its axis as it lies when those nearer the root have turned.  That is the
 * same as turning all about their axes in the conformer as given, those farthest from the root
 * first (R1 R2 R1^-1 R1 = R1 R2), and so needs no waiting of one for the other. */

/* A pose: translation (3, Å), rotation (4: a unit quaternion), angles of the torsions (rad). */
#define POINT_ROTATION        3
#define POINT_ANGLES          7
#define POINT_WORDS(torsions) (POINT_ANGLES + (torsions))

/* Where atoms that are not there lie, so that nothing interacts with them, Å. */
#define NOWHERE 1e4f

/* What a work-group keeps in local memory; arrays of 3 planes: x, y, z. */
struct scratch {
    int torsions;
    local float *placed;   /* [3][lanes]: the pose that is evaluated, Å */
    local float *slopes;   /* [3][lanes]: the gradient by those positions, kJ/mol/Å */
    local float *torques;  /* [3][lanes]: position x slope, kJ/mol */
    local int *moved;      /* [lanes]: bit t: torsion t moves the atom */
    local int *types;      /* [lanes] */
    local int *parts;      /* [lanes]: the atoms in order of rigid part; none without torsions */
    local int *begins;     /* [torsions + 2]: where each part begins there */
    local float *sums;     /* [torsions + 1][6]: slopes and torques of each part's atoms */
    local float *totals;   /* [2]: of the maps, and of the ligand with itself */
    local float *axes;     /* [torsions][6]: in the conformer: second atom (Å), unit vector */
    local float *turns;    /* [torsions][12]: rotation by rows, each followed by its shift (Å) */
    local float *point;    /* [7 + torsions]: where the descent is */
    local float *trial;    /* the same: the pose that is evaluated */
    local float *kept;     /* the same: where the hops go on from */
    local float *lowest;   /* the same: the lowest energy since the last hop */
    local float *best;     /* the same: the lowest energy so far */
    local float *masses;   /* [freedoms]: mean square shift of the atoms by a unit of it, Å² */
    local float *gradient; /* [freedoms]: at the point */
    local float *next_gradient; /* [freedoms]: at the trial */
    local float *direction;     /* [freedoms] */
    local float *step;          /* [freedoms]: from point to trial */
    local float *image;         /* [freedoms]: the inverse Hessian times change */
    local float *inverse;       /* [freedoms][freedoms]: the inverse Hessian */
    local float *energies;      /* [items][BERTH_TERMS + 1] */
};

/* A ligand: the sizes of the arrays above, its conformer, and what turns in it. */
struct flexible {
    int atoms, lanes, torsions;
    global const struct berth_device_atom *given;
    global const int *words; /* see BERTH_FLEXIBLE_AXES */
};

static struct flexible flexible_of(global const struct berth_device_conformer *conformer,
                                   global const struct berth_device_atom *ligand_atoms,
                                   global const int *words)
{
    struct flexible flexible;
    flexible.given = ligand_atoms + conformer->atom_begin;
    flexible.atoms = conformer->atom_count;
    flexible.lanes =
        (flexible.atoms + BERTH_VECTOR_WIDTH - 1) / BERTH_VECTOR_WIDTH * BERTH_VECTOR_WIDTH;
    flexible.words = words + max(conformer->flexible, 0);
    flexible.torsions = conformer->flexible >= 0 ? flexible.words[0] : 0;
    return flexible;
}

static local float *take(local float **memory, int words)
{
    local float *taken = *memory;
    *memory += words;
    return taken;
}

/* Shares out BERTH_REFINE_WORDS of local memory. */
static struct scratch lay_out(local float *memory, const struct flexible *flexible)
{
    const int lanes = flexible->lanes, torsions = flexible->torsions;
    const int freedoms = BERTH_REFINE_FREEDOMS(torsions);
    struct scratch w;
    w.torsions = torsions;
    w.placed = take(&memory, 3 * lanes);
    w.slopes = take(&memory, 3 * lanes);
    w.torques = take(&memory, 3 * lanes);
    w.moved = (local int *)take(&memory, lanes);
    w.types = (local int *)take(&memory, lanes);
    w.parts = (local int *)take(&memory, torsions ? lanes : 0);
    w.begins = (local int *)take(&memory, torsions + 2);
    w.sums = take(&memory, 6 * (torsions + 1));
    w.totals = take(&memory, 2);
    w.axes = take(&memory, 6 * torsions);
    w.turns = take(&memory, 12 * torsions);
    w.point = take(&memory, POINT_WORDS(torsions));
    w.trial = take(&memory, POINT_WORDS(torsions));
    w.kept = take(&memory, POINT_WORDS(torsions));
    w.lowest = take(&memory, POINT_WORDS(torsions));
    w.best = take(&memory, POINT_WORDS(torsions));
    w.masses = take(&memory, freedoms);
    w.gradient = take(&memory, freedoms);
    w.next_gradient = take(&memory, freedoms);
    w.direction = take(&memory, freedoms);
    w.step = take(&memory, freedoms);
    w.image = take(&memory, freedoms);
    w.inverse = take(&memory, freedoms * freedoms);
    w.energies = take(&memory, (BERTH_TERMS + 1) * BERTH_REFINE_WGSIZE);
    return w;
}

static float3 position(local const float *planes, int lanes, int atom)
{
    return (float3)(planes[atom], planes[lanes + atom], planes[2 * lanes + atom]);
}

/* Waits for the other work-items, where there are any.  A kernel without barriers is compiled
 * sooner. */
#if BERTH_REFINE_WGSIZE > 1
#define GROUP_BARRIER(fence) barrier(fence)
#else
#define GROUP_BARRIER(fence)
#endif
static void group_barrier(void)
{
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
}

#define FOR_EACH_ITEM(k, count)                                                                    \
    ROLLED for (int k = (int)get_local_id(0); k < (count); k += BERTH_REFINE_WGSIZE)

static float3 given_position(const struct flexible *flexible, int atom)
{
    const struct berth_device_atom given = flexible->given[atom];
    return (float3)(given.x, given.y, given.z);
}

/* A line: a point and a unit vector. */
struct axis {
    float3 origin, along;
};

static struct axis axis_between(float3 first, float3 second)
{
    const struct axis axis = {second, normalize(second - first)};
    return axis;
}

/* The axis of a torsion in the conformer, and in the trial pose. */
static struct axis given_axis(const struct scratch *w, int torsion)
{
    local const float *words = w->axes + 6 * torsion;
    const struct axis axis = {vload3(0, words), vload3(0, words + 3)};
    return axis;
}

static struct axis placed_axis(const struct scratch *w, const struct flexible *flexible,
                               int torsion)
{
    global const int *atoms = flexible->words + BERTH_FLEXIBLE_AXES + 2 * torsion;
    return axis_between(position(w->placed, flexible->lanes, atoms[0]),
                        position(w->placed, flexible->lanes, atoms[1]));
}

/* Copies what does not change with the pose to local memory. */
static void load_atoms(const struct scratch *w, const struct flexible *flexible)
{
    const int torsions = flexible->torsions, atoms = flexible->atoms;
    FOR_EACH_ITEM(i, flexible->lanes)
    {
        const bool moves = torsions && i < atoms;
        w->types[i] = flexible->given[min(i, atoms - 1)].type;
        w->moved[i] = moves ? flexible->words[BERTH_FLEXIBLE_MOVED(torsions) + i] : 0;
        if (moves) {
            w->parts[i] = flexible->words[BERTH_FLEXIBLE_PARTS(torsions, atoms) + i];
        }
    }
    FOR_EACH_ITEM(k, torsions + 2)
    {
        w->begins[k] =
            torsions ? flexible->words[BERTH_FLEXIBLE_BEGINS(torsions, atoms) + k] : k * atoms;
    }
    FOR_EACH_ITEM(t, torsions)
    {
        global const int *ends = flexible->words + BERTH_FLEXIBLE_AXES + 2 * t;
        const struct axis axis =
            axis_between(given_position(flexible, ends[0]), given_position(flexible, ends[1]));
        vstore3(axis.origin, 0, w->axes + 6 * t);
        vstore3(axis.along, 0, w->axes + 6 * t + 3);
    }
    group_barrier();
}

/* How far the atoms move by a unit of each freedom, squared (Å²; the mean over all atoms): what
 * makes freedoms of different units comparable. */
static void weigh_freedoms(const struct scratch *w, const struct flexible *flexible,
                           global const float *inertia)
{
    FOR_EACH_ITEM(k, BERTH_REFINE_FREEDOMS(flexible->torsions))
    {
        float mass = k < 3 ? 1 : (inertia[0] + inertia[1] + inertia[2]) * (1.0f / 3);
        if (k >= 6) {
            const struct axis axis = given_axis(w, k - 6);
            mass = 0;
            for (int i = 0; i < flexible->atoms; i++) {
                const float3 arm = given_position(flexible, i) - axis.origin;
                const float3 shift = cross(axis.along, arm);
                mass += w->moved[i] >> (k - 6) & 1 ? dot(shift, shift) : 0;
            }
            mass /= flexible->atoms;
        }
        w->masses[k] = max(mass, 0.01f);
    }
    group_barrier();
}

/* Writes the trial's torsions as matrices: O. Rodrigues' formula. */
static void make_turns(const struct scratch *w, const struct flexible *flexible)
{
    FOR_EACH_ITEM(t, flexible->torsions)
    {
        const struct axis axis = given_axis(w, t);
        /* within half a turn, where a GPU's own functions are exact to 1e-6 */
        const float angle = w->trial[POINT_ANGLES + t];
        const float least = fma(-BERTH_FULL_TURN, rint(angle * (1 / BERTH_FULL_TURN)), angle);
        const float c = native_cos(least), s = native_sin(least);
        const float3 a = axis.along, sine = s * a, versine = (1 - c) * a;
        const float3 rows[3] = {versine * a.x + (float3)(c, -sine.z, sine.y),
                                versine * a.y + (float3)(sine.z, c, -sine.x),
                                versine * a.z + (float3)(-sine.y, sine.x, c)};
        local float *turn = w->turns + 12 * t;
        const float origin[3] = {axis.origin.x, axis.origin.y, axis.origin.z};
        for (int k = 0; k < 3; k++) {
            turn[4 * k] = rows[k].x;
            turn[4 * k + 1] = rows[k].y;
            turn[4 * k + 2] = rows[k].z;
            turn[4 * k + 3] = origin[k] - dot(rows[k], axis.origin);
        }
    }
    group_barrier();
}

/* Row of a matrix like those of turns, times the lanes' positions. */
static vector turned(local const float *row, vector x, vector y, vector z)
{
    return fma(x, (vector)(row[0]), fma(y, (vector)(row[1]), fma(z, (vector)(row[2]), row[3])));
}

/* Places the atoms of the work-item's vectors in the trial pose. */
static void place_atoms(const struct scratch *w, const struct flexible *flexible)
{
    const int lanes = flexible->lanes;
    const float4 q = (float4)(w->trial[POINT_ROTATION], w->trial[POINT_ROTATION + 1],
                              w->trial[POINT_ROTATION + 2], w->trial[POINT_ROTATION + 3]);
    for (int i = (int)get_local_id(0) * BERTH_VECTOR_WIDTH; i < lanes;
         i += BERTH_REFINE_WGSIZE * BERTH_VECTOR_WIDTH) {
        float given[3][BERTH_VECTOR_WIDTH];
        for (int k = 0; k < BERTH_VECTOR_WIDTH; k++) {
            const float3 at = given_position(flexible, min(i + k, flexible->atoms - 1));
            given[0][k] = at.x;
            given[1][k] = at.y;
            given[2][k] = at.z;
        }
        vector x = VECTOR_LOAD(given[0]), y = VECTOR_LOAD(given[1]), z = VECTOR_LOAD(given[2]);
        const ivector moved = VECTOR_LOAD(w->moved + i);
        ROLLED for (int t = flexible->torsions - 1; t >= 0; t--)
        {
            local const float *turn = w->turns + 12 * t;
            const vector tx = turned(turn, x, y, z), ty = turned(turn + 4, x, y, z);
            const vector tz = turned(turn + 8, x, y, z);
            const ivector moves = (moved >> t & 1) != 0;
            x = moves ? tx : x;
            y = moves ? ty : y;
            z = moves ? tz : z;
        }
        /* x + 2 w (v × x) + 2 v × (v × x), with v the vector part and w the scalar part. */
        const vector cx = 2 * (q.y * z - q.z * y), cy = 2 * (q.z * x - q.x * z);
        const vector cz = 2 * (q.x * y - q.y * x);
        x += fma((vector)(q.w), cx, q.y * cz - q.z * cy) + w->trial[0];
        y += fma((vector)(q.w), cy, q.z * cx - q.x * cz) + w->trial[1];
        z += fma((vector)(q.w), cz, q.x * cy - q.y * cx) + w->trial[2];
        const vector nowhere = NOWHERE;
        x = count_from(i) < flexible->atoms ? x : nowhere;
        VECTOR_STORE(x, w->placed + i);
        VECTOR_STORE(y, w->placed + lanes + i);
        VECTOR_STORE(z, w->placed + 2 * lanes + i);
    }
    group_barrier();
}

/* torques = placed x slopes. */
static void find_torques(const struct scratch *w, int lanes)
{
    for (int i = (int)get_local_id(0) * BERTH_VECTOR_WIDTH; i < lanes;
         i += BERTH_REFINE_WGSIZE * BERTH_VECTOR_WIDTH) {
        const vector x = VECTOR_LOAD(w->placed + i), fx = VECTOR_LOAD(w->slopes + i);
        const vector y = VECTOR_LOAD(w->placed + lanes + i);
        const vector fy = VECTOR_LOAD(w->slopes + lanes + i);
        const vector z = VECTOR_LOAD(w->placed + 2 * lanes + i);
        const vector fz = VECTOR_LOAD(w->slopes + 2 * lanes + i);
        VECTOR_STORE(y * fz - z * fy, w->torques + i);
        VECTOR_STORE(z * fx - x * fz, w->torques + lanes + i);
        VECTOR_STORE(x * fy - y * fx, w->torques + 2 * lanes + i);
    }
    group_barrier();
}

/* sums: of slopes and torques over the atoms of each rigid part. */
static void sum_parts(const struct scratch *w, int lanes, int torsions)
{
    FOR_EACH_ITEM(k, 6 * (torsions + 1))
    {
        const int part = k / 6, plane = k % 6;
        local const float *values =
            plane < 3 ? w->slopes + plane * lanes : w->torques + (plane - 3) * lanes;
        float sum = 0;
        for (int i = w->begins[part]; i < w->begins[part + 1]; i++) {
            sum += values[torsions ? w->parts[i] : i];
        }
        w->sums[k] = sum;
    }
    group_barrier();
}

/* The slope and the torque about the origin of all atoms that a torsion moves; torsion -1: of all
 * atoms. */
struct wrench {
    float3 slope, torque;
};

static struct wrench wrench_of(const struct scratch *w, int torsions, int torsion)
{
    struct wrench wrench;
    wrench.slope = wrench.torque = 0;
    ROLLED for (int part = 0; part <= torsions; part++)
    {
        const int begin = w->begins[part];
        const bool there = begin < w->begins[part + 1];
        const bool moves = torsion < 0 || (there && w->moved[w->parts[begin]] >> torsion & 1);
        if (there && moves) {
            wrench.slope += vload3(2 * part, w->sums);
            wrench.torque += vload3(2 * part + 1, w->sums);
        }
    }
    return wrench;
}

/* next_gradient from slopes.  Moving along an axis changes the energy by the sum of the slopes,
 * turning about one by that of the torques about a point of it. */
static void find_gradient(const struct scratch *w, const struct flexible *flexible)
{
    const int torsions = flexible->torsions;
    find_torques(w, flexible->lanes);
    sum_parts(w, flexible->lanes, torsions);
    FOR_EACH_ITEM(k, BERTH_REFINE_FREEDOMS(torsions))
    {
        const struct wrench wrench = wrench_of(w, torsions, k < 6 ? -1 : k - 6);
        struct axis axis = {(float3)(w->trial[0], w->trial[1], w->trial[2]),
                            (float3)(k % 3 == 0, k % 3 == 1, k % 3 == 2)};
        if (k >= 6) {
            axis = placed_axis(w, flexible, k - 6);
        }
#ifdef BERTH_BREAK_TORQUES
        axis.origin += 0.3f;
#endif
        const float3 torque = wrench.torque - cross(axis.origin, wrench.slope);
        w->next_gradient[k] = dot(axis.along, k < 3 ? wrench.slope : torque);
    }
}
