#include "chem/structure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum berth_status berth_structure_add(struct berth_structure *structure,
                                      const struct berth_structure_atom *atom,
                                      struct berth_error *error)
{
    BERTH_TRY(berth_reserve(&structure->atoms, &structure->capacity, structure->count + 1,
                            sizeof *atom, error));
    structure->atoms[structure->count++] = *atom;
    return BERTH_OK;
}

void berth_structure_clear(struct berth_structure *structure)
{
    if (!structure) {
        return;
    }
    free(structure->title);
    free(structure->atoms);
    memset(structure, 0, sizeof *structure);
}

bool berth_same_place(const struct berth_residue_id *a, const struct berth_residue_id *b)
{
    return a->number == b->number && a->insertion == b->insertion &&
           strcmp(a->chain, b->chain) == 0;
}

bool berth_same_residue(const struct berth_residue_id *a, const struct berth_residue_id *b)
{
    return berth_same_place(a, b) && strcmp(a->name, b->name) == 0;
}

struct berth_span berth_residue_at(const struct berth_structure *structure, size_t begin)
{
    size_t end = begin;
    while (end < structure->count &&
           berth_same_residue(&structure->atoms[begin].residue, &structure->atoms[end].residue)) {
        end++;
    }
    return (struct berth_span){begin, end};
}

const struct berth_structure_atom *berth_residue_atom(const struct berth_structure *structure,
                                                      struct berth_span span, const char *name)
{
    for (size_t i = span.begin; i < span.end; i++) {
        if (strcmp(structure->atoms[i].name, name) == 0) {
            return &structure->atoms[i];
        }
    }
    return NULL;
}

bool berth_has_backbone(const struct berth_structure *structure, struct berth_span span)
{
    static const char *const NAMES[] = {"N", "CA", "C", "O"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (!berth_residue_atom(structure, span, NAMES[i])) {
            return false;
        }
    }
    return true;
}

void berth_residue_text(const struct berth_residue_id *id, char text[BERTH_RESIDUE_TEXT_SIZE])
{
    const char insertion[] = {id->insertion, '\0'};
    snprintf(text, BERTH_RESIDUE_TEXT_SIZE, "%s %s:%d%s", id->name, id->chain, id->number,
             insertion);
}

bool berth_is_hydrogen(const struct berth_structure_atom *atom)
{
    return atom->element == 1;
}

static bool has_heavy(const struct berth_structure *structure, struct berth_span span)
{
    bool heavy = false;
    for (size_t i = span.begin; !heavy && i < span.end; i++) {
        heavy = !berth_is_hydrogen(&structure->atoms[i]);
    }
    return heavy;
}

/* The residue before `span` that has the heavy atoms of the same; span itself where none has. */
static struct berth_span find_heavy(const struct berth_structure *structure, struct berth_span span)
{
    for (struct berth_span other = berth_residue_at(structure, 0); other.begin < span.begin;
         other = berth_residue_at(structure, other.end)) {
        if (berth_same_residue(&structure->atoms[other.begin].residue,
                               &structure->atoms[span.begin].residue) &&
            has_heavy(structure, other)) {
            return other;
        }
    }
    return span;
}

/* Behind which atom one belongs. */
struct belonging {
    size_t behind, atom;
};

static int by_place(const void *left, const void *right)
{
    const struct belonging *a = left, *b = right;
    return a->behind != b->behind ? (a->behind < b->behind ? -1 : 1)
                                  : (a->atom > b->atom) - (a->atom < b->atom);
}

enum berth_status berth_structure_gather(struct berth_structure *structure,
                                         struct berth_error *error)
{
    struct belonging *order;
    struct berth_structure_atom *atoms;
    BERTH_TRY(berth_make(&order, structure->count, sizeof *order, NULL, error));
    const enum berth_status status =
        berth_make(&atoms, structure->count, sizeof *atoms, NULL, error);
    for (struct berth_span span = berth_residue_at(structure, 0); !status && span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        const bool heavy = has_heavy(structure, span);
        const struct berth_span home = heavy ? span : find_heavy(structure, span);
        for (size_t i = span.begin; i < span.end; i++) {
            order[i] = (struct belonging){home.begin == span.begin ? i : home.end - 1, i};
        }
    }
    if (!status) {
        qsort(order, structure->count, sizeof *order, by_place);
        for (size_t i = 0; i < structure->count; i++) {
            atoms[i] = structure->atoms[order[i].atom];
        }
        memcpy(structure->atoms, atoms, structure->count * sizeof *atoms);
        free(atoms);
    }
    free(order);
    return status;
}

void berth_structure_filter(struct berth_structure *structure, const bool *keep)
{
    size_t kept = 0;
    for (size_t i = 0; i < structure->count; i++) {
        if (keep[i]) {
            structure->atoms[kept++] = structure->atoms[i];
        }
    }
    structure->count = kept;
}
