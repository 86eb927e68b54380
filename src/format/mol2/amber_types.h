/* Mol2 whose types are those of GAFF ("ca", "hc") or of Amber's force fields ("CT", "HC"), as
 * AmberTools write it, in place of SYBYL's. */
#ifndef BERTH_FORMAT_MOL2_AMBER_TYPES_H
#define BERTH_FORMAT_MOL2_AMBER_TYPES_H

#include "chem/molecule.h"

/* Where the molecule's types are such: sets its foreign_types and lacks_orders, gives its atoms the
 * elements that these types are of, and as types their symbols.  "ca" is carbon where it is bonded,
 * "na" nitrogen. */
void berth_amber_types_read(struct berth_molecule *molecule);

#endif
