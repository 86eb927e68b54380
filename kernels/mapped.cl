/* The search on maps: Evolutionary Monte Carlo over translation, rotation and torsions, in which
 * every pose goes downhill before it is judged (a memetic algorithm).  A work-group works on one
 * pose, or on a CPU on one in each lane of its vectors (lanes.cl); its arithmetic is that of
 * refinement (flexible.cl, descent.cl). */

/* What the search knows of receptor and scoring function. */
struct mapped_receptor {
    struct maps maps;
    struct pair_table pairs;
    global const struct berth_device_place *places;
};

/* The energy of the trial pose, and next_gradient.  All pairs count as the ligand's own: a search
 * needs their sum alone. */
static struct parts evaluate_on_maps(const struct mapped_receptor *receptor,
                                     const struct scratch *w, const struct flexible *flexible,
                                     const struct pair_list *list)
{
    const int stride = flexible->stride;
    struct parts mine = no_parts();
    make_rotations(w, flexible);
    place_atoms(w, flexible);
    FOR_EACH_ITEM(i, flexible->moving)
    {
        const struct map_value value =
            look_up(&receptor->maps, w->types[i], triple_at(w->placed, stride, i));
        mine.of[0] += value.energy;
        const struct triple slope = {value.x, value.y, value.z};
        set_triple(slope, w->slopes, stride, i);
    }
    FOR_EACH_ITEM(i, flexible->atoms - flexible->moving)
    {
        const struct triple none = {0, 0, 0};
        set_triple(none, w->slopes, stride, flexible->moving + i);
    }
#if SHARED_SLOPES
    clear_slopes(list, flexible->atoms);
#endif
    group_barrier();
#ifdef BERTH_RESTRAINED
    mine.of[PART(RESTRAINT)] = add_restraints(receptor->places, w, flexible);
#endif
    if (list->listed) {
        mine.of[PART(INTRA)] = add_pairs(&receptor->pairs, list, w, flexible);
    } else if (flexible->torsions) {
        mine.of[PART(INTRA)] = add_unlisted_pairs(&receptor->pairs, w, flexible);
    }
    return end_evaluation(w, flexible, mine);
}

/* Random numbers of a pose come in draws, a number of them for each generation of the published
 * search.  Here a pose that begins anew takes BEGIN of these, and each hop takes one. */
#define BEGIN                                                                                      \
    ((BERTH_TORSIONS / 4 + 2 + BERTH_DRAWS_PER_GENERATION - 1) / BERTH_DRAWS_PER_GENERATION)
#define HOPS_MOST              1024
#define FIRST_DRAW(generation) ((generation) * (BEGIN + HOPS_MOST))

/* The more torsions turn the more hops a pose needs: the number that is asked for is that of 6
 * torsions, and each one adds or takes a tenth of it. */
#define HOPS_OF(hops, torsions) ((hops) * (4 + (torsions)) / 10)

/* A child changes by this share of what a pose that stands does, at most, so that it stays one of
 * its parents'. */
#define CHILD_CHANGE 0.25f

/* The Metropolis rule's temperature is a share of the energy, or, near 0, of so much of the
 * function's unit. */
#define ENERGY_LEAST 1e-3f

static struct units draw_numbers(constant struct berth_device_mapped *settings,
                                 global const struct berth_device_conformer *conformer, whole pose,
                                 whole number, int draw)
{
    const uint2 seed = (uint2)(settings->seed_low, settings->seed_high);
    return draw_units(seed, conformer, number + draw / BERTH_DRAWS_PER_GENERATION, pose,
                      draw % BERTH_DRAWS_PER_GENERATION);
}

/* trial = a random pose: anywhere in the site or about the start, turned anyhow (K. Shoemake,
 * Graphics Gems III (1992) 124), all torsions too; where it is wanted.  What is held is at its
 * start, as it was given. */
static void draw_trial(const struct scratch *w, constant struct berth_device_mapped *settings,
                       global const struct berth_device_conformer *conformer, whole pose,
                       int number, whole wanted)
{
    FOR_EACH_ITEM(t, w->torsions)
    {
        const struct units drawn = draw_numbers(settings, conformer, pose, number, 2 + t / 4);
        const real unit = t % 4 == 0   ? drawn.x
                          : t % 4 == 1 ? drawn.y
                          : t % 4 == 2 ? drawn.z
                                       : drawn.w;
        const real angle = (unit - 0.5f) * BERTH_FULL_TURN;
        w->trial[POINT_ANGLES + t] = wanted ? angle : w->trial[POINT_ANGLES + t];
    }
    if (get_local_id(0) == 0) {
        const struct units where = draw_numbers(settings, conformer, pose, number, 0);
        const struct units how = draw_numbers(settings, conformer, pose, number, 1);
        const real one = sqrt(1 - how.x), other = sqrt(how.x);
        const bool about = settings->start > 0;
        const float half_x = about ? settings->start : settings->half_x;
        const float half_y = about ? settings->start : settings->half_y;
        const float half_z = about ? settings->start : settings->half_z;
        const real drawn[POINT_ANGLES] = {(2 * where.x - 1) * half_x + conformer->start_x,
                                          (2 * where.y - 1) * half_y + conformer->start_y,
                                          (2 * where.z - 1) * half_z + conformer->start_z,
                                          one * sin(BERTH_FULL_TURN * how.y),
                                          one * cos(BERTH_FULL_TURN * how.y),
                                          other * sin(BERTH_FULL_TURN * how.z),
                                          other * cos(BERTH_FULL_TURN * how.z)};
        const float given[POINT_ANGLES] = {
            conformer->start_x, conformer->start_y, conformer->start_z, 0, 0, 0, 1};
        for (int k = 0; k < POINT_ANGLES; k++) {
            w->trial[k] = !wanted ? w->trial[k] : w->free ? drawn[k] : (real)(given[k]);
        }
    }
    group_barrier();
}

static struct hop draw_mapped_hop(constant struct berth_device_mapped *settings,
                                  global const struct berth_device_conformer *conformer, whole pose,
                                  whole number)
{
    return hop_of(draw_numbers(settings, conformer, pose, number, 0),
                  draw_numbers(settings, conformer, pose, number, 1));
}

/* Rows of poses (see BERTH_ROW_POINT), one for each pose of the work-group. */
struct rows {
    global float *first; /* row 0 */
    int words;           /* of a row */
    whole numbers;
};

static real load_word(const struct rows *rows, int word)
{
    return gather(rows->first, rows->numbers * rows->words + word);
}

static void load_points(const struct rows *rows, local real *point, int words)
{
    FOR_EACH_ITEM(k, words)
    {
        point[k] = load_word(rows, BERTH_ROW_POINT + k);
    }
}

static struct parts load_parts(const struct rows *rows)
{
    struct parts parts;
    parts.of[0] = load_word(rows, BERTH_ROW_ENERGY);
    for (int k = 0; k < SUMMED_PARTS; k++) {
        parts.of[INTER_COUNT + k] = load_word(rows, BERTH_ROW_PARTS + k);
        parts.of[0] -= parts.of[INTER_COUNT + k];
    }
    return parts;
}

/* Writes a word of the first `count` poses' rows. */
static void store_word(real value, const struct rows *rows, int count, int word)
{
    float values[BERTH_POSE_LANES];
    int numbers[BERTH_POSE_LANES];
    VECTOR_STORE(value, values);
    VECTOR_STORE(rows->numbers, numbers);
    for (int i = 0; i < count; i++) {
        rows->first[(size_t)numbers[i] * rows->words + word] = values[i];
    }
}

static void store_points(local const real *point, const struct rows *rows, int count, int words)
{
    FOR_EACH_ITEM(k, words)
    {
        store_word(point[k], rows, count, BERTH_ROW_POINT + k);
    }
}

static void store_parts(const struct parts *parts, real spent, const struct rows *rows, int count)
{
    if (get_local_id(0) == 0) {
        store_word(total(parts), rows, count, BERTH_ROW_ENERGY);
        for (int k = 0; k < BERTH_PART_COUNT; k++) {
            store_word(part_of(parts, k), rows, count, BERTH_ROW_PARTS + k);
        }
        store_word(spent, rows, count, BERTH_ROW_SPENT);
    }
}

/* placed = the atoms of the poses in some rows. */
static void place_rows(const struct scratch *w, const struct flexible *flexible,
                       const struct rows *rows)
{
    load_points(rows, w->trial, POINT_WORDS(flexible->torsions));
    group_barrier();
    make_rotations(w, flexible);
    place_atoms(w, flexible);
}

/* Poses of a conformer's population. */
static int poses_of(constant struct berth_device_mapped *settings,
                    global const struct berth_device_conformer *conformer)
{
    return BERTH_POSES_OF(settings->poses, conformer->conformers);
}

/* The poses of a conformer, and their order: parents first. */
struct mapped_population {
    constant struct berth_device_mapped *settings;
    global const struct berth_device_conformer *conformer;
    struct flexible flexible;
    int poses;
    global float *rows;   /* [poses][row] */
    global float *placed; /* [parents][3][atoms]: the atoms of those that are distinct */
    global int *sorted;   /* [poses] */
    local int *order;     /* [poses] */
};

static global float *row_of(const struct mapped_population *population, int number)
{
    return population->rows + (size_t)number * population->settings->row;
}

/* sorted = the rows of finite energy, the lowest first, of equal ones the first; and -1 behind
 * them.
 */
static void sort_rows(const struct mapped_population *population)
{
    const int poses = population->poses;
    global int *sorted = population->sorted;
    FOR_EACH_ITEM(row, poses)
    {
        sorted[row] = -1;
    }
    GROUP_BARRIER(CLK_GLOBAL_MEM_FENCE);
    FOR_EACH_ITEM(row, poses)
    {
        const float energy = *row_of(population, row);
        int lower = 0;
        for (int i = 0; i < poses; i++) {
            const float other = *row_of(population, i);
            lower += other < energy || (other == energy && i < row);
        }
        if (energy < INFINITY) {
            sorted[lower] = row;
        }
    }
    GROUP_BARRIER(CLK_GLOBAL_MEM_FENCE);
}

/* Whether the mean square distance between measured atoms of w->placed and of parent k is below
 * a limit, given as the sum (Å²). */
static bool is_within(const struct scratch *w, const struct mapped_population *population, int k,
                      float limit)
{
    const int atoms = population->flexible.atoms, stride = population->flexible.stride;
    const int measured = measured_atoms(&population->flexible);
    global const float *parent = population->placed + (size_t)k * 3 * atoms;
    float sum = 0;
    for (int i = 0; i < measured && sum < limit; i++) {
        const struct triple at = triple_at(w->placed, stride, i);
        const float x = FIRST_POSE(at.x) - parent[i];
        const float y = FIRST_POSE(at.y) - parent[atoms + i];
        const float z = FIRST_POSE(at.z) - parent[2 * atoms + i];
        sum += fma(x, x, fma(y, y, z * z));
    }
    return sum < limit;
}

/* placed = the atoms of the row's pose; true where it is nearer than `distinct` (Å) to one of the
 * first `count` parents. */
static bool is_near(const struct scratch *w, const struct mapped_population *population, int row,
                    int count, float distinct)
{
    const float limit = distinct * distinct * measured_atoms(&population->flexible);
    const struct rows rows = {population->rows, population->settings->row, row};
    place_rows(w, &population->flexible, &rows);
    real near = 0;
    FOR_EACH_ITEM(k, count)
    {
        near += is_within(w, population, k, limit) ? 1 : 0;
    }
    return ANY_POSE(sum_of_group(near, w->energies) > 0);
}

/* The pose that was placed is parent k. */
static void keep_placed(const struct scratch *w, const struct mapped_population *population, int k)
{
    const int atoms = population->flexible.atoms;
    global float *parent = population->placed + (size_t)k * 3 * atoms;
    FOR_EACH_ITEM(i, 3 * atoms)
    {
        parent[i] =
            FIRST_POSE(w->placed[OF_ATOM(population->flexible.stride, i / atoms, i % atoms)]);
    }
}

/* Orders the rows: the lowest poses that are distinct first, at most `most`, which are counted; the
 * others behind them, those without a finite energy last. */
static int find_distinct(const struct scratch *w, const struct mapped_population *population,
                         int most)
{
    const int poses = population->poses;
    global const int *sorted = population->sorted;
    int count = 0, others = 0;
    sort_rows(population);
    for (int rank = 0; rank < poses && sorted[rank] >= 0; rank++) {
        const bool near = count == most || is_near(w, population, sorted[rank], count,
                                                   population->settings->distinct);
        if (!near) {
            keep_placed(w, population, count);
        }
        if (get_local_id(0) == 0) {
            population->order[near ? poses - 1 - others : count] = sorted[rank];
        }
        GROUP_BARRIER(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        count += !near;
        others += near;
    }
    for (int row = 0; row < poses && get_local_id(0) == 0; row++) {
        if (!(*row_of(population, row) < INFINITY)) {
            population->order[poses - 1 - others++] = row;
        }
    }
    /* every item has read the energies when the first is written to */
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return count;
}

/* Puts the lowest rows that are farther than BERTH_NEARBY from the first `count` behind these,
 * until there are `most`; returns how many there are. */
static int add_nearby(const struct scratch *w, const struct mapped_population *population,
                      int count, int most)
{
    global const int *sorted = population->sorted;
    for (int rank = 0; rank < population->poses && sorted[rank] >= 0 && count < most; rank++) {
        if (!is_near(w, population, sorted[rank], count, BERTH_NEARBY)) {
            keep_placed(w, population, count);
            if (get_local_id(0) == 0) {
                population->order[count] = sorted[rank];
            }
            count++;
        }
        GROUP_BARRIER(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    return count;
}

/* Writes the child for row order[rank]: it has the place of one of the parents, the better ones
 * more often, and each torsion of that or of another one; or begins anew.  It has yet to go
 * downhill.  number: of its random numbers. */
static void make_child(const struct mapped_population *population, int parents, int rank,
                       int number)
{
    constant struct berth_device_mapped *settings = population->settings;
    const struct units who = draw_numbers(settings, population->conformer, rank, number, 14);
    const struct units which = draw_numbers(settings, population->conformer, rank, number, 15);
    const uint bits[2] = {(uint)(FIRST_LANE(which.x) * 0x1p24f),
                          (uint)(FIRST_LANE(which.y) * 0x1p24f)};
    const bool anew = FIRST_LANE(who.z) < settings->fresh || parents == 0;
    global float *child = row_of(population, population->order[rank]);
    child[BERTH_ROW_ENERGY] = INFINITY;
    child[BERTH_ROW_BORN] = anew ? BERTH_BORN_ANEW : BERTH_BORN_CHILD;
    if (anew) {
        return;
    }
    const float chosen = FIRST_LANE(who.x);
    const int better = (int)(chosen * chosen * parents);
    const int other = (int)(FIRST_LANE(who.y) * parents);
    global const float *a = row_of(population, population->order[better]);
    global const float *b = row_of(population, population->order[other]);
    for (int k = 0; k < POINT_WORDS(population->flexible.torsions); k++) {
        const bool first = k < POINT_ANGLES || (bits[k & 1] >> (k / 2 % 24) & 1);
        child[BERTH_ROW_POINT + k] = (first ? a : b)[BERTH_ROW_POINT + k];
    }
}

/* What is no parent gives way to a child.  The parents are the lowest poses that are distinct.  One
 * work-group a conformer, global size (BERTH_REFINE_WGSIZE, conformers).  placed: float
 * [conformers][parents][3][atoms_most]; sorted: int [conformers][poses]; order: int [poses]. */
kernel __attribute__((reqd_work_group_size(BERTH_REFINE_WGSIZE, 1, 1))) void
mapped_recombine(global const struct berth_device_conformer *restrict conformers,
                 global const struct berth_device_atom *restrict ligand_atoms,
                 global const int *restrict words,
                 constant struct berth_device_mapped *restrict settings, int generation,
                 global float *kept, global float *placed, int atoms_most, global int *sorted,
                 local int *order, local float4 *memory)
{
    const size_t c = get_global_id(1);
    const struct mapped_population population = {settings,
                                                 conformers + c,
                                                 flexible_of(conformers + c, ligand_atoms, words),
                                                 poses_of(settings, conformers + c),
                                                 kept + c * settings->poses * settings->row,
                                                 placed + c * settings->parents * 3 * atoms_most,
                                                 sorted + c * settings->poses,
                                                 order};
    struct room room = {(local float *)memory};
    const struct scratch w = lay_out(&room, &population.flexible);
    load_atoms(&w, &population.flexible);
    const int most =
        BERTH_PARENTS_OF(settings->parents, population.poses, conformers[c].conformers);
    const int parents = find_distinct(&w, &population, most);
    FOR_EACH_ITEM(k, population.poses - parents)
    {
        make_child(&population, parents, parents + k, FIRST_DRAW(generation));
    }
}

/* What a work-group works on in mapped_generation. */
struct mapped_poses {
    constant struct berth_device_mapped *settings;
    global const struct berth_device_conformer *conformer;
    struct walls walls;
    int count; /* of lanes that have a pose, or below 1; the others work on the last pose */
    int generation, freedoms;
    bool closes;             /* the search, by this generation */
    whole numbers;           /* of the poses */
    real spent;              /* evaluations */
    struct rows kept, best;  /* where each stands, and the lowest that it has been */
    struct parts kept_parts; /* the energies of these */
    struct parts best_parts;
};

static struct mapped_poses poses_of_group(constant struct berth_device_mapped *settings,
                                          global const struct berth_device_conformer *conformer,
                                          int generation, const struct flexible *flexible)
{
    const int first = (int)get_group_id(0) * BERTH_POSE_LANES;
    const int all = poses_of(settings, conformer);
    const struct mapped_poses poses = {.settings = settings,
                                       .conformer = conformer,
                                       .walls = walls_of(flexible, HALF_EDGES(settings)),
                                       .count = min(all - first, BERTH_POSE_LANES),
                                       .generation = generation,
                                       .freedoms = BERTH_REFINE_FREEDOMS(flexible->torsions),
                                       .closes = generation > 0 && generation == settings->last,
                                       .numbers = min(count_from(first), (whole)(all - 1))};
    return poses;
}

/* trial = where the generation begins: a random pose, or a change of where it stands; or,
 * where it closes the search, the lowest that the pose has been, as it is. */
static void begin_generation(global const struct berth_device_place *places,
                             const struct scratch *w, const struct flexible *flexible,
                             struct mapped_poses *poses)
{
    const int words = poses->freedoms + 1, number = FIRST_DRAW(poses->generation);
    const bool first = poses->generation == 0;
    poses->kept_parts = no_parts();
    poses->kept_parts.of[0] = INFINITY;
    poses->best_parts = poses->kept_parts;
    poses->spent = 0;
    whole born = (whole)(0) == 0, anew = born;
    if (!first) {
        const struct rows *from = poses->closes ? &poses->best : &poses->kept;
        load_points(from, w->kept, words);
        load_points(&poses->best, w->best, words);
        poses->kept_parts = load_parts(from);
        poses->best_parts = load_parts(&poses->best);
        poses->spent = load_word(&poses->best, BERTH_ROW_SPENT);
        born = poses->kept_parts.of[0] == INFINITY;
        anew = born && load_word(from, BERTH_ROW_BORN) == BERTH_BORN_ANEW;
    }
    group_barrier();
    const struct hop drawn =
        draw_mapped_hop(poses->settings, poses->conformer, poses->numbers, (whole)(number + BEGIN));
    if (!first) {
        hop_away(w, poses->freedoms, !anew, &drawn);
        group_barrier();
        const real by = born ? CHILD_CHANGE * drawn.what[2] : (real)(1);
        make_trial(w, &poses->walls, poses->closes ? (real)(0) : by, poses->freedoms);
    }
    draw_trial(w, poses->settings, poses->conformer, poses->numbers, number, anew);
#ifdef BERTH_RESTRAINED
    start_on_core(places, w, flexible, poses->walls.half_edges, poses->numbers, anew);
#endif
}

/* Notes where hops have led: the lowest pose, and by the Metropolis rule the one to go on from, for
 * the poses whose hop has ended.  Its temperature is a share of the energy, so that it suits any
 * scoring function and ligand; where the generation closes the search it is 0. */
static void note_mapped_hop(const struct scratch *w, const struct descent *descent, whole ended,
                            real unit, struct mapped_poses *poses)
{
    const real energy = total(&descent->parts), stands = total(&poses->kept_parts);
    const whole lowest = ended && energy < total(&poses->best_parts);
    choose_parts(lowest, &descent->parts, &poses->best_parts);
    copy_where(lowest, w->point, w->best, poses->freedoms + 1);
    const real temperature = poses->settings->temperature * max(fabs(stands), (real)(ENERGY_LEAST));
    const whole uphill = !poses->closes && unit < native_exp((stands - energy) / temperature);
    const whole taken = ended && (energy <= stands || uphill);
    choose_parts(taken, &descent->parts, &poses->kept_parts);
    copy_where(taken, w->point, w->kept, poses->freedoms + 1);
}

/* How far the poses have got in a generation. */
struct hops {
    int most;     /* descents of each */
    int each;     /* evaluations of a descent, at most */
    whole number; /* those that have ended */
    whole left;   /* evaluations that the descent may still take */
};

/* Where a descent has ended, notes where it led and begins the next one; false where none is left
 * to do. */
static bool hop_on(const struct scratch *w, struct mapped_poses *poses, struct descent *descent,
                   struct hops *hops)
{
    const whole ended = hops->number < hops->most && (descent->ends || hops->left <= 0);
    if (!ANY_POSE(ended)) {
        return true;
    }
    hops->number += ended ? (whole)(1) : (whole)(0);
    const struct hop drawn = draw_mapped_hop(poses->settings, poses->conformer, poses->numbers,
                                             FIRST_DRAW(poses->generation) + BEGIN + hops->number);
    note_mapped_hop(w, descent, ended, drawn.what[1], poses);
    if (!ANY_POSE(hops->number < hops->most)) {
        return false;
    }
    group_barrier();
    const whole goes_on = ended && hops->number < hops->most;
    hop_away(w, poses->freedoms, goes_on, &drawn);
    begin_descent(goes_on, true, descent);
    hops->left = goes_on ? (whole)(hops->each) : hops->left;
    return true;
}

/* Work-groups that a multiprocessor is to have at a time, where the compiler can be told: 26 of a
 * warp leave 72 registers to a work-item.  A search on an H200 took 1.170 s with them, 1.171 s with
 * 28, 1.181 s with 24 and 22 (80, 88 registers), 1.222 s with 20 (96).  With restraints
 * one on an H100 took 1.71 s with 20, 1.77 s with 24, 1.87 s with 28. */
#ifdef BERTH_RESTRAINED
#define RESIDENT_GROUPS (20 * 32 / BERTH_REFINE_WGSIZE)
#else
#define RESIDENT_GROUPS (26 * 32 / BERTH_REFINE_WGSIZE)
#endif

/* In a generation that closes the search a descent may take so many times the evaluations of
 * others, many of which stop before they are at the bottom: what is chosen by its energy should be
 * there. */
#define LONGER 2

/* One generation: a pose is changed, goes downhill, and goes on from there or from where it was, by
 * the Metropolis rule, the more often the more torsions it has.  In generation zero it is drawn
 * first; in one that closes the search it goes on from the lowest that it has been, and nowhere
 * uphill.
 *
 * kept, best: [conformer][pose][row]: where each pose stands, and the lowest that it has been; a
 * work-group has one pose, or one in each lane; global size (work-groups x BERTH_REFINE_WGSIZE,
 * conformers: by size, from number first on).
 * listed: there is room for the list of pairs; memory: BERTH_SCRATCH_REALS, BERTH_SCRATCH_WORDS,
 * and then BERTH_PAIR_MEMORY. */
kernel __attribute__((reqd_work_group_size(BERTH_REFINE_WGSIZE, 1, 1)))
BERTH_MINIMUM_GROUPS(BERTH_REFINE_WGSIZE, RESIDENT_GROUPS) void mapped_generation(
    global const float *restrict pairs, int types, constant struct berth_device_grid *restrict grid,
    global const uint2 *restrict points,
    global const struct berth_device_conformer *restrict conformers,
    global const struct berth_device_atom *restrict ligand_atoms, global const int *restrict words,
    constant struct berth_device_mapped *restrict settings, int generation, int first, int listed,
    global float *restrict kept, global float *restrict best,
    global const struct berth_device_place *restrict places, local float4 *memory)
{
    const size_t c = (size_t)conformers[first + get_global_id(1)].sized;
    const size_t row = c * settings->poses * settings->row;
    const struct mapped_receptor receptor = {{points, grid}, {pairs, types}, places};
    const struct flexible flexible = flexible_of(conformers + c, ligand_atoms, words);
    struct room room = {(local float *)memory};
    const struct scratch w = lay_out(&room, &flexible);
    struct mapped_poses poses = poses_of_group(settings, conformers + c, generation, &flexible);
    poses.kept = (struct rows){kept + row, settings->row, poses.numbers};
    poses.best = (struct rows){best + row, settings->row, poses.numbers};
    load_atoms(&w, &flexible);
    weigh_freedoms(&w, &flexible, conformers[c].inertia);
    const struct pair_list list = list_pairs(&receptor.pairs, &flexible, listed != 0, &room);
    begin_generation(places, &w, &flexible, &poses);
    struct descent descent = new_descent();
    struct hops hops = {.most = clamp(HOPS_OF(settings->hops, flexible.torsions), 1, HOPS_MOST - 1),
                        .each = settings->evaluations * (poses.closes ? LONGER : 1),
                        .number = 0};
    hops.left = hops.each;
    for (;;) {
        const struct parts parts = evaluate_on_maps(&receptor, &w, &flexible, &list);
        hops.left -= 1;
        poses.spent += hops.number < hops.most ? (real)(1) : (real)(0);
        decide(&w, poses.freedoms, &parts, &descent);
        go(&w, &poses.walls, poses.freedoms, &descent);
        /* where another conformer of the launch has more poses: one evaluation, which is not
         * stored; a return in front of barriers is not for every compiler */
        if (!hop_on(&w, &poses, &descent, &hops) || poses.count < 1) {
            break;
        }
        group_barrier();
        make_trial(&w, &poses.walls, descent.length, poses.freedoms);
    }
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    store_points(w.kept, &poses.kept, poses.count, poses.freedoms + 1);
    store_points(w.best, &poses.best, poses.count, poses.freedoms + 1);
    store_parts(&poses.kept_parts, poses.spent, &poses.kept, poses.count);
    store_parts(&poses.best_parts, poses.spent, &poses.best, poses.count);
}

static int spent_on(const struct mapped_population *population)
{
    int spent = 0;
    for (int i = 0; i < population->poses; i++) {
        spent += (int)row_of(population, i)[BERTH_ROW_SPENT];
    }
    return spent;
}

/* Chooses of each conformer's population the lowest poses that are distinct, and some beside them
 * (BERTH_DISTINCT_OF), to be refined; one work-group a conformer, global size (BERTH_REFINE_WGSIZE,
 * conformers).  placed: float [conformers][kept][3][atoms_most]; sorted: int [conformers][poses];
 * order: int [poses]. */
kernel __attribute__((reqd_work_group_size(BERTH_REFINE_WGSIZE, 1, 1))) void mapped_choose(
    global const struct berth_device_conformer *restrict conformers,
    global const struct berth_device_atom *restrict ligand_atoms, global const int *restrict words,
    constant struct berth_device_mapped *restrict settings, global float *restrict best,
    global int *restrict counts, global struct berth_device_refined *refined, global float *placed,
    int atoms_most, global int *sorted, local int *order, local float4 *memory)
{
    const size_t c = get_global_id(1);
    const struct mapped_population population = {settings,
                                                 conformers + c,
                                                 flexible_of(conformers + c, ligand_atoms, words),
                                                 poses_of(settings, conformers + c),
                                                 best + c * settings->poses * settings->row,
                                                 placed + c * settings->kept * 3 * atoms_most,
                                                 sorted + c * settings->poses,
                                                 order};
    global struct berth_device_refined *chosen = refined + c * settings->kept;
    const int torsions = population.flexible.torsions;
    struct room room = {(local float *)memory};
    const struct scratch w = lay_out(&room, &population.flexible);
    load_atoms(&w, &population.flexible);
    const int most = BERTH_KEPT_OF(settings->kept, conformers[c].conformers);
    const bool closes = settings->last > 0;
    int count = find_distinct(&w, &population, BERTH_DISTINCT_OF(most, closes));
    if (closes) {
        count = add_nearby(&w, &population, count, most);
    }
    for (int k = 0; k < count; k++) {
        const struct rows rows = {population.rows, settings->row, order[k]};
        load_points(&rows, w.trial, POINT_WORDS(torsions));
        group_barrier();
        store_point(w.trial, torsions, chosen + k);
        group_barrier();
    }
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    FOR_EACH_ITEM(k, settings->kept)
    {
        chosen[k].evaluations = k < count ? 0 : -1;
    }
    if (get_local_id(0) == 0) {
        counts[c] = count;
        chosen->evaluations += count ? spent_on(&population) : 0;
    }
}
