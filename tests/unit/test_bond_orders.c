/* Bonds for PDBQT ligands: perceived, contradicted by the file, and out of a SMILES.  Skipped
 * without RDKit. */
#include "io_support.h"

#include <math.h>

#include "prep/bond_orders.h"
#include "format/sdf/sdf.h"
#include "format/pdb/structure_file.h"

static char directory[PATH_SIZE], path[PATH_SIZE];

static int set_up(void **state)
{
    (void)state;
    make_scratch(directory);
    join(path, directory, "ligand.pdbqt");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(directory);
}

static void need_rdkit(void)
{
    struct berth_rdkit rdkit;
    if (berth_rdkit_find(&rdkit, NULL)) {
        print_message("# RDKit is not installed: skipped\n");
        skip();
    }
}

/* An atom line in PDBQT's columns. */
static void put_atom(FILE *file, const double at[3], const char *type)
{
    fprintf(file, "ATOM      1  X   UNL     1    %8.3f%8.3f%8.3f  0.00  0.00    +0.000 %-2s\n",
            at[0], at[1], at[2], type);
}

/* A flat ring of six about (50, 60, 70), 1.39 Å a bond, its atoms of these types; and 1 Å outside
 * of its first atom one of this type, "" for none. */
static void make_ring(const char *const types[6], const char *outside,
                      struct berth_structure *structure)
{
    struct berth_error error;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 6 + (*outside != 0); i++) {
        const double angle = 1.0471975511965976 * (i % 6), r = i < 6 ? 1.39 : 2.39;
        const double at[3] = {50 + r * cos(angle), 60 + r * sin(angle), 70};
        put_atom(file, at, i < 6 ? types[i] : outside);
    }
    fclose(file);
    assert_int_equal(berth_structure_read(path, BERTH_STRUCTURE_PDBQT, structure, &error),
                     BERTH_OK);
}

static const char *const PYRIDINE[6] = {"NA", "A", "A", "A", "A", "A"};

static enum berth_status find(const char *const types[6], const char *outside, const char *smiles,
                              struct berth_bytes *sdf, struct berth_error *error)
{
    struct berth_structure structure;
    make_ring(types, outside, &structure);
    memset(sdf, 0, sizeof *sdf);
    struct berth_bond_finder finder = {0};
    const struct berth_bonds_request wanted = {.structure = &structure, .smiles = smiles};
    const enum berth_status status = berth_bond_orders_find(&finder, &wanted, NULL, sdf, error);
    berth_bond_finder_clear(&finder);
    berth_structure_clear(&structure);
    return status;
}

static void read_graph(const struct berth_bytes *sdf, struct berth_molecule *graph)
{
    struct berth_error error;
    assert_int_equal(berth_molfile_read((const char *)sdf->data, sdf->count, graph, &error),
                     BERTH_OK);
}

/* True where the SDF record holds this text. */
static bool holds(const struct berth_bytes *sdf, const char *text)
{
    const size_t size = strlen(text);
    for (size_t i = 0; i + size <= sdf->count; i++) {
        if (memcmp(sdf->data + i, text, size) == 0) {
            return true;
        }
    }
    return false;
}

static void test_perceived(void **state)
{
    (void)state;
    need_rdkit();
    struct berth_bytes sdf;
    struct berth_molecule graph;
    struct berth_error error;
    assert_int_equal(find(PYRIDINE, "", NULL, &sdf, &error), BERTH_OK);
    assert_true(holds(&sdf, "  6  6  0"));
    read_graph(&sdf, &graph);
    assert_int_equal(graph.atom_count, 6);
    assert_int_equal(graph.bond_count, 6);
    assert_true(fabs(graph.atoms[0].position[0] - 51.39) < 1e-9);
    assert_int_equal(graph.atoms[0].element, 7);
    size_t doubles = 0;
    for (size_t i = 0; i < 6; i++) {
        doubles += strcmp(graph.bonds[i].type, "2") == 0;
    }
    assert_int_equal(doubles, 3);
    berth_molecule_clear(&graph);
    berth_bytes_clear(&sdf);
}

/* An ether of a ring that is said to have a hydrogen. */
static void test_contradicted(void **state)
{
    (void)state;
    need_rdkit();
    static const char *const ETHER[6] = {"OA", "A", "A", "A", "A", "A"};
    struct berth_bytes sdf;
    struct berth_error error;
    assert_int_equal(find(ETHER, "HD", NULL, &sdf, &error), BERTH_E_FORMAT);
    assert_non_null(strstr(error.message,
                           "perception of bonds contradicts the file: atom 1 (X) has 1 "
                           "hydrogens in the file, 0 by its bonds; give the SMILES"));
    assert_int_equal(sdf.count, 0);
}

static void test_smiles(void **state)
{
    (void)state;
    need_rdkit();
    struct berth_bytes sdf;
    struct berth_error error;
    /* what perception would never find: a charge, and the order of the bonds */
    assert_int_equal(find(PYRIDINE, "", "C1=CC=CC=[NH+]1", &sdf, &error), BERTH_OK);
    assert_true(holds(&sdf, "  6  6  0"));
    assert_true(holds(&sdf, "M  CHG  1 "));
    berth_bytes_clear(&sdf);
    /* a hydrogen that is an atom of the SMILES has no place in the file */
    assert_int_equal(find(PYRIDINE, "", "c1cccc[n+]1[H]", &sdf, &error), BERTH_OK);
    assert_true(holds(&sdf, "  6  6  0"));
    berth_bytes_clear(&sdf);
    assert_int_equal(find(PYRIDINE, "", "c1ccccc1", &sdf, &error), BERTH_E_FORMAT);
    assert_int_equal(find(PYRIDINE, "", "CCO", &sdf, &error), BERTH_E_FORMAT);
    assert_non_null(strstr(error.message, " 3"));
    assert_int_equal(find(PYRIDINE, "", "not a smiles", &sdf, &error), BERTH_E_FORMAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_perceived, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_contradicted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_smiles, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
