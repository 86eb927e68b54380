#include "api/poses.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

static struct berth_docked_pose pose_of(const struct berth_mode *mode)
{
    return (struct berth_docked_pose){.conformer = mode->conformer,
                                      .value = mode->value,
                                      .energy = mode->energy,
                                      .steric = mode->terms.steric,
                                      .electrostatic = mode->terms.electrostatic,
                                      .desolvation = mode->terms.desolvation,
                                      .strain = mode->turned ? mode->strain : NAN,
                                      .conformer_strain = mode->conformer_strain,
                                      .rmsd = mode->rmsd >= 0 ? mode->rmsd : NAN,
                                      .positions = (const double(*)[3])mode->positions,
                                      .clash = mode->clash};
}

enum berth_status berth_api_hand(const struct berth_ligand_calls *calls,
                                 const struct berth_api_docked *docked, bool *stop,
                                 struct berth_error *error)
{
    const struct berth_molecule *molecule = &docked->ligand->conformers[0];
    const size_t count = docked->modes->count;
    int *elements = berth_alloc(molecule->atom_count, sizeof *elements);
    struct berth_docked_pose *poses = berth_alloc(count, sizeof *poses);
    const struct berth_docked_pose **list = berth_alloc(count, sizeof *list);
    if (elements && poses && list) {
        for (size_t i = 0; i < molecule->atom_count; i++) {
            elements[i] = molecule->atoms[i].element;
        }
        for (size_t i = 0; i < count; i++) {
            poses[i] = pose_of(&docked->modes->modes[i]);
            list[i] = &poses[i];
        }
        const struct berth_docked_ligand given = {.ordinal = docked->number,
                                                  .name = docked->ligand->name,
                                                  .atom_count = molecule->atom_count,
                                                  .heavy_count = berth_heavy_count(molecule),
                                                  .conformer_count =
                                                      docked->ligand->conformer_count,
                                                  .elements = elements,
                                                  .poses = list,
                                                  .pose_count = count};
        *stop = calls->ligand(calls->context, &given);
    }
    const bool whole = elements && poses && list;
    free(elements);
    free(poses);
    free(list);
    return whole ? BERTH_OK : berth_fail(error, BERTH_E_MEMORY, "out of memory");
}
