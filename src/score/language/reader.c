#include "score/language/definition.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/text_reader.h"
#include "score/fields.h"
#include "score/language/parser.h"

/* Bytes of a file, and names that it gives to expressions, at most; and the largest cutoff, Å. */
enum { FILE_MAX = 1 << 20, NAMES_MAX = 512, CUTOFF_MAX = 100 };

/* The parameters that types of BUDE's rule have: score/scoring.c fills them in. */
static const char *const BUDE_PARAMETERS[] = {"radius",         "hydrophobic", "hardness",
                                              "nonpolar_reach", "polar_reach", "charge",
                                              "formal",         "dipole",      "either"};

/* The kinds of statements. */
enum statement {
    NAME,
    SOURCE,
    UNIT,
    CUTOFF,
    TYPES,
    PARAMETERS,
    PAIRS,
    ATOM,
    LET,
    TERM,
    TORSION,
    SOFTEN,
    INTRA,
    TOTAL,
    STATEMENTS
};

/* A name that an expression was given. */
struct named {
    struct berth_word word;
    char atom; /* 'i' or 'j': the name has "_i" or "_j" behind it; 0: it has not */
    int node;
};

struct reader {
    struct berth_lexer lexer;
    struct berth_definition *definition;
    struct named *names; /* [NAMES_MAX] */
    size_t name_count;
    char atom; /* whose parameters a name without "_i" or "_j" stands for; 0: such names are none */
    size_t lines[STATEMENTS]; /* of the last of each kind so far; 0: none */
};

static bool find_named(const struct reader *reader, char atom, const struct berth_word *name,
                       int *node)
{
    for (size_t i = 0; i < reader->name_count; i++) {
        const struct named *named = &reader->names[i];
        if (named->atom == atom && named->word.length == name->length &&
            memcmp(named->word.text, name->text, name->length) == 0) {
            *node = named->node;
            return true;
        }
    }
    return false;
}

static bool find_parameter(const struct reader *reader, char atom, const struct berth_word *name,
                           int *node)
{
    struct berth_definition *definition = reader->definition;
    for (size_t i = 0; i < definition->parameter_count; i++) {
        if (berth_word_is(name, definition->parameters[i])) {
            *node = berth_symbol(&definition->graph, BERTH_SYMBOL_PARAMETER((int)i, atom == 'j'),
                                 false);
            return true;
        }
    }
    return false;
}

static bool find_pair_parameter(const struct reader *reader, const struct berth_word *name,
                                int *node)
{
    struct berth_definition *definition = reader->definition;
    for (size_t i = 0; i < definition->pair_parameter_count; i++) {
        if (berth_word_is(name, definition->pair_parameters[i])) {
            *node = berth_symbol(&definition->graph, BERTH_SYMBOL_PAIR((int)i), false);
            return true;
        }
    }
    return false;
}

/* A name in an expression of a pair of atoms, or of one (reader->atom). */
static bool find_name(void *context, const struct berth_word *name, int *node)
{
    const struct reader *reader = context;
    struct berth_word stem = *name; /* without "_i" or "_j" */
    if (reader->atom) {
        return find_named(reader, reader->atom, name, node) ||
               find_parameter(reader, reader->atom, name, node);
    }
    if (berth_word_is(name, "r")) {
        *node = berth_symbol(&reader->definition->graph, BERTH_SYMBOL_DISTANCE, true);
        return true;
    }
    if (find_named(reader, 0, name, node) || find_pair_parameter(reader, name, node)) {
        return true;
    }
    const bool suffixed = name->length > 2 && name->text[name->length - 2] == '_';
    const char atom = suffixed ? name->text[name->length - 1] : '\0';
    stem.length -= suffixed ? 2 : 0;
    return (atom == 'i' || atom == 'j') &&
           (find_named(reader, atom, &stem, node) || find_parameter(reader, atom, &stem, node));
}

static int parse_pair(struct reader *reader)
{
    const struct berth_definition *definition = reader->definition;
    char names[400] = "";
    berth_text_append(names, sizeof names, "%s", reader->atom ? "" : "r");
    for (size_t i = 0; i < reader->name_count; i++) {
        const struct named *named = &reader->names[i];
        if (named->atom == reader->atom) {
            berth_text_append(names, sizeof names, "%s%.*s", *names ? ", " : "",
                              (int)named->word.length, named->word.text);
        }
    }
    for (size_t i = 0; i < definition->parameter_count; i++) {
        berth_text_append(names, sizeof names, reader->atom ? "%s%s" : "%s%s_i and _j",
                          *names ? ", " : "", definition->parameters[i]);
    }
    for (size_t i = 0; !reader->atom && i < definition->pair_parameter_count; i++) {
        berth_text_append(names, sizeof names, ", %s", definition->pair_parameters[i]);
    }
    const struct berth_scope scope = {
        &reader->definition->graph, find_name, reader, names, false, NULL};
    return berth_parse_expression(&reader->lexer, &scope);
}

/* The current word is no name that has another use; of_atom: for atoms, too. */
static void check_free(struct reader *reader, bool of_atom)
{
    const struct berth_word *word = &reader->lexer.word;
    int node;
    if (berth_is_reserved(word) || find_named(reader, 0, word, &node) ||
        find_named(reader, 'i', word, &node) || find_pair_parameter(reader, word, &node) ||
        berth_word_is(word, reader->definition->torsional.name) ||
        (of_atom && find_parameter(reader, 'i', word, &node))) {
        berth_lexer_fail(&reader->lexer, "the name '%.*s' is taken", (int)word->length, word->text);
    }
}

/* The current word can be the name of something. */
static void check_name(struct reader *reader)
{
    if (reader->lexer.word.kind != BERTH_WORD_NAME) {
        berth_lexer_expected(&reader->lexer, "a name");
    } else if (reader->lexer.word.length >= BERTH_TERM_NAME_SIZE) {
        berth_lexer_fail(&reader->lexer, "a name has at most %d characters",
                         BERTH_TERM_NAME_SIZE - 1);
    }
}

/* The name that a statement gives, and the '=' behind it.  of_atom: parameters have such names. */
static struct named parse_head(struct reader *reader, bool of_atom)
{
    const struct berth_word word = reader->lexer.word;
    check_name(reader);
    check_free(reader, of_atom);
    berth_lexer_next(&reader->lexer);
    berth_lexer_skip_mark(&reader->lexer, "=");
    return (struct named){.word = word};
}

static void keep_name(struct reader *reader, const struct named *named)
{
    if (reader->name_count == NAMES_MAX) {
        berth_lexer_fail(&reader->lexer, "more than %d names", NAMES_MAX);
    } else {
        reader->names[reader->name_count++] = *named;
    }
}

static void read_let(struct reader *reader)
{
    struct named named = parse_head(reader, false);
    named.node = parse_pair(reader);
    keep_name(reader, &named);
}

/* Reads the same expression for either atom. */
static void read_atom(struct reader *reader)
{
    const struct named head = parse_head(reader, true);
    const struct berth_lexer begin = reader->lexer;
    struct named both[2] = {head, head};
    for (int k = 0; !reader->lexer.status && k < 2; k++) {
        reader->lexer = begin;
        reader->atom = both[k].atom = "ij"[k];
        both[k].node = parse_pair(reader);
    }
    reader->atom = 0;
    keep_name(reader, &both[0]);
    keep_name(reader, &both[1]);
}

/* There is room for one more term, and the current word is no name of a column, since a term has
 * one of its own. */
static void check_term(struct reader *reader)
{
    const struct berth_definition *definition = reader->definition;
    const struct berth_word *word = &reader->lexer.word;
    if (definition->terms.count + (*definition->torsional.name != '\0') >= BERTH_TERMS_MAX) {
        berth_lexer_fail(&reader->lexer, "a function has at most %d terms", BERTH_TERMS_MAX);
    } else if (berth_is_column(word->text, word->length)) {
        berth_lexer_fail(&reader->lexer,
                         "the name '%.*s' is that of a column of the results; give the term "
                         "another one",
                         (int)word->length, word->text);
    }
}

static void read_term(struct reader *reader)
{
    struct berth_definition *definition = reader->definition;
    check_term(reader);
    struct named named = parse_head(reader, false);
    named.node = parse_pair(reader);
    if (!reader->lexer.status) {
        memcpy(definition->terms.names[definition->terms.count], named.word.text,
               named.word.length);
        definition->term_nodes[definition->terms.count++] = named.node;
        keep_name(reader, &named);
    }
}

/* A number of at least `least` and at most `most`; `least` where there is none. */
static double read_number(struct reader *reader, double least, double most)
{
    const double number = reader->lexer.word.number;
    if (reader->lexer.word.kind != BERTH_WORD_NUMBER || number < least || number > most) {
        char expected[80];
        snprintf(expected, sizeof expected, "a number from %g to %g", least, most);
        berth_lexer_expected(&reader->lexer, expected);
        return least;
    }
    berth_lexer_next(&reader->lexer);
    return number;
}

static void read_cutoff(struct reader *reader)
{
    reader->definition->cutoff = read_number(reader, 1, CUTOFF_MAX);
}

static void read_bonds(struct reader *reader)
{
    const struct berth_word *word = &reader->lexer.word;
    if (word->kind == BERTH_WORD_NUMBER && word->number != rint(word->number)) {
        berth_lexer_expected(&reader->lexer, "a whole number of bonds");
    }
    reader->definition->bonds = (int)read_number(reader, 2, 10);
}

/* The rest of the line, which the caller frees. */
static void read_rest(struct reader *reader, const char *what, char **text)
{
    const char *rest;
    size_t length;
    berth_lexer_rest(&reader->lexer, &rest, &length);
    if (!length) {
        berth_lexer_expected(&reader->lexer, what);
        return;
    }
    char *copy = berth_alloc(length + 1, 1);
    if (copy) {
        memcpy(copy, rest, length);
        *text = berth_text_escape(copy, "");
    }
    free(copy);
    if (!*text) {
        berth_lexer_stop(&reader->lexer, berth_out_of_memory(reader->lexer.error, NULL));
    }
}

static void read_name(struct reader *reader)
{
    read_rest(reader, "the function's name", &reader->definition->name);
}

static void read_source(struct reader *reader)
{
    read_rest(reader, "where the function is from", &reader->definition->source);
}

/* A plain word of less than size bytes, of letters, digits and `others`. */
static void read_plain(struct reader *reader, const char *what, const char *others, size_t size,
                       char *text)
{
    berth_lexer_plain(&reader->lexer);
    const struct berth_word *word = &reader->lexer.word;
    if (word->kind == BERTH_WORD_END) {
        berth_lexer_expected(&reader->lexer, what);
        return;
    }
    for (size_t i = 0; i < word->length; i++) {
        const char c = word->text[i];
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || strchr(others, c);
        if (!plain || i + 1 >= size) {
            berth_lexer_fail(&reader->lexer, "expected %s: up to %zu letters, digits and %s", what,
                             size - 1, others);
            return;
        }
    }
    memcpy(text, word->text, word->length);
    text[word->length] = '\0';
    berth_lexer_next(&reader->lexer);
}

static void read_unit(struct reader *reader)
{
    read_plain(reader, "a unit", "/_-.^", BERTH_UNIT_SIZE, reader->definition->unit);
}

static void read_types(struct reader *reader)
{
    struct berth_definition *definition = reader->definition;
    struct berth_lexer *lexer = &reader->lexer;
    const struct berth_word begin = lexer->word;
    read_plain(reader, "a rule of types", "_-", BERTH_SYMBOL_SIZE, definition->rule);
    if (lexer->status || strcmp(definition->rule, "vina") == 0) {
        return;
    }
    const bool bude = strcmp(definition->rule, "bude") == 0;
    if (!bude || reader->lines[PARAMETERS]) {
        lexer->word = begin;
    }
    if (!bude) {
        berth_lexer_expected(lexer, "a rule of types, bude or vina");
    } else if (reader->lines[PARAMETERS]) {
        berth_lexer_fail(lexer,
                         "the types of bude have their parameters from a .bhff file; leave out "
                         "either this statement or `parameters` at line %zu",
                         reader->lines[PARAMETERS]);
    } else {
        read_plain(reader, "a .bhff file with the types' parameters", "_-.", BERTH_SYMBOL_SIZE,
                   definition->table);
        definition->parameter_count = sizeof BUDE_PARAMETERS / sizeof *BUDE_PARAMETERS;
        for (size_t i = 0; i < definition->parameter_count; i++) {
            strcpy(definition->parameters[i], BUDE_PARAMETERS[i]);
        }
    }
}

/* The values of a row, all on the line of its first word; `of`: whose they are. */
static void read_values(struct reader *reader, size_t line, const char *of,
                        char (*names)[BERTH_SYMBOL_SIZE], size_t count, double *values)
{
    struct berth_lexer *lexer = &reader->lexer;
    for (size_t i = 0; !lexer->status && i < count; i++) {
        char expected[4 * BERTH_SYMBOL_SIZE];
        const bool minus = berth_lexer_skip(lexer, "-");
        if (lexer->word.kind != BERTH_WORD_NUMBER || lexer->word.line != line) {
            snprintf(expected, sizeof expected, "the %s of %s", names[i], of);
            berth_lexer_expected(lexer, expected);
        }
        values[i] = minus ? -lexer->word.number : lexer->word.number;
        berth_lexer_next(lexer);
    }
    if (lexer->word.kind != BERTH_WORD_END && lexer->word.line == line) {
        berth_lexer_expected(lexer, "the end of the row");
    }
}

/* A row of the table: a type and its values. */
static void read_row(struct reader *reader)
{
    struct berth_definition *definition = reader->definition;
    struct berth_lexer *lexer = &reader->lexer;
    const struct berth_word begin = lexer->word;
    if (definition->type_count == BERTH_TYPES_MAX) {
        berth_lexer_fail(lexer, "more than %d types", BERTH_TYPES_MAX);
        return;
    }
    char *name = definition->types[definition->type_count];
    read_plain(reader, "a type", "_.-+*", BERTH_SYMBOL_SIZE, name);
    for (size_t i = 0; !lexer->status && i < definition->type_count; i++) {
        if (strcmp(definition->types[i], name) == 0) {
            lexer->word = begin;
            berth_lexer_fail(lexer, "type %s has a row already", name);
        }
    }
    read_values(reader, begin.line, name, definition->parameters, definition->parameter_count,
                definition->values + definition->type_count * definition->parameter_count);
    definition->type_count += !lexer->status;
}

/* The names of parameters, to the end of the line. */
static void read_names(struct reader *reader, char (*names)[BERTH_SYMBOL_SIZE], size_t most,
                       size_t *count)
{
    struct berth_lexer *lexer = &reader->lexer;
    const struct berth_word *word = &lexer->word;
    const size_t line = word->line;
    int node;
    while (word->kind != BERTH_WORD_END && word->line == line) {
        if (word->kind != BERTH_WORD_NAME || word->length >= BERTH_TERM_NAME_SIZE) {
            berth_lexer_expected(lexer, "the name of a parameter");
        } else if (*count == most || berth_is_reserved(word) ||
                   find_named(reader, 0, word, &node) || find_parameter(reader, 'i', word, &node) ||
                   find_pair_parameter(reader, word, &node)) {
            berth_lexer_fail(lexer, "the name '%.*s' is taken, or one more than %zu parameters",
                             (int)word->length, word->text, most);
        } else {
            memcpy(names[(*count)++], word->text, word->length);
            berth_lexer_next(lexer);
        }
    }
    if (!*count) {
        berth_lexer_expected(lexer, "the name of a parameter");
    }
}

/* The names of the parameters, then a row for each type. */
static void read_parameters(struct reader *reader)
{
    struct berth_definition *definition = reader->definition;
    struct berth_lexer *lexer = &reader->lexer;
    if (definition->parameter_count) {
        berth_lexer_fail(lexer,
                         "the types have their parameters from the .bhff file of `types` at line "
                         "%zu; leave one of the two statements out",
                         reader->lines[TYPES]);
    }
    read_names(reader, definition->parameters, BERTH_PARAMETERS_MAX, &definition->parameter_count);
    definition->types = berth_alloc(BERTH_TYPES_MAX, sizeof *definition->types);
    definition->values =
        berth_alloc((size_t)BERTH_TYPES_MAX * BERTH_PARAMETERS_MAX, sizeof *definition->values);
    if (!lexer->status && (!definition->types || !definition->values)) {
        berth_lexer_stop(lexer, berth_out_of_memory(lexer->error, NULL));
    }
    while (lexer->word.kind != BERTH_WORD_END) {
        read_row(reader);
    }
}

/* The number of the type that is the current word. */
static size_t read_type(struct reader *reader)
{
    const struct berth_definition *definition = reader->definition;
    const struct berth_word begin = reader->lexer.word;
    char name[BERTH_SYMBOL_SIZE] = "";
    read_plain(reader, "a type", "_.-+*", sizeof name, name);
    for (size_t i = 0; i < definition->type_count; i++) {
        if (strcmp(definition->types[i], name) == 0) {
            return i;
        }
    }
    if (!reader->lexer.status) {
        reader->lexer.word = begin;
        berth_lexer_fail(&reader->lexer, "type %s has no row of `parameters` at line %zu", name,
                         reader->lines[PARAMETERS]);
    }
    return 0;
}

/* A row: two types, in either order, and the values of both together. */
static void read_pair(struct reader *reader)
{
    struct berth_definition *definition = reader->definition;
    struct berth_lexer *lexer = &reader->lexer;
    const struct berth_word begin = lexer->word;
    const size_t first = read_type(reader), second = read_type(reader);
    const size_t count = definition->pair_parameter_count;
    if (lexer->status) {
        return;
    }
    double *row = definition->pair_values + (first * definition->type_count + second) * count;
    double *other = definition->pair_values + (second * definition->type_count + first) * count;
    char of[2 * BERTH_SYMBOL_SIZE + 8];
    snprintf(of, sizeof of, "%s and %s", definition->types[first], definition->types[second]);
    if (!isnan(*row)) {
        lexer->word = begin;
        berth_lexer_fail(lexer, "%s have a row already", of);
    }
    read_values(reader, begin.line, of, definition->pair_parameters, count, row);
    memmove(other, row, count * sizeof *row); /* itself, where the types are the same */
}

/* The names of the parameters of pairs of types, then rows; pairs without one have 0. */
static void read_pairs(struct reader *reader)
{
    struct berth_definition *definition = reader->definition;
    struct berth_lexer *lexer = &reader->lexer;
    if (!reader->lines[PARAMETERS]) {
        berth_lexer_fail(lexer, "`pairs` stands below the `parameters` that name the types");
        return;
    }
    read_names(reader, definition->pair_parameters, BERTH_PAIR_PARAMETERS_MAX,
               &definition->pair_parameter_count);
    const size_t count =
        definition->type_count * definition->type_count * definition->pair_parameter_count;
    definition->pair_values = berth_alloc(count + 1, sizeof *definition->pair_values);
    if (!lexer->status && !definition->pair_values) {
        berth_lexer_stop(lexer, berth_out_of_memory(lexer->error, NULL));
    }
    for (size_t i = 0; !lexer->status && i < count; i++) {
        definition->pair_values[i] = NAN; /* no row so far */
    }
    while (!lexer->status && lexer->word.kind != BERTH_WORD_END) {
        read_pair(reader);
    }
    for (size_t i = 0; !lexer->status && i < count; i++) {
        definition->pair_values[i] =
            isnan(definition->pair_values[i]) ? 0 : definition->pair_values[i];
    }
}

static void read_soften(struct reader *reader)
{
    struct berth_definition *definition = reader->definition;
    for (size_t i = 0; i < definition->terms.count; i++) {
        if (berth_lexer_skip(&reader->lexer, definition->terms.names[i])) {
            definition->softened = (int)i;
            return;
        }
    }
    berth_lexer_expected(&reader->lexer, "a term that stands above");
}

/* The name of the torsional term: a new one in its first row, and the same in all others. */
static void read_torsional_name(struct reader *reader)
{
    char *name = reader->definition->torsional.name;
    const struct berth_word *word = &reader->lexer.word;
    check_name(reader);
    if (*name && !berth_word_is(word, name)) {
        berth_lexer_fail(&reader->lexer, "a function has one torsional term, which is '%s' here",
                         name);
    }
    if (!*name) {
        check_term(reader); /* parts of an energy are columns, too: the message says so */
        check_free(reader, true);
        snprintf(name, BERTH_TERM_NAME_SIZE, "%.*s", (int)word->length, word->text);
    }
    berth_lexer_next(&reader->lexer);
}

static enum berth_bond_end read_bond_end(struct reader *reader)
{
    for (int i = 0; i < BERTH_BOND_ENDS; i++) {
        if (berth_lexer_skip(&reader->lexer, BERTH_BOND_END_NAMES[i])) {
            return (enum berth_bond_end)i;
        }
    }
    berth_lexer_expected(&reader->lexer, "a kind of atom, sp3, sp2, aromatic or any");
    return BERTH_END_ANY;
}

static bool find_angle(void *context, const struct berth_word *name, int *node)
{
    const struct reader *reader = context;
    *node = berth_symbol(&reader->definition->torsional.graph, 0, true);
    return berth_word_is(name, "phi");
}

/* A row of the torsional term: NAME KIND-KIND = an expression of phi. */
static void read_torsion(struct reader *reader)
{
    struct berth_torsional *torsional = &reader->definition->torsional;
    const struct berth_scope scope = {&torsional->graph, find_angle, reader, "phi", true, NULL};
    struct berth_lexer *lexer = &reader->lexer;
    enum berth_bond_end ends[2];
    char wrong[120];
    if (torsional->row_count == BERTH_TORSIONAL_ROWS_MAX) {
        berth_lexer_fail(lexer, "more than %d rows of torsions", BERTH_TORSIONAL_ROWS_MAX);
        return;
    }
    read_torsional_name(reader);
    ends[0] = read_bond_end(reader);
    berth_lexer_skip_mark(lexer, "-");
    ends[1] = read_bond_end(reader);
    berth_lexer_skip_mark(lexer, "=");
    const struct berth_word begin = lexer->word;
    const int energy = berth_parse_expression(lexer, &scope);
    if (lexer->status) {
        return;
    }
    int known[BERTH_NODES_MAX] = {0};
    const struct berth_word end = lexer->word;
    const struct berth_derivation derivation = {.graph = &torsional->graph,
                                                .distance =
                                                    berth_symbol(&torsional->graph, 0, true),
                                                .known = known};
    torsional->rows[torsional->row_count++] =
        (struct berth_torsional_row){{ends[0], ends[1]}, energy, berth_derive(&derivation, energy)};
    lexer->word = begin;
    if (torsional->graph.full) {
        berth_lexer_fail(lexer, "the torsions are too large for a kernel");
    } else if (!berth_torsional_try(torsional, torsional->row_count - 1, wrong, sizeof wrong)) {
        berth_lexer_fail(lexer, "%s", wrong);
    } else {
        lexer->word = end;
    }
}

static bool find_total(void *context, const struct berth_word *name, int *node)
{
    const struct reader *reader = context;
    const char *names[BERTH_TOTAL_SYMBOLS] = {[BERTH_TOTAL_INTER] = "inter",
                                              [BERTH_TOTAL_UNBOUND] = "unbound",
                                              [BERTH_TOTAL_TORSIONS] = "torsions",
                                              [BERTH_TOTAL_TORSIONAL] =
                                                  reader->definition->torsional.name};
    memcpy(names + BERTH_TOTAL_PARTS, BERTH_PART_NAMES, sizeof BERTH_PART_NAMES);
    for (int i = 0; i < BERTH_TOTAL_SYMBOLS; i++) {
        if (berth_word_is(name, names[i])) {
            *node = berth_symbol(&reader->definition->total_graph, i, true);
            return true;
        }
    }
    return false;
}

#define TRIALS_OF_PART(part, name, column, relative, added)                                        \
    [BERTH_TOTAL_PARTS + BERTH_PART_##part] = {7, {-1, 1, 0, -10, 10, -100, 100}},

/* What each symbol of the total is tried with: energies in whatever unit, of poses that bind well,
 * badly and not at all. */
static const struct {
    size_t count;
    double values[13];
} TRIALS[BERTH_TOTAL_SYMBOLS] = {
    [BERTH_TOTAL_INTER] = {13, {-10, -1, -0.1, -3, -30, -100, -1000, 0.1, 1, 10, 100, 1000, 0}},
    [BERTH_TOTAL_UNBOUND] = {7, {-1, 1, 0, -10, 10, -100, 100}},
    [BERTH_TOTAL_TORSIONS] = {5, {5, 0, 1, 12, 40}},
    [BERTH_TOTAL_TORSIONAL] = {4, {1, 0, 10, 50}},
    BERTH_POSE_PARTS(TRIALS_OF_PART)};

/* Tries the total with energies of many sizes and signs: true where it is finite for some. */
static bool try_total(const struct berth_definition *definition)
{
    size_t at[BERTH_TOTAL_SYMBOLS] = {0};
    for (int next = 0; next < BERTH_TOTAL_SYMBOLS;) {
        double symbols[BERTH_TOTAL_SYMBOLS];
        for (int i = 0; i < BERTH_TOTAL_SYMBOLS; i++) {
            symbols[i] = TRIALS[i].values[at[i]];
        }
        if (isfinite(berth_definition_total(definition, symbols))) {
            return true;
        }
        for (next = 0; next < BERTH_TOTAL_SYMBOLS && ++at[next] == TRIALS[next].count; next++) {
            at[next] = 0;
        }
    }
    return false;
}

static void read_total(struct reader *reader)
{
    struct berth_definition *definition = reader->definition;
    struct berth_lexer *lexer = &reader->lexer;
    char names[120] = "inter";
    for (int k = 0; k < BERTH_PART_COUNT; k++) {
        berth_text_append(names, sizeof names, ", %s", BERTH_PART_NAMES[k]);
    }
    berth_text_append(names, sizeof names, ", unbound, torsions");
    if (*definition->torsional.name) {
        berth_text_append(names, sizeof names, ", %s", definition->torsional.name);
    }
    const struct berth_scope scope = {
        &definition->total_graph, find_total, reader, names, false, NULL};
    berth_lexer_skip_mark(lexer, "=");
    const struct berth_word begin = lexer->word;
    definition->total_node = berth_parse_expression(lexer, &scope);
    if (!lexer->status && !try_total(definition)) {
        lexer->word = begin;
        berth_lexer_fail(lexer, "the total is not finite, whatever the energies; correct it");
    }
}

static const struct {
    const char *word;
    void (*read)(struct reader *reader);
    bool takes_line; /* any text, not words of the language */
    bool repeats;    /* a function may have several */
} ROWS[STATEMENTS] = {[NAME] = {"name", read_name, true, false},
                      [SOURCE] = {"source", read_source, true, false},
                      [UNIT] = {"unit", read_unit, false, false},
                      [CUTOFF] = {"cutoff", read_cutoff, false, false},
                      [TYPES] = {"types", read_types, false, false},
                      [PARAMETERS] = {"parameters", read_parameters, false, false},
                      [PAIRS] = {"pairs", read_pairs, false, false},
                      [ATOM] = {"atom", read_atom, false, true},
                      [LET] = {"let", read_let, false, true},
                      [TERM] = {"term", read_term, false, true},
                      [TORSION] = {"torsion", read_torsion, false, true},
                      [SOFTEN] = {"soften", read_soften, false, false},
                      [INTRA] = {"intra", read_bonds, false, false},
                      [TOTAL] = {"total", read_total, false, false}};

static void read_statement(struct reader *reader)
{
    struct berth_lexer *lexer = &reader->lexer;
    size_t i = 0;
    while (i < STATEMENTS && !berth_word_is(&lexer->word, ROWS[i].word)) {
        i++;
    }
    if (i == STATEMENTS) {
        berth_lexer_expected(lexer, "name, source, unit, cutoff, types, parameters, pairs, atom, "
                                    "let, term, torsion, soften, intra or total");
        return;
    }
    if (reader->lines[i] && !ROWS[i].repeats) {
        berth_lexer_fail(lexer, "there is a statement `%s` already, at line %zu; leave one out",
                         ROWS[i].word, reader->lines[i]);
        return;
    }
    reader->lines[i] = lexer->word.line;
    if (!ROWS[i].takes_line) {
        berth_lexer_next(lexer);
    }
    ROWS[i].read(reader);
    if (lexer->word.kind != BERTH_WORD_END) {
        berth_lexer_expected(lexer, "the end of the statement");
    }
}

/* What a file must have said when it has ended. */
static enum berth_status check_whole(const struct reader *reader, struct berth_error *error)
{
    const struct berth_definition *definition = reader->definition;
    const char *missing = !reader->lines[UNIT]                                  ? "unit"
                          : !reader->lines[CUTOFF]                              ? "cutoff"
                          : !*definition->rule                                  ? "types"
                          : !*definition->table && !definition->parameter_count ? "parameters"
                          : !definition->terms.count                            ? "term"
                                                                                : NULL;
    if (missing) {
        return berth_fail(error, BERTH_E_FORMAT, "%s: there is no statement `%s`", definition->file,
                          missing);
    }
    if (!*definition->table && !definition->type_count) {
        return berth_fail(error, BERTH_E_FORMAT, "%s: no type has a row of parameters",
                          definition->file);
    }
    return BERTH_OK;
}

#define IS_ADDED(part, name, column, relative, added) [BERTH_PART_##part] = (added) != 0,

/* Which parts count that the total does not name. */
static void find_added(struct berth_definition *definition)
{
    static const bool ADDED[BERTH_PART_COUNT] = {BERTH_POSE_PARTS(IS_ADDED)};
    const struct berth_graph *graph = &definition->total_graph;
    bool named[BERTH_NODES_MAX] = {false};
    memcpy(definition->added, ADDED, sizeof ADDED);
    berth_mark(graph, definition->total_node, named);
    for (int i = 0; i < graph->count; i++) {
        const int symbol = graph->nodes[i].a - BERTH_TOTAL_PARTS;
        if (named[i] && graph->nodes[i].operation == BERTH_SYMBOL && symbol >= 0 &&
            symbol < BERTH_PART_COUNT) {
            definition->added[symbol] = false;
        }
    }
}

static enum berth_status read_text(struct reader *reader, const char *text,
                                   struct berth_error *error)
{
    struct berth_definition *definition = reader->definition;
    struct berth_graph *graph = &definition->total_graph;
    berth_lexer_begin(definition->file, text, error, &reader->lexer);
    berth_graph_begin(&definition->graph);
    berth_graph_begin(graph);
    berth_graph_begin(&definition->torsional.graph);
    while (berth_lexer_next_statement(&reader->lexer)) {
        read_statement(reader);
    }
    if (reader->lexer.status) {
        return reader->lexer.status;
    }
    if (!reader->lines[TOTAL]) {
        definition->total_node =
            berth_add(graph, berth_symbol(graph, BERTH_TOTAL_INTER, true),
                      berth_symbol(graph, BERTH_TOTAL_PARTS + BERTH_PART_INTRA, true));
        if (*definition->torsional.name) {
            definition->total_node = berth_add(graph, definition->total_node,
                                               berth_symbol(graph, BERTH_TOTAL_TORSIONAL, true));
        }
    }
    find_added(definition);
    return check_whole(reader, error);
}

enum berth_status berth_definition_parse(const char *file, const char *text,
                                         struct berth_definition *definition,
                                         struct berth_error *error)
{
    memset(definition, 0, sizeof *definition);
    definition->softened = -1;
    definition->bonds = 4;
    definition->file = berth_copy_text(file);
    struct berth_sha256 hash;
    berth_sha256_start(&hash);
    berth_sha256_add(&hash, text, strlen(text));
    berth_sha256_end(&hash, definition->digest);
    struct reader reader = {.definition = definition,
                            .names = berth_alloc(NAMES_MAX, sizeof *reader.names)};
    enum berth_status status = definition->file && reader.names ? read_text(&reader, text, error)
                                                                : berth_out_of_memory(error, NULL);
    free(reader.names);
    if (status) {
        berth_definition_clear(definition);
    }
    return status;
}

/* The lines of a file as one text, which the caller frees. */
static enum berth_status read_lines(struct berth_text_reader *reader, char **text,
                                    struct berth_error *error)
{
    size_t used = 0, capacity = 0;
    char *line = NULL;
    enum berth_status status = berth_text_reader_next(reader, &line, error);
    while (!status && line) {
        const size_t length = strlen(line);
        if (used + length > FILE_MAX) {
            return berth_fail(error, BERTH_E_FORMAT,
                              "%s: more than %d bytes are no scoring function",
                              berth_text_reader_path(reader), FILE_MAX);
        }
        status = berth_reserve(text, &capacity, used + length + 2, 1, error);
        if (!status) {
            memcpy(*text + used, line, length);
            memcpy(*text + used + length, "\n", 2);
            used += length + 1;
            status = berth_text_reader_next(reader, &line, error);
        }
    }
    return status;
}

enum berth_status berth_definition_read(const char *path, struct berth_definition *definition,
                                        struct berth_error *error)
{
    struct berth_text_reader *reader;
    memset(definition, 0, sizeof *definition);
    BERTH_TRY(berth_text_reader_create(path, &reader, error));
    char *text = NULL;
    enum berth_status status = read_lines(reader, &text, error);
    BERTH_THEN(berth_definition_parse(path, text ? text : "", definition, error));
    free(text);
    berth_text_reader_destroy(reader);
    return status;
}
