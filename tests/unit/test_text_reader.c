/* Lines of plain and compressed text, and what is refused. */
#include "io_support.h"

#include <zlib.h>

#include "base/text_reader.h"

static struct berth_text_reader *open_text(const void *bytes, size_t size)
{
    struct berth_text_reader *reader;
    struct berth_error error;
    assert_int_equal(berth_text_reader_create_memory("in.txt", bytes, size, &reader, &error),
                     BERTH_OK);
    return reader;
}

/* Fails unless the next line is this one (NULL: the end). */
static void expect_line(struct berth_text_reader *reader, const char *expected)
{
    char *line;
    struct berth_error error = {0};
    assert_int_equal(berth_text_reader_next(reader, &line, &error), BERTH_OK);
    if (expected) {
        assert_non_null(line);
        assert_string_equal(line, expected);
    } else {
        assert_null(line);
    }
}

static void expect_error(struct berth_text_reader *reader, enum berth_status status,
                         const char *message)
{
    char *line;
    struct berth_error error = {0};
    assert_int_equal(berth_text_reader_next(reader, &line, &error), status);
    assert_int_equal(error.status, status);
    assert_memory_equal(error.message, message, strlen(message));
}

static void splits_lines(void **state)
{
    (void)state;
    static const char TEXT[] = "one\n\ntwo\r\n\r\n three \nlast";
    struct berth_text_reader *reader = open_text(TEXT, sizeof TEXT - 1);
    expect_line(reader, "one");
    assert_int_equal(berth_text_reader_line(reader), 1);
    expect_line(reader, "");
    expect_line(reader, "two");
    expect_line(reader, "");
    expect_line(reader, " three ");
    expect_line(reader, "last");
    assert_int_equal(berth_text_reader_line(reader), 6);
    expect_line(reader, NULL);
    expect_line(reader, NULL);
    assert_string_equal(berth_text_reader_path(reader), "in.txt");
    berth_text_reader_destroy(reader);
    berth_text_reader_destroy(NULL);
}

static void refuses_a_carriage_return_inside_a_line(void **state)
{
    (void)state;
    static const char TEXT[] = "one\r\r\ntwo\rthree\n\r\nfour\r";
    struct berth_text_reader *reader = open_text(TEXT, sizeof TEXT - 1);
    expect_line(reader, "one");
    expect_error(reader, BERTH_E_FORMAT, "in.txt:2: ");
    expect_line(reader, "");
    expect_line(reader, "four");
    assert_false(berth_text_reader_is_broken(reader));
    expect_line(reader, NULL);
    berth_text_reader_destroy(reader);
}

static void gives_a_line_again(void **state)
{
    (void)state;
    struct berth_text_reader *reader = open_text("a\nb\n", 4);
    expect_line(reader, "a");
    berth_text_reader_unread(reader);
    expect_line(reader, "a");
    assert_int_equal(berth_text_reader_line(reader), 1);
    expect_line(reader, "b");
    expect_line(reader, NULL);
    berth_text_reader_destroy(reader);
}

static void reads_nothing(void **state)
{
    (void)state;
    struct berth_text_reader *reader = open_text(NULL, 0);
    expect_line(reader, NULL);
    assert_int_equal(berth_text_reader_line(reader), 0);
    berth_text_reader_destroy(reader);
}

static void bounds_lines(void **state)
{
    (void)state;
    size_t size = BERTH_LINE_MAX + 2;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, 'a', size);
    text[BERTH_LINE_MAX] = '\n';
    struct berth_text_reader *reader = open_text(text, size);
    char *line;
    struct berth_error error;
    assert_int_equal(berth_text_reader_next(reader, &line, &error), BERTH_OK);
    assert_int_equal(strlen(line), BERTH_LINE_MAX);
    expect_line(reader, "a");
    berth_text_reader_destroy(reader);

    text[BERTH_LINE_MAX] = 'a';
    text[BERTH_LINE_MAX + 1] = '\n';
    reader = open_text(text, size);
    expect_error(reader, BERTH_E_FORMAT, "in.txt:1: ");
    expect_line(reader, NULL);
    assert_false(berth_text_reader_is_broken(reader));
    berth_text_reader_destroy(reader);
    free(text);
}

/* A line far beyond the buffer is passed over whole, in bounded memory. */
static void goes_on_after_a_long_line(void **state)
{
    (void)state;
    const size_t size = 5 * (size_t)BERTH_LINE_MAX;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, 'a', size);
    memcpy(text + size - 5, "\nend\n", 5);
    struct berth_text_reader *reader = open_text(text, size);
    expect_error(reader, BERTH_E_FORMAT, "in.txt:1: ");
    expect_line(reader, "end");
    assert_int_equal(berth_text_reader_line(reader), 2);
    expect_line(reader, NULL);
    berth_text_reader_destroy(reader);
    free(text);
}

static void refuses_binary(void **state)
{
    (void)state;
    struct berth_text_reader *reader = open_text("text\nbi\0nary\nmore\n", 18);
    expect_line(reader, "text");
    expect_error(reader, BERTH_E_FORMAT, "in.txt:2: ");
    expect_line(reader, "more");
    assert_false(berth_text_reader_is_broken(reader));
    berth_text_reader_destroy(reader);
}

static void names_missing_files(void **state)
{
    (void)state;
    struct berth_text_reader *reader;
    struct berth_error error;
    assert_int_equal(berth_text_reader_create("/nowhere/x.mol2", &reader, &error), BERTH_E_IO);
    assert_null(reader);
    assert_non_null(strstr(error.message, "/nowhere/x.mol2: "));
    assert_int_equal(berth_text_reader_create("/tmp", &reader, &error), BERTH_E_IO);
    assert_non_null(strstr(error.message, "/tmp: "));
}

/* Writes count numbered lines with gzip. */
static void write_gzip(const char *path, int count)
{
    gzFile file = gzopen(path, "wb");
    assert_non_null(file);
    for (int i = 1; i <= count; i++) {
        assert_true(gzprintf(file, "line %d\n", i) > 0);
    }
    assert_int_equal(gzclose(file), Z_OK);
}

static void reads_gzip(void **state)
{
    (void)state;
    char directory[PATH_SIZE], path[PATH_SIZE], expected[32];
    make_scratch(directory);
    join(path, directory, "lines.gz");
    write_gzip(path, 50000);
    struct berth_text_reader *reader;
    struct berth_error error;
    assert_int_equal(berth_text_reader_create(path, &reader, &error), BERTH_OK);
    for (int i = 1; i <= 50000; i++) {
        snprintf(expected, sizeof expected, "line %d", i);
        expect_line(reader, expected);
    }
    expect_line(reader, NULL);
    berth_text_reader_destroy(reader);
    unlink(path);
    rmdir(directory);
}

/* What stands in front of the damage is given; then the damage is told. */
static void tells_truncated_gzip(void **state)
{
    (void)state;
    char directory[PATH_SIZE], path[PATH_SIZE], text[32];
    make_scratch(directory);
    join(path, directory, "cut.gz");
    write_gzip(path, 50000);
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(truncate(path, facts.st_size / 2), 0);
    struct berth_text_reader *reader;
    struct berth_error error = {0};
    assert_int_equal(berth_text_reader_create(path, &reader, &error), BERTH_OK);
    char *line;
    int lines = 0;
    enum berth_status status;
    while (!(status = berth_text_reader_next(reader, &line, &error))) {
        assert_non_null(line);
        lines++;
        snprintf(text, sizeof text, "line %d", lines);
        assert_string_equal(line, text);
    }
    assert_int_equal(status, BERTH_E_FORMAT);
    assert_true(lines > 15000 && lines < 35000);
    char message[PATH_SIZE + 200];
    snprintf(message, sizeof message, "%s:%d: the gzip data is truncated or corrupt (", path,
             lines + 1);
    assert_memory_equal(error.message, message, strlen(message));
    assert_non_null(strstr(error.message, "unexpected end of file; at byte "));
    berth_text_reader_destroy(reader);
    unlink(path);
    rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(splits_lines),
                                       cmocka_unit_test(refuses_a_carriage_return_inside_a_line),
                                       cmocka_unit_test(gives_a_line_again),
                                       cmocka_unit_test(reads_nothing),
                                       cmocka_unit_test(bounds_lines),
                                       cmocka_unit_test(goes_on_after_a_long_line),
                                       cmocka_unit_test(refuses_binary),
                                       cmocka_unit_test(names_missing_files),
                                       cmocka_unit_test(reads_gzip),
                                       cmocka_unit_test(tells_truncated_gzip)};
    return cmocka_run_group_tests_name("text_reader", tests, NULL, NULL);
}
