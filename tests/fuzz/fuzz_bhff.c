/* libFuzzer: the reader of parameter files over any bytes. */

#include "score/forcefield.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct berth_forcefield forcefield;
    struct berth_error error;
    enum berth_status status =
        berth_bhff_read_memory("fuzz", bytes, size, NULL, &forcefield, &error);
    if (status) {
        demand(status == BERTH_E_FORMAT && !forcefield.entries && !forcefield.types);
        return 0;
    }
    for (size_t i = 0; i < forcefield.entry_count; i++) {
        int type = forcefield.entries[i].type;
        demand(type >= 0 && (size_t)type < forcefield.type_count);
        demand(forcefield.types[type].radius > 0 && forcefield.types[type].radius < 10);
    }
    berth_forcefield_clear(&forcefield);
    return 0;
}
