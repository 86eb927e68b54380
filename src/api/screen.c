#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/clock.h"
#include "base/locale.h"
#include "base/memory.h"
#include "dock/exclusions.h"
#include "dock/screen/merge.h"
#include "dock/screen/results.h"
#include "dock/screen/screen.h"
#include "options/search.h"
#include "options/tables.h"
#include "prep/standing.h"
#include "report/store/store.h"

struct berth_screen_handle {
    struct berth_screen run;
    struct berth_devices devices; /* those of them that could be opened */
    struct berth_ensemble receptors;
    struct berth_restraints restraints;
    struct berth_covalent covalent;
    struct berth_side_chains *side_chains; /* owned; [receptors]; NULL: none moves */
    char *library, *folder, *variant, *scoring, *rescore, *require, *db;
    struct berth_rescorer *rescorer; /* owned; NULL: none is asked for */
    struct berth_judging judging;
    struct berth_api_run told;
    double time_limit; /* s; 0: none */
    bool ran;
    berth_progress_call call;
    void *context; /* the caller's, for call */
    void (*result)(void *context, const struct berth_screen_result *result); /* or NULL */
    void *result_context; /* the caller's, for result */
    struct berth_api_use use;
};

void berth_screen_defaults(struct berth_screen_options *options, size_t size)
{
    const struct berth_screen_options defaults = berth_screen_request().screen;
    berth_api_give(&defaults, sizeof defaults, options, size);
}

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
        given.ranking = berth_judging_plain(&screen->judging, result);
    }
    return given;
}

static void note(void *context, const struct berth_result *result)
{
    berth_screen *screen = context;
    screen->told.progress.done++;
    screen->told.progress.failed += result->failure != NULL;
    if (screen->result) {
        double scores[BERTH_RECEPTORS_MAX];
        const struct berth_screen_result given = result_of(screen, result, scores);
        screen->result(screen->result_context, &given);
    }
}

/* The caller's turn; the time limit asks for the end, too. */
static bool tend(void *context, const struct berth_screen *run, bool last)
{
    berth_screen *screen = context;
    struct berth_progress *progress = &screen->told.progress;
    berth_api_run_watch(&screen->told, run->window, run->pairs_per_atom);
    progress->total = berth_run_total(run, &progress->estimated);
    progress->seconds = berth_now() - run->started;
    progress->computed = last;
    const bool stop = screen->call && screen->call(screen->context, progress);
    return stop || (screen->time_limit > 0 && progress->seconds >= screen->time_limit);
}

/* The level of the search; options and search are complete. */
static enum berth_status check(const struct berth_screen_request *asked,
                               struct berth_search_level *level, struct berth_error *error)
{
    const struct berth_screen_options *options = &asked->screen;
    enum berth_status status =
        BERTH_NEED(error, {"options->library", options->library}, {"options->out", options->out});
    const struct berth_choices choices = {
        .by = {[BERTH_CHOICE_COVALENT] = options->covalent ? "covalent" : NULL,
               [BERTH_CHOICE_FLEXIBLE] =
                   berth_api_moving_option(options->flexible_residues, options->flexible_within),
               [BERTH_CHOICE_RECEPTORS] = options->more_count ? "receptor" : NULL,
               [BERTH_CHOICE_TEMPLATE] = asked->search.template_file ? "template" : NULL,
               [BERTH_CHOICE_RESCORE] = options->rescore ? "rescore" : NULL}};
    BERTH_THEN(berth_options_check(BERTH_SCREEN_TABLE, asked, error));
    if (!status && options->resume && options->overwrite) {
        status = berth_fail_option(error, BERTH_E_USAGE, "overwrite",
                                   "resume and overwrite exclude each other");
    }
    BERTH_THEN(berth_choices_check(&choices, error));
    return status ? status : berth_search_options_level(&asked->search, false, level, error);
}

/* What poses must make; NULL: whatever they make. */
static const char *required_of(const struct berth_screen_options *options)
{
    return options->require && strcmp(options->require, "any") == 0 ? NULL : options->require;
}

static enum berth_status copy_texts(berth_screen *screen,
                                    const struct berth_screen_options *options,
                                    const struct berth_search_options *search,
                                    const berth_receptor *receptor, struct berth_error *error)
{
    enum berth_status status = berth_api_copy(options->library, &screen->library, error);
    BERTH_THEN(berth_api_copy(options->out, &screen->folder, error));
    BERTH_THEN(berth_api_copy(options->rescore, &screen->rescore, error));
    BERTH_THEN(berth_api_copy(required_of(options), &screen->require, error));
    BERTH_THEN(berth_api_copy(options->db, &screen->db, error));
    BERTH_THEN(berth_api_copy(receptor->scoring, &screen->scoring, error));
    return status ? status : berth_api_copy(search->variant, &screen->variant, error);
}

/* Before anything is docked. */
static enum berth_status check_require(const berth_screen *screen, struct berth_error *error)
{
    const struct berth_required_setup setup =
        berth_required_setup_of(&screen->receptors, screen->require);
    return setup.require ? berth_required_check(&setup, error) : BERTH_OK;
}

/* Finds the side chains that move. */
static enum berth_status find_side_chains(berth_screen *screen, const berth_receptor *receptor,
                                          const struct berth_screen_options *options,
                                          const struct berth_search_level *level,
                                          const struct berth_log *log, struct berth_error *error)
{
    struct berth_molecule near = {0};
    const struct berth_api_moving moving = {
        .choice = {options->flexible_residues, options->flexible_within, options->flexible_most,
                   berth_api_reference(options->reference, &near, receptor)},
        .level = level,
        .log = log};
    enum berth_status status = BERTH_OK;
    if (options->reference) {
        status = berth_posed_read(options->reference, &near, error);
    }
    BERTH_THEN(
        berth_api_move(&moving, &screen->receptors, &screen->side_chains, &screen->judging, error));
    berth_molecule_clear(&near);
    return status;
}

/* Finds the atom that ligands are bonded to, and the site. */
static enum berth_status find_covalent(berth_screen *screen,
                                       const struct berth_screen_request *asked,
                                       const struct berth_search_level *level,
                                       const struct berth_log *log, struct berth_site *site,
                                       struct berth_error *error)
{
    const struct berth_api_bonding bonding = {asked->screen.covalent, level, log};
    return berth_api_bond(&bonding, &screen->receptors, &screen->covalent, site, error);
}

/* What callers read of a run that is open. */
static void tell(berth_screen *screen, const struct berth_search_level *level,
                 const struct berth_log *log)
{
    berth_restraints_note_bound(&screen->restraints, screen->receptors.receptors[0]->scoring.unit,
                                log);
    berth_api_run_learn(&screen->judging.names, &screen->told);
    screen->told.facts.poses = level->poses;
    screen->told.facts.generations = level->generations;
    screen->told.progress.total = berth_run_total(&screen->run, &screen->told.progress.estimated);
    screen->told.progress.before = screen->run.before;
}

/* What is bonded to the receptor finds its own site. */
static enum berth_status need_site(const berth_receptor *receptor,
                                   const struct berth_screen_request *asked,
                                   const struct berth_log *log, struct berth_error *error)
{
    return asked->screen.covalent
               ? BERTH_OK
               : berth_api_need_site(receptor, NULL, asked->search.template_file, log, error);
}

/* What judges poses; ligands of a library are molecules that were built. */
static enum berth_status create_judging(berth_screen *screen, const berth_receptor *receptor,
                                        const char *rank, struct berth_error *error)
{
    BERTH_TRY(
        berth_judging_create(&receptor->receptor, rank, screen->rescorer, &screen->judging, error));
    screen->judging.names.twists = true;
    return BERTH_OK;
}

/* asked: complete. */
static enum berth_status open_run(berth_screen *screen, const berth_receptor *receptor,
                                  const struct berth_screen_request *asked,
                                  const struct berth_log *log, struct berth_error *error)
{
    const struct berth_screen_options *options = &asked->screen;
    const struct berth_search_options *search = &asked->search;
    struct berth_screen_settings settings = {.receptors = &screen->receptors,
                                             .site = receptor->receptor.site,
                                             .scoring = screen->scoring,
                                             .library_path = screen->library,
                                             .prepare = &asked->prepare,
                                             .folder = screen->folder,
                                             .resume = options->resume,
                                             .overwrite = options->overwrite,
                                             .modes = {.num_modes = options->num_modes,
                                                       .min_rmsd = options->min_rmsd,
                                                       .strain_weight = options->strain_weight,
                                                       .max_clash = options->max_clash},
                                             .judging = &screen->judging,
                                             .rescore = screen->rescore,
                                             .rescore_top = options->rescore_top,
                                             .top = options->top,
                                             .require = screen->require,
                                             .devices = &screen->devices,
                                             .variant = screen->variant,
                                             .check_every = search->check,
                                             .patience = search->batch_limit,
                                             .checkpoint = options->checkpoint,
                                             .log = log};
    const struct berth_screen_hooks hooks = {screen, note, tend};
    struct berth_screen *run = &screen->run;
    struct berth_search_level level;
    enum berth_status status = check(asked, &level, error);
    BERTH_THEN(berth_screen_folder_check(screen->folder, error));
    BERTH_THEN(screen->db ? berth_store_check(screen->db, error) : BERTH_OK);
    BERTH_THEN(berth_shard_parse(options->shard, &settings.shard, error));
    BERTH_THEN(need_site(receptor, asked, log, error));
    BERTH_THEN(berth_api_receptors(receptor, options->more_receptors, options->more_count,
                                   &screen->receptors, error));
    BERTH_THEN(find_covalent(screen, asked, &level, log, &settings.site, error));
    BERTH_THEN(check_require(screen, error));
    BERTH_THEN(berth_api_rescorer(screen->rescore, &screen->receptors, &screen->devices,
                                  &screen->rescorer, error));
    BERTH_THEN(create_judging(screen, receptor, options->rank, error));
    if (!status) {
        settings.level = level.name;
        settings.search = berth_search_options_settings(search, &level, options->min_rmsd,
                                                        screen->judging.texts.pool);
        status = berth_search_options_bound(&settings.site, &settings.search, error);
    }
    BERTH_THEN(berth_api_restrain(search, &level, &screen->restraints, &screen->receptors,
                                  &screen->judging, error));
    BERTH_THEN(find_side_chains(screen, receptor, options, &level, log, error));
    BERTH_THEN(berth_run_open(&settings, &hooks, run, error));
    BERTH_THEN(berth_api_run_describe(&screen->receptors, &settings.site, &screen->devices,
                                      run->docking, &screen->told, error));
    if (!status) {
        tell(screen, &level, log);
    }
    return status;
}

enum berth_status berth_screen_open(const berth_receptor *receptor, const berth_devices *devices,
                                    const struct berth_screen_options *options,
                                    const struct berth_log *log, berth_screen **screen,
                                    struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    struct berth_screen_request mine = berth_screen_request();
    if (screen) {
        *screen = NULL;
    }
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(receptor), BERTH_ARGUMENT(devices),
                         BERTH_ARGUMENT(options), BERTH_ARGUMENT(screen)));
    berth_screen *opened;
    BERTH_TRY(berth_make(&opened, 1, sizeof *opened, NULL, error));
    enum berth_status status =
        berth_api_take(options, "berth_screen_defaults", &mine.screen, sizeof mine.screen, error);
    BERTH_THEN(berth_api_search(mine.screen.search, &mine.search, error));
    BERTH_THEN(berth_api_take(mine.screen.prepare, "berth_prepare_ligands_defaults", &mine.prepare,
                              sizeof mine.prepare, error));
    if (mine.screen.covalent) {
        mine.prepare.adducts = berth_covalent_kind(mine.screen.covalent);
    }
    BERTH_THEN(berth_api_copy_devices(devices, &opened->devices, error));
    BERTH_THEN(copy_texts(opened, &mine.screen, &mine.search, receptor, error));
    opened->result = mine.screen.result;
    opened->result_context = mine.screen.context;
    opened->time_limit = mine.screen.time_limit;
    BERTH_THEN(open_run(opened, receptor, &mine, log, error));
    if (status) {
        berth_screen_free(opened);
    } else {
        *screen = opened;
    }
    return status;
}

const struct berth_run_facts *berth_screen_describe(const berth_screen *screen)
{
    return screen ? &screen->told.facts : NULL;
}

static void free_screen(berth_screen *screen)
{
    berth_run_close(&screen->run);
    berth_judging_clear(&screen->judging);
    berth_rescorer_destroy(screen->rescorer);
    berth_restraints_clear(&screen->restraints);
    berth_covalent_clear(&screen->covalent);
    berth_api_still(screen->side_chains, screen->receptors.count);
    berth_api_run_clear(&screen->told);
    berth_devices_clear(&screen->devices);
    free(screen->library);
    free(screen->folder);
    free(screen->rescore);
    free(screen->require);
    free(screen->db);
    free(screen->variant);
    free(screen->scoring);
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
    const struct berth_store_run run = {.path = screen->db,
                                        .command = "screen",
                                        .folder = screen->folder,
                                        .log = screen->run.settings.log,
                                        .stop = is_ended,
                                        .context = screen};
    return screen->db ? berth_store_add(&run, error) : BERTH_OK;
}

static enum berth_status run(berth_screen *screen, berth_progress_call progress, void *context,
                             struct berth_error *error)
{
    if (screen->ran) {
        return berth_fail(error, BERTH_E_USAGE,
                          "%s: the screen has been run already; to go on, open it with resume",
                          screen->folder);
    }
    screen->ran = true;
    screen->call = progress;
    screen->context = context;
    enum berth_status status = berth_run_dock(&screen->run, error);
    if (!screen->run.stopped) {
        BERTH_THEN(store(screen, error));
    }
    screen->call = NULL;
    berth_journal_release(screen->run.journal);
    struct berth_progress *told = &screen->told.progress;
    told->finished = !status && !screen->run.stopped;
    told->computed = true;
    told->total = berth_run_total(&screen->run, &told->estimated);
    if (told->finished) {
        told->failed = screen->run.failed;
        told->ligands = screen->run.docked;
        told->left_out = screen->run.left_out;
        told->few = screen->run.few;
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
    return screen && screen->run.docking && berth_docking_hangs(screen->run.docking);
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
    return status || !screen->run.stopped ? status : berth_run_incomplete(&screen->run, why, error);
}

enum berth_status
berth_screen_profile(berth_screen *screen,
                     void (*take)(void *context, const struct berth_kernel_profile *kernel),
                     void *context, struct berth_device_use *use, struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(screen), BERTH_ARGUMENT(take), BERTH_ARGUMENT(use)));
    return berth_api_profile(screen->run.docking, take, context, use, error);
}

void berth_merge_defaults(struct berth_merge_options *options, size_t size)
{
    const struct berth_merge_options defaults = berth_merge_request().merge;
    berth_api_give(&defaults, sizeof defaults, options, size);
}

enum berth_status berth_screen_merge(const char *const *folders, size_t count,
                                     const struct berth_merge_options *options,
                                     struct berth_merge_counts *counts, struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    struct berth_merge_request mine = berth_merge_request();
    struct berth_merge_counts ignored;
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(options)));
    BERTH_TRY(
        berth_api_take(options, "berth_merge_defaults", &mine.merge, sizeof mine.merge, error));
    BERTH_TRY(BERTH_NEED(error, {"options->out", mine.merge.out}));
    BERTH_TRY(berth_api_need_texts("folders", folders, count, error));
    BERTH_TRY(berth_options_check(BERTH_MERGE_TABLE, &mine, error));
    if (!count) {
        return berth_fail(error, BERTH_E_USAGE, "no folder to merge is given");
    }
    BERTH_TRY(mine.merge.db ? berth_store_check(mine.merge.db, error) : BERTH_OK);
    BERTH_TRY(berth_merge_run(folders, count, &mine.merge, counts ? counts : &ignored, error));
    const struct berth_store_run run = {
        .path = mine.merge.db, .command = "merge", .folder = mine.merge.out};
    return mine.merge.db ? berth_store_add(&run, error) : BERTH_OK;
}
