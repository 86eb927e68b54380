/* libFuzzer: what is read of run.json, whatever it holds. */
#include <string.h>

#include "format/run_json.h"
#include "fuzz.h"

static void visit(void *context, const char *name, char *text)
{
    size_t *count = context;
    demand(strlen(name) < PATH_MAX && strlen(text) < PATH_MAX);
    *text = '\0'; /* it may be written to */
    ++*count;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const OBJECTS[] = {"files", "identity", "facts", "devices"};
    static const char *const NAMES[] = {"receptor", "covalent", "side_chains", "seed", ""};
    char path[PATH_MAX], text[PATH_MAX];
    size_t count = 0, devices = 0;
    struct berth_bytes json = {0};
    struct berth_error error;
    fuzz_file(".json", bytes, size, path);
    const enum berth_status status = berth_run_json_read(path, NULL, &json, &error);
    demand(!status || (status == BERTH_E_FORMAT && strstr(error.message, path)));
    for (size_t i = 0; !status && i < sizeof OBJECTS / sizeof *OBJECTS; i++) {
        for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++) {
            berth_run_json_find(&json, OBJECTS[i], NAMES[k], text);
            demand(strlen(text) < PATH_MAX);
            berth_run_json_each(&json, OBJECTS[i], NAMES[k], visit, &count);
        }
    }
    if (!status) {
        berth_run_json_number(&json, "ligands");
        demand(berth_run_json_devices(&json, visit, &devices) >= devices);
    }
    berth_bytes_clear(&json);
    remove(path);
    return 0;
}
