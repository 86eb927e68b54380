/* What prepares, and what it gives: beginning and end. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "prep/prepare_steps.h"

enum berth_status berth_prepared_reserve(struct berth_prepared *prepared, size_t count,
                                         struct berth_error *error)
{
    prepared->forms = berth_alloc(count, sizeof *prepared->forms);
    return prepared->forms ? BERTH_OK : berth_out_of_memory(error, NULL);
}

void berth_prepared_clear(struct berth_prepared *prepared)
{
    for (size_t i = 0; i < prepared->count; i++) {
        berth_library_ligand_clear(&prepared->forms[i].ligand);
    }
    free(prepared->forms);
    memset(prepared, 0, sizeof *prepared);
}

enum berth_status berth_preparer_create(const struct berth_preparation *preparation,
                                        struct berth_preparer **preparer, struct berth_error *error)
{
    *preparer = berth_alloc(1, sizeof **preparer);
    if (!*preparer) {
        return berth_out_of_memory(error, NULL);
    }
    (*preparer)->preparation = preparation;
    const struct berth_worker_setup setup = {preparation->rdkit, preparation->memory,
                                             preparation->cancel};
    return preparation->rdkit ? berth_worker_create(&setup, &(*preparer)->worker, error) : BERTH_OK;
}

void berth_preparer_destroy(struct berth_preparer *preparer)
{
    if (preparer) {
        berth_worker_destroy(preparer->worker);
        free(preparer);
    }
}
