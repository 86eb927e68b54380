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

/* Leaves out the modes that clash too much, and of what is left those beyond the number and the
 * range that were asked for of all receptors together; a ligand with no mode fails. */
static void leave_out(struct run *run, struct berth_stream_ligand *ligand,
                      struct berth_modes *modes)
{
    const struct berth_mode_choice *choice = &run->stream->modes.choice;
    const double highest = modes->modes[0].value + choice->energy_range;
    const size_t left_out = berth_modes_leave_out(modes, choice->max_clash);
    run->stream->left_out += left_out;
    if (left_out && !modes->count) {
        berth_clash_reason(choice->max_clash, run->reason);
        ligand->result.failure = run->reason;
    }
    berth_modes_keep(modes, choice->num_modes, highest);
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
    enum berth_status status =
        failed ? BERTH_OK
               : berth_stream_ligand_choose(ligand, run->stream->kind, &run->stream->modes,
                                            run->stream->log, &modes, error);
    if (!status && modes.count) {
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
                               .scoring = stream->modes.scoring,
                               .log = stream->log};
    return berth_stream_run(&all, error);
}

void berth_mode_stream_clear(struct berth_mode_stream *stream)
{
    berth_window_destroy(stream->window);
    stream->window = NULL;
}
