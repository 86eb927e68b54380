#include "chem/type_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "chem/bonds.h"
#include "chem/localise.h"

enum { ROUNDS_MAX = 64 };

struct graph {
    const struct berth_molecule *molecule;
    struct berth_adjacency adjacency;
};

static int element_of(const struct graph *graph, size_t atom)
{
    return graph->molecule->atoms[atom].element;
}

static size_t degree_of(const struct graph *graph, size_t atom)
{
    return berth_degree(&graph->adjacency, atom);
}

/* Bonds to heavy atoms; a metal near by is no bond. */
static size_t heavy_degree(const struct graph *graph, size_t atom)
{
    size_t count = 0;
    BERTH_EACH_BOND (i, &graph->adjacency, atom) {
        const int element = element_of(graph, graph->adjacency.neighbour[i]);
        count += element != HYDROGEN && !berth_is_metal(element);
    }
    return count;
}

static bool may_be_aromatic(const void *context, size_t atom, size_t bond)
{
    const struct graph *graph = context;
    return strcmp(graph->molecule->bonds[bond].type, "ar") == 0 &&
           berth_is_of_ring_degree(&graph->adjacency, atom);
}

static bool is_in_ring(const struct graph *graph, size_t atom, size_t size)
{
    const struct berth_ring_search search = {.adjacency = &graph->adjacency,
                                             .least = size,
                                             .most = size,
                                             .may = may_be_aromatic,
                                             .context = graph};
    return berth_rings_about(&search, atom);
}

/* Bonds from the atom to oxygens that have no other heavy neighbour. */
static size_t terminal_oxygens(const struct graph *graph, size_t atom)
{
    size_t count = 0;
    BERTH_EACH_BOND (i, &graph->adjacency, atom) {
        count += element_of(graph, graph->adjacency.neighbour[i]) == OXYGEN &&
                 heavy_degree(graph, graph->adjacency.neighbour[i]) == 1;
    }
    return count;
}

static bool is_beside_carbonyl(const struct graph *graph, size_t atom)
{
    BERTH_EACH_BOND (i, &graph->adjacency, atom) {
        if (element_of(graph, graph->adjacency.neighbour[i]) == CARBON &&
            terminal_oxygens(graph, graph->adjacency.neighbour[i])) {
            return true;
        }
    }
    return false;
}

/* The heavy neighbour of an oxygen that has but one; the atom itself where it is none such. */
static size_t holder_of(const struct graph *graph, size_t atom)
{
    if (element_of(graph, atom) == OXYGEN && heavy_degree(graph, atom) == 1) {
        BERTH_EACH_BOND (i, &graph->adjacency, atom) {
            const int element = element_of(graph, graph->adjacency.neighbour[i]);
            if (element != HYDROGEN && !berth_is_metal(element)) {
                return graph->adjacency.neighbour[i];
            }
        }
    }
    return atom;
}

/* An oxygen of a phosphate, sulfate, sulfonate or sulfinate; a sulfone's is none. */
static bool is_acid_oxygen(const struct graph *graph, size_t atom)
{
    const size_t holder = holder_of(graph, atom), oxygens = terminal_oxygens(graph, holder);
    return (element_of(graph, holder) == PHOSPHORUS && oxygens > 1) ||
           (element_of(graph, holder) == SULFUR &&
            (oxygens > 2 || (oxygens == 2 && heavy_degree(graph, holder) == 3)));
}

static bool is_nitro_oxygen(const struct graph *graph, size_t atom)
{
    const size_t holder = holder_of(graph, atom);
    return element_of(graph, holder) == NITROGEN && terminal_oxygens(graph, holder) == 2;
}

static bool is_beside_sulfone(const struct graph *graph, size_t atom)
{
    BERTH_EACH_BOND (i, &graph->adjacency, atom) {
        const char *type = graph->molecule->atoms[graph->adjacency.neighbour[i]].type;
        if (strcmp(type, "S.O2") == 0 || strcmp(type, "S.o2") == 0) {
            return true;
        }
    }
    return false;
}

/* The right type, or NULL where the atom has it. */
static const char *right_type(const struct graph *graph, size_t atom)
{
    const char *type = graph->molecule->atoms[atom].type;
    if (element_of(graph, atom) == IRON) {
        return "Fe.2";
    }
    if (is_in_ring(graph, atom, 5) && !is_in_ring(graph, atom, 6)) {
        return berth_localised_type(element_of(graph, atom), degree_of(graph, atom));
    }
    if (strcmp(type, "N.ar") == 0 && degree_of(graph, atom) == 3) {
        return is_beside_carbonyl(graph, atom) ? "N.am" : "N.pl3";
    }
    if (strcmp(type, "N.2") == 0 && degree_of(graph, atom) == 3) {
        return "N.pl3"; /* no lone pair is left: amidinium and its like */
    }
    if (element_of(graph, atom) == OXYGEN && is_acid_oxygen(graph, atom)) {
        return "O.co2";
    }
    if (element_of(graph, atom) == OXYGEN && is_nitro_oxygen(graph, atom)) {
        return "O.2";
    }
    if (strcmp(type, "O.2") == 0 && degree_of(graph, atom) == 2) {
        return "O.3";
    }
    if (strcmp(type, "S.O2") == 0) {
        return "S.o2";
    }
    if ((strcmp(type, "N.3") == 0 || strcmp(type, "N.am") == 0) && is_beside_sulfone(graph, atom)) {
        return "N.pl3";
    }
    return NULL;
}

/* --- Equal types for atoms that only the drawing tells apart --- */

/* Of two types the one that says more of a delocalised group; the first in the alphabet where
 * neither is in the list. */
static const char *preferred(const char *a, const char *b)
{
    static const char *const FIRST[] = {"O.co2", "N.pl3", "C.cat", "N.ar", "C.ar", "S.2"};
    for (size_t i = 0; i < sizeof FIRST / sizeof *FIRST; i++) {
        if (strcmp(a, FIRST[i]) == 0 || strcmp(b, FIRST[i]) == 0) {
            return FIRST[i];
        }
    }
    return strcmp(a, b) < 0 ? a : b;
}

static uint64_t mix(uint64_t word)
{
    return berth_random_bits(&word);
}

/* Classes of atoms by what they are bonded to, near and far, whatever the orders of the bonds:
 * classes[count] from elements, refined by those of the neighbours until nothing can change. */
static void classify(const struct graph *graph, uint64_t *classes, uint64_t *next)
{
    const size_t count = graph->molecule->atom_count;
    for (size_t i = 0; i < count; i++) {
        classes[i] = mix((uint64_t)element_of(graph, i));
    }
    for (size_t round = 0; round < count && round < ROUNDS_MAX; round++) {
        for (size_t i = 0; i < count; i++) {
            next[i] = 3 * classes[i];
            BERTH_EACH_BOND (k, &graph->adjacency, i) {
                next[i] += mix(classes[graph->adjacency.neighbour[k]]);
            }
        }
        for (size_t i = 0; i < count; i++) {
            classes[i] = mix(next[i]);
        }
    }
}

/* Finds all types, [atom_count], before the first one is changed. */
static enum berth_status find_types(const struct graph *graph, const char **types,
                                    struct berth_error *error)
{
    const struct berth_molecule *molecule = graph->molecule;
    uint64_t *classes;
    BERTH_TRY(
        berth_make(&classes, 2 * molecule->atom_count, sizeof *classes, molecule->title, error));
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const char *right = molecule->atoms[i].heavy ? right_type(graph, i) : NULL;
        types[i] = right ? right : molecule->atoms[i].type;
    }
    classify(graph, classes, classes + molecule->atom_count);
    /* Gives atoms of one class one type: which of a group's equivalent atoms was drawn with the
     * double bond or the charge says nothing about them. */
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const char *type = types[i];
        for (size_t j = 0; molecule->atoms[i].heavy && j < molecule->atom_count; j++) {
            if (classes[j] == classes[i] && strcmp(types[j], type) != 0) {
                type = preferred(type, types[j]);
            }
        }
        for (size_t j = 0; type != types[i] && j < molecule->atom_count; j++) {
            types[j] = classes[j] == classes[i] && j != i ? type : types[j];
        }
        types[i] = type;
    }
    free(classes);
    return BERTH_OK;
}

enum berth_status berth_types_correct(struct berth_molecule *molecule, struct berth_error *error)
{
    const size_t count = molecule->atom_count;
    struct graph graph = {.molecule = molecule};
    const char **types = berth_alloc(count, sizeof *types);
    enum berth_status status =
        types ? berth_localise_rings(molecule, error) : berth_out_of_memory(error, NULL);
    BERTH_THEN(berth_adjacency_find(molecule, &graph.adjacency, error));
    BERTH_THEN(find_types(&graph, types, error));
    for (size_t i = 0; !status && i < count; i++) {
        char type[BERTH_NAME_SIZE]; /* types[i] may be this atom's own text */
        snprintf(type, sizeof type, "%s", types[i]);
        snprintf(molecule->atoms[i].type, sizeof molecule->atoms[i].type, "%s", type);
    }
    BERTH_THEN(berth_localise_charged(molecule, error));
    berth_adjacency_clear(&graph.adjacency);
    free(types);
    return status;
}
