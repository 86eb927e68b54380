/* How sure a predicted structure is of its residues: pLDDT, from 0 to 100, which programs that
 * predict write in place of B factors. */
#ifndef BERTH_PREP_RECEPTOR_PLDDT_H
#define BERTH_PREP_RECEPTOR_PLDDT_H

#include "prep/receptor/work.h"

/* Below LOW the backbone may be wrong, below VERY_LOW it is as good as unknown. */
#define BERTH_PLDDT_LOW      70.0
#define BERTH_PLDDT_VERY_LOW 50.0

/* Tells whether the structure, as it was read, is a predicted one whose B factors are pLDDT: by
 * what the file says of its origin, else by the B factors.  No structure whose file speaks of an
 * experiment is.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_plddt_find(const struct berth_structure *structure,
                                   struct berth_plddt *model, struct berth_error *error);

/* Moves the residues below settings->min_plddt from work->prepared->structure to uncertain there.
 * Errors: BERTH_E_USAGE (no pLDDT is known; nothing is left), BERTH_E_MEMORY. */
enum berth_status berth_receptor_leave_uncertain(const struct berth_receptor_work *work,
                                                 struct berth_error *error);

/* Tells the log what is known of the structure's confidence, which residues that line the site
 * (NULL: there is none) have little of it, and which were left out.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_receptor_note_plddt(const struct berth_receptor_work *work,
                                            const struct berth_site *site,
                                            struct berth_error *error);

/* *low: the residues that line the site and are below BERTH_PLDDT_LOW.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_plddt_count(const struct berth_receptor_prepared *prepared,
                                    const struct berth_site *site, size_t *low,
                                    struct berth_error *error);

#endif
