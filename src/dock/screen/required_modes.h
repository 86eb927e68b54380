/* Which modes of a screen's ligands make the interactions that are asked for. */
#ifndef BERTH_DOCK_SCREEN_REQUIRED_MODES_H
#define BERTH_DOCK_SCREEN_REQUIRED_MODES_H

#include "dock/requirement.h"

struct berth_result;

enum { BERTH_REQUIRED_REASON = 440 };

/* Which modes of which ligands make all that is asked for. */
struct berth_required {
    struct berth_requirements asked;
    struct berth_requirement_counts ligands; /* that have a pose that makes it */
    uint64_t first;                          /* ordinal of the first ligand */
    size_t ligand_count, modes;              /* how many; of each, at most */
    unsigned char *made;                     /* owned; [ligand_count][modes]: 1: it makes all */
    char reason[BERTH_REQUIRED_REASON];      /* why ligands without such a pose are left out */
};

/* The byte of a mode of the ligand with that ordinal, which is one of those looked at. */
unsigned char *berth_required_made(const struct berth_required *required, uint64_t ordinal,
                                   size_t mode);

/* Leaves out the modes of a result that do not make it; where nothing is left, the ligand is
 * dropped. */
void berth_required_leave_out(const struct berth_required *required, struct berth_result *result);

void berth_required_clear(struct berth_required *required);

#endif
