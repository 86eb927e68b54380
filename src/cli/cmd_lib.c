/* berth lib: what it does with libraries. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/common.h"
#include "format/library/export.h"
#include "format/receptor_file.h"

struct values {
    const char *library;
    struct berth_arguments arguments; /* libraries to join; of `get` one, then names */
    const char *out, *format;
    long long ordinal; /* -1: by name */
    bool full;
};

static int run(const struct cli_usage *usage, const struct berth_option *table, cli_work work,
               int argc, char **argv)
{
    struct values values = {.out = "-", .ordinal = -1};
    return cli_run(usage, table, &values, work, argc, argv);
}

/* The exit code where so many blocks of the library are corrupt. */
static int code_of(uint64_t corrupt)
{
    return corrupt ? CLI_FATAL : CLI_DONE;
}

/* Says what is wrong with a library, and nothing in front of it. */
static void take_line(void *context, const struct berth_log_line *line)
{
    (void)context;
    cli_say("%s", line->text);
}

static const struct berth_log LOG = {take_line, NULL};

/* The output must not be one of the libraries. */
static enum berth_status check_files(const struct values *values, const char *const *libraries,
                                     size_t count, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < count; i++) {
        const struct cli_file files[] = {{"out", values->out, true},
                                         {"LIB.blib", libraries[i], false}};
        status = cli_check_files(files, 2, error);
    }
    return status;
}

static const struct berth_option ONE[] = {{"LIB.blib", BERTH_FIELD_OF_ONE(struct values, library),
                                           .help = "library to look at", .required = true},
                                          {0}};

static double per(uint64_t bytes, uint64_t count)
{
    return count ? (double)bytes / (double)count : 0;
}

/* What an opened library, whose file this is, holds, how it was made and how large it is. */
static void print_library(const char *path, const struct berth_library_reader *reader)
{
    const struct berth_library_info info = berth_library_info(reader);
    cli_print("library      %s", path);
    printf("format       version %d\n", info.version);
    cli_print("forcefield   %s, %zu types, hash %016" PRIx64, info.forcefield, info.type_count,
              info.forcefield_hash);
    cli_print("made by      %s", info.note);
    printf("ligands      %" PRIu64 "\n", info.ligands);
    printf("conformers   %" PRIu64 " (%.1f a ligand)\n", info.conformers,
           per(info.conformers, info.ligands));
    printf("blocks       %" PRIu64 "\n", info.blocks);
    printf("docking      %" PRIu64 " bytes, %.1f a conformer\n", info.docking_bytes,
           per(info.docking_bytes, info.conformers));
    printf("write-out    %" PRIu64 " bytes, %.1f a conformer\n", info.write_out_bytes,
           per(info.write_out_bytes, info.conformers));
    printf("file         %" PRIu64 " bytes\n", info.file_bytes);
}

/* What a receptor file holds, and what was said when it was prepared. */
static enum berth_status print_receptor(const char *path, struct berth_error *error)
{
    struct berth_receptor receptor;
    enum berth_status status = berth_receptor_read(path, &receptor, error);
    if (!status) {
        const double *center = receptor.center, *size = receptor.size;
        cli_print("receptor     %s", path);
        cli_print("made of      %s", receptor.source);
        cli_print("forcefield   %s", *receptor.forcefield ? receptor.forcefield : "none knows it");
        printf("heavy atoms  %zu\n", receptor.molecule.atom_count);
        if (receptor.has_site) {
            cli_print("site         (%.3f, %.3f, %.3f), edges %.2f x %.2f x %.2f \xc3\x85",
                      center[0], center[1], center[2], size[0], size[1], size[2]);
        }
        char *line = receptor.preparation, *next;
        for (; line; line = next) {
            next = strchr(line, '\n');
            if (next) {
                *next++ = '\0';
            }
            cli_print_account(stdout, line);
        }
    }
    berth_receptor_clear(&receptor);
    return status;
}

static enum berth_status print_info(void *context, int *code, struct berth_error *error)
{
    const struct values *values = context;
    struct berth_library_reader *reader;
    (void)code;
    if (berth_is_receptor_file(values->library)) {
        return print_receptor(values->library, error);
    }
    BERTH_TRY(berth_library_open(values->library, NULL, &reader, error));
    print_library(values->library, reader);
    berth_library_close(reader);
    return BERTH_OK;
}

int cmd_lib_info(int argc, char **argv)
{
    static const struct cli_usage USAGE = {
        "lib info", "LIB.blib|SITE.brec",
        "Says what a library, or a receptor, holds, how it was made, and how large it is."};
    return run(&USAGE, ONE, print_info, argc, argv);
}

static enum berth_status verify(void *context, int *code, struct berth_error *error)
{
    const struct values *values = context;
    uint64_t corrupt = 0;
    struct berth_library_reader *reader;
    BERTH_TRY(berth_library_open(values->library, NULL, &reader, error));
    const struct berth_library_info info = berth_library_info(reader);
    enum berth_status status = berth_library_verify_blocks(reader, &LOG, &corrupt, error);
    berth_library_close(reader);
    *code = code_of(corrupt);
    if (!status) {
        char state[48] = "whole";
        if (corrupt) {
            snprintf(state, sizeof state, "%" PRIu64 " corrupt", corrupt);
        }
        cli_print("%s: %" PRIu64 " ligands, %" PRIu64 " conformers in %" PRIu64 " blocks: %s",
                  values->library, info.ligands, info.conformers, info.blocks, state);
    }
    return status;
}

int cmd_lib_verify(int argc, char **argv)
{
    static const struct cli_usage USAGE = {
        "lib verify", "LIB.blib",
        "Checks every byte of a library: header, index, checksums and every record.  Each block\n"
        "that is corrupt is named with its ligands, and the exit code is 1."};
    return run(&USAGE, ONE, verify, argc, argv);
}

static enum berth_status list(void *context, int *code, struct berth_error *error)
{
    const struct values *values = context;
    uint64_t corrupt = 0;
    enum berth_status status = check_files(values, &values->library, 1, error);
    BERTH_THEN(
        berth_library_list(values->library, values->out, values->full, &LOG, &corrupt, error));
    *code = code_of(corrupt);
    return status;
}

static const struct berth_option LS_OPTIONS[] = {
    {"LIB.blib", BERTH_FIELD_OF_ONE(struct values, library), .help = "library to list",
     .required = true},
    {"full", BERTH_FIELD(struct values, full),
     .help = "also what hits are written with; reads the whole library"},
    {"out", BERTH_FIELD(struct values, out), .argument = "FILE", .help = "CSV file to write",
     .fallback = "standard output"},
    {0}};

int cmd_lib_ls(int argc, char **argv)
{
    static const struct cli_usage USAGE = {"lib ls", "LIB.blib [--full] [--out FILE]",
                                           "Lists the ligands of a library, one CSV row each:\n"
                                           "ordinal,name,heavy_atoms,conformers,torsions\n"
                                           "and with --full also smiles,source,record,properties."};
    return run(&USAGE, LS_OPTIONS, list, argc, argv);
}

static enum berth_status find_format(const struct values *values,
                                     const struct berth_pose_format **format,
                                     struct berth_error *error)
{
    if (values->format) {
        char ending[16];
        snprintf(ending, sizeof ending, ".%s", values->format);
        return berth_pose_format_of(ending, format, error);
    }
    *format = BERTH_POSE_MOL2;
    return strcmp(values->out, "-") == 0 ? BERTH_OK
                                         : berth_pose_format_of(values->out, format, error);
}

static enum berth_status get(void *context, int *code, struct berth_error *error)
{
    const struct values *values = context;
    uint64_t corrupt = 0;
    struct berth_library_export wanted = {.path = values->arguments.items[0],
                                          .out = values->out,
                                          .names = values->arguments.items + 1,
                                          .name_count = values->arguments.count - 1,
                                          .ordinal = values->ordinal,
                                          .log = &LOG};
    if (wanted.name_count && wanted.ordinal >= 0) {
        return berth_fail(error, BERTH_E_USAGE,
                          "give the names of ligands behind the library, or --ordinal");
    }
    enum berth_status status = find_format(values, &wanted.format, error);
    BERTH_THEN(check_files(values, values->arguments.items, 1, error));
    BERTH_THEN(berth_library_export(&wanted, &corrupt, error));
    *code = code_of(corrupt);
    return status;
}

static const struct berth_option GET_OPTIONS[] = {
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
    return run(&USAGE, GET_OPTIONS, get, argc, argv);
}

static enum berth_status merge(void *context, int *code, struct berth_error *error)
{
    const struct values *values = context;
    struct berth_library_progress progress = {0};
    const size_t count = values->arguments.count;
    enum berth_status status = check_files(values, values->arguments.items, count, error);
    (void)code;
    BERTH_THEN(
        berth_libraries_merge(values->out, values->arguments.items, count, &progress, error));
    if (!status) {
        cli_print("%s: %" PRIu64 " ligands, %" PRIu64 " conformers of %zu libraries", values->out,
                  progress.ligands, progress.conformers, count);
    }
    return status;
}

static const struct berth_option MERGE_OPTIONS[] = {
    {"LIB.blib...", BERTH_FIELD(struct values, arguments), .help = "libraries to join",
     .required = true},
    {"out", BERTH_FIELD(struct values, out), .argument = "FILE", .help = "library to write",
     .required = true},
    {0}};

int cmd_lib_merge(int argc, char **argv)
{
    static const struct cli_usage USAGE = {
        "lib merge", "LIB.blib... --out ALL.blib",
        "Joins libraries that were made with one forcefield, in the order in which they are "
        "given.\n"
        "Their blocks are copied as they are; a corrupt one ends it, and nothing is written."};
    return run(&USAGE, MERGE_OPTIONS, merge, argc, argv);
}
