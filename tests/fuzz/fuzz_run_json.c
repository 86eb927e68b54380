/* libFuzzer: what is read of run.json, whatever it holds, and written again. */
#include <string.h>

#include "format/run_json.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[PATH_MAX];
    struct berth_run_card card, again;
    struct berth_bytes lines = {0};
    struct berth_error error;
    fuzz_file(".json", bytes, size, path);
    const enum berth_status status = berth_run_json_read(path, NULL, &card, &error);
    demand(!status || (status == BERTH_E_FORMAT && strstr(error.message, path)));
    if (!status) {
        berth_run_card_lines(&card, BERTH_RUN_IDENTITY, &lines);
        demand(strlen((const char *)lines.data) + 1 == lines.count);
        demand(!berth_run_json_write(path, &card, &error));
        demand(!berth_run_json_read(path, NULL, &again, &error));
        demand(again.device_count == card.device_count);
        berth_run_card_clear(&again);
    }
    berth_bytes_clear(&lines);
    berth_run_card_clear(&card);
    remove(path);
    return 0;
}
