/* The search on maps: Evolutionary Monte Carlo over translation, rotation and torsions, in which
 * every pose goes downhill before it is judged (a memetic algorithm).  A work-group works on one
 * pose; its arithmetic is that of refinement (flexible.cl, descent.cl). */

/* 1/Å: kinks of the energy inside a ligand are so sharp in gradients. */
#define SHARP 100.0f

/* The energies of ligand atoms that are far from each other in terms of bonds.  On a GPU an item
 * has pairs, each once, and leaves their forces for the atoms to gather; on a CPU an atom meets all
 * others, a vector of them at a time. */
struct pair_list {
    int count, most, types;
    local int *pairs;       /* [count] */
    local ushort *entries;  /* [most][atoms] */
    local float *constants; /* [types][types][BERTH_PAIR_CONSTANTS] */
    local float *forces;    /* [3][count]: on the first atom, kJ/mol/Å */
};

/* Copies a ligand's pairs to local memory: BERTH_PAIR_MEMORY, and their constants; memory 0: there
 * is no room for them, and an atom meets all others on a GPU, too. */
static struct pair_list list_pairs(global const struct berth_device_pair *table, int columns,
                                   const struct flexible *flexible, local float *memory)
{
    global const int *words =
        flexible->words + BERTH_FLEXIBLE_PAIRS(flexible->torsions, flexible->atoms);
    struct pair_list list = {.count = 0};
#if BERTH_VECTOR_WIDTH == 1
    if (memory && flexible->torsions) {
        list.count = words[0];
        list.most = words[1];
        list.types = words[2];
    }
    global const int *types = words + 3, *pairs = types + list.types;
    const int entries = list.most * flexible->atoms;
    list.pairs = (local int *)take(&memory, list.count);
    list.forces = take(&memory, 3 * list.count);
    list.entries = (local ushort *)take(&memory, (entries + 1) / 2);
    list.constants = memory;
    FOR_EACH_ITEM(k, list.count)
    {
        list.pairs[k] = pairs[k];
    }
    FOR_EACH_ITEM(k, entries)
    {
        list.entries[k] = (ushort)pairs[list.count + k];
    }
    FOR_EACH_ITEM(k, list.types * list.types)
    {
        float constants[BERTH_PAIR_CONSTANTS];
        spread_constants(table + types[k / list.types] * columns + types[k % list.types],
                         constants);
        for (int c = 0; c < BERTH_PAIR_CONSTANTS; c++) {
            list.constants[k * BERTH_PAIR_CONSTANTS + c] = constants[c];
        }
    }
    group_barrier();
#endif
    return list;
}

#if BERTH_VECTOR_WIDTH == 1
/* In front of a loop, where items share the work, as on a GPU; a CPU's compiler warns that it
 * cannot. */
#if BERTH_REFINE_WGSIZE > 1
#define UNROLLED(times) BERTH_PRAGMA(unroll times)
#else
#define UNROLLED(times)
#endif

static float add_pairs(const struct scratch *w, const struct flexible *flexible,
                       const struct pair_list *list)
{
    const int atoms = flexible->atoms, lanes = flexible->lanes, count = list->count;
    local float *forces = list->forces;
    float energy = 0;
    UNROLLED(2) for (int k = (int)get_local_id(0); k < count; k += BERTH_REFINE_WGSIZE)
    {
        const uint pair = (uint)list->pairs[k];
        const int first = pair & 1023, second = pair >> 10 & 1023;
        float constants[BERTH_PAIR_CONSTANTS], slope;
        for (int c = 0; c < BERTH_PAIR_CONSTANTS; c++) {
            constants[c] = list->constants[(pair >> 20) * BERTH_PAIR_CONSTANTS + c];
        }
        const float3 apart = position(w->placed, lanes, first) - position(w->placed, lanes, second);
        const float square = limited(dot(apart, apart)), inverse = inverse_root(square);
        energy += pair_energy_slope(square * inverse, constants, &slope);
        slope *= inverse;
        forces[k] = slope * apart.x;
        forces[count + k] = slope * apart.y;
        forces[2 * count + k] = slope * apart.z;
    }
    group_barrier();
    FOR_EACH_ITEM(i, atoms)
    {
        float3 sum = 0;
        UNROLLED(4) for (int e = 0; e < list->most; e++)
        {
            const int entry = list->entries[e * atoms + i];
            const int pair = entry == BERTH_NO_PAIR ? 0 : entry >> 1;
            const float sign = entry == BERTH_NO_PAIR ? 0 : entry & 1 ? -1 : 1;
            sum.x = fma(sign, forces[pair], sum.x);
            sum.y = fma(sign, forces[count + pair], sum.y);
            sum.z = fma(sign, forces[2 * count + pair], sum.z);
        }
        w->slopes[i] += sum.x;
        w->slopes[lanes + i] += sum.y;
        w->slopes[2 * lanes + i] += sum.z;
    }
    return energy;
}
#endif

/* Adds the slopes of the lanes with the ligand's other atoms that are far from them.  Returns the
 * energies. */
static vector add_inner_forces(const struct sloped_receptor *receptor, const struct scratch *w,
                               const struct flexible *flexible, const struct lanes *lanes,
                               struct map_value *value)
{
    struct forces inner;
    clear_forces(&inner);
    add_ligand_forces(receptor, w, flexible, lanes, SHARP, &inner);
    vector energy = 0;
    for (int t = 0; t < BERTH_TERMS; t++) {
        energy += inner.terms[t];
    }
    value->x += inner.x;
    value->y += inner.y;
    value->z += inner.z;
    return energy;
}

/* What the search knows of receptor and forcefield. */
struct mapped_receptor {
    struct maps maps;
    struct sloped_receptor pairs; /* without atoms */
};

/* The parts of an energy that is known as two: of the maps, and of the ligand with itself. */
static struct parts parts_of(float outer, float inner)
{
    struct parts parts = no_parts();
    parts.terms[0] = outer;
    parts.inner = inner;
    return parts;
}

/* The energy of the trial pose, and next_gradient. */
static struct parts evaluate_on_maps(const struct mapped_receptor *receptor,
                                     const struct scratch *w, const struct flexible *flexible,
                                     const struct pair_list *list)
{
    const int lanes = flexible->lanes;
    make_turns(w, flexible);
    place_atoms(w, flexible);
    float outer = 0, inner = 0;
    for (int i = (int)get_local_id(0) * BERTH_VECTOR_WIDTH; i < lanes;
         i += BERTH_REFINE_WGSIZE * BERTH_VECTOR_WIDTH) {
        const struct lanes mine = {VECTOR_LOAD(w->placed + i), VECTOR_LOAD(w->placed + lanes + i),
                                   VECTOR_LOAD(w->placed + 2 * lanes + i), w->types + i, i};
        const ivector there = count_from(i) < flexible->atoms;
        const vector zero = 0;
        const struct point at = {there ? mine.x : zero, mine.y, mine.z};
        struct map_value value = look_up(&receptor->maps, at, w->types + i);
        outer += sum_lanes(there ? value.energy : zero);
        if (flexible->torsions && !list->count) {
            inner +=
                0.5f * sum_lanes(add_inner_forces(&receptor->pairs, w, flexible, &mine, &value));
        }
        VECTOR_STORE(there ? value.x : zero, w->slopes + i);
        VECTOR_STORE(there ? value.y : zero, w->slopes + lanes + i);
        VECTOR_STORE(there ? value.z : zero, w->slopes + 2 * lanes + i);
    }
#if BERTH_VECTOR_WIDTH == 1
    group_barrier();
    inner += list->count ? add_pairs(w, flexible, list) : 0;
#endif
    local float *energies = w->energies + 2 * get_local_id(0);
    energies[0] = outer;
    energies[1] = inner;
#ifdef BERTH_BREAK_INNER
    energies[1] *= 1.1f;
#endif
    group_barrier();
    FOR_EACH_ITEM(k, 2)
    {
        float sum = 0;
        for (int i = 0; i < BERTH_REFINE_WGSIZE; i++) {
            sum += w->energies[2 * i + k];
        }
        w->totals[k] = sum;
    }
    find_gradient(w, flexible);
    const struct parts parts = parts_of(w->totals[0], w->totals[1]);
    group_barrier();
    return parts;
}

/* Random numbers of a pose come in draws, a number of them for each generation of the published
 * search.  Here a pose that begins anew takes BEGIN of these, and each hop takes one. */
#define BEGIN                  2
#define HOPS_MOST              1024
#define FIRST_DRAW(generation) ((generation) * (BEGIN + HOPS_MOST))

static float4 draw_floats(constant struct berth_device_mapped *settings,
                          global const struct berth_device_conformer *conformer, int pose,
                          int number, int draw)
{
    const uint2 seed = (uint2)(settings->seed_low, settings->seed_high);
    return first_units(draw_units(seed, conformer, number + draw / BERTH_DRAWS_PER_GENERATION, pose,
                                  draw % BERTH_DRAWS_PER_GENERATION));
}

/* trial = a random pose: anywhere in the site, turned anyhow (K. Shoemake, Graphics Gems III
 * (1992) 124), all torsions too. */
static void draw_trial(const struct scratch *w, constant struct berth_device_mapped *settings,
                       global const struct berth_device_conformer *conformer, int pose, int number)
{
    FOR_EACH_ITEM(t, w->torsions)
    {
        const float4 drawn = draw_floats(settings, conformer, pose, number, 2 + t / 4);
        const float unit = t % 4 == 0   ? drawn.x
                           : t % 4 == 1 ? drawn.y
                           : t % 4 == 2 ? drawn.z
                                        : drawn.w;
        w->trial[POINT_ANGLES + t] = (unit - 0.5f) * BERTH_FULL_TURN;
    }
    if (get_local_id(0) == 0) {
        const float4 where = draw_floats(settings, conformer, pose, number, 0);
        const float4 how = draw_floats(settings, conformer, pose, number, 1);
        w->trial[0] = (2 * where.x - 1) * settings->half_x;
        w->trial[1] = (2 * where.y - 1) * settings->half_y;
        w->trial[2] = (2 * where.z - 1) * settings->half_z;
        const float one = sqrt(1 - how.x), other = sqrt(how.x);
        w->trial[POINT_ROTATION] = one * sin(BERTH_FULL_TURN * how.y);
        w->trial[POINT_ROTATION + 1] = one * cos(BERTH_FULL_TURN * how.y);
        w->trial[POINT_ROTATION + 2] = other * sin(BERTH_FULL_TURN * how.z);
        w->trial[POINT_ROTATION + 3] = other * cos(BERTH_FULL_TURN * how.z);
    }
    group_barrier();
}

static struct hop draw_mapped_hop(constant struct berth_device_mapped *settings,
                                  global const struct berth_device_conformer *conformer, int pose,
                                  int number)
{
    const struct hop drawn = {draw_floats(settings, conformer, pose, number, 0),
                              draw_floats(settings, conformer, pose, number, 1)};
    return drawn;
}

static void load_row(global const float *row, local float *point, int words)
{
    FOR_EACH_ITEM(k, words)
    {
        point[k] = row[BERTH_ROW_POINT + k];
    }
}

static struct parts load_parts(global const float *row)
{
    return parts_of(row[BERTH_ROW_ENERGY] - row[BERTH_ROW_INNER], row[BERTH_ROW_INNER]);
}

static void store_row(local const float *point, const struct parts *parts, global float *row,
                      int words)
{
    FOR_EACH_ITEM(k, words)
    {
        row[BERTH_ROW_POINT + k] = point[k];
    }
    if (get_local_id(0) == 0) {
        row[BERTH_ROW_ENERGY] = total(parts);
        row[BERTH_ROW_INNER] = parts->inner;
    }
}

/* Mean square distance (Å²) between the atoms in two sets of planes; all work-items get it. */
static float mean_square_apart(const struct scratch *w, local const float *a, local const float *b,
                               const struct flexible *flexible)
{
    const int lanes = flexible->lanes;
    float sum = 0;
    FOR_EACH_ITEM(i, flexible->atoms)
    {
        const float3 apart = position(a, lanes, i) - position(b, lanes, i);
        sum += dot(apart, apart);
    }
    w->energies[get_local_id(0)] = sum;
    group_barrier();
    sum = 0;
    ROLLED for (int i = 0; i < BERTH_REFINE_WGSIZE; i++)
    {
        sum += w->energies[i];
    }
    group_barrier();
    return sum / flexible->atoms;
}

/* placed = the atoms of the pose in a row. */
static void place_row(const struct scratch *w, const struct flexible *flexible,
                      global const float *row)
{
    load_row(row, w->trial, POINT_WORDS(flexible->torsions));
    group_barrier();
    make_turns(w, flexible);
    place_atoms(w, flexible);
}

/* The poses of a conformer, and their order: parents first. */
struct mapped_population {
    constant struct berth_device_mapped *settings;
    global const struct berth_device_conformer *conformer;
    struct flexible flexible;
    global float *rows; /* [poses][row] */
    local int *order;   /* [poses] */
};

static global float *row_of(const struct mapped_population *population, int number)
{
    return population->rows + (size_t)number * population->settings->row;
}

/* The row of the next higher energy than that of row `last` (-1: of the lowest); equal ones in
 * their order; -1: there is none. */
static int next_row(const struct mapped_population *population, int last)
{
    const float above = last < 0 ? -INFINITY : *row_of(population, last);
    float lowest = INFINITY;
    int found = -1;
    for (int i = 0; i < population->settings->poses; i++) {
        const float energy = *row_of(population, i);
        const bool later = energy > above || (energy == above && i > last);
        if (later && energy < lowest) {
            lowest = energy;
            found = i;
        }
    }
    return found;
}

/* True where the row's pose is near one of the rows order[0 .. count - 1]. */
static bool is_near(const struct scratch *w, const struct mapped_population *population, int row,
                    int count)
{
    const float distinct = population->settings->distinct;
    place_row(w, &population->flexible, row_of(population, row));
    copy_words(w->placed, w->slopes, 3 * population->flexible.lanes);
    group_barrier();
    bool near = false;
#ifdef BERTH_BREAK_DISTINCT
    count = 0;
#endif
    for (int k = 0; k < count && !near; k++) {
        place_row(w, &population->flexible, row_of(population, population->order[k]));
        near =
            mean_square_apart(w, w->placed, w->slopes, &population->flexible) < distinct * distinct;
    }
    return near;
}

/* Orders the rows: the lowest poses that are distinct first, at most `most`, which are counted; the
 * others behind them, those without a finite energy last. */
static int find_distinct(const struct scratch *w, const struct mapped_population *population,
                         int most)
{
    const int poses = population->settings->poses;
    int count = 0, others = 0;
    for (int row = next_row(population, -1); row >= 0; row = next_row(population, row)) {
        const bool near = count == most || is_near(w, population, row, count);
        group_barrier();
        if (get_local_id(0) == 0) {
            population->order[near ? poses - 1 - others : count] = row;
        }
        group_barrier();
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

/* Writes the child for row order[rank]: it has the place of one of the parents, the better ones
 * more often, and each torsion of that or of another one; or begins anew.  It has yet to go
 * downhill.  number: of its random numbers. */
static void make_child(const struct mapped_population *population, int parents, int rank,
                       int number)
{
    constant struct berth_device_mapped *settings = population->settings;
    const float4 who = draw_floats(settings, population->conformer, rank, number, 14);
    const float4 which = draw_floats(settings, population->conformer, rank, number, 15);
    const uint bits[2] = {(uint)(which.x * 0x1p24f), (uint)(which.y * 0x1p24f)};
    const bool anew = who.z < settings->fresh || parents == 0;
    global float *child = row_of(population, population->order[rank]);
    child[BERTH_ROW_ENERGY] = INFINITY;
    child[BERTH_ROW_INNER] = anew ? BERTH_BORN_ANEW : BERTH_BORN_CHILD;
    if (anew) {
        return;
    }
    const int better = (int)(who.x * who.x * parents), any = (int)(who.y * parents);
    global const float *a = row_of(population, population->order[better]);
    global const float *b = row_of(population, population->order[any]);
#ifdef BERTH_BREAK_CHILD
    child[BERTH_ROW_POINT] += 1;
    return;
#endif
    for (int k = 0; k < POINT_WORDS(population->flexible.torsions); k++) {
        const bool first = k < POINT_ANGLES || (bits[k & 1] >> (k / 2 % 24) & 1);
        child[BERTH_ROW_POINT + k] = (first ? a : b)[BERTH_ROW_POINT + k];
    }
}

/* What is no parent gives way to a child.  The parents are the lowest poses that are distinct.  One
 * work-group a conformer, global size (BERTH_REFINE_WGSIZE, conformers).  order: int [poses]. */
kernel __attribute__((reqd_work_group_size(BERTH_REFINE_WGSIZE, 1, 1))) void
mapped_recombine(global const struct berth_device_conformer *restrict conformers,
                 global const struct berth_device_atom *restrict ligand_atoms,
                 global const int *restrict words,
                 constant struct berth_device_mapped *restrict settings, int generation,
                 global float *kept, local int *order, local float *memory)
{
    const size_t c = get_global_id(1);
    const struct mapped_population population = {settings, conformers + c,
                                                 flexible_of(conformers + c, ligand_atoms, words),
                                                 kept + c * settings->poses * settings->row, order};
    const struct scratch w = lay_out(memory, &population.flexible);
    load_atoms(&w, &population.flexible);
    const int parents = find_distinct(&w, &population, settings->parents);
    FOR_EACH_ITEM(k, settings->poses - parents)
    {
        make_child(&population, parents, parents + k, FIRST_DRAW(generation));
    }
}

/* What a work-group works on in mapped_generation. */
struct mapped_pose {
    constant struct berth_device_mapped *settings;
    global const struct berth_device_conformer *conformer;
    struct walls walls;
    int pose, generation, freedoms;
    struct parts kept, best; /* energies of where it stands, and of the lowest that it has been */
};

/* trial = where the generation begins: a random pose, or a change of where it stands. */
static void begin_generation(const struct scratch *w, global const float *kept,
                             global const float *best, struct mapped_pose *pose)
{
    const int words = pose->freedoms + 1, number = FIRST_DRAW(pose->generation);
    pose->kept = pose->best = parts_of(INFINITY, 0);
    if (pose->generation > 0) {
        load_row(kept, w->kept, words);
        load_row(best, w->best, words);
        pose->kept = load_parts(kept);
        pose->best = load_parts(best);
    }
    const bool born = pose->kept.terms[0] == INFINITY;
    group_barrier();
    if (pose->generation == 0 || (born && kept[BERTH_ROW_INNER] == BERTH_BORN_ANEW)) {
        draw_trial(w, pose->settings, pose->conformer, pose->pose, number);
        return;
    }
    const struct hop drawn =
        draw_mapped_hop(pose->settings, pose->conformer, pose->pose, number + BEGIN);
    hop_away(w, pose->freedoms, drawn);
    group_barrier();
    /* a child changes by less, so that it stays one of its parents' */
    make_trial(w, &pose->walls, born ? 0.25f * drawn.what.z : 1, pose->freedoms);
}

/* Notes where a hop has led: the lowest pose, and by the Metropolis rule the one to go on from. Its
 * temperature is a share of the energy, so that it suits any scoring function and ligand. */
static void note_mapped_hop(const struct scratch *w, const struct descent *descent, float unit,
                            struct mapped_pose *pose)
{
    const float energy = total(&descent->parts), stands = total(&pose->kept);
    if (energy < total(&pose->best)) {
        pose->best = descent->parts;
        copy_words(w->point, w->best, pose->freedoms + 1);
    }
#ifdef BERTH_BREAK_MAPPED_METROPOLIS
    unit = -1;
#endif
    const float temperature = pose->settings->temperature * max(fabs(stands), 1e-3f);
    if (energy <= stands || unit < native_exp((stands - energy) / temperature)) {
        pose->kept = descent->parts;
        copy_words(w->point, w->kept, pose->freedoms + 1);
    }
}

/* One generation of a pose: it is changed, goes downhill, and goes on from there or from where it
 * was, by the Metropolis rule, the more often the more torsions it has.  In generation zero it is
 * drawn first.
 *
 * kept, best: [conformer][pose][row]: where each pose stands, and the lowest that it has been; one
 * work-group a pose, global size (poses x BERTH_REFINE_WGSIZE, conformers: by size, from number
 * first on).
 * listed: on a GPU pairs are listed; memory: BERTH_REFINE_WORDS, and then what list_pairs takes. */
kernel __attribute__((reqd_work_group_size(BERTH_REFINE_WGSIZE, 1, 1))) void mapped_generation(
    global const struct berth_device_pair *restrict pairs,
    constant struct berth_device_site *restrict site,
    constant struct berth_device_grid *restrict grid, global const float2 *restrict energies,
    global const struct berth_device_conformer *restrict conformers,
    global const struct berth_device_atom *restrict ligand_atoms, global const int *restrict words,
    constant struct berth_device_mapped *restrict settings, int generation, int first, int listed,
    global float *restrict kept, global float *restrict best, local float *memory)
{
    const size_t c = (size_t)conformers[first + get_global_id(1)].sized;
    const size_t row = (c * settings->poses + get_group_id(0)) * settings->row;
    const struct mapped_receptor receptor = {{energies, grid}, {0, 0, 0, pairs, site}};
    const struct flexible flexible = flexible_of(conformers + c, ligand_atoms, words);
    const struct scratch w = lay_out(memory, &flexible);
    struct mapped_pose pose = {
        .settings = settings,
        .conformer = conformers + c,
        .walls = {(float3)(settings->half_x, settings->half_y, settings->half_z)},
        .pose = (int)get_group_id(0),
        .generation = generation,
        .freedoms = BERTH_REFINE_FREEDOMS(flexible.torsions)};
    load_atoms(&w, &flexible);
    weigh_freedoms(&w, &flexible, conformers[c].inertia);
    local float *room =
        memory + BERTH_REFINE_WORDS(flexible.lanes, flexible.torsions, BERTH_REFINE_WGSIZE);
    const struct pair_list list =
        list_pairs(pairs, site->pair_columns, &flexible, listed ? room : 0);
    begin_generation(&w, kept + row, best + row, &pose);
    const int hops = clamp(settings->hops * (4 + flexible.torsions) / 10, 1, HOPS_MOST - 1);
    const int number = FIRST_DRAW(generation) + BEGIN;
    struct descent descent = {.width = 1, .guesses = true, .begins = true};
    int hop = 0, left = settings->evaluations;
    for (;;) {
        const struct parts parts = evaluate_on_maps(&receptor, &w, &flexible, &list);
        left--;
        decide(&w, pose.freedoms, parts, &descent);
        go(&w, &pose.walls, pose.freedoms, &descent);
        if (descent.ends || left == 0) {
            hop++;
            const struct hop drawn =
                draw_mapped_hop(settings, pose.conformer, pose.pose, number + hop);
            note_mapped_hop(&w, &descent, drawn.what.y, &pose);
            if (hop == hops) {
                break;
            }
            group_barrier();
            hop_away(&w, pose.freedoms, drawn);
            descent = (struct descent){.width = 1, .guesses = true, .begins = true, .length = 1};
            left = settings->evaluations;
        }
        group_barrier();
        make_trial(&w, &pose.walls, descent.length, pose.freedoms);
    }
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    store_row(w.kept, &pose.kept, kept + row, pose.freedoms + 1);
    store_row(w.best, &pose.best, best + row, pose.freedoms + 1);
}

/* Chooses of each conformer's population the lowest poses that are distinct, to be refined; one
 * work-group a conformer, global size (BERTH_REFINE_WGSIZE, conformers). */
kernel __attribute__((reqd_work_group_size(BERTH_REFINE_WGSIZE, 1, 1))) void
mapped_choose(global const struct berth_device_conformer *restrict conformers,
              global const struct berth_device_atom *restrict ligand_atoms,
              global const int *restrict words,
              constant struct berth_device_mapped *restrict settings, global float *restrict best,
              global int *restrict counts, global struct berth_device_refined *refined,
              local int *order, local float *memory)
{
    const size_t c = get_global_id(1);
    const struct mapped_population population = {settings, conformers + c,
                                                 flexible_of(conformers + c, ligand_atoms, words),
                                                 best + c * settings->poses * settings->row, order};
    global struct berth_device_refined *chosen = refined + c * settings->kept;
    const int torsions = population.flexible.torsions;
    const struct scratch w = lay_out(memory, &population.flexible);
    load_atoms(&w, &population.flexible);
    const int count = find_distinct(&w, &population, settings->kept);
    for (int k = 0; k < count; k++) {
        load_row(row_of(&population, order[k]), w.trial, POINT_WORDS(torsions));
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
#ifdef BERTH_BREAK_MAPPED_CHOOSE
        chosen->angles[BERTH_TORSIONS - 1] = 1;
#endif
    }
}
