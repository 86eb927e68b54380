#include "prep/contradiction.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { HYDROGEN = 1, CARBON = 6, NITROGEN = 7, OXYGEN = 8, FLUORINE = 9, NEIGHBOURS = 4 };

/* Degrees: a linear atom is not bent by more. */
#define BENT 150.0
/* Å from the plane of its three neighbours: 0 for sp2, 0.5 for sp3. */
#define PYRAMID 0.35
#define FLAT    0.12
/* Å: no single bond between sp3 atoms is shorter (they have 1.53, 1.47 and 1.43). */
#define SHORT_CC 1.42
#define SHORT_CN 1.37
#define SHORT_CO 1.30

/* What an atom's bonds say of it. */
struct bonding {
    double order; /* their sum; aromatic ones count 1.5 */
    int doubles, triples, aromatics, hydrogens;
    size_t heavy[NEIGHBOURS]; /* the first heavy neighbours */
    size_t heavy_count;
};

static void add_bond(struct bonding *bonding, const char *type, const struct berth_atom *other,
                     size_t number)
{
    const bool two = strcmp(type, "2") == 0, three = strcmp(type, "3") == 0;
    const bool aromatic = strcmp(type, "ar") == 0;
    bonding->doubles += two;
    bonding->triples += three;
    bonding->aromatics += aromatic;
    bonding->order += two ? 2 : three ? 3 : aromatic ? 1.5 : 1;
    if (other->element == HYDROGEN) {
        bonding->hydrogens++;
    } else {
        if (bonding->heavy_count < NEIGHBOURS) {
            bonding->heavy[bonding->heavy_count] = number;
        }
        bonding->heavy_count++;
    }
}

/* More bonds than any charge allows, of the elements whose bonds are perceived wrongly. */
static double most_bonds(int element)
{
    switch (element) {
    case HYDROGEN:
    case FLUORINE:
        return 1;
    case CARBON:
        return 4;
    case NITROGEN:
        return 5; /* as files draw nitro groups */
    case OXYGEN:
        return 3;
    default:
        return INFINITY;
    }
}

static double distance(const struct berth_atom *a, const struct berth_atom *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        sum += (a->position[k] - b->position[k]) * (a->position[k] - b->position[k]);
    }
    return sqrt(sum);
}

/* Degrees, at the middle one of three atoms. */
static double angle(const struct berth_atom *a, const struct berth_atom *middle,
                    const struct berth_atom *b)
{
    const double x = distance(a, middle), y = distance(middle, b), z = distance(a, b);
    const double cosine = (x * x + y * y - z * z) / (2 * x * y);
    return acos(fmax(-1, fmin(1, cosine))) * 57.29577951308232;
}

/* Å between an atom and the plane of three others. */
static double height(const struct berth_atom *atoms, const struct berth_atom *atom,
                     const size_t plane[3])
{
    double u[3], v[3], w[3];
    for (int k = 0; k < 3; k++) {
        u[k] = atoms[plane[1]].position[k] - atoms[plane[0]].position[k];
        v[k] = atoms[plane[2]].position[k] - atoms[plane[0]].position[k];
        w[k] = atom->position[k] - atoms[plane[0]].position[k];
    }
    const double normal[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                              u[0] * v[1] - u[1] * v[0]};
    const double length =
        sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    return length > 0 ? fabs(w[0] * normal[0] + w[1] * normal[1] + w[2] * normal[2]) / length : 0;
}

static bool is_saturated(const struct bonding *bonding)
{
    return !bonding->doubles && !bonding->triples && !bonding->aromatics;
}

/* Valence: full says that the molecule has all its hydrogens. */
static void check_valence(const struct berth_molecule *molecule, const struct bonding *bondings,
                          size_t atom, bool full, char text[BERTH_CONTRADICTION_SIZE])
{
    const struct berth_atom *at = &molecule->atoms[atom];
    const struct bonding *bonding = &bondings[atom];
    /* aromatic carbons at which rings meet have three bonds of 1.5 */
    const double order = bonding->order - (bonding->aromatics == 3 ? 0.5 : 0);
    if (order > most_bonds(at->element) + 0.25) {
        snprintf(text, BERTH_CONTRADICTION_SIZE, "atom %zu (%s) has bonds of order %g in all",
                 atom + 1, at->name, order);
    } else if (full && at->element == CARBON && order < 3.75) {
        snprintf(text, BERTH_CONTRADICTION_SIZE, "atom %zu (%s) lacks a hydrogen, or a double bond",
                 atom + 1, at->name);
    }
}

static void check_shape(const struct berth_molecule *molecule, const struct bonding *bondings,
                        size_t atom, char text[BERTH_CONTRADICTION_SIZE])
{
    const struct berth_atom *atoms = molecule->atoms, *at = &atoms[atom];
    const struct bonding *bonding = &bondings[atom];
    const bool linear = bonding->triples > 0 || bonding->doubles > 1;
    if (linear && bonding->heavy_count == 2) {
        const double bent = angle(&atoms[bonding->heavy[0]], at, &atoms[bonding->heavy[1]]);
        if (bent < BENT) {
            snprintf(text, BERTH_CONTRADICTION_SIZE,
                     "atom %zu (%s) is linear by its bonds, and bent (%.0f degrees) in the file",
                     atom + 1, at->name, bent);
        }
    } else if (at->element == CARBON && bonding->heavy_count == 3) {
        const double above = height(atoms, at, bonding->heavy);
        const bool saturated = is_saturated(bonding);
        if (saturated ? above < FLAT : above > PYRAMID) {
            snprintf(text, BERTH_CONTRADICTION_SIZE,
                     "atom %zu (%s) is %s by its bonds, and %s in the file", atom + 1, at->name,
                     saturated ? "tetrahedral" : "flat", saturated ? "flat" : "a pyramid");
        }
    }
}

static void check_length(const struct berth_molecule *molecule, const struct bonding *bondings,
                         const struct berth_bond *bond, char text[BERTH_CONTRADICTION_SIZE])
{
    const struct berth_atom *a = &molecule->atoms[bond->first], *b = &molecule->atoms[bond->second];
    if (a->element != CARBON || !is_saturated(&bondings[bond->first]) ||
        !is_saturated(&bondings[bond->second])) {
        return;
    }
    const double least = b->element == CARBON && a->element == CARBON ? SHORT_CC
                         : b->element == NITROGEN                     ? SHORT_CN
                         : b->element == OXYGEN                       ? SHORT_CO
                                                                      : 0;
    const double length = distance(a, b);
    /* nitrogen and oxygen conjugate with what is next to them: only sp3 carbons tell */
    if (length < least) {
        snprintf(text, BERTH_CONTRADICTION_SIZE,
                 "the single bond of atoms %zu (%s) and %zu (%s) is %.2f Å long", bond->first + 1,
                 a->name, bond->second + 1, b->name, length);
    }
}

/* True where a carbon has hydrogens: then all have theirs (PDBQT has those of N, O and S alone). */
static bool has_all_hydrogens(const struct berth_molecule *molecule, const struct bonding *bondings)
{
    for (size_t i = 0; i < molecule->atom_count; i++) {
        if (molecule->atoms[i].element == CARBON && bondings[i].hydrogens) {
            return true;
        }
    }
    return false;
}

enum berth_status berth_contradiction_find(const struct berth_molecule *molecule,
                                           char text[BERTH_CONTRADICTION_SIZE],
                                           struct berth_error *error)
{
    struct bonding *bondings = berth_alloc(molecule->atom_count + 1, sizeof *bondings);
    *text = '\0';
    if (!bondings) {
        return berth_out_of_memory(error, NULL);
    }
    memset(bondings, 0, (molecule->atom_count + 1) * sizeof *bondings);
    for (size_t i = 0; i < molecule->bond_count; i++) {
        const struct berth_bond *bond = &molecule->bonds[i];
        add_bond(&bondings[bond->first], bond->type, &molecule->atoms[bond->second], bond->second);
        add_bond(&bondings[bond->second], bond->type, &molecule->atoms[bond->first], bond->first);
    }
    const bool full = has_all_hydrogens(molecule, bondings);
    for (size_t i = 0; !*text && i < molecule->atom_count; i++) {
        check_valence(molecule, bondings, i, full, text);
    }
    for (size_t i = 0; !*text && i < molecule->atom_count; i++) {
        check_shape(molecule, bondings, i, text);
    }
    for (size_t i = 0; !*text && i < molecule->bond_count; i++) {
        const struct berth_bond *bond = &molecule->bonds[i], back = {bond->second, bond->first, ""};
        check_length(molecule, bondings, bond, text);
        if (!*text) {
            check_length(molecule, bondings, &back, text);
        }
    }
    free(bondings);
    return BERTH_OK;
}
