/* What options of other docking programs have in their place: rows of the tables of docking and
 * screening (base/options.h), of Vina, smina and gnina, AutoDock-GPU, Uni-Dock.  An option whose
 * work is not done is refused; one that a file of theirs may hold, and without which the run is the
 * same, is taken and remarked on. */
#ifndef BERTH_OPTIONS_PEERS_H
#define BERTH_OPTIONS_PEERS_H

#include "base/options.h"

#define BERTH_FLEX_ANSWER                                                                          \
    "`berth dock --flexible_residues` names side chains that move, of the receptor's own file"
#define BERTH_CNN_ANSWER                                                                           \
    "--rescore MODEL has a network judge poses; `berth model import` makes a model of gnina's "    \
    "weights"
#define BERTH_MAPS_ANSWER                                                                          \
    "maps are computed in memory, from the receptor itself: give --receptor and a box"

#define BERTH_PEERS_ROWS                                                                           \
    {"flex", BERTH_OPTION_FOREIGN, .help = BERTH_FLEX_ANSWER},                                     \
        {"flexres", BERTH_OPTION_FOREIGN, .help = BERTH_FLEX_ANSWER},                              \
        {"flexdist", BERTH_OPTION_FOREIGN, .help = BERTH_FLEX_ANSWER},                             \
        {"maps", BERTH_OPTION_FOREIGN, .help = BERTH_MAPS_ANSWER},                                 \
        {"write_maps", BERTH_OPTION_FOREIGN, .help = BERTH_MAPS_ANSWER},                           \
        {"spacing", BERTH_OPTION_NO_EFFECT, .argument = "D",                                       \
         .help = "poses are searched on maps of 0.375 Å, and their energies are exact"},           \
        {"force_even_voxels", BERTH_OPTION_NO_EFFECT, .help = "there are no voxels to count"},     \
        {"force", BERTH_OPTION_FOREIGN, .help = "give --overwrite"},                               \
        {"dir", BERTH_OPTION_FOREIGN, .help = "one file, --out, has the poses of all ligands"},    \
        {"randomize_only", BERTH_OPTION_FOREIGN,                                                   \
         .help = "nothing does that; every search begins at random"},                              \
        {"log", BERTH_OPTION_NO_EFFECT, .argument = "FILE",                                        \
         .help = "what is printed goes where you send it (> FILE), and --scores FILE is a table "  \
                 "of all poses"},                                                                  \
        {"verbosity", BERTH_OPTION_NO_EFFECT, .argument = "N",                                     \
         .help = "send standard output to /dev/null where nothing is to be seen"},                 \
        {"quiet", BERTH_OPTION_NO_EFFECT,                                                          \
         .help = "send standard output to /dev/null where nothing is to be seen"},                 \
        {"autobox_extend", BERTH_OPTION_NO_EFFECT, .argument = "BOOL",                             \
         .help = "the box bounds the centroid of a ligand, so that each can turn in it"},          \
        {"addH", BERTH_OPTION_NO_EFFECT, .argument = "BOOL",                                       \
         .help = "hydrogens are added, for pH 7.4; to keep your own, give Mol2, or a library "     \
                 "made with --keep_protonation"},                                                  \
        {"custom_scoring", BERTH_OPTION_FOREIGN,                                                   \
         .help = "--scoring takes a function of your own (.score): see docs/scoring.md"},          \
        {"cnn_scoring", BERTH_OPTION_FOREIGN, .help = BERTH_CNN_ANSWER},                           \
        {"cnn", BERTH_OPTION_FOREIGN, .help = BERTH_CNN_ANSWER},                                   \
        {"gpu", BERTH_OPTION_FOREIGN,                                                              \
         .help = "a GPU is used where there is one; --device gpu insists on it"},                  \
        {"no_gpu", BERTH_OPTION_FOREIGN, .help = "give --device cpu"},                             \
        {"ffile", BERTH_OPTION_FOREIGN, .help = BERTH_MAPS_ANSWER},                                \
        {"lfile", BERTH_OPTION_FOREIGN,                                                            \
         .help = "give the file as --ligand, or to `berth screen` as --library"},                  \
        {"filelist", BERTH_OPTION_FOREIGN,                                                         \
         .help = "`berth screen --library @LIST` takes the files that LIST names"},                \
        {"nrun", BERTH_OPTION_FOREIGN,                                                             \
         .help =                                                                                   \
             "--exhaustiveness says how much is searched, --num_modes how many poses are given"},  \
        {"devnum", BERTH_OPTION_FOREIGN,                                                           \
         .help = "give --device N, counted from 0 (`berth devices`)"},                             \
        {"resnam", BERTH_OPTION_FOREIGN, .help = "give --out"},                                    \
        {"xraylfile", BERTH_OPTION_FOREIGN, .help = "give --reference"},                           \
        {"gpu_batch", BERTH_OPTION_FOREIGN,                                                        \
         .help = "`berth screen --library` takes files with commas between, folders and @LIST"},   \
        {"ligand_index", BERTH_OPTION_FOREIGN,                                                     \
         .help = "`berth screen --library @LIST` takes the files that LIST names"},                \
    {                                                                                              \
        "search_mode", BERTH_OPTION_FOREIGN, .help = "give --search fast, balanced or thorough"    \
    }

#endif
