/* berth merge: the shards of a screen into the results of the whole. */
#include <inttypes.h>

#include "cli/common.h"
#include "dock/screen/merge.h"
#include "cli/text_docking.h"

struct values {
    struct berth_arguments folders;
    const char *out, *library, *config;
    long long top;
    double max_clash;
};

static const struct berth_option OPTIONS[] = {
    {"DIR...", BERTH_FIELD(struct values, folders),
     .help = "the folders of all shards of one screen, in any order", .required = true},
    {"out", BERTH_FIELD(struct values, out), .argument = "DIR",
     .help = "folder for scores.csv, hits.sdf, failures.csv and run.json; made where it is missing",
     .required = true},
    {"top", BERTH_FIELD(struct values, top), .argument = "N",
     .help = "ligands whose poses hits.sdf is to have, best first", .min = 0, .max = 1e7,
     .fallback = "as the first shard was run"},
    {"max_clash", BERTH_FIELD(struct values, max_clash), .argument = "D",
     .help = CLI_MAX_CLASH_HELP, .unit = "Å", .min = 0, .max = 100,
     .fallback = "as the first shard was run"},
    {"library", BERTH_FIELD(struct values, library), .argument = "FILE",
     .help = "the library that was docked, where it lies elsewhere now",
     .fallback = "where it was"},
    {"config", BERTH_FIELD(struct values, config), .argument = "FILE",
     .help = "read options from a file: lines `name = value`; the command line wins"},
    {0}};

static enum berth_status merge(void *context, int *code, struct berth_error *error)
{
    const struct values *values = context;
    const struct berth_merge_settings settings = {.folders = values->folders.items,
                                                  .count = values->folders.count,
                                                  .out = values->out,
                                                  .library = values->library,
                                                  .top = values->top,
                                                  .max_clash = values->max_clash};
    struct berth_merge_counts counts;
    const enum berth_status status = berth_merge_run(&settings, &counts, error);
    if (!status) {
        printf("%zu shards, %" PRIu64 " ligands, %" PRIu64 " failed\n", settings.count,
               counts.ligands, counts.failed);
        cli_print_left_out(counts.left_out);
        *code = counts.failed ? CLI_SOME_FAILED : CLI_DONE;
    }
    return status;
}

int cmd_merge(int argc, char **argv)
{
    static const struct cli_usage USAGE = {
        "merge", "DIR... --out DIR [--top N]",
        "Joins the shards of a screen (`berth screen --shard K/N`) into what one run of all of it\n"
        "would have given."};
    struct values values = {.top = -1, .max_clash = -1};
    return cli_run(&USAGE, OPTIONS, &values, merge, argc, argv);
}
