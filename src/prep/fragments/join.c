#include "prep/fragments/join.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "prep/fragments/joining.h"

/* Combinations of shapes that are tried for each structure that is wanted; ways to turn the bonds
 * of each. */
enum { TRIES = 4, ROUNDS = 5 };

/* Tangent of the angle, 3 degrees, by which bonds are bent otherwise. */
static const double DISTINCT = 0.052;

/* A shape of each fragment. */
struct combination {
    double energy;   /* kJ/mol: the sum of the shapes' above their fragments' lowest */
    size_t number;   /* in the order in which they were made, so that equals keep it */
    uint8_t *shapes; /* borrowed; [fragment_count] */
};

static int compare(const void *a, const void *b)
{
    const struct combination *p = a, *q = b;
    return p->energy != q->energy ? (p->energy > q->energy) - (p->energy < q->energy)
                                  : (p->number > q->number) - (p->number < q->number);
}

/* The combinations that are lowest, as many as may be kept. */
struct ranking {
    struct combination *items; /* owned; [kept * the most shapes of a fragment] */
    uint8_t *shapes;           /* owned; the items' */
    size_t count, kept;
};

/* Gives each combination each shape of one more fragment, and keeps the lowest. */
static void add_fragment(struct ranking *ranking, const struct berth_fragment *fragment,
                         size_t number, size_t fragments)
{
    const size_t before = ranking->count, shapes = fragment->shape_count;
    for (size_t shape = 1; shape < shapes; shape++) {
        for (size_t i = 0; i < before; i++) {
            struct combination *made = &ranking->items[ranking->count];
            made->energy = ranking->items[i].energy + fragment->energies[shape] -
                           (double)fragment->energies[0];
            made->number = ranking->count++;
            memcpy(made->shapes, ranking->items[i].shapes, fragments);
            made->shapes[number] = (uint8_t)shape;
        }
    }
    qsort(ranking->items, ranking->count, sizeof *ranking->items, compare);
    ranking->count = ranking->count < ranking->kept ? ranking->count : ranking->kept;
    for (size_t i = 0; i < ranking->count; i++) {
        ranking->items[i].number = i;
    }
}

static enum berth_status rank(const struct berth_fragment_parts *parts, size_t kept,
                              struct ranking *ranking, struct berth_error *error)
{
    size_t most = 1;
    for (size_t i = 0; i < parts->fragment_count; i++) {
        const size_t shapes = parts->fragments[i]->shape_count;
        most = shapes > most ? shapes : most;
    }
    ranking->kept = kept;
    ranking->items = berth_alloc(kept * most, sizeof *ranking->items);
    ranking->shapes = berth_alloc(kept * most * parts->fragment_count, 1);
    if (!ranking->items || !ranking->shapes) {
        return berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; i < kept * most; i++) {
        ranking->items[i].shapes = ranking->shapes + i * parts->fragment_count;
    }
    ranking->count = 1;
    for (size_t i = 0; i < parts->fragment_count; i++) {
        add_fragment(ranking, parts->fragments[i], i, parts->fragment_count);
    }
    return BERTH_OK;
}

/* Which angle each joint prefers: structures of the same shapes differ in these, and so in how the
 * bonds are bent that are crowded then. */
static void prefer_angles(struct berth_joining *joining, size_t round)
{
    for (size_t i = 0; i + 1 < joining->parts->fragment_count; i++) {
        joining->joints[i].preferred =
            round == ROUNDS - 1 ? 2 : round == 1 || (round > 1 && (i + round) % 2);
    }
}

/* True where the bonds are bent otherwise than in each of the structures. */
static bool is_bent_anew(const struct berth_joining *joining,
                         const double (*known)[BERTH_JOINT_BENDS], size_t count)
{
    const size_t joints = joining->parts->fragment_count - 1;
    for (size_t s = 0; s < count; s++) {
        bool differs = false;
        for (size_t i = 0; i < joints; i++) {
            for (size_t k = 0; k < BERTH_JOINT_BENDS; k++) {
                differs = differs ||
                          fabs(joining->joints[i].bends[k] - known[s * joints + i][k]) >= DISTINCT;
            }
        }
        if (!differs) {
            return false;
        }
    }
    return true;
}

/* Joins the combinations, lowest first, until there are enough structures; then again with bonds
 * turned otherwise, for those in which that bends them. */
static enum berth_status join_all(struct berth_joining *joining, const struct ranking *ranking,
                                  size_t most, double window, struct berth_conformers *structures,
                                  struct berth_error *error)
{
    const size_t joints = joining->parts->fragment_count - 1;
    double(*bends)[BERTH_JOINT_BENDS] = berth_alloc(most * joints + 1, sizeof *bends);
    if (!bends) {
        return berth_out_of_memory(error, NULL);
    }
    for (size_t n = 0; n < ROUNDS * ranking->count && structures->count < most; n++) {
        const struct combination *combination = &ranking->items[n % ranking->count];
        const size_t round = n / ranking->count;
        if (combination->energy > window || (round && !structures->count)) {
            continue;
        }
        memcpy(joining->shapes, combination->shapes, joining->parts->fragment_count);
        prefer_angles(joining, round);
        berth_joining_place(joining);
        berth_joining_bend(joining);
        if (!berth_joining_clashes(joining) &&
            (!round ||
             is_bent_anew(joining, (const double(*)[BERTH_JOINT_BENDS])bends, structures->count))) {
            for (size_t i = 0; i < joints; i++) {
                memcpy(bends[structures->count * joints + i], joining->joints[i].bends,
                       sizeof *bends);
            }
            structures->energies[structures->count] = combination->energy;
            const size_t atoms = structures->atom_count;
            double(*to)[3] = structures->positions + structures->count++ * atoms;
            for (size_t i = 0; i < atoms; i++) {
                memcpy(to[i], joining->positions[joining->places[i]], sizeof *to);
            }
        }
    }
    free(bends);
    return structures->count ? BERTH_OK
                             : berth_fail(error, BERTH_E_FORMAT,
                                          "its fragments clash however their bonds are turned");
}

enum berth_status berth_fragments_join(const struct berth_fragment_parts *parts, size_t most,
                                       double window, struct berth_molecule *molecule,
                                       struct berth_conformers *structures,
                                       struct berth_error *error)
{
    struct berth_joining joining = {.parts = parts, .molecule = molecule};
    struct ranking ranking = {.items = NULL};
    memset(molecule, 0, sizeof *molecule);
    memset(structures, 0, sizeof *structures);
    enum berth_status status = berth_joining_begin(&joining, error);
    BERTH_THEN(rank(parts, TRIES * most, &ranking, error));
    if (!status) {
        structures->atom_count = molecule->atom_count;
        status = berth_make(&structures->positions, most * molecule->atom_count,
                            sizeof *structures->positions, NULL, error);
    }
    BERTH_THEN(berth_make(&structures->energies, most, sizeof *structures->energies, NULL, error));
    BERTH_THEN(join_all(&joining, &ranking, most, window, structures, error));
    for (size_t i = 0; !status && i < molecule->atom_count; i++) {
        memcpy(molecule->atoms[i].position, structures->positions[i],
               sizeof molecule->atoms[i].position);
    }
    free(ranking.items);
    free(ranking.shapes);
    berth_joining_end(&joining);
    return status;
}
