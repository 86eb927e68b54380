/* The ligands of a request to `berth serve`, and what became of each. */
#ifndef BERTH_CLI_SERVE_BATCH_H
#define BERTH_CLI_SERVE_BATCH_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"
#include "berth.h"
#include "format/json_reader.h"

struct serve_ligand {
    const char *name, *smiles; /* borrowed from the request */
    double score;              /* by which ligands compare: lower is better */
    struct berth_bytes poses;  /* owned; SDF records, best first; empty: there are none */
    char *failure;             /* owned; why there are none; NULL: not known so far */
};

struct serve_batch {
    pthread_mutex_t lock;         /* on failures, which any thread may find */
    struct serve_ligand *ligands; /* owned; [count], as they are asked for */
    size_t count;
    struct serve_ligand **sorted;  /* owned; [count]: they, by name */
    struct serve_ligand **written; /* owned; [written_count] of them, as they stand in the file */
    size_t written_count;
    bool ranked;  /* a ranking gives the scores */
    bool starved; /* out of memory */
};

/* Takes the ligands from a request's object of names and SMILES, borrowed until the batch is
 * cleared.  One whose name or SMILES cannot stand in a file fails.  The caller clears *batch, also
 * after an error.  Errors: BERTH_E_FORMAT (no such object; a name that is there twice),
 * BERTH_E_MEMORY. */
enum berth_status serve_batch_create(const struct berth_json_value *payload, bool ranked,
                                     struct serve_batch *batch, struct berth_error *error);

/* Writes those that have not failed to a file of SMILES.  Errors: BERTH_E_IO. */
enum berth_status serve_batch_write(struct serve_batch *batch, const char *path,
                                    struct berth_error *error);

/* Takes the result of a ligand of that file; of several forms of one the best.  True: out of
 * memory. */
bool serve_batch_take(struct serve_batch *batch, const struct berth_docked_ligand *docked);

/* Takes why the ligand of this name has no result; of several reasons the first. */
void serve_batch_fail(struct serve_batch *batch, const char *name, const char *why);

/* True where each ligand has a result, or a reason why it has none. */
bool serve_batch_is_whole(const struct serve_batch *batch);

void serve_batch_clear(struct serve_batch *batch);

#endif
