#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

enum berth_status berth_fail(struct berth_error *error, enum berth_status status,
                             const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        error->status = status;
    }
    return status;
}

enum berth_status berth_out_of_memory(struct berth_error *error, const char *whose)
{
    return whose ? berth_fail(error, BERTH_E_MEMORY, "%s: out of memory", whose)
                 : berth_fail(error, BERTH_E_MEMORY, "out of memory");
}

enum berth_status berth_fail_in(struct berth_error *error, const char *context)
{
    char inner[sizeof error->message];
    snprintf(inner, sizeof inner, "%s", error->message);
    return berth_fail(error, error->status, "%s: %s", context, inner);
}
