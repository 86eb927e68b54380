/* A flexible ligand in a pose: placing its atoms, and the gradient by the pose's freedoms.
 *
 * A work-group works on a pose together, or on some side by side (lanes.cl); work-item k has the
 * atoms k, k + BERTH_REFINE_WGSIZE, ...
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
    /* of each pose: */
    local real *placed;   /* [3][stride]: the pose that is evaluated, Å */
    local real *slopes;   /* [3][stride]: the gradient by those positions, kJ/mol/Å */
    local real *sums;     /* [torsions + 1][6]: slopes and torques of each part's atoms */
    local real *turns;    /* [torsions][12]: rotation by rows, each followed by its shift (Å) */
    local real *point;    /* [7 + torsions]: where the descent is */
    local real *trial;    /* the same: the pose that is evaluated */
    local real *kept;     /* the same: where the hops go on from */
    local real *lowest;   /* the same: the lowest energy since the last hop */
    local real *best;     /* the same: the lowest energy so far */
    local real *gradient; /* [freedoms]: at the point */
    local real *next_gradient; /* [freedoms]: at the trial */
    local real *direction;     /* [freedoms] */
    local real *step;          /* [freedoms]: from point to trial */
    local real *image;         /* [freedoms]: the inverse Hessian times change */
    local real *inverse;       /* [freedoms][freedoms]: the inverse Hessian */
    local real *energies;      /* [items][BERTH_PART_COUNT] */
    /* of the ligand: */
    local float *axes;   /* [torsions][6]: in the conformer: second atom (Å), unit vector */
    local float *masses; /* [freedoms]: mean square shift of the atoms by a unit of it, Å² */
    local int *moved;    /* [2][stride]: bit t, of two words: torsion t moves the atom */
    local int *types;    /* [stride] */
    local int *parts;    /* [stride]: the atoms in order of rigid part */
    local int *begins;   /* [torsions + 2]: where each part begins there */
};

/* A ligand: its sizes, its conformer, and what turns in it. */
struct flexible {
    int atoms, torsions;
    int stride; /* of planes: atoms, or as many as whole vectors have where lanes are atoms */
    global const struct berth_device_atom *given;
    global const int *words; /* see BERTH_FLEXIBLE_AXES */
};

static struct flexible flexible_of(global const struct berth_device_conformer *conformer,
                                   global const struct berth_device_atom *ligand_atoms,
                                   global const int *words)
{
    const int lanes = BERTH_VECTOR_WIDTH / BERTH_POSE_LANES;
    struct flexible flexible;
    flexible.given = ligand_atoms + conformer->atom_begin;
    flexible.atoms = conformer->atom_count;
    flexible.stride = (flexible.atoms + lanes - 1) / lanes * lanes;
    flexible.words = words + max(conformer->flexible, 0);
    flexible.torsions = conformer->flexible >= 0 ? flexible.words[0] : 0;
    return flexible;
}

/* Local memory that is shared out. */
struct room {
    local float *begin;
};

static local real *take(struct room *room, int count)
{
    local real *taken = (local real *)room->begin;
    room->begin += count * BERTH_POSE_LANES;
    return taken;
}

static local float *take_words(struct room *room, int words)
{
    local float *taken = room->begin;
    room->begin += words;
    return taken;
}

/* Shares out BERTH_SCRATCH_REALS and BERTH_SCRATCH_WORDS. */
static struct scratch lay_out(struct room *room, const struct flexible *flexible)
{
    const int stride = flexible->stride, torsions = flexible->torsions;
    const int freedoms = BERTH_REFINE_FREEDOMS(torsions);
    struct scratch w;
    w.torsions = torsions;
    w.placed = take(room, 3 * stride);
    w.slopes = take(room, 3 * stride);
    w.sums = take(room, 6 * (torsions + 1));
    w.turns = take(room, 12 * torsions);
    w.point = take(room, POINT_WORDS(torsions));
    w.trial = take(room, POINT_WORDS(torsions));
    w.kept = take(room, POINT_WORDS(torsions));
    w.lowest = take(room, POINT_WORDS(torsions));
    w.best = take(room, POINT_WORDS(torsions));
    w.gradient = take(room, freedoms);
    w.next_gradient = take(room, freedoms);
    w.direction = take(room, freedoms);
    w.step = take(room, freedoms);
    w.image = take(room, freedoms);
    w.inverse = take(room, freedoms * freedoms);
    w.energies = take(room, BERTH_PART_COUNT * BERTH_REFINE_WGSIZE);
    w.axes = take_words(room, 6 * torsions);
    w.masses = take_words(room, freedoms);
    w.moved = (local int *)take_words(room, 2 * stride);
    w.types = (local int *)take_words(room, stride);
    w.parts = (local int *)take_words(room, stride);
    w.begins = (local int *)take_words(room, torsions + 2);
    return w;
}

static float3 given_position(const struct flexible *flexible, int atom)
{
    const struct berth_device_atom given = flexible->given[atom];
    return (float3)(given.x, given.y, given.z);
}

/* True where the torsion moves the atom. */
static bool is_moved(const struct scratch *w, const struct flexible *flexible, int atom,
                     int torsion)
{
    return w->moved[(torsion >> 5) * flexible->stride + atom] >> (torsion & 31) & 1;
}

/* Copies what does not change with the pose to local memory. */
static void load_atoms(const struct scratch *w, const struct flexible *flexible)
{
    const int torsions = flexible->torsions, atoms = flexible->atoms, stride = flexible->stride;
    global const int *moved = flexible->words + BERTH_FLEXIBLE_MOVED(torsions);
    FOR_EACH_ITEM(i, stride)
    {
        const bool moves = torsions && i < atoms;
        w->types[i] = flexible->given[min(i, atoms - 1)].type;
        w->moved[i] = moves ? moved[i] : 0;
        w->moved[stride + i] = moves ? moved[atoms + i] : 0;
        w->parts[i] = moves ? flexible->words[BERTH_FLEXIBLE_PARTS(torsions, atoms) + i] : i;
    }
    FOR_EACH_ITEM(k, torsions + 2)
    {
        w->begins[k] =
            torsions ? flexible->words[BERTH_FLEXIBLE_BEGINS(torsions, atoms) + k] : k * atoms;
    }
    FOR_EACH_ITEM(t, torsions)
    {
        global const int *ends = flexible->words + BERTH_FLEXIBLE_AXES + 2 * t;
        const float3 first = given_position(flexible, ends[0]);
        const float3 second = given_position(flexible, ends[1]);
        vstore3(second, 0, w->axes + 6 * t);
        vstore3(normalize(second - first), 0, w->axes + 6 * t + 3);
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
            const float3 origin = vload3(0, w->axes + 6 * (k - 6));
            const float3 along = vload3(0, w->axes + 6 * (k - 6) + 3);
            mass = 0;
            for (int i = 0; i < flexible->atoms; i++) {
                const float3 shift = cross(along, given_position(flexible, i) - origin);
                mass += is_moved(w, flexible, i, k - 6) ? dot(shift, shift) : 0;
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
        const float3 origin = vload3(0, w->axes + 6 * t), a = vload3(0, w->axes + 6 * t + 3);
        /* within half a turn, where a GPU's own functions are exact to 1e-6 */
        const real angle = w->trial[POINT_ANGLES + t];
        const real least = fma((real)(-BERTH_FULL_TURN), rint(angle * (1 / BERTH_FULL_TURN)), angle);
        const real c = native_cos(least), s = native_sin(least), versed = 1 - c;
        const real rows[9] = {
            fma(versed, (real)(a.x * a.x), c),        fma(versed, (real)(a.x * a.y), -s * a.z),
            fma(versed, (real)(a.x * a.z), s * a.y),  fma(versed, (real)(a.x * a.y), s * a.z),
            fma(versed, (real)(a.y * a.y), c),        fma(versed, (real)(a.y * a.z), -s * a.x),
            fma(versed, (real)(a.x * a.z), -s * a.y), fma(versed, (real)(a.y * a.z), s * a.x),
            fma(versed, (real)(a.z * a.z), c)};
        const float shift[3] = {origin.x, origin.y, origin.z};
        local real *turn = w->turns + 12 * t;
        for (int k = 0; k < 3; k++) {
            turn[4 * k] = rows[3 * k];
            turn[4 * k + 1] = rows[3 * k + 1];
            turn[4 * k + 2] = rows[3 * k + 2];
            turn[4 * k + 3] = shift[k] - (rows[3 * k] * origin.x + rows[3 * k + 1] * origin.y +
                                          rows[3 * k + 2] * origin.z);
        }
    }
    group_barrier();
}

/* Row of a matrix like those of turns, times a position. */
static real turned(local const real *row, struct triple at)
{
    return fma(at.x, row[0], fma(at.y, row[1], fma(at.z, row[2], row[3])));
}

/* Where an atom is after the torsions that move it. */
static struct triple turn_atom(const struct scratch *w, const struct flexible *flexible, int atom)
{
    const float3 given = given_position(flexible, atom);
    struct triple at = {given.x, given.y, given.z};
    ROLLED for (int t = flexible->torsions - 1; t >= 0; t--)
    {
        if (is_moved(w, flexible, atom, t)) {
            local const real *turn = w->turns + 12 * t;
            const struct triple next = {turned(turn, at), turned(turn + 4, at),
                                        turned(turn + 8, at)};
            at = next;
        }
    }
    return at;
}

/* Places the atoms in the trial pose. */
static void place_atoms(const struct scratch *w, const struct flexible *flexible)
{
    const int stride = flexible->stride;
    local const real *q = w->trial + POINT_ROTATION;
    const struct triple axis = {q[0], q[1], q[2]};
    const real scalar = q[3];
    FOR_EACH_ITEM(i, stride)
    {
        const struct triple at = turn_atom(w, flexible, min(i, flexible->atoms - 1));
        /* x + 2 w (v × x) + 2 v × (v × x), with v the vector part and w the scalar part. */
        struct triple once = product(axis, at);
        once.x *= 2;
        once.y *= 2;
        once.z *= 2;
        const struct triple twice = product(axis, once);
        const real x = at.x + fma(scalar, once.x, twice.x) + w->trial[0];
        w->placed[i] = i < flexible->atoms ? x : (real)(NOWHERE);
        w->placed[stride + i] = at.y + fma(scalar, once.y, twice.y) + w->trial[1];
        w->placed[2 * stride + i] = at.z + fma(scalar, once.z, twice.z) + w->trial[2];
    }
    group_barrier();
}

/* sums: of slopes, and of torques (position x slope), over the atoms of each rigid part. */
static void sum_parts(const struct scratch *w, const struct flexible *flexible)
{
    const int stride = flexible->stride;
    FOR_EACH_ITEM(k, 6 * (flexible->torsions + 1))
    {
        const int part = k / 6, plane = k % 6;
        /* of a torque along an axis: what lies along the next one, and along the one after */
        const int next = (plane + 1) % 3 * stride, after = (plane + 2) % 3 * stride;
        real sum = 0;
        for (int i = w->begins[part]; i < w->begins[part + 1]; i++) {
            const int atom = w->parts[i];
            if (plane < 3) {
                sum += w->slopes[plane * stride + atom];
            } else {
                sum = fma(w->placed[next + atom], w->slopes[after + atom], sum);
                sum = fma(-w->placed[after + atom], w->slopes[next + atom], sum);
            }
        }
        w->sums[k] = sum;
    }
    group_barrier();
}

/* The slope and the torque about the origin of some atoms. */
struct wrench {
    struct triple slope, torque;
};

/* Of all atoms that a torsion moves; torsion -1: of all. */
static struct wrench wrench_of(const struct scratch *w, const struct flexible *flexible,
                               int torsion)
{
    struct wrench wrench = {{0, 0, 0}, {0, 0, 0}};
    ROLLED for (int part = 0; part <= flexible->torsions; part++)
    {
        const int begin = w->begins[part];
        const bool there = begin < w->begins[part + 1];
        if (there && (torsion < 0 || is_moved(w, flexible, w->parts[begin], torsion))) {
            local const real *sums = w->sums + 6 * part;
            wrench.slope.x += sums[0];
            wrench.slope.y += sums[1];
            wrench.slope.z += sums[2];
            wrench.torque.x += sums[3];
            wrench.torque.y += sums[4];
            wrench.torque.z += sums[5];
        }
    }
    return wrench;
}

/* Moving along an axis changes the energy by the sum of the slopes, turning about one by that of the
 * torques about a point of it. */
static real torsion_gradient(const struct scratch *w, const struct flexible *flexible, int torsion)
{
    global const int *ends = flexible->words + BERTH_FLEXIBLE_AXES + 2 * torsion;
    const struct triple first = triple_at(w->placed, flexible->stride, ends[0]);
    struct triple second = triple_at(w->placed, flexible->stride, ends[1]);
    const struct triple along = less(second, first);
    const struct wrench wrench = wrench_of(w, flexible, torsion);
#ifdef BERTH_BREAK_TORQUES
    second.x += 0.3f;
    second.y += 0.3f;
#endif
    const struct triple torque = less(wrench.torque, product(second, wrench.slope));
    return inner_product(along, torque) * rsqrt(inner_product(along, along));
}

/* next_gradient from slopes. */
static void find_gradient(const struct scratch *w, const struct flexible *flexible)
{
    sum_parts(w, flexible);
    FOR_EACH_ITEM(t, flexible->torsions + 1)
    {
        if (t < flexible->torsions) {
            w->next_gradient[6 + t] = torsion_gradient(w, flexible, t);
            continue;
        }
        const struct wrench wrench = wrench_of(w, flexible, -1);
        struct triple centre = {w->trial[0], w->trial[1], w->trial[2]};
#ifdef BERTH_BREAK_TORQUES
        centre.x += 0.3f;
        centre.y += 0.3f;
#endif
        const struct triple torque = less(wrench.torque, product(centre, wrench.slope));
        w->next_gradient[0] = wrench.slope.x;
        w->next_gradient[1] = wrench.slope.y;
        w->next_gradient[2] = wrench.slope.z;
        w->next_gradient[3] = torque.x;
        w->next_gradient[4] = torque.y;
        w->next_gradient[5] = torque.z;
    }
}

/* Writes where a point's pose and torsions are; of poses side by side, the first one's. */
static void store_point(local const real *point, int torsions,
                        global struct berth_device_refined *refined)
{
    FOR_EACH_ITEM(t, BERTH_TORSIONS)
    {
        refined->angles[t] = t < torsions ? FIRST_POSE(point[POINT_ANGLES + t]) : 0;
    }
    if (get_local_id(0) == 0) {
        const struct pose pose = {
            {point[3], point[4], point[5], point[6]}, {point[0], point[1], point[2]}};
        store_poses(pose, refined->transform, 1, 0);
    }
}
