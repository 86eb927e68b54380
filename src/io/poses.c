#include "io/poses.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "io/pose_formats.h"

enum berth_status berth_pose_format_of(const char *path, enum berth_pose_format *format,
                                       struct berth_error *error)
{
    static const struct {
        const char *ending;
        enum berth_pose_format format;
    } FORMATS[] = {{".sdf", BERTH_POSE_SDF}, {".sd", BERTH_POSE_SDF}, {".mol2", BERTH_POSE_MOL2}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof FORMATS / sizeof *FORMATS; i++) {
        if (strcasecmp(dot, FORMATS[i].ending) == 0) {
            *format = FORMATS[i].format;
            return BERTH_OK;
        }
    }
    return berth_fail(error, BERTH_E_USAGE,
                      "%s: poses are written as .sdf, .sd or .mol2; give the file one of these "
                      "endings",
                      path);
}

static void add_tag(struct berth_pose_tags *tags, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add_tag(struct berth_pose_tags *tags, const char *name, const char *format, ...)
{
    char *text = tags->tags[tags->count].text;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, BERTH_TAG_SIZE, format, arguments);
    va_end(arguments);
    tags->tags[tags->count].name = name;
    tags->tags[tags->count++].value = text;
}

/* Four decimals, and no "-0.0000". */
static void add_energy(struct berth_pose_tags *tags, const char *name, double energy)
{
    add_tag(tags, name, "%.4f", fabs(energy) < 0.00005 ? 0.0 : energy);
}

void berth_pose_tags(const struct berth_pose_record *record, struct berth_pose_tags *tags)
{
    tags->count = 1;
    tags->tags[0].name = "ligand";
    tags->tags[0].value = record->ligand;
    add_tag(tags, "conformer", "%zu", record->conformer_number);
    add_tag(tags, "mode", "%d", record->mode);
    add_energy(tags, "energy", record->energy);
    add_energy(tags, "steric", record->terms.steric);
    add_energy(tags, "electrostatic", record->terms.electrostatic);
    add_energy(tags, "desolvation", record->terms.desolvation);
    if (record->rmsd >= 0) {
        add_tag(tags, "rmsd", "%.4f", record->rmsd);
    }
    add_tag(tags, "seed", "%llu", record->seed);
}

enum berth_status berth_pose_write(struct berth_output *output, enum berth_pose_format format,
                                   const struct berth_pose_record *record,
                                   struct berth_error *error)
{
    if (format == BERTH_POSE_SDF) {
        return berth_sdf_write(output, record, error);
    }
    berth_mol2_write(output, record);
    return BERTH_OK;
}
