/* What the molecules of a file are, for statistics: names, sizes, scaffolds. */
#ifndef BERTH_PREP_FACTS_H
#define BERTH_PREP_FACTS_H

#include <stdbool.h>

#include "base/log.h"
#include "prep/worker.h"

/* Of a molecule, borrowed for the call. */
struct berth_facts {
    const char *name;
    double heavy_atoms, mass; /* g/mol; NAN: unknown */
    const char *scaffold;     /* Bemis and Murcko's, as SMILES; "" without rings; NULL: unknown */
};

/* Everything is borrowed. */
struct berth_facts_setup {
    const char *path;
    const struct berth_rdkit *rdkit; /* NULL: of SMILES and SDF the names alone are known, and no
                                        scaffolds */
    bool scaffolds;                  /* are wanted */
    const struct berth_log *log;     /* is told what is not known, and why */
    enum berth_status (*take)(void *context, const struct berth_facts *facts,
                              struct berth_error *error);
    void *context;
};

/* True where the path ends as a file of molecules does that berth_facts_read takes: SMILES, SDF,
 * Mol2 (plain or .gz) or a library (.blib). */
bool berth_facts_takes(const char *path);

/* Gives the molecules one by one, in their order.  One that cannot be read has a name alone, or
 * none ("").  Errors: BERTH_E_IO, BERTH_E_FORMAT (the file), BERTH_E_MEMORY; those of take. */
enum berth_status berth_facts_read(const struct berth_facts_setup *setup,
                                   struct berth_error *error);

#endif
