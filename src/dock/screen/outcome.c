#include "dock/screen/outcome.h"

#include <stdio.h>
#include <string.h>

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

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
    size_t i = 0;
    while (i < count && strcmp(name, names[i]) != 0) {
        i++;
    }
    return i < count;
}

void berth_property_column(const char *name, const struct berth_run_records *records,
                           char column[BERTH_COLUMN_SIZE])
{
    static const char PREFIX[] = "library_";
    static const char *const OTHERS[] = {"seed", "smiles"};
    const struct berth_score_columns columns = {&records->terms, &records->receptors};
    /* A library may be of hits of a screen of hits: "library_energy" must not meet "energy". */
    const char *bare = name;
    while (strncmp(bare, PREFIX, sizeof PREFIX - 1) == 0) {
        bare += sizeof PREFIX - 1;
    }
    bool taken = is_one_of(bare, OTHERS, sizeof OTHERS / sizeof *OTHERS);
    for (size_t i = 0; !taken && i < BERTH_SCORE_FIELDS; i++) {
        const char *ours = berth_score_name(i, &columns);
        taken = ours && strcmp(bare, ours) == 0;
    }
    snprintf(column, BERTH_COLUMN_SIZE, "%s%s", taken ? PREFIX : "", name);
}
