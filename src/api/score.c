/* Scores of poses as they stand, or minimised: molecules in batches through one device. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/poses.h"
#include "base/clock.h"
#include "base/gather.h"
#include "base/memory.h"
#include "chem/rotors.h"
#include "dock/minimize.h"
#include "dock/queue.h"
#include "dock/rescore.h"
#include "dock/source.h"

enum { BATCH = 256 };

struct scoring {
    const struct berth_score_options *options;
    const struct berth_ligand_calls *calls;
    struct berth_target target;
    struct berth_rescore *rescore; /* one of the two */
    struct berth_minimizer *minimizer;
    struct berth_source source;
    struct berth_failures failures;
    struct berth_queue queue; /* the batch: each molecule a ligand */
    struct berth_progress progress;
    double started;
    bool stopped;
};

void berth_score_defaults(struct berth_score_options *options, size_t size)
{
    const struct berth_score_options defaults = {
        .size = sizeof defaults, .evaluations = berth_refine_defaults().evaluations};
    berth_api_give(&defaults, sizeof defaults, options, size);
}

/* The i-th of the batch to the caller. */
static enum berth_status hand(struct scoring *scoring, const struct berth_ligand *ligand,
                              const struct berth_modes *modes, struct berth_error *error)
{
    const struct berth_api_docked docked = {scoring->progress.done++, ligand, modes};
    return scoring->stopped ? BERTH_OK
                            : berth_api_hand(scoring->calls, &docked, &scoring->stopped, error);
}

/* As it stands. */
static enum berth_status hand_scored(struct scoring *scoring, const struct berth_ligand *ligand,
                                     const struct berth_terms *terms, struct berth_error *error)
{
    const struct berth_molecule *molecule = &ligand->conformers[0];
    const double energy = berth_terms_sum(terms);
    double rotors;
    const enum berth_status counted = berth_rotors_count(molecule, &rotors, error);
    if (counted) {
        return counted;
    }
    struct berth_mode mode = {
        .value = berth_scoring_total(scoring->target.scoring, energy, 0, rotors),
        .energy = energy,
        .conformer_strain = NAN,
        .terms = *terms,
        .positions = berth_alloc(molecule->atom_count, sizeof *mode.positions),
        .rmsd = -1};
    if (!mode.positions) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < molecule->atom_count; i++) {
        memcpy(mode.positions[i], molecule->atoms[i].position, sizeof mode.positions[i]);
    }
    const struct berth_modes modes = {&mode, 1};
    const enum berth_status status = hand(scoring, ligand, &modes, error);
    free(mode.positions);
    return status;
}

static enum berth_status hand_minimized(struct scoring *scoring, size_t i,
                                        const struct berth_found *found, struct berth_error *error)
{
    const struct berth_queued_ligand *ligand = &scoring->queue.ligands[i];
    const struct berth_docked docked = {.conformers = ligand->packed,
                                        .poses = found->poses + i,
                                        .counts = found->counts + i,
                                        .stride = 1,
                                        .angles = found->angles + i * BERTH_TORSIONS,
                                        .given = found->given + i,
                                        .tree = &ligand->tree};
    struct berth_mode_settings settings = {.scoring = scoring->target.scoring,
                                           .count = 1,
                                           .energy_range = INFINITY,
                                           .reference = &ligand->ligand.conformers[0]};
    struct berth_modes modes = {0};
    memcpy(settings.center, scoring->target.site.center, sizeof settings.center);
    enum berth_status status = berth_modes_find(&ligand->ligand, &docked, &settings, &modes, error);
    if (!status) {
        status = hand(scoring, &ligand->ligand, &modes, error);
    }
    berth_modes_clear(&modes);
    return status;
}

static enum berth_status minimize(struct scoring *scoring,
                                  const struct berth_packed_conformer *molecules,
                                  struct berth_error *error)
{
    const struct berth_search_settings settings = {.refine = {.poses = 1}};
    const size_t count = scoring->queue.count;
    struct berth_found found;
    enum berth_status status = berth_found_create(&settings, count, &found, error);
    if (!status) {
        status = berth_minimizer_run(scoring->minimizer, molecules, count, &found, error);
    }
    for (size_t i = 0; !status && i < count; i++) {
        status = hand_minimized(scoring, i, &found, error);
    }
    berth_found_clear(&found);
    return status;
}

static enum berth_status rescore(struct scoring *scoring,
                                 const struct berth_packed_conformer *molecules,
                                 struct berth_error *error)
{
    const size_t count = scoring->queue.count;
    struct berth_terms *terms = berth_alloc(count, sizeof *terms);
    enum berth_status status =
        terms ? berth_rescore_run(scoring->rescore, molecules, count, terms, error)
              : berth_fail(error, BERTH_E_MEMORY, "out of memory");
    for (size_t i = 0; !status && i < count; i++) {
        status = hand_scored(scoring, &scoring->queue.ligands[i].ligand, &terms[i], error);
    }
    free(terms);
    return status;
}

/* Computes the batch, hands it over, and empties it. */
static enum berth_status flush(struct scoring *scoring, struct berth_error *error)
{
    if (!scoring->queue.count) {
        return BERTH_OK;
    }
    struct berth_packed_conformer *molecules = berth_queue_gather(&scoring->queue);
    enum berth_status status = BERTH_OK;
    if (!molecules) {
        status = berth_fail(error, BERTH_E_MEMORY, "out of memory");
    } else if (scoring->minimizer) {
        status = minimize(scoring, molecules, error);
    } else {
        status = rescore(scoring, molecules, error);
    }
    free(molecules);
    berth_queue_clear(&scoring->queue);
    scoring->progress.failed = scoring->failures.count;
    scoring->progress.seconds = berth_now() - scoring->started;
    const struct berth_ligand_calls *calls = scoring->calls;
    if (!status && !scoring->stopped && calls->progress) {
        scoring->stopped = calls->progress(calls->context, &scoring->progress);
    }
    return status;
}

static enum berth_status score_all(struct scoring *scoring, struct berth_error *error)
{
    enum berth_status status = berth_source_open(&scoring->source, error);
    bool end = false;
    while (!status && !end && !scoring->stopped) {
        struct berth_molecule molecule = {0};
        struct berth_heavy_atoms heavy = {0};
        status = berth_source_next(&scoring->source, &molecule, &heavy, &end, error);
        if (!status && !end) {
            const struct berth_queued_conformer conformer = {&molecule, &heavy, NAN};
            status = berth_queue_add(&scoring->queue, &conformer, true, error);
        }
        berth_molecule_clear(&molecule);
        berth_heavy_atoms_clear(&heavy);
        if (!status && (end || scoring->queue.count == BATCH)) {
            status = flush(scoring, error);
        }
    }
    berth_queue_clear(&scoring->queue);
    berth_source_close(&scoring->source);
    return status;
}

static enum berth_status open_device(struct scoring *scoring, const struct berth_device *device,
                                     struct berth_error *error)
{
    if (!scoring->options->minimize) {
        return berth_rescore_create(device, &scoring->target, &scoring->rescore, error);
    }
    struct berth_refine_settings settings = berth_refine_defaults();
    settings.poses = 1;
    settings.evaluations = scoring->options->evaluations;
    settings.hops = 0;
    settings.torsions = scoring->options->torsions;
    return berth_minimizer_create(device, &scoring->target, &settings, &scoring->minimizer, error);
}

enum berth_status berth_score_file(const berth_receptor *receptor, const berth_devices *devices,
                                   const char *path, const struct berth_score_options *options,
                                   const struct berth_ligand_calls *calls,
                                   struct berth_error *error)
{
    struct berth_score_options mine;
    berth_score_defaults(&mine, sizeof mine);
    enum berth_status status =
        berth_api_take(options, "berth_score_defaults", &mine, sizeof mine, error);
    if (status) {
        return status;
    }
    const struct berth_typed_receptor *typed = &receptor->receptor;
    struct berth_gatherer warnings = {.next = mine.log};
    const struct berth_log log = berth_gather(&warnings);
    struct scoring scoring = {.options = &mine,
                              .calls = calls,
                              .target = {&typed->scoring, &typed->heavy, {{0}, {0}}},
                              .failures = {.log = mine.log},
                              .queue = {.flexible = mine.minimize && mine.torsions,
                                        .apart = berth_scoring_apart(&typed->scoring),
                                        .log = &log},
                              .started = berth_now()};
    scoring.source = (struct berth_source){
        .path = path, .scoring = &typed->scoring, .failures = &scoring.failures, .log = &log};
    berth_heavy_centroid(&typed->molecule, scoring.target.site.center);
    status = berth_failures_create(NULL, &scoring.failures, error);
    if (!status) {
        status = open_device(&scoring, &devices->devices.devices[0], error);
    }
    if (!status) {
        status = score_all(&scoring, error);
    }
    berth_gatherer_flush(&warnings);
    berth_rescore_destroy(scoring.rescore);
    berth_minimizer_destroy(scoring.minimizer);
    return status;
}
