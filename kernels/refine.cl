/* Refinement of poses: translation, rotation and torsions together go downhill by analytical
 * gradients, and, where hops are asked for, from changed poses again (basin hopping: D. J. Wales,
 * J. P. K. Doye, J. Phys. Chem. A 101 (1997) 5111).  A work-group refines one pose. */

/* Adds the energies and slopes of the lanes with the free body's other atoms, or with those of
 * fixed ones, that are far from them in terms of bonds. */
static void add_ligand_forces(const struct sloped_receptor *receptor, const struct scratch *w,
                              const struct flexible *flexible, const struct lanes *lanes,
                              float sharpness, struct forces *forces)
{
    const int atoms = flexible->atoms, torsions = flexible->torsions;
    global const int *order = flexible->words + BERTH_FLEXIBLE_ORDER(torsions, atoms);
    global const int *far =
        flexible->words + BERTH_FLEXIBLE_FAR(torsions, atoms) + lanes->first / 32;
    const int row = BERTH_FLEXIBLE_FAR_ROW(atoms), stride = flexible->stride;
    const ivector numbers = count_from(lanes->first % 32);
    for (int k = 0; k < atoms;) {
        const int type = w->types[order[k]];
        struct lane_pairs pairs;
        load_pairs(receptor, type, lanes->types, &pairs);
        for (; k < atoms && w->types[order[k]] == type; k++) {
            if ((order[k] >= flexible->free) != lanes->fixed) {
                continue;
            }
            const struct triple at = triple_at(w->placed, stride, order[k]);
            const ivector met = (ivector)(far[order[k] * row]) >> numbers & 1;
            const vector nowhere = NOWHERE;
            add_atom_forces(met != 0 ? lanes->x - at.x : nowhere, lanes->y - at.y, lanes->z - at.z,
                            sharpness, &pairs, forces);
        }
        weigh_slopes(pairs.parts, pairs.constants, forces->terms);
    }
}

/* The lanes for the receptor, which has no energy with atoms that are still. */
static struct lanes without_still(const struct lanes *lanes, const struct flexible *flexible)
{
    const vector nowhere = NOWHERE;
    struct lanes moving = *lanes;
    moving.x = count_from(lanes->first) < flexible->moving ? lanes->x : nowhere;
    return moving;
}

/* What atoms of a vector have of the receptor, of the free body's atoms, and of fixed ones'. */
struct lane_forces {
    struct forces receptor, free, fixed;
};

/* Adds up the lanes' energies.  Pairs of a free and a fixed atom are the free one's; all others
 * come twice, once for either atom. */
static void add_energies(const struct lane_forces *forces, int first,
                         const struct flexible *flexible, struct parts *sums)
{
    const vector none = 0;
    const ivector numbers = count_from(first);
    vector within = 0, beside = 0;
    for (int t = 0; t < BERTH_TERMS; t++) {
        const vector term = forces->receptor.terms[t] + forces->fixed.terms[t];
        sums->of[t] += sum_lanes(numbers < flexible->free ? term : none);
        within += forces->free.terms[t];
        beside += forces->receptor.terms[t] + 0.5f * forces->fixed.terms[t];
    }
    sums->of[PART(INTRA)] += 0.5f * sum_lanes(numbers < flexible->free ? within : none);
    sums->of[PART(RECEPTOR)] += sum_lanes(numbers < flexible->free ? none : beside);
}

/* The energy of the trial pose, and next_gradient. */
static struct parts evaluate(const struct sloped_receptor *receptor, const struct scratch *w,
                             const struct flexible *flexible, float sharpness)
{
    const int stride = flexible->stride;
    make_rotations(w, flexible);
    place_atoms(w, flexible);
    struct parts sums = no_parts();
    for (int i = (int)get_local_id(0) * BERTH_VECTOR_WIDTH; i < stride;
         i += BERTH_REFINE_WGSIZE * BERTH_VECTOR_WIDTH) {
        struct lanes mine = {VECTOR_LOAD(w->placed + i),
                             VECTOR_LOAD(w->placed + stride + i),
                             VECTOR_LOAD(w->placed + 2 * stride + i),
                             w->types + i,
                             i,
                             false};
        const int count = min(flexible->atoms - i, BERTH_VECTOR_WIDTH);
        const struct tile_range tiles =
            find_tiles(receptor, w->placed + i, stride, w->types + i, count,
                       (float3)(w->trial[0], w->trial[1], w->trial[2]));
        const struct lanes moving = without_still(&mine, flexible);
        struct lane_forces forces;
        clear_forces(&forces.receptor);
        clear_forces(&forces.free);
        clear_forces(&forces.fixed);
        for (int t = tiles.begin; t < tiles.end; t++) {
            add_tile_forces(receptor, receptor->tiles[t], &moving, sharpness, &forces.receptor);
        }
        if (flexible->torsions) {
            add_ligand_forces(receptor, w, flexible, &mine, sharpness, &forces.free);
        }
        if (flexible->torsions && flexible->free < flexible->atoms) {
            mine.fixed = true;
            add_ligand_forces(receptor, w, flexible, &mine, sharpness, &forces.fixed);
        }
        VECTOR_STORE(forces.receptor.x + forces.free.x + forces.fixed.x, w->slopes + i);
        VECTOR_STORE(forces.receptor.y + forces.free.y + forces.fixed.y, w->slopes + stride + i);
        VECTOR_STORE(forces.receptor.z + forces.free.z + forces.fixed.z,
                     w->slopes + 2 * stride + i);
        add_energies(&forces, i, flexible, &sums);
    }
    group_barrier();
#ifdef BERTH_RESTRAINED
    sums.of[PART(RESTRAINT)] = add_restraints(receptor->places, w, flexible);
#endif
    return end_evaluation(w, flexible, sums);
}

#ifdef BERTH_LARGE
/* The same of a large ligand, one tile after the other; nothing turns in it. */
static struct parts evaluate_ligand(const struct sloped_receptor *receptor, const struct scratch *w,
                                    const struct flexible *ligand, float sharpness)
{
    struct parts sums = no_parts();
    float gradient[6] = {0, 0, 0, 0, 0, 0};
    for (int first = 0; first < ligand->atoms; first += BERTH_LIGAND_TILE) {
        struct flexible tile = *ligand;
        tile.conformer += first;
        tile.atoms = tile.free = tile.moving = min(ligand->atoms - first, BERTH_LIGAND_TILE);
        load_atoms(w, &tile);
        const struct parts parts = evaluate(receptor, w, &tile, sharpness);
        for (int k = 0; k < SUM_COUNT; k++) {
            sums.of[k] += parts.of[k];
        }
        for (int k = 0; k < 6; k++) {
            gradient[k] += w->freedoms[k].next_gradient;
        }
    }
    group_barrier();
    if (get_local_id(0) == 0) {
        for (int k = 0; k < 6; k++) {
            w->freedoms[k].next_gradient = gradient[k];
        }
    }
    group_barrier();
    return sums;
}
#else
#define evaluate_ligand evaluate
#endif

/* A descent can end at a kink, from which no slope leads down though there is a way.  So the lowest
 * pose is shaken, all freedoms by so much (Å, as the mean square shift of the atoms goes), and
 * goes down again, until so many shakes in a row led nowhere. */
#define SHAKE 0.2f

static struct hop draw_hop(constant struct berth_device_refine *refine,
                           global const struct berth_device_conformer *conformer, int pose, int hop)
{
    const uint2 seed = (uint2)(refine->seed_low, refine->seed_high);
    const int generation = refine->generation + hop;
    return hop_of(draw_units(seed, conformer, generation, pose, 0),
                  draw_units(seed, conformer, generation, pose, 1));
}

/* point = lowest, and a direction in which all freedoms change by little, up or down. */
static void shake(const struct scratch *w, int freedoms, int number, const struct hop *drawn)
{
    const uint signs[2] = {(uint)(drawn->how[2] * 0x1p24f), (uint)(drawn->how[3] * 0x1p24f)};
    copy_where(1, w->lowest, w->point, freedoms + 1);
    FOR_EACH_ITEM(k, freedoms)
    {
        /* each shake of a hop takes other bits */
        const bool up = signs[k & 1] >> (k / 2 + 5 * number) % 24 & 1;
        const bool moves = w->free || k >= 6;
        w->direction[k] = moves ? (up ? SHAKE : -SHAKE) * rsqrt(w->masses[k]) : 0;
    }
}

/* What the descents so far have come to. */
struct descents {
    struct parts best, lowest; /* of all, and since the last hop */
    float kept;                /* energy of the pose that the hops go on from, kJ/mol */
    int hop;                   /* how many were taken */
    int shakes, vain;          /* since the last hop, and since one of them led down */
};

/* Notes where a descent has ended. */
static void note_descent(const struct scratch *w, int freedoms, struct parts parts,
                         struct descents *descents)
{
    const float gain = descents->shakes ? total(&descents->lowest) - total(&parts) : INFINITY;
    descents->vain = gain >= GAIN_LEAST ? 0 : descents->vain + 1;
    descents->shakes++;
    if (gain > 0) {
        descents->lowest = parts;
        copy_where(1, w->point, w->lowest, freedoms + 1);
    }
}

/* Notes where a hop has led: the best pose, and by the Metropolis rule the one to go on from. */
static void note_hop(const struct scratch *w, int freedoms, float temperature,
                     const struct hop *drawn, struct descents *descents)
{
    const float energy = total(&descents->lowest);
    if (descents->hop == 0 || energy < total(&descents->best)) {
        descents->best = descents->lowest;
        copy_where(1, w->lowest, w->best, freedoms + 1);
    }
    if (descents->hop == 0 || drawn->what[1] < exp((descents->kept - energy) / temperature)) {
        descents->kept = energy;
        copy_where(1, w->lowest, w->kept, freedoms + 1);
    }
}

/* Shakes or hops to where the next descent begins, which may take *left evaluations; false where
 * there is none. */
static bool set_out(const struct scratch *w, int freedoms,
                    constant struct berth_device_refine *settings, const struct hop *drawn,
                    int *left, struct descents *descents)
{
    if (*left > 0 && descents->vain < settings->shakes) {
        shake(w, freedoms, descents->shakes, drawn);
        return true;
    }
    note_hop(w, freedoms, settings->temperature, drawn, descents);
    if (descents->hop == settings->hops) {
        return false;
    }
    hop_away(w, freedoms, 1, drawn);
    *left = settings->evaluations;
    descents->hop++;
    descents->shakes = 0;
    return true;
}

/* trial = the pose to begin with; or with its torsions as they are in the conformer. */
static void load_trial(const struct scratch *w, const struct flexible *flexible,
                       global const struct berth_device_refined *refined, bool rotated)
{
    FOR_EACH_ITEM(t, flexible->torsions)
    {
        w->trial[POINT_ANGLES + t] = rotated ? refined->angles[t] : 0;
    }
    if (get_local_id(0) == 0) {
        const struct pose pose = load_poses(refined->transform, 1, 0); /* in each lane */
        const vector values[POINT_ANGLES] = {pose.shift.x,    pose.shift.y,    pose.shift.z,
                                             pose.rotation.x, pose.rotation.y, pose.rotation.z,
                                             pose.rotation.w};
        for (int k = 0; k < POINT_ANGLES; k++) {
            w->trial[k] = FIRST_LANE(values[k]);
        }
    }
    group_barrier();
}

/* True where the pose begins with torsions other than the conformer's. */
static bool is_rotated(const struct flexible *flexible,
                       global const struct berth_device_refined *refined)
{
    bool rotated = false;
    for (int t = 0; t < flexible->torsions; t++) {
        rotated = rotated || refined->angles[t] != 0;
    }
    return rotated;
}

#ifdef BERTH_TORSIONAL
/* The torsional term of the best pose, or of the conformer. */
static float torsional_term(const struct scratch *w, const struct flexible *flexible, bool best)
{
    float sum = 0, slope;
    for (int t = 0; t < flexible->torsions; t++) {
        const float angle = best ? w->best[POINT_ANGLES + t] : 0;
        sum += energy_of_torsion(w, torsional_words(flexible)[t], t, angle, &slope);
    }
    return sum;
}
#endif

/* A part of an energy as records have it. */
#define STORE_PART(part, name, column, relative, added)                                            \
    {                                                                                              \
        const float begun = (relative) ? part_of(&before, BERTH_PART_##part) : 0;                  \
        refined->parts[BERTH_PART_##part] = part_of(&parts, BERTH_PART_##part) - begun;            \
        refined->conformer[BERTH_PART_##part] = begun;                                             \
    }

/* The best pose and its energy; before: that of the conformer as given, there. */
static void store_best(const struct scratch *w, const struct flexible *flexible, struct parts parts,
                       struct parts before, global struct berth_device_refined *refined)
{
    store_point(w->best, flexible->torsions, refined);
    if (get_local_id(0) == 0) {
        for (int t = 0; t < BERTH_DEVICE_TERMS; t++) {
            refined->terms[t] = t < BERTH_TERMS ? parts.of[t] : 0;
        }
#ifdef BERTH_TORSIONAL
        const float term = torsional_term(w, flexible, true);
        refined->terms[BERTH_TERMS] = term;
        parts.of[PART(INTRA)] -= term;
        before.of[PART(INTRA)] -= torsional_term(w, flexible, false);
#endif
        BERTH_POSE_PARTS(STORE_PART)
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
    for (int t = 0; t < BERTH_TORSIONS; t++) {
        mine->angles[t] = 0;
    }
    mine->evaluations = pose < parent_counts[c] ? 0 : -1;
}

/* refined[conformer][pose]: where another refinement has ended, to go on from there by another
 * function.  count: of poses, of all conformers. */
kernel void refine_again(global const struct berth_device_refined *ended, int count,
                         global struct berth_device_refined *refined)
{
    const int pose = (int)get_global_id(0);
    if (pose >= count) {
        return;
    }
    for (int k = 0; k < 6; k++) {
        refined[pose].transform[k] = ended[pose].transform[k];
    }
    for (int t = 0; t < BERTH_TORSIONS; t++) {
        refined[pose].angles[t] = ended[pose].angles[t];
    }
    refined[pose].evaluations = ended[pose].evaluations < 0 ? -1 : 0;
}

/* As RESIDENT_GROUPS in mapped.cl, for the refinement: 20 of a warp leave 96 registers to a
 * work-item.  On an H200 2,896 ligands take 0.65 s with them by bude and 0.83 s by plp with
 * torsions; 0.74 and 0.87 with as many as the compiler likes (128). */
#define REFINING_GROUPS (20 * 32 / BERTH_REFINE_WGSIZE)

/* Refines refined[conformer][pose] in place; one work-group a pose, global size (poses ×
 * BERTH_REFINE_WGSIZE, conformers).  words: see BERTH_FLEXIBLE_AXES.  memory: BERTH_SCRATCH_WORDS
 * for the batch's most atoms and torsions. */
kernel __attribute__((reqd_work_group_size(BERTH_REFINE_WGSIZE, 1, 1)))
BERTH_MINIMUM_GROUPS(BERTH_REFINE_WGSIZE, REFINING_GROUPS) void refine(
    global const float4 *restrict atoms, global const struct berth_device_tile *restrict tiles,
    global const struct berth_device_run *restrict runs,
    global const struct berth_device_pair *restrict pairs,
    constant struct berth_device_site *restrict site,
    global const struct berth_device_conformer *restrict conformers,
    global const struct berth_device_atom *restrict ligand_atoms, global const int *restrict words,
    constant struct berth_device_refine *restrict settings,
    global struct berth_device_refined *restrict refined,
    global const struct berth_device_place *restrict places, local float4 *memory)
{
    const int pose = (int)get_group_id(0);
    const size_t c = get_global_id(1);
    global struct berth_device_refined *mine = refined + c * settings->poses + pose;
    if (mine->evaluations < 0) {
        return;
    }
    global const struct berth_device_conformer *conformer = conformers + c;
    const struct sloped_receptor receptor = {atoms, tiles, runs, pairs, site, places};
    struct flexible flexible = flexible_of(conformer, ligand_atoms, words);
    const struct walls walls = walls_of(&flexible, HALF_EDGES(settings));
    flexible.torsions = settings->torsions ? flexible.torsions : 0;
    struct room room = {(local float *)memory};
    const struct scratch w = lay_out(&room, &flexible);
    load_atoms(&w, &flexible);
    weigh_freedoms(&w, &flexible, conformer->inertia);
    const bool rotated = is_rotated(&flexible, mine);
    load_trial(&w, &flexible, mine, false);
    const int freedoms = BERTH_REFINE_FREEDOMS(flexible.torsions);
    struct descent descent = new_descent();
    float width = settings->width;
    struct descents descents = {.hop = 0};
    struct parts before = no_parts();
    int spent = 0, left = settings->evaluations;
    if (rotated) {
        before = evaluate_ligand(&receptor, &w, &flexible, 1);
        spent = 1;
        load_trial(&w, &flexible, mine, true);
    }
    for (;;) {
        const struct parts parts = evaluate_ligand(&receptor, &w, &flexible, 1 / width);
        choose_parts(spent == 0, &parts, &before);
        spent++;
        left--;
        decide(&w, freedoms, &parts, &descent);
        go(&w, &walls, freedoms, &descent);
        if (descent.ends && left > 0 && width > WIDTH_LEAST) {
            width *= WIDTH_FACTOR;
            begin_descent(1, false, &descent);
            descent.length = 0;
        }
        if (descent.ends || left == 0) {
            const struct hop drawn = draw_hop(settings, conformer, pose, descents.hop);
            note_descent(&w, freedoms, descent.parts, &descents);
            if (!set_out(&w, freedoms, settings, &drawn, &left, &descents)) {
                break;
            }
            width = settings->width;
            begin_descent(1, true, &descent);
        }
        group_barrier();
        make_trial(&w, &walls, descent.length, freedoms);
    }
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    store_best(&w, &flexible, descents.best, before, mine);
    if (get_local_id(0) == 0) {
        mine->evaluations += spent;
    }
}
