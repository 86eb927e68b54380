#include <stdlib.h>

#include "api/api.h"
#include "api/poses.h"
#include "base/log.h"
#include "base/memory.h"
#include "dock/file_runs.h"
#include "dock/output_files.h"
#include "options/search.h"
#include "options/tables.h"
#include "prep/ligands/request.h"
#include "prep/standing.h"

struct berth_docking_handle {
    const struct berth_log *log;  /* borrowed, or NULL */
    struct berth_devices devices; /* those of them that could be opened */
    struct berth_ensemble receptors;
    struct berth_molecule reference;
    struct berth_file_docking docking;
    struct berth_api_run told;
    bool sdf;      /* poses are given as SDF, too */
    char *builder; /* owned, or NULL */
    struct berth_api_use use;
};

void berth_dock_defaults(struct berth_dock_options *options, size_t size)
{
    const struct berth_dock_options defaults = berth_dock_request().dock;
    berth_api_give(&defaults, sizeof defaults, options, size);
}

/* mine: complete. */
static enum berth_status open_docking(berth_docking *opened, const berth_receptor *receptor,
                                      const struct berth_dock_request *mine,
                                      struct berth_error *error)
{
    const struct berth_dock_options *options = &mine->dock;
    const struct berth_search_options *search = &mine->search;
    struct berth_search_level level;
    enum berth_status status = berth_options_check(BERTH_DOCK_TABLE, mine, error);
    BERTH_THEN(berth_search_options_level(search, false, &level, error));
    BERTH_THEN(berth_api_need_site(receptor, opened->log, error));
    BERTH_THEN(berth_api_receptors(receptor, options->more_receptors, options->more_count,
                                   &opened->receptors, error));
    if (!status && options->reference) {
        status = berth_posed_read(options->reference, &opened->reference, error);
    }
    if (status) {
        return status;
    }
    const struct berth_file_docking_settings settings = {
        .receptors = &opened->receptors,
        .site = receptor->receptor.site,
        .search = berth_search_options_settings(search, &level, options->min_rmsd),
        .variant = search->variant,
        .devices = &opened->devices,
        .check_every = search->check,
        .patience = search->batch_limit,
        .separate = options->separate,
        .modes = {.num_modes = options->num_modes,
                  .min_rmsd = options->min_rmsd,
                  .energy_range = options->energy_range,
                  .strain_weight = options->strain_weight,
                  .max_clash = options->max_clash},
        .reference = options->reference ? &opened->reference : NULL,
        .log = opened->log};
    status = berth_file_docking_open(&settings, &opened->docking, error);
    BERTH_THEN(berth_api_run_describe(&opened->receptors, &opened->docking.settings.site,
                                      &opened->devices, opened->docking.docking, &opened->told,
                                      error));
    opened->told.facts.poses = level.poses;
    opened->told.facts.generations = level.generations;
    return status;
}

enum berth_status berth_docking_open(const berth_receptor *receptor, const berth_devices *devices,
                                     const struct berth_dock_options *options,
                                     const struct berth_log *log, berth_docking **docking,
                                     struct berth_error *error)
{
    struct berth_dock_request mine = berth_dock_request();
    if (docking) {
        *docking = NULL;
    }
    enum berth_status status = BERTH_NEED(error, BERTH_ARGUMENT(receptor), BERTH_ARGUMENT(devices),
                                          BERTH_ARGUMENT(docking));
    if (status) {
        return status;
    }
    berth_docking *opened = berth_api_new(sizeof *opened, error);
    if (!opened) {
        return BERTH_E_MEMORY;
    }
    opened->log = log;
    status = berth_api_take(options, "berth_dock_defaults", &mine.dock, sizeof mine.dock, error);
    BERTH_THEN(berth_api_search(mine.dock.search, &mine.search, error));
    BERTH_THEN(berth_api_copy_devices(devices, &opened->devices, error));
    BERTH_THEN(berth_builder_check(mine.dock.builder, error));
    if (!status && mine.dock.builder) {
        opened->builder = berth_copy_text(mine.dock.builder);
        status = opened->builder ? BERTH_OK : berth_out_of_memory(error, NULL);
    }
    opened->sdf = mine.dock.sdf;
    BERTH_THEN(open_docking(opened, receptor, &mine, error));
    if (status) {
        berth_docking_free(opened);
    } else {
        *docking = opened;
    }
    return status;
}

/* What a call has open. */
struct run {
    struct berth_api_telling telling;
    struct berth_failures failures;
};

static enum berth_status write(void *context, struct berth_stream_ligand *ligand,
                               struct berth_modes *modes, struct berth_error *error)
{
    struct run *run = context;
    (void)error;
    if (!modes) {
        berth_result_recall(&ligand->result, &run->failures);
    }
    return BERTH_OK;
}

static enum berth_status dock_file(berth_docking *docking, const char *path,
                                   const struct berth_ligand_calls *calls,
                                   struct berth_error *error)
{
    struct berth_gatherer warnings = {.next = docking->log};
    const struct berth_log log = berth_gather(&warnings);
    struct berth_prepare_ligands_request request = berth_prepare_ligands_request();
    const struct berth_file_docking_settings *settings = &docking->docking.settings;
    request.prepare.builder = docking->builder;
    struct berth_ligands_plan plan;
    struct run run = {.failures = {.log = docking->log}};
    struct berth_source source = {.path = path,
                                  .stop = &run.telling.stop,
                                  .scoring = &docking->receptors.receptors[0]->scoring,
                                  .preparation = &plan.preparation,
                                  .failures = &run.failures,
                                  .log = &log};
    run.telling = (struct berth_api_telling){
        .calls = calls,
        .run = &docking->told,
        .pairs_per_atom = berth_file_docking_pairs_per_atom(&docking->docking),
        .failures = &run.failures,
        .write = write,
        .context = &run,
        .sdf = docking->sdf ? &source.scoring->terms : NULL,
        .seed = settings->search.seed,
        .docked_by = &docking->devices,
        .receptors = &docking->receptors.names};
    docking->told.progress.done = 0;
    enum berth_status status = berth_ligands_plan_create(&request.prepare, NULL, 0, &plan, error);
    BERTH_THEN(berth_failures_create(NULL, &run.failures, error));
    BERTH_THEN(berth_source_open(&source, error));
    BERTH_THEN(berth_source_check_weight(&source, settings->modes.strain_weight, error));
    if (!status) {
        const struct berth_mode_sink sink = berth_api_sink(&run.telling);
        status = berth_file_docking_run(&docking->docking, &source, &sink, error);
    }
    berth_gatherer_flush(&warnings);
    berth_source_close(&source);
    berth_ligands_plan_clear(&plan);
    return status;
}

static void free_docking(berth_docking *docking)
{
    berth_file_docking_close(&docking->docking);
    berth_api_run_clear(&docking->told);
    berth_devices_clear(&docking->devices);
    berth_molecule_clear(&docking->reference);
    free(docking->builder);
    berth_ensemble_clear(&docking->receptors);
    free(docking);
}

enum berth_status berth_docking_file(berth_docking *docking, const char *path,
                                     const struct berth_ligand_calls *calls,
                                     struct berth_error *error)
{
    enum berth_status status =
        BERTH_NEED(error, BERTH_ARGUMENT(docking), BERTH_ARGUMENT(path), BERTH_ARGUMENT(calls));
    BERTH_THEN(berth_api_enter(&docking->use, "docking", error));
    if (status) {
        return status;
    }
    status = dock_file(docking, path, calls, error);
    if (berth_api_leave(&docking->use)) {
        free_docking(docking);
    }
    return status;
}

bool berth_docking_is_stuck(const berth_docking *docking)
{
    return docking && berth_file_docking_hangs(&docking->docking);
}

void berth_docking_free(berth_docking *docking)
{
    if (docking && berth_api_is_free(&docking->use)) {
        free_docking(docking);
    }
}
