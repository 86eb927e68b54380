/* The options of `berth screen`. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/screen.h"

const struct berth_option SCREEN_OPTIONS[] = {
    {.help = "Input"},
    {"receptor", BERTH_FIELD(struct screen_values, receptor), .argument = "FILE",
     .help = CLI_RECEPTOR_HELP, .required = true},
    {"library", BERTH_FIELD(struct screen_values, library), .argument = "FILE",
     .help = "library of ligands (.blib) from `berth prep ligands`", .required = true},
    CLI_FORCEFIELD_ROWS(struct screen_values),
    {.help = "Site: the box in which the centroid of a ligand's heavy atoms may lie"},
    {"center_x", BERTH_FIELD(struct screen_values, center[0]), .argument = "X",
     .fallback = "the one that a .brec receptor brings", .help = "centre of the box", .unit = "Å",
     .min = -10000, .max = 10000},
    {"center_y", BERTH_FIELD(struct screen_values, center[1]), .argument = "Y", .fallback = "",
     .help = "", .unit = "Å", .min = -10000, .max = 10000},
    {"center_z", BERTH_FIELD(struct screen_values, center[2]), .argument = "Z", .fallback = "",
     .help = "", .unit = "Å", .min = -10000, .max = 10000},
    {"size_x", BERTH_FIELD(struct screen_values, size[0]), .argument = "A", .fallback = "",
     .help = "full edges of the box, above 0", .unit = "Å", .min = 0, .max = 1000},
    {"size_y", BERTH_FIELD(struct screen_values, size[1]), .argument = "B", .fallback = "",
     .help = "", .unit = "Å", .min = 0, .max = 1000},
    {"size_z", BERTH_FIELD(struct screen_values, size[2]), .argument = "C", .fallback = "",
     .help = "", .unit = "Å", .min = 0, .max = 1000},
    {"autobox_ligand", BERTH_FIELD(struct screen_values, autobox_ligand), .argument = "FILE",
     .help =
         "instead of centre and size: a box about the centroid of this molecule (Mol2, SDF, PDB, "
         "PDBQT), with half edges of autobox_add plus half of the molecule's own half extent",
     .fallback = "none"},
    {"autobox_add", BERTH_FIELD(struct screen_values, autobox_add), .argument = "LENGTH",
     .help = "margin of that box", .unit = "Å", .min = 0.1, .max = 100},
    {.help = "Search"},
    CLI_SEARCH_ROWS(struct screen_values),
    {"strain_weight", BERTH_FIELD(struct screen_values, strain_weight), .argument = "W",
     .help = "rank poses and ligands by energy + strain + W x conformer_strain", .min = 0,
     .max = 100},
    {"seed", BERTH_FIELD(struct screen_values, seed), .argument = "N",
     .help = "the same seed on the same kind of device gives the same results, to the byte"},
    {.help = "Output"},
    {"out", BERTH_FIELD(struct screen_values, out), .argument = "DIR",
     .help = "folder for scores.csv (every ligand), hits.sdf, failures.csv, run.json and the "
             "journal; made where it is missing",
     .required = true},
    {"top", BERTH_FIELD(struct screen_values, top), .argument = "N",
     .help = "ligands whose poses hits.sdf is to have, best first", .min = 0, .max = 1e7},
    {"num_modes", BERTH_FIELD(struct screen_values, num_modes), .argument = "N",
     .help = "poses to keep of each ligand, at most", .min = 1, .max = 100},
    {"min_rmsd", BERTH_FIELD(struct screen_values, min_rmsd), .argument = "D",
     .help = "RMSD between these poses, at least (heavy atoms, symmetry-corrected)", .unit = "Å",
     .min = 0, .max = 100},
    {"max_clash", BERTH_FIELD(struct screen_values, max_clash), .argument = "D",
     .help = CLI_MAX_CLASH_HELP, .unit = "Å", .min = 0, .max = 100, .fallback = "any"},
    {.help = "Running"},
    {"resume", BERTH_FIELD(struct screen_values, resume),
     .help = "go on with the run in DIR, or begin it; after a crash, a signal or the time limit"},
    {"shard", BERTH_FIELD(struct screen_values, shard), .argument = "K/N",
     .help = "dock part K (from 1) of N of the library alone; `berth merge` joins the parts",
     .fallback = "all of it"},
    {"time_limit", BERTH_FIELD(struct screen_values, time_limit), .argument = "T",
     .help = "end in good order after this time, to be resumed", .unit = "s", .min = 0.001,
     .max = 1e9, .fallback = "none"},
    {"checkpoint", BERTH_FIELD(struct screen_values, checkpoint), .argument = "T",
     .help = "time that a crash may lose, at most, beside the batches that are on the devices "
             "(finished ligands are on disk by then)",
     .unit = "s", .min = 0, .max = 1e6},
    {"config", BERTH_FIELD(struct screen_values, config), .argument = "FILE",
     .help = "read options from a file: lines `name = value`; the command line wins"},
    {.help = "Device"},
    {"device", BERTH_FIELD(struct screen_values, device), .argument = "D", .help = CLI_DEVICES_HELP,
     .fallback = "all of the kind that looks fastest"},
    CLI_CPU_ROW(struct screen_values),
    {"batch", BERTH_FIELD(struct screen_values, batch), .argument = "N",
     .help = "conformers in one launch; does not change the results", .fallback = "by device",
     .min = 1, .max = 1000000},
    {"batch_limit", BERTH_FIELD(struct screen_values, batch_limit), .argument = "T",
     .help = "a device that takes longer than this for one launch of conformers is dropped",
     .unit = "s", .min = 0.001, .max = 1e9},
    {"variant", BERTH_FIELD(struct screen_values, variant), .argument = "TEXT",
     .help = "tunables of the energy kernel, for example \"ppwi=2 unroll=8\"",
     .fallback = "as tuned, else by device"},
    {"check", BERTH_FIELD(struct screen_values, check), .argument = "N",
     .help = "hold energies of each device's first batch and every N-th against the reference; a "
             "device that computes wrongly is dropped; 0: none",
     .min = 0, .max = 1e9},
    {"profile", BERTH_FIELD(struct screen_values, profile),
     .help = "print the device time of each kernel"},
    {0}};

struct screen_values screen_defaults(void)
{
    return (struct screen_values){.forcefield = berth_scoring_defaults(),
                                  .autobox_add = 4,
                                  .min_rmsd = 1,
                                  .max_clash = INFINITY,
                                  .checkpoint = 10,
                                  .batch_limit = 600,
                                  .search = cli_search_defaults("fast"),
                                  .seed = 1,
                                  .top = 1000,
                                  .num_modes = 1,
                                  .check = 100};
}

struct berth_search_settings screen_search(const struct screen_values *values)
{
    struct berth_search_settings search = cli_search_settings(&values->search);
    search.seed = values->seed;
    search.batch = (size_t)values->batch;
    if (values->min_rmsd < search.distinct_modes) {
        search.distinct_modes = (float)values->min_rmsd;
    }
    return search;
}
