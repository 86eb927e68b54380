/* The forms of a record: room for them, and an end. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "prep/prepare_steps.h"

enum berth_status berth_prepared_reserve(struct berth_prepared *prepared, size_t count,
                                         struct berth_error *error)
{
    prepared->forms = berth_alloc(count, sizeof *prepared->forms);
    return prepared->forms ? BERTH_OK : berth_fail(error, BERTH_E_MEMORY, "out of memory");
}

void berth_prepared_clear(struct berth_prepared *prepared)
{
    for (size_t i = 0; i < prepared->count; i++) {
        berth_library_ligand_clear(&prepared->forms[i].ligand);
    }
    free(prepared->forms);
    memset(prepared, 0, sizeof *prepared);
}
