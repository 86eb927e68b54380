/* Python modules inside the binary, run by a process that answers one request after the other, is
 * killed where one takes too long, and started anew for the next: the RDKit worker (tools/rdkit,
 * whose worker.py has the protocol), and what measures and fits rankings (tools/eval). */
#ifndef BERTH_PREP_WORKER_H
#define BERTH_PREP_WORKER_H

#include <string.h>

#include "base/embedded.h"
#include "prep/process.h"

/* What a Python process runs. */
struct berth_python_program {
    const struct berth_embedded *modules; /* the first of which starts the others; see embedded.h */
    const char *name, *module;            /* of what it needs: "RDKit", "rdkit" */
    const char *missing;                  /* what to do where no Python has that */
};

extern const struct berth_python_program BERTH_RDKIT;

/* A Python with RDKit, or with what another program needs. */
struct berth_rdkit {
    char python[PATH_MAX];
    char version[32]; /* of RDKit */
    const struct berth_python_program *program;
};

/* Finds the first of these that has RDKit: $BERTH_PYTHON, alone where it is set; else the python3
 * of $VIRTUAL_ENV and those in the folders of PATH.  Errors: BERTH_E_IO (none; says what to do, or
 * what is wrong with the first that has one which does not start). */
enum berth_status berth_rdkit_find(struct berth_rdkit *rdkit, struct berth_error *error);

/* Versions of what else the Python has; "" where it has none. */
struct berth_beside_rdkit {
    char gemmi[32];
    char network[64]; /* reduce and PROPKA */
};

/* Has it build a few molecules that use every call that the worker makes.  Errors: BERTH_E_FORMAT
 * (what went wrong, with which), BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_rdkit_examine(const struct berth_rdkit *rdkit,
                                      struct berth_beside_rdkit *beside, struct berth_error *error);

enum { BERTH_WORKER_MEMORY = 2000 }; /* MB that one has where nobody says */

struct berth_worker; /* opaque: for one thread, which on Linux must be the same all along */

/* Everything is borrowed. */
struct berth_worker_setup {
    const struct berth_rdkit *rdkit;
    size_t memory;             /* bytes that it may use; 0: no limit */
    const atomic_bool *cancel; /* or NULL; once it is true, requests fail */
};

/* The process itself is started by the first request.  The caller destroys *worker.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_worker_create(const struct berth_worker_setup *setup,
                                      struct berth_worker **worker, struct berth_error *error);

/* Finds the first Python that has what a program needs, and starts that there.  setup: but for its
 * Python, NULL: without limits; python: the caller's, filled, which has to outlive *worker; this
 * the caller destroys, also after an error.  Errors: as berth_rdkit_find; BERTH_E_MEMORY. */
enum berth_status berth_python_start(const struct berth_python_program *program,
                                     const struct berth_worker_setup *setup,
                                     struct berth_rdkit *python, struct berth_worker **worker,
                                     struct berth_error *error);

/* A field of a request or of an answer. */
struct berth_field {
    const void *data; /* borrowed; of an answer, a 0 follows */
    size_t size;
};

/* A text, borrowed. */
static inline struct berth_field berth_text_field(const char *text)
{
    return (struct berth_field){text, strlen(text)};
}

enum { BERTH_REQUEST_FIELDS = 8 };

struct berth_request {
    struct berth_field fields[BERTH_REQUEST_FIELDS];
    size_t count;
    double limit; /* seconds of processor time for the molecule */
    double *used; /* borrowed: of them used so far; is added to */
};

struct berth_answer {
    struct berth_field *fields; /* owned; [count], their data in bytes */
    size_t count;
    struct berth_bytes bytes; /* owned */
    bool dropped;             /* a filter refused the molecule: error says why */
};

/* Asks and waits.  *answer is cleared first; the caller clears it in the end.  Errors:
 * BERTH_E_FORMAT: the molecule's fault (it cannot be prepared, crashed the worker, took too long or
 * too much memory); BERTH_E_IO: the machine's (no process, no memory) or cancelled;
 * BERTH_E_MEMORY. */
enum berth_status berth_worker_ask(struct berth_worker *worker, const struct berth_request *request,
                                   struct berth_answer *answer, struct berth_error *error);

/* One of the answers that a field of the answer to "many" is, as if it alone had been asked for.
 * *answer is cleared first; the caller clears it in the end.  Errors: as berth_worker_ask. */
enum berth_status berth_answer_open(const struct berth_field *field, struct berth_answer *answer,
                                    struct berth_error *error);

void berth_answer_clear(struct berth_answer *answer);

/* BERTH_E_FORMAT for a whole frame that says what nobody expects: it costs the molecule that was
 * asked for alone. */
enum berth_status berth_worker_bad_answer(struct berth_error *error);

/* Ends the process.  NULL is accepted. */
void berth_worker_destroy(struct berth_worker *worker);

#endif
