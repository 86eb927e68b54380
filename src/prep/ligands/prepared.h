/* Ligands prepared on the way: a file's molecules as `berth prep ligands` would put them into a
 * library, one by one, while workers prepare those that follow. */
#ifndef BERTH_PREP_LIGANDS_PREPARED_H
#define BERTH_PREP_LIGANDS_PREPARED_H

#include "base/log.h"
#include "prep/prepare.h"

struct berth_prepared_ligands; /* opaque: one per file */

/* Everything is borrowed: path for the call, the others until the ligands are destroyed. */
struct berth_prepared_setup {
    const char *path;
    const struct berth_preparation *preparation; /* its cancel is not used */
    const atomic_bool *stop;                     /* or NULL; once it is true, reading ends */
    const struct berth_log *log;
};

/* Opens the file and starts a worker for each core.  The caller destroys *ligands, also after an
 * error.  Errors: BERTH_E_IO (the file; Open Babel; threads), BERTH_E_MEMORY. */
enum berth_status berth_prepared_create(const struct berth_prepared_setup *setup,
                                        struct berth_prepared_ligands **ligands,
                                        struct berth_error *error);

/* The next ligand, with positions and strains as a library would keep them, and its record; *end
 * behind the last one.  The caller clears *ligand.  A molecule that cannot be prepared gives an
 * error that names its place; *ligand then holds its title as name, and its record (0 where the
 * file is to blame), and the next call goes on.  BERTH_E_USAGE where the stop was set,
 * BERTH_E_MEMORY. */
enum berth_status berth_prepared_next(struct berth_prepared_ligands *ligands,
                                      struct berth_library_ligand *ligand, bool *end,
                                      struct berth_error *error);

/* True where the last error was not one molecule's, but the file's. */
bool berth_prepared_is_broken(const struct berth_prepared_ligands *ligands);

/* Stops the workers.  NULL is accepted. */
void berth_prepared_destroy(struct berth_prepared_ligands *ligands);

#endif
