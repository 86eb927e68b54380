/* berth lib info, berth lib verify and berth lib merge. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cli/lib.h"

struct values {
    struct berth_arguments libraries;
    const char *out;
};

static const struct berth_option ONE[] = {{"LIB.blib", BERTH_FIELD(struct values, libraries),
                                           .help = "library to look at", .required = true},
                                          {0}};

static double per(uint64_t bytes, uint64_t count)
{
    return count ? (double)bytes / (double)count : 0;
}

static enum berth_status print_info(const char *path, struct berth_error *error)
{
    struct berth_library_reader *reader;
    enum berth_status status = berth_library_open(path, NULL, &reader, error);
    if (status) {
        return status;
    }
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
    berth_library_close(reader);
    return BERTH_OK;
}

/* Tells each corrupt block; *corrupt counts them. */
static enum berth_status verify(const char *path, uint64_t *corrupt, struct berth_error *error)
{
    struct berth_library_reader *reader;
    enum berth_status status = berth_library_open(path, NULL, &reader, error);
    if (status) {
        return status;
    }
    const struct berth_library_info info = berth_library_info(reader);
    for (uint64_t number = 0; !status && number < info.blocks; number++) {
        status = berth_library_verify(reader, number, error);
        if (status == BERTH_E_FORMAT) {
            cli_fatal(error);
            ++*corrupt;
            status = BERTH_OK;
        }
    }
    berth_library_close(reader);
    if (!status) {
        char state[48] = "whole";
        if (*corrupt) {
            snprintf(state, sizeof state, "%" PRIu64 " corrupt", *corrupt);
        }
        cli_print("%s: %" PRIu64 " ligands, %" PRIu64 " conformers in %" PRIu64 " blocks: %s", path,
                  info.ligands, info.conformers, info.blocks, state);
    }
    return status;
}

int cmd_lib_info(int argc, char **argv)
{
    static const struct cli_usage USAGE = {
        "lib info", "LIB.blib", "Says what a library holds, how it was made, and how large it is."};
    struct values values = {.out = NULL};
    struct berth_parsed parsed = {0};
    struct berth_error error;
    int code = cli_parse(&USAGE, ONE, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON) {
        enum berth_status status = lib_check_one(&values.libraries, &error);
        if (!status) {
            status = print_info(values.libraries.items[0], &error);
        }
        code = status ? cli_fatal(&error) : CLI_DONE;
    }
    berth_parsed_clear(&parsed);
    return code;
}

int cmd_lib_verify(int argc, char **argv)
{
    static const struct cli_usage USAGE = {
        "lib verify", "LIB.blib",
        "Checks every byte of a library: header, index, checksums and every record.  Each block\n"
        "that is corrupt is named with its ligands, and the exit code is 1."};
    struct values values = {.out = NULL};
    struct berth_parsed parsed = {0};
    struct berth_error error;
    int code = cli_parse(&USAGE, ONE, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON) {
        uint64_t corrupt = 0;
        enum berth_status status = lib_check_one(&values.libraries, &error);
        if (!status) {
            status = verify(values.libraries.items[0], &corrupt, &error);
        }
        code = status ? cli_fatal(&error) : corrupt ? CLI_FATAL : CLI_DONE;
    }
    berth_parsed_clear(&parsed);
    return code;
}

/* The output must not be one of the inputs. */
static enum berth_status check_files(const struct values *values, struct berth_error *error)
{
    const size_t count = values->libraries.count;
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < count; i++) {
        const struct cli_file files[] = {{"out", values->out, true},
                                         {"LIB.blib", values->libraries.items[i], false}};
        status = cli_check_files(files, 2, error);
    }
    return status;
}

static const struct berth_option MANY[] = {{"LIB.blib...", BERTH_FIELD(struct values, libraries),
                                            .help = "libraries to join", .required = true},
                                           {"out", BERTH_FIELD(struct values, out),
                                            .argument = "FILE", .help = "library to write",
                                            .required = true},
                                           {0}};

int cmd_lib_merge(int argc, char **argv)
{
    static const struct cli_usage USAGE = {
        "lib merge", "LIB.blib... --out ALL.blib",
        "Joins libraries that were made with one forcefield, in the order in which they are "
        "given.\n"
        "Their blocks are copied as they are; a corrupt one ends it, and nothing is written."};
    struct values values = {.out = NULL};
    struct berth_parsed parsed = {0};
    struct berth_error error;
    int code = cli_parse(&USAGE, MANY, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON) {
        struct berth_library_progress progress = {0};
        enum berth_status status = check_files(&values, &error);
        if (!status) {
            status = berth_library_merge(values.out, values.libraries.items, values.libraries.count,
                                         &progress, &error);
        }
        if (!status) {
            cli_print("%s: %" PRIu64 " ligands, %" PRIu64 " conformers of %zu libraries",
                      values.out, progress.ligands, progress.conformers, values.libraries.count);
        }
        code = status ? cli_fatal(&error) : CLI_DONE;
    }
    berth_parsed_clear(&parsed);
    return code;
}
