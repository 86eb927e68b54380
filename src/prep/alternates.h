/* Alternate locations: one of them for each atom. */
#ifndef BERTH_PREP_ALTERNATES_H
#define BERTH_PREP_ALTERNATES_H

#include "chem/structure.h"

/* Keeps, for each atom that the structure has in several places, the one of the residue's alternate
 * with the highest mean occupancy (the first in the file among equals), so that a residue stays of
 * one piece; an atom that this alternate lacks comes from the next best one.  Where the alternates
 * are different residues (SER and THR), the best one's residue stays.  *residues is the number of
 * places where something was chosen.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_alternates_resolve(struct berth_structure *structure, size_t *residues,
                                           struct berth_error *error);

#endif
