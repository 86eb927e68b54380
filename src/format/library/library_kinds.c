/* Kinds of atoms: what typing rules need to know of an atom, once for all of a block that are
 * alike. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/residue_types.h"
#include "format/library/library_format.h"
#include "format/traits_bytes.h"

/* True for a residue that a forcefield by residue may know: others only make atoms differ. */
static bool is_standard(const char *residue)
{
    char name[BERTH_NAME_SIZE];
    snprintf(name, sizeof name, "%s", residue);
    size_t length = strlen(name);
    while (length && (isdigit((unsigned char)name[length - 1]) || name[length - 1] == '-')) {
        name[--length] = '\0';
    }
    return length > 1 && berth_residue_type_find(name);
}

/* The kind of an atom: without its place, and without a name where that says nothing.  The atoms of
 * a residue follow each other, so that each name is looked up once. */
static struct berth_atom kind_of(struct berth_library_kinds *kinds, const struct berth_atom *atom,
                                 const struct berth_traits *traits)
{
    struct berth_atom kind = {.element = atom->element, .heavy = true, .traits = *traits};
    snprintf(kind.type, sizeof kind.type, "%s", atom->type);
    if (strcmp(kinds->residue, atom->residue) != 0) {
        snprintf(kinds->residue, sizeof kinds->residue, "%s", atom->residue);
        kinds->standard = is_standard(atom->residue);
    }
    if (kinds->standard) {
        snprintf(kind.residue, sizeof kind.residue, "%s", atom->residue);
        snprintf(kind.name, sizeof kind.name, "%s", atom->name);
    }
    return kind;
}

static bool is_same(const struct berth_atom *a, const struct berth_atom *b)
{
    return strcmp(a->type, b->type) == 0 && a->traits.neighbours == b->traits.neighbours &&
           a->traits.hydrogens == b->traits.hydrogens && a->traits.hetero == b->traits.hetero &&
           a->traits.acceptor == b->traits.acceptor && strcmp(a->residue, b->residue) == 0 &&
           strcmp(a->name, b->name) == 0;
}

static enum berth_status add_kind(struct berth_library_kinds *kinds, const struct berth_atom *kind,
                                  struct berth_error *error)
{
    const enum berth_status status = berth_reserve(&kinds->kinds, &kinds->capacity,
                                                   kinds->count + 1, sizeof *kinds->kinds, error);
    if (!status) {
        kinds->kinds[kinds->count++] = *kind;
    }
    return status;
}

enum berth_status berth_library_put_kind(struct berth_bytes *bytes,
                                         struct berth_library_kinds *kinds,
                                         const struct berth_atom *atom,
                                         const struct berth_traits *traits,
                                         struct berth_error *error)
{
    const struct berth_atom kind = kind_of(kinds, atom, traits);
    size_t number = 0;
    while (number < kinds->count && !is_same(&kinds->kinds[number], &kind)) {
        number++;
    }
    berth_bytes_put_varint(bytes, number);
    if (number < kinds->count) {
        return BERTH_OK;
    }
    berth_bytes_put_text(bytes, kind.type);
    berth_put_traits(bytes, traits);
    berth_bytes_put_text(bytes, kind.residue);
    berth_bytes_put_text(bytes, kind.name);
    return add_kind(kinds, &kind, error);
}

static bool get_name(struct berth_cursor *records, char name[BERTH_NAME_SIZE])
{
    const char *text = berth_cursor_get_text(records);
    snprintf(name, BERTH_NAME_SIZE, "%s", text);
    return strlen(text) < BERTH_NAME_SIZE;
}

enum berth_status berth_library_get_kind(struct berth_cursor *records,
                                         struct berth_library_kinds *kinds, size_t *number,
                                         struct berth_error *error)
{
    const uint64_t index = berth_cursor_get_varint(records);
    *number = (size_t)index;
    if (index < kinds->count && !records->failed) {
        return BERTH_OK;
    }
    struct berth_atom kind = {.heavy = true};
    const bool good = index == kinds->count && index < UINT16_MAX && get_name(records, kind.type) &&
                      berth_get_traits(records, &kind.traits) && get_name(records, kind.residue) &&
                      get_name(records, kind.name) && !records->failed;
    kind.element = berth_element_of_type(kind.type);
    return good ? add_kind(kinds, &kind, error)
                : berth_fail(error, BERTH_E_FORMAT, "its kinds of atoms make no sense");
}
