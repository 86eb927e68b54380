#include "dock/seeds.h"

#include <stdlib.h>

#include "base/memory.h"
#include "dock/confidence.h"

enum berth_status berth_seeds_count(const struct berth_modes *firsts,
                                    const struct berth_molecule *molecule,
                                    struct berth_modes *modes, struct berth_error *error)
{
    struct berth_modes all = {.count = modes->count + 1}; /* a seed's first, and behind it these */
    double *apart = NULL;
    enum berth_status status = berth_make(&all.modes, all.count, sizeof *all.modes, NULL, error);
    BERTH_THEN(berth_make(&apart, all.count, sizeof *apart, NULL, error));
    for (size_t i = 0; !status && i < modes->count; i++) {
        modes->modes[i].seeds = 0;
        all.modes[i + 1] = modes->modes[i];
    }
    for (size_t s = 0; !status && s < firsts->count; s++) {
        all.modes[0] = firsts->modes[s];
        status = berth_modes_apart(&all, all.count, molecule, apart, error);
        for (size_t i = 0; !status && i < modes->count; i++) {
            modes->modes[i].seeds += apart[i + 1] < BERTH_SAME_PLACE;
        }
    }
    modes->seeds = firsts->count;
    free(all.modes);
    free(apart);
    return status;
}
