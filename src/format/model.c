#include "format/model.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/fields.h"
#include "base/text.h"
#include "base/text_reader.h"
#include "score/scoring.h"

/* Å: radii and spacings are within these. */
#define LENGTH_LEAST 0.1
#define LENGTH_MOST  10.0

/* The lines that there must be, but for channels, and how often each may be there. */
enum { HEAD, NETWORK, INPUT, NUMBERS, POINTS, AVERAGE, SPACING, DENSITY, OUTPUT, RECEPTOR, LIGAND };

static const struct {
    const char *word;
    size_t most;
} STATEMENTS[] = {[HEAD] = {"berth", 1},
                  [NETWORK] = {"network", 1},
                  [INPUT] = {"input", 1},
                  [NUMBERS] = {"channels", 1},
                  [POINTS] = {"points", 1},
                  [AVERAGE] = {"average", 1},
                  [SPACING] = {"spacing", 1},
                  [DENSITY] = {"density", 1},
                  [OUTPUT] = {"output", BERTH_LEARNED_MAX},
                  [RECEPTOR] = {"receptor", BERTH_MODEL_CHANNELS},
                  [LIGAND] = {"ligand", BERTH_MODEL_CHANNELS}};

enum { STATEMENT_COUNT = sizeof STATEMENTS / sizeof *STATEMENTS };

struct reader {
    struct berth_text_reader *text;
    struct berth_model *model;
    const char *at; /* in the line */
    size_t counts[STATEMENT_COUNT];
};

static enum berth_status fail_at(const struct reader *reader, const char *what,
                                 const struct berth_field *field, struct berth_error *error)
{
    return berth_fail(error, BERTH_E_FORMAT, "%s:%zu: %s, not \"%.*s\"",
                      berth_text_reader_path(reader->text), berth_text_reader_line(reader->text),
                      what, berth_field_shown(field), field->text ? field->text : "");
}

static enum berth_status read_word(struct reader *reader, char *word, size_t size,
                                   struct berth_error *error)
{
    struct berth_field field;
    return berth_field_next(&reader->at, &field) && berth_field_copy(&field, word, size)
               ? BERTH_OK
               : fail_at(reader, "here stands a name of at most 63 letters", &field, error);
}

static enum berth_status read_count(struct reader *reader, size_t least, size_t most, size_t *count,
                                    struct berth_error *error)
{
    struct berth_field field;
    int number;
    if (!berth_field_next(&reader->at, &field) || !berth_field_integer(&field, &number) ||
        number < (int)least || number > (int)most) {
        char what[64];
        snprintf(what, sizeof what, "here stands a whole number from %zu to %zu", least, most);
        return fail_at(reader, what, &field, error);
    }
    *count = (size_t)number;
    return BERTH_OK;
}

static enum berth_status read_length(struct reader *reader, double *length,
                                     struct berth_error *error)
{
    struct berth_field field;
    return berth_field_next(&reader->at, &field) && berth_field_real(&field, length) &&
                   *length >= LENGTH_LEAST && *length <= LENGTH_MOST
               ? BERTH_OK
               : fail_at(reader, "here stands a length from 0.1 to 10 Å", &field, error);
}

static enum berth_status read_constant(struct reader *reader, const char *constant,
                                       const char *what, struct berth_error *error)
{
    struct berth_field field;
    return berth_field_next(&reader->at, &field) && berth_field_is(&field, constant)
               ? BERTH_OK
               : fail_at(reader, what, &field, error);
}

/* The file beside the model's, or where its path says. */
static enum berth_status read_network(struct reader *reader, struct berth_error *error)
{
    const char *path = berth_text_reader_path(reader->text), *folder = strrchr(path, '/');
    struct berth_field field;
    if (!berth_field_next(&reader->at, &field)) {
        return fail_at(reader, "here stands the name of an ONNX file", &field, error);
    }
    const int before = folder && *field.text != '/' ? (int)(folder + 1 - path) : 0;
    const int length =
        snprintf(reader->model->network, sizeof reader->model->network, "%.*s%.*s", before, path,
                 (int)(field.length < PATH_MAX ? field.length : PATH_MAX), field.text);
    return length < PATH_MAX ? BERTH_OK : fail_at(reader, "the path is too long", &field, error);
}

static enum berth_status read_output(struct reader *reader, struct berth_error *error)
{
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    struct berth_model_output *output = &reader->model->outputs[reader->model->output_count++];
    BERTH_TRY(read_word(reader, output->column, sizeof output->column, error));
    if (output->column[strspn(output->column, LETTERS)]) {
        const struct berth_field field = {output->column, strlen(output->column)};
        return fail_at(reader, "the name of a column has letters, digits and _", &field, error);
    }
    BERTH_TRY(read_word(reader, output->name, sizeof output->name, error));
    return read_count(reader, 0, 1000000, &output->number, error);
}

/* What a kind is called: a type of Vina's, or an element. */
static enum berth_status read_kind(struct reader *reader, const struct berth_field *field,
                                   struct berth_model_kind *kind, struct berth_error *error)
{
    static const char TYPES[] = "C_H C_P N_P N_D N_A N_DA O_P O_D O_A O_DA S_P P_P F_H Cl_H Br_H "
                                "I_H Si At Met_D";
    char name[24];
    bool known = berth_field_copy(field, name, sizeof name);
    char *colon = strchr(name, ':');
    kind->aromatic = colon && strcmp(colon, ":aromatic") == 0;
    kind->aliphatic = colon && strcmp(colon, ":aliphatic") == 0;
    known = known && (!colon || kind->aromatic || kind->aliphatic);
    if (colon) {
        *colon = '\0';
    }
    if (known && berth_text_lists(TYPES, ' ', name)) {
        strcpy(kind->type, name);
    }
    kind->element = *kind->type ? 0 : berth_element_of_type(name);
    return known && (*kind->type || kind->element)
               ? BERTH_OK
               : fail_at(reader,
                         "here stands a kind of atoms: a type of Vina's, such as C_H or "
                         "C_H:aromatic, or an element, such as Zn",
                         field, error);
}

/* A channel: kinds and their radii. */
static enum berth_status read_channel(struct reader *reader, bool ligand, struct berth_error *error)
{
    struct berth_model *model = reader->model;
    struct berth_field field;
    const size_t first = model->kind_count;
    if (!ligand && reader->counts[LIGAND]) {
        return fail_at(reader, "the receptor's channels stand before the ligand's",
                       &(struct berth_field){"receptor", 8}, error);
    }
    while (berth_field_next(&reader->at, &field)) {
        struct berth_model_kind kind = {.channel = model->channels};
        BERTH_TRY(read_kind(reader, &field, &kind, error));
        BERTH_TRY(read_length(reader, &kind.radius, error));
        if (model->kind_count == BERTH_MODEL_KINDS) {
            return fail_at(reader, "there are more kinds than 512", &field, error);
        }
        model->kinds[model->kind_count++] = kind;
    }
    if (model->kind_count == first) {
        return fail_at(reader, "here stand kinds of atoms with their radii", &field, error);
    }
    model->channels++;
    model->receptor_kinds = ligand ? model->receptor_kinds : model->kind_count;
    return BERTH_OK;
}

static enum berth_status read_statement(struct reader *reader, size_t statement,
                                        struct berth_error *error)
{
    struct berth_model *model = reader->model;
    switch (statement) {
    case HEAD:
        BERTH_TRY(read_constant(reader, "model", "a model begins with \"berth model 1\"", error));
        return read_constant(reader, "1", "this is version 1 of the format", error);
    case NETWORK:
        return read_network(reader, error);
    case INPUT:
        return read_word(reader, model->input, sizeof model->input, error);
    case NUMBERS:
        return read_word(reader, model->numbers, sizeof model->numbers, error);
    case POINTS:
        return read_count(reader, 1, BERTH_MODEL_POINTS, &model->points, error);
    case AVERAGE:
        return read_count(reader, 1, BERTH_MODEL_POINTS, &model->average, error);
    case SPACING:
        return read_length(reader, &model->spacing, error);
    case DENSITY:
        return read_constant(reader, "gaussian_parabola",
                             "the density that there is is gaussian_parabola", error);
    case OUTPUT:
        return read_output(reader, error);
    default:
        return read_channel(reader, statement == LIGAND, error);
    }
}

static enum berth_status read_line(struct reader *reader, char *line, struct berth_error *error)
{
    struct berth_field word, rest;
    size_t statement = 0;
    line[strcspn(line, "#")] = '\0';
    reader->at = line;
    if (!berth_field_next(&reader->at, &word)) {
        return BERTH_OK;
    }
    while (statement < STATEMENT_COUNT && !berth_field_is(&word, STATEMENTS[statement].word)) {
        statement++;
    }
    if (statement == STATEMENT_COUNT || (statement != HEAD && !reader->counts[HEAD])) {
        return fail_at(
            reader,
            reader->counts[HEAD]
                ? "a line begins with network, input, channels, points, average, spacing, "
                  "density, output, receptor or ligand"
                : "a model begins with \"berth model 1\"",
            &word, error);
    }
    if (reader->counts[statement] == STATEMENTS[statement].most) {
        return fail_at(reader, "that is said too often", &word, error);
    }
    BERTH_TRY(read_statement(reader, statement, error));
    reader->counts[statement]++;
    return berth_field_next(&reader->at, &rest)
               ? fail_at(reader, "the line ends here", &rest, error)
               : BERTH_OK;
}

static enum berth_status check(const struct reader *reader, struct berth_error *error)
{
    const char *path = berth_text_reader_path(reader->text);
    const struct berth_model *model = reader->model;
    for (size_t i = 0; i < STATEMENT_COUNT; i++) {
        if (!reader->counts[i] && i != AVERAGE && i != NUMBERS) {
            return berth_fail(error, BERTH_E_FORMAT, "%s: a model has a line \"%s ...\"", path,
                              STATEMENTS[i].word);
        }
    }
    return model->channels > BERTH_MODEL_CHANNELS || model->points % model->average
               ? berth_fail(error, BERTH_E_FORMAT,
                            "%s: %zu channels of %zu points, averaged by %zu: there are at most "
                            "128 channels, and points are a multiple",
                            path, model->channels, model->points, model->average)
               : BERTH_OK;
}

/* Reads all, and destroys the reader. */
static enum berth_status read_all(struct berth_text_reader *text, struct berth_model *model,
                                  struct berth_error *error)
{
    struct reader reader = {.text = text, .model = model};
    char *line = NULL;
    memset(model, 0, sizeof *model);
    model->average = 1;
    enum berth_status status = berth_text_reader_next(text, &line, error);
    while (!status && line) {
        status = read_line(&reader, line, error);
        BERTH_THEN(berth_text_reader_next(text, &line, error));
    }
    BERTH_THEN(check(&reader, error));
    berth_text_reader_destroy(text);
    return status;
}

enum berth_status berth_model_read(const char *path, struct berth_model *model,
                                   struct berth_error *error)
{
    struct berth_text_reader *text;
    BERTH_TRY(berth_text_reader_create(path, &text, error));
    return read_all(text, model, error);
}

enum berth_status berth_model_parse(const char *path, const void *text, size_t size,
                                    struct berth_model *model, struct berth_error *error)
{
    struct berth_text_reader *reader;
    BERTH_TRY(berth_text_reader_create_memory(path, text, size, &reader, error));
    return read_all(reader, model, error);
}

const struct berth_model_kind *berth_model_kind_of(const struct berth_model *model, bool ligand,
                                                   const struct berth_atom *atom, bool aromatic)
{
    const char *type = berth_vina_type(atom->element, &atom->traits);
    const size_t first = ligand ? model->receptor_kinds : 0;
    const size_t end = ligand ? model->kind_count : model->receptor_kinds;
    const struct berth_model_kind *found = NULL;
    for (size_t i = first; i < end; i++) {
        const struct berth_model_kind *kind = &model->kinds[i];
        if ((kind->aromatic && !aromatic) || (kind->aliphatic && aromatic)) {
            continue;
        }
        if (kind->element && kind->element == atom->element) {
            return kind;
        }
        if (!found && type && strcmp(kind->type, type) == 0) {
            found = kind;
        }
    }
    return found;
}
