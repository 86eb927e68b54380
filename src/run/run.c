#include "run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dock/covalent/covalent_known.h"
#include "prep/ligands/ligands.h"
#include "prep/posed.h"
#include "prep/site_checks.h"
#include "run/exclusions.h"

static bool is_docking(const struct berth_run *run)
{
    return run->options.run & BERTH_RUNS_DOCK;
}

static bool is_surface(const struct berth_run *run)
{
    return is_docking(run) && run->options.site;
}

/* --- The parts --- */

static enum berth_status take_devices(const struct berth_devices *devices, struct berth_run *run,
                                      struct berth_error *error)
{
    const size_t count = devices ? devices->count + devices->left : 0;
    if (count) {
        BERTH_TRY(
            berth_make(&run->devices.devices, count, sizeof *run->devices.devices, NULL, error));
        memcpy(run->devices.devices, devices->devices, count * sizeof *run->devices.devices);
        run->devices.count = devices->count;
        run->devices.left = devices->left;
    }
    return BERTH_OK;
}

static enum berth_status take_receptors(const struct berth_run_parts *parts, struct berth_run *run,
                                        struct berth_error *error)
{
    for (size_t i = 0; i < parts->receptor_count; i++) {
        const struct berth_loaded_receptor *loaded = parts->receptors[i];
        BERTH_TRY(berth_ensemble_add(&run->receptors, &loaded->typed, loaded->path, error));
    }
    return BERTH_OK;
}

/* The functions of a run whose receptors come later: those that are named, or that the ranking
 * needs. */
static enum berth_status read_functions(struct berth_run *run, struct berth_error *error)
{
    const struct berth_options *options = &run->options;
    struct berth_scoring_choice choice = {options->forcefield, options->scoring, NULL};
    struct berth_ranking_texts texts = {0};
    enum berth_status status = options->rank && !berth_options_has(options, "scoring")
                                   ? berth_ranking_find(options->rank, &texts, error)
                                   : BERTH_OK;
    choice.scoring = texts.scoring ? texts.scoring : choice.scoring;
    BERTH_THEN(berth_make(&run->owned, 1, sizeof *run->owned, NULL, error));
    BERTH_THEN(berth_typed_receptor_functions(&choice, run->log, run->owned, error));
    berth_ranking_texts_clear(&texts);
    return status;
}

/* --- What is asked for --- */

static enum berth_status check_site(const struct berth_run_parts *parts,
                                    const struct berth_run *run, struct berth_error *error)
{
    const struct berth_options *options = &run->options;
    if (!is_docking(run) || !parts->receptor_count) {
        return BERTH_OK;
    }
    if (options->site && strcmp(options->site, "surface") != 0) {
        return berth_fail_option(error, BERTH_E_USAGE, "site",
                                 "site: '%s' is not known; surface is", options->site);
    }
    return options->site || options->covalent /* which finds its own */
               ? BERTH_OK
               : berth_loaded_receptor_need_site(parts->receptors[0], options, run->log, error);
}

static enum berth_status check_tags(const struct berth_options *options, struct berth_error *error)
{
    return !options->tags || strcmp(options->tags, "gnina") == 0
               ? BERTH_OK
               : berth_fail_option(error, BERTH_E_USAGE, "tags", "tags: gnina, not \"%s\"",
                                   options->tags);
}

static enum berth_status open_rescorer(struct berth_run *run, struct berth_error *error)
{
    const struct berth_molecule *molecules[BERTH_RECEPTORS_MAX];
    const char *path = run->options.rescore;
    const struct berth_ensemble *receptors = &run->receptors;
    if (!path || !run->devices.count) {
        return BERTH_OK;
    }
    for (size_t i = 0; i < receptors->count; i++) {
        molecules[i] = &receptors->receptors[i]->molecule;
    }
    BERTH_TRY(berth_rescorer_create(path, &run->devices, run->log, &run->rescorer, error));
    return receptors->count
               ? berth_rescorer_receive(run->rescorer, molecules, receptors->count, error)
               : BERTH_OK;
}

/* Warns of a reference that overlaps the receptor, unless it is bonded to it. */
static enum berth_status read_reference(struct berth_run *run, struct berth_error *error)
{
    const char *path = run->options.reference;
    const struct berth_typed_receptor *typed = run->typed;
    const struct berth_molecule *cut = &typed->ligand;
    const bool moved = run->options.minimize || /* it is told how far */
                       (run->options.run == BERTH_RUN_SCORE && run->options.relax);
    if (!path) {
        run->reference = cut->atom_count && !moved ? cut : NULL;
        return BERTH_OK;
    }
    run->reference = &run->read;
    BERTH_TRY(berth_posed_read(path, &run->read, error));
    if (is_docking(run) && !run->options.covalent) {
        const struct berth_site_surroundings surroundings = {&typed->molecule, typed->residues,
                                                             false};
        berth_site_check_overlap(&run->read, path, &surroundings, run->log);
    }
    return BERTH_OK;
}

/* --- What holds poses --- */

/* Reads the restraints that the options name, if any, and finds their places in the receptors,
 * which borrow them, as the ranker's columns; notes there, too, what displaced waters cost. */
static enum berth_status restrain(struct berth_run *run, struct berth_error *error)
{
    const struct berth_options *options = &run->options;
    const char *option = options->restraints ? "restraints" : "template";
    struct berth_restraints *restraints = &run->restraints;
    struct berth_ensemble *receptors = &run->receptors;
    struct berth_template_setup setup;
    enum berth_metal_sites metals;
    BERTH_TRY(
        berth_ensemble_price_waters(receptors, options->water_price, &run->ranker.names, error));
    BERTH_TRY(berth_search_options_template(options, &setup, error));
    BERTH_TRY(berth_search_options_metals(options, &run->level, &metals, error));
    if (!options->restraints && !options->template_file && !metals) {
        return BERTH_OK;
    }
    if (!run->level.maps) {
        return berth_fail_option(error, BERTH_E_USAGE, option,
                                 "%s: the search %s is not on maps, and knows none", option,
                                 run->level.name);
    }
    enum berth_status status = BERTH_OK;
    if (options->restraints) {
        status = berth_restraints_read(options->restraints, restraints, error);
    }
    if (!status && setup.path) {
        status = berth_restraints_add_template(restraints, &setup, error);
    }
    for (size_t k = 0; !status && restraints->count && k < receptors->count; k++) {
        status = berth_restraints_place(restraints, k, receptors->receptors[k], error);
        if (status && receptors->count > 1) {
            berth_fail_in(error, berth_receptor_name(&receptors->names, k));
        }
    }
    if (!status && metals && receptors->receptors[0]->has_site) {
        status = berth_restraints_add_metals(restraints, receptors->receptors, receptors->count,
                                             &receptors->receptors[0]->site, metals, error);
    }
    if (restraints->count) {
        receptors->restraints = restraints;
        berth_restraints_name(restraints, &run->ranker.names);
        berth_restraints_note_bound(restraints, run->typed->scoring.unit, run->log);
    }
    return status;
}

/* BERTH_E_USAGE where nothing turns in the search. */
static enum berth_status need_maps(const char *option, const struct berth_search_level *level,
                                   struct berth_error *error)
{
    char names[BERTH_SEARCH_LEVEL_NAMES];
    berth_search_level_names(true, names);
    return level->maps ? BERTH_OK
                       : berth_fail_option(error, BERTH_E_USAGE, option,
                                           "%s: the search %s is rigid; take the search %s", option,
                                           level->name, names);
}

static enum berth_status check_moving(const struct berth_run *run, struct berth_error *error)
{
    const struct berth_options *options = &run->options;
    BERTH_TRY(need_maps(options->flexible_residues ? "flexible_residues" : "flexible_within",
                        &run->level, error));
    return options->flexible_within > 0 && !run->reference
               ? berth_fail_option(error, BERTH_E_USAGE, "reference",
                                   "flexible_within needs a reference, which it is measured from")
               : BERTH_OK;
}

/* Finds the side chains that move in the receptors, which borrow them. */
static enum berth_status find_side_chains(struct berth_run *run, struct berth_error *error)
{
    const struct berth_options *options = &run->options;
    const struct berth_side_chain_choice choice = {options->flexible_residues,
                                                   options->flexible_within, options->flexible_most,
                                                   run->reference, options->full_flex_output};
    struct berth_ensemble *receptors = &run->receptors;
    if (!options->flexible_residues && !(options->flexible_within > 0)) {
        return options->full_flex_output
                   ? berth_fail_option(
                         error, BERTH_E_USAGE, "full_flex_output",
                         "full_flex_output: no side chain moves, so that the receptor "
                         "stands as its file has it; flexible_residues names some")
                   : BERTH_OK;
    }
    BERTH_TRY(check_moving(run, error));
    BERTH_TRY(
        berth_make(&run->side_chains, receptors->count, sizeof *run->side_chains, NULL, error));
    for (size_t i = 0; i < receptors->count; i++) {
        struct berth_side_chains *own = &run->side_chains[i];
        enum berth_status status =
            berth_side_chains_create(receptors->receptors[i], &choice, own, error);
        BERTH_THEN(berth_side_chains_check(own, &run->typed->site, run->log, error));
        if (status) {
            return receptors->count > 1 ? berth_fail_in(error, receptors->paths[i]) : status;
        }
        berth_side_chains_note(own, berth_receptor_name(&receptors->names, i), run->log);
    }
    receptors->side_chains = run->side_chains;
    run->ranker.names.receptor_moves = true;
    return BERTH_OK;
}

/* Å: edges of the box about the atom that ligands are bonded to; what lies farther outside a box
 * than the other, no ligand whose centroid is in it is bonded to. */
static const double COVALENT_BOX = 30, BOND_REACH = 15;

/* Finds the atom that ligands are bonded to, and a site about it where the receptor has none. */
static enum berth_status find_covalent(struct berth_run *run, struct berth_error *error)
{
    struct berth_covalent *covalent = &run->covalent;
    BERTH_TRY(need_maps("covalent", &run->level, error));
    BERTH_TRY(berth_covalent_find(run->typed, run->options.covalent, covalent, error));
    const double *atom = covalent->atoms[covalent->bonded].position;
    for (int k = 0; k < 3 && !run->typed->has_site; k++) {
        run->site.center[k] = atom[k];
        run->site.size[k] = COVALENT_BOX;
    }
    run->receptors.covalent = covalent;
    berth_note(run->log, "covalent: to %s of %s", covalent->atom, covalent->text);
    const double outside = berth_site_outside(&run->site, atom);
    if (outside > BOND_REACH) {
        berth_warn(run->log, "covalent",
                   "covalent: %s of %s lies %.0f \xc3\x85 outside the box, which ligands that are "
                   "bonded to it do not reach",
                   covalent->atom, covalent->text, outside);
    }
    return BERTH_OK;
}

/* Makes the known pose an adduct, as ligands are; a ligand that was cut out is changed for this run
 * alone. */
static enum berth_status bond_reference(struct berth_run *run, struct berth_error *error)
{
    if (!run->reference) {
        return BERTH_OK;
    }
    if (run->reference != &run->read) {
        BERTH_TRY(berth_molecule_copy(run->reference, &run->read)
                      ? BERTH_OK
                      : berth_out_of_memory(error, NULL));
        run->reference = &run->read;
    }
    BERTH_TRY(berth_covalent_complete(&run->covalent, &run->read, error));
    return berth_covalent_mark(&run->covalent, &run->read, error);
}

/* Readies what relaxes poses, if it is asked for. */
static enum berth_status open_mode_relaxer(struct berth_run *run, struct berth_error *error)
{
    if (!run->options.relax) {
        return BERTH_OK;
    }
    run->mode_relaxer.log = run->log;
    berth_mode_relaxer_receive(&run->mode_relaxer, run->receptors.receptors, run->receptors.count);
    return berth_relaxer_create(&run->typed->scoring, &run->mode_relaxer.relaxer, error);
}

/* --- All of it --- */

static enum berth_status check_choices(const struct berth_run *run, struct berth_error *error)
{
    const struct berth_choices choices = {.options = &run->options,
                                          .receptors = run->receptors.count > 1,
                                          .functions = run->typed->judge_count > 0,
                                          .metals = run->restraints.count > 0};
    return berth_choices_check(&choices, error);
}

/* How the run searches. */
static enum berth_status settle_search(struct berth_run *run, struct berth_error *error)
{
    const struct berth_options *options = &run->options;
    unsigned pool;
    BERTH_TRY(berth_search_options_pool(options, run->ranker.texts.pool, &run->ranker.names, &pool,
                                        error));
    run->search = berth_search_options_settings(options, &run->level, options->min_rmsd, pool);
    return berth_search_options_bound(&run->site, &run->search, error);
}

static enum berth_status open_docking(struct berth_run *run, struct berth_error *error)
{
    if (!is_surface(run)) { /* which is searched without any */
        BERTH_TRY(restrain(run, error));
    }
    BERTH_TRY(read_reference(run, error));
    if (run->options.covalent) {
        BERTH_TRY(find_covalent(run, error));
        BERTH_TRY(run->options.run == BERTH_RUN_DOCK ? bond_reference(run, error) : BERTH_OK);
    }
    BERTH_TRY(find_side_chains(run, error));
    return check_choices(run, error); /* now that it is known which metals draw */
}

enum berth_status berth_run_open(const struct berth_run_parts *parts, struct berth_run *run,
                                 struct berth_error *error)
{
    const struct berth_options *options = &run->options;
    const bool searches = parts->options->run != BERTH_RUN_SCORE;
    run->log = parts->log;
    BERTH_TRY(berth_options_copy(parts->options, &run->options, error));
    BERTH_TRY(berth_builder_check(options->prepare.builder, error));
    BERTH_TRY(check_tags(options, error));
    BERTH_TRY(take_devices(parts->devices, run, error));
    BERTH_TRY(take_receptors(parts, run, error));
    BERTH_TRY(parts->receptor_count ? BERTH_OK : read_functions(run, error));
    run->typed = parts->receptor_count ? &parts->receptors[0]->typed : run->owned;
    run->scoring = parts->receptor_count ? parts->receptors[0]->scoring : options->scoring;
    run->site = run->typed->site;
    run->modes = (struct berth_mode_choice){.num_modes = options->num_modes,
                                            .min_rmsd = options->min_rmsd,
                                            .energy_range = options->energy_range,
                                            .strain_weight = options->strain_weight,
                                            .max_clash = options->max_clash,
                                            .any_stereo = options->any_stereo};
    BERTH_TRY(check_choices(run, error));
    BERTH_TRY(searches ? berth_search_options_level(options, is_surface(run), &run->level, error)
                       : BERTH_OK);
    BERTH_TRY(check_site(parts, run, error));
    BERTH_TRY(open_rescorer(run, error));
    const struct berth_model *model = run->rescorer ? berth_rescorer_model(run->rescorer) : NULL;
    BERTH_TRY(berth_ranker_create(run->typed, options->rank, model, &run->ranker, error));
    run->ranker.rescorer = run->rescorer;
    run->ranker.names.confident = run->ranker.names.confident && searches;
    run->ranker.names.seeds = options->seeds;
    run->ranker.names.gnina_tags = options->tags;
    if (is_docking(run)) {
        BERTH_TRY(open_docking(run, error));
    } else if (parts->receptor_count) {
        BERTH_TRY(read_reference(run, error));
    }
    BERTH_TRY(open_mode_relaxer(run, error));
    return searches ? settle_search(run, error) : BERTH_OK;
}

enum berth_status berth_run_docking_setup(const struct berth_run *run,
                                          const struct berth_site *site,
                                          struct berth_docking_setup *setup,
                                          struct berth_error *error)
{
    const struct berth_options *options = &run->options;
    *setup = (struct berth_docking_setup){.search = run->search,
                                          .variant = berth_variant_unset(),
                                          .check_every = options->check,
                                          .patience = options->batch_limit};
    berth_ensemble_aim(&run->receptors, site, setup);
    BERTH_TRY(berth_ensemble_check(&run->receptors, site, run->log, error));
    return options->variant ? berth_variant_parse(options->variant, &setup->variant, error)
                            : BERTH_OK;
}

struct berth_stream_settings berth_run_ligands(const struct berth_run *run,
                                               const struct berth_site *site,
                                               const struct berth_log *log)
{
    const struct berth_ensemble *receptors = &run->receptors;
    const struct berth_refine_settings *refine = &run->search.refine;
    struct berth_stream_settings settings = {.receptors = receptors->count,
                                             .seeds = run->options.seeds,
                                             .flexible = refine->poses && refine->torsions,
                                             .scoring = &run->typed->scoring,
                                             .log = log,
                                             .judges = run->typed->judges,
                                             .judge_count = run->typed->judge_count,
                                             .restraints = receptors->restraints,
                                             .pool = run->search.pool,
                                             .side_chains = berth_ensemble_beside(receptors),
                                             .covalent = receptors->covalent};
    memcpy(settings.center, site->center, sizeof settings.center);
    return settings;
}

void berth_run_close(struct berth_run *run)
{
    berth_ranker_clear(&run->ranker);
    berth_rescorer_destroy(run->rescorer);
    berth_relaxer_destroy(run->mode_relaxer.relaxer);
    berth_restraints_clear(&run->restraints);
    for (size_t i = 0; run->side_chains && i < run->receptors.count; i++) {
        berth_side_chains_clear(&run->side_chains[i]);
    }
    free(run->side_chains);
    berth_covalent_clear(&run->covalent);
    berth_molecule_clear(&run->read);
    berth_devices_clear(&run->devices);
    if (run->owned) {
        berth_typed_receptor_clear(run->owned);
        free(run->owned);
    }
    berth_options_clear(&run->options);
}
