/* Where the library's remarks go: the caller decides.  A NULL sink is silence. */
#ifndef BERTH_BASE_LOG_H
#define BERTH_BASE_LOG_H

struct berth_log {
    /* Takes one line of text without a newline. */
    void (*warn)(void *context, const char *text);
    void *context; /* borrowed, handed to warn */
};

/* Sends a remark (printf style) to log; log or log->warn may be NULL. */
void berth_warn(const struct berth_log *log, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
