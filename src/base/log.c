#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

void berth_warn(const struct berth_log *log, const char *kind, const char *format, ...)
{
    if (!log || !log->warn) {
        return;
    }
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    log->warn(log->context, kind ? kind : text, text);
}
