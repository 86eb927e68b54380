#include "score/language/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is written of the program, which the caller frees; NULL when out of memory. */
static char *text_of(const struct berth_score_program *program,
                     void (*write)(const struct berth_score_program *program, FILE *file))
{
    char *text;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (!file) {
        return NULL;
    }
    write(program, file);
    const bool failed = ferror(file);
    if (fclose(file) || failed) {
        free(text);
        return NULL;
    }
    return text;
}

/* How operations are written, but for those of which it depends. */
static const char *const TEXTS[] = {
#define ROW(name, operands, value, bounds, rounds, text) text,
    BERTH_OPERATIONS(ROW)
#undef ROW
};

static const struct berth_node *at(const struct berth_writer *writer, int node)
{
    return &writer->code->nodes[node];
}

static bool is(const struct berth_writer *writer, int node, enum berth_operation operation)
{
    return at(writer, node)->operation == operation;
}

/* The operands that are written: those of a power are lower powers. */
static int operands_of(const struct berth_writer *writer, int node, int operands[3])
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

void berth_writer_count_uses(struct berth_writer *writer, int node)
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

/* A number as a float of C, in brackets where it has a sign, made that type. */
static void write_number(FILE *file, double number, const char *type)
{
    char digits[40];
    const bool made = strcmp(type, "float") != 0;
    snprintf(digits, sizeof digits, "%.9g", number);
    if (made) {
        fprintf(file, "(%s)(", type);
    }
    fprintf(file, "%s%s%sf%s%s", number < 0 ? "(" : "", digits, strpbrk(digits, ".e") ? "" : ".0",
            number < 0 ? ")" : "", made ? ")" : "");
}

static void write_symbol(const struct berth_writer *writer, int symbol)
{
    static const char *const NAMES[] = {"r", "r", "ROOT_SCALE", "inverse", "square", "sharpness"};
    if (writer->angle) {
        fprintf(writer->file, "%s", writer->angle);
    } else if (symbol < BERTH_CODE_CONSTANTS) {
        fprintf(writer->file, "%s", NAMES[symbol]);
    } else {
        fprintf(writer->file, "c[%d]", symbol - BERTH_CODE_CONSTANTS);
    }
}

/* Whether a node has a variable of its own. */
static bool is_named(const struct berth_writer *writer, int node)
{
    return writer->uses[node] > 1 && !is(writer, node, BERTH_NUMBER) &&
           !is(writer, node, BERTH_SYMBOL);
}

static void write_made(const struct berth_writer *writer, int node);

/* An operand of a function beside ones of this type: what does not vary, made that type.  Operators
 * take floats beside vectors. */
static void write_as(const struct berth_writer *writer, int node, const char *type)
{
    const bool made =
        !is(writer, node, BERTH_NUMBER) && !at(writer, node)->varies && strcmp(type, "float") != 0;
    if (made) {
        fprintf(writer->file, "(%s)(", type);
    }
    if (is_named(writer, node)) {
        fprintf(writer->file, "n%d", node);
    } else if (is(writer, node, BERTH_NUMBER)) {
        write_number(writer->file, at(writer, node)->number, type);
    } else if (is(writer, node, BERTH_SYMBOL)) {
        write_symbol(writer, at(writer, node)->a);
    } else {
        write_made(writer, node);
    }
    if (made) {
        fprintf(writer->file, ")");
    }
}

static bool is_condition(const struct berth_writer *writer, int node)
{
    const enum berth_operation operation = at(writer, node)->operation;
    return operation >= BERTH_LESS && operation <= BERTH_NOT;
}

static void write_text(const struct berth_writer *writer, const char *type, const char *text,
                       const int *operands);

/* Any node as what ?: takes. */
static void write_condition(const struct berth_writer *writer, int node)
{
    const struct berth_node *made = at(writer, node);
    if (is_condition(writer, node) && !is_named(writer, node)) {
        write_text(writer, NULL, TEXTS[made->operation], (int[]){made->a, made->b});
    } else {
        write_text(writer, NULL, "(@ != 0)", &node);
    }
}

/* Writes a text in which operands stand for @, $ (of this type) and ~: see BERTH_OPERATIONS. */
static void write_text(const struct berth_writer *writer, const char *type, const char *text,
                       const int *operands)
{
    while (*text) {
        const size_t plain = strcspn(text, "@$~");
        fprintf(writer->file, "%.*s", (int)plain, text);
        text += plain;
        if (*text == '@' || *text == '$') {
            write_as(writer, *operands++, *text == '@' ? "float" : type);
        } else if (*text) {
            write_condition(writer, *operands++);
        }
        text += *text != '\0';
    }
}

static const char *type_of(const struct berth_writer *writer, int node)
{
    return at(writer, node)->varies ? writer->type : writer->constant_type;
}

bool berth_writer_as_product(const struct berth_writer *writer, int node, int product[2])
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

static void write_affine(const struct berth_writer *writer, const char *type,
                         const struct berth_node *made)
{
    if (berth_is_number(writer->code, made->b, 1)) {
        write_text(writer, type, "(@ + @)", (int[]){made->a, made->c});
    } else if (berth_is_number(writer->code, made->b, -1)) {
        write_text(writer, type, made->c ? "(@ - @)" : "(-@)",
                   made->c ? (int[]){made->c, made->a} : &made->a);
    } else if (made->c == 0) {
        write_text(writer, type, "(@ * @)", (int[]){made->b, made->a});
    } else {
        write_text(writer, type, "fma($, $, $)", (int[]){made->a, made->b, made->c});
    }
}

/* The operation of a node. */
static void write_made(const struct berth_writer *writer, int node)
{
    const struct berth_node *made = at(writer, node);
    const char *type = type_of(writer, node), *text = TEXTS[made->operation];
    int operands[3];
    operands_of(writer, node, operands);
    if (made->operation == BERTH_ADD) {
        int product[2], inner[2];
        const bool first = berth_writer_as_product(writer, made->a, product);
        const int other = first ? made->b : made->a;
        if (!first && !berth_writer_as_product(writer, made->b, product)) {
            write_text(writer, type, "(@ + @)", (int[]){made->a, made->b});
        } else if (!berth_is_number(writer->code, product[0], -1)) {
            write_text(writer, type, "fma($, $, $)", (int[]){product[0], product[1], other});
        } else if (berth_writer_as_product(writer, product[1], inner)) {
            write_text(writer, type, "fma(-$, $, $)", (int[]){inner[0], inner[1], other});
        } else {
            write_text(writer, type, "(@ - @)", (int[]){other, product[1]});
        }
    } else if (made->operation == BERTH_AFFINE) {
        write_affine(writer, type, made);
    } else if (is_condition(writer, node)) { /* as a number */
        fprintf(writer->file, "(");
        write_text(writer, type, text, operands);
        fprintf(writer->file, " ? (%s)(1) : (%s)(0))", type, type);
    } else if (made->operation == BERTH_RECIPROCAL && !made->varies) {
        write_text(writer, type, "(1.0f / @)", operands);
    } else if (made->operation == BERTH_EXP2) {
        text = strcmp(type, "vector") == 0 ? "fast_exp2_v($)"
               : strcmp(type, "real") == 0 ? "real_exp2($)"
                                           : text;
        write_text(writer, type, text, operands);
    } else {
        write_text(writer, type, text, operands);
    }
}

/* A writer of code of these types. */
static struct berth_writer begin(FILE *file, const struct berth_score_program *program,
                                 const char *type, const char *constant_type)
{
    return (struct berth_writer){
        .file = file, .code = &program->code, .type = type, .constant_type = constant_type};
}

static void count_all(struct berth_writer *writer, const int *nodes, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        berth_writer_count_uses(writer, nodes[k]);
    }
}

/* Writes the variables that the counted nodes need. */
static void write_variables(const struct berth_writer *writer)
{
    for (int i = 0; i < writer->code->count; i++) {
        if (is_named(writer, i)) {
            fprintf(writer->file, "    const %s n%d = ", type_of(writer, i), i);
            write_made(writer, i);
            fprintf(writer->file, ";\n");
        }
    }
}

/* Whether the counted nodes ask for a symbol. */
static bool asks_for(const struct berth_writer *writer, enum berth_code_symbol symbol)
{
    for (int i = 0; i < writer->code->count; i++) {
        if (writer->uses[i] && is(writer, i, BERTH_SYMBOL) && at(writer, i)->a == (int)symbol) {
            return true;
        }
    }
    return false;
}

/* r and what else the expressions ask for, from r. */
static void write_distances(const struct berth_writer *writer,
                            const struct berth_score_program *program)
{
    FILE *file = writer->file;
    const char *type = writer->type;
    if (program->floored) {
        fprintf(file, "    r = max(r, ");
        write_number(file, BERTH_DISTANCE_LEAST, "float");
        fprintf(file, ");\n");
    }
    if (program->far > 0) {
        fprintf(file, "    r = r < ");
        write_number(file, program->definition->cutoff, "float");
        fprintf(file, " ? r : ");
        write_number(file, program->far, type);
        fprintf(file, ";\n");
    }
    if (asks_for(writer, BERTH_CODE_INVERSE)) {
        fprintf(file, "    const %s inverse = native_recip(r);\n", type);
    }
    if (asks_for(writer, BERTH_CODE_SQUARE)) {
        fprintf(file, "    const %s square = r * r;\n", type);
    }
}

/* pair_energy, or pair_energy_slope. */
static void write_pair(const struct berth_score_program *program, FILE *file, const char *type,
                       bool sloped)
{
    const char *suffix = strcmp(type, "vector") == 0 ? "_v" : "";
    struct berth_writer writer = begin(file, program, type, type);
    berth_writer_count_uses(&writer, program->energy);
    if (sloped) {
        berth_writer_count_uses(&writer, program->slope);
        fprintf(file, "static %s pair_energy_slope%s(%s r, const %s *c, %s *slope)\n{\n", type,
                suffix, type, type, type);
    } else {
        fprintf(file, "static %s pair_energy%s(%s r, const %s *c)\n{\n", type, suffix, type, type);
    }
    write_distances(&writer, program);
    write_variables(&writer);
    if (sloped) {
        write_text(&writer, type, "    *slope = @;\n", &program->slope);
    }
    write_text(&writer, type, "    return @;\n}\n\n", &program->energy);
}

/* sums += bases; chosen: of the parts that a loop body has. */
static void write_bases(const struct berth_writer *writer,
                        const struct berth_score_program *program,
                        const struct berth_code_form *form, bool chosen)
{
    for (size_t k = 0; k < program->part_count; k++) {
        int product[2];
        fprintf(writer->file, "    ");
        if (chosen) {
            fprintf(writer->file, "if (parts & 0x%x) ", 1u << k);
        }
        if (berth_writer_as_product(writer, form->bases[k], product)) {
            fprintf(writer->file, "sums[%zu] = ", k);
            write_text(writer, writer->type, "fma($, $, ", product);
            fprintf(writer->file, "sums[%zu]);\n", k);
        } else {
            fprintf(writer->file, "sums[%zu] += ", k);
            write_text(writer, writer->type, "@;\n", &form->bases[k]);
        }
    }
}

/* terms += weights * sums. */
static void write_weights(struct berth_writer *writer, const struct berth_score_program *program,
                          const struct berth_code_form *form)
{
    count_all(writer, form->weights, program->part_count);
    write_variables(writer);
    for (size_t k = 0; k < program->part_count; k++) {
        fprintf(writer->file, "    terms[%zu] = fma(sums[%zu], (vector)(", program->terms[k], k);
        write_as(writer, form->weights[k], "float");
        fprintf(writer->file, "), terms[%zu]); /* %s */\n", program->terms[k],
                program->definition->terms.names[program->terms[k]]);
    }
    fprintf(writer->file, "}\n");
}

/* add_slopes and weigh_slopes. */
static void write_slopes(const struct berth_score_program *program, FILE *file)
{
    struct berth_writer writer = begin(file, program, "vector", "vector");
    struct berth_writer weights = writer;
    count_all(&writer, program->pair.bases, program->part_count);
    berth_writer_count_uses(&writer, program->soft_slope);
    fprintf(file,
            "static void add_slopes(vector r, vector inverse, vector square, const vector *c,\n"
            "                       float sharpness, vector *sums, vector *slope)\n{\n");
    write_variables(&writer);
    write_bases(&writer, program, &program->pair, false);
    write_text(&writer, "vector", "    *slope = @;\n}\n\n", &program->soft_slope);
    fprintf(file,
            "static void weigh_slopes(const vector *sums, const vector *c, vector *terms)\n{\n");
    write_weights(&weights, program, &program->pair);
    fprintf(file, "\n");
}

/* add_parts and weigh_parts, in one form. */
static void write_loop(const struct berth_score_program *program, FILE *file,
                       const struct berth_code_form *form)
{
    struct berth_writer writer = begin(file, program, "vector", "float");
    struct berth_writer weights = writer;
    count_all(&writer, form->bases, program->part_count);
    fprintf(file,
            "static inline __attribute__((always_inline)) void\n"
            "add_parts(vector r, vector inverse, vector square, const float *c, const int parts,\n"
            "          vector *sums)\n{\n");
    write_variables(&writer);
    write_bases(&writer, program, form, true);
    fprintf(file, "}\n\n");
    fprintf(file,
            "static void weigh_parts(const vector *sums, const float *c, vector *terms)\n{\n");
    write_weights(&weights, program, form);
}

static void write_functions(const struct berth_score_program *program, FILE *file)
{
    static const char *const TYPES[] = {"float", "vector"};
    for (int i = 0; i < 2; i++) {
        write_pair(program, file, TYPES[i], false);
        write_pair(program, file, TYPES[i], true);
    }
    write_slopes(program, file);
    fprintf(file, "#if BERTH_SATURATE\n");
    write_loop(program, file, &program->clamp);
    fprintf(file, "#else\n");
    write_loop(program, file, &program->knee);
    fprintf(file, "#endif\n");
}

char *berth_score_functions(const struct berth_score_program *program)
{
    return text_of(program, write_functions);
}

/* The energy and the slope of a row of the torsional term. */
static void write_torsional_row(const struct berth_torsional *torsional, size_t number, FILE *file)
{
    const struct berth_torsional_row *row = &torsional->rows[number];
    struct berth_writer writer = {.file = file,
                                  .code = &torsional->graph,
                                  .type = "real",
                                  .constant_type = "float",
                                  .angle = "phi"};
    berth_writer_count_uses(&writer, row->energy);
    berth_writer_count_uses(&writer, row->slope);
    fprintf(file, "/* %s %s-%s */\nstatic real torsional_%zu(real phi, real *slope)\n{\n",
            torsional->name, BERTH_BOND_END_NAMES[row->ends[0]], BERTH_BOND_END_NAMES[row->ends[1]],
            number);
    write_variables(&writer);
    write_text(&writer, "real", "    *slope = $;\n    return $;\n}\n\n",
               (int[]){row->slope, row->energy});
}

static void write_torsional(const struct berth_score_program *program, FILE *file)
{
    const struct berth_torsional *torsional = &program->definition->torsional;
    for (size_t i = 0; i < torsional->row_count; i++) {
        write_torsional_row(torsional, i, file);
    }
    fprintf(file, "static real torsional_energy(int row, real phi, real *slope)\n{\n"
                  "    switch (row) {\n");
    for (size_t i = 1; i < torsional->row_count; i++) {
        fprintf(file, "    case %zu:\n        return torsional_%zu(phi, slope);\n", i, i);
    }
    fprintf(file, "    default:\n        return torsional_0(phi, slope);\n    }\n}\n");
}

char *berth_score_torsional(const struct berth_score_program *program)
{
    return text_of(program, write_torsional);
}

static void write_definition(FILE *file, const char *name, double number)
{
    fprintf(file, "#define %s ", name);
    write_number(file, number, "float");
    fprintf(file, "\n");
}

static void write_definitions(const struct berth_score_program *program, FILE *file)
{
    const struct berth_definition *definition = program->definition;
    fprintf(file, "#define BERTH_TERMS %zu\n#define BERTH_PARTS %zu\n", definition->terms.count,
            program->part_count ? program->part_count : 1);
    fprintf(file, "#define BERTH_PAIR_CONSTANTS %zu\n#define BERTH_SLOPE_CONSTANTS %zu\n",
            berth_score_constant_count(program),
            program->slope_constants ? program->slope_constants : 1);
    fprintf(file, "#define BERTH_SOFTENED %d\n#define BERTH_INVERTED %d\n", definition->softened,
            program->inverted);
    if (program->far > 0) {
        write_definition(file, "BERTH_CUTOFF_SQUARE", definition->cutoff * definition->cutoff);
        write_definition(file, "BERTH_FAR_SQUARE", program->far * program->far);
    }
    if (program->floored) {
        write_definition(file, "BERTH_LEAST_SQUARE", BERTH_DISTANCE_LEAST * BERTH_DISTANCE_LEAST);
    }
    if (*definition->torsional.name) {
        fprintf(file, "#define BERTH_TORSIONAL\n");
    }
    fprintf(file, "#define BERTH_FOR_EACH_BODY(BODY)");
    for (size_t k = 0; k < program->body_count; k++) {
        fprintf(file, " BODY(0x%x)", program->bodies[k]);
    }
    fprintf(file, "\n");
}

char *berth_score_definitions(const struct berth_score_program *program)
{
    return text_of(program, write_definitions);
}
