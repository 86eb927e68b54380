/* Neighbour lists: where a ligand atom is in all poses of a work-group, and the list for it there.
 */
#if BERTH_LISTS

/* A sphere about some points: centre and radius, Å. */
struct sphere {
    float3 centre;
    float radius;
};

/* The tile that lists all receptor atoms that a ligand atom may interact with anywhere in the
 * sphere. */
static int find_list(constant struct berth_device_site *site, struct sphere sphere, int kind,
                     float conformer_radius)
{
    for (int l = 0; l < site->level_count; l++) {
        constant struct berth_device_level *level = &site->levels[l];
        int x = convert_int_sat_rtn((sphere.centre.x - level->x) * level->per_edge);
        int y = convert_int_sat_rtn((sphere.centre.y - level->y) * level->per_edge);
        int z = convert_int_sat_rtn((sphere.centre.z - level->z) * level->per_edge);
#ifdef BERTH_LARGE
        /* Most atoms of a large ligand are outside.  Where the receptor is inside, none of its
         * atoms is farther from the nearest place of the grid than from where they are. */
        x = level->covers ? clamp(x, 0, level->nx - 1) : x;
        y = level->covers ? clamp(y, 0, level->ny - 1) : y;
        z = level->covers ? clamp(z, 0, level->nz - 1) : z;
#endif
        if (sphere.radius <= level->spread && x >= 0 && x < level->nx && y >= 0 && y < level->ny &&
            z >= 0 && z < level->nz) {
            return level->first + ((kind * level->nz + z) * level->ny + y) * level->nx + x;
        }
    }
    return conformer_radius <= site->margin ? BERTH_LIST_SITE : BERTH_LIST_ALL;
}

#if BERTH_WGSIZE == 1
struct gathering {
    int unused;
};

/* Middle between the least and the largest lane of x[BERTH_PPWI]. */
static float middle(const vector *x)
{
    vector high = x[0], low = x[0];
    for (int v = 1; v < BERTH_PPWI; v++) {
        high = max(high, x[v]);
        low = min(low, x[v]);
    }
    return 0.5f * (largest_lane(high) - largest_lane(-low));
}

/* The sphere about the atom in the work-item's poses. */
static void sphere_about(const struct placed_atom *placed, struct sphere *sphere)
{
    sphere->centre = (float3)(middle(placed->x), middle(placed->y), middle(placed->z));
    vector farthest = 0;
    FOR_EACH_VECTOR
    {
        const vector x = placed->x[v] - sphere->centre.x, y = placed->y[v] - sphere->centre.y;
        const vector z = placed->z[v] - sphere->centre.z;
        farthest = max(farthest, fma(x, x, fma(y, y, z * z)));
    }
    const float scale = PLACED_SCALE; /* placed atoms are scaled */
    sphere->centre *= 1 / scale;
    sphere->radius = sqrt(largest_lane(farthest)) * fabs(1 / scale);
}
#else

#define BERTH_GROUP_POSES (BERTH_WGSIZE * BERTH_PPWI * BERTH_VECTOR_WIDTH)

/* What a work-group's items tell each other: their poses as matrices, so that each can look at one
 * ligand atom in all of them; and the lists for a block of ligand atoms. */
struct gathering {
    float4 rows[BERTH_GROUP_POSES][3];
    int lists[BERTH_WGSIZE];
};

static void gather_poses(const struct placement *placement, local struct gathering *gathering)
{
    FOR_EACH_VECTOR
    {
        float lanes[12][BERTH_VECTOR_WIDTH];
        for (int k = 0; k < 12; k++) {
            VECTOR_STORE(placement->m[v][k], lanes[k]);
        }
        for (int i = 0; i < BERTH_VECTOR_WIDTH; i++) {
            local float4 *rows =
                gathering->rows[((int)get_local_id(0) * BERTH_PPWI + v) * BERTH_VECTOR_WIDTH + i];
            for (int k = 0; k < 3; k++) {
                rows[k] = (float4)(lanes[4 * k][i], lanes[4 * k + 1][i], lanes[4 * k + 2][i],
                                   lanes[4 * k + 3][i]);
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

static float3 placed_by(local const float4 *rows, float4 atom)
{
    return (float3)(dot(rows[0], atom), dot(rows[1], atom), dot(rows[2], atom));
}

/* The sphere about an atom in the work-group's poses. */
static void sphere_about(local const struct gathering *gathering, struct berth_device_atom atom,
                         struct sphere *sphere)
{
    const float4 at = (float4)(atom.x, atom.y, atom.z, 1);
    float3 low = placed_by(gathering->rows[0], at), high = low;
    for (int i = 1; i < BERTH_GROUP_POSES; i++) {
        const float3 p = placed_by(gathering->rows[i], at);
        low = min(low, p);
        high = max(high, p);
    }
    sphere->centre = 0.5f * (low + high);
    float farthest = 0;
    for (int i = 0; i < BERTH_GROUP_POSES; i++) {
        const float3 d = placed_by(gathering->rows[i], at) - sphere->centre;
        farthest = max(farthest, dot(d, d));
    }
    sphere->radius = sqrt(farthest);
}
#endif
#endif

/* Tiles begin .. end - 1, which have all receptor atoms that something may interact with. */
struct tile_range {
    int begin, end;
};
