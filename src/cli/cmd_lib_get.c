/* berth lib get: ligands of a library as Mol2 or SDF. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/lib.h"
#include "format/library/export.h"

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

static enum berth_status write_ligand(struct get *get, uint64_t ordinal, struct berth_error *error)
{
    struct berth_library_ligand ligand;
    enum berth_status status = berth_library_fetch(get->walk.reader, ordinal, &ligand, error);
    if (!status) {
        status = berth_library_ligand_write(get->output, get->format, &ligand, error);
    }
    berth_library_ligand_clear(&ligand);
    return status ? status : berth_output_check(get->output, error);
}

/* True where the ligand is called as one of the names, or none are given. */
static bool is_wanted(struct get *get, const char *title)
{
    const struct berth_arguments *arguments = &get->values->arguments;
    for (size_t name = 1; name < arguments->count; name++) {
        if (strcmp(title, arguments->items[name]) == 0) {
            get->found[name - 1] = true;
            return true;
        }
    }
    return arguments->count == 1;
}

/* Writes the ligands of the block that were asked for. */
static enum berth_status write_block(struct get *get, struct berth_error *error)
{
    const struct berth_docking_block *block = &get->walk.block;
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < block->count; i++) {
        if (is_wanted(get, block->ligands[i].title)) {
            status = write_ligand(get, block->ligands[i].ordinal, error);
        }
        if (status == BERTH_E_FORMAT) { /* the block that holds the rest of it is corrupt */
            cli_fatal(error);
            get->walk.corrupt++;
            status = BERTH_OK;
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
            status = write_block(get, error);
        }
    }
    return status ? status : check_found(get, error);
}

static enum berth_status check_values(const struct values *values,
                                      const struct berth_pose_format **format,
                                      struct berth_error *error)
{
    if (values->arguments.count > 1 && values->ordinal >= 0) {
        return berth_fail(error, BERTH_E_USAGE,
                          "give the names of ligands behind the library, or --ordinal");
    }
    if (values->format) {
        char ending[16];
        snprintf(ending, sizeof ending, ".%s", values->format);
        return berth_pose_format_of(ending, format, error);
    }
    *format = BERTH_POSE_MOL2;
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
     .help = "library, and names of ligands (none: all of them)", .required = true},
    {"ordinal", BERTH_FIELD(struct values, ordinal), .argument = "N",
     .help = "the ligand that `berth lib ls` lists under this number, from 0", .min = 0,
     .max = INFINITY, .fallback = ""},
    {"out", BERTH_FIELD(struct values, out), .argument = "FILE", .help = "file to write",
     .list = berth_pose_endings, .fallback = "standard output"},
    {"format", BERTH_FIELD(struct values, format), .argument = "F",
     .help = "an ending of --out, without its dot",
     .fallback = "by the ending of --out, else mol2"},
    {0}};

int cmd_lib_get(int argc, char **argv)
{
    static const struct cli_usage USAGE = {
        "lib get", "LIB.blib [NAME... | --ordinal N] [--out FILE]",
        "Writes all conformers of the ligands of these names (of every one that is called so; "
        "without\n"
        "names, of all), with hydrogens and bonds, and what the library keeps beside them as "
        "tags."};
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
