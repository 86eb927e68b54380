/* berth lib ls: the ligands of a library as CSV. */
#include <inttypes.h>

#include "cli/lib.h"
#include "format/library/export.h"

struct values {
    struct berth_arguments libraries;
    const char *out;
    bool full;
};

/* What only the write-out stream holds. */
static enum berth_status print_rest(struct berth_output *output,
                                    const struct berth_library_reader *reader, uint64_t ordinal,
                                    struct berth_error *error)
{
    struct berth_library_ligand ligand;
    enum berth_status status = berth_library_fetch(reader, ordinal, &ligand, error);
    if (!status) {
        berth_output_print(output, ",");
        status = berth_library_ligand_csv(output, &ligand, error);
    }
    berth_library_ligand_clear(&ligand);
    return status;
}

static enum berth_status print_rows(struct berth_output *output, struct lib_walk *walk, bool full,
                                    struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < walk->block.count; i++) {
        const struct berth_docking_ligand *ligand = &walk->block.ligands[i];
        berth_output_print(output, "%" PRIu64 ",", ligand->ordinal);
        berth_output_csv(output, ligand->title, ',');
        berth_output_print(output, "%zu,%zu,%zu", ligand->heavy_count, ligand->conformer_count,
                           ligand->tree.count);
        if (!full) {
            berth_output_print(output, "\n");
            continue;
        }
        status = print_rest(output, walk->reader, ligand->ordinal, error);
        if (status == BERTH_E_FORMAT) {
            berth_output_print(output, ",,,,\n");
            cli_fatal(error);
            walk->corrupt++;
            status = BERTH_OK;
        }
    }
    return status ? status : berth_output_check(output, error);
}

static enum berth_status list(const struct values *values, size_t *corrupt,
                              struct berth_error *error)
{
    struct lib_walk walk = {0};
    struct berth_output *output = NULL;
    const struct cli_file files[] = {{"LIB.blib", values->libraries.items[0], false},
                                     {"out", values->out, true}};
    enum berth_status status = cli_check_files(files, 2, error);
    if (!status) {
        status = lib_walk_open(values->libraries.items[0], &walk, error);
    }
    if (!status) {
        status = berth_output_create(values->out, &output, error);
    }
    if (!status) {
        berth_output_print(output, "ordinal,name,heavy_atoms,conformers,torsions%s\n",
                           values->full ? ",smiles,source,record,properties" : "");
    }
    for (bool end = false; !status && !end;) {
        status = lib_walk_next(&walk, &end, error);
        if (!status && !end) {
            status = print_rows(output, &walk, values->full, error);
        }
    }
    *corrupt = walk.corrupt;
    lib_walk_close(&walk);
    if (status) {
        berth_output_discard(output);
        return status;
    }
    return berth_output_commit(output, error);
}

static const struct berth_option OPTIONS[] = {
    {"LIB.blib", BERTH_FIELD(struct values, libraries), .help = "library to list",
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
    struct values values = {.out = "-"};
    struct berth_parsed parsed = {0};
    struct berth_error error;
    int code = cli_parse(&USAGE, OPTIONS, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON) {
        size_t corrupt = 0;
        enum berth_status status = lib_check_one(&values.libraries, &error);
        if (!status) {
            status = list(&values, &corrupt, &error);
        }
        code = status ? cli_fatal(&error) : corrupt ? CLI_FATAL : CLI_DONE;
    }
    berth_parsed_clear(&parsed);
    return code;
}
