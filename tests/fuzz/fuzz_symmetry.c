/* libFuzzer: what the worker sends of a file's symmetry. */
#include "prep/symmetry.h"

#include <math.h>

#include "fuzz.h"

static void check_placement(const struct berth_placement *placement)
{
    for (int k = 0; k < 12; k++) {
        demand(isfinite(placement->rows[k / 4][k % 4]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct berth_symmetry symmetry;
    struct berth_error error;
    const enum berth_status status = berth_symmetry_parse(bytes, size, &symmetry, &error);
    demand(!status || status == BERTH_E_FORMAT);
    for (size_t i = 0; !status && i < symmetry.assembly_count; i++) {
        demand(symmetry.assemblies[i].begin <= symmetry.assemblies[i].end &&
               symmetry.assemblies[i].end <= symmetry.part_count);
    }
    for (size_t i = 0; !status && i < symmetry.part_count; i++) {
        check_placement(&symmetry.parts[i].placement);
    }
    for (size_t i = 0; !status && i < symmetry.image_count; i++) {
        check_placement(&symmetry.images[i]);
    }
    berth_symmetry_clear(&symmetry);
    return 0;
}
