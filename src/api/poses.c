#include "api/poses.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"

static struct berth_docked_pose pose_of(const struct berth_mode *mode)
{
    return (struct berth_docked_pose){.conformer = mode->conformer,
                                      .value = mode->value,
                                      .energy = mode->energy,
                                      .terms = mode->terms.values,
                                      .strain = mode->has_torsions ? mode->strain : NAN,
                                      .conformer_strain = mode->conformer_strain,
                                      .rmsd = mode->rmsd >= 0 ? mode->rmsd : NAN,
                                      .positions = (const double(*)[3])mode->positions,
                                      .clash = mode->clash,
                                      .receptor = mode->receptor};
}

/* A ligand that is docked. */
static enum berth_status hand(const struct berth_ligand_calls *calls,
                              const struct berth_stream_ligand *ligand,
                              const struct berth_modes *modes, bool *stop,
                              struct berth_error *error)
{
    const struct berth_ligand *whole = &ligand->whole.ligand;
    const struct berth_molecule *molecule = &whole->conformers[0];
    int *elements = berth_alloc(molecule->atom_count, sizeof *elements);
    struct berth_docked_pose *poses = berth_alloc(modes->count, sizeof *poses);
    const struct berth_docked_pose **list = berth_alloc(modes->count, sizeof *list);
    const bool room = elements && poses && list;
    if (room) {
        for (size_t i = 0; i < molecule->atom_count; i++) {
            elements[i] = molecule->atoms[i].element;
        }
        for (size_t i = 0; i < modes->count; i++) {
            poses[i] = pose_of(&modes->modes[i]);
            list[i] = &poses[i];
        }
        const struct berth_docked_ligand docked = {.ordinal = ligand->result.ordinal,
                                                   .name = whole->name,
                                                   .atom_count = molecule->atom_count,
                                                   .heavy_count = berth_heavy_count(molecule),
                                                   .conformer_count = whole->conformer_count,
                                                   .elements = elements,
                                                   .poses = list,
                                                   .pose_count = modes->count,
                                                   .values = modes->scores};
        *stop = calls->ligand(calls->context, &docked);
    }
    free(elements);
    free(poses);
    free(list);
    return room ? BERTH_OK : berth_fail(error, BERTH_E_MEMORY, "out of memory");
}

static enum berth_status take(void *context, struct berth_stream_ligand *ligand,
                              struct berth_modes *modes, bool *stop, struct berth_error *error)
{
    struct berth_api_telling *telling = context;
    const struct berth_ligand_calls *calls = telling->calls;
    telling->progress.done++;
    telling->progress.failed += !modes;
    if (modes) {
        return hand(calls, ligand, modes, stop, error);
    }
    const struct berth_docked_ligand failed = {.ordinal = ligand->result.ordinal,
                                               .name = ligand->result.title,
                                               .failure = ligand->result.failure};
    *stop = calls->ligand(calls->context, &failed);
    return BERTH_OK;
}

static bool tend(void *context, struct berth_window *window, bool last)
{
    struct berth_api_telling *telling = context;
    const struct berth_ligand_calls *calls = telling->calls;
    (void)window;
    telling->progress.seconds = berth_now() - telling->started;
    return calls->progress && !last && calls->progress(calls->context, &telling->progress);
}

struct berth_api_telling berth_api_tell(const struct berth_ligand_calls *calls)
{
    return (struct berth_api_telling){.calls = calls, .started = berth_now()};
}

struct berth_mode_sink berth_api_sink(struct berth_api_telling *telling)
{
    return (struct berth_mode_sink){telling, take, tend};
}
