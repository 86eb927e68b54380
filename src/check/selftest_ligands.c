/* Random flexible ligands for the checks of refinement and of the search on maps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check/selftest_internal.h"
#include "score/flexible.h"

/* Hangs a further carbon on any of the molecule's atoms, where no other is near. */
static void grow(struct selftest *test, struct berth_molecule *molecule)
{
    struct berth_atom *atom = &molecule->atoms[molecule->atom_count];
    size_t to = 0;
    bool free_place = molecule->atom_count == 0;
    for (double nearest = 1.3; !free_place; nearest *= 0.99) {
        to = berth_random_below(&test->random, molecule->atom_count);
        double direction[3], square = 0;
        for (int k = 0; k < 3; k++) {
            direction[k] = berth_random_between(&test->random, -1, 1);
            square += direction[k] * direction[k];
        }
        free_place = true;
        for (int k = 0; k < 3; k++) {
            atom->position[k] = molecule->atoms[to].position[k] + 1.5 * direction[k] / sqrt(square);
        }
        for (size_t i = 0; i < molecule->atom_count; i++) {
            const double *p = molecule->atoms[i].position, *q = atom->position;
            free_place =
                free_place && hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]) > nearest;
        }
    }
    strcpy(atom->type, "C.3");
    atom->element = 6;
    atom->heavy = true;
    if (molecule->atom_count) {
        molecule->bonds[molecule->bond_count++] =
            (struct berth_bond){to, molecule->atom_count, "1", 0};
    }
    molecule->atom_count++;
}

static enum berth_status pack(struct selftest *test, const struct berth_molecule *molecule,
                              uint32_t number, struct selftest_ligand *ligand,
                              struct berth_error *error)
{
    struct berth_heavy_atoms *heavy = &ligand->heavy;
    enum berth_status status = berth_flexible_find(
        molecule, berth_scoring_apart(test->setup->scoring), &ligand->flexible, error);
    BERTH_THEN(berth_flexible_twist(test->setup->scoring, heavy, &ligand->flexible, error));
    BERTH_THEN(berth_pack_flexible(&ligand->flexible, heavy, &ligand->words, error));
    BERTH_THEN(berth_pack_conformer(heavy, 1, number, &ligand->packed, error));
    for (size_t i = 0; !status && i < heavy->count; i++) {
        const struct berth_device_atom *atom = &ligand->packed.atoms[i];
        const double position[3] = {atom->x, atom->y, atom->z};
        memcpy(heavy->atoms[i].position, position, sizeof position);
    }
    ligand->packed.flexible = &ligand->words;
    return status;
}

enum berth_status selftest_ligand(struct selftest *test, size_t atoms, uint32_t number,
                                  struct selftest_ligand *ligand, struct berth_error *error)
{
    struct berth_molecule molecule = {.atoms = berth_alloc(atoms, sizeof *molecule.atoms),
                                      .bonds = berth_alloc(atoms, sizeof *molecule.bonds),
                                      .title = berth_copy_text("random")};
    memset(ligand, 0, sizeof *ligand);
    enum berth_status status = selftest_atoms(test, atoms, 1, &ligand->heavy, error);
    if (!status && (!molecule.atoms || !molecule.bonds || !molecule.title)) {
        status = berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; !status && i < atoms; i++) {
        grow(test, &molecule);
        memcpy(ligand->heavy.atoms[i].position, molecule.atoms[i].position, sizeof(double[3]));
        ligand->heavy.atoms[i].hybrid = (enum berth_hybrid)(i % 4);
    }
    BERTH_THEN(pack(test, &molecule, number, ligand, error));
    berth_molecule_clear(&molecule);
    return status;
}

/* Makes a random tree in which something turns, beside the middle: up or down from it along each
 * axis, so that bodies are apart, and slopes not steeper than a search follows. */
static enum berth_status make_body(struct selftest *test, bool up, struct selftest_ligand *body,
                                   struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    while (!status && !body->flexible.tree.count) {
        selftest_ligand_clear(body);
        status = selftest_ligand(test, 5 + berth_random_below(&test->random, 5), 0, body, error);
    }
    for (int k = 0; !status && k < 3; k++) {
        const double shift = (up ? 1 : -1) * berth_random_between(&test->random, 2.5, 4.5);
        for (size_t i = 0; i < body->heavy.count; i++) {
            body->heavy.atoms[i].position[k] += shift;
        }
    }
    return status;
}

/* Puts what was joined in the place of the ligand. */
static enum berth_status replace(const struct berth_flexible *joined,
                                 const struct berth_heavy_atoms *heavy,
                                 struct selftest_ligand *ligand, struct berth_error *error)
{
    static const double CENTRE[3] = {0};
    berth_flexible_clear(&ligand->flexible);
    berth_heavy_atoms_clear(&ligand->heavy);
    berth_packed_flexible_clear(&ligand->words);
    ligand->flexible = *joined;
    ligand->heavy = *heavy;
    ligand->packed.flexible = &ligand->words;
    enum berth_status status = berth_pack_flexible(joined, heavy, &ligand->words, error);
    BERTH_THEN(berth_pack_fixed(joined, heavy, CENTRE, &ligand->packed, error));
    for (size_t i = 0; !status && i < heavy->count + joined->anchor_count; i++) {
        const struct berth_device_atom *atom = &ligand->packed.atoms[i];
        const double position[3] = {atom->x, atom->y, atom->z};
        memcpy(heavy->atoms[i].position, position, sizeof position);
    }
    return status;
}

enum berth_status selftest_bodies(struct selftest *test, struct selftest_ligand *ligand,
                                  struct berth_error *error)
{
    enum { FIXED = 2 };
    const size_t free = ligand->heavy.count != 0;
    struct selftest_ligand fixed[FIXED] = {0};
    struct berth_body bodies[1 + FIXED] = {{&ligand->flexible, &ligand->heavy}};
    enum berth_status status = BERTH_OK;
    for (size_t b = 0; !status && b < FIXED; b++) {
        status = make_body(test, b == 0, &fixed[b], error);
        bodies[free + b] = (struct berth_body){&fixed[b].flexible, &fixed[b].heavy};
    }
    struct berth_flexible joined;
    struct berth_heavy_atoms heavy;
    BERTH_THEN(berth_bodies_join(bodies, free + FIXED, free, &joined, &heavy, error));
    BERTH_THEN(replace(&joined, &heavy, ligand, error));
    for (size_t b = 0; b < FIXED; b++) {
        selftest_ligand_clear(&fixed[b]);
    }
    return status;
}

void selftest_ligand_clear(struct selftest_ligand *ligand)
{
    berth_heavy_atoms_clear(&ligand->heavy);
    berth_flexible_clear(&ligand->flexible);
    berth_packed_flexible_clear(&ligand->words);
    berth_packed_conformer_clear(&ligand->packed);
}

size_t selftest_measured(const struct selftest_ligand *ligand)
{
    return ligand->flexible.free_count ? ligand->flexible.free_count : ligand->heavy.count;
}

double selftest_mass(const struct selftest_ligand *of, size_t k)
{
    const struct berth_heavy_atoms *ligand = &of->heavy;
    const float *inertia = of->packed.device.inertia;
    if (k < 6) {
        return k < 3 ? 1 : fmax((inertia[0] + inertia[1] + inertia[2]) / 3, 0.01);
    }
    const struct berth_torsion_tree *tree = &of->flexible.tree;
    const struct berth_torsion *torsion = &tree->torsions[k - 6];
    const double *first = ligand->atoms[torsion->first].position;
    const double *second = ligand->atoms[torsion->second].position;
    double sum = 0;
    for (size_t i = 0; i < torsion->moved_count; i++) {
        const double *p = ligand->atoms[tree->moved[torsion->moved_start + i]].position;
        double along = 0, arm = 0, axis = 0;
        for (int n = 0; n < 3; n++) {
            along += (p[n] - second[n]) * (second[n] - first[n]);
            arm += (p[n] - second[n]) * (p[n] - second[n]);
            axis += (second[n] - first[n]) * (second[n] - first[n]);
        }
        sum += arm - along * along / axis;
    }
    return fmax(sum / (double)selftest_measured(of), 0.01);
}
