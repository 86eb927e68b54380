#include "dock/batches.h"

#include <stdlib.h>

#include "base/memory.h"

/* Gives the results of conformers number `first` and on. */
static void give_all(const struct berth_docking_load *batch, size_t first, size_t count,
                     const struct berth_found *found, const struct berth_docking_stream *stream)
{
    for (size_t i = 0; i < count; i++) {
        const struct berth_docked_conformer docked = {.conformer = &batch->conformers[first + i],
                                                      .tag = batch->tags[first + i],
                                                      .poses = found->poses + i,
                                                      .evaluations = found->evaluations[i],
                                                      .count = 1};
        stream->give(stream->context, &docked);
    }
}

enum berth_status berth_batches_run(const struct berth_batch_engine *engine,
                                    const struct berth_docking_stream *stream,
                                    struct berth_error *error)
{
    const struct berth_search_settings settings = {.parents = 1, .refine.poses = engine->refined};
    struct berth_docking_load batch = {.room = BERTH_BATCH, .share = 1, .least = 1};
    struct berth_found found;
    enum berth_status status = berth_found_create(&settings, BERTH_BATCH, &found, error);
    batch.conformers = berth_alloc(BERTH_BATCH, sizeof *batch.conformers);
    batch.tags = berth_alloc(BERTH_BATCH, sizeof *batch.tags);
    if (!status && (!batch.conformers || !batch.tags)) {
        status = berth_out_of_memory(error, NULL);
    }
    for (bool end = false; !status && !end;) {
        const size_t count = stream->take(stream->context, &batch, true, &end);
        for (size_t first = 0, like; !status && first < count; first += like) {
            like = berth_count_alike(batch.conformers + first, count - first);
            status = engine->run(engine->context, batch.conformers + first, like, &found, error);
            if (!status) {
                give_all(&batch, first, like, &found, stream);
            }
        }
    }
    berth_found_clear(&found);
    free(batch.conformers);
    free(batch.tags);
    return status;
}
