/* What preparing a receptor says, kept for its file: who writes of a docking wants to know later
 * what was cut out, left out and taken for granted. */
#ifndef BERTH_PREP_RECEPTOR_ACCOUNT_H
#define BERTH_PREP_RECEPTOR_ACCOUNT_H

#include "base/bytes.h"
#include "base/log.h"

/* Zeroed but for next, it is empty.  For one thread at a time. */
struct berth_account {
    const struct berth_log *next; /* borrowed: where lines go as well; NULL is silence */
    struct berth_bytes text;      /* owned; the lines, of notes and warnings, with ends between */
};

/* A log that keeps what it is told in *account, borrowed as long as the log is used. */
struct berth_log berth_account_log(struct berth_account *account);

/* Hands over the lines, with ends between, in *text, which the caller frees, and forgets them.
 * Errors: BERTH_E_MEMORY; *text is NULL then. */
enum berth_status berth_account_take(struct berth_account *account, char **text,
                                     struct berth_error *error);

#endif
