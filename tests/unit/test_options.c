/* Options from the command line and from a file: what is taken, what is refused and with which
 * words, and the help. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "options/peers.h"

struct values {
    const char *receptor, *out;
    long long num_modes, offset;
    unsigned long long seed;
    double center_x, autobox_add;
    bool minimize, quiet;
};

static const struct values DEFAULTS = {
    .out = "poses.sdf", .num_modes = 9, .seed = 1, .center_x = NAN, .autobox_add = 4};

static const struct berth_option OTHERS[] = {
    {"grid", BERTH_OPTION_NO_EFFECT, .argument = "D", .initial_text = "0.375",
     .help = "there is none"},
    {"fast", BERTH_OPTION_NO_EFFECT, .help = "it is"},
    {"runs", BERTH_OPTION_FOREIGN, .argument = "N", .initial_text = "1", .letter = 'n',
     .help = "there is one"},
    {"local_only", BERTH_OPTION_FOREIGN, .help = "say --minimize"},
    {"offset", BERTH_OPTION_FOREIGN, .help = "say how many"},
    {0}};

static const struct berth_option OPTIONS[] = {
    {.help = "Input"},
    {"receptor", BERTH_FIELD(struct values, receptor), .argument = "FILE",
     .help = "receptor structure", .required = true},
    {"center_x", BERTH_FIELD(struct values, center_x), .argument = "X", .help = "centre of the box",
     .unit = "Å", .min = -1000, .max = 1000},
    {"autobox_add", BERTH_FIELD(struct values, autobox_add), .argument = "LENGTH",
     .help = "margin around the ligand", .unit = "Å", .min = 0, .max = INFINITY},
    {.help = "Output"},
    {"out", BERTH_FIELD(struct values, out), .argument = "FILE", .letter = 'o',
     .help = "where the poses go; the ending says which format they are written in, and a dash is "
             "the standard output"},
    {"num_modes", BERTH_FIELD(struct values, num_modes), .argument = "N", .help = "poses a ligand",
     .min = 1, .max = 1000},
    {"offset", BERTH_FIELD(struct values, offset), .argument = "N", .help = "any whole number",
     .fallback = ""},
    {"seed", BERTH_FIELD(struct values, seed), .argument = "N", .help = "seed of the search"},
    {"minimize", BERTH_FIELD(struct values, minimize), .help = "refine"},
    {"quiet", BERTH_FIELD(struct values, quiet), .help = "say nothing"},
    {"loudness", BERTH_OPTION_FOREIGN, .help = "say --quiet"},
    {"others", BERTH_OPTION_OTHERS, .others = OTHERS},
    {"config", BERTH_OPTION_CONFIG, .argument = "FILE", .help = "read options from a file"},
    {0}};

/* One parse and what came of it. */
struct outcome {
    struct values values;
    struct berth_parsed parsed;
    struct berth_error error;
    enum berth_status status;
};

/* The words of line, which blanks separate; "''" is an empty word.  They stay until the next call.
 */
static int split(const char *line, char **argv)
{
    static char words[1024];
    int argc = 0;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        argv[argc++] = strcmp(word, "''") ? word : word + 2;
    }
    return argc;
}

static struct outcome parse(const char *line)
{
    struct outcome outcome = {.values = DEFAULTS};
    char *argv[32];
    const int argc = split(line, argv);
    outcome.status =
        berth_options_parse(OPTIONS, argc, argv, &outcome.values, &outcome.parsed, &outcome.error);
    return outcome;
}

static void expect_message(const char *line, const char *message)
{
    struct outcome outcome = parse(line);
    assert_int_equal(outcome.status, BERTH_E_USAGE);
    assert_memory_equal(outcome.error.message, message, strlen(message));
    berth_parsed_clear(&outcome.parsed);
}

/* Writes text to a temporary file and parses `arguments --config FILE`. */
static struct outcome parse_with_file(const char *text, const char *arguments, char *path)
{
    strcpy(path, "/tmp/berth-test-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    char line[512];
    snprintf(line, sizeof line, "%s --config %s", arguments, path);
    struct outcome outcome = parse(line);
    unlink(path);
    return outcome;
}

static void expect_file_message(const char *text, const char *message)
{
    char path[32], expected[256];
    struct outcome outcome = parse_with_file(text, "--receptor r.mol2", path);
    snprintf(expected, sizeof expected, "%s:%s", path, message);
    assert_int_equal(outcome.status, BERTH_E_USAGE);
    assert_string_equal(outcome.error.message, expected);
    berth_parsed_clear(&outcome.parsed);
}

static void test_both_forms(void **state)
{
    (void)state;
    struct outcome outcome = parse("--receptor r.mol2 --num_modes=20 --center_x -5.5e0 --minimize "
                                   "--seed 18446744073709551615 --offset=-3");
    assert_int_equal(outcome.status, BERTH_OK);
    assert_string_equal(outcome.values.receptor, "r.mol2");
    assert_int_equal(outcome.values.num_modes, 20);
    assert_true(outcome.values.center_x == -5.5);
    assert_true(outcome.values.minimize);
    assert_false(outcome.values.quiet);
    assert_true(outcome.values.seed == UINT64_MAX);
    assert_int_equal(outcome.values.offset, -3);
    assert_string_equal(outcome.values.out, "poses.sdf");
    assert_null(outcome.parsed.help);
    outcome = parse("--receptor=--odd=name --minimize=false");
    assert_int_equal(outcome.status, BERTH_OK);
    assert_string_equal(outcome.values.receptor, "--odd=name");
    assert_false(outcome.values.minimize);
}

static void test_given(void **state)
{
    (void)state;
    struct outcome outcome = parse("--receptor r.mol2 --num_modes 9");
    assert_true(berth_options_given(OPTIONS, &outcome.parsed, "num_modes"));
    assert_false(berth_options_given(OPTIONS, &outcome.parsed, "seed"));
    assert_false(berth_options_given(OPTIONS, &outcome.parsed, "no such option"));
}

static void test_help_wins(void **state)
{
    (void)state;
    struct outcome outcome = parse("--nonsense -h");
    assert_int_equal(outcome.status, BERTH_OK);
    assert_string_equal(outcome.parsed.help, "-h");
    outcome = parse("--help");
    assert_string_equal(outcome.parsed.help, "-h");
    outcome = parse("--nonsense --help_all");
    assert_string_equal(outcome.parsed.help, "--help_all");
    outcome = parse("--help_advanced");
    assert_string_equal(outcome.parsed.help, "--help_all");
}

static void test_unknown(void **state)
{
    (void)state;
    expect_message("--recptor x", "unknown option '--recptor'; did you mean --receptor?");
    expect_message("--rec=x", "unknown option '--rec'; did you mean --receptor?");
    expect_message("-receptor x", "unknown option '-receptor'; did you mean --receptor?");
    expect_message("--num-modes x", "unknown option '--num-modes'; did you mean --num_modes?");
    expect_message("--frobnicate", "unknown option '--frobnicate'; --help_all lists them all");
    expect_message("-x", "unknown option '-x'; --help_all lists them all");
    expect_message("-=3", "unknown option '-'; --help_all lists them all");
    expect_message("-oo x", "unknown option '-oo'; --help_all lists them all");
    expect_message("-o a --out b", "--out is given twice");
    expect_message("--loudness 3", "there is no option '--loudness': say --quiet");
    expect_message("--loudnes 3", "unknown option '--loudnes'; --help_all lists them all");
    expect_message("-- --receptor",
                   "unexpected argument '--receptor'; every value follows an option (see --help)");
    expect_message("--=3", "unknown option '--'; --help_all lists them all");
    expect_message("r.mol2",
                   "unexpected argument 'r.mol2'; every value follows an option (see --help)");
    expect_message("-", "unexpected argument '-'; every value follows an option (see --help)");
    expect_message("''", "unexpected argument ''; every value follows an option (see --help)");
    expect_message("--0123456789012345678901234567890123456789012345678901234567890123456789",
                   "unknown option '--0123456789012345678901234567890123456789012345678901234567890"
                   "'; --help_all lists them all");
}

static void test_missing_and_repeated(void **state)
{
    (void)state;
    expect_message("--receptor", "--receptor: ");
    expect_message("--receptor --quiet", "--receptor: ");
    expect_message("--receptor=", "--receptor: ");
    expect_message("--receptor ''", "--receptor: ");
    expect_message("--seed 1 --seed=2", "--seed is given twice");
    expect_message("--quiet", "--receptor ");
}

static void test_bad_numbers(void **state)
{
    (void)state;
    expect_message("--num_modes 12abc", "--num_modes: '12abc' ");
    expect_message("--num_modes 1.5", "--num_modes: '1.5' ");
    expect_message("--num_modes 1e3", "--num_modes: '1e3' ");
    expect_message("--num_modes=0x10", "--num_modes: '0x10' ");
    expect_message("--num_modes -", "--num_modes: '-' ");
    expect_message("--center_x nan", "--center_x: 'nan' ");
    expect_message("--center_x inf", "--center_x: 'inf' is not a number");
    expect_message("--center_x 0x1p3", "--center_x: '0x1p3' is not a number");
    expect_message("--center_x 1e", "--center_x: '1e' is not a number");
    expect_message("--center_x 1,5", "--center_x: '1,5' is not a number");
    expect_message("--quiet=perhaps", "--quiet: 'perhaps' ");
}

static void test_ranges(void **state)
{
    (void)state;
    expect_message("--num_modes 0", "--num_modes: 0 ");
    expect_message("--num_modes 1001", "--num_modes: 1001 ");
    expect_message("--center_x 1e400", "--center_x: 1e400 ");
    expect_message("--autobox_add -1", "--autobox_add: -1 ");
    expect_message("--seed -1", "--seed: -1 ");
    expect_message("--seed 18446744073709551616", "--seed: 18446744073709551616 ");
    expect_message("--offset 9223372036854775808", "--offset: 9223372036854775808 ");
    struct outcome outcome = parse("--receptor r --num_modes 1000 --autobox_add 1e300");
    assert_int_equal(outcome.status, BERTH_OK);
}

static void test_file(void **state)
{
    (void)state;
    char path[32];
    struct outcome outcome = parse_with_file("# Vina's way\r\n"
                                             "receptor = my #1 file.mol2   # a comment\n"
                                             "\n"
                                             "  center_x=-3\n"
                                             "num_modes = 5\n"
                                             "--minimize = true\n"
                                             "quiet = yes",
                                             "--num_modes 7 --quiet=false", path);
    assert_int_equal(outcome.status, BERTH_OK);
    assert_string_equal(outcome.values.receptor, "my");
    assert_true(outcome.values.center_x == -3);
    assert_int_equal(outcome.values.num_modes, 7);
    assert_true(outcome.values.minimize);
    assert_false(outcome.values.quiet);
    assert_true(berth_options_given(OPTIONS, &outcome.parsed, "center_x"));
    berth_parsed_clear(&outcome.parsed);
    outcome = parse_with_file("receptor = my#1 file.mol2", "", path);
    assert_string_equal(outcome.values.receptor, "my#1 file.mol2");
    berth_parsed_clear(&outcome.parsed);
}

static void test_bad_files(void **state)
{
    (void)state;
    expect_file_message("\nnum_mode = 3\n",
                        "2: unknown option 'num_mode'; did you mean --num_modes?");
    expect_file_message("minimize\n", "1: 'minimize' is not of the form name = value");
    expect_file_message("seed = 1\nseed = 2\n", "2: --seed is given twice");
    expect_file_message("seed =\n", "1: --seed: the value is missing");
    expect_file_message("= 3\n", "1: unknown option ''; --help_all lists them all");
    expect_file_message("num_modes = x\n", "1: --num_modes: 'x' is not a whole number");
    expect_file_message("config = x\n", "1: a file of options cannot name another one");
    struct outcome outcome = parse("--config /nonexistent/berth.conf");
    assert_int_equal(outcome.status, BERTH_E_IO);
    berth_parsed_clear(&outcome.parsed);
    berth_parsed_clear(NULL);
}

struct with_arguments {
    struct berth_arguments inputs;
    const char *out;
};

static const struct berth_option TAKES_ARGUMENTS[] = {
    {"IN...", BERTH_FIELD(struct with_arguments, inputs), .help = "files", .required = true},
    {"out", BERTH_FIELD(struct with_arguments, out), .argument = "FILE", .help = "result"},
    {0}};

/* A command that takes arguments without an option. */
static void test_arguments(void **state)
{
    (void)state;
    struct with_arguments values = {0};
    const struct berth_option *table = TAKES_ARGUMENTS;
    struct berth_parsed parsed;
    struct berth_error error;
    char *argv[32];
    int argc = split("a --out b - c", argv);
    assert_int_equal(berth_options_parse(table, argc, argv, &values, &parsed, &error), BERTH_OK);
    assert_int_equal(values.inputs.count, 3);
    assert_string_equal(values.inputs.items[0], "a");
    assert_string_equal(values.inputs.items[1], "-");
    assert_string_equal(values.inputs.items[2], "c");
    assert_string_equal(values.out, "b");
    berth_parsed_clear(&parsed);

    values.inputs.count = 0;
    argc = split("--out b a -- -c --out -- --help", argv);
    assert_int_equal(berth_options_parse(table, argc, argv, &values, &parsed, &error), BERTH_OK);
    assert_false(parsed.help);
    assert_int_equal(values.inputs.count, 5);
    assert_string_equal(values.inputs.items[1], "-c");
    assert_string_equal(values.inputs.items[3], "--");
    berth_parsed_clear(&parsed);

    values.inputs.count = 0;
    argc = split("--out b", argv);
    assert_int_equal(berth_options_parse(table, argc, argv, &values, &parsed, &error),
                     BERTH_E_USAGE);
    assert_string_equal(error.message, "IN... must be given, on the command line or in a --config "
                                       "file (see --help)");
    berth_parsed_clear(&parsed);
    argc = split("--IN... b", argv);
    assert_int_equal(berth_options_parse(table, argc, argv, &values, &parsed, &error),
                     BERTH_E_USAGE);
    assert_string_equal(error.message, "unknown option '--IN...'; --help_all lists them all");
    berth_parsed_clear(&parsed);

    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    berth_options_help(table, &values, file);
    fclose(file);
    assert_non_null(strstr(text, "\n  --out FILE "));
    assert_non_null(strstr(text, "\n  --                        what follows is no option"));
    assert_memory_equal(text, "  IN...                     files (required)\n", 45);
    free(text);
}

static void test_help_text(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    berth_options_help(OPTIONS, &DEFAULTS, file);
    fclose(file);
    assert_string_equal(
        text,
        "Input:\n"
        "  --receptor FILE           receptor structure (required)\n"
        "  --center_x X              centre of the box (Å)\n"
        "  --autobox_add LENGTH      margin around the ligand (Å; default 4)\n"
        "\n"
        "Output:\n"
        "  -o, --out FILE            where the poses go; the ending says which format they are "
        "written in,\n"
        "                            and a dash is the standard output (default poses.sdf)\n"
        "  --num_modes N             poses a ligand (default 9)\n"
        "  --offset N                any whole number\n"
        "  --seed N                  seed of the search (default 1)\n"
        "  --minimize                refine\n"
        "  --quiet                   say nothing\n"
        "  --config FILE             read options from a file\n"
        "  -h, --help                print this help\n");
    free(text);
}

static const struct berth_option FEW[] = {
    {.help = "Input"},
    {"receptor", BERTH_FIELD(struct values, receptor), .argument = "FILE", .letter = 'r',
     .help = "structure; of any format", .required = true},
    {"center_x", BERTH_FIELD(struct values, center_x), .argument = "X", .help = "centre of the box",
     .unit = "Å", .fallback = "the middle; or none", .usual = 1},
    {"center_y", BERTH_FIELD(struct values, center_x), .argument = "Y", .help = ""},
    {"loudness", BERTH_OPTION_FOREIGN, .help = "say --quiet"},
    {"out", BERTH_FIELD(struct values, out), .argument = "FILE", .help = "poses",
     .fallback = "none", .usual = 1},
    {"quiet", BERTH_FIELD(struct values, quiet), .help = "say nothing"}};

/* Of a table with many rows the usual ones alone, each briefly. */
static void test_usual(void **state)
{
    (void)state;
    struct berth_option rows[BERTH_OPTIONS_MANY + 4] = {0};
    size_t count = sizeof FEW / sizeof *FEW;
    memcpy(rows, FEW, sizeof FEW);
    while (count < BERTH_OPTIONS_MANY + 1) {
        rows[count++] = FEW[sizeof FEW / sizeof *FEW - 1];
    }
    assert_int_equal(berth_options_count(rows), BERTH_OPTIONS_MANY - 1);
    assert_false(berth_options_are_many(rows));
    rows[count] = rows[count - 1];
    assert_int_equal(berth_options_count(rows), BERTH_OPTIONS_MANY);
    assert_true(berth_options_are_many(rows));
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    berth_options_help_usual(rows, &DEFAULTS, file);
    fclose(file);
    assert_string_equal(text,
                        "  -r, --receptor FILE       structure\n"
                        "  --center_x X --center_y Y centre of the box (Å; default the middle)\n"
                        "  --out FILE                poses\n");
    free(text);
    rows[2].usual = rows[5].usual = 0;
    assert_false(berth_options_are_many(rows));
}

static void test_word_distance(void **state)
{
    (void)state;
    assert_int_equal(berth_word_distance("dock", "dock"), 0);
    assert_int_equal(berth_word_distance("dok", "dock"), 1);
    assert_int_equal(berth_word_distance("scren", "screen"), 1);
    assert_int_equal(berth_word_distance("kitten", "sitting"), 3);
    assert_int_equal(berth_word_distance("recep", "receptor"), 1);
    assert_int_equal(berth_word_distance("", "abc"), 3);
    assert_int_equal(berth_word_distance("a", "0123456789012345678901234567890123456789012345678"),
                     99);
}

/* What another program has and changes nothing: taken with its value, and told once. */
static void test_no_effect(void **state)
{
    (void)state;
    struct outcome outcome = parse("--receptor r --fast --grid 0.4 --seed 3 --grid 0.5");
    assert_int_equal(outcome.status, BERTH_OK);
    assert_int_equal(outcome.values.seed, 3);
    assert_int_equal(outcome.parsed.idle_count, 2);
    assert_string_equal(outcome.parsed.idle[0]->name, "fast");
    assert_string_equal(outcome.parsed.idle[1]->name, "grid");
    berth_parsed_clear(&outcome.parsed);
    outcome = parse("--receptor r --grid");
    assert_int_equal(outcome.status, BERTH_E_USAGE);
    berth_parsed_clear(&outcome.parsed);
}

/* What another program has and berth does otherwise: refused, but for the value that holds. */
static void test_foreign(void **state)
{
    static const struct {
        const char *given, *message;
    } REFUSED[] = {
        {"--receptor r --runs 2", "there is no option '--runs': there is one"},
        {"--receptor r --runs", "there is no option '--runs': there is one"},
        {"--receptor r -runs 2", "there is no option '--runs': there is one"},
        {"--receptor r -n 2", "there is no option '--runs': there is one"},
        {"--receptor r --local_only", "there is no option '--local_only': say --minimize"},
        {"--receptor r --offset all", "--offset: 'all' "},
        {"--receptor r -seed 2", "unknown option '-seed'; did you mean --seed?"},
        {"--receptor r --others x", "unknown option '--others'; --help_all lists them all"}};
    (void)state;
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
        expect_message(REFUSED[i].given, REFUSED[i].message);
    }
    struct outcome outcome = parse("--receptor r --runs 1.0 --grid 0.3750 --local_only=false");
    assert_int_equal(outcome.status, BERTH_OK);
    assert_int_equal(outcome.parsed.idle_count, 0);
    berth_parsed_clear(&outcome.parsed);
}

/* docs/coming_from.md names each option that has an answer. */
static void test_peers_are_documented(void **state)
{
    (void)state;
    enum { SIZE = 1 << 16 };
    char *text = malloc(SIZE);
    FILE *file = fopen("docs/coming_from.md", "r");
    assert_non_null(file);
    text[fread(text, 1, SIZE - 1, file)] = '\0';
    fclose(file);
    for (const struct berth_option *row = BERTH_PEERS_TABLE; !berth_option_is_end(row); row++) {
        char name[64];
        snprintf(name, sizeof name, "`%s`", row->name);
        if (!strstr(text, name)) {
            fail_msg("docs/coming_from.md does not say what stands in place of %s", row->name);
        }
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_both_forms),
                                       cmocka_unit_test(test_given),
                                       cmocka_unit_test(test_help_wins),
                                       cmocka_unit_test(test_unknown),
                                       cmocka_unit_test(test_missing_and_repeated),
                                       cmocka_unit_test(test_bad_numbers),
                                       cmocka_unit_test(test_ranges),
                                       cmocka_unit_test(test_file),
                                       cmocka_unit_test(test_bad_files),
                                       cmocka_unit_test(test_arguments),
                                       cmocka_unit_test(test_no_effect),
                                       cmocka_unit_test(test_foreign),
                                       cmocka_unit_test(test_peers_are_documented),
                                       cmocka_unit_test(test_help_text),
                                       cmocka_unit_test(test_usual),
                                       cmocka_unit_test(test_word_distance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
