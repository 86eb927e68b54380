/* berth show: the hits of a screen, on the terminal or as a file. */
#include "cli/common.h"
#include "cli/text_show.h"

struct values {
    struct berth_arguments results;
    const char *sort, *filter, *columns, *library, *out;
    long long top;
    bool descending, poses;
};

static const struct cli_usage USAGE = {
    "show", "RESULTS [options]",
    "Shows the best of a table of scores: its rows by the score that ranks, with a bar for the\n"
    "energy, and how the energies of all rows are distributed where the terminal is wide enough.\n"
    "Of a ligand's poses the best one alone is taken (--poses: all of them)."};

static const struct berth_option OPTIONS[] = {
    {"RESULTS", BERTH_FIELD(struct values, results), .required = true,
     .help = "scores.csv (or .csv.gz) of `berth screen`, `merge`, `dock` or `score`, the folder "
             "that holds it, or - for standard input"},
    {"top", BERTH_FIELD(struct values, top), .argument = "N", .min = 1, .max = 1000000000,
     .help = "rows to show, at most", .fallback = "20; with --out all"},
    {"sort", BERTH_FIELD(struct values, sort), .argument = "COLUMN",
     .help = "column to sort by, lowest first",
     .fallback =
         "ranking, else score, total, energy; with --out and without --top the table's order"},
    {"descending", BERTH_FIELD(struct values, descending), .help = "highest first"},
    {"filter", BERTH_FIELD(struct values, filter), .argument = "CONDITION",
     .help = "only rows that meet it, such as 'energy < -9 and torsions <= 8': columns, "
             "numbers, + - * / ^, < <= > >= == !=, and, or, not, min, max, abs; an empty cell "
             "meets no comparison but !=",
     .fallback = "all rows"},
    {"columns", BERTH_FIELD(struct values, columns), .argument = "LIST",
     .help = "columns to show, with commas between",
     .fallback = "those that matter most; with --out all"},
    {"library", BERTH_FIELD(struct values, library), .argument = "LIB.blib",
     .help = "library that was docked, for the ligands' torsions where a condition or columns name "
             "them",
     .fallback = "of a screen's folder, what it docked"},
    {"poses", BERTH_FIELD(struct values, poses), .help = "all poses of a ligand"},
    {"out", BERTH_FIELD(struct values, out), .argument = "FILE",
     .help = "write the rows as .csv or .json (.gz, too) instead, or - for CSV to standard output",
     .fallback = "none"},
    {"config", BERTH_OPTION_CONFIG, .argument = "FILE",
     .help = "read options from a file: lines `name = value`"},
    {0}};

static enum berth_status execute(void *context, int *code, struct berth_error *error)
{
    const struct values *values = context;
    (void)code;
    const long long most = values->top || values->out ? values->top : 20;
    if (values->results.count != 1) {
        return berth_fail(error, BERTH_E_USAGE, "one table is shown at a time; %zu are given",
                          values->results.count);
    }
    const struct berth_show_settings settings = {.results = values->results.items[0],
                                                 .filter = values->filter,
                                                 .library = values->library,
                                                 .sort = values->sort,
                                                 .columns = values->columns,
                                                 .descending = values->descending,
                                                 .poses = values->poses,
                                                 .top = (size_t)most,
                                                 .sorted = values->sort || values->descending ||
                                                           values->top};
    const struct cli_file files[] = {{"RESULTS", settings.results, false},
                                     {"out", values->out, true}};
    enum berth_status status = cli_check_files(files, sizeof files / sizeof *files, error);
    if (status || values->out) {
        return status ? status : berth_show_write(&settings, values->out, error);
    }
    struct berth_shown shown;
    status = berth_shown_read(&settings, &shown, error);
    if (!status) {
        cli_print_shown(&shown);
    }
    berth_shown_clear(&shown);
    return status;
}

int cmd_show(int argc, char **argv)
{
    struct values values = {0};
    return cli_run(&USAGE, OPTIONS, &values, execute, argc, argv);
}
