/* A flexible ligand in a pose: placing its atoms, and the gradient by the pose's freedoms.  Beside
 * it may stand bodies whose root is fixed, which have torsions alone; see BERTH_FLEXIBLE_FREE.  So
 * has a ligand whose root is held: its translation and rotation stay those that it begins with.
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

/* What a descent knows of a freedom. */
struct __attribute__((aligned(16))) freedom {
    real gradient, next_gradient; /* at the point, and at the trial */
    real step;                    /* from point to trial */
    real image;                   /* the inverse Hessian times the gradient's change */
};

/* What a work-group keeps in local memory; arrays of three for each atom: as OF_ATOM has them. */
struct scratch {
    int torsions;
    int free; /* atoms that translation and rotation move */
    /* of each pose: */
    local struct quad *rotations;   /* [torsions][3]: rotation by rows, each with its shift (Å) */
    local struct freedom *freedoms; /* [freedoms] */
    local real *wrenches;  /* [6][stride]: slopes and torques (position x slope), then their sums */
    local real *placed;    /* three for each atom: the pose that is evaluated, Å */
    local real *slopes;    /* the same: the gradient by those positions, kJ/mol/Å */
    local real *energies;  /* [SUM_COUNT][items]: to be summed, as other numbers are */
    local real *point;     /* [7 + torsions]: where the descent is */
    local real *trial;     /* the same: the pose that is evaluated */
    local real *kept;      /* the same: where the hops go on from */
    local real *lowest;    /* the same: the lowest energy since the last hop */
    local real *best;      /* the same: the lowest energy so far */
    local real *direction; /* [freedoms] */
    local real *inverse;   /* [freedoms][BERTH_REFINE_ROW]: the inverse Hessian */
    /* of the ligand: */
    local float *axes;   /* [torsions][6]: in the conformer: second atom (Å), unit vector */
    local float *masses; /* [freedoms]: mean square shift of the atoms by a unit of it, Å² */
    local int *moved;    /* [2][stride]: bit t, of two words: torsion t moves the atom */
    local int *types;    /* [stride] */
    local int *branches; /* [stride]: the atoms such that those a torsion moves lie together */
    local int *ends;     /* [torsions][2]: where they begin and end */
#ifdef BERTH_TORSIONAL
    local float *phases; /* [torsions][BERTH_DIHEDRALS]: angles in the conformer, rad */
#endif
};

/* A ligand, with what stands beside it: sizes, conformer, and what turns. */
struct flexible {
    int atoms, torsions;
    int free;   /* atoms whose root is free: the first ones */
    int moving; /* atoms that are not still: the first ones */
    bool held;  /* the free body's root is */
    int stride; /* of planes: as many atoms as whole vectors have, or whole quads; of a large
                   ligand, as one of its tiles has */
    global const struct berth_device_atom *conformer;
    global const int *words; /* see BERTH_FLEXIBLE_AXES */
#ifdef BERTH_RESTRAINED
    global const int *restraints; /* see BERTH_RESTRAINED_HEADS; 0: none */
#endif
};

static struct flexible flexible_of(global const struct berth_device_conformer *conformer,
                                   global const struct berth_device_atom *ligand_atoms,
                                   global const int *words)
{
    const int lanes = max(BERTH_VECTOR_WIDTH / BERTH_POSE_LANES, 4);
    struct flexible flexible;
    flexible.conformer = ligand_atoms + conformer->atom_begin;
    flexible.atoms = conformer->atom_count;
#ifdef BERTH_LARGE
    const int held = min(flexible.atoms, BERTH_LIGAND_TILE); /* at a time; and nothing turns */
    flexible.words = words;
    flexible.torsions = 0;
    flexible.free = flexible.moving = flexible.atoms;
    flexible.held = false;
#else
    const int held = flexible.atoms;
    flexible.words = words + max(conformer->flexible, 0);
    flexible.torsions = conformer->flexible >= 0 ? flexible.words[0] : 0;
    flexible.free = conformer->flexible >= 0 ? flexible.words[BERTH_FLEXIBLE_FREE] : flexible.atoms;
    flexible.moving =
        conformer->flexible >= 0 ? flexible.words[BERTH_FLEXIBLE_MOVING] : flexible.atoms;
    flexible.held = conformer->flexible >= 0 && flexible.words[BERTH_FLEXIBLE_HELD];
#endif
    flexible.stride = (held + lanes - 1) / lanes * lanes;
#ifdef BERTH_RESTRAINED
    flexible.restraints = conformer->restrained >= 0 ? words + conformer->restrained : 0;
#endif
    return flexible;
}

/* The atoms that translation and rotation move, the first ones: none of a body that is held. */
static int loose_atoms(const struct flexible *flexible)
{
    return flexible->held ? 0 : flexible->free;
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
    w.free = loose_atoms(flexible);
    w.rotations = (local struct quad *)take(room, 12 * torsions);
    w.freedoms = (local struct freedom *)take(room, 4 * freedoms);
    w.wrenches = take(room, 6 * stride);
    w.placed = take(room, 3 * stride);
    w.slopes = take(room, 3 * stride);
    w.energies = take(room, SUM_COUNT * BERTH_REFINE_WGSIZE);
    w.point = take(room, POINT_WORDS(torsions));
    w.trial = take(room, POINT_WORDS(torsions));
    w.kept = take(room, POINT_WORDS(torsions));
    w.lowest = take(room, POINT_WORDS(torsions));
    w.best = take(room, POINT_WORDS(torsions));
    w.direction = take(room, freedoms);
    w.inverse = take(room, freedoms * BERTH_REFINE_ROW(freedoms));
    w.axes = take_words(room, 6 * torsions);
    w.masses = take_words(room, freedoms);
    w.moved = (local int *)take_words(room, 2 * stride);
    w.types = (local int *)take_words(room, stride);
    w.branches = (local int *)take_words(room, stride);
    w.ends = (local int *)take_words(room, 2 * torsions);
#ifdef BERTH_TORSIONAL
    w.phases = take_words(room, BERTH_DIHEDRALS * torsions);
#endif
    return w;
}

static float3 conformer_position(const struct flexible *flexible, int atom)
{
    return ((global const float4 *)flexible->conformer)[atom].xyz; /* one load */
}

/* True where the torsion moves the atom. */
static bool is_moved(const struct scratch *w, const struct flexible *flexible, int atom,
                     int torsion)
{
    return w->moved[(torsion >> 5) * flexible->stride + atom] >> (torsion & 31) & 1;
}

#ifdef BERTH_TORSIONAL
static void load_phases(const struct scratch *w, const struct flexible *flexible);
#endif

/* Copies what does not change with the pose to local memory. */
static void load_atoms(const struct scratch *w, const struct flexible *flexible)
{
    const int torsions = flexible->torsions, atoms = flexible->atoms, stride = flexible->stride;
    global const int *moved = flexible->words + BERTH_FLEXIBLE_MOVED(torsions);
    FOR_EACH_ITEM(i, stride)
    {
        const bool moves = torsions && i < atoms;
        w->types[i] = flexible->conformer[min(i, atoms - 1)].type;
        w->moved[i] = moves ? moved[i] : 0;
        w->moved[stride + i] = moves ? moved[atoms + i] : 0;
        w->branches[i] = moves ? flexible->words[BERTH_FLEXIBLE_BRANCHES(torsions, atoms) + i] : i;
    }
    FOR_EACH_ITEM(k, 2 * torsions)
    {
        w->ends[k] = flexible->words[BERTH_FLEXIBLE_ENDS(torsions, atoms) + k];
    }
    FOR_EACH_ITEM(t, torsions)
    {
        global const int *ends = flexible->words + BERTH_FLEXIBLE_AXES + 2 * t;
        const float3 first = conformer_position(flexible, ends[0]);
        const float3 second = conformer_position(flexible, ends[1]);
        vstore3(second, 0, w->axes + 6 * t);
        vstore3(normalize(second - first), 0, w->axes + 6 * t + 3);
    }
#ifdef BERTH_TORSIONAL
    load_phases(w, flexible);
#endif
    group_barrier();
}

/* Å²: a freedom that moves nothing, such as a rotation about an ion, weighs so much, so that no
 * step divides by 0. */
#define MASS_LEAST 0.01f

/* The atoms that distances between poses are about: those of the free body, if there is one. */
static int measured_atoms(const struct flexible *flexible)
{
    return flexible->free ? flexible->free : flexible->atoms;
}

/* How far the atoms move by a unit of each freedom, squared (Å²; for each measured atom): what
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
                const float3 shift = cross(along, conformer_position(flexible, i) - origin);
                mass += is_moved(w, flexible, i, k - 6) ? dot(shift, shift) : 0;
            }
            mass /= measured_atoms(flexible);
        }
        w->masses[k] = max(mass, MASS_LEAST);
    }
    group_barrier();
}

/* Writes a torsion of the trial as a matrix: O. Rodrigues' formula. */
static void make_rotation(const struct scratch *w, int t)
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
    for (int k = 0; k < 3; k++) {
        local struct quad *row = w->rotations + 3 * t + k;
        row->x = rows[3 * k];
        row->y = rows[3 * k + 1];
        row->z = rows[3 * k + 2];
        row->w = shift[k] -
                 (rows[3 * k] * origin.x + rows[3 * k + 1] * origin.y + rows[3 * k + 2] * origin.z);
    }
}

static void make_rotations(const struct scratch *w, const struct flexible *flexible)
{
    FOR_EACH_ITEM(t, flexible->torsions)
    {
        make_rotation(w, t);
    }
    group_barrier();
}

/* Row of a matrix like those of turns, times a position. */
static real turned(struct quad row, struct triple at)
{
    return fma(at.x, row.x, fma(at.y, row.y, fma(at.z, row.z, row.w)));
}

/* Where an atom is after the torsions that move it, the last first. */
static struct triple turn_atom(const struct scratch *w, const struct flexible *flexible, int atom)
{
    const float3 start = conformer_position(flexible, atom);
    struct triple at = {start.x, start.y, start.z};
    for (int word = (flexible->torsions - 1) / 32; word >= 0; word--) {
        uint left = (uint)w->moved[word * flexible->stride + atom];
        ROLLED while (left)
        {
            const int torsion = 31 - (int)clz(left);
            local const struct quad *turn = w->rotations + 3 * (32 * word + torsion);
            const struct triple next = {turned(turn[0], at), turned(turn[1], at),
                                        turned(turn[2], at)};
            at = next;
            left ^= 1u << torsion;
        }
    }
    return at;
}

/* Places an atom, or what fills up the stride, in the trial pose. */
static void place_trial_atom(const struct scratch *w, const struct flexible *flexible, int i)
{
    local const real *q = w->trial + POINT_ROTATION;
    const struct triple axis = {q[0], q[1], q[2]};
    const real scalar = q[3];
    const struct triple at = turn_atom(w, flexible, min(i, flexible->atoms - 1));
    /* x + 2 w (v × x) + 2 v × (v × x), with v the vector part and w the scalar part. */
    struct triple once = product(axis, at);
    once.x *= 2;
    once.y *= 2;
    once.z *= 2;
    const struct triple twice = product(axis, once);
    struct triple placed = {at.x + fma(scalar, once.x, twice.x) + w->trial[0],
                            at.y + fma(scalar, once.y, twice.y) + w->trial[1],
                            at.z + fma(scalar, once.z, twice.z) + w->trial[2]};
    if (i >= loose_atoms(flexible)) {
        placed = at;
        placed.x = i < flexible->atoms ? at.x : (real)(NOWHERE);
    }
    set_triple(placed, w->placed, flexible->stride, i);
}

static void place_atoms(const struct scratch *w, const struct flexible *flexible)
{
    FOR_EACH_ITEM(i, flexible->stride)
    {
        place_trial_atom(w, flexible, i);
    }
    group_barrier();
}

/* wrenches: of each atom, in order of branch. */
static void find_wrenches(const struct scratch *w, const struct flexible *flexible)
{
    const int stride = flexible->stride;
    group_barrier(); /* the slopes are other items' */
    FOR_EACH_ITEM(i, flexible->atoms)
    {
        const int atom = w->branches[i];
        const struct triple slope = triple_at(w->slopes, stride, atom);
        const struct triple torque = product(triple_at(w->placed, stride, atom), slope);
        w->wrenches[i] = slope.x;
        w->wrenches[stride + i] = slope.y;
        w->wrenches[2 * stride + i] = slope.z;
        w->wrenches[3 * stride + i] = torque.x;
        w->wrenches[4 * stride + i] = torque.y;
        w->wrenches[5 * stride + i] = torque.z;
    }
    group_barrier();
}

/* wrenches: of all atoms up to each. */
static void sum_wrenches(const struct scratch *w, const struct flexible *flexible)
{
    FOR_EACH_ITEM(k, 6)
    {
        local struct quad *plane = (local struct quad *)(w->wrenches + k * flexible->stride);
        real sum = 0;
        UNROLLED(4) for (int i = 0; i < flexible->stride / 4; i++)
        {
            struct quad sums = plane[i];
            sums.x += sum;
            sums.y += sums.x;
            sums.z += sums.y;
            sums.w += sums.z;
            plane[i] = sums;
            sum = sums.w;
        }
    }
    group_barrier();
}

/* The slope and the torque about the origin of the atoms begin .. end - 1, in order of branch. */
struct wrench {
    struct triple slope, torque;
};

static struct wrench wrench_of(const struct scratch *w, int stride, int begin, int end)
{
    const real zero = 0;
    real sums[6];
    for (int k = 0; k < 6; k++) {
        local const real *plane = w->wrenches + k * stride;
        sums[k] = (end ? plane[end - 1] : zero) - (begin ? plane[begin - 1] : zero);
    }
    const struct wrench wrench = {{sums[0], sums[1], sums[2]}, {sums[3], sums[4], sums[5]}};
    return wrench;
}

/* Moving along an axis changes the energy by the sum of the slopes, turning about one by that of
 * the torques about a point of it. */
static real torsion_gradient(const struct scratch *w, const struct flexible *flexible, int torsion,
                             const struct wrench *wrench)
{
    global const int *atoms = flexible->words + BERTH_FLEXIBLE_AXES + 2 * torsion;
    const struct triple first = triple_at(w->placed, flexible->stride, atoms[0]);
    const struct triple second = triple_at(w->placed, flexible->stride, atoms[1]);
    const struct triple along = less(second, first);
    const struct triple torque = less(wrench->torque, product(second, wrench->slope));
    return inner_product(along, torque) * rsqrt(inner_product(along, along));
}

static void find_pose_gradient(const struct scratch *w, const struct wrench *wrench)
{
    const struct triple centre = {w->trial[0], w->trial[1], w->trial[2]};
    const struct triple torque = less(wrench->torque, product(centre, wrench->slope));
    w->freedoms[0].next_gradient = wrench->slope.x;
    w->freedoms[1].next_gradient = wrench->slope.y;
    w->freedoms[2].next_gradient = wrench->slope.z;
    w->freedoms[3].next_gradient = torque.x;
    w->freedoms[4].next_gradient = torque.y;
    w->freedoms[5].next_gradient = torque.z;
}

/* The freedoms' next_gradient from slopes, and from what torsional.cl has put there before. */
static void find_gradient(const struct scratch *w, const struct flexible *flexible)
{
    const int torsions = flexible->torsions;
    find_wrenches(w, flexible);
    sum_wrenches(w, flexible);
    FOR_EACH_ITEM(t, torsions + 1)
    {
        const bool turns = t < torsions;
        const struct wrench wrench = wrench_of(w, flexible->stride, turns ? w->ends[2 * t] : 0,
                                               turns ? w->ends[2 * t + 1] : loose_atoms(flexible));
        if (turns) {
#ifdef BERTH_TORSIONAL
            w->freedoms[6 + t].next_gradient += torsion_gradient(w, flexible, t, &wrench);
#else
            w->freedoms[6 + t].next_gradient = torsion_gradient(w, flexible, t, &wrench);
#endif
        } else {
            find_pose_gradient(w, &wrench);
        }
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
        const struct pose pose = {{point[3], point[4], point[5], point[6]},
                                  {point[0], point[1], point[2]}};
        store_poses(pose, refined->transform, 1, 0);
    }
}
