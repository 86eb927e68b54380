/* What is said of a receptor's metals. */
#ifndef BERTH_PREP_RECEPTOR_METALS_H
#define BERTH_PREP_RECEPTOR_METALS_H

#include "base/log.h"
#include "chem/structure.h"
#include "format/receptor_file.h"

/* Notes of each metal ion in the receptor's site, or near it, how its coordination is treated:
 * which polyhedron its donors say, and how many of its vertices are open to a ligand. */
void berth_receptor_note_metals(const struct berth_receptor *receptor, const struct berth_log *log);

/* Marks the metals with open vertices that no N, O or S of the ligand, which stood in the site, is
 * within 3 Å of: it says that what binds there leaves them, to water mostly, which is seldom in the
 * file. */
void berth_receptor_mark_bystanders(struct berth_receptor *receptor,
                                    const struct berth_structure *ligand);

#endif
