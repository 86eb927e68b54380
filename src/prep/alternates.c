#include "prep/alternates.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { ALTERNATES_MAX = 64 };

/* One alternate of a place in the chain. */
struct alternate {
    char letter;
    char residue[BERTH_LABEL_SIZE];
    double occupancy; /* sum over its atoms */
    size_t atoms;
};

/* The alternates of one place, best first. */
struct ranking {
    struct alternate alternates[ALTERNATES_MAX];
    size_t count;
};

static double mean_of(const struct alternate *alternate)
{
    return alternate->occupancy / (double)alternate->atoms;
}

/* Insertion sort: stable, and there are few. */
static void sort(struct ranking *ranking)
{
    for (size_t i = 1; i < ranking->count; i++) {
        const struct alternate moved = ranking->alternates[i];
        size_t j = i;
        for (; j > 0 && mean_of(&ranking->alternates[j - 1]) < mean_of(&moved) - 1e-9; j--) {
            ranking->alternates[j] = ranking->alternates[j - 1];
        }
        ranking->alternates[j] = moved;
    }
}

static void count_atom(struct ranking *ranking, const struct berth_structure_atom *atom)
{
    size_t i = 0;
    while (i < ranking->count &&
           (ranking->alternates[i].letter != atom->alternate ||
            strcmp(ranking->alternates[i].residue, atom->residue.name) != 0)) {
        i++;
    }
    if (i == ALTERNATES_MAX) {
        return; /* ranks behind all others */
    }
    if (i == ranking->count) {
        ranking->alternates[ranking->count++] = (struct alternate){.letter = atom->alternate};
        memcpy(ranking->alternates[i].residue, atom->residue.name, BERTH_LABEL_SIZE);
    }
    ranking->alternates[i].occupancy += atom->occupancy;
    ranking->alternates[i].atoms++;
}

static size_t rank_of(const struct ranking *ranking, const struct berth_structure_atom *atom)
{
    for (size_t i = 0; i < ranking->count; i++) {
        if (ranking->alternates[i].letter == atom->alternate &&
            strcmp(ranking->alternates[i].residue, atom->residue.name) == 0) {
            return i;
        }
    }
    return ALTERNATES_MAX;
}

/* True where no better place of the same atom stands among the span's. */
static bool is_best(const struct berth_structure *structure, struct berth_span span, size_t index,
                    const struct ranking *ranking)
{
    const struct berth_structure_atom *atom = &structure->atoms[index];
    if (strcmp(atom->residue.name, ranking->alternates[0].residue) != 0) {
        return false;
    }
    const size_t rank = rank_of(ranking, atom);
    for (size_t i = span.begin; i < span.end; i++) {
        const struct berth_structure_atom *other = &structure->atoms[i];
        if (i != index && strcmp(other->name, atom->name) == 0 &&
            strcmp(other->residue.name, atom->residue.name) == 0) {
            const size_t theirs = other->alternate ? rank_of(ranking, other) : 0;
            if (!other->alternate || theirs < rank || (theirs == rank && i < index)) {
                return false;
            }
        }
    }
    return true;
}

enum berth_status berth_alternates_resolve(struct berth_structure *structure, size_t *residues,
                                           struct berth_error *error)
{
    *residues = 0;
    bool *keep = berth_alloc(structure->count, sizeof *keep);
    if (!keep) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu atoms", structure->count);
    }
    const struct berth_structure_atom *atoms = structure->atoms;
    struct berth_span span = {0, 0};
    for (; span.begin < structure->count; span.begin = span.end) {
        struct ranking ranking = {.count = 0};
        span.end = span.begin;
        while (span.end < structure->count &&
               berth_same_place(&atoms[span.begin].residue, &atoms[span.end].residue)) {
            if (atoms[span.end].alternate) {
                count_atom(&ranking, &atoms[span.end]);
            }
            span.end++;
        }
        sort(&ranking);
        size_t dropped = 0;
        for (size_t i = span.begin; i < span.end; i++) {
            keep[i] = !atoms[i].alternate || is_best(structure, span, i, &ranking);
            dropped += !keep[i];
        }
        *residues += dropped > 0;
    }
    berth_structure_filter(structure, keep);
    free(keep);
    return BERTH_OK;
}
