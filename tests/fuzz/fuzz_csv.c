/* libFuzzer: the reader of CSV tables over any bytes, and molecules that are read from such, or
 * from lines of SMILES. */
#include <string.h>

#include "format/csv.h"
#include "format/records.h"
#include "fuzz.h"

static void read_molecules(const uint8_t *bytes, size_t size, enum berth_record_kind kind,
                           struct berth_columns_wanted wanted)
{
    struct berth_bytes text = {0};
    struct berth_records *records;
    struct berth_record record = {0};
    struct berth_error error;
    berth_bytes_put(&text, bytes, size);
    demand(!berth_records_create_memory("fuzz", &text, kind, &records, &error));
    berth_records_choose(records, wanted);
    for (bool end = false; !end;) {
        const enum berth_status status = berth_records_next(records, &record, &end, &error);
        demand(!status || (status == BERTH_E_FORMAT && record.number && !end));
        demand(status || end || (record.title && record.text.count));
    }
    berth_record_clear(&record);
    berth_records_destroy(records);
    berth_bytes_clear(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct berth_csv *csv;
    struct berth_error error;
    bool end = false;
    enum berth_status status = berth_csv_open_memory("fuzz", bytes, size, ',', &csv, &error);
    while (!status && !(status = berth_csv_next(csv, &end, &error)) && !end) {
        for (size_t i = 0; i < berth_csv_columns(csv); i++) {
            double value;
            char *text = berth_csv_text(csv, i);
            demand(text && strlen(text) <= strlen(berth_csv_field(csv, i)));
            berth_csv_real(csv, i, &value);
            free(text);
        }
    }
    demand(!status || status == BERTH_E_FORMAT);
    berth_csv_close(csv);
    for (int k = 0; k < 2; k++) {
        const struct berth_columns_wanted wanted = {k ? "2" : NULL, k ? "1" : NULL};
        read_molecules(bytes, size, BERTH_RECORD_TABLE, wanted);
        read_molecules(bytes, size, BERTH_RECORD_SMILES, wanted);
    }
    return 0;
}
