/* The steps of preparing a ligand that RDKit does: tools/rdkit has the other side. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "format/mol2/mol2.h"
#include "prep/prepare_steps.h"

/* Of the answer to "normalise", for each form: SMILES, formula, label, remark. */
enum { FORM_FIELDS = 4, OPTIONS_SIZE = 512 };

/* What every request has as its options. */
static void put_options(const struct berth_preparation *preparation, char text[OPTIONS_SIZE])
{
    const int length =
        snprintf(text, OPTIONS_SIZE, "conformers=%zu\nstructures=%zu\nprotomers=%zu\nstereo=%zu\n",
                 preparation->conformers, preparation->structures,
                 preparation->protomers ? preparation->protomers : 1,
                 preparation->stereoisomers ? preparation->stereoisomers : 1);
    if (!isnan(preparation->ph)) {
        snprintf(text + length, OPTIONS_SIZE - (size_t)length, "ph=%.17g\n", preparation->ph);
    }
}

static struct berth_field text_field(const char *text)
{
    return (struct berth_field){text, strlen(text)};
}

/* Asks for `what` of the given fields, of which there may be BERTH_REQUEST_FIELDS - 2. */
static enum berth_status ask(struct berth_preparer *preparer, const char *what,
                             const struct berth_field *fields, size_t count,
                             struct berth_answer *answer, struct berth_error *error)
{
    char options[OPTIONS_SIZE];
    put_options(preparer->preparation, options);
    struct berth_request request = {.fields = {text_field(what), text_field(options)},
                                    .count = 2 + count,
                                    .limit = preparer->preparation->limit,
                                    .used = &preparer->used};
    memcpy(request.fields + 2, fields, count * sizeof *fields);
    return berth_worker_ask(preparer->worker, &request, answer, error);
}

static enum berth_status bad_answer(struct berth_error *error)
{
    return berth_fail(error, BERTH_E_IO, "the RDKit worker gave an answer that makes no sense");
}

static enum berth_status take_form(const struct berth_field *fields, struct berth_form *form,
                                   struct berth_error *error)
{
    form->ligand.smiles = berth_copy_text(fields[0].data);
    snprintf(form->label, sizeof form->label, "%s", (const char *)fields[2].data);
    snprintf(form->remark, sizeof form->remark, "%s", (const char *)fields[3].data);
    if (!form->ligand.smiles) {
        return berth_out_of_memory(error, NULL);
    }
    return berth_composition_parse(fields[1].data, &form->composition) ? BERTH_OK
                                                                       : bad_answer(error);
}

enum berth_status berth_rdkit_normalise(struct berth_preparer *preparer,
                                        const struct berth_record *record,
                                        struct berth_prepared *prepared, struct berth_error *error)
{
    struct berth_answer answer = {0};
    const char *exclude = preparer->preparation->exclude;
    const bool smiles = record->kind == BERTH_RECORD_SMILES;
    const struct berth_field fields[] = {text_field(smiles ? "smi" : "sdf"),
                                         {record->text.data, record->text.count},
                                         text_field(exclude ? exclude : "")};
    enum berth_status status = ask(preparer, "normalise", fields, 3, &answer, error);
    prepared->dropped = answer.dropped;
    const size_t count = (answer.count - 1) / FORM_FIELDS;
    if (!status && (answer.count < 1 + FORM_FIELDS)) {
        status = bad_answer(error);
    }
    BERTH_THEN(berth_prepared_reserve(prepared, count, error));
    for (size_t i = 0; !status && i < count; i++) {
        prepared->count = i + 1;
        status = take_form(answer.fields + 1 + i * FORM_FIELDS, &prepared->forms[i], error);
    }
    berth_answer_clear(&answer);
    return status;
}

/* Numbers as the worker sends them. */
static void take_doubles(const struct berth_field *field, double *values, size_t count)
{
    struct berth_cursor cursor = berth_cursor_over(field->data, field->size);
    for (size_t i = 0; i < count; i++) {
        const uint64_t word = berth_cursor_get64(&cursor);
        memcpy(&values[i], &word, sizeof values[i]);
    }
}

/* Takes Mol2 and the positions of each structure. */
static enum berth_status take_structures(const struct berth_answer *answer,
                                         struct berth_draft *draft, struct berth_error *error)
{
    struct berth_mol2_reader *reader = NULL;
    bool end = false;
    if (answer->count != 3) {
        return bad_answer(error);
    }
    const struct berth_field *mol2 = &answer->fields[1], *positions = &answer->fields[2];
    enum berth_status status =
        berth_mol2_reader_create_memory("RDKit's Mol2", mol2->data, mol2->size, &reader, error);
    if (!status) {
        status = berth_mol2_next(reader, &draft->raw, &end, error);
        berth_mol2_reader_destroy(reader);
    }
    const size_t atoms = draft->raw.atom_count, size = atoms * 3 * sizeof(double);
    if (!status && (end || !atoms || !positions->size || positions->size % size)) {
        status = bad_answer(error);
    }
    if (!status) {
        draft->structures = (struct berth_conformers){.count = positions->size / size,
                                                      .atom_count = atoms,
                                                      .positions = berth_alloc(positions->size, 1)};
        status = draft->structures.positions ? BERTH_OK : berth_out_of_memory(error, NULL);
    }
    if (!status) {
        take_doubles(positions, draft->structures.positions[0],
                     3 * atoms * draft->structures.count);
        for (size_t i = 0; i < atoms; i++) {
            memcpy(draft->raw.atoms[i].position, draft->structures.positions[i],
                   sizeof draft->raw.atoms[i].position);
        }
    }
    return status;
}

enum berth_status berth_rdkit_build(struct berth_preparer *preparer, const char *smiles,
                                    struct berth_draft *draft, struct berth_error *error)
{
    struct berth_answer answer = {0};
    const struct berth_field field = text_field(smiles);
    enum berth_status status = ask(preparer, "build", &field, 1, &answer, error);
    BERTH_THEN(take_structures(&answer, draft, error));
    berth_answer_clear(&answer);
    return status;
}

enum berth_status berth_rdkit_energies(struct berth_preparer *preparer, const char *smiles,
                                       struct berth_draft *draft, struct berth_error *error)
{
    const struct berth_conformers *conformers = &draft->conformers;
    struct berth_answer answer = {0};
    struct berth_bytes text = {0};
    const double *positions = conformers->positions[0];
    for (size_t i = 0; i < 3 * conformers->count * conformers->atom_count; i++) {
        uint64_t word;
        memcpy(&word, positions + i, sizeof word);
        berth_bytes_put64(&text, word);
    }
    const struct berth_field fields[] = {text_field(smiles), {text.data, text.count}};
    enum berth_status status = text.failed ? berth_out_of_memory(error, NULL)
                                           : ask(preparer, "energies", fields, 2, &answer, error);
    if (!status &&
        (answer.count != 2 || answer.fields[1].size != conformers->count * sizeof(double))) {
        status = bad_answer(error);
    }
    if (!status) {
        take_doubles(&answer.fields[1], draft->energies, conformers->count);
    }
    berth_answer_clear(&answer);
    berth_bytes_clear(&text);
    return status;
}

enum berth_status berth_rdkit_check_patterns(const struct berth_preparation *preparation,
                                             struct berth_error *error)
{
    struct berth_preparer *preparer;
    struct berth_answer answer = {0};
    const struct berth_field field = text_field(preparation->exclude);
    enum berth_status status = berth_preparer_create(preparation, &preparer, error);
    BERTH_THEN(ask(preparer, "check_patterns", &field, 1, &answer, error));
    berth_answer_clear(&answer);
    berth_preparer_destroy(preparer);
    return status ? berth_fail_in(error, preparation->exclude_name) : BERTH_OK;
}
