#include "report/run_json.h"

#include <stdio.h>
#include <string.h>

#include "base/input.h"
#include "format/receptor_names.h"

enum berth_status berth_run_json_read(const char *path, const atomic_bool *stop,
                                      struct berth_bytes *json, struct berth_error *error)
{
    if (berth_input_read_all(path, stop, json, error)) {
        return berth_fail_in(error, path);
    }
    berth_bytes_put8(json, 0);
    return json->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

void berth_run_json_find(const struct berth_bytes *json, const char *object, const char *name,
                         char text[PATH_MAX])
{
    char key[64 + BERTH_RECEPTOR_KEY];
    size_t used = 0;
    text[0] = '\0';
    if (!json->count) {
        return;
    }
    snprintf(key, sizeof key, "\n  \"%s\": {", object);
    const char *at = strstr((const char *)json->data, key);
    const char *end = at ? strstr(at, "\n  }") : NULL;
    snprintf(key, sizeof key, "\n    \"%s\": \"", name);
    at = at ? strstr(at, key) : NULL;
    if (!at || !end || at > end) {
        return;
    }
    for (at += strlen(key); *at && *at != '"' && used + 1 < PATH_MAX; at++) {
        unsigned code;
        if (at[0] == '\\' && at[1] == 'u' && sscanf(at + 2, "%4x", &code) == 1 && code < 256) {
            text[used++] = (char)code;
            at += 5;
        } else {
            at += *at == '\\' && at[1];
            text[used++] = *at;
        }
    }
    text[used] = '\0';
}
