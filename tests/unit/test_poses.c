/* Poses as SDF and Mol2: exact text, and bond orders and charges from Mol2's bonds and types. */
#include "io_support.h"

#include <float.h>
#include <math.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "chem/facts.h"
#include "format/mol2/mol2.h"
#include "format/poses.h"
#include "format/smiles/smiles.h"

/* A molecule from short words: "C.ar C.ar H" and "0-1:ar 1-2:1". */
static void build(struct berth_molecule *molecule, const char *types, const char *bonds)
{
    int used, first, second;
    char type[BERTH_NAME_SIZE], order[4];
    memset(molecule, 0, sizeof *molecule);
    molecule->title = berth_copy_text("built");
    molecule->atoms = berth_alloc(64, sizeof *molecule->atoms);
    molecule->bonds = berth_alloc(64, sizeof *molecule->bonds);
    for (; sscanf(types, " %15s%n", type, &used) == 1; types += used) {
        struct berth_atom *atom = &molecule->atoms[molecule->atom_count++];
        atom->element = berth_element_of_type(type);
        atom->heavy = atom->element != 1;
        memcpy(atom->type, type, sizeof type);
        snprintf(atom->name, sizeof atom->name, "%s%zu", berth_element_symbol(atom->element),
                 molecule->atom_count);
        atom->position[0] = (double)molecule->atom_count;
    }
    for (; sscanf(bonds, " %d-%d:%3s%n", &first, &second, order, &used) == 3; bonds += used) {
        struct berth_bond *bond = &molecule->bonds[molecule->bond_count++];
        bond->first = (size_t)first;
        bond->second = (size_t)second;
        memcpy(bond->type, order, sizeof order);
    }
}

/* Fails unless the orders (one digit a bond) and charges (one sign an atom) are these. */
static void expect_structure(const char *types, const char *bonds, const char *orders,
                             const char *charges)
{
    struct berth_molecule molecule;
    struct berth_facts facts;
    struct berth_error error;
    char found_orders[65] = "", found_charges[65] = "";
    build(&molecule, types, bonds);
    assert_int_equal(berth_facts_find(&molecule, BERTH_FACT_ORDERS, &facts, &error), BERTH_OK);
    for (size_t i = 0; i < molecule.bond_count; i++) {
        found_orders[i] = (char)('0' + facts.orders[i]);
    }
    for (size_t i = 0; i < molecule.atom_count; i++) {
        found_charges[i] = "-0+"[facts.charges[i] + 1];
    }
    assert_string_equal(found_orders, orders);
    assert_string_equal(found_charges, charges);
    berth_facts_clear(&facts);
    berth_molecule_clear(&molecule);
}

/* What RDKit said of a molecule is not made anew from its types. */
static void keeps_known_orders(void **state)
{
    (void)state;
    struct berth_molecule molecule;
    struct berth_facts facts;
    struct berth_error error;
    build(&molecule, "C.3 O.3 O.2", "0-1:1 1-2:ar");
    molecule.has_orders = true;
    molecule.bonds[0].order = 3;
    molecule.bonds[1].order = 2;
    molecule.atoms[1].charge = -1;
    assert_int_equal(berth_facts_find(&molecule, BERTH_FACT_ORDERS, &facts, &error), BERTH_OK);
    assert_int_equal(facts.orders[0], 3);
    assert_int_equal(facts.orders[1], 2);
    assert_int_equal(facts.charges[0], 0);
    assert_int_equal(facts.charges[1], -1);
    berth_facts_clear(&facts);
    berth_molecule_clear(&molecule);
}

#define RING5 "0-1:ar 1-2:ar 2-3:ar 3-4:ar 4-0:ar "
#define RING6 "0-1:ar 1-2:ar 2-3:ar 3-4:ar 4-5:ar 5-0:ar "

static void aromatic_rings(void **state)
{
    (void)state;
    /* pyridine without hydrogens */
    expect_structure("N.ar C.ar C.ar C.ar C.ar C.ar", RING6, "212121", "000000");
    /* pyrrole: the nitrogen with the hydrogen takes no double bond */
    expect_structure("N.ar C.ar C.ar C.ar C.ar H", RING5 "0-5:1", "121211", "000000");
    /* furan and thiophene */
    expect_structure("O.3 C.ar C.ar C.ar C.ar", RING5, "12121", "00000");
    expect_structure("S.3 C.ar C.ar C.ar C.ar", RING5, "12121", "00000");
    /* imidazolium: one nitrogen carries the charge */
    expect_structure("N.ar C.ar N.ar C.ar C.ar H H", RING5 "0-5:1 2-6:1", "2112111", "+000000");
    /* imidazolide: hydrogens are there, none on nitrogen */
    expect_structure("N.ar C.ar N.ar C.ar C.ar H H H", RING5 "1-5:1 3-6:1 4-7:1", "21121111",
                     "00-00000");
    /* N-methylpyridinium */
    expect_structure("N.ar C.ar C.ar C.ar C.ar C.ar C.3 H", RING6 "0-6:1 6-7:1", "21212111",
                     "+0000000");
    /* naphthalene: eleven bonds, five of them double */
    expect_structure("C.ar C.ar C.ar C.ar C.ar C.ar C.ar C.ar C.ar C.ar",
                     RING6 "5-6:ar 6-7:ar 7-8:ar 8-9:ar 9-4:ar", "21212112121", "0000000000");
}

/* Bonds typed aromatic with an exocyclic double bond, as Open Babel writes coumarins. */
static void exocyclic_double_bond(void **state)
{
    (void)state;
    /* 4-pyridone: N-H at 0, C=O at 3 */
    expect_structure("N.ar C.ar C.ar C.2 C.ar C.ar O.2 H", RING6 "3-6:2 0-7:1", "12112121",
                     "00000000");
}

static void oxo_groups(void **state)
{
    (void)state;
    /* acetate, aromatic bonds; then with single bonds only, where the types tell */
    expect_structure("C.3 C.2 O.co2 O.co2 H H H", "0-1:1 1-2:ar 1-3:ar 0-4:1 0-5:1 0-6:1", "121111",
                     "000-000");
    expect_structure("C.3 C.2 O.co2 O.co2 H", "0-1:1 1-2:1 1-3:1 0-4:1", "1211", "000-0");
    /* nitro, written with five bonds, and with aromatic bonds */
    expect_structure("C.3 N.pl3 O.2 O.2 H", "0-1:1 1-2:2 1-3:2 0-4:1", "1121", "0+-00");
    expect_structure("C.3 N.pl3 O.2 O.2 H", "0-1:1 1-2:ar 1-3:ar 0-4:1", "1211", "0+0-0");
    /* sulfonate and phosphate */
    expect_structure("C.3 S.3 O.co2 O.co2 O.co2 H", "0-1:1 1-2:ar 1-3:ar 1-4:ar 0-5:1", "12211",
                     "0000-0");
    expect_structure("C.3 P.3 O.co2 O.co2 O.co2 H", "0-1:1 1-2:ar 1-3:ar 1-4:ar 0-5:1", "12111",
                     "000--0");
    /* phenolate typed O.co2, as Open Babel has it: the ring keeps its bonds */
    expect_structure("C.ar C.ar C.ar C.ar C.ar C.ar O.co2 H", RING6 "0-6:1 1-7:1", "21212111",
                     "000000-0");
}

static void cations(void **state)
{
    (void)state;
    /* ammonium; guanidinium with single and with aromatic bonds */
    expect_structure("N.4 H H H H", "0-1:1 0-2:1 0-3:1 0-4:1", "1111", "+0000");
    expect_structure("C.cat N.pl3 N.pl3 N.pl3 H H H H H H",
                     "0-1:1 0-2:1 0-3:1 1-4:1 1-5:1 2-6:1 2-7:1 3-8:1 3-9:1", "211111111",
                     "0+00000000");
    expect_structure("C.cat N.pl3 N.pl3 N.pl3 H H H H H H",
                     "0-1:ar 0-2:ar 0-3:ar 1-4:1 1-5:1 2-6:1 2-7:1 3-8:1 3-9:1", "211111111",
                     "0+00000000");
    /* azide and isocyanide */
    expect_structure("C.3 N.2 N.1 N.1 H", "0-1:1 1-2:2 2-3:2 0-4:1", "1221", "00+-0");
    expect_structure("C.3 N.1 C.1 H", "0-1:1 1-2:3 0-3:1", "131", "0+-0");
    /* ions */
    expect_structure("Na Cl", "", "", "+-");
}

static void other_bonds(void **state)
{
    (void)state;
    expect_structure("C.3 C.2 N.am O.2 Zn", "0-1:1 1-2:am 1-3:2 3-4:nc 0-4:un", "11201", "00000");
}

/* An odd ring of carbons has no Kekule structure. */
static void impossible_rings_stay_aromatic(void **state)
{
    (void)state;
    expect_structure("C.ar C.ar C.ar C.ar C.ar C.3", RING5 "0-5:1", "444441", "000000");
}

static const double POSITIONS[4][3] = {
    {1.5, -2.25, 1000}, {-0.00001, 2, 3}, {-999.99996, 2, 3}, {4, 5, 6.00007}};

/* Acetate without its methyl: formate. */
static void build_formate(struct berth_molecule *molecule)
{
    build(molecule, "C.2 O.co2 O.co2 H", "0-1:ar 0-2:ar 0-3:1");
    snprintf(molecule->atoms[0].residue, BERTH_NAME_SIZE, "FMT7");
    molecule->atoms[0].residue_id = 7;
}

/* What berth_pose_write gives; the caller frees it. */
static char *written(const struct berth_pose_format *format, const struct berth_pose_record *record)
{
    char directory[PATH_SIZE], path[PATH_SIZE];
    struct berth_output *output;
    struct berth_error error = {0};
    make_scratch(directory);
    join(path, directory, "pose");
    assert_int_equal(berth_output_create(path, &output, &error), BERTH_OK);
    assert_int_equal(berth_pose_write(output, format, record, &error), BERTH_OK);
    assert_int_equal(berth_output_commit(output, &error), BERTH_OK);
    char *text = read_file(path);
    unlink(path);
    rmdir(directory);
    return text;
}

static const struct berth_term_names TERMS = {3, {"steric", "electrostatic", "desolvation"}};
static const struct berth_score_columns RUN = {.terms = &TERMS};

static const struct berth_pose POSE = {.conformer = 2,
                                       .value = -12.59567,
                                       .energy = -12.34567,
                                       .terms = {{1.5, -13.84567, -0.00001}},
                                       .parts = {[BERTH_PART_INTRA] = -0.25},
                                       .conformer_strain = 3.456,
                                       .rmsd = 1.25,
                                       .clash = 0.5};

static struct berth_pose_record record_of(const struct berth_molecule *molecule,
                                          const double (*positions)[3],
                                          const struct berth_pose *pose)
{
    return (struct berth_pose_record){.conformer = molecule,
                                      .positions = positions,
                                      .row = {.ordinal = 0,
                                              .ligand = "formate",
                                              .rank = 4,
                                              .mode = 2,
                                              .pose = pose,
                                              .run = &RUN,
                                              .heavy_atoms = 3,
                                              .conformers = 5,
                                              .device = "a CPU"},
                                      .seed = 18446744073709551615u};
}

/* The largest numbers are written whole. */
static void writes_large_numbers(void **state)
{
    (void)state;
    struct berth_molecule molecule;
    build_formate(&molecule);
    struct berth_pose pose = POSE;
    struct berth_pose_record record = record_of(&molecule, POSITIONS, &pose);
    pose.value = -DBL_MAX;
    pose.terms.values[1] = 1e300;
    char *text = written(BERTH_POSE_SDF, &record), *end;
    assert_non_null(strstr(text, ">  <score>\n"));
    assert_true(strtod(strstr(text, ">  <score>\n") + 11, &end) == -DBL_MAX);
    assert_int_equal(strncmp(end - 5, ".0000\n\n>", 8), 0);
    assert_true(strtod(strstr(text, ">  <electrostatic>\n") + 19, &end) == 1e300);
    assert_int_equal(strncmp(end - 5, ".0000\n\n>", 8), 0);
    free(text);
    berth_molecule_clear(&molecule);
}

static void writes_sdf(void **state)
{
    (void)state;
    struct berth_molecule molecule;
    build_formate(&molecule);
    struct berth_pose_record record = record_of(&molecule, POSITIONS, &POSE);
    char *text = written(BERTH_POSE_SDF, &record);
    assert_string_equal(text,
                        "formate\n"
                        "  berth             3D\n"
                        "\n"
                        "  4  3  0  0  0  0  0  0  0  0999 V2000\n"
                        "    1.5000   -2.2500 1000.0000 C   0  0  0  0  0  0  0  0  0  0  0  0\n"
                        "   -0.0000    2.0000    3.0000 O   0  0  0  0  0  0  0  0  0  0  0  0\n"
                        "-1000.0000    2.0000    3.0000 O   0  5  0  0  0  0  0  0  0  0  0  0\n"
                        "    4.0000    5.0000    6.0001 H   0  0  0  0  0  0  0  0  0  0  0  0\n"
                        "  1  2  2  0\n"
                        "  1  3  1  0\n"
                        "  1  4  1  0\n"
                        "M  CHG  1   3  -1\n"
                        "M  END\n"
                        ">  <ordinal>\n0\n\n"
                        ">  <ligand>\nformate\n\n"
                        ">  <rank>\n4\n\n"
                        ">  <mode>\n2\n\n"
                        ">  <score>\n-12.5957\n\n"
                        ">  <energy>\n-12.3457\n\n"
                        ">  <steric>\n1.5000\n\n"
                        ">  <electrostatic>\n-13.8457\n\n"
                        ">  <desolvation>\n0.0000\n\n"
                        ">  <strain>\n-0.2500\n\n"
                        ">  <conformer_strain>\n3.46\n\n"
                        ">  <efficiency>\n-4.1152\n\n"
                        ">  <rmsd>\n1.250\n\n"
                        ">  <clash>\n0.500\n\n"
                        ">  <conformer>\n3\n\n"
                        ">  <heavy_atoms>\n3\n\n"
                        ">  <conformers>\n5\n\n"
                        ">  <device>\na CPU\n\n"
                        ">  <seed>\n18446744073709551615\n\n"
                        "$$$$\n");
    free(text);
    berth_molecule_clear(&molecule);
}

/* Tags by gnina's names, of what is known; a property of such a name is another's. */
static void writes_gnina_tags(void **state)
{
    (void)state;
    struct berth_molecule molecule;
    build_formate(&molecule);
    struct berth_judges judges = {.count = 1,
                                  .learned_count = 2,
                                  .learned = {"cnn_score", "cnn_affinity"},
                                  .gnina_tags = true};
    const struct berth_score_columns run = {.terms = &TERMS, .judges = &judges};
    struct berth_pose pose = POSE;
    struct berth_pose_record record = record_of(&molecule, POSITIONS, &pose);
    char column[BERTH_COLUMN_SIZE];
    record.row.run = &run;
    pose.learned[0] = 0.5;
    pose.learned[1] = NAN;
    char *text = written(BERTH_POSE_SDF, &record);
    assert_non_null(strstr(text, ">  <minimizedAffinity>\n-12.5957\n\n>  <CNNscore>\n0.5000\n\n"));
    assert_null(strstr(text, "CNNaffinity"));
    free(text);
    text = written(BERTH_POSE_MOL2, &record);
    assert_null(strstr(text, "minimizedAffinity"));
    free(text);
    berth_property_column("CNNscore", &run, column);
    assert_string_equal(column, "library_CNNscore");
    judges.gnina_tags = false;
    text = written(BERTH_POSE_SDF, &record);
    assert_null(strstr(text, "minimizedAffinity"));
    free(text);
    berth_property_column("CNNscore", &run, column);
    assert_string_equal(column, "CNNscore");
    berth_molecule_clear(&molecule);
}

static void writes_mol2(void **state)
{
    (void)state;
    struct berth_molecule molecule, back = {0};
    build_formate(&molecule);
    struct berth_pose pose = POSE;
    struct berth_pose_record record = record_of(&molecule, POSITIONS, &pose);
    record.row.ordinal = -1;
    record.row.rank = record.row.conformers = 0;
    record.row.device = NULL;
    pose.rmsd = -1;
    pose.conformer_strain = NAN;
    pose.parts[BERTH_PART_INTRA] = NAN;
    pose.clash = NAN;
    char *text = written(BERTH_POSE_MOL2, &record);
    assert_string_equal(
        text, "# ligand: formate\n# mode: 2\n# score: -12.5957\n# energy: -12.3457\n"
              "# steric: 1.5000\n# electrostatic: -13.8457\n# desolvation: 0.0000\n"
              "# efficiency: -4.1152\n# conformer: 3\n# heavy_atoms: 3\n"
              "# seed: 18446744073709551615\n"
              "@<TRIPOS>MOLECULE\nformate\n    4     3 0 0 0\nSMALL\nNO_CHARGES\n\n"
              "@<TRIPOS>ATOM\n"
              "      1 C1           1.5000    -2.2500  1000.0000 C.2       7 FMT7       0.0000\n"
              "      2 O2          -0.0000     2.0000     3.0000 O.co2     1 LIG        0.0000\n"
              "      3 O3       -1000.0000     2.0000     3.0000 O.co2     1 LIG        0.0000\n"
              "      4 H4           4.0000     5.0000     6.0001 H         1 LIG        0.0000\n"
              "@<TRIPOS>BOND\n"
              "     1     1     2 ar\n"
              "     2     1     3 ar\n"
              "     3     1     4 1\n"
              "\n");
    /* our own reader takes it */
    struct berth_mol2_reader *reader;
    struct berth_error error;
    bool end;
    assert_int_equal(berth_mol2_reader_create_memory("back", text, strlen(text), &reader, &error),
                     BERTH_OK);
    assert_int_equal(berth_mol2_next(reader, &back, &end, &error), BERTH_OK);
    assert_string_equal(back.title, "formate");
    assert_int_equal(back.atom_count, 4);
    assert_true(back.atoms[0].position[1] == -2.25);
    berth_mol2_reader_destroy(reader);
    berth_molecule_clear(&back);
    free(text);
    berth_molecule_clear(&molecule);
}

/* Hydrogens without a bond, bonded to a hydrogen before their oxygen, and to another alone: whose
 * they are is said of those alone that are an atom's. */
static void writes_stray_hydrogens(void **state)
{
    (void)state;
    struct berth_molecule molecule;
    build(&molecule, "O.3 H H H H H", "2-1:1 0-2:1 3-4:1");
    const struct berth_tagged_molecule tagged = {.molecule = &molecule, .title = "strays"};
    const struct berth_pose_format *format;
    struct berth_error error;
    char *text;
    size_t size, rows = 0;
    struct berth_output *output;
    assert_int_equal(berth_pose_format_of("x.pdbqt", &format, &error), BERTH_OK);
    assert_int_equal(berth_output_create_memory(&text, &size, &output, &error), BERTH_OK);
    assert_int_equal(berth_molecule_write(output, format, &tagged, &error), BERTH_OK);
    berth_output_discard(output);
    for (const char *at = text; (at = strstr(at, "\nATOM ")); at++) {
        rows++;
    }
    assert_int_equal(rows, 6);
    assert_non_null(strstr(text, "REMARK H PARENT 1 3\n"));
    free(text);
    berth_molecule_clear(&molecule);
}

/* Propanol: two bonds turn, as Vina has it, the hydroxyl's hydrogen alone is written, and the
 * SMILES say whose it is. */
static void writes_pdbqt(void **state)
{
    (void)state;
    struct berth_molecule molecule;
    build(&molecule, "C.3 C.3 C.3 O.3 H H H H H H H H",
          "0-1:1 1-2:1 2-3:1 0-4:1 0-5:1 0-6:1 1-7:1 1-8:1 2-9:1 2-10:1 3-11:1");
    double moved[12][3] = {{0}};
    for (size_t i = 0; i < molecule.atom_count; i++) {
        memcpy(moved[i], molecule.atoms[i].position, sizeof moved[i]);
        moved[i][1] += 2;
    }
    const struct berth_tag tags[] = {{"mode", "3"}, {"score", "-4.2500"}};
    const struct berth_tagged_molecule tagged = {.molecule = &molecule,
                                                 .positions = (const double(*)[3])moved,
                                                 .best = (const double(*)[3])moved,
                                                 .title = "1-propanol",
                                                 .tags = tags,
                                                 .tag_count = 2};
    struct berth_tagged_molecule other = tagged;
    other.positions = NULL; /* its own, 2 Å away from the best */
    const struct berth_pose_format *format;
    struct berth_error error;
    char *text;
    size_t size;
    struct berth_output *output;
    assert_int_equal(berth_pose_format_of("x.pdbqt", &format, &error), BERTH_OK);
    assert_int_equal(berth_output_create_memory(&text, &size, &output, &error), BERTH_OK);
    assert_int_equal(berth_molecule_write(output, format, &tagged, &error), BERTH_OK);
    assert_int_equal(berth_molecule_write(output, format, &other, &error), BERTH_OK);
    berth_output_discard(output);
    assert_string_equal(
        text, "MODEL 3\n"
              "REMARK VINA RESULT:    -4.250      0.000      0.000\n"
              "REMARK  Name = 1-propanol\n"
              "REMARK  mode = 3\n"
              "REMARK  score = -4.2500\n"
              "REMARK SMILES CCCO\n"
              "REMARK SMILES IDX 1 1 2 2 3 3 4 4\n"
              "REMARK H PARENT 4 5\n"
              "ROOT\n"
              "ATOM      1  C1  UNL     1       1.000   2.000   0.000  1.00  0.00     0.000 C \n"
              "ATOM      2  C2  UNL     1       2.000   2.000   0.000  1.00  0.00     0.000 C \n"
              "ENDROOT\n"
              "BRANCH   2   3\n"
              "ATOM      3  C3  UNL     1       3.000   2.000   0.000  1.00  0.00     0.000 C \n"
              "BRANCH   3   4\n"
              "ATOM      4  O4  UNL     1       4.000   2.000   0.000  1.00  0.00     0.000 OA\n"
              "ATOM      5  H12 UNL     1      12.000   2.000   0.000  1.00  0.00     0.000 HD\n"
              "ENDBRANCH   3   4\n"
              "ENDBRANCH   2   3\n"
              "TORSDOF 2\n"
              "ENDMDL\n"
              "MODEL 3\n"
              "REMARK VINA RESULT:    -4.250      2.000      2.000\n"
              "REMARK  Name = 1-propanol\n"
              "REMARK  mode = 3\n"
              "REMARK  score = -4.2500\n"
              "REMARK SMILES CCCO\n"
              "REMARK SMILES IDX 1 1 2 2 3 3 4 4\n"
              "REMARK H PARENT 4 5\n"
              "ROOT\n"
              "ATOM      1  C1  UNL     1       1.000   0.000   0.000  1.00  0.00     0.000 C \n"
              "ATOM      2  C2  UNL     1       2.000   0.000   0.000  1.00  0.00     0.000 C \n"
              "ENDROOT\n"
              "BRANCH   2   3\n"
              "ATOM      3  C3  UNL     1       3.000   0.000   0.000  1.00  0.00     0.000 C \n"
              "BRANCH   3   4\n"
              "ATOM      4  O4  UNL     1       4.000   0.000   0.000  1.00  0.00     0.000 OA\n"
              "ATOM      5  H12 UNL     1      12.000   0.000   0.000  1.00  0.00     0.000 HD\n"
              "ENDBRANCH   3   4\n"
              "ENDBRANCH   2   3\n"
              "TORSDOF 2\n"
              "ENDMDL\n");
    free(text);
    berth_molecule_clear(&molecule);
}

static void expect_smiles(const char *types, const char *bonds, const char *smiles)
{
    struct berth_molecule molecule;
    struct berth_bytes text = {0};
    struct berth_error error;
    size_t order[64];
    bool known;
    struct berth_facts facts;
    build(&molecule, types, bonds);
    assert_int_equal(berth_facts_find(&molecule, BERTH_FACT_ORDERS, &facts, &error), BERTH_OK);
    assert_int_equal(berth_smiles_write(&facts, false, NULL, &text, order, &known, &error),
                     BERTH_OK);
    berth_facts_clear(&facts);
    assert_int_equal(known, *smiles != '\0');
    berth_bytes_put8(&text, '\0');
    assert_string_equal((char *)text.data, smiles);
    berth_bytes_clear(&text);
    berth_molecule_clear(&molecule);
}

/* Branches, rings, charges and hydrogens; none where hydrogens are missing. */
static void writes_smiles(void **state)
{
    (void)state;
    expect_smiles("C.2 O.2 N.am H H H", "0-1:2 0-2:1 0-3:1 2-4:1 2-5:1", "C(=O)N");
    expect_smiles("C.2 O.co2 O.co2 H", "0-1:ar 0-2:ar 0-3:1", "C(=O)[O-]");
    expect_smiles("C.3 C.3 C.3 N.4 H H H H H H H H",
                  "0-1:1 1-2:1 2-0:1 0-3:1 0-4:1 1-5:1 1-6:1 2-7:1 "
                  "2-8:1 3-9:1 3-10:1 3-11:1",
                  "C1(CC1)[NH3+]");
    expect_smiles("C.1 N.1 H O.3 H H", "0-1:3 0-2:1 3-4:1 3-5:1", "C#N.O");
    expect_smiles("C.3 O.3", "0-1:1", "");
}

/* Titles that would end the record do not. */
static void guards_titles(void **state)
{
    (void)state;
    struct berth_molecule molecule;
    build_formate(&molecule);
    struct berth_pose_record record = record_of(&molecule, POSITIONS, &POSE);
    record.row.ligand = "$$$$";
    char *text = written(BERTH_POSE_SDF, &record);
    assert_memory_equal(text, " $$$$\n", 6);
    assert_non_null(strstr(text, "<ligand>\n $$$$\n\n"));
    free(text);
    record.row.ligand = "@<TRIPOS>MOLECULE";
    text = written(BERTH_POSE_MOL2, &record);
    assert_non_null(strstr(text, "@<TRIPOS>MOLECULE\n @<TRIPOS>MOLECULE\n"));
    free(text);
    berth_molecule_clear(&molecule);
}

/* More than 999 atoms, or a coordinate too wide for its ten columns: V3000. */
static void writes_v3000(void **state)
{
    (void)state;
    struct berth_molecule molecule;
    build_formate(&molecule);
    double wide[4][3] = {{0, 0, -12345.5}};
    struct berth_pose_record record = record_of(&molecule, (const double(*)[3])wide, &POSE);
    char *text = written(BERTH_POSE_SDF, &record);
    static const char HEAD[] = "formate\n  berth             3D\n\n"
                               "  0  0  0     0  0            999 V3000\n"
                               "M  V30 BEGIN CTAB\n"
                               "M  V30 COUNTS 4 3 0 0 0\n"
                               "M  V30 BEGIN ATOM\n"
                               "M  V30 1 C 0.0000 0.0000 -12345.5000 0\n"
                               "M  V30 2 O 0.0000 0.0000 0.0000 0\n"
                               "M  V30 3 O 0.0000 0.0000 0.0000 0 CHG=-1\n"
                               "M  V30 4 H 0.0000 0.0000 0.0000 0\n"
                               "M  V30 END ATOM\n"
                               "M  V30 BEGIN BOND\n"
                               "M  V30 1 2 1 2\n"
                               "M  V30 2 1 1 3\n"
                               "M  V30 3 1 1 4\n"
                               "M  V30 END BOND\n"
                               "M  V30 END CTAB\n"
                               "M  END\n";
    assert_memory_equal(text, HEAD, sizeof HEAD - 1);
    free(text);
    berth_molecule_clear(&molecule);

    molecule.atom_count = 1000;
    molecule.atoms = berth_alloc(1000, sizeof *molecule.atoms);
    double(*positions)[3] = berth_alloc(1000, sizeof *positions);
    record = record_of(&molecule, (const double(*)[3])positions, &POSE);
    text = written(BERTH_POSE_SDF, &record);
    assert_non_null(strstr(text, "\nM  V30 COUNTS 1000 0 0 0 0\n"));
    assert_null(strstr(text, "BEGIN BOND"));
    free(text);
    free(positions);
    berth_molecule_clear(&molecule);
}

static void formats_from_endings(void **state)
{
    (void)state;
    const struct berth_pose_format *format;
    struct berth_error error;
    assert_int_equal(berth_pose_format_of("a/b.sdf", &format, &error), BERTH_OK);
    assert_ptr_equal(format, BERTH_POSE_SDF);
    assert_int_equal(berth_pose_format_of("b.SD", &format, &error), BERTH_OK);
    assert_ptr_equal(format, BERTH_POSE_SDF);
    assert_int_equal(berth_pose_format_of("b.x.mol2", &format, &error), BERTH_OK);
    assert_ptr_equal(format, BERTH_POSE_MOL2);
    assert_int_equal(berth_pose_format_of("b.mol2.GZ", &format, &error), BERTH_OK);
    assert_ptr_equal(format, BERTH_POSE_MOL2);
    assert_int_equal(berth_pose_format_of("sdf.gz", &format, &error), BERTH_E_USAGE);
    assert_int_equal(berth_pose_format_of("poses.pdb", &format, &error), BERTH_E_USAGE);
    assert_non_null(strstr(error.message, "poses.pdb: "));
    assert_int_equal(berth_pose_format_of("poses", &format, &error), BERTH_E_USAGE);
}

/* Every atom of every reference ligand gets its normal valence, and no bond stays aromatic. */
static void reference_ligands_have_structures(void **state)
{
    (void)state;
    for (int ligand = 1; ligand <= 16; ligand++) {
        char path[PATH_SIZE], name[64];
        struct berth_molecule molecule = {0};
        struct berth_facts facts;
        struct berth_error error = {0};
        snprintf(name, sizeof name, "bude/1gcz/reference/ligand%02d.mol2", ligand);
        reference(path, name);
        assert_int_equal(berth_mol2_read_one(path, false, &molecule, &error), BERTH_OK);
        assert_int_equal(berth_facts_find(&molecule, BERTH_FACT_ORDERS, &facts, &error), BERTH_OK);
        int *sums = berth_alloc(molecule.atom_count, sizeof *sums);
        for (size_t i = 0; i < molecule.bond_count; i++) {
            assert_in_range(facts.orders[i], 1, 3);
            sums[molecule.bonds[i].first] += facts.orders[i];
            sums[molecule.bonds[i].second] += facts.orders[i];
        }
        for (size_t i = 0; i < molecule.atom_count; i++) {
            int element = molecule.atoms[i].element;
            int normal = element == 6 ? 4 : element == 7 ? 3 : element == 8 ? 2 : 1;
            assert_int_equal(facts.charges[i], 0);
            if (element == 16) {
                assert_true(sums[i] == 2 || sums[i] == 6);
            } else {
                assert_int_equal(sums[i], normal);
            }
        }
        free(sums);
        berth_facts_clear(&facts);
        berth_molecule_clear(&molecule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keeps_known_orders),
                                       cmocka_unit_test(aromatic_rings),
                                       cmocka_unit_test(exocyclic_double_bond),
                                       cmocka_unit_test(oxo_groups),
                                       cmocka_unit_test(cations),
                                       cmocka_unit_test(other_bonds),
                                       cmocka_unit_test(impossible_rings_stay_aromatic),
                                       cmocka_unit_test(writes_sdf),
                                       cmocka_unit_test(writes_gnina_tags),
                                       cmocka_unit_test(writes_large_numbers),
                                       cmocka_unit_test(writes_mol2),
                                       cmocka_unit_test(writes_pdbqt),
                                       cmocka_unit_test(writes_stray_hydrogens),
                                       cmocka_unit_test(writes_smiles),
                                       cmocka_unit_test(guards_titles),
                                       cmocka_unit_test(writes_v3000),
                                       cmocka_unit_test(formats_from_endings),
                                       cmocka_unit_test(reference_ligands_have_structures)};
    return cmocka_run_group_tests_name("poses", tests, NULL, NULL);
}
