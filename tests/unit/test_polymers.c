/* What of a structure is polymer, and what is a molecule beside it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "chem/polymers.h"

/* A structure on its way. */
struct model {
    struct berth_structure structure;
    bool hetero;
    enum berth_listing listed;
};

static void put(struct model *model, const char *name, const char *residue, char chain, int number,
                double x, double y, double z)
{
    struct berth_structure_atom atom = {.position = {x, y, z},
                                        .occupancy = 1,
                                        .hetero = model->hetero,
                                        .listed = model->listed,
                                        .element = *name == 'C'   ? 6
                                                   : *name == 'N' ? 7
                                                   : *name == 'S' ? 16
                                                                  : 8};
    snprintf(atom.name, sizeof atom.name, "%s", name);
    snprintf(atom.residue.name, sizeof atom.residue.name, "%s", residue);
    snprintf(atom.residue.chain, sizeof atom.residue.chain, "%c", chain);
    atom.residue.number = number;
    assert_int_equal(berth_structure_add(&model->structure, &atom, NULL), BERTH_OK);
}

/* The backbone of a residue; the next one begins 3.8 Å behind it, 1.33 Å behind its C. */
static void put_residue(struct model *model, const char *residue, char chain, int number, double x,
                        double y)
{
    put(model, "N", residue, chain, number, x, y, 0);
    put(model, "CA", residue, chain, number, x + 1.3, y + 0.7, 0);
    put(model, "C", residue, chain, number, x + 2.5, y, 0);
    put(model, "O", residue, chain, number, x + 2.5, y - 1.23, 0);
}

/* A chain of so many residues along x. */
static void put_chain(struct model *model, const char *residue, char chain, int first, int count,
                      double x, double y)
{
    for (int i = 0; i < count; i++) {
        put_residue(model, residue, chain, first + i, x + 3.8 * i, y);
    }
}

/* Six atoms of a ring about the place, 1.4 Å from each other. */
static void put_ring(struct model *model, const char *const names[6], const char *residue,
                     char chain, int number, double x, double y)
{
    static const double RING[6][2] = {{-1.4, 0}, {-0.7, 1.21}, {0.7, 1.21},
                                      {1.4, 0},  {0.7, -1.21}, {-0.7, -1.21}};
    for (int i = 0; i < 6; i++) {
        put(model, names[i], residue, chain, number, x + RING[i][0], y + RING[i][1], 0);
    }
}

static const char *const CARBONS[6] = {"C1", "C2", "C3", "C4", "C5", "C6"};
static const char *const PYRANOSE[6] = {"C1", "C2", "C3", "C4", "C5", "O5"};

/* What is there of a residue of this name: 'p' a polymer's, 'l' a ligand's, 'o' another molecule's;
 * and how many molecules are ligands. */
static char kind(const struct model *model, const char *name, size_t *ligands)
{
    struct berth_polymers polymers;
    char found = 0;
    *ligands = 0;
    assert_int_equal(berth_polymers_find(&model->structure, &polymers, NULL), BERTH_OK);
    for (size_t m = 1; m <= polymers.molecule_count; m++) {
        *ligands += berth_polymers_ligand(&polymers, &model->structure, m);
    }
    for (size_t i = 0; i < polymers.count; i++) {
        const size_t m = polymers.molecule[i];
        if (strcmp(model->structure.atoms[polymers.residues[i].begin].residue.name, name) == 0) {
            found = !m ? 'p' : berth_polymers_ligand(&polymers, &model->structure, m) ? 'l' : 'o';
        }
    }
    berth_polymers_clear(&polymers);
    return found;
}

/* Compares, and forgets the model. */
static void expect(struct model *model, const char *name, char wanted, size_t ligands)
{
    size_t found;
    const char got = kind(model, name, &found);
    if (got != wanted || found != ligands) {
        fail_msg("%s: '%c' and %zu ligands, not '%c' and %zu", name, got, found, wanted, ligands);
    }
    berth_structure_clear(&model->structure);
}

enum { LONG = 60 }; /* residues of a protein */

static struct model protein(void)
{
    struct model model = {.hetero = false};
    put_chain(&model, "GLY", 'A', 1, LONG, 0, 0);
    return model;
}

/* An amino acid without peptide bonds. */
static void test_amino_acids(void **state)
{
    (void)state;
    struct model model = protein();
    put_residue(&model, "GLU", 'A', 900, 30, 30); /* too many are missing */
    expect(&model, "GLU", 'l', 1);
    model = protein();
    put_residue(&model, "GLU", 'A', LONG + 1, 30, 60); /* too far for one number */
    expect(&model, "GLU", 'l', 1);
    model = protein();
    put_residue(&model, "ALA", 'A', LONG + 5, 3.8 * LONG + 8, 5); /* behind a gap of four */
    expect(&model, "ALA", 'p', 0);
    model = protein();
    model.hetero = true;
    put_residue(&model, "ALA", 'A', LONG + 5, 3.8 * LONG + 8, 5); /* which the file denies */
    expect(&model, "ALA", 'l', 1);
    model = protein();
    model.listed = BERTH_LISTING_OUTSIDE;
    put_residue(&model, "ALA", 'A', LONG + 5, 3.8 * LONG + 8, 5);
    expect(&model, "ALA", 'l', 1);
    model = protein();
    put(&model, "OXT", "GLY", 'A', LONG, 3.8 * LONG, 1.2, 0); /* the chain ends in front of it */
    put_residue(&model, "ALA", 'A', LONG + 5, 3.8 * LONG + 8, 5);
    expect(&model, "ALA", 'l', 1);
    model = (struct model){.hetero = false}; /* a chain that the file's sequence holds */
    model.listed = BERTH_LISTING_INSIDE;
    put_chain(&model, "GLY", 'A', 1, LONG, 0, 0);
    put_residue(&model, "ALA", 'A', 900, 3.8 * LONG + 8, 5);
    expect(&model, "ALA", 'p', 0);
}

static void test_peptides(void **state)
{
    (void)state;
    struct model model = protein();
    put_chain(&model, "ALA", 'B', 1, 8, 0, 20);
    expect(&model, "ALA", 'l', 1);
    model = protein();
    put_chain(&model, "ALA", 'B', 1, LONG, 0, 20);
    expect(&model, "ALA", 'p', 0);
    model = (struct model){.hetero = false}; /* alone it is the receptor */
    put_chain(&model, "ALA", 'B', 1, 8, 0, 20);
    expect(&model, "ALA", 'p', 0);
    model = protein(); /* a disulphide holds it */
    put_chain(&model, "ALA", 'B', 1, 8, 0, 20);
    put_residue(&model, "CYS", 'B', 9, 3.8 * 8, 20);
    put(&model, "SG", "CYS", 'B', 9, 30, 12, 0);
    put_residue(&model, "CYS", 'A', LONG + 1, 3.8 * LONG, 0);
    put(&model, "SG", "CYS", 'A', LONG + 1, 32, 12, 0);
    expect(&model, "ALA", 'p', 0);
}

/* A receptor that was cut about a site: what is left of a further chain is no ligand. */
static void test_cut_out(void **state)
{
    (void)state;
    struct model model = {.hetero = false};
    for (int i = 0; i < 12; i++) {
        put_chain(&model, "GLY", 'A', 1 + 8 * i, 6, 30 * i, 0);
    }
    put_residue(&model, "ARG", 'B', 8, 30, 30);
    expect(&model, "ARG", 'p', 0);
}

/* Of three residues, the middle one of which is an amino acid, bonded to a cysteine of the protein.
 */
static void test_inhibitor(void **state)
{
    (void)state;
    struct model model = protein();
    put_residue(&model, "CYS", 'A', LONG + 1, 3.8 * LONG, 0);
    put(&model, "SG", "CYS", 'A', LONG + 1, 3.8 * LONG, 3, 0);
    put_ring(&model, CARBONS, "INA", 'C', 1, 90, 30);
    put(&model, "C41", "INA", 'C', 1, 92.9, 30, 0);
    put(&model, "O42", "INA", 'C', 1, 92.9, 28.8, 0);
    put_residue(&model, "VAL", 'C', 2, 94.2, 30);
    put(&model, "N5", "INB", 'C', 3, 98, 30, 0);
    put(&model, "C20", "INB", 'C', 3, 3.8 * LONG, 4.8, 0);
    struct berth_polymers polymers;
    char text[BERTH_MOLECULE_TEXT_SIZE];
    assert_int_equal(berth_polymers_find(&model.structure, &polymers, NULL), BERTH_OK);
    assert_int_equal(polymers.molecule_count, 1);
    assert_int_equal(polymers.heavy[1], 14);
    assert_true(berth_polymers_ligand(&polymers, &model.structure, 1));
    berth_polymers_residues(&polymers, &model.structure, 1, text);
    assert_string_equal(text, "INA C:1, VAL C:2, INB C:3");
    berth_polymers_bonds(&polymers, &model.structure, 1, text);
    assert_string_equal(text, "C20 of INB C:3 bonded to SG of CYS A:61 (1.80 Å)");
    berth_polymers_clear(&polymers);
    berth_structure_clear(&model.structure);
}

/* What stays the polymer's, or is a molecule but no ligand. */
static void test_neighbours(void **state)
{
    (void)state;
    struct model model = protein(); /* a modified residue */
    model.hetero = true;
    put_residue(&model, "CSO", 'A', LONG + 1, 3.8 * LONG, 0);
    put(&model, "CB", "CSO", 'A', LONG + 1, 3.8 * LONG + 1.3, 2.2, 0);
    put(&model, "SG", "CSO", 'A', LONG + 1, 3.8 * LONG + 1.3, 4, 0);
    expect(&model, "CSO", 'p', 0);
    model = protein(); /* a sugar on an asparagine */
    put_residue(&model, "ASN", 'A', LONG + 1, 3.8 * LONG, 0);
    put(&model, "ND2", "ASN", 'A', LONG + 1, 3.8 * LONG, 4, 0);
    put_ring(&model, PYRANOSE, "NAG", 'A', 401, 3.8 * LONG + 2.8, 4);
    expect(&model, "NAG", 'p', 0);
    model = protein(); /* on an aspartate, as in a glycosidase; and a free one */
    put_residue(&model, "ASP", 'A', LONG + 1, 3.8 * LONG, 0);
    put(&model, "OD1", "ASP", 'A', LONG + 1, 3.8 * LONG, 4, 0);
    put_ring(&model, PYRANOSE, "NAG", 'A', 401, 3.8 * LONG + 2.8, 4);
    put_ring(&model, PYRANOSE, "BGC", 'A', 402, 3.8 * LONG, 40);
    expect(&model, "NAG", 'l', 2);
    model = protein(); /* a cofactor that is bonded, and an additive */
    put_residue(&model, "LYS", 'A', LONG + 1, 3.8 * LONG, 0);
    put(&model, "NZ", "LYS", 'A', LONG + 1, 3.8 * LONG, 4, 0);
    put_ring(&model, CARBONS, "PLP", 'A', 401, 3.8 * LONG + 2.8, 4);
    put_ring(&model, CARBONS, "GOL", 'A', 402, 3.8 * LONG, 40);
    expect(&model, "PLP", 'o', 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_amino_acids), cmocka_unit_test(test_peptides),
        cmocka_unit_test(test_cut_out), cmocka_unit_test(test_inhibitor),
        cmocka_unit_test(test_neighbours)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
