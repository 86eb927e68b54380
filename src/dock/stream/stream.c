#include "dock/stream/stream.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

/* s: how long to wait for results before the sink tends to what else there is. */
#define PATIENCE 0.1

/* A thread beside the caller's, and how it ended. */
struct side {
    struct berth_stream *stream;
    pthread_t thread;
    enum berth_status status;
    struct berth_error error;
};

static void *read_source(void *context)
{
    struct side *side = context;
    const struct berth_stream_source *source = &side->stream->source;
    struct berth_window *window = side->stream->window;
    side->status = source->read(source->context, window, &side->error);
    if (side->status) {
        berth_window_stop(window);
    }
    berth_window_read(window);
    return NULL;
}

static void *dock(void *context)
{
    struct side *side = context;
    struct berth_window *window = side->stream->window;
    const struct berth_docking_stream stream = berth_window_stream(window);
    const struct berth_stream_engine *engine = &side->stream->engine;
    side->status = engine->run(engine->context, &stream, &side->error);
    berth_window_stop(window); /* a reader that waits for room need not any more */
    berth_window_end(window);
    return NULL;
}

/* A ligand of which a conformer got no energy has failed. */
static enum berth_status condemn(const struct berth_stream *stream,
                                 struct berth_stream_ligand *ligand, struct berth_error *error)
{
    char reason[512];
    const char *receptor = berth_receptor_name(stream->receptors, ligand->bad_receptor);
    snprintf(reason, sizeof reason,
             "%s%sconformer %zu: the device (%s) gave no finite energy; run `berth selftest`",
             receptor, *receptor ? ": " : "", ligand->bad,
             stream->devices[ligand->bad_device].name);
    ligand->failure = berth_copy_text(reason);
    ligand->result.failure = ligand->failure;
    berth_log_failure(stream->log, "ligand %s: %s", ligand->result.title, reason);
    return ligand->failure ? BERTH_OK : berth_out_of_memory(error, NULL);
}

/* Hands a list of ligands on, and destroys them. */
static enum berth_status hand_on(const struct berth_stream *stream,
                                 struct berth_stream_ligand *ligand, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    while (ligand) {
        struct berth_stream_ligand *next = ligand->next;
        if (!status && ligand->bad) {
            status = condemn(stream, ligand, error);
        }
        BERTH_THEN(stream->sink.take(stream->sink.context, ligand, error));
        berth_stream_ligand_destroy(ligand);
        ligand = next;
    }
    return status;
}

static enum berth_status collect(const struct berth_stream *stream, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    bool end = false;
    while (!status && !end) {
        struct berth_stream_ligand *finished = berth_window_pop(stream->window, PATIENCE, &end);
        status = hand_on(stream, finished, error);
        BERTH_THEN(stream->sink.tend(stream->sink.context, end, error));
    }
    return status;
}

/* Starts the two threads.  On an error none runs. */
static enum berth_status start(struct side *reader, struct side *docker, struct berth_error *error)
{
    struct berth_window *window = reader->stream->window;
    if (pthread_create(&reader->thread, NULL, read_source, reader) != 0) {
        return berth_fail(error, BERTH_E_MEMORY, "cannot start a thread");
    }
    if (pthread_create(&docker->thread, NULL, dock, docker) != 0) {
        berth_window_stop(window);
        pthread_join(reader->thread, NULL);
        return berth_fail(error, BERTH_E_MEMORY, "cannot start a thread");
    }
    return BERTH_OK;
}

enum berth_status berth_stream_run(struct berth_stream *stream, struct berth_error *error)
{
    struct side reader = {.stream = stream}, docker = {.stream = stream};
    enum berth_status status = start(&reader, &docker, error);
    if (status) {
        return status;
    }
    status = collect(stream, error);
    berth_window_stop(stream->window);
    pthread_join(reader.thread, NULL);
    pthread_join(docker.thread, NULL);
    const struct side *failed = reader.status ? &reader : &docker;
    if (!status && failed->status) {
        *error = failed->error;
        status = failed->status;
    }
    return status;
}
