#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/clock.h"
#include "base/locale.h"
#include "base/memory.h"
#include "screen/merge.h"
#include "screen/results.h"
#include "screen/screen.h"
#include "report/store/store.h"

struct berth_screen_handle {
    struct berth_run run;
    struct berth_screen screen;
    struct berth_api_run told;
    bool ran;
    berth_progress_call call;
    void *context;                   /* the caller's, for call */
    struct berth_screen_calls calls; /* the caller's */
    struct berth_api_use use;
};

/* scores: [BERTH_RECEPTORS_MAX], which the result points to. */
static struct berth_screen_result result_of(const berth_screen *screen,
                                            const struct berth_result *result, double *scores)
{
    struct berth_screen_result given = {.ordinal = result->ordinal,
                                        .name = result->title,
                                        .failure = result->failure,
                                        .heavy_count = result->heavy_count,
                                        .conformer_count = result->conformer_count,
                                        .value = NAN,
                                        .energy = NAN,
                                        .clash = NAN,
                                        .ranking = NAN};
    if (result->modes.count) {
        const struct berth_pose *best = &result->modes.modes[0];
        given.conformer = best->conformer;
        given.value = best->value;
        given.energy = best->energy;
        given.terms = best->terms.values;
        given.strain = best->parts[BERTH_PART_INTRA];
        given.conformer_strain = best->conformer_strain;
        given.clash = best->clash;
        given.receptor = best->receptor;
        berth_modes_scores(&result->modes, scores);
        given.values = scores;
        given.scores = best->scores;
        given.learned = best->learned;
        given.ranking = berth_result_ranking(&screen->run.ranker, result);
    }
    return given;
}

static void note(void *context, const struct berth_result *result)
{
    berth_screen *screen = context;
    screen->told.progress.done++;
    screen->told.progress.failed += result->failure != NULL;
    if (screen->calls.result) {
        double scores[BERTH_RECEPTORS_MAX];
        const struct berth_screen_result given = result_of(screen, result, scores);
        screen->calls.result(screen->calls.context, &given);
    }
}

/* The caller's turn; the time limit asks for the end, too. */
static bool tend(void *context, const struct berth_screen *run, bool last)
{
    berth_screen *screen = context;
    struct berth_progress *progress = &screen->told.progress;
    berth_api_run_watch(&screen->told, run->window, run->pairs_per_atom);
    progress->total = berth_screening_total(run, &progress->estimated);
    progress->seconds = berth_now() - run->started;
    progress->computed = last;
    const double limit = screen->run.options.time_limit;
    const bool stop = screen->call && screen->call(screen->context, progress);
    return stop || (limit > 0 && progress->seconds >= limit);
}

static enum berth_status open_screen(berth_screen *screen, const struct berth_run_parts *parts,
                                     struct berth_error *error)
{
    struct berth_run *run = &screen->run;
    struct berth_progress *progress = &screen->told.progress;
    const struct berth_screen_hooks hooks = {screen, note, tend};
    BERTH_TRY(
        BERTH_NEED(error, {"library", parts->options->library}, {"out", parts->options->out}));
    BERTH_TRY(berth_screen_folder_check(parts->options->out, error));
    BERTH_TRY(parts->options->db ? berth_store_check(parts->options->db, error) : BERTH_OK);
    BERTH_TRY(berth_run_open(parts, run, error));
    BERTH_TRY(berth_screening_open(run, &hooks, &screen->screen, error));
    BERTH_TRY(
        berth_api_run_describe(run, &run->site, screen->screen.docking, &screen->told, error));
    progress->total = berth_screening_total(&screen->screen, &progress->estimated);
    progress->before = screen->screen.before;
    return BERTH_OK;
}

enum berth_status berth_screen_open(const berth_receptor *const *receptors, size_t count,
                                    const berth_devices *devices, const berth_options *options,
                                    const struct berth_screen_calls *calls,
                                    const struct berth_log *log, berth_screen **screen,
                                    struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    struct berth_options mine;
    struct berth_run_parts parts;
    if (screen) {
        *screen = NULL;
    }
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(receptors), BERTH_ARGUMENT(devices),
                         BERTH_ARGUMENT(options), BERTH_ARGUMENT(screen)));
    enum berth_status status = berth_api_parts(receptors, count, devices, options,
                                               BERTH_RUNS_SCREEN, &mine, &parts, error);
    parts.log = log;
    BERTH_THEN(berth_make(screen, 1, sizeof **screen, NULL, error));
    if (!status) {
        (*screen)->calls = calls ? *calls : (struct berth_screen_calls){NULL, NULL};
        status = open_screen(*screen, &parts, error);
    }
    if (status) {
        berth_screen_free(*screen);
        *screen = NULL;
    }
    berth_options_clear(&mine);
    return status;
}

const struct berth_run_facts *berth_screen_describe(const berth_screen *screen)
{
    return screen ? &screen->told.facts : NULL;
}

static void free_screen(berth_screen *screen)
{
    berth_screening_close(&screen->screen);
    berth_api_run_clear(&screen->told);
    berth_run_close(&screen->run);
    free(screen);
}

/* The caller's turn while the database is waited for. */
static bool is_ended(void *context)
{
    const berth_screen *screen = context;
    return screen->call && screen->call(screen->context, &screen->told.progress);
}

/* Puts the results in the folder into the database that was asked for. */
static enum berth_status store(berth_screen *screen, struct berth_error *error)
{
    const struct berth_store_run run = {.path = screen->run.options.db,
                                        .command = "screen",
                                        .folder = screen->run.options.out,
                                        .wait = {screen->run.log, is_ended, screen}};
    return screen->run.options.db ? berth_store_add(&run, error) : BERTH_OK;
}

static enum berth_status run(berth_screen *screen, berth_progress_call progress, void *context,
                             struct berth_error *error)
{
    if (screen->ran) {
        return berth_fail(error, BERTH_E_USAGE,
                          "%s: the screen has been run already; to go on, open it with resume",
                          screen->run.options.out);
    }
    screen->ran = true;
    screen->call = progress;
    screen->context = context;
    enum berth_status status = berth_screening_run(&screen->screen, error);
    if (!screen->screen.stopped) {
        BERTH_THEN(store(screen, error));
    }
    screen->call = NULL;
    berth_journal_release(screen->screen.journal);
    struct berth_progress *told = &screen->told.progress;
    told->finished = !status && !screen->screen.stopped;
    told->computed = true;
    told->total = berth_screening_total(&screen->screen, &told->estimated);
    if (told->finished) {
        told->failed = screen->screen.failed;
        told->ligands = screen->screen.docked;
        told->left_out = screen->screen.left_out;
        told->few = screen->screen.few;
    }
    return status;
}

enum berth_status berth_screen_run(berth_screen *screen, berth_progress_call progress,
                                   void *context, struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(screen)));
    BERTH_TRY(berth_api_enter(&screen->use, "screen", error));
    const enum berth_status status = run(screen, progress, context, error);
    if (berth_api_leave(&screen->use)) {
        free_screen(screen);
    }
    return status;
}

const struct berth_progress *berth_screen_progress(const berth_screen *screen)
{
    return screen ? &screen->told.progress : NULL;
}

static enum berth_status give_results(berth_screen *screen,
                                      bool (*take)(void *context,
                                                   const struct berth_screen_result *result),
                                      void *context, struct berth_error *error)
{
    struct berth_run_records *records = &screen->screen.records;
    bool end = false;
    if (!screen->ran) {
        return berth_fail(error, BERTH_E_USAGE,
                          "%s: results are there once the screen has been run",
                          screen->run.options.out);
    }
    enum berth_status status = berth_journal_sync(screen->screen.journal, error);
    if (!status) {
        berth_run_records_rewind(records, screen->screen.range.next);
        status = berth_run_records_next(records, &end, error);
    }
    while (!status && !end) {
        double scores[BERTH_RECEPTORS_MAX];
        const struct berth_screen_result result = result_of(screen, &records->result, scores);
        end = take(context, &result);
        if (!end) {
            status = berth_run_records_next(records, &end, error);
        }
    }
    return status;
}

enum berth_status berth_screen_results(berth_screen *screen,
                                       bool (*take)(void *context,
                                                    const struct berth_screen_result *result),
                                       void *context, struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(screen), BERTH_ARGUMENT(take)));
    BERTH_TRY(berth_api_enter(&screen->use, "screen", error));
    const enum berth_status status = give_results(screen, take, context, error);
    if (berth_api_leave(&screen->use)) {
        free_screen(screen);
    }
    return status;
}

bool berth_screen_is_stuck(const berth_screen *screen)
{
    return screen && screen->screen.docking && berth_docking_hangs(screen->screen.docking);
}

void berth_screen_free(berth_screen *screen)
{
    BERTH_IN_C_LOCALE;
    if (screen && berth_api_is_free(&screen->use)) {
        free_screen(screen);
    }
}

enum berth_status berth_screen_stopped(const berth_screen *screen, const char *why,
                                       struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    const enum berth_status status = BERTH_NEED(error, BERTH_ARGUMENT(screen), BERTH_ARGUMENT(why));
    return status || !screen->screen.stopped
               ? status
               : berth_screening_incomplete(&screen->screen, why, error);
}

enum berth_status
berth_screen_profile(berth_screen *screen,
                     void (*take)(void *context, const struct berth_kernel_profile *kernel),
                     void *context, struct berth_device_use *use, struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(screen), BERTH_ARGUMENT(take), BERTH_ARGUMENT(use)));
    return berth_api_profile(screen->screen.docking, take, context, use, error);
}

enum berth_status berth_screen_merge(const char *const *folders, size_t count,
                                     const berth_options *options,
                                     struct berth_merge_counts *counts, struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    struct berth_options mine;
    const struct berth_options *asked;
    struct berth_merge_counts ignored;
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(options)));
    BERTH_TRY(berth_options_of(options, BERTH_RUN_MERGE, &mine, &asked, error));
    BERTH_TRY(BERTH_NEED(error, {"out", asked->out}));
    BERTH_TRY(berth_api_need_texts("folders", folders, count, error));
    if (!count) {
        return berth_fail(error, BERTH_E_USAGE, "no folder to merge is given");
    }
    BERTH_TRY(asked->db ? berth_store_check(asked->db, error) : BERTH_OK);
    const struct berth_merge_settings settings = {.out = asked->out,
                                                  .library = asked->library,
                                                  .rank = asked->rank,
                                                  .require = asked->require,
                                                  .top = asked->top,
                                                  .max_clash = asked->max_clash};
    BERTH_TRY(berth_merge_run(folders, count, &settings, counts ? counts : &ignored, error));
    const struct berth_store_run run = {
        .path = asked->db, .command = "merge", .folder = asked->out};
    return asked->db ? berth_store_add(&run, error) : BERTH_OK;
}
