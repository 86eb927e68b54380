/* Densities of atoms on a grid: what a learned function sees of a pose.  A program of its own,
 * built with AVERAGE: how many points along each axis one is the mean of. */

/* e^-2: what is left of an atom's density at its radius. */
#define AT_RADIUS 0.1353352832f

/* The density of an atom, squared distances in squared radii: a Gaussian up to the radius, from
 * there a parabola that goes on with its value and slope, and has both 0 at 1.5 radii. */
static float density(float squared)
{
    const float left = 1.5f - sqrt(squared);
    return squared <= 1 ? exp(-2 * squared) : 4 * AT_RADIUS * left * left;
}

/* Where along an axis a density is that reaches `side` to both sides of `at` (Å): the first of
 * `points` points that are `spacing` apart about 0, and the last. */
static int2 reached(float at, float side, int points, float spacing)
{
    const float middle = 0.5f * (points - 1);
    return (int2)(max((int)ceil((at - side) / spacing + middle), 0),
                  min((int)floor((at + side) / spacing + middle), points - 1));
}

/* Adds an atom to a row of points along z, which it is `across` (squared, Å) from. */
static void add_to_row(float4 atom, float across, int points, float spacing, global float *row)
{
    const float weight = 1.0f / (AVERAGE * AVERAGE * AVERAGE);
    const float reach = 1.5f * atom.w, per_square = 1 / (atom.w * atom.w);
    const float middle = 0.5f * (points - 1);
    const int2 part = reached(atom.z, sqrt(max(reach * reach - across, 0.0f)), points, spacing);
    for (int k = part.x; k <= part.y; k++) {
        const float z = (k - middle) * spacing - atom.z;
        const float squared = fma(z, z, across) * per_square;
        row[k / AVERAGE] += squared < 2.25f ? weight * density(squared) : 0;
    }
}

/* densities[list][x][y][z], `points` along each axis, about the origin of the atoms; each is the
 * mean of AVERAGE³ points, which are `spacing` apart (Å).  atoms: x, y, z and radius, Å; those of a
 * list are from begins[list] up to the next one's.  Global size: (points, lists). */
kernel void densities(global const float4 *restrict atoms, global const int *restrict begins,
                      int points, float spacing, global float *restrict result)
{
    const int x = (int)get_global_id(0), list = (int)get_global_id(1), fine = points * AVERAGE;
    if (x >= points) {
        return;
    }
    const float middle = 0.5f * (fine - 1);
    global float *slab = result + ((size_t)list * points + x) * points * points;
    for (int k = 0; k < points * points; k++) {
        slab[k] = 0;
    }
    for (int i = begins[list]; i < begins[list + 1]; i++) {
        const float4 atom = atoms[i];
        const float square = 2.25f * atom.w * atom.w;
        for (int j = x * AVERAGE; j < (x + 1) * AVERAGE; j++) {
            const float dx = (j - middle) * spacing - atom.x;
            const float left = square - dx * dx;
            const int2 part = left > 0 ? reached(atom.y, sqrt(left), fine, spacing) : (int2)(0, -1);
            for (int k = part.x; k <= part.y; k++) {
                const float dy = (k - middle) * spacing - atom.y;
                add_to_row(atom, fma(dx, dx, dy * dy), fine, spacing, slab + k / AVERAGE * points);
            }
        }
    }
}
