#include "dock/screen/outcome.h"

#include <stdio.h>
#include <string.h>

#include "score/terms.h"

struct berth_score_row berth_screen_row(const struct berth_result *result,
                                        const struct berth_result_mode *mode,
                                        const struct berth_run_records *records,
                                        const double *scores)
{
    return (struct berth_score_row){.ordinal = (long long)result->ordinal,
                                    .ligand = result->title,
                                    .mode = 1,
                                    .score = mode->value,
                                    .energy = berth_result_mode_energy(mode),
                                    .terms = berth_pose_terms(&mode->pose),
                                    .names = &records->terms,
                                    .strain = mode->strain,
                                    .conformer_strain = mode->conformer_strain,
                                    .rmsd = -1,
                                    .clash = mode->clash,
                                    .conformer = mode->conformer + 1,
                                    .heavy_atoms = result->heavy_count,
                                    .conformers = result->conformer_count,
                                    .device = records->devices.devices[mode->device].name,
                                    .receptors = &records->receptors,
                                    .receptor = mode->receptor,
                                    .receptor_scores = scores};
}

void berth_property_column(const char *name, const struct berth_run_records *records,
                           char column[BERTH_COLUMN_SIZE])
{
    const size_t prefix = strlen(BERTH_COLUMN_OF_LIBRARY);
    const struct berth_score_columns columns = {&records->terms, &records->receptors};
    /* A library may be of hits of a screen of hits: "library_energy" must not meet "energy". */
    const char *bare = name;
    while (strncmp(bare, BERTH_COLUMN_OF_LIBRARY, prefix) == 0) {
        bare += prefix;
    }
    bool taken = strcmp(bare, BERTH_COLUMN_NAMES[BERTH_COLUMN_SEED]) == 0 ||
                 strcmp(bare, BERTH_COLUMN_NAMES[BERTH_COLUMN_SMILES]) == 0;
    for (size_t i = 0; !taken && i < BERTH_SCORE_FIELDS; i++) {
        const char *ours = berth_score_name(i, &columns);
        taken = ours && strcmp(bare, ours) == 0;
    }
    snprintf(column, BERTH_COLUMN_SIZE, "%s%s", taken ? BERTH_COLUMN_OF_LIBRARY : "", name);
}
