#include "format/failures.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/text.h"
#include "format/csv.h"

void berth_failures_path(const char *output, char *path, size_t size)
{
    berth_output_beside(output, "failures.csv", path, size);
}

/* s: both are written in the end, one after the other; copies come in any order. */
enum { APART = 60 };

void berth_failures_count(const char *library, size_t *failed, size_t *dropped)
{
    char path[PATH_MAX];
    struct stat whole, table;
    struct berth_csv *csv = NULL;
    struct berth_error ignored; /* what cannot be read tells of nothing */
    bool end = false;
    *failed = *dropped = 0;
    berth_failures_path(library, path, sizeof path);
    if (stat(library, &whole) || stat(path, &table) || table.st_mtime + APART < whole.st_mtime ||
        berth_csv_open(path, ',', &csv, &ignored)) {
        return;
    }
    const size_t reason = berth_csv_find(csv, "reason");
    while (reason != SIZE_MAX && !berth_csv_next(csv, &end, &ignored) && !end) {
        const bool filtered = strstr(berth_csv_field(csv, reason), BERTH_FAILURE_DROPPED);
        *dropped += filtered;
        *failed += !filtered;
    }
    berth_csv_close(csv);
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

const char *berth_failure_behind_place(const char *reason)
{
    static const char RECORD[] = ", record ";
    for (const char *end = strstr(reason, ": "); end; end = strstr(end + 1, ": ")) {
        const char *digits = end;
        while (digits > reason && digits[-1] >= '0' && digits[-1] <= '9') {
            digits--;
        }
        const size_t before = (size_t)(digits - reason), record = sizeof RECORD - 1;
        if (digits < end && before &&
            (digits[-1] == ':' ||
             (before > record && strncmp(digits - record, RECORD, record) == 0))) {
            return end + 2;
        }
    }
    return reason;
}

/* True where the texts are the same but for digits. */
static bool are_alike(const char *a, const char *b)
{
    static const char DIGITS[] = "0123456789";
    while (*a && *b) {
        const size_t in_a = strspn(a, DIGITS), in_b = strspn(b, DIGITS);
        if (!in_a != !in_b || (!in_a && *a != *b)) {
            return false;
        }
        a += in_a ? in_a : 1;
        b += in_b ? in_b : 1;
    }
    return *a == *b;
}

static void count_reason(struct berth_failures *failures, const char *reason)
{
    struct berth_reason *reasons = failures->reasons;
    char text[BERTH_REASON_SIZE];
    size_t i = 0;
    snprintf(text, sizeof text, "%s", berth_failure_behind_place(reason));
    while (i < BERTH_REASONS && reasons[i].count && !are_alike(reasons[i].text, text)) {
        i++;
    }
    if (i < BERTH_REASONS && !reasons[i].count++) {
        memcpy(reasons[i].text, text, sizeof text);
    }
}

struct berth_reason berth_failures_commonest(const struct berth_failures *failures)
{
    const struct berth_reason *most = failures->reasons;
    for (size_t i = 1; i < BERTH_REASONS; i++) {
        most = failures->reasons[i].count > most->count ? &failures->reasons[i] : most;
    }
    return *most;
}

void berth_failures_recall(struct berth_failures *failures, const struct berth_failure *failure)
{
    const char *name = failure->ligand ? failure->ligand : "";
    char *alone = berth_copy_text(failure->reason); /* the name has a column of its own */
    if (alone) {
        berth_text_drop_name(alone, name);
    }
    pthread_mutex_lock(&failures->lock);
    failures->count += !failure->dropped;
    failures->dropped += failure->dropped;
    if (failures->output) {
        if (failure->ordinal >= 0) {
            berth_output_print(failures->output, "%lld", failure->ordinal);
        }
        berth_output_print(failures->output, ",");
        berth_output_csv(failures->output, name, ',');
        berth_output_csv(failures->output, alone ? alone : failure->reason, '\n');
    }
    count_reason(failures, alone ? alone : failure->reason);
    pthread_mutex_unlock(&failures->lock);
    free(alone);
}

void berth_failures_add_at(struct berth_failures *failures, long long ordinal, const char *ligand,
                           const struct berth_error *why)
{
    const struct berth_failure failure = {ordinal, ligand, why->message, false};
    berth_log_failure(failures->log, ligand, "%s", why->message);
    berth_failures_recall(failures, &failure);
}
