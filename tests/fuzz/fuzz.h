/* What the fuzzers share. */
#ifndef BERTH_FUZZ_H
#define BERTH_FUZZ_H

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* A promise of the code under test. */
static inline void demand(int condition)
{
    if (!condition) {
        abort();
    }
}

#endif
