/* Ligands that have the name, or are the molecule, of an earlier one. */
#ifndef BERTH_PREP_LIGANDS_REPETITIONS_H
#define BERTH_PREP_LIGANDS_REPETITIONS_H

#include "base/bytes.h"
#include "base/log.h"
#include "base/text_set.h"
#include "format/library/library.h"

/* Zeroed where there was no ligand yet. */
struct berth_repetitions {
    struct berth_text_set names;
    struct berth_text_set smiles; /* canonical; where in firsts */
    struct berth_bytes firsts;    /* the ligands that had them first: name and record */
};

/* The ligand that a molecule was first. */
struct berth_first_ligand {
    const char *name; /* borrowed until the next one is noted; NULL: there is none */
    uint64_t record;
};

/* Finds which ligand had these canonical SMILES first, or notes that this one has; of the first
 * four million, or, where all is true, of all.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_repetitions_find(struct berth_repetitions *repetitions,
                                         const struct berth_library_ligand *ligand, bool all,
                                         struct berth_first_ligand *first,
                                         struct berth_error *error);

/* Says that a ligand is the molecule of the first one (nothing where there is none); instead: what
 * can be done about it, to follow "both are kept and docked", or "". */
void berth_repetitions_tell(const struct berth_library_ligand *ligand,
                            const struct berth_first_ligand *first, const char *instead,
                            const struct berth_log *log);

/* Notes the ligand's name; log, or NULL, hears that an earlier one has it.  Errors: BERTH_E_MEMORY.
 */
enum berth_status berth_repetitions_name(struct berth_repetitions *repetitions,
                                         const struct berth_library_ligand *ligand,
                                         const struct berth_log *log, struct berth_error *error);

void berth_repetitions_clear(struct berth_repetitions *repetitions);

#endif
