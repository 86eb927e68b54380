#include "api/poses.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "dock/verdict.h"

static struct berth_docked_pose pose_of(const struct berth_pose *mode)
{
    return (struct berth_docked_pose){.conformer = mode->conformer,
                                      .value = mode->value,
                                      .energy = mode->energy,
                                      .terms = mode->terms.values,
                                      .strain = mode->parts[BERTH_PART_INTRA],
                                      .parts = mode->parts,
                                      .conformer_strain = mode->conformer_strain,
                                      .rmsd = mode->rmsd >= 0 ? mode->rmsd : NAN,
                                      .positions = (const double(*)[3])mode->positions,
                                      .clash = mode->clash,
                                      .twist = (double)mode->twist,
                                      .receptor = mode->receptor,
                                      .scores = mode->scores,
                                      .ranking = mode->ranking,
                                      .confidence = mode->confidence,
                                      .seeds = mode->seeds,
                                      .learned = mode->learned,
                                      .distances = mode->distances,
                                      .met = mode->met};
}

/* A record of an SDF file, which the caller frees. */
static enum berth_status write_sdf(const struct berth_pose_record *record, char **text,
                                   struct berth_error *error)
{
    struct berth_output *output;
    size_t size;
    BERTH_TRY(berth_output_create_memory(text, &size, &output, error));
    const enum berth_status status = berth_pose_write(output, BERTH_POSE_SDF, record, error);
    return berth_output_finish(output, status, error);
}

/* A ligand that is docked. */
static enum berth_status hand(const struct berth_api_caller *caller,
                              const struct berth_stream_ligand *ligand,
                              const struct berth_modes *modes, bool *stop,
                              struct berth_error *error)
{
    const struct berth_ligand_calls *calls = caller->calls;
    const struct berth_ligand *whole = &ligand->whole.ligand;
    const struct berth_molecule *molecule = &whole->conformers[0];
    int *elements = berth_alloc(molecule->atom_count, sizeof *elements);
    struct berth_docked_pose *poses = berth_alloc(modes->count, sizeof *poses);
    const struct berth_docked_pose **list = berth_alloc(modes->count, sizeof *list);
    char **texts = berth_alloc(modes->count, sizeof *texts), verdict[BERTH_VERDICT] = "";
    enum berth_status status =
        elements && poses && list && texts ? BERTH_OK : berth_out_of_memory(error, NULL);
    for (size_t i = 0; !status && i < molecule->atom_count; i++) {
        elements[i] = molecule->atoms[i].element;
    }
    for (size_t i = 0; !status && i < modes->count; i++) {
        if (caller->record) {
            const struct berth_pose_record record =
                caller->record(caller->context, ligand, modes, i);
            status = write_sdf(&record, &texts[i], error);
        }
        poses[i] = pose_of(&modes->modes[i]);
        poses[i].sdf = texts[i];
        list[i] = &poses[i];
    }
    if (!status && caller->searches) {
        status = berth_verdict(modes, molecule, verdict, error);
    }
    if (!status) {
        const struct berth_restrained *restrained = &ligand->restrained;
        const struct berth_docked_ligand docked = {
            .ordinal = ligand->result.ordinal,
            .name = whole->name,
            .atom_count = molecule->atom_count,
            .heavy_count = berth_heavy_count(molecule),
            .conformer_count = whole->conformer_count,
            .elements = elements,
            .poses = list,
            .pose_count = modes->count,
            .values = modes->scores,
            .ranking = berth_stream_ligand_ranking(ligand, caller->ranker, modes),
            .core_atoms = restrained->held,
            .core = restrained->held ? restrained->pulls[0].rule : 0,
            .verdict = verdict};
        *stop = calls->ligand(calls->context, &docked);
    }
    for (size_t i = 0; texts && i < modes->count; i++) {
        free(texts[i]);
    }
    free(elements);
    free(poses);
    free(list);
    free(texts);
    return status;
}

static enum berth_status take(void *context, struct berth_stream_ligand *ligand,
                              struct berth_modes *modes, bool *stop, struct berth_error *error)
{
    struct berth_api_caller *caller = context;
    const struct berth_ligand_calls *calls = caller->calls;
    enum berth_status status = caller->write(caller->context, ligand, modes, error);
    caller->run->progress.done++;
    if (status || !calls->ligand) {
        return status;
    }
    if (modes) {
        return hand(caller, ligand, modes, stop, error);
    }
    const struct berth_docked_ligand failed = {.ordinal = ligand->result.ordinal,
                                               .name = ligand->result.title,
                                               .failure = ligand->result.failure};
    *stop = calls->ligand(calls->context, &failed);
    return BERTH_OK;
}

static bool tend(void *context, struct berth_window *window, bool last)
{
    struct berth_api_caller *caller = context;
    const struct berth_ligand_calls *calls = caller->calls;
    struct berth_progress *progress = &caller->run->progress;
    berth_api_run_watch(caller->run, window, caller->pairs_per_atom);
    pthread_mutex_lock(&caller->failures->lock);
    progress->failed = caller->failures->count;
    pthread_mutex_unlock(&caller->failures->lock);
    progress->seconds = berth_now() - caller->started;
    progress->computed = last;
    const bool asked = calls->progress && calls->progress(calls->context, progress);
    const bool stop = !last && (asked || berth_is_stopped(caller->until));
    if (stop) {
        atomic_store(&caller->stop, true);
    }
    return stop;
}

struct berth_mode_sink berth_api_sink(struct berth_api_caller *caller)
{
    caller->started = berth_now();
    return (struct berth_mode_sink){caller, take, tend};
}
