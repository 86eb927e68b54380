/* Step 1 of many records in one request to RDKit, so that they share what each exchange with its
 * process costs. */
#include "prep/builders.h"

static struct berth_field exclude_of(const struct berth_preparer *preparer)
{
    const char *exclude = preparer->preparation->exclude;
    return berth_text_field(exclude ? exclude : "");
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
    const struct berth_field fields[] = {
        berth_text_field("normalise"), exclude_of(preparer), {bytes.data, bytes.count}};
    preparer->used = 0;
    /* where a molecule crashes it, or takes all of the time, each is asked for by itself */
    if (bytes.failed || berth_rdkit_ask(preparer, "many", fields, 3, &ahead->answer, NULL) ||
        ahead->answer.count != 1 + ahead->count) {
        ahead->count = 0;
    }
    ahead->used = preparer->used / (double)(ahead->count + !ahead->count);
    berth_bytes_clear(&bytes);
}

enum berth_status berth_rdkit_ask_of(struct berth_preparer *preparer,
                                     const struct berth_record *record, struct berth_answer *answer,
                                     struct berth_error *error)
{
    struct berth_ahead *ahead = &preparer->ahead;
    for (size_t i = 0; i < ahead->count; i++) {
        if (ahead->texts[i] == record->text.data) {
            ahead->texts[i] = NULL;
            preparer->used = ahead->used;
            return berth_answer_open(&ahead->answer.fields[1 + i], answer, error);
        }
    }
    const struct berth_field fields[] = {
        kind_of(record), {record->text.data, record->text.count}, exclude_of(preparer)};
    return berth_rdkit_ask(preparer, "normalise", fields, 3, answer, error);
}
