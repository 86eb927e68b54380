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
    struct berth_facts facts; /* of the molecule: BERTH_PATTERN_FACTS */
};

/* whole: NULL, or allocated. */
void restraints_clear_template(struct berth_template *whole);

/* Reads a residue with its number and maybe its chain, as in A:MET793 or MET793; false: it is none.
 */
bool restraints_read_residue(const char *text, size_t length, struct berth_spot *spot);

/* Finds the core, rule->core, in the one molecule of path, and keeps where its atoms lie.  Errors:
 * those of berth_pose_reader_create and _next, and of berth_pattern_match; BERTH_E_FORMAT (it has
 * none), BERTH_E_MEMORY. */
enum berth_status restraints_read_core(struct berth_matcher *matcher,
                                       struct berth_restraint_rule *rule, const char *path,
                                       struct berth_error *error);

/* Which of the places of a metal's open site is that of donors of this element: its number among
 * them; that of none: as many as there are. */
size_t restraints_metal_place(int element);

/* The place of so many atoms of a chelate, both or one alone. */
size_t restraints_metal_chelate(size_t atoms);

/* Names what of a ligand has a proton that it loses to a metal that takes such a donor; NULL:
 * nothing.  These ask for BERTH_PATTERN_FACTS. */
const char *restraints_metal_acid(const struct berth_restraints *restraints,
                                  const struct berth_facts *facts);

/* The same of one atom; NULL: it has none. */
const char *restraints_metal_acid_at(const struct berth_facts *facts, size_t atom);

/* Whether the atom binds metals better than water does, alone: oxygen of acids of carbon,
 * phosphorus and sulphur, phenols, hydroxamates and N-oxides; sulphur of thiols; nitrogen of
 * heterocycles, imines, nitriles, amines that have no charge, and sulphonamides, which lose a
 * proton; but no chelate's. */
bool restraints_binds_metal(const struct berth_facts *facts, size_t atom);

/* Takes two oxygens of a chelate. */
typedef void restraints_chelate_taker(void *context, size_t first, size_t second);

/* Gives all chelates: two oxygens on neighbouring atoms in a plane, as of hydroxamates, catechols
 * and pyridinones. */
void restraints_find_chelates(const struct berth_facts *facts, restraints_chelate_taker *take,
                              void *context);

/* A ligand that is looked at. */
struct restraints_ligand {
    const struct berth_molecule *molecule;
    const struct berth_facts *facts;
    const size_t *heavy;           /* [atoms]: number of each among the heavy ones */
    struct berth_matcher *matcher; /* of patterns; NULL: there are none */
};

/* Makes *restrained, which is zeroed, of the core of a ligand, if it has it; number: of the rule.
 * Errors: BERTH_E_FORMAT (it must have it), BERTH_E_MEMORY. */
enum berth_status restraints_match_core(const struct berth_restraint_rule *rule, size_t number,
                                        const struct restraints_ligand *ligand,
                                        struct berth_restrained *restrained,
                                        struct berth_error *error);

#endif
