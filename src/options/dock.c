/* The options of `berth dock`. */
#include "format/poses.h"
#include "options/peers.h"
#include "options/rows.h"
#include "options/tables.h"

typedef struct berth_dock_request request;

const struct berth_option BERTH_DOCK_TABLE[] = {
    {.help = "Input"},
    {"receptor", BERTH_FIELD(request, receptor), .argument = "FILE", .letter = 'r',
     .help = BERTH_RECEPTORS_HELP, .required = true},
    {"ligand", BERTH_FIELD(request, ligand), .argument = "FILE", .letter = 'l',
     .help =
         "ligands: Mol2, used as it is (- for standard input); SMILES, SDF, PDB and more, told by "
         "their endings and prepared as `berth prep ligands` does by default (all of them .gz too; "
         "for rigid searches, make a library with --conformers 20); or a library (.blib)",
     .fallback =
         "the ligand that ligand_id cuts out, written to NAME.ligand.pdb beside --out; with "
         "covalent the one that is bonded there, to NAME.ligand.smi"},
    BERTH_COLUMNS_ROWS(request, dock),
    BERTH_SCORINGS_ROWS(request, target.forcefield, target.scoring, "vina"),
    {"reference", BERTH_FIELD(request, dock.reference), .argument = "FILE",
     .help = "known pose that RMSDs are measured to (Mol2, SDF, PDB, PDBQT)",
     .fallback = "the ligand that ligand_id cuts out"},
    BERTH_STEREO_ROW(request, dock.any_stereo),
    {"separate", BERTH_FIELD(request, dock.separate),
     .help = "dock every molecule on its own (otherwise consecutive molecules with the same atoms, "
             "bonds and title, ignoring a trailing _C<digits> or _conf<digits>, are conformers of "
             "one ligand)"},
    BERTH_SITE_ROWS(request, target.box),
    BERTH_LIGAND_ID_ROW(request, target, "RMSDs are measured"),
    BERTH_OWN_SMILES_ROW(request, target),
    BERTH_OCCUPIED_ROW(request, target),
    {"site", BERTH_FIELD(request, dock.site), .argument = "surface", .words = "surface",
     .help =
         "surface: dock to the whole receptor instead of a box, rank the pockets where poses end, "
         "give the best pose in each, and write NAME.pockets.csv, NAME.agreed.csv (where several "
         "ligands agree) and NAME.pockets.pdb (points) beside --out",
     .fallback = "the box"},
    {.help = "Flexible side chains"},
    BERTH_FLEXIBLE_ROWS(request, dock, "NAME.side_chains.pdb beside --out NAME.sdf"),
    {.help = "Preparation, of ligands that are no Mol2 and no library"},
    BERTH_FORMS_ROWS(request, dock),
    {"builder", BERTH_FIELD(request, dock.builder), .argument = "B",
     .fallback = "fragments, or with conformers above 1 rdkit; openbabel where there is no RDKit",
     .help = "what builds the 3D coordinates of ligands that are prepared on the way, as in `berth "
             "prep ligands`: rdkit, fragments or openbabel"},
    {.help = "Covalent ligands"},
    {"covalent", BERTH_FIELD(request, dock.covalent), .argument = "ATOM",
     .help = BERTH_COVALENT_HELP, .fallback = "none"},
    BERTH_WARHEAD_ROWS(request, dock),
    {.help = "Proteins as ligands"},
    {"protein", BERTH_FIELD(request, protein),
     .help = "the ligand is a protein (PDB, mmCIF, .brec): rigid, over the whole surface or in a "
             "box; --out is a PDB with a model for each mode; scoring bude, num_modes 10 and "
             "min_rmsd 4 (of interfaces) unless they are given"},
    {"rotation_spacing", BERTH_FIELD(request, rotation_spacing), .argument = "D", .initial = 20,
     .help = "angle between the rotations that are tried", .unit = "degrees", .min = 4, .max = 90},
    {"starts", BERTH_FIELD(request, starts), .argument = "N", .initial = 500,
     .help = "how many of the best poses on maps are refined", .min = 1, .max = 100000},
    {.help = "Search"},
    BERTH_SEARCH_ROWS(request, search, "balanced"),
    BERTH_RESTRAINTS_ROWS(request, search, ""),
    BERTH_WATERS_ROWS(request, search),
    {"seed", BERTH_FIELD(request, search.seed), .argument = "N", .initial = 1,
     .help = "the same seed on the same device gives the same result, to the byte"},
    {.help = "Output"},
    {"out", BERTH_FIELD(request, dock.out), .argument = "FILE", .letter = 'o',
     .help = "poses with all atoms, bonds and scores (.gz too)", .list = berth_pose_endings,
     .required = true},
    {"out_also", BERTH_FIELD(request, dock.out_also), .argument = "FILE",
     .help = "the same poses and scores in another format, as PDBQT for the tools of Vina",
     .list = berth_pose_endings, .fallback = "none"},
    {"out_each", BERTH_FIELD(request, dock.out_each), .argument = "FOLDER",
     .help = "the same poses, a PDBQT file for each ligand (NAME.pdbqt), as Meeko reads them",
     .fallback = "none"},
    {"scores", BERTH_FIELD(request, dock.scores), .argument = "FILE",
     .help =
         "CSV with a row for each pose: pose_ranking and ranking (by --rank, where it is not "
         "score), score (energy + strain + W x conformer_strain; vina and vinardo divide it for "
         "rotors), energy and its terms, efficiency (energy per heavy atom), strain (of refined "
         "torsions), rmsd and more",
     .fallback = "none"},
    {"failures", BERTH_FIELD(request, dock.failures), .argument = "FILE",
     .help = "CSV of the ligands that failed, with the reasons",
     .fallback = "NAME.failures.csv for --out NAME.sdf"},
    BERTH_DB_ROW(request, dock.db),
    {"num_modes", BERTH_FIELD(request, dock.num_modes), .argument = "N", .initial = 9,
     .help = "most poses for each ligand", .min = 1, .max = 10000},
    BERTH_MIN_RMSD_ROW(request, dock.min_rmsd),
    BERTH_RANK_ROW(request, dock.rank, BERTH_DOCK_RANKING BERTH_RANK_SEARCHED),
    BERTH_RELAX_ROW(request, dock.relax),
    BERTH_RESCORE_ROW(request, dock.rescore, "the poses that are kept"),
    {"energy_range", BERTH_FIELD(request, dock.energy_range), .argument = "E", .initial = INFINITY,
     .help = "leave out poses this much above the best", .unit = "the unit of --scoring", .min = 0,
     .max = 1e6, .fallback = "any"},
    BERTH_MAX_CLASH_ROW(request, dock.max_clash, INFINITY, "any"),
    {"strain_weight", BERTH_FIELD(request, dock.strain_weight), .argument = "W",
     .help = "rank poses by energy + strain + W x conformer_strain; for ligands of a library and "
             "those prepared here",
     .min = 0, .max = 100},
    BERTH_DEVICE_ROWS(request, devices, search),
    BERTH_CONFIG_ROW,
    {"require", BERTH_OPTION_FOREIGN, .argument = "LIST",
     .help = "`berth interactions --require` lists which of the poses make them, `berth report "
             "--require` shows those, and `berth screen --require` keeps no others"},
    BERTH_PREP_RECEPTOR_ROW,
    BERTH_PREP_LIGANDS_ROW,
    BERTH_PEERS_ROW,
    {0}};

BERTH_REQUEST(dock, BERTH_DOCK_TABLE, .target.size = sizeof values.target,
              .devices.size = sizeof values.devices, .search.size = sizeof values.search,
              .dock.size = sizeof values.dock)
