#include "report/tune_text.h"

#include <stdlib.h>

#include "base/text.h"
#include "check/tune.h"
#include "device/tuning.h"

static void print_candidate(void *context, const struct berth_candidate *candidate)
{
    FILE *file = context;
    char text[BERTH_VARIANT_TEXT];
    berth_variant_print(&candidate->variant, text);
    if (*candidate->refusal) {
        fprintf(file, "%12s  %8s  %s: %s\n", "-", "-", text, candidate->refusal);
    } else {
        fprintf(file, "%12.4g  %8.5f  %s\n", candidate->interactions_per_s,
                candidate->largest_error, text);
    }
    fflush(file);
}

enum berth_status berth_tune_device(FILE *file, const struct berth_device *device,
                                    const struct berth_scoring *scoring, bool dry_run,
                                    struct berth_error *error)
{
    const struct berth_tune_setup setup = {device, scoring, print_candidate, file};
    struct berth_candidate best;
    char text[BERTH_VARIANT_TEXT];
    char *path = NULL;
    fprintf(file, "device %zu: %s, driver %s\n%12s  %8s  variant\n", device->index, device->name,
            device->driver, "covered/s", "error");
    if (fflush(file) != 0) { /* which is said in the end, but a minute's work is for nothing */
        return BERTH_OK;
    }
    enum berth_status status = berth_tune_run(&setup, &best, error);
    if (status) {
        return status;
    }
    berth_variant_print(&best.variant, text);
    fprintf(file, "fastest: %s\n", text);
    if (!dry_run) {
        status = berth_tuning_store(device, text, &path, error);
    }
    if (path) {
        berth_text_print(file, "stored in %s", path);
    }
    free(path);
    return status;
}
