#include "prep/prepare_build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "prep/worker_molecule.h"

enum berth_status berth_prepared_reserve(struct berth_prepared *prepared, size_t count,
                                         struct berth_error *error)
{
    return berth_make(&prepared->forms, count, sizeof *prepared->forms, NULL, error);
}

void berth_prepared_clear(struct berth_prepared *prepared)
{
    for (size_t i = 0; i < prepared->count; i++) {
        berth_library_ligand_clear(&prepared->forms[i].ligand);
        berth_bytes_clear(&prepared->forms[i].cutting);
    }
    free(prepared->forms);
    memset(prepared, 0, sizeof *prepared);
}

enum berth_status berth_preparer_create(const struct berth_preparation *preparation,
                                        struct berth_preparer **preparer, struct berth_error *error)
{
    BERTH_TRY(berth_make(preparer, 1, sizeof **preparer, NULL, error));
    (*preparer)->preparation = preparation;
    const struct berth_worker_setup setup = {preparation->rdkit, preparation->memory,
                                             preparation->cancel};
    return preparation->rdkit ? berth_worker_create(&setup, &(*preparer)->worker, error) : BERTH_OK;
}

void berth_preparer_destroy(struct berth_preparer *preparer)
{
    if (preparer) {
        berth_worker_destroy(preparer->worker);
        berth_answer_clear(&preparer->ahead.answer);
        free(preparer);
    }
}

/* --- RDKit --- */

enum { OPTIONS_SIZE = 512 };

/* What every request has as its options. */
static void put_rdkit_options(const struct berth_preparation *preparation, char text[OPTIONS_SIZE])
{
    snprintf(text, OPTIONS_SIZE, "conformers=%zu\nstructures=%zu\nprotomers=%zu\nstereo=%zu\n%s",
             preparation->conformers, preparation->structures,
             preparation->protomers ? preparation->protomers : 1,
             preparation->stereoisomers ? preparation->stereoisomers : 1,
             preparation->builders ? "fragments=\n" : "");
    if (!isnan(preparation->ph)) {
        berth_text_append(text, OPTIONS_SIZE, "ph=%.17g\nmin_population=%.17g\n", preparation->ph,
                          preparation->min_population);
    }
    if (preparation->residue) {
        berth_text_append(text, OPTIONS_SIZE, "residue=%s\n%s", preparation->residue,
                          preparation->all_warheads ? "all_warheads=\n" : "");
    }
}

enum berth_status berth_rdkit_ask(struct berth_preparer *preparer, const char *what,
                                  const struct berth_field *fields, size_t count,
                                  struct berth_answer *answer, struct berth_error *error)
{
    char options[OPTIONS_SIZE];
    put_rdkit_options(preparer->preparation, options);
    struct berth_request request = {.fields = {berth_text_field(what), berth_text_field(options)},
                                    .count = 2 + count,
                                    .limit = preparer->preparation->limit,
                                    .used = &preparer->used};
    memcpy(request.fields + 2, fields, count * sizeof *fields);
    return berth_worker_ask(preparer->worker, &request, answer, error);
}

/* The same where the answer is one field, the second. */
static enum berth_status ask_one(struct berth_preparer *preparer, const char *what,
                                 const struct berth_field *fields, size_t count,
                                 struct berth_answer *answer, struct berth_error *error)
{
    BERTH_TRY(berth_rdkit_ask(preparer, what, fields, count, answer, error));
    return answer->count == 2 ? BERTH_OK : berth_worker_bad_answer(error);
}

enum berth_status berth_rdkit_build(struct berth_preparer *preparer, const char *smiles,
                                    struct berth_molecule *molecule,
                                    struct berth_conformers *structures, struct berth_error *error)
{
    struct berth_answer answer = {0};
    const struct berth_field field = berth_text_field(smiles);
    enum berth_status status = ask_one(preparer, "build", &field, 1, &answer, error);
    BERTH_THEN(berth_worker_molecule_read(answer.fields[1].data, answer.fields[1].size, molecule,
                                          structures, error));
    berth_answer_clear(&answer);
    return status;
}

enum berth_status berth_prepare_stand(struct berth_preparer *preparer,
                                      const struct berth_record *record, double ph,
                                      struct berth_molecule *molecule, struct berth_error *error)
{
    const struct berth_stand wanted = {
        {record->text.data, record->text.count}, ph, preparer->preparation->limit, &preparer->used};
    preparer->used = 0;
    return preparer->worker ? berth_worker_stand(preparer->worker, &wanted, molecule, error)
                            : berth_fallback_stand(preparer, record, ph, molecule, error);
}

enum berth_status berth_rdkit_energies(struct berth_preparer *preparer, const char *smiles,
                                       struct berth_conformers *structures,
                                       struct berth_error *error)
{
    const size_t size = structures->count * sizeof(double);
    struct berth_answer answer = {0};
    struct berth_bytes text = {0};
    const double *positions = structures->positions[0];
    for (size_t i = 0; i < 3 * structures->count * structures->atom_count; i++) {
        berth_bytes_put_double(&text, positions[i]);
    }
    const struct berth_field fields[] = {berth_text_field(smiles), {text.data, text.count}};
    enum berth_status status = text.failed
                                   ? berth_out_of_memory(error, NULL)
                                   : ask_one(preparer, "energies", fields, 2, &answer, error);
    if (!status && answer.fields[1].size != size) {
        status = berth_worker_bad_answer(error);
    }
    if (!status) {
        struct berth_cursor cursor = berth_cursor_over(answer.fields[1].data, size);
        for (size_t i = 0; i < structures->count; i++) {
            structures->energies[i] = berth_cursor_get_double(&cursor);
        }
    }
    berth_answer_clear(&answer);
    berth_bytes_clear(&text);
    return status;
}

/* Finds out at once where a line of a text is none. */
static enum berth_status check_text(const struct berth_preparation *preparation, const char *what,
                                    const char *text, const char *name, struct berth_error *error)
{
    struct berth_preparer *preparer;
    struct berth_answer answer = {0};
    const struct berth_field field = berth_text_field(text);
    enum berth_status status = berth_preparer_create(preparation, &preparer, error);
    BERTH_THEN(berth_rdkit_ask(preparer, what, &field, 1, &answer, error));
    berth_answer_clear(&answer);
    berth_preparer_destroy(preparer);
    return status ? berth_fail_in(error, name) : BERTH_OK;
}

enum berth_status berth_rdkit_check(const struct berth_preparation *preparation,
                                    struct berth_error *error)
{
    if (preparation->exclude) {
        BERTH_TRY(check_text(preparation, "check_patterns", preparation->exclude,
                             preparation->exclude_name, error));
    }
    return preparation->residue ? check_text(preparation, "check_reactions", preparation->reactions,
                                             preparation->reactions_name, error)
                                : BERTH_OK;
}

/* --- Step 1 by RDKit --- */

/* Step 1 by RDKit: of one record, or of many in one request, so that they share what each exchange
 * with its process costs. */

/* Of the answer to "normalise", for each form: SMILES, formula, label, remark, fragments,
 * population, open stereo, recharged. */
enum { FORM_FIELDS = 8 };

static struct berth_field exclude_of(const struct berth_preparer *preparer)
{
    const char *exclude = preparer->preparation->exclude;
    return berth_text_field(exclude ? exclude : "");
}

static struct berth_field reactions_of(const struct berth_preparer *preparer)
{
    const char *reactions = preparer->preparation->reactions;
    return berth_text_field(reactions ? reactions : "");
}

static struct berth_field kind_of(const struct berth_record *record)
{
    return berth_text_field(record->kind == BERTH_RECORD_SMILES ? "smi" : "sdf");
}

static void put_field(struct berth_bytes *bytes, const struct berth_field *field)
{
    berth_bytes_put32(bytes, (uint32_t)field->size);
    berth_bytes_put(bytes, field->data, field->size);
}

static void put_record(const struct berth_record *record, struct berth_bytes *bytes)
{
    const struct berth_field kind = kind_of(record);
    const struct berth_field text = {record->text.data, record->text.count};
    berth_bytes_put32(bytes, (uint32_t)(8 + kind.size + text.size));
    put_field(bytes, &kind);
    put_field(bytes, &text);
}

void berth_prepare_ahead(struct berth_preparer *preparer, const struct berth_record *const *records,
                         size_t count)
{
    struct berth_ahead *ahead = &preparer->ahead;
    struct berth_bytes bytes = {0};
    ahead->count = 0;
    if (!preparer->preparation->builders || count < 2) {
        return; /* building takes so long that nothing else counts */
    }
    /* Puts the records that go to RDKit as they are. */
    for (size_t i = 0; i < count; i++) {
        const bool fits =
            records[i]->kind == BERTH_RECORD_SMILES || records[i]->kind == BERTH_RECORD_SDF;
        if (fits && !berth_prepare_check(records[i], NULL)) {
            ahead->texts[ahead->count++] = records[i]->text.data;
            put_record(records[i], &bytes);
        }
    }
    const struct berth_field fields[] = {berth_text_field("normalise"),
                                         exclude_of(preparer),
                                         reactions_of(preparer),
                                         {bytes.data, bytes.count}};
    preparer->used = 0;
    /* where a molecule crashes it, or takes all of the time, each is asked for by itself */
    if (bytes.failed || berth_rdkit_ask(preparer, "many", fields, 4, &ahead->answer, NULL) ||
        ahead->answer.count != 1 + ahead->count) {
        ahead->count = 0;
    }
    ahead->used = preparer->used / (double)(ahead->count + !ahead->count);
    berth_bytes_clear(&bytes);
}

/* What RDKit says of the record: from what was done ahead, or asked for now.  Errors: as
 * berth_worker_ask. */
static enum berth_status ask_of(struct berth_preparer *preparer, const struct berth_record *record,
                                struct berth_answer *answer, struct berth_error *error)
{
    struct berth_ahead *ahead = &preparer->ahead;
    for (size_t i = 0; i < ahead->count; i++) {
        if (ahead->texts[i] == record->text.data) {
            ahead->texts[i] = NULL;
            preparer->used = ahead->used;
            return berth_answer_open(&ahead->answer.fields[1 + i], answer, error);
        }
    }
    const struct berth_field fields[] = {kind_of(record),
                                         {record->text.data, record->text.count},
                                         exclude_of(preparer),
                                         reactions_of(preparer)};
    return berth_rdkit_ask(preparer, "normalise", fields, 4, answer, error);
}

static enum berth_status read_form(const struct berth_field *fields, struct berth_form *form,
                                   struct berth_error *error)
{
    form->ligand.smiles = berth_copy_text(fields[0].data);
    snprintf(form->label, sizeof form->label, "%s", (const char *)fields[2].data);
    snprintf(form->remark, sizeof form->remark, "%s", (const char *)fields[3].data);
    snprintf(form->population, sizeof form->population, "%s", (const char *)fields[5].data);
    snprintf(form->open_stereo, sizeof form->open_stereo, "%s", (const char *)fields[6].data);
    form->recharged = fields[7].size > 0;
    berth_bytes_put(&form->cutting, fields[4].data, fields[4].size);
    if (!form->ligand.smiles || form->cutting.failed) {
        return berth_out_of_memory(error, NULL);
    }
    return berth_composition_parse(fields[1].data, &form->composition)
               ? BERTH_OK
               : berth_fail(error, BERTH_E_FORMAT,
                            "its formula, %s, has an element that berth does not know",
                            (const char *)fields[1].data);
}

enum berth_status berth_rdkit_normalise(struct berth_preparer *preparer,
                                        const struct berth_record *record,
                                        struct berth_prepared *prepared, struct berth_error *error)
{
    struct berth_answer answer = {0};
    enum berth_status status = ask_of(preparer, record, &answer, error);
    prepared->dropped = answer.dropped;
    const size_t count = (answer.count - 1) / FORM_FIELDS;
    if (!status && (!count || answer.count != 1 + count * FORM_FIELDS)) {
        status = berth_worker_bad_answer(error);
    }
    BERTH_THEN(berth_prepared_reserve(prepared, count, error));
    for (size_t i = 0; !status && i < count; i++) {
        prepared->count = i + 1;
        status = read_form(answer.fields + 1 + i * FORM_FIELDS, &prepared->forms[i], error);
    }
    berth_answer_clear(&answer);
    return status;
}
