/* The language of scoring functions: what it takes and refuses, what it makes of expressions, and
 * the built-in functions against their oracles over all pairs of types. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "score/fields.h"
#include "score/language/program.h"

#define HEAD "unit kcal/mol\ncutoff 8\ntypes vina\nparameters a b\n  C 1 2\n  N 3 0\n"

/* A function of this file compiled. */
struct compiled {
    struct berth_definition definition;
    struct berth_score_program program;
};

static void compile(const char *text, struct compiled *compiled)
{
    struct berth_error error;
    if (berth_definition_parse("test", text, &compiled->definition, &error) ||
        berth_score_compile(&compiled->definition, &compiled->program, &error)) {
        fail_msg("%s", error.message);
    }
}

static void discard(struct compiled *compiled)
{
    berth_score_clear(&compiled->program);
    berth_definition_clear(&compiled->definition);
}

/* The first term of types 0 and 1 at r. */
static double value(const char *expression, double r)
{
    char text[1000];
    struct compiled compiled;
    struct berth_terms terms;
    snprintf(text, sizeof text, HEAD "term t = %s\n", expression);
    compile(text, &compiled);
    berth_score_evaluate(&compiled.program, 0, 1, r, &terms, NULL);
    discard(&compiled);
    return terms.values[0];
}

static void test_values(void **state)
{
    (void)state;
    static const struct {
        const char *expression;
        double value; /* at r = 3; a is 1 and 3, b is 2 and 0 */
    } ROWS[] = {{"r", 3},
                {"2 + 3 * r", 11},
                {"(2 + 3) * r", 15},
                {"2 ^ 3 ^ 2", 512},
                {"-r ^ 2", -9},
                {"r ^ -2", 1.0 / 9},
                {"r ^ 0.5", 1.7320508075688772},
                {"2 ^ r", 8},
                {"r / 2 / 3", 0.5},
                {"r - 2 - 3", -2},
                {"r - -2", 5},
                {"min(r, a_i) + max(b_i, b_j)", 3},
                {"a_i * a_j + r", 6},
                {"abs(1 - r)", 2},
                {"sqrt(r + 1)", 2},
                {"exp(log(r))", 3},
                {"ramp(r, 1, 5)", 0.5},
                {"ramp(r, 5, 1)", 0.5},
                {"ramp(r, 4, 5)", 0},
                {"ramp(r, 1, 2)", 1},
                {"step(r - 3) + step(r - 3.1)", 1},
                {"select(r < 3, 1, 2)", 2},
                {"select(r <= 3, 1, 2)", 1},
                {"select(r > 2 and not r > 4, 1, 2)", 1},
                {"select(b_i == 2 and b_j == 2, 1, r)", 3},
                {"select(b_i != 2 or b_j != 2, 1, r)", 1},
                {"select(r < 4, 2 * select(r < 2, 0, r), 0)", 6},
                {"select(r < 2, 0, 5 * select(r <= 3, r, 0))", 15},
                {"select(r < 3, 0, select(r > 3 or r < 1, 0, r))", 3},
                {"select(r <= 3, select(not r > 4, -r, 0), 0)", -3},
                {"select(r < 3, 5 * r, 0)", 0},
                {"(r >= 3) * 5", 5},
                {"1e-3 * r", 3e-3},
                {".5 * r", 1.5}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        const double found = value(ROWS[i].expression, 3);
        if (!(fabs(found - ROWS[i].value) < 1e-12)) {
            fail_msg("%s is %g, not %g", ROWS[i].expression, found, ROWS[i].value);
        }
    }
}

/* Terms and derivatives in the middle of nowhere special, against differences. */
static void test_derivatives(void **state)
{
    (void)state;
    static const char *const TERMS[] = {"r^3 - 2*r",
                                        "exp(-(r - a_i)^2)",
                                        "1 / r^6",
                                        "(a_i / r)^12 - (a_j / r)^6",
                                        "sqrt(r) * log(r)",
                                        "min(r - 3, 0)^2",
                                        "max(r, 2) / r",
                                        "ramp(r, 5, 1)^2",
                                        "abs(r - 3)",
                                        "select(r < 3, r^2, 9)",
                                        "max(0, a_i * (5 - max(r, 2)))",
                                        "exp(-r) / (1 + exp(-r))",
                                        "2 ^ r",
                                        "r ^ 1.5"};
    for (size_t i = 0; i < sizeof TERMS / sizeof *TERMS; i++) {
        char text[1000];
        struct compiled compiled;
        snprintf(text, sizeof text, HEAD "term t = %s\n", TERMS[i]);
        compile(text, &compiled);
        for (double r = 0.75; r < 7; r += 0.5) {
            struct berth_terms low, high, slopes;
            berth_score_evaluate(&compiled.program, 0, 1, r - 1e-5, &low, NULL);
            berth_score_evaluate(&compiled.program, 0, 1, r + 1e-5, &high, &slopes);
            berth_score_evaluate(&compiled.program, 0, 1, r, NULL, &slopes);
            const double slope = (high.values[0] - low.values[0]) / 2e-5;
            if (!(fabs(slope - slopes.values[0]) < 1e-6 * (1 + fabs(slope)))) {
                fail_msg("%s has the slope %g at %g, not %g", TERMS[i], slope, r, slopes.values[0]);
            }
        }
        discard(&compiled);
    }
}

/* Sets flags[i] for the node and all that it is made of. */
static void mark(const struct berth_graph *graph, int number, bool *flags)
{
    const struct berth_node *node = &graph->nodes[number];
    const int operands[3] = {node->a, node->b, node->c};
    flags[number] = true;
    for (int i = 0; i < berth_operand_count(node->operation); i++) {
        mark(graph, operands[i], flags);
    }
}

/* A line between two kinks falls in one stretch, which one choice tells. */
static void test_choices(void **state)
{
    (void)state;
    struct compiled compiled;
    compile(HEAD "term t = max(0, a_i * (5 - max(r, 2)))\n", &compiled);
    const struct berth_graph *code = &compiled.program.code;
    bool used[BERTH_NODES_MAX] = {false};
    int choices = 0;
    mark(code, compiled.program.slope, used);
    for (int i = 0; i < code->count; i++) {
        choices += used[i] && code->nodes[i].operation == BERTH_SELECT;
    }
    assert_int_equal(choices, 1);
    discard(&compiled);
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } ROWS[] = {
        {"", "test: there is no statement `unit`"},
        {"unit kcal/mol\ncutoff 8\ntypes vina\nparameters a\n  C 1\n",
         "test: there is no statement `term`"},
        {"types vina\nparameters\nparameters a\n", "test:2:11: expected the name of a parameter"},
        {"unit kcal/mol\ncutoff 8\ntypes vina\nterm t = r\n",
         "test: there is no statement `parameters`"},
        {HEAD "term t = \n", "test:7:10: "},
        {HEAD "term t = 2 * (r + 1\n", "test:7:20: expected ')' or an operator, but the statement"},
        {HEAD "term t = 2 r\n", "test:7:12: expected the end of the statement, not 'r'"},
        {HEAD "term t = c_i\n",
         "test:7:10: there is no 'c_i' here; there is r, a_i and _j, b_i and _j"},
        {HEAD "term t = a\n", "test:7:10: there is no 'a' here"},
        {HEAD "term t = sin(r)\n", "test:7:10: there is no 'sin' here"},
        {HEAD "term t = min(r)\n", "test:7:15: expected ',' (min takes 2 arguments), not ')'"},
        {HEAD "term t = min(r, 1, 2)\n", "test:7:18: expected ')', not ','"},
        {HEAD "term t = exp r\n", "test:7:14: expected '(' (exp takes 1 argument), not 'r'"},
        {HEAD "term t = 1.2.3\n", "test:7:10: "},
        {HEAD "term t = 1e\n", "test:7:10: "},
        {HEAD "term t = 1e999\n", "test:7:10: "},
        {HEAD "term t = r $ 2\n", "test:7:12: "},
        {HEAD "term t = r; system(1)\n", "test:7:11: "},
        {HEAD "term t = r \"x\"\n",
         "test:7:12: expected a name, a number or an operator, not '\"'"},
        {HEAD "term t = r == 'x'\n", "test:7:15: "},
        {HEAD "term t = r 'x\n", "test:7:12: "},
        {HEAD "term t = r\n         + \\\n", "test:8:12: "},
        {HEAD "term r = 1\n", "test:7:6: the name 'r' is taken"},
        {HEAD "term min = 1\n", "test:7:6: the name 'min' is taken"},
        {HEAD "let x = 1\nlet x = 2\n", "test:8:5: the name 'x' is taken"},
        {HEAD "let x = y\nlet y = 2\n", "test:7:9: there is no 'y' here"},
        {HEAD "atom x = a_i\n", "test:7:10: there is no 'a_i' here; there is a, b"},
        {HEAD "atom x = r\n", "test:7:10: "},
        {HEAD "  term t = r\n", "test:7:8: expected the a of term, not 't'"},
        {HEAD "term t = r\nname\n", "test:8:5: expected the function's name, but"},
        {HEAD "name x\nname y\n", "test:8:1: "},
        {HEAD "source x\nsource y\n", "test:8:1: "},
        {HEAD "unit kJ/mol\n", "test:7:1: "},
        {HEAD "cutoff 9\n", "test:7:1: "},
        {HEAD "types vina\n", "test:7:1: "},
        {HEAD "parameters c\n  C 1\n", "test:7:1: "},
        {HEAD "term t = r\nsoften t\nsoften t\n", "test:9:1: "},
        {HEAD "intra 3\nintra 4\n", "test:8:1: "},
        {HEAD "total = inter\ntotal = intra\n", "test:8:1: "},
        {HEAD "intra 2.5\n", "test:7:7: "},
        {HEAD "intra 1\n", "test:7:7: expected a number from 2 to 10, not '1'"},
        {HEAD "intra 1e300\n", "test:7:7: expected a number from 2 to 10, not '1e300'"},
        {"parameters a b\ntypes bude F\n", "test:2:7: "},
        {"types bude F\nparameters a\n", "test:2:12: "},
        {HEAD "total = log(-1 - inter^2)\n", "test:7:9: "},
        {HEAD "total = inter / 0\n", "test:7:9: "},
        {HEAD "soften t\n", "test:7:8: expected a term that stands above, not 't'"},
        {HEAD "total = inter + x\n",
         "test:7:17: there is no 'x' here; there is inter, intra, side_"},
        {HEAD "nonsense 1\n", "test:7:1: expected name, source, unit, cutoff"},
        {HEAD "torsion t sp4-sp3 = 1\n", "test:7:11: "},
        {HEAD "torsion t sp3 = 1\n", "test:7:15: expected '-', not '='"},
        {HEAD "torsion t sp3-sp3 1\n", "test:7:19: expected '=', not '1'"},
        {HEAD "torsion = 1\n", "test:7:9: expected a name, not '='"},
        {HEAD "torsion strain sp3-sp3 = 1\n", "test:7:9: "},
        {HEAD "torsion t any-any = 1 / (cos(phi) - 0.70001)\n", "test:7:21: "},
        {HEAD "torsion t any-any = log(2 + 2e4 * (abs(phi) - max(phi, 0) - max(-phi, 0)))\n",
         "test:7:21: whether the value is finite near phi = -"},
        {HEAD "torsion t any-any = abs(cos(phi) - 0.70001)^1.5\n", "test:7:21: "},
        {HEAD "torsion inter sp3-sp3 = 1\n", "test:7:9: the name 'inter' is taken"},
        {HEAD "torsion unbound sp3-sp3 = 1\n", "test:7:9: the name 'unbound' is taken"},
        {HEAD "torsion a sp3-sp3 = 1\n", "test:7:9: the name 'a' is taken"},
        {HEAD "torsion t sp3-sp3 = 1\nterm t = r\n", "test:8:6: the name 't' is taken"},
        {HEAD "torsion t sp3-sp3 = 1\ntorsion u sp3-sp2 = 1\n",
         "test:8:9: a function has one torsional term, which is 't' here"},
        {HEAD "torsion t sp3-sp3 = 1 + cos(r)\n", "test:7:29: "},
        {HEAD "torsion t sp3-sp3 = a_i\n", "test:7:21: there is no 'a_i' here; there is phi"},
        {HEAD "term t = phi\n", "test:7:10: "},
        {HEAD "torsion t sp3-sp3 = cos phi\n",
         "test:7:25: expected '(' (cos takes 1 argument), not 'phi'"},
        {HEAD "torsion t sp3-sp3 = exp(cos(phi))\n"
              "torsion t sp3-sp3 = log(cos(phi))\n",
         "test:8:21: "},
        {HEAD "torsion t sp3-sp3 = sqrt(1 + cos(phi) - cos(phi))\n"
              "torsion t sp2-sp2 = 3 / (1 - cos(phi))\n",
         "test:8:21: the value is inf at phi = 0 degrees"},
        {HEAD "torsion t sp3-sp3 = (1 - cos(phi))^0.5\n",
         "test:7:21: the derivative is nan at phi = 0 degrees"},
        {HEAD "torsion t sp3-sp3 = phi / 2\n", "test:7:21: "},
        {HEAD "total = inter + t\ntorsion t sp3-sp3 = 1\n", "test:7:17: there is no 't' here"},
        {HEAD "torsion t sp3-sp3 = 1\ntotal = inter + u\n",
         "test:8:17: there is no 'u' here; there is inter, intra, side_chains, restraints, "
         "unbound, "
         "torsions, t"},
        {"cutoff -1\n", "test:1:8: expected a number from 1 to 100, not '-'"},
        {"cutoff 1000\n", "test:1:8: expected a number from 1 to 100, not '1000'"},
        {HEAD "term t = 1111111111111111111111111111111111111111111111111111111111111111111111\n",
         "test:7:10: "},
        {"types amber\n", "test:1:7: expected a rule of types, bude or vina, not 'amber'"},
        {"types bude\n", "test:1:11: expected a .bhff file with the types' parameters, but"},
        {"types bude x/y.bhff\n", "test:1:12: expected a .bhff file"},
        {"parameters a b\n  C 1\n  N 1 2\n", "test:3:3: expected the b of C, not 'N'"},
        {"parameters a\n  C 1 2\n", "test:2:7: expected the end of the row, not '2'"},
        {"parameters a\n  C 1\n  C 2\n", "test:3:3: type C has a row already"},
        {"parameters a a\n", "test:1:14: the name 'a' is taken"},
        {"pairs d\n", "test:1:7: `pairs` stands below the `parameters` that name the types"},
        {HEAD "pairs\n", "test:7:6: expected the name of a parameter"},
        {HEAD "pairs a\n", "test:7:7: the name 'a' is taken"},
        {HEAD "pairs d d\n", "test:7:9: the name 'd' is taken"},
        {HEAD "pairs d\n  C O 1\n", "test:8:5: type O has no row of `parameters` at line 4"},
        {HEAD "pairs d\n  C 1\n", "test:8:5: type 1 has no row"},
        {HEAD "pairs d e\n  C N 1\n  N N 1 2\n", "test:9:3: expected the e of C and N, not 'N'"},
        {HEAD "pairs d\n  C N 1 2\n", "test:8:9: expected the end of the row, not '2'"},
        {HEAD "pairs d\n  C N 1\n  N C 1\n", "test:9:3: N and C have a row already"},
        {HEAD "pairs d\n  C N 1\npairs e\n  C N 1\n",
         "test:9:1: there is a statement `pairs` already, at line 7"},
        {HEAD "pairs d\natom e = d\n", "test:8:10: there is no 'd' here; there is a, b"},
        {HEAD "pairs d\nlet d = 1\n", "test:8:5: the name 'd' is taken"},
        {"unit k\"c\n", "test:1:6: expected a unit"}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        struct berth_definition definition;
        struct berth_error error = {0};
        const enum berth_status status =
            berth_definition_parse("test", ROWS[i].text, &definition, &error);
        if (status != BERTH_E_FORMAT ||
            strncmp(error.message, ROWS[i].message, strlen(ROWS[i].message)) != 0) {
            fail_msg("'%s': %d, %s", ROWS[i].text, (int)status, status ? error.message : "");
        }
    }
}

/* No term, of pairs or of torsions, has the name of a column that tables and tags have beside it.
 */
static void test_names_of_columns(void **state)
{
    (void)state;
    const char *names[64] = {"score_anything", "library_anything"};
    size_t count = 2;
    for (size_t i = 0; i < BERTH_FIELD_COUNT; i++) {
        names[count] = BERTH_FIELDS[i].name;
        count += names[count] != NULL;
    }
    for (size_t i = 0; i < BERTH_PART_COUNT; i++) {
        names[count++] = BERTH_PART_COLUMNS[i];
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < 2; k++) {
            char text[1000] = HEAD;
            struct berth_definition definition;
            struct berth_error error = {0};
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s %s %s\n",
                     k ? "torsion" : "term", names[i], k ? "sp3-sp3 = 1" : "= r");
            assert_int_equal(berth_definition_parse("test", text, &definition, &error),
                             BERTH_E_FORMAT);
            assert_non_null(strstr(error.message, "is that of a column of the results"));
        }
    }
}

/* What parameters a table cannot hold beside its own is not written behind it. */
static void test_full_of_parameters(void **state)
{
    (void)state;
    char text[1000] = "parameters";
    struct berth_definition definition;
    struct berth_error error = {0};
    for (int i = 0; i < 30; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), " p%d", i);
    }
    strcat(text, "\ntypes bude F\n");
    assert_int_equal(berth_definition_parse("test", text, &definition, &error), BERTH_E_FORMAT);
    assert_non_null(strstr(error.message, "test:2:7: the types of bude"));
}

/* Powers of powers are no number that is too large. */
static void test_powers_of_powers(void **state)
{
    (void)state;
    assert_float_equal(value("((((((r-2)^64)^64)^64)^64)^64)^64", 3), 1, 0);
    assert_float_equal(value("((((((r-2)^64)^64)^64)^64)^64)^-64", 3), 1, 0);
    assert_float_equal(
        value("(((r-2)^64)^64)^64 * (((r-2)^64)^64)^64 * ((((r-2)^64)^64)^64)^63", 3), 1, 0);
}

/* Finds what is wrong between the distances that are tried, and only that. */
static void test_between_samples(void **state)
{
    (void)state;
    static const struct {
        const char *expression, *message; /* NULL: nothing is wrong */
    } ROWS[] = {
        {"select(r > 5.001 and r < 5.1, log(r - 10), r * 0.001)",
         "test: the value of term t is not finite for C and C near r = 5.001 Å;"},
        {"1 / (r - 3.33333)",
         "test: the value of term t is not finite for C and C near r = 3.33333 Å; divide by "
         "nothing that is 0 there, and take no root or logarithm of what is not above 0"},
        {"1 / (r - a_i - a_j - 1.23457)",
         "test: the value of term t is not finite for C and C near r = 3.23457 Å"},
        {"b_i * b_j / (r - 1.234567 * a_i)",
         "test: the value of term t is not finite for C and C near r = 1.23457 Å"},
        {"sqrt(abs(r - 4.00012))",
         "test: the derivative of term t is not finite for C and C near r = 4.00012 Å"},
        {"abs(r - 4.00012)^1.5", "test: the derivative of term t is not finite for C and C near"},
        {"1 / ((r - 4.00012)^2 + 1e-20)", "test: the energy's derivative in single precision is "
                                          "not finite for C and C near r = 4.0"},
        {"min(1 / abs(r - 3.33333), 5)", NULL},
        {"select(r > 3, sqrt(r - 2), 0)", NULL},
        {"select(r > 3, log(r - 2.99), 0)", NULL},
        {"select(r > 3 and r - 2 > 0, 1 / (r - 2), 5)", NULL},
        {"1 / (r^2 - 6 * r + 9.0001)", NULL},
        {"1 / (1 + exp(-20 * (r - 4)))", NULL},
        {"(a_i + a_j)^12 / r^12 - 1 / r^6", NULL},
        {"log(1 + r) / sqrt(r^2 + 0.01)", NULL},
        {"332 * b_i * b_j / (r * (86.9525 / (1 + 7.7839 * exp(-0.3154 * r)) - 8.5525))", NULL},
        {"ramp(r, a_i + a_j, 1)^2 / (1 + abs(r - 2))", NULL}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        char text[1000];
        struct compiled compiled;
        struct berth_error error = {0};
        snprintf(text, sizeof text, HEAD "term t = %s\n", ROWS[i].expression);
        compile(text, &compiled);
        const enum berth_status status = berth_score_check(&compiled.program, &error);
        if (ROWS[i].message ? status != BERTH_E_FORMAT || strncmp(error.message, ROWS[i].message,
                                                                  strlen(ROWS[i].message)) != 0
                            : status) {
            fail_msg("'%s': %d, %s", ROWS[i].expression, (int)status, error.message);
        }
        discard(&compiled);
    }
}

static void test_too_large(void **state)
{
    (void)state;
    struct berth_definition definition;
    struct berth_error error;
    static char text[200000];
    size_t used = (size_t)sprintf(text, HEAD "term t = r");
    for (int i = 0; i < 4000; i++) {
        used += (size_t)sprintf(text + used, " + exp(r * %d.5)", i);
    }
    sprintf(text + used, "\n");
    assert_int_equal(berth_definition_parse("test", text, &definition, &error), BERTH_E_FORMAT);
    assert_non_null(strstr(error.message, "too large for a kernel"));
    used = (size_t)sprintf(text, HEAD "term t = ");
    memset(text + used, '(', 1000);
    strcpy(text + used + 1000, "r\n");
    assert_int_equal(berth_definition_parse("test", text, &definition, &error), BERTH_E_FORMAT);
    assert_non_null(strstr(error.message, "within each other"));
    used = (size_t)sprintf(text, HEAD "term t = r ");
    for (int i = 0; i < 1000; i++) {
        used += (size_t)sprintf(text + used, "^ -");
    }
    strcpy(text + used, "1\n");
    assert_int_equal(berth_definition_parse("test", text, &definition, &error), BERTH_E_FORMAT);
}

/* Text of a file that says too much is no part of any kernel. */
static void test_nothing_gets_into_the_kernel(void **state)
{
    (void)state;
    struct compiled compiled;
    compile("name */ kernel void evil(){} /*\nsource \"; #include </etc/passwd>\n" HEAD
            "term t = r # */ evil\n",
            &compiled);
    char *definitions = berth_score_definitions(&compiled.program);
    char *functions = berth_score_functions(&compiled.program);
    assert_non_null(definitions);
    assert_non_null(functions);
    assert_null(strstr(definitions, "evil"));
    assert_null(strstr(functions, "evil"));
    assert_null(strstr(functions, "passwd"));
    free(definitions);
    free(functions);
    discard(&compiled);
}

static void test_total(void **state)
{
    (void)state;
    struct compiled compiled;
    compile(HEAD "term t = r\ntotal = (inter + intra) / (1 + 0.5 * torsions)\n", &compiled);
    const double symbols[BERTH_TOTAL_SYMBOLS] = {[BERTH_TOTAL_INTER] = -8,
                                                 [BERTH_TOTAL_PARTS + BERTH_PART_INTRA] = 2,
                                                 [BERTH_TOTAL_UNBOUND] = 1,
                                                 [BERTH_TOTAL_TORSIONS] = 4};
    assert_float_equal(berth_definition_total(&compiled.definition, symbols), -2, 1e-12);
    discard(&compiled);
    compile(HEAD "term t = r\ntotal = inter + intra - unbound\n", &compiled);
    assert_float_equal(berth_definition_total(&compiled.definition, symbols), -7, 1e-12);
    discard(&compiled);
    compile(HEAD "term t = r\n", &compiled);
    assert_float_equal(berth_definition_total(&compiled.definition, symbols), -6, 1e-12);
    discard(&compiled);
}

/* Parameters of two types are the same in either order, and 0 where no row names the types. */
static void test_pairs(void **state)
{
    (void)state;
    static const double D[2][2] = {{0, -1.5}, {-1.5, 4}}, E[2][2] = {{0, 2}, {2, 0.5}};
    struct compiled compiled;
    struct berth_error error;
    compile(HEAD "pairs d e\n  C N -1.5 2\n  N N 4 0.5\nterm t = d * r + e\n", &compiled);
    assert_int_equal(berth_score_check(&compiled.program, &error), BERTH_OK);
    for (int first = 0; first < 2; first++) {
        for (int second = 0; second < 2; second++) {
            struct berth_terms terms;
            berth_score_evaluate(&compiled.program, first, second, 3, &terms, NULL);
            assert_float_equal(terms.values[0], D[first][second] * 3 + E[first][second], 1e-12);
        }
    }
    discard(&compiled);
}

/* A torsional term is a part of the total under its own name, and of the code. */
static void test_torsions(void **state)
{
    (void)state;
    struct compiled compiled;
    const double symbols[BERTH_TOTAL_SYMBOLS] = {[BERTH_TOTAL_INTER] = -8,
                                                 [BERTH_TOTAL_PARTS + BERTH_PART_INTRA] = 2,
                                                 [BERTH_TOTAL_TORSIONS] = 4,
                                                 [BERTH_TOTAL_TORSIONAL] = 3};
    compile(HEAD "term t = r\ntorsion turning sp3-any = 1 + cos(3 * phi)\n"
                 "torsion turning any-aromatic = sin(phi)^2\n",
            &compiled);
    assert_float_equal(berth_definition_total(&compiled.definition, symbols), -3, 1e-12);
    assert_string_equal(compiled.definition.torsional.name, "turning");
    assert_int_equal(compiled.definition.torsional.row_count, 2);
    char *definitions = berth_score_definitions(&compiled.program);
    char *torsional = berth_score_torsional(&compiled.program);
    assert_non_null(strstr(definitions, "#define BERTH_TORSIONAL\n"));
    assert_non_null(strstr(torsional, "/* turning any-aromatic */"));
    assert_non_null(strstr(torsional, "*slope = ((-3.0f) * angle_sin("));
    free(definitions);
    free(torsional);
    discard(&compiled);
    compile(HEAD "term t = r\ntorsion turning sp3-sp3 = 1\ntotal = inter + 2 * turning\n",
            &compiled);
    assert_float_equal(berth_definition_total(&compiled.definition, symbols), -2, 1e-12);
    discard(&compiled);
    compile(HEAD "term phi = r\nlet cos = 2\n", &compiled); /* names like others, without one */
    definitions = berth_score_definitions(&compiled.program);
    assert_null(strstr(definitions, "TORSIONAL"));
    free(definitions);
    discard(&compiled);
}

/* A term is a term: there are eight at most. */
static void test_too_many_terms(void **state)
{
    (void)state;
    char text[500] = HEAD;
    struct berth_definition definition;
    struct berth_error error;
    for (int i = 0; i < BERTH_TERMS_MAX; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "term t%d = r\n", i);
    }
    const size_t full = strlen(text);
    strcpy(text + full, "torsion u sp3-sp3 = 1\n");
    assert_int_equal(berth_definition_parse("test", text, &definition, &error), BERTH_E_FORMAT);
    assert_string_equal(error.message, "test:15:9: a function has at most 8 terms");
}

/* Where a pair's terms end, and which parts it has. */
static void test_reach(void **state)
{
    (void)state;
    struct compiled compiled;
    compile(HEAD "term t = ramp(r, a_i + a_j, 1)\nterm u = select(b_i and b_j, ramp(r, 7, 6), 0)\n",
            &compiled);
    assert_float_equal(berth_score_reach(&compiled.program, 0, 0), 7, 1e-12);
    assert_float_equal(berth_score_reach(&compiled.program, 0, 1), 4, 1e-12);
    assert_int_equal(berth_score_body(&compiled.program, 0, 0), 3);
    assert_int_equal(berth_score_body(&compiled.program, 0, 1), 1);
    assert_true(compiled.program.far == 0);
    assert_false(compiled.program.floored);
    discard(&compiled);
    compile(HEAD "term t = exp(-r)\nterm u = 1 / r^6\n", &compiled);
    assert_float_equal(berth_score_reach(&compiled.program, 0, 0), 8, 1e-12);
    assert_true(compiled.program.far > 0);
    assert_true(compiled.program.floored);
    discard(&compiled);
    compile(HEAD "term t = r - 9\n", &compiled); /* no distance makes it 0 */
    assert_true(compiled.program.far == 0);
    struct berth_terms terms;
    berth_score_evaluate(&compiled.program, 0, 0, 8, &terms, NULL);
    assert_true(terms.values[0] == 0);
    berth_score_evaluate(&compiled.program, 0, 0, 7.5, &terms, NULL);
    assert_float_equal(terms.values[0], -1.5, 1e-12);
    discard(&compiled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values),
                                       cmocka_unit_test(test_derivatives),
                                       cmocka_unit_test(test_choices),
                                       cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_names_of_columns),
                                       cmocka_unit_test(test_full_of_parameters),
                                       cmocka_unit_test(test_powers_of_powers),
                                       cmocka_unit_test(test_between_samples),
                                       cmocka_unit_test(test_too_large),
                                       cmocka_unit_test(test_total),
                                       cmocka_unit_test(test_nothing_gets_into_the_kernel),
                                       cmocka_unit_test(test_pairs),
                                       cmocka_unit_test(test_torsions),
                                       cmocka_unit_test(test_too_many_terms),
                                       cmocka_unit_test(test_reach)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
