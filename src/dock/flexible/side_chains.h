/* Side chains of a receptor that move beside a ligand: bodies with a fixed root (score/bodies.h),
 * and the receptor without them. */
#ifndef BERTH_DOCK_FLEXIBLE_SIDE_CHAINS_H
#define BERTH_DOCK_FLEXIBLE_SIDE_CHAINS_H

#include "dock/docking.h"
#include "dock/typed_receptor.h"
#include "format/output.h"

/* Which ones. */
struct berth_side_chain_choice {
    const char *residues; /* see chem/selection.h; NULL: none are named */
    double within; /* Å: those with an atom that moves so near to `near`'s heavy atoms; 0: none */
    size_t most;   /* of these, the nearest ones, at most */
    const struct berth_molecule *near; /* NULL: within is 0 */
    bool whole;                        /* what stands is shown beside them */
};

/* Everything but the receptor is owned. */
struct berth_side_chains {
    const struct berth_typed_receptor *receptor; /* borrowed */
    struct berth_flexible flexible;              /* of all of them together */
    struct berth_heavy_atoms heavy;              /* as given, in the receptor's frame */
    size_t *atoms; /* [heavy.count]: which of the receptor's heavy atoms they are */
    /* The receptor's other heavy atoms, as each function types them. */
    struct berth_heavy_atoms rest[BERTH_FUNCTIONS_MAX];
    size_t *residues; /* [count]: which of the receptor's residues move */
    size_t count;
    struct berth_molecule shown; /* their heavy atoms, all of them; or the whole receptor's */
    size_t *moved;               /* [shown.atom_count]: which of `heavy` it is; SIZE_MAX: none */
    char costs[400];             /* "ASP A:25 2, VAL B:82 1": the torsions of each, most first */
    /* Those that are near enough, and why they do not move: "LYS A:33 lacks atoms of its side
     * chain, ..." */
    char stiff[400];
    /* Those that are near enough, but more than `most`: "ILE A:84 (3.2 Å), ...", nearest first */
    char beyond[400];
};

/* Finds them.  A side chain's torsions are its bonds from CA on that are in no ring, move heavy
 * atoms, and are no bond of an amide or guanidine.  What is near enough and cannot turn is told
 * beside them.  The caller clears *chains, also after an error.
 * Errors: BERTH_E_USAGE (a residue that is not there or has nothing to turn; a side chain that is
 * bonded to something else; more torsions or atoms than can move, with what each residue costs; a
 * receptor without residues and chains), BERTH_E_MEMORY. */
enum berth_status berth_side_chains_create(const struct berth_typed_receptor *receptor,
                                           const struct berth_side_chain_choice *choice,
                                           struct berth_side_chains *chains,
                                           struct berth_error *error);

/* Finds the rest: the receptor without the heavy atoms atoms[leaving], for each function.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_side_chains_leave(struct berth_side_chains *chains, const size_t *atoms,
                                          size_t leaving, struct berth_error *error);

/* Makes the rest of the receptor this target of the setup, whose judges are the receptor's. */
void berth_side_chains_aim(const struct berth_side_chains *chains, size_t target,
                           struct berth_docking_setup *setup);

/* Says which residues move, and with how many torsions each; receptor: its name where there are
 * several, or "". */
void berth_side_chains_note(const struct berth_side_chains *chains, const char *receptor,
                            const struct berth_log *log);

/* Warns of residues that move farther outside the box than ligands reach.  Errors: BERTH_E_USAGE
 * where one is so far away that nothing in the box can be near it. */
enum berth_status berth_side_chains_check(const struct berth_side_chains *chains,
                                          const struct berth_site *site,
                                          const struct berth_log *log, struct berth_error *error);

/* Writes the residues that are shown, all their heavy atoms, as the pose has them, mode (from 1) of
 * the ligand: model `number` (from 1) of a PDB file, which the caller ends; before them how far
 * each is from where it stood, Å. Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_side_chains_print(const struct berth_side_chains *chains,
                                          const struct berth_pose *pose, const char *ligand,
                                          size_t mode, size_t number, struct berth_output *output,
                                          struct berth_error *error);

/* Where the pose has what `shown` has, [shown.atom_count].  Errors: BERTH_E_MEMORY. */
enum berth_status berth_side_chains_place(const struct berth_side_chains *chains,
                                          const struct berth_pose *pose, double (*places)[3],
                                          struct berth_error *error);

/* The tag of poses (BERTH_COLUMN_SIDE_CHAINS) that says where the atoms that move are, "ASP:A:25 CG
 * 1.000 2.000 3.000; ..." (Å), of which this is the text, that the caller frees.  NULL: no memory.
 */
char *berth_side_chains_text(const struct berth_side_chains *chains, const struct berth_pose *pose);

/* The residues that move, as a selection (chem/selection.h); the caller frees it.  NULL: no
 * memory. */
char *berth_side_chains_names(const struct berth_side_chains *chains);

/* A zeroed one is accepted. */
void berth_side_chains_clear(struct berth_side_chains *chains);

#endif
