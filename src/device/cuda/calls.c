#include "device/cuda/calls.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const char LIBRARY[] = "libcuda.so.1";

bool berth_cuda_load(struct berth_cuda_calls *calls, char *why, size_t size)
{
    static const struct {
        const char *symbol;
        size_t offset;
    } SYMBOLS[] = {
#define BERTH_CUDA_SYMBOL(member, symbol, parameters)                                              \
    {symbol, offsetof(struct berth_cuda_calls, member)},
        BERTH_CUDA_CALLS(BERTH_CUDA_SYMBOL)
#undef BERTH_CUDA_SYMBOL
    };
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(why, size, "CUDA: %s", dlerror());
        return false;
    }
    for (size_t i = 0; i < sizeof SYMBOLS / sizeof *SYMBOLS; i++) {
        void *found = dlsym(library, SYMBOLS[i].symbol);
        if (!found) {
            snprintf(why, size, "CUDA: %s has no %s: is the driver too old?", LIBRARY,
                     SYMBOLS[i].symbol);
            dlclose(library);
            return false;
        }
        /* ISO C has no cast for what dlsym gives */
        memcpy((char *)calls + SYMBOLS[i].offset, &found, sizeof found);
    }
    return true;
}
