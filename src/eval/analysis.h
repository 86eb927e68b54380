/* What Python with NumPy computes of results (tools/eval, whose analysis.py says how it is asked):
 * enrichment, and rankings that are fitted. */
#ifndef BERTH_EVAL_ANALYSIS_H
#define BERTH_EVAL_ANALYSIS_H

#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "prep/worker.h"

/* A request is fields by name, which are put behind each other. */
void berth_request_put(struct berth_bytes *request, const char *name, const void *data,
                       size_t size);
void berth_request_put_bytes(struct berth_bytes *request, const char *name,
                             const struct berth_bytes *bytes);

/* NULL is not put. */
void berth_request_put_text(struct berth_bytes *request, const char *name, const char *text);
void berth_request_put_number(struct berth_bytes *request, const char *name, uint64_t number);

/* A number at the end of a column of them. */
void berth_column_put(struct berth_bytes *column, double number);

struct berth_analysis {
    struct berth_rdkit python;
    struct berth_worker *worker; /* owned */
};

/* Finds a Python.  The caller closes *analysis, also after an error.  Errors: BERTH_E_IO (none has
 * NumPy: says what to do), BERTH_E_MEMORY. */
enum berth_status berth_analysis_open(struct berth_analysis *analysis, struct berth_error *error);
void berth_analysis_close(struct berth_analysis *analysis);

/* The answer has pairs of fields, files' names and their texts; the caller clears it.  Errors:
 * BERTH_E_USAGE (what was asked for makes no sense), BERTH_E_IO, BERTH_E_FORMAT, BERTH_E_MEMORY. */
enum berth_status berth_analysis_ask(struct berth_analysis *analysis, const char *operation,
                                     const struct berth_bytes *request, struct berth_answer *answer,
                                     struct berth_error *error);

/* The same of one question, with a Python of its own. */
enum berth_status berth_analyse(const char *operation, const struct berth_bytes *request,
                                struct berth_answer *answer, struct berth_error *error);

/* The number of the answer's file of this name; SIZE_MAX: it has none. */
size_t berth_analysis_find(const struct berth_answer *answer, const char *name);

/* Writes a text to a path ("-": standard output).  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_analysis_write_text(const struct berth_field *text, const char *path,
                                            struct berth_error *error);

/* Writes all files of an answer to a folder, which is made where it is missing.  Errors: the same.
 */
enum berth_status berth_analysis_write(const struct berth_answer *answer, const char *folder,
                                       struct berth_error *error);

#endif
