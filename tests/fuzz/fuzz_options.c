/* libFuzzer: files of options, as those of Vina and its kin: a byte that says the command, and the
 * file. */
#include <string.h>

#include "options/tables.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const RUNS[] = {"dock", "screen", "score", "prep ligands", "prep receptor"};
    static union {
        struct berth_dock_request dock;
        struct berth_screen_request screen;
        struct berth_score_request score;
        struct berth_prepare_ligands_request ligands;
        struct berth_prepare_receptor_request receptor;
    } values;
    const struct berth_option *table =
        berth_options_table(RUNS[size ? bytes[0] % (sizeof RUNS / sizeof *RUNS) : 0]);
    char path[PATH_MAX], option[] = "--config";
    char *const arguments[] = {option, path};
    struct berth_parsed parsed = {0};
    struct berth_error error;
    fuzz_file(".txt", bytes + (size > 0), size - (size > 0), path);
    memset(&values, 0, sizeof values);
    berth_options_defaults(table, &values);
    const enum berth_status status =
        berth_options_parse(table, 2, arguments, &values, &parsed, &error);
    demand(!status ||
           ((status == BERTH_E_USAGE || status == BERTH_E_FORMAT) && error.status == status));
    demand(!status || *error.message);
    demand(status || !berth_options_check(table, &values, &error));
    for (size_t i = 0; i < parsed.idle_count; i++) {
        demand(berth_option_is_foreign(parsed.idle[i]));
    }
    berth_parsed_clear(&parsed);
    remove(path);
    return 0;
}
