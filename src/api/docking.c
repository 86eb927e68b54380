#include <math.h>
#include <stdlib.h>

#include "api/api.h"
#include "api/poses.h"
#include "base/log.h"
#include "dock/file_runs.h"
#include "prep/ligands/request.h"
#include "prep/standing.h"

struct berth_docking_handle {
    const struct berth_log *log;  /* borrowed, or NULL */
    struct berth_devices devices; /* those of them that could be opened */
    struct berth_ensemble receptors;
    struct berth_molecule reference;
    struct berth_file_docking docking;
    bool sdf; /* poses are given as SDF, too */
    struct berth_api_use use;
};

void berth_dock_defaults(struct berth_dock_options *options, size_t size)
{
    const struct berth_dock_options defaults = {.size = sizeof defaults,
                                                .num_modes = 9,
                                                .min_rmsd = 1,
                                                .energy_range = INFINITY,
                                                .max_clash = INFINITY};
    berth_api_give(&defaults, sizeof defaults, options, size);
}

/* options and search: complete. */
static enum berth_status open_docking(berth_docking *begun, const berth_receptor *receptor,
                                      const struct berth_dock_options *options,
                                      const struct berth_search_options *search,
                                      struct berth_error *error)
{
    const struct berth_file_docking_settings settings = {
        .receptors = &begun->receptors,
        .site = receptor->receptor.site,
        .search = berth_api_settings(search, options->min_rmsd),
        .variant = search->variant,
        .devices = &begun->devices,
        .check_every = search->check_every,
        .patience = search->patience,
        .separate = options->separate,
        .modes = {.num_modes = options->num_modes,
                  .min_rmsd = options->min_rmsd,
                  .energy_range = options->energy_range,
                  .strain_weight = options->strain_weight,
                  .max_clash = options->max_clash},
        .reference = options->reference ? &begun->reference : NULL,
        .log = begun->log};
    enum berth_status status = berth_api_receptors(receptor, options->more_receptors,
                                                   options->more_count, &begun->receptors, error);
    if (!status && options->reference) {
        status = berth_posed_read(options->reference, &begun->reference, error);
    }
    return status ? status : berth_file_docking_open(&settings, &begun->docking, error);
}

static enum berth_status check(const struct berth_dock_options *options, struct berth_error *error)
{
    return options->num_modes && options->min_rmsd >= 0 && options->energy_range >= 0 &&
                   options->strain_weight >= 0 && options->max_clash >= 0
               ? BERTH_OK
               : berth_fail(error, BERTH_E_USAGE,
                            "struct berth_dock_options: num_modes is above 0, min_rmsd, "
                            "energy_range, strain_weight and max_clash at least 0");
}

enum berth_status berth_docking_begin(const berth_receptor *receptor, const berth_devices *devices,
                                      const struct berth_dock_options *options,
                                      const struct berth_log *log, berth_docking **docking,
                                      struct berth_error *error)
{
    struct berth_dock_options mine;
    struct berth_search_options search;
    if (docking) {
        *docking = NULL;
    }
    enum berth_status status = BERTH_NEED(error, BERTH_ARGUMENT(receptor), BERTH_ARGUMENT(devices),
                                          BERTH_ARGUMENT(docking));
    if (status) {
        return status;
    }
    berth_docking *begun = berth_api_new(sizeof *begun, error);
    if (!begun) {
        return BERTH_E_MEMORY;
    }
    begun->log = log;
    berth_dock_defaults(&mine, sizeof mine);
    status = berth_api_take(options, "berth_dock_defaults", &mine, sizeof mine, error);
    BERTH_THEN(check(&mine, error));
    BERTH_THEN(berth_api_search(mine.search, "balanced", &search, error));
    BERTH_THEN(berth_api_need_site(receptor, error));
    BERTH_THEN(berth_api_copy_devices(devices, &begun->devices, error));
    begun->sdf = mine.sdf;
    BERTH_THEN(open_docking(begun, receptor, &mine, &search, error));
    if (status) {
        berth_docking_free(begun);
    } else {
        *docking = begun;
    }
    return status;
}

static enum berth_status dock_file(berth_docking *docking, const char *path,
                                   const struct berth_ligand_calls *calls,
                                   struct berth_error *error)
{
    struct berth_gatherer warnings = {.next = docking->log};
    const struct berth_log log = berth_gather(&warnings);
    const struct berth_ligands_request request = berth_ligands_request_defaults();
    struct berth_ligands_plan plan;
    struct berth_failures failures = {.log = docking->log};
    struct berth_source source = {.path = path,
                                  .scoring = &docking->receptors.receptors[0]->scoring,
                                  .preparation = &plan.preparation,
                                  .failures = &failures,
                                  .log = &log};
    struct berth_api_telling telling = berth_api_tell(calls);
    telling.sdf = docking->sdf ? &source.scoring->terms : NULL;
    telling.seed = docking->docking.settings.search.seed;
    telling.docked_by = &docking->devices;
    telling.receptors = &docking->receptors.names;
    const struct berth_mode_sink sink = berth_api_sink(&telling);
    enum berth_status status = berth_ligands_plan_create(&request, &plan, error);
    BERTH_THEN(berth_failures_create(NULL, &failures, error));
    BERTH_THEN(berth_source_open(&source, error));
    BERTH_THEN(
        berth_source_check_weight(&source, docking->docking.settings.modes.strain_weight, error));
    BERTH_THEN(berth_file_docking_run(&docking->docking, &source, &sink, error));
    berth_gatherer_flush(&warnings);
    berth_source_close(&source);
    berth_ligands_plan_clear(&plan);
    return status;
}

static void free_docking(berth_docking *docking)
{
    berth_file_docking_close(&docking->docking);
    berth_devices_clear(&docking->devices);
    berth_molecule_clear(&docking->reference);
    berth_ensemble_clear(&docking->receptors);
    free(docking);
}

enum berth_status berth_docking_file(berth_docking *docking, const char *path,
                                     const struct berth_ligand_calls *calls,
                                     struct berth_error *error)
{
    enum berth_status status =
        BERTH_NEED(error, BERTH_ARGUMENT(docking), BERTH_ARGUMENT(path), BERTH_ARGUMENT(calls),
                   {"calls->ligand", calls && calls->ligand});
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
