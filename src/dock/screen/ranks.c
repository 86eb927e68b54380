#include "dock/screen/ranks.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum berth_status berth_ranks_add(struct berth_ranks *ranks, const struct berth_result *result,
                                  struct berth_error *error)
{
    const enum berth_status status = berth_reserve(&ranks->ligands, &ranks->capacity,
                                                   ranks->count + 1, sizeof *ranks->ligands, error);
    if (!status) {
        ranks->ligands[ranks->count++] = (struct berth_ranked){
            .ordinal = result->ordinal, .value = result->modes.modes[0].value};
    }
    return status;
}

static int by_ordinal(const void *left, const void *right)
{
    const struct berth_ranked *a = left, *b = right;
    return a->ordinal < b->ordinal ? -1 : a->ordinal > b->ordinal;
}

static int by_value(const void *left, const void *right)
{
    const struct berth_ranked *a = left, *b = right;
    if (a->value != b->value) {
        return a->value < b->value ? -1 : 1;
    }
    return by_ordinal(left, right);
}

void berth_ranks_close(struct berth_ranks *ranks)
{
    if (!ranks->count) {
        return;
    }
    qsort(ranks->ligands, ranks->count, sizeof *ranks->ligands, by_value);
    for (size_t i = 0; i < ranks->count; i++) {
        ranks->ligands[i].rank = i + 1;
    }
    qsort(ranks->ligands, ranks->count, sizeof *ranks->ligands, by_ordinal);
}

size_t berth_ranks_next(struct berth_ranks *ranks)
{
    return (size_t)ranks->ligands[ranks->next++].rank;
}

void berth_ranks_clear(struct berth_ranks *ranks)
{
    free(ranks->ligands);
    memset(ranks, 0, sizeof *ranks);
}
