#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

/* kind: NULL where the line is of no kind but its own. */
static __attribute__((format(printf, 4, 0))) void send(const struct berth_log *log,
                                                       enum berth_log_level level, const char *kind,
                                                       const char *format, va_list arguments)
{
    if (!log || !log->take) {
        return;
    }
    char text[2048];
    vsnprintf(text, sizeof text, format, arguments);
    const struct berth_log_line line = {level, kind ? kind : text, text};
    log->take(log->context, &line);
}

void berth_warn(const struct berth_log *log, const char *kind, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    send(log, BERTH_LOG_WARNING, kind, format, arguments);
    va_end(arguments);
}

void berth_note(const struct berth_log *log, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    send(log, BERTH_LOG_NOTE, NULL, format, arguments);
    va_end(arguments);
}

void berth_log_failure(const struct berth_log *log, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    send(log, BERTH_LOG_FAILURE, NULL, format, arguments);
    va_end(arguments);
}
