/* The record of a file's symmetry: what it says, and that no byte of it is trusted. */
#include "io_support.h"

#include "prep/symmetry.h"

static void put_placement(struct berth_bytes *record, double scale, double shift)
{
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 4; j++) {
            const double turn = k == j ? (k == 2 ? 1 : -1) * scale : 0;
            berth_bytes_put_double(record, j == 3 ? shift : turn);
        }
    }
}

/* One assembly of one part, turned about z, and an image in a crystal. */
static struct berth_bytes make_record(double scale)
{
    struct berth_bytes record = {0};
    berth_bytes_put16(&record, 1);
    berth_bytes_put_text(&record, "1");
    berth_bytes_put32(&record, 1);
    berth_bytes_put_text(&record, "A");
    put_placement(&record, scale, 5);
    berth_bytes_put8(&record, 0);
    berth_bytes_put32(&record, 1);
    put_placement(&record, scale, 25);
    assert_false(record.failed);
    return record;
}

static enum berth_status parse(const struct berth_bytes *record, size_t size,
                               struct berth_symmetry *symmetry)
{
    /* in a block of its own, so that a sanitizer sees what is read behind it */
    struct berth_bytes copy = {0};
    struct berth_error error;
    berth_bytes_put(&copy, record->data, size);
    const enum berth_status status = berth_symmetry_parse(copy.data, size, symmetry, &error);
    berth_bytes_clear(&copy);
    return status;
}

static void test_record(void **state)
{
    (void)state;
    struct berth_bytes record = make_record(1);
    struct berth_symmetry symmetry;
    double placed[3];
    assert_int_equal(parse(&record, record.count, &symmetry), BERTH_OK);
    assert_int_equal(symmetry.assembly_count, 1);
    assert_string_equal(symmetry.assemblies[0].name, "1");
    assert_int_equal(symmetry.assemblies[0].end, 1);
    assert_string_equal(symmetry.parts[0].chain, "A");
    berth_place(&symmetry.parts[0].placement, (const double[3]){1, 2, 3}, placed);
    assert_float_equal(placed[0], 4, 1e-12);
    assert_float_equal(placed[1], 3, 1e-12);
    assert_float_equal(placed[2], 8, 1e-12);
    assert_false(symmetry.crowded);
    assert_int_equal(symmetry.image_count, 1);
    assert_float_equal(symmetry.images[0].rows[1][1], -1, 0);
    assert_float_equal(symmetry.images[0].rows[1][3], 25, 0);
    berth_symmetry_clear(&symmetry);
    berth_bytes_clear(&record);
}

static void test_no_byte_is_trusted(void **state)
{
    (void)state;
    struct berth_bytes record = make_record(1), scaled = make_record(3);
    struct berth_symmetry symmetry;
    for (size_t size = 0; size < record.count; size++) {
        assert_int_equal(parse(&record, size, &symmetry), BERTH_E_FORMAT);
        berth_symmetry_clear(&symmetry);
    }
    assert_int_equal(parse(&scaled, scaled.count, &symmetry), BERTH_E_FORMAT);
    berth_symmetry_clear(&symmetry);
    berth_bytes_put8(&record, 0);
    assert_int_equal(parse(&record, record.count, &symmetry), BERTH_E_FORMAT);
    berth_symmetry_clear(&symmetry);
    berth_bytes_clear(&record);
    berth_bytes_clear(&scaled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_record),
        cmocka_unit_test(test_no_byte_is_trusted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
