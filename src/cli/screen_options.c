/* The options of `berth screen`. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/screen.h"

const struct berth_option SCREEN_OPTIONS[] = {
    {.help = "Input"},
    {"receptor", BERTH_FIELD(struct screen_values, receptor), .argument = "FILE",
     .help = CLI_RECEPTORS_HELP, .required = true},
    {"library", BERTH_FIELD(struct screen_values, library), .argument = "FILE",
     .help = "library of ligands (.blib) from `berth prep ligands`", .required = true},
    CLI_FORCEFIELD_ROWS(struct screen_values),
    CLI_SITE_ROWS(struct screen_values),
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
    CLI_DEVICE_ROWS(struct screen_values),
    {"ligand", BERTH_OPTION_FOREIGN,
     .help = "a screen takes a library: make one of the file with `berth prep ligands FILE --out "
             "LIB.blib`, and give --library LIB.blib; or dock the file at once with `berth dock "
             "--ligand FILE --scores scores.csv`"},
    {0}};

struct screen_values screen_defaults(void)
{
    return (struct screen_values){.forcefield = berth_scoring_defaults(),
                                  .box.autobox_add = 4,
                                  .min_rmsd = 1,
                                  .max_clash = INFINITY,
                                  .checkpoint = 10,
                                  .devices = cli_devices_defaults(),
                                  .search = cli_search_defaults("fast"),
                                  .seed = 1,
                                  .top = 1000,
                                  .num_modes = 1};
}

struct berth_search_settings screen_search(const struct screen_values *values)
{
    struct berth_search_settings search = cli_search_settings(&values->search);
    search.seed = values->seed;
    search.batch = (size_t)values->devices.batch;
    search.in_turn = values->devices.profile;
    if (values->min_rmsd < search.distinct_modes) {
        search.distinct_modes = (float)values->min_rmsd;
    }
    return search;
}
