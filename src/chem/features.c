#include "chem/features.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "chem/vectors.h"

/* Å that an atom of a flat ring may lie beside its plane. */
#define FLAT 0.15

struct berth_feature berth_feature_of(enum berth_feature_kind kind,
                                      const struct berth_molecule *molecule, size_t atom)
{
    struct berth_feature feature = {.kind = kind, .atoms = {atom}, .count = 1};
    memcpy(feature.center, molecule->atoms[atom].position, sizeof feature.center);
    return feature;
}

bool berth_feature_has(const struct berth_feature *feature, size_t atom)
{
    for (size_t i = 0; i < feature->count; i++) {
        if (feature->atoms[i] == atom) {
            return true;
        }
    }
    return false;
}

/* --- Neighbours --- */

static size_t degree(const struct berth_featured *featured, size_t atom)
{
    return berth_degree(&featured->facts.adjacency, atom);
}

/* The k-th atom that it is bonded to. */
static size_t neighbour(const struct berth_featured *featured, size_t atom, size_t k)
{
    return featured->facts.adjacency.neighbour[featured->facts.adjacency.start[atom] + k];
}

static int element(const struct berth_featured *featured, size_t atom)
{
    return featured->molecule->atoms[atom].element;
}

static const double *position(const struct berth_featured *featured, size_t atom)
{
    return featured->molecule->atoms[atom].position;
}

static bool has_type(const struct berth_featured *featured, size_t atom, const char *type)
{
    return strcmp(featured->molecule->atoms[atom].type, type) == 0;
}

static size_t count_element(const struct berth_featured *featured, size_t atom, int wanted)
{
    size_t count = 0;
    for (size_t k = 0; k < degree(featured, atom); k++) {
        count += element(featured, neighbour(featured, atom, k)) == wanted;
    }
    return count;
}

static void find_center(const struct berth_featured *featured, struct berth_feature *feature)
{
    memset(feature->center, 0, sizeof feature->center);
    for (size_t i = 0; i < feature->count; i++) {
        berth_add_scaled(feature->center, 1.0 / (double)feature->count,
                         position(featured, feature->atoms[i]), feature->center);
    }
}

/* --- Single atoms --- */

static enum berth_status add_feature(struct berth_featured *featured,
                                     const struct berth_feature *feature, struct berth_error *error)
{
    BERTH_TRY(berth_reserve(&featured->features, &featured->capacity, featured->count + 1,
                            sizeof *featured->features, error));
    featured->features[featured->count++] = *feature;
    return BERTH_OK;
}

static bool is_halogen(const struct berth_featured *featured, size_t atom)
{
    const int e = element(featured, atom);
    return (e == CHLORINE || e == BROMINE || e == IODINE) && degree(featured, atom) == 1 &&
           count_element(featured, atom, CARBON) == 1;
}

static bool is_terminal_oxygen(const struct berth_featured *featured, size_t atom)
{
    const int e = element(featured, atom);
    return (e == OXYGEN || e == SULFUR) && degree(featured, atom) == 1;
}

/* The lone pair of a nitrogen with three neighbours is shared with S=O or P=O, as in sulfonamides.
 */
static bool is_beside_oxide(const struct berth_featured *featured, size_t nitrogen)
{
    const struct berth_traits *traits = &featured->facts.traits[nitrogen];
    bool beside = false;
    for (size_t k = 0; k < degree(featured, nitrogen); k++) {
        const size_t middle = neighbour(featured, nitrogen, k);
        const bool may =
            element(featured, middle) == SULFUR || element(featured, middle) == PHOSPHORUS;
        for (size_t i = 0; may && i < degree(featured, middle); i++) {
            beside = beside || is_terminal_oxygen(featured, neighbour(featured, middle, i));
        }
    }
    return beside && traits->neighbours + traits->hydrogens == 3;
}

/* Those of the scoring functions, which have a sulfonamide's nitrogen among them, without it. */
static bool is_acceptor(const struct berth_featured *featured, size_t atom)
{
    const int e = element(featured, atom);
    return featured->facts.traits[atom].acceptor &&
           (e == OXYGEN || (e == NITROGEN && !is_beside_oxide(featured, atom)));
}

static bool is_ligator(const struct berth_featured *featured, size_t atom)
{
    return featured->facts.traits[atom].acceptor ||
           (element(featured, atom) == SULFUR && degree(featured, atom) <= 2);
}

static enum berth_status add_single(struct berth_featured *featured, size_t atom,
                                    struct berth_error *error)
{
    const struct berth_traits *traits = &featured->facts.traits[atom];
    const bool polar = element(featured, atom) == NITROGEN || element(featured, atom) == OXYGEN;
    const struct {
        bool is;
        enum berth_feature_kind kind;
    } KINDS[] = {{polar && traits->hydrogens, BERTH_FEATURE_DONOR},
                 {is_acceptor(featured, atom), BERTH_FEATURE_ACCEPTOR},
                 {is_ligator(featured, atom), BERTH_FEATURE_LIGATOR},
                 {element(featured, atom) == CARBON && !traits->hetero, BERTH_FEATURE_APOLAR},
                 {berth_is_metal(element(featured, atom)), BERTH_FEATURE_METAL},
                 {is_halogen(featured, atom), BERTH_FEATURE_HALOGEN}};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < sizeof KINDS / sizeof *KINDS; i++) {
        if (KINDS[i].is) {
            const struct berth_feature feature =
                berth_feature_of(KINDS[i].kind, featured->molecule, atom);
            status = add_feature(featured, &feature, error);
        }
    }
    return status;
}

/* --- Charges --- */

/* What the hydrogens say, or, of a receptor, the type. */
static int charge(const struct berth_featured *featured, size_t atom)
{
    return featured->facts.charges             ? featured->facts.charges[atom]
           : has_type(featured, atom, "N.4")   ? 1
           : has_type(featured, atom, "O.co2") ? -1
                                               : 0;
}

/* A neighbour has the opposite charge, as in nitro groups: no ion. */
static bool is_balanced(const struct berth_featured *featured, size_t atom)
{
    const int own = charge(featured, atom);
    for (size_t k = 0; k < degree(featured, atom); k++) {
        if (own * charge(featured, neighbour(featured, atom, k)) < 0) {
            return true;
        }
    }
    return false;
}

/* The charge of a guanidinium, amidinium or imidazolium: all nitrogens of the carbon bear
 * hydrogens or other atoms, and one of them would be N+. */
static bool is_amidinium(const struct berth_featured *featured, size_t carbon)
{
    size_t nitrogens = 0, protonated = 0, charged = 0;
    if (element(featured, carbon) != CARBON || count_element(featured, carbon, OXYGEN)) {
        return false;
    }
    for (size_t k = 0; k < degree(featured, carbon); k++) {
        const size_t atom = neighbour(featured, carbon, k);
        if (element(featured, atom) == NITROGEN) {
            nitrogens++;
            protonated += featured->facts.traits[atom].hydrogens > 0;
            charged += charge(featured, atom) > 0 && !is_balanced(featured, atom) &&
                       degree(featured, atom) < 4;
        }
    }
    return nitrogens > 1 && (featured->facts.charges ? charged > 0 : protonated == nitrogens);
}

static bool is_of_amidinium(const struct berth_featured *featured, size_t nitrogen)
{
    for (size_t k = 0; k < degree(featured, nitrogen); k++) {
        if (is_amidinium(featured, neighbour(featured, nitrogen, k))) {
            return true;
        }
    }
    return false;
}

/* Atoms about `middle` that share its charge: those that `shares` says. */
static enum berth_status add_shared(struct berth_featured *featured, enum berth_feature_kind kind,
                                    size_t middle, struct berth_error *error)
{
    struct berth_feature feature = {.kind = kind};
    for (size_t k = 0; k < degree(featured, middle); k++) {
        const size_t atom = neighbour(featured, middle, k);
        const bool shares = kind == BERTH_FEATURE_ANION ? is_terminal_oxygen(featured, atom)
                                                        : element(featured, atom) == NITROGEN;
        if (shares && feature.count < BERTH_FEATURE_ATOMS) {
            feature.atoms[feature.count++] = atom;
        }
    }
    /* a carboxylate's charge lies between its oxygens, others' about the atom in the middle */
    if (kind == BERTH_FEATURE_ANION && element(featured, middle) == CARBON) {
        find_center(featured, &feature);
    } else {
        memcpy(feature.center, position(featured, middle), sizeof feature.center);
    }
    return add_feature(featured, &feature, error);
}

/* The atom whose terminal oxygens share a negative charge. */
static bool is_acid(const struct berth_featured *featured, size_t middle)
{
    const int e = element(featured, middle);
    for (size_t k = 0;
         (e == CARBON || e == PHOSPHORUS || e == SULFUR) && k < degree(featured, middle); k++) {
        const size_t atom = neighbour(featured, middle, k);
        if (is_terminal_oxygen(featured, atom) && charge(featured, atom) < 0 &&
            !is_balanced(featured, atom)) {
            return true;
        }
    }
    return false;
}

static enum berth_status add_charge(struct berth_featured *featured, size_t atom,
                                    struct berth_error *error)
{
    if (is_amidinium(featured, atom)) {
        return add_shared(featured, BERTH_FEATURE_CATION, atom, error);
    }
    if (is_acid(featured, atom)) {
        return add_shared(featured, BERTH_FEATURE_ANION, atom, error);
    }
    const int own = berth_is_metal(element(featured, atom)) ? 0 : charge(featured, atom);
    if (!own || is_balanced(featured, atom) || is_of_amidinium(featured, atom) ||
        (is_terminal_oxygen(featured, atom) && is_acid(featured, neighbour(featured, atom, 0)))) {
        return BERTH_OK;
    }
    const struct berth_feature feature = berth_feature_of(
        own > 0 ? BERTH_FEATURE_CATION : BERTH_FEATURE_ANION, featured->molecule, atom);
    return add_feature(featured, &feature, error);
}

/* --- Rings --- */

/* An atom that a flat ring may have: by its Mol2 type, or, where that is an element, by its bonds.
 */
static bool may_be_flat(const struct berth_featured *featured, size_t atom)
{
    static const char TYPES[] = "C.ar C.2 C.cat N.ar N.2 N.pl3 N.pl N.plc N.am O.2 O.3 S.2 S.3";
    const struct berth_atom *this = &featured->molecule->atoms[atom];
    if (strchr(this->type, '.')) {
        return berth_text_lists(TYPES, ' ', this->type);
    }
    const size_t bonds = degree(featured, atom);
    return (this->element == CARBON && bonds == 3) || (this->element == NITROGEN && bonds <= 3) ||
           ((this->element == OXYGEN || this->element == SULFUR) && bonds == 2);
}

/* The plane of a ring, by the sum of the cross products about its centre; false where an atom lies
 * beside it. */
static bool find_plane(const struct berth_featured *featured, struct berth_feature *ring)
{
    memset(ring->normal, 0, sizeof ring->normal);
    find_center(featured, ring);
    for (size_t i = 0; i < ring->count; i++) {
        double u[3], v[3], product[3];
        berth_add_scaled(position(featured, ring->atoms[i]), -1, ring->center, u);
        berth_add_scaled(position(featured, ring->atoms[(i + 1) % ring->count]), -1, ring->center,
                         v);
        berth_cross(u, v, product);
        berth_add_scaled(ring->normal, 1, product, ring->normal);
    }
    berth_normalise(ring->normal);
    for (size_t i = 0; i < ring->count; i++) {
        double u[3];
        berth_add_scaled(position(featured, ring->atoms[i]), -1, ring->center, u);
        if (!(fabs(berth_dot(u, ring->normal)) <= FLAT)) {
            return false;
        }
    }
    return true;
}

/* Where rings go. */
struct ringed {
    struct berth_featured *featured;
    enum berth_status *status;
    struct berth_error *error;
};

static bool may_be_of_ring(const void *context, size_t atom, size_t bond)
{
    const struct berth_featured *featured = ((const struct ringed *)context)->featured;
    (void)bond;
    return berth_is_of_ring_degree(&featured->facts.adjacency, atom) && may_be_flat(featured, atom);
}

/* Adds a flat ring, in one of both directions. */
static bool take_ring(const void *context, const struct berth_ring *ring)
{
    const struct ringed *ringed = context;
    struct berth_feature feature = {.kind = BERTH_FEATURE_RING, .count = ring->count};
    memcpy(feature.atoms, ring->atoms, ring->count * sizeof *ring->atoms);
    if (ring->atoms[1] < ring->atoms[ring->count - 1] && find_plane(ringed->featured, &feature)) {
        *ringed->status = add_feature(ringed->featured, &feature, ringed->error);
    }
    return !*ringed->status;
}

/* --- Charges of rings --- */

/* A nitrogen whose lone pair lies in the plane of its ring, where a negative charge of that is. */
static bool shares_ring_charge(const struct berth_featured *featured, size_t atom)
{
    return element(featured, atom) == NITROGEN && degree(featured, atom) == 2 &&
           featured->facts.traits[atom].hydrogens == 0;
}

/* The nitrogens of an azolate (tetrazolate, imidazolate) share its charge, whichever has it as
 * drawn. */
static void share_charge(const struct berth_featured *featured, const struct berth_feature *ring,
                         struct berth_feature *anion)
{
    const bool drawn = ring->count == 5 && anion->count == 1 &&
                       berth_feature_has(ring, anion->atoms[0]) &&
                       shares_ring_charge(featured, anion->atoms[0]);
    if (!drawn) {
        return;
    }
    anion->count = 0;
    for (size_t k = 0; k < ring->count; k++) {
        if (shares_ring_charge(featured, ring->atoms[k])) {
            anion->atoms[anion->count++] = ring->atoms[k];
        }
    }
    find_center(featured, anion);
}

/* Of all rings and anions that were found. */
static void share_charges(struct berth_featured *featured)
{
    for (size_t i = 0; i < featured->count; i++) {
        const struct berth_feature *ring = &featured->features[i];
        for (size_t j = 0; ring->kind == BERTH_FEATURE_RING && j < featured->count; j++) {
            if (featured->features[j].kind == BERTH_FEATURE_ANION) {
                share_charge(featured, ring, &featured->features[j]);
            }
        }
    }
}

/* --- All --- */

enum berth_status berth_features_find(const struct berth_molecule *molecule,
                                      struct berth_featured *featured, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    const struct ringed ringed = {featured, &status, error};
    const struct berth_ring_search rings = {
        &featured->facts.adjacency, 5, BERTH_FEATURE_ATOMS, may_be_of_ring, take_ring, &ringed};
    *featured = (struct berth_featured){.molecule = molecule};
    status = berth_facts_find(
        molecule, BERTH_FACT_TRAITS | (molecule->has_traits ? 0u : (unsigned)BERTH_FACT_ORDERS),
        &featured->facts, error);
    for (size_t i = 0; !status && i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy) {
            status = add_single(featured, i, error);
            BERTH_THEN(add_charge(featured, i, error));
            if (!status && may_be_flat(featured, i)) {
                berth_rings_behind(&rings, i);
            }
        }
    }
    share_charges(featured);
    return status;
}

void berth_featured_clear(struct berth_featured *featured)
{
    berth_facts_clear(&featured->facts);
    free(featured->features);
    memset(featured, 0, sizeof *featured);
}

/* --- Where hydrogens are --- */

/* Å from a donor to its hydrogen, and degrees between a bond that turns and the one to the
 * hydrogen. */
#define BOND 1.0
#define CONE 109.5

static const double HALF_TETRAHEDRAL = 54.75 * 3.14159265358979323846 / 180;

/* What a donor's best hydrogen is looked for among. */
struct hydrogens {
    const double *donor, *acceptor;
    unsigned taken; /* bit k: number k is not looked at */
    double best;    /* degrees */
    int hydrogen;   /* whose it is */
    int count;      /* of those that were tried, or passed over */
};

static void try_hydrogen(struct hydrogens *search, const double direction[3])
{
    const int number = search->count++;
    double place[3];
    berth_add_scaled(search->donor, BOND, direction, place);
    const double angle = berth_angle_at(search->donor, place, search->acceptor);
    if (!(search->taken >> number & 1) && angle > search->best) {
        search->best = angle;
        search->hydrogen = number;
    }
}

/* The hydrogen turns about axis: its place is in the plane of axis and acceptor. */
static void try_cone(struct hydrogens *search, const double axis[3])
{
    const double turn = (180 - CONE) * 3.14159265358979323846 / 180;
    double to[3], side[3], direction[3] = {0};
    berth_direction(search->donor, search->acceptor, to);
    berth_add_scaled(to, -berth_dot(to, axis), axis, side);
    berth_normalise(side);
    berth_add_scaled(direction, cos(turn), axis, direction);
    berth_add_scaled(direction, sin(turn), side, direction);
    try_hydrogen(search, direction);
}

/* Both hydrogens of a flat NH2 at atom `next`: in the plane of its bonds. */
static void try_flat(struct hydrogens *search, const struct berth_featured *featured, size_t donor,
                     size_t next, const double axis[3])
{
    for (size_t k = 0; k < degree(featured, next); k++) {
        const size_t other = neighbour(featured, next, k);
        double along[3], across[3], mirrored[3];
        if (other == donor || element(featured, other) == HYDROGEN) {
            continue;
        }
        berth_direction(position(featured, other), position(featured, next), along);
        berth_add_scaled(along, -berth_dot(along, axis), axis, across);
        berth_add_scaled(along, -2, across, mirrored);
        try_hydrogen(search, along);
        try_hydrogen(search, mirrored);
        return;
    }
}

/* Away from the neighbours, whose directions sum up to `sum`; one of two that a flat amine does not
 * have lies above and one below. */
static void try_opposite(struct hydrogens *search, const double sum[3], const double across[3],
                         bool two)
{
    double back[3] = {0}, direction[3];
    berth_add_scaled(back, -1, sum, back);
    berth_normalise(back);
    if (!two) {
        try_hydrogen(search, back);
        return;
    }
    for (int sign = -1; sign <= 1; sign += 2) {
        const double zero[3] = {0};
        berth_add_scaled(zero, cos(HALF_TETRAHEDRAL), back, direction);
        berth_add_scaled(direction, sign * sin(HALF_TETRAHEDRAL), across, direction);
        try_hydrogen(search, direction);
    }
}

/* A nitrogen whose bond to its one neighbour does not turn: amides, guanidinium, anilines. */
static bool is_flat_amine(const struct berth_featured *featured, size_t donor, size_t next)
{
    return element(featured, donor) == NITROGEN &&
           (featured->molecule->has_traits
                ? berth_text_lists("N.am N.pl3 N.pl N.plc N.2 N.ar", ' ',
                                   featured->molecule->atoms[donor].type)
                : degree(featured, donor) == 3 && may_be_flat(featured, next));
}

double berth_donor_angle(const struct berth_featured *featured, size_t donor, unsigned taken,
                         const double acceptor[3], int *hydrogen)
{
    struct hydrogens search = {
        .donor = position(featured, donor), .acceptor = acceptor, .taken = taken};
    double sum[3] = {0}, across[3] = {0}, axis[3] = {0};
    size_t heavy = 0, next = 0;
    for (size_t k = 0; k < degree(featured, donor); k++) {
        const size_t atom = neighbour(featured, donor, k);
        double to[3];
        berth_direction(search.donor, position(featured, atom), to);
        if (element(featured, atom) == HYDROGEN) {
            try_hydrogen(&search, to);
            continue;
        }
        berth_cross(axis, to, across);
        memcpy(axis, to, sizeof axis);
        berth_add_scaled(sum, 1, to, sum);
        heavy++;
        next = atom;
    }
    berth_normalise(across);
    berth_direction(sum, (const double[3]){0}, axis);
    *hydrogen = BERTH_HYDROGEN_TURNS;
    if (heavy == 0) {
        return 180; /* water, ammonium: it turns as it likes */
    }
    if (heavy == 1 && !is_flat_amine(featured, donor, next)) {
        search.taken = 0;
        try_cone(&search, axis);
        return search.best;
    }
    if (!search.count && heavy == 1) {
        try_flat(&search, featured, donor, next, axis);
    } else if (!search.count) {
        try_opposite(&search, sum, across,
                     heavy == 2 && featured->facts.traits[donor].hydrogens == 2);
    }
    *hydrogen = search.hydrogen;
    return search.best;
}
