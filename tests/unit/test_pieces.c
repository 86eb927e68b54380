/* Text of several molecules, cut into them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "format/pieces.h"

#define ATOM "C 0.0 1.0 2.0\n"

static void cut(const char *format, const char *text, size_t size, struct berth_pieces *pieces)
{
    struct berth_error error;
    struct berth_bytes bytes = {0};
    berth_bytes_put(&bytes, text, size);
    assert_int_equal(berth_pieces_find(format, &bytes, pieces, &error), BERTH_OK);
    berth_bytes_clear(&bytes);
}

/* pieces: of each a letter, b for a bad one, and the line at which it begins: "g1 b4". */
static void expect(const char *format, const char *text, const char *wanted)
{
    struct berth_pieces pieces;
    char found[128] = "";
    cut(format, text, strlen(text), &pieces);
    for (size_t i = 0; i < pieces.count; i++) {
        const size_t used = strlen(found);
        snprintf(found + used, sizeof found - used, "%s%c%zu", i ? " " : "",
                 pieces.items[i].bad ? 'b' : 'g', pieces.items[i].line);
        assert_true(pieces.items[i].begin < pieces.items[i].end);
        assert_true(pieces.items[i].end <= strlen(text));
    }
    assert_string_equal(found, wanted);
    berth_pieces_clear(&pieces);
}

static void xyz(void **state)
{
    (void)state;
    expect("xyz", "1\na\n" ATOM "2\n\n" ATOM ATOM, "g1 g4");
    expect("XYZ", "1\na\n" ATOM "\n\n1\nb\n" ATOM "\n", "g1 g6");
    expect("xyz", "1\na\n" ATOM ATOM "1\nb\n" ATOM, "b1 g5");
    expect("xyz", "3\na\n" ATOM ATOM "1\nb\n" ATOM, "b1 g5");
    expect("xyz", "1\na\n" ATOM "x\nb\n" ATOM "1\nc\n" ATOM, "g1 b4 g7");
    expect("xyz", "1\na\nC 0 x 0\n1\nc\n" ATOM, "b1 g4");
    expect("xyz", "-1\na\n" ATOM, "b1");
    expect("xyz", "2\na\n" ATOM, "b1");
    expect("xyz", "", "");
}

static void pdb(void **state)
{
    (void)state;
    static const char GOOD[] =
        "HETATM    1  C   LIG     1       1.000   2.000   3.000  1.00  0.00           C\n";
    static const char BAD[] =
        "HETATM    1  C   LIG     1       1.000   x.000   3.000  1.00  0.00           C\n";
    char text[512];
    snprintf(text, sizeof text, "%sEND\n%sEND\n%s", GOOD, BAD, GOOD);
    expect("pdb", text, "g1 b3 g5");
    snprintf(text, sizeof text, "MODEL 1\n%sENDMDL\nMODEL 2\n%sENDMDL\nEND\n", GOOD, GOOD);
    expect("ent", text, "g1 g4");
    expect("pdb", "HETATM\n", "b1");
    snprintf(text, sizeof text, "%sTER\n%sCOMPND    b\n%s", GOOD, GOOD, GOOD);
    expect("pdb", text, "g1 g4");
    char next[sizeof GOOD];
    memcpy(next, GOOD, sizeof GOOD);
    next[10] = '2';
    snprintf(text, sizeof text, "%s%s%s", GOOD, next, GOOD);
    expect("pdb", text, "g1 g3");
}

static void others(void **state)
{
    (void)state;
    expect("cml", "<cml>\n<molecule id='a'>\n<x/>\n</molecule>\n <molecule></molecule>\n</cml>\n",
           "g2 g5");
    expect("cml",
           "<cml><molecule id='a'/><molecule><x/></molecule><c:molecule><molecule/>\n"
           "</c:molecule><moleculeList/>\n<molecule></cml>",
           "g1 g1 g1 b3");
    expect("cml", "<molecule>\n<molecule>\n<molecule></molecule>\n", "b1 b2 g3");
    expect("pdbqt", "REMARK\nATOM\nTORSDOF 1\nATOM\nTORSDOF 0\n", "b1 b4");
    expect("inchi", "InChI=1S/CH4/h1H4\n\nInChI=1S/H2O/h1H2\n", "g1 g3");
    expect("cif", "# a\ndata_a\nx\ndata_b\ny\n", "g2 g4");
    expect("mae", "f_m_ct {\n}\n", "");
}

static void survives_damage(void **state)
{
    (void)state;
    static const char *const FORMATS[] = {"xyz", "pdb", "cml", "inchi", "cif"};
    static const char TEXT[] = "1\na\n" ATOM "<molecule>\ndata_b\n</molecule>\nHETATM\nEND\n"
                               "2\nb\n" ATOM ATOM "\n";
    const unsigned seed = (unsigned)time(NULL);
    print_message("# seed %u\n", seed);
    srand(seed);
    for (int i = 0; i < 5000; i++) {
        char text[sizeof TEXT];
        memcpy(text, TEXT, sizeof TEXT);
        for (int k = 0; k < 4; k++) {
            text[(size_t)rand() % sizeof TEXT] = "19 -\n\r<C."[rand() % 9];
            text[(size_t)rand() % sizeof TEXT] = (char)rand();
        }
        struct berth_pieces pieces;
        const size_t size = (size_t)rand() % sizeof TEXT;
        cut(FORMATS[i % 5], text, size, &pieces);
        for (size_t k = 0; k < pieces.count; k++) {
            assert_true(pieces.items[k].begin < pieces.items[k].end);
            assert_true(pieces.items[k].end <= size);
            assert_true(!k || pieces.items[k].begin >= pieces.items[k - 1].end);
        }
        berth_pieces_clear(&pieces);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(xyz), cmocka_unit_test(pdb),
                                       cmocka_unit_test(others), cmocka_unit_test(survives_damage)};
    return cmocka_run_group_tests_name("pieces", tests, NULL, NULL);
}
