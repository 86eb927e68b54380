#include "score/language/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "score/language/writer.h"

/* Text that grows. */
struct text {
    char *bytes; /* owned */
    size_t used, capacity;
    bool failed;
};

static void say(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct text *text, const char *format, ...)
{
    struct berth_error error;
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0 ||
        berth_reserve(&text->bytes, &text->capacity, text->used + (size_t)length + 1, 1, &error)) {
        text->failed = true;
    } else {
        vsnprintf(text->bytes + text->used, (size_t)length + 1, format, again);
        text->used += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

static char *finish(struct text *text)
{
    if (text->failed) {
        free(text->bytes);
        return NULL;
    }
    return text->bytes;
}

static const struct berth_node *at(const struct writer *writer, int node)
{
    return &writer->code->nodes[node];
}

static bool is(const struct writer *writer, int node, enum berth_operation operation)
{
    return at(writer, node)->operation == operation;
}

/* The operands that are written: those of a power are lower powers. */
static int operands_of(const struct writer *writer, int node, int operands[3])
{
    const struct berth_node *made = at(writer, node);
    operands[0] = made->a;
    operands[1] = made->b;
    operands[2] = made->c;
    if (made->operation != BERTH_POWER) {
        return berth_operand_count(made->operation);
    }
    const int power = (int)made->number;
    operands[1] = made->a;
    if (power > 2) {
        for (int i = 0; i < writer->code->count; i++) {
            if (is(writer, i, BERTH_POWER) && at(writer, i)->a == made->a &&
                (int)at(writer, i)->number == (power % 2 ? power - 1 : power / 2)) {
                operands[0] = i;
            }
        }
        operands[1] = power % 2 ? made->a : operands[0];
    }
    return 2;
}

void berth_writer_count_uses(struct writer *writer, int node)
{
    int operands[3];
    if (writer->uses[node]++) {
        return;
    }
    const int count = operands_of(writer, node, operands);
    for (int i = 0; i < count; i++) {
        berth_writer_count_uses(writer, operands[i]);
    }
}

/* A number as a float of C, in brackets where it has a sign. */
static void write_float(struct text *text, double number)
{
    char digits[40];
    snprintf(digits, sizeof digits, "%.9g", number);
    say(text, "%s%s%sf%s", number < 0 ? "(" : "", digits, strpbrk(digits, ".e") ? "" : ".0",
        number < 0 ? ")" : "");
}

static void write_number(const struct writer *writer, double number, const char *type)
{
    if (strcmp(type, "float") == 0) {
        write_float(writer->text, number);
        return;
    }
    say(writer->text, "(%s)(", type);
    write_float(writer->text, number);
    say(writer->text, ")");
}

static void write_symbol(const struct writer *writer, int symbol)
{
    static const char *const NAMES[] = {"r", "r", "ROOT_SCALE", "inverse", "square", "sharpness"};
    if (writer->angle) {
        say(writer->text, "%s", writer->angle);
    } else if (symbol < BERTH_CODE_CONSTANTS) {
        say(writer->text, "%s", NAMES[symbol]);
    } else {
        say(writer->text, "c[%d]", symbol - BERTH_CODE_CONSTANTS);
    }
}

/* Whether a node has a variable of its own. */
static bool is_named(const struct writer *writer, int node)
{
    return writer->uses[node] > 1 && !is(writer, node, BERTH_NUMBER) &&
           !is(writer, node, BERTH_SYMBOL);
}

static void write_made(const struct writer *writer, int node);

/* An operand of the operators, which take numbers beside vectors. */
static void write_plain(const struct writer *writer, int node)
{
    if (is_named(writer, node)) {
        say(writer->text, "n%d", node);
    } else if (is(writer, node, BERTH_NUMBER)) {
        write_number(writer, at(writer, node)->number, "float");
    } else if (is(writer, node, BERTH_SYMBOL)) {
        write_symbol(writer, at(writer, node)->a);
    } else {
        write_made(writer, node);
    }
}

/* An operand of a function beside ones of this type: where it is a plain number, made that type. */
static void write_as(const struct writer *writer, int node, const char *type)
{
    if (is(writer, node, BERTH_NUMBER)) {
        write_number(writer, at(writer, node)->number, type);
    } else if (!at(writer, node)->varies && strcmp(type, "float") != 0) {
        say(writer->text, "(%s)(", type);
        write_plain(writer, node);
        say(writer->text, ")");
    } else {
        write_plain(writer, node);
    }
}

static const char *type_of(const struct writer *writer, int node)
{
    return at(writer, node)->varies ? writer->type : writer->constant_type;
}

/* name(operands). */
static void write_call(const struct writer *writer, const char *name, const char *type,
                       const int *operands, int count)
{
    say(writer->text, "%s(", name);
    for (int i = 0; i < count; i++) {
        say(writer->text, "%s", i ? ", " : "");
        write_as(writer, operands[i], type);
    }
    say(writer->text, ")");
}

static void write_operator(const struct writer *writer, int a, const char *operator, int b)
{
    say(writer->text, "(");
    write_plain(writer, a);
    say(writer->text, " %s ", operator);
    write_plain(writer, b);
    say(writer->text, ")");
}

static void write_condition(const struct writer *writer, int node);

static const char *operator_of(enum berth_operation operation)
{
    switch (operation) {
    case BERTH_LESS:
        return "<";
    case BERTH_AT_MOST:
        return "<=";
    case BERTH_EQUAL:
        return "==";
    case BERTH_AND:
        return "&&";
    case BERTH_OR:
        return "||";
    default:
        return NULL;
    }
}

/* A comparison, or conditions put together, as what ?: takes. */
static void write_test(const struct writer *writer, const struct berth_node *made)
{
    const char *name = operator_of(made->operation);
    if (made->operation == BERTH_AND || made->operation == BERTH_OR) {
        say(writer->text, "(");
        write_condition(writer, made->a);
        say(writer->text, " %s ", name);
        write_condition(writer, made->b);
        say(writer->text, ")");
    } else if (name) {
        write_operator(writer, made->a, name, made->b);
    } else { /* not */
        say(writer->text, "(");
        write_plain(writer, made->a);
        say(writer->text, " == 0)");
    }
}

/* Any node as what ?: takes. */
static void write_condition(const struct writer *writer, int node)
{
    const struct berth_node *made = at(writer, node);
    if (!is_named(writer, node) && (operator_of(made->operation) || made->operation == BERTH_NOT)) {
        write_test(writer, made);
    } else {
        say(writer->text, "(");
        write_plain(writer, node);
        say(writer->text, " != 0)");
    }
}

static void write_choice(const struct writer *writer, const char *type, int condition, int a, int b)
{
    say(writer->text, "(");
    write_condition(writer, condition);
    say(writer->text, " ? ");
    write_as(writer, a, type);
    say(writer->text, " : ");
    write_as(writer, b, type);
    say(writer->text, ")");
}

bool berth_writer_as_product(const struct writer *writer, int node, int product[2])
{
    int operands[3];
    const struct berth_node *made = at(writer, node);
    if (is_named(writer, node)) {
        return false;
    }
    if (made->operation == BERTH_AFFINE && made->c == 0) {
        product[0] = made->b;
        product[1] = made->a;
        return true;
    }
    if (made->operation == BERTH_MULTIPLY || made->operation == BERTH_POWER) {
        operands_of(writer, node, operands);
        product[0] = operands[0];
        product[1] = operands[1];
        return true;
    }
    return false;
}

static void write_sum(const struct writer *writer, const char *type, int a, int b)
{
    int product[2];
    const bool first = berth_writer_as_product(writer, a, product);
    const int other = first ? b : a;
    if (!first && !berth_writer_as_product(writer, b, product)) {
        write_operator(writer, a, "+", b);
    } else if (berth_is_number(writer->code, product[0], -1)) {
        int inner[2];
        if (berth_writer_as_product(writer, product[1], inner)) {
            say(writer->text, "fma(-");
            write_as(writer, inner[0], type);
            say(writer->text, ", ");
            write_as(writer, inner[1], type);
            say(writer->text, ", ");
            write_as(writer, other, type);
            say(writer->text, ")");
        } else {
            write_operator(writer, other, "-", product[1]);
        }
    } else {
        write_call(writer, "fma", type, (int[]){product[0], product[1], other}, 3);
    }
}

static void write_affine(const struct writer *writer, const char *type,
                         const struct berth_node *made)
{
    if (berth_is_number(writer->code, made->b, 1)) {
        write_operator(writer, made->a, "+", made->c);
    } else if (berth_is_number(writer->code, made->b, -1) && made->c) {
        write_operator(writer, made->c, "-", made->a);
    } else if (berth_is_number(writer->code, made->b, -1)) {
        say(writer->text, "(-");
        write_plain(writer, made->a);
        say(writer->text, ")");
    } else if (made->c == 0) {
        write_operator(writer, made->b, "*", made->a);
    } else {
        write_call(writer, "fma", type, (int[]){made->a, made->b, made->c}, 3);
    }
}

/* The function that an operation of one operand is. */
static const char *function_of(enum berth_operation operation, const char *type)
{
    switch (operation) {
    case BERTH_ABS:
        return "fabs";
    case BERTH_SQRT:
        return "native_sqrt";
    case BERTH_LOG2:
        return "native_log2";
    case BERTH_SIN:
        return "angle_sin";
    case BERTH_COS:
        return "angle_cos";
    default: /* BERTH_EXP2 */
        return strcmp(type, "vector") == 0 ? "fast_exp2_v"
               : strcmp(type, "real") == 0 ? "real_exp2"
                                           : "fast_exp2";
    }
}

/* The operation of a node. */
static void write_made(const struct writer *writer, int node)
{
    const struct berth_node *made = at(writer, node);
    const char *type = type_of(writer, node);
    int operands[3];
    operands_of(writer, node, operands);
    switch (made->operation) {
    case BERTH_ADD:
        write_sum(writer, type, made->a, made->b);
        return;
    case BERTH_AFFINE:
        write_affine(writer, type, made);
        return;
    case BERTH_MULTIPLY:
    case BERTH_POWER:
        write_operator(writer, operands[0], "*", operands[1]);
        return;
    case BERTH_RECIPROCAL:
        if (made->varies) {
            write_call(writer, "native_recip", type, operands, 1);
        } else {
            say(writer->text, "(1.0f / ");
            write_plain(writer, made->a);
            say(writer->text, ")");
        }
        return;
    case BERTH_MIN:
    case BERTH_MAX:
        write_call(writer, made->operation == BERTH_MIN ? "min" : "max", type, operands, 2);
        return;
    case BERTH_ABS:
    case BERTH_SQRT:
    case BERTH_EXP2:
    case BERTH_LOG2:
    case BERTH_SIN:
    case BERTH_COS:
        write_call(writer, function_of(made->operation, type), type, operands, 1);
        return;
    case BERTH_SATURATE:
        say(writer->text, "clamp(");
        write_as(writer, made->a, type);
        say(writer->text, ", 0.0f, 1.0f)");
        return;
    case BERTH_SELECT:
        write_choice(writer, type, made->a, made->b, made->c);
        return;
    default: /* a condition as a number */
        say(writer->text, "(");
        write_test(writer, made);
        say(writer->text, " ? (%s)(1) : (%s)(0))", type, type);
    }
}

/* Begins writing code of these types. */
static void begin(struct writer *writer, struct text *text,
                  const struct berth_score_program *program, const char *type,
                  const char *constant_type)
{
    memset(writer, 0, sizeof *writer);
    writer->text = text;
    writer->code = &program->code;
    writer->type = type;
    writer->constant_type = constant_type;
}

/* Writes the variables that the counted nodes need. */
static void write_variables(const struct writer *writer)
{
    for (int i = 0; i < writer->code->count; i++) {
        if (is_named(writer, i)) {
            say(writer->text, "    const %s n%d = ", type_of(writer, i), i);
            write_made(writer, i);
            say(writer->text, ";\n");
        }
    }
}

/* to += node. */
static void write_addition(const struct writer *writer, const char *to, int node)
{
    int product[2];
    if (berth_writer_as_product(writer, node, product)) {
        say(writer->text, "%s = ", to);
        say(writer->text, "fma(");
        write_as(writer, product[0], writer->type);
        say(writer->text, ", ");
        write_as(writer, product[1], writer->type);
        say(writer->text, ", %s);\n", to);
    } else {
        say(writer->text, "%s += ", to);
        write_plain(writer, node);
        say(writer->text, ";\n");
    }
}

/* Whether the counted nodes ask for a symbol. */
static bool asks_for(const struct writer *writer, enum berth_code_symbol symbol)
{
    for (int i = 0; i < writer->code->count; i++) {
        if (writer->uses[i] && is(writer, i, BERTH_SYMBOL) && at(writer, i)->a == (int)symbol) {
            return true;
        }
    }
    return false;
}

/* r and what else the expressions ask for, from r. */
static void write_distances(const struct writer *writer, const struct berth_score_program *program)
{
    struct text *text = writer->text;
    const char *type = writer->type;
    if (program->floored) {
        say(text, "    r = max(r, ");
        write_float(text, BERTH_DISTANCE_LEAST);
        say(text, ");\n");
    }
    if (program->far > 0) {
        say(text, "    r = r < ");
        write_float(text, program->definition->cutoff);
        say(text, " ? r : ");
        write_number(writer, program->far, type);
        say(text, ";\n");
    }
    if (asks_for(writer, BERTH_CODE_INVERSE)) {
        say(text, "    const %s inverse = native_recip(r);\n", type);
    }
    if (asks_for(writer, BERTH_CODE_SQUARE)) {
        say(text, "    const %s square = r * r;\n", type);
    }
}

/* pair_energy, or pair_energy_slope. */
static void write_pair(const struct berth_score_program *program, struct text *text,
                       const char *type, bool sloped)
{
    const char *suffix = strcmp(type, "vector") == 0 ? "_v" : "";
    struct writer writer;
    begin(&writer, text, program, type, type);
    berth_writer_count_uses(&writer, program->energy);
    if (sloped) {
        berth_writer_count_uses(&writer, program->slope);
        say(text, "static %s pair_energy_slope%s(%s r, const %s *c, %s *slope)\n{\n", type, suffix,
            type, type, type);
    } else {
        say(text, "static %s pair_energy%s(%s r, const %s *c)\n{\n", type, suffix, type, type);
    }
    write_distances(&writer, program);
    write_variables(&writer);
    if (sloped) {
        say(text, "    *slope = ");
        write_plain(&writer, program->slope);
        say(text, ";\n");
    }
    say(text, "    return ");
    write_plain(&writer, program->energy);
    say(text, ";\n}\n\n");
}

static void write_bases(const struct writer *writer, const struct berth_score_program *program,
                        const struct berth_code_form *form, bool chosen)
{
    for (size_t k = 0; k < program->part_count; k++) {
        char sum[32];
        snprintf(sum, sizeof sum, "sums[%zu]", k);
        if (chosen) {
            say(writer->text, "    if (parts & 0x%x) ", 1u << k);
        } else {
            say(writer->text, "    ");
        }
        write_addition(writer, sum, form->bases[k]);
    }
}

/* terms += weights * sums. */
static void write_weights(struct writer *writer, const struct berth_score_program *program,
                          const struct berth_code_form *form)
{
    for (size_t k = 0; k < program->part_count; k++) {
        berth_writer_count_uses(writer, form->weights[k]);
    }
    write_variables(writer);
    for (size_t k = 0; k < program->part_count; k++) {
        say(writer->text, "    terms[%zu] = fma(sums[%zu], (vector)(", program->terms[k], k);
        write_plain(writer, form->weights[k]);
        say(writer->text, "), terms[%zu]); /* %s */\n", program->terms[k],
            program->definition->terms.names[program->terms[k]]);
    }
    say(writer->text, "}\n");
}

/* add_slopes and weigh_slopes. */
static void write_slopes(const struct berth_score_program *program, struct text *text)
{
    struct writer writer;
    begin(&writer, text, program, "vector", "vector");
    for (size_t k = 0; k < program->part_count; k++) {
        berth_writer_count_uses(&writer, program->pair.bases[k]);
    }
    berth_writer_count_uses(&writer, program->soft_slope);
    say(text, "static void add_slopes(vector r, vector inverse, vector square, const vector *c,\n"
              "                       float sharpness, vector *sums, vector *slope)\n{\n");
    write_variables(&writer);
    write_bases(&writer, program, &program->pair, false);
    say(text, "    *slope = ");
    write_plain(&writer, program->soft_slope);
    say(text, ";\n}\n\n");
    begin(&writer, text, program, "vector", "vector");
    say(text, "static void weigh_slopes(const vector *sums, const vector *c, vector *terms)\n{\n");
    write_weights(&writer, program, &program->pair);
    say(text, "\n");
}

/* add_parts and weigh_parts, in one form. */
static void write_loop(const struct berth_score_program *program, struct text *text,
                       const struct berth_code_form *form)
{
    struct writer writer;
    begin(&writer, text, program, "vector", "float");
    for (size_t k = 0; k < program->part_count; k++) {
        berth_writer_count_uses(&writer, form->bases[k]);
    }
    say(text,
        "static inline __attribute__((always_inline)) void\n"
        "add_parts(vector r, vector inverse, vector square, const float *c, const int parts,\n"
        "          vector *sums)\n{\n");
    write_variables(&writer);
    write_bases(&writer, program, form, true);
    say(text, "}\n\n");
    begin(&writer, text, program, "vector", "float");
    say(text, "static void weigh_parts(const vector *sums, const float *c, vector *terms)\n{\n");
    write_weights(&writer, program, form);
}

char *berth_score_functions(const struct berth_score_program *program)
{
    static const char *const TYPES[] = {"float", "vector"};
    struct text text = {0};
    for (int i = 0; i < 2; i++) {
        write_pair(program, &text, TYPES[i], false);
        write_pair(program, &text, TYPES[i], true);
    }
    write_slopes(program, &text);
    say(&text, "#if BERTH_SATURATE\n");
    write_loop(program, &text, &program->clamp);
    say(&text, "#else\n");
    write_loop(program, &text, &program->knee);
    say(&text, "#endif\n");
    return finish(&text);
}

/* The energy and the slope of a row of the torsional term. */
static void write_torsional_row(const struct berth_torsional *torsional, size_t number,
                                struct text *text)
{
    const struct berth_torsional_row *row = &torsional->rows[number];
    struct writer writer = {.text = text,
                            .code = &torsional->graph,
                            .type = "real",
                            .constant_type = "float",
                            .angle = "phi"};
    berth_writer_count_uses(&writer, row->energy);
    berth_writer_count_uses(&writer, row->slope);
    say(text, "/* %s %s-%s */\nstatic real torsional_%zu(real phi, real *slope)\n{\n",
        torsional->name, BERTH_BOND_END_NAMES[row->ends[0]], BERTH_BOND_END_NAMES[row->ends[1]],
        number);
    write_variables(&writer);
    say(text, "    *slope = ");
    write_as(&writer, row->slope, "real");
    say(text, ";\n    return ");
    write_as(&writer, row->energy, "real");
    say(text, ";\n}\n\n");
}

char *berth_score_torsional(const struct berth_score_program *program)
{
    const struct berth_torsional *torsional = &program->definition->torsional;
    struct text text = {0};
    for (size_t i = 0; i < torsional->row_count; i++) {
        write_torsional_row(torsional, i, &text);
    }
    say(&text, "static real torsional_energy(int row, real phi, real *slope)\n{\n"
               "    switch (row) {\n");
    for (size_t i = 1; i < torsional->row_count; i++) {
        say(&text, "    case %zu:\n        return torsional_%zu(phi, slope);\n", i, i);
    }
    say(&text, "    default:\n        return torsional_0(phi, slope);\n    }\n}\n");
    return finish(&text);
}

static void write_definition(struct text *text, const char *name, double number)
{
    say(text, "#define %s ", name);
    write_float(text, number);
    say(text, "\n");
}

char *berth_score_definitions(const struct berth_score_program *program)
{
    const struct berth_definition *definition = program->definition;
    struct text text = {0};
    say(&text, "#define BERTH_TERMS %zu\n#define BERTH_PARTS %zu\n", definition->terms.count,
        program->part_count ? program->part_count : 1);
    say(&text, "#define BERTH_PAIR_CONSTANTS %zu\n#define BERTH_SLOPE_CONSTANTS %zu\n",
        berth_score_constant_count(program),
        program->slope_constants ? program->slope_constants : 1);
    say(&text, "#define BERTH_SOFTENED %d\n#define BERTH_INVERTED %d\n", definition->softened,
        program->inverted);
    if (program->far > 0) {
        write_definition(&text, "BERTH_CUTOFF_SQUARE", definition->cutoff * definition->cutoff);
        write_definition(&text, "BERTH_FAR_SQUARE", program->far * program->far);
    }
    if (program->floored) {
        write_definition(&text, "BERTH_LEAST_SQUARE", BERTH_DISTANCE_LEAST * BERTH_DISTANCE_LEAST);
    }
    if (*definition->torsional.name) {
        say(&text, "#define BERTH_TORSIONAL\n");
    }
    say(&text, "#define BERTH_FOR_EACH_BODY(BODY)");
    for (size_t k = 0; k < program->body_count; k++) {
        say(&text, " BODY(0x%x)", program->bodies[k]);
    }
    say(&text, "\n");
    return finish(&text);
}
