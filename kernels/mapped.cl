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

/* Copies a ligand's pairs to local memory: BERTH_PAIR_MEMORY, and their constants. */
static struct pair_list list_pairs(global const struct berth_device_pair *table, int columns,
                                   const struct flexible *flexible, local float *memory)
{
    global const int *words =
        flexible->words + BERTH_FLEXIBLE_PAIRS(flexible->torsions, flexible->atoms);
    struct pair_list list = {.count = 0};
#if BERTH_VECTOR_WIDTH == 1
    if (flexible->torsions) {
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
static float add_pairs(const struct scratch *w, const struct flexible *flexible,
                       const struct pair_list *list)
{
    const int atoms = flexible->atoms, lanes = flexible->lanes, count = list->count;
    local float *forces = list->forces;
    float energy = 0;
    BERTH_PRAGMA(unroll 2) for (int k = (int)get_local_id(0); k < count; k += BERTH_REFINE_WGSIZE)
    {
        const uint pair = (uint)list->pairs[k];
        const int first = pair & 1023, second = pair >> 10 & 1023;
        float constants[BERTH_PAIR_CONSTANTS], slope;
        for (int c = 0; c < BERTH_PAIR_CONSTANTS; c++) {
            constants[c] = list->constants[(pair >> 20) * BERTH_PAIR_CONSTANTS + c];
        }
        const float3 apart =
            position(w->placed, lanes, first) - position(w->placed, lanes, second);
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
        BERTH_PRAGMA(unroll 4) for (int e = 0; e < list->most; e++)
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
#else
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
#endif

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
#if BERTH_VECTOR_WIDTH > 1
        if (flexible->torsions) {
            inner += 0.5f * sum_lanes(add_inner_forces(&receptor->pairs, w, flexible, &mine, &value));
        }
#endif
        VECTOR_STORE(there ? value.x : zero, w->slopes + i);
        VECTOR_STORE(there ? value.y : zero, w->slopes + lanes + i);
        VECTOR_STORE(there ? value.z : zero, w->slopes + 2 * lanes + i);
    }
#if BERTH_VECTOR_WIDTH == 1
    group_barrier();
    inner = flexible->torsions ? add_pairs(w, flexible, list) : 0;
#endif
    local float *energies = w->energies + 2 * get_local_id(0);
    energies[0] = outer;
    energies[1] = inner;
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

/* Draws of generation zero: it has two generations' numbers. */
#define GENERATIONS_OF_ZERO 2

/* trial = a random pose: anywhere in the site, turned anyhow (K. Shoemake, Graphics Gems III
 * (1992) 124), all torsions too. */
static void draw_trial(const struct scratch *w, constant struct berth_device_mapped *settings,
                       global const struct berth_device_conformer *conformer, int pose,
                       int torsions)
{
    const uint2 seed = (uint2)(settings->seed_low, settings->seed_high);
    FOR_EACH_ITEM(t, torsions)
    {
        const int draw = 2 + t / 4;
        const float4 drawn = first_units(draw_units(seed, conformer, draw / BERTH_DRAWS_PER_GENERATION, pose, draw % BERTH_DRAWS_PER_GENERATION));
        const float units[4] = {drawn.x, drawn.y, drawn.z, drawn.w};
        w->trial[POINT_ANGLES + t] = (units[t % 4] - 0.5f) * BERTH_FULL_TURN;
    }
    if (get_local_id(0) == 0) {
        const float4 where = first_units(draw_units(seed, conformer, 0, pose, 0));
        const float4 how = first_units(draw_units(seed, conformer, 0, pose, 1));
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
    const uint2 seed = (uint2)(settings->seed_low, settings->seed_high);
    const int generation = GENERATIONS_OF_ZERO + number;
    const struct hop drawn = {first_units(draw_units(seed, conformer, generation, pose, 0)),
                              first_units(draw_units(seed, conformer, generation, pose, 1))};
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

static void store_row(local const float *point, struct parts parts, global float *row, int words)
{
    FOR_EACH_ITEM(k, words)
    {
        row[BERTH_ROW_POINT + k] = point[k];
    }
    if (get_local_id(0) == 0) {
        row[BERTH_ROW_ENERGY] = total(&parts);
        row[BERTH_ROW_INNER] = parts.inner;
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
    ROLLED for (int i = 0; i < BERTH_REFINE_WGSIZE; i++) {
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

/* The row of the next higher energy than that of row `last` (-1: of the lowest); equal ones in
 * their order; -1: there is none. */
static int next_row(global const float *rows, constant struct berth_device_mapped *settings,
                    int last)
{
    const float above = last < 0 ? -INFINITY : rows[(size_t)last * settings->row];
    float lowest = INFINITY;
    int found = -1;
    for (int i = 0; i < settings->poses; i++) {
        const float energy = rows[(size_t)i * settings->row];
        const bool later = energy > above || (energy == above && i > last);
        if (later && energy < lowest) {
            lowest = energy;
            found = i;
        }
    }
    return found;
}

/* True where the row's pose is near one of the rows order[0 .. count - 1]. */
static bool is_chosen(const struct scratch *w, const struct flexible *flexible,
                      constant struct berth_device_mapped *settings, global const float *rows,
                      int row, local const int *order, int count)
{
    place_row(w, flexible, rows + (size_t)row * settings->row);
    copy_words(w->placed, w->slopes, 3 * flexible->lanes);
    group_barrier();
    bool same = false;
    for (int k = 0; k < count && !same; k++) {
        place_row(w, flexible, rows + (size_t)order[k] * settings->row);
        same = mean_square_apart(w, w->placed, w->slopes, flexible) <
               settings->distinct * settings->distinct;
    }
    return same;
}

/* Finds the lowest poses that are distinct: rows order[0 .. count - 1], at most `most`; the others
 * follow behind them. */
static int find_distinct(const struct scratch *w, const struct flexible *flexible,
                         constant struct berth_device_mapped *settings, global const float *rows,
                         int most, local int *order)
{
    int count = 0, others = 0;
    for (int row = next_row(rows, settings, -1); row >= 0; row = next_row(rows, settings, row)) {
        const bool same = count == most || is_chosen(w, flexible, settings, rows, row, order, count);
        group_barrier();
        if (get_local_id(0) == 0) {
            order[same ? settings->poses - 1 - others : count] = row;
        }
        group_barrier();
        count += !same;
        others += same;
    }
    return count;
}

/* What is no parent gives way to a child of two of them: it has the place of the one, and each
 * torsion of the one or the other; or begins anew at random.  It has yet to go downhill: its energy
 * is infinity.  The parents are the lowest poses that are distinct.  One work-group a conformer,
 * global size (BERTH_REFINE_WGSIZE, conformers).  order: int [poses]. */
kernel __attribute__((reqd_work_group_size(BERTH_REFINE_WGSIZE, 1, 1))) void
mapped_recombine(global const struct berth_device_conformer *restrict conformers,
                 global const struct berth_device_atom *restrict ligand_atoms,
                 global const int *restrict words,
                 constant struct berth_device_mapped *restrict settings, int generation,
                 global float *kept, local int *order, local float *memory)
{
    const size_t c = get_global_id(1);
    global const struct berth_device_conformer *conformer = conformers + c;
    global float *rows = kept + c * settings->poses * settings->row;
    const struct flexible flexible = flexible_of(conformer, ligand_atoms, words);
    const struct scratch w = lay_out(memory, &flexible);
    const int torsions = flexible.torsions;
    const uint2 seed = (uint2)(settings->seed_low, settings->seed_high);
    load_atoms(&w, &flexible);
    const int parents = find_distinct(&w, &flexible, settings, rows, settings->parents, order);
    FOR_EACH_ITEM(k, settings->poses - parents)
    {
        const int rank = parents + k, number = GENERATIONS_OF_ZERO + generation * settings->hops;
        const float4 who = first_units(draw_units(seed, conformer, number, rank, 2));
        const float4 which = first_units(draw_units(seed, conformer, number, rank, 3));
        const uint bits[2] = {(uint)(which.x * 0x1p24f), (uint)(which.y * 0x1p24f)};
        global const float *a = rows + (size_t)order[(int)(who.x * who.x * parents)] * settings->row;
        global const float *b = rows + (size_t)order[(int)(who.y * parents)] * settings->row;
        global float *child = rows + (size_t)order[rank] * settings->row;
        child[BERTH_ROW_ENERGY] = INFINITY;
        child[BERTH_ROW_INNER] = who.z < settings->fresh ? 1 : 0; /* XXX drawn anew */
        for (int t = 0; t < POINT_WORDS(torsions); t++) {
            const bool first = t < POINT_ANGLES || (bits[t & 1] >> (t / 2 % 24) & 1);
            child[BERTH_ROW_POINT + t] = (first ? a : b)[BERTH_ROW_POINT + t];
        }
    }
}

/* One generation of a pose: `hops` times it is changed, goes downhill, and goes on from there or
 * from where it was, by the Metropolis rule.  In generation zero it is drawn first.
 *
 * kept, best: [conformer][pose][row]: where each pose stands, and the lowest that it has been; one
 * work-group a pose, global size (poses x BERTH_REFINE_WGSIZE, conformers). */
kernel __attribute__((reqd_work_group_size(BERTH_REFINE_WGSIZE, 1, 1))) void
mapped_generation(global const struct berth_device_pair *restrict pairs,
                  constant struct berth_device_site *restrict site, constant struct berth_device_grid *restrict grid,
                  global const float2 *restrict energies,
                  global const struct berth_device_conformer *restrict conformers,
                  global const struct berth_device_atom *restrict ligand_atoms,
                  global const int *restrict words,
                  constant struct berth_device_mapped *restrict settings, int generation, int first,
                  global float *restrict kept, global float *restrict best, local float *memory)
{
    const int pose = (int)get_group_id(0);
    const size_t c = (size_t)first + get_global_id(1);
    const size_t row = (c * settings->poses + pose) * settings->row;
    global const struct berth_device_conformer *conformer = conformers + c;
    const struct mapped_receptor receptor = {{energies, grid}, {0, 0, 0, pairs, site}};
    const struct walls walls = {(float3)(settings->half_x, settings->half_y, settings->half_z)};
    const struct flexible flexible = flexible_of(conformer, ligand_atoms, words);
    const struct scratch w = lay_out(memory, &flexible);
    load_atoms(&w, &flexible);
    weigh_freedoms(&w, &flexible, conformer->inertia);
const struct pair_list list =
        list_pairs(pairs, site->pair_columns, &flexible,
                   memory + BERTH_REFINE_WORDS(flexible.lanes, flexible.torsions,
                                               BERTH_REFINE_WGSIZE));

    const int freedoms = BERTH_REFINE_FREEDOMS(flexible.torsions);
    struct parts kept_parts = parts_of(INFINITY, 0), best_parts = kept_parts;
    int hop = 0;
    const bool anew = generation == 0 || (kept[row] == INFINITY && kept[row + BERTH_ROW_INNER] == 1);
    struct hop drawn = draw_mapped_hop(settings, conformer, pose, generation * settings->hops);
    if (anew) {
        draw_trial(&w, settings, conformer, pose + generation * 65536, flexible.torsions);
        if (generation) best_parts = load_parts(best + row);
        if (generation) load_row(best + row, w.best, freedoms + 1);
    } else {
        load_row(kept + row, w.kept, freedoms + 1);
        load_row(best + row, w.best, freedoms + 1);
        kept_parts = load_parts(kept + row);
        best_parts = load_parts(best + row);
        group_barrier();
        const bool born = kept_parts.terms[0] == INFINITY;
        hop_away(&w, freedoms, drawn);
        group_barrier();
        make_trial(&w, &walls, born ? 0.25f * drawn.what.z : 1, freedoms);
    }
    int left = settings->evaluations;
    struct descent descent = {.width = 1, .guesses = true, .begins = true};
    for (;;) {
        const struct parts parts = evaluate_on_maps(&receptor, &w, &flexible, &list);
        left--;
        decide(&w, freedoms, parts, &descent);
        go(&w, &walls, freedoms, &descent);
        if (descent.ends || left == 0) {
            const float energy = total(&descent.parts);
            if (energy < total(&best_parts)) {
                best_parts = descent.parts;
                copy_words(w.point, w.best, freedoms + 1);
            }
            if (drawn.what.y <
                native_exp((total(&kept_parts) - energy) / settings->temperature)) {
                kept_parts = descent.parts;
                copy_words(w.point, w.kept, freedoms + 1);
            }
            if (++hop == settings->hops) {
                break;
            }
            group_barrier();
            drawn = draw_mapped_hop(settings, conformer, pose, generation * settings->hops + hop);
            hop_away(&w, freedoms, drawn);
            descent = (struct descent){.width = 1, .guesses = true, .begins = true, .length = 1};
            left = settings->evaluations;
        }
        group_barrier();
        make_trial(&w, &walls, descent.length, freedoms);
    }
    group_barrier();
    store_row(w.kept, kept_parts, kept + row, freedoms + 1);
    store_row(w.best, best_parts, best + row, freedoms + 1);
}

static void store_chosen(const struct scratch *w, int torsions,
                         global struct berth_device_refined *chosen)
{
    FOR_EACH_ITEM(t, BERTH_TORSIONS)
    {
        chosen->angles[t] = t < torsions ? w->trial[POINT_ANGLES + t] : 0;
    }
    if (get_local_id(0) == 0) {
        struct pose pose;
        load_rotation(w->trial + POINT_ROTATION, &pose.rotation);
        pose.shift.x = w->trial[0];
        pose.shift.y = w->trial[1];
        pose.shift.z = w->trial[2];
        store_poses(pose, chosen->transform, 1, 0);
    }
}

/* Chooses of each conformer's population the lowest poses that are distinct, to be refined; one
 * work-group a conformer, global size (BERTH_REFINE_WGSIZE, conformers). */
kernel __attribute__((reqd_work_group_size(BERTH_REFINE_WGSIZE, 1, 1))) void
mapped_choose(global const struct berth_device_conformer *restrict conformers,
              global const struct berth_device_atom *restrict ligand_atoms,
              global const int *restrict words,
              constant struct berth_device_mapped *restrict settings,
              global const float *restrict best, global int *restrict counts,
              global struct berth_device_refined *refined, local int *order, local float *memory)
{
    const size_t c = get_global_id(1);
    global const struct berth_device_conformer *conformer = conformers + c;
    global const float *rows = best + c * settings->poses * settings->row;
    global struct berth_device_refined *chosen = refined + c * settings->kept;
    const struct flexible flexible = flexible_of(conformer, ligand_atoms, words);
    const struct scratch w = lay_out(memory, &flexible);
    load_atoms(&w, &flexible);
    const int count = find_distinct(&w, &flexible, settings, rows, settings->kept, order);
    for (int k = 0; k < count; k++) {
        load_row(rows + (size_t)order[k] * settings->row, w.trial,
                 POINT_WORDS(flexible.torsions));
        group_barrier();
        store_chosen(&w, flexible.torsions, chosen + k);
        group_barrier();
    }
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    FOR_EACH_ITEM(k, settings->kept)
    {
        chosen[k].evaluations = k < count ? 0 : -1;
    }
    if (get_local_id(0) == 0) {
        counts[c] = count;
    }
}
