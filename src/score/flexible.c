#include "score/flexible.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/bonds.h"
#include "chem/ligand.h"
#include "chem/vectors.h"

/* Heavy atoms nearer than BOND (Å) are bonded, unless there is one between them: nearer to
 * both than BETWEEN of their distance.  That is 0.55 to 0.82 for two atoms bonded to a common one,
 * the latter across a bicyclopentane, and about 1 in a ring of three. */
static const double BOND = 2.3, BETWEEN = 0.85;

/* Sets of atoms, as bits: row i of a matrix starts at bits + i * words. */
static void set(uint32_t *row, size_t atom)
{
    row[atom / 32] |= UINT32_C(1) << atom % 32;
}

static bool has(const uint32_t *row, size_t atom)
{
    return row[atom / 32] >> atom % 32 & 1;
}

bool berth_flexible_is_far(const struct berth_flexible *flexible, size_t i, size_t j)
{
    return has(flexible->far + i * flexible->words, j);
}

/* --- The tree --- */

/* Copies the torsions that move heavy atoms, up to the number that turns.  heavy_of: for each atom
 * of tree its index among the heavy atoms, or SIZE_MAX; NULL: the tree is over these. */
static enum berth_status copy_tree(const struct berth_torsion_tree *tree, const size_t *heavy_of,
                                   struct berth_flexible *flexible, struct berth_error *error)
{
    struct berth_torsion_tree *to = &flexible->tree;
    BERTH_TRY(berth_make(&to->torsions, tree->count, sizeof *to->torsions, NULL, error));
    BERTH_TRY(berth_make(&to->moved, tree->moved_count, sizeof *to->moved, NULL, error));
    to->capacity = tree->count;
    to->moved_capacity = tree->moved_count;
    for (size_t t = 0; t < tree->count; t++) {
        const struct berth_torsion *from = &tree->torsions[t];
        struct berth_torsion torsion = {.first = from->first, .second = from->second};
        torsion.moved_start = to->moved_count;
        for (size_t i = 0; i < from->moved_count; i++) {
            const size_t atom = tree->moved[from->moved_start + i];
            const size_t heavy = heavy_of ? heavy_of[atom] : atom;
            if (heavy != SIZE_MAX) {
                to->moved[torsion.moved_start + torsion.moved_count++] = (uint32_t)heavy;
            }
        }
        if (torsion.moved_count && to->count == BERTH_FLEXIBLE_TORSIONS_MAX) {
            flexible->fixed++;
        } else if (torsion.moved_count) {
            torsion.first = heavy_of ? (uint32_t)heavy_of[from->first] : from->first;
            torsion.second = heavy_of ? (uint32_t)heavy_of[from->second] : from->second;
            to->moved_count += torsion.moved_count;
            to->torsions[to->count++] = torsion;
        }
    }
    return BERTH_OK;
}

/* The atoms that a torsion moves, as a row. */
static void moved_by(const struct berth_torsion_tree *tree, size_t t, uint32_t *row)
{
    const struct berth_torsion *torsion = &tree->torsions[t];
    for (size_t i = 0; i < torsion->moved_count; i++) {
        set(row, tree->moved[torsion->moved_start + i]);
    }
}

/* Is this torsion one of atom_count atoms that keeps its own axis in place? */
static bool is_torsion(const struct berth_torsion_tree *tree, size_t t, size_t atom_count)
{
    const struct berth_torsion *torsion = &tree->torsions[t];
    bool fits = torsion->first < atom_count && torsion->second < atom_count &&
                torsion->first != torsion->second && torsion->moved_start <= tree->moved_count &&
                torsion->moved_count <= tree->moved_count - torsion->moved_start;
    for (size_t i = 0; fits && i < torsion->moved_count; i++) {
        const uint32_t atom = tree->moved[torsion->moved_start + i];
        fits = atom < atom_count && atom != torsion->first && atom != torsion->second;
    }
    return fits;
}

/* May `inner` follow `outer`: does it lie wholly among the atoms that outer moves, or apart from
 * them, and leave outer's axis in place?  Only then an angle turns, whatever the other angles are,
 * all that it moves about its axis as placed, which the gradient relies on.  Rows of what they
 * move. */
static bool may_follow(const struct berth_torsion *outer, const uint32_t *outer_moved,
                       const struct berth_torsion *inner, const uint32_t *inner_moved, size_t words)
{
    const bool nested = has(outer_moved, inner->second);
    const bool joined = inner->first == outer->first || inner->first == outer->second;
    if ((!joined && has(outer_moved, inner->first) != nested) || has(inner_moved, outer->first) ||
        has(inner_moved, outer->second)) {
        return false;
    }
    for (size_t w = 0; w < words; w++) {
        if (inner_moved[w] & (nested ? ~outer_moved[w] : outer_moved[w])) {
            return false;
        }
    }
    return true;
}

static enum berth_status check_tree(const struct berth_torsion_tree *tree, size_t atom_count,
                                    size_t words, struct berth_error *error)
{
    bool fits = tree->count < atom_count; /* as the bonds of any tree */
    uint32_t *moved;
    BERTH_TRY(berth_make(&moved, fits ? tree->count * words : 0, sizeof *moved, NULL, error));
    for (size_t u = 0; fits && u < tree->count; u++) {
        fits = is_torsion(tree, u, atom_count);
        if (fits) {
            moved_by(tree, u, moved + u * words);
        }
        for (size_t t = 0; fits && t < u; t++) {
            fits = may_follow(&tree->torsions[t], moved + t * words, &tree->torsions[u],
                              moved + u * words, words);
        }
    }
    free(moved);
    return fits ? BERTH_OK
                : berth_fail(error, BERTH_E_FORMAT,
                             "the torsions of a ligand make no tree; prepare the ligand again");
}

/* --- Far pairs --- */

/* Sets in `far` every pair that some torsion moves against each other. */
static void find_changing(struct berth_flexible *flexible)
{
    uint32_t moved[(BERTH_LIGAND_FLEXIBLE_MAX + 31) / 32];
    for (size_t t = 0; t < flexible->tree.count; t++) {
        const struct berth_torsion *torsion = &flexible->tree.torsions[t];
        memset(moved, 0, sizeof moved);
        moved_by(&flexible->tree, t, moved);
        for (size_t i = 0; i < flexible->atom_count; i++) {
            if (i == torsion->first || i == torsion->second || has(moved, i)) {
                continue;
            }
            for (size_t k = 0; k < torsion->moved_count; k++) {
                const size_t j = flexible->tree.moved[torsion->moved_start + k];
                set(flexible->far + i * flexible->words, j);
                set(flexible->far + j * flexible->words, i);
            }
        }
    }
}

/* Rows of what is within one bond more than rows of `near` say. */
static void step_on(const struct berth_flexible *flexible, const uint32_t *near, uint32_t *next)
{
    const uint32_t *bonded = flexible->bonded;
    const size_t atoms = flexible->atom_count, words = flexible->words;
    memset(next, 0, atoms * words * sizeof *next);
    for (size_t i = 0; i < atoms; i++) {
        for (size_t j = 0; j < atoms; j++) {
            for (size_t w = 0; has(bonded + i * words, j) && w < words; w++) {
                next[i * words + w] |= near[j * words + w];
            }
        }
    }
}

/* Takes from `far` what is fewer bonds apart than that. */
static enum berth_status drop_near(struct berth_flexible *flexible, size_t apart,
                                   struct berth_error *error)
{
    const size_t size = flexible->atom_count * flexible->words;
    uint32_t *owned;
    BERTH_TRY(berth_make(&owned, 2 * size, sizeof *owned, NULL, error));
    uint32_t *near = owned, *next = owned + size;
    memcpy(near, flexible->bonded, size * sizeof *near);
    for (size_t bonds = 1; bonds + 1 < apart; bonds++) {
        step_on(flexible, near, next);
        uint32_t *const last = near;
        near = next;
        next = last;
    }
    for (size_t i = 0; apart > 1 && i < size; i++) {
        flexible->far[i] &= ~near[i];
    }
    free(owned);
    return BERTH_OK;
}

static void bond(struct berth_flexible *flexible, size_t i, size_t j)
{
    set(flexible->bonded + i * flexible->words, j);
    set(flexible->bonded + j * flexible->words, i);
}

/* --- Making one --- */

/* Clears *flexible and allocates its far pairs, and its bonds with each atom in its own row. */
static enum berth_status start(size_t atom_count, struct berth_flexible *flexible,
                               struct berth_error *error)
{
    memset(flexible, 0, sizeof *flexible);
    if (!atom_count || atom_count > BERTH_LIGAND_FLEXIBLE_MAX) {
        return berth_fail(error, BERTH_E_USAGE, "%zu heavy atoms; a ligand has 1 to %d", atom_count,
                          BERTH_LIGAND_FLEXIBLE_MAX);
    }
    flexible->atom_count = flexible->free_count = atom_count;
    flexible->words = (atom_count + 31) / 32;
    const size_t words = atom_count * flexible->words;
    BERTH_TRY(berth_make(&flexible->far, words, sizeof *flexible->far, NULL, error));
    BERTH_TRY(berth_make(&flexible->bonded, words, sizeof *flexible->bonded, NULL, error));
    for (size_t i = 0; i < atom_count; i++) {
        set(flexible->bonded + i * flexible->words, i);
    }
    return BERTH_OK;
}

static enum berth_status find_in(const struct berth_molecule *molecule,
                                 const struct berth_held *held, size_t apart,
                                 struct berth_flexible *flexible, struct berth_error *error)
{
    const size_t *heavy_of = held->places;
    struct berth_torsion_tree tree = {0};
    struct berth_adjacency adjacency = {0};
    enum berth_status status = berth_torsion_tree_find_from(molecule, held->root, &tree, error);
    BERTH_THEN(copy_tree(&tree, heavy_of, flexible, error));
    BERTH_THEN(berth_adjacency_find(molecule, &adjacency, error));
    for (size_t i = 0; !status && i < molecule->atom_count; i++) {
        BERTH_EACH_BOND (k, &adjacency, i) {
            const size_t j = adjacency.neighbour[k];
            if (heavy_of[i] != SIZE_MAX && heavy_of[j] != SIZE_MAX) {
                bond(flexible, heavy_of[i], heavy_of[j]);
            }
        }
    }
    if (!status) {
        find_changing(flexible);
        status = drop_near(flexible, apart, error);
    }
    berth_adjacency_clear(&adjacency);
    berth_torsion_tree_clear(&tree);
    return status;
}

enum berth_status berth_flexible_find(const struct berth_molecule *molecule, size_t apart,
                                      struct berth_flexible *flexible, struct berth_error *error)
{
    enum berth_status status = start(berth_heavy_count(molecule), flexible, error);
    size_t *heavy_of = status ? NULL : berth_heavy_numbers(molecule);
    const struct berth_held free_root = {.root = SIZE_MAX, .places = heavy_of};
    BERTH_THEN(heavy_of ? find_in(molecule, &free_root, apart, flexible, error)
                        : berth_out_of_memory(error, NULL));
    if (status) {
        berth_flexible_clear(flexible);
    }
    free(heavy_of);
    return status;
}

enum berth_status berth_flexible_find_held(const struct berth_molecule *molecule,
                                           const struct berth_held *held, size_t apart,
                                           struct berth_flexible *flexible,
                                           struct berth_error *error)
{
    enum berth_status status = start(held->count, flexible, error);
    BERTH_THEN(find_in(molecule, held, apart, flexible, error));
    flexible->free_count = held->count - held->still;
    flexible->still_count = held->still;
    flexible->held = true;
    if (status) {
        berth_flexible_clear(flexible);
    }
    return status;
}

static bool are_bonded(const struct berth_heavy_atoms *conformer, size_t i, size_t j)
{
    const double *a = conformer->atoms[i].position, *b = conformer->atoms[j].position;
    const double limit = BETWEEN * berth_distance(a, b);
    bool bonded = berth_distance(a, b) < BOND;
    for (size_t k = 0; bonded && k < conformer->count; k++) {
        const double *c = conformer->atoms[k].position;
        bonded = k == i || k == j || berth_distance(a, c) >= limit || berth_distance(b, c) >= limit;
    }
    return bonded;
}

/* Bonds by distance, but for pairs that a torsion moves against each other. */
static void find_bonds(const struct berth_heavy_atoms *conformer, struct berth_flexible *flexible)
{
    for (size_t i = 0; i < conformer->count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (!berth_flexible_is_far(flexible, i, j) && are_bonded(conformer, i, j)) {
                bond(flexible, i, j);
            }
        }
    }
    for (size_t t = 0; t < flexible->tree.count; t++) {
        bond(flexible, flexible->tree.torsions[t].first, flexible->tree.torsions[t].second);
    }
}

enum berth_status berth_flexible_from_tree(const struct berth_heavy_atoms *conformer,
                                           const struct berth_torsion_tree *tree, size_t apart,
                                           struct berth_flexible *flexible,
                                           struct berth_error *error)
{
    enum berth_status status = start(conformer->count, flexible, error);
    BERTH_THEN(check_tree(tree, conformer->count, flexible->words, error));
    BERTH_THEN(copy_tree(tree, NULL, flexible, error));
    if (!status) {
        find_changing(flexible);
        find_bonds(conformer, flexible);
        status = drop_near(flexible, apart, error);
    }
    if (status) {
        berth_flexible_clear(flexible);
    }
    return status;
}

/* --- Dihedrals --- */

/* Writes the atoms bonded to `atom`, but for itself and `but`, to neighbours; how many there are,
 * and of those that do not fit it only counts. */
static size_t list_neighbours(const struct berth_flexible *flexible, size_t atom, size_t but,
                              uint32_t neighbours[BERTH_FLEXIBLE_DIHEDRALS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < flexible->atom_count; i++) {
        if (i != atom && i != but && has(flexible->bonded + atom * flexible->words, i)) {
            neighbours[count < BERTH_FLEXIBLE_DIHEDRALS_MAX ? count : 0] = (uint32_t)i;
            count++;
        }
    }
    return count;
}

/* Adds the dihedrals of a torsion, for which there is room. */
static void add_dihedrals(struct berth_flexible *flexible, size_t t, uint32_t row)
{
    const struct berth_torsion *torsion = &flexible->tree.torsions[t];
    uint32_t first[BERTH_FLEXIBLE_DIHEDRALS_MAX], last[BERTH_FLEXIBLE_DIHEDRALS_MAX];
    const size_t firsts = list_neighbours(flexible, torsion->first, torsion->second, first);
    const size_t lasts = list_neighbours(flexible, torsion->second, torsion->first, last);
    for (size_t i = 0; firsts * lasts <= BERTH_FLEXIBLE_DIHEDRALS_MAX && i < firsts * lasts; i++) {
        flexible->dihedrals[flexible->dihedral_count++] =
            (struct berth_dihedral){(uint32_t)t, first[i / lasts], last[i % lasts], row};
    }
}

enum berth_status berth_flexible_twist(const struct berth_scoring *scoring,
                                       const struct berth_heavy_atoms *heavy,
                                       struct berth_flexible *flexible, struct berth_error *error)
{
    const struct berth_torsional *torsional = &scoring->definition->torsional;
    if (!*torsional->name) {
        return BERTH_OK;
    }
    flexible->torsional = true;
    BERTH_TRY(berth_make(&flexible->dihedrals, flexible->tree.count * BERTH_FLEXIBLE_DIHEDRALS_MAX,
                         sizeof *flexible->dihedrals, NULL, error));
    for (size_t t = 0; t < flexible->tree.count; t++) {
        const struct berth_torsion *torsion = &flexible->tree.torsions[t];
        const int row = berth_torsional_find(torsional, heavy->atoms[torsion->first].hybrid,
                                             heavy->atoms[torsion->second].hybrid);
        if (row >= 0) {
            add_dihedrals(flexible, t, (uint32_t)row);
        }
    }
    return BERTH_OK;
}

void berth_flexible_clear(struct berth_flexible *flexible)
{
    if (flexible) {
        berth_torsion_tree_clear(&flexible->tree);
        free(flexible->far);
        free(flexible->bonded);
        free(flexible->dihedrals);
        memset(flexible, 0, sizeof *flexible);
    }
}

void berth_flexible_warn(const struct berth_flexible *flexible, const char *ligand,
                         const struct berth_log *log)
{
    berth_warn(log, "torsions",
               "%s: %zu of its %zu rotatable bonds do not turn: there is room for %d", ligand,
               flexible->fixed, flexible->fixed + flexible->tree.count,
               BERTH_FLEXIBLE_TORSIONS_MAX);
}

/* --- Poses and their energies --- */

/* Placing flexible poses, and their energy. */

static void centroid_of(const struct berth_heavy_atom *atoms, size_t count, double centroid[3])
{
    for (int k = 0; k < 3; k++) {
        centroid[k] = 0;
        for (size_t i = 0; i < count; i++) {
            centroid[k] += atoms[i].position[k] / (double)count;
        }
    }
}

void berth_flexible_place(const struct berth_flexible *flexible,
                          const struct berth_heavy_atoms *conformer,
                          const struct berth_transform *transform, const double *angles,
                          struct berth_heavy_atoms *placed)
{
    double centroid[3];
    centroid_of(conformer->atoms, flexible->free_count, centroid);
    memmove(placed->atoms, conformer->atoms, conformer->count * sizeof *placed->atoms);
    placed->count = conformer->count;
    for (size_t t = 0; t < flexible->tree.count; t++) {
        berth_torsion_turn(&flexible->tree, t, angles[t], placed->atoms->position,
                           sizeof *placed->atoms);
    }
    for (size_t i = 0; i < flexible->free_count; i++) {
        double *position = placed->atoms[i].position;
        berth_transform_apply(transform, centroid, position, position);
    }
}

static bool moves_heavy(const struct berth_molecule *molecule,
                        const struct berth_torsion_tree *tree, const struct berth_torsion *torsion)
{
    bool heavy = false;
    for (size_t i = 0; !heavy && i < torsion->moved_count; i++) {
        heavy = molecule->atoms[tree->moved[torsion->moved_start + i]].heavy;
    }
    return heavy;
}

void berth_flexible_place_molecule(const struct berth_molecule *molecule,
                                   const struct berth_torsion_tree *tree,
                                   const struct berth_transform *transform, const double *angles,
                                   double (*positions)[3])
{
    double centroid[3];
    berth_heavy_centroid(molecule, centroid);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        memcpy(positions[i], molecule->atoms[i].position, sizeof positions[i]);
    }
    for (size_t t = 0, turning = 0; t < tree->count && turning < BERTH_FLEXIBLE_TORSIONS_MAX; t++) {
        if (moves_heavy(molecule, tree, &tree->torsions[t])) {
            berth_torsion_turn(tree, t, angles[turning++], positions, sizeof *positions);
        }
    }
    for (size_t i = 0; i < molecule->atom_count; i++) {
        berth_transform_apply(transform, centroid, positions[i], positions[i]);
    }
}

double berth_flexible_torsional(const struct berth_scoring *scoring,
                                const struct berth_flexible *flexible,
                                const struct berth_heavy_atoms *atoms)
{
    double sum = 0;
    for (size_t begin = 0, end; begin < flexible->dihedral_count; begin = end) {
        const size_t t = flexible->dihedrals[begin].torsion;
        const struct berth_torsion *axis = &flexible->tree.torsions[t];
        double energy = 0;
        for (end = begin; end < flexible->dihedral_count && flexible->dihedrals[end].torsion == t;
             end++) {
            const struct berth_dihedral *four = &flexible->dihedrals[end];
            const double angle = berth_dihedral(
                atoms->atoms[four->first].position, atoms->atoms[axis->first].position,
                atoms->atoms[axis->second].position, atoms->atoms[four->last].position);
            energy += berth_torsional_energy(&scoring->definition->torsional, four->row, angle,
                                             false, NULL);
        }
        sum += energy / (double)(end - begin);
    }
    return sum;
}

enum berth_status berth_flexible_standing(const struct berth_scoring *scoring,
                                          const struct berth_molecule *molecule,
                                          const struct berth_heavy_atoms *heavy, double *torsional,
                                          struct berth_error *error)
{
    struct berth_flexible flexible = {0};
    *torsional = 0;
    if (!*scoring->definition->torsional.name || heavy->count > BERTH_LIGAND_FLEXIBLE_MAX) {
        return BERTH_OK;
    }
    enum berth_status status =
        berth_flexible_find(molecule, berth_scoring_apart(scoring), &flexible, error);
    BERTH_THEN(berth_flexible_twist(scoring, heavy, &flexible, error));
    if (!status) {
        *torsional = berth_flexible_torsional(scoring, &flexible, heavy);
    }
    berth_flexible_clear(&flexible);
    return status;
}

/* The terms of far pairs of an atom below begin with one from there on, or of two atoms between
 * begin and end. */
static struct berth_terms far_terms(const struct berth_flexible_system *system,
                                    const struct berth_heavy_atoms *atoms, size_t begin, size_t end,
                                    bool across)
{
    struct berth_terms sum = {{0}};
    for (size_t i = begin; i < end; i++) {
        for (size_t j = across ? 0 : begin; j < (across ? begin : i); j++) {
            if (berth_flexible_is_far(system->flexible, i, j)) {
                const struct berth_heavy_atom *a = &atoms->atoms[i], *b = &atoms->atoms[j];
                const struct berth_terms pair = berth_score_ref_pair(
                    system->scoring, a->type, b->type, berth_distance(a->position, b->position));
                for (size_t k = 0; k < BERTH_TERMS_MAX; k++) {
                    sum.values[k] += pair.values[k];
                }
            }
        }
    }
    return sum;
}

double berth_flexible_restraint(const struct berth_flexible_system *system,
                                const struct berth_heavy_atoms *placed)
{
    return system->places && system->restrained
               ? berth_restraint_energy(system->places, system->restrained, placed)
               : 0;
}

/* The terms of atoms begin .. end - 1 with the receptor. */
static struct berth_terms receptor_terms(const struct berth_flexible_system *system,
                                         const struct berth_heavy_atoms *atoms, size_t begin,
                                         size_t end)
{
    const struct berth_heavy_atoms some = {atoms->atoms + begin, end - begin};
    return berth_score_ref(system->scoring, system->receptor, &some);
}

void berth_flexible_parts(const struct berth_flexible_system *system,
                          const struct berth_heavy_atoms *atoms, double parts[BERTH_PART_COUNT])
{
    const size_t free = system->flexible->free_count, still = system->flexible->still_count;
    const struct berth_terms intra = far_terms(system, atoms, 0, free, false);
    const struct berth_terms fixed = far_terms(system, atoms, free, atoms->count, false);
    const struct berth_terms rest = receptor_terms(system, atoms, free, atoms->count - still);
    parts[BERTH_PART_INTRA] = berth_terms_sum(&intra);
    parts[BERTH_PART_RECEPTOR] = berth_terms_sum(&fixed) + berth_terms_sum(&rest);
    parts[BERTH_PART_RESTRAINT] = berth_flexible_restraint(system, atoms);
}

#define IS_RELATIVE(part, name, column, relative, added) [BERTH_PART_##part] = (relative) != 0,

struct berth_flexible_energy berth_flexible_energy(const struct berth_flexible_system *system,
                                                   const struct berth_heavy_atoms *placed)
{
    static const bool RELATIVE[BERTH_PART_COUNT] = {BERTH_POSE_PARTS(IS_RELATIVE)};
    const size_t free = system->flexible->free_count;
    const struct berth_terms beside = far_terms(system, placed, free, placed->count, true);
    struct berth_flexible_energy energy = {.terms = receptor_terms(system, placed, 0, free)};
    for (size_t k = 0; k < BERTH_TERMS_MAX; k++) {
        energy.terms.values[k] += beside.values[k];
    }
    berth_flexible_parts(system, system->conformer, energy.begun);
    berth_flexible_parts(system, placed, energy.parts);
    for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
        energy.begun[k] = RELATIVE[k] ? energy.begun[k] : 0;
        energy.parts[k] -= energy.begun[k];
    }
    if (system->flexible->torsional) {
        energy.terms.values[berth_scoring_pair_terms(system->scoring)] =
            berth_flexible_torsional(system->scoring, system->flexible, placed);
    }
    return energy;
}

double berth_flexible_total(const struct berth_flexible_energy *energy)
{
    double sum = berth_terms_sum(&energy->terms);
    for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
        sum += energy->parts[k];
    }
    return sum;
}
