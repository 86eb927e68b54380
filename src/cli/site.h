/* The site that a command line describes: a box by centre and size, or about a known ligand. */
#ifndef BERTH_CLI_SITE_H
#define BERTH_CLI_SITE_H

#include "cli/common.h"

/* What the options hold. */
struct cli_box {
    double center[3], size[3];  /* Å */
    double autobox_add;         /* Å; 4 by default */
    const char *autobox_ligand; /* borrowed; NULL: not given */
};

/* A row of an option table: a length, in Å. */
#define CLI_LENGTH_ROW(name, field, letter, text, otherwise, least, most)                          \
    {                                                                                              \
        name, field, .argument = letter, .help = text, .fallback = otherwise, .unit = "Å",         \
                     .min = least, .max = most                                                     \
    }

/* Rows of an option table; `type` has a field `box` of type struct cli_box.  otherwise: the site
 * where none is asked for, in words. */
#define CLI_BOX_ROWS(type, otherwise)                                                              \
    CLI_LENGTH_ROW("center_x", BERTH_FIELD(type, box.center[0]), "X", "centre of the box",         \
                   otherwise, -10000, 10000),                                                      \
        CLI_LENGTH_ROW("center_y", BERTH_FIELD(type, box.center[1]), "Y", "", "", -10000, 10000),  \
        CLI_LENGTH_ROW("center_z", BERTH_FIELD(type, box.center[2]), "Z", "", "", -10000, 10000),  \
        CLI_LENGTH_ROW("size_x", BERTH_FIELD(type, box.size[0]), "A",                              \
                       "full edges of the box, above 0", "", 0, 1000),                             \
        CLI_LENGTH_ROW("size_y", BERTH_FIELD(type, box.size[1]), "B", "", "", 0, 1000),            \
        CLI_LENGTH_ROW("size_z", BERTH_FIELD(type, box.size[2]), "C", "", "", 0, 1000)

/* The whole of it, for a docking. */
#define CLI_SITE_ROWS(type)                                                                        \
    {.help = "Site: the box in which the centroid of the ligand's heavy atoms may lie"},           \
        CLI_BOX_ROWS(type, "the one that a .brec receptor brings"),                                \
        {"autobox_ligand", BERTH_FIELD(type, box.autobox_ligand), .argument = "FILE",              \
         .help =                                                                                   \
             "instead of centre and size: a box about the centroid of this molecule (Mol2, SDF, "  \
             "PDB, PDBQT), with half edges of autobox_add plus half of the molecule's own half "   \
             "extent",                                                                             \
         .fallback = "none"},                                                                      \
        CLI_LENGTH_ROW("autobox_add", BERTH_FIELD(type, box.autobox_add), "LENGTH",                \
                       "margin of that box", NULL, 0.1, 100)

/* An option table, and what was read by it; borrowed. */
struct cli_site_options {
    const struct berth_option *table;
    const struct berth_parsed *parsed;
    const struct cli_box *box;
};

/* The box that was asked for; *any is false where nothing was.  Errors: BERTH_E_USAGE (both a box
 * and a ligand, half a box, an edge of 0), those of reading the ligand. */
enum berth_status cli_site_read(const struct cli_site_options *options, bool *any,
                                struct berth_site *site, struct berth_error *error);

/* The same, else the site that the receptor brings; BERTH_E_USAGE where it brings none. */
enum berth_status cli_site_of(const struct cli_site_options *options,
                              const struct berth_typed_receptor *receptor, struct berth_site *site,
                              struct berth_error *error);

#endif
