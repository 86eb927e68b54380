#include "prep/fragments/fragment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "chem/molecule.h"

/* Å: no atom of a fragment is as far from the origin. */
static const double FARTHEST = 1000;

/* Reads atoms, hydrogens and bonds; false where they cannot be true. */
static bool read_graph(struct berth_cursor *cursor, struct berth_fragment *fragment)
{
    bool good = true;
    for (size_t i = 0; good && i < fragment->atom_count; i++) {
        good = berth_worker_atom_read(cursor, &fragment->atoms[i]) &&
               fragment->atoms[i].element != HYDROGEN;
    }
    for (size_t i = 0; good && i < fragment->hydrogen_count; i++) {
        fragment->parents[i] = berth_cursor_get16(cursor);
        good = fragment->parents[i] < fragment->atom_count;
    }
    for (size_t i = 0; good && i < fragment->bond_count; i++) {
        good = berth_worker_bond_read(cursor, fragment->atom_count, &fragment->bonds[i]);
    }
    return good;
}

static bool read_shapes(struct berth_cursor *cursor, struct berth_fragment *fragment)
{
    const size_t places = fragment->atom_count + fragment->hydrogen_count;
    bool good = true;
    for (size_t shape = 0; good && shape < fragment->shape_count; shape++) {
        fragment->energies[shape] = berth_cursor_get_float(cursor);
        good = isfinite(fragment->energies[shape]);
        for (size_t i = 0; good && i < 3 * places; i++) {
            float *value = &fragment->positions[shape * places + i / 3][i % 3];
            *value = berth_cursor_get_float(cursor);
            good = fabs(*value) < FARTHEST; /* false for NAN, too */
        }
    }
    return good;
}

static bool make_room(struct berth_fragment *fragment)
{
    const size_t places = fragment->atom_count + fragment->hydrogen_count;
    fragment->atoms = berth_alloc(fragment->atom_count, sizeof *fragment->atoms);
    fragment->parents = berth_alloc(fragment->hydrogen_count, sizeof *fragment->parents);
    fragment->bonds = berth_alloc(fragment->bond_count, sizeof *fragment->bonds);
    fragment->energies = berth_alloc(fragment->shape_count, sizeof *fragment->energies);
    fragment->positions = berth_alloc(fragment->shape_count * places, sizeof *fragment->positions);
    return fragment->atoms && fragment->parents && fragment->bonds && fragment->energies &&
           fragment->positions;
}

enum berth_status berth_fragment_read(const void *record, size_t size,
                                      struct berth_fragment *fragment, struct berth_error *error)
{
    memset(fragment, 0, sizeof *fragment);
    if (!size) {
        return BERTH_OK; /* one that cannot be built */
    }
    struct berth_cursor cursor = berth_cursor_over(record, size);
    const size_t atoms = berth_cursor_get16(&cursor), hydrogens = berth_cursor_get16(&cursor),
                 bonds = berth_cursor_get16(&cursor);
    const size_t shapes = berth_cursor_get8(&cursor);
    berth_cursor_get8(&cursor);
    const size_t needed =
        8 + 8 * atoms + 2 * hydrogens + 6 * bonds + shapes * (4 + 12 * (atoms + hydrogens));
    if (!atoms || !shapes || size != needed) {
        return berth_fail(error, BERTH_E_FORMAT, "a fragment of another size than it says");
    }
    fragment->atom_count = atoms;
    fragment->hydrogen_count = hydrogens;
    fragment->bond_count = bonds;
    fragment->shape_count = shapes;
    if (!make_room(fragment)) {
        return berth_out_of_memory(error, NULL);
    }
    return read_graph(&cursor, fragment) && read_shapes(&cursor, fragment) && !cursor.failed
               ? BERTH_OK
               : berth_fail(error, BERTH_E_FORMAT, "a fragment that cannot be");
}

/* A copy; NULL when out of memory. */
static void *copy(const void *data, size_t count, size_t size)
{
    void *copied = berth_alloc(count, size);
    if (copied && count) {
        memcpy(copied, data, count * size);
    }
    return copied;
}

enum berth_status berth_fragment_mirror(const struct berth_fragment *fragment,
                                        struct berth_fragment *mirrored, struct berth_error *error)
{
    const size_t places = fragment->shape_count * (fragment->atom_count + fragment->hydrogen_count);
    *mirrored = *fragment;
    mirrored->atoms = copy(fragment->atoms, fragment->atom_count, sizeof *fragment->atoms);
    mirrored->parents =
        copy(fragment->parents, fragment->hydrogen_count, sizeof *fragment->parents);
    mirrored->bonds = copy(fragment->bonds, fragment->bond_count, sizeof *fragment->bonds);
    mirrored->energies =
        copy(fragment->energies, fragment->shape_count, sizeof *fragment->energies);
    mirrored->positions = copy(fragment->positions, places, sizeof *fragment->positions);
    if (!mirrored->atoms || !mirrored->parents || !mirrored->bonds || !mirrored->energies ||
        !mirrored->positions) {
        return berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; i < places; i++) {
        mirrored->positions[i][0] = -mirrored->positions[i][0];
    }
    return BERTH_OK;
}

char *berth_fragment_mirror_key(const char *key)
{
    char *mirrored = berth_alloc(2 * strlen(key) + 1, 1), *to = mirrored;
    for (; mirrored && *key; key++) {
        *to++ = *key;
        if (*key == '@' && key[1] == '@') {
            key++;
        } else if (*key == '@') {
            *to++ = '@';
        }
    }
    return mirrored;
}

void berth_fragment_clear(struct berth_fragment *fragment)
{
    free(fragment->atoms);
    free(fragment->parents);
    free(fragment->bonds);
    free(fragment->energies);
    free(fragment->positions);
    memset(fragment, 0, sizeof *fragment);
}
