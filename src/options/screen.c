/* The options of `berth screen`, `berth campaign` and `berth merge`. */
#include "options/peers.h"
#include "options/rows.h"
#include "options/tables.h"

typedef struct berth_screen_request request;

/* What a screen has, and a campaign, which is made of screens. */
#define SCREEN_ROWS                                                                                \
    {.help = "Input"},                                                                             \
        {"receptor", BERTH_FIELD(request, receptor), .argument = "FILE",                           \
         .help = BERTH_RECEPTORS_HELP, .required = true},                                          \
        {"library", BERTH_FIELD(request, screen.library), .argument = "FILE",                      \
         .help =                                                                                   \
             "library of ligands (.blib) from `berth prep ligands`; or molecules in any format "   \
             "that "                                                                               \
             "it reads, prepared while they are docked: files with commas between them, folders, " \
             "@LIST",                                                                              \
         .required = true},                                                                        \
        BERTH_FORMAT_ROW(request, prepare),                                                        \
        BERTH_SCORINGS_ROWS(request, target.forcefield, target.scoring, "vina"),                   \
        BERTH_SITE_ROWS(request, target.box),                                                      \
        BERTH_LIGAND_ID_ROW(request, target, "flexible_within is measured"),                       \
        BERTH_OCCUPIED_ROW(request, target), {.help = "Flexible side chains"},                     \
        BERTH_FLEXIBLE_ROWS(request, screen, "hits.side_chains.pdb"),                              \
        {"reference", BERTH_FIELD(request, screen.reference), .argument = "FILE",                  \
         .help = "known pose that flexible_within is measured from (Mol2, SDF, PDB, PDBQT)",       \
         .fallback = "the ligand that ligand_id cuts out"},                                        \
        {.help =                                                                                   \
             "Preparation, of molecules (Mol2 with hydrogens and 3D coordinates is taken as it "   \
             "stands)"},                                                                           \
        BERTH_PREPARE_ROWS(request, prepare), BERTH_PROPERTIES_ROW(request, prepare),              \
        BERTH_FILTER_ROWS(request, prepare), {.help = "Covalent ligands"},                         \
        {"covalent", BERTH_FIELD(request, screen.covalent), .argument = "ATOM",                    \
         .help = BERTH_COVALENT_HELP, .fallback = "none"},                                         \
        BERTH_WARHEAD_ROWS(request, prepare), {.help = "Search"},                                  \
        BERTH_SEARCH_ROWS(request, search, "fast"),                                                \
        {"stages", BERTH_FIELD(request, stages), .argument = "PLAN",                               \
         .help =                                                                                   \
             "dock in stages, each with the best of the one before: \"fast, 5 % balanced, 1000 "   \
             "thorough --rescore net.model\", of levels of the search and further options",        \
         .fallback = "one, by --search"},                                                          \
        BERTH_RESTRAINTS_ROWS(request, search, ""), BERTH_WATERS_ROWS(request, search),            \
        {"strain_weight",                                                                          \
         BERTH_FIELD(request, screen.strain_weight),                                               \
         .argument = "W",                                                                          \
         .help = "rank poses and ligands by energy + strain + W x conformer_strain",               \
         .min = 0,                                                                                 \
         .max = 100},                                                                              \
        {"seed", BERTH_FIELD(request, search.seed), .argument = "N", .initial = 1,                 \
         .help = "the same seed on the same kind of device gives the same results, to the byte"},  \
        {.help = "Output"},                                                                        \
        {"out", BERTH_FIELD(request, screen.out), .argument = "DIR",                               \
         .help = "folder for scores.csv (every ligand), hits.sdf, failures.csv, run.json and the " \
                 "journal; made where it is missing",                                              \
         .required = true},                                                                        \
        {"top",           BERTH_FIELD(request, screen.top),          .argument = "N",              \
         .initial = 1000, .help = "ligands in hits.sdf, best first", .min = 0,                     \
         .max = 1e7},                                                                              \
        {"num_modes",  BERTH_FIELD(request, screen.num_modes),      .argument = "N",               \
         .initial = 1, .help = "most poses to keep of each ligand", .min = 1,                      \
         .max = 100},                                                                              \
        BERTH_MIN_RMSD_ROW(request, screen.min_rmsd),                                              \
        BERTH_RANK_ROW(request, screen.rank, BERTH_SCREEN_RANKING BERTH_RANK_SEARCHED),            \
        BERTH_RESCORE_ROW(request, screen.rescore, "the poses of the best ligands, in the end"),   \
        {"rescore_top",                                                                            \
         BERTH_FIELD(request, screen.rescore_top),                                                 \
         .argument = "N",                                                                          \
         .initial = 1000,                                                                          \
         .help = "with --rescore: how many ligands it judges",                                     \
         .min = 1,                                                                                 \
         .max = 1e7},                                                                              \
        BERTH_MAX_CLASH_ROW(request, screen.max_clash, INFINITY, "any"),                           \
        {"require", BERTH_FIELD(request, screen.require), .argument = "LIST",                      \
         .help = BERTH_REQUIRE_HELP "; ligands without are rows of failures.csv, and "             \
                                    "required.csv counts; any: whatever they "                     \
                                    "make",                                                        \
         .fallback = "any"},                                                                       \
        BERTH_DB_ROW(request, screen.db),                                                          \
        {"report", BERTH_FIELD(request, report),                                                   \
         .help = "make DIR/report.html in the end, too, as `berth report DIR` does"},              \
        {.help = "Running"},                                                                       \
        {"resume", BERTH_FIELD(request, screen.resume),                                            \
         .help =                                                                                   \
             "continue the run in DIR after a crash, a signal or the time limit, or begin it"},    \
        {"overwrite", BERTH_FIELD(request, screen.overwrite),                                      \
         .help = "remove the run that is in DIR, with its journal, and begin anew"},               \
        {"shard", BERTH_FIELD(request, screen.shard), .argument = "K/N",                           \
         .help = "dock only part K (from 1) of N of the library or molecules; `berth merge` "      \
                 "joins the "                                                                      \
                 "parts",                                                                          \
         .fallback = "all of it"},                                                                 \
        {"time_limit",    BERTH_FIELD(request, screen.time_limit),                                 \
         .argument = "T", .help = "stop cleanly after this time; --resume continues",              \
         .unit = "s",     .min = 0.001,                                                            \
         .max = 1e9,      .fallback = "none"},                                                     \
        {"checkpoint",                                                                             \
         BERTH_FIELD(request, screen.checkpoint),                                                  \
         .argument = "T",                                                                          \
         .initial = 10,                                                                            \
         .help = "most time that a crash may lose, besides the batches on the devices",            \
         .unit = "s",                                                                              \
         .min = 0,                                                                                 \
         .max = 1e6},                                                                              \
        BERTH_JOBS_ROW(request, prepare),                                                          \
        BERTH_MOLECULE_LIMIT_ROW("molecule_time_limit", request, prepare),                         \
        BERTH_MEMORY_ROW(request, prepare), BERTH_CONFIG_ROW,                                      \
        BERTH_DEVICE_ROWS(request, devices, search), BERTH_PREP_RECEPTOR_ROW, BERTH_PEERS_ROW,     \
    {                                                                                              \
        "ligand", BERTH_OPTION_FOREIGN, .help = "give the file as --library FILE"                  \
    }

const struct berth_option BERTH_SCREEN_TABLE[] = {
    SCREEN_ROWS, {.help = "Tables of molecules"}, BERTH_COLUMNS_ROWS(request, prepare), {0}};

BERTH_REQUEST(screen, BERTH_SCREEN_TABLE, .target.size = sizeof values.target,
              .devices.size = sizeof values.devices, .search.size = sizeof values.search,
              .prepare.size = sizeof values.prepare, .screen.size = sizeof values.screen)

/* The screen's rows stand in front, so that what was parsed serves its screens as well. */
const struct berth_option BERTH_CAMPAIGN_TABLE[] = {
    SCREEN_ROWS,
    {.help = "Campaign"},
    {"budget", BERTH_FIELD(struct berth_campaign_request, budget), .argument = "N",
     .help = "molecules to dock in all: a number, or a share of the library, such as '5 %'",
     .initial_text = "10 %"},
    {"seek", BERTH_FIELD(struct berth_campaign_request, seek), .argument = "N",
     .help = "the best molecules that are sought, likewise", .initial_text = "1 %"},
    {"sample", BERTH_FIELD(struct berth_campaign_request, sample), .argument = "N",
     .help = "molecules of the budget that are drawn at random and docked first, likewise; half of "
             "them are held out, and say how many of the best are found",
     .initial_text = "20 %"},
    {"model", BERTH_FIELD(struct berth_campaign_request, model), .argument = "M",
     .words = "ridge lightgbm", .initial_text = "ridge",
     .help =
         "what learns: ridge regression, or lightgbm's trees, which need that module of Python"},
    {"rounds", BERTH_FIELD(struct berth_campaign_request, rounds), .argument = "N", .initial = 8,
     .help = "how often the model learns, and chooses what is docked next", .min = 1, .max = 100},
    {"explore", BERTH_FIELD(struct berth_campaign_request, explore), .argument = "P", .initial = 5,
     .unit = "%", .help = "of what a round docks is drawn at random", .min = 0, .max = 90},
    {"recall", BERTH_FIELD(struct berth_campaign_request, recall), .argument = "P", .initial = 100,
     .unit = "%", .help = "end before the budget does, once the interval of the recall begins here",
     .min = 1, .max = 100},
    {"choose_only", BERTH_FIELD(struct berth_campaign_request, choose_only),
     .help =
         "choose what is docked next, and end: DIR/round-N/molecules.smi is to be screened into "
         "DIR/round-N elsewhere"},
    {0}};

BERTH_REQUEST(campaign, BERTH_CAMPAIGN_TABLE, .screen = berth_screen_request())

const struct berth_option BERTH_MERGE_TABLE[] = {
    {"DIR...", BERTH_FIELD(struct berth_merge_request, folders),
     .help = "the folders of all shards of one screen, in any order", .required = true},
    {"out", BERTH_FIELD(struct berth_merge_request, merge.out), .argument = "DIR",
     .help = "folder for scores.csv, hits.sdf, failures.csv and run.json; made where it is missing",
     .required = true},
    {"top", BERTH_FIELD(struct berth_merge_request, merge.top), .argument = "N", .initial = -1,
     .help = "ligands in hits.sdf, best first", .min = 0, .max = 1e7,
     .fallback = "as the first shard was run"},
    BERTH_MAX_CLASH_ROW(struct berth_merge_request, merge.max_clash, -1,
                        "as the first shard was run"),
    {"require", BERTH_FIELD(struct berth_merge_request, merge.require), .argument = "LIST",
     .help = BERTH_REQUIRE_HELP
     "; of one folder, too, whose ligands need not be docked again; any: whatever they make",
     .fallback = "as the first shard was run"},
    {"rank", BERTH_FIELD(struct berth_merge_request, merge.rank), .argument = "R",
     .words = "consensus screening learned",
     .help = "another ranking of poses and ligands than that of the shards, over the columns that "
             "they have: as of `berth screen`",
     .fallback = "as the shards were run"},
    BERTH_DB_ROW(struct berth_merge_request, merge.db),
    {"library", BERTH_FIELD(struct berth_merge_request, merge.library), .argument = "FILE",
     .help = "the library that was docked, if it has moved", .fallback = "where it was"},
    BERTH_CONFIG_ROW,
    {0}};

BERTH_REQUEST(merge, BERTH_MERGE_TABLE, .merge.size = sizeof values.merge)
