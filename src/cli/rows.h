/* Rows of option tables that several commands have which are no runs (options/options_table.c). */
#ifndef BERTH_CLI_ROWS_H
#define BERTH_CLI_ROWS_H

#include "base/options.h"

/* What --device takes where several may be named. */
#define CLI_DEVICES_HELP                                                                           \
    "cpu, gpu, numbers or parts of names from `berth devices`, with commas between; or all"

/* What --receptor takes. */
#define CLI_RECEPTOR_HELP                                                                          \
    "PDB, mmCIF, PDBQT or Mol2, or .brec from `berth prep receptor`; Mol2 is taken as it stands, " \
    "the others are prepared like that"

#define CLI_REQUIRE_HELP                                                                           \
    "keep poses with these interactions: 'hydrogen_bond A:MET793:N or metal A:ZN300, hydrophobic " \
    "A:PHE82' (comma: and; `strong hydrogen_bond`: no weak ones)"

/* Of tables of scores whose ligands are states of molecules. */
#define CLI_STATES_ROW(type, member)                                                               \
    {                                                                                              \
        "states", BERTH_FIELD(type, member),                                                       \
            .help = "names say what is a state of what, too, not the column state_of alone: "      \
                    "NAME_1, NAME_2, NAME_2_1 ... are states of NAME, or of NAME_2 if that is "    \
                    "among the actives or decoys"                                                  \
    }

/* A file of options. */
#define CLI_CONFIG_ROW                                                                             \
    {                                                                                              \
        "config", BERTH_OPTION_CONFIG,                                                             \
            .argument = "FILE",                                                                    \
            .help = "read options from a file: lines `name = value`; the command line wins"        \
    }

/* How energies are computed: fields of a forcefield's path and of a function's name. */
#define CLI_SCORING_ROWS(type, file, function)                                                     \
    {"forcefield", BERTH_FIELD(type, file), .argument = "FILE",                                    \
     .help = "BUDE parameter file (.bhff)", .fallback = "built in: by-atom-2017"},                 \
    {                                                                                              \
        "scoring", BERTH_FIELD(type, function),                                                    \
            .argument = "S", .words = "bude plp vina vinardo", .initial_text = "bude",             \
            .help = "scoring function: vina, vinardo, plp, bude or a file (.score)"                \
    }

/* A run of a database. */
#define CLI_RUN_ROW(type, field)                                                                   \
    {                                                                                              \
        "run", BERTH_FIELD(type, field), .argument = "RUN", .fallback = "the last",                \
                                         .help = "of a database: a run's number or folder"         \
    }

#endif
