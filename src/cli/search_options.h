/* The options of a search, which dock, screen and eval have alike. */
#ifndef BERTH_CLI_SEARCH_OPTIONS_H
#define BERTH_CLI_SEARCH_OPTIONS_H

#include "cli/common.h"
#include "engine/search.h"

/* Poses on maps for each unit of exhaustiveness, so that Vina's default, 8, is balanced. */
enum { CLI_EXHAUSTIVENESS_POSES = 32, CLI_EXHAUSTIVENESS_MAX = 2048 };

struct cli_search {
    const char *level;        /* --search */
    long long exhaustiveness; /* 0: not asked for */
    long long poses, generations, parents;
    struct cli_refine refine;
};

/* Rows of an option table; `type` has a field `search` of type struct cli_search. */
#define CLI_SEARCH_ROWS(type)                                                                      \
    {"search", BERTH_FIELD(type, search.level), .argument = "LEVEL",                               \
     .words = "fast balanced thorough rigid_fast rigid_balanced rigid_thorough published",         \
     .help = "how much to search: fast (96 poses x 10 generations), balanced (256 x 16) or "       \
             "thorough (512 x 32), with torsions, on maps; rigid_fast (4096 poses x 8 "            \
             "generations, 8 refined), rigid_balanced (16384 x 7, 16 with 2 hops) or "             \
             "rigid_thorough (65536 x 8, 32 with 2), conformers as they are, exact energies; or "  \
             "published (65536 x 8, none refined)"},                                               \
        {"exhaustiveness",                                                                         \
         BERTH_FIELD(type, search.exhaustiveness),                                                 \
         .argument = "N",                                                                          \
         .fallback = "by search",                                                                  \
         .help = "the effort as AutoDock Vina's users set it: 32 x N poses in a search on maps; "  \
                 "8 is what balanced has",                                                         \
         .min = 1,                                                                                 \
         .max = CLI_EXHAUSTIVENESS_MAX},                                                           \
        {"poses",                                                                                  \
         BERTH_FIELD(type, search.poses),                                                          \
         .argument = "N",                                                                          \
         .fallback = "by search",                                                                  \
         .help = "poses of a conformer in each generation",                                        \
         .min = 1,                                                                                 \
         .max = BERTH_POSES_MAX},                                                                  \
        {"generations",                                                                            \
         BERTH_FIELD(type, search.generations),                                                    \
         .argument = "N",                                                                          \
         .fallback = "by search",                                                                  \
         .help = "generations, the random first one included",                                     \
         .min = 1,                                                                                 \
         .max = BERTH_GENERATIONS_MAX},                                                            \
        {"parents",                                                                                \
         BERTH_FIELD(type, search.parents),                                                        \
         .argument = "N",                                                                          \
         .fallback = "by search",                                                                  \
         .help = "poses that may have children; a conformer gives at most so many modes",          \
         .min = 1,                                                                                 \
         .max = BERTH_KEEP},                                                                       \
        {"refine",                                                                                 \
         BERTH_FIELD(type, search.refine.poses),                                                   \
         .argument = "N",                                                                          \
         .fallback = "by search",                                                                  \
         .help = "poses of each conformer, the best of its parents, that go downhill in the end; " \
                 "only they are given; 0: none, all are",                                          \
         .min = 0,                                                                                 \
         .max = BERTH_KEEP},                                                                       \
        {"refine_evaluations",                                                                     \
         BERTH_FIELD(type, search.refine.evaluations),                                             \
         .argument = "N",                                                                          \
         .fallback = "by search",                                                                  \
         .help = "energies and gradients of each descent, at most",                                \
         .min = 1,                                                                                 \
         .max = BERTH_EVALUATIONS_MAX},                                                            \
        {"hops",                                                                                   \
         BERTH_FIELD(type, search.refine.hops),                                                    \
         .argument = "N",                                                                          \
         .fallback = "by search",                                                                  \
         .help = "after a refinement change the pose at random and refine again, so many times; "  \
                 "the best is kept; on maps, in each generation",                                  \
         .min = 0,                                                                                 \
         .max = BERTH_HOPS_MAX},                                                                   \
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
        {"batch",                                                                                  \
         BERTH_FIELD(type, devices.batch),                                                         \
         .argument = "N",                                                                          \
         .help = "conformers in one launch; does not change the results",                          \
         .fallback = "by device",                                                                  \
         .min = 1,                                                                                 \
         .max = 1000000},                                                                          \
        {"batch_limit",                                                                            \
         BERTH_FIELD(type, devices.batch_limit),                                                   \
         .argument = "T",                                                                          \
         .help = "a device that takes longer than this for one launch of conformers is dropped",   \
         .unit = "s",                                                                              \
         .min = 0.001,                                                                             \
         .max = 1e9},                                                                              \
        {"check",                                                                                  \
         BERTH_FIELD(type, devices.check),                                                         \
         .argument = "N",                                                                          \
         .help =                                                                                   \
             "hold energies of each device's first batch and every N-th against the reference; a " \
             "device that computes wrongly is dropped; 0: none",                                   \
         .min = 0,                                                                                 \
         .max = 1e9},                                                                              \
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
