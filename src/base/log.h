/* Sending lines to a log: struct berth_log is in the public header.  A NULL log is silence. */
#ifndef BERTH_BASE_LOG_H
#define BERTH_BASE_LOG_H

#include "berth.h"

/* Send a line (printf style) to log; log or log->take may be NULL.  kind: the same for lines that
 * say the same of other molecules or atoms; NULL where each says something of its own. */
void berth_warn(const struct berth_log *log, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void berth_note(const struct berth_log *log, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void berth_log_failure(const struct berth_log *log, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
