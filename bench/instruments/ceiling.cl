/* What the device's arithmetic can do at best: the ceilings that berth-bench holds the energy
 * kernel against.  Built as a program of its own behind variant.cl and energy.cl, whose vectors and
 * whose square root it uses.
 *
 * Each kernel turns `turns` times through BERTH_CEILING_CHAINS chains that do not depend on each
 * other: enough of them to hide the latency of an operation, few enough for the registers.  The
 * results count the turns, so that nothing can be left out unnoticed; the constants are arguments,
 * so that nothing can be worked out beforehand.  results[item] has a vector for each work-item. */
#ifndef BERTH_CEILING_CHAINS
#define BERTH_CEILING_CHAINS 14
#endif
/* Square roots of each chain in a turn; ceiling.c has it, too. */
#define BERTH_CEILING_DEPTH 8

#define FOR_EACH_CHAIN BERTH_PRAGMA(unroll) for (int k = 0; k < BERTH_CEILING_CHAINS; k++)

static void start_chains(vector *x)
{
    FOR_EACH_CHAIN
    {
        x[k] = k;
    }
}

static void store_sum(const vector *x, global float *results)
{
    vector sum = 0;
    FOR_EACH_CHAIN
    {
        sum += x[k];
    }
    VECTOR_STORE(sum, results + get_global_id(0) * BERTH_VECTOR_WIDTH);
}

/* Multiply-adds: chain k counts from k in steps of `one`, as x = one x + one. */
kernel void ceiling_multiply_add(global float *restrict results, int turns, float one)
{
    vector x[BERTH_CEILING_CHAINS];
    start_chains(x);
    for (int i = 0; i < turns; i++) {
        FOR_EACH_CHAIN
        {
            x[k] = fma(x[k], (vector)(one), (vector)(one));
        }
    }
    store_sum(x, results);
}

/* The same where every other chain only adds: a device with adders beside its multipliers does more
 * operations of such a mix. */
kernel void ceiling_mix(global float *restrict results, int turns, float one)
{
    vector x[BERTH_CEILING_CHAINS];
    start_chains(x);
    for (int i = 0; i < turns; i++) {
        FOR_EACH_CHAIN
        {
            x[k] = k % 2 ? x[k] + one : fma(x[k], (vector)(one), (vector)(one));
        }
    }
    store_sum(x, results);
}

/* Square roots: in a turn each chain takes BERTH_CEILING_DEPTH roots, one of another, from start
 * on; results are the sums of what the chains end with in all turns.  zero times a turn's last root
 * makes the next turn wait for it. */
kernel void ceiling_square_root(global float *restrict results, int turns, float start, float zero)
{
    vector x[BERTH_CEILING_CHAINS], sums[BERTH_CEILING_CHAINS];
    FOR_EACH_CHAIN
    {
        x[k] = sums[k] = 0;
    }
    for (int i = 0; i < turns; i++) {
        FOR_EACH_CHAIN
        {
            x[k] = fma(x[k], (vector)(zero), (vector)(start));
        }
        for (int depth = 0; depth < BERTH_CEILING_DEPTH; depth++) {
            FOR_EACH_CHAIN
            {
                x[k] = scaled_root(x[k]);
            }
        }
        FOR_EACH_CHAIN
        {
            sums[k] += x[k];
        }
    }
    /* Each root was ROOT_SCALE (1 or 2) too large, so the last one by ROOT_SCALE ^ (2 - 2 / 2^n).
     */
    const float scale = exp2((1 - ROOT_SCALE) * (2 - ldexp(2.0f, -BERTH_CEILING_DEPTH)));
    FOR_EACH_CHAIN
    {
        sums[k] *= scale;
    }
    store_sum(sums, results);
}
