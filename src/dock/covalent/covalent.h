/* Ligands that are bonded to a side chain of the receptor: adducts.
 *
 * An adduct is a molecule of the ligand and the side chain from CA on.  It hangs from the residue:
 * CA and CB lie where the receptor has them, the bonds from CA on turn, and its root is held
 * (score/flexible.h), so that torsions are all its freedoms.  What is behind CB is the ligand's,
 * the receptor's own side chain is left out, and of pairs across CA and CB those count that are
 * apart enough in terms of bonds, as they do inside a ligand.  The bonds' own energy is no part of
 * what ranks. */
#ifndef BERTH_DOCK_COVALENT_COVALENT_H
#define BERTH_DOCK_COVALENT_COVALENT_H

#include "dock/flexible/side_chains.h"
#include "format/library/library.h"

/* Heavy atoms of a side chain that a ligand can be bonded to, CA included, at most. */
enum { BERTH_COVALENT_ATOMS_MAX = 16 };

/* The residue. */
struct berth_covalent {
    char text[BERTH_RESIDUE_TEXT_SIZE]; /* "CYS A:25" */
    char atom[BERTH_NAME_SIZE];         /* that the ligand is bonded to: "SG" */
    /* Its side chain: CA, CB, and on; no atom before one that bonds lead to it from. */
    struct berth_atom atoms[BERTH_COVALENT_ATOMS_MAX];
    uint32_t bonds[BERTH_COVALENT_ATOMS_MAX]; /* a bit for each of these */
    size_t count;
    size_t bonded; /* number of the atom that the ligand is bonded to */
    /* The receptor without the residue; heavy: what the adduct hangs from, CA, CB and then the rest
     * of the backbone, which nothing moves. */
    struct berth_side_chains frame;
};

/* A residue and an atom of it as they are named: "A:CYS25:SG". */
struct berth_covalent_name {
    char selector[48]; /* "CYS:A:25": see chem/selection.h */
    char atom[BERTH_NAME_SIZE];
};

/* False where text names none. */
bool berth_covalent_read_name(const char *text, struct berth_covalent_name *name);

/* Finds the atom, named as A:CYS25:SG, A:25:SG or CYS25:SG.  The caller clears *covalent, also
 * after an error.  Errors: BERTH_E_USAGE (no such residue, or several; no such atom; one that makes
 * no such bond; a receptor without residues), BERTH_E_MEMORY. */
enum berth_status berth_covalent_find(const struct berth_typed_receptor *receptor, const char *text,
                                      struct berth_covalent *covalent, struct berth_error *error);

/* The residue that has the atom which is named so, "CYS" of "A:CYS25:SG"; NULL: none has. */
const char *berth_covalent_kind(const char *text);

/* Fails (BERTH_E_USAGE) for a library that does not hold adducts of the residue, by its note: an
 * ethyl group on a sulfur is no cysteine. */
enum berth_status berth_covalent_check_library(const struct berth_covalent *covalent,
                                               const struct berth_library_reader *library,
                                               const char *path, struct berth_error *error);

/* Hangs an adduct from the residue: moves the molecule so that CA and CB lie where the receptor has
 * them, and sets that they are not heavy.  Errors: BERTH_E_FORMAT (it has no such side chain whose
 * CA is its first atom or called so, or more than one), BERTH_E_MEMORY. */
enum berth_status berth_covalent_attach(const struct berth_covalent *covalent,
                                        struct berth_molecule *molecule, struct berth_error *error);

/* Sets that CA and CB of a known pose are not heavy, nor placeholders for the backbone, where it
 * holds the side chain, so that RMSDs to it are the ligand's.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_covalent_mark(const struct berth_covalent *covalent,
                                      struct berth_molecule *molecule, struct berth_error *error);

/* The types of its heavy atoms, as berth_scoring_assign has them, with CA and CB as neighbours. */
enum berth_status berth_covalent_assign(const struct berth_scoring *scoring,
                                        const struct berth_molecule *molecule,
                                        const struct berth_log *log,
                                        struct berth_heavy_atoms *heavy, struct berth_error *error);

/* What turns in an adduct. */
struct berth_covalent_moves {
    struct berth_torsion_tree tree; /* over all its atoms */
    struct berth_flexible flexible; /* over: */
    struct berth_heavy_atoms heavy; /* its heavy atoms, and what it hangs from */
    double rotors;
};

/* Finds it.  heavy: of the molecule, which was attached.  The caller clears *moves, also after an
 * error.  Errors: BERTH_E_USAGE (too large), BERTH_E_MEMORY. */
enum berth_status
berth_covalent_turn(const struct berth_covalent *covalent, const struct berth_scoring *scoring,
                    const struct berth_molecule *molecule, const struct berth_heavy_atoms *heavy,
                    struct berth_covalent_moves *moves, struct berth_error *error);

void berth_covalent_moves_clear(struct berth_covalent_moves *moves);

/* Makes of an adduct's pose, whose positions are there, one of a library's ligand as any has: with
 * the library's torsions, and a transform that is relative to the centre (Å).  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_covalent_release(const struct berth_library_ligand *ligand,
                                         const double center[3], struct berth_pose *pose,
                                         struct berth_error *error);

/* A zeroed one is accepted. */
void berth_covalent_clear(struct berth_covalent *covalent);

#endif
