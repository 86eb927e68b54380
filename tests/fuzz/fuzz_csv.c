/* libFuzzer: the reader of CSV tables over any bytes. */
#include <string.h>

#include "format/csv.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct berth_csv *csv;
    struct berth_error error;
    bool end = false;
    enum berth_status status = berth_csv_open_memory("fuzz", bytes, size, &csv, &error);
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
    return 0;
}
