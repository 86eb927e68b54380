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
