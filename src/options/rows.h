/* Rows of option tables (base/options.h) that several commands have. */
#ifndef BERTH_OPTIONS_ROWS_H
#define BERTH_OPTIONS_ROWS_H

#include <math.h>

#include "base/options.h"
#include "engine/refine.h"
#include "engine/search.h"
#include "options/search.h"
#include "options/tables.h"
#include "prep/prepare.h"

/* What --device takes where several may be named. */
#define BERTH_DEVICES_HELP                                                                         \
    "cpu, gpu, numbers or parts of names as `berth devices` prints them, separated by commas; or " \
    "all"

/* What --receptor takes. */
#define BERTH_RECEPTOR_HELP                                                                        \
    "receptor: .brec from `berth prep receptor`; PDB, mmCIF or PDBQT, prepared as that command "   \
    "does "                                                                                        \
    "by default; or Mol2, used as it is"

/* The same, of runs that dock. */
#define BERTH_RECEPTORS_HELP                                                                       \
    BERTH_RECEPTOR_HELP                                                                            \
    "; or several, separated by commas: superposed structures of one site, of which each "         \
    "ligand keeps its best"

/* Of tables of scores whose ligands are states of molecules. */
#define BERTH_STATES_ROW(type, member)                                                             \
    {                                                                                              \
        "states", BERTH_FIELD(type, member),                                                       \
            .help = "names say what is a state of what, too, not the column state_of alone: "      \
                    "NAME_1, NAME_2, NAME_2_1 ... are states of NAME, or of NAME_2 if that is "    \
                    "among the actives or decoys"                                                  \
    }

/* A file of options. */
#define BERTH_CONFIG_ROW                                                                           \
    {                                                                                              \
        "config", BERTH_OPTION_CONFIG,                                                             \
            .argument = "FILE",                                                                    \
            .help = "read options from a file: lines `name = value`; the command line wins"        \
    }

/* A row of an option table; the field is a whole number. */
#define BERTH_CPU_ROW(type, field)                                                                 \
    {                                                                                              \
        "cpu", BERTH_FIELD(type, field),                                                           \
            .argument = "N",                                                                       \
            .help = "most threads that a CPU device (PoCL) may use; does not change the results",  \
            .fallback = "0, one for each core", .max = 65536                                       \
    }

/* How energies are computed: fields of a forcefield's path and of a function's name. */
#define BERTH_SCORING_ROWS(type, file, function, standard)                                         \
    {"forcefield", BERTH_FIELD(type, file), .argument = "FILE",                                    \
     .help = "BUDE parameter file (.bhff)", .fallback = "built in: by-atom-2017"},                 \
    {                                                                                              \
        "scoring", BERTH_FIELD(type, function),                                                    \
            .argument = "S", .words = "bude plp vina vinardo", .initial_text = standard,           \
            .help =                                                                                \
                "scoring function: bude (kJ/mol), plp (unit PLP), vina or vinardo (kcal/mol), "    \
                "or a file of your own (.score)"                                                   \
    }

/* The same of runs that search by the first of several, and score poses by all. */
#define BERTH_SCORINGS_ROWS(type, file, function, standard)                                        \
    {"forcefield", BERTH_FIELD(type, file), .argument = "FILE",                                    \
     .help = "BUDE parameter file (.bhff)", .fallback = "built in: by-atom-2017"},                 \
    {                                                                                              \
        "scoring", BERTH_FIELD(type, function),                                                    \
            .argument = "S", .words = "bude plp vina vinardo", .initial_text = standard,           \
            .fallback = "those of rank, else " standard,                                           \
            .help =                                                                                \
                "scoring function: bude (kJ/mol), plp (unit PLP), vina or vinardo (kcal/mol), "    \
                "or a file of your own (.score); or several with commas between: poses are "       \
                "searched, or minimised, by the first, and get a score by each"                    \
    }

#define BERTH_LENGTH_ROW(name, field, letter, text, otherwise, least, most)                        \
    {                                                                                              \
        name, field, .argument = letter, .help = text, .fallback = otherwise, .unit = "Å",         \
                     .initial = NAN, .min = least, .max = most                                     \
    }

/* A box; `box` is a struct berth_box.  otherwise: the site where none is asked for, in words. */
#define BERTH_BOX_ROWS(type, box, otherwise)                                                       \
    BERTH_LENGTH_ROW("center_x", BERTH_FIELD(type, box.center[0]), "X", "centre of the box",       \
                     otherwise, -10000, 10000),                                                    \
        BERTH_LENGTH_ROW("center_y", BERTH_FIELD(type, box.center[1]), "Y", "", "", -10000,        \
                         10000),                                                                   \
        BERTH_LENGTH_ROW("center_z", BERTH_FIELD(type, box.center[2]), "Z", "", "", -10000,        \
                         10000),                                                                   \
        BERTH_LENGTH_ROW("size_x", BERTH_FIELD(type, box.edges[0]), "A",                           \
                         "full edges of the box, above 0", "", 0, 1000),                           \
        BERTH_LENGTH_ROW("size_y", BERTH_FIELD(type, box.edges[1]), "B", "", "", 0, 1000),         \
        BERTH_LENGTH_ROW("size_z", BERTH_FIELD(type, box.edges[2]), "C", "", "", 0, 1000)

/* The site of a docking. */
#define BERTH_SITE_ROWS(type, given)                                                               \
    {.help = "Site: the box in which the centroid of the ligand's heavy atoms may lie"},           \
        BERTH_BOX_ROWS(type, given, "the one that a .brec receptor brings"),                       \
        {"autobox_ligand", BERTH_FIELD(type, given.autobox_ligand), .argument = "FILE",            \
         .help =                                                                                   \
             "instead of centre and size: a box about the centroid of this molecule (Mol2, SDF, "  \
             "PDB, PDBQT), with half edges of autobox_add plus half of the molecule's own half "   \
             "extent",                                                                             \
         .fallback = "none"},                                                                      \
        {"autobox_add",        BERTH_FIELD(type, given.autobox_add),                               \
         .argument = "LENGTH", .help = "margin of that box",                                       \
         .unit = "Å",          .initial = 4,                                                       \
         .min = 0.1,           .max = 100},                                                        \
    {                                                                                              \
        "box", BERTH_FIELD(type, given.box),                                                       \
            .argument = "WHAT", .initial_text = "centroid", .words = "centroid atoms",             \
            .help = "what stays in the box: the ligand's centroid; or all its heavy atoms, as "    \
                    "in Vina, smina, gnina, AutoDock-GPU and Uni-Dock (autobox_ligand then "       \
                    "has the molecule's whole half extent)"                                        \
    }

/* measured: what is measured to the ligand where no reference is given. */
#define BERTH_LIGAND_ID_ROW(type, target, measured)                                                \
    {                                                                                              \
        "ligand_id", BERTH_FIELD(type, target.ligand_id),                                          \
            .argument = "RESIDUE",                                                                 \
            .help = "cut this ligand out of the receptor (NAME, CHAIN:NUMBER ...; PDB, mmCIF, "    \
                    "PDBQT or Mol2): the box is about it where no other is given, and " measured   \
                    " to it where no reference is given",                                          \
            .fallback = "none"                                                                     \
    }

/* what: gets the bonds; else: where they are from otherwise. */
#define BERTH_LIGAND_SMILES_ROW(type, member, what, otherwise)                                     \
    {                                                                                              \
        "ligand_smiles", BERTH_FIELD(type, member),                                                \
            .argument = "SMILES", .help = "of the ligand that --ligand_id cuts out: " what,        \
            .fallback = "perceived bonds, " otherwise                                              \
    }

/* Of the ligand that is docked or scored itself. */
#define BERTH_OWN_SMILES_ROW(type, target)                                                         \
    BERTH_LIGAND_SMILES_ROW(type, target.ligand_smiles, "its bonds, where no --ligand is given",   \
                            "refused where these contradict the geometry")

#define BERTH_OCCUPIED_ROW(type, target)                                                           \
    {                                                                                              \
        "allow_occupied", BERTH_FIELD(type, target.allow_occupied),                                \
            .help = "dock though what looks like a ligand of the receptor's stands in the site, "  \
                    "which "                                                                       \
                    "is an error else"                                                             \
    }

/* A number that the level of the search has where it is not given. */
#define BERTH_EFFORT_ROW(name, field, text, least, most)                                           \
    {                                                                                              \
        name, field, .argument = "N", .help = text, .fallback = "by search", .initial = -1,        \
                     .min = least, .max = most                                                     \
    }

/* How much to search; `search` is a struct berth_search_options. */
#define BERTH_SEARCH_ROWS(type, options, standard)                                                 \
    {"search",                                                                                     \
     BERTH_FIELD(type, options.search),                                                            \
     .argument = "LEVEL",                                                                          \
     .initial_text = standard,                                                                     \
     .words = BERTH_SEARCH_LEVEL_WORDS,                                                            \
     .help = "how much to search: fastest (48 poses x 5 generations; ranks as fast does), fast "   \
             "(96 x 10), balanced (256 x 16) or thorough (512 x 32), with torsions, on maps; "     \
             "rigid_fast (4096 poses x 8 "                                                         \
             "generations, 8 refined), rigid_balanced (16384 x 7, 16 with 2 hops) or "             \
             "rigid_thorough (65536 x 8, 32 with 2), conformers as they are, exact energies; or "  \
             "published (65536 x 8, none refined)"},                                               \
        BERTH_EFFORT_ROW(                                                                          \
            "exhaustiveness", BERTH_FIELD(type, options.exhaustiveness),                           \
            "effort as in AutoDock Vina: 32 x N poses in a search on maps; balanced has 8", 1,     \
            BERTH_EXHAUSTIVENESS_MAX),                                                             \
        BERTH_EFFORT_ROW(                                                                          \
            "poses", BERTH_FIELD(type, options.poses),                                             \
            "poses of a conformer in each generation; on maps, poses of a ligand, shared by its "  \
            "conformers (at least 48 each)",                                                       \
            1, BERTH_POSES_MAX),                                                                   \
        BERTH_EFFORT_ROW("generations", BERTH_FIELD(type, options.generations),                    \
                         "generations, including the first, which is random", 1,                   \
                         BERTH_GENERATIONS_MAX),                                                   \
        BERTH_EFFORT_ROW(                                                                          \
            "parents", BERTH_FIELD(type, options.parents),                                         \
            "poses that may have children; also the most modes that a conformer can give", 1,      \
            BERTH_KEEP),                                                                           \
        BERTH_EFFORT_ROW(                                                                          \
            "refine", BERTH_FIELD(type, options.refine),                                           \
            "how many of each conformer's best poses are minimised at the end and reported; 0: "   \
            "none, "                                                                               \
            "and all are reported; on maps, poses of a ligand, shared by its conformers "          \
            "(at least 4 each)",                                                                   \
            0, BERTH_KEEP),                                                                        \
        BERTH_EFFORT_ROW("refine_evaluations", BERTH_FIELD(type, options.refine_evaluations),      \
                         "most energies and gradients per minimisation", 1,                        \
                         BERTH_EVALUATIONS_MAX),                                                   \
        BERTH_EFFORT_ROW("hops", BERTH_FIELD(type, options.hops),                                  \
                         "how often a refined pose is changed at random and refined again, "       \
                         "keeping the best; on "                                                   \
                         "maps, in each generation",                                               \
                         0, BERTH_HOPS_MAX),                                                       \
        {"pool",                                                                                   \
         BERTH_FIELD(type, options.pool),                                                          \
         .argument = "N",                                                                          \
         .min = 1,                                                                                 \
         .max = BERTH_FUNCTIONS_MAX,                                                               \
         .fallback = "as the ranking says (consensus: 2), else 1",                                 \
         .help = "of several scoring functions the first N search in turn, and their poses are "   \
                 "pooled; takes N times as long"},                                                 \
    {                                                                                              \
        "refine_torsions", BERTH_FIELD(type, options.refine_torsions),                             \
            .help = "refine torsions in a rigid search, too; a search on maps always does"         \
    }

/* Side chains that move; where: the file that poses' are in. */
#define BERTH_FLEXIBLE_ROWS(type, options, where)                                                  \
    {"flexible_residues", BERTH_FIELD(type, options.flexible_residues), .argument = "R",           \
     .help = "residues of the receptor whose side chains move with the ligand, as in "             \
             "A:315,A:382; each pose's are in " where,                                             \
     .fallback = "none"},                                                                          \
        {"flexible_within",                                                                        \
         BERTH_FIELD(type, options.flexible_within),                                               \
         .argument = "LENGTH",                                                                     \
         .help = "those, too, with an atom so near to the reference",                              \
         .unit = "Å",                                                                              \
         .min = 0,                                                                                 \
         .max = 20,                                                                                \
         .fallback = "none"},                                                                      \
    {                                                                                              \
        "flexible_most", BERTH_FIELD(type, options.flexible_most),                                 \
            .argument = "N", .initial = 4, .help = "of these at most so many, the nearest",        \
            .min = 1, .max = BERTH_TORSIONS                                                        \
    }

/* Whose stereo a reference need not have. */
#define BERTH_STEREO_ROW(type, member)                                                             \
    {                                                                                              \
        "any_stereo", BERTH_FIELD(type, member),                                                   \
            .help = "measure RMSDs to a reference that is another stereoisomer, too, for which "   \
                    "there is none else"                                                           \
    }

/* What waters cost that ligands displace; `options` is a struct berth_search_options. */
#define BERTH_WATERS_ROWS(type, options)                                                           \
    {                                                                                              \
        "water_price", BERTH_FIELD(type, options.water_price),                                     \
            .argument = "E", .min = -1000, .max = 1000,                                            \
            .help = "of several receptors: what a pose pays for each water that another "          \
                    "of them has and its own lacks, in the scoring function's unit"                \
    }

/* What poses have to meet, in runs that know of it; `options` is a struct berth_search_options. */
#define BERTH_RESTRAINTS_ROWS(type, options, where)                                                \
    {"restraints", BERTH_FIELD(type, options.restraints), .argument = "FILE", .fallback = "none",  \
     .help = "what poses have to meet, a line each: what of the ligand, and where, for "           \
             "example \"acceptor to A:MET793:N\"" where},                                          \
        {"metal_sites",                                                                            \
         BERTH_FIELD(type, options.metal_sites),                                                   \
         .argument = "WHAT",                                                                       \
         .words = "auto on off",                                                                   \
         .initial_text = "auto",                                                                   \
         .help = "open coordination sites of the receptor's metals draw the ligand's donors, in "  \
                 "a search on maps: auto (not of metals that the ligand which was cut out of the " \
                 "receptor does not bind), on or off"},                                            \
        {"template", BERTH_FIELD(type, options.template_file), .argument = "FILE",                 \
         .fallback = "none",                                                                       \
         .help = "a ligand where it is bound (SDF, Mol2): what others have in common with it "     \
                 "starts there and stays there" where},                                            \
        {"core", BERTH_FIELD(type, options.core), .argument = "SMARTS",                            \
         .fallback = "the largest part in common", .help = "what of the template that is"},        \
        {"core_tolerance",                                                                         \
         BERTH_FIELD(type, options.core_tolerance),                                                \
         .argument = "LENGTH",                                                                     \
         .unit = "Å",                                                                              \
         .initial = 1,                                                                             \
         .min = 0,                                                                                 \
         .max = 1000,                                                                              \
         .help = "how far its atoms may lie from the template's; 1000: it only starts there"},     \
        {"core_weight",                                                                            \
         BERTH_FIELD(type, options.core_weight),                                                   \
         .argument = "E",                                                                          \
         .min = 0,                                                                                 \
         .max = 1000,                                                                              \
         .fallback = "it is held",                                                                 \
         .help = "what being off the template costs at most, in the function's unit: poses begin " \
                 "anywhere, too, and score counts it"},                                            \
        {"min_core",                                                                               \
         BERTH_FIELD(type, options.min_core),                                                      \
         .argument = "N",                                                                          \
         .initial = 6,                                                                             \
         .min = 3,                                                                                 \
         .max = 96,                                                                                \
         .help = "heavy atoms in common with the template that count as a core"},                  \
    {                                                                                              \
        "no_core", BERTH_FIELD(type, options.no_core),                                             \
            .argument = "WHAT", .words = "free refuse", .initial_text = "free",                    \
            .help = "ligands without the core are docked without the template (free) or fail "     \
                    "(refuse)"                                                                     \
    }

/* On what to dock; `options` is a struct berth_search_options, `device` a struct
 * berth_device_options. */
#define BERTH_DEVICE_ROWS(type, device_options, options)                                           \
    {.help = "Device"},                                                                            \
        {"device",                                                                                 \
         BERTH_FIELD(type, device_options.device),                                                 \
         .argument = "D",                                                                          \
         .words = "all cpu gpu",                                                                   \
         .help = BERTH_DEVICES_HELP,                                                               \
         .fallback = "all of the kind that looks fastest"},                                        \
        BERTH_CPU_ROW(type, device_options.cpu),                                                   \
        {"batch",                                                                                  \
         BERTH_FIELD(type, options.batch),                                                         \
         .argument = "N",                                                                          \
         .help = "conformers in one launch; does not change the results",                          \
         .fallback = "by device",                                                                  \
         .min = 1,                                                                                 \
         .max = 1000000},                                                                          \
        {"batch_limit",                                                                            \
         BERTH_FIELD(type, options.batch_limit),                                                   \
         .argument = "T",                                                                          \
         .unit = "s",                                                                              \
         .help = "drop a device that takes longer than this for one launch",                       \
         .initial = 600,                                                                           \
         .min = 0.001,                                                                             \
         .max = 1e9},                                                                              \
        {"check",                                                                                  \
         BERTH_FIELD(type, options.check),                                                         \
         .argument = "N",                                                                          \
         .help = "compare energies of each device's first batch and every N-th one with the "      \
                 "reference, and "                                                                 \
                 "drop a device that computes wrongly; 0: never",                                  \
         .initial = 100,                                                                           \
         .min = 0,                                                                                 \
         .max = 1e9},                                                                              \
        {"variant", BERTH_FIELD(type, options.variant), .argument = "TEXT",                        \
         .help = "tunables of the energy kernel, for example \"ppwi=2 unroll=8\"",                 \
         .fallback = "as tuned, else by device"},                                                  \
    {                                                                                              \
        "profile", BERTH_FIELD(type, options.profile),                                             \
            .help = "print the device time of each kernel; batches then run one after the other"   \
    }

/* Which poses of a ligand count; `modes` has the fields of the names. */
#define BERTH_MIN_RMSD_ROW(type, field)                                                            \
    {                                                                                              \
        "min_rmsd", BERTH_FIELD(type, field),                                                      \
            .argument = "D", .unit = "Å", .initial = 1, .min = 0, .max = 100,                      \
            .help = "least RMSD between these poses (heavy atoms, symmetry-corrected)"             \
    }
#define BERTH_MAX_CLASH_ROW(type, field, standard, otherwise)                                      \
    {                                                                                              \
        "max_clash", BERTH_FIELD(type, field),                                                     \
            .argument = "D", .unit = "Å", .initial = standard, .min = 0, .max = 100,               \
            .fallback = otherwise,                                                                 \
            .help = "leave out poses that overlap the receptor by more than this "                 \
                    "(column clash)"                                                               \
    }

#define BERTH_REQUIRE_HELP                                                                         \
    "only poses that make these interactions, such as 'hydrogen_bond A:MET793:N or metal "         \
    "A:ZN300, hydrophobic A:PHE82': `or` between those any of which will do, commas between "      \
    "those that must all be made; kinds as of `berth interactions`, and `strong hydrogen_bond`, "  \
    "which leaves out weak ones"

/* What poses, and the ligands of a screen, are ordered by; otherwise: what ranks where nobody says,
 * which of runs that search depends on how. */
#define BERTH_RANK_SEARCHED " (score if scoring or strain_weight is given, or the search is rigid)"
#define BERTH_RANK_ROW(type, field, otherwise)                                                     \
    {                                                                                              \
        "rank", BERTH_FIELD(type, field),                                                          \
            .argument = "R", .words = "consensus screening learned", .fallback = otherwise,        \
            .help = "what poses, and the ligands of a screen, are ordered by: consensus, "         \
                    "screening or (with rescore) learned, which bring their scoring functions "    \
                    "along, a file of your own (.rank), or an expression over columns, "           \
                    "\"vina + 0.1*plp\""                                                           \
    }

/* A database that results go to, and a run of one. */
#define BERTH_DB_ROW(type, field)                                                                  \
    {                                                                                              \
        "db", BERTH_FIELD(type, field), .argument = "FILE", .fallback = "none",                    \
                                        .help = "SQLite database that the results go to, too: "    \
                                                "ligands, poses, interactions of those with "      \
                                                "structures; of several runs (docs/results.md)"    \
    }
#define BERTH_RUN_ROW(type, field)                                                                 \
    {                                                                                              \
        "run", BERTH_FIELD(type, field), .argument = "RUN", .fallback = "the last",                \
                                         .help = "of a database: a run's number or folder"         \
    }

/* Poses relaxed before they are ranked. */
#define BERTH_RELAX_ROW(type, field)                                                               \
    {                                                                                              \
        "relax", BERTH_FIELD(type, field),                                                         \
            .help = "let the best poses' bond lengths, angles and rings go downhill as well "      \
                    "before they are ranked, by the first function and by MMFF94s together "       \
                    "(needs RDKit)"                                                                \
    }

/* A model that judges poses, too. */
#define BERTH_RESCORE_ROW(type, field, text)                                                       \
    {                                                                                              \
        "rescore", BERTH_FIELD(type, field), .argument = "MODEL", .fallback = "none",              \
                                             .help = "a learned function that judges " text        \
                                                     " (`berth model import` makes one): its "     \
                                                     "outputs are further columns"                 \
    }

/* What is said of preparation elsewhere: of a command that docks, whose receptor, or ligands, are
 * prepared as `berth prep` does by default. */
#define BERTH_PREP_RECEPTOR_ROW                                                                    \
    {                                                                                              \
        "prep_receptor", BERTH_OPTION_ELSEWHERE,                                                   \
            .others = BERTH_PREPARE_RECEPTOR_TABLE,                                                \
            .help = "`berth prep receptor` has it; give the receptor file (.brec) "                \
                    "that it makes as --receptor"                                                  \
    }
#define BERTH_PREP_LIGANDS_ROW                                                                     \
    {                                                                                              \
        "prep_ligands", BERTH_OPTION_ELSEWHERE,                                                    \
            .others = BERTH_PREPARE_LIGANDS_TABLE,                                                 \
            .help = "`berth prep ligands` has it; give the library (.blib) that it "               \
                    "makes as --ligand"                                                            \
    }

/* In which forms molecules are prepared; `prepare` is a struct with these members. */
#define BERTH_FORMS_ROWS(type, prepare)                                                            \
    {"ph",      BERTH_FIELD(type, prepare.ph),  .initial = 7.4, .argument = "PH", .min = 0,        \
     .max = 14, .help = "protonate for this pH"},                                                  \
        {"keep_protonation", BERTH_FIELD(type, prepare.keep_protonation),                          \
         .help = "leave charges and hydrogens as the input has them"},                             \
        {"protomers",                                                                              \
         BERTH_FIELD(type, prepare.protomers),                                                     \
         .initial = 1,                                                                             \
         .argument = "N",                                                                          \
         .min = 1,                                                                                 \
         .max = BERTH_PROTOMERS_MAX,                                                               \
         .help =                                                                                   \
             "states of protonation of a molecule, at most, the most populated first (RDKit); "    \
             "its tautomer is the one drawn: enumerate others before"},                            \
        {"min_population",                                                                         \
         BERTH_FIELD(type, prepare.min_population),                                                \
         .argument = "SHARE",                                                                      \
         .min = 0,                                                                                 \
         .max = 1,                                                                                 \
         .help = "of these, leave out those below this share of the molecule, such as 0.05; the "  \
                 "most populated one stays"},                                                      \
    {                                                                                              \
        "stereo", BERTH_FIELD(type, prepare.stereo),                                               \
            .initial = 1, .argument = "N", .min = 1, .max = BERTH_STEREOISOMERS_MAX,               \
            .help =                                                                                \
                "isomers of a molecule whose centres or double bonds the input leaves open, at "   \
                "most, "                                                                           \
                "chosen at random, always the same (RDKit)"                                        \
    }

/* How molecules are prepared; `prepare` is a struct berth_prepare_ligands_options. */
#define BERTH_PREPARE_ROWS(type, prepare)                                                          \
    BERTH_FORMS_ROWS(type, prepare),                                                               \
        {"conformers",                                                                             \
         BERTH_FIELD(type, prepare.conformers),                                                    \
         .initial = 1,                                                                             \
         .argument = "N",                                                                          \
         .min = 1,                                                                                 \
         .max = 1000,                                                                              \
         .help =                                                                                   \
             "conformers of a ligand, at most; 1: its --structures, for searches with torsions "   \
             "(20 for rigid ones)"},                                                               \
        {"energy_window",                                                                          \
         BERTH_FIELD(type, prepare.energy_window),                                                 \
         .initial = 100,                                                                           \
         .argument = "E",                                                                          \
         .unit = "kJ/mol",                                                                         \
         .min = 0,                                                                                 \
         .max = 1e6,                                                                               \
         .help = "leave out conformers whose MMFF94 energy is this much above the lowest"},        \
        {"conformer_rmsd",                                                                         \
         BERTH_FIELD(type, prepare.conformer_rmsd),                                                \
         .initial = 0.5,                                                                           \
         .argument = "D",                                                                          \
         .unit = "Å",                                                                              \
         .min = 0,                                                                                 \
         .max = 100,                                                                               \
         .help =                                                                                   \
             "RMSD between conformers, at least (heavy atoms, superposed, symmetry-corrected)"},   \
        {"structures",                                                                             \
         BERTH_FIELD(type, prepare.structures),                                                    \
         .initial = BERTH_STRUCTURES,                                                              \
         .argument = "N",                                                                          \
         .min = 1,                                                                                 \
         .max = 100,                                                                               \
         .help = "structures that RDKit builds for a ligand, at most: that of the lowest MMFF94s " \
                 "energy, "                                                                        \
                 "then other shapes of its rings (puckers, axial and equatorial, macrocycles' "    \
                 "backbones) "                                                                     \
                 "and, with --conformers 1, where these are the conformers, other bond angles"},   \
        {"builder", BERTH_FIELD(type, prepare.builder), .argument = "B",                           \
         .fallback =                                                                               \
             "fragments, or with conformers above 1 rdkit; openbabel where there is no RDKit",     \
         .help = "what builds 3D coordinates: rdkit, fragments (pieces that RDKit builds once "    \
                 "and berth "                                                                      \
                 "joins: many times faster), or openbabel (med, slow, best or dg say how)"},       \
        {"rebuild", BERTH_FIELD(type, prepare.rebuild),                                            \
         .help = "do not take Mol2 as it stands: treat it like everything else"},                  \
    {                                                                                              \
        "smiles", BERTH_FIELD(type, prepare.smiles),                                               \
            .help = "find the SMILES of Mol2 that is taken as it stands, too"                      \
    }

/* What ligands are bonded to, and what makes adducts of molecules. */
#define BERTH_COVALENT_HELP                                                                        \
    "ligands are bonded to this atom of the receptor, as in A:CYS25:SG: molecules with a warhead " \
    "become adducts (RDKit), and adducts that hold its side chain and backbone are taken as they " \
    "are; without a box it is one of 30 Å about the atom"

#define BERTH_WARHEAD_ROWS(type, member)                                                           \
    {"reactions", BERTH_FIELD(type, member.reactions), .argument = "FILE",                         \
     .help = "the table of reactions that make adducts, as data/covalent/covalent.reactions",      \
     .fallback = "that one"},                                                                      \
    {                                                                                              \
        "all_warheads", BERTH_FIELD(type, member.all_warheads),                                    \
            .help = "take each warhead of a molecule that has several, which fails otherwise"      \
    }

/* Which of them are left out. */
#define BERTH_FILTER_ROWS(type, prepare)                                                           \
    {.help = "Filters (what they drop is listed with the failures, but is none)"},                 \
        {"max_heavy",                                                                              \
         BERTH_FIELD(type, prepare.max_heavy),                                                     \
         .argument = "N",                                                                          \
         .min = 1,                                                                                 \
         .max = BERTH_LIGAND_ATOMS_MAX,                                                            \
         .fallback = "any",                                                                        \
         .help = "heavy atoms, at most"},                                                          \
        {"max_rotors",                                                                             \
         BERTH_FIELD(type, prepare.max_rotors),                                                    \
         .argument = "N",                                                                          \
         .min = 1,                                                                                 \
         .max = 10000,                                                                             \
         .fallback = "any",                                                                        \
         .help = "rotatable bonds, at most"},                                                      \
        {"mw",                                                                                     \
         BERTH_FIELD(type, prepare.mw),                                                            \
         .argument = "RANGE",                                                                      \
         .fallback = "any",                                                                        \
         .unit = "g/mol",                                                                          \
         .help = "molar mass as protonated: MAX, or MIN-MAX"},                                     \
        {"elements", BERTH_FIELD(type, prepare.elements), .argument = "LIST", .fallback = "any",   \
         .help = "elements allowed beside hydrogen: C,N,O,S ..."},                                 \
        {"exclude", BERTH_FIELD(type, prepare.exclude), .argument = "FILE", .fallback = "none",    \
         .help = "drop molecules that hold one of these patterns: lines SMARTS NAME, '#' "         \
                 "comments (needs "                                                                \
                 "RDKit)"},                                                                        \
    {                                                                                              \
        "drop_duplicates", BERTH_FIELD(type, prepare.drop_duplicates),                             \
            .help = "drop molecules whose canonical SMILES came before, in whatever file"          \
    }

#define BERTH_PROPERTIES_ROW(type, prepare)                                                        \
    {                                                                                              \
        "properties", BERTH_FIELD(type, prepare.properties),                                       \
            .argument = "LIST", .help = "SDF properties to keep with each ligand: a,b,c or all",   \
            .fallback = "none"                                                                     \
    }

#define BERTH_JOBS_ROW(type, prepare)                                                              \
    {                                                                                              \
        "jobs", BERTH_FIELD(type, prepare.jobs), .argument = "N", .min = 1, .max = 1024,           \
                                                 .help = "molecules to prepare at the same time",  \
                                                 .fallback = "one per core"                        \
    }

#define BERTH_MEMORY_ROW(type, prepare)                                                            \
    {                                                                                              \
        "memory_limit", BERTH_FIELD(type, prepare.memory_limit),                                   \
            .initial = BERTH_WORKER_MEMORY, .argument = "M", .unit = "MB", .min = 500, .max = 1e6, \
            .help = "memory for each of RDKit's processes; a molecule that needs more fails"       \
    }

#define BERTH_FORMAT_ROW(type, prepare)                                                            \
    {                                                                                              \
        "format", BERTH_FIELD(type, prepare.format),                                               \
            .argument = "F",                                                                       \
            .help =                                                                                \
                "format of the input (smi, sdf, mol2, pdb ...), as `obabel -L formats` names it",  \
            .fallback = "by the file's ending"                                                     \
    }

/* Of tables of molecules. */
#define BERTH_COLUMNS_ROWS(type, member)                                                           \
    {"smiles_column", BERTH_FIELD(type, member.smiles_column), .argument = "COLUMN",               \
     .help = "of tables (.csv, .tsv) and of .smi with a line of column names: the name, or the "   \
             "number from 1, of the column of SMILES",                                             \
     .fallback = "the one called smiles, canonical_smiles ..."},                                   \
    {                                                                                              \
        "name_column", BERTH_FIELD(type, member.name_column),                                      \
            .argument = "COLUMN", .help = "likewise, of the molecules' names",                     \
            .fallback = "the one called name, id, title, zinc_id, Catalog ID ..."                  \
    }

#define BERTH_MOLECULE_LIMIT_ROW(name, type, prepare)                                              \
    {                                                                                              \
        name, BERTH_FIELD(type, prepare.time_limit),                                               \
            .initial = 120, .argument = "T", .unit = "s", .min = 0.1, .max = 1e6,                  \
            .help =                                                                                \
                "processor time for a molecule; one that takes longer, or hangs for ten times as " \
                "long, fails"                                                                      \
    }

/* Defines berth_NAME_request: the table's defaults, behind the members that are named (sizes). */
#define BERTH_REQUEST(name, table, ...)                                                            \
    struct berth_##name##_request berth_##name##_request(void)                                     \
    {                                                                                              \
        struct berth_##name##_request values = {__VA_ARGS__};                                      \
        berth_options_defaults(table, &values);                                                    \
        return values;                                                                             \
    }

#endif
