/* The docking of a complex in each mode: what is docked, on which device, and what came of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "dock/docking.h"
#include "dock/output_files.h"
#include "dock/stream/stream.h"
#include "eval/redock/redock_internal.h"
#include "format/output.h"

/* A docking of a complex in one mode. */
struct attempt {
    struct redock_complex *complex;
    struct berth_docking *docking; /* borrowed */
    struct berth_devices devices;  /* the one that it is on, borrowed */
    enum berth_redock_mode mode;
    struct redock_row *row;                  /* to be filled */
    double preferred;                        /* see preferred_energy */
    struct berth_mode_relaxer *mode_relaxer; /* NULL: poses are not relaxed */
    double start;                            /* s */
};

/* The functions that search. */
static unsigned pool_of(const struct redock_complex *complex)
{
    return complex->alone ? 0 : complex->redock->run->search.pool;
}

/* --- What is docked --- */

static struct berth_stream_settings stream_settings(const struct attempt *attempt)
{
    struct redock_complex *complex = attempt->complex;
    const struct berth_run *run = complex->redock->run;
    struct berth_stream_settings settings = berth_run_ligands(run, &complex->site, &complex->log);
    settings.receptors = 1;
    settings.judges = complex->receptor.judges;
    settings.judge_count = complex->receptor.judge_count;
    settings.restraints = complex->restraints.count ? &complex->restraints : NULL;
    settings.pool = pool_of(complex);
    return settings;
}

/* Adds a copy of a conformer; strain: kJ/mol, NAN where unknown. */
static enum berth_status add_conformer(const struct attempt *attempt,
                                       const struct berth_molecule *from, double strain,
                                       struct berth_stream_ligand *ligand,
                                       struct berth_error *error)
{
    const struct berth_run *run = attempt->complex->redock->run;
    const struct berth_stream_settings settings = stream_settings(attempt);
    struct berth_molecule copy = {0};
    struct berth_heavy_atoms heavy = {0};
    if (!berth_molecule_copy(from, &copy)) {
        return berth_out_of_memory(error, NULL);
    }
    enum berth_status status = redock_start(attempt->mode, run->search.seed, &copy, error);
    BERTH_THEN(berth_scoring_assign(&run->typed->scoring, &copy, settings.log, &heavy, error));
    if (!status) {
        const struct berth_stream_conformer conformer = {
            .heavy = &heavy, .strain = strain, .molecule = &copy};
        status = berth_stream_ligand_add(ligand, &conformer, &settings, error);
    }
    berth_molecule_clear(&copy);
    berth_heavy_atoms_clear(&heavy);
    return status;
}

static enum berth_status add_all(const struct attempt *attempt, struct berth_stream_ligand *ligand,
                                 struct berth_error *error)
{
    const struct berth_ligand *generated = &attempt->complex->ligand.ligand;
    const double *strains = attempt->complex->ligand.strains;
    enum berth_status status = BERTH_OK;
    if (attempt->mode != BERTH_REDOCK_GENERATED) {
        return add_conformer(attempt, &attempt->complex->crystal, NAN, ligand, error);
    }
    for (size_t c = 0; !status && c < generated->conformer_count; c++) {
        status = add_conformer(attempt, &generated->conformers[c], strains ? strains[c] : NAN,
                               ligand, error);
    }
    return status;
}

/* The source: the one ligand. */
static enum berth_status read_ligand(void *context, struct berth_window *window,
                                     struct berth_error *error)
{
    const struct berth_stream_settings settings = stream_settings(context);
    struct berth_stream_ligand *ligand;
    enum berth_status status = berth_stream_ligand_begin(0, &settings, &ligand, error);
    BERTH_THEN(add_all(context, ligand, error));
    if (status) {
        berth_stream_ligand_destroy(ligand);
    } else {
        berth_window_add(window, ligand);
    }
    return status;
}

/* --- What came of it --- */

static enum berth_status write_poses(const struct attempt *attempt,
                                     const struct berth_stream_ligand *docked,
                                     const struct berth_modes *modes, struct berth_error *error)
{
    const struct berth_redock *redock = attempt->complex->redock;
    const struct berth_ligand *ligand = &docked->whole.ligand;
    struct berth_output *output;
    char path[PATH_MAX], name[64];
    const struct berth_ranker *ranker = attempt->complex->ranker;
    const struct berth_score_columns run = {.terms = &redock->run->typed->scoring.terms,
                                            .judges = &ranker->names};
    const double ranking = berth_stream_ligand_ranking(docked, ranker, modes);
    enum berth_status status = BERTH_OK;
    snprintf(name, sizeof name, "%s_poses.sdf", BERTH_REDOCK_MODE[attempt->mode]);
    BERTH_TRY(berth_output_create(redock_path(redock, attempt->complex->entry->name, name, path),
                                  &output, error));
    for (size_t i = 0; !status && i < modes->count; i++) {
        const struct berth_pose *mode = &modes->modes[i];
        struct berth_pose_record record = {.conformer = &ligand->conformers[mode->conformer],
                                           .positions = (const double(*)[3])mode->positions,
                                           .row = berth_score_row_of(ligand, mode, i + 1, &run),
                                           .seed = redock->run->search.seed + mode->seed};
        record.row.ranking = ranking;
        status = berth_pose_write(output, BERTH_POSE_SDF, &record, error);
    }
    return berth_output_finish(output, status, error);
}

/* The energy that the scoring function preferred: the top pose's, or, where a ranking chose that,
 * the lowest. */
static double preferred_energy(const struct redock_complex *complex,
                               const struct berth_modes *modes)
{
    double least = modes->modes[0].energy;
    for (size_t i = 1; complex->ranker->poses && i < modes->count; i++) {
        least = fmin(least, modes->modes[i].energy);
    }
    return least;
}

/* The RMSDs and energies of the modes. */
static void measure_modes(const struct attempt *attempt, const struct berth_modes *modes)
{
    enum { FIRST_MODES = 5 };
    double *values = attempt->row->values;
    size_t nearest = 0;
    const struct berth_pose *top = &modes->modes[0];
    values[REDOCK_TOP] = values[REDOCK_TOP_FIVE] = top->rmsd;
    for (size_t i = 1; i < modes->count; i++) {
        const double rmsd = modes->modes[i].rmsd < 0 ? INFINITY : modes->modes[i].rmsd;
        nearest = rmsd < modes->modes[nearest].rmsd ? i : nearest;
        values[REDOCK_TOP_FIVE] =
            i < FIRST_MODES ? fmin(values[REDOCK_TOP_FIVE], rmsd) : values[REDOCK_TOP_FIVE];
    }
    const struct berth_restraints *restraints = &attempt->complex->restraints;
    values[REDOCK_BEST] = modes->modes[nearest].rmsd;
    values[REDOCK_TOP_ENERGY] = top->energy;
    values[REDOCK_BEST_ENERGY] = modes->modes[nearest].energy;
    values[REDOCK_TOP_STRAIN] = top->conformer_strain;
    values[REDOCK_CONFIDENCE] = top->confidence;
    values[REDOCK_UNMET] =
        restraints->count > restraints->metals ? (double)top->unmet : (double)NAN;
}

/* The sink: the ligand's modes, which are measured and go into a file. */
static enum berth_status take_modes(void *context, struct berth_stream_ligand *ligand,
                                    struct berth_modes *modes, bool *stop,
                                    struct berth_error *error)
{
    struct attempt *attempt = context;
    const char *name = attempt->complex->entry->name;
    (void)stop;
    if (!modes) {
        return berth_fail(error, BERTH_E_RESULT, "%s: %s", name, ligand->result.failure);
    }
    if (modes->modes[0].rmsd < 0) {
        return modes->modes[0].other_stereo
                   ? berth_fail_option(
                         error, BERTH_E_FORMAT, "any_stereo",
                         "%s: the docked ligand is a stereoisomer of the crystal's, another at a "
                         "centre or double bond; with any_stereo they are compared all the same",
                         name)
                   : berth_fail(error, BERTH_E_FORMAT, "%s: docked and crystal ligand do not match",
                                name);
    }
    measure_modes(attempt, modes);
    attempt->preferred = preferred_energy(attempt->complex, modes);
    attempt->row->values[REDOCK_CONFORMERS] = (double)ligand->result.conformer_count;
    attempt->row->values[REDOCK_DOCK_SECONDS] = berth_now() - attempt->start;
    return write_poses(attempt, ligand, modes, error);
}

/* --- Docking --- */

static enum berth_status find_modes(struct attempt *attempt, struct berth_error *error)
{
    const struct redock_complex *complex = attempt->complex;
    const struct berth_run *run = complex->redock->run;
    struct berth_mode_stream stream = {.engine = berth_docking_engine(attempt->docking),
                                       .devices = &attempt->devices,
                                       .batch = berth_docking_batch_sum(attempt->docking),
                                       .source = {attempt, read_ligand},
                                       .kind = BERTH_MODES_DOCKED,
                                       .modes = {.choice = run->modes,
                                                 .scoring = &run->typed->scoring,
                                                 .ranker = complex->ranker,
                                                 .mode_relaxer = attempt->mode_relaxer,
                                                 .reference = &complex->crystal,
                                                 .shapes = berth_docking_shapes(attempt->docking)},
                                       .sink = {attempt, take_modes, NULL},
                                       .log = run->log};
    memcpy(stream.modes.center, complex->site.center, sizeof stream.modes.center);
    attempt->start = berth_now();
    const enum berth_status status = berth_mode_stream_run(&stream, error);
    berth_mode_stream_clear(&stream);
    return status;
}

static enum berth_status open_docking(const struct redock_complex *complex,
                                      struct redock_slot *slot, struct berth_docking **docking,
                                      struct berth_error *error)
{
    const struct berth_run *run = complex->redock->run;
    struct berth_docking_setup setup = {.search = run->search,
                                        .devices = slot->device,
                                        .device_count = 1,
                                        .contexts = &slot->context,
                                        .most = complex->ligand.ligand.conformer_count *
                                                run->options.seeds,
                                        .variant = berth_variant_unset(),
                                        .stop = run->options.stop};
    setup.search.pool = pool_of(complex);
    berth_ensemble_aim(&complex->receptors, &complex->site, &setup);
    if (!slot->context) {
        BERTH_TRY(berth_context_create(slot->device, &slot->context, error));
        berth_context_keep_programs(slot->context);
    }
    return berth_docking_create(&setup, docking, error);
}

/* What is to relax the complex's poses; NULL: nothing. */
static struct berth_mode_relaxer *find_relaxer(struct redock_thread *thread,
                                               const struct redock_complex *complex)
{
    struct berth_mode_relaxer *relaxer = &thread->mode_relaxer;
    if (!relaxer->relaxer) {
        return NULL;
    }
    if (complex->restraints.count) {
        berth_warn(&complex->log, "relax_metals",
                   "%s has sites of metals, which would not be kept; its poses are left as they "
                   "were docked",
                   complex->entry->name);
        return NULL;
    }
    relaxer->log = &complex->log;
    berth_mode_relaxer_receive(relaxer, complex->receptors.receptors, 1);
    return relaxer;
}

/* So many dockings may be on.  The lock is held. */
static void allow(struct berth_redock *redock)
{
    redock->most = redock->cramped || redock->run->rescorer ? 1 : redock->slot_count;
    pthread_cond_broadcast(&redock->room);
}

/* Docks in all modes. */
static enum berth_status dock_in(struct redock_slot *slot,
                                 struct attempt attempts[BERTH_REDOCK_MODES], bool *hangs,
                                 struct berth_error *error)
{
    const struct redock_complex *complex = attempts[0].complex;
    struct berth_redock *redock = complex->redock;
    struct berth_rescorer *rescorer = redock->run->ranker.rescorer;
    const struct berth_molecule *receptor = &complex->receptor.molecule;
    struct berth_docking *docking = NULL;
    enum berth_status status = open_docking(complex, slot, &docking, error);
    pthread_mutex_lock(&redock->lock);
    allow(redock); /* the kernels are compiled: for the first docking the others waited */
    pthread_mutex_unlock(&redock->lock);
    if (!status && rescorer) {
        status = berth_rescorer_receive(rescorer, &receptor, 1, error);
    }
    for (int mode = 0; !status && mode < BERTH_REDOCK_MODES; mode++) {
        attempts[mode].docking = docking;
        attempts[mode].devices = (struct berth_devices){.devices = slot->device, .count = 1};
        status = redock->modes[mode] ? find_modes(&attempts[mode], error) : BERTH_OK;
    }
    *hangs = docking && berth_docking_hangs(docking);
    berth_docking_destroy(docking);
    return status;
}

/* --- On which device --- */

/* A free slot on a device that has not failed, waited for; NULL: all have. */
static struct redock_slot *take_slot(struct berth_redock *redock)
{
    struct redock_slot *found = NULL;
    bool any = true;
    pthread_mutex_lock(&redock->lock);
    while (any && !found) {
        any = false;
        for (size_t k = 0; k < redock->slot_count && !found; k++) {
            struct redock_slot *slot = &redock->slots[k];
            any = any || !slot->lost;
            found = !slot->lost && !slot->busy && redock->busy < redock->most ? slot : NULL;
        }
        if (any && !found) {
            pthread_cond_wait(&redock->room, &redock->lock);
        }
    }
    if (found) {
        found->busy = true;
        redock->busy++;
    }
    pthread_mutex_unlock(&redock->lock);
    return found;
}

/* Nobody docks on the device any more; false: it was the last one.  The lock is held. */
static bool lose_device(struct berth_redock *redock, const struct berth_device *device)
{
    bool left = false;
    for (size_t k = 0; k < redock->slot_count; k++) {
        redock->slots[k].lost = redock->slots[k].lost || redock->slots[k].device == device;
        left = left || !redock->slots[k].lost;
    }
    return left;
}

/* Gives the slot back; true where the docking, which ended so, is to be tried again: the device
 * failed and there are others, or its memory did not suffice for several dockings at once. */
static bool give_back(struct redock_slot *slot, struct berth_redock *redock,
                      enum berth_status status, const struct berth_error *error)
{
    bool again = false;
    pthread_mutex_lock(&redock->lock);
    if (status == BERTH_E_DEVICE && !berth_is_stopped(redock->run->options.stop)) {
        again = lose_device(redock, slot->device);
    } else if (status == BERTH_E_DEVICE_MEMORY) {
        again = redock->most > 1;
        redock->cramped = true;
    }
    slot->busy = false;
    redock->busy--;
    allow(redock);
    pthread_mutex_unlock(&redock->lock);
    if (again && status == BERTH_E_DEVICE) {
        berth_warn(redock->run->log, "device", "%s; going on without this device", error->message);
    }
    return again;
}

static enum berth_status dock_somewhere(struct berth_redock *redock,
                                        struct attempt attempts[BERTH_REDOCK_MODES],
                                        struct berth_error *error)
{
    enum berth_status status;
    struct redock_slot *slot;
    do {
        bool hangs = false;
        slot = take_slot(redock);
        if (!slot) {
            return berth_fail(error, BERTH_E_DEVICE, "no device is left");
        }
        status = dock_in(slot, attempts, &hangs, error);
        pthread_mutex_lock(&redock->lock);
        redock->hangs = redock->hangs || hangs;
        pthread_mutex_unlock(&redock->lock);
    } while (give_back(slot, redock, status, error));
    return status;
}

/* --- All of it --- */

/* What is measured beside the docking, and whose failure a wrong top pose is.  What the conformers
 * could reach in the crystal's place is found only where it decides. */
static enum berth_status judge(const struct attempt *attempt, const struct redock_energies *crystal,
                               struct berth_error *error)
{
    const struct redock_complex *complex = attempt->complex;
    double *values = attempt->row->values;
    struct redock_energies laid = *crystal;
    struct berth_redock_facts facts = {values[REDOCK_TOP], attempt->preferred, crystal->minimised,
                                       crystal->minimised};
    enum berth_status status = BERTH_OK;
    enum berth_redock_outcome outcome = berth_redock_outcome_of(&facts);
    values[REDOCK_NEAREST] = 0;
    values[REDOCK_PLACED] = NAN;
    const bool missed = outcome != BERTH_REDOCK_RIGHT && outcome != BERTH_REDOCK_SCORING;
    if (attempt->mode == BERTH_REDOCK_GENERATED) {
        facts.placed_energy = INFINITY;
        status = redock_lay(complex, &values[REDOCK_NEAREST], &laid,
                            missed ? &facts.placed_energy : NULL, error);
    }
    if (missed) {
        values[REDOCK_PLACED] = facts.placed_energy;
        outcome = berth_redock_outcome_of(&facts);
    }
    attempt->row->outcome = outcome;
    values[REDOCK_HEAVY_ATOMS] = (double)complex->crystal_heavy.count;
    values[REDOCK_TORSIONS] = (double)complex->ligand.tree.count;
    values[REDOCK_CRYSTAL] = crystal->energy;
    values[REDOCK_CRYSTAL_MINIMISED] = crystal->minimised;
    values[REDOCK_GAP] = values[REDOCK_TOP_ENERGY] - crystal->minimised;
    values[REDOCK_LAID] = laid.energy;
    values[REDOCK_LAID_MINIMISED] = laid.minimised;
    values[REDOCK_PREPARE_SECONDS] = complex->seconds;
    return status;
}

enum berth_status redock_dock(struct redock_thread *thread, struct redock_complex *complex,
                              struct redock_result *result, struct berth_error *error)
{
    struct attempt attempts[BERTH_REDOCK_MODES];
    struct redock_energies crystal;
    struct berth_mode_relaxer *relaxer = find_relaxer(thread, complex);
    for (int mode = 0; mode < BERTH_REDOCK_MODES; mode++) {
        attempts[mode] = (struct attempt){.complex = complex,
                                          .mode = (enum berth_redock_mode)mode,
                                          .row = &result->rows[mode],
                                          .mode_relaxer = relaxer};
    }
    enum berth_status status = dock_somewhere(thread->redock, attempts, error);
    BERTH_THEN(redock_crystal(complex, &crystal, error));
    for (int mode = 0; !status && mode < BERTH_REDOCK_MODES; mode++) {
        status = thread->redock->modes[mode] ? judge(&attempts[mode], &crystal, error) : BERTH_OK;
    }
    return status;
}
