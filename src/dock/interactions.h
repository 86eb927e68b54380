/* What a pose and its receptor do to each other, by geometry: docs/interactions.md has the criteria
 * and where they come from. */
#ifndef BERTH_DOCK_INTERACTIONS_H
#define BERTH_DOCK_INTERACTIONS_H

#include "base/log.h"
#include "format/receptor_file.h"
#include "chem/features.h"

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

/* A receptor, ready to be looked at beside poses. */
struct berth_interaction_target {
    struct berth_receptor receptor; /* owned; its bonds go by distance */
    struct berth_featured featured; /* owned */
    double (*given)[3]; /* owned; [atoms]: Å, as the file has them; NULL: as they are */
    /* owned; [atoms]: of the residue that poses are bonded to, a part of which they hold, and what
     * is bonded to that; NULL: poses are free */
    bool *held;
    bool named;       /* the pose is the structure's own ligand: texts have its atoms' names */
    size_t looked_at; /* poses, until the first that is at the receptor */
    bool reached;     /* by one of them */
};

/* Reads a receptor (.brec, or what `berth prep receptor` takes; a Mol2's residues and types are all
 * kept).  ligand_id: a residue that is cut out of it, as of a run; NULL: none.  log, or NULL, is
 * told what was prepared.  The caller clears *target either way.  Errors: those of the readers;
 * BERTH_E_FORMAT for a .brec of version 1; BERTH_E_USAGE where a ligand is to be cut out of a
 * .brec. */
enum berth_status berth_interaction_target_read(const char *path, const char *ligand_id,
                                                const struct berth_log *log,
                                                struct berth_interaction_target *target,
                                                struct berth_error *error);

/* A structure and a ligand of its own; everything is borrowed. */
struct berth_interaction_complex {
    const char *path;      /* what `berth prep receptor` takes; a .brec has no ligand */
    const char *ligand_id; /* the residue that is cut out: the ligand */
    const char *smiles;    /* that has these; NULL: its bonds are perceived */
};

/* Reads it likewise, and the ligand as it stands, with all hydrogens and its residue's name as
 * title.  The caller clears *target and *ligand either way.  Errors: as above, BERTH_E_FORMAT
 * (other SMILES). */
enum berth_status berth_interaction_complex_read(const struct berth_interaction_complex *from,
                                                 const struct berth_log *log,
                                                 struct berth_interaction_target *target,
                                                 struct berth_molecule *ligand,
                                                 struct berth_error *error);

/* Moves side chains to where a pose has them, as its tag says (see berth_side_chains_text); "":
 * where the file has them.  Errors: BERTH_E_FORMAT (no such atom), BERTH_E_MEMORY. */
enum berth_status berth_interaction_target_move(struct berth_interaction_target *target,
                                                const char *moved, struct berth_error *error);

/* The poses are bonded to a residue of the receptor, "CYS A:25 SG" (see berth_covalent): it, and
 * what is bonded to it, is no neighbour of theirs.  "": they are free.  Errors: BERTH_E_FORMAT (no
 * such residue), BERTH_E_MEMORY. */
enum berth_status berth_interaction_target_bond(struct berth_interaction_target *target,
                                                const char *atom, struct berth_error *error);

/* Whether a heavy atom of the pose is nearer than reach (Å) to one of the receptor's. */
bool berth_pose_reaches(const struct berth_molecule *receptor, const struct berth_molecule *pose,
                        double reach);

/* Notes whether a heavy atom of the pose is within 4 Å of the receptor's. */
void berth_interaction_target_note(struct berth_interaction_target *target,
                                   const struct berth_molecule *pose);

/* Errors: BERTH_E_USAGE where no pose that was noted is at the receptor, of which path is the file:
 * it is another one's. */
enum berth_status berth_interaction_target_reached(const struct berth_interaction_target *target,
                                                   const char *path, struct berth_error *error);

void berth_interaction_target_clear(struct berth_interaction_target *target);

/* Finds the interactions of a pose, whose hydrogens and bonds are there.  The caller clears
 * *interactions either way.  Errors: BERTH_E_FORMAT (no hydrogens), BERTH_E_MEMORY. */
enum berth_status berth_interactions_find(const struct berth_interaction_target *target,
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

/* Texts of an interaction, of its atoms above all: "OD1" of a residue, "O12 O13" of a pose. */
struct berth_interaction_texts {
    char residue[BERTH_RESIDUE_NAME];
    char receptor[8 * BERTH_FEATURE_ATOMS], ligand[24 * BERTH_FEATURE_ATOMS];
};

void berth_interaction_texts(const struct berth_interaction *interaction,
                             const struct berth_interaction_target *target,
                             const struct berth_molecule *pose,
                             struct berth_interaction_texts *texts);

#endif
