/* A redocking from the set's tables to the results': complexes go through preparing, docking and
 * measuring side by side, each on a thread of its own until it is done; what is said and written
 * of them is in the order of the set. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "eval/redock/redock_internal.h"
#include "format/output.h"

/* --- Before it begins --- */

/* Results must not fall into the set, whose files they would replace; and there must be room for
 * them. */
static enum berth_status check_out(const struct berth_options *options, struct berth_error *error)
{
    if (berth_is_same_file(options->input, options->out)) {
        return berth_fail_option(error, BERTH_E_USAGE, "out",
                                 "out: %s is the set itself; choose another folder", options->out);
    }
    return berth_folder_probe(options->out, REDOCK_FILE, REDOCK_FILES, error);
}

/* What is asked for beside what the run has. */
static enum berth_status take_options(struct berth_redock *redock, struct berth_error *error)
{
    const struct berth_run *run = redock->run;
    const struct berth_options *options = &run->options;
    const struct berth_ligands_request *request = &options->prepare;
    redock->preparation = (struct berth_preparation){.ph = request->ph,
                                                     .builder = request->builder,
                                                     .conformers = request->conformers,
                                                     .structures = request->structures,
                                                     .memory = request->memory_limit * 1000000,
                                                     .energy_window = request->energy_window,
                                                     .min_rmsd = request->conformer_rmsd,
                                                     .limit = request->time_limit};
    BERTH_TRY(berth_redock_modes_parse(options->mode, redock->modes, error));
    BERTH_TRY(berth_search_options_template(options, &redock->pattern, error));
    return berth_search_options_metals(options, &run->level, &redock->metal_sites, error);
}

/* Makes the slots: the first of each device come first. */
static enum berth_status make_slots(struct berth_redock *redock, struct berth_error *error)
{
    const struct berth_devices *devices = &redock->run->devices;
    BERTH_TRY(berth_make(&redock->slots, REDOCK_AT_ONCE * devices->count, sizeof *redock->slots,
                         NULL, error));
    for (size_t k = 0; k < REDOCK_AT_ONCE * devices->count; k++) {
        struct berth_device *device = &devices->devices[k % devices->count];
        if (k < devices->count || device->kind == BERTH_DEVICE_GPU) {
            redock->slots[redock->slot_count++].device = device;
        }
    }
    redock->most = 1;
    return BERTH_OK;
}

enum berth_status berth_redock_create(struct berth_run *run, bool alone,
                                      struct berth_gatherer *warnings,
                                      struct berth_redock **created, struct berth_error *error)
{
    BERTH_TRY(berth_make(created, 1, sizeof **created, NULL, error));
    struct berth_redock *redock = *created;
    pthread_mutex_init(&redock->lock, NULL);
    pthread_cond_init(&redock->room, NULL);
    redock->run = run;
    redock->warnings = warnings;
    run->ranker.names.twists = true;
    redock->first = (struct berth_ranker){.functions = {run->ranker.functions[0]},
                                          .names = run->ranker.names,
                                          .rescorer = run->rescorer};
    redock->first.names.count = 1;
    redock->first.names.ranked = BERTH_UNRANKED;
    redock->alone = alone ? &redock->first : NULL;
    BERTH_TRY(take_options(redock, error));
    BERTH_TRY(redock_set_read(redock, error));
    BERTH_TRY(redock_check_known(redock, error));
    BERTH_TRY(make_slots(redock, error));
    return check_out(&run->options, error);
}

/* --- A complex --- */

static bool is_prepare_only(const struct berth_redock *redock)
{
    static const bool NONE[BERTH_REDOCK_MODES] = {false};
    return memcmp(redock->modes, NONE, sizeof NONE) == 0;
}

static void clear_result(struct redock_result *result)
{
    free(result->failure);
    free(result->smiles);
}

static bool is_stopped(const struct berth_redock *redock)
{
    return berth_is_stopped(redock->run->options.stop);
}

/* Errors of one complex are a row of the failures; others end the run. */
static bool is_fatal(enum berth_status status)
{
    return status == BERTH_E_MEMORY || status == BERTH_E_DEVICE || status == BERTH_E_USAGE;
}

static enum berth_status do_complex(struct redock_thread *thread, size_t i,
                                    struct redock_result *result, struct berth_error *error)
{
    struct berth_redock *redock = thread->redock;
    struct redock_complex complex = {
        .redock = redock, .entry = &redock->entries[i], .log = berth_gather(&result->warnings)};
    enum berth_status status = redock_complex_read(thread, &complex, error);
    BERTH_THEN(redock_complex_write(&complex, error));
    if (!status && !is_prepare_only(redock)) {
        result->smiles = berth_copy_text(complex.ligand.smiles);
        status = result->smiles ? redock_dock(thread, &complex, result, error)
                                : berth_out_of_memory(error, NULL);
    }
    redock_complex_clear(&complex);
    return status;
}

/* Takes over what came of a complex, or ends the run.  The lock is held. */
static void end_complex(struct berth_redock *redock, size_t i, struct redock_result *result,
                        enum berth_status status, const struct berth_error *why)
{
    struct berth_error error = *why;
    bool fatal = is_fatal(status) || is_stopped(redock);
    if (status && !fatal) {
        result->failure = berth_copy_text(why->message);
        fatal = !result->failure;
        status = fatal ? berth_out_of_memory(&error, NULL) : BERTH_OK;
    }
    BERTH_THEN(fatal ? BERTH_OK : redock_keep(redock, i, result, &error));
    if (fatal) {
        berth_gatherer_move(&result->warnings, redock->warnings);
        clear_result(result);
    } else {
        redock_settle(redock, i, result);
    }
    if (status && !redock->status) {
        redock->status = status;
        redock->error = error;
    }
}

/* The next complex that is not done, which nobody else does then; set.count: there is none, or the
 * run ends.  The lock is held. */
static size_t claim(struct berth_redock *redock)
{
    while (redock->next < redock->count && redock->entries[redock->next].result.done) {
        redock->next++;
    }
    const bool ends = redock->status || is_stopped(redock) || redock->next >= redock->count;
    return ends ? redock->count : redock->next++;
}

/* A thread: one complex after the other. */
static void work(void *context, size_t k)
{
    struct berth_redock *redock = context;
    struct redock_thread thread = {.redock = redock};
    struct berth_error error = {.status = BERTH_OK};
    enum berth_status status = BERTH_OK;
    (void)k;
    if (redock->run->mode_relaxer.relaxer) {
        status = berth_relaxer_create(&redock->run->typed->scoring, &thread.mode_relaxer.relaxer,
                                      &error);
    }
    pthread_mutex_lock(&redock->lock);
    if (status) {
        redock->status = status;
        redock->error = error;
    }
    for (size_t i; (i = claim(redock)) < redock->count;) {
        struct redock_result result = {.done = false};
        pthread_mutex_unlock(&redock->lock);
        status = do_complex(&thread, i, &result, &error);
        pthread_mutex_lock(&redock->lock);
        end_complex(redock, i, &result, status, &error);
    }
    pthread_mutex_unlock(&redock->lock);
    berth_preparer_destroy(thread.preparers[0]);
    berth_preparer_destroy(thread.preparers[1]);
    berth_bond_finder_clear(&thread.bonds);
    berth_relaxer_destroy(thread.mode_relaxer.relaxer);
}

/* --- The whole run --- */

static enum berth_status open_outputs(struct berth_redock *redock, struct berth_error *error)
{
    char path[PATH_MAX];
    redock->failures.log = redock->run->log;
    BERTH_TRY(berth_folder_make(redock->run->options.out, error));
    BERTH_TRY(redock_open_journal(redock, error));
    berth_folder_sweep(redock->run->options.out, REDOCK_FILE, REDOCK_FILES); /* one was killed */
    BERTH_TRY(berth_failures_create(redock_path(redock, NULL, "failures.csv", path),
                                    &redock->failures, error));
    BERTH_TRY(
        berth_output_create(redock_path(redock, NULL, "sites.tsv", path), &redock->sites, error));
    berth_output_print(redock->sites, "pdb\tcenter_x\tcenter_y\tcenter_z\n");
    return BERTH_OK;
}

/* Gives the tables of a run that came to its end their final names. */
static enum berth_status close_outputs(struct berth_redock *redock, struct berth_error *error)
{
    BERTH_TRY(berth_failures_commit(&redock->failures, error));
    if (!redock->prepared) {
        return berth_fail(error, BERTH_E_FORMAT, "%s: no complex could be docked", redock->folder);
    }
    struct berth_output *sites = redock->sites;
    redock->sites = NULL;
    BERTH_TRY(berth_output_commit(sites, error));
    return is_prepare_only(redock) ? BERTH_OK : redock_report_write(redock, error);
}

/* Random torsions lead to the crystal pose only where the search changes them. */
static enum berth_status check_torsions(const struct berth_redock *redock,
                                        struct berth_error *error)
{
    const struct berth_refine_settings *refine = &redock->run->search.refine;
    char names[BERTH_SEARCH_LEVEL_NAMES];
    berth_search_level_names(true, names);
    return redock->modes[BERTH_REDOCK_TORSIONS] && !(refine->poses && refine->torsions)
               ? berth_fail_option(error, BERTH_E_USAGE, "mode",
                                   "mode: torsions are kept as they are by this search; take the "
                                   "search %s, or refine torsions",
                                   names)
               : BERTH_OK;
}

/* So many threads that none of the processors waits: beside those that prepare and measure, some
 * wait for their dockings. */
static size_t threads_of(const struct berth_redock *redock)
{
    const size_t left = redock->count - redock->prepared - redock->failed;
    const size_t most = berth_processors() + redock->run->devices.count;
    return left < most ? left : most;
}

enum berth_status berth_redock_run(struct berth_redock *redock, struct berth_error *error)
{
    const struct berth_run *run = redock->run;
    BERTH_TRY(check_torsions(redock, error));
    BERTH_TRY(open_outputs(redock, error));
    for (size_t i = 0; i < run->devices.count; i++) {
        berth_note(run->log, "device %zu: %s", run->devices.devices[i].index,
                   run->devices.devices[i].name);
    }
    BERTH_TRY(redock_recall(redock, error));
    berth_in_parallel(threads_of(redock), work, redock);
    for (size_t i = redock->told; i < redock->count; i++) {
        berth_gatherer_move(&redock->entries[i].result.warnings, redock->warnings);
    }
    if (is_stopped(redock)) {
        return berth_fail_option(
            error, BERTH_E_USAGE, "resume",
            "interrupted after %zu of %zu complexes; what was prepared and "
            "docked is in %s, of the tables none: the run can go on from there",
            redock->prepared + redock->failed, redock->count, run->options.out);
    }
    if (redock->status) {
        *error = redock->error;
        return redock->status;
    }
    return close_outputs(redock, error);
}

size_t berth_redock_failed(const struct berth_redock *redock)
{
    return redock->failed;
}

bool berth_redock_hangs(const struct berth_redock *redock)
{
    return redock->hangs;
}

void berth_redock_destroy(struct berth_redock *redock)
{
    if (!redock) {
        return;
    }
    for (size_t i = 0; i < redock->count; i++) {
        clear_result(&redock->entries[i].result);
    }
    for (size_t k = 0; k < redock->slot_count && !redock->hangs; k++) {
        berth_context_destroy(redock->slots[k].context);
    }
    free(redock->slots);
    berth_output_discard(redock->failures.output);
    berth_output_discard(redock->sites);
    berth_journal_close(redock->journal);
    redock_set_clear(redock);
    berth_builders_tell(&redock->builders, redock->run->log);
    berth_builders_end(&redock->builders);
    pthread_mutex_destroy(&redock->lock);
    pthread_cond_destroy(&redock->room);
    free(redock);
}
