/* Downhill: BFGS with a dense inverse Hessian (J. Nocedal, S. J. Wright, Numerical Optimization,
 * 2nd edition, chapter 6) and a line search that bisects (as A. S. Lewis, M. L. Overton, Math.
 * Program. 141 (2013) 135, do for functions with kinks).  No step is taken that raises the energy,
 * and none leaves the site.
 *
 * Decisions are taken by all work-items of a group alike, from the same numbers in local memory.
 * Barriers stand in no branch. */

/* Å: the mean square shift of the atoms by one step is the square of this at most, and by a first
 * step exactly. */
#define STEP_MOST  1.0f
#define STEP_FIRST 0.4f

/* A step must lower the energy by so much of what the slope promises, and leave no more of the
 * slope than this. */
#define ARMIJO 1e-4f
#define WOLFE  0.9f

/* When the descent has ended with kinks of some width (see forces.cl), it goes on with the width
 * times this, down to this width or less, Å. */
#define WIDTH_FACTOR 0.25f
#define WIDTH_LEAST  0.01f

/* Ends of a descent: a line search that has got so near to its beginning (Å); steps that gain less
 * than this (kJ/mol), so many in a row. */
#define SHORTEST   1e-5f
#define GAIN_LEAST 1e-3f
#define SLOW_STEPS 2

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

/* Half edges of the site, Å. */
struct walls {
    float3 half_edges;
};

/* A descent: where it is, and where its line search is. */
struct descent {
    struct parts parts; /* of the energy at the point */
    float width;        /* of kinks in the gradient, Å */
    bool guesses;       /* the inverse Hessian is a guess, without a scale */
    bool begins;        /* the trial is where it begins, or goes on with another width */
    float length;       /* of the step to try, in directions */
    float low, high;    /* lengths that are too short and too long; high 0: none yet */
    float reach;        /* Å: what the direction moves the atoms by */
    int slow;           /* steps in a row that gained little */
    bool takes;         /* the trial becomes the point */
    bool ends;
};

/* Looks at the trial: takes it, or shortens or lengthens the step. */
static void decide(const struct scratch *w, int freedoms, struct parts parts,
                   struct descent *descent)
{
    float promised = 0, left = 0;
    for (int k = 0; k < freedoms; k++) {
        promised = fma(w->gradient[k], w->step[k], promised);
        left = fma(w->next_gradient[k], w->step[k], left);
    }
    const float gain = total(&descent->parts) - total(&parts);
    const bool lower = promised < 0 && gain >= -ARMIJO * promised;
    const bool farthest = descent->length * descent->reach > 0.99f * STEP_MOST;
    descent->takes =
        descent->begins || (lower && (left >= WOLFE * promised || descent->high > 0 || farthest));
    if (descent->takes) {
        descent->parts = parts;
        descent->slow = descent->begins || gain >= GAIN_LEAST ? 0 : descent->slow + 1;
        descent->ends = descent->slow >= SLOW_STEPS;
    } else if (lower) {
        descent->low = descent->length;
        descent->length = min(2 * descent->low, STEP_MOST / descent->reach);
    } else {
        descent->high = descent->length;
        descent->length = 0.5f * (descent->low + descent->high);
        descent->ends = (descent->high - descent->low) * descent->reach < SHORTEST;
    }
}

/* image = inverse (next_gradient - gradient), where the trial is taken. */
static void find_image(const struct scratch *w, int freedoms, bool takes)
{
    FOR_EACH_ITEM(k, takes ? freedoms : 0)
    {
        local const float *row = w->inverse + k * freedoms;
        float sum = 0;
        for (int j = 0; j < freedoms; j++) {
            sum = fma(row[j], w->next_gradient[j] - w->gradient[j], sum);
        }
        w->image[k] = sum;
    }
    group_barrier();
}

/* How a step changes the inverse Hessian. */
struct update {
    float scale, twice, per;
    bool useful;
};

static struct update find_update(const struct scratch *w, int freedoms,
                                 const struct descent *descent)
{
    float curvature = 0, guess = 0;
    for (int k = 0; k < freedoms; k++) {
        const float change = w->next_gradient[k] - w->gradient[k];
        curvature = fma(w->step[k], change, curvature);
        guess = fma(w->image[k], change, guess);
    }
    struct update update;
    update.useful = descent->takes && !descent->begins && curvature > 1e-10f && guess > 1e-10f;
    update.scale = descent->guesses ? curvature / guess : 1;
    update.per = 1 / curvature;
    update.twice = update.per * (1 + update.per * update.scale * guess);
    return update;
}

/* Bit k: the trial is at a wall of axis k and downhill is beyond it. */
static int find_blocked(const struct scratch *w, const struct walls *walls)
{
    const float3 at = vload3(0, w->trial), slope = vload3(0, w->next_gradient);
    const float3 edge = walls->half_edges;
    const int x = (at.x >= edge.x && slope.x < 0) || (at.x <= -edge.x && slope.x > 0);
    const int y = (at.y >= edge.y && slope.y < 0) || (at.y <= -edge.y && slope.y > 0);
    const int z = (at.z >= edge.z && slope.z < 0) || (at.z <= -edge.z && slope.z > 0);
    return x | y << 1 | z << 2;
}

static bool is_blocked(int blocked, int k)
{
    return k < 3 && blocked >> k & 1;
}

/* The inverse Hessian with what the step taught, or a new guess at it; and the direction from the
 * trial downhill by it, on this side of the walls. */
static void find_direction(const struct scratch *w, int blocked, int freedoms,
                           const struct update *update, const struct descent *descent)
{
    const bool anew = descent->begins && descent->guesses;
    FOR_EACH_ITEM(k, descent->takes ? freedoms : 0)
    {
        local float *row = w->inverse + k * freedoms;
        const float step = w->step[k], image = update->per * update->scale * w->image[k];
        float sum = 0;
        for (int j = 0; j < freedoms; j++) {
            float entry = row[j];
            if (update->useful) {
                entry = update->scale * entry + update->twice * step * w->step[j] -
                        (image * w->step[j] + update->per * update->scale * step * w->image[j]);
            }
            entry = anew ? (j == k ? 1 / w->masses[k] : 0) : entry;
            row[j] = entry;
            sum -= is_blocked(blocked, j) ? 0 : entry * w->next_gradient[j];
        }
        w->direction[k] = is_blocked(blocked, k) ? 0 : sum;
    }
    group_barrier();
}

/* Straight downhill, and a new guess at the inverse Hessian: where the direction leads uphill. */
static void guess_direction(const struct scratch *w, int blocked, int freedoms, bool uphill)
{
    FOR_EACH_ITEM(k, uphill ? freedoms : 0)
    {
        w->direction[k] = is_blocked(blocked, k) ? 0 : -w->next_gradient[k] / w->masses[k];
        ROLLED for (int j = 0; j < freedoms; j++)
        {
            w->inverse[k * freedoms + j] = j == k ? 1 / w->masses[k] : 0;
        }
    }
    group_barrier();
}

/* Goes to the trial and begins a line search there, where it is taken. */
static void go(const struct scratch *w, const struct walls *walls, int freedoms,
               struct descent *descent)
{
    find_image(w, freedoms, descent->takes);
    const struct update update = find_update(w, freedoms, descent);
    const int blocked = find_blocked(w, walls);
    find_direction(w, blocked, freedoms, &update, descent);
    descent->guesses = descent->guesses && !update.useful;
    const bool uphill =
        descent->takes && !(dot_product(w->direction, w->next_gradient, freedoms) < 0);
    group_barrier();
    guess_direction(w, blocked, freedoms, uphill);
    descent->guesses = descent->guesses || uphill;
    copy_words(w->trial, w->point, descent->takes ? freedoms + 1 : 0);
    copy_words(w->next_gradient, w->gradient, descent->takes ? freedoms : 0);
    if (descent->takes) {
        float square = 0;
        for (int k = 0; k < freedoms; k++) {
            square = fma(w->masses[k] * w->direction[k], w->direction[k], square);
        }
        descent->reach = max(sqrt(square), 1e-20f);
        descent->low = descent->high = 0;
        descent->length =
            descent->guesses ? STEP_FIRST / descent->reach : min(1.0f, STEP_MOST / descent->reach);
        descent->begins = false;
    }
    group_barrier();
}

/* The quaternion at `words` in each lane. */
static void load_rotation(local const float *words, struct quaternion *rotation)
{
    rotation->x = words[0];
    rotation->y = words[1];
    rotation->z = words[2];
    rotation->w = words[3];
}

/* Turns the point by a rotation vector (rad): the rotation of the trial.  The angle is that of A.
 * Cayley's map, 2 atan(|turn| / 2), which needs no sine. */
static void turn_trial(const struct scratch *w, float3 turn)
{
    const struct quaternion by = {(vector)(0.5f * turn.x), (vector)(0.5f * turn.y),
                                  (vector)(0.5f * turn.z), (vector)(1)};
    struct quaternion from;
    load_rotation(w->point + POINT_ROTATION, &from);
    const struct quaternion q = quaternion_product(by, from);
    const float4 turned =
        normalize((float4)(FIRST_LANE(q.x), FIRST_LANE(q.y), FIRST_LANE(q.z), FIRST_LANE(q.w)));
    vstore4(turned, 0, w->trial + POINT_ROTATION);
}

/* trial = point + length direction, kept inside the walls; step is what came of it. */
static void make_trial(const struct scratch *w, const struct walls *walls, float length,
                       int freedoms)
{
    FOR_EACH_ITEM(k, freedoms)
    {
        float step = length * w->direction[k];
        if (k < 3) {
            const float3 edges = walls->half_edges;
            const float half_edge = k == 0 ? edges.x : k == 1 ? edges.y : edges.z;
            w->trial[k] = clamp(w->point[k] + step, -half_edge, half_edge);
#ifdef BERTH_BREAK_WALLS
            w->trial[k] = w->point[k] + step;
#endif
            step = w->trial[k] - w->point[k];
        } else if (k >= 6) {
            w->trial[k + 1] = w->point[k + 1] + step;
        }
        w->step[k] = step;
    }
    if (get_local_id(0) == 0) {
        turn_trial(w, length * (float3)(w->direction[3], w->direction[4], w->direction[5]));
    }
    group_barrier();
}
