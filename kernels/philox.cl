/* Philox4x32-10, a counter-based random number generator: J. K. Salmon, M. A. Moraes, R. O. Dror,
 * D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.  Stateless: the same counter
 * and key give the same four words on every device, whatever the launch looks like. */

struct words {
    uvector x, y, z, w;
};

static struct words philox_round(struct words counter, uint2 key)
{
    const uvector m0 = 0xD2511F53u, m1 = 0xCD9E8D57u;
    const struct words next = {mul_hi(m1, counter.z) ^ counter.y ^ key.x, m1 * counter.z,
                               mul_hi(m0, counter.x) ^ counter.w ^ key.y, m0 * counter.x};
    return next;
}

static struct words philox(struct words counter, uint2 key)
{
    for (int i = 0; i < 10; i++) {
        counter = philox_round(counter, key);
        key += (uint2)(0x9E3779B9u, 0xBB67AE85u);
    }
    return counter;
}

/* Words as floats in [0, 1): 24 bits each, so that 1 is never reached by rounding. */
static vector unit_floats(uvector words)
{
    return VECTOR_CONVERT(float, words >> 8) * 0x1p-24f;
}

/* Four floats in [0, 1). */
struct units {
    vector x, y, z, w;
};

/* Draw number `draw` of poses, each in its generation; seed: the run's low and high word. */
static struct units draw_units(uint2 seed, global const struct berth_device_conformer *conformer,
                               ivector generation, ivector poses, int draw)
{
    struct words counter;
    counter.x = VECTOR_CONVERT(uint, poses);
    counter.y = VECTOR_CONVERT(uint, generation * BERTH_DRAWS_PER_GENERATION + draw);
    counter.z = conformer->number;
    counter.w = conformer->ligand;
    const uint low = seed.x + conformer->again;
    const uint2 key = (uint2)(low, seed.y + (low < seed.x ? 1 : 0));
    const struct words words = philox(counter, key);
    const struct units units = {unit_floats(words.x), unit_floats(words.y), unit_floats(words.z),
                                unit_floats(words.w)};
    return units;
}

/* words[i] = philox(counters[i], keys[i]), each in another lane: for checking the generator against
 * known answers. */
kernel void philox_words(global const uint *counters, global const uint2 *keys, global uint *words)
{
    const size_t i = get_global_id(0);
    const int lane = (int)(i % BERTH_VECTOR_WIDTH);
    const ivector here = count_from(0) == lane;
    const uvector none = 0;
    const struct words counter = {
        here ? (uvector)(counters[4 * i]) : none, here ? (uvector)(counters[4 * i + 1]) : none,
        here ? (uvector)(counters[4 * i + 2]) : none, here ? (uvector)(counters[4 * i + 3]) : none};
    const struct words made = philox(counter, keys[i]);
    uint lanes[4][BERTH_VECTOR_WIDTH];
    VECTOR_STORE(made.x, lanes[0]);
    VECTOR_STORE(made.y, lanes[1]);
    VECTOR_STORE(made.z, lanes[2]);
    VECTOR_STORE(made.w, lanes[3]);
    for (int k = 0; k < 4; k++) {
        words[4 * i + k] = lanes[k][lane];
    }
}
