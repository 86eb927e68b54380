/* The properties that a library carries, for the results of a screen. */
#include <string.h>

#include "cli/screen.h"

void screen_property_column(const char *name, char column[SCREEN_COLUMN_SIZE])
{
    static const char *const OURS[] = {
        "ordinal",    "ligand",    "energy",           "steric",     "electrostatic", "desolvation",
        "efficiency", "conformer", "heavy_atoms",      "conformers", "device",        "mode",
        "seed",       "strain",    "conformer_strain", "rmsd",       "rank",          "smiles"};
    bool taken = false;
    for (size_t i = 0; i < sizeof OURS / sizeof *OURS; i++) {
        taken = taken || strcmp(name, OURS[i]) == 0;
    }
    snprintf(column, SCREEN_COLUMN_SIZE, "%s%s", taken ? "library_" : "", name);
}

/* Reads the blocks of the ligands that come next. */
static enum berth_status advance(struct screen_properties *walk)
{
    bool end;
    walk->begin = walk->range.next;
    enum berth_status status =
        berth_library_next(walk->reader, &walk->range, &walk->block, &end, &walk->error);
    walk->end = walk->range.next;
    if (!status && end) {
        return berth_fail(&walk->error, BERTH_E_FORMAT, "the library has no ligand %llu",
                          (unsigned long long)walk->begin);
    }
    return status ? status
                  : berth_library_write_out(walk->reader, &walk->block, &walk->rest, &walk->error);
}

enum berth_status screen_properties_of(struct screen_properties *walk, uint64_t ordinal,
                                       struct berth_library_ligand *ligand,
                                       struct berth_error *error)
{
    memset(ligand, 0, sizeof *ligand);
    while (ordinal >= walk->end && walk->range.next < walk->range.end) {
        walk->status = advance(walk);
        if (walk->status && walk->status != BERTH_E_FORMAT) {
            break;
        }
    }
    if (walk->status) {
        *error = walk->error;
        return walk->status;
    }
    return berth_write_out_ligand(&walk->rest, (size_t)(ordinal - walk->begin), true, ligand,
                                  error);
}

void screen_properties_clear(struct screen_properties *walk)
{
    berth_docking_block_clear(&walk->block);
    berth_write_out_block_clear(&walk->rest);
    memset(walk, 0, sizeof *walk);
}
