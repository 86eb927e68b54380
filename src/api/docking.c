/* Dockings of the ligands of files. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/poses.h"
#include "base/clock.h"
#include "base/locale.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "dock/covalent_known.h"
#include "dock/describe.h"
#include "dock/exclusions.h"
#include "dock/file_runs.h"
#include "dock/output_files.h"
#include "dock/relaxing.h"
#include "options/search.h"
#include "options/tables.h"
#include "prep/ligands/ligands.h"
#include "prep/site_checks.h"
#include "prep/standing.h"
#include "report/pocket_files.h"
#include "report/store/store.h"

struct berth_docking_handle {
    const struct berth_log *log;       /* borrowed, or NULL */
    struct berth_dock_options options; /* its texts are those of: */
    char *texts[16];                   /* owned */
    const char *scoring;               /* as the caller named it; the receptor's */
    struct berth_rescorer *rescorer;   /* owned; NULL: none is asked for */
    struct berth_relaxing relaxing;
    struct berth_judging judging;
    struct berth_devices devices; /* those of them that could be opened */
    struct berth_ensemble receptors;
    struct berth_restraints restraints;
    struct berth_molecule reference;
    struct berth_side_chains *side_chains; /* owned; [receptors]; NULL: none moves */
    struct berth_covalent covalent;
    struct berth_site site;
    struct berth_file_docking docking;
    struct berth_pocket_files pockets; /* of a whole surface: those of the last file */
    struct berth_api_run told;
    struct berth_api_use use;
};

void berth_dock_defaults(struct berth_dock_options *options, size_t size)
{
    const struct berth_dock_options defaults = berth_dock_request().dock;
    berth_api_give(&defaults, sizeof defaults, options, size);
}

/* --- Opening --- */

/* Takes over what the options have, but for the search. */
static enum berth_status keep_options(berth_docking *opened,
                                      const struct berth_dock_options *options,
                                      struct berth_error *error)
{
    struct berth_dock_options *mine = &opened->options;
    const char **const texts[] = {&mine->reference,         &mine->out,       &mine->scores,
                                  &mine->failures,          &mine->builder,   &mine->rank,
                                  &mine->flexible_residues, &mine->rescore,   &mine->db,
                                  &mine->covalent,          &mine->reactions, &mine->out_also,
                                  &mine->out_each,          &mine->run_json,  &mine->smiles_column,
                                  &mine->name_column};
    _Static_assert(sizeof texts == sizeof opened->texts, "each text has a place of its own");
    *mine = *options;
    mine->search = NULL;
    BERTH_TRY(berth_builder_check(options->builder, error));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        BERTH_TRY(berth_api_copy(*texts[i], &opened->texts[i], error));
        *texts[i] = opened->texts[i];
    }
    return BERTH_OK;
}

/* What the run is asked to do, as far as it excludes something else. */
static struct berth_choices choices_of(const berth_receptor *receptor,
                                       const struct berth_dock_options *options,
                                       const struct berth_search_options *search)
{
    const bool judged = options->rank || receptor->receptor.judge_count;
    return (struct berth_choices){
        .by = {[BERTH_CHOICE_SURFACE] = options->site ? "site" : NULL,
               [BERTH_CHOICE_COVALENT] = options->covalent ? "covalent" : NULL,
               [BERTH_CHOICE_FLEXIBLE] =
                   berth_api_moving_option(options->flexible_residues, options->flexible_within),
               [BERTH_CHOICE_RECEPTORS] = options->more_count ? "receptor" : NULL,
               [BERTH_CHOICE_FUNCTIONS] = judged ? "rank" : NULL,
               [BERTH_CHOICE_RESTRAINTS] = search->restraints ? "restraints" : NULL,
               [BERTH_CHOICE_TEMPLATE] = search->template_file ? "template" : NULL,
               [BERTH_CHOICE_RESCORE] = options->rescore ? "rescore" : NULL,
               [BERTH_CHOICE_RELAX] = options->relax ? "relax" : NULL}};
}

static enum berth_status check_site(const char *site, struct berth_error *error)
{
    return site && strcmp(site, "surface") != 0
               ? berth_fail_option(error, BERTH_E_USAGE, "site",
                                   "site: '%s' is not known; surface is", site)
               : BERTH_OK;
}

/* What RMSDs are to; NULL: nothing. */
static const struct berth_molecule *reference_of(const berth_docking *opened,
                                                 const berth_receptor *receptor)
{
    const bool own = opened->options.reference || opened->reference.atom_count;
    return own ? &opened->reference : berth_api_reference(NULL, NULL, receptor);
}

/* Å: what lies farther outside the box than this, no ligand whose centroid is in it is bonded to.
 */
#define BOND_REACH 15

/* Warns where ligands cannot have their centroids in the box and be bonded to the atom. */
static void warn_of_far_atom(const struct berth_covalent *covalent, const struct berth_site *site,
                             const struct berth_log *log)
{
    const double outside = berth_site_outside(site, covalent->atoms[covalent->bonded].position);
    if (outside > BOND_REACH) {
        berth_warn(log, "covalent",
                   "covalent: %s of %s lies %.0f \xc3\x85 outside the box, which ligands that are "
                   "bonded to it do not reach",
                   covalent->atom, covalent->text, outside);
    }
}

/* Finds the atom that ligands are bonded to, and the site. */
static enum berth_status find_covalent(berth_docking *opened, const berth_receptor *receptor,
                                       const struct berth_search_level *level,
                                       struct berth_error *error)
{
    const struct berth_dock_options *options = &opened->options;
    const struct berth_api_bonding bonding = {options->covalent, level, opened->log};
    opened->site = receptor->receptor.site;
    BERTH_TRY(
        berth_api_bond(&bonding, &opened->receptors, &opened->covalent, &opened->site, error));
    if (options->covalent) {
        warn_of_far_atom(&opened->covalent, &opened->site, opened->log);
    }
    if (!options->covalent || (!options->reference && !receptor->receptor.ligand.atom_count)) {
        return BERTH_OK;
    }
    if (!options->reference) { /* the ligand that was cut out is changed for this run alone */
        BERTH_TRY(berth_molecule_copy(&receptor->receptor.ligand, &opened->reference)
                      ? BERTH_OK
                      : berth_out_of_memory(error, NULL));
    }
    BERTH_TRY(berth_covalent_complete(&opened->covalent, &opened->reference, error));
    return berth_covalent_mark(&opened->covalent, &opened->reference, error);
}

/* Finds the side chains that move. */
static enum berth_status find_side_chains(berth_docking *opened, const berth_receptor *receptor,
                                          const struct berth_search_level *level,
                                          struct berth_error *error)
{
    const struct berth_dock_options *options = &opened->options;
    const struct berth_api_moving moving = {
        .choice = {options->flexible_residues, options->flexible_within, options->flexible_most,
                   reference_of(opened, receptor)},
        .level = level,
        .log = opened->log};
    return berth_api_move(&moving, &opened->receptors, &opened->side_chains, &opened->judging,
                          error);
}

/* Readies what relaxes poses, if it is asked for. */
static enum berth_status open_relaxing(berth_docking *opened, struct berth_error *error)
{
    const struct berth_dock_options *options = &opened->options;
    const struct berth_choices held = {
        .by = {[BERTH_CHOICE_RELAX] = options->relax ? "relax" : NULL,
               [BERTH_CHOICE_METALS] = opened->restraints.count ? "metal_sites" : NULL}};
    BERTH_TRY(berth_choices_check(&held, error));
    if (!options->relax) {
        return BERTH_OK;
    }
    berth_relaxing_receive(&opened->relaxing, opened->receptors.receptors, opened->receptors.count);
    return berth_relaxer_create(&opened->receptors.receptors[0]->scoring, &opened->relaxing.relaxer,
                                error);
}

/* Warns of a reference that overlaps the receptor, unless it is bonded to it. */
static enum berth_status read_reference(berth_docking *opened, const berth_receptor *receptor,
                                        struct berth_error *error)
{
    const struct berth_dock_options *options = &opened->options;
    BERTH_TRY(options->reference ? berth_posed_read(options->reference, &opened->reference, error)
                                 : BERTH_OK);
    if (options->reference && !options->covalent) {
        const struct berth_typed_receptor *typed = &receptor->receptor;
        const struct berth_site_surroundings surroundings = {&typed->molecule, typed->residues,
                                                             false};
        berth_site_check_overlap(&opened->reference, options->reference, &surroundings,
                                 opened->log);
    }
    return BERTH_OK;
}

/* Sees to what costs no time: the options, the receptors, the files. */
static enum berth_status prepare(berth_docking *opened, const berth_receptor *receptor,
                                 const struct berth_dock_request *mine,
                                 struct berth_search_level *level, struct berth_error *error)
{
    const struct berth_dock_options *options = &opened->options;
    const struct berth_pose_format *format;
    BERTH_TRY(berth_options_check(BERTH_DOCK_TABLE, mine, error));
    const struct berth_choices choices = choices_of(receptor, options, &mine->search);
    BERTH_TRY(berth_choices_check(&choices, error));
    BERTH_TRY(berth_search_options_level(&mine->search, options->site, level, error));
    BERTH_TRY(options->site ? check_site(options->site, error)
              : options->covalent
                  ? BERTH_OK
                  : berth_api_need_site(receptor, options->reference, mine->search.template_file,
                                        opened->log, error));
    BERTH_TRY(berth_api_receptors(receptor, options->more_receptors, options->more_count,
                                  &opened->receptors, error));
    BERTH_TRY(berth_api_rescorer(options->rescore, &opened->receptors, &opened->devices,
                                 &opened->rescorer, error));
    BERTH_TRY(berth_judging_create(&receptor->receptor, options->rank, opened->rescorer,
                                   &opened->judging, error));
    if (!options->site) { /* a whole surface is searched without any */
        BERTH_TRY(berth_api_restrain(&mine->search, level, &opened->restraints, &opened->receptors,
                                     &opened->judging, error));
        berth_restraints_note_bound(&opened->restraints, receptor->receptor.scoring.unit,
                                    opened->log);
    }
    if (options->out_also) {
        BERTH_TRY(berth_pose_format_of(options->out_also, &format, error));
    }
    if (options->out) {
        BERTH_TRY(berth_pose_format_of(options->out, &format, error));
    }
    if (options->db && (!options->out || format != BERTH_POSE_SDF || !strcmp(options->out, "-"))) {
        return berth_fail_option(error, BERTH_E_USAGE, "db",
                                 "db: a database is made of poses in an SDF file (out)");
    }
    BERTH_TRY(options->db ? berth_store_check(options->db, error) : BERTH_OK);
    BERTH_TRY(read_reference(opened, receptor, error));
    BERTH_TRY(find_covalent(opened, receptor, level, error));
    BERTH_TRY(find_side_chains(opened, receptor, level, error));
    return open_relaxing(opened, error);
}

static enum berth_status open_docking(berth_docking *opened, const berth_receptor *receptor,
                                      const struct berth_dock_request *mine,
                                      struct berth_error *error)
{
    const struct berth_dock_options *options = &opened->options;
    const struct berth_search_options *search = &mine->search;
    const struct berth_surface *surface = &opened->docking.surface;
    struct berth_run_facts *facts = &opened->told.facts;
    struct berth_search_level level;
    BERTH_TRY(prepare(opened, receptor, mine, &level, error));
    struct berth_file_docking_settings settings = {
        .receptors = &opened->receptors,
        .site = opened->site,
        .surface = options->site != NULL,
        .search = berth_search_options_settings(search, &level, options->min_rmsd,
                                                opened->judging.texts.pool),
        .variant = search->variant,
        .devices = &opened->devices,
        .stop = options->stop,
        .check_every = search->check,
        .patience = search->batch_limit,
        .separate = options->separate,
        .modes = {.num_modes = options->num_modes,
                  .min_rmsd = options->min_rmsd,
                  .energy_range = options->energy_range,
                  .strain_weight = options->strain_weight,
                  .max_clash = options->max_clash,
                  .any_stereo = options->any_stereo},
        .judging = &opened->judging,
        .relaxing = options->relax ? &opened->relaxing : NULL,
        .reference = reference_of(opened, receptor),
        .log = opened->log};
    BERTH_TRY(berth_search_options_bound(&opened->site, &settings.search, error));
    BERTH_TRY(berth_file_docking_open(&settings, &opened->docking, error));
    BERTH_TRY(berth_api_run_describe(&opened->receptors, &opened->docking.settings.site,
                                     &opened->devices, opened->docking.docking, &opened->told,
                                     error));
    opened->judging.names.one_by_one = true;
    berth_api_run_learn(&opened->judging.names, &opened->told);
    facts->poses = level.poses;
    facts->generations = level.generations;
    facts->searches = surface->place_count;
    facts->parts = surface->part_count;
    facts->map_bytes = surface->bytes;
    return BERTH_OK;
}

enum berth_status berth_docking_open(const berth_receptor *receptor, const berth_devices *devices,
                                     const struct berth_dock_options *options,
                                     const struct berth_log *log, berth_docking **docking,
                                     struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    struct berth_dock_request mine = berth_dock_request();
    if (docking) {
        *docking = NULL;
    }
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(receptor), BERTH_ARGUMENT(devices),
                         BERTH_ARGUMENT(docking)));
    berth_docking *opened;
    BERTH_TRY(berth_make(&opened, 1, sizeof *opened, NULL, error));
    opened->log = log;
    opened->scoring = receptor->scoring;
    enum berth_status status =
        berth_api_take(options, "berth_dock_defaults", &mine.dock, sizeof mine.dock, error);
    BERTH_THEN(berth_api_search(mine.dock.search, &mine.search, error));
    BERTH_THEN(keep_options(opened, &mine.dock, error));
    BERTH_THEN(berth_api_copy_devices(devices, &opened->devices, error));
    BERTH_THEN(open_docking(opened, receptor, &mine, error));
    if (status) {
        berth_docking_free(opened);
    } else {
        *docking = opened;
    }
    return status;
}

const struct berth_run_facts *berth_docking_describe(const berth_docking *docking)
{
    return docking ? &docking->told.facts : NULL;
}

/* --- The ligands of a file --- */

/* What a call has open. */
struct run {
    berth_docking *docking;
    struct berth_api_telling telling;
    struct berth_source source;
    struct berth_pose_files files;
    const char *prepare; /* borrowed; how molecules are prepared, as the note of a library */
    double started;      /* s */
};

static enum berth_status write(void *context, struct berth_stream_ligand *ligand,
                               struct berth_modes *modes, struct berth_error *error)
{
    struct run *run = context;
    if (modes && run->docking->options.site) {
        BERTH_TRY(
            berth_pocket_files_add(&run->docking->pockets, &ligand->whole.ligand, modes, error));
    }
    return berth_pose_files_add(&run->files, ligand, modes, error);
}

static struct berth_pose_record record(void *context, const struct berth_stream_ligand *ligand,
                                       const struct berth_modes *modes, size_t number)
{
    return berth_pose_files_record(&((struct run *)context)->files, ligand, modes, number);
}

static enum berth_status open_files(struct run *run, struct berth_error *error)
{
    berth_docking *docking = run->docking;
    const struct berth_dock_options *options = &docking->options;
    char moved[PATH_MAX];
    struct berth_pose_paths paths = {{options->out, options->out_also},
                                     options->scores,
                                     options->failures,
                                     NULL,
                                     options->out_each};
    if (docking->side_chains && options->out && strcmp(options->out, "-") != 0) {
        berth_output_beside(options->out, "side_chains.pdb", moved, sizeof moved);
        paths.side_chains = moved;
    }
    if (options->site) {
        const struct berth_pocket_paths beside =
            berth_pocket_paths_of(options->out ? options->out : "");
        docking->pockets = (struct berth_pocket_files){.receptor = docking->receptors.receptors[0],
                                                       .most = options->num_modes};
        BERTH_TRY(
            berth_pocket_files_create(&docking->pockets, options->out ? &beside : NULL, error));
    }
    return berth_pose_files_create(&run->files, &paths, error);
}

/* --- run.json beside the poses --- */

/* Receptor, site and search; and where the ligands came from. */
static enum berth_status describe(const struct run *run, struct berth_bytes *identity,
                                  struct berth_bytes *facts, struct berth_error *error)
{
    const berth_docking *docking = run->docking;
    const struct berth_file_docking_settings *settings = &docking->docking.settings;
    const struct berth_run_identity described = {.receptors = &docking->receptors,
                                                 .site = &settings->site,
                                                 .scoring = docking->scoring,
                                                 .search = &settings->search,
                                                 .modes = &settings->modes,
                                                 .variant = settings->variant,
                                                 .judging = &docking->judging,
                                                 .relax = docking->options.relax,
                                                 .rescore = docking->options.rescore,
                                                 .text = identity};
    BERTH_TRY(berth_run_identify_target(&described, error));
    BERTH_TRY(berth_run_identify_search(&described, error));
    berth_bytes_put8(identity, 0);
    berth_run_path(facts, "molecules", run->source.path);
    if (run->source.prepared) {
        const char *rdkit = berth_prepared_rdkit(run->source.prepared);
        berth_run_line(facts, "prepare = %s%s%s", run->prepare, rdkit ? "; RDKit " : "",
                       rdkit ? rdkit : "");
    }
    berth_run_known(&docking->receptors, facts);
    if (isfinite(settings->modes.energy_range)) {
        berth_run_line(facts, "energy_range = %.9g", settings->modes.energy_range);
    }
    if (isfinite(settings->modes.max_clash)) {
        berth_run_line(facts, "max_clash = %.9g", settings->modes.max_clash);
    }
    if (docking->options.site) {
        berth_run_line(facts, "site = %s", docking->options.site);
    }
    berth_bytes_put8(facts, 0);
    return identity->failed || facts->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

static enum berth_status list_devices(const berth_docking *docking,
                                      struct berth_known_devices *known,
                                      struct berth_run_work *work, struct berth_error *error)
{
    const struct berth_window *window = docking->docking.stream.window;
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < docking->devices.count; i++) {
        const struct berth_device *device = &docking->devices.devices[i];
        const struct berth_known_device named = {
            .texts = {device->name, device->platform, device->driver, docking->told.variants[i]}};
        struct berth_run_share share = {
            .index = device->index, .conformers = window->docked[i], .failed = window->lost[i]};
        status = berth_known_devices_find(known, &named, &share.device, error);
        BERTH_THEN(berth_run_work_add(work, &share, error));
    }
    return status;
}

static uint64_t count_conformers(const struct berth_run_work *work)
{
    uint64_t conformers = 0;
    for (size_t i = 0; i < work->count; i++) {
        conformers += work->shares[i].conformers;
    }
    return conformers;
}

static enum berth_status write_json(const struct run *run, struct berth_error *error)
{
    const struct berth_file_docking *docking = &run->docking->docking;
    struct berth_run_work work = {.ligands = run->files.ligands,
                                  .seconds = berth_now() - run->started,
                                  .atoms = docking->stream.window->atoms};
    struct berth_bytes identity = {0}, facts = {0};
    struct berth_known_devices known = {0};
    char path[PATH_MAX];
    enum berth_status status = describe(run, &identity, &facts, error);
    BERTH_THEN(list_devices(run->docking, &known, &work, error));
    if (!status) {
        const struct berth_run_summary summary = {.identity = (const char *)identity.data,
                                                  .facts = (const char *)facts.data,
                                                  .ligands = run->files.ligands,
                                                  .failed = run->files.failures.count,
                                                  .conformers = count_conformers(&work),
                                                  .devices = &known,
                                                  .work = &work,
                                                  .pairs_per_atom = run->telling.pairs_per_atom,
                                                  .busy = berth_docking_busy(docking->docking)};
        const struct berth_dock_options *options = &run->docking->options;
        if (!options->run_json) {
            berth_output_beside(options->out, "run.json", path, sizeof path);
        }
        status =
            berth_run_json_write(options->run_json ? options->run_json : path, &summary, error);
    }
    berth_bytes_clear(&identity);
    berth_bytes_clear(&facts);
    berth_known_devices_clear(&known);
    free(work.shares);
    return status;
}

static enum berth_status commit(struct run *run, struct berth_error *error)
{
    const char *out = run->docking->options.out;
    const bool told = run->docking->options.run_json || (out && strcmp(out, "-") != 0);
    BERTH_TRY(berth_pose_files_commit(&run->files, error));
    BERTH_TRY(told ? write_json(run, error) : BERTH_OK);
    return run->docking->options.site ? berth_pocket_files_commit(&run->docking->pockets, error)
                                      : BERTH_OK;
}

static bool is_stopped(void *options)
{
    return berth_is_stopped(((const struct berth_dock_options *)options)->stop);
}

/* Puts the files into the database that was asked for. */
static enum berth_status store(berth_docking *docking, struct berth_error *error)
{
    const struct berth_dock_options *options = &docking->options;
    const bool has_table = options->scores && strcmp(options->scores, "-") != 0;
    const struct berth_store_run run = {.path = options->db,
                                        .command = "dock",
                                        .poses = options->out,
                                        .scores = has_table ? options->scores : NULL,
                                        .failures = options->failures,
                                        .receptors = docking->receptors.paths,
                                        .receptor_count = docking->receptors.count,
                                        .log = docking->log,
                                        .stop = is_stopped,
                                        .context = &docking->options};
    return berth_store_add(&run, error);
}

/* Gives the files their names, and progress what is known in the end.  A run that was interrupted
 * keeps what it has done. */
static enum berth_status end(struct run *run, enum berth_status status, struct berth_error *error)
{
    const struct berth_dock_options *options = &run->docking->options;
    struct berth_progress *progress = &run->docking->told.progress;
    const size_t ligands = run->files.ligands;
    if (run->source.stopped || atomic_load(&run->telling.stop)) {
        BERTH_THEN(berth_check_stop(options->stop, error));
    }
    progress->finished = !status;
    progress->failed = run->files.failures.count;
    progress->left_out = run->docking->docking.stream.left_out;
    if (!options->site) { /* there num_modes is of pockets */
        const struct berth_few_modes *few = &run->docking->docking.stream.few;
        progress->few = few->ligands;
        progress->few_near = few->near;
        progress->few_beyond = few->beyond;
        progress->few_refined = few->refined;
    }
    if (!status) {
        BERTH_TRY(commit(run, error));
        berth_pose_files_warn(&run->files, options->reference);
        BERTH_TRY(options->db ? store(run->docking, error) : BERTH_OK);
    } else if (berth_is_stopped(options->stop) && ligands && options->out) {
        BERTH_TRY(commit(run, error));
        return berth_fail(error, BERTH_E_USAGE,
                          "interrupted after %zu ligand%s, whose poses are in %s; the others were "
                          "not docked",
                          ligands, ligands == 1 ? "" : "s", options->out);
    }
    return status;
}

static enum berth_status dock(struct run *run, struct berth_error *error)
{
    struct berth_file_docking *docking = &run->docking->docking;
    BERTH_TRY(berth_source_open(&run->source, error));
    run->docking->judging.names.twists = run->source.prepared || run->source.library;
    BERTH_TRY(berth_source_check_weight(&run->source, run->files.strain_weight, error));
    BERTH_TRY(open_files(run, error));
    const struct berth_mode_sink sink = berth_api_sink(&run->telling);
    return berth_file_docking_run(docking, &run->source, &sink, error);
}

/* Of a file that is docked as it stands, where its molecules were to be prepared in other forms. */
static void warn_of_standing(const berth_docking *docking, const char *path)
{
    const struct berth_dock_options *options = &docking->options;
    const struct berth_dock_options usual = berth_dock_request().dock;
    const struct {
        const char *name;
        bool given;
    } FORMS[] = {{"ph", options->ph < usual.ph || options->ph > usual.ph},
                 {"keep_protonation", options->keep_protonation},
                 {"protomers", options->protomers != usual.protomers},
                 {"min_population", options->min_population > usual.min_population},
                 {"stereo", options->stereo != usual.stereo}};
    char names[128] = "";
    for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++) {
        if (FORMS[i].given) {
            berth_text_append(names, sizeof names, "%s%s", *names ? ", " : "", FORMS[i].name);
        }
    }
    if (*names && !berth_prepare_takes(path)) {
        berth_warn(docking->log, NULL,
                   "%s is a library or Mol2, and docked as it is: %s is of ligands that are "
                   "prepared",
                   path, names);
    }
}

/* How the ligands of a file are prepared. */
static void ask_of_ligands(const berth_docking *docking, const char *path,
                           struct berth_prepare_ligands_options *prepare)
{
    const struct berth_dock_options *options = &docking->options;
    warn_of_standing(docking, path);
    prepare->builder = options->builder;
    prepare->smiles_column = options->smiles_column;
    prepare->name_column = options->name_column;
    prepare->ph = options->ph;
    prepare->keep_protonation = options->keep_protonation;
    prepare->protomers = options->protomers;
    prepare->min_population = options->min_population;
    prepare->stereo = options->stereo;
    prepare->reactions = options->reactions;
    prepare->all_warheads = options->all_warheads;
    prepare->adducts = options->covalent ? berth_covalent_kind(options->covalent) : NULL;
}

static enum berth_status dock_file(berth_docking *docking, const char *path,
                                   const struct berth_ligand_calls *calls,
                                   struct berth_error *error)
{
    struct berth_gatherer warnings = {.next = docking->log};
    const struct berth_log log = berth_gather(&warnings);
    struct berth_prepare_ligands_request request = berth_prepare_ligands_request();
    const struct berth_dock_options *options = &docking->options;
    const struct berth_scoring *scoring = &docking->receptors.receptors[0]->scoring;
    struct berth_ligands_plan plan;
    struct run run = {.docking = docking,
                      .started = berth_now(),
                      .files = {.devices = docking->devices.devices,
                                .terms = &scoring->terms,
                                .receptors = &docking->receptors.names,
                                .judging = &docking->judging,
                                .moving = docking->side_chains,
                                .seed = docking->docking.settings.search.seed,
                                .strain_weight = options->strain_weight,
                                .strangers = {.reference = docking->docking.settings.reference},
                                .log = docking->log}};
    run.telling = (struct berth_api_telling){
        .calls = calls,
        .run = &docking->told,
        .pairs_per_atom = berth_file_docking_pairs_per_atom(&docking->docking),
        .failures = &run.files.failures,
        .judging = &docking->judging,
        .until = options->stop,
        .write = write,
        .record = options->sdf ? record : NULL,
        .context = &run};
    run.source = (struct berth_source){.path = path,
                                       .stop = options->stop ? options->stop : &run.telling.stop,
                                       .columns = {options->smiles_column, options->name_column},
                                       .scoring = scoring,
                                       .most_atoms = options->site ? BERTH_LIGAND_FLEXIBLE_MAX : 0,
                                       .preparation = &plan.preparation,
                                       .failures = &run.files.failures,
                                       .log = &log};
    ask_of_ligands(docking, path, &request.prepare);
    berth_pocket_files_discard(&docking->pockets);
    docking->told.progress.done = 0;
    enum berth_status status = berth_ligands_plan_create(&request.prepare, NULL, 0, &plan, error);
    run.prepare = plan.note;
    BERTH_THEN(dock(&run, error));
    status = end(&run, status, error);
    berth_gatherer_flush(&warnings);
    berth_pose_files_discard(&run.files);
    berth_source_close(&run.source);
    berth_ligands_plan_clear(&plan);
    return status;
}

static void free_docking(berth_docking *docking)
{
    berth_file_docking_close(&docking->docking);
    berth_judging_clear(&docking->judging);
    berth_rescorer_destroy(docking->rescorer);
    berth_relaxer_destroy(docking->relaxing.relaxer);
    berth_restraints_clear(&docking->restraints);
    berth_pocket_files_discard(&docking->pockets);
    berth_api_run_clear(&docking->told);
    berth_devices_clear(&docking->devices);
    berth_molecule_clear(&docking->reference);
    berth_api_still(docking->side_chains, docking->receptors.count);
    berth_covalent_clear(&docking->covalent);
    for (size_t i = 0; i < sizeof docking->texts / sizeof *docking->texts; i++) {
        free(docking->texts[i]);
    }
    free(docking);
}

enum berth_status berth_docking_file(berth_docking *docking, const char *path,
                                     const struct berth_ligand_calls *calls,
                                     struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    BERTH_TRY(
        BERTH_NEED(error, BERTH_ARGUMENT(docking), BERTH_ARGUMENT(path), BERTH_ARGUMENT(calls)));
    BERTH_TRY(berth_api_enter(&docking->use, "docking", error));
    const enum berth_status status = dock_file(docking, path, calls, error);
    if (berth_api_leave(&docking->use)) {
        free_docking(docking);
    }
    return status;
}

/* --- Behind a call --- */

const struct berth_progress *berth_docking_progress(const berth_docking *docking)
{
    return docking ? &docking->told.progress : NULL;
}

/* Pocket number i of the ligands, or of those where they agree. */
static struct berth_docked_pocket pocket_of(const struct berth_pocket_files *files, size_t i,
                                            bool agreed)
{
    struct berth_docked_pocket pocket = {.ligands = 1};
    const struct berth_site *box;
    if (agreed) {
        const struct berth_agreed_pocket *place = &files->places[i];
        box = &place->box;
        pocket.rank = i + 1;
        pocket.ligand = files->ligands[place->best];
        pocket.ligands = place->ligands;
        pocket.mean_rank = place->mean_rank;
        pocket.value = place->value;
        pocket.residues = files->residue_texts[place->note];
    } else {
        const struct berth_ligand_pocket *own = &files->all[i];
        box = &own->box;
        pocket.rank = own->rank;
        pocket.ligand = files->ligands[own->ligand];
        pocket.mean_rank = (double)own->rank;
        pocket.value = own->value;
        pocket.poses = own->poses;
        pocket.residues = files->residue_texts[own->note];
    }
    memcpy(pocket.center, box->center, sizeof pocket.center);
    memcpy(pocket.edges, box->size, sizeof pocket.edges);
    return pocket;
}

enum berth_status berth_docking_pockets(const berth_docking *docking, bool agreed,
                                        void (*take)(void *context,
                                                     const struct berth_docked_pocket *pocket),
                                        void *context, struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(docking), BERTH_ARGUMENT(take)));
    const struct berth_pocket_files *files = &docking->pockets;
    for (size_t i = 0; i < (agreed ? files->place_count : files->count); i++) {
        const struct berth_docked_pocket pocket = pocket_of(files, i, agreed);
        take(context, &pocket);
    }
    return BERTH_OK;
}

enum berth_status
berth_docking_profile(berth_docking *docking,
                      void (*take)(void *context, const struct berth_kernel_profile *kernel),
                      void *context, struct berth_device_use *use, struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    BERTH_TRY(
        BERTH_NEED(error, BERTH_ARGUMENT(docking), BERTH_ARGUMENT(take), BERTH_ARGUMENT(use)));
    return berth_api_profile(docking->docking.docking, take, context, use, error);
}

bool berth_docking_is_stuck(const berth_docking *docking)
{
    return docking && berth_file_docking_hangs(&docking->docking);
}

void berth_docking_free(berth_docking *docking)
{
    BERTH_IN_C_LOCALE;
    if (docking && berth_api_is_free(&docking->use)) {
        free_docking(docking);
    }
}
