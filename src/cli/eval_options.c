/* The options of `berth eval redock`. */
#include <limits.h>
#include <string.h>

#include "cli/eval.h"

const struct berth_option EVAL_OPTIONS[] = {
    {.help = "Input"},
    {"SET", BERTH_FIELD(struct eval_values, inputs), .required = true,
     .help = "folder with sites.tsv (columns pdb, center_x, center_y, center_z: the boxes) and, "
             "for each row, a folder of that name with receptor and crystal: receptor.pdbqt, "
             ".pdb or .cif, or a prepared .brec or .mol2; crystal.pdbqt, .pdb or .cif, or, with "
             "bonds, .sdf or .mol2; and ligand.blib, if there is one, whose conformers are then "
             "taken instead of making some.  A folder that --out made is such a set, and needs no "
             "Open Babel"},
    {"smiles", BERTH_FIELD(struct eval_values, smiles), .argument = "FILE",
     .help = "table (tab-separated columns pdb, smiles) of ligands, protonated as they are to be "
             "docked: their bonds come from there",
     .fallback = "bonds are perceived"},
    {"only", BERTH_FIELD(struct eval_values, only), .argument = "LIST",
     .help = "only these complexes: names with commas between", .fallback = "all"},
    CLI_FORCEFIELD_ROWS(struct eval_values),
    {.help = "What is docked"},
    {"mode", BERTH_FIELD(struct eval_values, mode), .argument = "M",
     .help = "crystal: the crystal's own conformer, turned at random; generated: conformers made "
             "from the ligand's graph alone, as `berth prep ligands` does; both; or none: the set "
             "is prepared only, and no device is needed"},
    {"size", BERTH_FIELD(struct eval_values, size), .argument = "A",
     .help = "edges of the box about the centre that sites.tsv gives, in which the centroid of "
             "the ligand's heavy atoms may lie",
     .unit = "Å", .min = 0.1, .max = 1000},
    {"conformers", BERTH_FIELD(struct eval_values, conformers), .argument = "N", .min = 1,
     .max = 1000, .help = "generated conformers of a ligand, at most"},
    {"builder", BERTH_FIELD(struct eval_values, builder), .argument = "SPEED",
     .help = "how Open Babel builds 3D coordinates: med, slow, best or dg"},
    {"energy_window", BERTH_FIELD(struct eval_values, energy_window), .argument = "E",
     .unit = "kJ/mol", .min = 0, .max = 1e6,
     .help = "leave out conformers whose MMFF94 energy is this much above the lowest"},
    {"conformer_rmsd", BERTH_FIELD(struct eval_values, conformer_rmsd), .argument = "D",
     .unit = "Å", .min = 0, .max = 100, .help = "RMSD between conformers, at least"},
    {"ph", BERTH_FIELD(struct eval_values, ph), .argument = "PH", .min = 0, .max = 14,
     .help = "protonate ligands for this pH, but those of --smiles"},
    {"time_limit", BERTH_FIELD(struct eval_values, time_limit), .argument = "T", .unit = "s",
     .min = 0.1, .max = 1e6, .help = "a ligand whose preparation takes longer fails"},
    {.help = "Search"},
    CLI_SEARCH_ROWS(struct eval_values),
    {"strain_weight", BERTH_FIELD(struct eval_values, strain_weight), .argument = "W",
     .help = "rank poses by energy + W x strain of their conformer (where all strains are known)",
     .min = 0, .max = 100},
    {"seed", BERTH_FIELD(struct eval_values, seed), .argument = "N",
     .help = "of the search and of the crystal conformer's turn"},
    {.help = "Output"},
    {"out", BERTH_FIELD(struct eval_values, out), .argument = "DIR",
     .help =
         "folder for redock.csv (a row a complex and mode), summary.md, redock.svg (success "
         "against RMSD), failures.csv, sites.tsv, and a folder for each complex: receptor.mol2, "
         "crystal.mol2, ligand.blib and the poses",
     .required = true},
    {"num_modes", BERTH_FIELD(struct eval_values, num_modes), .argument = "N",
     .help = "poses to give for each ligand, at most", .min = 1, .max = 10000},
    {"min_rmsd", BERTH_FIELD(struct eval_values, min_rmsd), .argument = "D",
     .help = "RMSD between these poses, at least (heavy atoms, symmetry-corrected)", .unit = "Å",
     .min = 0, .max = 100},
    {.help = "Device"},
    {"device", BERTH_FIELD(struct eval_values, device), .argument = "D", .help = CLI_DEVICES_HELP,
     .fallback = "the fastest-looking GPU, else a CPU"},
    {"config", BERTH_FIELD(struct eval_values, config), .argument = "FILE",
     .help = "read options from a file: lines `name = value`; the command line wins"},
    {0}};

struct eval_values eval_defaults(void)
{
    return (struct eval_values){.forcefield = berth_scoring_defaults(),
                                .mode = "both",
                                .size = 16,
                                .conformers = 20,
                                .builder = "slow",
                                .energy_window = 100,
                                .conformer_rmsd = 0.5,
                                .ph = 7.4,
                                .time_limit = 300,
                                .search = cli_search_defaults("balanced"),
                                .num_modes = 9,
                                .min_rmsd = 1,
                                .seed = 1};
}

const char *eval_mode_name(enum eval_mode mode)
{
    return mode == EVAL_CRYSTAL ? "crystal" : "generated";
}

void eval_path(const struct eval_values *values, const char *folder, const char *name, char *path)
{
    snprintf(path, PATH_MAX, "%s/%s%s%s", values->out, folder ? folder : "", folder ? "/" : "",
             name);
}
