#include "chem/stereo.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/bonds.h"
#include "chem/rmsd.h"
#include "chem/vectors.h"

#define NONE SIZE_MAX

/* The volume that three unit vectors span: 0.77 in a tetrahedron, 0 in a plane. */
#define LEAST_VOLUME 0.2

/* The cosine of a double bond's dihedral angle: nearer to 0 it is twisted beyond telling. */
#define LEAST_COSINE 0.5

/* Atoms of a ring: whose double bonds can but be cis; and whose centres may be cis or trans to
 * others, at most. */
enum { RING_MAX = 7, RING_SIZE = 12 };

/* A molecule whose elements are looked for. */
struct search {
    const struct berth_molecule *molecule;
    struct berth_adjacency adjacency;
    const double (*positions)[3]; /* NULL: the molecule's own */
    struct berth_stereo *stereo;
};

/* --- Signs --- */

static int sign_of(double value, double least)
{
    return value > least ? 1 : value < -least ? -1 : 0;
}

static double volume(const double a[3], const double b[3], const double c[3])
{
    double cross[3];
    berth_cross(b, c, cross);
    return berth_dot(a, cross);
}

/* at: the positions of an element's atoms; NULL for the fifth where there is none. */
static int find_sign(bool double_bond, const double *const at[BERTH_STEREO_ATOMS])
{
    if (double_bond) {
        return sign_of(cos(berth_dihedral(at[2], at[0], at[1], at[3])), LEAST_COSINE);
    }
    double arms[4][3];
    for (int k = 0; k < 4 && at[k + 1]; k++) {
        berth_direction(at[0], at[k + 1], arms[k]);
    }
    for (int k = 0; at[4] && k < 3; k++) { /* a tetrahedron's volume is four times as large */
        for (int i = 0; i < 3; i++) {
            arms[k][i] = (arms[k][i] - arms[3][i]) / 1.6;
        }
    }
    return sign_of(volume(arms[0], arms[1], arms[2]), LEAST_VOLUME);
}

static const double *position_of(const struct search *search, size_t atom)
{
    return search->positions ? search->positions[atom] : search->molecule->atoms[atom].position;
}

/* --- Elements --- */

static bool is_neighbour(const struct search *search, size_t atom)
{
    return search->molecule->atoms[atom].heavy;
}

/* True where two of the atoms are of one element and have no further neighbours. */
static bool has_equal_ends(const struct search *search, const size_t *atoms, size_t count)
{
    const struct berth_atom *all = search->molecule->atoms;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (all[atoms[i]].element == all[atoms[j]].element &&
                berth_heavy_degree(search->molecule, &search->adjacency, atoms[i]) == 1 &&
                berth_heavy_degree(search->molecule, &search->adjacency, atoms[j]) == 1) {
                return true;
            }
        }
    }
    return false;
}

/* Adds the element where its sign can be told. */
static enum berth_status add(const struct search *search, struct berth_stereo_element *element,
                             struct berth_error *error)
{
    const double *at[BERTH_STEREO_ATOMS];
    for (int k = 0; k < BERTH_STEREO_ATOMS; k++) {
        at[k] = element->atoms[k] == NONE ? NULL : position_of(search, element->atoms[k]);
    }
    element->sign = find_sign(element->double_bond, at);
    if (!element->sign) {
        return BERTH_OK;
    }
    struct berth_stereo *stereo = search->stereo;
    BERTH_TRY(berth_reserve(&stereo->elements, &stereo->capacity, stereo->count + 1,
                            sizeof *stereo->elements, error));
    stereo->elements[stereo->count++] = *element;
    return BERTH_OK;
}

/* True where an atom of this element with so many heavy neighbours keeps its shape. */
static bool is_stable(int element, size_t heavy)
{
    switch (element) {
    case CARBON:
    case SILICON:
    case GERMANIUM:
    case PHOSPHORUS:
    case SULFUR:
    case ARSENIC:
    case SELENIUM:
        return heavy == 3 || heavy == 4;
    default:
        return element == NITROGEN && heavy == 4;
    }
}

static enum berth_status consider_center(const struct search *search, size_t atom,
                                         struct berth_error *error)
{
    const struct berth_adjacency *all = &search->adjacency;
    const int element = search->molecule->atoms[atom].element;
    const size_t heavy = berth_heavy_degree(search->molecule, &search->adjacency, atom);
    if (!is_stable(element, heavy)) {
        return BERTH_OK;
    }
    struct berth_stereo_element found = {.atoms = {atom, NONE, NONE, NONE, NONE}};
    size_t count = 0;
    BERTH_EACH_BOND (k, all, atom) {
        const bool single = strcmp(search->molecule->bonds[all->bond[k]].type, "1") == 0;
        if (element == CARBON && !single) {
            return BERTH_OK; /* it is flat, however it was drawn */
        }
        if (is_neighbour(search, all->neighbour[k])) {
            found.atoms[++count] = all->neighbour[k];
        }
    }
    return has_equal_ends(search, found.atoms + 1, heavy) ? BERTH_OK : add(search, &found, error);
}

/* True where both atoms, which are bonded, are in a ring of `most` atoms at most. */
static bool is_in_ring(const struct search *search, size_t first, size_t second, size_t most)
{
    const size_t size = berth_ring_size(&search->adjacency, first, second);
    return size && size <= most;
}

/* True where the atom has a neighbour, beside `other`, that is one of these elements. */
static bool bears(const struct search *search, size_t atom, size_t other, const int elements[3])
{
    const struct berth_adjacency *all = &search->adjacency;
    BERTH_EACH_BOND (k, all, atom) {
        const size_t next = all->neighbour[k];
        const int element = search->molecule->atoms[next].element;
        for (int i = 0; next != other && i < 3; i++) {
            if (element == elements[i]) {
                return true;
            }
        }
    }
    return false;
}

/* True for the bond of an amidine or its like, from its nitrogen: it turns, or is elsewhere in
 * another drawing (tools/rdkit/stereo.py, TURNING). */
static bool turns(const struct search *search, size_t nitrogen, size_t carbon)
{
    static const int NAMING[3] = {NITROGEN, OXYGEN, OXYGEN};
    static const int GIVING[3] = {NITROGEN, OXYGEN, SULFUR};
    const struct berth_atom *atoms = search->molecule->atoms;
    return atoms[nitrogen].element == NITROGEN && atoms[carbon].element == CARBON &&
           !bears(search, nitrogen, carbon, NAMING) && bears(search, carbon, nitrogen, GIVING);
}

/* Lists what is bonded to one end of a double bond, and says how much. */
static size_t list_ends(const struct search *search, size_t atom, size_t other, size_t ends[2])
{
    const struct berth_adjacency *all = &search->adjacency;
    size_t count = 0;
    BERTH_EACH_BOND (k, all, atom) {
        if (all->neighbour[k] != other && is_neighbour(search, all->neighbour[k])) {
            if (count == 2 || strcmp(search->molecule->bonds[all->bond[k]].type, "2") == 0) {
                return 0; /* no planar atom, or a cumulated bond */
            }
            ends[count++] = all->neighbour[k];
        }
    }
    return count;
}

static enum berth_status consider_bond(const struct search *search, const struct berth_bond *bond,
                                       struct berth_error *error)
{
    const struct berth_atom *atoms = search->molecule->atoms;
    const size_t first = bond->first, second = bond->second;
    const bool planar = (atoms[first].element == CARBON || atoms[first].element == NITROGEN) &&
                        (atoms[second].element == CARBON || atoms[second].element == NITROGEN);
    if (strcmp(bond->type, "2") != 0 || !planar || turns(search, first, second) ||
        turns(search, second, first) || is_in_ring(search, first, second, RING_MAX)) {
        return BERTH_OK;
    }
    size_t here[2], there[2];
    const size_t left = list_ends(search, first, second, here);
    const size_t right = list_ends(search, second, first, there);
    if (!left || !right || has_equal_ends(search, here, left) ||
        has_equal_ends(search, there, right)) {
        return BERTH_OK;
    }
    struct berth_stereo_element found = {.double_bond = true,
                                         .atoms = {first, second, here[0], there[0], NONE}};
    return add(search, &found, error);
}

enum berth_status berth_stereo_find(const struct berth_molecule *molecule,
                                    const double (*positions)[3], struct berth_stereo *stereo,
                                    struct berth_error *error)
{
    struct search search = {.molecule = molecule, .positions = positions, .stereo = stereo};
    memset(stereo, 0, sizeof *stereo);
    enum berth_status status = berth_adjacency_find(molecule, &search.adjacency, error);
    for (size_t i = 0; !status && i < molecule->atom_count; i++) {
        status = consider_center(&search, i, error);
    }
    for (size_t i = 0; !status && i < molecule->bond_count; i++) {
        status = consider_bond(&search, &molecule->bonds[i], error);
    }
    berth_adjacency_clear(&search.adjacency);
    return status;
}

/* Whether two neighbours at one end of the element (colours: [atom_count]) are alike. */
static bool has_likes(const struct berth_stereo_element *element, const struct search *search,
                      const uint64_t *colours)
{
    const struct berth_adjacency *all = &search->adjacency;
    for (size_t end = 0; end < (element->double_bond ? 2 : 1); end++) {
        const size_t atom = element->atoms[end];
        const size_t other = element->double_bond ? element->atoms[1 - end] : NONE;
        BERTH_EACH_BOND (k, all, atom) {
            for (size_t i = all->start[atom]; i < k; i++) {
                const size_t a = all->neighbour[k], b = all->neighbour[i];
                if (is_neighbour(search, a) && is_neighbour(search, b) && a != other &&
                    b != other && colours[a] == colours[b]) {
                    return true;
                }
            }
        }
    }
    return false;
}

enum berth_status berth_stereo_thin(const struct berth_molecule *molecule,
                                    struct berth_stereo *stereo, struct berth_error *error)
{
    struct search search = {.molecule = molecule};
    uint64_t *colours, *heavy = NULL;
    size_t kept = 0, distinct = 0, number = 0;
    BERTH_TRY(berth_make(&colours, molecule->atom_count, sizeof *colours, NULL, error));
    enum berth_status status = berth_make(&heavy, molecule->atom_count, sizeof *heavy, NULL, error);
    BERTH_THEN(berth_adjacency_find(molecule, &search.adjacency, error));
    BERTH_THEN(berth_matches_colours(molecule, heavy, error));
    for (size_t i = 0; !status && i < molecule->atom_count; i++) {
        colours[i] = molecule->atoms[i].heavy ? heavy[number++] : 0;
    }
    for (size_t i = 0; !status && i < stereo->count; i++) {
        distinct += !has_likes(&stereo->elements[i], &search, colours);
    }
    for (size_t i = 0; !status && i < stereo->count; i++) {
        const struct berth_stereo_element element = stereo->elements[i];
        if (distinct || !has_likes(&element, &search, colours) ||
            is_in_ring(&search, element.atoms[0], element.atoms[1], RING_SIZE) ||
            is_in_ring(&search, element.atoms[0], element.atoms[2], RING_SIZE)) {
            stereo->elements[kept++] = element;
        }
    }
    stereo->count = status ? stereo->count : kept;
    free(colours);
    free(heavy);
    berth_adjacency_clear(&search.adjacency);
    return status;
}

void berth_stereo_clear(struct berth_stereo *stereo)
{
    free(stereo->elements);
    memset(stereo, 0, sizeof *stereo);
}

/* --- Comparison --- */

/* Elements by the heavy atoms that they are of, both counted among the heavy ones. */
struct comparison {
    const struct berth_molecule *to;
    bool has_orders;                       /* `to` has bonds that are not single */
    size_t *heavy;                         /* owned; [heavy atoms of to]: their numbers */
    struct berth_stereo_element *elements; /* owned; [count], as heavy atoms of from */
    size_t count;
    size_t *first, *next; /* owned; [heavy atoms of from], [count][5]: a list per atom of the places
                             5 e + k at which it is atom k of element e; ends with NONE */
};

/* True where `to` says that the bond between its atoms is single, and that others are not. */
static bool is_single(const struct comparison *comparison, size_t a, size_t b)
{
    const struct berth_molecule *to = comparison->to;
    for (size_t i = 0; comparison->has_orders && i < to->bond_count; i++) {
        const struct berth_bond *bond = &to->bonds[i];
        if ((bond->first == a && bond->second == b) || (bond->first == b && bond->second == a)) {
            return strcmp(bond->type, "1") == 0 || strcmp(bond->type, "am") == 0;
        }
    }
    return false;
}

/* False where all atoms of the element are placed, and lie the other way. */
static bool is_kept(const struct comparison *comparison, const size_t *image,
                    const struct berth_stereo_element *element)
{
    const double *at[BERTH_STEREO_ATOMS] = {NULL};
    size_t atoms[BERTH_STEREO_ATOMS];
    for (int k = 0; k < BERTH_STEREO_ATOMS && element->atoms[k] != NONE; k++) {
        if (image[element->atoms[k]] == NONE) {
            return true;
        }
        atoms[k] = comparison->heavy[image[element->atoms[k]]];
        at[k] = comparison->to->atoms[atoms[k]].position;
    }
    const int sign = find_sign(element->double_bond, at);
    return !sign || sign == element->sign ||
           (element->double_bond && is_single(comparison, atoms[0], atoms[1]));
}

static bool allows(const void *context, const size_t *image, size_t atom)
{
    const struct comparison *comparison = context;
    for (size_t at = comparison->first[atom]; at != NONE; at = comparison->next[at]) {
        if (!is_kept(comparison, image, &comparison->elements[at / BERTH_STEREO_ATOMS])) {
            return false;
        }
    }
    return true;
}

/* Lists the elements by their atoms; number: [atoms of from], each one's among the heavy ones. */
static void list_elements(const struct berth_molecule *from, const struct berth_stereo *stereo,
                          const size_t *number, struct comparison *comparison)
{
    memset(comparison->first, 0xFF, berth_heavy_count(from) * sizeof *comparison->first); /* NONE */
    for (size_t e = 0; e < comparison->count; e++) {
        struct berth_stereo_element *element = &comparison->elements[e];
        *element = stereo->elements[e];
        for (size_t k = 0; k < BERTH_STEREO_ATOMS && element->atoms[k] != NONE; k++) {
            const size_t atom = number[element->atoms[k]];
            const size_t place = e * BERTH_STEREO_ATOMS + k;
            element->atoms[k] = atom;
            comparison->next[place] = comparison->first[atom];
            comparison->first[atom] = place;
        }
    }
}

static enum berth_status prepare(const struct berth_molecule *from,
                                 const struct berth_stereo *stereo, const struct berth_molecule *to,
                                 struct comparison *comparison, struct berth_error *error)
{
    const size_t count = stereo->count;
    size_t *number = berth_heavy_numbers(from), heavy = 0;
    *comparison = (struct comparison){.to = to, .count = count};
    enum berth_status status = number ? BERTH_OK : berth_out_of_memory(error, NULL);
    BERTH_THEN(
        berth_make(&comparison->heavy, to->atom_count, sizeof *comparison->heavy, NULL, error));
    BERTH_THEN(berth_make(&comparison->elements, count, sizeof *comparison->elements, NULL, error));
    BERTH_THEN(berth_make(&comparison->first, berth_heavy_count(from), sizeof *comparison->first,
                          NULL, error));
    BERTH_THEN(berth_make(&comparison->next, count * BERTH_STEREO_ATOMS, sizeof *comparison->next,
                          NULL, error));
    for (size_t i = 0; !status && i < to->atom_count; i++) {
        if (to->atoms[i].heavy) {
            comparison->heavy[heavy++] = i;
        }
    }
    for (size_t i = 0; i < to->bond_count; i++) {
        comparison->has_orders |= strcmp(to->bonds[i].type, "1") != 0;
    }
    if (!status) {
        list_elements(from, stereo, number, comparison);
    }
    free(number);
    return status;
}

enum berth_status berth_stereo_agrees(const struct berth_molecule *from,
                                      const double (*positions)[3], const struct berth_molecule *to,
                                      bool *agrees, struct berth_error *error)
{
    struct comparison comparison = {.count = 0};
    struct berth_stereo stereo = {0};
    struct berth_matches matches = {0};
    const struct berth_match_rule rule = {allows, &comparison};
    enum berth_status status = berth_stereo_find(from, positions, &stereo, error);
    BERTH_THEN(prepare(from, &stereo, to, &comparison, error));
    BERTH_THEN(berth_matches_find_first(from, to, &rule, &matches, error));
    *agrees = !status && (matches.count || !matches.complete);
    berth_matches_clear(&matches);
    berth_stereo_clear(&stereo);
    free(comparison.heavy);
    free(comparison.elements);
    free(comparison.first);
    free(comparison.next);
    return status;
}
