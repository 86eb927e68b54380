#include "dock/screen/outcome.h"

#include <stdio.h>
#include <string.h>

void berth_property_column(const char *name, char column[BERTH_COLUMN_SIZE])
{
    static const char PREFIX[] = "library_";
    static const char *const OURS[] = {
        "ordinal",    "ligand",    "energy",           "steric",     "electrostatic", "desolvation",
        "efficiency", "conformer", "heavy_atoms",      "conformers", "device",        "mode",
        "seed",       "strain",    "conformer_strain", "rmsd",       "rank",          "smiles"};
    /* A library may be of hits of a screen of hits: "library_energy" must not meet "energy". */
    const char *bare = name;
    while (strncmp(bare, PREFIX, sizeof PREFIX - 1) == 0) {
        bare += sizeof PREFIX - 1;
    }
    bool taken = false;
    for (size_t i = 0; i < sizeof OURS / sizeof *OURS; i++) {
        taken = taken || strcmp(bare, OURS[i]) == 0;
    }
    snprintf(column, BERTH_COLUMN_SIZE, "%s%s", taken ? PREFIX : "", name);
}
