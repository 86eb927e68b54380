/* Types of receptor atoms, what is wrong with models, receptor files, pockets. */
#include "io_support.h"

#include <math.h>

#include "format/pdb/pdb.h"
#include "format/receptor_file.h"
#include "chem/cells.h"
#include "chem/pockets.h"
#include "prep/receptor/prepare_structure.h"
#include "chem/residue_types.h"

/* --- structures of a few atoms --- */

/* One line: name as in columns 13 to 16, residue, chain and number, place. */
static char *add_line(char *text, const char *name, const char *residue, const char *place,
                      const double at[3])
{
    return text + sprintf(text, "ATOM      1 %-4s %3s %-6s   %8.3f%8.3f%8.3f\n", name, residue,
                          place, at[0], at[1], at[2]);
}

static void read_lines(const char *text, struct berth_structure *structure)
{
    struct berth_text_reader *reader;
    struct berth_error error;
    memset(structure, 0, sizeof *structure);
    assert_int_equal(berth_text_reader_create_memory("in", text, strlen(text), &reader, &error),
                     BERTH_OK);
    assert_int_equal(berth_pdb_read(reader, false, structure, &error), BERTH_OK);
    berth_text_reader_destroy(reader);
    structure->title = calloc(1, 8);
    assert_non_null(structure->title);
    memcpy(structure->title, "test", 4);
}

/* "type" of the atom of this name in residue number `number`. */
static const char *type_of(const struct berth_structure *structure, int number, const char *name)
{
    for (size_t i = 0; i < structure->count; i++) {
        if (structure->atoms[i].residue.number == number &&
            strcmp(structure->atoms[i].name, name) == 0) {
            return structure->atoms[i].type;
        }
    }
    fail_msg("no atom %s", name);
    return NULL;
}

/* Each row: name, residue, chain and number, x, y, z. */
struct row {
    const char *name, *residue, *place;
    double at[3];
};

static void build(const struct row *rows, size_t count, struct berth_structure *structure,
                  struct berth_receptor_typing *typing)
{
    char text[8192], *end = text;
    for (size_t i = 0; i < count; i++) {
        end = add_line(end, rows[i].name, rows[i].residue, rows[i].place, rows[i].at);
    }
    read_lines(text, structure);
    assert_int_equal(berth_receptor_type(structure, typing, NULL), BERTH_OK);
}

#define BUILD(rows, structure, typing) build(rows, sizeof rows / sizeof *rows, structure, typing)

static void test_table(void **state)
{
    (void)state;
    char type[8];
    const struct berth_residue_type *arginine = berth_residue_type_find("ARG");
    assert_true(berth_residue_atom_type(arginine, "CZ", type));
    assert_string_equal(type, "C.cat");
    assert_true(berth_residue_atom_type(arginine, "N", type));
    assert_string_equal(type, "N.am");
    assert_false(berth_residue_atom_type(arginine, "OG", type));
    assert_true(berth_residue_atom_type(berth_residue_type_find("DA"), "O2'", type));
    assert_string_equal(type, "O.3h");
    assert_string_equal(berth_residue_type_find("HSE")->name, "HIE");
    assert_string_equal(berth_residue_type_find("LY+")->name, "LYS");
    assert_null(berth_residue_type_find("LIG"));
    assert_null(berth_residue_type_find(""));
    assert_true(berth_is_water_name("HOH") && !berth_is_water_name("HO"));
    assert_true(berth_is_additive_name("SO4") && !berth_is_additive_name("HEM"));
    assert_true(berth_is_metal(30) && berth_is_metal(11) && !berth_is_metal(6) &&
                !berth_is_metal(16) && !berth_is_metal(34));
}

static void test_ends(void **state)
{
    (void)state;
    struct berth_structure structure;
    struct berth_receptor_typing typing;
    /* 1 is the start, 2 goes on, 5 stands behind a gap and ends; B begins with a cap. */
    static const struct row ROWS[] = {
        {" N", "ALA", "A   1", {0, 0, 0}},  {" O", "ALA", "A   1", {2, 0, 0}},
        {" C", "ALA", "A   1", {3, 0, 0}},  {" N", "SER", "A   2", {4.3, 0, 0}},
        {" OG", "SER", "A   2", {6, 0, 0}}, {" N", "ALA", "A   5", {20, 0, 0}},
        {" O", "ALA", "A   5", {22, 0, 0}}, {" OXT", "ALA", "A   5", {24, 0, 0}},
        {" C", "ACE", "B   7", {30, 0, 0}}, {" N", "ALA", "B   8", {31.3, 0, 0}},
        {" N", "ALA", "C   9", {40, 0, 0}}, {"ZN", " ZN", "C  10", {50, 0, 0}},
        {"FE", " FE", "C  11", {60, 0, 0}}, {" C1", "LIG", "C  12", {70, 0, 0}}};
    BUILD(ROWS, &structure, &typing);
    assert_string_equal(type_of(&structure, 1, "N"), "N.4");
    assert_string_equal(type_of(&structure, 1, "O"), "O.2");
    assert_string_equal(type_of(&structure, 2, "N"), "N.am");
    assert_string_equal(type_of(&structure, 2, "OG"), "O.3h");
    assert_string_equal(type_of(&structure, 5, "N"), "N.am");
    assert_string_equal(type_of(&structure, 5, "O"), "O.co2");
    assert_string_equal(type_of(&structure, 5, "OXT"), "O.co2");
    assert_string_equal(type_of(&structure, 8, "N"), "N.am");
    assert_string_equal(type_of(&structure, 9, "N"), "N.4");
    assert_string_equal(type_of(&structure, 10, "ZN"), "Zn");
    assert_string_equal(type_of(&structure, 11, "FE"), "Fe.2");
    assert_string_equal(type_of(&structure, 12, "C1"), "");
    size_t typed = 0;
    for (size_t i = 0; i < structure.count; i++) {
        typed += *structure.atoms[i].type != '\0';
    }
    assert_int_equal(typed, 13);
    berth_structure_clear(&structure);
}

/* A file without chains, whose numbers begin again: the second 1 is a start. */
static void test_blank_chains(void **state)
{
    (void)state;
    struct berth_structure structure;
    struct berth_receptor_typing typing;
    static const struct row ROWS[] = {{" N", "ALA", "    1", {0, 0, 0}},
                                      {" N", "ALA", "    2", {9, 0, 0}},
                                      {" N", "GLY", "    1", {20, 0, 0}}};
    BUILD(ROWS, &structure, &typing);
    assert_string_equal(structure.atoms[0].type, "N.4");
    assert_string_equal(structure.atoms[1].type, "N.am");
    assert_string_equal(structure.atoms[2].type, "N.4");
    berth_structure_clear(&structure);
}

static void test_histidines(void **state)
{
    (void)state;
    struct berth_structure structure;
    struct berth_receptor_typing typing;
    static const struct row ROWS[] = {{" ND1", "HIS", "A   1", {0, 0, 0}},
                                      {" NE2", "HIS", "A   1", {2, 0, 0}}, /* nothing said */
                                      {" ND1", "HIS", "A   2", {10, 0, 0}},
                                      {" NE2", "HIS", "A   2", {12, 0, 0}},
                                      {" HE2", "HIS", "A   2", {13, 0, 0}},
                                      {" ND1", "HIS", "A   3", {20, 0, 0}},
                                      {" NE2", "HIS", "A   3", {22, 0, 0}},
                                      {" HE2", "HIS", "A   3", {23, 0, 0}},
                                      {" HD1", "HIS", "A   3", {19, 0, 0}},
                                      {" ND1", "HIS", "A   4", {30, 0, 0}},
                                      {" NE2", "HIS", "A   4", {32, 0, 0}},
                                      {"ZN", " ZN", "A   5", {28, 0, 0}}, /* at the ND1 of 4 */
                                      {" ND1", "HSE", "A   6", {40, 0, 0}},
                                      {" NE2", "HSE", "A   6", {42, 0, 0}}};
    BUILD(ROWS, &structure, &typing);
    static const struct {
        int number;
        const char *delta, *epsilon;
    } EXPECTED[] = {{1, "N.pl3", "N.2"},
                    {2, "N.2", "N.pl3"},
                    {3, "N.pl3", "N.pl3"},
                    {4, "N.2", "N.pl3"},
                    {6, "N.2", "N.pl3"}};
    for (size_t i = 0; i < sizeof EXPECTED / sizeof *EXPECTED; i++) {
        assert_string_equal(type_of(&structure, EXPECTED[i].number, "ND1"), EXPECTED[i].delta);
        assert_string_equal(type_of(&structure, EXPECTED[i].number, "NE2"), EXPECTED[i].epsilon);
    }
    assert_string_equal(structure.atoms[2].residue.name, "HIE"); /* as by-residue sets call it */
    berth_structure_clear(&structure);
}

static void test_acids_and_modified(void **state)
{
    (void)state;
    struct berth_structure structure;
    struct berth_receptor_typing typing;
    static const struct row ROWS[] = {
        {" OD1", "ASP", "A   1", {0, 0, 0}},  {" OD2", "ASP", "A   1", {2, 0, 0}},
        {" OD1", "ASP", "A   2", {10, 0, 0}}, {" OD2", "ASP", "A   2", {12, 0, 0}},
        {" HD2", "ASP", "A   2", {13, 0, 0}}, {" C", "ALA", "A   3", {20, 0, 0}},
        {" N", "CSX", "A   4", {21.3, 0, 0}}, {" CA", "CSX", "A   4", {22, 1, 0}},
        {" C", "CSX", "A   4", {23, 0, 0}},   {" O", "CSX", "A   4", {23, -1.2, 0}},
        {" SG", "CSX", "A   4", {22, 3, 0}}};
    BUILD(ROWS, &structure, &typing);
    assert_string_equal(type_of(&structure, 1, "OD1"), "O.co2");
    assert_string_equal(type_of(&structure, 2, "OD1"), "O.2");
    assert_string_equal(type_of(&structure, 2, "OD2"), "O.3h");
    assert_string_equal(type_of(&structure, 4, "N"), "N.am");
    assert_string_equal(type_of(&structure, 4, "C"), "C.2");
    assert_string_equal(type_of(&structure, 4, "SG"), "");
    berth_structure_clear(&structure);
}

/* --- remarks --- */

struct heard {
    char text[2048];
};

static void hear(void *context, const struct berth_log_line *line)
{
    const char *text = line->text;
    struct heard *heard = context;
    assert_true(strlen(heard->text) + strlen(text) + 2 < sizeof heard->text);
    strcat(strcat(heard->text, text), "\n");
}

static void test_checks(void **state)
{
    (void)state;
    struct berth_structure structure;
    struct berth_receptor_typing typing;
    static const struct row ROWS[] = {
        {" N", "GLY", "A   1", {0, 0, 0}},       {" CA", "GLY", "A   1", {1.5, 0, 0}},
        {" C", "GLY", "A   1", {3, 0, 0}},       {" O", "GLY", "A   1", {3, 1.2, 0}},
        {" N", "ALA", "A   4", {13, 0, 0}},      {" CA", "ALA", "A   4", {14.5, 0, 0}},
        {" C", "ALA", "A   4", {16, 0, 0}},      {" OT1", "ALA", "A   4", {16, 1.2, 0}},
        {" OT2", "ALA", "A   4", {16, -1.2, 0}}, {" C1", "LIG", "A   5", {16, -1.0, 0}}};
    BUILD(ROWS, &structure, &typing);
    struct heard heard = {""};
    const struct berth_log log = {hear, &heard};
    assert_int_equal(berth_receptor_check(&structure, NULL, &log, NULL), BERTH_OK);
    assert_string_equal(heard.text,
                        "1 residue lacks atoms: ALA A:4 (CB)\n"
                        "the chain is broken between GLY A:1 and ALA A:4\n"
                        "OT2 of ALA A:4 and C1 of LIG A:5 lie 0.20 \xc3\x85 apart: leave one of "
                        "them out\n");
    const struct berth_site at = {{14, 3, 0}, {6, 6, 6}, false},
                            far = {{40, 3, 0}, {6, 6, 6}, false};
    heard.text[0] = '\0';
    assert_int_equal(berth_receptor_check(&structure, &at, &log, NULL), BERTH_OK);
    assert_non_null(
        strstr(heard.text, "1 residue that may line the site lacks atoms: ALA A:4 (CB)"));
    assert_null(strstr(heard.text, "away from the site"));
    assert_non_null(
        strstr(heard.text, "the chain is broken between GLY A:1 and ALA A:4, in the site\n"));
    heard.text[0] = '\0';
    assert_int_equal(berth_receptor_check(&structure, &far, &log, NULL), BERTH_OK);
    assert_non_null(strstr(heard.text, "1 residue away from the site lacks atoms: ALA A:4 (CB)"));
    assert_non_null(strstr(
        heard.text,
        "the chain is broken between GLY A:1 and ALA A:4, 24 \xc3\x85 away from the site\n"));
    assert_null(strstr(heard.text, "may line"));
    berth_structure_clear(&structure);
}

/* S-adenosylmethionine has N, CA, C and O, but is no link of a chain; a modified amino acid is. */
static void test_links(void **state)
{
    (void)state;
    struct berth_structure structure;
    struct berth_receptor_typing typing;
    static const struct row ROWS[] = {
        {" N", "GLY", "A   1", {0, 0, 0}},   {" CA", "GLY", "A   1", {1.5, 0, 0}},
        {" C", "GLY", "A   1", {3, 0, 0}},   {" O", "GLY", "A   1", {3, 1.2, 0}},
        {" N", "XYZ", "A   2", {4.3, 0, 0}}, {" CA", "XYZ", "A   2", {5.8, 0, 0}},
        {" C", "XYZ", "A   2", {7.3, 0, 0}}, {" O", "XYZ", "A   2", {7.3, 1.2, 0}},
        {" N", "BTN", "A   3", {40, 0, 0}},  {" CA", "BTN", "A   3", {41.5, 0, 0}},
        {" C", "BTN", "A   3", {43, 0, 0}},  {" O", "BTN", "A   3", {43, 1.2, 0}},
        {" N", "GLY", "A   9", {20, 0, 0}},  {" CA", "GLY", "A   9", {21.5, 0, 0}},
        {" C", "GLY", "A   9", {23, 0, 0}},  {" O", "GLY", "A   9", {23, 1.2, 0}}};
    BUILD(ROWS, &structure, &typing);
    struct heard heard = {""};
    const struct berth_log log = {hear, &heard};
    assert_int_equal(berth_receptor_check(&structure, NULL, &log, NULL), BERTH_OK);
    assert_string_equal(heard.text, "the chain is broken between XYZ A:2 and GLY A:9\n");
    berth_structure_clear(&structure);
}

/* A modified residue whose atoms have lost their names, as a PDBQT's UNK, bonds those beside it;
 * one that lies elsewhere does not. */
static void test_unnamed_link(void **state)
{
    (void)state;
    struct berth_structure structure;
    struct berth_receptor_typing typing;
    static struct row ROWS[] = {
        {" N", "GLY", "A   1", {0, 0, 0}},     {" CA", "GLY", "A   1", {1.5, 0, 0}},
        {" C", "GLY", "A   1", {3, 0, 0}},     {" O", "GLY", "A   1", {3, 1.2, 0}},
        {" N", "UNK", "A   2", {4.3, 0, 0}},   {" C", "UNK", "A   2", {5.8, 0, 0}},
        {" C", "UNK", "A   2", {7.3, 0, 0}},   {" N", "GLY", "A   3", {8.6, 0, 0}},
        {" CA", "GLY", "A   3", {10.1, 0, 0}}, {" C", "GLY", "A   3", {11.6, 0, 0}},
        {" O", "GLY", "A   3", {11.6, 1.2, 0}}};
    for (int apart = 0; apart < 2; apart++) {
        ROWS[6].at[1] = apart ? 30 : 0;
        BUILD(ROWS, &structure, &typing);
        struct heard heard = {""};
        const struct berth_log log = {hear, &heard};
        assert_int_equal(berth_receptor_check(&structure, NULL, &log, NULL), BERTH_OK);
        assert_string_equal(heard.text,
                            apart ? "the chain is broken between GLY A:1 and GLY A:3\n" : "");
        berth_structure_clear(&structure);
    }
}

/* However many places there are, one line tells of them. */
static void test_breaks(void **state)
{
    (void)state;
    struct berth_structure structure;
    struct berth_receptor_typing typing;
    static const struct row ROWS[] = {
        {" N", "GLY", "A   1", {0, 0, 0}},  {" CA", "GLY", "A   1", {1.5, 0, 0}},
        {" C", "GLY", "A   1", {3, 0, 0}},  {" O", "GLY", "A   1", {3, 1.2, 0}},
        {" N", "GLY", "A   4", {13, 0, 0}}, {" CA", "GLY", "A   4", {14.5, 0, 0}},
        {" C", "GLY", "A   4", {16, 0, 0}}, {" O", "GLY", "A   4", {16, 1.2, 0}},
        {" N", "GLY", "A   9", {30, 0, 0}}, {" CA", "GLY", "A   9", {31.5, 0, 0}},
        {" C", "GLY", "A   9", {33, 0, 0}}, {" O", "GLY", "A   9", {33, 1.2, 0}}};
    BUILD(ROWS, &structure, &typing);
    struct heard heard = {""};
    const struct berth_log log = {hear, &heard};
    const struct berth_site site = {{40, 3, 0}, {6, 6, 6}, false};
    assert_int_equal(berth_receptor_check(&structure, NULL, &log, NULL), BERTH_OK);
    assert_int_equal(berth_receptor_check(&structure, &site, &log, NULL), BERTH_OK);
    assert_string_equal(heard.text,
                        "chains are broken at 2 places, the first between GLY A:1 and GLY A:4\n"
                        "chains are broken at 2 places, the nearest to the site between GLY A:4 "
                        "and GLY A:9, 7 \xc3\x85 away from the site\n");
    berth_structure_clear(&structure);
}

/* --- receptor files --- */

static void make_receptor(struct berth_receptor *receptor)
{
    struct berth_structure structure;
    struct berth_receptor_typing typing;
    static const struct row ROWS[] = {{" N", "GLY", "A  -1B", {0.125, -2, 3.001}},
                                      {" HA", "GLY", "A  -1B", {1, 2, 3}},
                                      {" CA", "GLY", "A  -1B", {1, 2, 4}},
                                      {"ZN", " ZN", "   300", {9999, 2, 5}}};
    BUILD(ROWS, &structure, &typing);
    assert_int_equal(berth_receptor_from_structure(&structure, receptor, NULL), BERTH_OK);
    berth_structure_clear(&structure);
    receptor->source = calloc(1, 8);
    receptor->forcefield = calloc(1, 8);
    assert_true(receptor->source && receptor->forcefield);
    memcpy(receptor->source, "a.pdb", 5);
    memcpy(receptor->forcefield, "ff", 2);
    receptor->forcefield_hash = 0x0123456789abcdefu;
    receptor->has_site = true;
    for (int k = 0; k < 3; k++) {
        receptor->center[k] = k - 0.1;
        receptor->size[k] = 10 + k;
    }
}

static void expect_same(const struct berth_receptor *a, const struct berth_receptor *b)
{
    assert_string_equal(a->molecule.title, b->molecule.title);
    assert_string_equal(a->source, b->source);
    assert_string_equal(a->forcefield, b->forcefield);
    assert_true(a->forcefield_hash == b->forcefield_hash);
    assert_int_equal(a->has_site, b->has_site);
    assert_memory_equal(a->center, b->center, sizeof a->center);
    assert_memory_equal(a->size, b->size, sizeof a->size);
    assert_int_equal(a->residue_count, b->residue_count);
    for (size_t i = 0; i < a->residue_count; i++) {
        assert_true(berth_same_residue(&a->residues[i], &b->residues[i]));
    }
    assert_int_equal(a->molecule.atom_count, b->molecule.atom_count);
    assert_true(a->molecule.has_traits && b->molecule.has_traits);
    for (size_t i = 0; i < a->molecule.atom_count; i++) {
        const struct berth_atom *one = &a->molecule.atoms[i], *two = &b->molecule.atoms[i];
        assert_memory_equal(one->position, two->position, sizeof one->position);
        assert_string_equal(one->name, two->name);
        assert_string_equal(one->type, two->type);
        assert_string_equal(one->residue, two->residue);
        assert_int_equal(one->residue_id, two->residue_id);
        assert_int_equal(one->element, two->element);
        assert_true(one->heavy && two->heavy);
        assert_memory_equal(&one->traits, &two->traits, sizeof one->traits);
    }
}

/* Writes the receptor and gives its bytes, which the caller frees. */
static char *written(char *path, char *directory, size_t *size)
{
    struct berth_receptor receptor, back;
    struct berth_error error;
    struct stat facts;
    make_scratch(directory);
    join(path, directory, "r.brec");
    make_receptor(&receptor);
    assert_int_equal(receptor.molecule.atom_count, 3);
    assert_string_equal(receptor.molecule.atoms[0].residue, "GLY-1");
    assert_int_equal(berth_receptor_write(path, &receptor, &error), BERTH_OK);
    assert_true(berth_is_receptor_file(path));
    assert_int_equal(berth_receptor_read(path, &back, &error), BERTH_OK);
    expect_same(&receptor, &back);
    assert_int_equal(back.residues[0].number, -1);
    assert_int_equal(back.residues[0].insertion, 'B');
    berth_receptor_clear(&receptor);
    berth_receptor_clear(&back);
    assert_int_equal(stat(path, &facts), 0);
    *size = (size_t)facts.st_size;
    return read_file(path);
}

static void test_round_trip(void **state)
{
    (void)state;
    char directory[PATH_SIZE], path[PATH_SIZE];
    size_t size;
    char *bytes = written(path, directory, &size);
    struct berth_receptor receptor;
    struct berth_error error;
    /* Every flipped byte and every cut is found. */
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= 0x10;
        assert_int_equal(berth_receptor_read_memory("r", bytes, size, &receptor, &error),
                         BERTH_E_FORMAT);
        assert_null(receptor.molecule.atoms);
        bytes[i] ^= 0x10;
        assert_int_equal(berth_receptor_read_memory("r", bytes, i, &receptor, &error),
                         BERTH_E_FORMAT);
    }
    assert_int_equal(berth_receptor_read_memory("r", bytes, size, &receptor, &error), BERTH_OK);
    berth_receptor_clear(&receptor);
    free(bytes);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(directory), 0);
}

static void test_bad_files(void **state)
{
    (void)state;
    struct berth_receptor receptor;
    struct berth_error error;
    assert_int_equal(berth_receptor_read("/nowhere/r.brec", &receptor, &error), BERTH_E_IO);
    assert_false(berth_is_receptor_file("/nowhere/r.brec"));
    assert_false(berth_is_receptor_file("/tmp"));
    assert_int_equal(berth_receptor_read_memory("r", "text", 4, &receptor, &error), BERTH_E_FORMAT);
    char directory[PATH_SIZE], path[PATH_SIZE];
    size_t size;
    char *bytes = written(path, directory, &size);
    bytes[8] = 9;
    assert_int_equal(berth_receptor_read_memory("r", bytes, size, &receptor, &error),
                     BERTH_E_FORMAT);
    assert_non_null(strstr(error.message, " version 9"));
    bytes[8] = 2;
    bytes[size - 1] ^= 1;
    assert_int_equal(berth_receptor_read_memory("r", bytes, size, &receptor, &error),
                     BERTH_E_FORMAT);
    assert_string_equal(error.message, "r: a damaged receptor file (its checksum); make it again "
                                       "with `berth prep receptor`");
    free(bytes);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(directory), 0);
}

/* Models that stand one in the other: a few are looked at, many are refused. */
static void test_crowding(void **state)
{
    (void)state;
    enum { MODELS = 300 };
    struct berth_structure structure = {0};
    struct berth_error error;
    for (int model = 0; model < MODELS; model++) {
        const struct berth_structure_atom atom = {.position = {1, 2, 3 + 0.001 * model},
                                                  .residue = {.name = "ALA", .number = model},
                                                  .name = "CA",
                                                  .element = CARBON,
                                                  .line = 7};
        assert_int_equal(berth_structure_add(&structure, &atom, NULL), BERTH_OK);
        const enum berth_status status = berth_receptor_check_crowding(&structure, &error);
        assert_int_equal(status, model < 200 ? BERTH_OK : BERTH_E_FORMAT);
    }
    assert_non_null(strstr(error.message, "line 7: 300 atoms lie within 6"));
    berth_structure_clear(&structure);
}

/* --- cells and pockets --- */

struct seen {
    size_t count;
    double sum;
};

static void count_point(void *context, size_t index, double squared)
{
    struct seen *seen = context;
    seen->count++;
    seen->sum += (double)index + squared;
}

static void test_cells(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    double points[COUNT][3];
    unsigned random = 1;
    for (size_t i = 0; i < COUNT; i++) {
        for (int k = 0; k < 3; k++) {
            random = random * 1664525u + 1013904223u;
            points[i][k] = (random >> 16) % 1000 / 25.0 - 20;
        }
    }
    points[7][0] = points[8][1] = points[9][2] = 9000; /* far outliers */
    struct berth_cells cells;
    assert_int_equal(berth_cells_create(*points, sizeof *points, COUNT, 3, &cells, NULL), BERTH_OK);
    assert_true(cells.lists <= 10 * COUNT && cells.total > 1000000); /* they cost no memory, */
    assert_float_equal(cells.edge, 3, 0);                            /* nor widen the others */
    for (size_t i = 0; i < COUNT; i++) {
        struct seen found = {0, 0}, wanted = {0, 0};
        berth_cells_each(&cells, points[i], 5, count_point, &found);
        for (size_t j = 0; j < COUNT; j++) {
            double squared = 0;
            for (int k = 0; k < 3; k++) {
                squared += (points[i][k] - points[j][k]) * (points[i][k] - points[j][k]);
            }
            if (squared <= 25) {
                count_point(&wanted, j, squared);
            }
        }
        assert_int_equal(found.count, wanted.count);
        assert_float_equal(found.sum, wanted.sum, 1e-6);
    }
    berth_cells_clear(&cells);
    assert_int_equal(berth_cells_create(NULL, 0, 0, 3, &cells, NULL), BERTH_OK);
    struct seen none = {0, 0};
    berth_cells_each(&cells, points[0], 5, count_point, &none);
    assert_int_equal(none.count, 0);
    berth_cells_clear(&cells);
}

/* A slab of atoms with one hole in it: that is the pocket, and where it is. */
static void test_pocket(void **state)
{
    (void)state;
    enum { SIDE = 15, MOST = SIDE * SIDE * 8 };
    struct berth_atom *atoms = calloc(MOST, sizeof *atoms);
    assert_non_null(atoms);
    char title[] = "slab";
    struct berth_molecule molecule = {.title = title, .atoms = atoms};
    for (int x = 0; x < SIDE; x++) {
        for (int y = 0; y < SIDE; y++) {
            for (int z = 0; z < 8; z++) {
                const double at[3] = {2.0 * x, 2.0 * y, 2.0 * z};
                if (hypot(at[0] - 14, at[1] - 18) > 6.5 || z < 2) {
                    memcpy(atoms[molecule.atom_count].position, at, sizeof at);
                    atoms[molecule.atom_count++].heavy = true;
                }
            }
        }
    }
    struct berth_pocket pockets[5];
    struct berth_error error;
    size_t found;
    assert_int_equal(berth_pockets_find(&molecule, 5, pockets, &found, &error), BERTH_OK);
    assert_int_equal(found, 1);
    assert_float_equal(pockets[0].center[0], 14, 1);
    assert_float_equal(pockets[0].center[1], 18, 1);
    assert_true(pockets[0].center[2] > 4 && pockets[0].center[2] < 14);
    assert_true(pockets[0].burial > 0.7 && pockets[0].burial <= 1);
    for (int k = 0; k < 3; k++) {
        assert_true(pockets[0].size[k] >= 8 && pockets[0].size[k] <= 14);
    }

    atoms[0].position[0] = 9000; /* far out: the grid would be large */
    atoms[1].position[1] = 9000;
    assert_int_equal(berth_pockets_find(&molecule, 5, pockets, &found, &error), BERTH_E_FORMAT);
    assert_string_equal(error.message, "slab: its atoms spread over 9009 x 9009 x 23 \xc3\x85: too "
                                       "much to scan, give a site");
    molecule.atom_count = 0;
    assert_int_equal(berth_pockets_find(&molecule, 5, pockets, &found, &error), BERTH_E_FORMAT);
    free(atoms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table),
                                       cmocka_unit_test(test_ends),
                                       cmocka_unit_test(test_blank_chains),
                                       cmocka_unit_test(test_histidines),
                                       cmocka_unit_test(test_acids_and_modified),
                                       cmocka_unit_test(test_checks),
                                       cmocka_unit_test(test_links),
                                       cmocka_unit_test(test_unnamed_link),
                                       cmocka_unit_test(test_breaks),
                                       cmocka_unit_test(test_round_trip),
                                       cmocka_unit_test(test_bad_files),
                                       cmocka_unit_test(test_crowding),
                                       cmocka_unit_test(test_cells),
                                       cmocka_unit_test(test_pocket)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
