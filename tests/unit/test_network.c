/* The record of hydrogens by their network: what it does to a structure, and that no byte of it is
 * trusted. */
#include "io_support.h"

#include <string.h>

#include "prep/receptor/network.h"

/* A histidine and an asparagine, of which the places are their ordinals. */
static struct berth_structure make_structure(void)
{
    static const char *const ATOMS[][2] = {{"HIS", "CG"},  {"HIS", "ND1"}, {"HIS", "CD2"},
                                           {"HIS", "CE1"}, {"HIS", "NE2"}, {"ASN", "OD1"},
                                           {"ASN", "ND2"}};
    struct berth_structure structure = {0};
    struct berth_error error;
    for (size_t i = 0; i < sizeof ATOMS / sizeof *ATOMS; i++) {
        struct berth_structure_atom atom = {.position = {(double)i},
                                            .residue = {.chain = "A", .number = i < 5 ? 1 : 2}};
        strcpy(atom.residue.name, ATOMS[i][0]);
        strcpy(atom.name, ATOMS[i][1]);
        assert_int_equal(berth_structure_add(&structure, &atom, &error), BERTH_OK);
    }
    return structure;
}

static void put_row(struct berth_bytes *record, uint32_t residue, const char *form, uint8_t end)
{
    berth_bytes_put32(record, residue);
    berth_bytes_put_text(record, form);
    berth_bytes_put8(record, end);
    berth_bytes_put_double(record, 6.5);
    berth_bytes_put_text(record, "pKa 6.5");
}

/* HIE that stays, and an asparagine that is flipped. */
static struct berth_bytes make_record(uint32_t second, uint8_t end)
{
    struct berth_bytes record = {0};
    berth_bytes_put32(&record, 2);
    put_row(&record, 0, "HIE", BERTH_END_STAYS);
    put_row(&record, second, "", end);
    assert_false(record.failed);
    return record;
}

static enum berth_status apply(const struct berth_bytes *record, size_t size,
                               struct berth_structure *structure, struct berth_network *network)
{
    /* in a block of its own, so that a sanitizer sees what is read behind it */
    struct berth_bytes copy = {0};
    struct berth_error error;
    berth_bytes_put(&copy, record->data, size);
    const enum berth_status status =
        berth_network_apply(copy.data, size, structure, network, &error);
    berth_bytes_clear(&copy);
    return status;
}

static void test_rows(void **state)
{
    (void)state;
    struct berth_structure structure = make_structure();
    struct berth_bytes record = make_record(1, BERTH_END_FLIPPED);
    struct berth_network network;
    assert_int_equal(apply(&record, record.count, &structure, &network), BERTH_OK);
    assert_int_equal(network.count, 2);
    assert_string_equal(network.rows[0].residue.name, "HIS");
    assert_string_equal(structure.atoms[0].residue.name, "HIE");
    assert_string_equal(structure.atoms[5].residue.name, "ASN");
    assert_float_equal(structure.atoms[1].position[0], 1, 0);
    assert_float_equal(structure.atoms[5].position[0], 6, 0);
    assert_float_equal(structure.atoms[6].position[0], 5, 0);
    berth_network_clear(&network);
    berth_bytes_clear(&record);
    berth_structure_clear(&structure);
}

static void test_ring_flips(void **state)
{
    (void)state;
    static const double FLIPPED[] = {0, 2, 1, 4, 3};
    struct berth_structure structure = make_structure();
    struct berth_bytes record = {0};
    struct berth_network network;
    berth_bytes_put32(&record, 1);
    put_row(&record, 0, "HID", BERTH_END_FLIPPED);
    assert_int_equal(apply(&record, record.count, &structure, &network), BERTH_OK);
    for (size_t i = 0; i < 5; i++) {
        assert_float_equal(structure.atoms[i].position[0], FLIPPED[i], 0);
    }
    berth_network_clear(&network);
    berth_bytes_clear(&record);
    berth_structure_clear(&structure);
}

static void test_no_byte_is_trusted(void **state)
{
    (void)state;
    struct berth_structure structure = make_structure();
    struct berth_network network;
    struct berth_bytes records[] = {make_record(1, BERTH_END_FLIPPED),
                                    make_record(0, BERTH_END_STAYS),
                                    make_record(2, BERTH_END_STAYS), make_record(1, 3)};
    for (size_t size = 0; size < records[0].count; size++) {
        assert_int_equal(apply(&records[0], size, &structure, &network), BERTH_E_FORMAT);
        berth_network_clear(&network);
    }
    berth_bytes_put8(&records[0], 0);
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        const enum berth_status status = apply(&records[i], records[i].count, &structure, &network);
        assert_int_equal(status, i == 1 ? BERTH_OK : BERTH_E_FORMAT);
        berth_network_clear(&network);
        berth_bytes_clear(&records[i]);
    }
    berth_structure_clear(&structure);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_ring_flips),
        cmocka_unit_test(test_no_byte_is_trusted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
