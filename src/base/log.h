/* Where the library's messages go: the caller decides.  A NULL sink is silence. */
#ifndef BERTH_BASE_LOG_H
#define BERTH_BASE_LOG_H

enum berth_log_level {
    BERTH_LOG_NOTE,    /* what was done */
    BERTH_LOG_WARNING, /* what is doubtful about it */
    BERTH_LOG_FAILURE  /* what of the input has no result, and why */
};

/* A line of text without a newline, borrowed while it is taken. */
struct berth_log_line {
    enum berth_log_level level;
    const char *kind; /* what it shares with lines that differ from it in names alone */
    const char *text;
};

struct berth_log {
    void (*take)(void *context, const struct berth_log_line *line);
    void *context; /* borrowed, handed to take */
};

/* Send a line (printf style) to log; log or log->take may be NULL.  kind: the same for lines that
 * say the same of other molecules or atoms; NULL where each says something of its own. */
void berth_warn(const struct berth_log *log, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void berth_note(const struct berth_log *log, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void berth_log_failure(const struct berth_log *log, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
