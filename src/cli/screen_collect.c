/* The middle of a screen: threads read and dock, this one collects what is finished, ligand by
 * ligand in the library's order, and brings it to the journal. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/screen_run.h"

/* A checkpoint is due once so many ligands are not on disk, but no more often than once a second;
 * or after --checkpoint seconds. */
enum { CHECKPOINT_LIGANDS = 1000 };

/* s: how long to wait for results before looking at signals and the clock. */
#define PATIENCE 0.1

/* What runs while this thread collects. */
struct pipeline {
    struct screen_run *run;
    struct screen_reader reader;
    pthread_t read_thread, dock_thread;
    enum berth_status status; /* of docking */
    struct berth_error error;
    size_t pending; /* ligands that are not on disk */
    double synced;  /* s: when the last checkpoint was */
};

static void *dock(void *context)
{
    struct pipeline *pipeline = context;
    struct screen_window *window = pipeline->run->window;
    const struct berth_docking_stream stream = screen_window_stream(window);
    pipeline->status = berth_docking_run_stream(pipeline->run->docking, &stream, &pipeline->error);
    screen_window_stop(window); /* a reader that waits for room need not any more */
    screen_window_end(window);
    return NULL;
}

/* Makes a finished ligand's result what the journal is to have. */
static enum berth_status complete(const struct screen_run *run, struct screen_ligand *ligand,
                                  struct berth_error *error)
{
    struct screen_result *result = &ligand->result;
    if (ligand->bad) {
        char reason[512];
        snprintf(reason, sizeof reason,
                 "conformer %zu: the device (%s) gave no finite energy; run `berth selftest`",
                 ligand->bad, run->devices.devices[ligand->bad_device].name);
        ligand->failure = berth_copy_text(reason);
        result->failure = ligand->failure;
        cli_say("failed: ligand %s: %s", result->title, reason);
        return ligand->failure ? BERTH_OK : berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    enum berth_status status = BERTH_OK;
    if (!result->failure) {
        status = screen_choose_modes(run, ligand, error);
    }
    for (size_t i = 0; !status && i < result->mode_count; i++) {
        result->modes[i].device = run->device_numbers[result->modes[i].device];
    }
    return status;
}

static enum berth_status write_down(struct pipeline *pipeline, struct screen_ligand *ligand,
                                    struct berth_error *error)
{
    struct screen_run *run = pipeline->run;
    enum berth_status status = complete(run, ligand, error);
    if (!status) {
        struct berth_bytes record = {0};
        screen_put_result(&record, &ligand->result);
        status = berth_journal_add(run->journal, &record, error);
        berth_bytes_clear(&record);
    }
    if (!status) {
        screen_progress_note(&run->progress, &ligand->result);
        pipeline->pending++;
    }
    return status;
}

/* Writes a list of ligands down, and destroys them. */
static enum berth_status write_list(struct pipeline *pipeline, struct screen_ligand *ligand,
                                    struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    while (ligand) {
        struct screen_ligand *next = ligand->next;
        if (!status) {
            status = write_down(pipeline, ligand, error);
        }
        screen_ligand_destroy(ligand);
        ligand = next;
    }
    return status;
}

static enum berth_status checkpoint(struct pipeline *pipeline, bool last, struct berth_error *error)
{
    const double now = berth_now(), since = now - pipeline->synced;
    const bool due = since >= pipeline->run->values->checkpoint ||
                     (pipeline->pending >= CHECKPOINT_LIGANDS && since >= 1);
    if (!pipeline->pending || (!due && !last)) {
        return BERTH_OK;
    }
    enum berth_status status = berth_journal_sync(pipeline->run->journal, error);
    pipeline->pending = status ? pipeline->pending : 0;
    pipeline->synced = berth_now();
    return status;
}

/* A signal or the time limit asks for the end. */
static void look_for_stop(struct screen_run *run)
{
    const double limit = run->values->time_limit;
    if (run->stopped ||
        !(cli_interrupted() || (limit > 0 && berth_now() - run->progress.start >= limit))) {
        return;
    }
    run->stopped = true;
    screen_window_stop(run->window);
    if (run->progress.terminal) {
        fprintf(stderr, "\r\033[K"); /* in place of the progress */
    }
    cli_say("ending, once the batches on their way are done%s",
            cli_interrupted() ? " (interrupt again to leave them)" : "");
}

static enum berth_status collect(struct pipeline *pipeline, struct berth_error *error)
{
    struct screen_run *run = pipeline->run;
    enum berth_status status = BERTH_OK;
    bool end = false;
    while (!status && !end) {
        look_for_stop(run);
        struct screen_ligand *finished = screen_window_pop(run->window, PATIENCE, &end);
        status = write_list(pipeline, finished, error);
        if (!status) {
            status = checkpoint(pipeline, end, error);
        }
        screen_progress_show(&run->progress, run->window, false);
    }
    return status;
}

static struct screen_manner manner_of(const struct screen_values *values,
                                      const struct berth_log *log)
{
    const struct berth_search_settings search = screen_search(values);
    return (struct screen_manner){.several = values->num_modes > 1,
                                  .turns = search.refine.poses && search.refine.torsions,
                                  .strain_weight = values->strain_weight,
                                  .log = log};
}

/* Starts the two threads.  On an error none runs. */
static enum berth_status start(struct pipeline *pipeline, struct berth_error *error)
{
    struct screen_window *window = pipeline->run->window;
    if (pthread_create(&pipeline->read_thread, NULL, screen_read, &pipeline->reader) != 0) {
        return berth_fail(error, BERTH_E_MEMORY, "cannot start a thread");
    }
    if (pthread_create(&pipeline->dock_thread, NULL, dock, pipeline) != 0) {
        screen_window_stop(window);
        pthread_join(pipeline->read_thread, NULL);
        return berth_fail(error, BERTH_E_MEMORY, "cannot start a thread");
    }
    return BERTH_OK;
}

enum berth_status screen_collect(struct screen_run *run, struct berth_error *error)
{
    struct berth_gatherer warnings = {.next = cli_log()};
    const struct berth_log log = berth_gather(&warnings);
    struct pipeline pipeline = {.run = run, .synced = berth_now()};
    pipeline.reader = (struct screen_reader){.library = run->library,
                                             .range = run->range,
                                             .manner = manner_of(run->values, &log),
                                             .window = run->window};
    pipeline.reader.range.next += run->progress.done;
    screen_progress_start(&run->progress);
    enum berth_status status = start(&pipeline, error);
    if (status) {
        return status;
    }
    status = collect(&pipeline, error);
    screen_window_stop(run->window);
    pthread_join(pipeline.read_thread, NULL);
    pthread_join(pipeline.dock_thread, NULL);
    run->seconds = berth_now() - run->progress.start;
    screen_progress_show(&run->progress, run->window, true);
    berth_gatherer_flush(&warnings);
    if (pipeline.reader.unweighted) {
        cli_say("warning: %llu ligands are ranked by energy alone: the library does not have "
                "the strain of all their conformers",
                (unsigned long long)pipeline.reader.unweighted);
    }
    if (!status && pipeline.reader.status) {
        *error = pipeline.reader.error;
        status = pipeline.reader.status;
    }
    if (!status && pipeline.status) {
        *error = pipeline.error;
        status = pipeline.status;
    }
    return status;
}
