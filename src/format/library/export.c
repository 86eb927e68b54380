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

/* Appends all conformers of the ligand with hydrogens and bonds, each with the tags conformer,
 * strain, smiles, source, record (those that are known) and its properties.  Errors:
 * BERTH_E_MEMORY. */
static enum berth_status write_conformers(struct berth_output *output,
                                          const struct berth_pose_format *format,
                                          const struct berth_library_ligand *ligand,
                                          struct berth_error *error)
{
    struct berth_tag *tags;
    enum berth_status status = BERTH_OK;
    BERTH_TRY(berth_make(&tags, ligand->property_count + OWN_TAGS, sizeof *tags, NULL, error));
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

/* Ends a row with what only the write-out stream holds. */
static enum berth_status print_rest(struct berth_output *output,
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
    return failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

/* A walk over the ligands of a library. */
struct walk {
    struct berth_library_reader *reader; /* owned */
    struct berth_library_range range;
    struct berth_docking_block block; /* owned */
    const struct berth_log *log;
    uint64_t corrupt;
};

/* The library is opened here, and closed by close_walk, also after an error. */
static enum berth_status open_walk(const char *path, const struct berth_log *log, struct walk *walk,
                                   struct berth_error *error)
{
    *walk = (struct walk){.log = log};
    BERTH_TRY(berth_library_open(path, NULL, &walk->reader, error));
    walk->range = berth_library_shard(walk->reader, 0, 1);
    return BERTH_OK;
}

/* BERTH_OK after a corrupt block, which is told and counted. */
static enum berth_status pass_over(struct walk *walk, enum berth_status status,
                                   const struct berth_error *error)
{
    if (status != BERTH_E_FORMAT) {
        return status;
    }
    berth_log_failure(walk->log, NULL, "%s", error->message);
    walk->corrupt++;
    return BERTH_OK;
}

/* The next block that can be read; *end where there is none. */
static enum berth_status next_block(struct walk *walk, bool *end, struct berth_error *error)
{
    for (;;) {
        const enum berth_status status =
            berth_library_next(walk->reader, &walk->range, &walk->block, end, error);
        if (!status || pass_over(walk, status, error)) {
            return status;
        }
    }
}

static void close_walk(struct walk *walk, uint64_t *corrupt)
{
    *corrupt = walk->corrupt;
    berth_docking_block_clear(&walk->block);
    berth_library_close(walk->reader);
}

static enum berth_status list_ligand(struct walk *walk, const struct berth_docking_ligand *row,
                                     bool full, struct berth_output *output,
                                     struct berth_error *error)
{
    struct berth_library_ligand ligand;
    berth_output_print(output, "%" PRIu64 ",", row->ordinal);
    berth_output_csv(output, row->title, ',');
    berth_output_print(output, "%zu,%zu,%zu%s", row->heavy_count, row->conformer_count,
                       row->tree.count, full ? "," : "\n");
    if (!full) {
        return BERTH_OK;
    }
    enum berth_status status = berth_library_fetch(walk->reader, row->ordinal, &ligand, error);
    if (status == BERTH_E_FORMAT) {
        berth_output_print(output, ",,,\n");
        status = pass_over(walk, status, error);
    } else if (!status) {
        status = print_rest(output, &ligand, error);
    }
    berth_library_ligand_clear(&ligand);
    return status;
}

static enum berth_status list_all(struct walk *walk, bool full, struct berth_output *output,
                                  struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    berth_output_print(output, "ordinal,name,heavy_atoms,conformers,torsions%s\n",
                       full ? ",smiles,source,record,properties" : "");
    for (bool end = false; !status && !end;) {
        status = next_block(walk, &end, error);
        for (size_t i = 0; !status && !end && i < walk->block.count; i++) {
            status = list_ligand(walk, &walk->block.ligands[i], full, output, error);
        }
        status = status ? status : berth_output_check(output, error);
    }
    return status;
}

enum berth_status berth_library_list(const char *path, const char *out, bool full,
                                     const struct berth_log *log, uint64_t *corrupt,
                                     struct berth_error *error)
{
    struct walk walk;
    struct berth_output *output = NULL;
    enum berth_status status = open_walk(path, log, &walk, error);
    BERTH_THEN(berth_output_create(out, &output, error));
    BERTH_THEN(list_all(&walk, full, output, error));
    close_walk(&walk, corrupt);
    return berth_output_finish(output, status, error);
}

static enum berth_status write_ligand(struct walk *walk, const struct berth_library_export *wanted,
                                      uint64_t ordinal, struct berth_output *output,
                                      struct berth_error *error)
{
    struct berth_library_ligand ligand;
    enum berth_status status = berth_library_fetch(walk->reader, ordinal, &ligand, error);
    BERTH_THEN(write_conformers(output, wanted->format, &ligand, error));
    berth_library_ligand_clear(&ligand);
    return status ? status : berth_output_check(output, error);
}

/* True where the ligand is called as one of the names, which is noted, or there are none. */
static bool is_wanted(const struct berth_library_export *wanted, const char *title, bool *found)
{
    for (size_t i = 0; i < wanted->name_count; i++) {
        if (strcmp(title, wanted->names[i]) == 0) {
            found[i] = true;
            return true;
        }
    }
    return wanted->name_count == 0;
}

static enum berth_status write_named(struct walk *walk, const struct berth_library_export *wanted,
                                     bool *found, struct berth_output *output,
                                     struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (bool end = false; !status && !end;) {
        status = next_block(walk, &end, error);
        for (size_t i = 0; !status && !end && i < walk->block.count; i++) {
            const struct berth_docking_ligand *ligand = &walk->block.ligands[i];
            if (is_wanted(wanted, ligand->title, found)) {
                status = write_ligand(walk, wanted, ligand->ordinal, output, error);
                status = pass_over(walk, status, error);
            }
        }
    }
    for (size_t i = 0; !status && i < wanted->name_count; i++) {
        if (!found[i]) {
            return berth_fail(error, BERTH_E_USAGE,
                              "%s: no ligand is called %.200s; `berth lib ls` lists them",
                              wanted->path, wanted->names[i]);
        }
    }
    return status;
}

enum berth_status berth_library_export(const struct berth_library_export *wanted, uint64_t *corrupt,
                                       struct berth_error *error)
{
    struct walk walk;
    struct berth_output *output = NULL;
    bool *found = NULL;
    enum berth_status status = open_walk(wanted->path, wanted->log, &walk, error);
    BERTH_THEN(berth_make(&found, wanted->name_count, sizeof *found, NULL, error));
    BERTH_THEN(berth_output_create(wanted->out, &output, error));
    if (!status && wanted->ordinal >= 0) {
        status = write_ligand(&walk, wanted, (uint64_t)wanted->ordinal, output, error);
    } else if (!status) {
        status = write_named(&walk, wanted, found, output, error);
    }
    close_walk(&walk, corrupt);
    free(found);
    return berth_output_finish(output, status, error);
}

enum berth_status berth_library_verify_blocks(const struct berth_library_reader *reader,
                                              const struct berth_log *log, uint64_t *corrupt,
                                              struct berth_error *error)
{
    const uint64_t blocks = berth_library_info(reader).blocks;
    struct walk walk = {.log = log};
    enum berth_status status = BERTH_OK;
    for (uint64_t number = 0; !status && number < blocks; number++) {
        status = berth_library_verify(reader, number, error);
        status = pass_over(&walk, status, error);
    }
    *corrupt = walk.corrupt;
    return status;
}
