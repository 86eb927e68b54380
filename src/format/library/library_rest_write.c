/* Records of the write-out stream: writing. */
#include "format/library/library_format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A type, and behind a colon what is known beside it. */
static void put_type(struct berth_bytes *records, const char *type, int known)
{
    char text[BERTH_NAME_SIZE + 8];
    snprintf(text, sizeof text, "%s:%d", type, known);
    berth_bytes_put_text(records, text);
}

static void put_atoms(struct berth_bytes *records, const struct berth_molecule *molecule)
{
    const size_t count = molecule->atom_count;
    for (size_t i = 0; i < count; i += 8) {
        unsigned bits = 0;
        for (size_t k = 0; k < 8 && i + k < count; k++) {
            bits |= (unsigned)molecule->atoms[i + k].heavy << k;
        }
        berth_bytes_put8(records, (uint8_t)bits);
    }
    for (size_t i = 0; i < count; i++) {
        berth_bytes_put_text(records, molecule->atoms[i].name);
    }
    for (size_t i = 0; i < count; i++) {
        const struct berth_atom *atom = &molecule->atoms[i];
        if (molecule->has_orders && (!i || atom->charge)) { /* the first says that all are known */
            put_type(records, atom->type, atom->charge);
        } else {
            berth_bytes_put_text(records, atom->type);
        }
    }
    for (size_t i = 0; i < count; i++) {
        berth_bytes_put_text(records, molecule->atoms[i].residue);
    }
    for (size_t i = 0; i < count; i++) {
        berth_bytes_put_signed(records, molecule->atoms[i].residue_id);
    }
    for (size_t i = 0; i < count; i++) {
        berth_bytes_put8(records, (uint8_t)molecule->atoms[i].element);
    }
}

static void put_bonds(struct berth_bytes *records, const struct berth_molecule *molecule)
{
    berth_bytes_put_varint(records, molecule->bond_count);
    for (size_t i = 0; i < molecule->bond_count; i++) {
        berth_bytes_put_varint(records, molecule->bonds[i].first);
        berth_bytes_put_varint(records, molecule->bonds[i].second);
        if (molecule->has_orders) {
            put_type(records, molecule->bonds[i].type, molecule->bonds[i].order);
        } else {
            berth_bytes_put_text(records, molecule->bonds[i].type);
        }
    }
}

/* The heavy atom of the molecule that is nearest to this atom; *number is which of them. */
static size_t nearest_heavy(const struct berth_molecule *molecule, size_t atom, size_t *number)
{
    const double *p = molecule->atoms[atom].position;
    double least = HUGE_VAL;
    size_t nearest = 0, heavy = 0;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        if (!molecule->atoms[i].heavy) {
            continue;
        }
        const double *q = molecule->atoms[i].position;
        const double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
        if (x * x + y * y + z * z < least) {
            least = x * x + y * y + z * z;
            nearest = i;
            *number = heavy;
        }
        heavy++;
    }
    return nearest;
}

static void to_grid(const struct berth_molecule *molecule, size_t atom, int32_t grid[3])
{
    for (int axis = 0; axis < 3; axis++) {
        grid[axis] = berth_library_to_grid(molecule->atoms[atom].position[axis]);
    }
}

/* Which heavy atom each light one is near, then the differences of all conformers.  near is
 * [atom_count]. */
static void put_light(struct berth_library_raw *raw, const struct berth_ligand *ligand,
                      size_t *near)
{
    const struct berth_molecule *first = &ligand->conformers[0];
    for (size_t i = 0; i < first->atom_count; i++) {
        if (!first->atoms[i].heavy) {
            size_t number = 0;
            near[i] = nearest_heavy(first, i, &number);
            berth_bytes_put_varint(&raw->records, number);
        }
    }
    for (size_t c = 0; c < ligand->conformer_count; c++) {
        const struct berth_molecule *molecule = &ligand->conformers[c];
        for (size_t i = 0; i < first->atom_count; i++) {
            if (!first->atoms[i].heavy) {
                int32_t from[3], to[3];
                to_grid(molecule, near[i], from);
                to_grid(molecule, i, to);
                berth_library_put_step(raw, from, to);
            }
        }
    }
}

/* The light atoms that the torsions move.  numbers is [atom_count]: which light atom each one is.
 */
static enum berth_status put_torsions(struct berth_bytes *records,
                                      const struct berth_library_ligand *ligand, size_t *numbers,
                                      struct berth_error *error)
{
    const struct berth_molecule *molecule = &ligand->ligand.conformers[0];
    size_t light = 0;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        numbers[i] = molecule->atoms[i].heavy ? SIZE_MAX : light++;
    }
    const size_t size = (light + 7) / 8;
    unsigned char *bits = berth_alloc(size, 1);
    if (!bits) {
        return berth_out_of_memory(error, ligand->ligand.name);
    }
    berth_bytes_put_varint(records, ligand->tree.count);
    for (size_t t = 0; t < ligand->tree.count; t++) {
        const struct berth_torsion *torsion = &ligand->tree.torsions[t];
        memset(bits, 0, size);
        for (size_t i = 0; i < torsion->moved_count; i++) {
            const size_t number = numbers[ligand->tree.moved[torsion->moved_start + i]];
            if (number != SIZE_MAX) {
                bits[number / 8] |= (unsigned char)(1u << number % 8);
            }
        }
        berth_bytes_put(records, bits, size);
    }
    free(bits);
    return BERTH_OK;
}

static void put_origin(struct berth_bytes *records, const struct berth_library_ligand *ligand)
{
    berth_bytes_put_text(records, ligand->smiles);
    berth_bytes_put_text(records, ligand->source);
    berth_bytes_put_varint(records, ligand->record);
    berth_bytes_put_varint(records, ligand->property_count);
    for (size_t i = 0; i < ligand->property_count; i++) {
        berth_bytes_put_text(records, ligand->properties[i].name);
        berth_bytes_put_text(records, ligand->properties[i].value);
    }
}

enum berth_status berth_library_put_rest(struct berth_library_raw *raw,
                                         const struct berth_library_ligand *ligand,
                                         struct berth_error *error)
{
    const struct berth_molecule *molecule = &ligand->ligand.conformers[0];
    size_t *scratch = berth_alloc(molecule->atom_count, sizeof *scratch);
    if (!scratch) {
        return berth_out_of_memory(error, ligand->ligand.name);
    }
    /* The record's size comes first: the record is made aside. */
    struct berth_bytes all = raw->records;
    raw->records = raw->scratch;
    raw->records.count = 0;
    berth_bytes_put_varint(&raw->records, molecule->atom_count);
    put_atoms(&raw->records, molecule);
    put_bonds(&raw->records, molecule);
    put_light(raw, &ligand->ligand, scratch);
    enum berth_status status = put_torsions(&raw->records, ligand, scratch, error);
    put_origin(&raw->records, ligand);
    berth_library_put_large(raw);
    raw->scratch = raw->records;
    raw->records = all;
    berth_bytes_put_varint(&raw->records, raw->scratch.count);
    berth_bytes_put(&raw->records, raw->scratch.data, raw->scratch.count);
    free(scratch);
    return status || !berth_library_raw_failed(raw)
               ? status
               : berth_out_of_memory(error, ligand->ligand.name);
}
