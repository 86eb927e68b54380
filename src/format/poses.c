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
#include "score/fields.h"

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

/* What gnina calls its tags, and the columns that say the same. */
static const struct {
    const char *name, *column;
    bool learned; /* by a model: what else has this name says something else */
} GNINA_TAGS[] = {{"minimizedAffinity", BERTH_COLUMN_SCORE, false},
                  {"CNNscore", "cnn_score", true},
                  {"CNNaffinity", "cnn_affinity", true}};

enum { GNINA_COUNT = sizeof GNINA_TAGS / sizeof *GNINA_TAGS };

static bool has_gnina_tags(const struct berth_score_columns *run)
{
    return run->judges && run->judges->gnina_tags;
}

void berth_property_column(const char *name, const struct berth_score_columns *columns,
                           char column[BERTH_COLUMN_SIZE])
{
    struct berth_known_field ours[BERTH_KNOWN_FIELDS];
    const size_t prefix = strlen(BERTH_COLUMN_OF_LIBRARY);
    /* A library may be of hits of a screen of hits: "library_energy" must not meet "energy". */
    const char *bare = name;
    while (strncmp(bare, BERTH_COLUMN_OF_LIBRARY, prefix) == 0) {
        bare += prefix;
    }
    /* what ranks, also of runs that have none of it: those who read the table take it for theirs */
    const struct berth_pose_field *field = berth_field_named(bare);
    bool taken = field && field->reserved;
    for (size_t i = 0; !taken && has_gnina_tags(columns) && i < GNINA_COUNT; i++) {
        taken = strcmp(bare, GNINA_TAGS[i].name) == 0;
    }
    const size_t count = berth_fields_list(columns, BERTH_IN_SCORES, ours);
    for (size_t i = 0; !taken && i < count; i++) {
        taken = strcmp(bare, ours[i].name) == 0;
    }
    snprintf(column, BERTH_COLUMN_SIZE, "%s%s", taken ? BERTH_COLUMN_OF_LIBRARY : "", name);
}

/* The tags of a pose, and where their texts stand. */
struct pose_tags {
    struct berth_tag *tags;           /* owned; [count] */
    char (*names)[BERTH_COLUMN_SIZE]; /* owned; of the properties */
    size_t count;
    char numbers[BERTH_KNOWN_FIELDS][BERTH_FIELD_NUMBER], seed[32];
};

static void add_tag(struct pose_tags *tags, const char *name, const char *value)
{
    if (value && *value) {
        tags->tags[tags->count++] = (struct berth_tag){name, value};
    }
}

/* Adds gnina's tags of what these fields say. */
static void add_gnina_tags(const struct berth_known_field *fields, size_t count,
                           const struct berth_score_row *row, struct pose_tags *tags)
{
    for (size_t k = 0; k < GNINA_COUNT; k++) {
        for (size_t i = 0; i < count; i++) {
            if (strcmp(fields[i].name, GNINA_TAGS[k].column) == 0 &&
                berth_field_is_learned(&fields[i]) == GNINA_TAGS[k].learned) {
                add_tag(tags, GNINA_TAGS[k].name,
                        berth_field_text(&fields[i], row, tags->numbers[i]));
            }
        }
    }
}

static enum berth_status list_tags(const struct berth_pose_record *record,
                                   const struct berth_pose_format *format, struct pose_tags *tags,
                                   struct berth_error *error)
{
    const struct berth_library_ligand *known = record->known;
    const size_t properties = known ? known->property_count : 0;
    const struct berth_score_row *row = &record->row;
    struct berth_known_field fields[BERTH_KNOWN_FIELDS];
    const size_t count = berth_fields_list(row->run, BERTH_IN_SCORES, fields);
    BERTH_TRY(berth_make(&tags->names, properties, sizeof *tags->names, NULL, error));
    BERTH_TRY(berth_make(&tags->tags, count + GNINA_COUNT + 3 + properties, sizeof *tags->tags,
                         NULL, error));
    for (size_t i = 0; i < count; i++) {
        add_tag(tags, fields[i].name, berth_field_text(&fields[i], row, tags->numbers[i]));
    }
    if (format == BERTH_POSE_SDF && has_gnina_tags(row->run)) {
        add_gnina_tags(fields, count, row, tags);
    }
    snprintf(tags->seed, sizeof tags->seed, "%llu", record->seed);
    add_tag(tags, BERTH_COLUMN_SEED, record->standing ? NULL : tags->seed);
    add_tag(tags, BERTH_COLUMN_SMILES, known ? known->smiles : NULL);
    for (size_t i = 0; i < properties; i++) {
        berth_property_column(known->properties[i].name, row->run, tags->names[i]);
        tags->tags[tags->count++] = (struct berth_tag){tags->names[i], known->properties[i].value};
    }
    add_tag(tags, BERTH_COLUMN_SIDE_CHAINS, record->side_chains);
    return BERTH_OK;
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
    struct pose_tags tags = {.count = 0};
    enum berth_status status = list_tags(record, format, &tags, error);
    BERTH_THEN(settle(record, &settled, error));
    const struct berth_tagged_molecule tagged = {.molecule = record->conformer,
                                                 .positions = settled ? (const double(*)[3])settled
                                                                      : record->positions,
                                                 .best = record->best,
                                                 .title = record->row.ligand,
                                                 .tags = tags.tags,
                                                 .tag_count = tags.count};
    BERTH_THEN(berth_molecule_write(output, format, &tagged, error));
    free(settled);
    free(tags.tags);
    free(tags.names);
    return status;
}
