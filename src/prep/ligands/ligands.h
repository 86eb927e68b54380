/* From files of molecules to a library of ligands: many at once, in order, each failure its own. */
#ifndef BERTH_PREP_LIGANDS_LIGANDS_H
#define BERTH_PREP_LIGANDS_LIGANDS_H

#include "base/log.h"
#include "prep/prepare.h"

/* --- The files to read --- */

/* What is to be read; everything is borrowed. */
struct berth_ligand_sources {
    const char *const *items; /* [count]: files, folders, "@" and a list's name, "-" */
    size_t count;
    const char *list;        /* a file with the name of a source on each line; NULL: none */
    const char *format;      /* NULL: by ending */
    double limit;            /* seconds for a file that Open Babel converts as a whole */
    const atomic_bool *stop; /* or NULL; once it is true, reading ends */
    const struct berth_log *log;
};

struct berth_ligand_file {
    char *path;    /* owned */
    uint64_t size; /* bytes */
    bool endless;  /* none that can be told: a pipe */
};

struct berth_ligand_inputs {
    struct berth_ligand_sources sources;
    struct berth_ligand_file *files; /* owned; [count] */
    size_t count, capacity;
    size_t current;                /* the file being read, or next to be opened */
    struct berth_records *records; /* owned; of it; NULL: not open */
    struct berth_bytes converted;  /* what Open Babel made of it */
    bool perceived;                /* the current file has no bonds */
};

/* Lists the files: those named, folders' files, those that lists name; says what it passes over.
 * The caller clears *inputs.  Errors: BERTH_E_USAGE (no format), BERTH_E_IO (one cannot be read),
 * BERTH_E_MEMORY. */
enum berth_status berth_ligand_inputs_create(const struct berth_ligand_sources *sources,
                                             struct berth_ligand_inputs *inputs,
                                             struct berth_error *error);

void berth_ligand_inputs_clear(struct berth_ligand_inputs *inputs);

/* --- The run --- */

/* Everything is borrowed. */
struct berth_ligands_settings {
    struct berth_preparation preparation; /* its cancel is set here */
    const char *out, *failures;           /* library; CSV of what failed or was dropped */
    const char *forcefield;               /* file; NULL: the one that is built in */
    const char *note;                     /* for the library: all that decides what is in it */
    enum berth_library_mode mode;
    size_t jobs; /* molecules prepared at the same time */
    bool unique; /* drop molecules whose canonical SMILES came before */
    const struct berth_log *log;
    const atomic_bool *stop; /* or NULL; once it is true, the run ends, and what was done is kept */
    /* Called often, with context, while it goes on; the last time with `computed`.  Or NULL. */
    void (*show)(void *context, const struct berth_progress *progress);
    void *context;
};

/* Prepares all that the inputs hold and writes the library and the failures.  *progress is how far
 * it came.  Errors: BERTH_E_USAGE (stopped; the library cannot be resumed), BERTH_E_FORMAT (no
 * ligand came out), BERTH_E_IO, BERTH_E_MEMORY; where the run was stopped, the message says how to
 * go on. */
enum berth_status berth_ligands_prepare(const struct berth_ligands_settings *settings,
                                        struct berth_ligand_inputs *inputs,
                                        struct berth_progress *progress, struct berth_error *error);

#endif
