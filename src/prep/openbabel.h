/* Open Babel as a separate process with a time limit, so that its crash or hang costs one input. */
#ifndef BERTH_PREP_OPENBABEL_H
#define BERTH_PREP_OPENBABEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"
#include "base/error.h"
#include "chem/molecule.h"

/* What a user may have written goes in by two doors alone: the input's bytes, and its format.  No
 * path is handed to the process, which might take it for an option of its own. */
struct berth_openbabel_job {
    const char *format;         /* borrowed; of the input, as `obabel -L formats` names it: letters
                                   and digits, or the job is refused; NULL: no input */
    const char *const *options; /* borrowed; ended by NULL: {"-omol2", NULL}; never a user's text */
    const struct berth_bytes
        *input;                /* borrowed; what it reads from standard input; NULL: nothing */
    bool kekulise;             /* fail where aromatic atoms find no single and double bonds */
    double limit;              /* seconds of processor time; it is killed behind them, and behind
                                  BERTH_PROCESS_PATIENCE times as many by the clock */
    const atomic_bool *cancel; /* borrowed, or NULL; once it is true the process is killed */
    const char *silent; /* borrowed; what it means that it fails and says nothing; NULL: that */
};

/* As the first of the options: Open Babel reads its input as a file of this name, which it gives to
 * molecules without a title in formats where it takes the file's name. */
#define BERTH_OPENBABEL_INPUT "/dev/stdin"

/* Runs `obabel` (found by PATH) and appends what it writes to *output, which the caller clears.  It
 * does not outlive this process, however that ends (on Linux; elsewhere not where that is killed).
 * Errors: BERTH_E_USAGE (no such format), BERTH_E_FORMAT (it failed, wrote nothing, took too long:
 * the message says which, with the last line that it said), BERTH_E_IO (it is not installed or
 * cannot be started; cancelled), BERTH_E_MEMORY (also where the input or the output has failed). */
enum berth_status berth_openbabel_run(const struct berth_openbabel_job *job,
                                      struct berth_bytes *output, struct berth_error *error);

/* The first molecule of the Mol2 text (size bytes, borrowed) that a program wrote; `writer` says in
 * messages whose it is: "Open Babel's output".  The caller clears *molecule.  Errors: those of the
 * reader; BERTH_E_FORMAT (there is none). */
enum berth_status berth_openbabel_read(const char *writer, const void *text, size_t size,
                                       struct berth_molecule *molecule, struct berth_error *error);

/* The same, to the first molecule of Mol2 that it writes.  The caller clears *molecule. */
enum berth_status berth_openbabel_molecule(const struct berth_openbabel_job *job,
                                           struct berth_molecule *molecule,
                                           struct berth_error *error);

/* BERTH_E_IO, with how to install it, where there is no Open Babel. */
enum berth_status berth_openbabel_check(struct berth_error *error);

#endif
