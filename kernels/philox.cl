/* Philox4x32-10, a counter-based random number generator: J. K. Salmon, M. A. Moraes, R. O. Dror,
 * D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.  Stateless: the same counter
 * and key give the same four words on every device, whatever the launch looks like. */

static uint4 philox_round(uint4 counter, uint2 key)
{
    const uint m0 = 0xD2511F53u, m1 = 0xCD9E8D57u;
    return (uint4)(mul_hi(m1, counter.z) ^ counter.y ^ key.x, m1 * counter.z,
                   mul_hi(m0, counter.x) ^ counter.w ^ key.y, m0 * counter.x);
}

static uint4 philox(uint4 counter, uint2 key)
{
    for (int i = 0; i < 10; i++) {
        counter = philox_round(counter, key);
        key += (uint2)(0x9E3779B9u, 0xBB67AE85u);
    }
#ifdef BERTH_BREAK_PHILOX
    counter.x ^= 1;
#endif
    return counter;
}

/* Words as floats in [0, 1): 24 bits each, so that 1 is never reached by rounding. */
static float4 unit_floats(uint4 words)
{
    return convert_float4(words >> 8) * 0x1p-24f;
}

/* Draw number `draw` of a pose in a generation: four floats in [0, 1). */
static float4 draw_units(constant struct berth_device_search *search,
                         global const struct berth_device_conformer *conformer, int generation,
                         int pose, int draw)
{
    uint4 counter = (uint4)((uint)pose, (uint)(generation * BERTH_DRAWS_PER_GENERATION + draw),
                            conformer->number, conformer->ligand);
    return unit_floats(philox(counter, (uint2)(search->seed_low, search->seed_high)));
}

/* words[i] = philox(counters[i], keys[i]): for checking the generator against known answers. */
kernel void philox_words(global const uint4 *counters, global const uint2 *keys,
                         global uint4 *words)
{
    size_t i = get_global_id(0);
    words[i] = philox(counters[i], keys[i]);
}
