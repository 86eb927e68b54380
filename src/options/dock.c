/* The options of `berth dock`. */
#include "format/poses.h"
#include "options/rows.h"
#include "options/tables.h"

typedef struct berth_dock_request request;

const struct berth_option BERTH_DOCK_TABLE[] = {
    {.help = "Input"},
    {"receptor", BERTH_FIELD(request, receptor), .argument = "FILE", .letter = 'r',
     .help = BERTH_RECEPTORS_HELP, .required = true},
    {"ligand", BERTH_FIELD(request, ligand), .argument = "FILE", .letter = 'l',
     .help =
         "ligands: Mol2 with one or many molecules (- for standard input) as they stand; SMILES, "
         "SDF, PDB and more by their endings, prepared on the way as by `berth prep ligands` "
         "without options (all .gz too; for rigid searches make a library with --conformers 20); "
         "or a library (.blib)",
     .required = true},
    BERTH_SCORING_ROWS(request, target.forcefield, target.scoring, "vina"),
    {"reference", BERTH_FIELD(request, dock.reference), .argument = "FILE",
     .help = "known pose to give RMSDs to (Mol2, SDF, PDB, PDBQT)", .fallback = "none"},
    {"separate", BERTH_FIELD(request, dock.separate),
     .help = "dock every molecule by itself (else consecutive molecules with the same title, a "
             "trailing _C<digits> or _conf<digits> aside, and the same atoms and bonds are "
             "conformers of one ligand and compete)"},
    BERTH_SITE_ROWS(request, target.box),
    {"site", BERTH_FIELD(request, site), .argument = "surface", .words = "surface",
     .help =
         "surface: the whole receptor instead of a box: ranks the pockets where poses end, gives "
         "the best pose in each, and writes NAME.pockets.csv, NAME.agreed.csv (where several "
         "ligands agree) and NAME.pockets.pdb (points) beside --out",
     .fallback = "the box"},
    {.help = "Proteins as ligands"},
    {"protein", BERTH_FIELD(request, protein),
     .help = "the ligand is a protein (PDB, mmCIF, .brec): rigid, over the whole surface or in a "
             "box; --out is a PDB with a model for each mode; scoring bude, num_modes 10 and "
             "min_rmsd 4 (of interfaces) unless they are given"},
    {"rotation_spacing", BERTH_FIELD(request, rotation_spacing), .argument = "D", .initial = 20,
     .help = "between its rotations", .unit = "degrees", .min = 4, .max = 90},
    {"starts", BERTH_FIELD(request, starts), .argument = "N", .initial = 500,
     .help = "poses that are refined, the best on maps", .min = 1, .max = 100000},
    {.help = "Search"},
    BERTH_SEARCH_ROWS(request, search, "balanced"),
    {"seed", BERTH_FIELD(request, search.seed), .argument = "N", .initial = 1,
     .help = "the same seed on the same device gives the same result, to the byte"},
    {.help = "Output"},
    {"out", BERTH_FIELD(request, out), .argument = "FILE", .letter = 'o',
     .help = "poses with all atoms, bonds and scores (.gz too)", .list = berth_pose_endings,
     .required = true},
    {"scores", BERTH_FIELD(request, scores), .argument = "FILE",
     .help =
         "CSV, a row a pose: score (what ranks: energy + strain + W x conformer_strain), energy "
         "and its terms, efficiency (energy for each heavy atom), strain (by torsions that "
         "were refined), rmsd and more",
     .fallback = "none"},
    {"failures", BERTH_FIELD(request, failures), .argument = "FILE",
     .help = "CSV of the ligands that failed, with the reasons",
     .fallback = "NAME.failures.csv for --out NAME.sdf"},
    {"num_modes", BERTH_FIELD(request, dock.num_modes), .argument = "N", .initial = 9,
     .help = "poses to give for each ligand, at most", .min = 1, .max = 10000},
    BERTH_MIN_RMSD_ROW(request, dock.min_rmsd),
    {"energy_range", BERTH_FIELD(request, dock.energy_range), .argument = "E", .initial = INFINITY,
     .help = "give no pose this much above the best", .unit = "the unit of --scoring", .min = 0,
     .max = 1e6, .fallback = "any"},
    BERTH_MAX_CLASH_ROW(request, dock.max_clash, INFINITY, "any"),
    {"strain_weight", BERTH_FIELD(request, dock.strain_weight), .argument = "W",
     .help = "rank poses by energy + strain + W x conformer_strain, for ligands of a "
             "library, and such as are prepared on the way",
     .min = 0, .max = 100},
    {"builder", BERTH_FIELD(request, dock.builder), .argument = "B",
     .fallback = "rdkit where it is there, else openbabel",
     .help = "what builds the 3D coordinates of ligands that are prepared on the way, as in `berth "
             "prep ligands`: rdkit, fragments or openbabel"},
    BERTH_DEVICE_ROWS(request, devices, search),
    BERTH_CONFIG_ROW,
    /* What AutoDock Vina has. */
    {"score_only", BERTH_OPTION_FOREIGN,
     .help = "`berth score` gives the energies of poses as they stand"},
    {"local_only", BERTH_OPTION_FOREIGN,
     .help = "`berth score --minimize` lets poses go downhill from where they stand"},
    {"verbosity", BERTH_OPTION_FOREIGN,
     .help = "leave it out, and send standard output to /dev/null where nothing is to be seen"},
    {0}};

struct berth_dock_request berth_dock_request(void)
{
    request values = {.target.size = sizeof values.target,
                      .devices.size = sizeof values.devices,
                      .search.size = sizeof values.search,
                      .dock.size = sizeof values.dock};
    berth_options_defaults(BERTH_DOCK_TABLE, &values);
    return values;
}
