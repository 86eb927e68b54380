/* Scores of poses as they stand, or minimised, on one device. */
#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "base/locale.h"
#include "api/poses.h"
#include "base/log.h"
#include "chem/parts.h"
#include "run/file_docking.h"
#include "pose/interactions.h"
#include "dock/output_files.h"
#include "format/run_json.h"
#include "prep/site_checks.h"

/* What a call has open. */
struct scoring {
    struct berth_api_caller caller;
    struct berth_api_run told;
    struct berth_run run;
    struct berth_failures failures;
    struct berth_source source;
    struct berth_score_files files;
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
        !berth_pose_reaches(&scoring->run.typed->molecule, ligand->conformers, CONTACT) &&
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
    const struct berth_site_surroundings surroundings = {&scoring->run.typed->molecule,
                                                         scoring->run.typed->residues, false};
    const size_t pairs = berth_site_check_overlap(molecule, called, &surroundings, NULL);
    if (4 * pairs > berth_heavy_count(molecule) && !scoring->overlapping++) {
        berth_site_check_overlap(molecule, called, &surroundings, scoring->run.log);
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

static enum berth_status check(const struct berth_options *score, struct berth_error *error)
{
    const struct berth_pose_format *format;
    struct berth_error ignored;
    if (score->out && !berth_pose_format_of(score->out, &format, &ignored)) {
        return berth_fail_option(error, BERTH_E_USAGE, "out",
                                 "out: %s is a name of a file of poses, but this is a CSV file of "
                                 "scores; out_poses has poses",
                                 score->out);
    }
    if (!score->minimize &&
        (score->refine_torsions || berth_options_has(score, "refine_evaluations"))) {
        return berth_fail_option(error, BERTH_E_USAGE, "minimize",
                                 "refine_torsions and refine_evaluations go with minimize");
    }
    return BERTH_OK;
}

static enum berth_status open_files(struct scoring *scoring, struct berth_error *error)
{
    const struct berth_options *options = &scoring->run.options;
    enum berth_status status = berth_source_open(&scoring->source, error);
    BERTH_THEN(berth_failures_create(options->failures, &scoring->failures, error));
    const struct berth_scoring *function = scoring->source.scoring;
    struct berth_score_files *files = &scoring->files;
    files->ranker = &scoring->run.ranker;
    files->run =
        (struct berth_score_columns){.terms = &function->terms, .judges = &files->ranker->names};
    files->table = files->run;
    files->table.use = BERTH_IN_SCORE;
    files->table.with = (options->minimize ? BERTH_WITH_MINIMIZE : 0u) |
                        (options->relax ? BERTH_WITH_RELAX : 0u) |
                        (berth_scoring_counts_rotors(function) ? (unsigned)BERTH_WITH_ROTORS : 0u);
    files->mismatches.reference = scoring->run.reference;
    return status
               ? status
               : berth_score_files_create(&scoring->files, options->out, options->out_poses, error);
}

/* The molecules are ranked each by itself: they may be poses of one ligand, or of many. */
static enum berth_status check_ranking(const struct berth_ranker *ranker, struct berth_error *error)
{
    return ranker->poses && !(berth_ranking_is_plain(ranker->poses) &&
                              berth_ranking_is_plain(ranker->ligands))
               ? berth_fail_option(
                     error, BERTH_E_USAGE, "rank",
                     "rank: z() and rank() compare the poses of a ligand, or ligands; "
                     "here each molecule is ranked by itself")
               : BERTH_OK;
}

/* True where the ranking looks at the strain of poses; NULL looks at nothing. */
static bool ranks_by_strain(const struct berth_ranker *ranker, const struct berth_ranking *ranking)
{
    const size_t *looked_at;
    const size_t count = ranking ? berth_ranking_columns(ranking, &looked_at) : 0;
    bool strain = false;
    for (size_t i = 0; i < count; i++) {
        strain = strain || ranker->fields[looked_at[i]].field == berth_field_named("strain");
    }
    return strain;
}

static void warn_of_strain(const struct scoring *scoring)
{
    const struct berth_options *options = &scoring->run.options;
    const struct berth_log *log = scoring->run.log;
    const struct berth_ranker *ranker = &scoring->run.ranker;
    const bool strain =
        ranks_by_strain(ranker, ranker->poses) || ranks_by_strain(ranker, ranker->ligands);
    if (strain && options->refine_torsions) {
        berth_note(log, "rank: strain is that of the way from where each pose stood, and "
                        "dock's that from the conformer: compare poses that are scored "
                        "alike");
    } else if (strain) {
        berth_note(log,
                   "rank: %s have no strain, which this ranking adds; dock's pose_ranking of "
                   "them has it%s",
                   options->minimize ? "poses whose torsions stay" : "poses as they stand",
                   options->minimize && !options->relax ? " (refine_torsions gives it)" : "");
    }
}

/* Says what rankings lack at a metal that a ligand may bind. */
static void warn_of_metals(const struct scoring *scoring)
{
    const struct berth_options *options = &scoring->run.options;
    const struct berth_log *log = scoring->run.log;
    const struct berth_molecule *molecule = &scoring->run.typed->molecule;
    bool metal = false;
    for (size_t i = 0; options->rank && i < molecule->atom_count; i++) {
        const struct berth_atom *atom = &molecule->atoms[i];
        metal = metal || (berth_is_metal(atom->element) && !atom->traits.bystander);
    }
    if (metal) {
        berth_note(log,
                   "rank: poses have no coordination here, what a metal's open sites are worth, "
                   "which dock adds to each function: compare these rankings with each other, and "
                   "not with a docking's");
    }
}

/* Warns where side chains of this receptor moved with the poses: here they stand as given. */
static enum berth_status warn_of_moved(const struct scoring *scoring, const char *receptor,
                                       struct berth_error *error)
{
    struct berth_run_card run;
    const enum berth_status status = berth_run_json_in(scoring->source.path, receptor, &run, error);
    const char *moved = run.identity.side_chains->of ? run.identity.side_chains->text : "";
    if (!status && *moved) {
        berth_warn(scoring->run.log, NULL,
                   "side chains (%s) moved with these poses: they are scored beside the "
                   "receptor's own as given, so that energies and clash are others; the "
                   "side_chains.pdb beside the poses has those of each pose",
                   moved);
    }
    berth_run_card_clear(&run);
    return status;
}

static enum berth_status score(struct scoring *scoring, const struct berth_run_parts *parts,
                               struct berth_error *error)
{
    struct berth_run *run = &scoring->run;
    const struct berth_options *options = &run->options;
    const struct berth_mode_sink sink = berth_api_sink(&scoring->caller);
    const char *receptor = parts->receptors[0]->path;
    BERTH_TRY(check(parts->options, error));
    BERTH_TRY(berth_run_json_check_beside(scoring->source.path, receptor, parts->log, error));
    BERTH_TRY(berth_run_open(parts, run, error));
    BERTH_TRY(check_ranking(&run->ranker, error));
    BERTH_TRY(warn_of_moved(scoring, receptor, error));
    scoring->source.scoring = &run->typed->scoring;
    scoring->source.relaxer = run->mode_relaxer.relaxer;
    scoring->source.receptor = options->relax ? &run->typed->heavy : NULL;
    BERTH_TRY(open_files(scoring, error));
    warn_of_strain(scoring);
    warn_of_metals(scoring);
    const enum berth_status status = berth_file_score(run, &scoring->source, &sink, error);
    warn_of_far(scoring, run->log);
    warn_of_overlapping(scoring, run->log);
    warn_of_broken(scoring, run->log);
    berth_mismatches_warn(&scoring->files.mismatches, options->reference, run->log);
    return status || atomic_load(&scoring->caller.stop)
               ? status
               : berth_score_files_commit(&scoring->files, &scoring->failures, error);
}

enum berth_status berth_score_file(const berth_receptor *receptor, const berth_devices *devices,
                                   const char *path, const berth_options *options,
                                   const struct berth_ligand_calls *calls,
                                   const struct berth_log *log, struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    struct berth_options mine;
    struct berth_run_parts parts;
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(receptor), BERTH_ARGUMENT(devices),
                         BERTH_ARGUMENT(path), BERTH_ARGUMENT(calls)));
    BERTH_TRY(
        berth_api_parts(&receptor, 1, devices, options, BERTH_RUN_SCORE, &mine, &parts, error));
    struct berth_gatherer warnings = {.next = log};
    const struct berth_log gathered = berth_gather(&warnings);
    struct scoring scoring = {.failures = {.log = log}};
    parts.log = log;
    scoring.caller = (struct berth_api_caller){.calls = calls,
                                               .run = &scoring.told,
                                               .failures = &scoring.failures,
                                               .ranker = &scoring.run.ranker,
                                               .write = write,
                                               .context = &scoring,
                                               .record = parts.options->sdf ? record : NULL};
    scoring.source = (struct berth_source){.path = path,
                                           .stop = &scoring.caller.stop,
                                           .failures = &scoring.failures,
                                           .log = &gathered};
    const enum berth_status status = score(&scoring, &parts, error);
    berth_gatherer_flush(&warnings);
    berth_score_files_discard(&scoring.files);
    berth_output_discard(scoring.failures.output);
    berth_source_close(&scoring.source);
    berth_run_close(&scoring.run);
    berth_options_clear(&mine);
    return status;
}
