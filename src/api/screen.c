#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/clock.h"
#include "dock/screen/merge.h"
#include "dock/screen/results.h"
#include "dock/screen/screen.h"

struct berth_screen_handle {
    struct berth_screen run;
    struct berth_devices devices; /* those of them that could be opened */
    struct berth_ensemble receptors;
    char *library, *folder, *variant;
    struct berth_progress progress;
    bool ran;
    berth_progress_call call;
    void *context; /* the caller's, for call */
    void (*result)(void *context, const struct berth_screen_result *result); /* or NULL */
    void *result_context; /* the caller's, for result */
    struct berth_api_use use;
};

void berth_screen_defaults(struct berth_screen_options *options, size_t size)
{
    const struct berth_screen_options defaults = {.size = sizeof defaults,
                                                  .shard = 1,
                                                  .shards = 1,
                                                  .top = 1000,
                                                  .num_modes = 1,
                                                  .min_rmsd = 1,
                                                  .checkpoint = 10,
                                                  .max_clash = INFINITY};
    berth_api_give(&defaults, sizeof defaults, options, size);
}

/* scores: [BERTH_RECEPTORS_MAX], which the result points to. */
static struct berth_screen_result result_of(const struct berth_result *result, double *scores)
{
    struct berth_screen_result given = {.ordinal = result->ordinal,
                                        .name = result->title,
                                        .failure = result->failure,
                                        .heavy_count = result->heavy_count,
                                        .conformer_count = result->conformer_count,
                                        .value = NAN,
                                        .energy = NAN,
                                        .clash = NAN};
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
    }
    return given;
}

static void note(void *context, const struct berth_result *result)
{
    berth_screen *screen = context;
    screen->progress.done++;
    screen->progress.failed += result->failure != NULL;
    if (screen->result) {
        double scores[BERTH_RECEPTORS_MAX];
        const struct berth_screen_result given = result_of(result, scores);
        screen->result(screen->result_context, &given);
    }
}

static bool tend(void *context, const struct berth_screen *run, bool last)
{
    berth_screen *screen = context;
    screen->progress.seconds = berth_now() - run->started;
    return screen->call && !last && screen->call(screen->context, &screen->progress);
}

static enum berth_status check(const struct berth_screen_options *options,
                               struct berth_error *error)
{
    if (!options->library || !options->folder) {
        return berth_fail(error, BERTH_E_USAGE,
                          "struct berth_screen_options: library and folder are needed");
    }
    if (options->shard < 1 || options->shard > options->shards || !options->num_modes ||
        !(options->min_rmsd >= 0) || !(options->strain_weight >= 0) ||
        !(options->checkpoint >= 0) || !(options->max_clash >= 0)) {
        return berth_fail(error, BERTH_E_USAGE,
                          "struct berth_screen_options: shard is from 1 to shards, num_modes above "
                          "0, min_rmsd, strain_weight, checkpoint and max_clash at least 0");
    }
    return BERTH_OK;
}

static enum berth_status copy_texts(berth_screen *screen,
                                    const struct berth_screen_options *options,
                                    const struct berth_search_options *search,
                                    struct berth_error *error)
{
    enum berth_status status = berth_api_copy(options->library, &screen->library, error);
    BERTH_THEN(berth_api_copy(options->folder, &screen->folder, error));
    return status ? status : berth_api_copy(search->variant, &screen->variant, error);
}

/* options and search: complete. */
static enum berth_status open_run(berth_screen *screen, const berth_receptor *receptor,
                                  const struct berth_screen_options *options,
                                  const struct berth_search_options *search,
                                  const struct berth_log *log, struct berth_error *error)
{
    const struct berth_screen_settings settings = {
        .receptors = &screen->receptors,
        .site = receptor->receptor.site,
        .scoring = receptor->receptor.scoring.name,
        .library_path = screen->library,
        .shard = {options->shard, options->shards},
        .folder = screen->folder,
        .resume = options->resume,
        .search = berth_api_settings(search, options->min_rmsd),
        .modes = {.num_modes = options->num_modes,
                  .min_rmsd = options->min_rmsd,
                  .strain_weight = options->strain_weight,
                  .max_clash = options->max_clash},
        .top = options->top,
        .devices = &screen->devices,
        .variant = screen->variant,
        .check_every = search->check_every,
        .patience = search->patience,
        .checkpoint = options->checkpoint,
        .log = log};
    const struct berth_screen_hooks hooks = {screen, note, tend};
    enum berth_status status = berth_screen_folder_check(screen->folder, error);
    BERTH_THEN(berth_api_receptors(receptor, options->more_receptors, options->more_count,
                                   &screen->receptors, error));
    BERTH_THEN(berth_screen_open(&settings, &hooks, &screen->run, error));
    screen->progress.total = screen->run.total;
    screen->progress.before = screen->run.before;
    return status;
}

enum berth_status berth_screen_begin(const berth_receptor *receptor, const berth_devices *devices,
                                     const struct berth_screen_options *options,
                                     const struct berth_log *log, berth_screen **screen,
                                     struct berth_error *error)
{
    struct berth_screen_options mine;
    struct berth_search_options search;
    if (screen) {
        *screen = NULL;
    }
    enum berth_status status = BERTH_NEED(error, BERTH_ARGUMENT(receptor), BERTH_ARGUMENT(devices),
                                          BERTH_ARGUMENT(options), BERTH_ARGUMENT(screen));
    if (status) {
        return status;
    }
    berth_screen *begun = berth_api_new(sizeof *begun, error);
    if (!begun) {
        return BERTH_E_MEMORY;
    }
    berth_screen_defaults(&mine, sizeof mine);
    status = berth_api_take(options, "berth_screen_defaults", &mine, sizeof mine, error);
    BERTH_THEN(check(&mine, error));
    BERTH_THEN(berth_api_search(mine.search, "fast", &search, error));
    BERTH_THEN(berth_api_need_site(receptor, error));
    BERTH_THEN(berth_api_copy_devices(devices, &begun->devices, error));
    BERTH_THEN(copy_texts(begun, &mine, &search, error));
    begun->result = mine.result;
    begun->result_context = mine.context;
    BERTH_THEN(open_run(begun, receptor, &mine, &search, log, error));
    if (status) {
        berth_screen_free(begun);
    } else {
        *screen = begun;
    }
    return status;
}

static void free_screen(berth_screen *screen)
{
    berth_screen_close(&screen->run);
    berth_devices_clear(&screen->devices);
    berth_ensemble_clear(&screen->receptors);
    free(screen->library);
    free(screen->folder);
    free(screen->variant);
    free(screen);
}

static enum berth_status run(berth_screen *screen, berth_progress_call progress, void *context,
                             struct berth_error *error)
{
    if (screen->ran) {
        return berth_fail(error, BERTH_E_USAGE,
                          "%s: the screen has been run already; to go on, begin it with resume",
                          screen->folder);
    }
    screen->ran = true;
    screen->call = progress;
    screen->context = context;
    const enum berth_status status = berth_screen_work(&screen->run, error);
    screen->call = NULL;
    screen->progress.finished = !status && !screen->run.stopped;
    return status;
}

enum berth_status berth_screen_run(berth_screen *screen, berth_progress_call progress,
                                   void *context, struct berth_error *error)
{
    enum berth_status status = BERTH_NEED(error, BERTH_ARGUMENT(screen));
    BERTH_THEN(berth_api_enter(&screen->use, "screen", error));
    if (status) {
        return status;
    }
    status = run(screen, progress, context, error);
    if (berth_api_leave(&screen->use)) {
        free_screen(screen);
    }
    return status;
}

const struct berth_progress *berth_screen_progress(const berth_screen *screen)
{
    return screen ? &screen->progress : NULL;
}

static enum berth_status give_results(berth_screen *screen,
                                      bool (*take)(void *context,
                                                   const struct berth_screen_result *result),
                                      void *context, struct berth_error *error)
{
    struct berth_run_records *records = &screen->run.records;
    bool end = false;
    if (!screen->ran) {
        return berth_fail(error, BERTH_E_USAGE,
                          "%s: results are there once the screen has been run", screen->folder);
    }
    enum berth_status status = berth_journal_sync(screen->run.journal, error);
    if (!status) {
        berth_run_records_rewind(records, screen->run.range.next);
        status = berth_run_records_next(records, &end, error);
    }
    while (!status && !end) {
        double scores[BERTH_RECEPTORS_MAX];
        const struct berth_screen_result result = result_of(&records->result, scores);
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
    enum berth_status status = BERTH_NEED(error, BERTH_ARGUMENT(screen), BERTH_ARGUMENT(take));
    BERTH_THEN(berth_api_enter(&screen->use, "screen", error));
    if (status) {
        return status;
    }
    status = give_results(screen, take, context, error);
    if (berth_api_leave(&screen->use)) {
        free_screen(screen);
    }
    return status;
}

bool berth_screen_is_stuck(const berth_screen *screen)
{
    return screen && screen->run.docking && berth_docking_hangs(screen->run.docking);
}

void berth_screen_free(berth_screen *screen)
{
    if (screen && berth_api_is_free(&screen->use)) {
        free_screen(screen);
    }
}

enum berth_status berth_screen_join(const char *const *folders, size_t count, const char *out,
                                    const char *library, uint64_t *failed,
                                    struct berth_error *error)
{
    const struct berth_merge_settings settings = {.folders = folders,
                                                  .count = count,
                                                  .out = out,
                                                  .library = library,
                                                  .top = -1,
                                                  .max_clash = -1};
    struct berth_merge_counts counts;
    enum berth_status status = BERTH_NEED(error, BERTH_ARGUMENT(out));
    BERTH_THEN(berth_api_need_texts("folders", folders, count, error));
    if (!status && !count) {
        status = berth_fail(error, BERTH_E_USAGE, "no folder to join is given");
    }
    if (status) {
        return status;
    }
    status = berth_merge_run(&settings, &counts, error);
    if (failed) {
        *failed = counts.failed;
    }
    return status;
}
