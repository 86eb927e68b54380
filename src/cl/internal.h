/* What the files of src/cl share: the only place that sees OpenCL's own types. */
#ifndef BERTH_CL_INTERNAL_H
#define BERTH_CL_INTERNAL_H

#include <CL/cl.h>

#include "cl/program.h"

struct berth_context {
    struct berth_device device;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    struct berth_traffic traffic;
};

/* Name of an OpenCL error code ("CL_OUT_OF_RESOURCES"), with its number where it has none. */
const char *berth_cl_error_name(cl_int code);

/* BERTH_E_DEVICE: `what` failed on the context's device with `code`. */
enum berth_status berth_cl_fail(const struct berth_context *context, const char *what, cl_int code,
                                struct berth_error *error);

#endif
