/* The options of a search, which dock, screen and eval have alike. */
#ifndef BERTH_CLI_SEARCH_OPTIONS_H
#define BERTH_CLI_SEARCH_OPTIONS_H

#include "cli/common.h"
#include "engine/search.h"

/* Poses on maps for each unit of exhaustiveness, so that Vina's default, 8, is balanced; and of a
 * population on a surface. */
enum {
    CLI_EXHAUSTIVENESS_POSES = 32,
    CLI_EXHAUSTIVENESS_SURFACE = 4,
    CLI_EXHAUSTIVENESS_MAX = 2048
};

struct cli_search {
    const char *level;        /* --search */
    bool surface;             /* of many small populations: see berth_surface_level */
    long long exhaustiveness; /* 0: not asked for */
    long long poses, generations, parents;
    struct cli_refine refine;
};

/* A row of an option table: a number; `otherwise` and `of`, its unit, may be NULL. */
#define CLI_NUMBER_ROW(name, field, letter, text, otherwise, of, least, most)                      \
    {                                                                                              \
        name, field, .argument = letter, .help = text, .fallback = otherwise, .unit = of,          \
                     .min = least, .max = most                                                     \
    }

/* The same of what the level has where it is not given. */
#define CLI_EFFORT_ROW(name, field, text, least, most)                                             \
    {                                                                                              \
        name, field, .argument = "N", .help = text, .fallback = "by search", .min = least,         \
                     .max = most                                                                   \
    }

/* Rows of an option table; `type` has a field `search` of type struct cli_search. */
#define CLI_SEARCH_ROWS(type)                                                                      \
    {"search", BERTH_FIELD(type, search.level), .argument = "LEVEL",                               \
     .words = BERTH_SEARCH_LEVEL_WORDS,                                                            \
     .help = "how much to search: fast (96 poses x 10 generations), balanced (256 x 16) or "       \
             "thorough (512 x 32), with torsions, on maps; rigid_fast (4096 poses x 8 "            \
             "generations, 8 refined), rigid_balanced (16384 x 7, 16 with 2 hops) or "             \
             "rigid_thorough (65536 x 8, 32 with 2), conformers as they are, exact energies; or "  \
             "published (65536 x 8, none refined)"},                                               \
        CLI_EFFORT_ROW("exhaustiveness", BERTH_FIELD(type, search.exhaustiveness),                 \
                       "the effort as AutoDock Vina's users set it: 32 x N poses in a search on "  \
                       "maps; 8 is what balanced has",                                             \
                       1, CLI_EXHAUSTIVENESS_MAX),                                                 \
        CLI_EFFORT_ROW("poses", BERTH_FIELD(type, search.poses),                                   \
                       "poses of a conformer in each generation; on maps of a ligand: its "        \
                       "conformers share them, at least 48 each",                                  \
                       1, BERTH_POSES_MAX),                                                        \
        CLI_EFFORT_ROW("generations", BERTH_FIELD(type, search.generations),                       \
                       "generations, the random first one included", 1, BERTH_GENERATIONS_MAX),    \
        CLI_EFFORT_ROW("parents", BERTH_FIELD(type, search.parents),                               \
                       "poses that may have children; a conformer gives at most so many modes", 1, \
                       BERTH_KEEP),                                                                \
        CLI_EFFORT_ROW("refine", BERTH_FIELD(type, search.refine.poses),                           \
                       "poses of each conformer, the best of its parents, that go downhill in "    \
                       "the end; only they are given; 0: none, all are; on maps of a ligand: its " \
                       "conformers share them, at least 4 each",                                   \
                       0, BERTH_KEEP),                                                             \
        CLI_EFFORT_ROW("refine_evaluations", BERTH_FIELD(type, search.refine.evaluations),         \
                       "energies and gradients of each descent, at most", 1,                       \
                       BERTH_EVALUATIONS_MAX),                                                     \
        CLI_EFFORT_ROW("hops", BERTH_FIELD(type, search.refine.hops),                              \
                       "after a refinement change the pose at random and refine again, so many "   \
                       "times; the best is kept; on maps, in each generation",                     \
                       0, BERTH_HOPS_MAX),                                                         \
    {                                                                                              \
        "refine_torsions", BERTH_FIELD(type, search.refine.torsions),                              \
            .help = "in a rigid search, refine torsions, too; on maps that is so always"           \
    }

/* On what to dock, which dock and screen have alike. */
struct cli_devices {
    const char *device, *variant;
    long long cpu, batch, check;
    double batch_limit; /* s */
    bool profile;
};

/* Rows of an option table; `type` has a field `devices` of type struct cli_devices. */
#define CLI_DEVICE_ROWS(type)                                                                      \
    {.help = "Device"},                                                                            \
        {"device",                                                                                 \
         BERTH_FIELD(type, devices.device),                                                        \
         .argument = "D",                                                                          \
         .words = "all",                                                                           \
         .help = CLI_DEVICES_HELP,                                                                 \
         .fallback = "all of the kind that looks fastest"},                                        \
        CLI_CPU_ROW(type, devices.cpu),                                                            \
        CLI_NUMBER_ROW("batch", BERTH_FIELD(type, devices.batch), "N",                             \
                       "conformers in one launch; does not change the results", "by device", NULL, \
                       1, 1000000),                                                                \
        CLI_NUMBER_ROW(                                                                            \
            "batch_limit", BERTH_FIELD(type, devices.batch_limit), "T",                            \
            "a device that takes longer than this for one launch of conformers is dropped", NULL,  \
            "s", 0.001, 1e9),                                                                      \
        CLI_NUMBER_ROW("check", BERTH_FIELD(type, devices.check), "N",                             \
                       "hold energies of each device's first batch and every N-th against the "    \
                       "reference; a device that computes wrongly is dropped; 0: none",            \
                       NULL, NULL, 0, 1e9),                                                        \
        {"variant", BERTH_FIELD(type, devices.variant), .argument = "TEXT",                        \
         .help = "tunables of the energy kernel, for example \"ppwi=2 unroll=8\"",                 \
         .fallback = "as tuned, else by device"},                                                  \
    {                                                                                              \
        "profile", BERTH_FIELD(type, devices.profile),                                             \
            .help = "print the device time of each kernel; batches then run one after the other"   \
    }

struct cli_devices cli_devices_defaults(void);

/* Before parsing: a level's name, and nothing else. */
struct cli_search cli_search_defaults(const char *level);

/* After parsing: what the user did not give is as the level says.  Errors: BERTH_E_USAGE (no such
 * level; --exhaustiveness of a rigid one, or beside --poses). */
enum berth_status cli_search_complete(const struct berth_option *table,
                                      const struct berth_parsed *parsed, struct cli_search *search,
                                      struct berth_error *error);

/* The settings, of a complete search. */
struct berth_search_settings cli_search_settings(const struct cli_search *search);

#endif
