/* An option whose work is not done is refused; one that a file of theirs may hold, and without
 * which the run is the same, is taken and remarked on.  Either is taken without a word where it
 * says what holds here anyway (initial_text; of a flag: false). */
#include "options/peers.h"

#define REFUSED BERTH_OPTION_FOREIGN
#define IDLE    BERTH_OPTION_NO_EFFECT

#define ATOMTYPES                                                                                  \
    "scoring functions are text: a copy of one with other parameters is a function of its own "    \
    "(--scoring FILE, docs/scoring.md)"
#define AUTODOCK4                                                                                  \
    "it is of AutoDock4's function, which berth lacks: --scoring takes vina, vinardo, plp, bude "  \
    "or a file of your own"
#define CNN                                                                                        \
    "--rescore MODEL has a network judge poses; `berth model import` makes a model of gnina's "    \
    "weights"
#define COVALENT                                                                                   \
    "--covalent A:CYS25:SG bonds ligands to an atom of the receptor; what binds of them follows "  \
    "from a table of reactions (--reactions)"
#define EFFORT  "--search LEVEL says how much is searched, or --exhaustiveness and --generations"
#define FLEX    "--flexible_residues names side chains that move, of the receptor's own file"
#define LIBRARY "`berth screen --library` takes files with commas between, folders and @LIST"
#define MAPS    "maps are computed in memory, from the receptor itself: give --receptor and a box"
#define MINIMIZE                                                                                   \
    "`berth score --minimize --refine_torsions` lets poses go downhill from where they stand, by " \
    "--refine_evaluations at most"
#define NUMERICS "it says how other programs approximate; energies of poses are exact here"
#define OUT      "--out names the one file that all poses are in, and --scores a table of them"
#define SIDE_CHAINS                                                                                \
    "side chains that moved are in NAME.side_chains.pdb beside --out NAME.sdf, a model a pose"
#define SILENCE "send standard output to /dev/null where nothing is to be seen"
#define WEIGHT                                                                                     \
    "weights are in a scoring function's file: change a copy of data/scoring/vina.score or "       \
    "vinardo.score, and give it as --scoring FILE (docs/scoring.md)"

const struct berth_option BERTH_PEERS_TABLE[] = {
    /* AutoDock Vina, up to 1.2.7; QuickVina has the options of Vina 1.1. */
    {"flex", REFUSED, .argument = "FILE", .help = FLEX},
    {"batch", REFUSED, .argument = "FILE", .help = LIBRARY},
    {"maps", REFUSED, .argument = "PREFIX", .help = MAPS},
    {"write_maps", REFUSED, .argument = "PREFIX", .help = MAPS},
    {"autobox", REFUSED,
     .help = "--autobox_ligand FILE has the box about a molecule, and `berth score` needs none"},
    {"dir", REFUSED, .argument = "DIR",
     .help =
         "one file, --out, has the poses of all ligands, and --out_each DIR writes one of each; "
         "`berth screen --out` names a folder"},
    {"log", IDLE, .argument = "FILE",
     .help = "what is printed goes where you send it (> FILE), and --scores FILE is a table of all "
             "poses"},
    {"score_only", REFUSED, .help = "`berth score` gives the energies of poses as they stand"},
    {"local_only", REFUSED, .help = MINIMIZE},
    {"no_refine", REFUSED,
     .help = "poses that are reported always go downhill by exact energies; --refine says how "
             "many"},
    {"force_even_voxels", IDLE, .help = "there are no voxels to count"},
    {"randomize_only", REFUSED, .help = "nothing does that; every search begins at random"},
    {"spacing", IDLE, .argument = "D", .initial_text = "0.375",
     .help = "poses are searched on maps of 0.375 Å, and their energies are exact"},
    {"max_evals", REFUSED, .argument = "N", .initial_text = "0", .help = EFFORT},
    {"verbosity", IDLE, .argument = "N", .initial_text = "1", .help = SILENCE},
    {"energy_range", IDLE, .argument = "E",
     .help = "a screen keeps the best --num_modes poses of each ligand, 1 unless given"},
    {"unbound_energy", REFUSED, .argument = "E",
     .help = "score leaves out what is inside the ligand; strain measures that against the "
             "conformer"},
    {"weight_gauss1", REFUSED, .argument = "W", .initial_text = "-0.035579", .help = WEIGHT},
    {"weight_gauss2", REFUSED, .argument = "W", .initial_text = "-0.005156", .help = WEIGHT},
    {"weight_repulsion", REFUSED, .argument = "W", .initial_text = "0.840245", .help = WEIGHT},
    {"weight_hydrophobic", REFUSED, .argument = "W", .initial_text = "-0.035069", .help = WEIGHT},
    {"weight_hydrogen", REFUSED, .argument = "W", .initial_text = "-0.587439", .help = WEIGHT},
    {"weight_rot", REFUSED, .argument = "W", .initial_text = "0.05846", .help = WEIGHT},
    {"weight_vinardo_gauss1", REFUSED, .argument = "W", .initial_text = "-0.045", .help = WEIGHT},
    {"weight_vinardo_repulsion", REFUSED, .argument = "W", .initial_text = "0.8", .help = WEIGHT},
    {"weight_vinardo_hydrophobic", REFUSED, .argument = "W", .initial_text = "-0.035",
     .help = WEIGHT},
    {"weight_vinardo_hydrogen", REFUSED, .argument = "W", .initial_text = "-0.6", .help = WEIGHT},
    {"weight_vinardo_rot", REFUSED, .argument = "W", .initial_text = "0.05846", .help = WEIGHT},
    {"weight_ad4_vdw", IDLE, .argument = "W", .help = AUTODOCK4},
    {"weight_ad4_hb", IDLE, .argument = "W", .help = AUTODOCK4},
    {"weight_ad4_elec", IDLE, .argument = "W", .help = AUTODOCK4},
    {"weight_ad4_dsolv", IDLE, .argument = "W", .help = AUTODOCK4},
    {"weight_ad4_rot", IDLE, .argument = "W", .help = AUTODOCK4},
    {"weight_glue", IDLE, .argument = "W", .initial_text = "50",
     .help = "rings stay closed: preparation builds several shapes of them"},
    {"version", REFUSED, .help = "`berth --version` prints it"},

    /* Vina-GPU. */
    {"thread", REFUSED, .argument = "N", .help = EFFORT},
    {"search_depth", REFUSED, .argument = "N", .help = EFFORT},
    {"rilc_bfgs", IDLE, .argument = "N", .help = NUMERICS},
    {"opencl_binary_path", IDLE, .argument = "DIR", .help = "berth brings its kernels along"},
    {"ligand_directory", REFUSED, .argument = "DIR", .help = LIBRARY},
    {"output_directory", REFUSED, .argument = "DIR",
     .help = "one file, --out, has the poses of all ligands; `berth screen --out` names a folder"},

    /* smina and gnina. */
    {"flexres", REFUSED, .argument = "LIST", .letter = 'F', .help = FLEX},
    {"flexdist", REFUSED, .argument = "D",
     .help = "--flexible_within D has side chains move that are near to the reference"},
    {"flexdist_ligand", REFUSED, .argument = "FILE",
     .help = "--flexible_within is measured from --reference, or from what --ligand_id cuts out"},
    {"flex_limit", REFUSED, .argument = "N", .help = "give --flexible_most N"},
    {"flex_max", REFUSED, .argument = "N", .help = "give --flexible_most N"},
    {"flex_hydrogens", REFUSED, .help = "hydrogens are placed when poses are written, not docked"},
    {"no_lig", REFUSED, .help = "nothing docks side chains alone"},
    {"autobox_extend", IDLE, .argument = "BOOL",
     .help = "the box bounds the centroid of a ligand, so that each can turn in it"},
    {"covalent_rec_atom", REFUSED, .argument = "ATOM", .help = COVALENT},
    {"covalent_lig_atom_pattern", REFUSED, .argument = "SMARTS", .help = COVALENT},
    {"covalent_lig_atom_position", REFUSED, .argument = "X,Y,Z", .help = COVALENT},
    {"covalent_fix_lig_atom_position", REFUSED, .help = COVALENT},
    {"covalent_bond_order", REFUSED, .argument = "N", .initial_text = "1", .help = COVALENT},
    {"covalent_optimize_lig", REFUSED, .help = COVALENT},
    {"out_flex", IDLE, .argument = "FILE", .help = SIDE_CHAINS},
    {"atom_terms", REFUSED, .argument = "FILE",
     .help = "`berth interactions` says what each atom of a pose meets; the terms of a pose are "
             "columns of --scores"},
    {"atom_term_data", REFUSED,
     .help = "`berth interactions` says what each atom of a pose meets; the terms of a pose are "
             "columns of --scores"},
    {"pose_sort_order", REFUSED, .argument = "WHAT",
     .help = "--rank orders poses: by any column, or, with --rescore, learned"},
    {"custom_scoring", REFUSED, .argument = "FILE",
     .help = "--scoring takes a function of your own (.score): see docs/scoring.md"},
    {"custom_atoms", REFUSED, .argument = "FILE", .help = ATOMTYPES},
    {"minimize", REFUSED, .help = MINIMIZE},
    {"minimize_iters", REFUSED, .argument = "N", .initial_text = "0", .help = MINIMIZE},
    {"minimize_early_term", IDLE, .help = NUMERICS},
    {"minimize_single_full", IDLE, .help = NUMERICS},
    {"accurate_line", IDLE, .help = NUMERICS},
    {"simple_ascent", IDLE, .help = NUMERICS},
    {"approximation", IDLE, .argument = "WHAT", .help = NUMERICS},
    {"factor", IDLE, .argument = "N", .help = NUMERICS},
    {"force_cap", IDLE, .argument = "N", .help = NUMERICS},
    {"num_mc_steps", REFUSED, .argument = "N", .help = EFFORT},
    {"max_mc_steps", REFUSED, .argument = "N", .help = EFFORT},
    {"num_mc_saved", REFUSED, .argument = "N", .help = "--num_modes says how many poses are kept"},
    {"temperature", REFUSED, .argument = "T", .help = EFFORT},
    {"user_grid", REFUSED, .argument = "FILE",
     .help = "--restraints draws atoms to places, or keeps them away (docs/restraints.md)"},
    {"user_grid_lambda", REFUSED, .argument = "W",
     .help = "--restraints draws atoms to places, or keeps them away (docs/restraints.md)"},
    {"print_terms", REFUSED, .help = "docs/scoring.md has the terms of each function"},
    {"print_atom_types", REFUSED, .help = "docs/scoring.md has the types of each function"},
    {"min_rmsd_filter", REFUSED, .argument = "D", .initial_text = "1", .help = "give --min_rmsd D"},
    {"addH", IDLE, .argument = "BOOL",
     .help = "hydrogens are added, for pH 7.4; to keep your own, give Mol2, or a library made with "
             "--keep_protonation"},
    {"stripH", IDLE, .argument = "BOOL",
     .help = "energies are of heavy atoms, and poses have all atoms"},
    {"quiet", IDLE, .letter = 'q', .help = SILENCE},
    {"gpu", REFUSED, .help = "a GPU is used where there is one; --device gpu insists on it"},
    {"no_gpu", REFUSED, .help = "give --device cpu"},
    {"cnn_scoring", REFUSED, .argument = "LEVEL", .initial_text = "none", .help = CNN},
    {"cnn", REFUSED, .argument = "NAME", .help = CNN},
    {"cnn_model", REFUSED, .argument = "FILE", .help = CNN},
    {"cnn_weights", REFUSED, .argument = "FILE", .help = CNN},
    {"cnn_rotation", REFUSED, .argument = "N", .initial_text = "0", .help = CNN},
    {"cnn_resolution", REFUSED, .argument = "D", .help = CNN},
    {"cnn_scoring_mult", REFUSED, .argument = "N", .help = CNN},
    {"cnn_empirical_weight", REFUSED, .argument = "W", .help = CNN},
    {"cnn_mix_emp_energy", REFUSED, .help = CNN},
    {"cnn_mix_emp_force", REFUSED, .help = CNN},
    {"cnn_center_x", REFUSED, .argument = "X", .help = CNN},
    {"cnn_center_y", REFUSED, .argument = "Y", .help = CNN},
    {"cnn_center_z", REFUSED, .argument = "Z", .help = CNN},
    {"cnn_cpu", REFUSED, .help = CNN},
    {"cnn_verbose", REFUSED, .help = CNN},

    /* AutoDock-GPU. */
    {"ffile", REFUSED, .argument = "FILE", .letter = 'M', .help = MAPS},
    {"lfile", REFUSED, .argument = "FILE", .letter = 'L',
     .help = "give the file as --ligand, or to `berth screen` as --library"},
    {"filelist", REFUSED, .argument = "FILE", .letter = 'B', .help = LIBRARY},
    {"import_dpf", REFUSED, .argument = "FILE", .letter = 'I',
     .help = "give --receptor, --ligand and a box"},
    {"resnam", REFUSED, .argument = "NAME", .letter = 'N', .help = OUT},
    {"xraylfile", REFUSED, .argument = "FILE", .letter = 'R', .help = "give --reference FILE"},
    {"devnum", REFUSED, .argument = "N", .letter = 'D',
     .help = "give --device N, counted from 0 (`berth devices`)"},
    {"derivtype", REFUSED, .argument = "LIST", .letter = 'T', .help = ATOMTYPES},
    {"modpair", REFUSED, .argument = "LIST", .letter = 'P', .help = ATOMTYPES},
    {"nrun", REFUSED, .argument = "N", .letter = 'n',
     .help = "--exhaustiveness says how much is searched, --num_modes how many poses are given"},
    {"heuristics", REFUSED, .argument = "N", .letter = 'H', .help = EFFORT},
    {"heurmax", REFUSED, .argument = "N", .letter = 'E', .help = EFFORT},
    {"autostop", REFUSED, .argument = "N", .letter = 'A', .help = EFFORT},
    {"asfreq", REFUSED, .argument = "N", .letter = 'a', .help = EFFORT},
    {"stopstd", REFUSED, .argument = "E", .help = EFFORT},
    {"nev", REFUSED, .argument = "N", .letter = 'e', .help = EFFORT},
    {"ngen", REFUSED, .argument = "N", .letter = 'g', .help = EFFORT},
    {"psize", REFUSED, .argument = "N", .letter = 'p', .help = EFFORT},
    {"lsmet", REFUSED, .argument = "WHAT", .help = EFFORT},
    {"lsit", REFUSED, .argument = "N", .letter = 'i', .help = EFFORT},
    {"lsrat", REFUSED, .argument = "N", .help = EFFORT},
    {"lsmov", REFUSED, .argument = "D", .help = EFFORT},
    {"lsang", REFUSED, .argument = "D", .help = EFFORT},
    {"mrat", REFUSED, .argument = "N", .help = EFFORT},
    {"crat", REFUSED, .argument = "N", .help = EFFORT},
    {"trat", REFUSED, .argument = "N", .help = EFFORT},
    {"dmov", REFUSED, .argument = "D", .help = EFFORT},
    {"dang", REFUSED, .argument = "D", .help = EFFORT},
    {"rholb", REFUSED, .argument = "N", .help = EFFORT},
    {"cslim", REFUSED, .argument = "N", .help = EFFORT},
    {"initswgens", REFUSED, .argument = "N", .help = EFFORT},
    {"smooth", REFUSED, .argument = "D", .help = AUTODOCK4},
    {"elecmindist", REFUSED, .argument = "D", .help = AUTODOCK4},
    {"modqp", REFUSED, .argument = "N", .help = AUTODOCK4},
    {"ubmod", REFUSED, .argument = "N", .letter = 'u', .help = AUTODOCK4},
    {"cgmaps", REFUSED, .argument = "N", .help = AUTODOCK4},
    {"hsym", IDLE, .argument = "N", .initial_text = "1",
     .help = "RMSDs are always corrected for symmetry"},
    {"rmstol", REFUSED, .argument = "D", .help = "give --min_rmsd D"},
    {"rlige", REFUSED, .argument = "N",
     .help = "`berth score` gives the energies of poses as they stand"},
    {"contact_analysis", REFUSED, .argument = "N", .letter = 'C',
     .help = "`berth interactions` says what poses meet"},
    {"loadxml", REFUSED, .argument = "FILE", .letter = 'c',
     .help = "every search begins at random; --template begins at a known pose"},
    {"xml2dlg", REFUSED, .argument = "FILE", .letter = 'X', .help = OUT},
    {"xmloutput", REFUSED, .argument = "N", .letter = 'x', .initial_text = "0", .help = OUT},
    {"dlgoutput", REFUSED, .argument = "N", .letter = 'd', .initial_text = "0", .help = OUT},
    {"dlg2stdout", REFUSED, .argument = "N", .letter = '2', .initial_text = "0", .help = OUT},
    {"gfpop", REFUSED, .argument = "N", .initial_text = "0", .help = OUT},
    {"npdb", REFUSED, .argument = "N", .initial_text = "0", .help = OUT},
    {"gbest", REFUSED, .argument = "N", .initial_text = "0",
     .help = "--num_modes 1 keeps the best pose alone"},

    /* Uni-Dock. */
    {"gpu_batch", REFUSED, .argument = "FILE", .help = LIBRARY},
    {"ligand_index", REFUSED, .argument = "FILE", .help = LIBRARY},
    {"paired_batch_size", REFUSED, .argument = "N",
     .help = "a run has one site: dock each complex in its own"},
    {"search_mode", REFUSED, .argument = "MODE",
     .help = "give --search fastest, fast, balanced or thorough"},
    {"max_step", REFUSED, .argument = "N", .initial_text = "0", .help = EFFORT},
    {"refine_step", REFUSED, .argument = "N", .help = "--refine_evaluations says how far"},
    {"max_gpu_memory", IDLE, .argument = "M", .initial_text = "0",
     .help = "batches are made to fit the device; --batch N has smaller ones"},
    {"bias", REFUSED, .argument = "FILE",
     .help = "--restraints draws atoms to places, or keeps them away (docs/restraints.md)"},
    {"multi_bias", REFUSED,
     .help = "--restraints draws atoms to places, or keeps them away (docs/restraints.md)"},
    {"keep_nonpolar_H", IDLE, .help = "energies are of heavy atoms, and poses have all atoms"},
    {0}};
