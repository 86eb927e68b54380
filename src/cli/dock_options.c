/* The options of `berth dock`. */
#include <math.h>

#include "cli/dock.h"
#include "cli/site.h"
#include "format/poses.h"

const struct berth_option DOCK_OPTIONS[] = {
    {.help = "Input"},
    {"receptor", BERTH_FIELD(struct dock_values, receptor), .argument = "FILE", .letter = 'r',
     .help = CLI_RECEPTORS_HELP, .required = true},
    {"ligand", BERTH_FIELD(struct dock_values, ligand), .argument = "FILE", .letter = 'l',
     .help =
         "ligands: Mol2 with one or many molecules (- for standard input) as they stand; SMILES, "
         "SDF, PDB and more by their endings, prepared on the way as by `berth prep ligands` "
         "without options (all .gz too; for rigid searches make a library with --conformers 20); "
         "or a library (.blib)",
     .required = true},
    CLI_FORCEFIELD_ROWS(struct dock_values),
    {"reference", BERTH_FIELD(struct dock_values, reference), .argument = "FILE",
     .help = "known pose to give RMSDs to (Mol2, SDF, PDB, PDBQT)", .fallback = "none"},
    {"separate", BERTH_FIELD(struct dock_values, separate),
     .help = "dock every molecule by itself (else consecutive molecules with the same title, a "
             "trailing _C<digits> or _conf<digits> aside, and the same atoms and bonds are "
             "conformers of one ligand and compete)"},
    CLI_SITE_ROWS(struct dock_values),
    {"site", BERTH_FIELD(struct dock_values, site), .argument = "surface", .words = "surface",
     .help =
         "surface: the whole receptor instead of a box: ranks the pockets where poses end, gives "
         "the best pose in each, and writes NAME.pockets.csv, NAME.agreed.csv (where several "
         "ligands agree) and NAME.pockets.pdb (points) beside --out",
     .fallback = "the box"},
    {.help = "Proteins as ligands"},
    {"protein", BERTH_FIELD(struct dock_values, protein),
     .help = "the ligand is a protein (PDB, mmCIF, .brec): rigid, over the whole surface or in a "
             "box; --out is a PDB with a model for each mode; scoring bude, num_modes 10 and "
             "min_rmsd 4 (of interfaces) unless they are given"},
    {"rotation_spacing", BERTH_FIELD(struct dock_values, rotation_spacing), .argument = "D",
     .help = "between its rotations", .unit = "degrees", .min = 4, .max = 90},
    {"starts", BERTH_FIELD(struct dock_values, starts), .argument = "N",
     .help = "poses that are refined, the best on maps", .min = 1, .max = 100000},
    {.help = "Search"},
    CLI_SEARCH_ROWS(struct dock_values),
    {"seed", BERTH_FIELD(struct dock_values, seed), .argument = "N",
     .help = "the same seed on the same device gives the same result, to the byte"},
    {.help = "Output"},
    {"out", BERTH_FIELD(struct dock_values, out), .argument = "FILE", .letter = 'o',
     .help = "poses with all atoms, bonds and scores (.gz too)", .list = berth_pose_endings,
     .required = true},
    {"scores", BERTH_FIELD(struct dock_values, scores), .argument = "FILE",
     .help =
         "CSV, a row a pose: score (what ranks: energy + strain + W x conformer_strain), energy "
         "and its terms, efficiency (energy for each heavy atom), strain (by torsions that "
         "were refined), rmsd and more",
     .fallback = "none"},
    {"failures", BERTH_FIELD(struct dock_values, failures), .argument = "FILE",
     .help = "CSV of the ligands that failed, with the reasons",
     .fallback = "NAME.failures.csv for --out NAME.sdf"},
    {"num_modes", BERTH_FIELD(struct dock_values, num_modes), .argument = "N",
     .help = "poses to give for each ligand, at most", .min = 1, .max = 10000},
    {"min_rmsd", BERTH_FIELD(struct dock_values, min_rmsd), .argument = "D",
     .help = "RMSD between these poses, at least (heavy atoms, symmetry-corrected)", .unit = "Å",
     .min = 0, .max = 100},
    {"energy_range", BERTH_FIELD(struct dock_values, energy_range), .argument = "E",
     .help = "give no pose this much above the best", .unit = "the unit of --scoring", .min = 0,
     .max = 1e6, .fallback = "any"},
    {"max_clash", BERTH_FIELD(struct dock_values, max_clash), .argument = "D",
     .help = CLI_MAX_CLASH_HELP, .unit = "Å", .min = 0, .max = 100, .fallback = "any"},
    {"strain_weight", BERTH_FIELD(struct dock_values, strain_weight), .argument = "W",
     .help = "rank poses by energy + strain + W x conformer_strain, for ligands of a "
             "library, and such as are prepared on the way",
     .min = 0, .max = 100},
    CLI_DEVICE_ROWS(struct dock_values),
    {"config", BERTH_FIELD(struct dock_values, config), .argument = "FILE",
     .help = "read options from a file: lines `name = value`; the command line wins"},
    /* What AutoDock Vina has. */
    {"score_only", BERTH_OPTION_FOREIGN,
     .help = "`berth score` gives the energies of poses as they stand"},
    {"local_only", BERTH_OPTION_FOREIGN,
     .help = "`berth score --minimize` lets poses go downhill from where they stand"},
    {"verbosity", BERTH_OPTION_FOREIGN,
     .help = "leave it out, and send standard output to /dev/null where nothing is to be seen"},
    {0}};

struct dock_values dock_defaults(void)
{
    return (struct dock_values){.forcefield = berth_scoring_defaults(),
                                .box.autobox_add = 4,
                                .min_rmsd = 1,
                                .energy_range = INFINITY,
                                .max_clash = INFINITY,
                                .search = cli_search_defaults("balanced"),
                                .num_modes = 9,
                                .devices = cli_devices_defaults(),
                                .rotation_spacing = 20,
                                .starts = 500,
                                .seed = 1};
}
