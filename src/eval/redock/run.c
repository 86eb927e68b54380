/* A redocking from the set's tables to the results': the docking of each complex in one way or the
 * other, and what came out. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "format/output.h"
#include "dock/docking.h"
#include "dock/output_files.h"
#include "dock/stream/stream.h"
#include "eval/redock/redock.h"
#include "eval/redock/redock_internal.h"

/* --- Docking a complex --- */

enum { FIRST_MODES = 5 };

/* A docking of a complex in one mode. */
struct attempt {
    const struct redock_complex *complex;
    struct berth_docking *docking; /* owned by dock_complex; serves all modes */
    enum berth_redock_mode mode;
    struct redock_energies crystal; /* the crystal pose */
    struct redock_row *row;         /* to be filled */
    struct berth_modes modes;
    double start; /* s */
    struct berth_restraining restraining;
};

/* How many functions search. */
static size_t pool_of(const struct redock_complex *complex)
{
    const size_t pool = complex->redock->run->search.pool;
    return complex->alone ? 1 : pool;
}

static struct berth_stream_settings stream_settings(const struct attempt *attempt)
{
    const struct berth_redock *redock = attempt->complex->redock;
    const struct berth_refine_settings *refine = &redock->run->search.refine;
    return (struct berth_stream_settings){
        .receptors = 1,
        .flexible = refine->poses && refine->torsions,
        .scoring = &redock->run->typed->scoring,
        .log = redock->warnings,
        .judges = redock->run->typed->judges,
        .judge_count = attempt->complex->judge_count,
        .restraining = attempt->restraining.restraints->count ? &attempt->restraining : NULL,
        .pool = pool_of(attempt->complex)};
}

/* Adds a copy of a conformer; strain: kJ/mol, NAN where unknown. */
static enum berth_status add_conformer(const struct attempt *attempt,
                                       const struct berth_molecule *from, double strain,
                                       struct berth_stream_ligand *ligand,
                                       struct berth_error *error)
{
    const struct berth_redock *redock = attempt->complex->redock;
    const struct berth_stream_settings settings = stream_settings(attempt);
    struct berth_molecule copy = {0};
    struct berth_heavy_atoms heavy = {0};
    if (!berth_molecule_copy(from, &copy)) {
        return berth_out_of_memory(error, NULL);
    }
    enum berth_status status = redock_start(attempt->mode, redock->run->search.seed, &copy, error);
    BERTH_THEN(
        berth_scoring_assign(&redock->run->typed->scoring, &copy, redock->warnings, &heavy, error));
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

static enum berth_status write_poses(const struct attempt *attempt,
                                     const struct berth_stream_ligand *docked,
                                     struct berth_error *error)
{
    const struct berth_redock *redock = attempt->complex->redock;
    const struct berth_ligand *ligand = &docked->whole.ligand;
    struct berth_output *output;
    char path[PATH_MAX], name[64];
    const struct berth_ranker *ranker = attempt->complex->ranker;
    const struct berth_score_columns run = {.terms = &redock->run->typed->scoring.terms,
                                            .judges = &ranker->names};
    const double ranking = berth_stream_ligand_ranking(docked, ranker, &attempt->modes);
    enum berth_status status = BERTH_OK;
    snprintf(name, sizeof name, "%s_poses.sdf", BERTH_REDOCK_MODE[attempt->mode]);
    BERTH_TRY(berth_output_create(redock_path(redock, attempt->complex->entry->name, name, path),
                                  &output, error));
    for (size_t i = 0; !status && i < attempt->modes.count; i++) {
        const struct berth_pose *mode = &attempt->modes.modes[i];
        struct berth_pose_record record = {.conformer = &ligand->conformers[mode->conformer],
                                           .positions = (const double(*)[3])mode->positions,
                                           .row = berth_score_row_of(ligand, mode, i + 1, &run),
                                           .seed = redock->run->search.seed};
        record.row.ranking = ranking;
        status = berth_pose_write(output, BERTH_POSE_SDF, &record, error);
    }
    return berth_output_finish(output, status, error);
}

/* The sink: the ligand's modes, which go to the attempt and into a file. */
static enum berth_status take_modes(void *context, struct berth_stream_ligand *ligand,
                                    struct berth_modes *modes, bool *stop,
                                    struct berth_error *error)
{
    struct attempt *attempt = context;
    (void)stop;
    if (!modes) {
        return berth_fail(error, BERTH_E_RESULT, "%s: %s", attempt->complex->entry->name,
                          ligand->result.failure);
    }
    attempt->modes = *modes;
    *modes = (struct berth_modes){0};
    if (attempt->modes.modes[0].rmsd < 0) {
        return attempt->modes.modes[0].other_stereo
                   ? berth_fail_option(
                         error, BERTH_E_FORMAT, "any_stereo",
                         "%s: the docked ligand is a stereoisomer of the crystal's, another at a "
                         "centre or double bond; with any_stereo they are compared all the same",
                         attempt->complex->entry->name)
                   : berth_fail(error, BERTH_E_FORMAT, "%s: docked and crystal ligand do not match",
                                attempt->complex->entry->name);
    }
    attempt->row->conformers = ligand->result.conformer_count;
    attempt->row->seconds = berth_now() - attempt->start;
    return write_poses(attempt, ligand, error);
}

static enum berth_status find_modes(struct attempt *attempt, struct berth_error *error)
{
    const struct redock_complex *complex = attempt->complex;
    const struct berth_run *run = complex->redock->run;
    struct berth_mode_stream stream = {
        .engine = berth_docking_engine(attempt->docking),
        .devices = &run->devices,
        .batch = berth_docking_batch_sum(attempt->docking),
        .source = {attempt, read_ligand},
        .kind = BERTH_MODES_DOCKED,
        .modes = {.choice = run->modes,
                  .scoring = &run->typed->scoring,
                  .ranker = complex->ranker,
                  .mode_relaxer = complex->restraints.count ? NULL : complex->redock->mode_relaxer,
                  .reference = &complex->crystal,
                  .shapes = berth_docking_shapes(attempt->docking)},
        .sink = {attempt, take_modes, NULL},
        .log = run->log};
    memcpy(stream.modes.center, complex->site.center, sizeof stream.modes.center);
    const enum berth_status status = berth_mode_stream_run(&stream, error);
    berth_mode_stream_clear(&stream);
    return status;
}

/* The RMSDs and energies of the modes. */
static void measure_modes(const struct berth_modes *modes, struct redock_row *row)
{
    size_t nearest = 0;
    row->top[0] = row->top[1] = row->top[2] = modes->modes[0].rmsd;
    for (size_t i = 1; i < modes->count; i++) {
        const double rmsd = modes->modes[i].rmsd < 0 ? INFINITY : modes->modes[i].rmsd;
        nearest = rmsd < modes->modes[nearest].rmsd ? i : nearest;
        row->top[1] = i < FIRST_MODES ? fmin(row->top[1], rmsd) : row->top[1];
    }
    row->top[2] = modes->modes[nearest].rmsd;
    row->top_energy = modes->modes[0].energy;
    row->top_strain = modes->modes[0].conformer_strain;
    row->best_energy = modes->modes[nearest].energy;
    row->unmet = modes->modes[0].unmet;
}

/* The energy that the scoring function preferred: the top pose's, or, where a ranking chose that,
 * the lowest. */
static double preferred_energy(const struct attempt *attempt)
{
    const struct berth_modes *modes = &attempt->modes;
    double least = modes->modes[0].energy;
    for (size_t i = 1; attempt->complex->ranker->poses && i < modes->count; i++) {
        least = fmin(least, modes->modes[i].energy);
    }
    return least;
}

/* Measures the modes, and says whose failure a wrong top pose is.  What the conformers could reach
 * in the crystal's place is found only where it decides. */
static enum berth_status judge_modes(const struct attempt *attempt, struct redock_row *row,
                                     struct berth_error *error)
{
    measure_modes(&attempt->modes, row);
    const double crystal = attempt->crystal.minimised;
    struct berth_redock_facts facts = {row->top[0], preferred_energy(attempt), crystal, crystal};
    enum berth_status status = BERTH_OK;
    row->outcome = berth_redock_outcome_of(&facts);
    row->placed = NAN;
    if (row->outcome != BERTH_REDOCK_RIGHT && row->outcome != BERTH_REDOCK_SCORING) {
        if (attempt->mode == BERTH_REDOCK_GENERATED) {
            status = redock_place(attempt->complex, &facts.placed_energy, error);
        }
        row->placed = facts.placed_energy;
        row->outcome = berth_redock_outcome_of(&facts);
    }
    return status;
}

static enum berth_status dock_mode(struct attempt *attempt, struct redock_row *row,
                                   struct berth_error *error)
{
    const struct redock_complex *complex = attempt->complex;
    attempt->start = berth_now();
    attempt->row = row;
    *row = (struct redock_row){.entry = complex->entry,
                               .mode = attempt->mode,
                               .heavy_atoms = complex->crystal_heavy.count,
                               .torsions = complex->ligand.tree.count,
                               .nearest = {.energies = attempt->crystal},
                               .crystal = attempt->crystal,
                               .prepare_seconds = complex->seconds,
                               .restrained = complex->restraints.count > complex->restraints.metals,
                               .smiles = berth_copy_text(complex->ligand.smiles)};
    enum berth_status status =
        row->smiles ? find_modes(attempt, error) : berth_out_of_memory(error, NULL);
    if (!status && attempt->mode == BERTH_REDOCK_GENERATED) {
        status = redock_find_nearest(complex, &row->nearest, error);
    }
    BERTH_THEN(judge_modes(attempt, row, error));
    berth_modes_clear(&attempt->modes);
    return status;
}

static enum berth_status open_docking(const struct redock_complex *complex,
                                      struct berth_docking **docking, struct berth_error *error)
{
    const struct berth_places *places =
        complex->restraints.count ? &complex->restraints.places[0] : NULL;
    const struct berth_run *run = complex->redock->run;
    struct berth_docking_setup setup = {
        .targets = {{&run->typed->scoring, &complex->receptor_heavy, complex->site, places}},
        .target_count = 1,
        .judge_count = complex->judge_count,
        .search = run->search,
        .devices = run->devices.devices,
        .device_count = run->devices.count,
        .variant = berth_variant_unset(),
        .stop = run->options.stop};
    for (size_t k = 0; k < setup.judge_count; k++) {
        setup.judges[0][k] =
            (struct berth_target){&run->typed->judges[k].scoring, &complex->judged[k],
                                  complex->site, k + 1 < pool_of(complex) ? places : NULL};
    }
    setup.search.pool = pool_of(complex);
    return berth_docking_create(&setup, docking, error);
}

/* Docks the complex in each mode that is asked for and makes a row for each; poses go to
 * OUT/COMPLEX/MODE_poses.sdf.  *hangs: see berth_docking_hangs.  Errors: those of docking and
 * writing. */
static enum berth_status dock_complex(struct redock_complex *complex,
                                      struct redock_row rows[BERTH_REDOCK_MODES], size_t *count,
                                      bool *hangs, struct berth_error *error)
{
    struct attempt attempt = {.complex = complex,
                              .restraining = {.restraints = &complex->restraints}};
    struct berth_rescorer *rescorer = complex->redock->run->ranker.rescorer;
    const struct berth_molecule *receptor = &complex->receptor;
    memcpy(attempt.restraining.center, complex->site.center, sizeof attempt.restraining.center);
    enum berth_status status = open_docking(complex, &attempt.docking, error);
    if (!status && rescorer) {
        status = berth_rescorer_receive(rescorer, &receptor, 1, error);
    }
    if (complex->redock->mode_relaxer && complex->restraints.count) {
        berth_warn(complex->redock->run->log, "relax_metals",
                   "%s has sites of metals, which would not be kept; its poses are left as they "
                   "were docked",
                   complex->entry->name);
    } else if (complex->redock->mode_relaxer) {
        const struct berth_heavy_atoms **receptors = complex->redock->mode_relaxer->receptors[0];
        receptors[0] = &complex->receptor_heavy;
        for (size_t k = 0; k < complex->judge_count; k++) {
            receptors[k + 1] = &complex->judged[k];
        }
    }
    BERTH_THEN(redock_crystal(complex, &attempt.crystal, error));
    *count = 0;
    for (int mode = 0; !status && mode < BERTH_REDOCK_MODES; mode++) {
        attempt.mode = (enum berth_redock_mode)mode;
        if (complex->redock->modes[mode]) {
            status = dock_mode(&attempt, &rows[(*count)++], error);
        }
    }
    *hangs = attempt.docking && berth_docking_hangs(attempt.docking);
    berth_docking_destroy(attempt.docking);
    return status;
}

/* --- The whole run --- */

/* Results must not fall into the set, whose files they would replace; and there must be room for
 * them. */
static enum berth_status check_out(const struct berth_options *options, struct berth_error *error)
{
    if (berth_is_same_file(options->inputs.items[0], options->out)) {
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

enum berth_status berth_redock_create(struct berth_run *run, bool alone,
                                      const struct berth_log *warnings,
                                      struct berth_redock **created, struct berth_error *error)
{
    BERTH_TRY(berth_make(created, 1, sizeof **created, NULL, error));
    struct berth_redock *redock = *created;
    redock->run = run;
    redock->warnings = warnings;
    run->ranker.names.twists = true;
    redock->first = (struct berth_ranker){.functions = {run->ranker.functions[0]},
                                          .names = run->ranker.names,
                                          .rescorer = run->rescorer};
    redock->first.names.count = 1;
    redock->first.names.ranked = BERTH_UNRANKED;
    redock->alone = alone ? &redock->first : NULL;
    run->mode_relaxer.log = warnings;
    redock->mode_relaxer = run->mode_relaxer.relaxer ? &run->mode_relaxer : NULL;
    BERTH_TRY(take_options(redock, error));
    BERTH_TRY(redock_set_read(&run->options, &redock->set, error));
    BERTH_TRY(redock_check_known(redock, error));
    return check_out(&run->options, error);
}

static bool is_prepare_only(const struct berth_redock *redock)
{
    static const bool NONE[BERTH_REDOCK_MODES] = {false};
    return memcmp(redock->modes, NONE, sizeof NONE) == 0;
}

static bool is_stopped(const struct berth_redock *redock)
{
    return berth_is_stopped(redock->run->options.stop);
}

/* One line a complex, as it is done. */
static void say_done(const struct redock_complex *complex, const struct redock_row *rows,
                     size_t count)
{
    const struct berth_log *log = complex->redock->run->log;
    char text[256] = " prepared";
    size_t used = 0;
    for (size_t i = 0; i < count && used < sizeof text; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s %s %.2f \xc3\x85 (%s)",
                                 i ? "," : "", BERTH_REDOCK_MODE[rows[i].mode], rows[i].top[0],
                                 BERTH_REDOCK_OUTCOME[rows[i].outcome]);
    }
    berth_note(log, "%s:%s", complex->entry->name, text);
    if (complex->removed) {
        berth_warn(log, NULL,
                   "%s: %zu heavy atoms of the receptor are the ligand itself, and were left out "
                   "with their residues",
                   complex->entry->name, complex->removed);
    }
}

/* Errors of one complex are a row of the failures; others end the run. */
static bool is_fatal(enum berth_status status)
{
    return status == BERTH_E_MEMORY || status == BERTH_E_DEVICE || status == BERTH_E_USAGE;
}

static enum berth_status interrupted(const struct berth_redock *redock, struct berth_error *error)
{
    return berth_fail_option(error, BERTH_E_USAGE, "resume",
                             "interrupted after %zu of %zu complexes; what was prepared and docked "
                             "is in %s, of the tables none: the run can go on from there",
                             redock->prepared + redock->failed, redock->set.count,
                             redock->run->options.out);
}

static enum berth_status do_complex(struct berth_redock *redock, const struct redock_entry *entry,
                                    struct berth_error *error)
{
    struct redock_complex complex;
    size_t count = 0;
    enum berth_status status = redock_complex_read(redock, entry, &complex, error);
    BERTH_THEN(redock_complex_write(&complex, error));
    BERTH_THEN(redock_make_room(redock, error));
    struct redock_row *rows = redock->rows ? redock->rows + redock->count : NULL;
    if (!status && !is_prepare_only(redock)) {
        status = dock_complex(&complex, rows, &count, &redock->hangs, error);
    }
    if (!status) {
        say_done(&complex, rows, count);
    } else {
        redock_drop_rows(redock, count);
        count = 0;
    }
    redock_complex_clear(&complex);
    if (!status || (!is_fatal(status) && !is_stopped(redock))) {
        const struct berth_error failure = *error;
        const bool failed = status;
        status = redock_keep(redock, entry, count, failed ? &failure : NULL, error);
        redock_settle(redock, entry, count, failed ? &failure : NULL);
    }
    return is_stopped(redock) ? interrupted(redock, error) : status;
}

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
        return berth_fail(error, BERTH_E_FORMAT, "%s: no complex could be docked",
                          redock->set.folder);
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
    for (size_t i = redock->prepared + redock->failed; i < redock->set.count; i++) {
        BERTH_TRY(do_complex(redock, &redock->set.entries[i], error));
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
        free(redock->rows[i].smiles);
    }
    free(redock->rows);
    berth_output_discard(redock->failures.output);
    berth_output_discard(redock->sites);
    berth_journal_close(redock->journal);
    redock_set_clear(&redock->set);
    berth_builders_end(&redock->builders, redock->run->log);
    free(redock);
}
