/* What the parser and the matcher of SMARTS share. */
#ifndef BERTH_CHEM_SMARTS_INTERNAL_H
#define BERTH_CHEM_SMARTS_INTERNAL_H

#include "chem/bonds.h"
#include "chem/kekule.h"
#include "chem/smarts.h"

enum smarts_what {
    SMARTS_TRUE,
    SMARTS_NOT,
    SMARTS_AND,
    SMARTS_OR,
    /* of an atom: */
    SMARTS_ELEMENT,
    SMARTS_AROMATIC,  /* value 0 or 1 */
    SMARTS_DEGREE,    /* bonds to heavy atoms */
    SMARTS_CONNECTED, /* bonds, to hydrogens, too */
    SMARTS_HYDROGENS,
    SMARTS_VALENCE,
    SMARTS_CHARGE,
    SMARTS_RING,      /* value 0 or 1 */
    SMARTS_RING_SIZE, /* of the smallest ring that it is in */
    SMARTS_INSIDE,    /* is the first atom of pattern `value` */
    /* of a bond: */
    SMARTS_ORDER,         /* value 1, 2, 3; not aromatic */
    SMARTS_BOND_AROMATIC, /* it is */
    SMARTS_BOND_RING,
    SMARTS_BOND_PLAIN /* single or aromatic */
};

/* A condition; left and right are numbers of others. */
struct smarts_node {
    enum smarts_what what;
    size_t left, right;
    int value;
};

/* The first bond of an atom goes to one before it; others close rings. */
struct smarts_bond {
    size_t first, second; /* first < second */
    size_t node;
};

/* A pattern, or one inside $(...). */
struct smarts_pattern {
    size_t atom_nodes[BERTH_SMARTS_ATOMS];
    int labels[BERTH_SMARTS_ATOMS];
    struct smarts_bond bonds[2 * BERTH_SMARTS_ATOMS]; /* by second atom */
    size_t atom_count, bond_count;
};

struct berth_smarts {
    char *text;                      /* owned */
    struct smarts_pattern *patterns; /* owned; the first is the whole */
    size_t pattern_count, pattern_capacity;
    struct smarts_node *nodes; /* owned */
    size_t node_count, node_capacity;
};

struct berth_smarts_target {
    const struct berth_molecule *molecule; /* borrowed */
    struct berth_adjacency adjacency;
    struct berth_kekule kekule;
    bool *aromatic;  /* owned; [atom_count] */
    int *ring_sizes; /* owned; [bond_count]: of the smallest ring that the bond is in; 0: none */
    size_t *queue;   /* owned; [atom_count], */
    int *steps;      /* and the same: for looking for rings */
};

#endif
