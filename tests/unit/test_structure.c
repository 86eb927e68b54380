/* The readers of PDB, PDBQT and mmCIF, alternate locations, and naming residues. */
#include "io_support.h"

#include "format/pdb/pdb.h"
#include "format/pdb/pdb.h"
#include "format/pdb/structure_file.h"
#include "prep/receptor/prepare_structure.h"
#include "chem/selection.h"

static enum berth_status read_text(const char *text, char kind, struct berth_structure *structure,
                                   struct berth_error *error)
{
    struct berth_text_reader *reader;
    memset(structure, 0, sizeof *structure);
    assert_int_equal(berth_text_reader_create_memory("in", text, strlen(text), &reader, error),
                     BERTH_OK);
    enum berth_status status = kind == 'c' ? berth_mmcif_read(reader, structure, error)
                                           : berth_pdb_read(reader, kind == 'q', structure, error);
    berth_text_reader_destroy(reader);
    return status;
}

static void accept(const char *text, char kind, struct berth_structure *structure)
{
    struct berth_error error;
    if (read_text(text, kind, structure, &error)) {
        fail_msg("%s", error.message);
    }
}

static void refuse(const char *text, char kind, const char *message)
{
    struct berth_structure structure;
    struct berth_error error;
    assert_int_equal(read_text(text, kind, &structure, &error), BERTH_E_FORMAT);
    assert_memory_equal(error.message, message, strlen(message));
    berth_structure_clear(&structure);
}

static void expect_residue(const struct berth_structure_atom *atom, const char *text)
{
    char found[BERTH_RESIDUE_TEXT_SIZE];
    berth_residue_text(&atom->residue, found);
    assert_string_equal(found, text);
}

#define GLY_N "ATOM      1  N   GLY A  -3B     11.104   6.134  -6.504  0.50 10.00           N  \n"

static void test_pdb_columns(void **state)
{
    (void)state;
    struct berth_structure structure;
    accept("HEADER    ANY\n" GLY_N "ATOM      2  CA AGLY A  -3B     12.000   6.000  -6.000\r\n"
           "END\n",
           'p', &structure);
    assert_int_equal(structure.count, 2);
    const struct berth_structure_atom *atoms = structure.atoms;
    assert_string_equal(atoms[0].name, "N");
    assert_int_equal(atoms[0].element, 7);
    assert_float_equal(atoms[0].position[0], 11.104, 0);
    assert_float_equal(atoms[0].position[2], -6.504, 0);
    assert_float_equal(atoms[0].occupancy, 0.5, 0);
    assert_int_equal(atoms[0].line, 2);
    expect_residue(&atoms[0], "GLY A:-3B");
    assert_int_equal(atoms[1].alternate, 'A');
    assert_int_equal(atoms[1].element, 6);
    assert_float_equal(atoms[1].occupancy, 1, 0);
    berth_structure_clear(&structure);
}

/* Chains of two letters, as gemmi and Phenix write them, told from names of four letters. */
static void test_pdb_wide_chains(void **state)
{
    (void)state;
    struct berth_structure structure;
    accept("ATOM      1  CA  ALA B   1       1.000   2.000   3.000  1.00 10.00           C  \n"
           "ATOM      2  CB  ASPHB   2       1.000   2.000   4.000  1.00 10.00           C  \n"
           "ATOM      3  O   TIP3B   3       1.000   2.000   5.000  1.00 10.00           O  \n"
           "ATOM      4  C1  LIGAB   4       1.000   2.000   6.000  1.00 10.00           C  \n"
           "ATOM      5  CA  ALAAB   1       1.000   2.000   7.000  1.00 10.00           C  \n"
           "HETATM    6  C1  LIGAB   2       1.000   2.000   8.000  1.00 10.00           C  \n"
           "ATOM      7  P     AAC   1       1.000   2.000   9.000  1.00 10.00           P  \n"
           "ATOM      8  CA  GLY C   1       1.000   3.000   9.000  1.00 10.00           C  \n",
           'p', &structure);
    static const char *const RESIDUES[] = {"ALA B:1",  "ASPH B:2", "TIP3 B:3", "LIGA B:4",
                                           "ALA AB:1", "LIG AB:2", "A AC:1",   "GLY C:1"};
    assert_int_equal(structure.count, 8);
    for (size_t i = 0; i < structure.count; i++) {
        expect_residue(&structure.atoms[i], RESIDUES[i]);
    }
    berth_structure_clear(&structure);
}

/* Ions without an element column, as CHARMM, Amber and others call them; beside atoms that are not.
 */
static void test_pdb_ions(void **state)
{
    (void)state;
    static const struct {
        const char *name, *residue;
        int element;
    } IONS[] = {{" POT", "POT", 19}, {"SOD ", "SOD", 11}, {" CLA", "CLA", 17}, {"CAL ", "CAL", 20},
                {" C0 ", "CAL", 20}, {" HG ", "HG ", 80}, {"CU  ", "CU1", 29}, {"Na+ ", "Na+", 11},
                {"CD2 ", "CD2", 48}, {" CA ", "ALA", 6},  {" O  ", "HOH", 8},  {" N  ", "LIG", 7},
                {" W  ", "W  ", 0}};
    for (size_t i = 0; i < sizeof IONS / sizeof *IONS; i++) {
        struct berth_structure structure;
        char line[128];
        snprintf(line, sizeof line,
                 "ATOM      1 %s %s A   1       1.000   2.000   3.000  1.00  1.00      IONS\n",
                 IONS[i].name, IONS[i].residue);
        accept(line, 'p', &structure);
        if (IONS[i].element) {
            assert_int_equal(structure.atoms[0].element, IONS[i].element);
        }
        berth_structure_clear(&structure);
    }
}

/* Columns: "HETATM" serial(7-11) name(13-16) alternate(17) residue(18-20) chain(22) number(23-26).
 */
static void test_pdb_numbers(void **state)
{
    (void)state;
    struct berth_structure structure;
    accept("HETATM    1 CA    CA  A000       1.000   2.000   3.000  1.00 10.00          CA2+\n"
           "HETATM    2  CA  LIG B9999       1.000   2.000   4.000  1.00 10.00           C  \n"
           "HETATM    3  O   HOH  a000       1.000   2.000   5.000\n"
           "HETATM    4 ZN    ZN  A001       1.000   2.000   6.000\n"
           "HETATM    5  OH2 TIP3    7       1.000   2.000   7.000\n"
           "HETATM    6  O   HOH W12345      1.000   2.000   8.000\n",
           'p', &structure);
    const struct berth_structure_atom *atoms = structure.atoms;
    expect_residue(&atoms[0], "CA 10000");
    assert_int_equal(atoms[0].element, 20);
    expect_residue(&atoms[1], "LIG B:9999");
    assert_int_equal(atoms[1].element, 6);
    expect_residue(&atoms[2], "HOH 1223056");
    expect_residue(&atoms[3], "ZN 10001");
    assert_int_equal(atoms[3].element, 30);
    expect_residue(&atoms[4], "TIP3 7");
    expect_residue(&atoms[5], "HOH W:12345");
    /* It is written as it was read. */
    struct berth_output *output;
    char *text;
    size_t size;
    assert_int_equal(berth_output_create_memory(&text, &size, &output, NULL), BERTH_OK);
    berth_pdb_write_structure(output, &structure);
    assert_int_equal(berth_output_commit(output, NULL), BERTH_OK);
    assert_non_null(strstr(text, "HOH W12345  "));
    free(text);
    berth_structure_clear(&structure);
}

static void test_pdb_elements(void **state)
{
    (void)state;
    static const struct {
        const char *columns; /* 13 to 20: name, alternate, residue */
        const char *element; /* 77 and 78 */
        int expected;
    } CASES[] = {{" CA  ALA", "CA", 6},  {"CA    CA", "  ", 20}, {" CA  LIG", "  ", 6},
                 {"CL1  LIG", "  ", 17}, {"HG11 VAL", "  ", 1},  {"1HB  ALA", "  ", 1},
                 {"AHNC VAL", " H", 1},  {"SE   MSE", "  ", 34}, {"FE   HEM", "  ", 26},
                 {" NA  HEM", "  ", 7},  {" D   SER", " D", 1},  {" C1  478", "17", 6},
                 {" X   LIG", "  ", 0},  {"ZN    ZN", "Zn", 30}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char line[128];
        snprintf(line, sizeof line,
                 "HETATM    1 %s A   1       1.000   2.000   3.000  1.00 10.00          %s\n",
                 CASES[i].columns, CASES[i].element);
        struct berth_structure structure;
        accept(line, 'p', &structure);
        if (structure.atoms[0].element != CASES[i].expected) {
            fail_msg("%s: element %d", CASES[i].columns, structure.atoms[0].element);
        }
        berth_structure_clear(&structure);
    }
}

static void test_pdbqt(void **state)
{
    (void)state;
    struct berth_structure structure;
    accept("ROOT\n"
           "ATOM      1  N   LIG A   1      22.373  11.673  63.100  1.00  0.00     0.092 NA\n"
           "ATOM      2  C1  LIG A   1      22.373  11.673  64.100  1.00  0.00     0.092 A \n"
           "ATOM      3  HN1 LIG A   1      22.373  11.673  65.100  1.00  0.00     0.092 HD\n"
           "ATOM      4  CA  AP- A   2      22.373  11.673  66.100  1.00  0.00     0.092 Ca\n"
           "ATOM      5  NA   NA A   3      22.373  11.673  67.100  1.00  0.00     0.092 Na\n",
           'q', &structure);
    static const int ELEMENTS[] = {7, 6, 1, 6, 11};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(structure.atoms[i].element, ELEMENTS[i]);
    }
    berth_structure_clear(&structure);
}

static void test_models(void **state)
{
    (void)state;
    struct berth_structure structure;
    accept("MODEL        1\n" GLY_N "ENDMDL\nMODEL        2\n" GLY_N GLY_N "ENDMDL\n", 'p',
           &structure);
    assert_int_equal(structure.count, 1);
    assert_int_equal(structure.models, 2);
    berth_structure_clear(&structure);
}

static void test_bad_pdb(void **state)
{
    (void)state;
    refuse("HEADER\nEND\n", 'p', "in: ");
    refuse(GLY_N "ATOM      2  CA  GLY A  -3      12.0", 'p',
           "in:2: '' stands in columns 39 to 46, where the y coordinate of an atom belongs; the "
           "line was cut or its columns are shifted, write the file again");
    refuse("ATOM      1  N   GLY A   1      11.104   6.134     nan\n", 'p',
           "in:1: 'nan' stands in columns 47 to 54, where the z coordinate of an atom belongs; the "
           "line was cut or its columns are shifted, write the file again");
    refuse("ATOM      1  N   GLY A  x1      11.104   6.134  -6.504\n", 'p',
           "in:1: '  x1' stands in columns 23 to 26, where a residue number belongs; write the "
           "file again");
    refuse("ATOM      1  N   GLY A   1      11.104   6.134  -6.504  high\n", 'p',
           "in:1: 'high' stands in columns 55 to 60, where the occupancy belongs; write the file "
           "again");
}

#define CIF_HEAD                                                                                   \
    "data_X\nloop_\n_atom_site.type_symbol\n_atom_site.label_atom_id\n_atom_site.label_alt_id\n"   \
    "_atom_site.label_comp_id\n_atom_site.label_asym_id\n_atom_site.auth_asym_id\n"                \
    "_atom_site.auth_seq_id\n_atom_site.pdbx_PDB_ins_code\n_atom_site.Cartn_x\n"                   \
    "_atom_site.Cartn_y\n_atom_site.Cartn_z\n_atom_site.occupancy\n"                               \
    "_atom_site.pdbx_PDB_model_num\n"

static void test_mmcif(void **state)
{
    (void)state;
    struct berth_structure structure;
    accept("data_X\n_struct.title 'it''s a '\n_struct.text\n;loop_\n_atom_site.Cartn_x\n;\n"
           "loop_ # a comment\n_entity.id\n_entity.name\n1 'a b'\n2 \"C5'\"\n" CIF_HEAD
           "N N . GLY A AA -5 ? 1.25(3) 2.5 -3.125 0.75 1 C \"O5'\" B GLY A AA -5\n"
           "C 1.0 2.0 3.0 . 1\n"
           "ZN ZN . ZN B BB 301 . 9 9 9 1 1 N N . GLY A AA -5 ? 1 2 3 1 2\n#\ndata_Y\n" CIF_HEAD
           "N N . LIG A AA -5 ? 1 2 3 1 9\n",
           'c', &structure);
    assert_int_equal(structure.count, 4); /* a ligand in a block of its own belongs to it */
    assert_int_equal(structure.blocks, 2);
    assert_int_equal(structure.models, 2);
    const struct berth_structure_atom *atoms = structure.atoms;
    expect_residue(&atoms[0], "GLY AA:-5");
    assert_float_equal(atoms[0].position[0], 1.25, 0);
    assert_float_equal(atoms[0].occupancy, 0.75, 0);
    assert_int_equal(atoms[0].alternate, 0);
    assert_string_equal(atoms[1].name, "O5'");
    assert_int_equal(atoms[1].alternate, 'B');
    expect_residue(&atoms[1], "GLY AA:-5C");
    assert_float_equal(atoms[1].occupancy, 1, 0);
    assert_int_equal(atoms[2].element, 30);
    berth_structure_clear(&structure);
}

static void test_bad_mmcif(void **state)
{
    (void)state;
    refuse("data_X\nloop_\n_cell.x\n1\n", 'c', "in: ");
    refuse("data_X\n_a.b 'no end\n", 'c', "in:2: a quoted text has no end; write the file again");
    refuse("data_X\n_a.b\n;no end\n", 'c',
           "in:3: the text that begins with ';' in line 3 has no end; the file was cut off, fetch "
           "it again");
    refuse(CIF_HEAD "N N . GLY A A 1 ? 1 2 3\n", 'c',
           "in:16: the last row of _atom_site has 11 of 13 values; the file was cut off, fetch it "
           "again");
    refuse(CIF_HEAD "N N . GLY A A 1 ? 1 x 3 1 1\n", 'c',
           "in:16: 'x' stands where _atom_site.Cartn_y belongs; write the file again");
    refuse(CIF_HEAD "N N . GLY A A 1 ? 1 2 3 1 1\ndata_Y\n" CIF_HEAD
                    "N N . GLY A A 1 ? 4 2 3 1 1\n",
           'c',
           "in:33: atom N of GLY A:1 stands in the data block X, and in one before it (X is the "
           "first): two structures; give one");
    refuse(CIF_HEAD "N N . GLYGLYGLY A A 1 ? 1 2 3 1 1\n", 'c',
           "in:16: 'GLYGLYGLY' in _atom_site.label_comp_id is longer than 7 letters; write the "
           "file with shorter names");
}

#define AT(name, alternate, residue, x, occupancy)                                                 \
    "ATOM      1  " name alternate residue " A   1      " x "   0.000   0.000  " occupancy "\n"

static void test_alternates(void **state)
{
    (void)state;
    struct berth_structure structure;
    size_t residues;
    /* B has the higher occupancy; CB is in A alone; N in none. */
    accept(AT("N  ", " ", "SER", " 0.000", "1.00") AT("CA ", "A", "SER", " 1.000", "0.40")
               AT("CA ", "B", "SER", " 2.000", "0.60") AT("CB ", "A", "SER", " 3.000", "0.40")
                   AT("OG ", "A", "SER", " 4.000", "0.40") AT("OG ", "B", "SER", " 5.000", "0.60"),
           'p', &structure);
    assert_int_equal(berth_alternates_resolve(&structure, &residues, NULL), BERTH_OK);
    assert_int_equal(residues, 1);
    assert_int_equal(structure.count, 4);
    static const double PLACES[] = {0, 2, 3, 5};
    for (size_t i = 0; i < 4; i++) {
        assert_float_equal(structure.atoms[i].position[0], PLACES[i], 0);
    }
    berth_structure_clear(&structure);

    /* Equal occupancies: the first; different residues, atom by atom: one of them. */
    accept(AT("N  ", "A", "SER", " 0.000", "0.50") AT("N  ", "B", "THR", " 1.000", "0.50")
               AT("CA ", "A", "SER", " 2.000", "0.50") AT("CA ", "B", "THR", " 3.000", "0.50"),
           'p', &structure);
    assert_int_equal(berth_alternates_resolve(&structure, &residues, NULL), BERTH_OK);
    assert_int_equal(structure.count, 2);
    expect_residue(&structure.atoms[1], "SER A:1");
    assert_float_equal(structure.atoms[1].position[0], 2, 0);
    const struct berth_span span = berth_residue_at(&structure, 0);
    assert_int_equal(span.end, 2);
    berth_structure_clear(&structure);
}

static bool selects(const char *text, const char *name, const char *chain, int number)
{
    struct berth_selection selection;
    assert_int_equal(berth_selection_parse(text, &selection, NULL), BERTH_OK);
    struct berth_residue_id id = {.number = number};
    snprintf(id.name, sizeof id.name, "%s", name);
    snprintf(id.chain, sizeof id.chain, "%s", chain);
    return berth_selection_matches(&selection, &id);
}

static void test_selection(void **state)
{
    (void)state;
    assert_true(selects("HEM", "HEM", "A", 1));
    assert_false(selects("HEM", "HEC", "A", 1));
    assert_true(selects("ZN,A:25", "ASP", "A", 25));
    assert_false(selects("ZN,A:25", "ASP", "B", 25));
    assert_false(selects("A:25B", "ASP", "A", 25));
    assert_true(selects("A:-3", "GLY", "A", -3));
    assert_true(selects(":200", "478", "", 200));
    assert_false(selects(":200", "478", "A", 200));
    assert_true(selects("B:", "ALA", "B", 7));
    assert_true(selects("MTX:A:201", "MTX", "A", 201));
    assert_true(selects("MTX::201", "MTX", "", 201));
    assert_false(selects("MTX:A:201", "HOH", "A", 201));
    assert_true(selects("A:THR315", "THR", "A", 315));
    assert_false(selects("A:THR315", "SER", "A", 315));
    assert_false(selects("A:THR315", "THR", "B", 315));
    assert_true(selects("A:GLY-3", "GLY", "A", -3));

    struct berth_selection selection;
    struct berth_error error;
    static const char *const BAD[] = {"A:2x5", "A:25:3:4", ":A:5", "ABCDEFGHI", "A:123456789"};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        assert_int_equal(berth_selection_parse(BAD[i], &selection, &error), BERTH_E_USAGE);
    }
    assert_non_null(strstr(error.message, "'A:123456789'"));

    /* A bare number is a name where a residue is called so, else a number. */
    struct berth_structure structure, named;
    accept("HETATM    1  C1  478   200       1.000   2.000   3.000\n", 'p', &structure);
    assert_int_equal(berth_selection_parse("478,200,201", &selection, NULL), BERTH_OK);
    berth_selection_resolve(&selection, &structure);
    assert_true(berth_selector_matches(&selection.selectors[0], &structure.atoms[0].residue));
    assert_true(berth_selector_matches(&selection.selectors[1], &structure.atoms[0].residue));
    assert_string_equal(berth_selection_unmatched(&selection, &structure)->text, "201");

    /* Letters and a number are a name where a residue is called so, else both. */
    accept("HETATM    1  C1  AB1 A  12       1.000   2.000   3.000\n"
           "HETATM    2  C1  THR A 315       1.000   2.000   3.000\n",
           'p', &named);
    assert_int_equal(berth_selection_parse("AB1,THR315,THR12", &selection, NULL), BERTH_OK);
    berth_selection_resolve(&selection, &named);
    assert_true(berth_selector_matches(&selection.selectors[0], &named.atoms[0].residue));
    assert_true(berth_selector_matches(&selection.selectors[1], &named.atoms[1].residue));
    assert_string_equal(berth_selection_unmatched(&selection, &named)->text, "THR12");
    berth_structure_clear(&named);

    /* What would be a chain is a name where there is no such chain. */
    assert_int_equal(berth_selection_parse("478:200,478:201,479:200", &selection, NULL), BERTH_OK);
    berth_selection_resolve(&selection, &structure);
    assert_true(berth_selector_matches(&selection.selectors[0], &structure.atoms[0].residue));
    assert_false(berth_selector_matches(&selection.selectors[1], &structure.atoms[0].residue));
    assert_false(berth_selector_matches(&selection.selectors[2], &structure.atoms[0].residue));
    berth_structure_clear(&structure);
}

static void test_formats(void **state)
{
    (void)state;
    assert_int_equal(berth_structure_format_of("a/1hpv.pdb"), BERTH_STRUCTURE_PDB);
    assert_int_equal(berth_structure_format_of("pdb1hpv.ENT.gz"), BERTH_STRUCTURE_PDB);
    assert_int_equal(berth_structure_format_of("x.pdbqt"), BERTH_STRUCTURE_PDBQT);
    assert_int_equal(berth_structure_format_of("x.cif.gz"), BERTH_STRUCTURE_MMCIF);
    assert_int_equal(berth_structure_format_of("mmcif"), BERTH_STRUCTURE_MMCIF);
    assert_int_equal(berth_structure_format_of("x.mol2"), BERTH_STRUCTURE_MOL2);
    assert_int_equal(berth_structure_format_of("xpdb"), BERTH_STRUCTURE_UNKNOWN);
    assert_int_equal(berth_structure_format_of("-"), BERTH_STRUCTURE_UNKNOWN);
}

/* Mol2's substructure names: number behind the name, names that end in digits. */
static void test_from_mol2(void **state)
{
    (void)state;
    struct berth_atom atoms[] = {
        {.name = "CA", .type = "C.3", .residue = "ALA12", .element = 6, .heavy = true},
        {.name = "S", .type = "S.o2", .residue = "SO4500", .element = 16, .heavy = true},
        {.name = "H", .type = "H", .residue = "GLY-3", .element = 1},
        {.name = "X",
         .type = "C.3",
         .residue = "LIG",
         .residue_id = 9,
         .element = 6,
         .heavy = true},
        {.name = "LP", .type = "LP", .residue = "LIG"}};
    char title[] = "t";
    const struct berth_molecule molecule = {.title = title, .atoms = atoms, .atom_count = 5};
    struct berth_structure structure = {0};
    assert_int_equal(berth_structure_from_molecule(&molecule, &structure, NULL), BERTH_OK);
    assert_int_equal(structure.count, 4);
    expect_residue(&structure.atoms[0], "ALA 12");
    expect_residue(&structure.atoms[1], "SO4 500");
    expect_residue(&structure.atoms[2], "GLY -3");
    expect_residue(&structure.atoms[3], "LIG 9");
    assert_string_equal(structure.atoms[0].type, "C.3");
    berth_structure_clear(&structure);
}

/* Hydrogens behind all residues go back to their own; those of a residue that has no other stay. */
static void test_gathers_hydrogens(void **state)
{
    static const char *const NAMES[] = {"N", "CA", "N", "O", "H", "HA", "H", "H1"};
    static const int RESIDUES[] = {1, 1, 2, 3, 2, 1, 1, 9};
    static const size_t WANTED[] = {0, 1, 5, 6, 2, 4, 3, 7};
    struct berth_structure structure = {0};
    struct berth_error error;
    (void)state;
    for (size_t i = 0; i < 8; i++) {
        struct berth_structure_atom atom = {.residue = {.name = "ALA", .number = RESIDUES[i]},
                                            .element = NAMES[i][0] == 'H'   ? 1
                                                       : NAMES[i][0] == 'N' ? 7
                                                       : NAMES[i][0] == 'O' ? 8
                                                                            : 6,
                                            .line = i};
        strcpy(atom.name, NAMES[i]);
        assert_int_equal(berth_structure_add(&structure, &atom, &error), BERTH_OK);
    }
    assert_int_equal(berth_structure_gather(&structure, &error), BERTH_OK);
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(structure.atoms[i].line, WANTED[i]);
    }
    berth_structure_clear(&structure);
}

static void expect_listed(const char *text, char kind, const enum berth_listing *listed)
{
    struct berth_structure structure;
    accept(text, kind, &structure);
    for (size_t i = 0; i < structure.count; i++) {
        assert_int_equal(structure.atoms[i].listed, listed[i]);
    }
    berth_structure_clear(&structure);
}

#define CA_LINE(record, residue, number)                                                           \
    record "  1  CA  " residue " A" number "       0.000   0.000   0.000  1.00  0.00           "   \
           "C\n"

/* What the file's own sequence holds, and what stands behind its end. */
static void test_sequences(void **state)
{
    (void)state;
    static const char SEQUENCE[] = "SEQRES   1 A    3  GLY ALA GLU\n";
    static const char CHAIN[] =
        CA_LINE("ATOM    ", "GLY", "   1") CA_LINE("ATOM    ", "ALA", "   2");
    static const char LIGAND[] = CA_LINE("HETATM  ", "GLU", " 900");
    static const enum berth_listing NONE[3] = {BERTH_LISTING_NONE, BERTH_LISTING_NONE,
                                               BERTH_LISTING_NONE},
                                    ALL[3] = {BERTH_LISTING_INSIDE, BERTH_LISTING_INSIDE,
                                              BERTH_LISTING_OUTSIDE};
    char text[1000];
    snprintf(text, sizeof text, "%s%sTER\n%s", SEQUENCE, CHAIN, LIGAND);
    expect_listed(text, 'p', ALL);
    snprintf(text, sizeof text, "%s%s%s", SEQUENCE, CHAIN, LIGAND); /* no end */
    expect_listed(text, 'p', NONE);
    snprintf(text, sizeof text, "%sTER\n%s", CHAIN, LIGAND);
    expect_listed(text, 'p', NONE);
    const char *loop = "data_x\nloop_\n_atom_site.group_PDB\n_atom_site.label_atom_id\n"
                       "_atom_site.label_comp_id\n_atom_site.label_asym_id\n"
                       "_atom_site.label_seq_id\n_atom_site.auth_seq_id\n_atom_site.Cartn_x\n"
                       "_atom_site.Cartn_y\n_atom_site.Cartn_z\n"
                       "ATOM CA GLY A 1 1 0 0 0\nATOM CA ALA A 2 2 0 0 0\n";
    snprintf(text, sizeof text, "%sHETATM CA GLU A . 900 0 0 0\n", loop);
    expect_listed(text, 'c', ALL);
    snprintf(text, sizeof text, "%sHETATM CA GLU A 900 900 0 0 0\n", loop); /* all have one */
    expect_listed(text, 'c', NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pdb_columns),  cmocka_unit_test(test_pdb_ions),
        cmocka_unit_test(test_pdb_numbers),  cmocka_unit_test(test_pdb_wide_chains),
        cmocka_unit_test(test_pdb_elements), cmocka_unit_test(test_pdbqt),
        cmocka_unit_test(test_models),       cmocka_unit_test(test_bad_pdb),
        cmocka_unit_test(test_mmcif),        cmocka_unit_test(test_sequences),
        cmocka_unit_test(test_bad_mmcif),    cmocka_unit_test(test_alternates),
        cmocka_unit_test(test_selection),    cmocka_unit_test(test_formats),
        cmocka_unit_test(test_from_mol2),    cmocka_unit_test(test_gathers_hydrogens)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
