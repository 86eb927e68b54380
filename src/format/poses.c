#include "format/poses.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "chem/hydrogens.h"
#include "format/mol2/mol2.h"
#include "format/pdbqt/pdbqt.h"
#include "format/sdf/sdf.h"
#include "score/terms.h"

struct berth_pose_format {
    const char *endings[2]; /* of files' names; NULL: none */
    enum berth_status (*write)(struct berth_output *output,
                               const struct berth_tagged_molecule *tagged,
                               struct berth_error *error);
};

/* The formats: a further one is a row here, and a folder beside theirs. */
static const struct berth_pose_format FORMATS[] = {
    {{".sdf", ".sd"}, berth_sdf_write},
    {{".mol2"}, berth_mol2_write},
    {{".pdbqt"}, berth_pdbqt_write},
};

enum { FORMAT_COUNT = sizeof FORMATS / sizeof *FORMATS };

const struct berth_pose_format *const BERTH_POSE_SDF = &FORMATS[0];
const struct berth_pose_format *const BERTH_POSE_MOL2 = &FORMATS[1];

void berth_pose_endings(char *text, size_t size)
{
    const char *endings[2 * FORMAT_COUNT] = {NULL};
    size_t count = 0, used = 0;
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        for (size_t k = 0; k < 2 && FORMATS[i].endings[k]; k++) {
            endings[count++] = FORMATS[i].endings[k];
        }
    }
    for (size_t i = 0; i < count && used < size; i++) {
        const char *before = i == 0 ? "" : i + 1 < count ? ", " : " or ";
        used += (size_t)snprintf(text + used, size - used, "%s%s", before, endings[i]);
    }
}

enum berth_status berth_pose_format_of(const char *path, const struct berth_pose_format **format,
                                       struct berth_error *error)
{
    const size_t length = strlen(path) - (berth_output_is_packed(path) ? strlen(".gz") : 0);
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        for (size_t k = 0; k < 2 && FORMATS[i].endings[k]; k++) {
            const char *ending = FORMATS[i].endings[k];
            const size_t size = strlen(ending);
            if (length >= size && strncasecmp(path + length - size, ending, size) == 0) {
                *format = &FORMATS[i];
                return BERTH_OK;
            }
        }
    }
    char endings[256];
    berth_pose_endings(endings, sizeof endings);
    return berth_fail(error, BERTH_E_USAGE,
                      "%s: poses are written as %s, or these and .gz; give the file one of these "
                      "endings",
                      path, endings);
}

enum { SEED_SIZE = 32 };

/* Lists the tags of a pose, whose texts stand in `texts` and `seed`; gives their number. */
static size_t list_tags(const struct berth_pose_record *record, struct berth_score_texts *texts,
                        char seed[SEED_SIZE], struct berth_tag *tags)
{
    size_t count = 0;
    const struct berth_score_columns columns = berth_score_row_columns(&record->row);
    berth_score_row_texts(&record->row, texts);
    for (size_t i = 0; i < BERTH_SCORE_FIELDS; i++) {
        if (*texts->texts[i]) {
            tags[count++] = (struct berth_tag){berth_score_name(i, &columns), texts->texts[i]};
        }
    }
    snprintf(seed, SEED_SIZE, "%llu", record->seed);
    tags[count++] = (struct berth_tag){BERTH_COLUMN_NAMES[BERTH_COLUMN_SEED], seed};
    if (record->smiles && *record->smiles) {
        tags[count++] = (struct berth_tag){BERTH_COLUMN_NAMES[BERTH_COLUMN_SMILES], record->smiles};
    }
    for (size_t i = 0; i < record->more_count; i++) {
        tags[count++] = record->more[i];
    }
    return count;
}

enum berth_status berth_molecule_write(struct berth_output *output,
                                       const struct berth_pose_format *format,
                                       const struct berth_tagged_molecule *tagged,
                                       struct berth_error *error)
{
    return format->write(output, tagged, error);
}

/* Positions of the pose whose hydrogens are apart; *settled stays NULL where they are already, and
 * is else for the caller to free. */
static enum berth_status settle(const struct berth_pose_record *record, double (**settled)[3],
                                struct berth_error *error)
{
    const struct berth_molecule *molecule = record->conformer;
    bool crowded;
    BERTH_TRY(berth_hydrogens_crowd(molecule, record->positions, &crowded, error));
    if (!crowded) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_make(settled, molecule->atom_count, sizeof **settled, NULL, error));
    memcpy(*settled, record->positions, molecule->atom_count * sizeof **settled);
    return berth_hydrogens_settle(molecule, *settled, error);
}

enum berth_status berth_pose_write(struct berth_output *output,
                                   const struct berth_pose_format *format,
                                   const struct berth_pose_record *record,
                                   struct berth_error *error)
{
    double(*settled)[3] = NULL;
    struct berth_score_texts texts;
    char seed[SEED_SIZE];
    struct berth_tag *tags;
    BERTH_TRY(
        berth_make(&tags, BERTH_SCORE_FIELDS + 2 + record->more_count, sizeof *tags, NULL, error));
    enum berth_status status = settle(record, &settled, error);
    const size_t count = list_tags(record, &texts, seed, tags);
    const struct berth_tagged_molecule tagged = {.molecule = record->conformer,
                                                 .positions = settled ? (const double(*)[3])settled
                                                                      : record->positions,
                                                 .best = record->best,
                                                 .title = record->row.ligand,
                                                 .tags = tags,
                                                 .tag_count = count};
    status = status ? status : berth_molecule_write(output, format, &tagged, error);
    free(settled);
    free(tags);
    return status;
}
