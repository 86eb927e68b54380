/* libFuzzer: what the worker sends of side chains that it built. */
#include "prep/receptor/missing.h"

#include <math.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct berth_structure structure = {0};
    struct berth_error error;
    for (int i = 1; i <= 3; i++) {
        const struct berth_structure_atom atom = {
            .residue = {"SER", "A", i, 0}, .name = "CB", .element = 6};
        demand(!berth_structure_add(&structure, &atom, &error));
    }
    const enum berth_status status = berth_missing_add(bytes, size, &structure, NULL, &error);
    demand(!status || status == BERTH_E_FORMAT);
    demand(!status || structure.count == 3);
    for (size_t i = 0; i < structure.count; i++) {
        demand(isfinite(structure.atoms[i].position[0]));
    }
    berth_structure_clear(&structure);
    return 0;
}
