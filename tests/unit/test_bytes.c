/* Bytes put and taken again, and what happens at the end. */
#include "io_support.h"

#include "base/bytes.h"

static void gives_back_numbers(void **state)
{
    (void)state;
    static const uint64_t NUMBERS[] = {0, 1, 127, 128, 16383, 16384, UINT32_MAX, UINT64_MAX};
    static const int64_t SIGNED[] = {0, -1, 1, -64, 64, INT32_MIN, INT64_MAX, INT64_MIN};
    struct berth_bytes bytes = {0};
    for (size_t i = 0; i < 8; i++) {
        berth_bytes_put_varint(&bytes, NUMBERS[i]);
        berth_bytes_put_signed(&bytes, SIGNED[i]);
        berth_bytes_put64(&bytes, NUMBERS[i]);
        berth_bytes_put32(&bytes, (uint32_t)NUMBERS[i]);
        berth_bytes_put8(&bytes, (uint8_t)NUMBERS[i]);
        berth_bytes_put_text(&bytes, i % 2 ? "text" : NULL);
    }
    assert_false(bytes.failed);
    struct berth_cursor cursor = berth_cursor_over(bytes.data, bytes.count);
    for (size_t i = 0; i < 8; i++) {
        assert_true(berth_cursor_get_varint(&cursor) == NUMBERS[i]);
        assert_true(berth_cursor_get_signed(&cursor) == SIGNED[i]);
        assert_true(berth_cursor_get64(&cursor) == NUMBERS[i]);
        assert_true(berth_cursor_get32(&cursor) == (uint32_t)NUMBERS[i]);
        assert_true(berth_cursor_get8(&cursor) == (uint8_t)NUMBERS[i]);
        assert_string_equal(berth_cursor_get_text(&cursor), i % 2 ? "text" : "");
    }
    assert_false(cursor.failed);
    assert_int_equal(berth_cursor_left(&cursor), 0);
    berth_bytes_clear(&bytes);
}

static void is_little_endian(void **state)
{
    (void)state;
    static const unsigned char EXPECTED[] = {0x04, 0x03, 0x02, 0x01, 0xac, 0x02, 0x03};
    struct berth_bytes bytes = {0};
    berth_bytes_put32(&bytes, 0x01020304);
    berth_bytes_put_varint(&bytes, 300);
    berth_bytes_put_signed(&bytes, -2);
    assert_int_equal(bytes.count, sizeof EXPECTED);
    assert_memory_equal(bytes.data, EXPECTED, sizeof EXPECTED);
    berth_bytes_clear(&bytes);
}

static void stops_at_the_end(void **state)
{
    (void)state;
    static const unsigned char BYTES[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                          0x80, 0x80, 0x80, 0x80, 0x01, 'x'};
    struct berth_cursor cursor = berth_cursor_over(BYTES, sizeof BYTES);
    assert_true(berth_cursor_get_varint(&cursor) == 0 && cursor.failed); /* 11 digits */
    assert_null(berth_cursor_take(&cursor, 0));
    cursor = berth_cursor_over(BYTES, 3);
    assert_true(berth_cursor_get_varint(&cursor) == 0 && cursor.failed);
    cursor = berth_cursor_over(BYTES, 3);
    assert_true(berth_cursor_get32(&cursor) == 0 && cursor.failed);
    cursor = berth_cursor_over(BYTES + 11, 1);
    assert_string_equal(berth_cursor_get_text(&cursor), "");
    assert_true(cursor.failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gives_back_numbers),
                                       cmocka_unit_test(is_little_endian),
                                       cmocka_unit_test(stops_at_the_end)};
    return cmocka_run_group_tests_name("bytes", tests, NULL, NULL);
}
