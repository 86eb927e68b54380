#include "screen/preparation.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/locale.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "format/output.h"

/* ns: how long the source waits before it looks for more again. */
enum { PATIENCE = 20000000 };

struct berth_screen_preparation {
    char path[PATH_MAX], failures[PATH_MAX]; /* of the library; of the list */
    char *molecules;                         /* owned; cut apart */
    const char **items;                      /* owned; [count] */
    size_t count;
    const struct berth_run *run; /* borrowed */
    struct berth_ligands_plan plan;
    struct berth_ligand_inputs inputs;
    struct berth_ligands_watch watch;
    struct berth_shard shard;
    enum berth_library_mode mode;
    atomic_bool stop, done;
    pthread_t thread;
    bool running;             /* the thread is to be joined */
    enum berth_status status; /* once it is done */
    struct berth_error error;
    pthread_mutex_t lock; /* guards */
    struct berth_progress progress;
    double children;                    /* s: processor time of processes that ended before */
    uint64_t seen;                      /* bytes that the reader has taken in */
    struct berth_library_reader *part;  /* owned; while it grows; NULL before */
    struct berth_library_reader *whole; /* owned; NULL before the source has come to it */
};

bool berth_screen_prepares(const char *text)
{
    static const unsigned char MAGIC[] = {0x89, 'b', 'l', 'i', 'b'};
    unsigned char head[sizeof MAGIC] = {0};
    FILE *file;
    struct berth_error none; /* what is read from a pipe would be missing later */
    if (berth_is_library_path(text) || berth_file_open_plain(text, &file, &none)) {
        return !berth_is_library_path(text);
    }
    const bool library =
        fread(head, sizeof head, 1, file) == 1 && memcmp(head, MAGIC, sizeof MAGIC) == 0;
    fclose(file);
    return !library;
}

/* The inputs' names: commas part them, unless there is a file that is called so. */
static enum berth_status cut_names(struct berth_screen_preparation *made, const char *text,
                                   struct berth_error *error)
{
    made->molecules = berth_copy_text(text);
    made->items = berth_alloc(strlen(text) / 2 + 1, sizeof *made->items);
    if (!made->molecules || !made->items) {
        return berth_out_of_memory(error, text);
    }
    if (access(text, F_OK) == 0) {
        made->items[made->count++] = made->molecules;
        return BERTH_OK;
    }
    char *rest = made->molecules;
    for (char *name = strtok_r(rest, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        made->items[made->count++] = name;
    }
    return BERTH_OK;
}

enum berth_status berth_screen_preparation_create(const struct berth_run *run,
                                                  struct berth_shard shard,
                                                  struct berth_screen_preparation **made,
                                                  struct berth_error *error)
{
    const struct berth_options *options = &run->options;
    const struct berth_ligands_request *request = &options->prepare;
    BERTH_TRY(berth_make(made, 1, sizeof **made, options->library, error));
    struct berth_screen_preparation *preparation = *made;
    pthread_mutex_init(&preparation->lock, NULL);
    preparation->run = run;
    preparation->shard = shard;
    preparation->watch.failures = preparation->failures;
    BERTH_TRY(berth_path_in(options->out, BERTH_SCREEN_LIBRARY, preparation->path,
                            sizeof preparation->path, error));
    BERTH_TRY(berth_path_in(options->out, BERTH_SCREEN_UNPREPARED, preparation->failures,
                            sizeof preparation->failures, error));
    BERTH_TRY(cut_names(preparation, options->library, error));
    const struct berth_ligand_sources sources = {
        .items = preparation->items,
        .count = preparation->count,
        .format = request->format,
        .columns = {request->smiles_column, request->name_column},
        .limit = 10 * request->time_limit,
        .stop = &preparation->stop,
        .log = run->log};
    BERTH_TRY(berth_ligand_inputs_create(&sources, &preparation->inputs, error));
    /* before a journal is begun */
    BERTH_TRY(berth_ligand_inputs_check(&preparation->inputs, options->library, error));
    return berth_ligands_plan_create(request, preparation->items, preparation->count,
                                     &preparation->plan, error);
}

const char *berth_screen_preparation_note(const struct berth_screen_preparation *preparation)
{
    return preparation->plan.note;
}

enum berth_status berth_screen_preparation_hash(const struct berth_screen_preparation *preparation,
                                                char text[BERTH_SHA256_TEXT],
                                                struct berth_error *error)
{
    return berth_ligand_inputs_hash(&preparation->inputs, text, error);
}

/* Opens the library where it is whole.  One whose copy was cut off is made again, from the blocks
 * that it has, or, where it has not even a head, from the first on. */
static enum berth_status open_made(const struct berth_screen_preparation *preparation,
                                   struct berth_library_reader **library, struct berth_error *error)
{
    const char *path = preparation->path;
    struct berth_library_reader *begun = NULL;
    struct stat facts;
    char part[PATH_MAX + 8];
    snprintf(part, sizeof part, "%s.part", path);
    enum berth_status status = BERTH_OK;
    if (access(path, F_OK) == 0) {
        status = berth_library_open(path, &preparation->run->typed->scoring, library, error);
        if (status == BERTH_E_FORMAT) {
            berth_warn(preparation->run->log, NULL, "%s: is damaged, and made again", path);
            status = rename(path, part) ? berth_io_error(path, "rename", errno, error) : BERTH_OK;
        }
    }
    if (!status && !*library && stat(part, &facts) == 0 && facts.st_size) {
        status = berth_library_follow(path, &preparation->run->typed->scoring, &begun, error);
        berth_library_close(begun);
        if (status == BERTH_E_FORMAT) {
            berth_warn(preparation->run->log, NULL, "%s: is damaged, and made again", part);
            status = berth_file_remove(part, BERTH_OK, error);
        }
    }
    return status;
}

enum berth_status berth_screen_preparation_open(struct berth_screen_preparation *preparation,
                                                enum berth_library_mode mode,
                                                struct berth_library_reader **library,
                                                struct berth_error *error)
{
    const char *path = preparation->path;
    *library = NULL;
    preparation->mode = mode;
    if (mode == BERTH_LIBRARY_REPLACE) { /* a run that goes on would take it */
        BERTH_TRY(berth_file_remove(path, BERTH_OK, error));
    }
    return mode == BERTH_LIBRARY_RESUME ? open_made(preparation, library, error)
           : access(path, F_OK) != 0
               ? BERTH_OK
               : berth_fail_option(error, BERTH_E_USAGE, "resume",
                                   "%s: is there already; go on with the run, or remove it", path);
}

/* --- The thread that prepares --- */

static void note_progress(void *context, const struct berth_progress *progress)
{
    struct berth_screen_preparation *preparation = context;
    pthread_mutex_lock(&preparation->lock);
    preparation->progress = *progress;
    pthread_mutex_unlock(&preparation->lock);
}

static void *prepare(void *context)
{
    BERTH_IN_C_LOCALE;
    struct berth_screen_preparation *preparation = context;
    const struct berth_ligands_request *request = &preparation->run->options.prepare;
    const struct berth_ligands_settings settings = {
        .preparation = preparation->plan.preparation,
        .out = preparation->path,
        .watch = &preparation->watch,
        .forcefield = preparation->run->options.forcefield,
        .note = preparation->plan.note,
        .mode = preparation->mode,
        .shard = preparation->shard,
        .jobs = request->jobs ? request->jobs : berth_processors(),
        .unique = request->drop_duplicates,
        .log = preparation->run->log,
        .stop = &preparation->stop,
        .show = note_progress,
        .context = preparation};
    struct berth_progress progress;
    preparation->status =
        berth_ligands_prepare(&settings, &preparation->inputs, &progress, &preparation->error);
    atomic_store(&preparation->done, true);
    return NULL;
}

enum berth_status berth_screen_preparation_start(struct berth_screen_preparation *preparation,
                                                 struct berth_error *error)
{
    preparation->children = berth_children_seconds();
    preparation->running = pthread_create(&preparation->thread, NULL, prepare, preparation) == 0;
    return preparation->running ? BERTH_OK
                                : berth_fail(error, BERTH_E_MEMORY, "cannot start a thread");
}

/* --- The source that reads what it has written --- */

/* Waits a little for further blocks.  A part that cannot be opened has just become whole. */
static enum berth_status read_part(struct berth_screen_preparation *preparation,
                                   struct berth_library_source_state *state,
                                   struct berth_error *error)
{
    const uint64_t written = atomic_load(&preparation->watch.written);
    enum berth_status status = BERTH_OK;
    if (written > preparation->seen && !preparation->part) {
        status = berth_library_follow(preparation->path, &preparation->run->typed->scoring,
                                      &preparation->part, error);
    }
    if (written > preparation->seen && !status) {
        preparation->seen = written;
        BERTH_TRY(berth_library_extend(preparation->part, written, error));
        state->library = preparation->part;
        state->range.end = berth_library_info(preparation->part).ligands;
        return BERTH_OK;
    }
    const struct timespec pause = {0, PATIENCE};
    nanosleep(&pause, NULL);
    return status == BERTH_E_IO ? BERTH_OK : status;
}

enum berth_status berth_screen_preparation_more(void *context,
                                                struct berth_library_source_state *state, bool *end,
                                                struct berth_error *error)
{
    struct berth_screen_preparation *preparation = context;
    if (!atomic_load(&preparation->done)) {
        return read_part(preparation, state, error);
    }
    *end = preparation->whole || (preparation->status && atomic_load(&preparation->stop));
    if (*end) {
        return BERTH_OK;
    }
    if (preparation->status) {
        *error = preparation->error;
        return preparation->status;
    }
    BERTH_TRY(berth_library_open(preparation->path, &preparation->run->typed->scoring,
                                 &preparation->whole, error));
    state->library = preparation->whole;
    state->range.end = berth_library_info(preparation->whole).ligands;
    return BERTH_OK;
}

void berth_screen_preparation_stop(struct berth_screen_preparation *preparation)
{
    atomic_store(&preparation->stop, true);
}

struct berth_progress
berth_screen_preparation_progress(struct berth_screen_preparation *preparation)
{
    pthread_mutex_lock(&preparation->lock);
    const struct berth_progress progress = preparation->progress;
    pthread_mutex_unlock(&preparation->lock);
    return progress;
}

bool berth_screen_preparation_is_empty(const struct berth_screen_preparation *preparation)
{
    return atomic_load(&preparation->done) && preparation->watch.none;
}

struct berth_library_reader *
berth_screen_preparation_end(struct berth_screen_preparation *preparation, double *seconds)
{
    berth_screen_preparation_stop(preparation);
    if (preparation->running) {
        pthread_join(preparation->thread, NULL);
        preparation->running = false;
    }
    *seconds = preparation->watch.seconds + berth_children_seconds() - preparation->children;
    struct berth_library_reader *whole = preparation->whole;
    preparation->whole = NULL;
    return whole;
}

void berth_screen_preparation_destroy(struct berth_screen_preparation *preparation)
{
    if (!preparation) {
        return;
    }
    double ignored;
    berth_library_close(berth_screen_preparation_end(preparation, &ignored));
    berth_library_close(preparation->part);
    berth_ligand_inputs_clear(&preparation->inputs);
    berth_ligands_plan_clear(&preparation->plan);
    pthread_mutex_destroy(&preparation->lock);
    free(preparation->molecules);
    free(preparation->items);
    free(preparation);
}
