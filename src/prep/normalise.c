/* Step 1 by RDKit: of one record, or of many in one request, so that they share what each exchange
 * with its process costs. */
#include <stdio.h>

#include "base/memory.h"
#include "prep/builders.h"

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

/* Puts the records that go to RDKit as they are. */
static void put_records(const struct berth_record *const *records, size_t count,
                        struct berth_ahead *ahead, struct berth_bytes *bytes)
{
    for (size_t i = 0; i < count; i++) {
        const bool fits =
            records[i]->kind == BERTH_RECORD_SMILES || records[i]->kind == BERTH_RECORD_SDF;
        if (fits && !berth_prepare_check(records[i], NULL)) {
            ahead->texts[ahead->count++] = records[i]->text.data;
            put_record(records[i], bytes);
        }
    }
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
    put_records(records, count, ahead, &bytes);
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
    form->cutting = fields[4].size ? berth_copy_text(fields[4].data) : NULL;
    if (!form->ligand.smiles || (fields[4].size && !form->cutting)) {
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
        status = berth_rdkit_bad_answer(error);
    }
    BERTH_THEN(berth_prepared_reserve(prepared, count, error));
    for (size_t i = 0; !status && i < count; i++) {
        prepared->count = i + 1;
        status = read_form(answer.fields + 1 + i * FORM_FIELDS, &prepared->forms[i], error);
    }
    berth_answer_clear(&answer);
    return status;
}
