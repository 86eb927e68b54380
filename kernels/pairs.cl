/* What the scoring function's code gives for each pair of types over a range of distances: for
 * `berth selftest`. */

/* The pairs of a vector's lanes: first, first + 1 ..., and those behind the last as the last. */
static void load_lanes(global const struct berth_device_pair *pairs, int first, int count,
                       vector *constants)
{
    float lanes[BERTH_PAIR_CONSTANTS][BERTH_VECTOR_WIDTH];
    for (int i = 0; i < BERTH_VECTOR_WIDTH; i++) {
        for (int k = 0; k < BERTH_PAIR_CONSTANTS; k++) {
            lanes[k][i] = pairs[min(first + i, count - 1)].constants[k];
        }
    }
    for (int k = 0; k < BERTH_PAIR_CONSTANTS; k++) {
        constants[k] = VECTOR_LOAD(lanes[k]);
    }
}

static float lane_of(vector v, int lane)
{
    float lanes[BERTH_VECTOR_WIDTH];
    VECTOR_STORE(v, lanes);
    return lanes[lane];
}

/* values[pair][6][steps]: energy; energy and slope together; the same three from vectors.  Step i
 * is at first + i step, Å; global size: steps × pairs.  The arguments before are the receptor. */
kernel void pair_table(global const float4 *restrict atoms,
                       global const struct berth_device_tile *restrict tiles,
                       global const struct berth_device_run *restrict runs,
                       global const struct berth_device_pair *restrict pairs,
                       constant struct berth_device_site *restrict site, float first, float step,
                       int steps, global float *restrict values)
{
    const int i = (int)get_global_id(0), p = (int)get_global_id(1);
    if (i >= steps) {
        return;
    }
    const float r = first + i * step;
    const int lane = p % BERTH_VECTOR_WIDTH;
    const int count = site->pair_columns * site->pair_columns;
    global float *mine = values + (size_t)p * 6 * steps + i;
    const struct berth_device_pair pair = pairs[p];
    vector lanes[BERTH_PAIR_CONSTANTS], sloped;
    float slope;
    load_lanes(pairs, p - lane, count, lanes);
    mine[0] = pair_energy(r, pair.constants);
    mine[steps] = pair_energy_slope(r, pair.constants, &slope);
    mine[2 * steps] = slope;
    mine[3 * steps] = lane_of(pair_energy_v((vector)(r), lanes), lane);
    mine[4 * steps] = lane_of(pair_energy_slope_v((vector)(r), lanes, &sloped), lane);
    mine[5 * steps] = lane_of(sloped, lane);
}
