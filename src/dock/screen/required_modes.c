#include "dock/screen/required_modes.h"

#include <stdlib.h>
#include <string.h>

#include "dock/modes.h"

unsigned char *berth_required_made(const struct berth_required *required, uint64_t ordinal,
                                   size_t mode)
{
    return &required->made[(size_t)(ordinal - required->first) * required->modes + mode];
}

void berth_required_leave_out(const struct berth_required *required, struct berth_result *result)
{
    struct berth_modes *modes = &result->modes;
    size_t kept = 0;
    if (result->failure) {
        return;
    }
    for (size_t i = 0; i < modes->count && i < required->modes; i++) {
        if (*berth_required_made(required, result->ordinal, i)) {
            modes->modes[kept++] = modes->modes[i];
        }
    }
    modes->count = kept;
    if (!kept) {
        result->failure = required->reason;
        result->dropped = true;
    }
}

void berth_required_clear(struct berth_required *required)
{
    free(required->made);
    memset(required, 0, sizeof *required);
}
