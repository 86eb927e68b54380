/* Where the search for a protein's place on another begins: rotations at a stated spacing, each
 * with places all over the receptor's surface, and what these are worth on maps. */
#ifndef BERTH_PROTEIN_PROTEIN_STARTS_H
#define BERTH_PROTEIN_PROTEIN_STARTS_H

#include "chem/geometry.h"
#include "chem/surface.h"
#include "engine/starts.h"

/* A start: its energy on the maps, in the function's unit, and the pose; the translation is
 * relative to the target's centre.  Once it is refined, what it came to, by exact energies. */
struct berth_protein_start {
    float energy;
    struct berth_transform transform;
    struct berth_terms terms; /* of the exact energy */
    size_t number;            /* before sorting */
};

struct berth_protein_starts {
    struct berth_protein_start *starts; /* owned; best first */
    size_t count;
    size_t rotations, places; /* that were tried, each with each */
    size_t climbing;          /* starts that went on from there */
};

/* The rays along which a ligand comes in: through places all over the surface of the receptor at
 * that distance (Å), no two nearer than spacing (Å), and relative to center; *rays is
 * the caller's, who frees it either way.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_protein_rays(const struct berth_spheres *receptor, double distance,
                                     double spacing, const double center[3],
                                     struct berth_ray **rays, size_t *count,
                                     struct berth_error *error);

/* What to look for starts of, and how. */
struct berth_protein_approach {
    struct berth_evaluator *evaluator;
    struct berth_starts_setup setup; /* all but the rotations at a time */
    const double *gyration;          /* [6]: of the ligand, see berth_rigid_rmsd */
    double rotation_spacing;         /* degrees */
    size_t kept;     /* best starts to keep, before those that are alike are left out */
    double distinct; /* Å: RMSD between those that are left */
    size_t climbing; /* of those, at most: they go on by chance on the maps */
    size_t wanted;   /* of what these come to, at most, again distinct */
    unsigned long long seed;
    const atomic_bool *stop; /* or NULL: see berth_check_stop */
};

/* Tries all rotations on all rays, and keeps the best distinct starts below energy 0.  The caller
 * clears *starts.  Errors: those of engine/starts.h; BERTH_E_USAGE (stopped). */
enum berth_status berth_protein_starts_find(const struct berth_protein_approach *approach,
                                            struct berth_protein_starts *starts,
                                            struct berth_error *error);

/* Of starts, best first, moves those to the front that are no nearer than distinct (Å RMSD) to a
 * better one, wanted at most, and says how many they are. */
size_t berth_protein_distinct(struct berth_protein_start *starts, size_t count,
                              const double gyration[6], double distinct, size_t wanted);

/* Poses that are scored at a time while starts climb, for berth_starts_setup. */
enum { BERTH_PROTEIN_POSES = 65536 };

/* Sorts them by energy, best first; those of equal energy stay in their order. */
void berth_protein_sort(struct berth_protein_start *starts, size_t count);

#endif
