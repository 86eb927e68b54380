/* What is said of a receptor's metals. */
#ifndef BERTH_PREP_RECEPTOR_METALS_H
#define BERTH_PREP_RECEPTOR_METALS_H

#include "base/log.h"
#include "format/receptor_file.h"

/* Notes of each metal ion in the receptor's site, or near it, how its coordination is treated:
 * which polyhedron its donors say, and how many of its vertices are open to a ligand. */
void berth_receptor_note_metals(const struct berth_receptor *receptor, const struct berth_log *log);

#endif
