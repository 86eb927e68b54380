/* Models for rescoring: what a text says, which errors name which line, and the kinds of atoms;
 * ONNX Runtime where it is not; aromatic rings of five. */
#include "io_support.h"

#include <stdlib.h>

#include "chem/facts.h"
#include "device/onnx.h"
#include "format/model.h"

#define HEAD "berth model 1\n"
#define BODY                                                                                       \
    "network cnn.onnx # beside it\ninput grid\npoints 48\nspacing 0.5\n"                           \
    "density gaussian_parabola\noutput cnn_score pose 1\n"
#define CHANNELS                                                                                   \
    "receptor C_H:aliphatic 1.9 Zn 1.2\nreceptor C_H:aromatic 1.8 Met_D 1.1\nligand C_H 1.7\n"

static struct berth_model model;

static enum berth_status parse(const char *text, struct berth_error *error)
{
    memset(error, 0, sizeof *error);
    return berth_model_parse("a/b.model", text, strlen(text), &model, error);
}

static void reads_what_it_says(void **state)
{
    struct berth_error error;
    (void)state;
    assert_int_equal(
        parse(HEAD BODY "\naverage 2\noutput cnn_affinity affinity 0\n" CHANNELS, &error),
        BERTH_OK);
    assert_string_equal(model.network, "a/cnn.onnx");
    assert_string_equal(model.input, "grid");
    assert_int_equal(model.points, 48);
    assert_int_equal(model.average, 2);
    assert_true(model.spacing == 0.5);
    assert_int_equal(model.output_count, 2);
    assert_string_equal(model.outputs[0].column, "cnn_score");
    assert_string_equal(model.outputs[0].name, "pose");
    assert_int_equal(model.outputs[0].number, 1);
    assert_int_equal(model.channels, 3);
    assert_int_equal(model.receptor_kinds, 4);
    assert_int_equal(model.kind_count, 5);
}

/* The channel of an atom; -1: none. */
static int channel_of(int element, bool ligand, bool aromatic)
{
    const struct berth_atom atom = {.element = element, .heavy = true};
    const struct berth_model_kind *kind = berth_model_kind_of(&model, ligand, &atom, aromatic);
    return kind ? (int)kind->channel : -1;
}

static void knows_kinds(void **state)
{
    struct berth_error error;
    (void)state;
    assert_int_equal(parse(HEAD BODY CHANNELS, &error), BERTH_OK);
    assert_int_equal(model.average, 1);
    assert_int_equal(channel_of(6, false, false), 0);
    assert_int_equal(channel_of(6, false, true), 1);
    assert_int_equal(channel_of(6, true, true), 2);
    assert_int_equal(channel_of(30, false, false), 0); /* zinc, by its element */
    assert_int_equal(channel_of(12, false, false), 1); /* another metal */
    assert_int_equal(channel_of(8, false, false), -1);
    assert_int_equal(channel_of(12, true, false), -1);
}

static void names_the_line(void **state)
{
    static const struct {
        const char *text, *message;
    } CASES[] = {
        {"", "a/b.model: a model has a line \"berth ...\""},
        {"input x\n", "a/b.model:1: a model begins with \"berth model 1\", not \"input\""},
        {"berth model 2\n", "a/b.model:1: this is version 1 of the format, not \"2\""},
        {HEAD "colour blue\n", "a/b.model:2: a line begins with network, "},
        {HEAD BODY "spacing 1\n" CHANNELS, "a/b.model:8: that is said too often, not \"spacing\""},
        {HEAD "points 257\n", "a/b.model:2: here stands a whole number from 1 to 256, not \"257\""},
        {HEAD "points\n", "a/b.model:2: here stands a whole number from 1 to 256, not \"\""},
        {HEAD "points 4 4\n", "a/b.model:2: the line ends here, not \"4\""},
        {HEAD "channels\n", "a/b.model:2: here stands a name"},
        {HEAD "spacing 0\n", "a/b.model:2: here stands a length"},
        {HEAD "spacing nan\n", "a/b.model:2: here stands a length"},
        {HEAD "output a,b pose 1\n", "a/b.model:2: the name of a column has letters"},
        {HEAD "density cubic\n", "a/b.model:2: the density that there is"},
        {HEAD "receptor C_Q 1.9\n", "a/b.model:2: here stands a kind of atoms"},
        {HEAD "receptor C_H:green 1.9\n", "a/b.model:2: here stands a kind of atoms"},
        {HEAD "receptor C_H\n", "a/b.model:2: here stands a length"},
        {HEAD "receptor\n", "a/b.model:2: here stand kinds"},
        {HEAD "ligand C_H 1.9\nreceptor C_H 1.9\n", "a/b.model:3: the receptor's channels stand"},
        {HEAD BODY "average 5\n" CHANNELS, "a/b.model: 3 channels of 48 points, averaged by 5"},
        {HEAD BODY "receptor C_H 1.9\n", "a/b.model: a model has a line \"ligand ...\""}};
    struct berth_error error;
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        assert_int_equal(parse(CASES[i].text, &error), BERTH_E_FORMAT);
        if (strncmp(error.message, CASES[i].message, strlen(CASES[i].message)) != 0) {
            fail_msg("\"%s\", not \"%s\"", error.message, CASES[i].message);
        }
    }
}

static void onnx_runtime_is_elsewhere(void **state)
{
    char path[PATH_MAX], version[BERTH_ONNX_VERSION];
    struct berth_error error;
    (void)state;
    setenv("BERTH_ONNXRUNTIME", "/none/libonnxruntime.so", 1);
    assert_int_equal(berth_onnx_find(path, version, &error), BERTH_E_IO);
    assert_non_null(strstr(error.message, "/none/libonnxruntime.so"));
    setenv("BERTH_ONNXRUNTIME", "libz.so.1", 1); /* a library, but another one */
    assert_int_equal(berth_onnx_find(path, version, &error), BERTH_E_IO);
    unsetenv("BERTH_ONNXRUNTIME");
}

/* A ring of atoms of these types, and an oxygen on its first one. */
static void expect_ring(const char *const *types, size_t count, bool aromatic)
{
    struct berth_atom atoms[8] = {0};
    struct berth_bond bonds[8] = {0};
    struct berth_molecule molecule = {
        .atoms = atoms, .atom_count = count + 1, .bonds = bonds, .bond_count = count + 1};
    struct berth_facts facts;
    struct berth_error error;
    for (size_t i = 0; i <= count; i++) {
        strcpy(atoms[i].type, i < count ? types[i] : "O.3");
        atoms[i].element = berth_element_of_type(atoms[i].type);
        atoms[i].heavy = true;
        bonds[i] = (struct berth_bond){i, i + 1 < count ? i + 1 : 0, "1", 0};
    }
    bonds[count] = (struct berth_bond){1, count, "1", 0};
    assert_int_equal(berth_facts_find(&molecule, BERTH_FACT_AROMATIC, &facts, &error), BERTH_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(facts.aromatic[i], aromatic);
    }
    assert_false(facts.aromatic[count]);
    berth_facts_clear(&facts);
}

static void finds_rings_of_five(void **state)
{
    static const char *const PYRROLE[] = {"C.2", "N.pl3", "C.2", "C.2", "C.2"};
    static const char *const FURANONE[] = {"O.3", "C.2", "C.2", "C.2", "C.2"};
    static const char *const PYRROLIDINE[] = {"C.3", "N.pl3", "C.2", "C.2", "C.2"};
    static const char *const HYDROCARBON[] = {"C.2", "C.2", "C.2", "C.2", "C.2"};
    static const char *const BENZENE[] = {"C.ar", "C.ar", "C.ar", "C.ar", "C.ar", "C.ar"};
    (void)state;
    expect_ring(PYRROLE, 5, true);
    expect_ring(FURANONE, 5, false); /* the oxygen is a carbonyl's */
    expect_ring(PYRROLIDINE, 5, false);
    expect_ring(HYDROCARBON, 5, false);
    expect_ring(BENZENE, 6, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_it_says), cmocka_unit_test(knows_kinds),
        cmocka_unit_test(names_the_line), cmocka_unit_test(onnx_runtime_is_elsewhere),
        cmocka_unit_test(finds_rings_of_five)};
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
