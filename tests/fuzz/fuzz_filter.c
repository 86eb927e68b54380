/* libFuzzer: conditions on rows: a line with the condition, and a table. */
#include "report/show.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    size_t rest;
    char path[PATH_MAX], *line = fuzz_line(bytes, size, &rest);
    struct berth_shown shown;
    struct berth_error error;
    fuzz_file(".csv", bytes + rest, size - rest, path);
    const struct berth_show_settings settings = {
        .results = path, .filter = line, .top = 3, .sorted = true, .descending = size % 2};
    const enum berth_status status = berth_shown_read(&settings, &shown, &error);
    demand(!status || *error.message);
    demand(!status || status == BERTH_E_FORMAT || status == BERTH_E_USAGE ||
           status == BERTH_E_IO); /* it may begin as a database does */
    demand(shown.count <= 3);
    demand(status || (shown.passed <= shown.read && shown.count <= shown.passed));
    berth_shown_clear(&shown);
    remove(path);
    free(line);
    return 0;
}
