#include "chem/conformers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"
#include "chem/bonds.h"
#include "chem/geometry.h"
#include "chem/elements.h"
#include "chem/rmsd.h"
#include "chem/structure.h"
#include "chem/vectors.h"

/* --- Clashes --- */

/* Atoms so many bonds apart are as near as they have to be. */
enum { NEAR_BONDS = 3 };

/* Two atoms may come this close, as a part of the sum of their van der Waals radii: hydrogen bonds
 * and a pose's tight corners are allowed. */
static const double CLOSEST = 0.8;

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

enum berth_status berth_clashes_find(const struct berth_molecule *molecule,
                                     const struct berth_torsion_tree *tree,
                                     struct berth_clashes *clashes, struct berth_error *error)
{
    const struct berth_atom *atoms = molecule->atoms;
    struct berth_adjacency adjacency = {0};
    uint32_t *part;
    memset(clashes, 0, sizeof *clashes);
    BERTH_TRY(berth_make(&part, molecule->atom_count, sizeof *part, molecule->title, error));
    enum berth_status status = berth_adjacency_find(molecule, &adjacency, error);
    find_parts(tree, part);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        for (size_t j = 0; !status && j < i; j++) {
            if (part[i] == part[j] || berth_may_hydrogen_bond(atoms[i].element, atoms[j].element) ||
                berth_bonds_between(&adjacency, i, j) <= NEAR_BONDS) {
                continue;
            }
            status = berth_reserve(&clashes->pairs, &clashes->capacity, clashes->count + 1,
                                   sizeof *clashes->pairs, error);
            if (!status) {
                const double nearest = CLOSEST * (berth_vdw_radius(atoms[i].element) +
                                                  berth_vdw_radius(atoms[j].element));
                clashes->pairs[clashes->count++] =
                    (struct berth_clash_pair){(uint32_t)i, (uint32_t)j, nearest * nearest};
            }
        }
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
        const double square =
            berth_distance_squared(positions[pair->first], positions[pair->second]);
        sum += square < pair->nearest ? pair->nearest - square : 0;
    }
    return sum;
}

void berth_clashes_clear(struct berth_clashes *clashes)
{
    free(clashes->pairs);
    memset(clashes, 0, sizeof *clashes);
}

/* --- Conformers --- */

enum {
    STEPS = 12,          /* angles that a bond may take, at most */
    SWEEPS = 3,          /* rounds of turning every bond to where it clashes least */
    SYMMETRIES_MAX = 16, /* ways to lay a molecule on itself that are looked at */
    TRIES_PER_SHAPE = 4  /* tries for each member of the pool */
};

static const double DEGREE = 0.017453292519943295; /* rad */

/* A rotatable bond's choices. */
struct turn {
    const struct berth_torsion *torsion;
    double offset;        /* rad: its angle in the start */
    double angles[STEPS]; /* rad: angles that its ends like */
    size_t count;
    double noise; /* rad: half width */
};

struct work {
    const struct berth_molecule *molecule;
    const struct berth_torsion_tree *tree;
    double (*start)[3]; /* owned; [atom_count]: the shape whose bonds are turned */
    struct turn *turns; /* owned; [tree->count] */
    double *taken;      /* owned; [tree->count]: angles at present, rad */
    double (*shape)[3]; /* owned; [atom_count]: the conformer being made */
    double (*pool)[3];  /* owned; [pool_count][atom_count] */
    double (*heavy)[3]; /* owned; [pool_count][heavy_count]: centred */
    size_t pool_count, heavy_count;
    double (*image)[3]; /* owned; [heavy_count]: a member of the pool, relabelled */
    struct berth_clashes clashes;
    struct berth_matches symmetries; /* of the molecule with itself */
    uint64_t random;
};

/* The heavy neighbour of `at` with the lowest index, `other` aside: what an angle is measured from.
 */
static size_t reference(const struct work *work, size_t at, size_t other)
{
    size_t found = at;
    for (size_t i = 0; i < work->molecule->bond_count; i++) {
        const struct berth_bond *bond = &work->molecule->bonds[i];
        const size_t end = bond->first == at ? bond->second : bond->first;
        if ((bond->first == at || bond->second == at) && end != other &&
            work->molecule->atoms[end].heavy && (found == at || end < found)) {
            found = end;
        }
    }
    return found;
}

static bool is_tetrahedral(const struct berth_atom *atom)
{
    return berth_text_lists("C.3 N.3 N.4 O.3 O.3h S.3 S.O2 S.o2 S.O S.o P.3", ' ', atom->type);
}

static bool is_carbonyl(const struct work *work, size_t atom)
{
    for (size_t i = 0; i < work->molecule->bond_count; i++) {
        const struct berth_bond *bond = &work->molecule->bonds[i];
        const size_t end = bond->first == atom ? bond->second : bond->first;
        if ((bond->first == atom || bond->second == atom) && bond->type[0] == '2' &&
            work->molecule->atoms[end].element == OXYGEN) {
            return true;
        }
    }
    return false;
}

/* Two flat ends, or an oxygen whose lone pair goes into one, tend to lie in one plane. */
static bool is_planar(const struct berth_atom *first, const struct berth_atom *second)
{
    return !is_tetrahedral(first) && (!is_tetrahedral(second) || second->element == OXYGEN);
}

static void set_angles(struct turn *turn, const double *degrees, size_t count, double noise)
{
    for (turn->count = 0; turn->count < count; turn->count++) {
        turn->angles[turn->count] = degrees[turn->count] * DEGREE;
    }
    turn->noise = noise * DEGREE;
}

static void choose_angles(const struct work *work, struct turn *turn)
{
    const size_t b = turn->torsion->first, c = turn->torsion->second;
    const struct berth_atom *first = &work->molecule->atoms[b];
    const struct berth_atom *second = &work->molecule->atoms[c];
    static const double ESTER[] = {0, 180}, STAGGERED[] = {60, 180, 300};
    static const double PLANAR[] = {0, 30, 90, 150, 180, 210, 270, 330};
    static const double ANY[] = {0, 30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 330};
    if ((first->element == OXYGEN && is_carbonyl(work, c)) ||
        (second->element == OXYGEN && is_carbonyl(work, b))) {
        set_angles(turn, ESTER, sizeof ESTER / sizeof *ESTER, 10);
    } else if (is_planar(first, second) || is_planar(second, first)) {
        set_angles(turn, PLANAR, sizeof PLANAR / sizeof *PLANAR, 15);
    } else if (is_tetrahedral(first) && is_tetrahedral(second)) {
        set_angles(turn, STAGGERED, sizeof STAGGERED / sizeof *STAGGERED, 15);
    } else {
        set_angles(turn, ANY, sizeof ANY / sizeof *ANY, 15);
    }
}

/* Turns the bond from the angle that it has to this one. */
static void turn_to(struct work *work, size_t number, double angle)
{
    berth_torsion_turn(work->tree, number, angle - work->taken[number], work->shape,
                       sizeof *work->shape);
    work->taken[number] = angle;
}

static double some_angle(struct work *work, const struct turn *turn, size_t choice)
{
    return turn->angles[choice] + (2 * berth_random_uniform(&work->random) - 1) * turn->noise;
}

static double clash_of(const struct work *work)
{
    return berth_clash(&work->clashes, (const double(*)[3])work->shape);
}

/* Turns every bond, in random order of choices, to where it clashes least; what is left of clashes.
 */
static double relax_turns(struct work *work, double clash)
{
    for (int sweep = 0; sweep < SWEEPS && clash > 0; sweep++) {
        for (size_t i = 0; i < work->tree->count && clash > 0; i++) {
            const struct turn *turn = &work->turns[i];
            const size_t start = (size_t)(berth_random_bits(&work->random) % turn->count);
            double best = work->taken[i];
            for (size_t k = 0; k < turn->count && clash > 0; k++) {
                const double angle = some_angle(work, turn, (start + k) % turn->count);
                turn_to(work, i, angle);
                const double now = clash_of(work);
                if (now < clash) {
                    clash = now;
                    best = angle;
                }
            }
            turn_to(work, i, best);
        }
    }
    return clash;
}

/* Puts the shape into the pool. */
static void keep_shape(struct work *work)
{
    const size_t atoms = work->molecule->atom_count;
    double(*heavy)[3] = work->heavy + work->pool_count * work->heavy_count;
    memcpy(work->pool + work->pool_count * atoms, work->shape, atoms * sizeof *work->shape);
    size_t filled = 0;
    for (size_t i = 0; i < atoms; i++) {
        if (work->molecule->atoms[i].heavy) {
            memcpy(heavy[filled++], work->shape[i], sizeof *heavy);
        }
    }
    berth_center(heavy, work->heavy_count);
    work->pool_count++;
}

static void start_over(struct work *work)
{
    memcpy(work->shape, work->start, work->molecule->atom_count * sizeof *work->shape);
    for (size_t i = 0; i < work->tree->count; i++) {
        work->taken[i] = work->turns[i].offset;
    }
}

/* Takes the start of this number, and the angles that its bonds have. */
static void choose_start(struct work *work, const struct berth_conformer_search *search,
                         size_t number)
{
    const size_t atoms = work->molecule->atom_count;
    for (size_t i = 0; i < atoms; i++) {
        memcpy(work->start[i],
               search->start_count ? search->starts[number * atoms + i]
                                   : work->molecule->atoms[i].position,
               sizeof *work->start);
    }
    for (size_t i = 0; i < work->tree->count; i++) {
        struct turn *turn = &work->turns[i];
        const size_t b = turn->torsion->first, c = turn->torsion->second;
        turn->offset = berth_dihedral(work->start[reference(work, b, c)], work->start[b],
                                      work->start[c], work->start[reference(work, c, b)]);
    }
}

/* Fills the pool up to `size` with the start and its turned shapes. */
static void fill_pool(struct work *work, size_t size)
{
    const size_t wanted = size - work->pool_count;
    start_over(work);
    /* a molecule that clashes as it stands cannot be asked for better */
    const double allowed = clash_of(work);
    keep_shape(work);
    for (size_t try = 0;
         work->tree->count && work->pool_count < size && try < wanted * TRIES_PER_SHAPE; try++) {
        start_over(work);
        for (size_t i = 0; i < work->tree->count; i++) {
            const struct turn *turn = &work->turns[i];
            turn_to(
                work, i,
                some_angle(work, turn, (size_t)(berth_random_bits(&work->random) % turn->count)));
        }
        if (relax_turns(work, clash_of(work)) <= allowed) {
            keep_shape(work);
        }
    }
}

/* RMSD of two members of the pool: superposed, and the smallest over the molecule's symmetries, so
 * that a phenyl ring turned by 180 degrees is no new shape. */
static double rmsd_of(const struct work *work, size_t a, size_t b)
{
    const size_t count = work->heavy_count, ways = work->symmetries.count;
    const double(*from)[3] = (const double(*)[3])work->heavy + a * count;
    const double(*to)[3] = (const double(*)[3])work->heavy + b * count;
    double best = INFINITY;
    for (size_t way = 0; way < ways && way < SYMMETRIES_MAX; way++) {
        for (size_t i = 0; i < count; i++) {
            memcpy(work->image[i], to[work->symmetries.atoms[way * count + i]], sizeof *to);
        }
        best = fmin(best, berth_superposed_rmsd(from, (const double(*)[3])work->image, count));
    }
    return best;
}

/* Picks members of the pool, each the farthest from those picked before. */
static enum berth_status pick_conformers(const struct work *work,
                                         const struct berth_conformer_search *search,
                                         struct berth_conformers *conformers,
                                         struct berth_error *error)
{
    const size_t atoms = work->molecule->atom_count, size = work->pool_count;
    double *distance; /* to the nearest one picked */
    BERTH_TRY(berth_make(&conformers->positions, search->count * atoms,
                         sizeof *conformers->positions, work->molecule->title, error));
    BERTH_TRY(berth_make(&distance, size, sizeof *distance, work->molecule->title, error));
    for (size_t i = 0; i < size; i++) {
        distance[i] = INFINITY;
    }
    for (size_t next = 0; conformers->count < search->count && distance[next] > 0 &&
                          distance[next] >= search->min_rmsd;) {
        memcpy(conformers->positions + conformers->count++ * atoms, work->pool + next * atoms,
               atoms * sizeof *work->pool);
        const size_t picked = next;
        distance[picked] = 0;
        for (size_t i = 0; i < size; i++) {
            distance[i] = fmin(distance[i], rmsd_of(work, i, picked));
            next = distance[i] > distance[next] ? i : next;
        }
    }
    free(distance);
    return BERTH_OK;
}

static enum berth_status create_work(struct work *work, size_t pool, struct berth_error *error)
{
    const size_t atoms = work->molecule->atom_count, turns = work->tree->count;
    const size_t heavy = work->heavy_count = berth_heavy_count(work->molecule);
    const char *title = work->molecule->title;
    BERTH_TRY(berth_make(&work->start, atoms, sizeof *work->start, title, error));
    BERTH_TRY(berth_make(&work->turns, turns, sizeof *work->turns, title, error));
    BERTH_TRY(berth_make(&work->taken, turns, sizeof *work->taken, title, error));
    BERTH_TRY(berth_make(&work->shape, atoms, sizeof *work->shape, title, error));
    BERTH_TRY(berth_make(&work->pool, pool * atoms, sizeof *work->pool, title, error));
    BERTH_TRY(berth_make(&work->heavy, pool * heavy, sizeof *work->heavy, title, error));
    BERTH_TRY(berth_make(&work->image, heavy, sizeof *work->image, title, error));
    for (size_t i = 0; i < turns; i++) {
        work->turns[i].torsion = &work->tree->torsions[i];
        choose_angles(work, &work->turns[i]);
    }
    BERTH_TRY(berth_matches_find(work->molecule, work->molecule, &work->symmetries, error));
    return berth_clashes_find(work->molecule, work->tree, &work->clashes, error);
}

enum berth_status berth_conformers_find(const struct berth_molecule *molecule,
                                        const struct berth_torsion_tree *tree,
                                        const struct berth_conformer_search *search,
                                        struct berth_conformers *conformers,
                                        struct berth_error *error)
{
    struct work work = {.molecule = molecule, .tree = tree, .random = search->seed};
    *conformers = (struct berth_conformers){.atom_count = molecule->atom_count};
    const size_t starts = search->start_count ? search->start_count : 1;
    const size_t pool = search->pool < starts ? starts : search->pool;
    enum berth_status status = create_work(&work, pool, error);
    for (size_t i = 0; !status && i < starts; i++) { /* each fills its part */
        choose_start(&work, search, i);
        fill_pool(&work, pool * (i + 1) / starts);
    }
    BERTH_THEN(pick_conformers(&work, search, conformers, error));
    berth_clashes_clear(&work.clashes);
    berth_matches_clear(&work.symmetries);
    free(work.image);
    free(work.start);
    free(work.turns);
    free(work.taken);
    free(work.shape);
    free(work.pool);
    free(work.heavy);
    return status;
}

void berth_conformers_clear(struct berth_conformers *conformers)
{
    free(conformers->positions);
    free(conformers->energies);
    memset(conformers, 0, sizeof *conformers);
}
