/* Poses of a work-item: reading them, and placing a conformer's atoms by them.
 *
 * Each work-item works on BERTH_PPWI vectors of BERTH_VECTOR_WIDTH poses. */

/* The work-item's poses as matrices. */
struct placement {
    vector m[BERTH_PPWI][12]; /* rotation by rows, each followed by its translation (Å) */
};

/* One ligand atom in each of the work-item's poses. */
#if BERTH_EXPANDED
#define PLACED_SCALE -2.0f
#else
#define PLACED_SCALE 1.0f
#endif
struct placed_atom {
    vector x[BERTH_PPWI], y[BERTH_PPWI], z[BERTH_PPWI]; /* Å, times PLACED_SCALE */
    vector square[BERTH_PPWI];                          /* squared distance from the centre, Å² */
};

/* Index of the first pose of the work-item's vector v. */
static int first_pose(int v)
{
    int item =
        (int)get_group_id(0) * BERTH_WGSIZE * BERTH_PPWI + v * BERTH_WGSIZE + (int)get_local_id(0);
    return item * BERTH_VECTOR_WIDTH;
}

static void load_placement(global const float *planes, int poses, struct placement *placement)
{
    FOR_EACH_VECTOR
    {
        const int first = first_pose(v);
        vector a = load_vector(planes, first, poses);
        vector b = load_vector(planes + poses, first, poses);
        vector c = load_vector(planes + 2 * poses, first, poses);
        vector sa = sin(a), ca = cos(a), sb = sin(b), cb = cos(b), sc = sin(c), cc = cos(c);
        vector *m = placement->m[v];
        m[0] = cb * cc;
        m[1] = fma(sa * sb, cc, -(ca * sc));
        m[2] = fma(ca * sb, cc, sa * sc);
        m[3] = load_vector(planes + 3 * poses, first, poses);
        m[4] = cb * sc;
        m[5] = fma(sa * sb, sc, ca * cc);
        m[6] = fma(ca * sb, sc, -(sa * cc));
        m[7] = load_vector(planes + 4 * poses, first, poses);
        m[8] = -sb;
        m[9] = sa * cb;
        m[10] = ca * cb;
        m[11] = load_vector(planes + 5 * poses, first, poses);
    }
}

static vector place(const vector *row, struct berth_device_atom atom)
{
    return fma(row[0], (vector)(atom.x),
               fma(row[1], (vector)(atom.y), fma(row[2], (vector)(atom.z), row[3])));
}

static void place_atom(const struct placement *placement, struct berth_device_atom atom,
                       struct placed_atom *placed)
{
    FOR_EACH_VECTOR
    {
        vector x = place(placement->m[v], atom);
        vector y = place(placement->m[v] + 4, atom);
        vector z = place(placement->m[v] + 8, atom);
        placed->square[v] = fma(x, x, fma(y, y, z * z));
        placed->x[v] = PLACED_SCALE * x;
        placed->y[v] = PLACED_SCALE * y;
        placed->z[v] = PLACED_SCALE * z;
    }
}
