/* Reading Mol2: what is taken, and how each kind of broken input is refused. */
#include "io_support.h"

#include <math.h>
#include <zlib.h>

#include "base/text.h"
#include "format/mol2/mol2.h"

#define ATOMS                                                                                      \
    "@<TRIPOS>ATOM\n"                                                                              \
    "1 C1 0.5 -1.25 3.0 C.3 1 LIG1 0.1\n"                                                          \
    "2 O1 1.5 -1.25 3.0 O.3 1 LIG1 -0.4\n"                                                         \
    "3 H1 2.0 -1.25 3.0 H 1 LIG1 0.3\n"
#define BONDS    "@<TRIPOS>BOND\n1 1 2 1\n2 2 3 1\n"
#define METHANOL "@<TRIPOS>MOLECULE\nmethanol\n3 2 1 0 0\nSMALL\nGASTEIGER\n\n" ATOMS BONDS

static struct berth_mol2_reader *open_bytes(const char *bytes, size_t size)
{
    struct berth_mol2_reader *reader;
    struct berth_error error = {0};
    assert_int_equal(berth_mol2_reader_create_memory("x.mol2", bytes, size, &reader, &error),
                     BERTH_OK);
    return reader;
}

static void expect_molecule(struct berth_mol2_reader *reader, struct berth_molecule *molecule,
                            const char *title, size_t atoms, size_t bonds)
{
    struct berth_error error = {0};
    bool end = true;
    if (berth_mol2_next(reader, molecule, &end, &error)) {
        fail_msg("%s", error.message);
    }
    assert_false(end);
    assert_string_equal(molecule->title, title);
    assert_int_equal(molecule->atom_count, atoms);
    assert_int_equal(molecule->bond_count, bonds);
}

static void expect_refusal(struct berth_mol2_reader *reader, struct berth_molecule *molecule,
                           const char *message)
{
    struct berth_error error = {0};
    bool end;
    assert_int_equal(berth_mol2_next(reader, molecule, &end, &error), BERTH_E_FORMAT);
    assert_memory_equal(error.message, message, strlen(message));
    assert_int_equal(molecule->atom_count + molecule->bond_count, 0);
}

static void expect_end(struct berth_mol2_reader *reader, struct berth_molecule *molecule)
{
    struct berth_error error = {0};
    for (int i = 0; i < 2; i++) {
        bool end = false;
        assert_int_equal(berth_mol2_next(reader, molecule, &end, &error), BERTH_OK);
        assert_true(end);
    }
    berth_molecule_clear(molecule);
    berth_mol2_reader_destroy(reader);
}

/* Fails unless text is one molecule of this title and these counts. */
static void expect_only(const char *text, const char *title, size_t atoms, size_t bonds)
{
    struct berth_molecule molecule = {0};
    struct berth_mol2_reader *reader = open_bytes(text, strlen(text));
    expect_molecule(reader, &molecule, title, atoms, bonds);
    expect_end(reader, &molecule);
}

static void reads_every_field(void **state)
{
    (void)state;
    struct berth_molecule molecule = {0};
    struct berth_mol2_reader *reader = open_bytes(METHANOL, sizeof METHANOL - 1);
    expect_molecule(reader, &molecule, "methanol", 3, 2);
    assert_int_equal(molecule.line, 1);
    const struct berth_atom *atom = &molecule.atoms[1];
    assert_true(atom->position[0] == 1.5 && atom->position[1] == -1.25 && atom->position[2] == 3);
    assert_string_equal(atom->name, "O1");
    assert_string_equal(atom->type, "O.3");
    assert_string_equal(atom->residue, "LIG1");
    assert_int_equal(atom->residue_id, 1);
    assert_int_equal(atom->element, 8);
    assert_true(atom->heavy);
    assert_false(molecule.atoms[2].heavy);
    assert_int_equal(molecule.bonds[1].first, 1);
    assert_int_equal(molecule.bonds[1].second, 2);
    assert_string_equal(molecule.bonds[1].type, "1");
    assert_false(berth_mol2_is_broken(reader));
    expect_end(reader, &molecule);
}

static void takes_what_is_legal(void **state)
{
    (void)state;
    const char *base = METHANOL;
    expect_only(base, "methanol", 3, 2);
    /* comments, blank lines, CRLF, blanks behind the marks, unknown sections, no last newline */
    expect_only("# by hand\r\n\r\n@<TRIPOS>MOLECULE \r\nm  \r\n# counts\r\n 2 1\r\nSMALL\r\n"
                "@<TRIPOS>DICT\r\nATOM 1\r\n@<TRIPOS>ATOM\t\r\n# c\r\n1 A 1 2 3 C.3\r\n\r\n"
                "2\tB\t1 2 4 N.3 7\r\n@<TRIPOS>SUBSTRUCTURE\r\n 1 LIG 1\r\n"
                "@<TRIPOS>BOND\r\n1 2 1 AR",
                "m", 2, 1);
    /* only the number of atoms; no bonds */
    expect_only("@<TRIPOS>MOLECULE\nm\n1\n@<TRIPOS>ATOM\n1 A 1 2 3 C.3\n", "m", 1, 0);
    expect_only("\xef\xbb\xbf@<TRIPOS>MOLECULE\nm\n1\n@<TRIPOS>ATOM\n1 A 1 2 3 C.3\n", "m", 1, 0);
    expect_only("@<TRIPOS>MOLECULE\nm\n1\n@<TRIPOS>ATOM\n1 A 1 2 3 C.3\n@<TRIPOS>BOND\n", "m", 1,
                0);
    expect_only("text\n@<TRIPOS>MOLECULE\n\n1\n@<TRIPOS>ATOM\n1 A 1 2 3 C.3\n", "molecule_1", 1, 0);
    expect_only("@<TRIPOS>MOLECULE\n na\xc3\xafve title \t\n1\n@<TRIPOS>ATOM\n1 A 1 2 3 C.3\n",
                " na\xc3\xafve title", 1, 0);
}

/* Of the substructures that the section names and that are there: the others' stay unknown. */
static void takes_chains(void **state)
{
    (void)state;
    static const char TEXT[] =
        "@<TRIPOS>MOLECULE\nm\n4\n@<TRIPOS>ATOM\n1 N 1 2 3 N.3 1 ILE50\n"
        "2 CA 1 2 4 C.3 1 ILE50\n3 CA 1 2 5 C.3 2 ILE50\n4 CA 1 2 6 C.3 3 ILE50\n"
        "@<TRIPOS>SUBSTRUCTURE\n 1 ILE50 2 RESIDUE 1 A ILE 1\n 2 ILE50 3 RESIDUE 1 B\n"
        " 3 ILE50 4 RESIDUE 1 **** **** 0\n 3 ILE50 9 RESIDUE 1 C\nodd line\n"
        "@<TRIPOS>MOLECULE\nn\n1\n@<TRIPOS>ATOM\n1 N 1 2 3 N.3 1 ILE50\n";
    static const char *const CHAINS[] = {"A", "A", "B", ""};
    struct berth_molecule molecule = {0};
    struct berth_mol2_reader *reader = open_bytes(TEXT, sizeof TEXT - 1);
    expect_molecule(reader, &molecule, "m", 4, 0);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(molecule.atoms[i].chain, CHAINS[i]);
    }
    expect_molecule(reader, &molecule, "n", 1, 0);
    assert_string_equal(molecule.atoms[0].chain, "");
    expect_end(reader, &molecule);
}

static void maps_atom_numbers(void **state)
{
    (void)state;
    static const char TEXT[] = "@<TRIPOS>MOLECULE\nm\n3 2\n@<TRIPOS>ATOM\n"
                               "30 A 1 2 3 C.3\n0 B 1 2 4 C.3\n7 C 1 2 5 C.3\n"
                               "@<TRIPOS>BOND\n1 7 30 1\n2 0 7 am\n";
    struct berth_molecule molecule = {0};
    struct berth_mol2_reader *reader = open_bytes(TEXT, sizeof TEXT - 1);
    expect_molecule(reader, &molecule, "m", 3, 2);
    assert_int_equal(molecule.bonds[0].first, 2);
    assert_int_equal(molecule.bonds[0].second, 0);
    assert_int_equal(molecule.bonds[1].first, 1);
    assert_int_equal(molecule.bonds[1].second, 2);
    expect_end(reader, &molecule);
}

static void knows_heavy_atoms(void **state)
{
    (void)state;
    static const char TEXT[] = "@<TRIPOS>MOLECULE\nm\n9\n@<TRIPOS>ATOM\n"
                               "1 A 0 0 0 H\n2 A 0 0 0 H.spc\n3 A 0 0 0 D\n4 A 0 0 0 T\n"
                               "5 A 0 0 0 LP\n6 A 0 0 0 Lp\n7 A 0 0 0 Du\n8 A 0 0 0 Xx\n"
                               "9 A 0 0 0 Hg\n";
    struct berth_molecule molecule = {0};
    struct berth_mol2_reader *reader = open_bytes(TEXT, sizeof TEXT - 1);
    expect_molecule(reader, &molecule, "m", 9, 0);
    for (int i = 0; i < 9; i++) {
        assert_int_equal(molecule.atoms[i].heavy, i >= 6);
    }
    assert_int_equal(molecule.atoms[7].element, 0);
    expect_end(reader, &molecule);
}

/* The fast path and strtod must agree to the last bit. */
/* Types of GAFF and Amber: elements by these where atoms are bonded, and none where SYBYL's are. */
static void knows_amber_types(void **state)
{
    (void)state;
    static const struct {
        const char *types[4], *elements[4], *order; /* 1 and 2 are bonded, and 2 and 3 */
        bool foreign, lacks_orders;
    } CASES[] = {{{"ca", "nb", "ho", "na"}, {"C", "N", "H", "Na"}, "ar", true, false},
                 {{"cl", "c3", "h1", "zn"}, {"Cl", "C", "H", "Zn"}, "1", true, false},
                 {{"OS", "CT", "H1", "CA"}, {"O", "C", "H", "Ca"}, "1", true, false},
                 {{"O", "C", "HA", "K"}, {"O", "C", "H", "K"}, "1", true, true},
                 {{"CA", "NA", "C.3", "OS"}, {"Ca", "Na", "C", "Os"}, "1", false, false},
                 {{"C", "O", "H", "CA"}, {"C", "O", "H", "Ca"}, "1", false, false}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct berth_molecule molecule = {0};
        char text[512] = "@<TRIPOS>MOLECULE\nm\n4 2\n@<TRIPOS>ATOM\n";
        for (int k = 0; k < 4; k++) {
            berth_text_append(text, sizeof text, "%d A 0 0 %d %s\n", k + 1, k, CASES[i].types[k]);
        }
        berth_text_append(text, sizeof text, "@<TRIPOS>BOND\n1 1 2 %s\n2 2 3 1\n", CASES[i].order);
        struct berth_mol2_reader *reader = open_bytes(text, strlen(text));
        expect_molecule(reader, &molecule, "m", 4, 2);
        assert_int_equal(molecule.foreign_types, CASES[i].foreign);
        assert_int_equal(molecule.lacks_orders, CASES[i].lacks_orders);
        for (int k = 0; k < 4; k++) {
            assert_string_equal(berth_element_symbol(molecule.atoms[k].element),
                                CASES[i].elements[k]);
            assert_int_equal(molecule.atoms[k].heavy, molecule.atoms[k].element != 1);
        }
        expect_end(reader, &molecule);
    }
}

static void reads_numbers_exactly(void **state)
{
    (void)state;
    static const char *const NUMBERS[] = {"0",
                                          "-0",
                                          "+1",
                                          "5.",
                                          ".5",
                                          "-.25",
                                          "0.1",
                                          "1234.5678",
                                          "-9999.9999",
                                          "0.000001",
                                          "3.14159265358979",
                                          "3.141592653589793",
                                          "3.1415926535897932384626",
                                          "1e3",
                                          "-1.5E-3",
                                          "123456789012345e-12",
                                          "00000000000000000001.5",
                                          "0.30000000000000004"};
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++) {
        char text[256];
        snprintf(text, sizeof text, "@<TRIPOS>MOLECULE\nm\n1\n@<TRIPOS>ATOM\n1 A %s 2 3 C.3\n",
                 NUMBERS[i]);
        struct berth_molecule molecule = {0};
        struct berth_mol2_reader *reader = open_bytes(text, strlen(text));
        expect_molecule(reader, &molecule, "m", 1, 0);
        assert_true(molecule.atoms[0].position[0] == strtod(NUMBERS[i], NULL));
        expect_end(reader, &molecule);
    }
}

#define WITH_ATOM(line) "@<TRIPOS>MOLECULE\nbad\n1 0\nSMALL\n@<TRIPOS>ATOM\n" line "\n"
#define WITH_BOND(line) "@<TRIPOS>MOLECULE\nbad\n3 1\nSMALL\n" ATOMS "@<TRIPOS>BOND\n" line "\n"

/* Each is followed by a good molecule, which must come next. */
static void refuses_and_goes_on(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } CASES[] = {
        {"@<TRIPOS>MOLECULE\n",
         "x.mol2:2: molecule molecule_1: its title and counts are missing; write it again"},
        {"@<TRIPOS>MOLECULE\nbad\n",
         "x.mol2:3: molecule bad: its counts line is missing; write it again"},
        {"@<TRIPOS>MOLECULE\nbad\nSMALL\n",
         "x.mol2:3: molecule bad: 'SMALL' stands where the number of atoms belongs; the second "
         "line of a molecule must hold its counts"},
        {"@<TRIPOS>MOLECULE\nbad\n1 x\n",
         "x.mol2:3: molecule bad: 'x' is not a number of bonds; correct the counts line"},
        {"@<TRIPOS>MOLECULE\nbad\n0 0 0\n@<TRIPOS>ATOM\n", "x.mol2:3: molecule bad: "},
        {"@<TRIPOS>MOLECULE\nbad\n1000001 0\n",
         "x.mol2:3: molecule bad: 1000001 atoms and 0 bonds are more than 1000000 and 4000000, "
         "the most that are read; correct the counts line or cut the structure down"},
        {"@<TRIPOS>MOLECULE\nbad\n99999999999999999999 0\n",
         "x.mol2:3: molecule bad: '99999999999999999999' stands where the number of atoms "
         "belongs; the second line of a molecule must hold its counts"},
        {"@<TRIPOS>MOLECULE\nbad\n1 0\nSMALL\n", "x.mol2:5: molecule bad: "},
        {"@<TRIPOS>MOLECULE\nbad\n2 0\n" ATOMS,
         "x.mol2:8: molecule bad: the counts line says 2 atoms, but the ATOM section holds 3; "
         "write the molecule again"},
        {"@<TRIPOS>MOLECULE\nbad\n3 2\n" ATOMS, "x.mol2:8: molecule bad: "},
        {"@<TRIPOS>MOLECULE\nbad\n3 3\n" ATOMS BONDS,
         "x.mol2:11: molecule bad: its BOND section holds 2 bonds, but the counts line says 3; "
         "write the molecule again"},
        {"@<TRIPOS>MOLECULE\nbad\n3 2\n" BONDS ATOMS,
         "x.mol2:4: molecule bad: its BOND section stands in front of the ATOM section; move it"},
        {"@<TRIPOS>MOLECULE\nbad\n3 2\n" ATOMS ATOMS,
         "x.mol2:8: molecule bad: a second ATOM section; a molecule has one"},
        {"@<TRIPOS>MOLECULE\nbad\n3 2\n" ATOMS BONDS BONDS,
         "x.mol2:11: molecule bad: a second BOND section; a molecule has one"},
        {WITH_ATOM("x A 1 2 3 C.3"), "x.mol2:6: molecule bad: 'x' is not an atom number; an atom "
                                     "line must begin with it"},
        {WITH_ATOM("1 A 1 2"), "x.mol2:6: molecule bad: the atom line ends early; number, name, "
                               "x, y, z and type are needed"},
        {WITH_ATOM("1 A 1 2 3"), "x.mol2:6: molecule bad: atom A has no type; it belongs behind "
                                 "the coordinates"},
        {WITH_ATOM("1 A 1 nan 3 C.3"), "x.mol2:6: molecule bad: atom A: "},
        {WITH_ATOM("1 A inf 2 3 C.3"), "x.mol2:6: molecule bad: atom A: "},
        {WITH_ATOM("1 A 0x10 2 3 C.3"), "x.mol2:6: molecule bad: atom A: "},
        {WITH_ATOM("1 A 1e999 2 3 C.3"), "x.mol2:6: molecule bad: atom A: "},
        {WITH_ATOM("1 A **** 2 3 C.3"), "x.mol2:6: molecule bad: atom A: "},
        {WITH_ATOM("1 A 1 2 -10000.1 C.3"), "x.mol2:6: molecule bad: atom A: "},
        {WITH_ATOM("1 ABCDEFGHIJKLMNOP 1 2 3 C.3"),
         "x.mol2:6: molecule bad: the atom name 'ABCDEFGHIJKLMNOP' is longer than 15 characters; "
         "shorten it"},
        {WITH_ATOM("1 A 1 2 3 C.aaaaaaaaaaaaaaaa"),
         "x.mol2:6: molecule bad: atom A: the type 'C.aaaaaaaaaaaaaaaa' is longer than 15 "
         "characters"},
        {WITH_ATOM("1 A 1 2 3 C.3 LIG"), "x.mol2:6: molecule bad: atom A: 'LIG' is not a "
                                         "substructure number; the column behind the type must "
                                         "hold one"},
        {WITH_ATOM("1 A 1 2 3 C.3 \\\n1 LIG"), "x.mol2:6: molecule bad: a line that goes on "
                                               "behind a backslash is not supported; join the two "
                                               "lines"},
        {"@<TRIPOS>MOLECULE\nbad\n2 0\n@<TRIPOS>ATOM\n5 A 1 2 3 C.3\n5 B 1 2 4 C.3\n",
         "x.mol2:7: molecule bad: two atoms have the number 5; number the atoms differently"},
        {WITH_BOND("1 1 4 1"), "x.mol2:10: molecule bad: "},
        {WITH_BOND("1 0 1 1"), "x.mol2:10: molecule bad: "},
        {WITH_BOND("1 -2 1 1"), "x.mol2:10: molecule bad: "},
        {WITH_BOND("1 2 2 1"), "x.mol2:10: molecule bad: a bond of atom 2 with itself; remove it"},
        {WITH_BOND("1 2 3"), "x.mol2:10: molecule bad: a bond without a type; it belongs behind "
                             "the two atoms"},
        {WITH_BOND("1 2"), "x.mol2:10: molecule bad: the bond line ends early; number, two atoms "
                           "and type are needed"},
        {WITH_BOND("1 2 3 4"), "x.mol2:10: molecule bad: '4' is not a bond type; 1, 2, 3, ar, am, "
                               "du, un and nc are known"},
        {"@<TRIPOS>MOLECULE\nbad\n3 2\n" ATOMS "@<TRIPOS>BOND\n1 1 2 1\n2 2 1 2\n",
         "x.mol2:11: molecule bad: two bonds between atoms C1 and O1; remove one"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[2048];
        struct berth_molecule molecule = {0};
        int length = snprintf(text, sizeof text, "%s%s", CASES[i].text, METHANOL);
        struct berth_mol2_reader *reader = open_bytes(text, (size_t)length);
        expect_refusal(reader, &molecule, CASES[i].message);
        assert_false(berth_mol2_is_broken(reader));
        expect_molecule(reader, &molecule, "methanol", 3, 2);
        expect_end(reader, &molecule);
    }
}

/* The end of the file inside a molecule; the good one in front of it comes first. */
static void tells_truncation(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } CASES[] = {{"@<TRIPOS>MOLECULE\n", "x.mol2:14: molecule molecule_2: "},
                 {"@<TRIPOS>MOLECULE\nlast\n",
                  "x.mol2:15: molecule last: its counts line is missing; write it again"},
                 {"@<TRIPOS>MOLECULE\nlast\n4 2\n" ATOMS, "x.mol2:20: molecule last: "},
                 {"@<TRIPOS>MOLECULE\nlast\n3 4\n" ATOMS BONDS, "x.mol2:23: molecule last: "}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[2048];
        struct berth_molecule molecule = {0};
        int length = snprintf(text, sizeof text, "%s%s", METHANOL, CASES[i].text);
        struct berth_mol2_reader *reader = open_bytes(text, (size_t)length);
        expect_molecule(reader, &molecule, "methanol", 3, 2);
        expect_refusal(reader, &molecule, CASES[i].message);
        assert_non_null(molecule.title);
        expect_end(reader, &molecule);
    }
}

static void refuses_other_files(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        const char *message;
    } CASES[] = {{"", 0, "x.mol2: "},
                 {"ATOM      1  N   PRO A   1\n", 27, "x.mol2: "},
                 {"\n\n", 2, "x.mol2: "},
                 {"\x7f\x45LF\0\1", 6, "x.mol2:1: "},
                 {"\xff\xfd\x80\x81 garbage \x01\x02", 15, "x.mol2: "}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct berth_molecule molecule = {0};
        struct berth_mol2_reader *reader = open_bytes(CASES[i].bytes, CASES[i].size);
        expect_refusal(reader, &molecule, CASES[i].message);
        assert_true(berth_mol2_is_broken(reader));
        expect_end(reader, &molecule);
    }
}

static void keeps_long_titles(void **state)
{
    (void)state;
    char title[3001], text[4096];
    memset(title, 't', sizeof title - 1);
    title[sizeof title - 1] = '\0';
    snprintf(text, sizeof text, "@<TRIPOS>MOLECULE\n%s\n1\n@<TRIPOS>ATOM\n1 A 1 2 3 C.3\n", title);
    expect_only(text, title, 1, 0);
}

/* A lying counts line must not cost memory; the molecule grows past the first allocation. */
static void grows_with_the_lines(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    char *text = malloc(COUNT * 64 + 100);
    assert_non_null(text);
    int length = sprintf(text, "@<TRIPOS>MOLECULE\nbig\n%d %d\n@<TRIPOS>ATOM\n", COUNT, COUNT - 1);
    for (int i = 1; i <= COUNT; i++) {
        length += sprintf(text + length, "%d A %d.5 0 0 C.3\n", i, i);
    }
    length += sprintf(text + length, "@<TRIPOS>BOND\n");
    for (int i = 1; i < COUNT; i++) {
        length += sprintf(text + length, "%d %d %d 1\n", i, i, i + 1);
    }
    struct berth_molecule molecule = {0};
    struct berth_mol2_reader *reader = open_bytes(text, (size_t)length);
    expect_molecule(reader, &molecule, "big", COUNT, COUNT - 1);
    assert_true(molecule.atoms[COUNT - 1].position[0] == COUNT + 0.5);
    expect_end(reader, &molecule);
    free(text);
}

static void gives_what_truncated_gzip_holds(void **state)
{
    (void)state;
    char directory[PATH_SIZE], path[PATH_SIZE], title[32];
    make_scratch(directory);
    join(path, directory, "cut.mol2.gz");
    gzFile file = gzopen(path, "wb");
    assert_non_null(file);
    for (int i = 1; i <= 5000; i++) {
        assert_true(gzprintf(file, "@<TRIPOS>MOLECULE\nm%d\n3 2\n%s%s", i, ATOMS, BONDS) > 0);
    }
    assert_int_equal(gzclose(file), Z_OK);
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(truncate(path, facts.st_size * 3 / 4), 0);
    struct berth_mol2_reader *reader;
    struct berth_molecule molecule = {0};
    struct berth_error error = {0};
    assert_int_equal(berth_mol2_reader_create(path, &reader, &error), BERTH_OK);
    int count = 0;
    bool end;
    while (!berth_mol2_next(reader, &molecule, &end, &error)) {
        snprintf(title, sizeof title, "m%d", ++count);
        assert_string_equal(molecule.title, title);
    }
    assert_in_range(count, 2000, 4900);
    assert_int_equal(error.status, BERTH_E_FORMAT);
    assert_non_null(strstr(error.message, "the gzip data is truncated or corrupt ("));
    assert_true(berth_mol2_is_broken(reader));
    expect_end(reader, &molecule);
    unlink(path);
    rmdir(directory);
}

static void reads_one(void **state)
{
    (void)state;
    char directory[PATH_SIZE], path[PATH_SIZE], message[PATH_SIZE + 100];
    struct berth_molecule molecule = {0};
    struct berth_error error = {0};
    make_scratch(directory);
    join(path, directory, "one.mol2");
    write_file(path, METHANOL, sizeof METHANOL - 1);
    assert_int_equal(berth_mol2_read_one(path, true, &molecule, &error), BERTH_OK);
    assert_string_equal(molecule.title, "methanol");
    write_file(path, METHANOL METHANOL, 2 * (sizeof METHANOL - 1));
    assert_int_equal(berth_mol2_read_one(path, false, &molecule, &error), BERTH_OK);
    assert_int_equal(berth_mol2_read_one(path, true, &molecule, &error), BERTH_E_FORMAT);
    snprintf(message, sizeof message, "%s:14: ", path);
    assert_memory_equal(error.message, message, strlen(message));
    assert_null(molecule.title);
    assert_int_equal(berth_mol2_read_one("/nowhere", true, &molecule, &error), BERTH_E_IO);
    unlink(path);
    rmdir(directory);
}

static void reads_reference_files(void **state)
{
    (void)state;
    char path[PATH_SIZE], name[64];
    struct berth_molecule molecule = {0};
    struct berth_error error = {0};
    reference(path, "bude/1gcz/receptor.mol2");
    assert_int_equal(berth_mol2_read_one(path, true, &molecule, &error), BERTH_OK);
    assert_int_equal(molecule.atom_count, 2672);
    assert_int_equal(molecule.bond_count, 2736);
    assert_string_equal(molecule.atoms[0].residue, "PRO1");
    int conformers = 0;
    for (int ligand = 1; ligand <= 16; ligand++) {
        snprintf(name, sizeof name, "bude/1gcz/reference/ligand%02d.mol2", ligand);
        reference(path, name);
        struct berth_mol2_reader *reader;
        bool end = false;
        assert_int_equal(berth_mol2_reader_create(path, &reader, &error), BERTH_OK);
        for (;;) {
            assert_int_equal(berth_mol2_next(reader, &molecule, &end, &error), BERTH_OK);
            if (end) {
                break;
            }
            conformers++;
        }
        berth_mol2_reader_destroy(reader);
    }
    assert_int_equal(conformers, 471);
    berth_molecule_clear(&molecule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_every_field),
                                       cmocka_unit_test(takes_what_is_legal),
                                       cmocka_unit_test(takes_chains),
                                       cmocka_unit_test(maps_atom_numbers),
                                       cmocka_unit_test(knows_heavy_atoms),
                                       cmocka_unit_test(knows_amber_types),
                                       cmocka_unit_test(reads_numbers_exactly),
                                       cmocka_unit_test(refuses_and_goes_on),
                                       cmocka_unit_test(tells_truncation),
                                       cmocka_unit_test(refuses_other_files),
                                       cmocka_unit_test(keeps_long_titles),
                                       cmocka_unit_test(grows_with_the_lines),
                                       cmocka_unit_test(gives_what_truncated_gzip_holds),
                                       cmocka_unit_test(reads_one),
                                       cmocka_unit_test(reads_reference_files)};
    return cmocka_run_group_tests_name("mol2", tests, NULL, NULL);
}
