#include "score/terms.h"

#include <string.h>

double berth_terms_sum(const struct berth_terms *terms)
{
    double sum = terms->values[0];
    for (size_t i = 1; i < BERTH_TERMS_MAX; i++) {
        sum += terms->values[i];
    }
    return sum;
}

const char *const BERTH_COLUMN_NAMES[BERTH_COLUMNS] = {
    "ordinal",    "ligand",      "rank",
    "mode",       "receptor",    "score",
    "energy",     "strain",      "conformer_strain",
    "efficiency", "rmsd",        "clash",
    "conformer",  "heavy_atoms", "conformers",
    "device",     "name",        "rotors",
    "total",      "seed",        "smiles"};

const char BERTH_COLUMN_SCORE_IN[] = "score_";
const char BERTH_COLUMN_OF_LIBRARY[] = "library_";

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
