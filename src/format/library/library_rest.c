/* Records of the write-out stream. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/structure.h"
#include "format/library/library_format.h"

/* --- Writing --- */

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
        const double distance = berth_distance_squared(p, molecule->atoms[i].position);
        if (distance < least) {
            least = distance;
            nearest = i;
            *number = heavy;
        }
        heavy++;
    }
    return nearest;
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
                berth_library_to_grid(molecule->atoms[near[i]].position, from);
                berth_library_to_grid(molecule->atoms[i].position, to);
                berth_library_put_step(raw, from, to);
            }
        }
    }
}

/* The light atoms that the torsions move.  numbers is [atom_count]: which light atom each one is.
 */
static void put_torsions(struct berth_bytes *records, const struct berth_library_ligand *ligand,
                         size_t *numbers)
{
    const struct berth_molecule *molecule = &ligand->ligand.conformers[0];
    size_t light = 0;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        numbers[i] = molecule->atoms[i].heavy ? SIZE_MAX : light++;
    }
    berth_bytes_put_varint(records, ligand->tree.count);
    for (size_t t = 0; t < ligand->tree.count; t++) {
        berth_library_put_moved(records, &ligand->tree, t, numbers, light);
    }
}

enum berth_status berth_library_put_rest(struct berth_library_raw *raw,
                                         const struct berth_library_ligand *ligand,
                                         struct berth_error *error)
{
    const struct berth_molecule *molecule = &ligand->ligand.conformers[0];
    size_t *scratch;
    BERTH_TRY(
        berth_make(&scratch, molecule->atom_count, sizeof *scratch, ligand->ligand.name, error));
    /* The record's size comes first: the record is made aside. */
    struct berth_bytes all = raw->records;
    raw->records = raw->scratch;
    raw->records.count = 0;
    berth_bytes_put_varint(&raw->records, molecule->atom_count);
    put_atoms(&raw->records, molecule);
    put_bonds(&raw->records, molecule);
    put_light(raw, &ligand->ligand, scratch);
    put_torsions(&raw->records, ligand, scratch);
    berth_bytes_put_text(&raw->records, ligand->smiles);
    berth_bytes_put_text(&raw->records, ligand->source);
    berth_bytes_put_varint(&raw->records, ligand->record);
    berth_bytes_put_varint(&raw->records, ligand->property_count);
    for (size_t i = 0; i < ligand->property_count; i++) {
        berth_bytes_put_text(&raw->records, ligand->properties[i].name);
        berth_bytes_put_text(&raw->records, ligand->properties[i].value);
    }
    berth_library_put_large(raw);
    raw->scratch = raw->records;
    raw->records = all;
    berth_bytes_put_varint(&raw->records, raw->scratch.count);
    berth_bytes_put(&raw->records, raw->scratch.data, raw->scratch.count);
    free(scratch);
    return berth_library_raw_failed(raw) ? berth_out_of_memory(error, ligand->ligand.name)
                                         : BERTH_OK;
}

/* --- Reading --- */

/* A type, and what stands behind its colon; false where it is too long or that is out of range. */
static bool get_type(struct berth_cursor *records, char *type, size_t size, int *known, bool *has)
{
    char text[BERTH_NAME_SIZE + 8];
    const bool fits = berth_cursor_get_name(records, text, sizeof text);
    char *colon = fits ? strchr(text, ':') : NULL;
    *has = colon != NULL;
    *known = colon ? atoi(colon + 1) : 0;
    const size_t length = colon ? (size_t)(colon - text) : fits ? strlen(text) : size;
    if (length >= size || *known < -9 || *known > 9) {
        return false;
    }
    memcpy(type, text, length);
    type[length] = '\0';
    return true;
}

static enum berth_status get_atoms(struct berth_cursor *records, struct berth_molecule *molecule,
                                   size_t heavy_count, struct berth_error *error)
{
    const size_t count = molecule->atom_count;
    const unsigned char *bits = berth_cursor_take(records, (count + 7) / 8);
    struct berth_atom *atoms = molecule->atoms;
    bool fits = bits;
    for (size_t i = 0; bits && i < count; i++) {
        atoms[i].heavy = bits[i / 8] >> i % 8 & 1;
    }
    for (size_t i = 0; fits && i < count; i++) {
        fits = berth_cursor_get_name(records, atoms[i].name, sizeof atoms[i].name);
    }
    for (size_t i = 0; fits && i < count; i++) {
        int charge;
        bool known;
        fits = get_type(records, atoms[i].type, sizeof atoms[i].type, &charge, &known);
        atoms[i].charge = fits ? (int8_t)charge : 0;
        molecule->has_orders = molecule->has_orders || (fits && known);
    }
    for (size_t i = 0; fits && i < count; i++) {
        fits = berth_cursor_get_name(records, atoms[i].residue, sizeof atoms[i].residue);
    }
    for (size_t i = 0; fits && i < count; i++) {
        const int64_t id = berth_cursor_get_signed(records);
        fits = id >= INT32_MIN && id <= INT32_MAX;
        atoms[i].residue_id = fits ? (int)id : 0;
    }
    for (size_t i = 0; fits && i < count; i++) {
        atoms[i].element = berth_cursor_get8(records);
    }
    return fits && !records->failed && berth_heavy_count(molecule) == heavy_count
               ? BERTH_OK
               : berth_library_absurd(error, "atoms");
}

static enum berth_status get_bonds(struct berth_cursor *records, struct berth_molecule *molecule,
                                   struct berth_error *error)
{
    const uint64_t count = berth_cursor_get_varint(records);
    if (count > berth_cursor_left(records) ||
        count > (uint64_t)BERTH_LIBRARY_BONDS_MAX * molecule->atom_count) {
        return berth_library_absurd(error, "bonds");
    }
    BERTH_TRY(berth_make(&molecule->bonds, (size_t)count, sizeof *molecule->bonds, NULL, error));
    molecule->bond_count = (size_t)count;
    for (size_t i = 0; i < molecule->bond_count; i++) {
        struct berth_bond *bond = &molecule->bonds[i];
        const uint64_t first = berth_cursor_get_varint(records);
        const uint64_t second = berth_cursor_get_varint(records);
        int order;
        bool known;
        if (first >= molecule->atom_count || second >= molecule->atom_count || first == second ||
            !get_type(records, bond->type, sizeof bond->type, &order, &known) || records->failed ||
            (molecule->has_orders && (order < 1 || order > 3))) {
            return berth_library_absurd(error, "bonds");
        }
        bond->order = (uint8_t)order;
        bond->first = (size_t)first;
        bond->second = (size_t)second;
    }
    return BERTH_OK;
}

/* Copies of the first conformer's atoms and bonds for all others. */
static enum berth_status copy_conformers(struct berth_ligand *ligand, size_t count,
                                         struct berth_error *error)
{
    for (; ligand->conformer_count < count; ligand->conformer_count++) {
        if (!berth_molecule_copy(&ligand->conformers[0],
                                 &ligand->conformers[ligand->conformer_count])) {
            return berth_out_of_memory(error, NULL);
        }
    }
    return BERTH_OK;
}

/* Positions of a conformer's heavy atoms on the grid, and into the molecule. */
static void get_heavy(const struct berth_docking_ligand *docking, size_t conformer,
                      struct berth_molecule *molecule, int32_t (*grid)[3])
{
    for (size_t i = 0, heavy = 0; i < molecule->atom_count; i++) {
        if (!molecule->atoms[i].heavy) {
            continue;
        }
        const float *position = docking->positions[conformer * docking->heavy_count + heavy];
        for (int axis = 0; axis < 3; axis++) {
            molecule->atoms[i].position[axis] =
                docking->origins[conformer][axis] + (double)position[axis];
        }
        berth_library_to_grid(molecule->atoms[i].position, grid[heavy]);
        berth_library_from_grid(grid[heavy++], molecule->atoms[i].position);
    }
}

/* Positions of all conformers.  near is [atom_count]: the heavy atom that each light one is near.
 */
static enum berth_status get_positions(struct berth_library_planes *planes,
                                       const struct berth_docking_ligand *docking,
                                       struct berth_ligand *ligand, const uint32_t *near,
                                       struct berth_error *error)
{
    int32_t(*grid)[3];
    BERTH_TRY(berth_make(&grid, docking->heavy_count, sizeof *grid, NULL, error));
    for (size_t c = 0; c < ligand->conformer_count; c++) {
        struct berth_molecule *molecule = &ligand->conformers[c];
        get_heavy(docking, c, molecule, grid);
        for (size_t i = 0; i < molecule->atom_count; i++) {
            if (!molecule->atoms[i].heavy) {
                int32_t position[3];
                berth_library_get_step(planes, grid[near[i]], position);
                berth_library_from_grid(position, molecule->atoms[i].position);
            }
        }
    }
    free(grid);
    return BERTH_OK;
}

static enum berth_status get_near(struct berth_cursor *records,
                                  const struct berth_molecule *molecule, size_t heavy_count,
                                  uint32_t *near, struct berth_error *error)
{
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const uint64_t heavy = molecule->atoms[i].heavy ? 0 : berth_cursor_get_varint(records);
        if (heavy >= heavy_count) {
            return berth_library_absurd(error, "light atoms");
        }
        near[i] = (uint32_t)heavy;
    }
    return BERTH_OK;
}

/* Adds the atoms that a torsion moves: heavy ones from the docking stream, light ones by bits. */
static enum berth_status get_moved(struct berth_torsion_tree *tree,
                                   const struct berth_molecule *molecule,
                                   const struct berth_docking_ligand *docking,
                                   const struct berth_torsion *from, const unsigned char *bits,
                                   struct berth_error *error)
{
    const uint32_t *moved = docking->tree.moved + from->moved_start;
    const uint32_t *const end = moved + from->moved_count;
    uint32_t heavy = 0;
    for (size_t i = 0, light = 0; i < molecule->atom_count; i++) {
        bool moves;
        if (molecule->atoms[i].heavy) {
            moves = moved < end && *moved == heavy;
            moved += moves;
            heavy++;
        } else {
            moves = bits[light / 8] >> light % 8 & 1;
            light++;
        }
        if (moves) {
            BERTH_TRY(berth_reserve(&tree->moved, &tree->moved_capacity, tree->moved_count + 1,
                                    sizeof *tree->moved, error));
            tree->moved[tree->moved_count++] = (uint32_t)i;
        }
    }
    return BERTH_OK;
}

/* The atom of the molecule that is the number-th heavy one. */
static uint32_t atom_of_heavy(const struct berth_molecule *molecule, uint32_t number)
{
    uint32_t atom = 0;
    for (uint32_t heavy = 0; heavy <= number; atom++) {
        heavy += molecule->atoms[atom].heavy;
    }
    return atom - 1;
}

static enum berth_status get_torsions(struct berth_cursor *records,
                                      const struct berth_docking_ligand *docking,
                                      struct berth_library_ligand *ligand,
                                      struct berth_error *error)
{
    const struct berth_molecule *molecule = &ligand->ligand.conformers[0];
    const size_t light = molecule->atom_count - docking->heavy_count;
    struct berth_torsion_tree *tree = &ligand->tree;
    if (berth_cursor_get_varint(records) != docking->tree.count) {
        return berth_library_absurd(error, "torsions");
    }
    BERTH_TRY(berth_reserve(&tree->torsions, &tree->capacity, docking->tree.count,
                            sizeof *tree->torsions, error));
    for (size_t t = 0; t < docking->tree.count; t++) {
        const struct berth_torsion *from = &docking->tree.torsions[t];
        const unsigned char *bits = berth_cursor_take(records, (light + 7) / 8);
        if (!bits) {
            return berth_library_absurd(error, "torsions");
        }
        const size_t start = tree->moved_count;
        BERTH_TRY(get_moved(tree, molecule, docking, from, bits, error));
        tree->torsions[tree->count++] = (struct berth_torsion){
            atom_of_heavy(molecule, from->first), atom_of_heavy(molecule, from->second), start,
            tree->moved_count - start};
    }
    return BERTH_OK;
}

static enum berth_status get_origin(struct berth_cursor *records,
                                    struct berth_library_ligand *ligand, struct berth_error *error)
{
    ligand->smiles = berth_copy_text(berth_cursor_get_text(records));
    ligand->source = berth_copy_text(berth_cursor_get_text(records));
    ligand->record = berth_cursor_get_varint(records);
    if (!ligand->smiles || !ligand->source) {
        return berth_out_of_memory(error, NULL);
    }
    const uint64_t count = berth_cursor_get_varint(records);
    for (uint64_t i = 0; i < count; i++) {
        const char *name = berth_cursor_get_text(records);
        const char *value = berth_cursor_get_text(records);
        if (records->failed) {
            return berth_library_absurd(error, "properties");
        }
        BERTH_TRY(berth_library_ligand_property(ligand, name, value, error));
    }
    return BERTH_OK;
}

static enum berth_status get_strains(const struct berth_docking_ligand *docking,
                                     struct berth_library_ligand *ligand, struct berth_error *error)
{
    BERTH_TRY(berth_make(&ligand->strains, docking->conformer_count, sizeof *ligand->strains, NULL,
                         error));
    for (size_t c = 0; c < docking->conformer_count; c++) {
        /* The float has noise behind the hundredths that are kept. */
        ligand->strains[c] = round((double)docking->strains[c] * 100) / 100;
    }
    return BERTH_OK;
}

/* The first conformer without its positions. */
static enum berth_status get_molecule(struct berth_cursor *records,
                                      const struct berth_docking_ligand *docking,
                                      struct berth_ligand *ligand, struct berth_error *error)
{
    const uint64_t count = berth_cursor_get_varint(records);
    if (count < docking->heavy_count || count > berth_cursor_left(records)) {
        return berth_library_absurd(error, "atoms");
    }
    BERTH_TRY(berth_make(&ligand->conformers, docking->conformer_count, sizeof *ligand->conformers,
                         NULL, error));
    ligand->conformer_capacity = docking->conformer_count;
    struct berth_molecule *molecule = &ligand->conformers[ligand->conformer_count++];
    ligand->name = berth_copy_text(docking->title);
    molecule->title = berth_copy_text(docking->title);
    if (!ligand->name || !molecule->title) {
        return berth_out_of_memory(error, NULL);
    }
    BERTH_TRY(berth_make(&molecule->atoms, (size_t)count, sizeof *molecule->atoms, NULL, error));
    molecule->atom_count = (size_t)count;
    BERTH_TRY(get_atoms(records, molecule, docking->heavy_count, error));
    return get_bonds(records, molecule, error);
}

/* What follows the bonds in the record, up to the positions where `origin` is set; the large
 * differences come last. */
static enum berth_status get_rest(struct berth_library_planes *planes,
                                  const struct berth_docking_ligand *docking, bool origin,
                                  struct berth_library_ligand *ligand, struct berth_error *error)
{
    const struct berth_molecule *molecule = &ligand->ligand.conformers[0];
    const uint64_t light = molecule->atom_count - docking->heavy_count;
    if (light * docking->conformer_count * 3 > planes->left) {
        return berth_library_absurd(error, "planes");
    }
    uint32_t *near;
    BERTH_TRY(berth_make(&near, molecule->atom_count, sizeof *near, NULL, error));
    enum berth_status status =
        get_near(&planes->records, molecule, docking->heavy_count, near, error);
    BERTH_THEN(get_torsions(&planes->records, docking, ligand, error));
    BERTH_THEN(get_origin(&planes->records, ligand, error));
    if (!origin) {
        BERTH_THEN(copy_conformers(&ligand->ligand, docking->conformer_count, error));
        BERTH_THEN(get_positions(planes, docking, &ligand->ligand, near, error));
        BERTH_THEN(get_strains(docking, ligand, error));
    }
    free(near);
    return status;
}

/* Passes over count differences; false where there are fewer. */
static bool skip_steps(struct berth_library_planes *planes, uint64_t count)
{
    if (count > planes->left) {
        return false;
    }
    planes->high += count;
    planes->low += count;
    planes->left -= (size_t)count;
    return true;
}

enum berth_status berth_library_find_record(struct berth_library_record *record,
                                            const struct berth_docking_ligand *ligands,
                                            size_t number, struct berth_error *error)
{
    struct berth_library_planes *planes = &record->planes;
    for (bool found = false; !found; record->next++) {
        const struct berth_docking_ligand *docking = &ligands[record->next];
        const uint64_t size = berth_cursor_get_varint(&planes->records);
        const unsigned char *bytes = size > berth_cursor_left(&planes->records)
                                         ? NULL
                                         : berth_cursor_take(&planes->records, (size_t)size);
        if (!bytes) {
            return berth_library_absurd(error, "records");
        }
        record->bytes = berth_cursor_over(bytes, (size_t)size);
        record->here = *planes;
        record->docking = docking;
        struct berth_cursor head = record->bytes;
        const uint64_t atoms = berth_cursor_get_varint(&head);
        if (atoms < docking->heavy_count || atoms > planes->left + docking->heavy_count ||
            !skip_steps(planes, (atoms - docking->heavy_count) * docking->conformer_count * 3)) {
            return berth_library_absurd(error, "planes");
        }
        found = record->next == number;
    }
    return BERTH_OK;
}

enum berth_status berth_library_get_rest(const struct berth_library_record *record, bool origin,
                                         struct berth_library_ligand *ligand,
                                         struct berth_error *error)
{
    struct berth_library_planes here = record->here;
    here.records = record->bytes;
    memset(ligand, 0, sizeof *ligand);
    enum berth_status status = get_molecule(&here.records, record->docking, &ligand->ligand, error);
    BERTH_THEN(get_rest(&here, record->docking, origin, ligand, error));
    if (!status && (here.records.failed || (!origin && berth_cursor_left(&here.records)))) {
        status = berth_library_absurd(error, "records");
    }
    return status;
}
