/* The parts of a molecule: atoms that no bond joins, such as a salt's ions. */
#ifndef BERTH_CHEM_PARTS_H
#define BERTH_CHEM_PARTS_H

#include "base/error.h"
#include "chem/molecule.h"

/* *count: how many parts the molecule is of; 0 where it has no bonds at all.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_parts_count(const struct berth_molecule *molecule, size_t *count,
                                    struct berth_error *error);

/* BERTH_E_FORMAT where bonds are missing: several heavy atoms and not one bond, or atoms of two
 * parts that stand as near as bonded ones do; where a metal that no salt is made with stands at
 * another part's atom, as in a complex that is drawn without its bonds.  Errors: BERTH_E_MEMORY,
 * too. */
enum berth_status berth_parts_check(const struct berth_molecule *molecule,
                                    struct berth_error *error);

enum { BERTH_PARTS_REMARK = 160 };

/* Leaves of the molecule its largest part with carbon, if there is one, as tools/rdkit/reading.py
 * does of what is prepared, and says in remark what that leaves out ("": nothing).  Errors: those
 * of berth_parts_check, which it does first; BERTH_E_FORMAT where all are single atoms. */
enum berth_status berth_parts_keep_largest(struct berth_molecule *molecule,
                                           char remark[BERTH_PARTS_REMARK],
                                           struct berth_error *error);

#endif
