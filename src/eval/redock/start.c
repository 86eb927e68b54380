/* How a ligand begins: not as it lies in the crystal. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check/reference.h"
#include "chem/conformers.h"
#include "chem/structure.h"
#include "eval/redock/redock_internal.h"

enum { TRIES = 200 }; /* of random torsions, until no two atoms clash */

static const double PI = 3.14159265358979323846;

/* A uniformly random rotation (K. Shoemake, Graphics Gems III (1992) 124), row-major. */
static void random_rotation(struct berth_random *random, double rotation[9])
{
    const double u = berth_random_between(random, 0, 1);
    const double v = berth_random_between(random, 0, 2 * PI);
    const double w = berth_random_between(random, 0, 2 * PI);
    const double x = sqrt(1 - u) * sin(v), y = sqrt(1 - u) * cos(v);
    const double z = sqrt(u) * sin(w), s = sqrt(u) * cos(w);
    const double rows[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - z * s),     2 * (x * z + y * s),
        2 * (x * y + z * s),     1 - 2 * (x * x + z * z), 2 * (y * z - x * s),
        2 * (x * z - y * s),     2 * (y * z + x * s),     1 - 2 * (x * x + y * y)};
    memcpy(rotation, rows, sizeof rows);
}

/* Rotates the molecule about the origin, so that nothing of how it lies in the crystal is left. */
static void rotate(struct berth_molecule *molecule, struct berth_random *random)
{
    double rotation[9], center[3];
    random_rotation(random, rotation);
    berth_heavy_centroid(molecule, center);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        double arm[3];
        for (int k = 0; k < 3; k++) {
            arm[k] = molecule->atoms[i].position[k] - center[k];
        }
        for (int k = 0; k < 3; k++) {
            molecule->atoms[i].position[k] = rotation[3 * k] * arm[0] +
                                             rotation[3 * k + 1] * arm[1] +
                                             rotation[3 * k + 2] * arm[2];
        }
    }
}

/* Turns by angle (rad) about the unit axis through center (O. Rodrigues). */
static void turn(const double axis[3], const double center[3], double angle, double position[3])
{
    const double c = cos(angle), s = sin(angle);
    double arm[3];
    for (int k = 0; k < 3; k++) {
        arm[k] = position[k] - center[k];
    }
    const double along = axis[0] * arm[0] + axis[1] * arm[1] + axis[2] * arm[2];
    const double across[3] = {axis[1] * arm[2] - axis[2] * arm[1],
                              axis[2] * arm[0] - axis[0] * arm[2],
                              axis[0] * arm[1] - axis[1] * arm[0]};
    for (int k = 0; k < 3; k++) {
        position[k] = center[k] + c * arm[k] + s * across[k] + (1 - c) * along * axis[k];
    }
}

/* Gives every torsion a random angle; what it moves stays rigid. */
static void turn_all(const struct berth_torsion_tree *tree, struct berth_random *random,
                     double (*positions)[3])
{
    for (size_t t = 0; t < tree->count; t++) {
        const struct berth_torsion *torsion = &tree->torsions[t];
        const double *first = positions[torsion->first], *second = positions[torsion->second];
        const double length = sqrt(berth_distance_squared(first, second));
        const double angle = berth_random_between(random, 0, 2 * PI);
        double axis[3];
        for (int k = 0; k < 3; k++) {
            axis[k] = (second[k] - first[k]) / length;
        }
        for (size_t i = 0; i < torsion->moved_count; i++) {
            turn(axis, second, angle, positions[tree->moved[torsion->moved_start + i]]);
        }
    }
}

/* The first of some random shapes in which no atoms clash, else the one that clashes least. */
static void shape(struct berth_molecule *molecule, const struct berth_torsion_tree *tree,
                  const struct berth_clashes *clashes, struct berth_random *random,
                  double (*positions)[3])
{
    double least = INFINITY;
    for (int try = 0; try < TRIES && least > 0; try++) {
        turn_all(tree, random, positions);
        const double clash = berth_clash(clashes, (const double(*)[3])positions);
        if (clash < least) {
            least = clash;
            for (size_t i = 0; i < molecule->atom_count; i++) {
                memcpy(molecule->atoms[i].position, positions[i], sizeof *positions);
            }
        }
    }
}

static enum berth_status randomise(struct berth_molecule *molecule, struct berth_random *random,
                                   struct berth_error *error)
{
    struct berth_torsion_tree tree = {0};
    struct berth_clashes clashes = {0};
    double(*positions)[3] = berth_alloc(molecule->atom_count, sizeof *positions);
    enum berth_status status = positions ? berth_torsion_tree_find(molecule, &tree, error)
                                         : berth_out_of_memory(error, NULL);
    BERTH_THEN(berth_clashes_find(molecule, &tree, &clashes, error));
    if (!status) {
        for (size_t i = 0; i < molecule->atom_count; i++) {
            memcpy(positions[i], molecule->atoms[i].position, sizeof *positions);
        }
        shape(molecule, &tree, &clashes, random, positions);
    }
    berth_clashes_clear(&clashes);
    berth_torsion_tree_clear(&tree);
    free(positions);
    return status;
}

enum berth_status redock_start(enum berth_redock_mode mode, uint64_t seed,
                               struct berth_molecule *molecule, struct berth_error *error)
{
    struct berth_random random = {.seed = seed ^ berth_ligand_key(molecule->title)};
    enum berth_status status = BERTH_OK;
    if (mode != BERTH_REDOCK_GENERATED) {
        rotate(molecule, &random);
    }
    if (mode == BERTH_REDOCK_TORSIONS) {
        status = randomise(molecule, &random, error);
    }
    return status;
}
