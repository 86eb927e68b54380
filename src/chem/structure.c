#include "chem/structure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/bonds.h"

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

enum berth_status berth_structure_cells(const struct berth_structure *structure, double edge,
                                        struct berth_cells *cells, struct berth_error *error)
{
    const double *first = structure->count ? structure->atoms->position : NULL;
    return berth_cells_create(first, sizeof *structure->atoms, structure->count, edge, cells,
                              error);
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

bool berth_is_copy(const struct berth_residue_id *residue)
{
    const char *dash = strrchr(residue->chain, '-');
    return dash && dash[1] && strspn(dash + 1, "0123456789") == strlen(dash + 1);
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
    snprintf(text, BERTH_RESIDUE_TEXT_SIZE, "%s %s%s%d%s", id->name, id->chain,
             *id->chain ? ":" : "", id->number, insertion);
}

bool berth_is_hydrogen(const struct berth_structure_atom *atom)
{
    return atom->element == HYDROGEN;
}

size_t berth_hydrogens_on(const struct berth_structure *structure, size_t atom)
{
    const double *at = structure->atoms[atom].position;
    size_t count = 0;
    for (size_t i = 0; i < structure->count; i++) {
        const struct berth_structure_atom *other = &structure->atoms[i];
        count += berth_is_hydrogen(other) && berth_distance_squared(other->position, at) <
                                                 BERTH_BOND_HYDROGEN * BERTH_BOND_HYDROGEN;
    }
    return count;
}

static bool has_heavy(const struct berth_structure *structure, struct berth_span span)
{
    bool heavy = false;
    for (size_t i = span.begin; !heavy && i < span.end; i++) {
        heavy = !berth_is_hydrogen(&structure->atoms[i]);
    }
    return heavy;
}

/* A residue with heavy atoms. */
struct home {
    const struct berth_residue_id *residue;
    struct berth_span span;
};

static int by_residue(const struct berth_residue_id *a, const struct berth_residue_id *b)
{
    const int chain = strcmp(a->chain, b->chain), name = strcmp(a->name, b->name);
    return chain                          ? chain
           : a->number != b->number       ? (a->number < b->number ? -1 : 1)
           : a->insertion != b->insertion ? (a->insertion < b->insertion ? -1 : 1)
                                          : name;
}

static int by_home(const void *left, const void *right)
{
    const struct home *a = left, *b = right;
    const int residue = by_residue(a->residue, b->residue);
    return residue ? residue : (a->span.begin > b->span.begin) - (a->span.begin < b->span.begin);
}

/* The residues with heavy atoms, sorted; how many. */
static size_t list_homes(const struct berth_structure *structure, struct home *homes)
{
    size_t count = 0;
    for (struct berth_span span = berth_residue_at(structure, 0); span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        if (has_heavy(structure, span)) {
            homes[count++] = (struct home){&structure->atoms[span.begin].residue, span};
        }
    }
    qsort(homes, count, sizeof *homes, by_home);
    return count;
}

/* The first residue of homes [count] that is the same as that of `span`, where it stands before;
 * else span itself. */
static struct berth_span find_home(const struct berth_structure *structure,
                                   const struct home *homes, size_t count, struct berth_span span)
{
    const struct berth_residue_id *residue = &structure->atoms[span.begin].residue;
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (by_residue(homes[middle].residue, residue) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const bool found = low < count && by_residue(homes[low].residue, residue) == 0;
    return found && homes[low].span.begin < span.begin ? homes[low].span : span;
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

/* Where each atom belongs: hydrogens that stand apart behind their residue's heavy atoms. */
static void list_belongings(const struct berth_structure *structure, struct home *homes,
                            struct belonging *order)
{
    const size_t count = list_homes(structure, homes);
    for (struct berth_span span = berth_residue_at(structure, 0); span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        const struct berth_span home =
            has_heavy(structure, span) ? span : find_home(structure, homes, count, span);
        for (size_t i = span.begin; i < span.end; i++) {
            order[i] = (struct belonging){home.begin == span.begin ? i : home.end - 1, i};
        }
    }
    qsort(order, structure->count, sizeof *order, by_place);
}

enum berth_status berth_structure_gather(struct berth_structure *structure,
                                         struct berth_error *error)
{
    const size_t count = structure->count;
    struct belonging *order = berth_alloc(count, sizeof *order);
    struct home *homes = berth_alloc(count, sizeof *homes);
    struct berth_structure_atom *atoms = berth_alloc(count, sizeof *atoms);
    const bool able = order && homes && atoms;
    if (able) {
        list_belongings(structure, homes, order);
        for (size_t i = 0; i < count; i++) {
            atoms[i] = structure->atoms[order[i].atom];
        }
        memcpy(structure->atoms, atoms, count * sizeof *atoms);
    }
    free(order);
    free(homes);
    free(atoms);
    return able ? BERTH_OK : berth_out_of_memory(error, NULL);
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
