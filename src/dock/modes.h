/* The binding modes of a ligand: its best poses over all conformers, at least an RMSD apart. */
#ifndef BERTH_DOCK_MODES_H
#define BERTH_DOCK_MODES_H

#include "dock/clash.h"
#include "engine/search.h"
#include "chem/ligand.h"
#include "chem/rmsd.h"
#include "score/score_ref.h"

/* Which modes to keep, and what to measure them against. */
struct berth_mode_settings {
    const struct berth_scoring *scoring;    /* borrowed; says what an energy's total is */
    double center[3];                       /* Å: the site's centre, the origin of translations */
    size_t count;                           /* modes at most */
    double min_rmsd;                        /* Å between modes, symmetry-corrected, heavy atoms */
    double energy_range;                    /* kJ/mol that a mode's rank may be above the best's;
                                               infinity: any */
    const double *strains;                  /* borrowed; [conformers of the ligand], kJ/mol above
                                               its best conformer, NAN where unknown; NULL: none is
                                               known */
    double strain_weight;                   /* modes are ranked (and ranged) by the total of energy
                                               and strain plus this times the conformer's strain;
                                               without that where 0 or where a strain of the ligand
                                               is unknown */
    const struct berth_molecule *reference; /* borrowed; NULL: none */
    /* borrowed; [receptors docked to]; NULL: clashes are not looked for */
    const struct berth_receptor_shape *const *shapes;
};

struct berth_mode {
    size_t conformer;        /* index into the ligand's conformers */
    size_t pose;             /* index into the conformer's poses */
    double value;            /* what it is ranked by, kJ/mol */
    double energy;           /* between receptor and ligand, kJ/mol */
    double conformer_strain; /* kJ/mol; NAN where unknown */
    struct berth_terms terms;
    bool has_torsions; /* flexible ones: */
    double strain;     /* kJ/mol: energy of the ligand's far atoms with each other above that of the
                          best of its conformers; modes are ranked by their total */
    double (*positions)[3]; /* owned; [atoms of the conformer]: Å, the receptor's frame */
    double rmsd;            /* to the reference, Å; negative where there is none that matches */
    double clash;           /* Å: see dock/clash.h; NAN where it was not looked for */
    size_t receptor;        /* number of the one that it is in */
};

struct berth_modes {
    struct berth_mode *modes; /* owned; best first */
    size_t count;
    double scores[BERTH_RECEPTORS_MAX]; /* the best value in each receptor; NAN: it has no mode.
                                           Of all modes, and not of those alone that are kept */
};

/* True where a weight can be given to these strains: none of them is unknown. */
bool berth_strains_known(const double *strains, size_t count);

/* Where the docked poses of a ligand's conformers are. */
struct berth_docked {
    const struct berth_packed_conformer *conformers; /* [conformers of the ligand] */
    const struct berth_pose *poses;                  /* [conformers][stride], best first */
    const size_t *counts;                            /* [conformers]: poses found */
    size_t stride;
    const float *angles; /* [conformers][stride][BERTH_TORSIONS], rad; NULL: rigid */
    const float
        *conformer_energy; /* [conformers], kJ/mol: what strains are relative to; NULL as above */
    const struct berth_torsion_tree
        *tree;       /* borrowed; over all atoms of the ligand; NULL as above */
    size_t receptor; /* number of the one that they are in */
};

/* A pose of a ligand, as its modes are ranked. */
struct berth_mode_candidate {
    size_t conformer;
    const struct berth_pose *pose; /* borrowed */
    const float *angles;           /* borrowed; [BERTH_TORSIONS], rad; NULL: none */
    double strain;                 /* kJ/mol: see struct berth_mode */
    double extra;                  /* kJ/mol: what the conformer's strain counts */
    double value;                  /* kJ/mol: what it is ranked by */
    size_t rank;                   /* among all of them before ranking: breaks ties */
};

/* The pose that is a ligand's first mode; first->pose is NULL where none has a finite total.  Of
 * the tree, the count alone plays a part.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_modes_first(size_t conformers, const struct berth_docked *docked,
                                    const struct berth_mode_settings *settings,
                                    struct berth_mode_candidate *first, struct berth_error *error);

/* A pose, and how its ligand is to be placed. */
struct berth_placed_pose {
    const struct berth_transform *transform;
    const float *angles;                   /* [BERTH_TORSIONS], rad; NULL: rigid */
    const struct berth_torsion_tree *tree; /* over all atoms of the ligand; NULL as above */
    const double *centroid;                /* [3]: Å, of the conformer's heavy atoms */
    const double *center;                  /* [3]: Å, the site's */
};

/* Where the pose puts all atoms of a conformer: [atoms of molecule], Å, the receptor's frame; owned
 * by the caller.  NULL when out of memory. */
double (*berth_pose_place(const struct berth_molecule *molecule,
                          const struct berth_placed_pose *pose))[3];

/* Finds the modes; poses without a finite total are none.  The caller clears *modes.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_modes_find(const struct berth_ligand *ligand,
                                   const struct berth_docked *docked,
                                   const struct berth_mode_settings *settings,
                                   struct berth_modes *modes, struct berth_error *error);

/* Adds the modes of another receptor, from which they are moved: all together best first, of equal
 * ones first those that were there.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_modes_join(struct berth_modes *modes, struct berth_modes *more,
                                   struct berth_error *error);

/* Notes the best value in each of so many receptors, and then keeps `count` modes at most, none
 * with a value above `highest`. */
void berth_modes_keep(struct berth_modes *modes, size_t receptors, size_t count, double highest);

/* Leaves out the modes that clash by more than this (Å), and says how many. */
size_t berth_modes_leave_out(struct berth_modes *modes, double max_clash);

void berth_modes_clear(struct berth_modes *modes);

#endif
