#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 4, 0))) static void fill(struct berth_error *error,
                                                       enum berth_status status, const char *option,
                                                       const char *format, va_list arguments)
{
    if (error) {
        vsnprintf(error->message, sizeof error->message, format, arguments);
        error->status = status;
        error->option = option;
    }
}

enum berth_status berth_fail(struct berth_error *error, enum berth_status status,
                             const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill(error, status, NULL, format, arguments);
    va_end(arguments);
    return status;
}

enum berth_status berth_fail_option(struct berth_error *error, enum berth_status status,
                                    const char *option, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill(error, status, option, format, arguments);
    va_end(arguments);
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
    const size_t size = strlen(context);
    if (strncmp(error->message, context, size) == 0 && error->message[size] == ':') {
        return error->status; /* which says so already */
    }
    snprintf(inner, sizeof inner, "%s", error->message);
    return berth_fail_option(error, error->status, error->option, "%s: %s", context, inner);
}

bool berth_is_stopped(const atomic_bool *stop)
{
    return stop && atomic_load(stop);
}

enum berth_status berth_check_stop(const atomic_bool *stop, struct berth_error *error)
{
    return berth_is_stopped(stop)
               ? berth_fail(error, BERTH_E_USAGE,
                            "interrupted; nothing was written, start the run again")
               : BERTH_OK;
}
