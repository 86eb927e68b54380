/* Densities of atoms on a grid: what a learned function sees of a pose.  A program of its own. */

/* e^-2: what is left of an atom's density at its radius. */
#define AT_RADIUS 0.1353352832f

/* The density of an atom, squared distances in squared radii: a Gaussian up to the radius, from
 * there a parabola that goes on with its value and slope, and has both 0 at 1.5 radii. */
static float density(float squared)
{
    const float left = 1.5f - sqrt(squared);
    return squared <= 1 ? exp(-2 * squared) : 4 * AT_RADIUS * left * left;
}

/* Adds an atom to a row of points along z, which it is `across` (squared, Å) from; row: [points],
 * each the mean of average³ points that are `spacing` apart. */
static void add_to_row(float4 atom, float across, int points, int average, float spacing,
                       global float *row)
{
    const float weight = 1.0f / (average * average * average);
    const float reach = 1.5f * atom.w, per_square = 1 / (atom.w * atom.w);
    const float middle = 0.5f * (points * average - 1);
    const float side = sqrt(max(reach * reach - across, 0.0f));
    const int first = max((int)ceil((atom.z - side) / spacing + middle), 0);
    const int last = min((int)floor((atom.z + side) / spacing + middle), points * average - 1);
    for (int k = first; k <= last; k++) {
        const float z = (k - middle) * spacing - atom.z;
        const float squared = fma(z, z, across) * per_square;
        row[k / average] += squared < 2.25f ? weight * density(squared) : 0;
    }
}

/* densities[pose][channel][x][y][z], `points` along each axis, about the origin of the atoms.
 * atoms: x, y, z and radius, Å; those of a pose's channel are from begins[pose][channel] up to the
 * next one's.  Each point is the mean of average³, which are `spacing` apart (Å).  Global size:
 * (points² × channels, poses). */
kernel void densities(global const float4 *restrict atoms, global const int *restrict begins,
                      int channels, int points, int average, float spacing,
                      global float *restrict result)
{
    const int item = (int)get_global_id(0), pose = (int)get_global_id(1);
    if (item >= points * points * channels) {
        return;
    }
    const int y = item % points, x = item / points % points, channel = item / (points * points);
    const float middle = 0.5f * (points * average - 1);
    const size_t number = (size_t)pose * channels + channel;
    global float *row = result + ((number * points + x) * points + y) * points;
    for (int k = 0; k < points; k++) {
        row[k] = 0;
    }
    for (int i = begins[number]; i < begins[number + 1]; i++) {
        const float4 atom = atoms[i];
        const float reach = 1.5f * atom.w;
        for (int j = 0; j < average * average; j++) {
            const float dx = (x * average + j / average - middle) * spacing - atom.x;
            const float dy = (y * average + j % average - middle) * spacing - atom.y;
            const float across = fma(dx, dx, dy * dy);
            if (across < reach * reach) {
                add_to_row(atom, across, points, average, spacing, row);
            }
        }
    }
}
