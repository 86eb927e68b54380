/* The torsional term of a scoring function that has one.  A torsion has the mean of what its
 * dihedrals have, each measured from a neighbour of the first atom of its axis to one of the
 * second. Turning the torsion turns all of them by its angle, and nothing else does: so their
 * angles in the conformer are worked out once. */

/* The scoring function's, which stands behind this file. */
static real torsional_energy(int row, real phi, real *slope);

/* The same angle within half a turn, where a GPU's own functions are exact to 1e-6. */
static real within_half_turn(real angle)
{
    return fma((real)(-BERTH_FULL_TURN), rint(angle * (1 / BERTH_FULL_TURN)), angle);
}

static real angle_sin(real angle)
{
    return native_sin(within_half_turn(angle));
}

static real angle_cos(real angle)
{
    return native_cos(within_half_turn(angle));
}

#if BERTH_POSE_LANES > 1
#define real_exp2(x) fast_exp2_v(x)
#else
#define real_exp2(x) fast_exp2(x)
#endif

/* The ligand's words about it: a head for each torsion, then the dihedrals. */
static global const int *torsional_words(const struct flexible *flexible)
{
    global const int *pairs =
        flexible->words + BERTH_FLEXIBLE_PAIRS(flexible->torsions, flexible->atoms);
    return pairs + 2 + pairs[0] + pairs[1];
}

static int first_dihedral(int head)
{
    return head & 4095;
}

static int count_dihedrals(int head)
{
    return head >> 12 & 255;
}

/* The angle of four atoms in the conformer, rad. */
static float dihedral_of(const struct flexible *flexible, int a, int b, int c, int d)
{
    const float3 origin = conformer_position(flexible, b), end = conformer_position(flexible, c);
    const float3 along = normalize(end - origin);
    const float3 from = conformer_position(flexible, a) - origin;
    const float3 to = conformer_position(flexible, d) - end;
    const float3 first = from - along * dot(from, along), second = to - along * dot(to, along);
    return atan2(dot(cross(along, first), second), dot(first, second));
}

/* Works out the dihedrals of the conformer. */
static void load_phases(const struct scratch *w, const struct flexible *flexible)
{
    const int torsions = flexible->torsions;
    FOR_EACH_ITEM(t, torsions)
    {
        global const int *words = torsional_words(flexible);
        global const int *axis = flexible->words + BERTH_FLEXIBLE_AXES + 2 * t;
        for (int k = 0; k < count_dihedrals(words[t]); k++) {
            const int atoms = words[torsions + first_dihedral(words[t]) + k];
            w->phases[BERTH_DIHEDRALS * t + k] =
                dihedral_of(flexible, atoms & 1023, axis[0], axis[1], atoms >> 10);
        }
    }
}

/* The energy of a torsion that is turned by so much (rad), and its slope. */
static real energy_of_torsion(const struct scratch *w, int head, int torsion, real angle,
                              real *slope)
{
    const int count = count_dihedrals(head);
    const float share = 1.0f / max(count, 1);
    real energy = 0, sum = 0;
    for (int k = 0; k < count; k++) {
        const real phi = within_half_turn(angle + w->phases[BERTH_DIHEDRALS * torsion + k]);
        energy += torsional_energy(head >> 20, phi, slope);
        sum += *slope;
    }
    *slope = share * sum;
    return share * energy;
}

/* The work-item's part of the trial's energy; next_gradient of its torsions becomes the slope. */
static real add_torsions(const struct scratch *w, const struct flexible *flexible)
{
    real energy = 0;
    FOR_EACH_ITEM(t, flexible->torsions)
    {
        real slope;
        energy += energy_of_torsion(w, torsional_words(flexible)[t], t, w->trial[POINT_ANGLES + t],
                                    &slope);
        w->freedoms[6 + t].next_gradient = slope;
    }
    return energy;
}
