/* Scores of poses as they stand, or minimised, on one device. */
#include "api/api.h"
#include "api/poses.h"
#include "base/log.h"
#include "dock/file_runs.h"

void berth_score_defaults(struct berth_score_options *options, size_t size)
{
    const struct berth_score_options defaults = {
        .size = sizeof defaults, .evaluations = berth_refine_defaults().evaluations};
    berth_api_give(&defaults, sizeof defaults, options, size);
}

enum berth_status berth_score_file(const berth_receptor *receptor, const berth_devices *devices,
                                   const char *path, const struct berth_score_options *options,
                                   const struct berth_ligand_calls *calls,
                                   struct berth_error *error)
{
    struct berth_score_options mine;
    berth_score_defaults(&mine, sizeof mine);
    enum berth_status status =
        BERTH_NEED(error, BERTH_ARGUMENT(receptor), BERTH_ARGUMENT(devices), BERTH_ARGUMENT(path),
                   BERTH_ARGUMENT(calls), {"calls->ligand", calls && calls->ligand});
    BERTH_THEN(berth_api_take(options, "berth_score_defaults", &mine, sizeof mine, error));
    if (status) {
        return status;
    }
    const struct berth_typed_receptor *typed = &receptor->receptor;
    struct berth_devices chosen = {.count = 0};
    struct berth_gatherer warnings = {.next = mine.log};
    const struct berth_log log = berth_gather(&warnings);
    struct berth_failures failures = {.log = mine.log};
    struct berth_source source = {
        .path = path, .scoring = &typed->scoring, .failures = &failures, .log = &log};
    struct berth_file_scoring scoring = {.receptor = typed,
                                         .devices = &chosen,
                                         .minimize = mine.minimize,
                                         .refine = berth_refine_defaults(),
                                         .log = mine.log};
    struct berth_api_telling telling = berth_api_tell(calls);
    telling.sdf = mine.sdf ? &typed->scoring.terms : NULL;
    const struct berth_mode_sink sink = berth_api_sink(&telling);
    scoring.refine.evaluations = mine.evaluations;
    scoring.refine.torsions = mine.torsions;
    status = berth_api_copy_devices(devices, &chosen, error);
    BERTH_THEN(berth_failures_create(NULL, &failures, error));
    BERTH_THEN(berth_source_open(&source, error));
    BERTH_THEN(berth_file_score(&scoring, &source, &sink, error));
    berth_gatherer_flush(&warnings);
    berth_source_close(&source);
    berth_devices_clear(&chosen);
    return status;
}
