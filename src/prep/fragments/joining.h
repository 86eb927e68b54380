/* What the files that join fragments share. */
#ifndef BERTH_PREP_FRAGMENTS_JOINING_H
#define BERTH_PREP_FRAGMENTS_JOINING_H

#include "chem/vectors.h"
#include "chem/molecule.h"
#include "prep/fragments/fragment.h"

/* Angles that a bond is tried at, at most: those that its ends like, then all around. */
enum { BERTH_JOINT_LIKED = 12, BERTH_JOINT_ANGLES = BERTH_JOINT_LIKED + 36 };

/* Two on each side of a joint. */
enum { BERTH_JOINT_BENDS = 4 };

/* No atom. */
#define BERTH_NOWHERE UINT32_MAX

/* One end of a bond between two fragments; places are those of its fragment's shape. */
struct berth_joint_side {
    uint32_t fragment;
    uint32_t atom; /* its place */
    uint32_t cap;  /* the place that says where the other atom is to be: a cap, or a hydrogen */
    uint32_t reference; /* of another neighbour, from which the torsion is measured;
                           BERTH_NOWHERE: none */
};

/* A bond between two fragments. */
struct berth_joint {
    struct berth_joint_side sides[2];   /* that of the fragment that is placed first is first */
    double angles[BERTH_JOINT_ANGLES];  /* degrees, those that it likes first */
    size_t choice;                      /* which of them it has */
    size_t preferred;                   /* which of them is tried first */
    double bends[BERTH_JOINT_BENDS];    /* tangents of the angles by which the bond leaves each
                                           side's direction: to the reference, and across */
    double turns[BERTH_JOINT_BENDS][3]; /* the axes about which they turn what is beyond, */
    double pivots[2][3];                /* through each side's atom; set by placing, Å */
    double slopes[BERTH_JOINT_BENDS], before[BERTH_JOINT_BENDS]; /* berth_joining_bend's */
};

/* What a placed fragment's atoms lie in. */
struct berth_ball {
    double centre[3], radius; /* Å */
};

/* A molecule that is being joined.  A place is an atom, a cap or a hydrogen of a fragment; those of
 * one fragment follow each other. */
struct berth_joining {
    const struct berth_fragment_parts *parts;
    uint32_t *starts; /* owned; [fragment_count + 1]: of the fragments, the first places */
    uint32_t *atoms;  /* owned; [places]: the molecule's atom there; BERTH_NOWHERE: none */
    bool *polar;      /* owned; [places]: a hydrogen of nitrogen, oxygen or sulfur */
    uint32_t *places; /* owned; [molecule->atom_count]: where it is */
    struct berth_joint *joints; /* owned; [fragment_count - 1], in the order of placing */
    uint32_t root;              /* the fragment that is placed first */
    uint8_t *shapes;            /* owned; [fragment_count]: the one that each has */
    double (*positions)[3];     /* owned; [places], Å */
    double *radii; /* owned; [places]: of van der Waals, Å; 0: no atom of the molecule */
    struct berth_ball *balls; /* owned; [fragment_count] */
    bool *beyond;             /* owned; [fragment_count]: what is turned */
    double (*forces)[3];      /* owned; [places]: room for berth_joining_bend */
    double (*loads)[6];       /* owned; [fragment_count]: so is this */
    bool *near;               /* owned; [atoms of the molecule squared]: three bonds apart at most,
                                 or of one fragment */
    struct berth_molecule *molecule; /* borrowed */
};

/* Finds whose atom is where, and the joints; makes the molecule, without positions.  Errors:
 * BERTH_E_FORMAT, BERTH_E_MEMORY. */
enum berth_status berth_joining_begin(struct berth_joining *joining, struct berth_error *error);

/* Frees what it owns. */
void berth_joining_end(struct berth_joining *joining);

/* The angles at which the joint's bond is tried. */
void berth_joint_choose_angles(const struct berth_joining *joining, struct berth_joint *joint);

/* Places the fragments behind a joint, its own among them. */
void berth_joining_place_from(struct berth_joining *joining, size_t first);

/* Places all fragments in the shapes that are set, and turns bonds until nothing clashes, or little
 * does. */
void berth_joining_place(struct berth_joining *joining);

/* True where no atoms of the two fragments are nearer to each other than this, Å. */
static inline bool berth_joining_are_apart(const struct berth_joining *joining, size_t f, size_t g,
                                           double distance)
{
    const struct berth_ball *a = &joining->balls[f], *b = &joining->balls[g];
    const double apart = a->radius + b->radius + distance;
    return berth_distance_squared(a->centre, b->centre) > apart * apart;
}

/* True where atoms are too near to each other. */
bool berth_joining_clashes(const struct berth_joining *joining);

/* Bends the bonds of placed fragments away from what crowds them. */
void berth_joining_bend(struct berth_joining *joining);

#endif
