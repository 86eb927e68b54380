/* berth screen: a library into a receptor, from .blib to ranked hits. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/head.h"
#include "cli/screen_run.h"
#include "cli/site.h"

static const struct cli_usage USAGE = {
    "screen", "--receptor SITE.brec|R.mol2 --library LIB.blib --out DIR [options]",
    "Docks every ligand of a library, on all devices at once, and ranks them.  A run that was\n"
    "interrupted goes on with --resume.  Energies are BUDE's, in kJ/mol (see\n"
    "--scoring); lower is better."};

static enum berth_status open_site(struct screen_run *run, struct berth_error *error)
{
    const struct screen_values *values = run->values;
    struct cli_site_request request = {.table = SCREEN_OPTIONS,
                                       .parsed = run->parsed,
                                       .autobox_ligand = values->autobox_ligand,
                                       .autobox_add = values->autobox_add};
    memcpy(request.box.center, values->center, sizeof request.box.center);
    memcpy(request.box.size, values->size, sizeof request.box.size);
    return cli_site_of(&request, &run->receptor, &run->site, error);
}

static enum berth_status open_inputs(struct screen_run *run, struct berth_error *error)
{
    const struct screen_values *values = run->values;
    enum berth_status status = screen_shard_parse(values->shard, &run->shard, error);
    if (!status) {
        status = berth_typed_receptor_read(&values->forcefield, values->receptor, cli_log(),
                                           &run->receptor, error);
    }
    if (!status) {
        status = open_site(run, error);
    }
    if (!status) {
        status =
            berth_library_open(values->library, &run->receptor.forcefield, &run->library, error);
    }
    if (!status) {
        run->range = berth_library_shard(run->library, run->shard.number - 1, run->shard.count);
        run->progress.total = run->range.end - run->range.next;
        run->progress.unit = berth_scoring_unit(&values->forcefield);
        run->progress.pairs_per_atom = (double)run->receptor.heavy.count *
                                       (double)values->search.poses *
                                       (double)values->search.generations;
        status = screen_describe(run, error);
    }
    return status;
}

/* All devices like the default one: unlike ones round differently, so that results would depend on
 * who was faster. */
static void keep_equal_devices(struct berth_devices *devices)
{
    const struct berth_device like = devices->devices[berth_devices_default(devices)];
    size_t count = 0;
    for (size_t i = 0; i < devices->count; i++) {
        const struct berth_device *device = &devices->devices[i];
        if (strcmp(device->name, like.name) == 0 && strcmp(device->platform, like.platform) == 0 &&
            strcmp(device->driver, like.driver) == 0) {
            devices->devices[count++] = *device;
        }
    }
    devices->count = count;
}

static bool is_device_error(enum berth_status status)
{
    return status == BERTH_E_DEVICE || status == BERTH_E_DEVICE_MEMORY;
}

/* Keeps of the devices those that can be opened by themselves.  Errors: as berth_docking_create,
 * where none can. */
static enum berth_status keep_working_devices(struct berth_docking_setup setup,
                                              struct berth_devices *devices,
                                              struct berth_error *error)
{
    const size_t all = devices->count;
    enum berth_status status = BERTH_OK;
    devices->count = 0;
    setup.device_count = 1;
    for (size_t i = 0; i < all && (!status || is_device_error(status)); i++) {
        struct berth_docking *docking;
        setup.devices = &devices->devices[i];
        status = berth_docking_create(&setup, &docking, error);
        if (!status) {
            berth_docking_destroy(docking);
            devices->devices[devices->count++] = devices->devices[i];
        } else if (is_device_error(status)) {
            cli_warn_lost(error);
        }
    }
    return devices->count && is_device_error(status) ? BERTH_OK : status;
}

static enum berth_status open_docking(struct screen_run *run, struct berth_docking_setup *setup,
                                      struct berth_error *error)
{
    struct berth_devices *devices = &run->devices;
    enum berth_status status = berth_docking_create(setup, &run->docking, error);
    if (!is_device_error(status) || devices->count == 1) {
        return status;
    }
    status = keep_working_devices(*setup, devices, error);
    setup->device_count = devices->count;
    return status ? status : berth_docking_create(setup, &run->docking, error);
}

static enum berth_status open_devices(struct screen_run *run, struct berth_error *error)
{
    const struct screen_values *values = run->values;
    enum berth_status status = cli_devices_list(&run->devices, error);
    if (!status && values->device) {
        status = berth_devices_choose(&run->devices, values->device, error);
    } else if (!status) {
        keep_equal_devices(&run->devices);
    }
    if (status) {
        return status;
    }
    cli_check_tuning(&run->devices);
    struct berth_docking_setup setup = {
        .target = {&run->receptor.forcefield, &run->receptor.heavy, run->site},
        .search = screen_search(values),
        .devices = run->devices.devices,
        .device_count = run->devices.count,
        .variant = berth_variant_unset(),
        .check_every = (size_t)values->check,
        .patience = values->batch_limit};
    if (values->variant) {
        status = berth_variant_parse(values->variant, &setup.variant, error);
    }
    if (!status) {
        status = open_docking(run, &setup, error);
    }
    return status ? status
                  : screen_window_create(&run->devices, berth_docking_batch_sum(run->docking),
                                         values->num_modes > 1, &run->window, error);
}

/* Reads what earlier runs have done. */
static enum berth_status replay(struct screen_run *run, struct berth_error *error)
{
    bool end = false;
    run->records = (struct screen_records){.journal = run->journal};
    screen_records_rewind(&run->records, run->range.next);
    enum berth_status status = screen_records_next(&run->records, &end, error);
    while (!status && !end) {
        screen_progress_note(&run->progress, &run->records.result);
        status = screen_records_next(&run->records, &end, error);
    }
    run->progress.before = run->progress.done;
    if (!status && run->progress.done > run->progress.total) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: has more ligands than the library",
                            berth_journal_path(run->journal));
    }
    return status;
}

/* Lists this run's devices in the journal. */
static enum berth_status note_devices(struct screen_run *run, struct berth_error *error)
{
    run->device_numbers = berth_alloc(run->devices.count, sizeof *run->device_numbers);
    enum berth_status status =
        run->device_numbers ? BERTH_OK : berth_fail(error, BERTH_E_MEMORY, "out of memory");
    for (size_t i = 0; !status && i < run->devices.count; i++) {
        const struct berth_device *device = &run->devices.devices[i];
        struct screen_devices *known = &run->records.devices;
        const size_t before = known->count;
        const struct berth_variant variant = berth_docking_variant(run->docking, i);
        char text[BERTH_VARIANT_TEXT];
        berth_variant_print(&variant, text);
        const struct screen_device named = {device->name, device->platform, device->driver, text,
                                            NULL};
        status = screen_devices_find(known, &named, &run->device_numbers[i], error);
        if (!status && known->count > before) {
            struct berth_bytes record = {0};
            screen_put_device(&record, &known->devices[before]);
            status = berth_journal_add(run->journal, &record, error);
            berth_bytes_clear(&record);
        }
    }
    if (!status && run->records.devices.count > 1) {
        cli_say("warning: unlike devices, or kernels tuned otherwise, share this run; "
                "they round differently, so that results depend on who docked what");
    }
    return status;
}

/* Says what the journal is short of. */
static void warn_of_journal(const struct berth_journal *journal)
{
    const char *path = berth_journal_path(journal);
    const uint64_t dropped = berth_journal_dropped(journal);
    if (dropped) {
        cli_say("warning: %s: its last %" PRIu64 " bytes are no whole records (a crash "
                "leaves such); the ligands that they may have been of are docked again",
                path, dropped);
    }
    if (!berth_journal_is_locked(journal)) {
        cli_say("warning: %s: this file system has no locks; let no other process work on "
                "this run",
                path);
    }
}

static enum berth_status open_journal(struct screen_run *run, struct berth_error *error)
{
    char path[PATH_MAX];
    const struct berth_journal_setup setup = {.path = path,
                                              .identity = (const char *)run->identity.data,
                                              .facts = (const char *)run->facts.data,
                                              .mode = run->values->resume ? BERTH_JOURNAL_RESUME
                                                                          : BERTH_JOURNAL_NEW};
    enum berth_status status = screen_folder_make(run->values->out, error);
    if (!status) {
        status = screen_path(run->values->out, "journal", path, sizeof path, error);
    }
    if (!status) {
        status = berth_journal_create(&setup, &run->journal, error);
    }
    if (!status) {
        status = replay(run, error);
    }
    if (!status) {
        warn_of_journal(run->journal);
    }
    return status ? status : note_devices(run, error);
}

static void print_head(const struct screen_run *run)
{
    const struct head_target target = {run->values->receptor, &run->receptor,
                                       &run->values->forcefield, &run->site};
    head_print_target(&target);
    char before[64] = "";
    if (run->progress.before) {
        snprintf(before, sizeof before, ", %llu done before",
                 (unsigned long long)run->progress.before);
    }
    cli_print("library %s: %llu ligands%s%s%s", run->values->library,
              (unsigned long long)run->progress.total, run->values->shard ? " in shard " : "",
              run->values->shard ? run->values->shard : "", before);
    head_print_devices(&run->devices, run->docking);
    head_print_search(run->values->seed, &run->values->search, run->docking);
    if (run->values->strain_weight > 0) {
        printf("ranked by energy + %g x conformer_strain\n", run->values->strain_weight);
    }
    fflush(stdout);
}

/* Says of an error during the run what is safe. */
static enum berth_status resumable(const struct screen_run *run, struct berth_error *error)
{
    const struct berth_error why = *error;
    const char *path = berth_journal_path(run->journal);
    switch (berth_journal_place(run->journal)) {
    case BERTH_JOURNAL_REMOVED:
        return berth_fail(error, why.status,
                          "%.1500s; %.400s is gone, and with it all that was done: start the run "
                          "again",
                          why.message, path);
    case BERTH_JOURNAL_MOVED:
        return berth_fail(
            error, why.status,
            "%.1500s; what was done before the last checkpoint is in the journal that "
            "was %.400s: go on where it is now, with --resume",
            why.message, path);
    default:
        return berth_fail(error, why.status,
                          "%.1500s; what was done before the last checkpoint is safe in %.400s: go "
                          "on with the same command and --resume",
                          why.message, path);
    }
}

/* The run ended before all was done: says how to go on. */
static enum berth_status incomplete(const struct screen_run *run, struct berth_error *error)
{
    const bool there = berth_journal_place(run->journal) == BERTH_JOURNAL_THERE;
    const enum berth_status status =
        berth_fail(error, BERTH_E_USAGE, "%s after %llu of %llu ligands%s",
                   cli_interrupted() ? "interrupted" : "the time limit was reached",
                   (unsigned long long)run->progress.done, (unsigned long long)run->progress.total,
                   there ? "; go on with the same command and --resume" : "");
    return there ? status : resumable(run, error);
}

static enum berth_status write_results(struct screen_run *run, struct berth_error *error)
{
    struct screen_outcome outcome = {.folder = run->values->out,
                                     .library = run->library,
                                     .range = run->range,
                                     .records = &run->records,
                                     .top = (size_t)run->values->top,
                                     .seed = run->values->seed};
    memcpy(outcome.center, run->site.center, sizeof outcome.center);
    enum berth_status status = screen_results_write(&outcome, error);
    run->failed = outcome.failed;
    const struct screen_summary summary = {.folder = run->values->out,
                                           .identity = (const char *)run->identity.data,
                                           .facts = (const char *)run->facts.data,
                                           .ligands = run->progress.total,
                                           .failed = run->failed,
                                           .devices = &run->records.devices};
    return status ? status : screen_json_write(&summary, run, error);
}

static void print_foot(const struct screen_run *run)
{
    printf("%llu ligands, %llu failed; %.2f s, %.3g interactions/s\n",
           (unsigned long long)run->progress.total, (unsigned long long)run->failed, run->seconds,
           run->window->atoms * run->progress.pairs_per_atom /
               (run->seconds > 0 ? run->seconds : 1e-9));
}

static enum berth_status print_profile(const struct screen_run *run, struct berth_error *error)
{
    struct berth_profile profile;
    double busy;
    enum berth_status status = berth_docking_profile(run->docking, &profile, &busy, error);
    if (!status) {
        cli_print_profile(&profile, busy);
    }
    return status;
}

static enum berth_status execute(struct screen_run *run, struct berth_error *error)
{
    enum berth_status status = screen_folder_check(run->values->out, error);
    if (!status) {
        status = open_inputs(run, error);
    }
    if (!status) {
        status = open_devices(run, error);
    }
    if (!status) {
        status = open_journal(run, error);
    }
    if (status) {
        return status;
    }
    screen_folder_sweep(run->values->out);
    print_head(run);
    cli_catch_signals();
    if (run->progress.done < run->progress.total) {
        status = screen_collect(run, error);
    }
    if (!status && run->progress.done < run->progress.total) {
        return incomplete(run, error);
    }
    if (!status) {
        status = berth_journal_sync(run->journal, error);
    }
    if (!status) {
        status = write_results(run, error);
    }
    if (status) {
        return resumable(run, error);
    }
    print_foot(run);
    return run->values->profile ? print_profile(run, error) : BERTH_OK;
}

static void close_run(struct screen_run *run)
{
    screen_records_clear(&run->records);
    berth_docking_destroy(run->docking);
    screen_window_destroy(run->window);
    berth_journal_close(run->journal);
    berth_library_close(run->library);
    berth_devices_clear(&run->devices);
    berth_typed_receptor_clear(&run->receptor);
    berth_bytes_clear(&run->identity);
    berth_bytes_clear(&run->facts);
    free(run->device_numbers);
}

int cmd_screen(int argc, char **argv)
{
    struct screen_values values = screen_defaults();
    struct berth_parsed parsed = {0};
    struct berth_error error;
    int code = cli_parse(&USAGE, SCREEN_OPTIONS, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON) {
        struct screen_run run = {.values = &values, .parsed = &parsed};
        enum berth_status status =
            cli_search_complete(SCREEN_OPTIONS, &parsed, &values.search, &error);
        status = status ? status : execute(&run, &error);
        code = status ? cli_fatal(&error) : run.failed ? CLI_SOME_FAILED : CLI_DONE;
        const bool hangs = run.docking && berth_docking_hangs(run.docking);
        close_run(&run);
        if (hangs) {
            cli_leave_devices(code);
        }
    }
    berth_parsed_clear(&parsed);
    return code;
}
