/* berth show: the hits of a screen, on the terminal or as a file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/common.h"
#include "cli/rows.h"
#include "report/show.h"

enum {
    TEXT_MAX = 40, /* characters of a cell */
    CELL_MAX = 4 * TEXT_MAX + 8,
    GAP = 2,
    BAR_LEAST = 6, /* characters of a bar */
    BAR_MOST = 16,
    BIN_LABEL = 10, /* characters in front of a bin's bar, and behind it */
    BIN_SHARE = 7,
    BIN_END = 12, /* characters behind the last one, of how far it goes */
    BINS_LEAST = 6,
    BINNED_LEAST = 10 /* values that a distribution is shown of */
};

/* The layout of a table. */
struct layout {
    const struct berth_shown *shown;
    size_t width;           /* characters of the terminal */
    bool blocks;            /* bars of Unicode's blocks; else of '#' */
    size_t *widths;         /* owned; of the columns */
    bool *numeric;          /* owned */
    size_t table, bar, bin; /* characters: of all columns, of a bar (0: none), of a bin's bar */
    double lowest;          /* of the bars' column, below 0; 0: no bars */
    struct berth_bins bins; /* count 0: none are shown */
};

/* A cell as it may stand on a terminal, cut to TEXT_MAX characters. */
static void show_cell(const char *cell, char text[CELL_MAX])
{
    char *plain = berth_copy_text(cell + (*cell == '\''));
    char *shown = NULL;
    if (plain) {
        berth_text_unescape(plain);
        shown = berth_text_escape(plain, "");
    }
    size_t used = 0, width = 0;
    for (const char *at = shown ? shown : ""; *at && width < TEXT_MAX; width++) {
        const size_t size = berth_text_utf8(at);
        memcpy(text + used, at, size);
        used += size;
        at += size;
        if (*at && width + 3 == TEXT_MAX) {
            memcpy(text + used, "..", 2);
            used += 2;
            break;
        }
    }
    text[used] = '\0';
    free(shown);
    free(plain);
}

static bool is_number(const char *cell)
{
    char *end;
    strtod(cell, &end);
    return end != cell && !*end;
}

/* --- Layout --- */

static void measure_column(struct layout *layout, size_t i)
{
    const struct berth_shown *shown = layout->shown;
    const size_t column = shown->columns[i];
    char text[CELL_MAX];
    show_cell(shown->names[column], text);
    layout->widths[i] = berth_text_width(text);
    layout->numeric[i] = true;
    for (size_t k = 0; k < shown->count; k++) {
        const char *cell = shown->rows[k][column];
        show_cell(cell, text);
        const size_t width = berth_text_width(text);
        layout->widths[i] = width > layout->widths[i] ? width : layout->widths[i];
        layout->numeric[i] = layout->numeric[i] && (!*cell || is_number(cell));
    }
    layout->table += layout->widths[i] + (i ? GAP : 0);
}

static double bar_value(const struct berth_shown *shown, size_t row)
{
    const char *cell = shown->rows[row][shown->bar];
    return is_number(cell) ? strtod(cell, NULL) : NAN;
}

/* Finds whether a distribution has room in so many characters. */
static void lay_out_bins(struct layout *layout, size_t left)
{
    const size_t rows = layout->shown->count;
    struct berth_bins bins = {.count = rows < BINS_LEAST        ? BINS_LEAST
                                       : rows < BERTH_BINS_MOST ? rows
                                                                : BERTH_BINS_MOST};
    berth_sample_bins(layout->shown->sample, &bins);
    const size_t taken = 2 * GAP + BIN_LABEL + BIN_SHARE + (bins.most > bins.high ? BIN_END : 0);
    if (left >= taken + BAR_LEAST) {
        layout->bin = left - taken < BAR_MOST ? left - taken : BAR_MOST;
        layout->bins = bins;
    }
}

/* Finds what has room beside the columns. */
static void lay_out_bars(struct layout *layout)
{
    const struct berth_shown *shown = layout->shown;
    const size_t left =
        layout->width > layout->table + GAP ? layout->width - layout->table - GAP : 0;
    if (!shown->sample || !shown->count) {
        return;
    }
    for (size_t i = 0; i < shown->count; i++) {
        layout->lowest = fmin(layout->lowest, bar_value(shown, i));
    }
    if (layout->lowest < 0 && left >= BAR_LEAST) {
        layout->bar = left < BAR_MOST ? left : BAR_MOST;
    }
    if (shown->sample->count >= BINNED_LEAST && !shown->walked) {
        lay_out_bins(layout, left - layout->bar);
    }
}

/* --- Printing --- */

static void print_blanks(size_t count)
{
    printf("%*s", (int)count, "");
}

/* A bar of `part` of `width` characters, to an eighth of one; gives how many there are. */
static size_t print_bar(const struct layout *layout, double part, size_t width)
{
    const double length = fmin(fmax(part, 0), 1) * (double)width;
    const size_t whole = (size_t)length;
    for (size_t i = 0; i < whole; i++) {
        printf("%s", layout->blocks ? "\xe2\x96\x88" : "#");
    }
    const int eighths = (int)(8 * (length - (double)whole));
    if (!layout->blocks || eighths == 0) {
        return whole;
    }
    const char block[] = {'\xe2', '\x96', (char)(0x90 - eighths), '\0'}; /* U+258F to U+2589 */
    printf("%s", block);
    return whole + 1;
}

/* Ends the line with bin number `bin`, from `used` characters on. */
static void print_bin(const struct layout *layout, size_t bin, size_t used)
{
    const size_t begin = layout->table + GAP + (layout->bar ? layout->bar + GAP : 0);
    const struct berth_bins *bins = &layout->bins;
    if (bin < bins->count) {
        double most = 0;
        for (size_t i = 0; i < bins->count; i++) {
            most = fmax(most, bins->shares[i]);
        }
        const double step = (bins->high - bins->low) / (double)bins->count;
        print_blanks(begin > used ? begin - used : 0);
        printf("%*.2f ", BIN_LABEL - 1, bins->low + step * (double)bin);
        print_bar(layout, bins->shares[bin] / most, layout->bin);
        printf(" %.1f %%", 100 * bins->shares[bin]);
        if (bin + 1 == bins->count && bins->most > bins->high) {
            printf(", to %.2f", bins->most);
        }
    }
    printf("\n");
}

static size_t print_cell(const struct layout *layout, size_t i, const char *cell, bool last)
{
    char text[CELL_MAX];
    show_cell(cell, text);
    const size_t width = berth_text_width(text), column = layout->widths[i];
    const size_t blanks = column > width ? column - width : 0;
    print_blanks(layout->numeric[i] ? blanks : 0);
    printf("%s", text);
    const size_t behind = layout->numeric[i] || last ? 0 : blanks;
    print_blanks(behind);
    if (!last) {
        print_blanks(GAP);
    }
    return (layout->numeric[i] ? blanks : 0) + width + behind + (last ? 0 : GAP);
}

static void print_head(const struct layout *layout)
{
    const struct berth_shown *shown = layout->shown;
    size_t used = 0;
    for (size_t i = 0; i < shown->column_count; i++) {
        used +=
            print_cell(layout, i, shown->names[shown->columns[i]], i + 1 == shown->column_count);
    }
    if (layout->bins.count) {
        const size_t begin = layout->table + GAP + (layout->bar ? layout->bar + GAP : 0);
        print_blanks(begin > used ? begin - used : 0);
        printf("%s of %zu rows, from", shown->names[shown->bar], shown->sample->count);
    }
    printf("\n");
}

static void print_row(const struct layout *layout, size_t row)
{
    const struct berth_shown *shown = layout->shown;
    size_t used = 0;
    for (size_t i = 0; row < shown->count && i < shown->column_count; i++) {
        used += print_cell(layout, i, shown->rows[row][shown->columns[i]],
                           i + 1 == shown->column_count);
    }
    const double value = row < shown->count && layout->bar ? bar_value(shown, row) : NAN;
    if (value < 0) {
        print_blanks(layout->table + GAP > used ? layout->table + GAP - used : 0);
        used = layout->table + GAP + print_bar(layout, value / layout->lowest, layout->bar);
    }
    print_bin(layout, row, used);
}

/* What standard output is shown on: COLUMNS says how wide where that is set, as tests do. */
static void look_at_terminal(struct layout *layout)
{
    static const char *const LOCALES[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *columns = getenv("COLUMNS"), *locale = NULL;
    struct winsize size;
    layout->width = 80;
    if (columns && atoi(columns) > 0) {
        layout->width = (size_t)atoi(columns);
    } else if (ioctl(fileno(stdout), TIOCGWINSZ, &size) == 0 && size.ws_col) {
        layout->width = size.ws_col;
    }
    for (size_t i = 0; i < sizeof LOCALES / sizeof *LOCALES && !(locale && *locale); i++) {
        locale = getenv(LOCALES[i]);
    }
    layout->blocks = locale && (strstr(locale, "UTF-8") || strstr(locale, "utf8"));
}

/* Prints what was read, with a bar for what ranks and, where there is room, how that is distributed
 * over the rows that pass. */
static void print_shown(const struct berth_shown *shown, const struct berth_show_settings *settings)
{
    struct layout layout = {.shown = shown,
                            .widths = berth_alloc(shown->column_count, sizeof *layout.widths),
                            .numeric = berth_alloc(shown->column_count, sizeof *layout.numeric)};
    look_at_terminal(&layout);
    if (layout.widths && layout.numeric) {
        for (size_t i = 0; i < shown->column_count; i++) {
            measure_column(&layout, i);
        }
        lay_out_bars(&layout);
        print_head(&layout);
        for (size_t i = 0; i < shown->count || i < layout.bins.count; i++) {
            print_row(&layout, i);
        }
        if (shown->walked && shown->passed == settings->top) {
            printf("%zu of the first %zu rows pass the filter, no more were looked at",
                   shown->passed, shown->read);
        } else if (settings->filter) { /* of those that make what is required */
            printf("%zu of %zu rows pass the filter", shown->passed, shown->read);
        } else {
            printf("%zu rows", shown->read);
        }
        if (settings->molecules) {
            printf(", of %zu molecules by name", shown->molecules);
        }
        printf("; %zu shown%s%s\n", shown->count, settings->group ? ", one of each " : "",
               settings->group ? settings->group : "");
    }
    free(layout.widths);
    free(layout.numeric);
}

/* --- The command --- */

static const struct cli_usage USAGE = {
    "show", "RESULTS [options]",
    "Shows the best of a table of scores: its rows by what ranks them, with a bar for that, and\n"
    "how its values are distributed over the rows that pass, where these are 10 or more and the\n"
    "terminal is wide enough.\n"
    "\n"
    "Of a ligand's poses the best one alone is taken (--poses: all of them)."};

static const struct berth_option OPTIONS[] = {
    {"RESULTS", BERTH_FIELD_OF_ONE(struct berth_show_settings, results), .required = true,
     .help = "scores.csv (or .csv.gz) of `berth screen`, `merge`, `dock` or `score`, the folder "
             "that holds it, a database (--db) of these, or - for standard input"},
    CLI_RUN_ROW(struct berth_show_settings, run),
    {"top", BERTH_FIELD(struct berth_show_settings, top), .argument = "N", .min = 1,
     .max = 1000000000,
     .help = "rows to show, at most; with --diverse: the best ones, to choose among",
     .fallback = "20; with --out all; with --diverse 1000", .usual = 1},
    {"diverse", BERTH_FIELD(struct berth_show_settings, diverse), .argument = "N", .min = 1,
     .max = 100000,
     .help =
         "N molecules that differ, the best of each kind; from the best row on, each that is "
         "like none before it (Morgan fingerprints of radius 2, Tanimoto similarity below 0.5), "
         "with columns mw, logp, donors, acceptors, tpsa, rotatable_bonds, qed, pains and "
         "brenk (names of alerts); it needs SMILES in the table, and RDKit",
     .fallback = "all", .usual = 1},
    {"sort", BERTH_FIELD(struct berth_show_settings, sort), .argument = "COLUMN",
     .help = "column to sort by, lowest first",
     .fallback = "ranking, else score, total, energy; with --out and without --top "
                 "the table's order",
     .usual = 1},
    {"descending", BERTH_FIELD(struct berth_show_settings, descending), .help = "highest first",
     .usual = 1},
    {"filter", BERTH_FIELD(struct berth_show_settings, filter), .argument = "CONDITION",
     .help = "only rows that meet it, such as 'energy < -9 and torsions <= 8'; columns, "
             "numbers, texts in single quotes and what SQL has (and, or, not, IN, LIKE, BETWEEN, "
             "IS NULL, abs, min, max, pow ...; docs/results.md); an empty cell meets no comparison "
             "but !=; also what RDKit computes, such as \"mw < 400 and pains == ''\" or "
             "\"substructure(smiles, 'c1ccncc1')\"",
     .fallback = "all rows", .usual = 1},
    {"group", BERTH_FIELD(struct berth_show_settings, group), .argument = "COLUMN",
     .help =
         "one row of each value of a column, the best one, such as scaffold (Bemis and Murcko's; "
         "RDKit makes it) or supplier",
     .fallback = "all rows"},
    {"sql", BERTH_FIELD(struct berth_show_settings, sql), .argument = "SELECT",
     .help = "a question of your own in SQL, in place of the options that choose rows, order and "
             "columns: one SELECT over the table `score`, which has the columns of RESULTS, and "
             "`interaction`, `structure` and `failure`",
     .fallback = "none"},
    {"names", BERTH_FIELD(struct berth_show_settings, names), .argument = "LIST",
     .help = "only these ligands, or states of these molecules: names separated by commas, or a "
             "file of names, one a line, or of molecules",
     .fallback = "all ligands", .usual = 1},
    {"exclude_names", BERTH_FIELD(struct berth_show_settings, exclude_names), .argument = "LIST",
     .help = "leave out these ligands, or states of these molecules, likewise: what you have, say",
     .fallback = "none"},
    {"require", BERTH_FIELD(struct berth_show_settings, require), .argument = "LIST",
     .help = CLI_REQUIRE_HELP
     "; of the poses beside the table, hits.sdf or NAME.sdf: rows without one are left out",
     .fallback = "any"},
    {"receptor", BERTH_FIELD(struct berth_show_settings, receptor), .argument = "FILE",
     .help = "receptor of these interactions", .fallback = "those that run.json names"},
    {"free", BERTH_FIELD(struct berth_show_settings, free), .argument = "RESULTS",
     .help = "results of the same ligands without the restraints of these, several (seeds) "
             "separated by commas, for a column cost: the "
             "lowest energy + strain (and receptor_strain, coordination and displacement) of a "
             "ligand's poses that meet what is required (and make what --require asks for), less "
             "the lowest there",
     .fallback = "none"},
    {"columns", BERTH_FIELD(struct berth_show_settings, columns), .argument = "LIST",
     .help = "columns to show, separated by commas; also mw, logp, donors, acceptors, tpsa, "
             "rotatable_bonds, qed, pains, brenk and scaffold, which RDKit computes of SMILES",
     .fallback = "those that matter most; with --out all", .usual = 1},
    {"list_columns", BERTH_FIELD(struct berth_show_settings, list_columns),
     .help = "say what the columns are, with their units, and show no row", .usual = 1},
    {"library", BERTH_FIELD(struct berth_show_settings, library), .argument = "LIB.blib",
     .help = "library that was docked, for the ligands' torsions where a condition or columns name "
             "them",
     .fallback = "of a screen's folder, what it docked"},
    {"poses", BERTH_FIELD(struct berth_show_settings, poses), .help = "all poses of a ligand",
     .usual = 1},
    {"molecules", BERTH_FIELD(struct berth_show_settings, molecules),
     .help = "one row a molecule: the best of its states and isomers (NAME_1, NAME_2 ...; column "
             "state_of; in .smi the name), with how many of them pass (column states)"},
    {"out", BERTH_FIELD(struct berth_show_settings, out), .argument = "FILE",
     .help = "write the rows to a file instead, as its ending says: .csv, .json, .smi, .sdf, each "
             "with .gz, too; .smi has SMILES as given and names, a list to buy, .sdf the poses, as "
             "far as the run has written them; - is CSV to standard output",
     .fallback = "none", .usual = 1},
    CLI_CONFIG_ROW,
    {0}};

static void print_column(const char *name, const char *unit, const char *about)
{
    const int unseen = (int)(strlen(unit) - berth_text_width(unit)); /* bytes */
    cli_print("%-18s %-*s %s", name, 8 + unseen, unit, about);
}

static enum berth_status execute(void *context, int *code, struct berth_error *error)
{
    struct berth_show_settings *settings = context;
    (void)code;
    settings->sorted = settings->sort || settings->descending || settings->top ||
                       settings->diverse || settings->group || !settings->out;
    if (!settings->top) {
        settings->top = settings->diverse ? 1000 : settings->out ? 0 : 20;
    }
    const struct cli_file files[] = {{"RESULTS", settings->results, false},
                                     {"out", settings->out, true}};
    enum berth_status status = cli_check_files(files, sizeof files / sizeof *files, error);
    if (!status && settings->list_columns && settings->out) {
        return berth_fail_option(error, BERTH_E_USAGE, "out", "out: list_columns writes no file");
    }
    if (!status && settings->list_columns) {
        status = berth_show_columns(settings, print_column, error);
        if (!status) {
            cli_print(
                "energy: in the scoring function's unit, kcal/mol of vina and vinardo, kJ/mol "
                "of bude");
        }
        return status;
    }
    if (status || settings->out) {
        return status ? status : berth_show_write(settings, error);
    }
    struct berth_shown shown;
    status = berth_shown_read(settings, &shown, error);
    if (!status) {
        print_shown(&shown, settings);
    }
    berth_shown_clear(&shown);
    return status;
}

int cmd_show(int argc, char **argv)
{
    struct berth_show_settings settings = {.log = cli_log()};
    return cli_run(&USAGE, OPTIONS, &settings, execute, argc, argv);
}
