#include "screen/screen_rescoring.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "screen/library_walk.h"
#include "screen/ranks.h"

/* Ligands that a model is to judge. */
struct task {
    struct berth_result *results; /* owned, as their modes, which have no texts; [count] */
    size_t count, capacity;
    /* Of those that it judges together: [batch], owned. */
    struct berth_library_ligand *ligands;
    struct berth_rescored *rescored;
};

/* --- Which ligands --- */

/* Ranks all ligands as they are without the model. */
static enum berth_status rank_all(struct berth_screen *screen, struct berth_ranks *ranks,
                                  struct berth_error *error)
{
    struct berth_run_records *records = &screen->records;
    bool end = false;
    berth_run_records_rewind(records, screen->range.next);
    enum berth_status status = berth_run_records_next(records, &end, error);
    while (!status && !end) {
        for (size_t i = 0; i < records->result.modes.count; i++) {
            berth_pose_unlearn(&records->result.modes.modes[i]);
        }
        status =
            records->result.failure ? BERTH_OK : berth_ranks_add(ranks, &records->result, error);
        BERTH_THEN(berth_run_records_next(records, &end, error));
    }
    return status ? status : berth_ranks_close(ranks, error);
}

static enum berth_status add_result(struct task *task, const struct berth_result *result,
                                    struct berth_error *error)
{
    const size_t count = result->modes.count;
    struct berth_modes modes = {0};
    BERTH_TRY(berth_reserve(&task->results, &task->capacity, task->count + 1, sizeof *task->results,
                            error));
    BERTH_TRY(berth_reserve(&modes.modes, &modes.capacity, count, sizeof *modes.modes, error));
    memcpy(modes.modes, result->modes.modes, count * sizeof *modes.modes);
    modes.count = count;
    task->results[task->count++] =
        (struct berth_result){.ordinal = result->ordinal, .modes = modes};
    return BERTH_OK;
}

/* Takes the best ligands that are not judged yet, with all modes that the journal has. */
static enum berth_status list_task(struct berth_screen *screen, const struct berth_ranks *ranks,
                                   struct task *task, struct berth_error *error)
{
    struct berth_run_records *records = &screen->records;
    const struct berth_result *result = &records->result;
    const double max_clash = records->max_clash;
    bool end = false;
    records->max_clash = INFINITY;
    berth_run_records_rewind(records, screen->range.next);
    enum berth_status status = berth_run_records_next(records, &end, error);
    while (!status && !end) {
        const uint64_t rank = berth_ranks_find(ranks, result->ordinal);
        if (rank && rank <= screen->run->options.rescore_top &&
            isnan(result->modes.modes[0].learned[0])) {
            status = add_result(task, result, error);
        }
        BERTH_THEN(berth_run_records_next(records, &end, error));
    }
    records->max_clash = max_clash;
    return status;
}

/* --- Judging them --- */

static enum berth_status place_modes(const struct berth_screen *screen, struct berth_result *result,
                                     const struct berth_library_ligand *ligand,
                                     struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < result->modes.count; i++) {
        struct berth_pose *mode = &result->modes.modes[i];
        status =
            berth_library_place(ligand, mode, screen->run->site.center, &mode->positions, error);
    }
    return status;
}

static enum berth_status write_down(struct berth_screen *screen, const struct berth_result *results,
                                    size_t count, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < count; i++) {
        struct berth_bytes record = {0};
        berth_run_put_learned(&record, &results[i], screen->records.judges.learned_count);
        status = berth_journal_add(screen->journal, &record, error);
        berth_bytes_clear(&record);
    }
    return status ? status : berth_journal_sync(screen->journal, error);
}

/* Reads, places and judges some ligands of the task; one that the library cannot give any more has
 * no modes then, of which the model is not asked: the results say so. */
static enum berth_status judge_some(struct berth_screen *screen, struct task *task, size_t first,
                                    size_t count, struct berth_library_walk *walk,
                                    struct berth_error *error)
{
    struct berth_result *results = task->results + first;
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < count; i++) {
        struct berth_library_ligand *ligand = &task->ligands[i];
        status = berth_library_walk_to(walk, results[i].ordinal, ligand, error);
        BERTH_THEN(place_modes(screen, &results[i], ligand, error));
        if (status == BERTH_E_FORMAT) {
            berth_modes_clear(&results[i].modes);
            status = BERTH_OK;
        }
        task->rescored[i] = (struct berth_rescored){&ligand->ligand, &results[i].modes};
    }
    BERTH_THEN(berth_rescorer_run(screen->run->ranker.rescorer, task->rescored, count, error));
    BERTH_THEN(write_down(screen, results, count, error));
    for (size_t i = 0; i < count; i++) {
        berth_library_ligand_clear(&task->ligands[i]);
        berth_modes_clear(&results[i].modes);
    }
    return status;
}

/* Judges all of them, as many at a time as the model takes together. */
static enum berth_status judge_task(struct berth_screen *screen, struct task *task,
                                    struct berth_error *error)
{
    const size_t batch = berth_rescorer_batch(screen->run->ranker.rescorer);
    struct berth_library_walk walk = {
        .reader = screen->library, .range = screen->range, .whole = true};
    enum berth_status status =
        berth_make(&task->ligands, batch, sizeof *task->ligands, NULL, error);
    BERTH_THEN(berth_make(&task->rescored, batch, sizeof *task->rescored, NULL, error));
    for (size_t i = 0, count; !status && !screen->stopped && i < task->count; i += count) {
        count = 0;
        for (size_t modes = 0; i + count < task->count && modes < batch; count++) {
            modes += task->results[i + count].modes.count;
        }
        status = judge_some(screen, task, i, count, &walk, error);
        screen->stopped = screen->hooks.tend(screen->hooks.context, screen, false);
    }
    berth_library_walk_clear(&walk);
    return status;
}

static void clear_task(struct task *task)
{
    for (size_t i = 0; i < task->count; i++) {
        berth_modes_clear(&task->results[i].modes);
    }
    free(task->results);
    free(task->ligands);
    free(task->rescored);
}

enum berth_status berth_run_rescore(struct berth_screen *screen, struct berth_error *error)
{
    struct task task = {0};
    struct berth_ranks ranks = {.ranker = &screen->run->ranker};
    if (!screen->run->ranker.rescorer) {
        return BERTH_OK;
    }
    enum berth_status status = rank_all(screen, &ranks, error);
    BERTH_THEN(list_task(screen, &ranks, &task, error));
    berth_ranks_clear(&ranks);
    if (!status && task.count) {
        const double start = berth_now();
        screen->started = screen->started > 0 ? screen->started : start;
        berth_note(screen->run->log, "the model judges the poses of %zu ligand%s", task.count,
                   task.count == 1 ? "" : "s");
        status = judge_task(screen, &task, error);
        screen->hooks.tend(screen->hooks.context, screen, true);
        BERTH_THEN(berth_run_records_learn(&screen->records, screen->range.next, error));
    }
    clear_task(&task);
    return status;
}
