/* Scores of poses as they stand, or minimised, on one device. */
#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "base/locale.h"
#include "chem/residue_types.h"
#include "api/poses.h"
#include "base/log.h"
#include "chem/parts.h"
#include "dock/file_runs.h"
#include "pose/interactions.h"
#include "dock/judging.h"
#include "dock/output_files.h"
#include "dock/relaxation.h"
#include "dock/rescore.h"
#include "format/run_json.h"
#include "options/tables.h"
#include "prep/site_checks.h"
#include "prep/standing.h"

void berth_score_defaults(struct berth_score_options *options, size_t size)
{
    const struct berth_score_options defaults = berth_score_request().score;
    berth_api_give(&defaults, sizeof defaults, options, size);
}

/* What a call has open. */
struct scoring {
    struct berth_api_telling telling;
    struct berth_api_run run;
    struct berth_devices devices;
    struct berth_failures failures;
    struct berth_source source;
    struct berth_score_files files;
    struct berth_judging judging;
    struct berth_rescorer *rescorer;             /* NULL: none is asked for */
    struct berth_relaxer *relaxer;               /* likewise */
    const struct berth_typed_receptor *receptor; /* borrowed */
    const struct berth_log *log;                 /* borrowed, or NULL */
    struct berth_molecule read;                  /* the reference, where a file is one */
    size_t far;            /* molecules that have no contact with the receptor: */
    char first_far[64];    /* the first of them */
    size_t overlapping;    /* molecules that overlap the receptor */
    size_t broken;         /* molecules in pieces that no bond joins: */
    char first_broken[64]; /* the first of them */
};

/* Å between heavy atoms: every pose that was docked is nearer. */
#define CONTACT 4.0

/* Notes a molecule that stands nowhere at the receptor. */
static void note_far(struct scoring *scoring, const struct berth_ligand *ligand)
{
    if (ligand->conformer_count &&
        !berth_pose_reaches(&scoring->receptor->molecule, ligand->conformers, CONTACT) &&
        !scoring->far++) {
        snprintf(scoring->first_far, sizeof scoring->first_far, "%s", ligand->name);
    }
}

static void warn_of_far(const struct scoring *scoring, const struct berth_log *log)
{
    if (scoring->far) {
        berth_warn(
            log, NULL,
            "%zu of the molecules (%s%s) %s nothing of the receptor within %.0f \xc3\x85: is "
            "it another than they were docked into, or in another frame?",
            scoring->far, scoring->first_far, scoring->far > 1 ? " ..." : "",
            scoring->far > 1 ? "have" : "has", CONTACT);
    }
}

/* Warns of the first molecule that overlaps the receptor where it stands by so many pairs of atoms
 * that it was hardly docked there, and counts them: of 471 poses of a rigid docking none has more
 * than 2, of a molecule that lies across a receptor there are as many as it has heavy atoms. */
static void note_overlapping(struct scoring *scoring, const struct berth_ligand *ligand)
{
    const struct berth_molecule *molecule = ligand->conformers;
    const char *called = *ligand->name ? ligand->name : "a molecule";
    const struct berth_site_surroundings surroundings = {&scoring->receptor->molecule,
                                                         scoring->receptor->residues, false};
    const size_t pairs = berth_site_check_overlap(molecule, called, &surroundings, NULL);
    if (4 * pairs > berth_heavy_count(molecule) && !scoring->overlapping++) {
        berth_site_check_overlap(molecule, called, &surroundings, scoring->log);
    }
}

static void warn_of_overlapping(const struct scoring *scoring, const struct berth_log *log)
{
    if (scoring->overlapping > 1) {
        berth_warn(log, NULL, "%zu molecules overlap the receptor like that one",
                   scoring->overlapping);
    }
}

/* Notes a molecule in pieces, as of a file that lacks a bond. */
static enum berth_status note_broken(struct scoring *scoring, const struct berth_ligand *ligand,
                                     struct berth_error *error)
{
    size_t pieces = 0;
    BERTH_TRY(ligand->conformer_count ? berth_parts_count(ligand->conformers, &pieces, error)
                                      : BERTH_OK);
    if (pieces > 1 && !scoring->broken++) {
        snprintf(scoring->first_broken, sizeof scoring->first_broken, "%s", ligand->name);
    }
    return BERTH_OK;
}

static void warn_of_broken(const struct scoring *scoring, const struct berth_log *log)
{
    if (scoring->broken) {
        berth_warn(log, NULL,
                   "%zu of the molecules (%s%s) %s of several pieces that no bond joins: does the "
                   "file lack a bond? Rotors, and so what ranks, are those of the pieces",
                   scoring->broken, scoring->first_broken, scoring->broken > 1 ? " ..." : "",
                   scoring->broken > 1 ? "are" : "is");
    }
}

static enum berth_status write(void *context, struct berth_stream_ligand *ligand,
                               struct berth_modes *modes, struct berth_error *error)
{
    struct scoring *scoring = context;
    if (modes) {
        note_far(scoring, &ligand->whole.ligand);
        note_overlapping(scoring, &ligand->whole.ligand);
        BERTH_TRY(note_broken(scoring, &ligand->whole.ligand, error));
    }
    return berth_score_files_add(&scoring->files, &scoring->failures, ligand, modes, error);
}

static struct berth_pose_record record(void *context, const struct berth_stream_ligand *ligand,
                                       const struct berth_modes *modes, size_t number)
{
    (void)number;
    return berth_score_files_record(&((struct scoring *)context)->files, ligand, modes);
}

/* mine: complete. */
static enum berth_status check(const struct berth_score_request *mine, struct berth_error *error)
{
    const struct berth_score_options *score = &mine->score;
    const struct berth_pose_format *format;
    struct berth_error ignored;
    const size_t evaluations = berth_score_request().score.refine_evaluations;
    if (score->out && !berth_pose_format_of(score->out, &format, &ignored)) {
        return berth_fail_option(error, BERTH_E_USAGE, "out",
                                 "out: %s is a name of a file of poses, but this is a CSV file of "
                                 "scores; out_poses has poses",
                                 score->out);
    }
    if (score->relax && score->minimize) {
        return berth_fail_option(error, BERTH_E_USAGE, "relax",
                                 "relax: it moves all that minimize does, and more: ask for one");
    }
    if (!score->minimize && (score->refine_torsions || score->refine_evaluations != evaluations)) {
        return berth_fail_option(error, BERTH_E_USAGE, "minimize",
                                 "refine_torsions and refine_evaluations go with minimize");
    }
    return berth_options_check(BERTH_SCORE_TABLE, mine, error);
}

static enum berth_status open_files(struct scoring *scoring, const struct berth_molecule *reference,
                                    const struct berth_score_options *options,
                                    struct berth_error *error)
{
    enum berth_status status = berth_source_open(&scoring->source, error);
    BERTH_THEN(berth_failures_create(options->failures, &scoring->failures, error));
    scoring->files.scoring = scoring->source.scoring;
    scoring->files.minimized = options->minimize;
    scoring->files.relaxed = options->relax;
    scoring->files.strangers.reference = reference;
    return status
               ? status
               : berth_score_files_create(&scoring->files, options->out, options->out_poses, error);
}

static enum berth_status open_rescorer(struct scoring *scoring, const berth_receptor *receptor,
                                       const char *model, struct berth_error *error)
{
    const struct berth_molecule *molecule = &receptor->receptor.molecule;
    BERTH_TRY(berth_rescorer_create(model, &scoring->devices, &scoring->rescorer, error));
    return berth_rescorer_receive(scoring->rescorer, &molecule, 1, error);
}

/* What judges and ranks the molecules, each by itself: they may be poses of one ligand, or of many.
 */
static enum berth_status open_judging(struct scoring *scoring, const berth_receptor *receptor,
                                      const struct berth_score_options *options,
                                      struct berth_error *error)
{
    struct berth_judging *judging = &scoring->judging;
    BERTH_TRY(options->rescore ? open_rescorer(scoring, receptor, options->rescore, error)
                               : BERTH_OK);
    BERTH_TRY(berth_judging_create(&receptor->receptor, options->rank, scoring->rescorer, judging,
                                   error));
    scoring->files.judging = judging;
    return judging->poses && !(berth_ranking_is_plain(judging->poses) &&
                               berth_ranking_is_plain(judging->ligands))
               ? berth_fail_option(
                     error, BERTH_E_USAGE, "rank",
                     "rank: z() and rank() compare the poses of a ligand, or ligands; "
                     "here each molecule is ranked by itself")
               : BERTH_OK;
}

/* True where the ranking looks at the strain of poses; NULL looks at nothing. */
static bool ranks_by_strain(const struct berth_judging *judging,
                            const struct berth_ranking *ranking,
                            const struct berth_term_names *terms)
{
    const struct berth_score_columns columns = {terms, NULL, &judging->names};
    const size_t *looked_at;
    const size_t count = ranking ? berth_ranking_columns(ranking, &looked_at) : 0;
    bool strain = false;
    for (size_t i = 0; i < count; i++) {
        strain = strain ||
                 strcmp(berth_score_name(judging->fields[looked_at[i]], &columns), "strain") == 0;
    }
    return strain;
}

static void warn_of_strain(const struct scoring *scoring, const struct berth_score_options *options)
{
    const struct berth_judging *judging = &scoring->judging;
    const struct berth_term_names *terms = &scoring->source.scoring->terms;
    const bool strain = ranks_by_strain(judging, judging->poses, terms) ||
                        ranks_by_strain(judging, judging->ligands, terms);
    if (strain && options->refine_torsions) {
        berth_note(options->log, "rank: strain is that of the way from where each pose stood, and "
                                 "dock's that from the conformer: compare poses that are scored "
                                 "alike");
    } else if (strain) {
        berth_note(options->log,
                   "rank: %s have no strain, which this ranking adds; dock's pose_ranking of "
                   "them has it%s",
                   options->minimize ? "poses whose torsions stay" : "poses as they stand",
                   options->minimize && !options->relax ? " (refine_torsions gives it)" : "");
    }
}

/* Says what rankings lack at a metal that a ligand may bind. */
static void warn_of_metals(const berth_receptor *receptor,
                           const struct berth_score_options *options)
{
    const struct berth_molecule *molecule = &receptor->receptor.molecule;
    bool metal = false;
    for (size_t i = 0; options->rank && i < molecule->atom_count; i++) {
        const struct berth_atom *atom = &molecule->atoms[i];
        metal = metal || (berth_is_metal(atom->element) && !atom->traits.bystander);
    }
    if (metal) {
        berth_note(options->log,
                   "rank: poses have no coordination here, what a metal's open sites are worth, "
                   "which dock adds to each function: compare these rankings with each other, and "
                   "not with a docking's");
    }
}

/* Warns where side chains of this receptor moved with the poses: here they stand as given. */
static enum berth_status warn_of_moved(const struct scoring *scoring,
                                       const berth_receptor *receptor, const struct berth_log *log,
                                       struct berth_error *error)
{
    struct berth_run_cut run;
    BERTH_TRY(berth_run_json_cut(scoring->source.path, receptor->path, &run, error));
    if (*run.side_chains) {
        berth_warn(log, NULL,
                   "side chains (%s) moved with these poses: they are scored beside the "
                   "receptor's own as given, so that energies and clash are others; the "
                   "side_chains.pdb beside the poses has those of each pose",
                   run.side_chains);
    }
    return BERTH_OK;
}

static enum berth_status score(struct scoring *scoring, const berth_receptor *receptor,
                               const struct berth_score_options *options, struct berth_error *error)
{
    struct berth_file_scoring how = {.receptor = &receptor->receptor,
                                     .devices = &scoring->devices,
                                     .judging = &scoring->judging,
                                     .minimize = options->minimize,
                                     .any_stereo = options->any_stereo,
                                     .refine = berth_refine_defaults(),
                                     .log = options->log};
    const struct berth_mode_sink sink = berth_api_sink(&scoring->telling);
    /* of what moves it is how far, unless the caller wants it from somewhere else */
    how.reference = options->reference || !(options->minimize || options->relax)
                        ? berth_api_reference(options->reference, &scoring->read, receptor)
                        : NULL;
    enum berth_status status =
        berth_run_json_check_beside(scoring->source.path, receptor->path, options->log, error);
    BERTH_THEN(warn_of_moved(scoring, receptor, options->log, error));
    BERTH_THEN(options->reference ? berth_posed_read(options->reference, &scoring->read, error)
                                  : BERTH_OK);
    BERTH_THEN(open_judging(scoring, receptor, options, error));
    if (!status && options->relax) {
        status = berth_relaxer_create(&receptor->receptor.scoring, &scoring->relaxer, error);
        scoring->source.relaxer = scoring->relaxer;
        scoring->source.receptor = &receptor->receptor.heavy;
    }
    BERTH_THEN(open_files(scoring, how.reference, options, error));
    if (!status) {
        warn_of_strain(scoring, options);
        warn_of_metals(receptor, options);
    }
    how.refine.poses = 1;
    how.refine.evaluations = options->refine_evaluations;
    how.refine.torsions = options->refine_torsions;
    BERTH_THEN(berth_file_score(&how, &scoring->source, &sink, error));
    warn_of_far(scoring, options->log);
    warn_of_overlapping(scoring, options->log);
    warn_of_broken(scoring, options->log);
    berth_strangers_warn(&scoring->files.strangers, options->reference, options->log);
    if (!status && !atomic_load(&scoring->telling.stop)) {
        status = berth_score_files_commit(&scoring->files, &scoring->failures, error);
    }
    return status;
}

enum berth_status berth_score_file(const berth_receptor *receptor, const berth_devices *devices,
                                   const char *path, const struct berth_score_options *options,
                                   const struct berth_ligand_calls *calls,
                                   struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    struct berth_score_request mine = berth_score_request();
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(receptor), BERTH_ARGUMENT(devices),
                         BERTH_ARGUMENT(path), BERTH_ARGUMENT(calls)));
    BERTH_TRY(
        berth_api_take(options, "berth_score_defaults", &mine.score, sizeof mine.score, error));
    BERTH_TRY(check(&mine, error));
    const struct berth_scoring *function = &receptor->receptor.scoring;
    struct berth_gatherer warnings = {.next = mine.score.log};
    const struct berth_log log = berth_gather(&warnings);
    struct scoring scoring = {.failures = {.log = mine.score.log},
                              .receptor = &receptor->receptor,
                              .log = mine.score.log};
    scoring.telling = (struct berth_api_telling){.calls = calls,
                                                 .run = &scoring.run,
                                                 .failures = &scoring.failures,
                                                 .judging = &scoring.judging,
                                                 .write = write,
                                                 .context = &scoring,
                                                 .record = mine.score.sdf ? record : NULL};
    scoring.source = (struct berth_source){.path = path,
                                           .stop = &scoring.telling.stop,
                                           .scoring = function,
                                           .failures = &scoring.failures,
                                           .log = &log};
    enum berth_status status = berth_api_copy_devices(devices, &scoring.devices, error);
    BERTH_THEN(score(&scoring, receptor, &mine.score, error));
    berth_gatherer_flush(&warnings);
    berth_score_files_discard(&scoring.files);
    berth_judging_clear(&scoring.judging);
    berth_rescorer_destroy(scoring.rescorer);
    berth_relaxer_destroy(scoring.relaxer);
    berth_molecule_clear(&scoring.read);
    berth_output_discard(scoring.failures.output);
    berth_source_close(&scoring.source);
    berth_devices_clear(&scoring.devices);
    return status;
}
