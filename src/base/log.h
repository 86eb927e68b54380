/* Where the library's remarks go: the caller decides.  A NULL sink is silence. */
#ifndef BERTH_BASE_LOG_H
#define BERTH_BASE_LOG_H

struct berth_log {
    /* Takes one line of text without a newline, and what it shares with remarks that differ from it
     * in names alone. */
    void (*warn)(void *context, const char *kind, const char *text);
    void *context; /* borrowed, handed to warn */
};

/* Sends a remark (printf style) to log; log or log->warn may be NULL.  kind: the same for remarks
 * that say the same of other molecules or atoms; NULL where each says something of its own. */
void berth_warn(const struct berth_log *log, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
