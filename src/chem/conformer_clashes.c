#include "chem/conformer_clashes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/adjacency.h"
#include "chem/radii.h"

enum { NEAR_BONDS = 3, HYDROGEN = 1, NITROGEN = 7, OXYGEN = 8 };

/* Two atoms may come this close, as a part of the sum of their van der Waals radii: hydrogen bonds
 * and a pose's tight corners are allowed. */
static const double CLOSEST = 0.8;

/* Number of bonds from `from` to each atom, up to NEAR_BONDS; 255 beyond. */
static void count_bonds(const struct berth_adjacency *adjacency, size_t atoms, size_t from,
                        unsigned char *bonds)
{
    memset(bonds, 255, atoms);
    bonds[from] = 0;
    for (unsigned char round = 0; round < NEAR_BONDS; round++) {
        for (size_t i = 0; i < atoms; i++) {
            for (size_t k = adjacency->start[i]; bonds[i] == round && k < adjacency->start[i + 1];
                 k++) {
                unsigned char *reached = &bonds[adjacency->neighbour[k]];
                *reached = *reached < round + 1 ? *reached : (unsigned char)(round + 1);
            }
        }
    }
}

/* Numbers the rigid parts: atoms in one part are never moved against each other. */
static void find_parts(const struct berth_torsion_tree *tree, uint32_t *part)
{
    /* bonds nearer to the root come first, so the last one that moves an atom is its own */
    for (size_t t = 0; t < tree->count; t++) {
        const struct berth_torsion *torsion = &tree->torsions[t];
        part[torsion->second] = (uint32_t)t + 1;
        for (size_t i = 0; i < torsion->moved_count; i++) {
            part[tree->moved[torsion->moved_start + i]] = (uint32_t)t + 1;
        }
    }
}

/* A hydrogen and a nitrogen or oxygen: a hydrogen bond, as likely as not. */
static bool may_bond(const struct berth_molecule *molecule, size_t i, size_t j)
{
    const int a = molecule->atoms[i].element, b = molecule->atoms[j].element;
    return (a == HYDROGEN && (b == NITROGEN || b == OXYGEN)) ||
           (b == HYDROGEN && (a == NITROGEN || a == OXYGEN));
}

static enum berth_status find(const struct berth_molecule *molecule,
                              const struct berth_adjacency *adjacency, const uint32_t *part,
                              struct berth_clashes *clashes, struct berth_error *error)
{
    const size_t atoms = molecule->atom_count;
    unsigned char *bonds = berth_alloc(atoms, 1);
    enum berth_status status = bonds ? BERTH_OK : berth_out_of_memory(error, molecule->title);
    for (size_t i = 0; !status && i < atoms; i++) {
        count_bonds(adjacency, atoms, i, bonds);
        for (size_t j = 0; !status && j < i; j++) {
            if (bonds[j] != 255 || part[i] == part[j] || may_bond(molecule, i, j)) {
                continue;
            }
            status = berth_reserve(&clashes->pairs, &clashes->capacity, clashes->count + 1,
                                   sizeof *clashes->pairs, error);
            if (!status) {
                const double nearest = CLOSEST * (berth_vdw_radius(molecule->atoms[i].element) +
                                                  berth_vdw_radius(molecule->atoms[j].element));
                clashes->pairs[clashes->count++] =
                    (struct berth_clash_pair){(uint32_t)i, (uint32_t)j, nearest * nearest};
            }
        }
    }
    free(bonds);
    return status;
}

enum berth_status berth_clashes_find(const struct berth_molecule *molecule,
                                     const struct berth_torsion_tree *tree,
                                     struct berth_clashes *clashes, struct berth_error *error)
{
    memset(clashes, 0, sizeof *clashes);
    struct berth_adjacency adjacency = {0};
    uint32_t *part = berth_alloc(molecule->atom_count, sizeof *part);
    enum berth_status status = part ? berth_adjacency_find(molecule, &adjacency, error)
                                    : berth_out_of_memory(error, molecule->title);
    if (!status) {
        find_parts(tree, part);
        status = find(molecule, &adjacency, part, clashes, error);
    }
    berth_adjacency_clear(&adjacency);
    free(part);
    return status;
}

double berth_clash(const struct berth_clashes *clashes, const double (*positions)[3])
{
    double sum = 0;
    for (size_t i = 0; i < clashes->count; i++) {
        const struct berth_clash_pair *pair = &clashes->pairs[i];
        const double *a = positions[pair->first], *b = positions[pair->second];
        const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
        const double square = x * x + y * y + z * z;
        sum += square < pair->nearest ? pair->nearest - square : 0;
    }
    return sum;
}

void berth_clashes_clear(struct berth_clashes *clashes)
{
    if (clashes) {
        free(clashes->pairs);
        memset(clashes, 0, sizeof *clashes);
    }
}
