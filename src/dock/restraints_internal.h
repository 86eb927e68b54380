/* What the files of restraints share. */
#ifndef BERTH_DOCK_RESTRAINTS_INTERNAL_H
#define BERTH_DOCK_RESTRAINTS_INTERNAL_H

#include "dock/restraints.h"

/* Finds the core, rule->core, in the one molecule of path, and keeps where its atoms lie.  Errors:
 * those of berth_pose_reader_create and _next; BERTH_E_FORMAT (it has none), BERTH_E_MEMORY. */
enum berth_status restraints_read_core(struct berth_restraint_rule *rule, const char *path,
                                       struct berth_error *error);

/* Makes *restrained, which is zeroed, of the core of a ligand, if it has it; number: of the rule;
 * heavy: [atoms], numbers among the heavy ones.  Errors: BERTH_E_MEMORY. */
enum berth_status restraints_match_core(const struct berth_restraint_rule *rule, size_t number,
                                        const struct berth_smarts_target *target,
                                        const struct berth_molecule *ligand, const size_t *heavy,
                                        struct berth_restrained *restrained,
                                        struct berth_error *error);

#endif
