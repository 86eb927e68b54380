/* berth eval: how good poses and rankings are, measured on what is known. */
#include <string.h>

#include "cli/common.h"
#include "cli/receptors.h"
#include "dock/exclusions.h"
#include "dock/open_devices.h"
#include "options/rows.h"
#include "options/tables.h"
#include "prep/ligands/ligands.h"
#include "eval/redock/redock.h"

struct values {
    struct berth_arguments inputs;
    struct berth_scoring_choice forcefield;
    const char *out, *smiles, *only, *mode, *builder, *device, *rank, *rescore;
    double size, ph, energy_window, conformer_rmsd, time_limit, min_rmsd, strain_weight;
    long long conformers, num_modes;
    bool relax, any_stereo;
    struct berth_search_options search;
};

static const struct cli_usage USAGE = {
    "eval redock", "SET --out DIR [options]",
    "Docks the ligand of each complex of a set back into its receptor, from the crystal's own\n"
    "conformer, with random torsions if you like, and from conformers that know nothing of the\n"
    "crystal, and reports how often the right pose comes first, at 1, 2 and 3 \xc3\x85, and whose\n"
    "failure each miss is: the search's, the energy's or the conformers'.  Bonds that a file "
    "lacks\n"
    "come from --smiles, else from Open Babel's perception; where that contradicts the file, the\n"
    "complex fails and is listed."};

static const struct berth_option OPTIONS[] = {
    {.help = "Input"},
    {"SET", BERTH_FIELD(struct values, inputs), .required = true, .max = 1,
     .help = "folder with sites.tsv (columns pdb, center_x, center_y, center_z: the boxes) and, "
             "for each row, a folder of that name with receptor and crystal: receptor.pdbqt, "
             ".pdb or .cif, or a prepared .brec or .mol2; crystal.pdbqt, .pdb or .cif, or, with "
             "bonds, .sdf or .mol2; and ligand.blib, if there is one, whose conformers are then "
             "taken instead of making some.  A folder that --out made is such a set, and needs no "
             "Open Babel"},
    {"smiles", BERTH_FIELD(struct values, smiles), .argument = "FILE",
     .help = "table (tab-separated columns pdb, smiles) of ligands, protonated as they are to be "
             "docked: their bonds come from there",
     .fallback = "bonds are perceived"},
    {"only", BERTH_FIELD(struct values, only), .argument = "LIST",
     .help = "only these complexes: names, separated by commas", .fallback = "all"},
    BERTH_SCORINGS_ROWS(struct values, forcefield.path, forcefield.scoring, "vina"),
    {.help = "What is docked"},
    {"mode", BERTH_FIELD(struct values, mode), .argument = "M", .initial_text = "both",
     .help =
         "crystal: the crystal's own conformer, rotated at random; torsions: the same, and each "
         "torsion takes a random angle; generated: conformers made from the ligand's graph "
         "alone, as `berth prep ligands` does; several, separated by commas; both: crystal and "
         "generated; all; or none: the set is prepared only, and no device is needed"},
    {"size", BERTH_FIELD(struct values, size), .argument = "A", .initial = 16,
     .help = "edges of the box about the centre that sites.tsv gives, in which the centroid of "
             "the ligand's heavy atoms may lie",
     .unit = "Å", .min = 0.1, .max = 1000},
    {"conformers", BERTH_FIELD(struct values, conformers), .argument = "N", .initial = 1, .min = 1,
     .max = 1000,
     .help = "generated conformers of a ligand, at most; 1: up to 5 structures, which differ in "
             "rings or bond angles, for searches with torsions (20 for rigid ones)"},
    {"builder", BERTH_FIELD(struct values, builder), .argument = "B",
     .fallback = "fragments, or with conformers above 1 rdkit; openbabel where there is no RDKit",
     .help =
         "what builds 3D coordinates: rdkit, fragments (pieces that RDKit builds once and berth "
         "joins: many times faster), or openbabel (med, slow, best or dg say how)"},
    {"energy_window", BERTH_FIELD(struct values, energy_window), .argument = "E", .initial = 100,
     .unit = "kJ/mol", .min = 0, .max = 1e6,
     .help = "leave out conformers whose MMFF94 energy is this much above the lowest"},
    {"conformer_rmsd", BERTH_FIELD(struct values, conformer_rmsd), .argument = "D", .initial = 0.5,
     .unit = "Å", .min = 0, .max = 100, .help = "RMSD between conformers, at least"},
    {"ph", BERTH_FIELD(struct values, ph), .argument = "PH", .initial = 7.4, .min = 0, .max = 14,
     .help = "protonate ligands for this pH, but those of --smiles"},
    {"time_limit", BERTH_FIELD(struct values, time_limit), .argument = "T", .initial = 300,
     .unit = "s", .min = 0.1, .max = 1e6, .help = "a ligand whose preparation takes longer fails"},
    {.help = "Search"},
    BERTH_SEARCH_ROWS(struct values, search, "balanced"),
    BERTH_RESTRAINTS_ROWS(struct values, search,
                          "; the name of a file in the folder of each complex that has one"),
    BERTH_STEREO_ROW(struct values, any_stereo),
    {"strain_weight", BERTH_FIELD(struct values, strain_weight), .argument = "W",
     .help = "rank poses by energy + W x strain of their conformer (where all strains are known)",
     .min = 0, .max = 100},
    {"seed", BERTH_FIELD(struct values, search.seed), .argument = "N", .initial = 1,
     .help = "of the search, and of the crystal conformer's rotation and torsions"},
    {.help = "Output"},
    {"out", BERTH_FIELD(struct values, out), .argument = "DIR",
     .help =
         "folder for redock.csv (a row a complex and mode), summary.md, redock.svg (success "
         "against RMSD), failures.csv, sites.tsv, and a folder for each complex: receptor.mol2, "
         "crystal.mol2, ligand.blib and the poses",
     .required = true},
    {"num_modes", BERTH_FIELD(struct values, num_modes), .argument = "N", .initial = 9,
     .help = "poses to give for each ligand, at most", .min = 1, .max = 10000},
    BERTH_MIN_RMSD_ROW(struct values, min_rmsd),
    BERTH_RANK_ROW(struct values, rank, BERTH_DOCK_RANKING BERTH_RANK_SEARCHED),
    BERTH_RELAX_ROW(struct values, relax),
    BERTH_RESCORE_ROW(struct values, rescore, "the poses"),
    {.help = "Device"},
    {"device", BERTH_FIELD(struct values, device), .argument = "D", .words = "all",
     .help = BERTH_DEVICES_HELP, .fallback = "the fastest-looking GPU, else a CPU"},
    BERTH_CONFIG_ROW,
    {0}};

/* Of values that are complete and were checked, but for the modes. */
static struct berth_redock_settings settings_of(const struct values *values,
                                                const struct berth_search_level *level, size_t pool)
{
    return (struct berth_redock_settings){
        .set = values->inputs.items[0],
        .smiles = values->smiles,
        .only = values->only,
        .out = values->out,
        .size = values->size,
        .preparation = {.ph = values->ph,
                        .builder = values->builder,
                        .conformers = (size_t)values->conformers,
                        .structures = BERTH_STRUCTURES,
                        .memory = (size_t)BERTH_WORKER_MEMORY * 1000000,
                        .energy_window = values->energy_window,
                        .min_rmsd = values->conformer_rmsd,
                        .limit = values->time_limit},
        .search = berth_search_options_settings(&values->search, level, INFINITY, pool),
        .restraints = values->search.restraints,
        .scoring = values->forcefield,
        .choice = {.num_modes = (size_t)values->num_modes,
                   .min_rmsd = values->min_rmsd,
                   .energy_range = INFINITY,
                   .strain_weight = values->strain_weight,
                   .any_stereo = values->any_stereo,
                   .max_clash = INFINITY}};
}

/* What a run holds. */
struct run {
    struct berth_redock *redock;
    struct berth_ranking_texts ranking;
    struct berth_typed_receptor functions;
    struct berth_rescorer *rescorer;     /* NULL: none is asked for */
    struct berth_relaxing relaxing;      /* its relaxer: likewise */
    struct berth_judging judging, alone; /* alone: by the first function, where nobody named a
                                            ranking; it owns nothing */
    struct berth_devices devices;
    struct berth_gatherer warnings;
};

/* The functions that are named, or those that the ranking needs. */
static enum berth_status read_functions(const struct values *values, bool named, struct run *run,
                                        struct berth_error *error)
{
    struct berth_scoring_choice choice = values->forcefield;
    enum berth_status status =
        values->rank && !named ? berth_ranking_find(values->rank, &run->ranking, error) : BERTH_OK;
    choice.scoring = run->ranking.scoring ? run->ranking.scoring : choice.scoring;
    BERTH_THEN(berth_typed_receptor_functions(&choice, cli_log(), &run->functions, error));
    if (!status && values->rescore && run->devices.count) {
        status = berth_rescorer_create(values->rescore, &run->devices, &run->rescorer, error);
    }
    BERTH_THEN(
        berth_judging_create(&run->functions, values->rank, run->rescorer, &run->judging, error));
    run->judging.names.twists = true;
    run->alone.functions[0] = run->judging.functions[0];
    run->alone.rescorer = run->rescorer;
    const size_t functions = run->alone.names.count;
    run->alone.names = run->judging.names;
    run->alone.names.count = functions;
    run->alone.names.ranked = BERTH_UNRANKED;
    return status;
}

static enum berth_status open_run(const struct values *values, bool named, struct run *run,
                                  struct berth_error *error)
{
    struct berth_search_level level;
    BERTH_TRY(berth_search_options_level(&values->search, false, &level, error));
    if (strcmp(values->mode, "none") != 0) {
        BERTH_TRY(berth_devices_look(values->device, cli_log(), &run->devices, error));
        BERTH_TRY(berth_devices_choose(&run->devices, values->device, error));
        berth_devices_check_tuning(&run->devices, cli_log());
    }
    BERTH_TRY(read_functions(values, named, run, error));
    struct berth_redock_settings settings = settings_of(values, &level, run->judging.texts.pool);
    enum berth_status status = berth_redock_modes_parse(values->mode, settings.modes, error);
    BERTH_THEN(berth_search_options_template(&values->search, &settings.pattern, error));
    BERTH_THEN(berth_search_options_metals(&values->search, &level, &settings.metal_sites, error));
    if (!status && values->relax) {
        const struct berth_choices choices = {
            .by = {[BERTH_CHOICE_RELAX] = "relax",
                   [BERTH_CHOICE_RESTRAINTS] = settings.restraints ? "restraints" : NULL,
                   [BERTH_CHOICE_TEMPLATE] = settings.pattern.path ? "template" : NULL}};
        status = berth_choices_check(&choices, error);
        BERTH_THEN(berth_relaxer_create(&run->functions.scoring, &run->relaxing.relaxer, error));
    }
    return status ? status : berth_redock_create(&settings, &run->redock, error);
}

static enum berth_status execute(const struct values *values, bool named, struct run *run,
                                 struct berth_error *error)
{
    const struct berth_log gathered = berth_gather(&run->warnings);
    run->relaxing.log = &gathered;
    const struct berth_redock_means means = {.functions = &run->functions,
                                             .judging = &run->judging,
                                             .alone = run->alone.names.count ? &run->alone : NULL,
                                             .relaxing = values->relax ? &run->relaxing : NULL,
                                             .devices = &run->devices,
                                             .log = cli_log(),
                                             .warnings = &gathered,
                                             .stop = cli_stop()};
    enum berth_status status = berth_builder_check(values->builder, error);
    BERTH_THEN(open_run(values, named, run, error));
    if (!status) {
        cli_catch_signals();
        status = berth_redock_run(run->redock, &means, error);
    }
    return status || strcmp(values->mode, "none") == 0
               ? status
               : berth_redock_summarize(run->redock, "-", error);
}

int cmd_eval_redock(int argc, char **argv)
{
    struct values values = {0};
    struct berth_parsed parsed = {0};
    struct berth_error error;
    berth_options_defaults(OPTIONS, &values);
    int code = cli_parse(&USAGE, OPTIONS, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON) {
        struct run run = {.warnings.next = cli_log()};
        const bool named = berth_options_given(OPTIONS, &parsed, "scoring");
        const char *rank =
            cli_ranking(OPTIONS, &parsed, &values.search, values.rank, BERTH_DOCK_RANKING);
        run.alone.names.count = rank != values.rank;
        values.rank = rank;
        const enum berth_status status = execute(&values, named, &run, &error);
        berth_gatherer_flush(&run.warnings);
        code = status                            ? cli_fatal(&error)
               : berth_redock_failed(run.redock) ? CLI_SOME_FAILED
                                                 : CLI_DONE;
        const bool hangs = run.redock && berth_redock_hangs(run.redock);
        berth_redock_destroy(run.redock);
        berth_devices_clear(&run.devices);
        berth_judging_clear(&run.judging);
        berth_rescorer_destroy(run.rescorer);
        berth_relaxer_destroy(run.relaxing.relaxer);
        berth_typed_receptor_clear(&run.functions);
        berth_ranking_texts_clear(&run.ranking);
        if (hangs) {
            cli_leave_devices(code);
        }
    }
    berth_parsed_clear(&parsed);
    return code;
}
