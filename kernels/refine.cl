/* Refinement of poses: translation, rotation and torsions together go downhill by analytical
 * gradients, and, where hops are asked for, from changed poses again (basin hopping: D. J. Wales,
 * J. P. K. Doye, J. Phys. Chem. A 101 (1997) 5111).
 *
 * Downhill is BFGS with a dense inverse Hessian (J. Nocedal, S. J. Wright, Numerical Optimization,
 * 2nd edition, chapter 6) and a line search for the weak Wolfe conditions by bisection, which suits
 * a function with kinks (A. S. Lewis, M. L. Overton, Math. Program. 141 (2013) 135).  No step is
 * taken that raises the energy, and none leaves the site.
 *
 * A work-group refines one pose.  Decisions are taken by all of its work-items alike, from the same
 * numbers in local memory. */

/* Å: the mean square shift of the atoms by one step is the square of this at most, and by a first
 * step exactly. */
#define STEP_MOST  1.0f
#define STEP_FIRST 0.2f

/* A step must lower the energy by so much of what the slope promises, and leave no more of the
 * slope than this. */
#define ARMIJO 1e-4f
#define WOLFE  0.9f

/* Ends of a descent: a line search that has got so near to its beginning (Å); steps that gain less
 * than this (kJ/mol), so many in a row. */
#define SHORTEST   1e-5f
#define GAIN_LEAST 1e-3f
#define SLOW_STEPS 2

/* The parts of an energy, kJ/mol. */
struct parts {
    float steric, electrostatic, desolvation, inner; /* inner: of the ligand with itself */
};

static float total(struct parts parts)
{
    return parts.steric + parts.electrostatic + parts.desolvation + parts.inner;
}

/* Adds what the lanes, atoms first ..., feel of the ligand's other atoms that are far from them in
 * terms of bonds. */
static void feel_ligand(const struct receptor *receptor, const struct workplace *w,
                        const struct flexible *flexible, int first, const struct lanes *lanes,
                        struct felt *felt)
{
    const int atoms = flexible->atoms, torsions = flexible->torsions;
    global const int *order = flexible->words + BERTH_FLEXIBLE_ORDER(torsions, atoms);
    global const int *far = flexible->words + BERTH_FLEXIBLE_FAR(torsions, atoms) + first / 32;
    const int row = BERTH_FLEXIBLE_FAR_ROW(atoms);
    const lane_bits numbers = lane_numbers(first % 32);
    for (int k = 0; k < atoms;) {
        const int type = w->types[order[k]];
        const struct lane_pairs pairs =
            load_pairs(receptor->pairs + type * receptor->site->pair_columns, lanes->types);
        struct felt sums;
        clear_felt(&sums);
        for (; k < atoms && w->types[order[k]] == type; k++) {
            const float3 at = position(w->placed, flexible->lanes, order[k]);
            const lane_bits met = (lane_bits)(far[order[k] * row]) >> numbers & 1;
            const vector nowhere = NOWHERE;
            feel_atom(met != 0 ? lanes->x - at.x : nowhere, lanes->y - at.y, lanes->z - at.z,
                      &pairs, &sums);
        }
        add_felt(&sums, &pairs, felt);
    }
}

/* The energy of the trial pose, and next_gradient. */
static struct parts evaluate(const struct receptor *receptor, const struct workplace *w,
                             const struct flexible *flexible)
{
    const int lanes = flexible->lanes;
    make_turns(w, flexible);
    place_atoms(w, flexible);
    struct parts sums = {0, 0, 0, 0};
    for (int i = (int)get_local_id(0) * BERTH_VECTOR_WIDTH; i < lanes;
         i += BERTH_REFINE_WGSIZE * BERTH_VECTOR_WIDTH) {
        const struct lanes mine = {VECTOR_LOAD(w->placed + i), VECTOR_LOAD(w->placed + lanes + i),
                                   VECTOR_LOAD(w->placed + 2 * lanes + i), w->types + i};
        const int count = min(flexible->atoms - i, BERTH_VECTOR_WIDTH);
        const struct tile_range tiles =
            find_tiles(receptor, w->placed + i, lanes, w->types + i, count,
                       (float3)(w->trial[0], w->trial[1], w->trial[2]));
        struct felt felt, inner;
        clear_felt(&felt);
        clear_felt(&inner);
        for (int t = tiles.begin; t < tiles.end; t++) {
            feel_tile(receptor, receptor->tiles[t], &mine, &felt);
        }
        if (flexible->torsions) {
            feel_ligand(receptor, w, flexible, i, &mine, &inner);
        }
#ifdef BERTH_BREAK_REFINE
        felt.x += 1;
#endif
        VECTOR_STORE(felt.x + inner.x, w->slopes + i);
        VECTOR_STORE(felt.y + inner.y, w->slopes + lanes + i);
        VECTOR_STORE(felt.z + inner.z, w->slopes + 2 * lanes + i);
        sums.steric += sum_lanes(felt.steric);
        sums.electrostatic += sum_lanes(felt.electrostatic);
        sums.desolvation += sum_lanes(felt.desolvation);
        sums.inner +=
            0.5f * sum_lanes(inner.steric + inner.electrostatic + inner.desolvation);
    }
    local float *energies = w->energies + 4 * get_local_id(0);
    energies[0] = sums.steric;
    energies[1] = sums.electrostatic;
    energies[2] = sums.desolvation;
    energies[3] = sums.inner;
    barrier(CLK_LOCAL_MEM_FENCE);
    find_gradient(w, flexible);
    struct parts parts = {0, 0, 0, 0};
    for (int i = 0; i < BERTH_REFINE_WGSIZE; i++) {
        parts.steric += w->energies[4 * i];
        parts.electrostatic += w->energies[4 * i + 1];
        parts.desolvation += w->energies[4 * i + 2];
        parts.inner += w->energies[4 * i + 3];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return parts;
}

static float dot_product(local const float *a, local const float *b, int count)
{
    float sum = 0;
    for (int k = 0; k < count; k++) {
        sum = fma(a[k], b[k], sum);
    }
    return sum;
}

static void copy_words(local const float *from, local float *to, int count)
{
    FOR_EACH_ITEM(k, count)
    {
        to[k] = from[k];
    }
}

/* Half edges of the site as an array, Å. */
struct walls {
    float half_edges[3];
};

/* True where the point is at a wall and downhill is beyond it. */
static bool is_blocked(const struct workplace *w, const struct walls *walls, int k)
{
    return k < 3 && ((w->point[k] >= walls->half_edges[k] && w->gradient[k] < 0) ||
                     (w->point[k] <= -walls->half_edges[k] && w->gradient[k] > 0));
}

/* A descent: where it is, and where its line search is. */
struct descent {
    struct parts parts; /* of the energy at the point */
    float length;       /* of the step to try, in directions */
    float low, high;    /* lengths that are too short and too long; high 0: none yet */
    float reach;        /* Å: what the direction moves the atoms by */
    int slow;           /* steps in a row that gained little */
    bool first;         /* the inverse Hessian is a guess without a scale */
};

/* Forgets the inverse Hessian. */
static void forget(const struct workplace *w, int freedoms, struct descent *descent)
{
    FOR_EACH_ITEM(k, freedoms)
    {
        for (int j = 0; j < freedoms; j++) {
            w->inverse[k * freedoms + j] = j == k ? 1 / w->masses[k] : 0;
        }
    }
    descent->first = true;
}

/* direction = - inverse gradient, on this side of the walls. */
static void find_direction(const struct workplace *w, const struct walls *walls, int freedoms)
{
    FOR_EACH_ITEM(k, freedoms)
    {
        float sum = 0;
        for (int j = 0; j < freedoms; j++) {
            sum -= is_blocked(w, walls, j) ? 0 : w->inverse[k * freedoms + j] * w->gradient[j];
        }
        w->direction[k] = is_blocked(w, walls, k) ? 0 : sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Begins a line search from the point. */
static void aim(const struct workplace *w, const struct walls *walls, int freedoms,
                struct descent *descent)
{
    find_direction(w, walls, freedoms);
    if (!(dot_product(w->direction, w->gradient, freedoms) < 0)) {
        barrier(CLK_LOCAL_MEM_FENCE);
        forget(w, freedoms, descent);
        barrier(CLK_LOCAL_MEM_FENCE);
        find_direction(w, walls, freedoms);
    }
    float square = 0;
    for (int k = 0; k < freedoms; k++) {
        square += w->masses[k] * w->direction[k] * w->direction[k];
    }
    descent->reach = sqrt(square);
    descent->low = descent->high = 0;
    descent->length = descent->first ? STEP_FIRST / max(descent->reach, 1e-20f)
                                     : min(1.0f, STEP_MOST / max(descent->reach, 1e-20f));
}

/* Turns `from` by a rotation vector (rad): the rotation of `to`. */
static void turn_point(local const float *from, float3 turn, local float *to)
{
    const float angle = length(turn);
    const float3 v = (angle > 1e-6f ? sin(0.5f * angle) / angle : 0.5f) * turn;
    from += POINT_ROTATION;
    to += POINT_ROTATION;
    const float4 q = normalize(quaternion_product(
        (float4)(v, cos(0.5f * angle)), (float4)(from[0], from[1], from[2], from[3])));
    to[0] = q.x;
    to[1] = q.y;
    to[2] = q.z;
    to[3] = q.w;
}

/* trial = point + length direction, kept inside the walls; step is what came of it. */
static void make_trial(const struct workplace *w, const struct walls *walls, float length,
                       int freedoms)
{
    FOR_EACH_ITEM(k, freedoms)
    {
        float step = length * w->direction[k];
        if (k < 3) {
            const float half_edge = walls->half_edges[k];
            w->trial[k] = clamp(w->point[k] + step, -half_edge, half_edge);
            step = w->trial[k] - w->point[k];
        } else if (k >= 6) {
            w->trial[k + 1] = w->point[k + 1] + step;
        }
        w->step[k] = step;
    }
    if (get_local_id(0) == 0) {
        turn_point(w->point, length * (float3)(w->direction[3], w->direction[4], w->direction[5]),
                   w->trial);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Takes step and change into the inverse Hessian. */
static void learn(const struct workplace *w, int freedoms, struct descent *descent)
{
    FOR_EACH_ITEM(k, freedoms)
    {
        w->change[k] = w->next_gradient[k] - w->gradient[k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_EACH_ITEM(k, freedoms)
    {
        w->image[k] = dot_product(w->inverse + k * freedoms, w->change, freedoms);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const float curvature = dot_product(w->step, w->change, freedoms);
    const float guess = dot_product(w->image, w->change, freedoms);
    if (curvature > 1e-10f && guess > 1e-10f) {
        const float scale = descent->first ? curvature / guess : 1, per = 1 / curvature;
        const float twice = per * (1 + per * scale * guess);
        FOR_EACH_ITEM(k, freedoms)
        {
            local float *row = w->inverse + k * freedoms;
            const float step = w->step[k], image = per * scale * w->image[k];
            for (int j = 0; j < freedoms; j++) {
                row[j] = scale * row[j] + twice * step * w->step[j] -
                         (image * w->step[j] + per * scale * step * w->image[j]);
            }
        }
        descent->first = false;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Goes to the trial. */
static void go(const struct workplace *w, const struct flexible *flexible)
{
    copy_words(w->trial, w->point, POINT_WORDS(flexible->torsions));
    copy_words(w->next_gradient, w->gradient, BERTH_REFINE_FREEDOMS(flexible->torsions));
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Looks at the trial: goes there, or shortens or lengthens the step.  True at the end of the
 * descent. */
static bool decide(const struct workplace *w, const struct flexible *flexible,
                   const struct walls *walls, struct parts parts, struct descent *descent)
{
    const int freedoms = BERTH_REFINE_FREEDOMS(flexible->torsions);
    const float promised = dot_product(w->gradient, w->step, freedoms);
    const float left = dot_product(w->next_gradient, w->step, freedoms);
    const float gain = total(descent->parts) - total(parts);
    const bool lower = promised < 0 && gain >= -ARMIJO * promised;
    const bool farthest = descent->length * descent->reach > 0.99f * STEP_MOST;
    if (lower && (left >= WOLFE * promised || descent->high > 0 || farthest)) {
        learn(w, freedoms, descent);
        go(w, flexible);
        descent->parts = parts;
        descent->slow = gain < GAIN_LEAST ? descent->slow + 1 : 0;
        aim(w, walls, freedoms, descent);
        return descent->slow >= SLOW_STEPS;
    }
    if (lower) {
        descent->low = descent->length;
        descent->length = min(2 * descent->low, STEP_MOST / descent->reach);
        return false;
    }
    descent->high = descent->length;
    descent->length = 0.5f * (descent->low + descent->high);
    return (descent->high - descent->low) * descent->reach < SHORTEST;
}

/* One hop's random numbers. */
struct hop {
    float4 what; /* which freedom is changed, whether the hop is accepted */
    float4 how;
};

static struct hop draw_hop(constant struct berth_device_refine *refine,
                           global const struct berth_device_conformer *conformer, int pose,
                           int hop)
{
    const uint2 key = (uint2)(refine->seed_low, refine->seed_high);
    const uint draw = (uint)((refine->generation + hop) * BERTH_DRAWS_PER_GENERATION);
    const uint4 counter = (uint4)((uint)pose, draw, conformer->number, conformer->ligand);
    struct hop drawn;
    drawn.what = unit_floats(philox(counter, key));
    drawn.how = unit_floats(philox(counter + (uint4)(0, 1, 0, 0), key));
    return drawn;
}

/* trial = kept with one freedom changed: the whole pose shifted by up to 2 Å or turned by up to 1
 * rad, or one torsion at any angle. */
static void hop_away(const struct workplace *w, const struct flexible *flexible,
                     const struct walls *walls, struct hop hop)
{
    copy_words(w->kept, w->trial, POINT_WORDS(flexible->torsions));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        const int changed = (int)(hop.what.x * (flexible->torsions + 2));
        const float3 along = cbrt(hop.how.z) * random_direction(hop.how.x, hop.how.y);
        if (changed < flexible->torsions) {
            w->trial[POINT_ANGLES + changed] = BERTH_FULL_TURN * (hop.how.x - 0.5f);
        } else if (changed == flexible->torsions) {
            turn_point(w->kept, along, w->trial);
        } else {
            const float shift[3] = {2 * along.x, 2 * along.y, 2 * along.z};
            for (int k = 0; k < 3; k++) {
                w->trial[k] = clamp(w->kept[k] + shift[k], -walls->half_edges[k],
                                    walls->half_edges[k]);
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Begins a descent at the trial, which has just been evaluated. */
static void begin_descent(const struct workplace *w, const struct flexible *flexible,
                          const struct walls *walls, struct parts parts, struct descent *descent)
{
    const int freedoms = BERTH_REFINE_FREEDOMS(flexible->torsions);
    go(w, flexible);
    descent->parts = parts;
    descent->slow = 0;
    forget(w, freedoms, descent);
    barrier(CLK_LOCAL_MEM_FENCE);
    aim(w, walls, freedoms, descent);
}

/* trial = the pose to begin with, with its torsions as they are in the conformer. */
static void load_trial(const struct workplace *w, const struct flexible *flexible,
                       global const struct berth_device_refined *refined)
{
    FOR_EACH_ITEM(t, flexible->torsions)
    {
        w->trial[POINT_ANGLES + t] = 0;
    }
    if (get_local_id(0) == 0) {
        const struct pose pose = load_pose(refined->transform, 1, 0);
        const float values[POINT_ANGLES] = {pose.shift.x,    pose.shift.y,    pose.shift.z,
                                            pose.rotation.x, pose.rotation.y, pose.rotation.z,
                                            pose.rotation.w};
        for (int k = 0; k < POINT_ANGLES; k++) {
            w->trial[k] = values[k];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* The best pose and its energy; given: the ligand's energy with itself in the conformer. */
static void store_best(const struct workplace *w, const struct flexible *flexible,
                       struct parts parts, float given,
                       global struct berth_device_refined *refined)
{
    FOR_EACH_ITEM(t, BERTH_TORSIONS)
    {
        refined->angles[t] = t < flexible->torsions ? w->best[POINT_ANGLES + t] : 0;
    }
    if (get_local_id(0) == 0) {
        local const float *best = w->best, *q = best + POINT_ROTATION;
        struct pose pose;
        pose.shift = (float3)(best[0], best[1], best[2]);
        pose.rotation = (float4)(q[0], q[1], q[2], q[3]);
        store_pose(pose, refined->transform, 1, 0);
        refined->steric = parts.steric;
        refined->electrostatic = parts.electrostatic;
        refined->desolvation = parts.desolvation;
        refined->strain = parts.inner - given;
    }
}

/* refined[conformer][pose]: the poses to refine, the first of each conformer's parents, as they
 * are.  parent_transforms: [conformer][6][stride]; global size (poses, conformers). */
kernel void refine_begin(constant struct berth_device_refine *refine,
                         global const float *parent_transforms, global const int *parent_counts,
                         int stride, global struct berth_device_refined *refined)
{
    const int pose = (int)get_global_id(0);
    const size_t c = get_global_id(1);
    if (pose >= refine->poses) {
        return;
    }
    global struct berth_device_refined *mine = refined + c * refine->poses + pose;
    for (int k = 0; k < 6; k++) {
        mine->transform[k] = parent_transforms[(c * 6 + k) * stride + pose];
    }
    mine->evaluations = pose < parent_counts[c] ? 0 : -1;
}

/* Refines refined[conformer][pose] in place; one work-group a pose, global size (poses ×
 * BERTH_REFINE_WGSIZE, conformers).  words: see BERTH_FLEXIBLE_AXES.  memory: BERTH_REFINE_WORDS
 * for the batch's most atoms and torsions. */
kernel __attribute__((reqd_work_group_size(BERTH_REFINE_WGSIZE, 1, 1))) void
refine(global const float4 *restrict atoms, global const struct berth_device_tile *restrict tiles,
       global const struct berth_device_run *restrict runs,
       global const struct berth_device_pair *restrict pairs,
       constant struct berth_device_site *restrict site,
       global const struct berth_device_conformer *restrict conformers,
       global const struct berth_device_atom *restrict ligand_atoms,
       global const int *restrict words, constant struct berth_device_refine *restrict settings,
       global struct berth_device_refined *restrict refined, local float *memory)
{
    const int pose = (int)get_group_id(0);
    const size_t c = get_global_id(1);
    global struct berth_device_refined *mine = refined + c * settings->poses + pose;
    if (mine->evaluations < 0) {
        return;
    }
    global const struct berth_device_conformer *conformer = conformers + c;
    const struct receptor receptor = {atoms, tiles, runs, pairs, site};
    const struct walls walls = {{settings->half_x, settings->half_y, settings->half_z}};
    struct flexible flexible;
    flexible.given = ligand_atoms + conformer->atom_begin;
    flexible.atoms = conformer->atom_count;
    flexible.lanes = (flexible.atoms + BERTH_VECTOR_WIDTH - 1) / BERTH_VECTOR_WIDTH *
                     BERTH_VECTOR_WIDTH;
    flexible.words = words + max(conformer->flexible, 0);
    flexible.torsions = settings->torsions && conformer->flexible >= 0 ? flexible.words[0] : 0;
    const struct workplace w = lay_out(memory, &flexible);
    load_atoms(&w, &flexible);
    weigh_freedoms(&w, &flexible, conformer->inertia);
    load_trial(&w, &flexible, mine);

    struct descent descent;
    struct parts best;
    float given = 0, kept = 0;
    int spent = 0, hop = 0, left = settings->evaluations;
    bool begins = true;
    for (;;) {
        const struct parts parts = evaluate(&receptor, &w, &flexible);
        bool ends = false;
        given = spent == 0 ? parts.inner : given;
        spent++;
        left--;
        if (begins) {
            begin_descent(&w, &flexible, &walls, parts, &descent);
            begins = false;
        } else {
            ends = decide(&w, &flexible, &walls, parts, &descent);
        }
        if (!ends && left > 0) {
            make_trial(&w, &walls, descent.length, BERTH_REFINE_FREEDOMS(flexible.torsions));
            continue;
        }
        const struct hop drawn = draw_hop(settings, conformer, pose, hop);
        const float energy = total(descent.parts);
        if (hop == 0 || energy < total(best)) {
            best = descent.parts;
            copy_words(w.point, w.best, POINT_WORDS(flexible.torsions));
        }
        if (hop == 0 || drawn.what.y < exp((kept - energy) / settings->temperature)) {
            kept = energy;
            copy_words(w.point, w.kept, POINT_WORDS(flexible.torsions));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (hop == settings->hops) {
            break;
        }
        hop_away(&w, &flexible, &walls, drawn);
        left = settings->evaluations;
        begins = true;
        hop++;
    }
    store_best(&w, &flexible, best, given, mine);
    if (get_local_id(0) == 0) {
        mine->evaluations = spent;
    }
}
