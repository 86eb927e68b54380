#include "screen/screen.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "run/card.h"
#include "format/run_difference.h"
#include "format/run_json.h"
#include "dock/covalent/covalent.h"
#include "dock/open_devices.h"
#include "screen/screen_rescoring.h"
#include "screen/results.h"
#include "dock/stream/sources.h"
#include "format/output.h"

/* A checkpoint is due once so many ligands are not on disk, but no more often than once a second;
 * or after settings.checkpoint seconds. */
enum { CHECKPOINT_LIGANDS = 1000 };

/* The scoring function, which is that of all receptors. */
static const struct berth_scoring *scoring_of(const struct berth_screen *screen)
{
    return &screen->run->receptors.receptors[0]->scoring;
}

/* The shard's ligands, once the library is there. */
static void find_range(struct berth_screen *screen)
{
    const struct berth_shard shard = screen->shard;
    screen->range = screen->preparation
                        ? berth_library_shard(screen->library, 0, 1)
                        : berth_library_shard(screen->library, shard.number - 1, shard.count);
    screen->total = screen->range.end - screen->range.next;
}

static enum berth_status open_library(struct berth_screen *screen, struct berth_error *error)
{
    const struct berth_run *run = screen->run;
    if (berth_screen_prepares(run->options.library)) {
        BERTH_TRY(berth_screen_preparation_create(run, screen->shard, &screen->preparation, error));
    } else {
        BERTH_TRY(
            berth_library_open(run->options.library, scoring_of(screen), &screen->library, error));
        BERTH_TRY(run->receptors.covalent
                      ? berth_covalent_check_library(run->receptors.covalent, screen->library,
                                                     run->options.library, error)
                      : BERTH_OK);
        find_range(screen);
    }
    screen->pairs_per_atom = berth_ensemble_pairs_per_atom(&run->receptors, &run->search);
    return berth_screening_describe(screen, error);
}

static enum berth_status open_devices(struct berth_screen *screen, struct berth_error *error)
{
    struct berth_run *run = screen->run;
    struct berth_docking_setup setup;
    BERTH_TRY(berth_run_docking_setup(run, &run->site, &setup, error));
    BERTH_TRY(berth_docking_on(&setup, &run->devices, run->log, &screen->docking, error));
    BERTH_TRY(berth_window_create(&run->devices, berth_docking_batch_sum(screen->docking),
                                  &screen->window, error));
    screen->window->log = run->log;
    return BERTH_OK;
}

/* Reads what earlier runs have done. */
static enum berth_status replay(struct berth_screen *screen, struct berth_error *error)
{
    bool end = false;
    screen->records =
        (struct berth_run_records){.journal = screen->journal,
                                   .terms = scoring_of(screen)->terms,
                                   .receptors = screen->run->receptors.names,
                                   .judges = screen->run->ranker.names,
                                   .functions = berth_run_recorded(&screen->run->ranker.names),
                                   .num_modes = screen->run->modes.num_modes,
                                   .max_clash = screen->run->modes.max_clash};
    if (screen->records.judges.ranked) {
        screen->records.judges.ranked = BERTH_LIGANDS_RANKED;
    }
    berth_run_records_rewind(&screen->records, screen->range.next);
    BERTH_TRY(berth_run_records_next(&screen->records, &end, error));
    while (!end) {
        screen->done++;
        screen->hooks.note(screen->hooks.context, &screen->records.result);
        BERTH_TRY(berth_run_records_next(&screen->records, &end, error));
    }
    screen->before = screen->done;
    return screen->library && screen->done > screen->total
               ? berth_fail(error, BERTH_E_FORMAT, "%s: has more ligands than the library",
                            berth_journal_path(screen->journal))
               : BERTH_OK;
}

/* Lists this run's devices in the journal. */
static enum berth_status note_devices(struct berth_screen *screen, struct berth_error *error)
{
    const struct berth_devices *devices = &screen->run->devices;
    struct berth_known_devices *known = &screen->records.devices;
    enum berth_status status = berth_make(&screen->device_numbers, devices->count,
                                          sizeof *screen->device_numbers, NULL, error);
    for (size_t i = 0; !status && i < devices->count; i++) {
        const struct berth_device *device = &devices->devices[i];
        const size_t before = known->count;
        const struct berth_variant variant = berth_docking_variant(screen->docking, i);
        char text[BERTH_VARIANT_TEXT];
        berth_variant_print(&variant, text);
        const struct berth_known_device named = {
            .texts = {device->name, device->platform, device->driver, text}};
        status = berth_known_devices_find(known, &named, &screen->device_numbers[i], error);
        if (!status && known->count > before) {
            struct berth_bytes record = {0};
            berth_run_put_device(&record, &known->devices[before]);
            status = berth_journal_add(screen->journal, &record, error);
            berth_bytes_clear(&record);
        }
        const struct berth_run_share share = {.device = screen->device_numbers[i],
                                              .index = device->index};
        BERTH_THEN(berth_run_work_add(&screen->work, &share, error));
    }
    if (!status && known->count > 1) {
        berth_warn(screen->run->log, NULL,
                   "unlike devices, or kernels tuned otherwise, share this run; they round "
                   "differently, so that results depend on who docked what");
    }
    return status;
}

/* Says what the journal is short of. */
static void warn_of_journal(const struct berth_journal *journal, const struct berth_log *log)
{
    const char *path = berth_journal_path(journal);
    const uint64_t dropped = berth_journal_dropped(journal);
    if (dropped) {
        berth_warn(log, NULL,
                   "%s: its last %" PRIu64 " bytes are no whole records (a crash leaves such); the "
                   "ligands that they may have been of are docked again",
                   path, dropped);
    }
    if (!berth_journal_is_locked(journal)) {
        berth_warn(log, NULL,
                   "%s: this file system has no locks; let no other process work on this run",
                   path);
    }
}

/* A journal that is gone on with must be of the same run. */
static enum berth_status check_identity(const struct berth_screen *screen, const char *identity,
                                        struct berth_error *error)
{
    const char *then = berth_journal_identity(screen->journal);
    struct berth_run_card card;
    struct berth_error ignored; /* lines of other versions are told as they stand */
    char text[BERTH_RUN_DIFFERENCE];
    if (strcmp(then, identity) == 0) {
        return BERTH_OK;
    }
    berth_run_card_read(then, berth_journal_facts(screen->journal), &card, &ignored);
    berth_run_difference(&card, &screen->card, ", now ", text);
    berth_run_card_clear(&card);
    return berth_fail(error, BERTH_E_FORMAT,
                      "%s: the run was begun with %s; give the same options and files, or another "
                      "folder",
                      berth_journal_path(screen->journal), text);
}

/* The journal of this run: begun, or gone on with. */
static enum berth_status create_journal(struct berth_screen *screen, enum berth_journal_mode mode,
                                        struct berth_error *error)
{
    struct berth_bytes identity = {0}, facts = {0};
    char path[PATH_MAX];
    enum berth_status status =
        berth_path_in(screen->run->options.out, "journal", path, sizeof path, error);
    berth_run_card_lines(&screen->card, BERTH_RUN_IDENTITY, &identity);
    berth_run_card_lines(&screen->card, BERTH_RUN_FILES, &facts);
    if (!status && (identity.failed || facts.failed)) {
        status = berth_out_of_memory(error, NULL);
    }
    const struct berth_journal_setup setup = {path, (const char *)identity.data,
                                              (const char *)facts.data, mode};
    BERTH_THEN(berth_journal_create(&setup, &screen->journal, error));
    BERTH_THEN(check_identity(screen, setup.identity, error));
    berth_bytes_clear(&identity);
    berth_bytes_clear(&facts);
    return status;
}

static enum berth_status open_journal(struct berth_screen *screen, struct berth_error *error)
{
    const bool resume = screen->run->options.resume, overwrite = screen->run->options.overwrite;
    BERTH_TRY(berth_folder_make(screen->run->options.out, error));
    BERTH_TRY(create_journal(screen,
                             resume      ? BERTH_JOURNAL_RESUME
                             : overwrite ? BERTH_JOURNAL_REPLACE
                                         : BERTH_JOURNAL_NEW,
                             error));
    if (overwrite) {
        BERTH_TRY(berth_screen_folder_empty(screen->run->options.out, error));
    }
    if (screen->preparation) {
        const enum berth_library_mode mode = resume      ? BERTH_LIBRARY_RESUME
                                             : overwrite ? BERTH_LIBRARY_REPLACE
                                                         : BERTH_LIBRARY_NEW;
        BERTH_TRY(
            berth_screen_preparation_open(screen->preparation, mode, &screen->library, error));
    }
    if (screen->preparation && screen->library) {
        find_range(screen);
    }
    BERTH_TRY(replay(screen, error));
    warn_of_journal(screen->journal, screen->run->log);
    return note_devices(screen, error);
}

/* What is a screen's own of what a run is asked for. */
static enum berth_status settle(struct berth_screen *screen, struct berth_error *error)
{
    struct berth_run *run = screen->run;
    struct berth_options *options = &run->options;
    options->require =
        options->require && strcmp(options->require, "any") != 0 ? options->require : NULL;
    options->prepare.adducts = options->covalent ? berth_covalent_kind(options->covalent) : NULL;
    run->ranker.names.twists = true; /* ligands of a library are molecules that were built */
    const struct berth_required_setup required =
        berth_required_setup_of(&run->receptors, options->require);
    BERTH_TRY(required.require ? berth_required_check(&required, error) : BERTH_OK);
    return berth_shard_parse(options->shard, &screen->shard, error);
}

enum berth_status berth_screening_open(struct berth_run *run,
                                       const struct berth_screen_hooks *hooks,
                                       struct berth_screen *screen, struct berth_error *error)
{
    *screen = (struct berth_screen){.run = run, .hooks = *hooks};
    berth_run_card_start(&screen->card);
    BERTH_TRY(settle(screen, error));
    BERTH_TRY(open_library(screen, error));
    BERTH_TRY(open_devices(screen, error));
    BERTH_TRY(open_journal(screen, error));
    berth_screen_folder_sweep(run->options.out);
    return BERTH_OK;
}

/* Counts the ligand and, unless it failed, its conformers by who docked them. */
static void count_work(struct berth_screen *screen, struct berth_stream_ligand *ligand)
{
    const size_t last = ligand->receptors - 1;
    screen->work.ligands++;
    for (size_t c = 0; !ligand->result.failure && c < ligand->result.conformer_count; c++) {
        screen->work.shares[berth_stream_found(ligand, c, 0, last)->poses[0].device].conformers++;
        for (size_t r = 0; r < ligand->receptors; r++) {
            const size_t packed = ligand->packed_count > 1 ? r : 0;
            screen->work.atoms += ligand->packed[packed].conformers[c].device.atom_count;
        }
    }
}

/* Puts what was done, and what that took, behind the ligands that it was done for, and all of it on
 * disk: a run that is killed has the time of what is not lost. */
static enum berth_status make_checkpoint(struct berth_screen *screen, struct berth_error *error)
{
    const double now = berth_now();
    struct berth_bytes record = {0};
    screen->work.seconds = now - screen->synced;
    for (size_t i = 0; i < screen->work.count; i++) {
        screen->work.shares[i].failed = screen->window->lost[i];
    }
    berth_run_put_work(&record, &screen->work);
    enum berth_status status = berth_journal_add(screen->journal, &record, error);
    BERTH_THEN(berth_journal_sync(screen->journal, error));
    berth_bytes_clear(&record);
    berth_run_work_rewind(&screen->work);
    screen->pending = status ? screen->pending : 0;
    screen->synced = now;
    return status;
}

/* The sink: a ligand's modes into the journal. */
static enum berth_status write_down(void *context, struct berth_stream_ligand *ligand,
                                    struct berth_error *error)
{
    struct berth_screen *screen = context;
    struct berth_result *result = &ligand->result;
    struct berth_mode_settings modes = {.choice = screen->run->modes,
                                        .scoring = scoring_of(screen),
                                        .ranker = &screen->run->ranker,
                                        .shapes = berth_docking_shapes(screen->docking)};
    modes.choice.max_clash = INFINITY; /* the journal has all, for another limit */
    modes.choice.energy_range = INFINITY;
    modes.box = screen->run->site.atoms ? &screen->run->site : NULL;
    memcpy(modes.center, screen->run->site.center, sizeof modes.center);
    count_work(screen, ligand);
    enum berth_status status =
        result->failure ? BERTH_OK
                        : berth_stream_ligand_choose(ligand, BERTH_MODES_DOCKED, &modes,
                                                     screen->run->log, &result->modes, error);
    for (size_t i = 0; !status && i < result->modes.count; i++) {
        struct berth_pose *mode = &result->modes.modes[i];
        mode->device = screen->device_numbers[mode->device];
        if (!status && screen->run->receptors.covalent) { /* as of any ligand of the library */
            status = berth_covalent_release(&ligand->given, screen->run->site.center, mode, error);
        }
    }
    if (!status) {
        struct berth_bytes record = {0};
        const struct berth_score_columns columns = berth_run_records_columns(&screen->records);
        berth_run_put_result(&record, result, &columns);
        status = berth_journal_add(screen->journal, &record, error);
        berth_bytes_clear(&record);
    }
    if (!status) {
        berth_run_records_leave_out(&screen->records, result);
        screen->done++;
        screen->pending++;
        screen->hooks.note(screen->hooks.context, result);
    }
    return status;
}

/* Between ligands: a checkpoint, and the caller's turn. */
static enum berth_status tend(void *context, bool last, struct berth_error *error)
{
    struct berth_screen *screen = context;
    const double since = berth_now() - screen->synced;
    const bool due = since >= screen->run->options.checkpoint ||
                     (screen->pending >= CHECKPOINT_LIGANDS && since >= 1);
    enum berth_status status = BERTH_OK;
    if (screen->pending && (due || last)) {
        status = make_checkpoint(screen, error);
    }
    if (screen->hooks.tend(screen->hooks.context, screen, false) && !screen->stopped) {
        screen->stopped = true;
        berth_window_stop(screen->window);
    }
    return status;
}

uint64_t berth_screening_total(const struct berth_screen *screen, bool *estimated)
{
    *estimated = screen->preparation && !screen->library;
    if (!*estimated) {
        return screen->total;
    }
    const struct berth_progress made = berth_screen_preparation_progress(screen->preparation);
    const double part = made.total ? (double)made.done / (double)made.total : 0;
    /* before the first molecule is prepared: as if each gave a ligand */
    const uint64_t total = part > 0 ? (uint64_t)((double)made.ligands / part) : made.total;
    return total > screen->done ? total : screen->done;
}

/* The stream, beside the preparation of what it is to dock, where there is one. */
static enum berth_status run_stream(struct berth_screen *screen, struct berth_stream *stream,
                                    struct berth_library_source_state *source,
                                    struct berth_error *error)
{
    if (screen->library) {
        return berth_stream_run(stream, error);
    }
    source->more = berth_screen_preparation_more;
    source->context = screen->preparation;
    BERTH_TRY(berth_screen_preparation_start(screen->preparation, error));
    const enum berth_status status = berth_stream_run(stream, error);
    screen->library = berth_screen_preparation_end(screen->preparation, &screen->preparing);
    if (screen->library) {
        find_range(screen);
    }
    return status;
}

static enum berth_status dock_all(struct berth_screen *screen, struct berth_error *error)
{
    const struct berth_run *run = screen->run;
    struct berth_gatherer warnings = {.next = run->log};
    const struct berth_log log = berth_gather(&warnings);
    struct berth_library_source_state source = {.library = screen->library,
                                                .range = screen->range,
                                                .settings =
                                                    berth_run_ligands(run, &run->site, &log),
                                                .strain_weight = run->modes.strain_weight,
                                                .failures = run->log};
    struct berth_stream stream = {.engine = berth_docking_engine(screen->docking),
                                  .devices = run->devices.devices,
                                  .window = screen->window,
                                  .source = berth_library_stream_source(&source),
                                  .sink = {screen, write_down, tend},
                                  .receptors = &run->receptors.names,
                                  .scoring = scoring_of(screen),
                                  .log = run->log};
    source.range.next += screen->done;
    screen->started = screen->synced = berth_now();
    const double processor = berth_process_seconds() + berth_children_seconds();
    const enum berth_status status = run_stream(screen, &stream, &source, error);
    screen->processor = berth_process_seconds() + berth_children_seconds() - processor;
    screen->hooks.tend(screen->hooks.context, screen, true);
    berth_gatherer_flush(&warnings);
    if (run->receptors.restraints) {
        berth_restraints_warn(run->receptors.restraints, run->log);
    }
    if (source.unweighted) {
        berth_warn(run->log, NULL,
                   "%llu ligands are ranked by energy alone: the library does not have the strain "
                   "of all their conformers",
                   (unsigned long long)source.unweighted);
    }
    return status;
}

/* Says of an error during the run what is safe. */
static enum berth_status resumable(const struct berth_screen *screen, struct berth_error *error)
{
    const struct berth_error why = *error;
    const char *path = berth_journal_path(screen->journal);
    if (screen->preparation && berth_screen_preparation_is_empty(screen->preparation)) {
        return berth_fail_option(error, why.status, "overwrite",
                                 "%.1500s; none was docked: begin anew with others", why.message);
    }
    switch (berth_journal_place(screen->journal)) {
    case BERTH_JOURNAL_REMOVED:
        return berth_fail(error, why.status,
                          "%.1500s; %.400s is gone, and with it all that was done: start the run "
                          "again",
                          why.message, path);
    case BERTH_JOURNAL_MOVED:
        return berth_fail_option(
            error, why.status, "resume",
            "%.1500s; what was done before the last checkpoint is in the journal that "
            "was %.400s: resume the run where it is now",
            why.message, path);
    default:
        return berth_fail_option(
            error, why.status, "resume",
            "%.1500s; what was done before the last checkpoint is safe in %.400s: "
            "resume the run",
            why.message, path);
    }
}

enum berth_status berth_screening_incomplete(const struct berth_screen *screen, const char *why,
                                             struct berth_error *error)
{
    const bool there = berth_journal_place(screen->journal) == BERTH_JOURNAL_THERE;
    bool estimated;
    const uint64_t total = berth_screening_total(screen, &estimated);
    const enum berth_status status = berth_fail_option(
        error, BERTH_E_USAGE, there ? "resume" : NULL, "%s after %llu of %s%llu ligands%s", why,
        (unsigned long long)screen->done, estimated ? "about " : "", (unsigned long long)total,
        there ? "; resume the run" : "");
    return there ? status : resumable(screen, error);
}

/* How busy devices were and what preparing took is not kept: of a run in one piece it is known. */
static enum berth_status write_json(struct berth_screen *screen, struct berth_error *error)
{
    const bool whole = !screen->before && screen->done;
    const struct berth_run_summary summary = {.ligands = screen->total,
                                              .failed = screen->failed,
                                              .conformers = screen->records.conformers,
                                              .devices = &screen->records.devices,
                                              .work = &screen->records.work,
                                              .pairs_per_atom = screen->pairs_per_atom,
                                              .preparing = whole ? screen->preparing : 0,
                                              .processor = screen->processor,
                                              .busy = whole ? berth_docking_busy(screen->docking)
                                                            : (double)NAN};
    char path[PATH_MAX];
    BERTH_TRY(berth_path_in(screen->run->options.out, "run.json", path, sizeof path, error));
    berth_run_sum_up(&summary, &screen->card);
    return berth_run_json_write(path, &screen->card, error);
}

static enum berth_status write_results(struct berth_screen *screen, struct berth_error *error)
{
    const struct berth_ensemble *receptors = &screen->run->receptors;
    struct berth_screen_outcome outcome = {.folder = screen->run->options.out,
                                           .poses.library = screen->library,
                                           .poses.range = screen->range,
                                           .poses.records = &screen->records,
                                           .ranker = &screen->run->ranker,
                                           .judged_top = screen->run->options.rescore_top,
                                           .top = (size_t)screen->run->options.top,
                                           .poses.num_modes = screen->run->modes.num_modes,
                                           .seed = screen->run->search.seed,
                                           .poses.side_chains = receptors->side_chains,
                                           .required = &screen->required};
    const struct berth_required_setup required =
        berth_required_setup_of(receptors, screen->run->options.require);
    char unprepared[PATH_MAX];
    const char *lists[] = {unprepared};
    memcpy(outcome.poses.center, screen->run->site.center, sizeof outcome.poses.center);
    enum berth_status status = berth_path_in(screen->run->options.out, BERTH_SCREEN_UNPREPARED,
                                             unprepared, sizeof unprepared, error);
    if (screen->preparation) {
        outcome.unprepared = lists;
        outcome.unprepared_count = 1;
    }
    outcome.required_setup = required.require ? &required : NULL;
    berth_required_clear(&screen->required);
    BERTH_THEN(berth_screen_results_write(&outcome, error));
    screen->failed = outcome.failed;
    screen->docked = outcome.docked;
    screen->left_out = screen->records.left_out;
    screen->few = screen->records.few;
    if (!status && !screen->docked && outcome.commonest.count) {
        berth_warn(screen->run->log, NULL, "no ligand was docked: %s (%zu of %llu)",
                   outcome.commonest.text, outcome.commonest.count,
                   (unsigned long long)screen->failed);
    }
    return status ? status : write_json(screen, error);
}

enum berth_status berth_screening_run(struct berth_screen *screen, struct berth_error *error)
{
    const bool all = screen->library && screen->done == screen->total;
    enum berth_status status = all ? BERTH_OK : dock_all(screen, error);
    if (!status && !(screen->library && screen->done == screen->total)) {
        screen->stopped = true;
        return BERTH_OK;
    }
    screen->stopped = false;
    BERTH_THEN(berth_journal_sync(screen->journal, error));
    BERTH_THEN(berth_run_rescore(screen, error));
    if (!status && screen->stopped) {
        return BERTH_OK;
    }
    BERTH_THEN(write_results(screen, error));
    return status ? resumable(screen, error) : BERTH_OK;
}

void berth_screening_close(struct berth_screen *screen)
{
    berth_run_records_clear(&screen->records);
    berth_required_clear(&screen->required);
    berth_docking_destroy(screen->docking);
    berth_window_destroy(screen->window);
    berth_journal_close(screen->journal);
    berth_screen_preparation_destroy(screen->preparation);
    berth_library_close(screen->library);
    berth_run_card_clear(&screen->card);
    free(screen->device_numbers);
    free(screen->work.shares);
}
