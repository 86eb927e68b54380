/* libFuzzer: files of options, as those of Vina and its kin: a byte that says which run's, and the
 * file. */
#include "options/options.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const unsigned RUNS[] = {BERTH_RUN_DOCK,    BERTH_RUN_SCREEN,   BERTH_RUN_SCORE,
                                    BERTH_RUN_LIGANDS, BERTH_RUN_RECEPTOR, BERTH_RUN_CAMPAIGN,
                                    BERTH_RUN_MERGE,   BERTH_RUN_REDOCK};
    const unsigned run = RUNS[size ? bytes[0] % (sizeof RUNS / sizeof *RUNS) : 0];
    char path[PATH_MAX], option[] = "--config";
    char *const arguments[] = {option, path};
    struct berth_options options, copy;
    struct berth_error error;
    fuzz_file(".txt", bytes + (size > 0), size - (size > 0), path);
    demand(!berth_options_begin(run, true, &options, &error));
    const enum berth_status status =
        berth_options_parse(options.rows, 2, arguments, &options, &options.parsed, &error);
    demand(!status ||
           ((status == BERTH_E_USAGE || status == BERTH_E_FORMAT) && error.status == status));
    demand(!status || *error.message);
    for (size_t i = 0; i < options.parsed.idle_count; i++) {
        demand(berth_option_is_foreign(options.parsed.idle[i]));
    }
    demand(!berth_options_copy(&options, &copy, &error));
    berth_options_clear(&options);
    berth_options_clear(&copy);
    remove(path);
    return 0;
}
