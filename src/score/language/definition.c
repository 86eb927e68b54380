#include "score/language/definition.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/text_reader.h"
#include "score/columns.h"
#include "score/language/parser.h"

/* Bytes of a file, and names that it gives to expressions, at most; and the largest cutoff, Å. */
enum { FILE_MAX = 1 << 20, NAMES_MAX = 512, CUTOFF_MAX = 100 };

/* The parameters that types of BUDE's rule have: berth_typing_value fills them in. */
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
    ATOM,
    LET,
    TERM,
    SOFTEN,
    TORSION,
    INTRA,
    TOTAL,
    STATEMENTS
};

/* A name that an expression was given. */
struct named {
    const char *text; /* in the file */
    size_t length;
    char atom; /* 'i' or 'j': the name has "_i" or "_j" behind it; 0: it has not */
    int node;
};

/* Which atom's parameters a name without "_i" or "_j" stands for; 0: such names are none. */
struct reader {
    struct berth_lexer lexer;
    struct berth_definition *definition;
    struct named *names; /* [NAMES_MAX] */
    size_t name_count;
    char atom;
    size_t lines[STATEMENTS]; /* of the last of each kind so far; 0: none */
};

static enum berth_status expect_end(struct reader *reader, struct berth_error *error)
{
    return reader->lexer.word.kind == BERTH_WORD_END
               ? BERTH_OK
               : berth_lexer_expected(&reader->lexer, "the end of the statement", error);
}

static bool has_name(const struct named *named, char atom, const char *text, size_t length)
{
    return named->atom == atom && named->length == length && memcmp(named->text, text, length) == 0;
}

static bool find_named(const struct reader *reader, char atom, const char *text, size_t length,
                       int *node)
{
    for (size_t i = 0; i < reader->name_count; i++) {
        if (has_name(&reader->names[i], atom, text, length)) {
            *node = reader->names[i].node;
            return true;
        }
    }
    return false;
}

static bool find_parameter(const struct reader *reader, char atom, const char *text, size_t length,
                           int *node)
{
    struct berth_definition *definition = reader->definition;
    for (size_t i = 0; i < definition->parameter_count; i++) {
        const char *name = definition->parameters[i];
        if (strlen(name) == length && memcmp(name, text, length) == 0) {
            *node = berth_symbol(&definition->graph, BERTH_SYMBOL_PARAMETER((int)i, atom == 'j'),
                                 false);
            return true;
        }
    }
    return false;
}

/* A name in an expression of a pair of atoms, or of one (reader->atom). */
static bool find_name(void *context, const char *name, size_t length, int *node)
{
    const struct reader *reader = context;
    if (reader->atom) {
        return find_named(reader, reader->atom, name, length, node) ||
               find_parameter(reader, reader->atom, name, length, node);
    }
    if (length == 1 && *name == 'r') {
        *node = berth_symbol(&reader->definition->graph, BERTH_SYMBOL_DISTANCE, true);
        return true;
    }
    if (find_named(reader, 0, name, length, node)) {
        return true;
    }
    const char atom = length > 2 && name[length - 2] == '_' ? name[length - 1] : '\0';
    return (atom == 'i' || atom == 'j') && (find_named(reader, atom, name, length - 2, node) ||
                                            find_parameter(reader, atom, name, length - 2, node));
}

/* Appends text to list[size], as far as there is room. */
static void append(char *list, size_t size, const char *text, size_t length)
{
    const size_t used = strlen(list);
    if (used + length + 3 < size) {
        memcpy(list + used, used ? ", " : "", used ? 2 : 0);
        memcpy(list + used + (used ? 2 : 0), text, length);
        list[used + (used ? 2 : 0) + length] = '\0';
    }
}

static enum berth_status parse_pair(struct reader *reader, int *node, struct berth_error *error)
{
    char names[400] = "";
    append(names, sizeof names, "r", reader->atom ? 0 : 1);
    for (size_t i = 0; i < reader->name_count; i++) {
        const struct named *named = &reader->names[i];
        if (reader->atom ? named->atom == reader->atom : named->atom == 0) {
            append(names, sizeof names, named->text, named->length);
        }
    }
    for (size_t i = 0; i < reader->definition->parameter_count; i++) {
        char name[BERTH_SYMBOL_SIZE + 16];
        snprintf(name, sizeof name, reader->atom ? "%s" : "%s_i and _j",
                 reader->definition->parameters[i]);
        append(names, sizeof names, name, strlen(name));
    }
    const struct berth_scope scope = {&reader->definition->graph, find_name, reader, names, false};
    return berth_parse_expression(&reader->lexer, &scope, node, error);
}

/* True where the current word is a name that has another use; of_atom: for atoms, too. */
static bool is_taken(const struct reader *reader, bool of_atom)
{
    const struct berth_word *word = &reader->lexer.word;
    int node;
    return berth_is_reserved(word->text, word->length) ||
           find_named(reader, 0, word->text, word->length, &node) ||
           find_named(reader, 'i', word->text, word->length, &node) ||
           (of_atom && find_parameter(reader, 'i', word->text, word->length, &node));
}

static enum berth_status name_taken(const struct reader *reader, struct berth_error *error)
{
    const struct berth_word *word = &reader->lexer.word;
    return berth_lexer_fail(&reader->lexer, error, "the name '%.*s' is taken", (int)word->length,
                            word->text);
}

/* Goes on behind a mark that must be there. */
static enum berth_status skip(struct reader *reader, const char *mark, struct berth_error *error)
{
    char expected[8];
    if (!berth_word_is(&reader->lexer.word, mark)) {
        snprintf(expected, sizeof expected, "'%s'", mark);
        return berth_lexer_expected(&reader->lexer, expected, error);
    }
    return berth_lexer_next(&reader->lexer, error);
}

/* The current word can be the name of something. */
static enum berth_status check_name(const struct reader *reader, struct berth_error *error)
{
    if (reader->lexer.word.kind != BERTH_WORD_NAME) {
        return berth_lexer_expected(&reader->lexer, "a name", error);
    }
    return reader->lexer.word.length < BERTH_TERM_NAME_SIZE
               ? BERTH_OK
               : berth_lexer_fail(&reader->lexer, error, "a name has at most %d characters",
                                  BERTH_TERM_NAME_SIZE - 1);
}

/* The name that a statement gives, and the '=' behind it.  of_atom: parameters have such names. */
static enum berth_status parse_head(struct reader *reader, bool of_atom, struct named *named,
                                    struct berth_error *error)
{
    const struct berth_word word = reader->lexer.word;
    const char *torsional = reader->definition->torsional.name;
    const enum berth_status named_well = check_name(reader, error);
    if (named_well) {
        return named_well;
    }
    *named = (struct named){.text = word.text, .length = word.length};
    if (is_taken(reader, of_atom) ||
        (*torsional && berth_word_is(&reader->lexer.word, torsional))) {
        return name_taken(reader, error);
    }
    const enum berth_status status = berth_lexer_next(&reader->lexer, error);
    return status ? status : skip(reader, "=", error);
}

static enum berth_status keep_name(struct reader *reader, const struct named *named,
                                   struct berth_error *error)
{
    if (reader->name_count == NAMES_MAX) {
        return berth_lexer_fail(&reader->lexer, error, "more than %d names", NAMES_MAX);
    }
    reader->names[reader->name_count++] = *named;
    return BERTH_OK;
}

static enum berth_status read_let(struct reader *reader, struct berth_error *error)
{
    struct named named;
    enum berth_status status = parse_head(reader, false, &named, error);
    status = status ? status : parse_pair(reader, &named.node, error);
    return status ? status : keep_name(reader, &named, error);
}

/* Reads the same expression for either atom. */
static enum berth_status read_atom(struct reader *reader, struct berth_error *error)
{
    struct named named;
    enum berth_status status = parse_head(reader, true, &named, error);
    const struct berth_lexer begin = reader->lexer;
    struct named both[2];
    for (int k = 0; !status && k < 2; k++) {
        reader->lexer = begin;
        reader->atom = named.atom = "ij"[k];
        status = parse_pair(reader, &named.node, error);
        both[k] = named;
    }
    reader->atom = 0;
    status = status ? status : keep_name(reader, &both[0], error);
    return status ? status : keep_name(reader, &both[1], error);
}

/* There is room for one more term. */
static enum berth_status check_room(const struct reader *reader, struct berth_error *error)
{
    const struct berth_definition *definition = reader->definition;
    return definition->terms.count + (*definition->torsional.name != '\0') < BERTH_TERMS_MAX
               ? BERTH_OK
               : berth_lexer_fail(&reader->lexer, error, "a function has at most %d terms",
                                  BERTH_TERMS_MAX);
}

/* The current word is no name of a column, since a term has one of its own. */
static enum berth_status check_term_name(const struct reader *reader, struct berth_error *error)
{
    const struct berth_word *word = &reader->lexer.word;
    return berth_is_column(word->text, word->length)
               ? berth_lexer_fail(&reader->lexer, error,
                                  "the name '%.*s' is that of a column of the results; give the "
                                  "term another one",
                                  (int)word->length, word->text)
               : BERTH_OK;
}

static enum berth_status read_term(struct reader *reader, struct berth_error *error)
{
    struct berth_definition *definition = reader->definition;
    struct named named;
    enum berth_status status = check_room(reader, error);
    status = status ? status : check_term_name(reader, error);
    status = status ? status : parse_head(reader, false, &named, error);
    status = status ? status : parse_pair(reader, &named.node, error);
    if (!status) {
        memcpy(definition->terms.names[definition->terms.count], named.text, named.length);
        definition->term_nodes[definition->terms.count++] = named.node;
        status = keep_name(reader, &named, error);
    }
    return status;
}

/* A number of at least `least` and at most `most`. */
static enum berth_status read_number(struct reader *reader, double least, double most,
                                     double *number, struct berth_error *error)
{
    if (reader->lexer.word.kind != BERTH_WORD_NUMBER || reader->lexer.word.number < least ||
        reader->lexer.word.number > most) {
        char expected[80];
        snprintf(expected, sizeof expected, "a number from %g to %g", least, most);
        return berth_lexer_expected(&reader->lexer, expected, error);
    }
    *number = reader->lexer.word.number;
    return berth_lexer_next(&reader->lexer, error);
}

static enum berth_status read_cutoff(struct reader *reader, struct berth_error *error)
{
    return read_number(reader, 1, CUTOFF_MAX, &reader->definition->cutoff, error);
}

static enum berth_status read_bonds(struct reader *reader, struct berth_error *error)
{
    double bonds = reader->lexer.word.number;
    if (reader->lexer.word.kind == BERTH_WORD_NUMBER && bonds != rint(bonds)) {
        return berth_lexer_expected(&reader->lexer, "a whole number of bonds", error);
    }
    enum berth_status status = read_number(reader, 2, 10, &bonds, error);
    if (!status) {
        reader->definition->bonds = (int)bonds;
    }
    return status;
}

/* The rest of the line, which the caller frees. */
static enum berth_status read_rest(struct reader *reader, const char *what, char **text,
                                   struct berth_error *error)
{
    const char *rest;
    size_t length;
    berth_lexer_rest(&reader->lexer, &rest, &length);
    if (!length) {
        return berth_lexer_expected(&reader->lexer, what, error);
    }
    char *copy = berth_alloc(length + 1, 1);
    if (copy) {
        memcpy(copy, rest, length);
        *text = berth_text_escape(copy, "");
    }
    free(copy);
    return *text ? BERTH_OK : berth_out_of_memory(error, NULL);
}

static enum berth_status read_name(struct reader *reader, struct berth_error *error)
{
    return read_rest(reader, "the function's name", &reader->definition->name, error);
}

static enum berth_status read_source(struct reader *reader, struct berth_error *error)
{
    return read_rest(reader, "where the function is from", &reader->definition->source, error);
}

/* A plain word of less than size bytes, of letters, digits and `others`. */
static enum berth_status read_plain(struct reader *reader, const char *what, const char *others,
                                    size_t size, char *text, struct berth_error *error)
{
    berth_lexer_plain(&reader->lexer);
    const struct berth_word *word = &reader->lexer.word;
    if (word->kind == BERTH_WORD_END) {
        return berth_lexer_expected(&reader->lexer, what, error);
    }
    for (size_t i = 0; i < word->length; i++) {
        const char c = word->text[i];
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || strchr(others, c);
        if (!plain || i + 1 >= size) {
            return berth_lexer_fail(&reader->lexer, error,
                                    "expected %s: up to %zu letters, digits and %s", what, size - 1,
                                    others);
        }
    }
    memcpy(text, word->text, word->length);
    text[word->length] = '\0';
    return berth_lexer_next(&reader->lexer, error);
}

static enum berth_status read_unit(struct reader *reader, struct berth_error *error)
{
    return read_plain(reader, "a unit", "/_-.^", BERTH_UNIT_SIZE, reader->definition->unit, error);
}

static enum berth_status read_types(struct reader *reader, struct berth_error *error)
{
    struct berth_definition *definition = reader->definition;
    const struct berth_lexer begin = reader->lexer;
    enum berth_status status =
        read_plain(reader, "a rule of types", "_-", BERTH_SYMBOL_SIZE, definition->rule, error);
    if (!status && strcmp(definition->rule, "vina") != 0 && strcmp(definition->rule, "bude") != 0) {
        return berth_lexer_expected(&begin, "a rule of types, bude or vina", error);
    }
    if (!status && strcmp(definition->rule, "bude") == 0) {
        if (reader->lines[PARAMETERS]) {
            return berth_lexer_fail(&begin, error,
                                    "the types of bude have their parameters from a .bhff file; "
                                    "leave out either this statement or `parameters` at line %zu",
                                    reader->lines[PARAMETERS]);
        }
        status = read_plain(reader, "a .bhff file with the types' parameters", "_-.",
                            BERTH_SYMBOL_SIZE, definition->table, error);
        for (size_t i = 0; i < sizeof BUDE_PARAMETERS / sizeof *BUDE_PARAMETERS; i++) {
            strcpy(definition->parameters[definition->parameter_count++], BUDE_PARAMETERS[i]);
        }
    }
    return status;
}

/* A row of the table: a type and its values, all on one line. */
static enum berth_status read_row(struct reader *reader, struct berth_error *error)
{
    struct berth_definition *definition = reader->definition;
    const struct berth_lexer begin = reader->lexer;
    if (definition->type_count == BERTH_TYPES_MAX) {
        return berth_lexer_fail(&begin, error, "more than %d types", BERTH_TYPES_MAX);
    }
    char *name = definition->types[definition->type_count];
    double *row = definition->values + definition->type_count * definition->parameter_count;
    enum berth_status status =
        read_plain(reader, "a type", "_.-+*", BERTH_SYMBOL_SIZE, name, error);
    for (size_t i = 0; !status && i < definition->type_count; i++) {
        if (strcmp(definition->types[i], name) == 0) {
            return berth_lexer_fail(&begin, error, "type %s has a row already", name);
        }
    }
    for (size_t i = 0; !status && i < definition->parameter_count; i++) {
        char expected[80];
        const bool minus = berth_word_is(&reader->lexer.word, "-");
        if (minus) {
            status = berth_lexer_next(&reader->lexer, error);
        }
        if (!status && (reader->lexer.word.kind != BERTH_WORD_NUMBER ||
                        reader->lexer.word.line != begin.word.line)) {
            snprintf(expected, sizeof expected, "the %s of %s", definition->parameters[i], name);
            return berth_lexer_expected(&reader->lexer, expected, error);
        }
        row[i] = minus ? -reader->lexer.word.number : reader->lexer.word.number;
        status = status ? status : berth_lexer_next(&reader->lexer, error);
    }
    if (!status && reader->lexer.word.kind != BERTH_WORD_END &&
        reader->lexer.word.line == begin.word.line) {
        status = berth_lexer_expected(&reader->lexer, "the end of the row", error);
    }
    definition->type_count += !status;
    return status;
}

/* The names of the parameters, then a row for each type. */
static enum berth_status read_parameters(struct reader *reader, struct berth_error *error)
{
    struct berth_definition *definition = reader->definition;
    const size_t line = reader->lexer.word.line;
    enum berth_status status = BERTH_OK;
    if (definition->parameter_count) {
        return berth_lexer_fail(&reader->lexer, error,
                                "the types have their parameters from the .bhff file of `types` at "
                                "line %zu; leave one of the two statements out",
                                reader->lines[TYPES]);
    }
    while (!status && reader->lexer.word.kind != BERTH_WORD_END &&
           reader->lexer.word.line == line) {
        const struct berth_word word = reader->lexer.word;
        int node;
        if (word.kind != BERTH_WORD_NAME || word.length >= BERTH_TERM_NAME_SIZE) {
            return berth_lexer_expected(&reader->lexer, "the name of a parameter", error);
        }
        if (definition->parameter_count == BERTH_PARAMETERS_MAX ||
            berth_is_reserved(word.text, word.length) ||
            find_named(reader, 0, word.text, word.length, &node) ||
            find_parameter(reader, 'i', word.text, word.length, &node)) {
            return berth_lexer_fail(&reader->lexer, error,
                                    "the name '%.*s' is taken, or one more than %d parameters",
                                    (int)word.length, word.text, BERTH_PARAMETERS_MAX);
        }
        memcpy(definition->parameters[definition->parameter_count++], word.text, word.length);
        status = berth_lexer_next(&reader->lexer, error);
    }
    if (!status && !definition->parameter_count) {
        return berth_lexer_expected(&reader->lexer, "the name of a parameter", error);
    }
    definition->types = berth_alloc(BERTH_TYPES_MAX, sizeof *definition->types);
    definition->values =
        berth_alloc((size_t)BERTH_TYPES_MAX * BERTH_PARAMETERS_MAX, sizeof *definition->values);
    if (!status && (!definition->types || !definition->values)) {
        return berth_out_of_memory(error, NULL);
    }
    while (!status && reader->lexer.word.kind != BERTH_WORD_END) {
        status = read_row(reader, error);
    }
    return status;
}

static enum berth_status read_soften(struct reader *reader, struct berth_error *error)
{
    const struct berth_word *word = &reader->lexer.word;
    struct berth_definition *definition = reader->definition;
    for (size_t i = 0; i < definition->terms.count; i++) {
        if (berth_word_is(word, definition->terms.names[i])) {
            definition->softened = (int)i;
            return berth_lexer_next(&reader->lexer, error);
        }
    }
    return berth_lexer_expected(&reader->lexer, "a term that stands above", error);
}

/* The name of the torsional term: a new one in its first row, and the same in all others. */
static enum berth_status read_torsional_name(struct reader *reader, struct berth_error *error)
{
    char *name = reader->definition->torsional.name;
    const struct berth_word *word = &reader->lexer.word;
    enum berth_status status = check_name(reader, error);
    if (!status && *name && !berth_word_is(word, name)) {
        return berth_lexer_fail(&reader->lexer, error,
                                "a function has one torsional term, which is '%s' here", name);
    }
    if (!status && !*name) {
        status =
            is_taken(reader, true) ? name_taken(reader, error) : check_term_name(reader, error);
        status = status ? status : check_room(reader, error);
        snprintf(name, BERTH_TERM_NAME_SIZE, "%.*s", (int)word->length, word->text);
    }
    return status ? status : berth_lexer_next(&reader->lexer, error);
}

static enum berth_status read_bond_end(struct reader *reader, enum berth_bond_end *end,
                                       struct berth_error *error)
{
    for (int i = 0; i < BERTH_BOND_ENDS; i++) {
        if (berth_word_is(&reader->lexer.word, BERTH_BOND_END_NAMES[i])) {
            *end = (enum berth_bond_end)i;
            return berth_lexer_next(&reader->lexer, error);
        }
    }
    return berth_lexer_expected(&reader->lexer, "a kind of atom, sp3, sp2, aromatic or any", error);
}

static bool find_angle(void *context, const char *name, size_t length, int *node)
{
    const struct reader *reader = context;
    *node = berth_symbol(&reader->definition->torsional.graph, 0, true);
    return length == 3 && memcmp(name, "phi", 3) == 0;
}

/* A row of the torsional term: NAME KIND-KIND = an expression of phi. */
static enum berth_status read_torsion(struct reader *reader, struct berth_error *error)
{
    struct berth_torsional *torsional = &reader->definition->torsional;
    const struct berth_scope scope = {&torsional->graph, find_angle, reader, "phi", true};
    enum berth_bond_end ends[2];
    int energy;
    char wrong[120];
    if (torsional->row_count == BERTH_TORSIONAL_ROWS_MAX) {
        return berth_lexer_fail(&reader->lexer, error, "more than %d rows of torsions",
                                BERTH_TORSIONAL_ROWS_MAX);
    }
    enum berth_status status = read_torsional_name(reader, error);
    status = status ? status : read_bond_end(reader, &ends[0], error);
    status = status ? status : skip(reader, "-", error);
    status = status ? status : read_bond_end(reader, &ends[1], error);
    status = status ? status : skip(reader, "=", error);
    const struct berth_lexer begin = reader->lexer;
    status = status ? status : berth_parse_expression(&reader->lexer, &scope, &energy, error);
    if (status) {
        return status;
    }
    berth_torsional_add(torsional, ends, energy);
    if (torsional->graph.full) {
        return berth_lexer_fail(&begin, error, "the torsions are too large for a kernel");
    }
    return berth_torsional_try(torsional, torsional->row_count - 1, wrong, sizeof wrong)
               ? BERTH_OK
               : berth_lexer_fail(&begin, error, "%s", wrong);
}

static bool find_total(void *context, const char *name, size_t length, int *node)
{
    const struct reader *reader = context;
    const char *names[BERTH_TOTAL_SYMBOLS] = {[BERTH_TOTAL_INTER] = "inter",
                                              [BERTH_TOTAL_UNBOUND] = "unbound",
                                              [BERTH_TOTAL_TORSIONS] = "torsions",
                                              [BERTH_TOTAL_TORSIONAL] =
                                                  reader->definition->torsional.name};
    memcpy(names + BERTH_TOTAL_PARTS, BERTH_PART_NAMES, sizeof BERTH_PART_NAMES);
    for (int i = 0; i < BERTH_TOTAL_SYMBOLS; i++) {
        if (length && strlen(names[i]) == length && memcmp(names[i], name, length) == 0) {
            *node = berth_symbol(&reader->definition->total_graph, i, true);
            return true;
        }
    }
    return false;
}

static enum berth_status read_total(struct reader *reader, struct berth_error *error)
{
    struct berth_definition *definition = reader->definition;
    char names[120] = "inter";
    for (int k = 0; k < BERTH_PART_COUNT; k++) {
        append(names, sizeof names, BERTH_PART_NAMES[k], strlen(BERTH_PART_NAMES[k]));
    }
    append(names, sizeof names, "unbound", strlen("unbound"));
    append(names, sizeof names, "torsions", strlen("torsions"));
    if (*definition->torsional.name) {
        append(names, sizeof names, definition->torsional.name, strlen(definition->torsional.name));
    }
    const struct berth_scope scope = {&definition->total_graph, find_total, reader, names, false};
    enum berth_status status = skip(reader, "=", error);
    const struct berth_lexer begin = reader->lexer;
    status = status
                 ? status
                 : berth_parse_expression(&reader->lexer, &scope, &definition->total_node, error);
    if (!status && !berth_definition_try_total(definition)) {
        return berth_lexer_fail(&begin, error,
                                "the total is not finite, whatever the energies; correct it");
    }
    return status;
}

static const struct {
    const char *word;
    enum berth_status (*read)(struct reader *reader, struct berth_error *error);
    bool takes_line; /* any text, not words of the language */
    bool repeats;    /* a function may have several */
} ROWS[STATEMENTS] = {[NAME] = {"name", read_name, true, false},
                      [SOURCE] = {"source", read_source, true, false},
                      [UNIT] = {"unit", read_unit, false, false},
                      [CUTOFF] = {"cutoff", read_cutoff, false, false},
                      [TYPES] = {"types", read_types, false, false},
                      [PARAMETERS] = {"parameters", read_parameters, false, false},
                      [ATOM] = {"atom", read_atom, false, true},
                      [LET] = {"let", read_let, false, true},
                      [TERM] = {"term", read_term, false, true},
                      [SOFTEN] = {"soften", read_soften, false, false},
                      [TORSION] = {"torsion", read_torsion, false, true},
                      [INTRA] = {"intra", read_bonds, false, false},
                      [TOTAL] = {"total", read_total, false, false}};

static enum berth_status read_statement(struct reader *reader, struct berth_error *error)
{
    for (size_t i = 0; i < STATEMENTS; i++) {
        if (!berth_word_is(&reader->lexer.word, ROWS[i].word)) {
            continue;
        }
        if (reader->lines[i] && !ROWS[i].repeats) {
            return berth_lexer_fail(&reader->lexer, error,
                                    "there is a statement `%s` already, at line %zu; leave one out",
                                    ROWS[i].word, reader->lines[i]);
        }
        reader->lines[i] = reader->lexer.word.line;
        enum berth_status status =
            ROWS[i].takes_line ? BERTH_OK : berth_lexer_next(&reader->lexer, error);
        status = status ? status : ROWS[i].read(reader, error);
        return status ? status : expect_end(reader, error);
    }
    return berth_lexer_expected(&reader->lexer,
                                "name, source, unit, cutoff, types, parameters, atom, let, term, "
                                "torsion, soften, intra or total",
                                error);
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
    berth_lexer_begin(definition->file, text, &reader->lexer);
    enum berth_status status = berth_graph_create(&definition->graph, error);
    status = status ? status : berth_graph_create(&definition->total_graph, error);
    status = status ? status : berth_graph_create(&definition->torsional.graph, error);
    for (bool there = true; !status && there;) {
        status = berth_lexer_next_statement(&reader->lexer, &there, error);
        if (!status && there) {
            status = read_statement(reader, error);
        }
    }
    if (!status && !reader->lines[TOTAL]) {
        struct berth_graph *graph = &definition->total_graph;
        definition->total_node =
            berth_add(graph, berth_symbol(graph, BERTH_TOTAL_INTER, true),
                      berth_symbol(graph, BERTH_TOTAL_PARTS + BERTH_PART_INTRA, true));
        if (*definition->torsional.name) {
            definition->total_node = berth_add(graph, definition->total_node,
                                               berth_symbol(graph, BERTH_TOTAL_TORSIONAL, true));
        }
    }
    if (!status) {
        find_added(definition);
    }
    return status ? status : check_whole(reader, error);
}

enum berth_status berth_definition_parse(const char *file, const char *text,
                                         struct berth_definition *definition,
                                         struct berth_error *error)
{
    *definition = (struct berth_definition){.softened = -1, .bonds = 4};
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
    enum berth_status status = berth_text_reader_create(path, &reader, error);
    if (status) {
        return status;
    }
    char *text = NULL;
    status = read_lines(reader, &text, error);
    BERTH_THEN(berth_definition_parse(path, text ? text : "", definition, error));
    free(text);
    berth_text_reader_destroy(reader);
    return status;
}

void berth_definition_clear(struct berth_definition *definition)
{
    if (!definition) {
        return;
    }
    free(definition->file);
    free(definition->name);
    free(definition->source);
    free(definition->types);
    free(definition->values);
    berth_graph_clear(&definition->graph);
    berth_graph_clear(&definition->total_graph);
    berth_torsional_clear(&definition->torsional);
    memset(definition, 0, sizeof *definition);
}
