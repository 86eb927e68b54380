#include "format/library/export.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"

/* Tags beside the properties: conformer, strain, SMILES, source, record. */
enum { OWN_TAGS = 5, TAG_SIZE = 40 };

/* Adds a tag unless its value is not known. */
static size_t add_tag(struct berth_tag *tags, size_t count, const char *name, const char *value)
{
    tags[count] = (struct berth_tag){name, value};
    return count + (*value != '\0');
}

enum berth_status berth_library_ligand_write(struct berth_output *output,
                                             const struct berth_pose_format *format,
                                             const struct berth_library_ligand *ligand,
                                             struct berth_error *error)
{
    struct berth_tag *tags = berth_alloc(ligand->property_count + OWN_TAGS, sizeof *tags);
    enum berth_status status = tags ? BERTH_OK : berth_fail(error, BERTH_E_MEMORY, "out of memory");
    for (size_t c = 0; !status && c < ligand->ligand.conformer_count; c++) {
        char number[TAG_SIZE], strain[TAG_SIZE] = "", record[TAG_SIZE] = "";
        snprintf(number, sizeof number, "%zu", c + 1);
        if (!isnan(ligand->strains[c])) {
            snprintf(strain, sizeof strain, "%.2f", ligand->strains[c]);
        }
        if (ligand->record) {
            snprintf(record, sizeof record, "%" PRIu64, ligand->record);
        }
        size_t count = add_tag(tags, 0, "conformer", number);
        count = add_tag(tags, count, "strain", strain);
        count = add_tag(tags, count, "smiles", ligand->smiles);
        count = add_tag(tags, count, "source", ligand->source);
        count = add_tag(tags, count, "record", record);
        for (size_t i = 0; i < ligand->property_count; i++) {
            tags[count++] =
                (struct berth_tag){ligand->properties[i].name, ligand->properties[i].value};
        }
        const struct berth_tagged_molecule tagged = {.molecule = &ligand->ligand.conformers[c],
                                                     .title = ligand->ligand.name,
                                                     .tags = tags,
                                                     .tag_count = count};
        status = berth_molecule_write(output, format, &tagged, error);
    }
    free(tags);
    return status;
}

enum berth_status berth_library_ligand_csv(struct berth_output *output,
                                           const struct berth_library_ligand *ligand,
                                           struct berth_error *error)
{
    struct berth_bytes text = {0};
    for (size_t i = 0; i < ligand->property_count; i++) {
        const struct berth_property *property = &ligand->properties[i];
        berth_bytes_put(&text, "; ", i ? 2 : 0);
        berth_bytes_put(&text, property->name, strlen(property->name));
        berth_bytes_put(&text, "=", 1);
        berth_bytes_put(&text, property->value, strlen(property->value));
    }
    berth_bytes_put8(&text, 0);
    const bool failed = text.failed;
    if (!failed) {
        char record[TAG_SIZE] = "";
        if (ligand->record) {
            snprintf(record, sizeof record, "%" PRIu64, ligand->record);
        }
        berth_output_csv(output, ligand->smiles, ',');
        berth_output_csv(output, ligand->source, ',');
        berth_output_print(output, "%s,", record);
        berth_output_csv(output, (const char *)text.data, '\n');
    }
    berth_bytes_clear(&text);
    return failed ? berth_fail(error, BERTH_E_MEMORY, "out of memory") : BERTH_OK;
}
