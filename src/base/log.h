/* Sending lines to a log: struct berth_log is in the public header.  A NULL log is silence. */
#ifndef BERTH_BASE_LOG_H
#define BERTH_BASE_LOG_H

#include <stddef.h>

#include "berth.h"

/* Send a line (printf style) to log; log or log->take may be NULL.  kind: the same for lines that
 * say the same of other molecules or atoms; NULL where each says something of its own. */
void berth_warn(const struct berth_log *log, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void berth_note(const struct berth_log *log, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A note, of the kind "detail", that a log may leave out: it asks for nothing and changes no
 * result. */
void berth_detail(const struct berth_log *log, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* ligand: its name; NULL where it is not known, or in the line. */
void berth_log_failure(const struct berth_log *log, const char *ligand, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* --- Warnings that are gathered, so that one that comes for each of many molecules is sent on
 * once, with how often it came --- */

struct berth_gathered; /* opaque */

/* Zeroed but for next, it has gathered nothing.  For one thread at a time. */
struct berth_gatherer {
    const struct berth_log *next; /* borrowed: where everything goes in the end; NULL is silence */
    struct berth_gathered *rows;  /* owned; [count] */
    size_t count, capacity;
};

/* A log that gathers warnings in *gatherer, borrowed as long as the log is used, and sends all
 * other lines on at once. */
struct berth_log berth_gather(struct berth_gatherer *gatherer);

/* Moves what one has gathered to another, behind what that has. */
void berth_gatherer_move(struct berth_gatherer *from, struct berth_gatherer *to);

/* Sends on what was gathered, in the order in which each came first, and forgets it. */
void berth_gatherer_flush(struct berth_gatherer *gatherer);

#endif
