/* Placing flexible poses, and their energy. */
#include "score/flexible.h"

#include <math.h>
#include <string.h>

#include "chem/ligand.h"
#include "chem/vectors.h"

static void centroid_of(const struct berth_heavy_atom *atoms, size_t count, double centroid[3])
{
    for (int k = 0; k < 3; k++) {
        centroid[k] = 0;
        for (size_t i = 0; i < count; i++) {
            centroid[k] += atoms[i].position[k] / (double)count;
        }
    }
}

void berth_flexible_place(const struct berth_flexible *flexible,
                          const struct berth_heavy_atoms *conformer,
                          const struct berth_transform *transform, const double *angles,
                          struct berth_heavy_atoms *placed)
{
    double centroid[3];
    centroid_of(conformer->atoms, flexible->free_count, centroid);
    memmove(placed->atoms, conformer->atoms, conformer->count * sizeof *placed->atoms);
    placed->count = conformer->count;
    for (size_t t = 0; t < flexible->tree.count; t++) {
        berth_torsion_turn(&flexible->tree, t, angles[t], placed->atoms->position,
                           sizeof *placed->atoms);
    }
    for (size_t i = 0; i < flexible->free_count; i++) {
        double *position = placed->atoms[i].position;
        berth_transform_apply(transform, centroid, position, position);
    }
}

static bool moves_heavy(const struct berth_molecule *molecule,
                        const struct berth_torsion_tree *tree, const struct berth_torsion *torsion)
{
    bool heavy = false;
    for (size_t i = 0; !heavy && i < torsion->moved_count; i++) {
        heavy = molecule->atoms[tree->moved[torsion->moved_start + i]].heavy;
    }
    return heavy;
}

void berth_flexible_place_molecule(const struct berth_molecule *molecule,
                                   const struct berth_torsion_tree *tree,
                                   const struct berth_transform *transform, const double *angles,
                                   double (*positions)[3])
{
    double centroid[3];
    berth_heavy_centroid(molecule, centroid);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        memcpy(positions[i], molecule->atoms[i].position, sizeof positions[i]);
    }
    for (size_t t = 0, turning = 0; t < tree->count && turning < BERTH_FLEXIBLE_TORSIONS_MAX; t++) {
        if (moves_heavy(molecule, tree, &tree->torsions[t])) {
            berth_torsion_turn(tree, t, angles[turning++], positions, sizeof *positions);
        }
    }
    for (size_t i = 0; i < molecule->atom_count; i++) {
        berth_transform_apply(transform, centroid, positions[i], positions[i]);
    }
}

double berth_flexible_torsional(const struct berth_scoring *scoring,
                                const struct berth_flexible *flexible,
                                const struct berth_heavy_atoms *atoms)
{
    double sum = 0;
    for (size_t begin = 0, end; begin < flexible->dihedral_count; begin = end) {
        const size_t t = flexible->dihedrals[begin].torsion;
        const struct berth_torsion *axis = &flexible->tree.torsions[t];
        double energy = 0;
        for (end = begin; end < flexible->dihedral_count && flexible->dihedrals[end].torsion == t;
             end++) {
            const struct berth_dihedral *four = &flexible->dihedrals[end];
            const double angle = berth_dihedral(
                atoms->atoms[four->first].position, atoms->atoms[axis->first].position,
                atoms->atoms[axis->second].position, atoms->atoms[four->last].position);
            energy += berth_torsional_energy(&scoring->definition->torsional, four->row, angle,
                                             false, NULL);
        }
        sum += energy / (double)(end - begin);
    }
    return sum;
}

enum berth_status berth_flexible_standing(const struct berth_scoring *scoring,
                                          const struct berth_molecule *molecule,
                                          const struct berth_heavy_atoms *heavy, double *torsional,
                                          struct berth_error *error)
{
    struct berth_flexible flexible = {0};
    *torsional = 0;
    if (!*scoring->definition->torsional.name || heavy->count > BERTH_LIGAND_FLEXIBLE_MAX) {
        return BERTH_OK;
    }
    enum berth_status status =
        berth_flexible_find(molecule, berth_scoring_apart(scoring), &flexible, error);
    BERTH_THEN(berth_flexible_twist(scoring, heavy, &flexible, error));
    if (!status) {
        *torsional = berth_flexible_torsional(scoring, &flexible, heavy);
    }
    berth_flexible_clear(&flexible);
    return status;
}

/* The terms of far pairs of an atom below begin with one from there on, or of two atoms between
 * begin and end. */
static struct berth_terms far_terms(const struct berth_flexible_system *system,
                                    const struct berth_heavy_atoms *atoms, size_t begin, size_t end,
                                    bool across)
{
    struct berth_terms sum = {{0}};
    for (size_t i = begin; i < end; i++) {
        for (size_t j = across ? 0 : begin; j < (across ? begin : i); j++) {
            if (berth_flexible_is_far(system->flexible, i, j)) {
                const struct berth_heavy_atom *a = &atoms->atoms[i], *b = &atoms->atoms[j];
                const struct berth_terms pair = berth_score_ref_pair(
                    system->scoring, a->type, b->type, berth_distance(a->position, b->position));
                for (size_t k = 0; k < BERTH_TERMS_MAX; k++) {
                    sum.values[k] += pair.values[k];
                }
            }
        }
    }
    return sum;
}

double berth_flexible_restraint(const struct berth_flexible_system *system,
                                const struct berth_heavy_atoms *placed)
{
    return system->places && system->restrained
               ? berth_restraint_energy(system->places, system->restrained, placed)
               : 0;
}

/* The terms of atoms begin .. end - 1 with the receptor. */
static struct berth_terms receptor_terms(const struct berth_flexible_system *system,
                                         const struct berth_heavy_atoms *atoms, size_t begin,
                                         size_t end)
{
    const struct berth_heavy_atoms some = {atoms->atoms + begin, end - begin};
    return berth_score_ref(system->scoring, system->receptor, &some);
}

void berth_flexible_parts(const struct berth_flexible_system *system,
                          const struct berth_heavy_atoms *atoms, double parts[BERTH_PART_COUNT])
{
    const size_t free = system->flexible->free_count, still = system->flexible->still_count;
    const struct berth_terms intra = far_terms(system, atoms, 0, free, false);
    const struct berth_terms fixed = far_terms(system, atoms, free, atoms->count, false);
    const struct berth_terms rest = receptor_terms(system, atoms, free, atoms->count - still);
    parts[BERTH_PART_INTRA] = berth_terms_sum(&intra);
    parts[BERTH_PART_RECEPTOR] = berth_terms_sum(&fixed) + berth_terms_sum(&rest);
    parts[BERTH_PART_RESTRAINT] = berth_flexible_restraint(system, atoms);
}

#define IS_RELATIVE(part, name, column, relative, added) [BERTH_PART_##part] = (relative) != 0,

struct berth_flexible_energy berth_flexible_energy(const struct berth_flexible_system *system,
                                                   const struct berth_heavy_atoms *placed)
{
    static const bool RELATIVE[BERTH_PART_COUNT] = {BERTH_POSE_PARTS(IS_RELATIVE)};
    const size_t free = system->flexible->free_count;
    const struct berth_terms beside = far_terms(system, placed, free, placed->count, true);
    struct berth_flexible_energy energy = {.terms = receptor_terms(system, placed, 0, free)};
    for (size_t k = 0; k < BERTH_TERMS_MAX; k++) {
        energy.terms.values[k] += beside.values[k];
    }
    berth_flexible_parts(system, system->conformer, energy.begun);
    berth_flexible_parts(system, placed, energy.parts);
    for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
        energy.begun[k] = RELATIVE[k] ? energy.begun[k] : 0;
        energy.parts[k] -= energy.begun[k];
    }
    if (system->flexible->torsional) {
        energy.terms.values[berth_scoring_pair_terms(system->scoring)] =
            berth_flexible_torsional(system->scoring, system->flexible, placed);
    }
    return energy;
}

double berth_flexible_total(const struct berth_flexible_energy *energy)
{
    double sum = berth_terms_sum(&energy->terms);
    for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
        sum += energy->parts[k];
    }
    return sum;
}
