/* What the commands of `berth lib` share. */
#include "cli/lib.h"

#include <string.h>

enum berth_status lib_walk_open(const char *path, struct lib_walk *walk, struct berth_error *error)
{
    memset(walk, 0, sizeof *walk);
    enum berth_status status = berth_library_open(path, NULL, &walk->reader, error);
    if (!status) {
        walk->range = berth_library_shard(walk->reader, 0, 1);
    }
    return status;
}

enum berth_status lib_walk_next(struct lib_walk *walk, bool *end, struct berth_error *error)
{
    for (;;) {
        enum berth_status status =
            berth_library_next(walk->reader, &walk->range, &walk->block, end, error);
        if (status != BERTH_E_FORMAT) {
            return status;
        }
        cli_fatal(error);
        walk->corrupt++;
    }
}

void lib_walk_close(struct lib_walk *walk)
{
    berth_docking_block_clear(&walk->block);
    berth_library_close(walk->reader);
}

enum berth_status lib_check_one(const struct berth_arguments *arguments, struct berth_error *error)
{
    return arguments->count == 1
               ? BERTH_OK
               : berth_fail(error, BERTH_E_USAGE, "%zu libraries are given; this command takes one",
                            arguments->count);
}
