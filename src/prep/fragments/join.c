#include "prep/fragments/join.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "prep/fragments/join_internal.h"

/* Combinations of shapes that are tried for each structure that is wanted. */
enum { TRIES = 4 };

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

static void keep_structure(const struct berth_joining *joining, struct berth_conformers *structures)
{
    const size_t atoms = structures->atom_count;
    double(*to)[3] = structures->positions + structures->count++ * atoms;
    for (size_t i = 0; i < atoms; i++) {
        memcpy(to[i], joining->positions[joining->places[i]], sizeof *to);
    }
}

/* Joins the combinations, lowest first, until there are enough structures. */
static enum berth_status join_all(struct berth_joining *joining, const struct ranking *ranking,
                                  const struct berth_fragment_request *request,
                                  struct berth_conformers *structures, double *energies,
                                  struct berth_error *error)
{
    for (size_t i = 0; i < ranking->count && structures->count < request->structures; i++) {
        const struct combination *combination = &ranking->items[i];
        if (combination->energy > request->window) {
            break;
        }
        memcpy(joining->shapes, combination->shapes, joining->parts->fragment_count);
        if (berth_joining_place(joining)) {
            energies[structures->count] = combination->energy;
            keep_structure(joining, structures);
        }
    }
    return structures->count ? BERTH_OK
                             : berth_fail(error, BERTH_E_FORMAT,
                                          "its fragments clash however their bonds are turned");
}

enum berth_status berth_fragments_join(const struct berth_fragment_parts *parts,
                                       const struct berth_fragment_request *request,
                                       struct berth_molecule *molecule,
                                       struct berth_conformers *structures, double **energies,
                                       struct berth_error *error)
{
    struct berth_joining joining = {.parts = parts, .molecule = molecule};
    struct ranking ranking = {.items = NULL};
    memset(molecule, 0, sizeof *molecule);
    memset(structures, 0, sizeof *structures);
    *energies = berth_alloc(request->structures, sizeof **energies);
    enum berth_status status = *energies ? BERTH_OK : berth_out_of_memory(error, NULL);
    BERTH_THEN(berth_joining_begin(&joining, error));
    BERTH_THEN(rank(parts, TRIES * request->structures, &ranking, error));
    if (!status) {
        structures->atom_count = molecule->atom_count;
        structures->positions =
            berth_alloc(request->structures * molecule->atom_count, sizeof *structures->positions);
        status = structures->positions ? BERTH_OK : berth_out_of_memory(error, NULL);
    }
    BERTH_THEN(join_all(&joining, &ranking, request, structures, *energies, error));
    for (size_t i = 0; !status && i < molecule->atom_count; i++) {
        memcpy(molecule->atoms[i].position, structures->positions[i],
               sizeof molecule->atoms[i].position);
    }
    free(ranking.items);
    free(ranking.shapes);
    berth_joining_end(&joining);
    return status;
}
