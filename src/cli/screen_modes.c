/* The modes of a screen's ligand, once all of its conformers are docked. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/screen_run.h"

/* The poses of a ligand's conformers, as choosing modes wants them: owned. */
struct poses {
    struct berth_pose *poses; /* [conformers][stride] */
    float *angles;            /* [conformers][stride][BERTH_TORSIONS]; NULL without refinement */
    float *given;             /* [conformers] */
    size_t *counts;           /* [conformers] */
    size_t stride;
};

static void clear(struct poses *all)
{
    free(all->poses);
    free(all->angles);
    free(all->given);
    free(all->counts);
}

static enum berth_status allocate(const struct screen_ligand *ligand, struct poses *all,
                                  struct berth_error *error)
{
    const size_t conformers = ligand->result.conformer_count;
    const bool refined = ligand->found[0].angles != NULL;
    memset(all, 0, sizeof *all);
    for (size_t c = 0; c < conformers; c++) {
        all->stride = ligand->found[c].count > all->stride ? ligand->found[c].count : all->stride;
    }
    const size_t poses = conformers * all->stride;
    all->poses = berth_alloc(poses, sizeof *all->poses);
    all->angles = refined ? berth_alloc(poses * BERTH_TORSIONS, sizeof *all->angles) : NULL;
    all->given = berth_alloc(conformers, sizeof *all->given);
    all->counts = berth_alloc(conformers, sizeof *all->counts);
    return all->poses && all->given && all->counts && (!refined || all->angles)
               ? BERTH_OK
               : berth_fail(error, BERTH_E_MEMORY, "out of memory for the modes");
}

static void gather(const struct screen_ligand *ligand, struct poses *all)
{
    for (size_t c = 0; c < ligand->result.conformer_count; c++) {
        const struct screen_poses *found = &ligand->found[c];
        const size_t at = c * all->stride;
        all->given[c] = found->given;
        all->counts[c] = found->count;
        memcpy(all->poses + at, found->poses, found->count * sizeof *all->poses);
        if (all->angles) {
            memcpy(all->angles + at * BERTH_TORSIONS, found->angles,
                   found->count * BERTH_TORSIONS * sizeof *all->angles);
        }
    }
}

/* A pose of a conformer as a mode, but for what it is ranked by. */
static struct screen_mode make_mode(const struct screen_ligand *ligand, size_t conformer,
                                    const struct berth_pose *pose, const float *angles)
{
    const struct berth_packed_flexible *flexible = ligand->packed[conformer].flexible;
    struct screen_mode mode = {.conformer = conformer,
                               .device = ligand->found[conformer].device,
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

static enum berth_status choose_first(struct screen_ligand *ligand,
                                      const struct berth_docked *docked,
                                      const struct berth_mode_settings *settings,
                                      struct berth_error *error)
{
    struct berth_mode_candidate first;
    enum berth_status status =
        berth_modes_first(ligand->result.conformer_count, docked, settings, &first, error);
    if (!status) {
        struct screen_mode *mode = &ligand->result.modes[ligand->result.mode_count++];
        *mode = make_mode(ligand, first.conformer, first.pose, first.angles);
        mode->value = first.value;
        mode->strain = first.angles ? first.strain : NAN;
    }
    return status;
}

static enum berth_status choose_several(struct screen_ligand *ligand,
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
        struct screen_mode *mode = &ligand->result.modes[ligand->result.mode_count++];
        *mode = make_mode(ligand, from->conformer, &docked->poses[at],
                          docked->angles ? docked->angles + at * BERTH_TORSIONS : NULL);
        mode->value = from->value;
        mode->strain = from->turned ? from->strain : NAN;
    }
    berth_modes_clear(&modes);
    return status;
}

enum berth_status screen_choose_modes(const struct screen_run *run, struct screen_ligand *ligand,
                                      struct berth_error *error)
{
    struct screen_result *result = &ligand->result;
    struct berth_mode_settings settings = {.count = (size_t)run->values->num_modes,
                                           .min_rmsd = run->values->min_rmsd,
                                           .energy_range = INFINITY,
                                           .strains = ligand->strains,
                                           .strain_weight = ligand->strain_weight};
    memcpy(settings.center, run->site.center, sizeof settings.center);
    struct poses all;
    enum berth_status status = allocate(ligand, &all, error);
    if (!status) {
        gather(ligand, &all);
        status = berth_reserve(&result->modes, &result->mode_capacity, settings.count,
                               sizeof *result->modes, error);
    }
    if (!status) {
        const struct berth_torsion_tree tree = {.count = ligand->torsions};
        const struct berth_docked docked = {.conformers = ligand->packed,
                                            .poses = all.poses,
                                            .counts = all.counts,
                                            .stride = all.stride,
                                            .angles = all.angles,
                                            .given = all.given,
                                            .tree = ligand->several ? &ligand->whole.tree : &tree};
        status =
            (ligand->several ? choose_several : choose_first)(ligand, &docked, &settings, error);
    }
    clear(&all);
    return status;
}
