/* Interactions that poses must make, as users ask for them: "hydrogen_bond A:MET793:N or metal
 * A:ZN300, hydrophobic A:PHE82" (docs/interactions.md). */
#ifndef BERTH_DOCK_REQUIREMENT_H
#define BERTH_DOCK_REQUIREMENT_H

#include "pose/interactions.h"
#include "dock/restraints/restraints.h"

enum { BERTH_REQUIREMENTS_MAX = 16, BERTH_REQUIREMENT_CHOICES = 8, BERTH_REQUIREMENT_TEXT = 400 };

/* Interactions any of which will do. */
struct berth_requirement {
    char text[BERTH_REQUIREMENT_TEXT];
    struct berth_required_interaction {
        enum berth_interaction_kind kind;
        bool strong;            /* weak hydrogen bonds do not count */
        struct berth_spot spot; /* a residue, or an atom of it */
    } choices[BERTH_REQUIREMENT_CHOICES];
    size_t count;
};

/* All of them must be met. */
struct berth_requirements {
    struct berth_requirement items[BERTH_REQUIREMENTS_MAX];
    size_t count;
};

/* Reads a text; NULL: nothing is asked for.  Errors: BERTH_E_USAGE, with the option "require". */
enum berth_status berth_requirements_read(const char *text, struct berth_requirements *requirements,
                                          struct berth_error *error);

/* Whether the receptor has what they name.  Errors: BERTH_E_USAGE, likewise. */
enum berth_status berth_requirements_check(const struct berth_requirements *requirements,
                                           const struct berth_complex *complex,
                                           struct berth_error *error);

/* Whether a pose with these interactions meets a requirement. */
bool berth_requirement_is_met(const struct berth_requirement *requirement,
                              const struct berth_complex *complex,
                              const struct berth_interactions *found);

/* How many poses, or ligands, meet each requirement, of these how many by weak hydrogen bonds
 * alone, and how many meet all of them, of how many. */
struct berth_requirement_counts {
    size_t met[BERTH_REQUIREMENTS_MAX], weakly[BERTH_REQUIREMENTS_MAX], all, of;
};

/* Whether a pose meets all of them; counts it. */
bool berth_requirements_count(const struct berth_requirements *requirements,
                              const struct berth_complex *complex,
                              const struct berth_interactions *found,
                              struct berth_requirement_counts *counts);

/* Tells the log how many poses make what, each and all. */
void berth_requirements_tell(const struct berth_requirements *requirements,
                             const struct berth_requirement_counts *counts,
                             const struct berth_log *log);

#endif
