/* What a pose and its receptor do to each other, by geometry: docs/interactions.md has the criteria
 * and where they come from. */
#ifndef BERTH_POSE_INTERACTIONS_H
#define BERTH_POSE_INTERACTIONS_H

#include "chem/features.h"
#include "pose/complex.h"

enum berth_interaction_kind {
    BERTH_INTERACTION_HYDROGEN_BOND,
    BERTH_INTERACTION_SALT_BRIDGE,
    BERTH_INTERACTION_METAL,
    BERTH_INTERACTION_HALOGEN_BOND,
    BERTH_INTERACTION_STACKING_PARALLEL,
    BERTH_INTERACTION_STACKING_T,
    BERTH_INTERACTION_CATION_PI,
    BERTH_INTERACTION_HYDROPHOBIC,
    BERTH_INTERACTION_CONTACT, /* the nearest heavy atoms of ligand and residue */
    BERTH_INTERACTION_KINDS
};

/* Their names: "hydrogen_bond". */
extern const char *const BERTH_INTERACTION[BERTH_INTERACTION_KINDS];

struct berth_interaction {
    enum berth_interaction_kind kind;
    size_t residue; /* index into the receptor's residues */
    struct berth_feature receptor, ligand;
    double distance;   /* Å, between the centres */
    double angle;      /* degrees: see docs/interactions.md; NAN where there is none */
    double offset;     /* Å: of ring and ring, ring and charge; NAN else */
    bool ligand_gives; /* the hydrogen or the charge that is positive is the ligand's */
    int hydrogen;      /* of a hydrogen bond: see berth_donor_angle */
};

struct berth_interactions {
    struct berth_interaction *items; /* owned; by kind, then residue, then distance */
    size_t count, capacity;
};

/* Finds the interactions of a pose, whose hydrogens and bonds are there.  The caller clears
 * *interactions either way.  Errors: BERTH_E_FORMAT (no hydrogens), BERTH_E_MEMORY. */
enum berth_status berth_interactions_find(const struct berth_complex *complex,
                                          const struct berth_molecule *pose,
                                          struct berth_interactions *interactions,
                                          struct berth_error *error);

/* Whether a feature of the receptor of that kind can make it; contacts are made by all. */
bool berth_interaction_is_of(enum berth_interaction_kind kind, enum berth_feature_kind receptor);

/* Whether it is a hydrogen bond longer than 3.5 Å or bent to less than 120°, which most criteria
 * but PLIP's leave out: pictures draw it thin. */
bool berth_interaction_is_weak(const struct berth_interaction *interaction);

void berth_interactions_clear(struct berth_interactions *interactions);

enum { BERTH_RESIDUE_NAME = 64 };

/* "ASP A:25", or "ASP 25" where there are no chains. */
void berth_residue_name(const struct berth_residue_id *residue, char text[BERTH_RESIDUE_NAME]);

/* Columns that tables of interactions have of each one: kind, residue, chain, number,
 * receptor_atoms, ligand_atoms; and what not all have: donor, distance, angle, offset, weak. */
enum { BERTH_INTERACTION_NAMES = 6, BERTH_INTERACTION_COLUMNS = 11 };
extern const char *const BERTH_INTERACTION_COLUMN[BERTH_INTERACTION_COLUMNS];

/* Texts of an interaction, of its atoms above all: "OD1" of a residue, "O12 O13" of a pose. */
struct berth_interaction_texts {
    char residue[BERTH_RESIDUE_NAME];
    char receptor[8 * BERTH_FEATURE_ATOMS], ligand[24 * BERTH_FEATURE_ATOMS];
    char numbers[4][32]; /* of the residue; distance, angle, offset */
    const char
        *cells[BERTH_INTERACTION_COLUMNS]; /* borrowed from here and the receptor; "": none */
};

void berth_interaction_texts(const struct berth_interaction *interaction,
                             const struct berth_complex *complex, const struct berth_molecule *pose,
                             struct berth_interaction_texts *texts);

#endif
