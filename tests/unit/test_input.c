/* The bytes of a file: plain, gzip of several members, damaged, behind a byte-order mark. */
#include "io_support.h"

#include <zlib.h>

#include "base/input.h"

/* Appends text as a gzip member. */
static void add_member(struct berth_bytes *file, const char *text)
{
    unsigned char packed[1 << 12];
    z_stream zlib = {0};
    assert_int_equal(deflateInit2(&zlib, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    zlib.next_in = (unsigned char *)(uintptr_t)text;
    zlib.avail_in = (uInt)strlen(text);
    zlib.next_out = packed;
    zlib.avail_out = sizeof packed;
    assert_int_equal(deflate(&zlib, Z_FINISH), Z_STREAM_END);
    berth_bytes_put(file, packed, sizeof packed - zlib.avail_out);
    deflateEnd(&zlib);
}

/* What a file of these bytes gives: its text, and then the error, if there is one. */
struct given {
    struct berth_bytes text;
    struct berth_error error;
    enum berth_status status;
};

static struct given read_bytes(const struct berth_bytes *bytes)
{
    struct given given = {{0}, {0}, BERTH_OK};
    char directory[PATH_SIZE], path[PATH_SIZE];
    make_scratch(directory);
    join(path, directory, "file");
    write_file(path, bytes->data, bytes->count);
    struct berth_input *input;
    assert_int_equal(berth_input_open(path, &input, &given.error), BERTH_OK);
    for (size_t got = 1; got && !given.status;) {
        char some[BERTH_INPUT_LEAST];
        given.status = berth_input_read(input, some, sizeof some, &got, &given.error);
        berth_bytes_put(&given.text, some, got);
    }
    berth_input_close(input);
    unlink(path);
    rmdir(directory);
    return given;
}

/* Reads the file of these bytes, and clears them. */
static void expect(struct berth_bytes *file, const char *text, const char *error)
{
    struct given given = read_bytes(file);
    assert_int_equal(given.text.count, strlen(text));
    assert_memory_equal(given.text.data ? (char *)given.text.data : "", text, strlen(text));
    assert_int_equal(given.status, error ? BERTH_E_FORMAT : BERTH_OK);
    if (error && !strstr(given.error.message, error)) {
        assert_string_equal(given.error.message, error);
    }
    berth_bytes_clear(&given.text);
    berth_bytes_clear(file);
}

static void reads_several_members(void **state)
{
    (void)state;
    struct berth_bytes file = {0};
    add_member(&file, "one\n");
    add_member(&file, "");
    add_member(&file, "two, which is longer than what is read at once\n");
    expect(&file, "one\ntwo, which is longer than what is read at once\n", NULL);
    expect(&file, "", NULL);
    berth_bytes_put(&file, "\x1f", 1);
    expect(&file, "\x1f", NULL);
}

static void allows_zeros_behind_the_last(void **state)
{
    (void)state;
    static const char ZEROS[200000];
    struct berth_bytes file = {0};
    add_member(&file, "one\n");
    berth_bytes_put(&file, ZEROS, sizeof ZEROS);
    expect(&file, "one\n", NULL);
}

static void tells_damage_behind_a_member(void **state)
{
    (void)state;
    struct berth_bytes file = {0};
    char place[80];
    add_member(&file, "one\n");
    const size_t first = file.count;
    snprintf(place, sizeof place, "at byte %zu of the file, in member 1)", first + 3);
    berth_bytes_put(&file, "\0\0\0", 3);
    add_member(&file, "two\n");
    expect(&file, "one\n", place);

    add_member(&file, "one\n");
    const size_t damaged = file.count;
    add_member(&file, "two\n");
    file.data[damaged] ^= 0xff;
    expect(&file, "one\n", "in member 2)");

    add_member(&file, "one\n");
    berth_bytes_put(&file, "garbage", 7);
    expect(&file, "one\n", "in member 2)");

    add_member(&file, "one\n");
    add_member(&file, "two\n");
    file.count -= 4;
    expect(&file, "one\ntwo\n", "unexpected end of file; at byte ");

    add_member(&file, "one\n");
    file.data[file.count - 6] ^= 1;
    expect(&file, "one\n", "incorrect data check");
}

static void passes_over_a_byte_order_mark(void **state)
{
    (void)state;
    struct berth_bytes file = {0};
    berth_bytes_put(&file, "\xef\xbb\xbf", 3);
    expect(&file, "", NULL);
    berth_bytes_put(&file, "\xef\xbb\xbftext of more than what is read at once \xef\xbb\xbf", 45);
    expect(&file, "text of more than what is read at once \xef\xbb\xbf", NULL);
    add_member(&file, "\xef\xbb\xbftext");
    expect(&file, "text", NULL);
    berth_bytes_put(&file, "\xef\xbb", 2);
    expect(&file, "\xef\xbb", NULL);
    berth_bytes_put(&file,
                    "\xff\xfe"
                    "a\0",
                    4);
    expect(&file, "", "UTF-16");
    berth_bytes_put(&file, "\xfe\xff\0a", 4);
    expect(&file, "", "UTF-16");
}

static void stops(void **state)
{
    (void)state;
    atomic_bool stop = true;
    struct berth_bytes bytes = {0};
    struct berth_error error;
    assert_int_equal(berth_input_read_all("/dev/zero", &stop, &bytes, &error), BERTH_E_IO);
    assert_string_equal(error.message, "interrupted");
    berth_bytes_clear(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_several_members), cmocka_unit_test(allows_zeros_behind_the_last),
        cmocka_unit_test(tells_damage_behind_a_member),
        cmocka_unit_test(passes_over_a_byte_order_mark), cmocka_unit_test(stops)};
    return cmocka_run_group_tests_name("input", tests, NULL, NULL);
}
