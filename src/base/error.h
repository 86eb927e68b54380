/* Status codes and error text.
 *
 * Functions that can fail return an enum berth_status and fill the caller's
 * struct berth_error with what went wrong, where (file, line, molecule) and
 * what to do about it.  The library never exits and never prints.
 */
#ifndef BERTH_BASE_ERROR_H
#define BERTH_BASE_ERROR_H

enum berth_status {
    BERTH_OK = 0,
    BERTH_E_USAGE,         /* an argument or option that makes no sense */
    BERTH_E_MEMORY,        /* out of host memory */
    BERTH_E_IO,            /* a file cannot be opened, read or written */
    BERTH_E_FORMAT,        /* a file's content is not what its format says */
    BERTH_E_TYPE,          /* an atom type that the forcefield lacks */
    BERTH_E_DEVICE,        /* OpenCL: no platform, a failed call, a refused build */
    BERTH_E_DEVICE_MEMORY, /* a device's memory does not suffice */
    BERTH_E_RESULT         /* a device computed something that cannot be right */
};

struct berth_error {
    enum berth_status status;
    char message[2048]; /* one line of text (a build log may add more), no newline at the end */
};

/* Fills *error (printf style; a text that is too long is cut) and returns status,
 * so that callers write `return berth_fail(...)`.  error may be NULL. */
enum berth_status berth_fail(struct berth_error *error, enum berth_status status,
                             const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Puts "context: " before the message that *error already holds; returns its status. */
enum berth_status berth_fail_in(struct berth_error *error, const char *context);

#endif
