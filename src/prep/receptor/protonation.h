/* How side chains of a receptor are protonated, in words. */
#ifndef BERTH_PREP_RECEPTOR_PROTONATION_H
#define BERTH_PREP_RECEPTOR_PROTONATION_H

#include "base/log.h"
#include "chem/site.h"
#include "chem/structure.h"

/* Tells log, of a structure whose atoms have their types: where histidines bear their hydrogens,
 * which of them line the site (NULL: there is none), which acids are so near each other that they
 * share a proton, and which side chains are not as they are at pH 7.4 (ASH, GLH, LYN, CYM). */
void berth_receptor_note_protonation(const struct berth_structure *structure,
                                     const struct berth_site *site, const struct berth_log *log);

#endif
