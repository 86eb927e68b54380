#include "screen/library_walk.h"

#include <string.h>

#include "base/memory.h"
#include "dock/modes.h"

/* Reads the ligands from this one to its block's end. */
static enum berth_status advance(struct berth_library_walk *walk, uint64_t ordinal)
{
    bool end = false;
    struct berth_library_range range = walk->range;
    range.next = walk->begin = ordinal;
    const enum berth_status status =
        berth_library_next(walk->reader, &range, &walk->block, &end, &walk->error);
    walk->end = range.next;
    BERTH_TRY(status);
    if (end) {
        return berth_fail(&walk->error, BERTH_E_FORMAT, "the library has no ligand %llu",
                          (unsigned long long)ordinal);
    }
    return berth_library_write_out(walk->reader, &walk->block, &walk->rest, &walk->error);
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

enum berth_status berth_library_place(const struct berth_library_ligand *ligand,
                                      const struct berth_pose *mode, const double center[3],
                                      double (**positions)[3], struct berth_error *error)
{
    const struct berth_ligand *all = &ligand->ligand;
    double centroid[3];
    *positions = NULL;
    if (mode->conformer >= all->conformer_count) {
        return berth_fail(error, BERTH_E_FORMAT, "ligand %s has no conformer %zu", all->name,
                          mode->conformer + 1);
    }
    berth_heavy_centroid(&all->conformers[mode->conformer], centroid);
    *positions = berth_pose_place(&all->conformers[mode->conformer], centroid, mode,
                                  mode->torsions ? &ligand->tree : NULL, center);
    return *positions ? BERTH_OK : berth_out_of_memory(error, NULL);
}

void berth_library_walk_clear(struct berth_library_walk *walk)
{
    berth_docking_block_clear(&walk->block);
    berth_write_out_block_clear(&walk->rest);
}
