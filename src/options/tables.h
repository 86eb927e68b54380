/* The one table of options of each run (base/options.h): from it come the program's parser, help,
 * manual and completions, the defaults and ranges of berth.h's structs, and Python's keywords. */
#ifndef BERTH_OPTIONS_TABLES_H
#define BERTH_OPTIONS_TABLES_H

#include "base/options.h"

/* What ranks where the user of a command names neither functions nor a ranking, and the search is
 * one that several functions can judge; for the library, a ranking is always named. */
#define BERTH_DOCK_RANKING   "consensus"
#define BERTH_SCREEN_RANKING "screening"

/* What a table sets: structs of berth.h side by side, and the names of the inputs. */
struct berth_screen_request {
    const char *receptor; /* a path, or several with commas between */
    struct berth_receptor_options target;
    struct berth_device_options devices;
    struct berth_search_options search;
    struct berth_prepare_ligands_options prepare; /* of molecules; its files are not set */
    struct berth_screen_options screen;           /* its search and prepare are not set */
    bool report;                                  /* as a page, too */
    const char *stages;                           /* see dock/screen/stages.h; NULL: there is one */
};

struct berth_campaign_request {
    struct berth_screen_request screen; /* of each round: first, as BERTH_CAMPAIGN_TABLE says */
    const char *budget, *seek, *sample; /* numbers, or shares: "5 %" */
    const char *model;
    long long rounds;
    double explore, recall; /* % */
    bool choose_only;
};

struct berth_dock_request {
    const char *receptor, *ligand;
    struct berth_receptor_options target;
    struct berth_device_options devices;
    struct berth_search_options search;
    struct berth_dock_options dock; /* its search is not set */
    bool protein;
    double rotation_spacing; /* degrees */
    size_t starts;
};

struct berth_score_request {
    const char *receptor, *ligand;
    struct berth_receptor_options target;
    struct berth_device_options devices;
    struct berth_score_options score;
};

struct berth_merge_request {
    struct berth_arguments folders;
    struct berth_merge_options merge;
};

struct berth_prepare_ligands_request {
    struct berth_arguments inputs;
    struct berth_prepare_ligands_options prepare;
};

struct berth_prepare_receptor_request {
    struct berth_arguments inputs; /* one */
    struct berth_prepare_receptor_options prepare;
};

struct berth_selftest_request {
    struct berth_device_options devices;
    struct berth_selftest_options selftest;
};

extern const struct berth_option BERTH_DOCK_TABLE[], BERTH_SCREEN_TABLE[], BERTH_CAMPAIGN_TABLE[],
    BERTH_SCORE_TABLE[], BERTH_MERGE_TABLE[], BERTH_PREPARE_LIGANDS_TABLE[],
    BERTH_PREPARE_RECEPTOR_TABLE[], BERTH_SELFTEST_TABLE[];

/* The defaults, the sizes of the structs too. */
struct berth_dock_request berth_dock_request(void);
struct berth_screen_request berth_screen_request(void);
struct berth_campaign_request berth_campaign_request(void);
struct berth_score_request berth_score_request(void);
struct berth_merge_request berth_merge_request(void);
struct berth_prepare_ligands_request berth_prepare_ligands_request(void);
struct berth_prepare_receptor_request berth_prepare_receptor_request(void);
struct berth_selftest_request berth_selftest_request(void);

/* The table of a run by its command ("prep ligands"); NULL: there is none. */
const struct berth_option *berth_options_table(const char *run);

#endif
