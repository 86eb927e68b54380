#include "format/poses.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "format/mol2/mol2_write.h"
#include "format/sdf/sdf.h"

struct berth_pose_format {
    const char *endings[2]; /* of files' names; NULL: none */
    enum berth_status (*write)(struct berth_output *output,
                               const struct berth_tagged_molecule *tagged,
                               struct berth_error *error);
};

const struct berth_pose_format BERTH_POSE_SDF = {{".sdf", ".sd"}, berth_sdf_write};
const struct berth_pose_format BERTH_POSE_MOL2 = {{".mol2"}, berth_mol2_write};

static const struct berth_pose_format *const FORMATS[] = {&BERTH_POSE_SDF, &BERTH_POSE_MOL2};

enum berth_status berth_pose_format_of(const char *path, const struct berth_pose_format **format,
                                       struct berth_error *error)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof FORMATS / sizeof *FORMATS; i++) {
        for (size_t k = 0; k < 2 && FORMATS[i]->endings[k]; k++) {
            if (strcasecmp(dot, FORMATS[i]->endings[k]) == 0) {
                *format = FORMATS[i];
                return BERTH_OK;
            }
        }
    }
    return berth_fail(error, BERTH_E_USAGE,
                      "%s: poses are written as .sdf, .sd or .mol2; give the file one of these "
                      "endings",
                      path);
}

enum { TAG_COUNT = 12, TAG_SIZE = 48 };

/* The tags of a pose, in the order of the output; points into itself: not to be copied. */
struct pose_tags {
    size_t count; /* RMSD and strain are left out where there is none */
    struct berth_tag tags[TAG_COUNT];
    char texts[TAG_COUNT][TAG_SIZE];
};

static void add_tag(struct pose_tags *tags, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add_tag(struct pose_tags *tags, const char *name, const char *format, ...)
{
    char *text = tags->texts[tags->count];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, TAG_SIZE, format, arguments);
    va_end(arguments);
    tags->tags[tags->count++] = (struct berth_tag){name, text};
}

/* Four decimals, and no "-0.0000". */
static void add_energy(struct pose_tags *tags, const char *name, double energy)
{
    add_tag(tags, name, "%.4f", fabs(energy) < 0.00005 ? 0.0 : energy);
}

static void list_tags(const struct berth_pose_record *record, struct pose_tags *tags)
{
    tags->count = 1;
    tags->tags[0] = (struct berth_tag){"ligand", record->ligand};
    add_tag(tags, "conformer", "%zu", record->conformer_number);
    add_tag(tags, "mode", "%d", record->mode);
    add_energy(tags, "energy", record->energy);
    add_energy(tags, "steric", record->terms.steric);
    add_energy(tags, "electrostatic", record->terms.electrostatic);
    add_energy(tags, "desolvation", record->terms.desolvation);
    add_energy(tags, "efficiency", record->energy / (double)berth_heavy_count(record->conformer));
    if (record->rmsd >= 0) {
        add_tag(tags, "rmsd", "%.4f", record->rmsd);
    }
    if (isfinite(record->conformer_strain)) {
        add_tag(tags, "conformer_strain", "%.2f", record->conformer_strain);
    }
    if (isfinite(record->strain)) {
        add_energy(tags, "strain", record->strain);
    }
    add_tag(tags, "seed", "%llu", record->seed);
}

enum berth_status berth_molecule_write(struct berth_output *output,
                                       const struct berth_pose_format *format,
                                       const struct berth_tagged_molecule *tagged,
                                       struct berth_error *error)
{
    return format->write(output, tagged, error);
}

enum berth_status berth_pose_write(struct berth_output *output,
                                   const struct berth_pose_format *format,
                                   const struct berth_pose_record *record,
                                   struct berth_error *error)
{
    struct pose_tags own;
    list_tags(record, &own);
    struct berth_tag *tags = berth_alloc(own.count + record->more_count, sizeof *tags);
    if (!tags) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    memcpy(tags, own.tags, own.count * sizeof *tags);
    for (size_t i = 0; i < record->more_count; i++) {
        tags[own.count + i] = record->more[i];
    }
    const struct berth_tagged_molecule tagged = {.molecule = record->conformer,
                                                 .positions = record->positions,
                                                 .title = record->ligand,
                                                 .tags = tags,
                                                 .tag_count = own.count + record->more_count};
    enum berth_status status = berth_molecule_write(output, format, &tagged, error);
    free(tags);
    return status;
}
