/* The modes of a ligand, once all of its conformers are docked. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dock/stream/ligand.h"

void berth_gathered_poses_clear(struct berth_gathered_poses *all)
{
    free(all->poses);
    free(all->angles);
    free(all->conformer_energy);
    free(all->counts);
}

static enum berth_status allocate(const struct berth_stream_ligand *ligand, size_t receptor,
                                  struct berth_gathered_poses *all, struct berth_error *error)
{
    const size_t conformers = ligand->result.conformer_count;
    const bool refined = berth_stream_found(ligand, 0, receptor)->angles != NULL;
    memset(all, 0, sizeof *all);
    for (size_t c = 0; c < conformers; c++) {
        const size_t count = berth_stream_found(ligand, c, receptor)->count;
        all->stride = count > all->stride ? count : all->stride;
    }
    const size_t poses = conformers * all->stride;
    all->poses = berth_alloc(poses, sizeof *all->poses);
    all->angles = refined ? berth_alloc(poses * BERTH_TORSIONS, sizeof *all->angles) : NULL;
    all->conformer_energy = berth_alloc(conformers, sizeof *all->conformer_energy);
    all->counts = berth_alloc(conformers, sizeof *all->counts);
    return all->poses && all->conformer_energy && all->counts && (!refined || all->angles)
               ? BERTH_OK
               : berth_out_of_memory(error, NULL);
}

enum berth_status berth_stream_ligand_gather(const struct berth_stream_ligand *ligand,
                                             size_t receptor, struct berth_gathered_poses *all,
                                             struct berth_error *error)
{
    const enum berth_status status = allocate(ligand, receptor, all, error);
    for (size_t c = 0; !status && c < ligand->result.conformer_count; c++) {
        const struct berth_stream_poses *found = berth_stream_found(ligand, c, receptor);
        const size_t at = c * all->stride;
        all->conformer_energy[c] = found->conformer_energy;
        all->counts[c] = found->count;
        memcpy(all->poses + at, found->poses, found->count * sizeof *all->poses);
        if (all->angles) {
            memcpy(all->angles + at * BERTH_TORSIONS, found->angles,
                   found->count * BERTH_TORSIONS * sizeof *all->angles);
        }
    }
    all->tree.count = ligand->torsions;
    all->docked = (struct berth_docked){.conformers = ligand->packed,
                                        .poses = all->poses,
                                        .counts = all->counts,
                                        .stride = all->stride,
                                        .receptor = receptor,
                                        .angles = all->angles,
                                        .conformer_energy = all->conformer_energy,
                                        .tree = ligand->several ? &ligand->whole.tree : &all->tree};
    return status;
}

/* A pose of a conformer as a mode, but for what it is ranked by and where. */
static struct berth_result_mode make_mode(const struct berth_stream_ligand *ligand,
                                          size_t conformer, const struct berth_pose *pose,
                                          const float *angles)
{
    const struct berth_packed_flexible *flexible = ligand->packed[conformer].flexible;
    struct berth_result_mode mode = {.conformer = conformer,
                                     .strain = NAN,
                                     .conformer_strain = ligand->strains[conformer],
                                     .pose = *pose,
                                     .torsions = angles && flexible ? flexible->torsions : 0};
    if (mode.torsions) {
        memcpy(mode.angles, angles, mode.torsions * sizeof *angles);
    }
    mode.pose.strain = 0;
    return mode;
}

static enum berth_status choose_first(struct berth_stream_ligand *ligand,
                                      const struct berth_docked *docked,
                                      const struct berth_mode_settings *settings,
                                      struct berth_error *error)
{
    struct berth_mode_candidate first;
    enum berth_status status =
        berth_modes_first(ligand->result.conformer_count, docked, settings, &first, error);
    if (!status) {
        struct berth_result_mode *mode = &ligand->result.modes[ligand->result.mode_count++];
        *mode = make_mode(ligand, first.conformer, first.pose, first.angles);
        mode->value = first.value;
        mode->strain = first.angles ? first.strain : NAN;
        mode->receptor = docked->receptor;
        mode->device = berth_stream_found(ligand, first.conformer, docked->receptor)->device;
        const struct berth_clashing_pose pose = {&ligand->packed[first.conformer],
                                                 &first.pose->transform, first.angles};
        status =
            berth_clash_of_pose(settings->shapes[docked->receptor], &pose, &mode->clash, error);
    }
    return status;
}

static enum berth_status choose_several(struct berth_stream_ligand *ligand,
                                        const struct berth_docked *docked,
                                        const struct berth_mode_settings *settings,
                                        struct berth_error *error)
{
    struct berth_modes modes;
    enum berth_status status =
        berth_modes_find(&ligand->whole.ligand, docked, settings, &modes, error);
    for (size_t i = 0; !status && i < modes.count; i++) {
        const struct berth_mode *from = &modes.modes[i];
        const size_t at = from->conformer * docked->stride + from->pose;
        struct berth_result_mode *mode = &ligand->result.modes[ligand->result.mode_count++];
        *mode = make_mode(ligand, from->conformer, &docked->poses[at],
                          docked->angles ? docked->angles + at * BERTH_TORSIONS : NULL);
        mode->value = from->value;
        mode->strain = from->has_torsions ? from->strain : NAN;
        mode->clash = from->clash;
        mode->receptor = docked->receptor;
        mode->device = berth_stream_found(ligand, from->conformer, docked->receptor)->device;
    }
    berth_modes_clear(&modes);
    return status;
}

/* Those in one of the receptors, behind what the result has. */
static enum berth_status choose_in(const struct berth_mode_settings *settings,
                                   struct berth_stream_ligand *ligand, size_t receptor,
                                   struct berth_error *error)
{
    struct berth_gathered_poses all;
    enum berth_status status = berth_stream_ligand_gather(ligand, receptor, &all, error);
    if (!status) {
        status =
            (ligand->several ? choose_several : choose_first)(ligand, &all.docked, settings, error);
    }
    berth_gathered_poses_clear(&all);
    return status;
}

/* Best first; of equal ones the first receptor's. */
static void sort_modes(struct berth_result *result)
{
    for (size_t i = 1; i < result->mode_count; i++) {
        const struct berth_result_mode mode = result->modes[i];
        size_t place = i;
        while (place && result->modes[place - 1].value > mode.value) {
            result->modes[place] = result->modes[place - 1];
            place--;
        }
        result->modes[place] = mode;
    }
}

enum berth_status berth_stream_choose_modes(const struct berth_mode_settings *settings,
                                            struct berth_stream_ligand *ligand,
                                            struct berth_error *error)
{
    struct berth_result *result = &ligand->result;
    struct berth_mode_settings own = *settings;
    own.strains = ligand->strains;
    own.strain_weight = ligand->strain_weight;
    enum berth_status status =
        berth_reserve(&result->modes, &result->mode_capacity, own.count * ligand->receptors,
                      sizeof *result->modes, error);
    for (size_t t = 0; !status && t < ligand->receptors; t++) {
        status = choose_in(&own, ligand, t, error);
    }
    sort_modes(result);
    return status;
}
