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
#include "run/card.h"
#include "run/file_docking.h"
#include "dock/output_files.h"
#include "format/run_json.h"
#include "prep/ligands/ligands.h"
#include "report/pocket_files.h"
#include "report/store/store.h"

struct berth_docking_handle {
    struct berth_run run;
    struct berth_file_docking docking;
    struct berth_pocket_files pockets; /* of a whole surface: those of the last file */
    struct berth_ligands_plan plan;    /* how molecules are prepared */
    struct berth_ligand_workers workers;
    struct berth_api_run told;
    struct berth_api_use use;
};

/* --- Opening --- */

/* The files that are to be written. */
static enum berth_status check_files(const struct berth_options *options, struct berth_error *error)
{
    const struct berth_pose_format *format;
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
    return options->db ? berth_store_check(options->db, error) : BERTH_OK;
}

/* How molecules are prepared; the workers start with the first file that needs them. */
static enum berth_status plan_preparation(berth_docking *docking, struct berth_error *error)
{
    const struct berth_options *options = &docking->run.options;
    struct berth_ligands_request request = options->prepare;
    request.adducts = options->covalent ? berth_covalent_kind(options->covalent) : NULL;
    docking->workers.preparation = &docking->plan.preparation;
    docking->workers.stop = options->stop;
    docking->workers.log = docking->run.log;
    return berth_ligands_plan_create(&request, NULL, 0, &docking->plan, error);
}

static enum berth_status open_docking(berth_docking *opened, const struct berth_run_parts *parts,
                                      struct berth_error *error)
{
    struct berth_run *run = &opened->run;
    const struct berth_surface *surface = &opened->docking.surface;
    struct berth_run_facts *facts = &opened->told.facts;
    BERTH_TRY(check_files(parts->options, error));
    BERTH_TRY(berth_run_open(parts, run, error));
    BERTH_TRY(plan_preparation(opened, error));
    BERTH_TRY(berth_file_docking_open(run, &opened->docking, error));
    BERTH_TRY(berth_api_run_describe(run, &opened->docking.site, opened->docking.docking,
                                     &opened->told, error));
    run->ranker.names.one_by_one = true;
    facts->searches = surface->place_count;
    facts->parts = surface->part_count;
    facts->map_bytes = surface->bytes;
    return BERTH_OK;
}

enum berth_status berth_docking_open(const berth_receptor *const *receptors, size_t count,
                                     const berth_devices *devices, const berth_options *options,
                                     const struct berth_log *log, berth_docking **docking,
                                     struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    struct berth_options mine;
    struct berth_run_parts parts;
    if (docking) {
        *docking = NULL;
    }
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(receptors), BERTH_ARGUMENT(devices),
                         BERTH_ARGUMENT(docking)));
    enum berth_status status = berth_api_parts(
        receptors, count, devices, options, BERTH_RUN_DOCK | BERTH_RUN_SERVE, &mine, &parts, error);
    parts.log = log;
    BERTH_THEN(berth_make(docking, 1, sizeof **docking, NULL, error));
    BERTH_THEN(open_docking(*docking, &parts, error));
    if (status && docking) {
        berth_docking_free(*docking);
        *docking = NULL;
    }
    berth_options_clear(&mine);
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
    struct berth_api_caller caller;
    struct berth_source source;
    struct berth_pose_files files;
    double started; /* s */
};

static enum berth_status write(void *context, struct berth_stream_ligand *ligand,
                               struct berth_modes *modes, struct berth_error *error)
{
    struct run *run = context;
    if (modes && run->docking->run.options.site) {
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
    const struct berth_options *options = &docking->run.options;
    char moved[PATH_MAX];
    struct berth_pose_paths paths = {{options->out, options->out_also},
                                     options->scores,
                                     options->failures,
                                     NULL,
                                     options->out_each};
    if (docking->run.side_chains && options->out && strcmp(options->out, "-") != 0) {
        berth_output_beside(options->out, "side_chains.pdb", moved, sizeof moved);
        paths.side_chains = moved;
    }
    if (options->site) {
        const struct berth_pocket_paths beside =
            berth_pocket_paths_of(options->out ? options->out : "");
        docking->pockets = (struct berth_pocket_files){
            .receptor = docking->run.receptors.receptors[0], .most = options->num_modes};
        BERTH_TRY(
            berth_pocket_files_create(&docking->pockets, options->out ? &beside : NULL, error));
    }
    return berth_pose_files_create(&run->files, &paths, error);
}

/* --- run.json beside the poses --- */

/* Receptor, site and search; and where the ligands came from. */
static enum berth_status describe(const struct run *run, struct berth_run_card *card,
                                  struct berth_error *error)
{
    const berth_docking *docking = run->docking;
    card->files.molecules = berth_run_card_path(card, run->source.path);
    if (run->source.prepared) {
        const char *rdkit = berth_prepared_rdkit(run->source.prepared);
        card->files.prepare = berth_run_card_text(card, "%s%s%s", docking->plan.note,
                                                  rdkit ? "; RDKit " : "", rdkit ? rdkit : "");
    }
    return berth_run_describe(&docking->run, &docking->docking.site, card, error);
}

static enum berth_status list_devices(const berth_docking *docking,
                                      struct berth_known_devices *known,
                                      struct berth_run_work *work, struct berth_error *error)
{
    const struct berth_window *window = docking->docking.stream.window;
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < docking->run.devices.count; i++) {
        const struct berth_device *device = &docking->run.devices.devices[i];
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
    struct berth_run_card card;
    struct berth_known_devices known = {0};
    char path[PATH_MAX];
    berth_run_card_start(&card);
    enum berth_status status = describe(run, &card, error);
    BERTH_THEN(list_devices(run->docking, &known, &work, error));
    if (!status) {
        const struct berth_run_summary summary = {.ligands = run->files.ligands,
                                                  .failed = run->files.failures.count,
                                                  .conformers = count_conformers(&work),
                                                  .devices = &known,
                                                  .work = &work,
                                                  .pairs_per_atom = run->caller.pairs_per_atom,
                                                  .busy = berth_docking_busy(docking->docking)};
        const struct berth_options *options = &run->docking->run.options;
        if (!options->run_json) {
            berth_output_beside(options->out, "run.json", path, sizeof path);
        }
        berth_run_sum_up(&summary, &card);
        status = berth_run_json_write(options->run_json ? options->run_json : path, &card, error);
    }
    berth_run_card_clear(&card);
    berth_known_devices_clear(&known);
    free(work.shares);
    return status;
}

static enum berth_status commit(struct run *run, struct berth_error *error)
{
    const char *out = run->docking->run.options.out;
    const bool told = run->docking->run.options.run_json || (out && strcmp(out, "-") != 0);
    BERTH_TRY(berth_pose_files_commit(&run->files, error));
    BERTH_TRY(told ? write_json(run, error) : BERTH_OK);
    return run->docking->run.options.site ? berth_pocket_files_commit(&run->docking->pockets, error)
                                          : BERTH_OK;
}

static bool is_stopped(void *options)
{
    return berth_is_stopped(((const struct berth_options *)options)->stop);
}

/* Puts the files into the database that was asked for. */
static enum berth_status store(berth_docking *docking, struct berth_error *error)
{
    const struct berth_options *options = &docking->run.options;
    const bool has_table = options->scores && strcmp(options->scores, "-") != 0;
    const struct berth_store_run run = {
        .path = options->db,
        .command = "dock",
        .poses = options->out,
        .scores = has_table ? options->scores : NULL,
        .failures = options->failures,
        .receptors = docking->run.receptors.paths,
        .receptor_count = docking->run.receptors.count,
        .wait = {docking->run.log, is_stopped, &docking->run.options}};
    return berth_store_add(&run, error);
}

/* Gives the files their names, and progress what is known in the end.  A run that was interrupted
 * keeps what it has done. */
static enum berth_status end(struct run *run, enum berth_status status, struct berth_error *error)
{
    const struct berth_options *options = &run->docking->run.options;
    struct berth_progress *progress = &run->docking->told.progress;
    const size_t ligands = run->files.ligands;
    if (run->source.stopped || atomic_load(&run->caller.stop)) {
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
    run->docking->run.ranker.names.twists = run->source.prepared || run->source.library;
    BERTH_TRY(berth_source_check_weight(&run->source, run->files.strain_weight, error));
    BERTH_TRY(open_files(run, error));
    const struct berth_mode_sink sink = berth_api_sink(&run->caller);
    return berth_file_docking_run(docking, &run->source, &sink, error);
}

/* Of a file that is docked as it stands, where its molecules were to be prepared in other forms. */
static void warn_of_standing(const berth_docking *docking, const char *path)
{
    static const char *const FORMS[] = {"ph", "keep_protonation", "protomers", "min_population",
                                        "stereo"};
    char names[128] = "";
    for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++) {
        if (berth_options_has(&docking->run.options, FORMS[i])) {
            berth_text_append(names, sizeof names, "%s%s", *names ? ", " : "", FORMS[i]);
        }
    }
    if (*names && !berth_prepare_takes(path)) {
        berth_warn(docking->run.log, NULL,
                   "%s is a library or Mol2, and docked as it is: %s is of ligands that are "
                   "prepared",
                   path, names);
    }
}

static enum berth_status dock_file(berth_docking *docking, const char *path,
                                   const struct berth_ligand_calls *calls,
                                   struct berth_error *error)
{
    struct berth_gatherer warnings = {.next = docking->run.log};
    const struct berth_log log = berth_gather(&warnings);
    const struct berth_options *options = &docking->run.options;
    const struct berth_scoring *scoring = &docking->run.typed->scoring;
    struct run run = {.docking = docking,
                      .started = berth_now(),
                      .files = {.devices = docking->run.devices.devices,
                                .run = {.terms = &scoring->terms,
                                        .receptors = &docking->run.receptors.names,
                                        .judges = &docking->run.ranker.names},
                                .ranker = &docking->run.ranker,
                                .moving = docking->run.side_chains,
                                .seed = docking->run.search.seed,
                                .strain_weight = options->strain_weight,
                                .mismatches = {.reference = docking->run.reference},
                                .log = docking->run.log}};
    run.caller = (struct berth_api_caller){.calls = calls,
                                           .searches = true,
                                           .run = &docking->told,
                                           .pairs_per_atom =
                                               berth_file_docking_pairs_per_atom(&docking->docking),
                                           .failures = &run.files.failures,
                                           .ranker = &docking->run.ranker,
                                           .until = options->stop,
                                           .write = write,
                                           .record = options->sdf ? record : NULL,
                                           .context = &run};
    run.source = (struct berth_source){
        .path = path,
        .stop = options->stop ? options->stop : &run.caller.stop,
        .columns = {options->prepare.smiles_column, options->prepare.name_column},
        .scoring = scoring,
        .most_atoms = options->site ? BERTH_LIGAND_FLEXIBLE_MAX : 0,
        .workers = &docking->workers,
        .failures = &run.files.failures,
        .log = &log};
    warn_of_standing(docking, path);
    berth_pocket_files_discard(&docking->pockets);
    docking->told.progress.done = 0;
    const enum berth_status status = end(&run, dock(&run, error), error);
    berth_gatherer_flush(&warnings);
    berth_pose_files_discard(&run.files);
    berth_source_close(&run.source);
    return status;
}

static void free_docking(berth_docking *docking)
{
    berth_file_docking_close(&docking->docking);
    berth_pocket_files_discard(&docking->pockets);
    berth_api_run_clear(&docking->told);
    berth_ligand_workers_clear(&docking->workers);
    berth_ligands_plan_clear(&docking->plan);
    berth_run_close(&docking->run);
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
