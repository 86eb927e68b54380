/* What Vina makes of molecules: the types of their atoms, and how many bonds turn.  The molecules
 * come through Open Babel, whose PDBQT files Vina reads; what is expected is what `vina` 1.2.3 has
 * for those. */
#include "io_support.h"

#include "base/memory.h"
#include "chem/torsion.h"
#include "chem/traits.h"
#include "format/mol2/mol2.h"
#include "prep/openbabel.h"
#include "score/scoring.h"
#include "unit/sketch.h"

/* Heavy atoms in the order of the SMILES. */
static const struct {
    const char *smiles, *types;
    double rotors;
} ROWS[] = {{"c1ccncc1", "C_H C_H C_P N_A C_P C_H", 0},
            {"c1cc[nH]c1", "C_H C_H C_P N_D C_P", 0},
            {"c1ccoc1", "C_H C_H C_P O_A C_P", 0},
            {"CN(C)C", "C_P N_A C_P C_P", 0},
            {"CNC", "C_P N_DA C_P", 0},
            {"CC[NH3+]", "C_H C_P N_D", 0.5},
            {"CC(=O)NC", "C_H C_P O_A N_D C_P", 0},
            {"CC(=O)N(C)C", "C_H C_P O_A N_P C_P C_P", 0},
            {"Nc1ccccc1", "N_D C_P C_H C_H C_H C_H C_H", 0.5},
            {"CS(=O)(=O)NC", "C_P S_P O_A O_A N_DA C_P", 1},
            {"CC#N", "C_H C_P N_A", 0},
            {"C[N+](=O)[O-]", "C_P N_P O_A O_A", 0},
            {"NC(=[NH2+])N", "N_D C_P N_D N_D", 0},
            {"CC(=[NH2+])N", "C_H C_P N_D N_D", 0},
            {"CC=NNC", "C_H C_P N_A N_D C_P", 1},
            {"C[N+](C)(C)[O-]", "C_P N_P C_P C_P O_A", 0},
            {"CC(=O)O", "C_H C_P O_A O_DA", 0.5},
            {"CC(=O)[O-]", "C_H C_P O_A O_A", 0},
            {"COC(C)=O", "C_P O_A C_P C_H O_A", 1},
            {"CCO", "C_H C_P O_DA", 0.5},
            {"CSC", "C_P S_P C_P", 0},
            {"Cc1nnn[n-]1", "C_H C_P N_A N_A N_A N_A", 0},
            {"C[n+]1ccn(CC)c1", "C_P N_P C_P C_P N_P C_P C_H C_P", 1},
            {"COP(=O)([O-])[O-]", "C_P O_A P_P O_A O_A O_A", 1},
            {"FC(Cl)(Br)I", "F_H C_P Cl_H Br_H I_H", 0},
            {"Nc1ncccn1", "N_D C_P N_A C_P C_H C_P N_A", 0},
            {"Nc1ccccn1", "N_D C_P C_H C_H C_H C_P N_A", 0.5},
            {"CCCC", "C_H C_H C_H C_H", 1},
            {"c1ccccc1-c1ccccc1", "C_H C_H C_H C_H C_H C_H C_H C_H C_H C_H C_H C_H", 1},
            {"C1CCCCC1CC(C)O", "C_H C_H C_H C_H C_H C_H C_H C_P C_H O_DA", 2.5}};
enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS };

static struct berth_mol2_reader *read_rows(struct berth_bytes *mol2)
{
    static const char *const OPTIONS[] = {"-omol2", "-h", NULL};
    struct berth_bytes smiles = {0};
    struct berth_mol2_reader *reader = NULL;
    struct berth_error error;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        berth_bytes_put(&smiles, ROWS[i].smiles, strlen(ROWS[i].smiles));
        berth_bytes_put(&smiles, "\n", 1);
    }
    const struct berth_openbabel_job job = {
        .format = "smi", .options = OPTIONS, .input = &smiles, .limit = 100};
    if (berth_openbabel_run(&job, mol2, &error) ||
        berth_mol2_reader_create_memory("mol2", mol2->data, mol2->count, &reader, &error)) {
        fail_msg("%s", error.message);
    }
    berth_bytes_clear(&smiles);
    return reader;
}

static void expect_types(size_t row, const struct berth_molecule *molecule)
{
    char types[400] = "";
    struct berth_error error;
    struct berth_facts facts;
    assert_int_equal(berth_facts_find(molecule, BERTH_FACT_TRAITS, &facts, &error), BERTH_OK);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy) {
            strcat(strcat(types, *types ? " " : ""),
                   berth_vina_type(molecule->atoms[i].element, &facts.traits[i]));
        }
    }
    berth_facts_clear(&facts);
    if (strcmp(types, ROWS[row].types) != 0) {
        fail_msg("%s: %s", ROWS[row].smiles, types);
    }
}

static void expect_row(size_t row, const struct berth_molecule *molecule)
{
    double rotors;
    struct berth_error error;
    struct berth_facts facts;
    expect_types(row, molecule);
    assert_int_equal(berth_facts_find(molecule, BERTH_FACT_TRAITS, &facts, &error), BERTH_OK);
    assert_int_equal(berth_rotors_count(&facts, &rotors, &error), BERTH_OK);
    berth_facts_clear(&facts);
    if (rotors != ROWS[row].rotors) {
        fail_msg("%s: %g rotors", ROWS[row].smiles, rotors);
    }
}

static void molecules_have_vinas_types(void **state)
{
    (void)state;
    struct berth_bytes mol2 = {0};
    struct berth_error error;
    struct berth_mol2_reader *reader = read_rows(&mol2);
    for (size_t row = 0; row < ROW_COUNT; row++) {
        struct berth_molecule molecule = {0};
        bool end = false;
        assert_int_equal(berth_mol2_next(reader, &molecule, &end, &error), BERTH_OK);
        assert_false(end);
        expect_row(row, &molecule);
        berth_molecule_clear(&molecule);
    }
    berth_mol2_reader_destroy(reader);
    berth_bytes_clear(&mol2);
}

/* Bonds that distances gave are all single: nitrogens are what their Mol2 types say. */
static void single_bonds_do_not_mislead(void **state)
{
    (void)state;
    struct berth_bytes mol2 = {0};
    struct berth_error error;
    struct berth_mol2_reader *reader = read_rows(&mol2);
    for (size_t row = 0; row < ROW_COUNT; row++) {
        struct berth_molecule molecule = {0};
        bool end = false;
        assert_int_equal(berth_mol2_next(reader, &molecule, &end, &error), BERTH_OK);
        for (size_t i = 0; i < molecule.bond_count; i++) {
            snprintf(molecule.bonds[i].type, sizeof molecule.bonds[i].type, "1");
        }
        if (strcmp(ROWS[row].smiles, "C[N+](=O)[O-]") != 0) { /* which N.3 may be, too */
            expect_types(row, &molecule);
        }
        berth_molecule_clear(&molecule);
    }
    berth_mol2_reader_destroy(reader);
    berth_bytes_clear(&mol2);
}

/* An atom without bonds or hydrogens in the file, as in receptors: type and distances tell. */
static void residues_need_no_hydrogens(void **state)
{
    (void)state;
    static const struct {
        struct berth_atom atom;
        const char *type;
    } PEPTIDE[] = {{{{0, 0, 0}, "N", "N.4", "SER1", 1, 7, true, 0, {0}, ""}, "N_D"},
                   {{{1.47, 0, 0}, "CA", "C.3", "SER1", 1, 6, true, 0, {0}, ""}, "C_P"},
                   {{{2.0, 1.43, 0}, "C", "C.2", "SER1", 1, 6, true, 0, {0}, ""}, "C_P"},
                   {{{1.3, 2.43, 0}, "O", "O.2", "SER1", 1, 8, true, 0, {0}, ""}, "O_A"},
                   {{{2.0, -0.7, 1.25}, "CB", "C.3", "SER1", 1, 6, true, 0, {0}, ""}, "C_P"},
                   {{{1.6, -2.06, 1.3}, "OG", "O.3h", "SER1", 1, 8, true, 0, {0}, ""}, "O_DA"},
                   {{{3.33, 1.55, 0}, "N", "N.am", "PRO2", 2, 7, true, 0, {0}, ""}, "N_P"},
                   {{{4.3, 0.45, 0}, "CD", "C.3", "PRO2", 2, 6, true, 0, {0}, ""}, "C_P"},
                   {{{3.9, 2.88, 0}, "CA", "C.3", "PRO2", 2, 6, true, 0, {0}, ""}, "C_P"},
                   {{{5.4, 2.7, 0}, "CB", "C.3", "PRO2", 2, 6, true, 0, {0}, ""}, "C_H"},
                   {{{20, 0, 0}, "O", "O.t3p", "HOH3", 3, 8, true, 0, {0}, ""}, "O_DA"},
                   {{{40, 0, 0}, "ZN", "Zn", "ZN5", 5, 30, true, 0, {0}, ""}, "Met_D"},
                   {{{40, 2.1, 0}, "NE2", "N.2", "HIS6", 6, 7, true, 0, {0}, ""}, "N_P"},
                   {{{41, 2.8, 0}, "CE1", "C.2", "HIS6", 6, 6, true, 0, {0}, ""}, "C_P"},
                   {{{39, 2.8, 0}, "CD2", "C.2", "HIS6", 6, 6, true, 0, {0}, ""}, "C_P"}};
    enum { COUNT = sizeof PEPTIDE / sizeof *PEPTIDE };
    struct berth_atom atoms[COUNT];
    struct berth_facts facts;
    struct berth_error error;
    for (size_t i = 0; i < COUNT; i++) {
        atoms[i] = PEPTIDE[i].atom;
    }
    char title[] = "peptide";
    struct berth_molecule molecule = {.title = title, .atoms = atoms, .atom_count = COUNT};
    assert_int_equal(berth_facts_find(&molecule, BERTH_FACT_TRAITS, &facts, &error), BERTH_OK);
    for (size_t i = 0; i < COUNT; i++) {
        const char *type = berth_vina_type(atoms[i].element, &facts.traits[i]);
        if (strcmp(type, PEPTIDE[i].type) != 0) {
            fail_msg("%s of %s: %s", atoms[i].name, atoms[i].residue, type);
        }
    }
    assert_null(berth_vina_type(5, &facts.traits[0]));
    berth_facts_clear(&facts);
}

/* A nitrogen between two carbons, one of which bears a hydrogen, as programs leave Trp's NE1. */
static struct berth_traits bare_nitrogen(const char *residue)
{
    struct berth_molecule molecule = sketch("C.2 N.pl3 C.2 H; 1=2 2-3 1-4");
    struct berth_facts facts;
    struct berth_error error;
    for (size_t i = 0; i < molecule.atom_count; i++) {
        snprintf(molecule.atoms[i].residue, sizeof molecule.atoms[i].residue, "%s", residue);
    }
    assert_int_equal(berth_facts_find(&molecule, BERTH_FACT_TRAITS, &facts, &error), BERTH_OK);
    const struct berth_traits traits = facts.traits[1];
    berth_facts_clear(&facts);
    berth_molecule_clear(&molecule);
    return traits;
}

static void proteins_lack_no_hydrogen_at_nitrogen(void **state)
{
    (void)state;
    const struct berth_traits protein = bare_nitrogen("TRP6"), ligand = bare_nitrogen("LIG1");
    assert_int_equal(protein.hydrogens, 1);
    assert_false(protein.acceptor);
    assert_int_equal(ligand.hydrogens, 0); /* as it is drawn */
    assert_true(ligand.acceptor);
}

int main(void)
{
    struct berth_error error;
    const struct CMUnitTest tests[] = {cmocka_unit_test(residues_need_no_hydrogens),
                                       cmocka_unit_test(molecules_have_vinas_types),
                                       cmocka_unit_test(single_bonds_do_not_mislead),
                                       cmocka_unit_test(proteins_lack_no_hydrogen_at_nitrogen)};
    const size_t count = berth_openbabel_check(&error) ? 1 : sizeof tests / sizeof *tests;
    return _cmocka_run_group_tests("Vina's types", tests, count, NULL, NULL);
}
