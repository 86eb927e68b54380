#include "score/terms.h"

#include <math.h>
#include <string.h>

_Static_assert(BERTH_DEVICE_TERMS == BERTH_TERMS_MAX, "the kernels have as many terms");

#define NAME_OF_PART(part, name, column, relative, added) [BERTH_PART_##part] = #name,
const char *const BERTH_PART_NAMES[BERTH_PART_COUNT] = {BERTH_POSE_PARTS(NAME_OF_PART)};

double berth_terms_sum(const struct berth_terms *terms)
{
    double sum = terms->values[0];
    for (size_t i = 1; i < BERTH_TERMS_MAX; i++) {
        sum += terms->values[i];
    }
    return sum;
}

#define COLUMN_OF_PART(part, name, column, relative, added)                                        \
    [BERTH_COLUMN_PARTS + BERTH_PART_##part] = #column,

const char *const BERTH_COLUMN_NAMES[BERTH_COLUMNS] = {
    [BERTH_COLUMN_ORDINAL] = "ordinal",
    [BERTH_COLUMN_LIGAND] = "ligand",
    [BERTH_COLUMN_RANK] = "rank",
    [BERTH_COLUMN_MODE] = "mode",
    [BERTH_COLUMN_RECEPTOR] = "receptor",
    [BERTH_COLUMN_RANKING] = "ranking",
    [BERTH_COLUMN_POSE_RANKING] = "pose_ranking",
    [BERTH_COLUMN_SCORE] = "score",
    [BERTH_COLUMN_ENERGY] = "energy",
    BERTH_POSE_PARTS(COLUMN_OF_PART)[BERTH_COLUMN_CONFORMER_STRAIN] = "conformer_strain",
    [BERTH_COLUMN_COORDINATION] = "coordination",
    [BERTH_COLUMN_DISPLACEMENT] = "displacement",
    [BERTH_COLUMN_EFFICIENCY] = "efficiency",
    [BERTH_COLUMN_RMSD] = "rmsd",
    [BERTH_COLUMN_CLASH] = "clash",
    [BERTH_COLUMN_METAL_1] = "metal_1",
    [BERTH_COLUMN_METAL_2] = "metal_2",
    [BERTH_COLUMN_UNMET] = "unmet",
    [BERTH_COLUMN_CONFORMER] = "conformer",
    [BERTH_COLUMN_HEAVY_ATOMS] = "heavy_atoms",
    [BERTH_COLUMN_CONFORMERS] = "conformers",
    [BERTH_COLUMN_DEVICE] = "device",
    [BERTH_COLUMN_NAME] = "name",
    [BERTH_COLUMN_ROTORS] = "rotors",
    [BERTH_COLUMN_TWIST] = "twist",
    [BERTH_COLUMN_TOTAL] = "total",
    [BERTH_COLUMN_SEED] = "seed",
    [BERTH_COLUMN_SMILES] = "smiles",
    [BERTH_COLUMN_SIDE_CHAINS] = "side_chains",
    [BERTH_COLUMN_INPUT_SMILES] = "input_smiles",
    [BERTH_COLUMN_STATE_OF] = "state_of",
    [BERTH_COLUMN_STATE_POPULATION] = "state_population",
    [BERTH_COLUMN_OPEN_STEREO] = "open_stereo"};

const char *const BERTH_COLUMN_RESTRAINTS[BERTH_RESTRAINTS_MAX] = {
    "restraint_1",  "restraint_2",  "restraint_3",  "restraint_4",  "restraint_5",  "restraint_6",
    "restraint_7",  "restraint_8",  "restraint_9",  "restraint_10", "restraint_11", "restraint_12",
    "restraint_13", "restraint_14", "restraint_15", "restraint_16"};

const char BERTH_COLUMN_SCORE_IN[] = "score_";
const char BERTH_COLUMN_OF_LIBRARY[] = "library_";

double berth_column_blank(const char *name)
{
    for (size_t i = 0; i < BERTH_PART_COUNT; i++) {
        if (strcmp(name, BERTH_COLUMN_NAMES[BERTH_COLUMN_PARTS + i]) == 0) {
            return 0;
        }
    }
    return NAN;
}

static bool begins(const char *name, size_t length, const char *prefix)
{
    return length >= strlen(prefix) && memcmp(prefix, name, strlen(prefix)) == 0;
}

bool berth_is_column(const char *name, size_t length)
{
    for (size_t i = 0; i < BERTH_COLUMNS; i++) {
        const char *column = BERTH_COLUMN_NAMES[i];
        if (strlen(column) == length && memcmp(column, name, length) == 0) {
            return true;
        }
    }
    return begins(name, length, BERTH_COLUMN_SCORE_IN) ||
           begins(name, length, BERTH_COLUMN_OF_LIBRARY);
}
