/* What of a molecule can take part in an interaction: donors and acceptors of hydrogen bonds,
 * charges, flat rings, carbons that avoid water, metals, heavy halogens. */
#ifndef BERTH_CHEM_FEATURES_H
#define BERTH_CHEM_FEATURES_H

#include "chem/facts.h"

enum berth_feature_kind {
    BERTH_FEATURE_DONOR,    /* N or O with a hydrogen */
    BERTH_FEATURE_ACCEPTOR, /* N or O with a lone pair */
    BERTH_FEATURE_CATION,   /* centre of a positive charge, which several atoms may share */
    BERTH_FEATURE_ANION,
    BERTH_FEATURE_RING,   /* flat, of five or six atoms */
    BERTH_FEATURE_APOLAR, /* carbon that is bonded to carbon and hydrogen alone */
    BERTH_FEATURE_METAL,
    BERTH_FEATURE_LIGATOR, /* N, O or S with a lone pair: what binds metals */
    BERTH_FEATURE_HALOGEN  /* Cl, Br or I on carbon */
};

enum { BERTH_FEATURE_ATOMS = 6 };

struct berth_feature {
    enum berth_feature_kind kind;
    size_t atoms[BERTH_FEATURE_ATOMS]; /* of the molecule; the first says which residue it is of */
    size_t count;
    double center[3]; /* Å */
    double normal[3]; /* of a ring's plane, length 1 */
};

/* A feature of that atom alone. */
struct berth_feature berth_feature_of(enum berth_feature_kind kind,
                                      const struct berth_molecule *molecule, size_t atom);

/* Whether the atom is one of the feature's. */
bool berth_feature_has(const struct berth_feature *feature, size_t atom);

/* A molecule and its features. */
struct berth_featured {
    const struct berth_molecule *molecule; /* borrowed */
    struct berth_facts facts; /* traits, and charges where types do not tell them (has_traits) */
    struct berth_feature *features; /* owned */
    size_t count, capacity;
};

/* Finds the features of molecule, which has bonds.  Where it has_traits (a receptor, whose
 * hydrogens are not there) charges follow from its Mol2 types; else its hydrogens must be there.
 * The caller clears *featured.  Errors: those of berth_adjacency_find. */
enum berth_status berth_features_find(const struct berth_molecule *molecule,
                                      struct berth_featured *featured, struct berth_error *error);

void berth_featured_clear(struct berth_featured *featured);

/* The angle donor-hydrogen-acceptor (degrees) of the hydrogen of donor (an atom of featured) that
 * points best to the acceptor's place.  Hydrogens that a bond can turn (hydroxyl, ammonium) are
 * taken to point where they point best; those of a receptor stand where its heavy atoms leave room.
 * taken: bit k: hydrogen number k of those that do not turn is another's.  *hydrogen: the number of
 * the one that points best, BERTH_HYDROGEN_TURNS of those that turn. */
enum { BERTH_HYDROGEN_TURNS = -1 };
double berth_donor_angle(const struct berth_featured *featured, size_t donor, unsigned taken,
                         const double acceptor[3], int *hydrogen);

#endif
