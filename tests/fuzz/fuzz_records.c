/* libFuzzer: cutting files into records, and what is told of one of SDF: a byte that says the kind,
 * and the file. */
#include <string.h>

#include "format/records.h"
#include "format/sdf/sdf.h"
#include "fuzz.h"

/* What is read is written, and read as the same. */
static void check_molecule(const struct berth_molecule *molecule)
{
    struct berth_molecule again = {0};
    struct berth_error error;
    char *text = NULL;
    size_t size = 0;
    demand(!berth_sdf_text(molecule, &text, &size, &error));
    demand(!berth_molfile_read(text, size, &again, &error));
    demand(again.atom_count == (strstr(text, "V3000") ? 0 : molecule->atom_count));
    for (size_t i = 0; i < again.atom_count; i++) {
        demand(again.atoms[i].element == molecule->atoms[i].element);
    }
    berth_molecule_clear(&again);
    free(text);
}

static void check_sdf(const struct berth_bytes *record)
{
    struct berth_molecule molecule = {0};
    struct berth_error error;
    const char *data = (const char *)record->data;
    char title[] = "title";
    enum berth_status status = berth_molfile_check(data, record->count, &error);
    demand(!status || (status == BERTH_E_FORMAT && *error.message));
    status = berth_molfile_read(data, record->count, &molecule, &error);
    demand(!status || (status == BERTH_E_FORMAT && *error.message && !molecule.atom_count));
    if (!status && molecule.atom_count) {
        molecule.title = title;
        check_molecule(&molecule);
        molecule.title = NULL;
    }
    berth_molecule_clear(&molecule);
    struct berth_sdf_tags tags = {.count = 0};
    demand(!berth_sdf_tags_read(data, record->count, &tags, &error));
    for (size_t i = 0; i < tags.count; i++) {
        const struct berth_tag *item = &tags.items[i];
        demand(item->name >= tags.text && item->value >= item->name);
        demand(item->value + strlen(item->value) <= tags.text + record->count);
    }
    berth_sdf_tags_clear(&tags);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!size) {
        return 0;
    }
    struct berth_bytes file = {0};
    struct berth_records *records;
    struct berth_record record = {0};
    struct berth_error error;
    uint64_t number = 0;
    const enum berth_record_kind kind = bytes[0] % BERTH_RECORD_TABLE; /* that: fuzz_csv.c */
    berth_bytes_put(&file, bytes + 1, size - 1);
    demand(!berth_records_create_memory("fuzz", &file, kind, &records, &error));
    for (bool end = false; !end;) {
        const size_t line = record.line;
        const enum berth_status status = berth_records_next(records, &record, &end, &error);
        demand(!status || (status == BERTH_E_FORMAT && *error.message && !end));
        demand(end || (record.number == ++number && record.title));
        demand(end || record.line > line || berth_records_is_broken(records));
        demand(end || status || record.kind == kind);
        if (!end && !status && record.kind == BERTH_RECORD_SDF) {
            check_sdf(&record.text);
        }
    }
    berth_record_clear(&record);
    berth_records_destroy(records);
    berth_bytes_clear(&file);
    return 0;
}
