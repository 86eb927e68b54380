/* Reading libraries: what went in comes out, and what is corrupt is found. */
#include "library_support.h"

#include "format/mol2/mol2.h"

static double rounded(double position)
{
    return (double)lround(position * 1000) / 1000;
}

static void expect_same_tree(const struct berth_torsion_tree *a, const struct berth_torsion_tree *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t t = 0; t < a->count; t++) {
        const struct berth_torsion *p = &a->torsions[t], *q = &b->torsions[t];
        assert_int_equal(p->first, q->first);
        assert_int_equal(p->second, q->second);
        assert_int_equal(p->moved_count, q->moved_count);
        assert_memory_equal(a->moved + p->moved_start, b->moved + q->moved_start,
                            p->moved_count * sizeof *a->moved);
    }
}

static void expect_same_molecule(const struct berth_molecule *got, const struct berth_molecule *put)
{
    assert_int_equal(got->atom_count, put->atom_count);
    assert_int_equal(got->bond_count, put->bond_count);
    assert_int_equal(got->has_orders, put->has_orders);
    for (size_t i = 0; i < put->atom_count; i++) {
        assert_true(!put->has_orders || got->atoms[i].charge == put->atoms[i].charge);
        const struct berth_atom *a = &got->atoms[i], *b = &put->atoms[i];
        assert_string_equal(a->name, b->name);
        assert_string_equal(a->type, b->type);
        assert_string_equal(a->residue, b->residue);
        assert_int_equal(a->residue_id, b->residue_id);
        assert_int_equal(a->element, b->element);
        assert_int_equal(a->heavy, b->heavy);
        for (int axis = 0; axis < 3; axis++) {
            assert_true(a->position[axis] == rounded(b->position[axis]));
        }
    }
    for (size_t i = 0; i < put->bond_count; i++) {
        assert_true(!put->has_orders || got->bonds[i].order == put->bonds[i].order);
        assert_int_equal(got->bonds[i].first, put->bonds[i].first);
        assert_int_equal(got->bonds[i].second, put->bonds[i].second);
        assert_string_equal(got->bonds[i].type, put->bonds[i].type);
    }
}

static void expect_same_ligand(const struct berth_library_ligand *got,
                               const struct berth_library_ligand *put)
{
    assert_string_equal(got->ligand.name, put->ligand.name);
    assert_int_equal(got->ligand.conformer_count, put->ligand.conformer_count);
    for (size_t c = 0; c < put->ligand.conformer_count; c++) {
        expect_same_molecule(&got->ligand.conformers[c], &put->ligand.conformers[c]);
        assert_string_equal(got->ligand.conformers[c].title, put->ligand.name);
        const double strain = put->strains ? put->strains[c] : (double)NAN;
        assert_int_equal(isnan(got->strains[c]), isnan(strain));
        assert_true(isnan(strain) || got->strains[c] == round(strain * 100) / 100);
    }
    assert_string_equal(got->smiles, put->smiles ? put->smiles : "");
    assert_string_equal(got->source, put->source ? put->source : "");
    assert_int_equal(got->record, put->record);
    assert_int_equal(got->property_count, put->property_count);
    for (size_t i = 0; i < put->property_count; i++) {
        assert_string_equal(got->properties[i].name, put->properties[i].name);
        assert_string_equal(got->properties[i].value, put->properties[i].value);
    }
    expect_same_tree(&got->tree, &put->tree);
}

/* A ligand of the docking stream against what was put in. */
static void expect_same_docking(const struct berth_docking_ligand *got,
                                const struct berth_library_ligand *put,
                                const struct berth_scoring *scoring)
{
    struct berth_heavy_atoms heavy;
    struct berth_error error;
    const struct berth_ligand *ligand = &put->ligand;
    assert_string_equal(got->title, ligand->name);
    assert_int_equal(got->conformer_count, ligand->conformer_count);
    for (size_t c = 0; c < ligand->conformer_count; c++) {
        expect_ok(berth_scoring_assign(scoring, &ligand->conformers[c], NULL, &heavy, &error),
                  &error);
        assert_int_equal(got->heavy_count, heavy.count);
        double mean[3] = {0, 0, 0};
        for (size_t i = 0; i < heavy.count; i++) {
            assert_int_equal(got->types[i], heavy.atoms[i].type);
            for (int axis = 0; axis < 3; axis++) {
                const double at =
                    got->origins[c][axis] + (double)got->positions[c * heavy.count + i][axis];
                const double wanted = rounded(heavy.atoms[i].position[axis]);
                assert_true(fabs(at - wanted) < 1e-6 * (1 + fabs(wanted)));
                mean[axis] += wanted / (double)heavy.count;
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            assert_true(fabs(got->origins[c][axis] - mean[axis]) < 0.000501);
        }
        const double strain = put->strains ? put->strains[c] : (double)NAN;
        assert_int_equal(isnan(got->strains[c]), isnan(strain));
        assert_true(isnan(strain) || fabs((double)got->strains[c] - strain) < 0.0051);
        berth_heavy_atoms_clear(&heavy);
    }
}

/* A library of these ligands, in memory; the caller frees it. */
static unsigned char *library_of(const struct berth_library_ligand *ligands, size_t count,
                                 size_t *size)
{
    char directory[PATH_SIZE], path[PATH_SIZE];
    struct berth_error error;
    struct berth_scoring scoring = built_in();
    make_scratch(directory);
    join(path, directory, "x.blib");
    struct berth_library_writer *writer = begin(path, BERTH_LIBRARY_NEW, &scoring.forcefield);
    for (size_t i = 0; i < count; i++) {
        expect_ok(berth_library_add(writer, &ligands[i], i + 1, &error), &error);
    }
    expect_ok(berth_library_commit(writer, &error), &error);
    *size = file_size(path);
    unsigned char *bytes = (unsigned char *)read_file(path);
    unlink(path);
    rmdir(directory);
    berth_scoring_clear(&scoring);
    return bytes;
}

static void gives_back_what_it_got(void **state)
{
    (void)state;
    struct berth_error error;
    struct berth_scoring scoring = built_in();
    struct berth_library_ligand ligands[5] = {
        make_ligand("one", 1, 1), make_ligand("na\xc3\xafve, \"2\"", 12, 4),
        make_ligand("no tree", 2, 7), make_ligand("", 999, 2), make_ligand("bare", 5, 3)};
    /* Jumps that the planes cannot hold, to the limits. */
    for (size_t i = 0; i < 24; i++) {
        ligands[1].ligand.conformers[2].atoms[i].position[1] += 9900;
        ligands[1].ligand.conformers[0].atoms[i].position[0] -= 9900;
    }
    ligands[1].ligand.conformers[2].atoms[4].position[1] = 10000;
    ligands[1].ligand.conformers[2].atoms[5].position[1] = 9000;
    ligands[1].ligand.conformers[0].atoms[0].position[0] = -9999.9996;
    ligands[1].ligand.conformers[3].atoms[6].position[2] = 32.768;
    ligands[1].strains[0] = -99999.99;
    berth_torsion_tree_clear(&ligands[2].tree);
    free(ligands[4].strains);
    free(ligands[4].smiles);
    free(ligands[4].source);
    ligands[4].strains = NULL;
    ligands[4].smiles = ligands[4].source = NULL;
    size_t size;
    unsigned char *bytes = library_of(ligands, 5, &size);
    struct berth_library_reader *reader;
    expect_ok(berth_library_open_memory("x", bytes, size, &scoring, &reader, &error), &error);
    struct berth_library_info info = berth_library_info(reader);
    assert_int_equal(info.ligands, 5);
    assert_int_equal(info.conformers, 17);
    assert_int_equal(info.blocks, 1);
    assert_string_equal(info.note, "a test");
    assert_string_equal(info.forcefield, "built-in");
    struct berth_docking_block block = {0};
    struct berth_library_range range = berth_library_shard(reader, 0, 1);
    bool end;
    expect_ok(berth_library_next(reader, &range, &block, &end, &error), &error);
    assert_int_equal(block.count, 5);
    for (size_t i = 0; i < 5; i++) {
        struct berth_library_ligand got;
        assert_int_equal(block.ligands[i].ordinal, i);
        expect_same_docking(&block.ligands[i], &ligands[i], &scoring);
        expect_ok(berth_library_fetch(reader, i, &got, &error), &error);
        expect_same_ligand(&got, &ligands[i]);
        berth_library_ligand_clear(&got);
        berth_library_ligand_clear(&ligands[i]);
    }
    /* Torsions of the docking stream are those of the heavy atoms: every other atom. */
    assert_int_equal(block.ligands[4].tree.count, 2);
    assert_int_equal(block.ligands[4].tree.torsions[1].first, 1);
    assert_int_equal(block.ligands[4].tree.torsions[1].second, 2);
    assert_int_equal(block.ligands[4].tree.torsions[1].moved_count, 2);
    assert_int_equal(block.ligands[4].tree.moved[block.ligands[4].tree.torsions[1].moved_start], 3);
    expect_ok(berth_library_next(reader, &range, &block, &end, &error), &error);
    assert_true(end);
    struct berth_library_ligand none;
    assert_int_equal(berth_library_fetch(reader, 5, &none, &error), BERTH_E_USAGE);
    assert_string_equal(error.message, "x: there is no ligand 5; it holds 5");
    berth_docking_block_clear(&block);
    berth_library_close(reader);
    berth_scoring_clear(&scoring);
    free(bytes);
}

/* Every way of opening and verifying the bytes; true where something was wrong. */
static bool is_refused(const unsigned char *bytes, size_t size)
{
    struct berth_error error = {0};
    struct berth_library_reader *reader;
    enum berth_status status = berth_library_open_memory("x", bytes, size, NULL, &reader, &error);
    for (uint64_t i = 0; !status && i < berth_library_info(reader).blocks; i++) {
        status = berth_library_verify(reader, i, &error);
    }
    berth_library_close(reader);
    assert_true(!status || (status == BERTH_E_FORMAT && *error.message));
    return status;
}

static void finds_every_flipped_byte(void **state)
{
    (void)state;
    size_t size;
    struct berth_library_ligand ligands[2] = {make_ligand("a", 3, 2), make_ligand("b", 5, 1)};
    unsigned char *bytes = library_of(ligands, 2, &size);
    assert_false(is_refused(bytes, size));
    for (size_t i = 0; i < size; i++) {
        static const unsigned char FLIPS[] = {0x01, 0x80, 0xff};
        for (size_t k = 0; k < sizeof FLIPS; k++) {
            bytes[i] ^= FLIPS[k];
            if (!is_refused(bytes, size)) {
                fail_msg("byte %zu of %zu ^ %02x is not noticed", i, size, FLIPS[k]);
            }
            bytes[i] ^= FLIPS[k];
        }
    }
    assert_false(is_refused(bytes, size));
    for (size_t i = 0; i < 2; i++) {
        berth_library_ligand_clear(&ligands[i]);
    }
    free(bytes);
}

static void finds_every_truncation(void **state)
{
    (void)state;
    size_t size;
    struct berth_library_ligand ligand = make_ligand("a", 3, 2);
    unsigned char *bytes = library_of(&ligand, 1, &size);
    for (size_t length = 0; length < size; length++) {
        assert_true(is_refused(bytes, length));
    }
    assert_true(is_refused(bytes, size + 1)); /* the 0 that read_file puts behind */
    berth_library_ligand_clear(&ligand);
    free(bytes);
}

static void holds_nothing(void **state)
{
    (void)state;
    size_t size;
    struct berth_error error;
    struct berth_library_reader *reader;
    struct berth_docking_block block = {0};
    unsigned char *bytes = library_of(NULL, 0, &size);
    expect_ok(berth_library_open_memory("x", bytes, size, NULL, &reader, &error), &error);
    struct berth_library_range range = berth_library_shard(reader, 0, 1);
    bool end = false;
    expect_ok(berth_library_next(reader, &range, &block, &end, &error), &error);
    assert_true(end);
    berth_library_close(reader);
    free(bytes);
}

/* The ordinals that a shard gives, in order from *next; every block of the file that is corrupt
 * counts in *bad. */
static void read_shard(const struct berth_library_reader *reader, uint64_t k, uint64_t n,
                       uint64_t *next, int *bad)
{
    struct berth_error error;
    struct berth_docking_block block = {0};
    struct berth_library_range range = berth_library_shard(reader, k, n);
    assert_int_equal(range.next, *next);
    for (;;) {
        bool end;
        enum berth_status status = berth_library_next(reader, &range, &block, &end, &error);
        if (status) {
            assert_int_equal(status, BERTH_E_FORMAT);
            assert_int_equal(block.count, 0);
            ++*bad;
            *next = range.next;
            continue;
        }
        if (end) {
            break;
        }
        for (size_t i = 0; i < block.count; i++) {
            char title[32];
            snprintf(title, sizeof title, "ligand%llu", (unsigned long long)*next);
            assert_int_equal(block.ligands[i].ordinal, (*next)++);
            assert_string_equal(block.ligands[i].title, title);
        }
    }
    assert_int_equal(*next, range.end);
    berth_docking_block_clear(&block);
}

static void shards_cover_all_once(void **state)
{
    (void)state;
    char directory[PATH_SIZE], path[PATH_SIZE];
    struct berth_error error;
    struct berth_scoring scoring = built_in();
    make_scratch(directory);
    join(path, directory, "x.blib");
    struct berth_library_writer *writer = begin(path, BERTH_LIBRARY_NEW, &scoring.forcefield);
    add_series(writer, 0, 20, false);
    add_series(writer, 20, 21, true);
    add_series(writer, 21, 33, false);
    add_series(writer, 33, 35, true);
    expect_ok(berth_library_commit(writer, &error), &error);
    struct berth_library_reader *reader = open_library(path);
    assert_int_equal(berth_library_info(reader).ligands, 35);
    assert_in_range(berth_library_info(reader).blocks, 3, 4);
    for (uint64_t n = 1; n <= 40; n++) {
        uint64_t next = 0;
        int bad = 0;
        for (uint64_t k = 0; k < n; k++) {
            read_shard(reader, k, n, &next, &bad);
        }
        assert_int_equal(next, 35);
        assert_int_equal(bad, 0);
    }
    struct berth_library_range range = berth_library_shard(reader, 5, 5);
    assert_int_equal(range.next, range.end);
    berth_library_close(reader);
    unlink(path);
    rmdir(directory);
    berth_scoring_clear(&scoring);
}

/* A byte of the second block of four; then a byte of its entry in the index. */
static void goes_on_behind_a_corrupt_block(void **state)
{
    (void)state;
    char directory[PATH_SIZE], path[PATH_SIZE], message[600];
    struct berth_error error;
    struct berth_scoring scoring = built_in();
    make_scratch(directory);
    join(path, directory, "x.blib");
    struct berth_library_writer *writer = begin(path, BERTH_LIBRARY_NEW, &scoring.forcefield);
    add_series(writer, 0, 4, true);
    expect_ok(berth_library_commit(writer, &error), &error);
    const size_t size = file_size(path);
    unsigned char *bytes = (unsigned char *)read_file(path);
    struct berth_library_reader *reader;
    expect_ok(berth_library_open_memory("x", bytes, size, &scoring, &reader, &error), &error);
    assert_int_equal(berth_library_info(reader).blocks, 4);
    /* Place and index entry of block 1 by the documented format. */
    const size_t entry = size - 60 - 3 * 36;
    size_t place = 0;
    for (size_t i = 8; i--;) {
        place = place << 8 | bytes[entry + i];
    }
    for (int round = 0; round < 2; round++) {
        const size_t at = round ? entry + 30 : place + 1000;
        uint64_t next = 0;
        int bad = 0;
        bytes[at] ^= 4;
        read_shard(reader, 0, 1, &next, &bad);
        assert_int_equal(next, 4);
        assert_int_equal(bad, 1);
        struct berth_library_ligand ligand;
        assert_int_equal(berth_library_fetch(reader, 1, &ligand, &error), BERTH_E_FORMAT);
        if (round) {
            snprintf(
                message, sizeof message,
                "x: block 1: its entry in the index, at byte %zu, is corrupt, so ligands 1 to 1 "
                "cannot be read; fetch or make the file again",
                entry);
        } else {
            snprintf(message, sizeof message, "x: block 1 at byte %zu (ligands 1 to 1): ", place);
        }
        assert_memory_equal(error.message, message, strlen(message));
        expect_ok(berth_library_fetch(reader, 2, &ligand, &error), &error);
        assert_string_equal(ligand.ligand.name, "ligand2");
        berth_library_ligand_clear(&ligand);
        for (uint64_t i = 0; i < 4; i++) {
            assert_int_equal(berth_library_verify(reader, i, &error),
                             i == 1 ? BERTH_E_FORMAT : BERTH_OK);
        }
        bytes[at] ^= 4;
    }
    berth_library_close(reader);
    free(bytes);
    unlink(path);
    rmdir(directory);
    berth_scoring_clear(&scoring);
}

static void refuses_other_files(void **state)
{
    (void)state;
    struct berth_error error;
    struct berth_library_reader *reader;
    assert_int_equal(berth_library_open("/nowhere", NULL, &reader, &error), BERTH_E_IO);
    assert_non_null(strstr(error.message, "/nowhere: "));
    assert_int_equal(berth_library_open("/", NULL, &reader, &error), BERTH_E_IO);
    assert_non_null(strstr(error.message, "/: "));
    assert_int_equal(berth_library_open_memory("x", "text", 4, NULL, &reader, &error),
                     BERTH_E_FORMAT);
    size_t size;
    struct berth_library_ligand ligand = make_ligand("a", 3, 2);
    unsigned char *bytes = library_of(&ligand, 1, &size);
    bytes[8] = 1;
    assert_int_equal(berth_library_open_memory("x", bytes, size, NULL, &reader, &error),
                     BERTH_E_FORMAT);
    assert_non_null(strstr(error.message, "x: version 1 "));
    bytes[8] = 3;
    assert_int_equal(berth_library_open_memory("x", bytes, size, NULL, &reader, &error),
                     BERTH_E_FORMAT);
    assert_non_null(strstr(error.message, "x: version 3 "));
    assert_null(reader);
    berth_library_ligand_clear(&ligand);
    free(bytes);
}

/* One library types its atoms for any function; what a function has no type for is told. */
static void types_for_any_function(void **state)
{
    (void)state;
    char names[2][BERTH_SYMBOL_SIZE] = {"C_P", "C_H"}, name[] = "mine";
    struct berth_definition definition = {.types = names, .type_count = 2};
    const struct berth_scoring carbons = {
        .name = name, .typing = BERTH_TYPING_VINA, .type_count = 2, .definition = &definition};
    struct berth_library_ligand ligands[2] = {make_ligand("propane", 3, 1),
                                              make_ligand("ether", 3, 1)};
    struct berth_library_reader *reader;
    struct berth_docking_block block = {0};
    struct berth_error error;
    size_t size;
    bool end;
    for (size_t i = 0; i < ligands[1].ligand.conformers[0].atom_count; i++) {
        struct berth_atom *atom = &ligands[1].ligand.conformers[0].atoms[i];
        struct berth_atom *carbon = &ligands[0].ligand.conformers[0].atoms[i];
        snprintf(carbon->type, sizeof carbon->type, "%s", carbon->heavy ? "C.3" : "H");
        snprintf(atom->type, sizeof atom->type, "%s", atom->heavy ? i ? "C.3" : "O.3" : "H");
        carbon->element = berth_element_of_type(carbon->type);
        atom->element = berth_element_of_type(atom->type);
    }
    unsigned char *bytes = library_of(ligands, 2, &size);
    expect_ok(berth_library_open_memory("x", bytes, size, &carbons, &reader, &error), &error);
    struct berth_library_range range = berth_library_shard(reader, 0, 1);
    expect_ok(berth_library_next(reader, &range, &block, &end, &error), &error);
    assert_int_equal(block.count, 2);
    expect_ok(berth_library_check_typed(reader, &block.ligands[0], &error), &error);
    assert_int_equal(block.ligands[0].types[0], 1);
    assert_int_equal(berth_library_check_typed(reader, &block.ligands[1], &error), BERTH_E_TYPE);
    assert_non_null(strstr(error.message, "ether: atom 1 (O) is of type O_DA, which the scoring "
                                          "function mine has no type for"));
    berth_docking_block_clear(&block);
    berth_library_close(reader);
    berth_library_ligand_clear(&ligands[0]);
    berth_library_ligand_clear(&ligands[1]);
    free(bytes);
}

/* A Mol2 file whose molecules are conformers of one ligand. */
static void read_conformers(const char *path, struct berth_ligand *ligand)
{
    struct berth_mol2_reader *reader;
    struct berth_molecule molecule = {0};
    struct berth_error error;
    bool end = false;
    expect_ok(berth_mol2_reader_create(path, &reader, &error), &error);
    for (;;) {
        expect_ok(berth_mol2_next(reader, &molecule, &end, &error), &error);
        if (end) {
            break;
        }
        assert_true(!ligand->conformer_count || berth_ligand_accepts(ligand, &molecule));
        expect_ok(berth_ligand_add(ligand, &molecule, false, &error), &error);
    }
    berth_molecule_clear(&molecule);
    berth_mol2_reader_destroy(reader);
}

static void keeps_the_reference_ligands(void **state)
{
    (void)state;
    char source[PATH_SIZE], name[64];
    struct berth_library_ligand ligands[16] = {0};
    struct berth_error error;
    struct berth_scoring scoring = built_in();
    for (int i = 0; i < 16; i++) {
        snprintf(name, sizeof name, "bude/1gcz/reference/ligand%02d.mol2", i + 1);
        reference(source, name);
        read_conformers(source, &ligands[i].ligand);
    }
    size_t size;
    unsigned char *bytes = library_of(ligands, 16, &size);
    struct berth_library_reader *reader;
    expect_ok(berth_library_open_memory("x", bytes, size, &scoring, &reader, &error), &error);
    struct berth_library_info info = berth_library_info(reader);
    assert_int_equal(info.conformers, 471);
    assert_true((double)info.docking_bytes / (double)info.conformers < 120);
    struct berth_docking_block block = {0};
    struct berth_library_range range = berth_library_shard(reader, 0, 1);
    size_t seen = 0;
    for (;;) {
        bool end;
        expect_ok(berth_library_next(reader, &range, &block, &end, &error), &error);
        if (end) {
            break;
        }
        for (size_t i = 0; i < block.count; i++, seen++) {
            expect_same_docking(&block.ligands[i], &ligands[seen], &scoring);
        }
    }
    assert_int_equal(seen, 16);
    for (size_t i = 0; i < 16; i++) {
        struct berth_library_ligand got;
        expect_ok(berth_library_fetch(reader, i, &got, &error), &error);
        expect_same_ligand(&got, &ligands[i]);
        berth_library_ligand_clear(&got);
        berth_library_ligand_clear(&ligands[i]);
    }
    berth_docking_block_clear(&block);
    berth_library_close(reader);
    free(bytes);
    berth_scoring_clear(&scoring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gives_back_what_it_got),
                                       cmocka_unit_test(finds_every_flipped_byte),
                                       cmocka_unit_test(finds_every_truncation),
                                       cmocka_unit_test(holds_nothing),
                                       cmocka_unit_test(shards_cover_all_once),
                                       cmocka_unit_test(goes_on_behind_a_corrupt_block),
                                       cmocka_unit_test(refuses_other_files),
                                       cmocka_unit_test(types_for_any_function),
                                       cmocka_unit_test(keeps_the_reference_ligands)};
    return cmocka_run_group_tests_name("library", tests, NULL, NULL);
}
