/* Stand-in for generated pair functions: Vina's. */
#define BERTH_PAIR_CONSTANTS 3
#define LEAST_DISTANCE 0.01f
static vector inverse_root(vector square);
static void spread_constants(global const struct berth_device_pair *pair, vector *c)
{
    c[0] = pair->contact; c[1] = pair->A; c[2] = pair->B;
}
static void load_constants(global const struct berth_device_pair *row, local const int *types, vector *c)
{
    float lanes[3][BERTH_VECTOR_WIDTH];
    for (int i = 0; i < BERTH_VECTOR_WIDTH; i++) {
        global const struct berth_device_pair *pair = row + types[i];
        lanes[0][i] = pair->contact; lanes[1][i] = pair->A; lanes[2][i] = pair->B;
    }
    for (int k = 0; k < 3; k++) c[k] = VECTOR_LOAD(lanes[k]);
}
static vector pair_energy(vector r, const vector *c)
{
    const vector d = r - c[0];
    const vector h = (d - 3) * 0.5f, w = min(d, (vector)(0));
    vector e = -0.035579f * native_exp(-4 * d * d) - 0.005156f * native_exp(-h * h) + 0.840245f * w * w;
    e = fma(c[1], clamp(1.5f - d, (vector)(0), (vector)(1)), e);
    e = fma(c[2], clamp(d * (-1 / 0.7f), (vector)(0), (vector)(1)), e);
    return r < 8 ? e : (vector)(0);
}
static vector pair_energy_slope(vector r, const vector *c, vector *slope)
{
    const vector d = r - c[0], zero = 0;
    const vector h = (d - 3) * 0.5f, w = min(d, zero);
    const vector g1 = -0.035579f * native_exp(-4 * d * d), g2 = -0.005156f * native_exp(-h * h);
    vector e = g1 + g2 + 0.840245f * w * w;
    vector s = -8 * d * g1 - h * g2 + 1.68049f * w;
    e = fma(c[1], clamp(1.5f - d, zero, (vector)(1)), e);
    s -= (d > 0.5f && d < 1.5f) ? c[1] : zero;
    e = fma(c[2], clamp(d * (-1 / 0.7f), zero, (vector)(1)), e);
    s -= (d > -0.7f && d < 0) ? c[2] * (1 / 0.7f) : zero;
    *slope = r < 8 ? s : zero;
    return r < 8 ? e : zero;
}
