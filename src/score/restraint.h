/* Restraints: terms of an energy that draw points of a ligand to places, or keep them away, in
 * double precision.  The oracle for kernels/restraint.cl. */
#ifndef BERTH_SCORE_RESTRAINT_H
#define BERTH_SCORE_RESTRAINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "score/forcefield.h"

/* A place of a receptor or template. */
struct berth_place {
    double position[3], radius; /* Å */
    double weight;              /* the scoring function's unit */
    bool avoided;               /* it keeps points away */
    bool bounded;               /* its energy stays below the weight */
    unsigned meets; /* of a ligand's points: BERTH_MEETS_DONOR, BERTH_MEETS_ACCEPTOR; 0: all */
};

enum { BERTH_MEETS_DONOR = 1, BERTH_MEETS_ACCEPTOR = 2 };

struct berth_places {
    struct berth_place *places;
    size_t count;
};

/* A point of a ligand: the middle of some of its heavy atoms. */
enum { BERTH_POINT_ATOMS = 12 };
struct berth_ligand_point {
    uint16_t atoms[BERTH_POINT_ATOMS];
    uint16_t count;
};

/* A pair that a restraint may be met by. */
struct berth_pull {
    size_t restraint, place;
    size_t rule; /* of the restraint, among those of the run */
    struct berth_ligand_point point;
};

#define BERTH_WAY_ANYWHERE SIZE_MAX

/* A ligand's restraints.  The places of one differ in position and radius alone.  Each has the
 * energy of one pull: the nearest, or where its place is avoided, the farthest inside. */
struct berth_restrained {
    struct berth_pull *pulls; /* owned; [count], by restraint: each has one */
    size_t count, restraints;
    size_t held; /* the first restraints: their pulls are of one atom, no other's of these */
    /* Owned; where poses of a search start: [way_count][held], the places that what is held lies on
     * together, or BERTH_WAY_ANYWHERE, and [dihedral_count], which of it are four atoms in a row.
     * way_count 0: anywhere. */
    size_t *ways;
    size_t way_count;
    size_t (*dihedrals)[4];
    size_t dihedral_count;
    uint16_t *matches; /* owned; [match_count][held]: all such places, one atom on each */
    size_t match_count;
    const char
        *acid; /* what of the ligand has a proton that a metal of the run takes; NULL: none */
};

void berth_restrained_clear(struct berth_restrained *restrained);

/* Å: how far what is held is from its places, root mean square, in the nearest of its matches. */
double berth_held_distance(const struct berth_places *places,
                           const struct berth_restrained *restrained,
                           const struct berth_heavy_atoms *placed);

/* Å: from a pull's point to its place. */
double berth_pull_distance(const struct berth_places *places, const struct berth_pull *pull,
                           const struct berth_heavy_atoms *placed);

/* The pull of a restraint that counts, given the first of its pulls; *energy: its energy. */
const struct berth_pull *berth_pull_nearest(const struct berth_places *places,
                                            const struct berth_restrained *restrained, size_t first,
                                            const struct berth_heavy_atoms *placed, double *energy);

/* The energy of all restraints. */
double berth_restraint_energy(const struct berth_places *places,
                              const struct berth_restrained *restrained,
                              const struct berth_heavy_atoms *placed);

#endif
