/* Filling an error: enum berth_status and struct berth_error are in the public header. */
#ifndef BERTH_BASE_ERROR_H
#define BERTH_BASE_ERROR_H

#include <stdatomic.h>

#include "berth.h"

/* Fills *error (printf style; a text that is too long is cut) and returns status,
 * so that callers write `return berth_fail(...)`.  error may be NULL. */
enum berth_status berth_fail(struct berth_error *error, enum berth_status status,
                             const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same for what an option says, or could mend: its name as the tables have it (src/options), a
 * constant.  The message may begin with it, "max_clash: ...", and never says how it is typed. */
enum berth_status berth_fail_option(struct berth_error *error, enum berth_status status,
                                    const char *option, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Fills *error with "out of memory", behind "whose: " where that is not NULL; returns
 * BERTH_E_MEMORY. */
enum berth_status berth_out_of_memory(struct berth_error *error, const char *whose);

/* True once *stop is, which a signal may set; NULL is accepted. */
bool berth_is_stopped(const atomic_bool *stop);

/* BERTH_E_USAGE once *stop is true: whoever set it does not wait for what is under way. */
enum berth_status berth_check_stop(const atomic_bool *stop, struct berth_error *error);

/* A step of several: the caller's variable `status` becomes what `call` returns, unless a step
 * before it failed; `call` is then not made. */
#define BERTH_THEN(call)                                                                           \
    do {                                                                                           \
        if (!status) {                                                                             \
            status = (call);                                                                       \
        }                                                                                          \
    } while (0)

/* Leaves the function with what `call` returns, unless that is BERTH_OK: where there is nothing to
 * clean up. */
#define BERTH_TRY(call)                                                                            \
    do {                                                                                           \
        const enum berth_status status_of_call = (call);                                           \
        if (status_of_call) {                                                                      \
            return status_of_call;                                                                 \
        }                                                                                          \
    } while (0)

/* Puts "context: " before the message that *error already holds, unless it begins so; returns its
 * status. */
enum berth_status berth_fail_in(struct berth_error *error, const char *context);

#endif
