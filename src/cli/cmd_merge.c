/* berth merge: the shards of a screen into the results of the whole. */
#include <inttypes.h>
#include <unistd.h>

#include "cli/common.h"
#include "cli/run_lines.h"

/* Whether the folder has the results of an earlier merge, which are replaced. */
static bool replaces(const char *folder)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/scores.csv", folder);
    return access(path, F_OK) == 0;
}

static enum berth_status merge(void *context, int *code, struct berth_error *error)
{
    const struct berth_options *values = context;
    struct berth_merge_counts counts;
    const bool again = replaces(values->out);
    enum berth_status status =
        berth_screen_merge(values->folders.items, values->folders.count, values, &counts, error);
    BERTH_THEN(cli_print_hits(values->out, "", error));
    if (!status) {
        printf("%zu shard%s, %" PRIu64 " ligands docked, %" PRIu64 " failed\n",
               values->folders.count, values->folders.count == 1 ? "" : "s", counts.docked,
               counts.failed);
        if (again) {
            printf("replaces the results that were in %s\n", values->out);
        }
        cli_foot_left_out(counts.left_out);
        cli_foot_few_found(counts.few, counts.num_modes);
        status = cli_foot_required(values->out, error);
        BERTH_THEN(cli_foot_restrained(values->out, false, error));
        *code = counts.failed ? CLI_SOME_FAILED : CLI_DONE;
    }
    return status;
}

int cmd_merge(int argc, char **argv)
{
    static const struct cli_usage USAGE = {
        "merge", "DIR... --out DIR [--top N]",
        "Joins the shards of a screen (`berth screen --shard K/N`) into what one run of all of it\n"
        "would have given.  Results of an earlier merge in the folder DIR are replaced; a "
        "screen's\n"
        "folder is refused."};
    return cli_run_options(&USAGE, merge, argc, argv);
}
