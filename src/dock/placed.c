#include "dock/placed.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The dihedrals of its torsional term, where the scoring function has one. */
static enum berth_status unpack_dihedrals(const struct berth_packed_flexible *packed,
                                          struct berth_flexible *flexible,
                                          struct berth_error *error)
{
    const size_t torsions = packed->torsions;
    const berth_int32 *pairs = packed->words + BERTH_FLEXIBLE_PAIRS(torsions, flexible->atom_count);
    const size_t plain =
        BERTH_FLEXIBLE_WORDS(torsions, flexible->atom_count, (size_t)pairs[1], (size_t)pairs[0]);
    const berth_int32 *heads = packed->words + plain, *words = heads + torsions;
    flexible->torsional = packed->count > plain;
    BERTH_TRY(berth_make(&flexible->dihedrals, packed->count - plain, sizeof *flexible->dihedrals,
                         NULL, error));
    for (size_t t = 0; flexible->torsional && t < torsions; t++) {
        for (berth_int32 k = 0; k < (heads[t] >> 12 & 255); k++) {
            const uint32_t atoms = (uint32_t)words[flexible->dihedral_count];
            flexible->dihedrals[flexible->dihedral_count++] = (struct berth_dihedral){
                (uint32_t)t, atoms & 1023, atoms >> 10, (uint32_t)heads[t] >> 20};
        }
    }
    return BERTH_OK;
}

/* What turns in the ligand, back from how the kernels see it. */
static enum berth_status unpack_flexible(const struct berth_packed_flexible *packed,
                                         struct berth_flexible *flexible, struct berth_error *error)
{
    const size_t atoms = flexible->atom_count, torsions = packed->torsions;
    const berth_int32 *axes = packed->words + BERTH_FLEXIBLE_AXES;
    const uint32_t *moved = (const uint32_t *)packed->words + BERTH_FLEXIBLE_MOVED(torsions);
    struct berth_torsion_tree *tree = &flexible->tree;
    flexible->free_count = (size_t)packed->words[BERTH_FLEXIBLE_FREE];
    flexible->still_count = atoms - (size_t)packed->words[BERTH_FLEXIBLE_MOVING];
    flexible->held = packed->words[BERTH_FLEXIBLE_HELD] != 0;
    flexible->words = BERTH_FLEXIBLE_FAR_ROW(atoms);
    BERTH_TRY(
        berth_make(&flexible->far, atoms * flexible->words, sizeof *flexible->far, NULL, error));
    BERTH_TRY(berth_make(&tree->torsions, torsions, sizeof *tree->torsions, NULL, error));
    BERTH_TRY(berth_make(&tree->moved, torsions * atoms, sizeof *tree->moved, NULL, error));
    memcpy(flexible->far, packed->words + BERTH_FLEXIBLE_FAR(torsions, atoms),
           atoms * flexible->words * sizeof *flexible->far);
    tree->count = torsions;
    for (size_t t = 0; t < torsions; t++) {
        struct berth_torsion *torsion = &tree->torsions[t];
        *torsion = (struct berth_torsion){.first = (uint32_t)axes[2 * t],
                                          .second = (uint32_t)axes[2 * t + 1],
                                          .moved_start = tree->moved_count};
        for (size_t i = 0; i < atoms; i++) {
            if (moved[t / 32 * atoms + i] >> t % 32 & 1) {
                tree->moved[tree->moved_count++] = (uint32_t)i;
            }
        }
        torsion->moved_count = tree->moved_count - torsion->moved_start;
    }
    return unpack_dihedrals(packed, flexible, error);
}

enum berth_status berth_unpack(const struct berth_packed_conformer *packed,
                               struct berth_placed *unpacked, struct berth_error *error)
{
    const size_t count = (size_t)packed->device.atom_count;
    memset(unpacked, 0, sizeof *unpacked);
    unpacked->conformer.count = unpacked->placed.count = count;
    unpacked->flexible.atom_count = unpacked->flexible.free_count = count;
    BERTH_TRY(berth_make(&unpacked->conformer.atoms, count, sizeof *unpacked->conformer.atoms, NULL,
                         error));
    BERTH_TRY(
        berth_make(&unpacked->placed.atoms, count, sizeof *unpacked->placed.atoms, NULL, error));
    BERTH_TRY(
        berth_make(&unpacked->given.atoms, count, sizeof *unpacked->given.atoms, NULL, error));
    for (size_t i = 0; i < count; i++) {
        const struct berth_device_atom *atom = &packed->atoms[i];
        unpacked->conformer.atoms[i] =
            (struct berth_heavy_atom){.position = {atom->x, atom->y, atom->z}, .type = atom->type};
    }
    return packed->flexible ? unpack_flexible(packed->flexible, &unpacked->flexible, error)
                            : BERTH_OK;
}

void berth_placed_place(struct berth_placed *unpacked, const struct berth_pose *pose,
                        const double center[3])
{
    double turned[BERTH_TORSIONS] = {0};
    berth_flexible_place(&unpacked->flexible, &unpacked->conformer, &pose->transform, turned,
                         &unpacked->given);
    for (size_t t = 0; t < unpacked->flexible.tree.count; t++) {
        turned[t] = pose->angles[t];
    }
    berth_flexible_place(&unpacked->flexible, &unpacked->conformer, &pose->transform, turned,
                         &unpacked->placed);
    for (size_t i = 0; i < unpacked->placed.count; i++) {
        for (int k = 0; k < 3; k++) {
            unpacked->given.atoms[i].position[k] += center[k];
            unpacked->placed.atoms[i].position[k] += center[k];
        }
    }
}

void berth_placed_clear(struct berth_placed *unpacked)
{
    berth_heavy_atoms_clear(&unpacked->conformer);
    berth_heavy_atoms_clear(&unpacked->given);
    berth_heavy_atoms_clear(&unpacked->placed);
    berth_flexible_clear(&unpacked->flexible);
}
