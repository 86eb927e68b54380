/* The options of `berth score`. */
#include "format/poses.h"
#include "options/peers.h"
#include "options/rows.h"
#include "options/tables.h"

typedef struct berth_score_request request;

/* What files of options for docking hold besides. */
#define AS_THEY_STAND "poses are scored as they stand: no box is needed, and nothing is searched"
#define NO_SEARCH(name)                                                                            \
    {                                                                                              \
        name, BERTH_OPTION_NO_EFFECT, .argument = "VALUE", .help = AS_THEY_STAND                   \
    }

const struct berth_option BERTH_SCORE_TABLE[] = {
    {"receptor", BERTH_FIELD(request, receptor), .argument = "FILE", .letter = 'r',
     .help = BERTH_RECEPTOR_HELP, .required = true},
    {"ligand_id", BERTH_FIELD(request, target.ligand_id), .argument = "RESIDUE",
     .help = "a ligand to cut out of the receptor, as `berth dock --ligand_id` does",
     .fallback = "none"},
    BERTH_OWN_SMILES_ROW(request, target),
    {"ligand", BERTH_FIELD(request, ligand), .argument = "FILE", .letter = 'l',
     .help = "poses, Mol2 (- for standard input), SDF, PDB or PDBQT (all .gz too), as they stand, "
             "their types "
             "but for Mol2 those that `berth dock` gives its ligands; or a library (.blib)",
     .fallback = "the ligand that ligand_id cuts out, written to NAME.ligand.pdb beside --out"},
    {"out", BERTH_FIELD(request, score.out), .argument = "FILE", .letter = 'o',
     .help = "CSV file to write, or - for standard output", .required = true},
    BERTH_SCORINGS_ROWS(request, target.forcefield, target.scoring, "vina"),
    BERTH_RANK_ROW(request, score.rank, "none"),
    {"reference", BERTH_FIELD(request, score.reference), .argument = "FILE",
     .help = "known pose that RMSDs are measured to (Mol2, SDF, PDB, PDBQT)",
     .fallback = "the ligand that ligand_id cuts out; of what is moved, where it stood"},
    BERTH_STEREO_ROW(request, score.any_stereo),
    {"minimize", BERTH_FIELD(request, score.minimize),
     .help = "let each molecule go downhill first"},
    {"refine_torsions", BERTH_FIELD(request, score.refine_torsions),
     .help = "with --minimize: refine torsions as well"},
    {"refine_evaluations", BERTH_FIELD(request, score.refine_evaluations), .argument = "N",
     .initial = 400, .help = "with --minimize: energies and gradients for a molecule, at most",
     .min = 1, .max = BERTH_EVALUATIONS_MAX},
    {"relax", BERTH_FIELD(request, score.relax),
     .help = "let each molecule's bond lengths, angles and rings go downhill as well, by the "
             "function and by MMFF94s together (needs RDKit, and all hydrogens)"},
    {"out_poses", BERTH_FIELD(request, score.out_poses), .argument = "FILE",
     .help = "the poses, as they stand, or where --minimize or --relax comes to, with rmsd from "
             "where they stood; all hydrogens are there",
     .list = berth_pose_endings, .fallback = "none"},
    BERTH_RESCORE_ROW(request, score.rescore, "each pose, too"),
    {"failures", BERTH_FIELD(request, score.failures), .argument = "FILE",
     .help = "CSV file for the molecules that failed", .fallback = "messages only"},
    {"device", BERTH_FIELD(request, devices.device), .argument = "D", .words = "cpu gpu",
     .help = "cpu, gpu, or a number or part of a name as `berth devices` prints them",
     .fallback = "the fastest-looking GPU, else a CPU"},
    BERTH_CPU_ROW(request, devices.cpu),
    BERTH_CONFIG_ROW,
    NO_SEARCH("center_x"),
    NO_SEARCH("center_y"),
    NO_SEARCH("center_z"),
    NO_SEARCH("size_x"),
    NO_SEARCH("size_y"),
    NO_SEARCH("size_z"),
    NO_SEARCH("autobox_ligand"),
    NO_SEARCH("autobox_add"),
    {"autobox", BERTH_OPTION_NO_EFFECT, .help = AS_THEY_STAND},
    {"score_only", BERTH_OPTION_NO_EFFECT, .help = AS_THEY_STAND},
    NO_SEARCH("exhaustiveness"),
    NO_SEARCH("num_modes"),
    NO_SEARCH("energy_range"),
    NO_SEARCH("min_rmsd"),
    NO_SEARCH("seed"),
    BERTH_PREP_RECEPTOR_ROW,
    BERTH_PEERS_ROW,
    {0}};

struct berth_score_request berth_score_request(void)
{
    request values = {.target.size = sizeof values.target,
                      .devices.size = sizeof values.devices,
                      .score.size = sizeof values.score};
    berth_options_defaults(BERTH_SCORE_TABLE, &values);
    /* The table has no box: no site is needed. */
    values.target.box = berth_screen_request().target.box;
    return values;
}
