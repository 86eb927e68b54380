/* Where on a surface a ligand's poses lie together, and where several ligands agree. */
#ifndef BERTH_SURFACE_SURFACE_POCKETS_H
#define BERTH_SURFACE_SURFACE_POCKETS_H

#include "chem/site.h"
#include "dock/modes.h"

/* Å: a pose is in the first pocket whose best pose's centroid is so near to its own. */
#define BERTH_POCKET_REACH 6.0

/* Poses whose centroids lie together. */
struct berth_surface_pocket {
    size_t mode;           /* its best one, of the modes */
    double value, energy;  /* of that: what it is ranked by, and without strain */
    size_t poses;          /* how many there are: populations that ended here */
    struct berth_site box; /* about the best one, as one about a ligand is made */
};

struct berth_surface_pockets {
    struct berth_surface_pocket *pockets; /* owned; [count], best first */
    size_t count;
    double (*centroids)[3]; /* owned; [modes]: of the poses' heavy atoms, Å */
    size_t *of;             /* owned; [modes]: number of the pocket that each is in */
    size_t modes;
};

/* Finds the pockets of a ligand's modes, which are best first.  The caller clears *found, also
 * after an error.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_surface_pockets_find(const struct berth_ligand *ligand,
                                             const struct berth_modes *modes,
                                             struct berth_surface_pockets *found,
                                             struct berth_error *error);

/* Keeps of the modes the best one of each of the first `most` pockets. */
void berth_surface_pockets_keep(const struct berth_surface_pockets *found, size_t most,
                                struct berth_modes *modes);

/* A zeroed one is accepted. */
void berth_surface_pockets_clear(struct berth_surface_pockets *found);

/* A pocket of one of several ligands. */
struct berth_ligand_pocket {
    size_t ligand; /* from 0 */
    size_t rank;   /* of the pocket among that ligand's, from 1 */
    size_t poses;  /* in it */
    size_t note;   /* the caller's own */
    size_t agreed; /* berth_surface_agree's own */
    double value;
    struct berth_site box;
};

/* A place where ligands agree. */
struct berth_agreed_pocket {
    size_t ligands;        /* that have a pocket here */
    double mean_rank;      /* of these */
    double value;          /* the best of theirs, */
    size_t best;           /* whose it is, */
    struct berth_site box; /* and of the pocket that was ranked highest the box, */
    size_t note;           /* and the note */
};

/* Orders count pockets of several ligands by rank, then ligand, and brings together those within
 * BERTH_POCKET_REACH of the first, one of each ligand; agreed has room for as many.  Those of most
 * ligands come first, then those of the best mean rank.  Gives how many there are. */
size_t berth_surface_agree(struct berth_ligand_pocket *pockets, size_t count,
                           struct berth_agreed_pocket *agreed);

#endif
