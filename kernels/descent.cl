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

/* Half edges of the site as an array, Å. */
struct walls {
    float half_edges[3];
};

/* A descent: where it is, and where its line search is. */
struct descent {
    struct parts parts; /* of the energy at the point */
    float width;        /* of kinks in the gradient, Å */
    float length;       /* of the step to try, in directions */
    float low, high;    /* lengths that are too short and too long; high 0: none yet */
    float reach;        /* Å: what the direction moves the atoms by */
    int slow;           /* steps in a row that gained little */
    bool begins;        /* the trial is where it begins, or goes on with another width */
    bool guesses;       /* the inverse Hessian is a guess, without a scale */
    bool takes;         /* the trial becomes the point */
    bool ends;
};

/* Looks at the trial: takes it, or shortens or lengthens the step. */
static void decide(const struct scratch *w, int freedoms, struct parts parts,
                   struct descent *descent)
{
    const float promised = dot_product(w->gradient, w->step, freedoms);
    const float left = dot_product(w->next_gradient, w->step, freedoms);
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

/* Takes the step and what it changed into the inverse Hessian, where the trial is taken. */
static void learn(const struct scratch *w, int freedoms, struct descent *descent)
{
    FOR_EACH_ITEM(k, descent->takes ? freedoms : 0)
    {
        w->change[k] = w->next_gradient[k] - w->gradient[k];
    }
    group_barrier();
    FOR_EACH_ITEM(k, descent->takes ? freedoms : 0)
    {
        w->image[k] = dot_product(w->inverse + k * freedoms, w->change, freedoms);
    }
    group_barrier();
    const float curvature = dot_product(w->step, w->change, freedoms);
    const float guess = dot_product(w->image, w->change, freedoms);
    const bool useful = descent->takes && !descent->begins && curvature > 1e-10f && guess > 1e-10f;
    const float scale = descent->guesses ? curvature / guess : 1, per = 1 / curvature;
    const float twice = per * (1 + per * scale * guess);
    FOR_EACH_ITEM(k, useful ? freedoms : 0)
    {
        local float *row = w->inverse + k * freedoms;
        const float step = w->step[k], image = per * scale * w->image[k];
        for (int j = 0; j < freedoms; j++) {
            row[j] = scale * row[j] + twice * step * w->step[j] -
                     (image * w->step[j] + per * scale * step * w->image[j]);
        }
    }
    descent->guesses = descent->guesses && !useful;
}

/* A guess at the inverse Hessian. */
static void guess_inverse(const struct scratch *w, int freedoms)
{
    FOR_EACH_ITEM(k, freedoms)
    {
        for (int j = 0; j < freedoms; j++) {
            w->inverse[k * freedoms + j] = j == k ? 1 / w->masses[k] : 0;
        }
    }
}

/* True where the point is at a wall and downhill is beyond it. */
static bool is_blocked(const struct scratch *w, const struct walls *walls, int k)
{
    return k < 3 && ((w->point[k] >= walls->half_edges[k] && w->gradient[k] < 0) ||
                     (w->point[k] <= -walls->half_edges[k] && w->gradient[k] > 0));
}

/* direction = - inverse gradient, on this side of the walls. */
static void find_direction(const struct scratch *w, const struct walls *walls, int freedoms)
{
    FOR_EACH_ITEM(k, freedoms)
    {
        float sum = 0;
        for (int j = 0; j < freedoms; j++) {
            sum -= is_blocked(w, walls, j) ? 0 : w->inverse[k * freedoms + j] * w->gradient[j];
        }
        w->direction[k] = is_blocked(w, walls, k) ? 0 : sum;
    }
}

/* Goes to the trial and begins a line search there, where it is taken. */
static void go(const struct scratch *w, const struct walls *walls, int freedoms,
               struct descent *descent)
{
    learn(w, freedoms, descent);
    group_barrier();
    copy_words(w->trial, w->point, descent->takes ? freedoms + 1 : 0);
    copy_words(w->next_gradient, w->gradient, descent->takes ? freedoms : 0);
    if (descent->begins && descent->guesses) {
        guess_inverse(w, freedoms);
    }
    group_barrier();
    if (descent->takes) {
        find_direction(w, walls, freedoms);
    }
    group_barrier();
    const bool uphill = !(dot_product(w->direction, w->gradient, freedoms) < 0);
    group_barrier();
    FOR_EACH_ITEM(k, uphill ? freedoms : 0)
    {
        w->direction[k] = is_blocked(w, walls, k) ? 0 : -w->gradient[k] / w->masses[k];
    }
    if (uphill) {
        guess_inverse(w, freedoms);
        descent->guesses = true;
    }
    group_barrier();
    if (descent->takes) {
        float square = 0;
        for (int k = 0; k < freedoms; k++) {
            square += w->masses[k] * w->direction[k] * w->direction[k];
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
            const float half_edge = walls->half_edges[k];
            w->trial[k] = clamp(w->point[k] + step, -half_edge, half_edge);
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
