#include "format/failures.h"

enum berth_status berth_failures_create(const char *path, struct berth_failures *failures,
                                        struct berth_error *error)
{
    pthread_mutex_init(&failures->lock, NULL);
    if (!path) {
        return BERTH_OK;
    }
    enum berth_status status = berth_output_create(path, &failures->output, error);
    if (!status) {
        berth_output_print(failures->output, "ligand,reason\n");
    }
    return status;
}

/* Counts and writes a row. */
static void add_row(struct berth_failures *failures, const char *ligand, const char *reason,
                    bool dropped)
{
    pthread_mutex_lock(&failures->lock);
    failures->count += !dropped;
    failures->dropped += dropped;
    if (failures->output) {
        berth_output_csv(failures->output, ligand ? ligand : "", ',');
        berth_output_csv(failures->output, reason, '\n');
    }
    pthread_mutex_unlock(&failures->lock);
}

void berth_failures_add(struct berth_failures *failures, const char *ligand,
                        const struct berth_error *why)
{
    berth_log_failure(failures->log, "%s", why->message);
    add_row(failures, ligand, why->message, false);
}

void berth_failures_drop(struct berth_failures *failures, const char *ligand,
                         const struct berth_error *why)
{
    add_row(failures, ligand, why->message, true);
}

void berth_failures_recall(struct berth_failures *failures, const char *ligand, const char *reason,
                           bool dropped)
{
    add_row(failures, ligand, reason, dropped);
}
