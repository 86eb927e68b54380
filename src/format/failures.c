#include "format/failures.h"

enum berth_status berth_failures_create(const char *path, struct berth_failures *failures,
                                        struct berth_error *error)
{
    if (!path) {
        return BERTH_OK;
    }
    enum berth_status status = berth_output_create(path, &failures->output, error);
    if (!status) {
        berth_output_print(failures->output, "ligand,reason\n");
    }
    return status;
}

static void add_row(struct berth_failures *failures, const char *ligand, const char *reason)
{
    if (failures->output) {
        berth_output_csv(failures->output, ligand ? ligand : "", ',');
        berth_output_csv(failures->output, reason, '\n');
    }
}

void berth_failures_add(struct berth_failures *failures, const char *ligand,
                        const struct berth_error *why)
{
    failures->count++;
    berth_log_failure(failures->log, "%s", why->message);
    add_row(failures, ligand, why->message);
}

void berth_failures_drop(struct berth_failures *failures, const char *ligand,
                         const struct berth_error *why)
{
    failures->dropped++;
    add_row(failures, ligand, why->message);
}

void berth_failures_recall(struct berth_failures *failures, const char *ligand, const char *reason,
                           bool dropped)
{
    failures->count += !dropped;
    failures->dropped += dropped;
    add_row(failures, ligand, reason);
}
