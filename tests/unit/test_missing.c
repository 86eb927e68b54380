/* The record of side chains that were built: where their atoms go, and that no byte of it is
 * trusted. */
#include "io_support.h"

#include <string.h>

#include "prep/receptor/missing.h"

/* Two residues of one atom each. */
static struct berth_structure make_structure(void)
{
    struct berth_structure structure = {0};
    struct berth_error error;
    for (int i = 1; i <= 2; i++) {
        const struct berth_structure_atom atom = {
            .residue = {"SER", "A", i, 0}, .name = "CB", .element = 6, .b_factor = 7};
        assert_int_equal(berth_structure_add(&structure, &atom, &error), BERTH_OK);
    }
    return structure;
}

static struct berth_bytes make_record(uint32_t residue, uint8_t element, double x)
{
    struct berth_bytes record = {0};
    berth_bytes_put32(&record, 1);
    berth_bytes_put32(&record, residue);
    berth_bytes_put_double(&record, 3.1);
    berth_bytes_put8(&record, 1);
    berth_bytes_put_text(&record, "OG");
    berth_bytes_put8(&record, element);
    for (int k = 0; k < 3; k++) {
        berth_bytes_put_double(&record, x);
    }
    assert_false(record.failed);
    return record;
}

static enum berth_status add(const struct berth_bytes *record, size_t size,
                             struct berth_structure *structure)
{
    /* in a block of its own, so that a sanitizer sees what is read behind it */
    struct berth_bytes copy = {0};
    struct berth_error error;
    berth_bytes_put(&copy, record->data, size);
    const enum berth_status status = berth_missing_add(copy.data, size, structure, NULL, &error);
    berth_bytes_clear(&copy);
    return status;
}

static void test_atoms(void **state)
{
    (void)state;
    struct berth_structure structure = make_structure();
    struct berth_bytes record = make_record(0, 8, 1.5);
    assert_int_equal(add(&record, record.count, &structure), BERTH_OK);
    assert_int_equal(structure.count, 3);
    assert_string_equal(structure.atoms[1].name, "OG");
    assert_int_equal(structure.atoms[1].element, 8);
    assert_int_equal(structure.atoms[1].residue.number, 1);
    assert_float_equal(structure.atoms[1].position[2], 1.5, 0);
    assert_int_equal(structure.atoms[2].residue.number, 2);
    berth_bytes_clear(&record);
    berth_structure_clear(&structure);
}

static void test_no_byte_is_trusted(void **state)
{
    (void)state;
    struct berth_structure structure = make_structure();
    struct berth_bytes records[] = {make_record(1, 8, 1), make_record(2, 8, 1),
                                    make_record(1, 0, 1), make_record(1, 200, 1),
                                    make_record(1, 8, NAN)};
    for (size_t size = 0; size < records[0].count; size++) {
        assert_int_equal(add(&records[0], size, &structure), BERTH_E_FORMAT);
    }
    berth_bytes_put8(&records[0], 0);
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        assert_int_equal(add(&records[i], records[i].count, &structure), BERTH_E_FORMAT);
        assert_int_equal(structure.count, 2);
        berth_bytes_clear(&records[i]);
    }
    berth_structure_clear(&structure);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_atoms),
        cmocka_unit_test(test_no_byte_is_trusted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
