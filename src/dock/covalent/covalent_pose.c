/* Poses of adducts as those of any ligand of a library. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/bonds.h"
#include "chem/vectors.h"
#include "dock/covalent/covalent.h"

/* A neighbour of an atom that is another one than `but`, a heavy one if there is one. */
static size_t neighbour_of(const struct berth_molecule *molecule,
                           const struct berth_adjacency *adjacency, size_t atom, size_t but)
{
    size_t found = SIZE_MAX;
    BERTH_EACH_BOND (k, adjacency, atom) {
        const size_t other = adjacency->neighbour[k];
        if (other != but && (found == SIZE_MAX || molecule->atoms[other].heavy)) {
            found = other;
        }
    }
    return found;
}

/* How far a bond of the molecule is turned in the positions, rad. */
static double turned_by(const struct berth_molecule *molecule,
                        const struct berth_adjacency *adjacency, const struct berth_torsion *bond,
                        const double (*positions)[3])
{
    const size_t a = neighbour_of(molecule, adjacency, bond->first, bond->second);
    const size_t d = neighbour_of(molecule, adjacency, bond->second, bond->first);
    if (a == SIZE_MAX || d == SIZE_MAX) {
        return 0;
    }
    const struct berth_atom *atoms = molecule->atoms;
    const double was = berth_dihedral(atoms[a].position, atoms[bond->first].position,
                                      atoms[bond->second].position, atoms[d].position);
    const double is =
        berth_dihedral(positions[a], positions[bond->first], positions[bond->second], positions[d]);
    return remainder(is - was, 2 * acos(-1));
}

static bool turns_heavy(const struct berth_molecule *molecule,
                        const struct berth_torsion_tree *tree, const struct berth_torsion *torsion)
{
    bool heavy = false;
    for (size_t i = 0; !heavy && i < torsion->moved_count; i++) {
        heavy = molecule->atoms[tree->moved[torsion->moved_start + i]].heavy;
    }
    return heavy;
}

/* Three atoms that are well apart: the first heavy one, the one farthest from it, and the one
 * farthest from the line through both. */
static void find_corners(const struct berth_molecule *molecule, const double (*positions)[3],
                         size_t corners[3])
{
    double most[2] = {-1, -1}, along[3];
    corners[0] = corners[1] = corners[2] = 0;
    while (!molecule->atoms[corners[0]].heavy) {
        corners[0]++;
    }
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const double distance = berth_distance(positions[corners[0]], positions[i]);
        corners[1] = distance > most[0] ? i : corners[1];
        most[0] = fmax(most[0], distance);
    }
    berth_direction(positions[corners[0]], positions[corners[1]], along);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        double way[3], across[3];
        berth_add_scaled(positions[i], -1, positions[corners[0]], way);
        berth_cross(along, way, across);
        const double distance = berth_length(across);
        corners[2] = distance > most[1] ? i : corners[2];
        most[1] = fmax(most[1], distance);
    }
}

/* The transform about the molecule's centroid that brings `from` to `to`, which are congruent. */
static struct berth_transform transform_to(const struct berth_molecule *molecule,
                                           const double (*from)[3], const double (*to)[3],
                                           const double center[3])
{
    size_t corners[3];
    double a[3][3], b[3][3], m[3][3], origin[3], shift[3];
    find_corners(molecule, to, corners);
    berth_frame(from[corners[0]], from[corners[1]], from[corners[2]], a);
    berth_frame(to[corners[0]], to[corners[1]], to[corners[2]], b);
    berth_heavy_centroid(molecule, origin);
    for (int i = 0; i < 3; i++) {
        shift[i] = to[corners[0]][i] - center[i];
        for (int j = 0; j < 3; j++) {
            m[i][j] = b[0][i] * a[0][j] + b[1][i] * a[1][j] + b[2][i] * a[2][j];
            shift[i] -= m[i][j] * (from[corners[0]][j] - origin[j]);
        }
    }
    return (struct berth_transform){.a = (float)atan2(m[2][1], m[2][2]),
                                    .b = (float)asin(fmax(-1, fmin(1, -m[2][0]))),
                                    .c = (float)atan2(m[1][0], m[0][0]),
                                    .x = (float)shift[0],
                                    .y = (float)shift[1],
                                    .z = (float)shift[2]};
}

enum berth_status berth_covalent_release(const struct berth_library_ligand *ligand,
                                         const double center[3], struct berth_pose *pose,
                                         struct berth_error *error)
{
    const struct berth_molecule *molecule = &ligand->ligand.conformers[pose->conformer];
    const struct berth_torsion_tree *tree = &ligand->tree;
    const double(*to)[3] = (const double(*)[3])pose->positions;
    struct berth_adjacency adjacency = {0};
    double(*from)[3] = NULL;
    enum berth_status status = berth_adjacency_find(molecule, &adjacency, error);
    BERTH_THEN(berth_make(&from, molecule->atom_count, sizeof *from, molecule->title, error));
    memset(pose->angles, 0, sizeof pose->angles);
    pose->torsions = 0;
    for (size_t i = 0; !status && i < molecule->atom_count; i++) {
        memcpy(from[i], molecule->atoms[i].position, sizeof from[i]);
    }
    for (size_t t = 0; !status && t < tree->count; t++) {
        if (pose->torsions < BERTH_TORSIONS && turns_heavy(molecule, tree, &tree->torsions[t])) {
            float *angle = &pose->angles[pose->torsions++];
            *angle = (float)turned_by(molecule, &adjacency, &tree->torsions[t], to);
            berth_torsion_turn(tree, t, *angle, from, sizeof *from);
        }
    }
    if (!status) {
        pose->transform = transform_to(molecule, (const double(*)[3])from, to, center);
    }
    berth_adjacency_clear(&adjacency);
    free(from);
    return status;
}
