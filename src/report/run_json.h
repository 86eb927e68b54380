/* run.json, as berth writes it. */
#ifndef BERTH_REPORT_RUN_JSON_H
#define BERTH_REPORT_RUN_JSON_H

#include <limits.h>

#include "base/bytes.h"
#include "base/error.h"

/* Reads the file, with a 0 behind it, to *json, which the caller clears; stop: see
 * berth_check_stop.  Errors: those of reading; BERTH_E_MEMORY. */
enum berth_status berth_run_json_read(const char *path, const atomic_bool *stop,
                                      struct berth_bytes *json, struct berth_error *error);

/* The text of a member of an object of run.json, without escapes: "" where there is none.  What
 * berth writes, a line a member, is all that this reads. */
void berth_run_json_find(const struct berth_bytes *json, const char *object, const char *name,
                         char text[PATH_MAX]);

#endif
