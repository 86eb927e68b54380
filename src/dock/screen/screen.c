#include "dock/screen/screen.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "dock/describe.h"
#include "format/run_difference.h"
#include "format/run_json.h"
#include "dock/covalent.h"
#include "dock/open_devices.h"
#include "dock/screen/rescoring.h"
#include "dock/screen/results.h"
#include "dock/stream/sources.h"
#include "format/output.h"

/* A checkpoint is due once so many ligands are not on disk, but no more often than once a second;
 * or after settings.checkpoint seconds. */
enum { CHECKPOINT_LIGANDS = 1000 };

/* The scoring function, which is that of all receptors. */
static const struct berth_scoring *scoring_of(const struct berth_screen *run)
{
    return &run->settings.receptors->receptors[0]->scoring;
}

/* The shard's ligands, once the library is there. */
static void find_range(struct berth_screen *run)
{
    const struct berth_shard shard = run->settings.shard;
    run->range = run->preparation
                     ? berth_library_shard(run->library, 0, 1)
                     : berth_library_shard(run->library, shard.number - 1, shard.count);
    run->total = run->range.end - run->range.next;
}

static enum berth_status open_library(struct berth_screen *run, struct berth_error *error)
{
    const struct berth_screen_settings *settings = &run->settings;
    const struct berth_screen_preparation_setup setup = {.molecules = settings->library_path,
                                                         .request = settings->prepare,
                                                         .forcefield = settings->forcefield,
                                                         .folder = settings->folder,
                                                         .shard = settings->shard,
                                                         .scoring = scoring_of(run),
                                                         .log = settings->log};
    if (berth_screen_prepares(settings->library_path)) {
        BERTH_TRY(berth_screen_preparation_create(&setup, &run->preparation, error));
    } else {
        BERTH_TRY(
            berth_library_open(settings->library_path, scoring_of(run), &run->library, error));
        BERTH_TRY(settings->receptors->covalent
                      ? berth_covalent_check_library(settings->receptors->covalent, run->library,
                                                     settings->library_path, error)
                      : BERTH_OK);
        find_range(run);
    }
    run->pairs_per_atom = berth_ensemble_pairs_per_atom(settings->receptors, &settings->search);
    return berth_screening_describe(run, error);
}

static enum berth_status open_devices(struct berth_screen *run, struct berth_error *error)
{
    const struct berth_screen_settings *settings = &run->settings;
    struct berth_docking_setup setup = {.search = settings->search,
                                        .variant = berth_variant_unset(),
                                        .check_every = settings->check_every,
                                        .patience = settings->patience};
    berth_ensemble_aim(settings->receptors, &settings->site, &setup);
    BERTH_TRY(berth_ensemble_check(settings->receptors, &settings->site, settings->log, error));
    if (settings->variant) {
        BERTH_TRY(berth_variant_parse(settings->variant, &setup.variant, error));
    }
    BERTH_TRY(berth_docking_on(&setup, settings->devices, settings->log, &run->docking, error));
    BERTH_TRY(berth_window_create(settings->devices, berth_docking_batch_sum(run->docking),
                                  &run->window, error));
    run->window->log = settings->log;
    return BERTH_OK;
}

/* Reads what earlier runs have done. */
static enum berth_status replay(struct berth_screen *run, struct berth_error *error)
{
    bool end = false;
    run->records =
        (struct berth_run_records){.journal = run->journal,
                                   .terms = scoring_of(run)->terms,
                                   .receptors = run->settings.receptors->names,
                                   .judges = run->settings.judging->names,
                                   .functions = berth_run_recorded(&run->settings.judging->names),
                                   .num_modes = run->settings.modes.num_modes,
                                   .max_clash = run->settings.modes.max_clash};
    if (run->records.judges.ranked) {
        run->records.judges.ranked = BERTH_LIGANDS_RANKED;
    }
    berth_run_records_rewind(&run->records, run->range.next);
    BERTH_TRY(berth_run_records_next(&run->records, &end, error));
    while (!end) {
        run->done++;
        run->hooks.note(run->hooks.context, &run->records.result);
        BERTH_TRY(berth_run_records_next(&run->records, &end, error));
    }
    run->before = run->done;
    return run->library && run->done > run->total
               ? berth_fail(error, BERTH_E_FORMAT, "%s: has more ligands than the library",
                            berth_journal_path(run->journal))
               : BERTH_OK;
}

/* Lists this run's devices in the journal. */
static enum berth_status note_devices(struct berth_screen *run, struct berth_error *error)
{
    const struct berth_devices *devices = run->settings.devices;
    struct berth_known_devices *known = &run->records.devices;
    enum berth_status status =
        berth_make(&run->device_numbers, devices->count, sizeof *run->device_numbers, NULL, error);
    for (size_t i = 0; !status && i < devices->count; i++) {
        const struct berth_device *device = &devices->devices[i];
        const size_t before = known->count;
        const struct berth_variant variant = berth_docking_variant(run->docking, i);
        char text[BERTH_VARIANT_TEXT];
        berth_variant_print(&variant, text);
        const struct berth_known_device named = {
            .texts = {device->name, device->platform, device->driver, text}};
        status = berth_known_devices_find(known, &named, &run->device_numbers[i], error);
        if (!status && known->count > before) {
            struct berth_bytes record = {0};
            berth_run_put_device(&record, &known->devices[before]);
            status = berth_journal_add(run->journal, &record, error);
            berth_bytes_clear(&record);
        }
        const struct berth_run_share share = {.device = run->device_numbers[i],
                                              .index = device->index};
        BERTH_THEN(berth_run_work_add(&run->work, &share, error));
    }
    if (!status && known->count > 1) {
        berth_warn(run->settings.log, NULL,
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
static enum berth_status check_identity(const struct berth_screen *run, const char *identity,
                                        struct berth_error *error)
{
    const char *then = berth_journal_identity(run->journal);
    struct berth_run_card card;
    struct berth_error ignored; /* lines of other versions are told as they stand */
    char text[BERTH_RUN_DIFFERENCE];
    if (strcmp(then, identity) == 0) {
        return BERTH_OK;
    }
    berth_run_card_read(then, berth_journal_facts(run->journal), &card, &ignored);
    berth_run_difference(&card, &run->card, ", now ", text);
    berth_run_card_clear(&card);
    return berth_fail(error, BERTH_E_FORMAT,
                      "%s: the run was begun with %s; give the same options and files, or another "
                      "folder",
                      berth_journal_path(run->journal), text);
}

/* The journal of this run: begun, or gone on with. */
static enum berth_status create_journal(struct berth_screen *run, enum berth_journal_mode mode,
                                        struct berth_error *error)
{
    struct berth_bytes identity = {0}, facts = {0};
    char path[PATH_MAX];
    enum berth_status status =
        berth_path_in(run->settings.folder, "journal", path, sizeof path, error);
    berth_run_card_lines(&run->card, BERTH_RUN_IDENTITY, &identity);
    berth_run_card_lines(&run->card, BERTH_RUN_FILES, &facts);
    if (!status && (identity.failed || facts.failed)) {
        status = berth_out_of_memory(error, NULL);
    }
    const struct berth_journal_setup setup = {path, (const char *)identity.data,
                                              (const char *)facts.data, mode};
    BERTH_THEN(berth_journal_create(&setup, &run->journal, error));
    BERTH_THEN(check_identity(run, setup.identity, error));
    berth_bytes_clear(&identity);
    berth_bytes_clear(&facts);
    return status;
}

static enum berth_status open_journal(struct berth_screen *run, struct berth_error *error)
{
    const bool resume = run->settings.resume, overwrite = run->settings.overwrite;
    BERTH_TRY(berth_folder_make(run->settings.folder, error));
    BERTH_TRY(create_journal(run,
                             resume      ? BERTH_JOURNAL_RESUME
                             : overwrite ? BERTH_JOURNAL_REPLACE
                                         : BERTH_JOURNAL_NEW,
                             error));
    if (overwrite) {
        berth_screen_folder_empty(run->settings.folder);
    }
    if (run->preparation) {
        const enum berth_library_mode mode = resume      ? BERTH_LIBRARY_RESUME
                                             : overwrite ? BERTH_LIBRARY_REPLACE
                                                         : BERTH_LIBRARY_NEW;
        BERTH_TRY(berth_screen_preparation_open(run->preparation, mode, &run->library, error));
    }
    if (run->preparation && run->library) {
        find_range(run);
    }
    BERTH_TRY(replay(run, error));
    warn_of_journal(run->journal, run->settings.log);
    return note_devices(run, error);
}

enum berth_status berth_screening_open(const struct berth_screen_settings *settings,
                                       const struct berth_screen_hooks *hooks,
                                       struct berth_screen *run, struct berth_error *error)
{
    *run = (struct berth_screen){.settings = *settings, .hooks = *hooks};
    berth_run_card_start(&run->card);
    BERTH_TRY(open_library(run, error));
    BERTH_TRY(open_devices(run, error));
    BERTH_TRY(open_journal(run, error));
    berth_screen_folder_sweep(settings->folder);
    return BERTH_OK;
}

/* Counts the ligand and, unless it failed, its conformers by who docked them. */
static void count_work(struct berth_screen *run, struct berth_stream_ligand *ligand)
{
    const size_t last = ligand->receptors - 1;
    run->work.ligands++;
    for (size_t c = 0; !ligand->result.failure && c < ligand->result.conformer_count; c++) {
        run->work.shares[berth_stream_found(ligand, c, last)->poses[0].device].conformers++;
        for (size_t r = 0; r < ligand->receptors; r++) {
            const size_t packed = ligand->packed_count > 1 ? r : 0;
            run->work.atoms += ligand->packed[packed].conformers[c].device.atom_count;
        }
    }
}

/* Puts what was done, and what that took, behind the ligands that it was done for, and all of it on
 * disk: a run that is killed has the time of what is not lost. */
static enum berth_status make_checkpoint(struct berth_screen *run, struct berth_error *error)
{
    const double now = berth_now();
    struct berth_bytes record = {0};
    run->work.seconds = now - run->synced;
    for (size_t i = 0; i < run->work.count; i++) {
        run->work.shares[i].failed = run->window->lost[i];
    }
    berth_run_put_work(&record, &run->work);
    enum berth_status status = berth_journal_add(run->journal, &record, error);
    BERTH_THEN(berth_journal_sync(run->journal, error));
    berth_bytes_clear(&record);
    berth_run_work_rewind(&run->work);
    run->pending = status ? run->pending : 0;
    run->synced = now;
    return status;
}

/* The sink: a ligand's modes into the journal. */
static enum berth_status write_down(void *context, struct berth_stream_ligand *ligand,
                                    struct berth_error *error)
{
    struct berth_screen *run = context;
    struct berth_result *result = &ligand->result;
    struct berth_mode_settings modes = {.choice = run->settings.modes,
                                        .scoring = scoring_of(run),
                                        .judging = run->settings.judging,
                                        .shapes = berth_docking_shapes(run->docking)};
    modes.choice.max_clash = INFINITY; /* the journal has all, for another limit */
    modes.choice.energy_range = INFINITY;
    modes.box = run->settings.site.atoms ? &run->settings.site : NULL;
    memcpy(modes.center, run->settings.site.center, sizeof modes.center);
    count_work(run, ligand);
    enum berth_status status =
        result->failure ? BERTH_OK
                        : berth_stream_ligand_choose(ligand, BERTH_MODES_DOCKED, &modes,
                                                     run->settings.log, &result->modes, error);
    for (size_t i = 0; !status && i < result->modes.count; i++) {
        struct berth_pose *mode = &result->modes.modes[i];
        mode->device = run->device_numbers[mode->device];
        if (!status && run->settings.receptors->covalent) { /* as of any ligand of the library */
            status = berth_covalent_release(&ligand->given, run->settings.site.center, mode, error);
        }
    }
    if (!status) {
        struct berth_bytes record = {0};
        const struct berth_score_columns columns = berth_run_records_columns(&run->records);
        berth_run_put_result(&record, result, &columns);
        status = berth_journal_add(run->journal, &record, error);
        berth_bytes_clear(&record);
    }
    if (!status) {
        berth_run_records_leave_out(&run->records, result);
        run->done++;
        run->pending++;
        run->hooks.note(run->hooks.context, result);
    }
    return status;
}

/* Between ligands: a checkpoint, and the caller's turn. */
static enum berth_status tend(void *context, bool last, struct berth_error *error)
{
    struct berth_screen *run = context;
    const double since = berth_now() - run->synced;
    const bool due =
        since >= run->settings.checkpoint || (run->pending >= CHECKPOINT_LIGANDS && since >= 1);
    enum berth_status status = BERTH_OK;
    if (run->pending && (due || last)) {
        status = make_checkpoint(run, error);
    }
    if (run->hooks.tend(run->hooks.context, run, false) && !run->stopped) {
        run->stopped = true;
        berth_window_stop(run->window);
    }
    return status;
}

uint64_t berth_screening_total(const struct berth_screen *run, bool *estimated)
{
    *estimated = run->preparation && !run->library;
    if (!*estimated) {
        return run->total;
    }
    const struct berth_progress made = berth_screen_preparation_progress(run->preparation);
    const double part = made.total ? (double)made.done / (double)made.total : 0;
    /* before the first molecule is prepared: as if each gave a ligand */
    const uint64_t total = part > 0 ? (uint64_t)((double)made.ligands / part) : made.total;
    return total > run->done ? total : run->done;
}

/* The stream, beside the preparation of what it is to dock, where there is one. */
static enum berth_status run_stream(struct berth_screen *run, struct berth_stream *stream,
                                    struct berth_library_source_state *source,
                                    struct berth_error *error)
{
    if (run->library) {
        return berth_stream_run(stream, error);
    }
    source->more = berth_screen_preparation_more;
    source->context = run->preparation;
    BERTH_TRY(berth_screen_preparation_start(run->preparation, error));
    const enum berth_status status = berth_stream_run(stream, error);
    run->library = berth_screen_preparation_end(run->preparation, &run->preparing);
    if (run->library) {
        find_range(run);
    }
    return status;
}

static enum berth_status dock_all(struct berth_screen *run, struct berth_error *error)
{
    const struct berth_screen_settings *settings = &run->settings;
    const struct berth_refine_settings *refine = &settings->search.refine;
    struct berth_gatherer warnings = {.next = settings->log};
    const struct berth_log log = berth_gather(&warnings);
    struct berth_restraints *restraints = settings->receptors->restraints;
    struct berth_restraining restraining = {.restraints = restraints};
    struct berth_library_source_state source = {
        .library = run->library,
        .range = run->range,
        .settings = {.receptors = settings->receptors->count,
                     .flexible = refine->poses && refine->torsions,
                     .scoring = scoring_of(run),
                     .log = &log,
                     .judges = settings->receptors->receptors[0]->judges,
                     .judge_count = settings->receptors->receptors[0]->judge_count,
                     .restraining = restraints ? &restraining : NULL,
                     .pool = settings->search.pool,
                     .side_chains = berth_ensemble_beside(settings->receptors),
                     .covalent = settings->receptors->covalent},
        .strain_weight = settings->modes.strain_weight,
        .failures = settings->log};
    struct berth_stream stream = {.engine = berth_docking_engine(run->docking),
                                  .devices = settings->devices->devices,
                                  .window = run->window,
                                  .source = berth_library_stream_source(&source),
                                  .sink = {run, write_down, tend},
                                  .receptors = &settings->receptors->names,
                                  .scoring = scoring_of(run),
                                  .log = settings->log};
    memcpy(restraining.center, settings->site.center, sizeof restraining.center);
    memcpy(source.settings.center, settings->site.center, sizeof source.settings.center);
    source.range.next += run->done;
    run->started = run->synced = berth_now();
    const double processor = berth_process_seconds() + berth_children_seconds();
    const enum berth_status status = run_stream(run, &stream, &source, error);
    run->processor = berth_process_seconds() + berth_children_seconds() - processor;
    run->hooks.tend(run->hooks.context, run, true);
    berth_gatherer_flush(&warnings);
    if (restraints) {
        berth_restraints_warn(restraints, settings->log);
    }
    if (source.unweighted) {
        berth_warn(settings->log, NULL,
                   "%llu ligands are ranked by energy alone: the library does not have the strain "
                   "of all their conformers",
                   (unsigned long long)source.unweighted);
    }
    return status;
}

/* Says of an error during the run what is safe. */
static enum berth_status resumable(const struct berth_screen *run, struct berth_error *error)
{
    const struct berth_error why = *error;
    const char *path = berth_journal_path(run->journal);
    if (run->preparation && berth_screen_preparation_is_empty(run->preparation)) {
        return berth_fail_option(error, why.status, "overwrite",
                                 "%.1500s; none was docked: begin anew with others", why.message);
    }
    switch (berth_journal_place(run->journal)) {
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

enum berth_status berth_screening_incomplete(const struct berth_screen *run, const char *why,
                                             struct berth_error *error)
{
    const bool there = berth_journal_place(run->journal) == BERTH_JOURNAL_THERE;
    bool estimated;
    const uint64_t total = berth_screening_total(run, &estimated);
    const enum berth_status status = berth_fail_option(
        error, BERTH_E_USAGE, there ? "resume" : NULL, "%s after %llu of %s%llu ligands%s", why,
        (unsigned long long)run->done, estimated ? "about " : "", (unsigned long long)total,
        there ? "; resume the run" : "");
    return there ? status : resumable(run, error);
}

/* How busy devices were and what preparing took is not kept: of a run in one piece it is known. */
static enum berth_status write_json(struct berth_screen *run, struct berth_error *error)
{
    const bool whole = !run->before && run->done;
    const struct berth_run_summary summary = {.ligands = run->total,
                                              .failed = run->failed,
                                              .conformers = run->records.conformers,
                                              .devices = &run->records.devices,
                                              .work = &run->records.work,
                                              .pairs_per_atom = run->pairs_per_atom,
                                              .preparing = whole ? run->preparing : 0,
                                              .processor = run->processor,
                                              .busy = whole ? berth_docking_busy(run->docking)
                                                            : (double)NAN};
    char path[PATH_MAX];
    BERTH_TRY(berth_path_in(run->settings.folder, "run.json", path, sizeof path, error));
    berth_run_sum_up(&summary, &run->card);
    return berth_run_json_write(path, &run->card, error);
}

static enum berth_status write_results(struct berth_screen *run, struct berth_error *error)
{
    const struct berth_ensemble *receptors = run->settings.receptors;
    struct berth_screen_outcome outcome = {.folder = run->settings.folder,
                                           .library = run->library,
                                           .range = run->range,
                                           .records = &run->records,
                                           .judging = run->settings.judging,
                                           .judged_top = run->settings.rescore_top,
                                           .top = run->settings.top,
                                           .num_modes = run->settings.modes.num_modes,
                                           .seed = run->settings.search.seed,
                                           .side_chains = receptors->side_chains,
                                           .required = &run->required};
    const struct berth_required_setup required =
        berth_required_setup_of(receptors, run->settings.require);
    char unprepared[PATH_MAX];
    const char *lists[] = {unprepared};
    memcpy(outcome.center, run->settings.site.center, sizeof outcome.center);
    enum berth_status status = berth_path_in(run->settings.folder, BERTH_SCREEN_UNPREPARED,
                                             unprepared, sizeof unprepared, error);
    if (run->preparation) {
        outcome.unprepared = lists;
        outcome.unprepared_count = 1;
    }
    outcome.required_setup = required.require ? &required : NULL;
    berth_required_clear(&run->required);
    BERTH_THEN(berth_screen_results_write(&outcome, error));
    run->failed = outcome.failed;
    run->docked = outcome.docked;
    run->left_out = run->records.left_out;
    run->few = run->records.few;
    if (!status && !run->docked && outcome.commonest.count) {
        berth_warn(run->settings.log, NULL, "no ligand was docked: %s (%zu of %llu)",
                   outcome.commonest.text, outcome.commonest.count,
                   (unsigned long long)run->failed);
    }
    return status ? status : write_json(run, error);
}

enum berth_status berth_screening_run(struct berth_screen *run, struct berth_error *error)
{
    const bool all = run->library && run->done == run->total;
    enum berth_status status = all ? BERTH_OK : dock_all(run, error);
    if (!status && !(run->library && run->done == run->total)) {
        run->stopped = true;
        return BERTH_OK;
    }
    run->stopped = false;
    BERTH_THEN(berth_journal_sync(run->journal, error));
    BERTH_THEN(berth_run_rescore(run, error));
    if (!status && run->stopped) {
        return BERTH_OK;
    }
    BERTH_THEN(write_results(run, error));
    return status ? resumable(run, error) : BERTH_OK;
}

void berth_screening_close(struct berth_screen *run)
{
    berth_run_records_clear(&run->records);
    berth_required_clear(&run->required);
    berth_docking_destroy(run->docking);
    berth_window_destroy(run->window);
    berth_journal_close(run->journal);
    berth_screen_preparation_destroy(run->preparation);
    berth_library_close(run->library);
    berth_run_card_clear(&run->card);
    free(run->device_numbers);
    free(run->work.shares);
}
