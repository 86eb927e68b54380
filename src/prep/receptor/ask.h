/* What the worker is asked of a receptor as a whole: hydrogens, missing atoms. */
#ifndef BERTH_PREP_RECEPTOR_ASK_H
#define BERTH_PREP_RECEPTOR_ASK_H

#include "prep/receptor/work.h"

/* Sends the receptor's atoms and those of the ligand that was cut out, each as lines of residue
 * (its index, of both together), its name, chain, number, the atom's name, element, x, y, z (Å),
 * with tabs between.  operation: of tools/rdkit/worker.py; options: its lines; fields: of the
 * answer, behind the first.  The caller clears *answer.  Errors: as berth_bond_finder_ask. */
enum berth_status berth_receptor_ask(const struct berth_receptor_work *work, const char *operation,
                                     const char *options, size_t fields,
                                     struct berth_answer *answer, struct berth_error *error);

/* Seconds that it may take: 10,000 atoms take some 20. */
#define BERTH_RECEPTOR_PATIENCE 300.0

#endif
