#include "device/cuda/errors.h"

static const struct {
    int code;
    const char *name;
} NAMES[] = {{1, "CUDA_ERROR_INVALID_VALUE"},
             {2, "CUDA_ERROR_OUT_OF_MEMORY"},
             {3, "CUDA_ERROR_NOT_INITIALIZED"},
             {46, "CUDA_ERROR_DEVICE_UNAVAILABLE"},
             {100, "CUDA_ERROR_NO_DEVICE"},
             {101, "CUDA_ERROR_INVALID_DEVICE"},
             {200, "CUDA_ERROR_INVALID_IMAGE"},
             {201, "CUDA_ERROR_INVALID_CONTEXT"},
             {209, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
             {214, "CUDA_ERROR_ECC_UNCORRECTABLE"},
             {218, "CUDA_ERROR_INVALID_PTX"},
             {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
             {500, "CUDA_ERROR_NOT_FOUND"},
             {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
             {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
             {702, "CUDA_ERROR_LAUNCH_TIMEOUT"},
             {715, "CUDA_ERROR_ILLEGAL_INSTRUCTION"},
             {716, "CUDA_ERROR_MISALIGNED_ADDRESS"},
             {719, "CUDA_ERROR_LAUNCH_FAILED"},
             {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
             {999, "CUDA_ERROR_UNKNOWN"},
             {-1, "NVRTC_ERROR_OUT_OF_MEMORY"},
             {-5, "NVRTC_ERROR_INVALID_OPTION"},
             {-6, "NVRTC_ERROR_COMPILATION"},
             {-7, "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE"},
             {BERTH_NVRTC_MISSING, "NVRTC cannot be loaded"}};

const char *berth_cuda_error_name(int code)
{
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (NAMES[i].code == code) {
            return NAMES[i].name;
        }
    }
    return code < 0 ? "NVRTC error" : "CUDA error";
}

enum berth_fault berth_cuda_fault(int code)
{
    return code == 2 ? BERTH_FAULT_MEMORY : code == 701 ? BERTH_FAULT_EITHER : BERTH_FAULT_LOST;
}
