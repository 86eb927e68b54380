#include "chem/rotors.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/adjacency.h"
#include "chem/traits.h"

enum { CARBON = 6, NITROGEN = 7, OXYGEN = 8 };

struct work {
    const struct berth_molecule *molecule;
    struct berth_adjacency adjacency;
    struct berth_traits *traits; /* owned; [atom_count] */
    bool *seen;                  /* owned; [atom_count] */
    uint32_t *queue;             /* owned; [atom_count] */
};

/* A carbon with a double bond to O or N, beside the bond `but`; or between two N of an aromatic
 * ring, one of which it has a double bond to. */
static bool is_acyl(const struct work *work, size_t carbon, size_t but)
{
    size_t aromatic = 0;
    for (size_t k = work->adjacency.start[carbon]; k < work->adjacency.start[carbon + 1]; k++) {
        const size_t bond = work->adjacency.bond[k];
        const int element = work->molecule->atoms[work->adjacency.neighbour[k]].element;
        const char *type = work->molecule->bonds[bond].type;
        if (bond != but && (element == OXYGEN || element == NITROGEN)) {
            aromatic += strcmp(type, "ar") == 0;
            if (strcmp(type, "2") == 0) {
                return true;
            }
        }
    }
    return aromatic > 1;
}

/* A bond between the nitrogen, with three neighbours, and the carbon of an amide or amidine. */
static bool is_amide(const struct work *work, size_t carbon, size_t nitrogen, size_t bond)
{
    const struct berth_atom *atoms = work->molecule->atoms;
    const struct berth_traits *traits = &work->traits[nitrogen];
    return atoms[carbon].element == CARBON && atoms[nitrogen].element == NITROGEN &&
           traits->neighbours + traits->hydrogens == 3 && is_acyl(work, carbon, bond);
}

/* Neighbours but for hydrogens on carbon. */
static size_t degree_of(const struct work *work, size_t atom)
{
    const struct berth_traits *traits = &work->traits[atom];
    return (size_t)traits->neighbours +
           (work->molecule->atoms[atom].element == CARBON ? 0 : traits->hydrogens);
}

/* Is there another way from one atom of the bond to the other? */
static bool is_in_ring(const struct work *work, size_t bond)
{
    const size_t from = work->molecule->bonds[bond].first, to = work->molecule->bonds[bond].second;
    size_t count = 0;
    memset(work->seen, 0, work->molecule->atom_count * sizeof *work->seen);
    work->seen[from] = true;
    work->queue[count++] = (uint32_t)from;
    for (size_t done = 0; done < count && !work->seen[to]; done++) {
        const size_t atom = work->queue[done];
        for (size_t k = work->adjacency.start[atom]; k < work->adjacency.start[atom + 1]; k++) {
            const uint32_t next = work->adjacency.neighbour[k];
            if (work->adjacency.bond[k] != bond && !work->seen[next]) {
                work->seen[next] = true;
                work->queue[count++] = next;
            }
        }
    }
    return work->seen[to];
}

static bool turns(const struct work *work, size_t number)
{
    const struct berth_bond *bond = &work->molecule->bonds[number];
    const struct berth_atom *atoms = work->molecule->atoms;
    return strcmp(bond->type, "1") == 0 && atoms[bond->first].heavy && atoms[bond->second].heavy &&
           degree_of(work, bond->first) > 1 && degree_of(work, bond->second) > 1 &&
           !is_amide(work, bond->first, bond->second, number) &&
           !is_amide(work, bond->second, bond->first, number) && !is_in_ring(work, number);
}

static double count_rotors(const struct work *work)
{
    double rotors = 0;
    for (size_t i = 0; i < work->molecule->bond_count; i++) {
        if (turns(work, i)) {
            const struct berth_bond *bond = &work->molecule->bonds[i];
            rotors += (work->traits[bond->first].neighbours > 1 ? 0.5 : 0) +
                      (work->traits[bond->second].neighbours > 1 ? 0.5 : 0);
        }
    }
    return rotors;
}

enum berth_status berth_rotors_count(const struct berth_molecule *molecule, double *rotors,
                                     struct berth_error *error)
{
    const size_t atoms = molecule->atom_count;
    struct work work = {.molecule = molecule,
                        .traits = berth_alloc(atoms, sizeof *work.traits),
                        .seen = berth_alloc(atoms, sizeof *work.seen),
                        .queue = berth_alloc(atoms, sizeof *work.queue)};
    enum berth_status status = work.traits && work.seen && work.queue
                                   ? berth_adjacency_find(molecule, &work.adjacency, error)
                                   : berth_out_of_memory(error, molecule->title);
    BERTH_THEN(berth_traits_find(molecule, work.traits, error));
    *rotors = status ? 0 : count_rotors(&work);
    berth_adjacency_clear(&work.adjacency);
    free(work.traits);
    free(work.seen);
    free(work.queue);
    return status;
}
