#include "dock/stream/mode_stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A run of a stream. */
struct run {
    struct berth_mode_stream *stream;
    bool stopped;
    char reason[BERTH_CLASH_REASON]; /* of a ligand whose modes are all left out */
};

/* The one mode of a molecule that stands where it stood. */
static enum berth_status stand(const struct berth_stream_ligand *ligand,
                               const struct berth_mode_settings *settings,
                               struct berth_modes *modes, struct berth_error *error)
{
    const struct berth_molecule *molecule = &ligand->whole.ligand.conformers[0];
    const struct berth_pose *pose = &berth_stream_found(ligand, 0, 0)->poses[0];
    const struct berth_terms terms = berth_pose_terms(pose);
    const double energy = berth_terms_sum(&terms);
    const struct berth_pose_energies energies = {
        .energy = energy,
        .torsional = berth_scoring_torsional(settings->scoring, &terms),
        .rotors = ligand->rotors};
    double(*positions)[3] = berth_alloc(molecule->atom_count, sizeof *positions);
    double clash = NAN;
    modes->modes = berth_alloc(1, sizeof *modes->modes);
    enum berth_status status =
        positions && modes->modes
            ? berth_clash_where_it_stands(settings->shapes[0], &ligand->packed[0], &clash, error)
            : berth_out_of_memory(error, NULL);
    if (status) {
        free(positions);
        return status;
    }
    for (size_t i = 0; i < molecule->atom_count; i++) {
        memcpy(positions[i], molecule->atoms[i].position, sizeof positions[i]);
    }
    modes->modes[modes->count++] =
        (struct berth_mode){.value = berth_scoring_total(settings->scoring, &energies),
                            .energy = energy,
                            .conformer_strain = NAN,
                            .terms = terms,
                            .positions = positions,
                            .rmsd = -1,
                            .clash = clash};
    return BERTH_OK;
}

/* The modes in one of the receptors join the others. */
static enum berth_status find_in(const struct berth_mode_settings *settings,
                                 struct berth_stream_ligand *ligand, size_t receptor,
                                 struct berth_modes *modes, struct berth_error *error)
{
    struct berth_gathered_poses all;
    struct berth_modes more = {0};
    enum berth_status status = berth_stream_ligand_gather(ligand, receptor, &all, error);
    BERTH_THEN(berth_modes_find(&ligand->whole.ligand, &all.docked, settings, &more, error));
    BERTH_THEN(berth_modes_join(modes, &more, error));
    berth_modes_clear(&more);
    berth_gathered_poses_clear(&all);
    return status;
}

static enum berth_status find_modes(const struct berth_mode_stream *stream,
                                    struct berth_stream_ligand *ligand, struct berth_modes *modes,
                                    struct berth_error *error)
{
    struct berth_mode_settings settings = stream->modes;
    enum berth_status status = BERTH_OK;
    if (stream->kind == BERTH_MODES_STANDING) {
        return stand(ligand, &settings, modes, error);
    }
    if (stream->kind == BERTH_MODES_MINIMIZED) {
        settings.reference = &ligand->whole.ligand.conformers[0];
    } else {
        settings.strains = ligand->strains;
        settings.strain_weight = ligand->strain_weight;
    }
    for (size_t t = 0; !status && t < ligand->receptors; t++) {
        status = find_in(&settings, ligand, t, modes, error);
    }
    return status;
}

/* Leaves out the modes that clash too much, and of what is left those beyond the number and the
 * range that were asked for of all receptors together; a ligand with no mode fails. */
static void leave_out(struct run *run, struct berth_stream_ligand *ligand,
                      struct berth_modes *modes)
{
    const double max_clash = run->stream->max_clash;
    const double highest = modes->modes[0].value + run->stream->modes.energy_range;
    const size_t left_out = berth_modes_leave_out(modes, max_clash);
    run->stream->left_out += left_out;
    if (left_out && !modes->count) {
        berth_clash_reason(max_clash, run->reason);
        ligand->result.failure = run->reason;
    }
    berth_modes_keep(modes, ligand->receptors, run->stream->modes.count, highest);
}

static enum berth_status take(void *context, struct berth_stream_ligand *ligand,
                              struct berth_error *error)
{
    struct run *run = context;
    const struct berth_mode_sink *sink = &run->stream->sink;
    const bool failed = ligand->result.failure != NULL;
    struct berth_modes modes = {0};
    if (run->stopped) {
        return BERTH_OK;
    }
    enum berth_status status = failed ? BERTH_OK : find_modes(run->stream, ligand, &modes, error);
    if (!status && !failed) {
        leave_out(run, ligand, &modes);
    }
    BERTH_THEN(sink->take(sink->context, ligand, ligand->result.failure ? NULL : &modes,
                          &run->stopped, error));
    if (run->stopped) {
        berth_window_stop(run->stream->window);
    }
    berth_modes_clear(&modes);
    return status;
}

static enum berth_status tend(void *context, bool last, struct berth_error *error)
{
    struct run *run = context;
    const struct berth_mode_sink *sink = &run->stream->sink;
    (void)error;
    if (sink->tend && sink->tend(sink->context, run->stream->window, last)) {
        run->stopped = true;
        berth_window_stop(run->stream->window);
    }
    return BERTH_OK;
}

enum berth_status berth_mode_stream_run(struct berth_mode_stream *stream, struct berth_error *error)
{
    struct run run = {.stream = stream};
    berth_mode_stream_clear(stream);
    stream->left_out = 0;
    enum berth_status status =
        berth_window_create(stream->devices, stream->batch, true, &stream->window, error);
    if (status) {
        return status;
    }
    stream->window->log = stream->log;
    struct berth_stream all = {.engine = stream->engine,
                               .devices = stream->devices->devices,
                               .window = stream->window,
                               .source = stream->source,
                               .sink = {&run, take, tend},
                               .receptors = stream->receptors,
                               .log = stream->log};
    return berth_stream_run(&all, error);
}

void berth_mode_stream_clear(struct berth_mode_stream *stream)
{
    berth_window_destroy(stream->window);
    stream->window = NULL;
}
