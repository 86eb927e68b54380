/* What the files of restraints share. */
#ifndef BERTH_DOCK_RESTRAINTS_RESTRAINTS_INTERNAL_H
#define BERTH_DOCK_RESTRAINTS_RESTRAINTS_INTERNAL_H

#include "chem/features.h"
#include "dock/restraints/restraints.h"

/* What of a ligand restraints can be about. */
enum { BERTH_SUBJECT_ATOM = 8, BERTH_SUBJECT_SMARTS, BERTH_SUBJECT_CORE, BERTH_SUBJECT_COUNT };

struct berth_subject {
    const char *name;
    enum berth_feature_kind kind; /* of the first ones; the last are any atom, a pattern, a core */
    double radius;                /* Å: about an atom of a receptor */
};

extern const struct berth_subject BERTH_SUBJECTS[BERTH_SUBJECT_COUNT];

/* A reference whose largest core in common with each ligand is sought. */
struct berth_template {
    struct berth_molecule molecule;
    struct berth_facts facts; /* of the molecule: BERTH_SMARTS_FACTS */
};

/* whole: NULL, or allocated. */
void restraints_clear_template(struct berth_template *whole);

/* Reads a residue with its number and maybe its chain, as in A:MET793 or MET793; false: it is none.
 */
bool restraints_read_residue(const char *text, size_t length, struct berth_spot *spot);

/* Finds the core, rule->core, in the one molecule of path, and keeps where its atoms lie.  Errors:
 * those of berth_pose_reader_create and _next; BERTH_E_FORMAT (it has none), BERTH_E_MEMORY. */
enum berth_status restraints_read_core(struct berth_restraint_rule *rule, const char *path,
                                       struct berth_error *error);

/* Which of the places of a metal's open site is that of donors of this element: its number among
 * them; that of none: as many as there are. */
size_t restraints_metal_place(int element);

/* The place of so many atoms of a chelate, both or one alone. */
size_t restraints_metal_chelate(size_t atoms);

/* Names what of a ligand has a proton that it loses to a metal that takes such a donor, into *acid;
 * NULL: nothing.  Errors: BERTH_E_MEMORY. */
enum berth_status restraints_metal_acid(const struct berth_restraints *restraints,
                                        const struct berth_facts *facts, const char **acid,
                                        struct berth_error *error);

/* A ligand that is looked at. */
struct restraints_ligand {
    const struct berth_molecule *molecule;
    const struct berth_facts *facts;
    const size_t *heavy; /* [atoms]: number of each among the heavy ones */
};

/* Makes *restrained, which is zeroed, of the core of a ligand, if it has it; number: of the rule.
 * Errors: BERTH_E_FORMAT (it must have it), BERTH_E_MEMORY. */
enum berth_status restraints_match_core(const struct berth_restraint_rule *rule, size_t number,
                                        const struct restraints_ligand *ligand,
                                        struct berth_restrained *restrained,
                                        struct berth_error *error);

#endif
