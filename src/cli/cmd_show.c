/* berth show: the hits of a screen, on the terminal or as a file. */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/common.h"
#include "report/show/show.h"

struct values {
    struct berth_arguments results;
    const char *sort, *filter, *columns, *library, *out, *config;
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
     .fallback = "score, else total, energy; with --out and without --top the table's order"},
    {"descending", BERTH_FIELD(struct values, descending), .help = "highest first"},
    {"filter", BERTH_FIELD(struct values, filter), .argument = "CONDITION",
     .help = "only rows that meet it, such as 'energy < -9 and torsions <= 8': columns, "
             "numbers, + - * / ^, < <= > >= == !=, and, or, not, min, max, abs; an empty cell "
             "meets no comparison",
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
    {"config", BERTH_FIELD(struct values, config), .argument = "FILE",
     .help = "read options from a file: lines `name = value`"},
    {0}};

/* What standard output is shown on: COLUMNS says how wide where that is set, as tests do. */
static struct berth_screen_shape find_shape(void)
{
    static const char *const LOCALES[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *columns = getenv("COLUMNS"), *locale = NULL;
    struct winsize size;
    struct berth_screen_shape shape = {.width = 80};
    if (columns && atoi(columns) > 0) {
        shape.width = (size_t)atoi(columns);
    } else if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col) {
        shape.width = size.ws_col;
    }
    for (size_t i = 0; i < sizeof LOCALES / sizeof *LOCALES && !(locale && *locale); i++) {
        locale = getenv(LOCALES[i]);
    }
    shape.blocks = locale && (strstr(locale, "UTF-8") || strstr(locale, "utf8"));
    return shape;
}

static enum berth_status execute(const struct values *values, struct berth_error *error)
{
    const long long most = values->top || values->out ? values->top : 20;
    const struct berth_screen_shape shape = find_shape();
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
    const enum berth_status status = cli_check_files(files, sizeof files / sizeof *files, error);
    if (status) {
        return status;
    }
    return values->out ? berth_show_write(&settings, values->out, error)
                       : berth_show_print(&settings, stdout, &shape, error);
}

int cmd_show(int argc, char **argv)
{
    struct values values = {0};
    struct berth_parsed parsed = {0};
    struct berth_error error;
    int code = cli_parse(&USAGE, OPTIONS, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON) {
        code = execute(&values, &error) ? cli_fatal(&error) : CLI_DONE;
    }
    berth_parsed_clear(&parsed);
    return code;
}
