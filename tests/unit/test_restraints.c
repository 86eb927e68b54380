/* Restraints: their file, patterns of SMARTS, and energies in double precision. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dock/restraints/restraints.h"
#include "prep/worker.h"

/* Whether RDKit, which reads patterns, is installed. */
static bool has_rdkit(void)
{
    struct berth_rdkit rdkit;
    return !berth_rdkit_find(&rdkit, NULL);
}

static void need_rdkit(void)
{
    if (!has_rdkit()) {
        print_message("# RDKit is not installed: skipped\n");
        skip();
    }
}

static enum berth_status read(const char *text, struct berth_restraints *restraints,
                              struct berth_error *error)
{
    memset(restraints, 0, sizeof *restraints);
    return berth_restraints_read_memory("r.txt", text, strlen(text), restraints, error);
}

static void test_lines(void **state)
{
    struct berth_restraints all;
    struct berth_error error;
    (void)state;
    need_rdkit();
    assert_int_equal(read("# a remark\n\nacceptor to A:MET793:N\n"
                          "donor to 1 -2.5 3e0 or ZN300 radius 2 weight 7 wished\n"
                          "ring over A:PHE82\n"
                          "smarts [c;R] avoid LYS5:NZ\n"
                          "core CCO on ref.sdf radius 1\n",
                          &all, &error),
                     BERTH_OK);
    assert_int_equal(all.count, 5);
    const struct berth_spot *spot = &all.rules[0].spots[0];
    assert_int_equal(all.rules[0].line, 3);
    assert_string_equal(spot->chain, "A");
    assert_string_equal(spot->name, "MET");
    assert_int_equal(spot->number, 793);
    assert_string_equal(spot->atom, "N");
    assert_true(all.rules[0].required && isnan(all.rules[0].radius));
    assert_int_equal(all.rules[1].spot_count, 2);
    assert_false(all.rules[1].spots[0].residue);
    assert_true(all.rules[1].spots[0].position[1] == -2.5);
    assert_string_equal(all.rules[1].spots[1].name, "ZN");
    assert_true(all.rules[1].radius == 2 && all.rules[1].weight == 7 && !all.rules[1].required);
    assert_true(all.rules[2].over && all.rules[3].avoided && all.rules[3].core);
    assert_string_equal(all.rules[3].spots[0].atom, "NZ");
    assert_string_equal(all.rules[3].spots[0].chain, "");
    assert_string_equal(all.rules[4].reference, "ref.sdf");
    assert_string_equal(all.rules[4].text, "core CCO on ref.sdf radius 1");
    berth_restraints_clear(&all);
}

static void test_refused_lines(void **state)
{
    static const char *const LINES[][2] = {
        {"", "no restraint in it"},
        {"hbond to A:MET793:N",
         "r.txt:1: \"hbond\": say what of the ligand is to make it: donor, to an acceptor of the "
         "receptor as A:ASP25:OD1, or acceptor, to a donor as A:MET793:N"},
        {"wing to 1 2 3", "r.txt:1: \"wing\" is nothing that a ligand has"},
        {"donor near 1 2 3", "r.txt:1: behind what counts stands to, over or avoid"},
        {"\ndonor to 1 2", "r.txt:2: a place has three coordinates"},
        {"donor to N", "\"N\" is no place"},
        {"donor to 1 2 3 radius -1", "radius takes a number"},
        {"donor to 1 2 3 softly", "\"softly\" is not known"},
        {"smarts", "a pattern is missing"},
        {"smarts [c to 1 2 3", "r.txt:1: SMARTS [c: RDKit cannot read it"},
        {"smarts [c;^2] to 1 2 3", "r.txt:1: SMARTS [c;^2]: stereo, isotopes, hybridisation"},
        {"smarts [C:1][C:1][C:1][C:1][C:1][C:1][C:1][C:1][C:1][C:1][C:1][C:1][C:1] to 1 2 3",
         "13 atoms with a label"},
        {"ring over 1 2 3", "over takes residues with a ring"},
        {"core CC ref.sdf", "behind a core stands on"},
        {"core CC on a.sdf\ncore CN on b.sdf", "r.txt:2: a second core"}};
    struct berth_restraints all;
    struct berth_error error;
    (void)state;
    need_rdkit();
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
        assert_int_equal(read(LINES[i][0], &all, &error), BERTH_E_FORMAT);
        if (!strstr(error.message, LINES[i][1])) {
            fail_msg("\"%s\": %s", LINES[i][0], error.message);
        }
        berth_restraints_clear(&all);
    }
}

/* Acetamide with a phenyl: CC(=O)N-c1ccccc1, hydrogens on the nitrogen and the methyl. */
static struct berth_molecule anilide(struct berth_atom atoms[14], struct berth_bond bonds[14])
{
    static const char *const TYPES[14] = {"C.3",  "C.2",  "O.2",  "N.am", "C.ar", "C.ar", "C.ar",
                                          "C.ar", "C.ar", "C.ar", "H",    "H",    "H",    "H"};
    static const size_t ENDS[14][2] = {{0, 1}, {1, 2}, {1, 3}, {3, 4},  {4, 5},  {5, 6},  {6, 7},
                                       {7, 8}, {8, 9}, {9, 4}, {3, 10}, {0, 11}, {0, 12}, {0, 13}};
    for (size_t i = 0; i < 14; i++) {
        const char *order = i == 1 ? "2" : i >= 4 && i < 10 ? "ar" : "1";
        atoms[i] = (struct berth_atom){.position = {(double)i, 0, 0}, .heavy = i < 10};
        strcpy(atoms[i].type, TYPES[i]);
        atoms[i].element = berth_element_of_type(TYPES[i]);
        bonds[i] = (struct berth_bond){ENDS[i][0], ENDS[i][1], "", 0};
        strcpy(bonds[i].type, order);
    }
    return (struct berth_molecule){
        .atoms = atoms, .atom_count = 14, .bonds = bonds, .bond_count = 14};
}

static bool count(void *context, const size_t *atoms)
{
    (void)atoms;
    ++*(size_t *)context;
    return true;
}

static void test_patterns(void **state)
{
    static const struct {
        const char *smarts;
        size_t matches;
    } PATTERNS[] = {{"C", 2},         {"[#6]", 8},     {"c", 6},
                    {"c1ccccc1", 12}, {"CC(=O)N", 1},  {"C=O", 1},
                    {"C-O", 0},       {"C~O", 1},      {"[NX3;H1]", 1},
                    {"[N;H2]", 0},    {"[R]", 6},      {"[!R;!#1]", 4},
                    {"[r6]", 6},      {"[r5]", 0},     {"[c;D3]", 1},
                    {"[C,N]", 3},     {"[$(C=O)]", 1}, {"[$(N-c);!$(N(C)C)]", 1},
                    {"N-!@c", 1},     {"c-@c", 0},     {"c@c", 12},
                    {"[CH3]", 1},     {"*=*", 2},      {"[O-]", 0},
                    {"[O;+0]", 1},    {"[Cl,Br]", 0},  {"[as]", 0},
                    {"[X1]", 1},      {"[D1]", 2},     {"[*]", 10},
                    {"[!#6]", 2},     {"C~*", 4},      {"[$(N[H])]", 1},
                    {"[#1,N]", 1},    {"[R2]", 0},     {"[R1;v4]", 1}};
    struct berth_atom atoms[14];
    struct berth_bond bonds[14];
    const struct berth_molecule molecule = anilide(atoms, bonds);
    struct berth_facts facts;
    struct berth_matcher *matcher = NULL;
    struct berth_error error;
    (void)state;
    need_rdkit();
    assert_int_equal(berth_facts_find(&molecule, BERTH_PATTERN_FACTS, &facts, &error), BERTH_OK);
    for (size_t i = 0; i < sizeof PATTERNS / sizeof *PATTERNS; i++) {
        struct berth_pattern *pattern;
        size_t found = 0;
        assert_int_equal(berth_pattern_read(&matcher, PATTERNS[i].smarts, &pattern, &error),
                         BERTH_OK);
        assert_int_equal(berth_pattern_match(matcher, pattern, &facts, count, &found, &error),
                         BERTH_OK);
        if (found != PATTERNS[i].matches) {
            fail_msg("%s: %zu matches, not %zu", PATTERNS[i].smarts, found, PATTERNS[i].matches);
        }
        berth_pattern_destroy(pattern);
    }
    berth_matcher_destroy(matcher);
    berth_facts_clear(&facts);
}

/* Takes the first atoms of matches, as digits. */
static bool note(void *context, const size_t *atoms)
{
    char *text = context;
    sprintf(text + strlen(text), "%zu%zu ", atoms[0], atoms[1]);
    return strlen(text) < 12;
}

/* Matches come in the order of their atoms, and no more are given than are wanted; labels. */
static void test_matches(void **state)
{
    struct berth_atom atoms[14];
    struct berth_bond bonds[14];
    const struct berth_molecule molecule = anilide(atoms, bonds);
    struct berth_facts facts;
    struct berth_matcher *matcher = NULL;
    struct berth_pattern *pattern;
    struct berth_error error;
    char text[64] = "";
    (void)state;
    need_rdkit();
    assert_int_equal(berth_facts_find(&molecule, BERTH_PATTERN_FACTS, &facts, &error), BERTH_OK);
    assert_int_equal(berth_pattern_read(&matcher, "[c:7]c", &pattern, &error), BERTH_OK);
    assert_int_equal(pattern->count, 2);
    assert_int_equal(pattern->labels[0], 7);
    assert_int_equal(pattern->labels[1], 0);
    assert_int_equal(berth_pattern_match(matcher, pattern, &facts, note, text, &error), BERTH_OK);
    assert_string_equal(text, "45 49 54 56 ");
    berth_pattern_destroy(pattern);
    berth_matcher_destroy(matcher);
    berth_facts_clear(&facts);
}

/* Twenty atoms, each bonded to all others, and as many wildcards: 20! ways.  More atoms than a
 * core may have. */
static void test_what_is_too_much(void **state)
{
    enum { ATOMS = 20 };
    static char text[4 * BERTH_CORE_ATOMS] = "*";
    struct berth_atom atoms[ATOMS] = {0};
    struct berth_bond bonds[ATOMS * ATOMS];
    struct berth_molecule molecule = {.atoms = atoms, .bonds = bonds, .atom_count = ATOMS};
    struct berth_facts facts;
    struct berth_matcher *matcher = NULL;
    struct berth_pattern *pattern;
    struct berth_error error;
    size_t found = 0;
    (void)state;
    need_rdkit();
    for (size_t i = 0; i < ATOMS; i++) {
        atoms[i] = (struct berth_atom){.type = "C.3", .element = 6, .heavy = true};
        for (size_t k = 0; k < i; k++) {
            bonds[molecule.bond_count++] = (struct berth_bond){k, i, "1", 1};
            strcat(text, i == k + 1 ? "~*" : "");
        }
    }
    assert_int_equal(berth_facts_find(&molecule, BERTH_PATTERN_FACTS, &facts, &error), BERTH_OK);
    assert_int_equal(berth_pattern_read(&matcher, text, &pattern, &error), BERTH_OK);
    assert_int_equal(berth_pattern_match(matcher, pattern, &facts, count, &found, &error),
                     BERTH_E_FORMAT);
    assert_non_null(strstr(error.message, "too many ways"));
    assert_int_equal(found, 0);
    berth_pattern_destroy(pattern);
    berth_facts_clear(&facts);
    memset(text, 'C', BERTH_CORE_ATOMS + 1);
    text[BERTH_CORE_ATOMS + 1] = '\0';
    assert_int_equal(berth_pattern_read(&matcher, text, &pattern, &error), BERTH_E_FORMAT);
    assert_non_null(strstr(error.message, "it has 97 atoms, and not 1 to 96"));
    berth_pattern_destroy(pattern);
    berth_matcher_destroy(matcher);
}

static void expect_refused(const char *const patterns[], size_t count, const char *why)
{
    struct berth_matcher *matcher = NULL;
    struct berth_pattern *pattern;
    struct berth_error error;
    need_rdkit();
    for (size_t i = 0; i < count; i++) {
        if (berth_pattern_read(&matcher, patterns[i], &pattern, &error) != BERTH_E_FORMAT ||
            !strstr(error.message, why)) {
            fail_msg("%s: %s", patterns[i], error.message);
        }
        berth_pattern_destroy(pattern);
    }
    berth_matcher_destroy(matcher);
}

static void test_refused_patterns(void **state)
{
    static const char *const NONE[] = {"",    "(C)",  "C(",    "C)",  "C1",  "[C",  "C=",  "=C",
                                       "[Q]", "C..C", "[$(C]", "C%1", "C11", "[#]", "C(=)"};
    static const char *const UNKNOWN[] = {"[C@@H]", "C/C=C/C", "[$(C/C=C/C)]", "[$([C@](N)O)]",
                                          "[13C]",  "[C;h1]",  "[C;^2]",       "[!2#1]"};
    /* Hydrogens are counted: no restraint draws one, or the heavy atom whose number it would have.
     */
    static const char *const HYDROGENS[] = {"[#1]", "[H]", "[H]O", "C[#1;X1]", "[H+]"};
    (void)state;
    expect_refused(NONE, sizeof NONE / sizeof *NONE, "RDKit cannot read it");
    expect_refused(UNKNOWN, sizeof UNKNOWN / sizeof *UNKNOWN, "are not matched");
    expect_refused(HYDROGENS, sizeof HYDROGENS / sizeof *HYDROGENS, "is a hydrogen");
}

/* Without RDKit what asks for none is read, and what does says what to install. */
static void test_without_rdkit(void **state)
{
    const char *before = getenv("BERTH_PYTHON");
    char *kept = before ? strdup(before) : NULL;
    struct berth_restraints all;
    struct berth_error error;
    (void)state;
    setenv("BERTH_PYTHON", "/nonexistent/python3", 1);
    assert_int_equal(read("donor to 1 2 3\n", &all, &error), BERTH_OK);
    berth_restraints_clear(&all);
    assert_int_equal(read("donor to 1 2 3\nsmarts C to 1 2 3\n", &all, &error), BERTH_E_IO);
    assert_non_null(strstr(error.message, "SMARTS are matched by RDKit: "));
    assert_non_null(strstr(error.message, "/nonexistent/python3"));
    berth_restraints_clear(&all);
    if (kept) {
        setenv("BERTH_PYTHON", kept, 1);
    } else {
        unsetenv("BERTH_PYTHON");
    }
    free(kept);
}

/* Points of the anilide, whose atoms lie 1 Å apart along x, and what they cost. */
static void test_energies(void **state)
{
    struct berth_place all[3] = {
        {.position = {5, 0, 0}, .radius = 1, .weight = 2},
        {.position = {5, 0, 0}, .radius = 1, .weight = 2, .bounded = true},
        {.position = {0, 0, 0}, .radius = 3, .weight = 2, .avoided = true}};
    struct berth_heavy_atom atoms[2] = {{.position = {2, 0, 0}}, {.position = {1, 0, 0}}};
    const struct berth_places places = {all, 3};
    const struct berth_heavy_atoms placed = {atoms, 2};
    const struct {
        struct berth_pull pulls[2];
        size_t count;
        double energy;
    } CASES[] = {
        {{{.place = 0, .point = {{0}, 1}}}, 1, 4 * (sqrt(5) - 1)},
        {{{.place = 1, .point = {{0}, 1}}}, 1, 2 * 4.0 / 5},
        {{{.place = 2, .point = {{0}, 1}}}, 1, 4 * (sqrt(2) - 1)},
        {{{.place = 0, .point = {{0, 1}, 2}}}, 1, 4 * (sqrt(1 + 2.5 * 2.5) - 1)},
        /* the nearer one counts, and of those to be kept away the one farther inside */
        {{{.place = 0, .point = {{0}, 1}}, {.place = 0, .point = {{1}, 1}}}, 2, 4 * (sqrt(5) - 1)},
        {{{.place = 2, .point = {{0}, 1}}, {.place = 2, .point = {{1}, 1}}}, 2, 4 * (sqrt(5) - 1)}};
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct berth_pull pulls[2] = {CASES[i].pulls[0], CASES[i].pulls[1]};
        const struct berth_restrained restrained = {
            .pulls = pulls, .count = CASES[i].count, .restraints = 1};
        assert_true(fabs(berth_restraint_energy(&places, &restrained, &placed) - CASES[i].energy) <
                    1e-12);
    }
}

/* What of a ligand counts: its points, and where no ligand has any. */
static void test_points(void **state)
{
    struct berth_atom atoms[14];
    struct berth_bond bonds[14];
    const struct berth_molecule ligand = anilide(atoms, bonds);
    struct berth_typed_receptor receptor = {.residue_count = 0};
    struct berth_restraints all;
    struct berth_restrained restrained;
    struct berth_error error;
    (void)state;
    strcpy(receptor.scoring.unit, "kcal/mol");
    need_rdkit();
    assert_int_equal(read("donor to 1 2 3 or 4 5 6\nring to 0 0 0\nsmarts [CX2] to 0 0 0\n"
                          "smarts [c:1][c:2] to 0 0 0\n",
                          &all, &error),
                     BERTH_OK);
    assert_int_equal(berth_restraints_place(&all, 0, &receptor, &error), BERTH_OK);
    assert_int_equal(all.places[0].count, 5);
    assert_true(all.places[0].places[1].position[2] == 6 && all.places[0].places[1].weight == 3);
    assert_int_equal(berth_restraints_match(&all, &ligand, &restrained, &error), BERTH_OK);
    assert_int_equal(restrained.restraints, 3);
    assert_int_equal(restrained.pulls[0].point.atoms[0], 3);
    assert_int_equal(restrained.pulls[1].place, 1);
    assert_int_equal(all.rules[2].matched, 0);
    assert_int_equal(all.rules[3].matched, 1);
    assert_int_equal(restrained.pulls[restrained.count - 1].point.count, 2);
    assert_int_equal(restrained.pulls[restrained.count - 1].rule, 3);
    berth_restrained_clear(&restrained);
    berth_restraints_clear(&all);
}

/* A residue of what makes hydrogen bonds and what does not, and a metal. */
static size_t polar_residue(struct berth_atom atoms[8])
{
    static const struct {
        const char *residue, *name;
        int element, hydrogens;
        bool acceptor;
    } ATOMS[8] = {{"LYS97", "N", 7, 1, false},   {"LYS97", "O", 8, 0, true},
                  {"LYS97", "OH", 8, 1, true},   {"LYS97", "CB", 6, 2, false},
                  {"PRO98", "N", 7, 0, false},   {"CYS99", "SG", 16, 1, false},
                  {"ZN300", "ZN", 30, 0, false}, {"HIS43", "NE2", 7, 0, true}};
    for (size_t i = 0; i < 8; i++) {
        atoms[i] = (struct berth_atom){.element = ATOMS[i].element, .heavy = true};
        atoms[i].traits = (struct berth_traits){.hydrogens = (uint8_t)ATOMS[i].hydrogens,
                                                .acceptor = ATOMS[i].acceptor};
        strcpy(atoms[i].name, ATOMS[i].name);
        strcpy(atoms[i].residue, ATOMS[i].residue);
    }
    return 8;
}

/* Hydrogen bonds that an atom of the receptor cannot make are refused, with what to write. */
static void test_impossible_bonds(void **state)
{
    static const char *const LINES[][2] = {
        {"acceptor to A:LYS97:O", "r.txt:1: A:LYS97:O: it has no hydrogen to give, but takes one, "
                                  "of a ligand's donor: write donor to A:LYS97:O"},
        {"donor to LYS97:N", "r.txt:1: LYS97:N: it takes no hydrogen bond, but gives one, to a "
                             "ligand's acceptor: write acceptor to LYS97:N"},
        {"donor to LYS97:O or LYS97:CB",
         "LYS97:CB: it neither gives nor takes hydrogen bonds; name the atom that does, or ask for "
         "a distance alone: write atom to LYS97:CB"},
        {"acceptor to PRO98:N", "PRO98:N: it neither gives nor takes hydrogen bonds"},
        {"donor to ZN300",
         "a metal takes no hydrogen bond, but binds lone pairs: write ligator to ZN300"},
        {"acceptor to HIS43:NE2",
         "write donor to HIS43:NE2, or call the residue HID, HIE or HIP, by where its hydrogens "
         "are, in the receptor's file and here"},
        {"donor to HIS43:NE2", NULL},
        {"donor to LYS97:O", NULL},
        {"acceptor to LYS97:N", NULL},
        {"donor to LYS97:OH", NULL},
        {"acceptor to LYS97:OH", NULL},
        {"acceptor to ZN300", NULL},
        {"donor to CYS99:SG", NULL},
        {"acceptor avoid LYS97:O", NULL},
        {"atom to LYS97:CB", NULL},
        {"smarts [N] to LYS97:N", NULL}};
    struct berth_atom atoms[8];
    struct berth_typed_receptor receptor = {
        .molecule = {.atoms = atoms, .atom_count = polar_residue(atoms), .has_traits = true}};
    struct berth_restraints all;
    struct berth_error error;
    (void)state;
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
        assert_int_equal(read(LINES[i][0], &all, &error), BERTH_OK);
        const enum berth_status status = berth_restraints_place(&all, 0, &receptor, &error);
        assert_int_equal(status, LINES[i][1] ? BERTH_E_FORMAT : BERTH_OK);
        if (LINES[i][1] && !strstr(error.message, LINES[i][1])) {
            fail_msg("\"%s\": %s", LINES[i][0], error.message);
        }
        berth_restraints_clear(&all);
    }
}

/* Two atoms that may lie on either of two places, and both stand by the first: one of them is off
 * its own. */
static void test_held_atoms_take_a_place_each(void **state)
{
    (void)state;
    struct berth_place spots[2] = {{.position = {0, 0, 0}}, {.position = {3, 0, 0}}};
    struct berth_pull pulls[4];
    uint16_t matches[4] = {0, 1, 1, 0};
    struct berth_heavy_atom atoms[2] = {{.position = {0, 0.5, 0}}, {.position = {0, -0.5, 0}}};
    const struct berth_places places = {spots, 2};
    const struct berth_heavy_atoms placed = {atoms, 2};
    const struct berth_restrained restrained = {.pulls = pulls,
                                                .count = 4,
                                                .restraints = 2,
                                                .held = 2,
                                                .matches = matches,
                                                .match_count = 2};
    for (size_t i = 0; i < 4; i++) {
        pulls[i] = (struct berth_pull){
            .restraint = i / 2, .place = i % 2, .point = {{(uint16_t)(i / 2)}, 1}};
    }
    assert_float_equal(berth_held_distance(&places, &restrained, &placed), sqrt((0.25 + 9.25) / 2),
                       1e-12);
    atoms[0].position[0] = 3;
    assert_float_equal(berth_held_distance(&places, &restrained, &placed), 0.5, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines),
                                       cmocka_unit_test(test_refused_lines),
                                       cmocka_unit_test(test_patterns),
                                       cmocka_unit_test(test_refused_patterns),
                                       cmocka_unit_test(test_what_is_too_much),
                                       cmocka_unit_test(test_matches),
                                       cmocka_unit_test(test_without_rdkit),
                                       cmocka_unit_test(test_energies),
                                       cmocka_unit_test(test_points),
                                       cmocka_unit_test(test_impossible_bonds),
                                       cmocka_unit_test(test_held_atoms_take_a_place_each)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
