#include "format/failures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

void berth_failures_path(const char *output, char *path, size_t size)
{
    berth_output_beside(output, "failures.csv", path, size);
}

enum berth_status berth_failures_create(const char *path, struct berth_failures *failures,
                                        struct berth_error *error)
{
    pthread_mutex_init(&failures->lock, NULL);
    if (!path) {
        return BERTH_OK;
    }
    enum berth_status status = berth_output_create(path, &failures->output, error);
    if (!status) {
        berth_output_print(failures->output, "ordinal,ligand,reason\n");
    }
    return status;
}

enum berth_status berth_failures_commit(struct berth_failures *failures, struct berth_error *error)
{
    struct berth_output *output = failures->output;
    failures->output = NULL;
    return output ? berth_output_commit(output, error) : BERTH_OK;
}

/* The name has a column of its own. */
static void print_reason(struct berth_output *output, const char *name, const char *reason)
{
    char *alone = berth_copy_text(reason);
    if (alone) {
        berth_text_drop_name(alone, name);
    }
    berth_output_csv(output, alone ? alone : reason, '\n');
    free(alone);
}

void berth_failures_recall(struct berth_failures *failures, const struct berth_failure *failure)
{
    pthread_mutex_lock(&failures->lock);
    failures->count += !failure->dropped;
    failures->dropped += failure->dropped;
    if (failures->output) {
        if (failure->ordinal >= 0) {
            berth_output_print(failures->output, "%lld", failure->ordinal);
        }
        berth_output_print(failures->output, ",");
        const char *name = failure->ligand ? failure->ligand : "";
        berth_output_csv(failures->output, name, ',');
        print_reason(failures->output, name, failure->reason);
    }
    pthread_mutex_unlock(&failures->lock);
}

void berth_failures_add_at(struct berth_failures *failures, long long ordinal, const char *ligand,
                           const struct berth_error *why)
{
    const struct berth_failure failure = {ordinal, ligand, why->message, false};
    berth_log_failure(failures->log, ligand, "%s", why->message);
    berth_failures_recall(failures, &failure);
}
