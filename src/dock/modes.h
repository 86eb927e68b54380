/* The binding modes of a ligand: its best poses over all conformers, at least an RMSD apart. */
#ifndef BERTH_DOCK_MODES_H
#define BERTH_DOCK_MODES_H

#include "dock/clash.h"
#include "engine/search.h"
#include "chem/ligand.h"
#include "chem/rmsd.h"
#include "chem/site.h"
#include "chem/structure.h"
#include "score/score_ref.h"

/* How modes are chosen. */
struct berth_mode_choice {
    size_t num_modes;     /* at most */
    double min_rmsd;      /* Å between modes, symmetry-corrected, heavy atoms */
    double energy_range;  /* kJ/mol that a mode's value may be above the best's; infinity: any */
    double strain_weight; /* modes are ranked (and ranged) by the scoring function's total plus
                             this times the conformer's strain; without that where 0 or where a
                             strain of the ligand is unknown */
    double max_clash;     /* Å: modes that clash by more are left out; infinity: none are */
    bool any_stereo;      /* RMSDs are measured to a reference of other stereo, too */
};

struct berth_ranker;       /* dock/ranker.h */
struct berth_mode_relaxer; /* dock/relax/relaxed_modes.h */

/* The same, and what they are chosen by. */
struct berth_mode_settings {
    struct berth_mode_choice choice;
    const struct berth_scoring *scoring; /* borrowed; says what an energy's total is */
    const struct berth_ranker *ranker;   /* borrowed; NULL: that function alone judges */
    double center[3];                    /* Å: the site's centre, the origin of translations */
    const struct berth_site *box; /* borrowed: all heavy atoms of modes lie in it, but for what the
                                     last descent gives way; NULL: their centroids do */
    const double *strains;        /* borrowed; [conformers of the ligand], kJ/mol above
                                     its best conformer, NAN where unknown; NULL: none is
                                     known */
    const struct berth_molecule *reference; /* borrowed; NULL: none */
    /* borrowed; [receptors docked to]; NULL: clashes are not looked for */
    const struct berth_receptor_shape *const *shapes;
    struct berth_mode_relaxer *mode_relaxer; /* borrowed; NULL: modes stay where they were found */
};

struct berth_modes {
    struct berth_pose *modes; /* owned, as their positions; [count], best first */
    size_t count, capacity;
    double scores[BERTH_RECEPTORS_MAX]; /* the best value in each receptor; NAN: it has no mode.
                                           Of all modes, and not of those alone that are kept */
    size_t near, beyond; /* poses that are none: nearer than min_rmsd to a better one, beyond the
                            energy range */
    size_t clashing;     /* that clash by more than max_clash */
    size_t outside;      /* that have atoms outside the box */
    double farthest;     /* Å: how far the farthest atom of the least of these is, */
    double length;       /* between how distant atoms that is, */
    double diagonal;     /* and the box's */
    size_t seeds;        /* that counted which modes they agree in; 0: the run has one */
};

/* What came out for a ligand: the one type of a result, from the devices to the files. */
struct berth_result {
    uint64_t ordinal;
    const char *title;   /* "" where it could not be read */
    const char *failure; /* why there are no modes; NULL: it was docked */
    bool dropped;        /* no failure: the user wants other poses */
    size_t heavy_count, conformer_count;
    struct berth_modes modes; /* owned */
};

/* True where a weight can be given to these strains: none of them is unknown. */
bool berth_strains_known(const double *strains, size_t count);

/* Poses of a conformer in one receptor that modes are chosen among: all, or the best one. */
struct berth_docked_poses {
    struct berth_pose *poses; /* owned; [count], best first, as a device found them */
    size_t count;
};

/* A ligand that is docked, in one of the receptors; borrowed. */
struct berth_docked {
    const struct berth_packed_conformer *conformers; /* [count] */
    const struct berth_docked_poses *found;          /* [count][seeds][receptors] */
    size_t count, seeds, receptors;
    struct berth_span with; /* numbers of the seeds whose poses are looked at */
    size_t receptor;        /* number of the one */
    size_t torsions;        /* that refinement turns, or such as move no heavy atom;
                               0: it is rigid */
    const struct berth_ligand *ligand;
    const struct berth_torsion_tree *tree; /* over all atoms of the ligand */
};

/* Where the pose puts all atoms of a conformer, whose heavy atoms have this centroid (Å): [atoms of
 * molecule], Å, the receptor's frame; owned by the caller.  tree: over all atoms of the ligand;
 * NULL: it is rigid; center: the site's, Å.  NULL when out of memory. */
double (*berth_pose_place(const struct berth_molecule *molecule, const double centroid[3],
                          const struct berth_pose *pose, const struct berth_torsion_tree *tree,
                          const double center[3]))[3];

/* The heavy atoms' positions, from all atoms' (positions NULL: the molecule's own), owned by the
 * caller.  NULL when out of memory. */
double (*berth_pose_heavy(const struct berth_molecule *molecule, const double (*positions)[3]))[3];

/* The RMSD (Å) of a molecule where it stands to the reference, whatever the stereo of either;
 * negative where that is another molecule.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_molecule_rmsd(const struct berth_molecule *molecule,
                                      const struct berth_molecule *reference, double *rmsd,
                                      struct berth_error *error);

/* Finds the modes; poses without a finite total are none.  Where a ranking is to choose among them,
 * num_modes of the settings is not looked at.  The caller clears *modes.  Errors: BERTH_E_MEMORY.
 */
enum berth_status berth_modes_find(const struct berth_docked *docked,
                                   const struct berth_mode_settings *settings,
                                   struct berth_modes *modes, struct berth_error *error);

/* Adds the modes of another receptor, from which they are moved: all together best first, of equal
 * ones first those that were there.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_modes_join(struct berth_modes *modes, struct berth_modes *more,
                                   struct berth_error *error);

/* Orders the modes of all receptors by the ranker's ranking, of equal ones the lower value first;
 * result: of the ligand.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_modes_rank(struct berth_modes *modes, const struct berth_ranker *ranker,
                                   const struct berth_result *result, struct berth_error *error);

/* Keeps the first `most` in each receptor. */
void berth_modes_cut(struct berth_modes *modes, size_t most);

/* How far each of the first `count` modes is from the first: the RMSD of heavy atoms (Å),
 * symmetry-corrected, from where they are placed.  molecule: the ligand's, in any conformer; apart:
 * [count].  Errors: BERTH_E_MEMORY. */
enum berth_status berth_modes_apart(const struct berth_modes *modes, size_t count,
                                    const struct berth_molecule *molecule, double *apart,
                                    struct berth_error *error);

/* Brings modes whose values changed into the order of these. */
void berth_modes_sort(struct berth_modes *modes);

/* The best value in each receptor; NAN where there is no mode in it. */
void berth_modes_scores(const struct berth_modes *modes, double scores[BERTH_RECEPTORS_MAX]);

/* The least value of any mode. */
double berth_modes_least(const struct berth_modes *modes);

/* Notes the best value in each receptor, and then keeps `count` modes at most, none with a value
 * above `highest`. */
void berth_modes_keep(struct berth_modes *modes, size_t count, double highest);

/* Leaves out the modes that clash by more than this (Å), and says how many.  Where that leaves
 * none, *failure becomes `reason`, which says so. */
enum { BERTH_CLASH_REASON = 128 };
size_t berth_modes_leave_out(struct berth_modes *modes, double max_clash,
                             char reason[BERTH_CLASH_REASON], const char **failure);

/* Says that all poses had atoms outside the box, and by how much. */
enum { BERTH_OUTSIDE_REASON = 256 };
void berth_modes_outside(const struct berth_modes *modes, char reason[BERTH_OUTSIDE_REASON]);

void berth_modes_clear(struct berth_modes *modes);

/* What ligands are ordered by, of this one, where that does not depend on others; NAN: it does, or
 * there is none, or no mode. */
double berth_result_ranking(const struct berth_ranker *ranker, const struct berth_result *result);

#endif
