/* Tables in CSV: quotes, line ends, what is refused, and that what berth writes comes back. */
#include "io_support.h"

#include "format/csv.h"
#include "format/output.h"

static struct berth_csv *open_text(const char *text)
{
    struct berth_csv *csv;
    struct berth_error error;
    assert_int_equal(berth_csv_open_memory("in.csv", text, strlen(text), ',', &csv, &error),
                     BERTH_OK);
    return csv;
}

static void expect_row(struct berth_csv *csv, size_t line, const char *first, const char *second)
{
    bool end;
    struct berth_error error;
    assert_int_equal(berth_csv_next(csv, &end, &error), BERTH_OK);
    assert_false(end);
    assert_int_equal(berth_csv_line(csv), line);
    assert_string_equal(berth_csv_field(csv, 0), first);
    assert_string_equal(berth_csv_field(csv, 1), second);
}

static void expect_end(struct berth_csv *csv)
{
    bool end = false;
    struct berth_error error;
    assert_int_equal(berth_csv_next(csv, &end, &error), BERTH_OK);
    assert_true(end);
    berth_csv_close(csv);
}

static void reads_rows(void **state)
{
    (void)state;
    struct berth_csv *csv = open_text("\xef\xbb\xbf"
                                      "name,\"a \"\"b\"\"\"\r\n"
                                      "x,-1.5\n\r\n\n"
                                      "\"two\nlines, and \"\"one\"\"\",\r\n"
                                      "\"\",\"cr\r\"\n"
                                      "plain \" quote,inf\n"
                                      "last,2e3");
    double value;
    assert_int_equal(berth_csv_columns(csv), 2);
    assert_string_equal(berth_csv_column(csv, 1), "a \"b\"");
    assert_int_equal(berth_csv_find(csv, "name"), 0);
    assert_true(berth_csv_find(csv, "score") == SIZE_MAX);
    expect_row(csv, 2, "x", "-1.5");
    assert_true(berth_csv_real(csv, 1, &value) && value == -1.5);
    assert_false(berth_csv_real(csv, 0, &value));
    expect_row(csv, 5, "two\nlines, and \"one\"", "");
    assert_false(berth_csv_real(csv, 1, &value));
    expect_row(csv, 7, "", "cr\r");
    expect_row(csv, 8, "plain \" quote", "inf");
    assert_false(berth_csv_real(csv, 1, &value));
    expect_row(csv, 9, "last", "2e3");
    assert_true(berth_csv_real(csv, 1, &value) && value == 2000);
    expect_end(csv);
    berth_csv_close(NULL);
}

static void expect_refused(const char *text, size_t size, const char *message)
{
    struct berth_csv *csv;
    struct berth_error error;
    bool end = false;
    enum berth_status status = berth_csv_open_memory("in.csv", text, size, ',', &csv, &error);
    while (!status && !end) {
        status = berth_csv_next(csv, &end, &error);
    }
    assert_int_equal(status, BERTH_E_FORMAT);
    assert_memory_equal(error.message, message, strlen(message));
    berth_csv_close(csv);
}

#define REFUSED(text, message) expect_refused(text, sizeof text - 1, "in.csv:" message)

static void refuses(void **state)
{
    (void)state;
    REFUSED("", "1: an empty file; a table begins with the names of its columns");
    REFUSED("\n\n", "3: an empty file; a table begins with the names of its columns");
    REFUSED("a,b\n1,2\n3\n", "3: ");
    REFUSED("a,b\n1,2,3\n", "2: ");
    REFUSED("a,b\n1,\"2\n3", "2: ");
    REFUSED("a,b\n1,\0\n", "2: ");
    REFUSED("a,b\n1,\"\0\"\n", "2: ");
    struct berth_csv *csv;
    struct berth_error error;
    assert_int_equal(berth_csv_open("/nowhere/scores.csv", ',', &csv, &error), BERTH_E_IO);
    assert_non_null(strstr(error.message, "/nowhere/scores.csv: "));
}

/* Fields beyond the reader's chunks, and names that a terminal or a spreadsheet would obey. */
static void takes_back_what_is_written(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"aspirin", "=1+1",      "'quoted'",   "\x1b[2J",
                                        "\\x41",   "a\tb\r\nc", "x\xff,\"y\""};
    enum { COUNT = sizeof NAMES / sizeof *NAMES, REPEATS = 20000 };
    char directory[PATH_SIZE], path[PATH_SIZE];
    struct berth_error error;
    struct berth_output *output;
    struct berth_csv *csv;
    make_scratch(directory);
    join(path, directory, "names.csv.gz");
    assert_int_equal(berth_output_create(path, &output, &error), BERTH_OK);
    berth_output_print(output, "ligand,score\n");
    for (int i = 0; i < REPEATS; i++) {
        berth_output_csv(output, NAMES[i % COUNT], ',');
        berth_output_print(output, "%d\n", i);
    }
    assert_int_equal(berth_output_commit(output, &error), BERTH_OK);
    assert_int_equal(berth_csv_open(path, ',', &csv, &error), BERTH_OK);
    for (int i = 0; i < REPEATS; i++) {
        bool end;
        double value;
        assert_int_equal(berth_csv_next(csv, &end, &error), BERTH_OK);
        char *name = berth_csv_text(csv, 0);
        assert_string_equal(name, NAMES[i % COUNT]);
        assert_true(berth_csv_real(csv, 1, &value) && value == i);
        free(name);
    }
    expect_end(csv);
    unlink(path);
    rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_rows), cmocka_unit_test(refuses),
                                       cmocka_unit_test(takes_back_what_is_written)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
