/* berth lib get: ligands of a library as Mol2 or SDF. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/lib.h"
#include "format/poses.h"

/* Tags beside the properties: conformer, strain, SMILES, source, record. */
enum { OWN_TAGS = 5, TAG_SIZE = 40 };

struct values {
    struct berth_arguments arguments; /* the library, then names */
    const char *out, *format;
    long long ordinal; /* -1: not given */
};

/* What the command does its work with. */
struct get {
    const struct values *values;
    struct lib_walk walk;
    struct berth_output *output;
    const struct berth_pose_format *format;
    bool *found; /* owned; [names] */
};

/* Adds a tag unless its value is not known. */
static size_t add_tag(struct berth_tag *tags, size_t count, const char *name, const char *value)
{
    tags[count] = (struct berth_tag){name, value};
    return count + (*value != '\0');
}

static enum berth_status write_conformers(struct get *get,
                                          const struct berth_library_ligand *ligand,
                                          struct berth_tag *tags, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
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
        status = berth_molecule_write(get->output, get->format, &tagged, error);
    }
    return status;
}

static enum berth_status write_ligand(struct get *get, uint64_t ordinal, struct berth_error *error)
{
    struct berth_library_ligand ligand;
    struct berth_tag *tags = NULL;
    enum berth_status status = berth_library_fetch(get->walk.reader, ordinal, &ligand, error);
    if (!status) {
        tags = berth_alloc(ligand.property_count + OWN_TAGS, sizeof *tags);
        status = tags ? write_conformers(get, &ligand, tags, error)
                      : berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    free(tags);
    berth_library_ligand_clear(&ligand);
    return status ? status : berth_output_check(get->output, error);
}

/* Writes the ligands of the block that were asked for by name. */
static enum berth_status write_named(struct get *get, struct berth_error *error)
{
    const struct berth_docking_block *block = &get->walk.block;
    const struct berth_arguments *arguments = &get->values->arguments;
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < block->count; i++) {
        for (size_t name = 1; name < arguments->count; name++) {
            if (strcmp(block->ligands[i].title, arguments->items[name]) == 0) {
                get->found[name - 1] = true;
                status = write_ligand(get, block->ligands[i].ordinal, error);
                break;
            }
        }
    }
    return status;
}

static enum berth_status check_found(const struct get *get, struct berth_error *error)
{
    const struct berth_arguments *arguments = &get->values->arguments;
    for (size_t name = 1; name < arguments->count; name++) {
        if (!get->found[name - 1]) {
            return berth_fail(error, BERTH_E_USAGE,
                              "%s: no ligand is called %.200s; `berth lib ls` lists them",
                              arguments->items[0], arguments->items[name]);
        }
    }
    return BERTH_OK;
}

static enum berth_status write_all(struct get *get, struct berth_error *error)
{
    if (get->values->ordinal >= 0) {
        return write_ligand(get, (uint64_t)get->values->ordinal, error);
    }
    enum berth_status status = BERTH_OK;
    for (bool end = false; !status && !end;) {
        status = lib_walk_next(&get->walk, &end, error);
        if (!status && !end) {
            status = write_named(get, error);
        }
    }
    return status ? status : check_found(get, error);
}

static enum berth_status check_values(const struct values *values,
                                      const struct berth_pose_format **format,
                                      struct berth_error *error)
{
    if ((values->arguments.count > 1) == (values->ordinal >= 0)) {
        return berth_fail(error, BERTH_E_USAGE,
                          "give the names of ligands behind the library, or --ordinal");
    }
    if (values->format) {
        char ending[16];
        snprintf(ending, sizeof ending, ".%s", values->format);
        return berth_pose_format_of(ending, format, error);
    }
    *format = &BERTH_POSE_MOL2;
    return strcmp(values->out, "-") == 0 ? BERTH_OK
                                         : berth_pose_format_of(values->out, format, error);
}

static enum berth_status execute(struct get *get, struct berth_error *error)
{
    const struct berth_arguments *arguments = &get->values->arguments;
    const struct cli_file files[] = {{"LIB.blib", arguments->items[0], false},
                                     {"out", get->values->out, true}};
    enum berth_status status = check_values(get->values, &get->format, error);
    if (!status) {
        status = cli_check_files(files, 2, error);
    }
    if (!status) {
        get->found = berth_alloc(arguments->count, sizeof *get->found);
        status = get->found ? lib_walk_open(arguments->items[0], &get->walk, error)
                            : berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    if (!status) {
        status = berth_output_create(get->values->out, &get->output, error);
    }
    if (!status) {
        status = write_all(get, error);
    }
    if (!status) {
        status = berth_output_commit(get->output, error);
        get->output = NULL;
    }
    return status;
}

static const struct berth_option OPTIONS[] = {
    {"LIB.blib NAME...", BERTH_FIELD(struct values, arguments),
     .help = "library, and names of ligands", .required = true},
    {"ordinal", BERTH_FIELD(struct values, ordinal), .argument = "N",
     .help = "the ligand that `berth lib ls` lists under this number, from 0", .min = 0,
     .max = INFINITY, .fallback = ""},
    {"out", BERTH_FIELD(struct values, out), .argument = "FILE",
     .help = "file to write, .mol2 or .sdf", .fallback = "standard output"},
    {"format", BERTH_FIELD(struct values, format), .argument = "F", .help = "mol2 or sdf",
     .fallback = "by the ending of --out, else mol2"},
    {0}};

int cmd_lib_get(int argc, char **argv)
{
    static const struct cli_usage USAGE = {
        "lib get", "LIB.blib NAME... | --ordinal N [--out FILE]",
        "Writes all conformers of the ligands of these names (of every one that is called so), "
        "with\n"
        "hydrogens and bonds, and what the library keeps beside them as tags."};
    struct values values = {.out = "-", .ordinal = -1};
    struct berth_parsed parsed = {0};
    struct berth_error error;
    int code = cli_parse(&USAGE, OPTIONS, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON) {
        struct get get = {.values = &values};
        enum berth_status status = execute(&get, &error);
        code = status ? cli_fatal(&error) : get.walk.corrupt ? CLI_FATAL : CLI_DONE;
        berth_output_discard(get.output);
        lib_walk_close(&get.walk);
        free(get.found);
    }
    berth_parsed_clear(&parsed);
    return code;
}
