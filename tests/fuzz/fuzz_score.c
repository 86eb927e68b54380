/* libFuzzer: the reader of .score files and the compiler over any text.  Whatever it says, code
 * that comes of it is made of the compiler's own words. */
#include <math.h>
#include <string.h>

#include "score/language/program.h"
#include "fuzz.h"

/* A term's name, which stands in comments, or a word that the compiler writes. */
static int is_known(const struct berth_definition *definition, const char *word, size_t length)
{
    static const char *const WORDS[] = {"static",
                                        "inline",
                                        "__attribute__",
                                        "always_inline",
                                        "void",
                                        "const",
                                        "float",
                                        "vector",
                                        "int",
                                        "return",
                                        "if",
                                        "else",
                                        "endif",
                                        "if",
                                        "r",
                                        "c",
                                        "inverse",
                                        "square",
                                        "slope",
                                        "sharpness",
                                        "sums",
                                        "terms",
                                        "parts",
                                        "pair_energy",
                                        "pair_energy_v",
                                        "fma",
                                        "min",
                                        "max",
                                        "fabs",
                                        "clamp",
                                        "native_sqrt",
                                        "native_recip",
                                        "fast_exp2",
                                        "fast_exp2_v",
                                        "pair_energy_slope",
                                        "pair_energy_slope_v",
                                        "native_log2",
                                        "add_slopes",
                                        "weigh_slopes",
                                        "add_parts",
                                        "weigh_parts",
                                        "ROOT_SCALE",
                                        "BERTH_SATURATE",
                                        "inf",
                                        "nan",
                                        "real",
                                        "row",
                                        "phi",
                                        "switch",
                                        "case",
                                        "default",
                                        "torsional_energy",
                                        "angle_sin",
                                        "angle_cos",
                                        "real_exp2",
                                        "sp3",
                                        "sp2",
                                        "aromatic",
                                        "any",
                                        "nanf",
                                        "inff"};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        if (strlen(WORDS[i]) == length && memcmp(WORDS[i], word, length) == 0) {
            return 1;
        }
    }
    for (size_t i = 0; i < definition->terms.count; i++) {
        const char *name = definition->terms.names[i];
        if (strlen(name) == length && memcmp(name, word, length) == 0) {
            return 1;
        }
    }
    const char *torsional = definition->torsional.name;
    if (strlen(torsional) == length && memcmp(torsional, word, length) == 0) {
        return 1;
    }
    if (length > 10 && memcmp(word, "torsional_", 10) == 0) { /* the function of a row */
        return strspn(word + 10, "0123456789") == length - 10;
    }
    return *word == 'n' && strspn(word + 1, "0123456789") == length - 1; /* a variable */
}

static void check_code(const struct berth_definition *definition, const char *code)
{
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char DIGITS[] = "0123456789";
    demand(code != NULL);
    while (*code) {
        if (strchr(LETTERS, *code)) {
            size_t length = strspn(code, LETTERS);
            length += strspn(code + length, "0123456789abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOP"
                                            "QRSTUVWXYZ");
            demand(is_known(definition, code, length));
            code += length;
        } else if (strchr(DIGITS, *code)) {
            code += strspn(code, "0123456789.ex+-abcdf"); /* with its exponent and suffix */
        } else {
            demand(strchr(" \n(){}[]*/+-=<>?:;,!&|#\"", *code) != NULL);
            code++;
        }
    }
}

/* What has been found to be finite everywhere is finite anywhere: at distances that are no others'.
 */
static void check_values(const struct berth_score_program *program)
{
    const struct berth_definition *definition = program->definition;
    const int types = (int)definition->type_count;
    double values[BERTH_NODES_MAX];
    for (int i = 0; i < 200; i++) {
        const int first = i % types, second = first + i / types % (types - first);
        const double r = BERTH_DISTANCE_LEAST + (definition->cutoff - BERTH_DISTANCE_LEAST) *
                                                    fmod(i * 0.6180339887498949, 1);
        struct berth_terms terms, slopes;
        berth_score_evaluate(program, first, second, r, &terms, &slopes);
        berth_score_run(program, (size_t)(first * types + second), r, values);
        for (size_t k = 0; k < definition->terms.count; k++) {
            demand(isfinite(terms.values[k]) && isfinite(slopes.values[k]));
        }
        demand(isfinite(values[program->energy]) && isfinite(values[program->slope]) &&
               isfinite(values[program->soft_slope]));
    }
}

static void compile(const struct berth_definition *definition)
{
    struct berth_score_program program;
    struct berth_error error;
    const enum berth_status status = berth_score_compile(definition, &program, &error);
    if (status) {
        demand(status == BERTH_E_FORMAT && !program.constants);
        return;
    }
    char *definitions = berth_score_definitions(&program);
    char *functions = berth_score_functions(&program);
    char *torsional = berth_score_torsional(&program);
    if (berth_score_check(&program, &error) == BERTH_OK) {
        check_values(&program);
    }
    demand(definitions != NULL);
    check_code(definition, functions);
    check_code(definition, torsional);
    free(torsional);
    free(definitions);
    free(functions);
    berth_score_clear(&program);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct berth_definition definition;
    struct berth_error error;
    char *text = malloc(size + 1);
    demand(text != NULL);
    memcpy(text, bytes, size);
    text[size] = '\0';
    const enum berth_status status = berth_definition_parse("fuzz", text, &definition, &error);
    if (status) {
        demand(status == BERTH_E_FORMAT && !definition.file);
    } else {
        if (definition.type_count > 0 && definition.type_count <= 6) {
            compile(&definition);
        }
        berth_definition_clear(&definition);
    }
    free(text);
    return 0;
}
