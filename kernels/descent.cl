/* Downhill: BFGS with a dense inverse Hessian (J. Nocedal, S. J. Wright, Numerical Optimization,
 * 2nd edition, chapter 6) and a line search that bisects (as A. S. Lewis, M. L. Overton, Math.
 * Program. 141 (2013) 135, do for functions with kinks).  No step is taken that raises the energy,
 * and none leaves the site.
 *
 * Decisions are taken by all work-items of a group alike, from the same numbers in local memory,
 * and where poses lie side by side for each by itself: as conditions, not as branches.  Barriers
 * stand in no branch. */

/* Å: the mean square shift of the atoms by one step is the square of this at most, and by a first
 * step exactly. */
#define STEP_MOST  1.0f
#define STEP_FIRST 0.4f

/* A step that is so near to the longest is taken for it, whatever rounding made of it. */
#define STEP_FARTHEST (0.99f * STEP_MOST)

/* A step must lower the energy by so much of what the slope promises, and leave no more of the
 * slope than this. */
#define ARMIJO 1e-4f
#define WOLFE  0.9f

/* What is below counts as 0 where it would divide: a curvature, which then says nothing of the
 * function's, and the length of a direction. */
#define CURVATURE_LEAST 1e-10f
#define LENGTH_LEAST    1e-20f

/* A hop's changes at most, beside a torsion's, which is half a turn: translation (Å), and rotation
 * (rad) about each axis. */
#define HOP_SHIFT 2
#define HOP_TURN  1

/* When the descent has ended with kinks of some width (see forces.cl), it goes on with the width
 * times this, down to this width or less, Å. */
#define WIDTH_FACTOR 0.25f
#define WIDTH_LEAST  0.01f

/* Ends of a descent: a line search that has got so near to its beginning (Å); steps that gain less
 * than this (kJ/mol), so many in a row. */
#define SHORTEST   1e-5f
#define GAIN_LEAST 1e-3f
#define SLOW_STEPS 2

/* An energy: its terms between receptor and ligand, then its other parts. */
struct parts {
    real of[SUM_COUNT];
};

/* A part of BERTH_POSE_PARTS; 0 where it is not added up. */
static real part_of(const struct parts *parts, int part)
{
    const real none = 0;
    return part < SUMMED_PARTS ? parts->of[INTER_COUNT + min(part, SUMMED_PARTS - 1)] : none;
}

static real total(const struct parts *parts)
{
    real sum = 0;
    for (int k = 0; k < SUM_COUNT; k++) {
        sum += parts->of[k];
    }
    return sum;
}

static struct parts no_parts(void)
{
    struct parts parts;
    for (int k = 0; k < SUM_COUNT; k++) {
        parts.of[k] = 0;
    }
    return parts;
}

/* Puts a in the place of *b where it is wanted. */
static void choose_parts(whole wanted, const struct parts *a, struct parts *b)
{
    for (int k = 0; k < SUM_COUNT; k++) {
        b->of[k] = wanted ? a->of[k] : b->of[k];
    }
}

/* Copies numbers of the poses for which it is wanted. */
static void copy_where(whole wanted, local const real *from, local real *to, int count)
{
    FOR_EACH_ITEM(k, ANY_POSE(wanted) ? count : 0)
    {
        to[k] = wanted ? from[k] : to[k];
    }
}

/* Half edges of the site, Å. */
struct walls {
    float3 half_edges;
};

/* Those of the site; what is held may have been given anywhere. */
static struct walls walls_of(const struct flexible *flexible, float3 half_edges)
{
    struct walls walls;
    walls.half_edges = flexible->held ? (float3)(NOWHERE, NOWHERE, NOWHERE) : half_edges;
    return walls;
}

#define HALF_EDGES(settings) (float3)((settings)->half_x, (settings)->half_y, (settings)->half_z)

/* A descent: where it is, and where its line search is. */
struct descent {
    struct parts parts; /* of the energy at the point */
    real length;        /* of the step to try, in directions */
    real low, high;     /* lengths that are too short and too long; high 0: none yet */
    real reach;         /* Å: what the direction moves the atoms by */
    real curvature;     /* the gradient's change along the step, times it */
    whole slow;         /* steps in a row that gained little */
    whole begins;       /* the trial is where it begins, or goes on with another width */
    whole guesses;      /* the inverse Hessian is a guess, without a scale */
    whole takes;        /* the trial becomes the point */
    whole ends;
};

/* Begins anew where it is wanted; guesses: the inverse Hessian, too. */
static void begin_descent(whole wanted, bool guesses, struct descent *descent)
{
    const struct parts none = no_parts();
    const real zero = 0;
    choose_parts(wanted, &none, &descent->parts);
    descent->length = wanted ? (real)(1) : descent->length;
    descent->low = wanted ? zero : descent->low;
    descent->high = wanted ? zero : descent->high;
    descent->reach = wanted ? zero : descent->reach;
    descent->slow = wanted ? (whole)(0) : descent->slow;
    descent->begins = descent->begins || wanted;
    descent->guesses = guesses ? descent->guesses || wanted : descent->guesses && !wanted;
    descent->takes = descent->takes && !wanted;
    descent->ends = descent->ends && !wanted;
}

static struct descent new_descent(void)
{
    struct descent descent;
    descent.parts = no_parts();
    descent.length = descent.low = descent.high = descent.reach = descent.curvature = 0;
    descent.slow = descent.begins = descent.guesses = descent.takes = descent.ends = 0;
    begin_descent((whole)(0) == 0, true, &descent);
    return descent;
}

/* The parts of an energy that work-items have shares of, for all of them. */
static struct parts sum_parts(const struct scratch *w, struct parts mine)
{
    for (int k = 0; k < SUM_COUNT; k++) {
        mine.of[k] = sum_of_group(mine.of[k], w->energies + k * BERTH_REFINE_WGSIZE);
    }
    return mine;
}

/* Ends an evaluation, behind a barrier, once the work-item has what its atoms have of their
 * surroundings: adds what all energies have alike, and gives the pose's parts and next_gradient. */
static struct parts end_evaluation(const struct scratch *w, const struct flexible *flexible,
                                   struct parts mine)
{
#ifdef BERTH_TORSIONAL
    mine.of[PART(INTRA)] += add_torsions(w, flexible);
#endif
    const struct parts parts = sum_parts(w, mine);
    find_gradient(w, flexible);
    group_barrier();
    return parts;
}

/* Looks at the trial: takes it, or shortens or lengthens the step. */
static void decide(const struct scratch *w, int freedoms, const struct parts *parts,
                   struct descent *descent)
{
    real promised = 0, curvature = 0;
    FOR_EACH_ITEM(k, freedoms)
    {
        const struct freedom at = w->freedoms[k];
        promised = fma(at.gradient, at.step, promised);
        curvature = fma(at.next_gradient - at.gradient, at.step, curvature);
    }
    promised = sum_of_group(promised, w->energies);
    descent->curvature = sum_of_group(curvature, w->energies + BERTH_REFINE_WGSIZE);
    const real left = promised + descent->curvature;
    const real gain = total(&descent->parts) - total(parts);
    const whole lower = promised < 0 && gain >= -ARMIJO * promised;
    const whole farthest = descent->length * descent->reach > STEP_FARTHEST;
    const whole takes =
        descent->begins || (lower && (left >= WOLFE * promised || descent->high > 0 || farthest));
    const whole gained = descent->begins || gain >= GAIN_LEAST;
    const whole slow = gained ? (whole)(0) : descent->slow + 1;
    const whole lengthens = !takes && lower, shortens = !takes && !lower;
    choose_parts(takes, parts, &descent->parts);
    descent->takes = takes;
    descent->slow = takes ? slow : descent->slow;
    descent->low = lengthens ? descent->length : descent->low;
    descent->high = shortens ? descent->length : descent->high;
    const real longer = min(2 * descent->low, STEP_MOST / descent->reach);
    const real shorter = 0.5f * (descent->low + descent->high);
    descent->length = lengthens ? longer : shortens ? shorter : descent->length;
    const whole shortest = (descent->high - descent->low) * descent->reach < SHORTEST;
    descent->ends = takes ? slow >= SLOW_STEPS : shortens && shortest;
}

/* image = inverse (next_gradient - gradient), where any trial is taken. */
static void find_image(const struct scratch *w, int freedoms, bool any)
{
    FOR_EACH_ITEM(k, any ? freedoms : 0)
    {
        local const real *row = w->inverse + k * BERTH_REFINE_ROW(freedoms);
        real sum = 0;
        for (int j = 0; j < freedoms; j++) {
            /* not the whole freedom: its image is being written */
            local const struct freedom *at = w->freedoms + j;
            sum = fma(row[j], at->next_gradient - at->gradient, sum);
        }
        w->freedoms[k].image = sum;
    }
    group_barrier();
}

/* How a step changes the inverse Hessian. */
struct update {
    real scale, twice, per;
    whole useful;
};

/* True where the trial is at a wall and downhill by freedom k is beyond it. */
static whole is_blocked(const struct scratch *w, const struct walls *walls, int k)
{
    if (k >= 3) {
        return 0;
    }
    const float3 edges = walls->half_edges;
    const float edge = k == 0 ? edges.x : k == 1 ? edges.y : edges.z;
    const real at = w->trial[k], slope = w->freedoms[k].next_gradient;
    return (at >= edge && slope < 0) || (at <= -edge && slope > 0);
}

/* How the step changes the inverse Hessian; and the gradient becomes that of the trial where it is
 * taken, 0 where downhill is blocked. */
static struct update find_update(const struct scratch *w, const struct walls *walls, int freedoms,
                                 const struct descent *descent)
{
    const real curvature = descent->curvature;
    real guess = 0;
    FOR_EACH_ITEM(k, ANY_POSE(descent->takes) ? freedoms : 0)
    {
        const struct freedom at = w->freedoms[k];
        const real open = is_blocked(w, walls, k) ? (real)(0) : at.next_gradient;
        guess = fma(at.image, at.next_gradient - at.gradient, guess);
        w->freedoms[k].gradient = descent->takes ? open : at.gradient;
    }
    guess = sum_of_group(guess, w->energies);
    group_barrier();
    struct update update;
    update.useful = descent->takes && !descent->begins && curvature > CURVATURE_LEAST &&
                    guess > CURVATURE_LEAST;
    update.scale = descent->guesses ? curvature / guess : (real)(1);
    update.per = 1 / curvature;
    update.twice = update.per * (1 + update.per * update.scale * guess);
    return update;
}

/* The inverse Hessian with what the step taught, or a new guess at it; and the direction from the
 * trial downhill by it, on this side of the walls. */
static void find_direction(const struct scratch *w, const struct walls *walls, int freedoms,
                           const struct update *update, const struct descent *descent)
{
    const whole anew = descent->begins && descent->guesses;
    FOR_EACH_ITEM(k, ANY_POSE(descent->takes) ? freedoms : 0)
    {
        local real *row = w->inverse + k * BERTH_REFINE_ROW(freedoms);
        const real image = update->per * update->scale * w->freedoms[k].image;
        const real step = w->freedoms[k].step;
        const real mine = update->twice * step - image, others = update->per * update->scale * step;
        real sum = 0;
        for (int j = 0; j < freedoms; j++) {
            const struct freedom at = w->freedoms[j];
            const real better = fma(update->scale, row[j], fma(mine, at.step, -others * at.image));
            const real guess = j == k ? 1 / w->masses[k] : 0;
            const real entry = anew ? guess : update->useful ? better : row[j];
            row[j] = entry;
            sum = fma(-entry, at.gradient, sum);
        }
        sum = is_blocked(w, walls, k) ? (real)(0) : sum;
        w->direction[k] = descent->takes ? sum : w->direction[k];
    }
    group_barrier();
}

/* Straight downhill, and a new guess at the inverse Hessian: where the direction leads uphill. */
static void guess_direction(const struct scratch *w, int freedoms, whole uphill)
{
    FOR_EACH_ITEM(k, ANY_POSE(uphill) ? freedoms : 0)
    {
        const float per = 1 / w->masses[k];
        w->direction[k] = uphill ? -w->freedoms[k].gradient * per : w->direction[k];
        ROLLED for (int j = 0; j < freedoms; j++)
        {
            const real guess = j == k ? per : 0;
            local real *entry = w->inverse + k * BERTH_REFINE_ROW(freedoms) + j;
            *entry = uphill ? guess : *entry;
        }
    }
    group_barrier();
}

/* What a direction comes to. */
struct prospect {
    real slope; /* along it */
    real reach; /* Å: what it moves the atoms by */
};

static struct prospect find_prospect(const struct scratch *w, int freedoms)
{
    real slope = 0, square = 0;
    FOR_EACH_ITEM(k, freedoms)
    {
        const real along = w->direction[k];
        slope = fma(along, w->freedoms[k].next_gradient, slope);
        square = fma(w->masses[k] * along, along, square);
    }
    slope = sum_of_group(slope, w->energies);
    square = sum_of_group(square, w->energies + BERTH_REFINE_WGSIZE);
    const struct prospect prospect = {slope, max(sqrt(square), (real)(LENGTH_LEAST))};
    return prospect;
}

/* Begins a line search at the point, in a direction that moves the atoms by `reach` Å. */
static void begin_line(real reach, struct descent *descent)
{
    const whole takes = descent->takes;
    const real zero = 0;
    const real length = descent->guesses ? STEP_FIRST / reach : min((real)(1), STEP_MOST / reach);
    descent->reach = takes ? reach : descent->reach;
    descent->length = takes ? length : descent->length;
    descent->low = takes ? zero : descent->low;
    descent->high = takes ? zero : descent->high;
    descent->begins = descent->begins && !takes;
}

/* Goes to the trial and begins a line search there, where it is taken. */
static void go(const struct scratch *w, const struct walls *walls, int freedoms,
               struct descent *descent)
{
    find_image(w, freedoms, ANY_POSE(descent->takes));
    const struct update update = find_update(w, walls, freedoms, descent);
    find_direction(w, walls, freedoms, &update, descent);
    descent->guesses = descent->guesses && !update.useful;
    struct prospect prospect = find_prospect(w, freedoms);
    const whole uphill = descent->takes && !(prospect.slope < 0);
    group_barrier();
    guess_direction(w, freedoms, uphill);
    if (ANY_POSE(uphill)) {
        prospect = find_prospect(w, freedoms);
    }
    descent->guesses = descent->guesses || uphill;
    copy_where(descent->takes, w->trial, w->point, freedoms + 1);
    FOR_EACH_ITEM(k, ANY_POSE(descent->takes) ? freedoms : 0)
    {
        const struct freedom at = w->freedoms[k];
        w->freedoms[k].gradient = descent->takes ? at.next_gradient : at.gradient;
    }
    begin_line(prospect.reach, descent);
    group_barrier();
}

/* Turns the point by a rotation vector (rad): the rotation of the trial.  The angle is that of A.
 * Cayley's map, 2 atan(|turn| / 2), which needs no sine. */
static void turn_trial(const struct scratch *w, struct triple turn)
{
    local const real *from = w->point + POINT_ROTATION;
    const real x = from[0], y = from[1], z = from[2], one = from[3];
    const real a = 0.5f * turn.x, b = 0.5f * turn.y, c = 0.5f * turn.z;
    const real q[4] = {x + fma(a, one, fma(b, z, -c * y)), y + fma(b, one, fma(c, x, -a * z)),
                       z + fma(c, one, fma(a, y, -b * x)), one - fma(a, x, fma(b, y, c * z))};
    const real per = 1 / sqrt(fma(q[0], q[0], fma(q[1], q[1], fma(q[2], q[2], q[3] * q[3]))));
    for (int k = 0; k < 4; k++) {
        w->trial[POINT_ROTATION + k] = q[k] * per;
    }
}

/* trial = point + length direction, kept inside the walls; step is what came of it. */
static void make_trial(const struct scratch *w, const struct walls *walls, real length,
                       int freedoms)
{
    FOR_EACH_ITEM(k, freedoms)
    {
        real step = length * w->direction[k];
        if (k < 3) {
            const float3 edges = walls->half_edges;
            const float half_edge = k == 0 ? edges.x : k == 1 ? edges.y : edges.z;
            w->trial[k] = clamp(w->point[k] + step, (real)(-half_edge), (real)(half_edge));
            step = w->trial[k] - w->point[k];
        } else if (k >= 6) {
            w->trial[k + 1] = w->point[k + 1] + step;
        }
        w->freedoms[k].step = step;
    }
    if (get_local_id(0) == 0) {
        const struct triple turn = {length * w->direction[3], length * w->direction[4],
                                    length * w->direction[5]};
        turn_trial(w, turn);
    }
    group_barrier();
}

/* Random numbers of a hop; each in [0, 1). */
struct hop {
    real what[4]; /* which freedom is changed, whether the hop is accepted */
    real how[4];
};

static struct hop hop_of(struct units what, struct units how)
{
    const struct hop hop = {
        {OF_POSES(what.x), OF_POSES(what.y), OF_POSES(what.z), OF_POSES(what.w)},
        {OF_POSES(how.x), OF_POSES(how.y), OF_POSES(how.z), OF_POSES(how.w)}};
    return hop;
}

/* point = kept, and a direction in which one freedom changes: the whole pose is shifted by up to 2
 * Å along each axis, or turned by about a rad, or one torsion gets any angle; where it is wanted.
 * Without a free body it is a torsion. */
static void hop_away(const struct scratch *w, int freedoms, whole wanted, const struct hop *hop)
{
    const int lowest = w->free ? 4 : 6; /* 4: shift; 5: turn */
    const whole changed = WHOLE(hop->what[0] * (freedoms - lowest)) + lowest;
    const real along[3] = {2 * hop->how[0] - 1, 2 * hop->how[1] - 1, 2 * hop->how[2] - 1};
    copy_where(wanted, w->kept, w->point, freedoms + 1);
    FOR_EACH_ITEM(k, freedoms)
    {
        const real change = k < 3   ? HOP_SHIFT * along[k]
                            : k < 6 ? HOP_TURN * along[k - 3]
                                    : 0.5f * BERTH_FULL_TURN * along[0];
        const real moved = changed == (k < 3 ? 4 : k < 6 ? 5 : k) ? change : (real)(0);
        w->direction[k] = wanted ? moved : w->direction[k];
    }
}
