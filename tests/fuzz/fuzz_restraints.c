/* libFuzzer: the reader of restraints over any bytes.  RDKit, which reads patterns, is not there.
 */
#include <stdlib.h>
#include <string.h>

#include "dock/restraints/restraints.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct berth_restraints restraints = {0};
    struct berth_error error;
    setenv("BERTH_PYTHON", "/nonexistent", 1);
    const enum berth_status status =
        berth_restraints_read_memory("fuzz", bytes, size, &restraints, &error);
    if (status && status != BERTH_E_FORMAT && status != BERTH_E_IO) {
        abort();
    }
    if (restraints.count > BERTH_RESTRAINTS_MAX || (!status && !restraints.count)) {
        abort();
    }
    berth_restraints_clear(&restraints);
    return 0;
}
