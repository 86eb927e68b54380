/* A walk over what a library's write-out stream has of its ligands, for the results of a screen. */
#include <string.h>

#include "dock/screen/walk.h"

/* Reads the ligands from this one to its block's end. */
static enum berth_status advance(struct berth_library_walk *walk, uint64_t ordinal)
{
    bool end;
    struct berth_library_range range = walk->range;
    range.next = walk->begin = ordinal;
    enum berth_status status =
        berth_library_next(walk->reader, &range, &walk->block, &end, &walk->error);
    walk->end = range.next;
    if (!status && end) {
        return berth_fail(&walk->error, BERTH_E_FORMAT, "the library has no ligand %llu",
                          (unsigned long long)ordinal);
    }
    return status ? status
                  : berth_library_write_out(walk->reader, &walk->block, &walk->rest, &walk->error);
}

enum berth_status berth_library_walk_to(struct berth_library_walk *walk, uint64_t ordinal,
                                        struct berth_library_ligand *ligand,
                                        struct berth_error *error)
{
    memset(ligand, 0, sizeof *ligand);
    if (ordinal >= walk->end) {
        walk->status = advance(walk, ordinal);
    }
    if (walk->status) {
        *error = walk->error;
        return walk->status;
    }
    return berth_write_out_ligand(&walk->rest, (size_t)(ordinal - walk->begin), !walk->whole,
                                  ligand, error);
}

void berth_library_walk_clear(struct berth_library_walk *walk)
{
    berth_docking_block_clear(&walk->block);
    berth_write_out_block_clear(&walk->rest);
    memset(walk, 0, sizeof *walk);
}
